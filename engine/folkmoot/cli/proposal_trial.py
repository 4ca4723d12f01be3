"""What the law says of rule-changes as a proposal of somebody's, before they are tried as law."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from folkmoot.cli.games import repository_around
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.core.keys import ROSTER
from folkmoot.core.records import ProposedChange
from folkmoot.forges.local.messages import lowered
from folkmoot.forges.vocabulary import Person
from folkmoot.game.session import Session
from folkmoot.referee.people import player_of
from folkmoot.wording.law_sentence import because, quotation

TITLE = "A trial"


def player_at(session: Session, game: Path) -> str | None:
    """Return the player whom git's address stands for, where it names one."""
    repo = repository_around(game)
    mail = repo.config["user.email"] if repo is not None and "user.email" in repo.config else ""
    return player_of(session.kept(ROSTER), "local", Person(id=lowered(mail or ""), handle=""))


def try_as_proposal(
    terminal: Terminal, session: Session, changes: list[ProposedChange], by: str | None, now: int
) -> tuple[bool, dict[str, Any]]:
    """Say what the law says of changes as a proposal; return whether it would be adopted, and all that was found."""
    told = dict(session.sandbox.trial(changes, TITLE, by, now))
    if "died" in told:
        terminal.note(f"As a proposal it could not be tried: {told['died']}")
        return False, {"died": told["died"]}
    number = f" {told['number']}" if told.get("number") else ""
    terminal.heading(f"As proposal{number}{f' of {by}' if by else ''}:")
    wrong = [said for said in (_proper(session, told), _proposing(session, told, by), _adopted(told)) if said]
    for said in wrong or [f"It is proper, can be proposed now, and is adopted if {_condition(told)}."]:
        terminal.say(f"  {without_escapes(said)}")
    terminal.heading("Then, as law:")
    return not wrong, {name: told.get(name) for name in ("number", "proper", "proposing", "adopted", "why")}


def _proper(session: Session, told: Mapping[str, Any]) -> str:
    return "" if told["proper"]["ok"] else f"It is not proper{_ruled(session, told['proper'])}."


def _proposing(session: Session, told: Mapping[str, Any], by: str | None) -> str:
    found = told.get("proposing")
    if not told["proper"]["ok"]:
        return ""
    if by is None:
        return "Who proposes it is not known here: name a player with --by."
    return "" if not found or found["ok"] else f"Proposing it now would be refused{_ruled(session, found)}."


def _condition(told: Mapping[str, Any]) -> str:
    """Return who has to agree to a proposal, and that its vote opens only later where it does."""
    if decider := told["decider"]:
        return f"{decider['player']} approves it as {decider['as']}"
    return "everybody votes for it" if told["opened"] else "everybody votes for it once the vote on it opens"


def _adopted(told: Mapping[str, Any]) -> str:
    if told["adopted"] or not told["proper"]["ok"]:
        return ""
    why = quotation(told["why"]) if told["why"] else "the law has it otherwise"
    return f"It would not be adopted, though everybody votes for it: {why}."


def _ruled(session: Session, ruling: Mapping[str, Any]) -> str:
    """Return why the law says no, with the number of its rule."""
    meta = (session.document("law").get("rules") or {}).get(ruling.get("rule")) or {}
    why = str(ruling.get("why") or "").rstrip(".")
    return f"{because(why, str(meta.get('number') or ''))} [{ruling.get('code')}]"
