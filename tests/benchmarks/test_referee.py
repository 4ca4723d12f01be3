"""What a referee's run costs, fetch to push, on a bare repository at 1,000 and at 100,000 entries, and with many reviews.

Every run is that of a new referee with a new judge, as a command is, but without the start of its own process. Figures
are the least of several runs taken by turns. The journals are filled with what nothing measured here may read.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.core.digest import bytes_digest
from folkmoot.core.versions import versions
from folkmoot.forges.cache.refs import LETTERS, pull_ref
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.journal import Head, entry_bytes
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.layout import entry_name
from folkmoot.journal.record import head_bytes
from folkmoot.journal.tree import GameTree
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.support.meeting import START, rule
from tests.support.quick import SMALL as SMALL_LAW

SMALL = 1_000
LARGE = int(os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES", "100000"))
ALLOWED = 1.5
PEOPLE = 20
MOST_PULLS = int(os.environ.get("FOLKMOOT_BENCHMARK_PULLS", "200"))
PULLS = (MOST_PULLS // 2, MOST_PULLS)
REVIEWS = (250, 500) if MOST_PULLS > 100 else (100, 200)
ATTACKED = (MOST_PULLS // 4, MOST_PULLS // 2)
ATTACKS = (
    b'title: "\\UFFFFFFFF"\ntext: x\n',
    b'title: X\ntext: "a\\ud800"\n',
    b"title: X\ntext: x\nprecedence: {a: " + b"9" * 4_000 + b"}\n",
    b"title: X\ntext: " + b"[" * 4_900 + b"\n",
    rule(
        "Endless",
        script="def on_acted(e):\n    for n in range(100000):\n        for m in range(100000):\n            n + m",
    ),
    rule("Heavy", script="A = [0] * 900000000"),
    rule("Deep", script="X = " + "(" * 900 + "1" + ")" * 900),
    rule("Brackets", script="X = " + "[" * 900 + "]" * 900),
    rule("Shift", script="X = 1 << 2000000000"),
    rule("Strings", script="\n".join(f"A{n} = 'x' * 100000000" for n in range(20))),
    rule("Lists", script="def on_voting_opened(e):\n    l = [1]\n    for n in range(64):\n        l = l + l"),
    rule(
        "Twice endless",
        script="".join(
            f"def {hook}:\n    for n in range(100000):\n        for m in range(100000):\n            n + m\n\n"
            for hook in ("on_acted(e)", "decide_adopted(p)")
        ),
    ),
    rule("Slow", script="def on_adopted(e):\n    x = 'a'\n    for n in range(60):\n        x = x + x"),
)
MAIN = "refs/heads/main"

pytestmark = pytest.mark.benchmark


class Hub:
    """A bare repository with a game, and the referee's clone of it."""

    def __init__(self, folder: Path, law: dict[str, Any], players: int, entries: int = 0) -> None:
        folder.mkdir()
        self.path = folder / "hub.git"
        self.repo = pygit2.init_repository(str(self.path), bare=True, initial_head="main")
        self.clone = folder / "clone.git"
        pygit2.init_repository(str(self.clone), bare=True, initial_head="main")
        self.now = START + max(entries, 1)
        game = GameTree(self.repo, "", "long")
        people = [{"id": f"p{n}", "surname": f"P{n}", "email": f"p{n}@x.org"} for n in range(players)]
        given = {**law, "title": "Long", "players": people, "forge": "local", "engine": versions()}
        assert Session.found(game, {**given, "administrators": ["p0"]}, START).accepted
        made = game.commit("Found", self.name(0), START)
        self.repo.references.create(MAIN, self.grown(made, entries) if entries else made)
        forge = LocalForge(self.clone, str(self.path))
        forge.look(self.now)
        assert forge.acknowledge(self.tip())

    def name(self, person: int) -> str:
        return f"P{person} <p{person}@x.org>"

    def tip(self, ref: str = MAIN) -> str:
        found = self.repo.references.get(ref)
        return str(found.target) if found else ""

    def grown(self, commit: str, size: int) -> str:
        """Return a commit of the game with so many entries, made from trees at once."""
        said = {"at": START + size, "by": "p0", "do": "state", "with": {"text": "Hello"}}
        last = entry_bytes({"seq": size, "prev": "0" * 64, **said})
        filling = self.repo.create_blob(b"filling\n")
        journal: dict[str, Any] = {entry_name(seq): filling for seq in range(2, size)}
        journal |= {entry_name(size): last, "head.yaml": head_bytes(Head(size, bytes_digest(last), START + size))}
        files = {f"state/long/{name}": content for name, content in journal.items()}
        tree = write_tree(self.repo, self.repo[commit].peel(pygit2.Tree).id, files)
        who = pygit2.Signature("P0", "p0@x.org", START, 0)
        return make_commit(self.repo, tree, [commit], "Grow", who, who)

    def send(self, person: int, letters: list[Letter]) -> None:
        """Put letters into somebody's chain."""
        who = pygit2.Signature(f"P{person}", f"p{person}@x.org", self.now, 0)
        ref = f"{LETTERS}p{person}"
        tip = self.tip(ref)
        for letter in letters:
            tree = write_tree(self.repo, None, {"letter.yaml": letter.as_file().encode()})
            tip = make_commit(self.repo, tree, [tip] if tip else [], "x", who, who)
        self.repo.references.create(ref, tip, force=True)

    def propose(self, number: int, text: bytes) -> None:
        """Open somebody's pull request with one new rule."""
        who = pygit2.Signature("P0", "p0@x.org", START, 0)
        main = self.tip()
        tree = write_tree(self.repo, self.repo[main].peel(pygit2.Tree).id, {f"state/long/rules/r{number}.yaml": text})
        self.repo.references.create(pull_ref(number), make_commit(self.repo, tree, [main], f"Rule {number}", who, who))

    def run(self) -> Report:
        """Let a new referee run in the clone."""
        self.now += 60
        forge = LocalForge(self.clone, str(self.path))
        with Referee(forge, forge.refs.repo, lambda: self.now) as referee:
            return referee.run()

    def recorded(self) -> int:
        """Return how many entries there are."""
        return GameTree(self.repo, self.tip(), "long").head.seq

    def refs(self) -> dict[str, str]:
        return {name: self.tip(name) for name in self.repo.references}


