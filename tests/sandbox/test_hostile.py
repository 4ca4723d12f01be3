"""Scripts that mean harm: each file names at its head how it must end; the game goes on, loses nothing and replays.

Whatever rules do, several hostile ones at once, every act of administrators ends as it would without them, in time.
FOLKMOOT_FUZZ=1 tries every file, and more sets of rules.
"""

from __future__ import annotations

import re
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from folkmoot.core.events import Event
from folkmoot.kernel.act_declarations import BEYOND_RULES
from folkmoot.sandbox.client import Applied, Sandbox
from tests.conftest import FUZZ
from tests.support.bench import GROUND, PEOPLE, Pool, Record, act, documents, entry, found, striking
from tests.support.table import START

CORPUS = sorted((Path(__file__).parent.parent / "hostile").glob("*.yaml"))


def hostile_rule(file: Path) -> Record:
    """Return the rule of a file; `grow: {NAME: text, times: n}` writes a text many times for a name."""
    rule: Record = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    grow = rule.pop("grow", {})
    times = grow.pop("times", 1)
    for name, text in grow.items():
        rule["script"] = rule["script"].replace(name, text * times)
    return {**striking(""), **rule}


WATCH = 0.1  # seconds of processor time
LONGEST = 80.0  # seconds of the clock: what is too slow is tried again for longer, on a machine that does other things
COUNTED = 5.0  # what budgets end must not need the watchdog, on a slow machine neither


def claim(file: Path) -> str:
    """Return what a file says at its head that its rule must come to."""
    head = re.match(r"# ends: (.+)\n# .+\n", file.read_text(encoding="utf-8"))
    assert head, f"{file.name} does not say how it must end and why"
    return head[1]


def came_to(applied: Applied) -> str:
    """Return what an act came to, in the words of the corpus."""
    outcome = applied.outcome
    if applied.event.deaths:
        return f"died {applied.event.deaths[0]['hook']}"
    if applied.event.left_out:
        return f"too slow {applied.event.left_out[0]['hook']}"
    if outcome.failures:
        return f"failed {outcome.failures[0]['hook']} {outcome.failures[0].get('code', 'E-SCRIPT')}"
    return "harmless" if outcome.accepted else f"refused {outcome.code}"


@pytest.mark.threat("T-25")
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
@pytest.mark.sampled(12)
def test_hostile_script_ends_and_the_game_goes_on(judges: Pool, file: Path) -> None:
    watch = WATCH if claim(file).startswith(("died", "too slow")) else COUNTED
    with judges.lend(seconds=watch) as judge:
        entries = [found(judge, hostile_rule(file))]
        before = documents(judge)
        began = time.monotonic()
        struck = act(judge, 2, "strike")
        took = time.monotonic() - began
        assert came_to(struck) in claim(file).split(" or ")
        assert took < LONGEST
        between = documents(judge)
        worked = act(judge, 3, "work")
        assert worked.outcome.accepted
        after = documents(judge)
        entries += [entry(struck), entry(worked)]
    if not struck.outcome.accepted:
        assert {**between, "law": None} == {**before, "law": None}, "a refused act leaves but the law's note of it"
    assert after["things/game"]["game"]["total"] == between["things/game"]["game"]["total"] + 1
    suspended = after["law"]["rules"]["66"]["suspended"]
    assert bool(suspended) == any(death["rule"] == "66" for death in struck.event.deaths)
    with judges.lend(seconds=watch, hash_seed=1) as judge:
        judge.replay(entries)
        assert documents(judge) == after


# -- several at once, and what administrators do

