"""Refs that somebody pushed: in the way of others, leading to nothing, or to what git chokes on; they mute nobody."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import FORGE, LARGEST_STEP, barring, in_the_way, next_pull, pull_ref
from folkmoot.forges.local.letters import free_chains, own_chains, writer_of
from tests.conftest import examples
from tests.support.gathering import Gathering
from tests.support.meeting import git, make_commit, write_tree
from tests.support.quick import MAIN
from tests.support.seats import Seats, Sit

MAIL = "eve@x.org"
OWN = "refs/moot/letters/eve@x-org"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


# -- in the way


@pytest.mark.threat("T-95")
def test_an_empty_ref_locks_nobody_out(gathering: Gathering) -> None:
    """As it happened: `refs/pull/2` and `refs/pull/3/head/x` while 1 is the newest, and a ref above eve's letters."""
    assert gathering.tea() == 1
    for ref in ("refs/pull/2", "refs/pull/3/head/x", f"{OWN}/x", "refs/pull/4/head/\udcff"):
        git(gathering.bare, "update-ref", ref, "main")
    began = time.monotonic()
    assert gathering.tea("bob") == 5
    gathering.moot("eve", "comment", "--on", "5", "hello")
    assert time.monotonic() - began < 60
    assert git(gathering.bare, "for-each-ref", f"{OWN}.2")
    waits = gathering.moot("eve", "status").out
    assert "Sent, and not looked at yet: comment (pull request 5)" in waits
    assert "refs/pull/2 is nothing: it is in the way of others" in waits
    assert f"`git push {gathering.bare} :refs/pull/2`" in waits
    gathering.referee(60)
    assert "hello" in git(gathering.bare, "grep", "-h", "body", FORGE)
    git(gathering.bare, "update-ref", "-d", "refs/pull/2")  # the gap stays, and the next proposal is taken in as well
    assert gathering.tea("cid") == 6


@pytest.mark.threat("T-95")
def test_a_folder_that_is_barred_is_named_at_once(gathering: Gathering) -> None:
    """There is no other name for a pull request's folder, nor for the referee's own ref."""
    git(gathering.bare, "update-ref", "refs/pull", "main")
    began = time.monotonic()
    said = gathering.moot("bob", "propose", "--rule", gathering.file("tea.yaml"), "--anyway", code=5).err
    assert time.monotonic() - began < 60
    assert "The ref refs/pull is in the way of refs/pull/1/head: git lets no ref be a folder of another" in said
    assert f"git push {gathering.bare} :refs/pull" in said
    git(gathering.bare, "update-ref", "-d", "refs/pull")
    git(gathering.bare, "update-ref", f"{FORGE}/x", "main")
    assert gathering.tea("bob") == 1  # something that the referee has to write down
    with pytest.raises(ProblemError) as caught:
        gathering.forge.look(gathering.now)
    assert f"The ref {FORGE}/x is in the way of {FORGE}" in str(caught.value)


def test_a_gap_that_others_make_is_no_fault(table: Seats) -> None:
    """However many numbers are barred, or lead to what is no commit, the next proposal is taken in."""
    blob = str(table.repo.create_blob(b"nothing"))
    for number in range(1, LARGEST_STEP + 20):
        if number % 2:
            table.put(f"refs/pull/{number}", table.tip(MAIN))
        else:
            table.put(f"refs/pull/{number}/head", blob)
    done = table.moot("ann", "propose", "--repeal", "3", "--json", code=0).record
    table.referee(60)
    assert done["pull"] == LARGEST_STEP + 20
    assert done["pull"] in [pull.number for pull in table.forge.look(table.now, persist=False).pulls]


@pytest.mark.parametrize("kind", ["blob", "tree", "unsound"])
def test_what_no_letter_can_stand_on_is_got_around(table: Seats, kind: str) -> None:
    tree = table.repo[table.tip(MAIN)].tree_id
    made = {
        "blob": lambda: table.repo.create_blob(b"nothing"),
        "tree": lambda: tree,
        "unsound": lambda: table.repo.odb.write(
            1, f"tree {tree}\nauthor E <e@x.org> 1 -99999999\ncommitter E <e@x.org> 1 +0000\n\nx\n".encode()
        ),
    }[kind]()
    table.put("refs/moot/letters/bob@x-org", str(made))
    table.moot("bob", "comment", "/state it is said")
    table.referee(60)
    assert "it is said" in str(table.journal()[-1])


_PIECES = [
    "refs/pull",
    "refs/moot/letters",
    *(f"refs/pull/{n}{rest}" for n in (1, 2, 3) for rest in ("", "/head", "/head/x")),
]


@given(st.sets(st.sampled_from(_PIECES)), st.integers(0, 3))
@settings(max_examples=examples(200), deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_git_accepts_leaves_names_free(refs: set[str], highest: int) -> None:
    there = {ref for ref in refs if not in_the_way(ref, refs)}
    number = next_pull(highest, there)
    ref = f"refs/pull/{number}/head"
    assert ref not in there
    assert in_the_way(ref, there) == (["refs/pull"] if "refs/pull" in there else [])
    chain = next(free_chains(MAIL, there))
    assert not in_the_way(chain, there)
    assert own_chains(MAIL, [chain]) == [chain]
    assert writer_of(MAIL) in chain
    assert all(name in barring(there) for name in there if in_the_way(ref, [name]))


def test_numbers_on_their_way_are_counted() -> None:
    assert next_pull(3, map(pull_ref, [4, 5, 6])) == 7
    assert next_pull(3, [pull_ref(3 + LARGEST_STEP)]) == 4 + LARGEST_STEP
    assert next_pull(3, [pull_ref(4 + LARGEST_STEP)]) == 4


# -- leading to nothing


@pytest.mark.parametrize(("kind", "looked"), [("blob", False), ("tree", True), ("tag", True)])
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
    assert "there is no pull request 1" in said.err


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
    assert f"Ignored: a letter that says “{words}”: " in table.status("bob")


# -- unsound

HEADS = {
    "zone": "author E <e@x.org> 1 -99999999\ncommitter E <e@x.org> 1 +0000\n\nx\n",
    "nul": "author E <e@x.org> 1 +0000\ncommitter E <e@x.org> 1 +0000\n\nx\0y\n",
}


@pytest.mark.threat("T-96")
@pytest.mark.parametrize(
    ("kind", "where"), [("zone", "refs/pull/1/head"), ("nul", "refs/moot/letters/eve"), ("zone", "refs/pull/no-number")]
)
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
    assert not list(table.forge.look(table.now, persist=False).pulls)


@pytest.mark.threat("T-96")
def test_its_author_is_told(table: Seats) -> None:
    tree = table.repo[table.tip(MAIN)].tree_id
    head = "author Bob <bob@x.org> 1 -99999999\ncommitter Bob <bob@x.org> 1 +0000\n\nx\n"
    table.put("refs/pull/1/head", str(table.repo.odb.write(1, f"tree {tree}\n{head}".encode())))
    table.referee(60)
    assert "git itself does not take what it leads to (badTimezone); commit it anew" in table.status("bob")
