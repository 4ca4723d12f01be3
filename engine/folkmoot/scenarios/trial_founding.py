"""A founding tried: what of a ruleset no game can begin with, and which scripts fail when it begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.events import Outcome
from folkmoot.core.records import Founding, Shown, Written
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.earlier_law import start_of
from folkmoot.scenarios.scenario import Attend, Run, law_of

PARTS = {
    "history": "history",
    "decided": "proposals",
    "former_players": "former_players",
    "settings": "settings",
    "players": "people",
    "offices": "offices",
    "opening": "given",
}
"""What a founding has beside its rules, and as a `ruleset.yaml` calls it."""
STAND_INS = ("ann", "bob", "cid")
"""Who is there on trial where a ruleset names nobody."""


def try_founding(law: Founding, attend: Attend) -> list[Shown]:
    """Return what is wrong: `code`, `why`, and the `path` of it in `ruleset.yaml`, or the `failure` of a script."""
    return [*_refused(law, attend), *_failures(law, attend)]


def _refused(law: Founding, attend: Attend) -> Iterator[Shown]:
    """Yield each item of a founding that it cannot begin with, whatever else of it is wrong."""
    outcome = _founded(law, attend)
    if outcome.accepted:
        return
    items = [item for reason in outcome.reasons for item in reason.get("args", {}).get("items", ())]
    yield from ({**item, "path": [PARTS[item["part"]], item["key"]]} for item in items)
    if not items:
        yield _told(outcome, [])


def _failures(law: Founding, attend: Attend) -> Iterator[Shown]:
    """Yield each script that fails at the founding, once; with people on trial where the ruleset names nobody."""
    people = law.get("players") or [{"id": each} for each in STAND_INS]
    left = list(law.get("first_player") or ())
    outcome = _founded(_with_offices(law, people, left), attend)
    if left and not outcome.accepted:
        one_by_one = [_founded(_with_offices(law, people, [office]), attend) for office in left]
        yield from (_told(each, ["first_player", i]) for i, each in enumerate(one_by_one) if not each.accepted)
    seen = set()
    for failure in outcome.failures if outcome.accepted else ():
        place = failure["rule"], failure["hook"], failure.get("line")
        if place not in seen:
            seen.add(place)
            yield {"code": "E-SCRIPT", "failure": failure}


def _with_offices(law: Founding, people: list[Written], left: list[str]) -> Founding:
    """Return a founding with people, the first of whom holds the offices that nobody else does."""
    offices = {**dict.fromkeys(left, people[0]["id"]), **(law.get("offices") or {})}
    return {**law, "players": people, "offices": offices}


def _founded(law: Founding, attend: Attend) -> Outcome:
    kernel = Kernel()
    attend(kernel)
    whole = law_of({"ruleset": ""}, lambda _name: {"rules": [], **law})
    return Run(kernel, start_of({}, law), lambda _event: open_chance("", "check")).apply("found", with_=whole)


def _told(outcome: Outcome, path: list[Any]) -> Shown:
    whys = (str((reason.get("args") or {}).get("why", "")) for reason in outcome.reasons)
    why = next(filter(None, whys), "no game can be founded so")
    return {"code": outcome.code or "E-ARGS", "why": why, "path": path}
