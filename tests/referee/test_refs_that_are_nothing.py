"""A ref that no pull request and no letter came of is told, with why; and what another did is not told as one's own."""

from __future__ import annotations

import pytest

from tests.support.meeting import make_commit, write_tree
from tests.support.quick import MAIN
from tests.support.seats import Seats, Sit


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


@pytest.mark.parametrize("kind", ["blob", "tree", "tag"])
@pytest.mark.parametrize("looked", [False, True])
def test_what_leads_to_no_commit_is_told(table: Seats, kind: str, *, looked: bool) -> None:
    main = table.repo[table.tip(MAIN)]
    made = {
        "blob": lambda: table.repo.create_blob(b"x"),
        "tree": lambda: main.tree_id,
        "tag": lambda: table.repo.create_tag("v1", main.id, main.type, table.signature("bob"), "x"),
    }[kind]()
    table.put("refs/pull/1/head", str(made))
    if looked:
        table.referee(60)
    assert "refs/pull/1/head is nothing: it leads to no commit" in table.status("bob")
    said = table.moot("bob", "try", "1", code=1)
    assert "there is no pull request 1: refs/pull/1/head was pushed, but it leads to no commit" in said.err


def test_a_name_that_is_none_is_told(table: Seats) -> None:
    table.put("refs/pull/no-penalty", table.change("bob", {"README.md": b"x"}))
    table.referee(60)
    said = table.status("bob")
    assert "refs/pull/no-penalty is nothing: no pull request and no chain of letters has such a name" in said
    assert "Ignored: a push to refs/pull/no-penalty" in said
    assert "`git update-ref -d refs/pull/no-penalty`" in said


@pytest.mark.parametrize("content", ["pull: 3\nkind: abstain\n", "pull: -1\nkind: comment\nbody: hi\n"])
def test_what_is_ignored_says_what_it_was(table: Seats, content: str) -> None:
    tree = write_tree(table.repo, None, {"letter.yaml": content.encode()})
    who = table.signature("bob")
    table.put("refs/moot/letters/bob@x-org", make_commit(table.repo, tree, [], "x\n", who, who))
    table.referee(60)
    words = content.strip().replace("\n", ", ")
    assert f"Ignored: a letter that says “{words}” (letter " in table.status("bob")


def test_what_another_put_below_is_not_told_as_ones_own(table: Seats) -> None:
    """A commit of the game's branch is no letter of who made it, whoever's ref it is put to."""
    who = table.signature("ann")
    mine = make_commit(table.repo, table.repo[table.tip(MAIN)].tree_id, [table.tip(MAIN)], "A rule\n", who, who)
    table.put(MAIN, mine)
    table.forge.acknowledge(mine)
    for ref in ("refs/moot/letters/ann@x-org", "refs/moot/letters/eve"):
        table.put(ref, mine)
    table.forge.look(table.now)
    assert "Ignored" not in table.status("ann")
