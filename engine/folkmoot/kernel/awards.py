"""Awards, transfers and winning: every change of a currency is a line of the ledger."""

from __future__ import annotations

from typing import Any

from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.records import Effect, ScriptRecord, Win
from folkmoot.core.values import told
from folkmoot.kernel.answers import ask_usable, flaw_of_integer, flaw_of_switch, flaw_of_words
from folkmoot.kernel.authority import check_deed, refusal_of_deed
from folkmoot.kernel.errors import Fault, PlayEnds, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.registers import Register, check, find_register, keep, may_write, named_owner, tell_change
from folkmoot.kernel.script_records import record
from folkmoot.language.host_functions import host


def _currency(play: Play, ref: Any, currency: str) -> Register:
    return find_register(play, ref, currency, "integer", said="a currency")


def _undo_award(play: Play, effect: Effect, _entry: int) -> str:
    amount = -effect["applied"]
    to = named_owner(str(effect["of"]))
    applied = award(play, [[to, amount]], effect["name"], "taken back", "correction", None, adjusted=False)[0]
    return "" if applied == amount else f"{effect['of']} cannot have {amount} more {effect['name']}"


@host("", "award(amounts, currency, why, kind, credit)", effects={"award": _undo_award})
def award(
    play: Play, amounts: list[list[Any]], currency: str, why: str, kind: str, credit: Any, *, adjusted: bool = True
) -> list[int]:
    """Pay amounts at once: all are adjusted, then all entered, before listeners hear of the first.

    Adjusters run from the lowest precedence to the highest, so that the highest has the last word; what administrators
    correct, and what is taken back, is not `adjusted`.
    """
    frame = play.writing("award")
    cause = play.scopes[-1].cause if play.scopes else None
    made = []
    for to, amount in amounts:
        if not isinstance(amount, int) or isinstance(amount, bool):
            raise Fault(f"an amount of {currency} must be an integer, not {told(amount)}", "E-BOUNDS")
        fields = {"to": to, "currency": currency, "amount": amount, "asked": amount, "kind": kind, "why": why}
        asked = {**fields, "rule": frame.uid if frame else None, "credit": credit, "cause": cause}
        made.append(_adjust(play, asked) if frame and adjusted else asked)
    entered = [_enter(play, entry) for entry in made]
    for entry in entered:
        play.emit("awarded", {"award": record(entry)})
        if entry["applied"]:
            changed = {"owner": entry["to"], "name": currency, "before": entry["before"], "after": entry["after"]}
            tell_change(play, changed)
    return [int(entry["applied"]) for entry in entered]


def _adjust(play: Play, entry: ScriptRecord) -> ScriptRecord:
    hooks = ("adjust_award", f"adjust_{entry['currency']}")
    shown = record(entry)
    for uid in reversed(play.law.listeners(*hooks, view=play.view)):
        for hook in play.law.hooks_among(uid, hooks, play.view):
            adjusted = play.advise(uid, hook, [shown])
            flaw = flaw_of_integer(adjusted) if adjusted is not None else ""
            if flaw:
                play.failed(uid, hook, Fault(f"this answer cannot be used: {flaw}", "E-ARGS"))
            elif adjusted is not None:
                entry = {**entry, "amount": adjusted}
                shown = record(entry)
    return entry


def _enter(play: Play, entry: ScriptRecord) -> ScriptRecord:
    register = _currency(play, entry["to"], entry["currency"])
    owner, _name, declared = register
    before = int(register.value or 0)
    after = before + int(entry["amount"])
    low, high = declared.get("minimum"), declared.get("maximum")
    after = max(after, min(low, before)) if low is not None else after
    after = min(after, max(high, before)) if high is not None else after
    check({**declared, "minimum": None, "maximum": None}, entry["currency"], after)
    if after != before:
        may_write(play, owner, entry["currency"], after)
    keep(play, owner, entry["currency"], after)
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


