"""Whatever people put into the refs of a forge: the rest goes on, and who made what is ignored is told why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest
from pygit2.enums import FileMode, ObjectType

from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import MAXIMUM_SIZE
from folkmoot.forges.port import Answer, Pull, Remark, Snapshot
from tests.conftest import FUZZ
from tests.forges.conformance import NOW, bodies, pull
from tests.forges.local_table import LocalTable, bare, git

SIGNATURE = pygit2.Signature("Eve", "eve@x.org", 1, 0)
EVE = "refs/moot/letters/eve"
GOOD = b"pull: 1\nkind: comment\nbody: Hello.\n"


@pytest.fixture
def table(tmp_path: Path) -> LocalTable:
    """Return a table with one pull request, 1, that was seen."""
    hub = bare(tmp_path)
    made = LocalTable(tmp_path, str(hub), hub)
    assert made.open("ann", "A dragon") == 1
    made.forge.look(NOW)
    made.forge.refs.git = Git(made.forge.refs.git.path)  # which takes what strangers made, or does not
    return made


class Eve:
    """Writes whatever she likes into the shared repository."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table
        self.repo = table.repo

    def tree(self, *entries: tuple[str, Any, FileMode]) -> pygit2.Oid:
        builder = self.repo.TreeBuilder()
        for name, content, mode in entries:
            builder.insert(name, self.repo.create_blob(content) if isinstance(content, bytes) else content, mode)
        return builder.write()

    def letter(self, content: bytes, parents: list[Any] | None = None, by: pygit2.Signature = SIGNATURE) -> str:
        tree = self.tree(("letter.yaml", content, FileMode.BLOB))
        return str(self.repo.create_commit(None, by, by, "x", tree, parents or []))

    def commit(self, tree: Any, message: str = "x") -> str:
        return str(self.repo.create_commit(None, SIGNATURE, SIGNATURE, message, tree, []))

    def raw(self, data: bytes) -> str:
        return str(self.repo.write(ObjectType.COMMIT, data))

    def why(self, commit: str, ref: str = EVE) -> str:
        """Put a commit into a ref and return why it was ignored; it must change nothing but that."""
        self.put(commit, ref)
        return self.table.ignored("eve")[commit]

    def put(self, commit: str, ref: str = EVE) -> None:
        """Put a commit into a ref; it must change nothing of what the referee gets to see."""
        before = self.table.forge.look(NOW + 1)
        self.table.force(ref, commit)
        after = self.table.forge.look(NOW + 2)
        assert facts(after) == facts(before)
        tip = self.table.observation()
        self.table.forge.look(NOW + 3)
        assert self.table.observation() == tip  # it is looked at once


def facts(snapshot: Snapshot) -> tuple[tuple[Pull, ...], dict[int, tuple[Remark, ...]]]:
    return snapshot.pulls, dict(snapshot.remarks)


@pytest.fixture
def eve(table: LocalTable) -> Eve:
    return Eve(table)


NO_LETTERS: list[tuple[bytes, str]] = [
    (b"", "no letter: Expected `object`"),
    (b"pull: 1\nkind: [\n", "letter.yaml:"),
    (b"pull: 1\npull: 1\nkind: comment\nbody: x\n", "E-"),
    (b"a: &a [x]\nb: *a\n", "E-"),
    (b"pull: !!python/object:os.system 1\n", "E-"),
    (b"pull: 1\nkind: comment\nbody: \xff\xfe\n", "no UTF-8"),
    (b'pull: 1\nkind: comment\nbody: "\x07"\n', "U+0007"),
    (b"{" * 40_000, "E-"),
    (b"pull: 1\nkind: comment\nbody: " + b"x" * MAXIMUM_SIZE, "65,"),
    (b'pull: "1"\nkind: comment\nbody: x\n', "`int`, got `str` - at `$.pull`"),
    (b"pull: true\nkind: comment\nbody: x\n", "got `bool`"),
    (b"pull: 1.5\nkind: comment\nbody: x\n", "E-"),
    (b"pull: 99999999999999999999999\nkind: comment\nbody: x\n", "`int` <= 999999999"),
    (b"kind: comment\nbody: x\n", "missing required field `pull`"),
    (b"pull: 2\nkind: comment\nbody: x\n", "there is no pull request 2"),
    (b"pull: 1\nkind: vote\nbody: x\n", "Invalid enum value 'vote'"),
    (b"pull: 1\nkind: [comment]\nbody: x\n", "got `array` - at `$.kind`"),
    (b"pull: 1\nkind: comment\nbody: {a: b}\n", "got `object` - at `$.body`"),
    (b"pull: 1\nkind: comment\nbody: ' '\n", "says nothing"),
    (b"pull: 1\nkind: comment\nbody: x\nat: 5\n", "unknown field `at`"),
    (b"pull: 1\nkind: approve\n", "must name the commit"),
    (b"pull: 1\nkind: approve\nhead: main\n", "[0-9a-f]{40}"),
    (b'pull: 1\nkind: comment\nbody: x\nhead: "' + b"0" * 40 + b'"\n', "do not go with its kind"),
    (b'pull: 0\nkind: approve\nhead: "' + b"0" * 40 + b'"\n', "no pull request to approve"),
    (b"pull: 0\nkind: close\n", "no pull request to close"),
    (b"pull: 1\nkind: close\n", "only Ann may close that"),
    (b"pull: 1\nkind: describe\nbody: Mine\n", "only Ann may describe that"),
]


