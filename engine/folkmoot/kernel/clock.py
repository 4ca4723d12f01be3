"""Timers: declared ones that run by themselves, and those that rules start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core import calendar
from folkmoot.core.documents import RuleDocument, Timer
from folkmoot.core.event_names import HINT, forged
from folkmoot.core.keys import GAME, PLAYERS, TIMERS
from folkmoot.core.limits import LIMITS, limit_of
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Effect, ScriptRecord
from folkmoot.core.rule_blocks import TimerSpec
from folkmoot.core.values import told
from folkmoot.kernel import duties
from folkmoot.kernel.authority import check_deed, refusal_of_deed
from folkmoot.kernel.budget import times_usual
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.next_timer import Due, first_due, foremost
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record
from folkmoot.kernel.shown_proposals import again
from folkmoot.language.host_functions import CHANGED, NOTHING, host

PERIODS = {"hour": calendar.HOUR, "day": calendar.DAY, "week": calendar.WEEK, "month": 28 * calendar.DAY}
SHOWN = ("name", "due", "edge", "rule")


def timers(play: Play) -> dict[str, Timer]:
    """Return the running timers by key."""
    return play.documents[TIMERS]


@host("reading", "timer(key: str) -> {key, name, due, edge, rule}", looks=True)
def find(play: Play, key: str) -> ScriptRecord | None:
    """A running timer (name, due, edge), or None.

    Example:
        waiting = timer("bell")
        if waiting != None:
            announce("the bell rings at %d" % waiting.due)
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
    edge = declared[1].get("edge", "deadline") if declared else "deadline"
    hearing = play.law.listeners(f"on_{_event(name)}", view=play.view)
    check_deed(play, "timer", key or name, "timer", [*hearing, *_starting(play, key or name)], to=_event(name))
    timer: Timer = {"name": name, "due": due, "edge": edge, "rule": frame.uid if frame else None, "payload": payload}
    if period:
        timer["period"] = period
    was = timers(play).get(key or name) if play.law.takes_back() else None
    play.documents.assign(TIMERS, timers(play), key or name, timer)
    play.effect("timer", of=key or name, due=due, was=was)


def _event(name: str) -> str:
    """Return the event that a timer raises when it fires."""
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
    """Raise Fault E-BOUNDS for a timer that fires too often, or that is one too many."""
    least = limit_of(play.documents[GAME], "timer_period")
    if period and period < least:
        raise Fault(
            f"the timer {told(name)} repeats every {period} s; at least {_limit('timer_period', least)}", "E-BOUNDS"
        )
    if play.ticking and wait < least:
        why = f"a timer that starts when another fires waits at least {_limit('timer_period', least)}"
        raise Fault(f"the timer {told(name)} would fire after {wait} s; {why}", "E-BOUNDS")
    if key not in timers(play):
        _check_number(play, 1)


def _check_number(play: Play, more: int) -> None:
    """Raise Fault E-BOUNDS where so many more timers may not run."""
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


def check_founding(play: Play, rules: list[RuleDocument]) -> None:
    """Raise Fault E-BOUNDS where the timers that initial rules declare repeat too often, or are too many."""
    declared = [rule.get("timers") or {} for rule in rules]
    together = {name: spec for own in declared for name, spec in own.items()}
    for block in [*declared, together]:
        check_declared(play, block)


def _undo_cancel(play: Play, effect: Effect, _entry: int) -> str:
    return CHANGED if effect["of"] in timers(play) else _wind_again(play, effect["of"], effect.get("was"))


@host("time", "cancel(key: str) -> bool", keeps=NOTHING, effects={"cancel": _undo_cancel})
def cancel(play: Play, key: str) -> bool:
    """Stop a timer.

    Example:
        after(HOUR, "bell")
        cancel("bell")
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


def take(play: Play, key: str) -> Timer:
    """Take a timer away that fires once, and return it."""
    running = timers(play)
    timer = running[key]
    play.documents.remove(TIMERS, running, key)
    return timer


def shift(play: Play, seconds: int) -> None:
    """Move every timer by the length of a pause."""
    running = timers(play)
    for key, timer in list(running.items()):
        play.documents.assign(TIMERS, running, key, {**timer, "due": timer["due"] + seconds})
    duties.shift(play, seconds)