def took(do: Callable[[], object]) -> float:
    """Return how many milliseconds something takes."""
    start = time.perf_counter()
    do()
    return (time.perf_counter() - start) * 1000


def report(what: str, sizes: str, small: float, large: float) -> float:
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{what:34} {sizes}: {small:9.1f} ms {large:9.1f} ms  ratio {large / small:5.2f}  ({machine})")
    return large / small


@pytest.fixture(scope="module")
def hubs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Hub]:
    root = tmp_path_factory.mktemp("hubs")
    law = {**founding("suber"), "settings": {"mode": "mail"}}
    return {size: Hub(root / str(size), law, 4, size) for size in (SMALL, LARGE)}


@pytest.mark.long
def test_one_recorded_action(hubs: dict[int, Hub]) -> None:
    """Goal: under 300 ms, and at most half as much again with a hundred times the entries."""
    times: dict[int, list[float]] = {size: [] for size in hubs}
    for turn in range(12):
        for size, hub in hubs.items():
            hub.send(1, [Letter(pull=0, kind="comment", body=f"/do state text={turn}")])
            before = hub.tip()
            times[size].append(took(lambda hub=hub: hub.run()))
            assert hub.tip() != before
    assert report("one act, fetch to push", f"{SMALL:,} | {LARGE:,} entries", *map(min, times.values())) <= ALLOWED


def test_nothing_to_do(hubs: dict[int, Hub]) -> None:
    """Goal: under 200 ms; and no commit."""
    times: dict[int, list[float]] = {size: [] for size in hubs}
    for hub in hubs.values():
        hub.run()
    before = {size: hub.refs() for size, hub in hubs.items()}
    for _ in range(40):
        for size, hub in hubs.items():
            times[size].append(took(lambda hub=hub: hub.run()))
    assert {size: hub.refs() for size, hub in hubs.items()} == before
    assert report("nothing to do", f"{SMALL:,} | {LARGE:,} entries", *map(min, times.values())) <= ALLOWED