def test_what_is_no_letter(eve: Eve) -> None:
    """All in one chain: each is ignored for its own reason, and what lies between them is read."""
    tip: list[str] = []
    names = []
    for content, _ in NO_LETTERS:
        tip = [eve.letter(content, tip)]
        names.append(tip[0])
        tip = [eve.letter(GOOD, tip)]
    eve.table.force(EVE, tip[0])
    assert bodies(eve.table.forge.look(NOW + 1), 1) == ["Hello."] * len(NO_LETTERS)
    notes = eve.table.ignored("eve")
    assert set(notes) == set(names)
    for name, (content, why) in zip(names, NO_LETTERS, strict=True):
        assert why in notes[name], content


def test_huge_objects_are_not_read(eve: Eve) -> None:
    """A blob, a tree and a commit of some megabytes each are known by their headers alone."""
    blob = eve.tree(("letter.yaml", b"x" * 3_000_000, FileMode.BLOB))
    assert "3,000,000 bytes" in eve.why(eve.commit(blob))
    empty = eve.repo.create_blob(b"")
    tree = eve.tree(*((f"{n}", empty, FileMode.BLOB) for n in range(40_000)))
    assert "nothing else" in eve.why(eve.commit(tree))
    good = eve.tree(("letter.yaml", GOOD, FileMode.BLOB))
    eve.put(eve.commit(good, "x" * 2_000_000))


def test_files_that_are_no_letter(eve: Eve) -> None:
    good = eve.repo.create_blob(GOOD)
    folder = eve.tree(("x", good, FileMode.BLOB))
    for tree, why in (
        (eve.tree(), "nothing else"),
        (eve.tree(("other.yaml", good, FileMode.BLOB)), "nothing else"),
        (eve.tree(("letter.yaml", good, FileMode.BLOB), ("more", good, FileMode.BLOB)), "nothing else"),
        (eve.tree(("letter.yaml", eve.repo.create_blob(b"/etc/passwd"), FileMode.LINK)), "no plain file"),
        (eve.tree(("letter.yaml", good, FileMode.BLOB_EXECUTABLE)), "no plain file"),
        (eve.tree(("letter.yaml", folder, FileMode.TREE)), "no plain file"),
        (eve.tree(("letter.yaml", eve.repo[eve.table.main()].id, FileMode.COMMIT)), "no plain file"),
    ):
        assert why in eve.why(eve.commit(tree))


@pytest.mark.threat("T-77")
@pytest.mark.parametrize("ref", [EVE, "refs/pull/7/head"])
@pytest.mark.parametrize(
    "author", [b"Eve <>", b"Eve <eve>", b"Eve <e ve@x.org>", b"Eve <" + b"e" * 300 + b"@x>"], ids=range(4)
)
@pytest.mark.sampled(2)
def test_authors_without_an_address(eve: Eve, author: bytes, ref: str) -> None:
    tree = str(eve.tree(("letter.yaml", GOOD, FileMode.BLOB))).encode()
    made = eve.raw(b"tree %s\nauthor %s 1 +0000\ncommitter %s 1 +0000\n\nx\n" % (tree, author, author))
    eve.put(made, ref)


