"""A judge judges alike in every process, with every hash seed and called directly; and nobody who plays can have one called so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import folkmoot
from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.events import Event, Outcome
from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import fetch_list, founding
from folkmoot.game.secret_store import ANNOUNCE, CHANCE, SEALING
from folkmoot.journal.layout import entry_bytes
from folkmoot.kernel.replay import Entry, entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.connection import Backing, Connection
from folkmoot.sandbox.worker_process import WorkerProcess
from folkmoot.scenarios.scenario import run_scenario
from tests.conftest import FUZZ
from tests.support.bench import Pool, Record, act, documents, due_of, entry, found
from tests.support.judge import DirectJudge
from tests.support.table import START, rule

ENGINE = Path(folkmoot.__file__).parent
ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "tests" / "scenarios").rglob("*.yaml"))
SAMPLE = SCENARIOS[:: 20 if FUZZ else 1_800]

# -- called directly, or in a process


def with_lists(kernel: Kernel) -> None:
    kernel.documents.fetch_list = fetch_list


def events_of(file: Path) -> list[Event]:
    """Return what happens in a scenario, in the one way or the first in which its draws fall."""
    events: list[Event] = []
    apply = Kernel.apply

    def noted(kernel: Kernel, event: Event, *sources: object) -> Outcome:
        events.append(event)
        return apply(kernel, event, *sources)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "apply", noted)
        run_scenario(read_scenario(file.read_text("utf-8"), str(file)), founding, with_lists)
    again = next((n for n, event in enumerate(events) if n and event.do == "found"), len(events))
    return events[:again]


def judged(backing: type[Backing], events: list[Event]) -> tuple[list[bytes], dict[str, bytes]]:
    """Return the entries of events, judged with open dice, and every document at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "backing", backing)
        with Sandbox(lists=fetch_list) as sandbox:
            applied = [sandbox.apply(event) for event in events]
            kept = {key: canonical_bytes(document) for key, document in sandbox.documents()}
            assert kept.keys() >= sandbox.current().keys()
    return [canonical_bytes(entry_of(each.event, each.outcome)) for each in applied], kept


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_entries_and_documents_are_the_same_to_the_byte(file: Path) -> None:
    events = events_of(file)
    directly, in_a_process = judged(DirectJudge, events), judged(WorkerProcess, events)
    assert len(directly[0]) == len(events) > 0
    assert directly == in_a_process


# -- in every process

LIVELY = rule(
    "2",
    """
    def do_gamble(a):
        side = roll(6)
        for p in shuffle(things("player")):
            award(p, "score", side if p == a.by else -1)
        put("game", "diary", [side, pick(things("player"))])

    def do_plan(a):
        after(a.args.seconds, "bell", by = a.by)

    def on_bell(e):
        award(e.by, "score", 10)

    def do_break(a):
        add("game", "total", 1000)
        fail("broken")

    def do_name(a):
        put("game", "diary", [{a.args.word: [a.args.word], "b": 1, "a": 2}])
    """,
    defines={"game": {"diary": {"type": "list", "optional": True}}},
    actions={
        "gamble": {},
        "plan": {"arguments": {"seconds": {"type": "integer"}}},
        "break": {},
        "name": {"arguments": {"word": {"type": "text"}}},
    },
)
PLAYERS = st.sampled_from(["ann", "bob", "cid", "zed"])
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
ACTS = st.one_of(
    st.tuples(PLAYERS, st.sampled_from(["work", "gamble", "break", "unheard_of"]), st.just({})),
    st.tuples(PLAYERS, st.just("pay"), st.fixed_dictionaries({"to": PLAYERS, "amount": st.integers(-5, 300)})),
    st.tuples(PLAYERS, st.just("plan"), st.fixed_dictionaries({"seconds": st.integers(-1, 5)})),
    st.tuples(PLAYERS, st.just("name"), st.fixed_dictionaries({"word": WORDS})),
)
GAMES = st.lists(ACTS, max_size=12)


def play(judge: Sandbox, game: list[tuple[str, str, Record]]) -> list[Entry]:
    """Play a game a second at a time, with the timers that fall due; return its journal."""
    entries = [found(judge, LIVELY)]
    for number, (by, do, args) in enumerate(game, 1):
        now = START + number
        while (due := due_of(judge)) and due[0] <= now:
            fired = judge.apply(Event(seq=len(entries) + 1, at=due[0], do="tick", with_={"timer": due[2]}))
            entries.append(entry(fired))
        entries.append(entry(act(judge, len(entries) + 1, do, by, now, **args)))
    return entries


