"""How a game stands, as one record: turn, votes, duties, timers, standing, actions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from folkmoot.core.limits import WARNING, limit_of
from folkmoot.game.session import Document, Session
from folkmoot.kernel.documents import size_in_play
from folkmoot.kernel.inability import WAKING
from folkmoot.kernel.succession import claim_of

LONGEST_WHY = 200  # characters of why a rule sleeps


def status_of(session: Session, player: str | None = None) -> dict[str, Any]:
    """Return how a game stands; with a player only what they owe and may still vote on is listed."""
    game = session.document("game")
    offices = session.offices()
    open_ = [proposal for i in game.get("open") or () if (proposal := _open(session, i, player))]
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
        "asleep": asleep_in(session.documents),
        "open": open_,
        "duties": _duties(session.document("things/duty"), player),
        "timers": _timers(session.document("things/timer")),
        "currencies": session.currencies(),
        "offices": offices,
        "players": [_player(session, who, offices) for who in session.players()],
        "actions": {name: declaration.get("summary", "") for name, declaration in session.actions().items()},
    }


def size_told(documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return how large all that is in play is (`bytes`), how large it may be (`limit`), and whether to be warned."""
    size, limit = size_in_play(documents), limit_of(documents.get("game"), "game_size")
    return {"bytes": size, "limit": limit, "warning": size * 100 > limit * WARNING}


def asleep_in(documents: Mapping[str, Document]) -> list[dict[str, Any]]:
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


def asleep_told(rule: Mapping[str, Any]) -> str:
    """Return of a rule of `asleep_in` in two sentences since when it sleeps and why, and how it wakes.

    >>> asleep_told({"number": "201", "title": "Turns", "why": "void", "since": 40})[:45]
    'Rule 201 (Turns) sleeps since entry 40: void.'
    """
    since = f" since entry {rule['since']}" if rule["since"] else ""
    why = " ".join(str(rule["why"]).split())
    why = why if len(why) <= LONGEST_WHY else f"{why[:LONGEST_WHY]}…"
    said = f"Rule {rule['number']} ({rule['title']}) sleeps{since}: {why.rstrip('.')}."
    return f"{said} Its script does nothing; {WAKING}."


def _open(session: Session, identifier: str, player: str | None) -> dict[str, Any] | None:
    proposal = session.proposal(identifier)
    electorate = proposal.get("electorate") or []
    voted = [voter for voter in electorate if voter in proposal["ballots"]]
    missing = [voter for voter in electorate if voter not in proposal["ballots"]]
    judge = judge_of(session, proposal)
    awaited = missing if proposal["state"] == "open" else [judge["player"]] if judge else []
    if player and player not in awaited:
        return None
    keys = ("id", "number", "title", "author", "state", "submitted_at", "opened_at")
    closing = until(session.document("things/timer"), proposal)
    kept = {key: proposal.get(key) for key in keys}
    return {**kept, "voted": voted, "missing": missing, "until": closing, "judge": judge}


def judge_of(session: Session, proposal: Document) -> dict[str, str] | None:
    """Return whose decision an undecided proposal awaits (`player`), in which office (`as`) and by which act (`do`).

    None where votes decide: the law says so by what it makes of the review of whoever holds an office.
    """
    if proposal["outcome"] or proposal["state"] != "pending":
        return None
    if not any("def decide_review(" in str(rule.get("script") or "") for rule in session.rules()):
        return None
    for player in dict.fromkeys(holder for holder in session.offices().values() if holder):
        act = session.read_review(proposal["id"], player, "approve", "")
        if act is not None and act.get("as"):
            return {"player": player, "as": str(act["as"]), "do": act["do"]}
    return None


def until(timers: Document, proposal: Document) -> int | None:
    """Return when the next timer that speaks of a proposal is due."""
    named = (proposal["id"], proposal["number"])
    due = [t["due"] for t in timers.values() if any(_names(v, named) for v in (t.get("payload") or {}).values())]
    return min(due, default=None)


def _names(value: Any, named: tuple[Any, ...]) -> bool:
    return (value.get("id") if isinstance(value, dict) else value) in named


def _duties(duties: Document, player: str | None) -> list[dict[str, Any]]:
    listed = [{"key": key, **duty} for key, duty in duties.items() if player in (None, duty["player"])]
    return sorted(listed, key=lambda duty: (duty["by"] is None, duty["by"] or 0))


def _timers(timers: Document) -> list[dict[str, Any]]:
    listed = [{"key": k, "name": t["name"], "due": t["due"], "rule": t["rule"]} for k, t in timers.items()]
    return sorted(listed, key=lambda timer: timer["due"])


def _player(session: Session, player: str, offices: dict[str, str | None]) -> dict[str, Any]:
    held = [office for office, holder in offices.items() if holder == player]
    return {"id": player, **session.document("things/player").get(player, {}), "offices": held}


def revising(actions: Mapping[str, Any]) -> str:
    """Return the action by which proponents give their proposal its final form: one that may bring rule-changes.

    >>> needed, may = {"type": "changes"}, {"type": "changes", "optional": True}
    >>> revising({"propose": {"arguments": {"c": needed}}, "end": {"arguments": {"c": may}}})
    'end'
    """
    taking = {
        name: [spec for spec in (declared.get("arguments") or {}).values() if spec.get("type") == "changes"]
        for name, declared in actions.items()
    }
    return next((name for name, specs in taking.items() if specs and all(spec.get("optional") for spec in specs)), "")


_ARTICLES = frozenset("a an the this that their your of".split())


def asked_by(duty: Mapping[str, Any], actions: Mapping[str, Any]) -> str:
    """Return the action that a duty asks for: its key, or what its words name, or what begins with the same word."""
    return next(iter(asked_of(duty, actions)), "")


def asked_of(duty: Mapping[str, Any], actions: Mapping[str, Any]) -> list[str]:
    """Return the actions of which a duty asks for one, the likeliest first; none where its words do not tell.

    A word after an article names a thing and not what is to be done with it, and of "accept or decline" both will do.

    >>> duty = {"key": "x", "what": "answer the challenge: accept or decline"}
    >>> asked_of(duty, {"challenge": {}, "decline": {}, "accept": {}})
    ['accept', 'decline']
    """
    key = str(duty["key"]).partition("/")[0]
    if key in actions:
        return [key]
    words = _words(duty["what"])
    doing = [word for before, word in zip(["", *words], words, strict=False) if before not in _ARTICLES]
    either = [name for name in doing if name in actions] if "or" in words else []
    if len(either) > 1:
        return list(dict.fromkeys(either))
    said = set(doing)
    named = [name for name in actions if set(name.split("_")) <= (said if "_" not in name else set(words))]
    summed = [name for name, declared in actions.items() if len(first := _first(declared)) >= 2 and first <= set(words)]
    begun = [name for name in actions if words and name.split("_")[0] == words[0]]
    likely = max(named, key=len, default="") or next(iter(summed), "") or (begun[0] if len(begun) == 1 else "")
    return [likely] if likely else []


def _first(declared: Mapping[str, Any] | None) -> set[str]:
    """Return what the first three words of an action's summary say."""
    return set(_words((declared or {}).get("summary", ""))[:3]) - {"a", "an", "the", "of", "to"}


def _words(text: Any) -> list[str]:
    return re.findall(r"[a-z]+", str(text).lower())
