"""How a game stands for a person, as they see it from their clone."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator, Mapping
from itertools import chain

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import GAME, ROSTER, forge_kind, pull_here
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.core.records import Shown
from folkmoot.core.values import sealed_number
from folkmoot.forges.local.letters import Letter
from folkmoot.game.session import Session
from folkmoot.game.status import (
    asked_of,
    beside_votes,
    choices_of,
    command_line,
    deadline,
    decider_of,
    duties_in,
    missing_votes,
    soonest_first,
    status_of,
    undecided,
)
from folkmoot.kernel.act_declarations import OPEN_SEALED
from folkmoot.kernel.ballot_words import CHOICES, SAID, review_said, typed_choice
from folkmoot.player.answers import flaws_said, obstacles_said, sent_by, votes_in
from folkmoot.player.remote_view import PullSeen, RemoteView, player_in, unknown_setting
from folkmoot.player.voting import decisions, voted_on
from folkmoot.referee.people import whose


def person_status(view: RemoteView, session: Session) -> Shown:
    """Return how a game stands for the person at a seat.

    That is `status_of` with `you` (address and player, as `unknown` whom the setting names if nobody is called so,
    whether they are `keyless`, so that they cannot read what the game seals to its players, and whether it
    `holds_sealed` what `moot show hand` shows them), `pulls` (the open pull requests), `owed` (what, by when, and the
    command for it), and `ballots` (those on record) beside `sent_by`, and `behind` and `ahead` (how many commits
    the clone lacks, and has alone), and `odd_refs` (what was pushed that is nothing, see `RemoteView.odd_refs`).
    """
    forge = forge_kind(session.kept(GAME)) or "local"
    player = player_in(view, session.kept(ROSTER), forge)
    entry: Document = session.kept(ROSTER).get(player or "") or {}
    playing = player if player and entry.get("until") is None else None
    sent, pulls = view.letters(), view.pulls()
    opened = {pull.number for pull in pulls}
    proposals = {pull_here(proposal, session.kept(GAME)): proposal for proposal in undecided(session)}
    ahead, behind = view.apart()
    you = {"email": view.person.id, "name": view.person.handle, "player": playing, "forge": forge}
    unknown = unknown_setting(view, session.document("roster"), forge)
    return {
        **status_of(session),
        "you": {
            **you,
            "unknown": unknown,
            "keyless": playing is not None and _is_keyless(session, entry),
            "holds_sealed": playing is not None and _holds_sealed(session, playing),
        },
        "pulls": [_pull(view, pull, session, proposals, playing, forge) for pull in pulls],
        "owed": [done_there(view, owed) for owed in owed_by(session, playing, sent, opened)] if playing else [],
        **sent_by(view, session, playing),
        "ballots": list(_recorded(session, playing)) if playing else [],
        "behind": behind,
        "ahead": ahead,
        "branch": view.branch,
        "odd_refs": view.odd_refs(),
    }


def _is_keyless(session: Session, entry: Document) -> bool:
    """Say whether rules seal what a player has to that player, and this one has named no key for it."""
    if entry.get("sealing") or not session.kept(GAME).get("sealing"):
        return False
    return any((about or {}).get("sealed") == "owner" for about in session.declared("defines", "player").values())


def _holds_sealed(session: Session, player: str) -> bool:
    """Say whether a register of a player holds anything sealed."""
    held = (session.document("things/player").get(player) or {}).values()
    values = (value if isinstance(value, list) else [value] for value in held)
    return any(sealed_number(each) is not None for each in chain.from_iterable(values))


# -- pull requests


def _pull(
    view: RemoteView,
    pull: PullSeen,
    session: Session,
    proposals: Mapping[int, Proposal],
    player: str | None,
    forge: str,
) -> Shown:
    proposal = proposals.get(pull.number)
    author = whose(pull.author, session.kept(ROSTER), forge)
    ballot = proposal["ballots"].get(player) if proposal and player else None
    return {
        "number": pull.number,
        "title": pull.title,
        "author": author,
        "own": pull.author.id == view.person.id or (player is not None and author == player),
        "head": pull.head,
        "observed": pull.observed,
        "newer": proposal is not None and not pull.observed and voted_on(view, pull)[1],
        "proposal": proposal["id"] if proposal else None,
        "called": called(proposal) if proposal else "",
        "state": proposal["state"] if proposal else "seen" if pull.observed else "new",
        "decider": decider_of(session, proposal) if proposal else None,
        "choice": ballot["choice"] if ballot else None,
        "flaws": flaws_said(view, pull.number),
        "why": [] if proposal else obstacles_said(view, pull.number),
    }


def _recorded(session: Session, player: str) -> Iterator[Shown]:
    """Yield the ballots on record for what is still voted on."""
    for proposal in undecided(session):
        if ballot := proposal["ballots"].get(player):
            state = "counts" if ballot["counts"] else "does not count"
            yield {"on": called(proposal), "choice": ballot["choice"], "state": state, "why": ballot["why"] or ""}


# -- what a player owes, with the command that answers each


def owed_by(session: Session, player: str, sent: list[Letter], opened: Container[int]) -> Iterator[Shown]:
    """Yield what a player owes: votes and decisions that are not on their way, and what the rules ask for.

    `opened` are the pull requests that are open: a vote whose pull request was closed goes on by the proposal's number.
    """
    coming = {letter.pull for letter in sent if letter.kind in ("approve", "request_changes") or votes_in(letter.body)}
    for proposal in undecided(session):
        pull = pull_here(proposal, session.kept(GAME))
        if pull and pull in coming:
            continue
        pull = pull if pull in opened else 0
        decider = decider_of(session, proposal)
        if player in missing_votes(proposal):
            choices = [*(choices_of(session, proposal["id"]) or CHOICES)]
            target = str(pull) if pull else f"--{proposal['kind']} {handle(proposal)}"
            yield _owed(session, proposal, "vote", f"moot vote {target} {shlex.quote(choices[0])}", choices)
        elif decider and decider["player"] == player and pull:
            yield _owed(session, proposal, "decide", f"moot vote {pull} {review_said('approve')}", [*SAID])
        elif decider and decider["player"] == player:
            commands = decisions(session, proposal, player)
            yield _owed(session, proposal, "decide", commands[0], commands)
    actions = session.actions()
    for duty in beside_votes(soonest_first(duties_in(session.documents, player)), undecided(session)):
        commands = [command_line(duty, do, actions) for do in asked_of(duty, actions)]
        yield {"what": str(duty["what"]), "rule": duty["rule"], "by": duty["by"], "command": "".join(commands[:1]),
               "choices": commands}  # fmt: skip


def _owed(session: Session, proposal: Proposal, verb: str, command: str, choices: list[str]) -> Shown:
    """Return a vote or a decision that is owed."""
    what = f"{verb} on {called(proposal)}, “{proposal['title']}”"
    return {"what": what, "rule": None, "by": deadline(session.documents, proposal), "command": command,
            "choices": choices}  # fmt: skip


def done_there(view: RemoteView, owed: Shown) -> Shown:
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