@host("writing", 'transfer(giver, to, currency: currency, amount: int, why: str = "") -> amount')
def transfer(play: Play, giver: Any, to: Any, currency: str, amount: int, why: str) -> int:
    """Move an amount from one owner to another; refused with E-FUNDS where the giver has too little.

    | award(a.by, "score", 3)
    | transfer(a.by, "bob", "score", 3, "a present")
    """
    play.writing("transfer")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise Refusal("E-ARGS", f"an amount to transfer is a whole number from 0, not {amount}", play.cite())
    source, target = (_currency(play, owner, currency) for owner in (giver, to))
    have = int(source.value or 0)
    if have - amount < (source.declared.get("minimum") or 0):
        raise Refusal("E-FUNDS", f"{source.owner.id} has {have} {currency}, not {amount}", play.cite())
    if source.owner[:2] == target.owner[:2]:
        return amount
    most = target.declared.get("maximum")
    if most is not None and int(target.value or 0) + amount > most:
        raise Refusal("E-BOUNDS", f"{target.owner.id} can hold at most {most} {currency}", play.cite())
    award(play, [[giver, -amount], [to, amount]], currency, why, "given", None)
    return amount


def crown(play: Play) -> None:
    """Ask the law who has won now that everything has been done; None is nobody.

    While it goes on answering the same nobody wins again; who has won, and then had not, may win another time.
    """
    uid, players = _winners(play)
    game = play.documents[GAME]
    crowned = [str(uid), *players] if players else None
    if game.get("crowned") == crowned:
        return
    if crowned is None:
        play.documents.remove(GAME, game, "crowned")
        return
    play.documents.assign(GAME, game, "crowned", crowned)
    win(play, players, "", play_on=False, rule=uid)
    play.drain()
    if not _winners(play)[1]:  # a new round has begun
        play.documents.remove(GAME, game, "crowned")


def _winners(play: Play) -> tuple[str | None, list[str]]:
    """Return the rule that says who has won now, and whom it says."""
    uid, answer = ask_usable(play, "winner", lambda answer: _flaw_of_winners(play, answer))
    players = [answer] if isinstance(answer, str) else list(answer or ())
    for player in players:
        refused = refusal_of_deed(play, str(uid), "win", player, "player")
        if refused is not None:
            play.failed(str(uid), "decide_winner", Fault(refused.why, refused.code))
            return None, []
    return uid, players


def _flaw_of_winners(play: Play, answer: Any) -> str:
    """Return why an answer names nobody who can have won, "" if it names some or nobody."""
    named = [answer] if isinstance(answer, str) else answer
    if not named:
        return ""
    wrong = flaw_of_words(named)
    strangers = [] if wrong else [who for who in named if who not in play.documents[ROSTER]]
    return f"{told(strangers[0])} is no player" if strangers else wrong


@host("", "win(players, why, play_on)", effects={"win": "a win is not taken back"})
def win(play: Play, players: list[str], why: str, play_on: bool, rule: str | None = None) -> None:
    """Declare winners; ends play unless it goes on. Raises PlayEnds, which keeps what was done."""
    play.writing("declare a winner")
    rule = rule or play.cite()
    if not players:
        raise Fault("nobody cannot win", "E-ARGS")
    for player in players:
        if player not in play.documents[ROSTER]:
            raise Fault(f"{told(player)} is no player and cannot win", "E-NO-SUCH")
        check_deed(play, "win", player, "player")
    ends = not play_on and ask_usable(play, "win_ends_play", flaw_of_switch, players[0])[1] is not False
    play.effect("win", of=players[0], players=players, why=why or None, ends=ends, rule=rule)
    game = play.documents[GAME]
    won: Win = {"winner": players, "why": why, "rule": rule, "at": play.now}
    if ends:
        play.documents.assign(GAME, game, "over", won)
        raise PlayEnds
    play.documents.assign(GAME, game, "won", [*game.get("won", ()), won])
    play.emit("won", {"players": players, "why": why, "rule": rule})
