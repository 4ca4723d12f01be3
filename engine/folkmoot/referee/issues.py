"""Statements made without git: which game each is to, when everything in one is settled, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import ProposedChange
from folkmoot.forges.port import Issue, Pull, Remark
from folkmoot.referee.commands import Asked, commands_in
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import CommentInput, build_comment_model
from folkmoot.referee.content import GameContent
from folkmoot.referee.forms import read_form
from folkmoot.referee.recorder import Recorder
from folkmoot.referee.redlines import proposed

ASKING = "?？؟"
"""Marks of which one makes a plain statement a question."""


# -- when it is over


def is_over(recorder: Recorder, issue: Issue, first: Remark) -> bool:
    """Say whether everything in an issue is settled, so that it can be closed.

    It is not where nothing of it is recorded, while something waits, while what it proposed is undecided, while an act
    is held, and where it asks something: then somebody has to close it.
    """
    if any(verdict.state == "waiting" for verdict in recorder.verdicts.get(issue.number, ())):
        return False
    recorded = recorder.facts_at({"issue": issue.number})
    if not recorded.get("facts") or asks(issue, first):
        return False
    if any(not recorder.session.proposal(each)["outcome"] for each in recorded.get("proposals") or ()):
        return False
    held = recorder.session.document("things/held")
    return not any(str(seq) in held for seq in recorded["facts"].values())


def asks(issue: Issue, first: Remark) -> bool:
    """Say whether an issue is a question: a form that says so, or words of which some ask."""
    form = read_form(first.body)
    if form is not None:
        return form.asks
    if any(command.name != "game" for command in commands_in(first.body)):
        return False
    return any(mark in f"{issue.title} {first.body}" for mark in ASKING)


# -- what is answered


def as_voted(content: GameContent, proposal: Proposal | None) -> GameContent:
    """Return what an undecided proposal would do where that is other than the content it came with.

    The law may let its author change it by an act; what a pull request's files say is then not what is voted on.
    """
    if not proposal or proposal.get("outcome"):
        return content
    changes = proposed(proposal)
    if list(map(_gist, changes)) == list(map(_gist, content.changes)):
        return content
    return replace(content, changes=tuple(changes), files=tuple("as it is voted on" for _ in changes), stale=())


def _gist(change: ProposedChange) -> tuple[Any, ...]:
    kind, what = next(iter(change.items()))
    parts, target = (what, "") if isinstance(what, dict) else (change, str(what))
    return (kind, target, *(parts.get(name) for name in ("title", "text", "script", "to")))


def content_of(game: str, changes: Sequence[dict[str, Any]], issue: Pull | Issue) -> GameContent:
    """Return the changes of a proposal as if a pull request had brought them."""
    files = tuple(f"issue {issue.number}" for _ in changes)
    return GameContent(game=game, changes=tuple(changes), acts=(), files=files, stale=(), digest="")


def comment_on_issue(view: CommentInput, first: Remark) -> str:
    """Return the comment on an issue: what of it is recorded or refused, what came of it, and whether it is over."""
    assert isinstance(view.pull, Issue)
    model = replace(build_comment_model(view), place="issue", standing=_standing(view, view.pull, first))
    proposal = view.proposal
    if proposal and not proposal["outcome"] and view.forge != "local":
        kind, number = proposal["kind"], handle(proposal)
        vote = (f"Vote from elsewhere than here on {kind} {number}", f"/vote CHOICE {kind}={number}")
        model = replace(model, next=(*model.next, vote))
    return comment(model)


def _standing(view: CommentInput, issue: Issue, first: Remark) -> str:
    if view.state == "closed":
        return "Everything in it is settled." if view.entries else "Nothing of it is recorded."
    if asks(issue, first) and view.entries:
        return "It is recorded, and stays open for answers until somebody closes it."
    if not view.entries:
        return "Nothing of it is recorded. A text that is edited is not read again: say it anew in a comment."
    return "Not everything in it is settled."


# -- statements


LONGEST = 60_000  # characters of a statement


def statement_of(title: str, body: str) -> Asked:
    """Return the act of stating what an issue says that is neither a form nor holds commands."""
    told = {command.line for command in commands_in(body)}
    kept = [line for number, line in enumerate(body.splitlines(keepends=True), 1) if number not in told]
    parts = [title.strip(), "".join(kept).strip()]
    return Asked("state", {"text": "\n\n".join(part for part in parts if part)[:LONGEST]})