MEMORY = 96 * 1024 * 1024  # bytes: little, so that what asks for more dies soon
SECONDS = 0.2  # of processor time for an event
ACTS_OF_A_CASE = 100 if FUZZ else 4
CASES = 30 if FUZZ else 1
YEAR = 366 * 86_400
SECRET = "ab" * 32
KEY = "age1mlvd0yl8rdmewhywy0c6wttmzzeuxpdmv7p5cv4084f4thh44cmskhqsg9"
CALM = [{"enact": {"title": "Calm", "text": "Be calm."}}]
ACTS: list[tuple[str, Record]] = [
    ("pause", {}),
    ("resume", {}),
    ("set_clock", {"seconds": 1, "why": "it ran ahead"}),
    ("suspend", {"rule": "1", "why": "let us see"}),
    ("wake", {"rule": "1"}),
    ("correct", {"of": "game", "name": "total", "to": 7, "why": "miscounted"}),
    ("correct", {"of": "ann", "name": "score", "to": 7, "why": "miscounted"}),
    ("redact", {"seq": 1, "path": "with/title", "digest": "0" * 64}),
    ("open_epoch", {"commitment": sha256(bytes.fromhex(SECRET)).hexdigest()}),
    ("close_epoch", {"secret": SECRET}),
    ("abandon_epoch", {"why": "lost"}),
    ("admit", {"player": "dee", "name": "Dee"}),
    ("identify", {"player": "ann", "forge": "gitea", "id": "7", "login": "ann"}),
    ("use_forge", {"forge": "local"}),
    ("change_forge", {"forge": "github", "home": "https://github.com/ann/game"}),
    ("rehouse", {"places": {}}),
    ("maintain", {"maintainers": ["bob"]}),
    ("remind", {"hours": 12}),
    ("set_limit", {"name": "running_timers", "value": 50}),
    ("repair", {"changes": CALM, "why": "calm"}),
    ("repair", {"changes": [{"amend": "1", "title": "Ground"}], "why": "named"}),
    ("succeed", {}),
    ("oppose_succession", {}),
    ("open_sealing", {"key": KEY, "seeds": "0" * 64}),
    ("confirm_sealing_key", {"player": "ann"}),
    ("open_seed", {"draw": 1, "seed": SECRET, "proof": []}),
    ("engine", {"versions": {"folkmoot": "9"}, "state": sha256(b"state").hexdigest()}),
]
HEIRS = {"succeed": "ann", "oppose_succession": "bob"}
"""Who acts that is no administrator."""
EVENTS = "acted acted acted paused changed rule_enacted rule_amended joined awarded resumed setting_changed".split()
RULES = st.lists(st.tuples(st.sampled_from(CORPUS), st.sampled_from(EVENTS)), min_size=2, max_size=4)
ORDERS = st.permutations(range(len(ACTS))).map(lambda order: order[:ACTS_OF_A_CASE])


def listening(number: int, file: Any, event: str) -> Record:
    """Return a rule of the corpus that does its worst when it hears an event, beside where it does already."""
    rule = hostile_rule(file)
    script = rule["script"].replace("def do_strike(a):", f"def on_{event}(a):").replace("a.by", "'ann'")
    return {**rule, "rule": str(number), "title": f"Rule {number}", "script": script}


def ended(judge: Sandbox, *rules: Record, acts: list[int]) -> list[tuple[str, bool, str]] | None:
    """Found a game, let administrators act and return how each act ended (None: not founded); the record replays."""
    given_ = {"rules": [GROUND, *rules], "players": PEOPLE, "administrators": ["root"]}
    first = judge.apply(Event(seq=1, at=START, do="found", with_=given_))
    if not first.outcome.accepted:
        return None
    entries, ends, now = [entry(first)], [], START
    for place, number in enumerate(acts, 2):
        do, args = ACTS[number]
        now += YEAR if do == "succeed" else 1
        began = time.monotonic()
        applied = judge.apply(Event(seq=place, at=now, do=do, by=HEIRS.get(do, "root"), with_=args))
        assert time.monotonic() - began < LONGEST, (do, [out["rule"] for out in applied.event.left_out])
        entries.append(entry(applied))
        ends.append((do, applied.outcome.accepted, applied.outcome.code))
    after = documents(judge)
    with Sandbox() as other:
        other.replay(entries)
        assert documents(other) == after
    return ends


@pytest.mark.threat("T-47")
@given(RULES, ORDERS)
@settings(max_examples=CASES, deadline=None)
def test_every_act_of_administrators_ends_as_it_would_without_the_rules(rules: Any, acts: list[int]) -> None:
    hostile = [listening(70 + n, file, event) for n, (file, event) in enumerate(rules)]
    with Sandbox() as judge:
        calm = ended(judge, acts=acts)
    with Sandbox(memory=MEMORY, seconds=SECONDS) as judge:
        ends = ended(judge, *hostile, acts=acts)
        assume(ends is not None)
        assert ends == calm, [(file.stem, event) for file, event in rules]


def test_every_act_of_administrators_is_among_those_tried() -> None:
    assert {do for do, _args in ACTS} == set(BEYOND_RULES)
    with Sandbox() as judge:
        ends = ended(judge, acts=list(range(len(ACTS)))) or []
    refused = ["abandon_epoch", "rehouse", "confirm_sealing_key", "open_seed"]
    assert [do for do, accepted, _ in ends if not accepted] == refused
