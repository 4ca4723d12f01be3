"""What the local forge costs: a look with nothing new, one letter, and 200 pull requests with 20 reviews each.

The forge's objects are made directly, so that only looking is measured; figures are the least of several runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pygit2
import pytest
from pygit2.enums import FileMode

from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Answer
from tests.forges.local_table import LocalTable, bare, git

T = TypeVar("T")

LARGE = int(os.environ.get("FOLKMOOT_BENCHMARK_LETTERS", "20000"))
NOW = 1_800_000_000

pytestmark = pytest.mark.benchmark


def a_table(folder: Path) -> LocalTable:
    folder.mkdir()
    hub = bare(folder)
    git(hub, "config", "gc.auto", "0")
    return LocalTable(folder, str(hub), hub)


def write(table: LocalTable, person: str, letters: list[Letter]) -> None:
    """Put letters into a chain of their own without a program for each."""
    signature = pygit2.Signature(person, f"{person}@x.org", 5, 0)
    tip: list[pygit2.Oid] = []
    for letter in letters:
        builder = table.repo.TreeBuilder()
        builder.insert("letter.yaml", table.repo.create_blob(letter.as_file().encode()), FileMode.BLOB)
        tip = [table.repo.create_commit(None, signature, signature, "x", builder.write(), tip)]
    table.repo.references.create(f"refs/moot/letters/{person}", tip[0])


def fill(table: LocalTable, pulls: int, people: int) -> None:
    """Open pull requests, and let everybody review every one."""
    base = table.main()
    for number in range(1, pulls + 1):
        head = table.made_in(table.repo, f"Proposal {number}", (base,), "ann")
        table.repo.references.create(f"refs/pull/{number}/head", head)
    for person in range(people):
        body = "A good idea, and well worded."
        every = [Letter(pull=n, kind="approve", head=base, body=body) for n in range(1, pulls + 1)]
        write(table, f"p{person}", every)


def timed(do: Callable[[], T]) -> tuple[float, T]:
    """Return how many milliseconds something takes, and what it gives."""
    begun = time.perf_counter()
    found = do()
    return (time.perf_counter() - begun) * 1000, found


def one_letter(table: LocalTable) -> float:
    """Return what it costs a new process to observe a single comment in the game's thread."""
    table.comment("bob", 0, "/do state text=hello")
    forge = LocalForge(table.forge.refs.git.path, table.remote)
    took, seen = timed(lambda: forge.look(NOW))
    assert len(seen.remarks[0]) == 1
    forge.answer([Answer(pull=0, text="", settled=True)])
    return took


@pytest.mark.long
def test_many_reviews_are_linear(tmp_path: Path) -> None:
    took: dict[int, tuple[float, float]] = {}
    for pulls in (50, 200):
        table = a_table(tmp_path / f"{pulls}")
        fill(table, pulls, 20)
        first, seen = timed(lambda table=table: table.forge.look(NOW))
        assert sum(map(len, seen.remarks.values())) == pulls * 20
        again = min(timed(lambda table=table: table.another_process().look(NOW))[0] for _ in range(5))
        took[pulls] = first, again
        print(f"{pulls} pull requests with 20 reviews each: first look {first:.0f} ms, nothing new {again:.0f} ms")
    assert took[200][0] < 5000
    assert took[200][0] < 4 * took[50][0] * 1.6
    assert took[200][1] < 4 * took[50][1] * 1.6


@pytest.mark.long
def test_cost_follows_what_is_new(tmp_path: Path) -> None:
    took: dict[int, tuple[float, float]] = {}
    for size in (1_000, LARGE):
        table = a_table(tmp_path / f"{size}")
        for start in range(0, size, 20_000):
            numbers = range(start, min(start + 20_000, size))
            letters = [Letter(pull=0, kind="comment", body=f"/do state text={n}") for n in numbers]
            write(table, f"cid-{start}", letters)
        whole, _ = timed(lambda table=table: table.forge.look(NOW))
        table.forge.answer([Answer(pull=0, text="", settled=True)])
        git(table.hub, "gc", "--quiet")
        git(table.forge.refs.git.path, "gc", "--quiet")
        nothing = min(timed(lambda table=table: table.another_process().look(NOW))[0] for _ in range(8))
        one = min(one_letter(table) for _ in range(8))
        took[size] = nothing, one
        print(f"{size} letters: all of them {whole:.0f} ms, nothing new {nothing:.0f} ms, one more {one:.0f} ms")
    assert took[LARGE][0] < max(60, took[1_000][0] * 2)
    assert took[LARGE][1] < max(120, took[1_000][1] * 2)
