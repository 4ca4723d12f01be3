"""What players owe: shown to them with what they have to do for it, on the site and in calendars.

A duty may name the acts of which one is owed (`do`), and what they are to be about (`of`). Then such an act does it,
a vote also a ballot that a rule enters, and the end of the vote; every other duty is done when a rule says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from folkmoot.core.calendar import LAST
from folkmoot.core.keys import DUTIES
from folkmoot.core.records import Arguments, Duty, Effect, ScriptRecord
from folkmoot.core.values import is_digits, told
from folkmoot.kernel.authority import check_deed
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.next_timer import is_running, overdue_at
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.script_records import record
from folkmoot.language.host_functions import CHANGED, NOTHING, host

if TYPE_CHECKING:
    from folkmoot.kernel.play import Play

Wanted = tuple[list[str], str | int | None]


def duties(play: Play) -> dict[str, Duty]:
    """Return what players owe, by key."""
    return play.documents[DUTIES]


def _undo_owe(play: Play, effect: Effect, _entry: int) -> str:
    owed, key = duties(play), effect["key"]
    if key not in owed or (owed[key]["what"], owed[key]["by"]) != (effect["what"], effect.get("by")):
        return CHANGED
    if effect.get("was") is not None:
        return _note_again(play, key, effect["was"])
    play.documents.remove(DUTIES, owed, key)
    play.effect("settle", of=key)
    return ""


def _note_again(play: Play, key: str, was: Any) -> str:
    play.documents.assign(DUTIES, duties(play), key, was)
    play.effect("owe", of=was["player"], what=was["what"], by=was["by"], key=key)
    return ""


@host(
    "flow",
    "owe(player, what: str, by = None, key = None, do: actions = None, of: ref = None) -> None",
    effects={"owe": _undo_owe},
)
def owe(play: Play, player: Any, what: str, by: Any, key: str | None, do: Any, of: Any) -> None:
    """Note that a player must do something by some time; the same key replaces what was owed.

    `do` names the action that is owed, or a list of actions of which one is; everywhere the duty is shown with the
    command for it. `of` is what it is about: a proposal, or what the action is given, a text or a number. A duty that
    names both is done by such an act, a vote also by a ballot that a rule enters and by the end of the vote; any other
    is done when a rule says settle().

    Example:
        owe(a.by, "wave back", by = now() + 2 * DAY, key = "wave")
    """
    play.writing("note duties")
    name, wanted = key or f"{player}:{what}", _wanted(do, of)
    was = _note(play, player, name, what, by, wanted)
    was = was if play.law.takes_back() else None
    play.effect("owe", of=player, what=what, by=by, key=name, was=was, **_shown(wanted))


@host("flow", "owe_all(players: list, what: str, by = None, key = None, do: actions = None, of: ref = None) -> None")
def owe_all(play: Play, players: Any, what: str, by: Any, key: str | None, do: Any, of: Any) -> None:
    """Note the same duty for each of many players, as owe() does, in one call.

    The key of each ends with the player's id: KEY/PLAYER.

    Example:
        owe_all([p for p in things("player") if p != a.by], "wave back", by = now() + DAY, key = "wave")
    """
    play.writing("note duties")
    if not isinstance(players, list):
        raise Fault("owe_all takes a list of players", "E-ARGS")
    wanted, given = (
        _wanted(do, of),
        list(dict.fromkeys(players)) if all(isinstance(p, str) for p in players) else players,
    )
    if play.law.takes_back():  # an effect each, which can be taken back alone
        for player in given:
            owe(play, player, what, by, _key_of(player, what, key), do, of)
        return
    for player in given:
        _note(play, player, _key_of(player, what, key), what, by, wanted)
    if given:
        play.effect("owe", players=given, what=what, by=by, key=key, **_shown(wanted))


def _key_of(player: Any, what: str, key: str | None) -> str:
    return f"{key}/{player}" if key else f"{player}:{what}"


def _note(play: Play, player: Any, name: str, what: str, by: Any, wanted: Wanted) -> Duty | None:
    """Note a duty and return the one that it replaces."""
    if not is_player(play, player):
        raise Fault(f"{told(player)} is no player and can owe nothing", "E-NO-SUCH")
    if by is not None and (not isinstance(by, int) or isinstance(by, bool) or not 0 <= by <= LAST):
        raise Fault(f"a duty is due at a time, as in now() + DAY, before the year 10000, not {told(by)}", "E-ARGS")
    owed_now = duties(play)
    owed: Duty = {"player": player, "what": what, "by": by, "rule": play.cite()}
    do, of = wanted
    if do:
        owed["do"] = do
    if of is not None:
        owed["of"] = of
    before = owed_now.get(name)
    check_deed(play, "owe", name, "duty", [before["rule"]] if before else [], to=player)
    if before is None or before.get("overdue") or {key: before.get(key) for key in owed} != owed:
        play.documents.assign(DUTIES, owed_now, name, {**owed, "since": play.now, "cause": play.actor})
    return before


def _wanted(do: Any, of: Any) -> Wanted:
    """Return which acts are owed, and what they are to be about: the id of a proposal, a text or a number."""
    names = [do] if isinstance(do, str) and do else [] if do is None else do
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise Fault(
            f"a duty names the action that is owed, or a list of actions of which one is, not {told(do)}", "E-ARGS"
        )
    about = of.get("id", of.get("uid")) if isinstance(of, Mapping) else of
    if about is not None and (isinstance(about, bool) or not isinstance(about, (str, int))):
        raise Fault(f"a duty is of a proposal, or of what a text or a number names, not {told(of)}", "E-ARGS")
    if about is not None and not names:
        raise Fault("a duty that is of something names the action too (do)", "E-ARGS")
    return list(names), about


def _shown(wanted: Wanted) -> dict[str, Any]:
    do, of = wanted
    return {"name": ", ".join(do) or None, "to": of}


def _undo_settle(play: Play, effect: Effect, _entry: int) -> str:
    if effect["of"] in duties(play) or effect.get("was") is None:
        return CHANGED
    return _note_again(play, effect["of"], effect["was"])


@host("flow", "settle(key: str) -> None", keeps=NOTHING, effects={"settle": _undo_settle})
def settle(play: Play, key: str) -> bool:
    """Strike out a duty.

    Example:
        owe(a.by, "wave back", key = "wave")
        settle("wave")
    """
    play.writing("strike out duties")
    if key not in play.documents[DUTIES]:
        return False
    owed = duties(play)[key]
    check_deed(play, "settle", key, "duty", [owed["rule"]], to=owed["player"])
    _strike_out(play, key)
    return True


def _strike_out(play: Play, key: str) -> None:
    owed = duties(play)
    was = owed[key] if play.law.takes_back() else None
    play.documents.remove(DUTIES, owed, key)
    play.effect("settle", of=key, was=was)


@host("reading", "duties(player = None)", looks=True)
def duties_of(play: Play, player: str | None) -> list[ScriptRecord]:
    """List what a player owes, or what all do: key, player, what, by, do, of, rule, since and overdue of each.

    Example:
        owe(a.by, "wave back", key = "wave")
        announce("%d duties" % len(duties(a.by)))
    """
    owed = [(key, duty) for key, duty in play.documents[DUTIES].items() if player in (None, duty["player"])]
    return [_to_record(key, duty) for key, duty in owed]


def _to_record(key: str, duty: Duty) -> ScriptRecord:
    fields = {name: duty.get(name) for name in ("player", "what", "by", "of", "rule", "since")}
    return record({"key": key, **fields, "do": list(duty.get("do") or ()), "overdue": bool(duty.get("overdue"))})


# -- done by an act


def done_by_act(play: Play, player: str | None, do: str, args: Arguments) -> None:
    """Strike out the duties that an act of a player does, as it begins: who carries it out may note the next."""
    if player is None or do == "vote":
        return  # a ballot does it, by whomever it is entered
    given = [value for name, value in args.items() if name != "$" and value is not None]
    for key, duty in list(play.documents[DUTIES].items()):
        owed = duty["player"] == player and do in (duty.get("do") or ()) and "of" in duty
        if owed and any(_is_about(value, duty["of"]) for value in given):
            _strike_out(play, key)


def _is_about(value: Any, of: str | int) -> bool:
    """Whether an argument names what a duty is of: as it is, or a proposal by its number or id."""
    named = value.get("id", value.get("number")) if isinstance(value, Mapping) else value
    if named == of and type(named) is type(of):
        return True
    kind, slash, number = str(of).rpartition("/")
    return bool(slash and kind) and is_digits(number) and str(named) == number


def voted(play: Play, identifier: str, players: Iterable[str] | None = None) -> None:
    """Strike out that players owe their votes on something, all of them where nobody is named."""
    named = None if players is None else set(players)
    for key, duty in list(play.documents[DUTIES].items()):
        owed = duty.get("of") == identifier and "vote" in (duty.get("do") or ())
        if owed and (named is None or duty["player"] in named):
            _strike_out(play, key)


# -- overdue


def mark_overdue(play: Play, at: int) -> list[str]:
    """Mark the duties whose deadline passes at a time, and return their keys."""
    owed_now = duties(play)
    late = [key for key, duty in owed_now.items() if is_running(duty) and overdue_at(duty) == at]
    for key in late:
        play.documents.assign(DUTIES, owed_now, key, {**owed_now[key], "overdue": True})
    return late


def pass_deadline(play: Play) -> None:
    """Tell the law of the duties whose deadline passes now, all in one event."""
    late, owed_now = mark_overdue(play, play.now), duties(play)
    play.emit("duty_overdue", {"duties": [_to_record(key, owed_now[key]) for key in late], "due": play.now})


def shift(play: Play, seconds: int) -> None:
    """Move every deadline by the length of a pause."""
    owed_now = duties(play)
    for key, duty in list(owed_now.items()):
        if duty["by"] is not None and is_running(duty):
            play.documents.assign(DUTIES, owed_now, key, {**duty, "by": duty["by"] + seconds})