def test_odd_authors_are_shown_on_one_line(eve: Eve) -> None:
    tree = str(eve.tree(("letter.yaml", GOOD, FileMode.BLOB))).encode()
    author = b"E\x1b[31mve\x07 \xff\xe2\x80\xa8" + b"x" * 500 + b" <EVE@x.org> 99999999999999999 +9999"
    eve.table.force(EVE, eve.raw(b"tree %s\nauthor %s\ncommitter %s\nencoding odd\n\nx\n" % (tree, author, author)))
    (seen,) = eve.table.forge.look(NOW + 1).remarks[1]
    assert seen.author.id == "eve@x.org"
    assert seen.author.handle.startswith("E [31mve")
    assert len(seen.author.handle) == 100
    assert seen.author.handle.isprintable()
    assert seen.at == NOW + 1  # whatever the commit says about time
    kelvin = pygit2.Signature("Bob", "bo\u212a@x.org", 1, 0)
    eve.table.force(EVE, eve.letter(GOOD, by=kelvin))
    seen = eve.table.forge.look(NOW + 2).remarks[1][-1]
    assert seen.author.id == "bo\u212a@x.org", "only ASCII letters lose their case"


@pytest.mark.parametrize(
    "name",
    ["refs/pull/0/head", "refs/pull/007/head", "refs/pull/-1/head", "refs/pull/9999999999/head", "refs/pull/1/merge",
     "refs/pull/x/head", "refs/moot/letters/a/b", "refs/moot/letters/ünï", "refs/moot/letters/-a",
     "refs/moot/letters/" + "x" * 200, "refs/pull/١/head"],
)  # fmt: skip
@pytest.mark.sampled(3)
def test_odd_names(eve: Eve, name: str) -> None:
    assert "such a name" in eve.why(eve.letter(GOOD), name)


def test_a_title_of_any_bytes(eve: Eve) -> None:
    tree = str(eve.tree()).encode()
    message = b"\n\n\x1b[2Jdrop\x01ped \xff" + b"y" * 500 + b"\r\n\r\nbody\x07\r\nmore"
    data = b"tree %s\nauthor E <e@x.org> 1 +0000\ncommitter E <e@x.org> 1 +0000\n\n%s" % (tree, message)
    eve.table.force("refs/pull/7/head", eve.raw(data))
    seen = pull(eve.table.forge.look(NOW + 1), 7)
    assert seen.title.isprintable()
    assert len(seen.title) <= 200
    assert "\x07" not in seen.body
    assert pull(eve.table.forge.look(NOW + 2), 7) == seen


@pytest.mark.threat("T-30")
def test_deep_chains_and_thousands_of_letters(eve: Eve) -> None:
    letters = 10_000 if FUZZ else 1_500
    tip: list[Any] = []
    tree = eve.tree(("letter.yaml", GOOD, FileMode.BLOB))
    for _ in range(letters):
        tip = [eve.repo.create_commit(None, SIGNATURE, SIGNATURE, "x", tree, tip)]
    eve.table.force(EVE, str(tip[0]))
    assert len({each.id for each in eve.table.forge.look(NOW + 1).remarks[1]}) == letters
    name = eve.table.comment("bob", 1, "At last.")
    assert eve.table.forge.look(NOW + 2).remarks[1][-1].id == name


