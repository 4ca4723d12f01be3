"""What the pull request of a proposal holds and says at its new forge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pygit2

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import rule_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.files.rewrite import render_rule
from folkmoot.forges.cache.untrusted_commits import find_commit
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.referee.content import read_content
from folkmoot.referee.markdown import said
from folkmoot.referee.redlines import proposed

LONGEST_NAME = 40
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~-]+){2,9}")
KEEPER = pygit2.Signature("Folkmoot", "referee@folkmoot.invalid", 0, 0)
Record = Mapping[str, Any]


def commit_of(record: GameTree, proposal: Proposal) -> str:
    """Return the commit (hex) with the content of a proposal: its own where that is here, else one made of its changes.

    "" where nothing in files can show what it would change, as with motions that change no rule.
    """
    head = str((proposal.get("via") or {}).get("head") or "")
    if head and find_commit(record.repo, head) is not None and _shows(record, head, proposal):
        return head
    try:
        made = _made(record, proposal)
    except (ProblemError, KeyError, pygit2.GitError):
        return ""
    return made if made and _shows(record, made, proposal) else ""


def _shows(record: GameTree, commit: str, proposal: Proposal) -> bool:
    """Say whether a commit can be read as changes of the rules of that game."""
    content = read_content(record.repo, record.commit_id, commit)
    mine = content.of(record.name)
    return not content.problems and mine is not None and len(mine.changes) >= min(1, len(proposal["changes"]))


def _made(record: GameTree, proposal: Proposal) -> str:
    """Make a commit on top of the game's branch in whose files the changes of a proposal stand."""
    files: dict[str, bytes | None] = {}
    for change in proposed(proposal):
        kind, what = next(iter(change.items()))
        if isinstance(what, dict):
            files[_free(record, files, str(what.get("title") or "rule"))] = render_rule(what).encode()
        elif kind == "repeal":
            files[f"rules/{what}.yaml"] = None
        else:
            files[f"rules/{what}.yaml"] = _changed(record, kind, str(what), change)
    if not files:
        return ""
    inside = {f"{record.path}/{name}": data for name, data in files.items()}
    base = record.repo[record.commit_id].peel(pygit2.Commit)
    tree = write_tree(record.repo, base.tree_id, inside)
    by = pygit2.Signature(KEEPER.name, KEEPER.email, int(proposal["submitted_at"]), 0)
    return make_commit(record.repo, tree, [record.commit_id], f"{proposal['title'] or called(proposal)}\n", by, by)


def _changed(record: GameTree, kind: str, uid: str, change: Record) -> bytes:
    rule = dict(record.archive(rule_key(uid)) or {})
    if kind == "transmute":
        rule["labels"] = {**(rule.get("labels") or {}), "status": change["to"]}
    elif kind == "retitle":
        rule["title"] = change["to"]
    else:
        rule |= {name: value for name, value in change.items() if name not in (kind, "revision")}
    return render_rule(rule).encode()


def _free(record: GameTree, files: Mapping[str, Any], title: str) -> str:
    """Return a path for a new rule that no file has yet."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME].strip("-") or "rule"
    tried, count = f"rules/new-{name}.yaml", 2
    while tried in files or record.read(tried) is not None:
        tried, count = f"rules/new-{name}-{count}.yaml", count + 1
    return tried


def text_of(proposal: Proposal, before: str) -> str:
    """Return what the pull request says of itself: whose it is, where it was, and how the vote stands."""
    author = f", by {said(proposal['author'], 80)}" if proposal.get("author") else ""
    lines = [
        f"This is {said(called(proposal), 80)}{author}. The game has moved here: it was {said(place_of(proposal), 80)} "
        f"at {_linked(before)}, where nothing counts any more.",
        "",
        _votes(proposal),
        "",
        "What is voted on is the proposal as it is recorded. Nothing that is pushed here changes it.",
    ]
    return "\n".join(lines) + "\n"


def _linked(address: str) -> str:
    """Return an address as a link, where it is nothing else.

    >>> _linked("https://github.com/ann/game"), _linked("https://x.example/@bob")
    ('<https://github.com/ann/game>', 'https：//x.example/＠bob')
    """
    return f"<{address}>" if _ADDRESS.fullmatch(address) else said(address, 300)


def place_of(proposal: Proposal) -> str:
    """Return where a proposal was met, in words."""
    via = proposal.get("via") or {}
    if via.get("pull"):
        return f"pull request {via['pull']}"
    return f"issue {via['issue']}" if via.get("issue") else "the game's thread"


def _votes(proposal: Proposal) -> str:
    """Return which votes are cast, where they are displayed also how."""
    ballots = proposal.get("ballots") or {}
    if not ballots:
        return "No vote on it is cast yet."
    shown = is_displayed(proposal)
    names = [said(who, 80) + (f" ({said(each['choice'], 40)})" if shown else "") for who, each in ballots.items()]
    return f"Votes that are cast, and stay: {', '.join(names)}."
