"""Each rule of each packaged ruleset can be repealed, and what passed with it is law; weeks of play after it fail no hook.

In each run every rule is repealed once, together with a new rule and often with another one, in a proposal that is
adopted as the law has it, where `ADOPTED` says how; else, and where the law does not let it be, by the kernel's own
change. FOLKMOOT_FUZZ=1 does that with many seeds, and plays longer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from folkmoot.core.keys import GAME, things_key
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Failed, Run, found, play_steps
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
DAY = 86_400
WEEKS = 6 if FUZZ else 3
ACTS_A_DAY = 6 if FUZZ else 1
SEEDS = range(12) if FUZZ else range(1)
MOST_TICKS = 300  # of one day
PAIRS = 0.5  # how often another rule goes, too
MADE_LAW = ("adopted", "passed", "accepted")
PEOPLE = ["ann", "bob", "cid", "dee", "eve"]
MINISTRIES = "meta law change communications everyone arcana tiles grammar spirituality banking".split()
OFFICES = ["administrator", "osj", "tribune", "banker", "tax_collector", "obc", "dealer"]
EMPERORS = [{"office": "tie", "holder": "ann"}, {"office": "ths", "holder": "bob"}]
GIVEN: dict[str, list[Record]] = {
    "a-nomic": [
        {"game": True, "quorum": 1, "official_salary": 3, "adopted_award": 5, "opposed_award": 3, "failed_fine": 4},
        *[{"office": office, "holder": PEOPLE[n % 5]} for n, office in enumerate(OFFICES)],
        *[{"player": who, "points": 300} for who in PEOPLE],
        {"kind": "debt", "owner": "bob", "debtor": "ann", "amount": 9},
        {"kind": "stone", "owner": "ann", "state": "in-play", "at": ["c1", "c2"]},
        {"thing": "extra-vote-1", "owner": "ann"},
    ],
    "b-nomic": [
        {"game": True, "ndays": 9},
        *[{"office": name, "holder": PEOPLE[n % 5]} for n, name in enumerate(MINISTRIES)],
    ],
    "imperial": EMPERORS,
    "imperial-training": EMPERORS,
    "assembly": [{"office": "keeper", "holder": "cid"}],
}
STARTS = {"a-nomic": "2001-05-06T12:00:00Z", "b-nomic": "2005-07-24T12:00:00Z"}
EVERYBODY = {"by": PEOPLE}
ACCEPTED = [{"by": "ann", "as": "tie", "do": "decide", "args": {"number": 1, "verdict": "accept"}}]
ADOPTED: dict[str, tuple[str, list[Record]]] = {
    "a-nomic": ("submit_proposal", [{"tick": "+13h"}, EVERYBODY | {"vote": "yes"}, {"tick": "+73h"}]),
    "b-nomic": ("submit_proposal", [{"tick": "+13h"}, EVERYBODY | {"vote": "FOR"}, {"tick": "+73h"}]),
    "imperial": ("submit_proposal", ACCEPTED),
    "imperial-training": ("submit_proposal", ACCEPTED),
    "assembly": (
        "propose",
        [{"by": "ann", "as": "herald", "do": "distribute"}, EVERYBODY | {"vote": "FOR"}, {"tick": "+169h"}],
    ),
    "consensus": ("propose", [EVERYBODY | {"vote": "approve"}]),
}
"""How a proposal is made, and what happens until it is law."""
RULESETS = [
    "a-nomic", "b-nomic", "imperial", "imperial-training", "suber", "suber-mail", "assembly", "consensus", "council",
    "gavel", "lanterns", "orchard", "tricks",
]  # fmt: skip
WORDS = ["for", "yes", "FOR", "approve", "against"]
TEA = {"enact": {"title": "Tea", "text": "There is tea.", "labels": {"section": "9"}}}


def begun(ruleset: str) -> Run:
    """Found a game with some wealth, and officers."""
    scenario: Record = {"scenario": "", "ruleset": ruleset, "given": GIVEN.get(ruleset, [])}
    scenario |= {"starts": STARTS.get(ruleset, "2026-01-05T12:00:00Z")}
    people = [person["id"] for person in founding(ruleset).get("players") or []] if ruleset == "suber-mail" else PEOPLE
    scenario |= {"administrators": people[:1]} | ({} if ruleset == "suber-mail" else {"players": PEOPLE})
    return found(scenario, founding, lambda event: open_chance(f"repeals {ruleset}", str(event.seq)), with_lists)


def failures(run: Run) -> list[Any]:
    """Return every hook that failed, and each page that could not be shown."""
    failed = [(entry["do"], failure) for entry in run.entries for failure in entry.get("failures") or ()]
    pages = run.kernel.pages(run.now)
    return failed + [(name, page["error"]) for name, page in pages.items() if "error" in page]


def uids(changes: list[Record]) -> set[str]:
    """Return which rules are repealed."""
    return {change["repeal"] for change in changes if "repeal" in change}


def strike(run: Run, ruleset: str, changes: list[Record]) -> None:
    """Repeal rules by a proposal, or where the law does not adopt that by the kernel alone; all of it becomes law."""
    if not adopted(run, ruleset, changes):
        administrator = run.kernel.documents[GAME]["administrators"][0]
        outcome = run.apply("repair", administrator, None, {"changes": changes, "why": "no vote can do it"})
        assert outcome.accepted, (changes, outcome.reasons)
    law = run.kernel.play.law.in_force()
    assert not uids(changes) & law.keys(), changes
    assert "Tea" in [document["title"] for document, _ in law.values()], changes


def adopted(run: Run, ruleset: str, changes: list[Record]) -> bool:
    """Whether a proposal was adopted; what was done for one that was not is undone."""
    if ruleset not in ADOPTED:
        return False
    do, steps = ADOPTED[ruleset]
    before, entries, now = run.kernel.documents.snapshot(), len(run.entries), run.now
    proposing = {"by": "ann", "do": do, "args": {"title": "Less", "changes": changes}}
    with suppress(Failed):
        play_steps(run, {"steps": [proposing, *steps]})
    effects = [effect for entry in run.entries[entries:] for effect in entry.get("effects") or ()]
    if any(effect["effect"] == "resolve" and effect["to"] in MADE_LAW for effect in effects):
        return True
    assert failures(run) == [], changes
    run.kernel.come_back(before)
    del run.entries[entries:]
    run.now = now
    return False


def value(run: Run, dice: random.Random, spec: Record) -> Any:
    """Return a value of the type of an argument."""
    undecided = [key.partition("/")[2] for key in run.kernel.documents[GAME]["open"]] or ["1"]
    there = list(run.kernel.documents.find(things_key(str(spec.get("kind")))) or {})
    typed: dict[str, Callable[[], Any]] = {
        "player": lambda: dice.choice(things(run.kernel.play, "player") or PEOPLE),
        "proposal": lambda: dice.choice(undecided),
        "office": lambda: dice.choice(list(run.kernel.play.law.declared("defines.offices")) or ["none"]),
        "integer": lambda: dice.choice([1, 1, 2, 3, 5, 20]),
        "boolean": lambda: dice.random() < 0.5,
        "list": list,
        "map": dict,
        "changes": lambda: [TEA],
        "rule": lambda: dice.choice(list(run.kernel.play.law.in_force())),
        "thing": lambda: dice.choice(there or ["nothing"]),
        "choice": lambda: dice.choice(spec["of"]),
        "time": lambda: run.now + dice.randint(1, 20) * DAY,
    }
    return typed.get(spec["type"], lambda: f"Tea {dice.randrange(99)}")()


def act(run: Run, dice: random.Random) -> None:
    """Let somebody do something that the law offers, or vote."""
    declared = run.kernel.play.law.declared("actions")
    by = dice.choice(things(run.kernel.play, "player") or PEOPLE)
    undecided = run.kernel.documents[GAME]["open"]
    if undecided and dice.random() < 0.2:
        kind, _, number = dice.choice(undecided).partition("/")
        run.apply("vote", by, None, {"kind": kind, "proposal": number, "choice": dice.choice(WORDS)})
    elif declared:
        do = dice.choice(sorted(declared))
        specs = declared[do][1].get("arguments") or {}
        needed = [name for name, spec in specs.items() if not spec.get("optional") or dice.random() < 0.4]
        run.apply(do, by, declared[do][1].get("as"), {name: value(run, dice, specs[name]) for name in needed})


def play_on(run: Run, dice: random.Random) -> None:
    """Play some weeks by chance, and let what is due happen."""
    for _ in range(7 * WEEKS):
        for _ in range(ACTS_A_DAY):
            act(run, dice)
        until = run.now + DAY
        for _ in range(MOST_TICKS):
            due = run.kernel.next_due()
            if due is None or due[0] > until or run.kernel.documents[GAME].get("over"):
                break
            run.now = max(run.now, due[0])
            run.apply("tick", with_={"timer": due[2]})
        run.now = until


def repeals(ruleset: str, dice: random.Random) -> Iterator[list[Record]]:
    """Yield the changes of one proposal for each rule: it is repealed, a new one comes, and perhaps another one goes."""
    every = [rule.get("uid") or rule["rule"] for rule in founding(ruleset)["rules"]]
    for uid in every:
        other = dice.choice(every)
        changes = [{"repeal": uid}, TEA] + ([{"repeal": other}] if other != uid and dice.random() < PAIRS else [])
        yield dice.sample(changes, len(changes))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_rule_can_go_and_no_hook_of_another_fails(ruleset: str, seed: int) -> None:
    dice = random.Random(f"{ruleset} {seed}")
    run = begun(ruleset)
    start, entries, now = run.kernel.documents.snapshot(), len(run.entries), run.now
    wrong = {}
    for changes in repeals(ruleset, dice):
        run.kernel.come_back(start)
        del run.entries[entries:]
        run.now = now
        strike(run, ruleset, changes)
        play_on(run, dice)
        if failed := failures(run):
            wrong[tuple(sorted(uids(changes)))] = failed[:3]
    assert wrong == {}
