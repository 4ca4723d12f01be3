"""What strangers push, and git chokes on, becomes no part of the history of the referee's own ref."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.meeting import git
from tests.support.quick import FORGE, MAIN
from tests.support.seats import Seats, Sit

HEADS = {
    "zone": "author E <e@x.org> 1 -99999999\ncommitter E <e@x.org> 1 +0000\n\nx\n",
    "nul": "author E <e@x.org> 1 +0000\ncommitter E <e@x.org> 1 +0000\n\nx\0y\n",
}


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


@pytest.mark.threat("T-96")
@pytest.mark.parametrize("where", ["refs/pull/1/head", "refs/moot/letters/eve", "refs/pull/no-number"])
@pytest.mark.parametrize("kind", sorted(HEADS))
def test_what_git_chokes_on_is_kept_out(table: Seats, tmp_path: Path, kind: str, where: str) -> None:
    """Be it the tip, or what lies below a commit that is sound by itself."""
    tree = table.repo[table.tip(MAIN)].tree_id
    bad = str(table.repo.odb.write(1, f"tree {tree}\n{HEADS[kind]}".encode()))
    for tip in (bad, table.change("cid", {"README.md": b"x"}, base=bad)):
        table.put(where, tip)
        sound = table.say("bob", 0, "hello")
        table.referee(60)
        clone = tmp_path / f"clone-{tip[:7]}"
        git(tmp_path, "init", "--quiet", "--bare", str(clone))
        pairs = [f"{name}:{name}" for name in (FORGE, MAIN)]
        git(clone, "-c", "transfer.fsckObjects=true", "fetch", "--quiet", str(table.bare), *pairs)
        assert sound in git(clone, "log", "--format=%H", FORGE)
        git(clone, "fsck", "--strict", "--no-dangling")
    assert not list(table.forge.peek(table.now).pulls)


@pytest.mark.threat("T-96")
def test_its_author_is_told(table: Seats) -> None:
    tree = table.repo[table.tip(MAIN)].tree_id
    head = "author Bob <bob@x.org> 1 -99999999\ncommitter Bob <bob@x.org> 1 +0000\n\nx\n"
    table.put("refs/pull/1/head", str(table.repo.odb.write(1, f"tree {tree}\n{head}".encode())))
    table.referee(60)
    assert "git itself does not take what it leads to (badTimezone); commit it anew" in table.status("bob")
