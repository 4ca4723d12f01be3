"""Whatever rules do, several hostile ones at once: every act of administrators ends as it would without them, in time.

FOLKMOOT_FUZZ=1 tries more sets of rules, and every act on each.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event
from folkmoot.kernel.act_declarations import BEYOND_RULES
from folkmoot.sandbox.client import Applied, Sandbox
from tests.conftest import FUZZ
from tests.support.bench import GROUND, PEOPLE, Record, documents, entry
from tests.support.hostile import CORPUS, hostile_rule
from tests.support.table import START

MEMORY = 96 * 1024 * 1024  # bytes: little, so that what asks for more dies soon
SECONDS = 0.2  # of processor time for an event
LONGEST = 60.0  # seconds: an act with three that die or are slow, on a busy machine
ACTS_OF_A_CASE = 100 if FUZZ else 4
CASES = 30 if FUZZ else 2
YEAR = 366 * 86_400
SECRET = "ab" * 32
STATE = sha256(b"state").hexdigest()
ACTS: list[tuple[str, str, Record]] = [
    ("root", "pause", {}),
    ("root", "resume", {}),
    ("root", "set_clock", {"seconds": 1, "why": "it ran ahead"}),
    ("root", "suspend", {"rule": "1", "why": "let us see"}),
    ("root", "wake", {"rule": "1"}),
    ("root", "correct", {"of": "game", "name": "total", "to": 7, "why": "miscounted"}),
    ("root", "correct", {"of": "ann", "name": "score", "to": 7, "why": "miscounted"}),
    ("root", "redact", {"seq": 1, "path": "with/title", "digest": "0" * 64}),
    ("root", "open_epoch", {"commitment": sha256(bytes.fromhex(SECRET)).hexdigest()}),
    ("root", "close_epoch", {"secret": SECRET}),
    ("root", "abandon_epoch", {"why": "lost"}),
    ("root", "admit", {"player": "dee", "name": "Dee"}),
    ("root", "identify", {"player": "ann", "forge": "gitea", "id": "7", "login": "ann"}),
    ("root", "use_forge", {"forge": "local"}),
    ("root", "change_forge", {"forge": "github", "home": "https://github.com/ann/game"}),
    ("root", "rehouse", {"places": {}}),
    ("root", "maintain", {"maintainers": ["bob"]}),
    ("root", "remind", {"hours": 12}),
    ("root", "set_limit", {"name": "running_timers", "value": 50}),
    ("root", "repair", {"changes": [{"enact": {"title": "Calm", "text": "Be calm."}}], "why": "calm"}),
    ("root", "repair", {"changes": [{"amend": "1", "title": "Ground"}], "why": "named"}),
    ("ann", "succeed", {}),
    ("bob", "oppose_succession", {}),
    (
        "root",
        "open_sealing",
        {"key": "age1mlvd0yl8rdmewhywy0c6wttmzzeuxpdmv7p5cv4084f4thh44cmskhqsg9", "seeds": "0" * 64},
    ),
    ("root", "confirm_sealing_key", {"player": "ann"}),
    ("root", "open_seed", {"draw": 1, "seed": SECRET, "proof": []}),
    ("root", "engine", {"versions": {"folkmoot": "9"}, "state": STATE}),
]
EVENTS = [
    "acted",
    "paused",
    "changed",
    "rule_enacted",
    "rule_amended",
    "joined",
    "awarded",
    "resumed",
    "setting_changed",
]
RULES = st.lists(
    st.tuples(st.sampled_from(CORPUS), st.sampled_from([*EVENTS, "acted", "acted"])), min_size=2, max_size=4
)
ORDERS = st.permutations(range(len(ACTS))).map(lambda order: order[:ACTS_OF_A_CASE])


def listening(number: int, file: Any, event: str) -> Record:
    """Return a rule of the corpus that does its worst when it hears an event, beside where it does already."""
    rule = hostile_rule(file)
    script = rule["script"].replace("def do_strike(a):", f"def on_{event}(a):").replace("a.by", "'ann'")
    return {**rule, "rule": str(number), "title": f"Rule {number}", "script": script}


def founded(judge: Sandbox, *rules: Record) -> Applied:
    """Found a game, which may be refused by what its rules do meanwhile."""
    given_ = {"rules": [GROUND, *rules], "players": PEOPLE, "administrators": ["root"]}
    return judge.apply(Event(seq=1, at=START, do="found", with_=given_))


def ended(judge: Sandbox, *rules: Record, acts: list[int]) -> list[tuple[str, bool, str]] | None:
    """Found a game, let administrators act and return how each act ended (None: not founded); the record replays."""
    first = founded(judge, *rules)
    if not first.outcome.accepted:
        return None
    entries, ends, now = [entry(first)], [], START
    for place, number in enumerate(acts, 2):
        by, do, args = ACTS[number]
        now += YEAR if do == "succeed" else 1
        began = time.monotonic()
        applied = judge.apply(Event(seq=place, at=now, do=do, by=by, with_=args))
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
    assert {do for _by, do, _args in ACTS} == set(BEYOND_RULES)
    with Sandbox() as judge:
        ends = ended(judge, acts=list(range(len(ACTS))))
    assert ends is not None
    assert [do for do, accepted, _ in ends if not accepted] == [
        "abandon_epoch",
        "rehouse",
        "confirm_sealing_key",
        "open_seed",
    ]
