"""Timers: declared ones that run by themselves, and those that rules start."""

from __future__ import annotations

from typing import Any

from engine import calendar
from engine.law.errors import Fault
from engine.law.play import Play
from engine.law.records import Record, record
from engine.law.shown import again

LATEST = 253_402_300_799
SHOWN = ("name", "due", "edge", "rule")


def timers(play: Play) -> Record:
    """Return the running timers by key."""
    return play.documents["things/timer"]


def find(play: Play, key: str) -> Record | None:
    """Return a running timer for scripts, or None."""
    found = timers(play).get(key)
    return record({"key": key, **{name: found.get(name) for name in SHOWN}}) if found else None


def start(play: Play, name: str, key: str | None, due: int, period: int, payload: Record) -> None:
    """Start a timer that fires at `due`, strictly later than now; a running one of the same key is replaced."""
    frame = play.writing("start timers")
    if not isinstance(due, int) or not play.now < due <= LATEST:
        raise Fault(f"the timer {name!r} must lie later than now, and before the year 10000", "E-TIME")
    if period < 0:
        raise Fault(f"the timer {name!r} needs a period of at least a second", "E-TIME")
    declared = play.law.declared("timers", play.view).get(name) or play.law.declared("timers").get(name)
    edge = declared[1].get("edge", "deadline") if declared else "deadline"
    entry: Record = {"name": name, "due": due, "edge": edge, "rule": frame.uid if frame else None, "payload": payload}
    if period:
        entry["period"] = period
    play.documents.assign("things/timer", timers(play), key or name, entry)
    play.effect("timer", of=key or name, due=due)


def cancel(play: Play, key: str) -> bool:
    """Stop a timer; False if it does not run."""
    play.writing("stop timers")
    if key not in timers(play):
        return False
    play.documents.remove("things/timer", timers(play), key)
    play.effect("cancel", of=key)
    return True


def follow_law(play: Play) -> None:
    """Start, restart or stop the timers that rules declare with `every`, after the law has changed."""
    declared = {name: (uid, spec) for name, (uid, spec) in play.law.declared("timers").items() if spec.get("every")}
    for key, timer in [(key, timer) for key, timer in timers(play).items() if "spec" in timer]:
        if declared.get(key) != (timer["rule"], timer["spec"]):
            play.documents.remove("things/timer", timers(play), key)
    zone = play.documents["game"]["zone"]
    for name, (uid, spec) in declared.items():
        if name not in timers(play):
            due = calendar.next_firing(spec, play.now, zone)
            edge = spec.get("edge", "deadline")
            entry = {"name": name, "due": due, "edge": edge, "rule": uid, "payload": {}, "spec": spec}
            play.documents.assign("things/timer", timers(play), name, entry)


def fire(play: Play, key: str) -> None:
    """Fire a timer: a recurring one is set for its next time first, then its event is raised."""
    running = timers(play)
    timer = running[key]
    if "spec" in timer:
        due = calendar.next_firing(timer["spec"], timer["due"], play.documents["game"]["zone"])
        play.documents.assign("things/timer", running, key, {**timer, "due": due})
    elif timer.get("period"):
        play.documents.assign("things/timer", running, key, {**timer, "due": timer["due"] + timer["period"]})
    else:
        play.documents.remove("things/timer", running, key)
    payload: dict[str, Any] = {**again(play, timer["payload"]), "due": timer["due"], "key": key}
    play.emit(timer["name"].replace("-", "_"), payload)


def shift(play: Play, seconds: int) -> None:
    """Move every timer by the length of a pause."""
    running = timers(play)
    for key, timer in list(running.items()):
        play.documents.assign("things/timer", running, key, {**timer, "due": timer["due"] + seconds})
