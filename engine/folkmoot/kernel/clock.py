"""The clock: timers, those that run by themselves and those that rules start; and duties, with their deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from folkmoot.core import calendar
from folkmoot.core.calendar import LAST
from folkmoot.core.documents import Timer
from folkmoot.core.event_names import HINT, forged
from folkmoot.core.keys import DUTIES, GAME, PLAYERS, TIMERS
from folkmoot.core.limits import LIMITS, limit_of
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Duty, Effect, ScriptRecord
from folkmoot.core.rule_blocks import TimerSpec
from folkmoot.core.values import is_digits, told
from folkmoot.kernel.answers import again, check_deed, refusal_of_deed
from folkmoot.kernel.budget import times_usual
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.next_timer import Due, first_due, foremost, is_running, overdue_at
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.script_records import record
from folkmoot.language.declarations import CHANGED, NOTHING, host

PERIODS = {"hour": calendar.HOUR, "day": calendar.DAY, "week": calendar.WEEK, "month": 28 * calendar.DAY}
SHOWN = ("name", "due", "edge", "rule")


def timers(play: Play) -> dict[str, Timer]:
    """Return the running timers by key."""
    return play.documents[TIMERS]


@host("reading", "timer(key: str) -> {key, name, due, edge, rule}", looks=True)
def find(play: Play, key: str) -> ScriptRecord | None:
    """A running timer (name, due, edge), or None.

    | waiting = timer("bell")
    | if waiting != None:
    |     announce("the bell rings at %d" % waiting.due)
    """
    found = timers(play).get(key)
    return record({"key": key, **{name: found.get(name) for name in SHOWN}}) if found else None


def _undo_timer(play: Play, effect: Effect, _entry: int) -> str:
    key, running = effect["of"], timers(play)
    if key not in running or running[key]["due"] != effect["due"]:
        return CHANGED
    if effect.get("was") is not None:
        return _wind_again(play, key, effect["was"])
    play.documents.remove(TIMERS, running, key)
    play.effect("cancel", of=key)
    return ""


def _wind_again(play: Play, key: str, was: Any) -> str:
    """Set a timer again as it ran; returns why that cannot be."""
    if was is None or was["due"] <= play.now:
        return "its time has passed"
    play.documents.assign(TIMERS, timers(play), key, was)
    play.effect("timer", of=key, due=was["due"])
    return ""


@host("", "start_timer(timer, key, when, seconds, payload: sealed)", effects={"timer": _undo_timer})
def start(play: Play, name: str, key: str | None, due: int, period: int, payload: Arguments) -> None:
    """Start a timer that fires at `due`, strictly later than now; a running one of the same key is replaced.

    Raises Fault E-TIME, and E-BOUNDS beyond what the game's limits let timers take.
    """
    frame = play.writing("start timers")
    if not isinstance(due, int) or not play.now < due <= calendar.LAST:
        raise Fault(f"the timer {told(name)} must lie later than now, and before the year 10000", "E-TIME")
    if period < 0:
        raise Fault(f"the timer {told(name)} needs a period of at least a second", "E-TIME")
    _check_name(name)
    _check_name(key or name)
    _check_limits(play, name, key or name, due - play.now, period)
    declared = play.law.declared("timers", play.view).get(name) or play.law.declared("timers").get(name)
    spec: TimerSpec = declared[1] if declared else {}
    edge = spec.get("edge", "deadline")
    hearing = play.law.listeners(f"on_{_event(name)}", view=play.view)
    check_deed(play, "timer", key or name, "timer", [*hearing, *_starting(play, key or name)], to=_event(name))
    timer: Timer = {"name": name, "due": due, "edge": edge, "rule": frame.uid if frame else None, "payload": payload}
    if period:
        timer["period"] = period
    was = timers(play).get(key or name) if play.law.takes_back() else None
    play.documents.assign(TIMERS, timers(play), key or name, timer)
    play.effect("timer", of=key or name, due=due, was=was)


def _event(name: str) -> str:
    return name.replace("-", "_")


def _starting(play: Play, key: str) -> list[str | None]:
    """Return the rule (its uid) that a running timer is of, in a list; an empty one where none of that key runs."""
    running = timers(play).get(key)
    return [running["rule"]] if running else []


def _check_name(name: str) -> None:
    """Raise Fault E-ARGS for a timer that would raise an event of the engine when it fires."""
    if forged(name):
        raise Fault(f"a timer cannot be called {told(name)}: {forged(name)}; {HINT}", "E-ARGS")


def _check_limits(play: Play, name: str, key: str, wait: int, period: int) -> None:
    least = limit_of(play.documents[GAME], "timer_period")
    if period and period < least:
        at_least = _limit("timer_period", least)
        raise Fault(f"the timer {told(name)} repeats every {period} s; at least {at_least}", "E-BOUNDS")
    if play.ticking and wait < least:
        why = f"a timer that starts when another fires waits at least {_limit('timer_period', least)}"
        raise Fault(f"the timer {told(name)} would fire after {wait} s; {why}", "E-BOUNDS")
    if key not in timers(play):
        _check_number(play, 1)


def _check_number(play: Play, more: int) -> None:
    most = limit_of(play.documents[GAME], "running_timers") * times_usual(len(play.documents[PLAYERS]))
    running = len(timers(play))
    if more > 0 and running + more > most:
        raise Fault(f"{running} timers run already, of at most {_limit('running_timers', most)}", "E-BOUNDS")


def _limit(name: str, value: int) -> str:
    return f"{value:,} {LIMITS[name].unit} (the limit {name})"


def check_declared(play: Play, timers_of_rule: Mapping[str, TimerSpec] | None) -> None:
    """Raise Fault where the timers that a rule is to declare repeat too often, are too many (E-BOUNDS) or misnamed."""
    for name in timers_of_rule or {}:
        _check_name(name)
    own = {name: spec for name, spec in (timers_of_rule or {}).items() if spec and spec.get("every")}
    least = limit_of(play.documents[GAME], "timer_period")
    for name, spec in own.items():
        count, unit = _period(name, spec)
        if count * PERIODS[unit] < least:
            why = f"at least {_limit('timer_period', least)} lie between two firings"
            raise Fault(f"the timer {told(name)} runs every {spec['every']}; {why}", "E-BOUNDS")
    _check_number(play, len([name for name in own if name not in timers(play)]))


def _period(name: str, spec: TimerSpec) -> tuple[int, str]:
    """Return how many of which unit lie between two firings; raises Fault E-ARGS where the declaration is none."""
    try:
        count, unit = calendar.read_period(str(spec["every"]))
        if count > 1:
            calendar.read_date(str(spec.get("starting")))
    except ProblemError as error:
        raise Fault(f"the timer {told(name)}: {error.problems[0].message}", "E-ARGS") from None
    return count, unit


def _undo_cancel(play: Play, effect: Effect, _entry: int) -> str:
    return CHANGED if effect["of"] in timers(play) else _wind_again(play, effect["of"], effect.get("was"))


@host("time", "cancel(key: str) -> bool", keeps=NOTHING, effects={"cancel": _undo_cancel})
def cancel(play: Play, key: str) -> bool:
    """Stop a timer.

    | after(HOUR, "bell")
    | cancel("bell")
    """
    play.writing("stop timers")
    if key not in timers(play):
        return False
    check_deed(play, "cancel", key, "timer", _starting(play, key))
    was = timers(play)[key] if play.law.takes_back() else None
    play.documents.remove(TIMERS, timers(play), key)
    play.effect("cancel", of=key, was=was)
    return True


def follow_law(play: Play) -> None:
    """Start, restart or stop the timers that rules declare with `every`, after the law has changed."""
    declared = {name: (uid, spec) for name, (uid, spec) in play.law.declared("timers").items() if spec.get("every")}
    for key, timer in [(key, timer) for key, timer in timers(play).items() if "spec" in timer]:
        if declared.get(key) != (timer["rule"], timer["spec"]):
            play.documents.remove(TIMERS, timers(play), key)
    zone = play.documents[GAME]["zone"]
    for name, (uid, spec) in declared.items():
        if name not in timers(play):
            due = calendar.next_firing(spec, play.now, zone)
            edge = spec.get("edge", "deadline")
            timer = {"name": name, "due": due, "edge": edge, "rule": uid, "payload": {}, "spec": spec}
            play.documents.assign(TIMERS, timers(play), name, timer)


def next_of(play: Play) -> Due | None:
    """Return (due, edge, key) of the timer that fires next, by the law's own order where several are due."""
    running = timers(play)
    found = first_due(running)
    return found and foremost(running, found, lambda uids: in_order(play, uids))