@settings(max_examples=50 if FUZZ else 3)
@given(game=GAMES, data=st.data())
def test_play_and_replay_are_the_same_in_every_process_and_a_changed_entry_is_found(
    judges: Pool, game: Any, data: st.DataObject
) -> None:
    """Replayed in two parts, too, the second by a process that knows nothing but the documents."""
    played = []
    for seed in (0, 1, 4_000_000_000):
        with judges.lend(hash_seed=seed) as judge:
            entries = play(judge, [*game, ("ann", "work", {})])
            played.append(([entry_bytes(made) for made in entries], documents(judge)))
    assert played[0] == played[1] == played[2]
    cut = data.draw(st.integers(0, len(entries)))
    with judges.lend(hash_seed=1) as judge:
        judge.replay(entries[:cut])
        half = documents(judge)
    with judges.lend(half, hash_seed=0) as judge:
        judge.replay(entries[cut:])
        assert documents(judge) == played[0][1]
    place = data.draw(st.sampled_from([n for n, made in enumerate(entries) if made.get("effects")]))
    effects = [dict(made) for made in entries[place]["effects"]]
    effects[data.draw(st.integers(0, len(effects) - 1))]["forged"] = 1
    entries[place] = {**entries[place], "effects": effects}
    with judges.lend(hash_seed=1) as judge:
        found_out = f"entry {entries[place]['seq']}: effects"
        with pytest.raises(ProblemError, match=found_out):
            judge.replay(entries)


# -- and nobody brings another judge into a command


def test_the_engine_chooses_a_process_and_builds_a_kernel_in_one_place_each_and_nowhere_else() -> None:
    texts = {path.relative_to(ENGINE).as_posix(): path.read_text("utf-8") for path in ENGINE.rglob("*.py")}
    choosing = re.compile(r"\bbacking(?:\b(?: =|:)|\()|[\"']backing[\"']", re.ASCII)
    chosen = {name: len(choosing.findall(text)) for name, text in texts.items() if choosing.search(text)}
    assert chosen == {"sandbox/connection.py": 2}
    assert {name for name, text in texts.items() if "Kernel(" in text} == {"sandbox/worker.py", "scenarios/scenario.py"}
    running = ("run_scenario(", "try_changes(", "rule_problems(", "check_script(", "diagnose(")
    above = ("cli", "forges", "game", "journal", "ops", "player", "referee", "site", "wording")
    parents = [text for name, text in texts.items() if name.partition("/")[0] in above]
    assert not [word for word in running if any(word in text for text in parents)]


COMMAND = """
import sys
from folkmoot.cli.main import main
from folkmoot.sandbox.connection import Connection
try:
    main(sys.argv[1:])
finally:
    print(Connection.backing.__name__, "folkmoot.sandbox.worker" in sys.modules, file=sys.stderr)
"""
OF_CLONE = (
    "conftest.py folkmoot/sandbox/connection.py sitecustomize.py starlark.py tests/__init__.py tests/support/judge.py"
)


def test_neither_the_environment_nor_a_clone_brings_a_judge_into_a_command(tmp_path: Path) -> None:
    """Each variable is set that the engine or a test names, and the clone holds what tests judge with."""
    files = [file for folder in (ENGINE, ROOT / "tests") for file in folder.rglob("*.py")]
    names = {name for file in files for name in re.findall(r"\b(?:FOLKMOOT|PYTEST)_[A-Z_]+\b", file.read_text("utf-8"))}
    assert len(names) > 10
    variables = dict.fromkeys(names - {CHANCE, SEALING, ANNOUNCE}, "1") | {"FOLKMOOT_BACKING": "direct"}
    variables |= {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ENGINE.parent)}
    for name in OF_CLONE.split():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("raise SystemExit('a file of the clone was run')\n")
    (tmp_path / "rule.yaml").write_text("title: Tea\ntext: Tea is served.\nscript: |\n  def on_day(e):\n      pass\n")
    for words in (("new", "tea", "-r", "lanterns", "-p", "ann"), ("check", "rule.yaml")):
        done = subprocess.run(
            [sys.executable, "-P", "-c", COMMAND, *words],
            cwd=tmp_path, env=variables, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "WorkerProcess False"), done.stdout + done.stderr
