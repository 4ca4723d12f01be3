"""What a player owes, with the command that answers each."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator
from typing import Any

from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, pull_here
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.core.records import Duty
from folkmoot.files.typed_words import read_typed_word
from folkmoot.forges.local.messages import Letter
from folkmoot.game.agenda import (
    OPEN,
    Actions,
    arguments_owed,
    asked_of,
    beside_votes,
    command_line,
    deadline,
    decider_of,
    duties_in,
    missing_votes,
    soonest_first,
    undecided,
)
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import OPEN_SEALED
from folkmoot.kernel.ballot_words import CHOICES, SAID, review_said, typed_choice
from folkmoot.kernel.unseen_contents import depends_on_sealed
from folkmoot.player.answers import votes_in
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.voting import choices_of
from folkmoot.wording import reasons
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

Record = dict[str, Any]


def owed_by(session: Session, player: str, sent: list[Letter], opened: Container[int] | None = None) -> list[Record]:
    """Return what a player owes: votes that are not on their way, and what the rules ask for.

    `opened` are the pull requests that are open: a vote whose pull request was closed goes on by the proposal's number.
    """
    return [*_votes(session, player, sent, opened), *_duties(session, player)]


def done_there(view: RemoteView, owed: Record) -> Record:
    """Return something owed with how it is done where the game is played: on the web by a comment."""
    words = str(owed["command"]).split()
    if not view.web or words[:2] not in (["moot", "vote"], ["moot", "act"]) or OPEN_SEALED in words:
        return owed
    number = int(words[2]) if words[2].isdigit() else 0
    on = [word.removeprefix("--") for word in words[2:3] if word.startswith("--")]
    said = owed["choices"] if words[1] == "vote" else []
    choice = typed_choice(shlex.split(str(owed["command"]))[-1], said)
    line = f"/do {' '.join(words[2:])}" if words[1] == "act" else f"/vote {choice}"
    line += f" {on[0]}={words[3]}" if on else ""
    where = view.link(number) or (f"pull request {number}" if number else "the game's thread")
    return {**owed, "command": f"comment `{line}` on {where}"}


def _votes(session: Session, player: str, sent: list[Letter], opened: Container[int] | None = None) -> Iterator[Record]:
    """Yield the votes and decisions that are missing, but for those that are on their way."""
    coming = {letter.pull for letter in sent if letter.kind in ("approve", "request_changes") or votes_in(letter.body)}
    for proposal in undecided(session):
        pull = pull_here(proposal, session.kept(GAME)) or None
        if pull and pull in coming:
            continue
        pull = pull if opened is None or pull in opened else None
        decider = decider_of(session, proposal)
        if player in missing_votes(proposal):
            yield _owed(session, proposal, "vote", _vote(session, proposal, pull))
        elif decider and decider["player"] == player:
            done = f"moot vote {pull} {review_said('approve')}" if pull else f"moot act {decider['do']}"
            yield _owed(session, proposal, "decide", (done, [*SAID] if pull else []))


def _vote(session: Session, proposal: Proposal, pull: int | None) -> tuple[str, list[str]]:
    """Return the command that votes on a proposal, and the choices that it may have."""
    choices = [*(choices_of(session, proposal["id"]) or CHOICES)]
    target = str(pull) if pull else f"--{proposal['kind']} {handle(proposal)}"
    return f"moot vote {target} {shlex.quote(choices[0])}", choices


def _owed(session: Session, proposal: Proposal, verb: str, how: tuple[str, list[str]]) -> Record:
    """Return a vote or a decision that is owed."""
    what = f"{verb} on {called(proposal)}, “{proposal['title']}”"
    by = deadline(session.documents, proposal)
    return {"what": what, "rule": None, "by": by, "command": how[0], "choices": how[1], "not_yet": ""}


def _duties(session: Session, player: str) -> Iterator[Record]:
    """Yield what is owed by the rules; votes on what is open are told already."""
    actions = session.actions()
    duties = soonest_first(duties_in(session.documents, player))
    for duty in beside_votes(duties, undecided(session)):
        commands = [command_line(duty, do, actions) for do in asked_of(duty, actions)]
        known = {
            "what": str(duty["what"]),
            "rule": duty["rule"],
            "by": duty["by"],
            "command": "".join(commands[:1]),
            "choices": commands,
        }
        yield {**known, "not_yet": _not_yet(session, player, duty, actions)}


def _not_yet(session: Session, player: str, duty: Duty, actions: Actions) -> str:
    """Return why the rules refuse as they stand all that a duty asks for, "" where they do not, or nobody can tell.

    What has arguments that are to be filled in cannot be tried.
    """
    why = ""
    for do in asked_of(duty, actions):
        given = arguments_owed(duty, do, actions)
        if given is None or OPEN in given.values():
            return ""
        declared = (actions[do] or {}).get("arguments") or {}
        typed = {name: read_typed_word(word, declared.get(name, {}).get("type", "")) for name, word in given.items()}
        outcome = session.would(player, do, typed, at=session.at)
        if outcome.accepted or depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed):
            return ""
        here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
        told = [unmarked(reasons.said(here, reason)) for reason in outcome.reasons if reason["code"] == outcome.code]
        why = next(iter(told), outcome.code)
    return why