def in_order(play: Play, uids: list[str] | None = None) -> list[str]:
    """Return the rules in force, or those of some that are, highest precedence first."""
    return play.law.order([uid for uid in play.law.in_force() if uids is None or uid in uids])


def fire(play: Play, key: str) -> None:
    """Fire a timer: a recurring one is set for its next time first, then its event is raised."""
    running = timers(play)
    timer = running[key]
    event, refused = _event(timer["name"]), None
    if "spec" in timer:  # a rule that starts one is asked about when it does
        hearing = play.law.listeners(f"on_{event}")
        refused = refusal_of_deed(play, str(timer["rule"]), "timer", key, "timer", hearing, event)
    if "spec" in timer:
        due = calendar.next_firing(timer["spec"], timer["due"], play.documents[GAME]["zone"])
        play.documents.assign(TIMERS, running, key, {**timer, "due": due})
    elif timer.get("period"):
        play.documents.assign(TIMERS, running, key, {**timer, "due": timer["due"] + timer["period"]})
    else:
        play.documents.remove(TIMERS, running, key)
    if refused is not None:
        play.failed(str(timer["rule"]), f"on_{event}", Fault(refused.why, refused.code))
        return
    payload: Arguments = {**again(play, timer["payload"]), "due": timer["due"], "key": key}
    play.emit(event, payload)