def test_too_many_letters_at_once_are_not_read(eve: Eve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.local.letters.MAXIMUM_NEW", 20)
    tip: list[Any] = []
    for _ in range(21):
        tip = [eve.letter(GOOD, tip)]
    assert "more than 20 letters at once" in eve.why(tip[0])
    eve.table.force(EVE, eve.letter(GOOD, tip))
    assert len(eve.table.forge.look(NOW + 9).remarks[1]) == 1  # the next one is read again


def test_a_letter_is_found_below_its_newer_ones_only(eve: Eve) -> None:
    """A merge brings no letters of its second parent's."""
    first = eve.letter(GOOD)
    other = eve.letter(b"pull: 1\nkind: comment\nbody: Smuggled.\n")
    merge = eve.letter(b"pull: 1\nkind: comment\nbody: Merged.\n", [first, other])
    eve.table.force(EVE, merge)
    assert bodies(eve.table.forge.look(NOW + 1), 1) == ["Hello.", "Merged."]


def test_copying_somebody_elses_letters_says_nothing_twice(table: LocalTable) -> None:
    table.comment("bob", 1, "Once.")
    tip = str(table.repo.references["refs/moot/letters/bob@x-org"].target)
    before = table.forge.look(NOW + 1)
    table.force("refs/moot/letters/copy", tip)
    assert facts(table.forge.look(NOW + 2)) == facts(before)
    table.force("refs/moot/letters/copy", "")  # nor does its end delete anything
    assert facts(table.forge.look(NOW + 3)) == facts(before)


@pytest.mark.threat("T-17")
@pytest.mark.parametrize("kind", ["close", "describe"])
def test_nobody_changes_what_another_opened(table: LocalTable, kind: str) -> None:
    table.open("bob", "Another")
    before = table.forge.look(NOW + 1)
    name = table.send("eve", pull=2, kind=kind, body="Yours.")
    assert facts(table.forge.look(NOW + 2)) == facts(before)
    assert table.ignored("eve") == {name: f"only Bob may {kind} that"}


# Histories that are rewritten


def letters_of(table: LocalTable, person: str) -> list[str]:
    ref = f"refs/moot/letters/{person}@x-org"
    return git(table.hub, "rev-list", "--first-parent", "--reverse", ref).split()


def rewrite(table: LocalTable, person: str, chosen: Callable[[list[str]], list[bytes]]) -> None:
    """Replace a person's chain by new commits with these contents."""
    signature = pygit2.Signature(person.capitalize(), f"{person}@x.org", 77, 0)
    writer, tip = Eve(table), None
    for content in chosen(letters_of(table, person)):
        tip = writer.letter(content, [tip] if tip else [], signature)
    assert tip is not None
    table.force(f"refs/moot/letters/{person}@x-org", tip)


def content(table: LocalTable, name: str) -> bytes:
    blob = table.repo[name].tree["letter.yaml"]
    assert isinstance(blob, pygit2.Blob)
    return blob.data


def test_a_chain_written_anew_says_nothing_new_and_what_is_dropped_from_it_stays(table: LocalTable) -> None:
    names = [table.comment("bob", 1, f"{n}") for n in range(3)]
    before = table.forge.look(NOW + 1)
    rewrite(table, "bob", lambda old: [content(table, name) for name in old])
    assert facts(table.forge.look(NOW + 2)) == facts(before)
    table.comment("bob", 1, "3")
    assert bodies(table.forge.look(NOW + 3), 1) == ["0", "1", "2", "3"]
    rewrite(table, "bob", lambda old: [content(table, name) for name in (old[0], old[2], old[3])])
    seen = table.forge.look(NOW + 4)
    assert bodies(seen, 1) == ["0", "1", "2", "3"]
    assert [each.id for each in seen.remarks[1][:3]] == names


def test_a_review_turned_round_in_its_chain_is_a_new_one(table: LocalTable) -> None:
    name, head = table.review("bob", 1, "approve"), table.head(1).encode()
    table.forge.look(NOW + 1)
    rewrite(table, "bob", lambda _: [b'pull: 1\nkind: request_changes\nhead: "%s"\n' % head])
    seen = table.forge.look(NOW + 2).remarks[1]
    assert [(each.kind, each.at - NOW) for each in seen] == [("approve", 1), ("request_changes", 2)]
    assert seen[0].id == name


def test_what_was_said_in_a_deleted_chain_stays_and_the_chain_may_come_back(table: LocalTable) -> None:
    table.comment("bob", 1, "Here.")
    table.forge.look(NOW + 1)
    tip = letters_of(table, "bob")[-1]
    table.force("refs/moot/letters/bob@x-org", "")
    assert bodies(table.forge.look(NOW + 2), 1) == ["Here."]
    table.force("refs/moot/letters/bob@x-org", tip)
    assert len(table.forge.look(NOW + 3).remarks[1]) == 1
    table.comment("bob", 1, "Again.")
    assert bodies(table.forge.look(NOW + 4), 1) == ["Here.", "Again."]


def test_a_deleted_pull_request_stays_as_it_was_seen(table: LocalTable) -> None:
    before = table.forge.look(NOW + 1)
    head = table.head(1)
    table.force("refs/pull/1/head", "")
    after = table.forge.look(NOW + 2)
    assert facts(after) == facts(before)
    fresh = table.another()
    fresh.look(NOW + 3)
    assert head in fresh.refs.repo  # everybody still gets it
    assert table.open("bob", "Next") == 2  # and its number is not given again
    table.force("refs/pull/1/head", head)
    assert pull(table.forge.look(NOW + 4), 1) == before.pulls[0]


def test_a_head_that_goes_back_arrives_again(table: LocalTable) -> None:
    first = table.head(1)
    second = table.push("ann", 1)
    table.forge.look(NOW + 1)
    table.force("refs/pull/1/head", first)
    seen = pull(table.forge.look(NOW + 2), 1)
    assert [(push.commit, push.at) for push in seen.pushes] == [(first, NOW), (second, NOW + 1), (first, NOW + 2)]


@pytest.mark.threat("T-39")
def test_nothing_observed_is_ever_lost(table: LocalTable, tmp_path: Path) -> None:
    """Even if every other ref goes away and the rest is thrown out."""
    name = table.comment("bob", 1, "Here.")
    head = table.head(1)
    table.forge.look(NOW + 1)
    for ref in ("refs/pull/1/head", "refs/moot/letters/bob@x-org"):
        table.force(ref, "")
    git(table.hub, "reflog", "expire", "--expire=now", "--all")
    git(table.hub, "gc", "--quiet", "--prune=now")
    repo = pygit2.Repository(str(table.hub))
    assert name in repo
    assert head in repo


def test_a_branch_that_is_rewritten(table: LocalTable) -> None:
    before, after = table.played()
    assert table.forge.publish(before, after)
    table.force(table.branch, Eve(table).commit(Eve(table).tree(), "Another world"))
    seen = table.forge.look(NOW + 5)
    assert (seen.main, seen.known) == (table.main(), after)
    assert pull(seen, 1).state == "open"


@pytest.mark.threat("T-39")
def test_an_observation_that_is_gone_begins_anew(table: LocalTable) -> None:
    table.comment("bob", 1, "Here.")
    table.forge.look(NOW + 1)
    table.force("refs/moot/forge", "")
    with pytest.raises(ProblemError, match="refs/moot/forge is gone"):
        table.forge.look(NOW + 50)
    assert table.forge.refs.accept_past()
    seen = table.forge.look(NOW + 50)
    assert [each.at for each in seen.remarks[1]] == [NOW + 50]


@pytest.mark.threat("T-39")
def test_a_damaged_observation_is_named(table: LocalTable, eve: Eve) -> None:
    good = table.observation()
    files = [eve.tree(("standing.json", text, FileMode.BLOB)) for text in (b"[", b"[1]")]
    for damaged in (str(eve.repo.create_blob(b"x")), str(files[0]), *map(eve.commit, files)):
        table.force("refs/moot/forge", damaged)
        with pytest.raises(ProblemError, match="E-FORGE: what was seen of the forge is damaged"):
            table.forge.look(NOW + 1)
    table.force("refs/moot/forge", good)
    assert pull(table.forge.look(NOW + 1), 1).pushes[0].at == NOW


def test_more_refs_than_one_commit_should_have_as_parents(table: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.cache.forge_cache._MOST_PARENTS", 3)
    for _ in range(8):
        table.open("bob", "Another")
    assert len(table.forge.look(NOW + 1).pulls) == 9
    commit = table.repo[table.observation()]
    assert isinstance(commit, pygit2.Commit)
    assert len(commit.parent_ids) == 3  # the last two heads, and the commits before
    for number in range(2, 10):
        assert table.repo.descendant_of(table.observation(), table.head(number))


def test_a_clock_that_runs_backwards_stamps_nothing_earlier(table: LocalTable) -> None:
    table.comment("bob", 1, "First.")
    table.forge.look(NOW + 100)
    table.comment("bob", 1, "Second.")
    seen = table.another().look(NOW + 50)
    assert seen.at == NOW + 100
    assert [each.at for each in seen.remarks[1]] == [NOW + 100, NOW + 100]
    assert [each.order for each in seen.remarks[1]] == [1, 2]


def test_answering_does_not_reopen_or_unmerge(table: LocalTable) -> None:
    before, after = table.played((table.head(1),))
    table.forge.look(NOW + 1)
    assert table.forge.publish(before, after)
    table.forge.answer([Answer(pull=1, text="x", state="closed")])
    assert pull(table.forge.look(NOW + 2), 1).state == "merged"
    name = table.send("ann", pull=1, kind="close")
    assert pull(table.forge.look(NOW + 3), 1).state == "merged"
    assert table.ignored("ann") == {name: "the pull request is merged already"}


def test_a_repository_without_any_commit(tmp_path: Path) -> None:
    hub, here = bare(tmp_path), tmp_path / "here"
    git(tmp_path, "init", "--quiet", "--bare", str(here))
    forge = LocalForge(here, str(hub))
    snapshot = forge.look(NOW)
    assert (snapshot.main, snapshot.known, snapshot.pulls) == ("", "", ())
    assert git(hub, "for-each-ref") == ""  # nothing to say, nothing written
    repo = forge.refs.repo
    first = str(repo.create_commit(None, SIGNATURE, SIGNATURE, "x", repo.TreeBuilder().write(), []))
    assert forge.publish("", first)
    assert forge.look(NOW + 1).main == first
