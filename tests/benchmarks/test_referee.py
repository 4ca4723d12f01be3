"""What a referee's run costs, fetch to push, and a look of the local forge: as journals, pull requests and letters grow.

Every run is that of a new referee with a new judge, as a command is, but without the start of its own process.
"""

from __future__ import annotations

from functools import partial
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
from tests.benchmarks.measure import by_turns, figure, seconds
from tests.support.meeting import START, rule
from tests.support.quick import SMALL as SMALL_LAW

SIZES = SMALL, LARGE = (300, 3_000)
FEW, MANY = 8, 16
REVIEWERS = 5
ATTACKS = (
    b'title: "\\UFFFFFFFF"\ntext: x\n',
    b"title: X\ntext: x\nprecedence: {a: " + b"9" * 4_000 + b"}\n",
    b"title: X\ntext: " + b"[" * 4_900 + b"\n",
    rule("Heavy", script="A = [0] * 900000000"),
    rule("Deep", script="X = " + "(" * 900 + "1" + ")" * 900),
    rule("Shift", script="X = 1 << 2000000000"),
    rule("Strings", script="\n".join(f"A{n} = 'x' * 100000000" for n in range(20))),
    rule("Lists", script="def on_voting_opened(e):\n    l = [1]\n    for n in range(64):\n        l = l + l"),
)
MAIN = "refs/heads/main"


class Hub:
    """A bare repository with a game, and the referee's clone of it."""

    def __init__(self, folder: Path, law: dict[str, Any], players: int, entries: int = 0) -> None:
        folder.mkdir()
        self.path, self.clone = folder / "hub.git", folder / "clone.git"
        self.repo = pygit2.init_repository(str(self.path), bare=True, initial_head="main")
        pygit2.init_repository(str(self.clone), bare=True, initial_head="main")
        self.now = START + max(entries, 1)
        game = GameTree(self.repo, "", "long")
        people = [{"id": f"p{n}", "surname": f"P{n}", "email": f"p{n}@x.org"} for n in range(players)]
        given = {**law, "title": "Long", "players": people, "forge": "local", "engine": versions()}
        assert Session.found(game, {**given, "administrators": ["p0"]}, START).accepted
        made = game.commit("Found", "P0 <p0@x.org>", START)
        self.repo.references.create(MAIN, self.grown(made, entries) if entries else made)
        forge = self.forge()
        forge.look(self.now)
        assert forge.acknowledge(self.tip())

    def forge(self) -> LocalForge:
        return LocalForge(self.clone, str(self.path))

    def tip(self, ref: str = MAIN) -> str:
        found = self.repo.references.get(ref)
        return str(found.target) if found else ""

    def grown(self, commit: str, size: int) -> str:
        """Return a commit of the game with so many entries, made at once of filling that nothing measured may read."""
        said = {"at": START + size, "by": "p0", "do": "state", "with": {"text": "Hello"}}
        last = entry_bytes({"seq": size, "prev": "0" * 64, **said})
        journal: dict[str, Any] = dict.fromkeys(map(entry_name, range(2, size)), self.repo.create_blob(b"filling\n"))
        journal |= {entry_name(size): last, "head.yaml": head_bytes(Head(size, bytes_digest(last), START + size))}
        files = {f"state/long/{name}": content for name, content in journal.items()}
        who = pygit2.Signature("P0", "p0@x.org", START, 0)
        tree = write_tree(self.repo, self.repo[commit].peel(pygit2.Tree).id, files)
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
        who, main = pygit2.Signature("P0", "p0@x.org", START, 0), self.tip()
        tree = write_tree(self.repo, self.repo[main].peel(pygit2.Tree).id, {f"state/long/rules/r{number}.yaml": text})
        self.repo.references.create(pull_ref(number), make_commit(self.repo, tree, [main], f"Rule {number}", who, who))

    def run(self) -> Report:
        """Let a new referee run in the clone."""
        self.now += 60
        forge = self.forge()
        with Referee(forge, forge.refs.repo, lambda: self.now) as referee:
            return referee.run()

    def run_to_the_end(self) -> None:
        """Let referees run until there is nothing more to do."""
        done = self.run()
        while done.more or done.answers:
            done = self.run()

    def recorded(self) -> int:
        """Return how many entries there are."""
        return GameTree(self.repo, self.tip(), "long").head.seq


@pytest.fixture(scope="module")
def hubs(tmp_path_factory: pytest.TempPathFactory) -> list[Hub]:
    root = tmp_path_factory.mktemp("hubs")
    law = {**founding("suber"), "settings": {"mode": "mail"}}
    return [Hub(root / str(size), law, 4, size) for size in SIZES]


def test_a_run_in_a_long_game(hubs: list[Hub]) -> None:
    def act(hub: Hub) -> None:
        hub.send(1, [Letter(pull=0, kind="comment", body=f"/do state text={hub.now}")])
        before = hub.tip()
        hub.run()
        assert hub.tip() != before

    less, more = by_turns(4, *(partial(act, hub) for hub in hubs))
    figure(f"a run with one act, {LARGE:,} entries beside {SMALL}", more, less)
    for hub in hubs:
        hub.run_to_the_end()
    before = [{name: hub.tip(name) for name in hub.repo.references} for hub in hubs]
    less, more = by_turns(10, *(hub.run for hub in hubs))
    figure(f"a run with nothing to do, {LARGE:,} entries beside {SMALL}", more, less)
    assert [{name: hub.tip(name) for name in hub.repo.references} for hub in hubs] == before


def test_runs_are_in_step_with_pull_requests_and_reviews(tmp_path: Path) -> None:
    """Proposals taken in, then votes on each by everybody, then nothing new."""
    taken = []
    for pulls in (FEW, MANY):
        hub = Hub(tmp_path / str(pulls), SMALL_LAW, REVIEWERS + 2)
        for number in range(1, pulls + 1):
            hub.propose(number, rule(f"Rule {number}"))
        proposed = seconds(hub.run_to_the_end)
        for person in range(REVIEWERS):
            heads = {n: hub.tip(pull_ref(n)) for n in range(1, pulls + 1)}
            hub.send(person, [Letter(pull=n, kind="approve", head=head) for n, head in heads.items()])
        looked = min(seconds(lambda hub=hub: hub.forge().look(hub.now)) for _ in range(2))
        voted = seconds(hub.run_to_the_end)
        assert hub.recorded() >= pulls * (REVIEWERS + 1)
        idle = min(seconds(hub.run) for _ in range(2))
        taken.append({"taking in": proposed, "a look at reviews": looked, "counting votes": voted, "nothing new": idle})
    for name, less in taken[0].items():
        figure(f"{name}, {MANY} pull requests beside {FEW}", taken[1][name], less)


def test_what_attacks_cost_is_in_step_with_them_and_a_vote_among_them_counts_first(tmp_path: Path) -> None:
    taken = []
    for attacks in (1, 2):
        hub = Hub(tmp_path / str(attacks), SMALL_LAW, 3)
        hub.propose(1, rule("A dragon"))
        hub.run_to_the_end()
        for number, text in enumerate(ATTACKS * attacks, 2):
            hub.propose(number, text)
        hub.send(1, [Letter(pull=1, kind="approve", head=hub.tip(pull_ref(1)))])
        before = hub.recorded()
        taken.append(seconds(hub.run))
        assert hub.recorded() > before, "the vote is counted in the first run"
    figure(f"a run under {2 * len(ATTACKS)} attacks, beside {len(ATTACKS)}", taken[1], taken[0])
