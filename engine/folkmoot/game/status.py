"""How a game stands, as one record: turn, votes, duties, timers, standing, actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from folkmoot.core.documents import Document, GameDocument, HeldAct, Proposal
from folkmoot.core.keys import GAME, rule_key
from folkmoot.core.limits import WARNING, limit_of
from folkmoot.core.records import Shown
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game.agenda import (
    deadline,
    decider_of,
    duties_in,
    held_in,
    missing_votes,
    session_timers,
    soonest_first,
    standing_of,
    undecided,
)
from folkmoot.game.session import Session
from folkmoot.kernel.documents import size_in_play
from folkmoot.kernel.failures import WAKING
from folkmoot.kernel.proposing_action import default_of
from folkmoot.kernel.running_claim import claim_of
from folkmoot.wording.law_sentence import quotation, told

LONGEST_WHY = 200  # characters of why a rule sleeps


def status_of(session: Session, player: str | None = None) -> Shown:
    """Return how a game stands; with a player only what they owe and may still vote on is listed."""
    game = session.kept(GAME)
    offices = session.offices()
    open_ = [_open(session, proposal) for proposal in undecided(session)]
    return {
        "game": session.record.name,
        "title": game.get("title") or session.record.name,
        "seq": session.head.seq,
        "at": session.at,
        "over": game.get("over"),
        "won": game.get("won") or [],
        "paused": game.get("paused"),
        "succession": claim_of(game),
        "size": size_told(session.documents),
        "mover": session.ask("mover"),
        "headline": told(session.ask("headline")) if session.decides("headline") else "",
        "asleep": asleep_in(session.documents),
        "open": [proposal for proposal in open_ if player in (None, *_awaited(proposal))],
        "duties": soonest_first(duties_in(session.documents, player)),
        "held": [_held(act) for act in held_in(session.documents) if player in (None, act["by"])],
        "timers": _timers(session),
        "currencies": session.currencies(),
        "offices": offices,
        "deputies": {office: players for office, players in session.deputies().items() if players},
        "players": [_player(session, who, offices) for who in session.players()],
        "administrators": list(game.get("administrators") or ()),
        "actions": {name: declaration.get("summary", "") for name, declaration in session.actions().items()},
    }


def size_told(documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return how large all that is in play is (`bytes`), how large it may be (`limit`), and whether to be warned."""
    size, limit = size_in_play(documents), limit_of(cast("GameDocument | None", documents.get("game")), "game_size")
    return {"bytes": size, "limit": limit, "warning": size * 100 > limit * WARNING}


class Asleep(TypedDict):
    """A rule in force whose script sleeps since an entry."""

    uid: str
    number: str
    title: str
    why: str
    since: int | None


def asleep_in(documents: Mapping[str, Document]) -> list[Asleep]:
    """Return the rules in force whose scripts sleep: `uid`, `number`, `title`, `why`, and the entry `since` which."""
    metas = (documents.get("law") or {}).get("rules") or {}
    return [
        {
            "uid": uid,
            "number": str(meta["number"]),
            "title": str((documents.get(f"rules/{uid}") or {}).get("title") or "untitled"),
            "why": str(meta["suspended"]),
            "since": meta.get("asleep_since"),
        }
        for uid, meta in metas.items()
        if meta.get("in_force") and meta.get("suspended")
    ]


def asleep_told(rule: Asleep) -> str:
    """Return of a rule of `asleep_in` in two sentences since when it sleeps and why, and how it wakes.

    >>> asleep_told({"number": "201", "title": "Turns", "why": "void", "since": 40})[:45]
    'Rule 201 (Turns) sleeps since entry 40: “void”'
    """
    since = f" since entry {rule['since']}" if rule["since"] else ""
    why = " ".join(str(rule["why"]).split())
    why = why if len(why) <= LONGEST_WHY else f"{why[:LONGEST_WHY]}…"
    said = f"Rule {rule['number']} ({rule['title']}) sleeps{since}: {quotation(why.rstrip('.'))}."
    return f"{said} Its script does nothing; {WAKING}."


def _open(session: Session, proposal: Proposal) -> dict[str, Any]:
    keys = ("id", "kind", "number", "title", "author", "state", "submitted_at", "opened_at")
    return {
        **{key: proposal.get(key) for key in keys},
        "voted": [voter for voter in proposal.get("electorate") or () if voter in proposal["ballots"]],
        "missing": missing_votes(proposal),
        "until": deadline(session.documents, proposal),
        "standing": standing_of(session, proposal),
        "decider": decider_of(session, proposal),
    }


def _awaited(proposal: Mapping[str, Any]) -> list[str]:
    """Return whose vote or decision an undecided proposal awaits."""
    return [*proposal["missing"], *([proposal["decider"]["player"]] if proposal["decider"] else [])]


def _held(act: HeldAct) -> dict[str, Any]:
    return {key: act.get(key) for key in ("id", "do", "by", "as", "at", "label", "why", "rule")}


def _timers(session: Session) -> list[dict[str, Any]]:
    """Return the timers that are to come, the next first, each with what the rule that set it says of it."""
    return [
        {
            "key": key,
            "name": timer["name"],
            "due": timer["due"],
            "rule": timer["rule"],
            "summary": _told(session, timer),
        }
        for key, timer in session_timers(session)
    ]


def _told(session: Session, timer: Mapping[str, Any]) -> str:
    declared = session.kept(rule_key(str(timer["rule"]))).get("timers") or {}
    return str((declared.get(timer["name"]) or {}).get("summary") or "")


def _player(session: Session, player: str, offices: dict[str, str | None]) -> dict[str, Any]:
    held = [office for office, holder in offices.items() if holder == player]
    return {"id": player, **session.document("things/player").get(player, {}), "offices": held}


def revising(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action by which proponents give their proposal its final form: one that may bring rule-changes.

    >>> needed, may = {"type": "changes"}, {"type": "changes", "optional": True}
    >>> revising({"propose": {"arguments": {"c": needed}}, "end": {"arguments": {"c": may}}})
    'end'
    """
    taking = {
        name: [spec for spec in (declared.get("arguments") or {}).values() if spec.get("type") == "changes"]
        for name, declared in actions.items()
    }
    first = default_of(actions)
    may = (name for name, specs in taking.items() if specs and all(spec.get("optional") for spec in specs))
    return next((name for name in may if name != first), "")
