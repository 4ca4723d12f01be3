"""The new actions and timers of a law, each done once on a copy: what fails in them is found before it is law.

An action is done by whoever may, with values that the game offers or that are made up. A timer that runs then, be it by
itself or because an action started it, fires at its time, as if no other fired before.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from folkmoot.core.calendar import DAY
from folkmoot.core.keys import TIMERS
from folkmoot.core.records import Arguments, Entry
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.kernel.budget import METER, MOST_FORESEEN
from folkmoot.kernel.play import Play
from folkmoot.kernel.things import things
from folkmoot.kernel.trial_acts import arguments_of
from folkmoot.scenarios.scenario import Run

MOST_TRIES = 12  # of one action: by whom, and with what
TOO_MUCH = "that is too much work here, the referee will"
MADE_UP: dict[str, Any] = {"text": "a few words", "string": "word", "list": ["word"], "map": {"word": 1}, "any": "word"}


def smoke_test(run: Run, actions: list[str], timers: list[str]) -> tuple[list[Entry], list[str]]:
    """Do actions and fire timers (by name) once each; return what came of it, and what was not tried and why."""
    end, done = METER.work() + MOST_FORESEEN, dict[str, Entry | None]()
    acting = [("action", _act, name) for name in actions]
    for kind, do, name in (*acting, *acting, *(("timer", _fire, name) for name in timers)):
        if done.get(what := f"the {kind} {name}") is None:  # or again, when others may have made what it needs
            done[what] = do(run, name) if METER.work() < end else None
    why = TOO_MUCH if METER.work() >= end else "nothing that it needs is known here"
    return [each for each in done.values() if each], [f"{what}: {why}" for what, each in done.items() if each is None]


def _act(run: Run, do: str) -> Entry | None:
    """Let somebody do something: the first way that is accepted, else the first in which a script fails, else any."""
    begun = len(run.entries)
    for by, as_, arguments in run.kernel.look(lambda play: list(islice(_ways(play, do), MOST_TRIES)), run.now):
        if run.apply(do, by, as_, arguments).accepted:
            return run.entries[-1]
    tried = run.entries[begun:]
    return next((each for each in tried if each.get("failures")), tried[0] if tried else None)


def _ways(play: Play, do: str) -> Iterable[tuple[str, str | None, Arguments]]:
    office = play.law.declared("actions")[do][1].get("as")
    ways = arguments_of(play, do, _guess)
    return ((player, office, given) for given in ways for player in things(play, "player"))


def _guess(play: Play, spec: ArgumentSpec) -> list[Any]:
    """Return values for an argument of which the law itself names none."""
    kind = spec.get("type", "text")
    if kind == "thing":
        return list(things(play, spec["kind"])) if spec.get("kind") else []
    if kind == "rule":
        return [document["rule"] for document, _ in play.law.in_force().values()]
    if kind == "office":
        return list(play.law.declared("defines.offices"))
    return [play.now + DAY] if kind == "time" else [MADE_UP[kind]] if kind in MADE_UP else []


def _fire(run: Run, name: str) -> Entry | None:
    """Let the first timer of a name fire at its time; None where none runs."""
    running = (run.kernel.documents.find(TIMERS) or {}).items()
    due = min(((timer["due"], key) for key, timer in running if timer["name"] == name), default=None)
    if due is None:
        return None
    run.now = max(run.now, due[0])
    run.apply("tick", with_={"timer": due[1]})
    return run.entries[-1]