def shift(play: Play, seconds: int) -> None:
    """Move every timer and every deadline by the length of a pause."""
    running = timers(play)
    for key, timer in list(running.items()):
        play.documents.assign(TIMERS, running, key, {**timer, "due": timer["due"] + seconds})
    owed = play.documents[DUTIES]
    for key, duty in list(owed.items()):
        if duty["by"] is not None and is_running(duty):
            play.documents.assign(DUTIES, owed, key, {**duty, "by": duty["by"] + seconds})


# -- what players owe: shown to them with what they have to do for it, on the site and in calendars
#
# A duty may name the acts of which one is owed (`do`), and what they are to be about (`of`). Then such an act does it,
# a vote also a ballot that a rule enters, and the end of the vote; every other duty is done when a rule says so.

Wanted = tuple[list[str], str | int | None]


def _undo_owe(play: Play, effect: Effect, _entry: int) -> str:
    owed, key = play.documents[DUTIES], effect["key"]
    if key not in owed or (owed[key]["what"], owed[key]["by"]) != (effect["what"], effect.get("by")):
        return CHANGED
    if effect.get("was") is not None:
        return _note_again(play, key, effect["was"])
    play.documents.remove(DUTIES, owed, key)
    play.effect("settle", of=key)
    return ""


def _note_again(play: Play, key: str, was: Any) -> str:
    play.documents.assign(DUTIES, play.documents[DUTIES], key, was)
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

    | owe(a.by, "wave back", by = now() + 2 * DAY, key = "wave")
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

    | owe_all([p for p in things("player") if p != a.by], "wave back", by = now() + DAY, key = "wave")
    """
    play.writing("note duties")
    if not isinstance(players, list):
        raise Fault("owe_all takes a list of players", "E-ARGS")
    wanted = _wanted(do, of)
    given = list(dict.fromkeys(players)) if all(isinstance(p, str) for p in players) else players
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
    owed_now = play.documents[DUTIES]
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
        what = "a duty names the action that is owed, or a list of actions of which one is"
        raise Fault(f"{what}, not {told(do)}", "E-ARGS")
    about = of.get("id", of.get("uid")) if isinstance(of, Mapping) else of
    if about is not None and (isinstance(about, bool) or not isinstance(about, (str, int))):
        raise Fault(f"a duty is of a proposal, or of what a text or a number names, not {told(of)}", "E-ARGS")
    if about is not None and not names:
        raise Fault("a duty that is of something names the action too (do)", "E-ARGS")
    return list(names), about


def _shown(wanted: Wanted) -> dict[str, Any]:
    return {"name": ", ".join(wanted[0]) or None, "to": wanted[1]}


def _undo_settle(play: Play, effect: Effect, _entry: int) -> str:
    if effect["of"] in play.documents[DUTIES] or effect.get("was") is None:
        return CHANGED
    return _note_again(play, effect["of"], effect["was"])


@host("flow", "settle(key: str) -> None", keeps=NOTHING, effects={"settle": _undo_settle})
def settle(play: Play, key: str) -> bool:
    """Strike out a duty.

    | owe(a.by, "wave back", key = "wave")
    | settle("wave")
    """
    play.writing("strike out duties")
    if key not in play.documents[DUTIES]:
        return False
    owed = play.documents[DUTIES][key]
    check_deed(play, "settle", key, "duty", [owed["rule"]], to=owed["player"])
    _strike_out(play, key)
    return True


def _strike_out(play: Play, key: str) -> None:
    owed = play.documents[DUTIES]
    was = owed[key] if play.law.takes_back() else None
    play.documents.remove(DUTIES, owed, key)
    play.effect("settle", of=key, was=was)


@host("reading", "duties(player = None)", looks=True)
def duties_of(play: Play, player: str | None) -> list[ScriptRecord]:
    """List what a player owes, or what all do: key, player, what, by, do, of, rule, since and overdue of each.

    | owe(a.by, "wave back", key = "wave")
    | announce("%d duties" % len(duties(a.by)))
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
    owed_now = play.documents[DUTIES]
    late = [key for key, duty in owed_now.items() if is_running(duty) and overdue_at(duty) == at]
    for key in late:
        play.documents.assign(DUTIES, owed_now, key, {**owed_now[key], "overdue": True})
    return late


def pass_deadline(play: Play) -> None:
    """Tell the law of the duties whose deadline passes now, all in one event."""
    late, owed_now = mark_overdue(play, play.now), play.documents[DUTIES]
    play.emit("duty_overdue", {"duties": [_to_record(key, owed_now[key]) for key in late], "due": play.now})
