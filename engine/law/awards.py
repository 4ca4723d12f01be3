"""Awards, transfers and winning: every change of a currency is a line of the ledger."""

from __future__ import annotations

from typing import Any

from engine.law.errors import Fault, PlayEnds, Refusal
from engine.law.play import Play
from engine.law.records import Record, record
from engine.law.registers import Owner, declaration, find_owner, initial

KINDS = ("award", "correction", "given", "set")


def _currency(play: Play, ref: Any, currency: str) -> tuple[Owner, Record]:
    owner = find_owner(play, ref)
    declared = declaration(play, owner.kind, currency)
    if declared is None or declared[1]["type"] != "integer":
        raise Fault(f"no rule in force declares a currency {currency!r} of {owner.kind}", "E-NO-SUCH")
    return owner, declared[1]


def award(
    play: Play, amounts: list[list[Any]], currency: str, why: str, kind: str, credit: Any, rule: str | None = None
) -> list[int]:
    """Pay amounts at once: all are adjusted and entered before listeners hear of the first.

    Adjusters run from the lowest precedence to the highest, so that the highest has the last word.
    """
    frame = play.writing("award")
    by = rule if rule is not None else (frame.uid if frame else None)
    cause = play.scopes[-1].cause if play.scopes else None
    made = []
    for to, amount in amounts:
        if not isinstance(amount, int) or isinstance(amount, bool):
            raise Fault(f"an amount of {currency} must be an integer, not {amount!r}", "E-BOUNDS")
        fields = {"to": to, "currency": currency, "amount": amount, "asked": amount, "kind": kind, "why": why}
        made.append(_enter(play, {**fields, "rule": by, "credit": credit, "cause": cause}))
    for entry in made:
        play.emit("awarded", {"award": record(entry)})
    return [int(entry["applied"]) for entry in made]


def _enter(play: Play, entry: Record) -> Record:
    for uid in reversed(play.law.listeners("adjust_award", view=play.view)):
        adjusted = play.advise(uid, "adjust_award", [record(entry)])
        if isinstance(adjusted, int) and not isinstance(adjusted, bool):
            entry = {**entry, "amount": adjusted}
    owner, declared = _currency(play, entry["to"], entry["currency"])
    before = int(owner.values.get(entry["currency"], initial(declared)) or 0)
    after = before + int(entry["amount"])
    low, high = declared.get("minimum"), declared.get("maximum")
    after = max(after, min(low, before)) if low is not None else after
    after = min(after, max(high, before)) if high is not None else after
    play.documents.assign(owner.key, owner.values, entry["currency"], after)
    cause = entry["cause"] or {}
    play.effect(
        "award",
        of=owner.id,
        name=entry["currency"],
        **{"from": before, "to": after},
        asked=entry["asked"],
        applied=after - before,
        kind=entry["kind"],
        why=entry["why"] or None,
        credit=entry["credit"],
        rule=entry["rule"],
        cause=cause.get("name"),
    )
    return {**entry, "applied": after - before, "before": before, "after": after}


def transfer(play: Play, giver: Any, to: Any, currency: str, amount: int, why: str) -> int:
    """Move an amount between two owners; raises Refusal E-FUNDS or E-ARGS, never mints."""
    play.writing("transfer")
    if not isinstance(amount, int) or amount < 0:
        raise Refusal("E-ARGS", f"an amount to transfer must not be negative, and {amount} is", play.cite())
    source, declared = _currency(play, giver, currency)
    target, _ = _currency(play, to, currency)
    have = int(source.values.get(currency, initial(declared)) or 0)
    if have - amount < (declared.get("minimum") or 0):
        raise Refusal("E-FUNDS", f"{source.id} has {have} {currency}, not {amount}", play.cite())
    if source.id == target.id and source.kind == target.kind:
        return amount
    award(play, [[giver, -amount], [to, amount]], currency, why, "given", None)
    return amount


def win(play: Play, players: list[str], why: str, play_on: bool) -> None:
    """Declare winners; ends play unless it goes on. Raises PlayEnds, which keeps what was done."""
    frame = play.writing("declare a winner")
    for player in players:
        if player not in play.documents["roster"]:
            raise Fault(f"{player!r} is no player and cannot win", "E-NO-SUCH")
    ends = not play_on and play.ask("win_ends_play", players[0]) is not False
    play.effect("win", of=players[0], players=players, why=why or None, ends=ends)
    game = play.documents["game"]
    won = {"winner": players, "why": why, "rule": frame.uid if frame else None, "at": play.now}
    if ends:
        play.documents.assign("game", game, "over", won)
        raise PlayEnds
    play.documents.assign("game", game, "won", [*game.get("won", ()), won])