@pytest.mark.long
def test_many_open_pull_requests(tmp_path: Path) -> None:
    """Goal: 200 with 20 reviews each in under 5 s; and in step with their number."""
    first, idle, votes, longest = {}, {}, {}, {}
    for pulls in PULLS:
        hub = Hub(tmp_path / str(pulls), SMALL_LAW, PEOPLE + 2)
        for number in range(1, pulls + 1):
            hub.propose(number, rule(f"Rule {number}"))
        first[pulls] = sum(runs(hub))
        for person in range(PEOPLE):
            numbers = range(1, pulls + 1)
            hub.send(person, [Letter(pull=n, kind="approve", head=hub.tip(pull_ref(n))) for n in numbers])
        every = runs(hub)
        votes[pulls], longest[pulls] = sum(every), max(every)
        before = hub.refs()
        idle[pulls] = min(took(lambda hub=hub: hub.run()) for _ in range(3))
        assert hub.refs() == before
        assert hub.recorded() >= pulls * (PEOPLE + 1)
    sizes = " | ".join(f"{pulls}" for pulls in PULLS)
    linear = PULLS[1] / PULLS[0] * ALLOWED
    report("proposals taken in, all runs", f"{sizes} pull requests", *first.values())
    assert report(f"{PEOPLE} reviews of each, all runs", f"{sizes} pull requests", *votes.values()) <= linear
    assert report("the longest of these runs", f"{sizes} pull requests", *longest.values()) <= linear
    assert report("nothing new on any", f"{sizes} pull requests", *idle.values()) <= linear


@pytest.mark.long
def test_one_pull_request_with_a_thousand_reviews(tmp_path: Path) -> None:
    """Goal: nothing to do in under 0.3 s; and in step with the number of reviews."""
    every, idle = {}, {}
    for reviews in REVIEWS:
        hub = Hub(tmp_path / str(reviews), SMALL_LAW, 3)
        hub.propose(1, rule("A dragon"))
        runs(hub)
        head = hub.tip(pull_ref(1))
        hub.send(1, [Letter(pull=1, kind="approve", head=head, body=str(n)) for n in range(reviews)])
        every[reviews] = sum(runs(hub))
        idle[reviews] = min(took(lambda hub=hub: hub.run()) for _ in range(3))
    sizes = " | ".join(f"{reviews}" for reviews in REVIEWS)
    linear = REVIEWS[1] / REVIEWS[0] * ALLOWED
    assert report("one person's reviews, all runs", f"{sizes} reviews", *every.values()) <= linear
    assert report("nothing new on them", f"{sizes} reviews", *idle.values()) <= linear


@pytest.mark.long
def test_an_attack_on_every_pull_request(tmp_path: Path) -> None:
    """Goal: under 10 s a run over 200; what every attack costs is bounded by the run, and a vote among them is counted first."""
    longest = {}
    for pulls in ATTACKED:
        hub = Hub(tmp_path / str(pulls), SMALL_LAW, 3)
        hub.propose(1, rule("A dragon"))
        runs(hub)
        for number in range(2, pulls + 2):
            hub.propose(number, ATTACKS[number % len(ATTACKS)])
        hub.send(1, [Letter(pull=1, kind="approve", head=hub.tip(pull_ref(1)))])
        before, times = hub.recorded(), [took(hub.run)]
        assert hub.recorded() > before, "the vote is counted in the first run"
        longest[pulls] = max(*times, took(hub.run), took(hub.run))
    sizes = " | ".join(f"{pulls}" for pulls in ATTACKED)
    assert (
        report("the longest run under attack", f"{sizes} attacks", *longest.values())
        <= ATTACKED[1] / ATTACKED[0] * ALLOWED
    )


def runs(hub: Hub) -> list[float]:
    """Let referees run until there is nothing more to do; return how many milliseconds each took."""
    times: list[float] = []
    done: list[Report] = []
    while not done or done[-1].more or done[-1].answers:
        times.append(took(lambda: done.append(hub.run())))
    return times
