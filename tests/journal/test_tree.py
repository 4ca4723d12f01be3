"""A game at a commit is the same game as on disk: whatever is read of it, and whatever tree is made of it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.game.epoch_secrets import make_secret
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder, GameRecord, Head
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.layout import entry_name
from folkmoot.journal.tree import GameTree
from tests.support.meeting import git
from tests.support.toy_game import MOVES, START, Toy, files, replay

ME = "Ann Abel <ann@example.org>"


@pytest.fixture
def repo(tmp_path: Path) -> pygit2.Repository:
    return pygit2.init_repository(tmp_path / "bare", bare=True)


@pytest.fixture
def tree(repo: pygit2.Repository) -> GameTree:
    """Return a toy game with some history, committed."""
    toy = Toy(GameTree(repo, "", "toy"))
    toy.play()
    toy.folder.commit("Play", ME, START)
    found: GameTree = toy.folder
    return found


def committed(repo: pygit2.Repository, commit: str, path: str = "state/toy") -> dict[str, bytes]:
    """Return the files of a folder of a commit by their paths inside it, as git itself lists them."""
    listed = git(repo.path, "ls-tree", "-r", "--format=%(objectname) %(path)", f"{commit}:{path}").splitlines()
    return {name: repo[blob].data for blob, name in (line.split(" ", 1) for line in listed)}


def everything(record: GameRecord, more_keys: Sequence[str] = ()) -> dict[str, Any]:
    """Return whatever can be read of a game, and the problems that reading gets."""

    def tried(read: Any) -> Any:
        try:
            return read()
        except ProblemError as error:
            return [(problem.code, problem.message) for problem in error.problems]

    keys = tried(record.archived_keys)
    return {
        "name": record.name,
        "exists": record.exists,
        "head": tried(lambda: record.head),
        "load": tried(record.load),
        "archived_keys": keys,
        "archive": {key: tried(lambda key=key: record.archive(key)) for key in [*keys, *more_keys] if key is str(key)},
        "entries": tried(lambda: list(record.entries())),
        "some entries": tried(lambda: list(record.entries(2, 5, having=["score"]))),
        "entry": tried(lambda: record.entry(3)),
        "files": {name: record.read(name) for name, _ in sorted(record.walk())},
        "kinds": sorted(record.walk()),
        "below": sorted(record.listing("rules")),
    }


# -- the same game as on disk


class Both:
    """Plays one game on disk and in git alone, side by side."""

    def __init__(self, root: Path) -> None:
        self.disk = pygit2.init_repository(root / "disk")
        self.bare = pygit2.init_repository(root / "bare", bare=True)
        self.toys = Toy(root / "disk" / "state" / "toy"), Toy(GameTree(self.bare, "", "toy"))

    def act(self, do: str, by: str | None = "bob", **with_: Any) -> None:
        for toy in self.toys:
            toy.act(do, by, None, **with_)

    def commit(self, message: str) -> tuple[str, str]:
        on_disk, in_git = (toy.folder.commit(message, ME, START) for toy in self.toys)
        return str(self.disk[on_disk].tree_id), str(self.bare[in_git].tree_id)


@settings(max_examples=15)
@given(st.lists(MOVES, max_size=8), st.sets(st.integers(0, 7)))
def test_the_same_play_gives_the_same_trees_and_reads_the_same(
    moves: list[tuple[str, dict[str, Any]]], commits: set[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        both = Both(Path(folder))
        both.act("found", None, title="Any", chance={})
        for number, (do, with_) in enumerate(moves):
            both.act(do, **with_)
            if number in commits:
                on_disk, in_git = both.commit(f"Move {number}")
                assert on_disk == in_git
        one, other = (toy.folder for toy in both.toys)
        assert everything(one) == everything(other)  # partly uncommitted
        if other.touched:
            on_disk, in_git = both.commit("The rest")
            assert on_disk == in_git
        fresh = GameTree(both.bare, other.commit_id, "toy")
        assert everything(fresh) == everything(one) == everything(other)
        assert committed(both.bare, other.commit_id) == files(one.path)
        assert verify(fresh, replay).record() == verify(one, replay).record()
        assert one.commit("Nothing") is None
        assert not fresh.touched


@pytest.mark.parametrize(
    ("name", "data", "code", "opens"),
    [
        ("head.yaml", None, "E-CHAIN", False),
        ("head.yaml", b"seq: one\n", "E-CHAIN", False),
        ("head.yaml", b"\xff", "E-CHAIN", False),
        (entry_name(10), None, "E-CHAIN", False),
        (entry_name(10), b"seq: 10\n", "E-CHAIN", False),
        (entry_name(3), None, "E-CHAIN", True),
        (entry_name(3), b"\xff\xfe", "E-CHAIN", True),
        (entry_name(11), b"seq: 11\n", "E-CHAIN", False),
        ("game.yaml", None, "E-DERIVED", False),
        ("game.yaml", b"- a list\n", "E-DERIVED", False),
        ("rules/101.yaml", b"rule: [\n", "E-DERIVED", False),
        ("proposals/300/399.yaml", None, "E-DERIVED", False),
        ("stray.yaml", b"a: 1\n", "E-STRAY", True),
        ("things/deep/er.yaml", b"a: 1\n", "E-STRAY", True),
    ],
)
def test_damage_is_found_as_on_disk(
    tmp_path: Path, tree: GameTree, name: str, data: bytes | None, code: str, opens: bool
) -> None:
    """The same damage on disk and in a commit: the same is read, and the same said of it."""
    assert tree.tree_id is not None
    folder = GameFolder(tmp_path / "state" / "toy")
    for path, held in committed(tree.repo, tree.commit_id).items():
        (folder.path / path).parent.mkdir(parents=True, exist_ok=True)
        (folder.path / path).write_bytes(held)
    if data is None:
        (folder.path / name).unlink()
    else:
        (folder.path / name).parent.mkdir(parents=True, exist_ok=True)
        (folder.path / name).write_bytes(data)
    damaged = at_changed(tree, {name: data})
    assert everything(damaged) == everything(folder)
    said = [(problem.code, problem.message) for problem in verify(damaged, replay).problems]
    assert said == [(problem.code, problem.message) for problem in verify(folder, replay).problems]
    assert code in [each for each, _ in said]
    loaded = everything(folder)["load"]
    assert isinstance(loaded, list) != opens
    assert opens or loaded[0][0] == code


def at_changed(tree: GameTree, changes: dict[str, bytes | None]) -> GameTree:
    """Return a game as it is at a commit that somebody made by hand."""
    root = tree.repo[tree.commit_id].peel(pygit2.Tree).id
    made = write_tree(tree.repo, root, {f"{tree.path}/{name}": data for name, data in changes.items()})
    who = pygit2.Signature("Hand", "hand@example.org", START, 0)
    commit = tree.repo.create_commit(None, who, who, "By hand", made, [tree.commit_id])
    return GameTree(tree.repo, str(commit), tree.name)


# -- commits


def test_commits_touch_nothing_but_the_game(tmp_path: Path) -> None:
    """Whatever lies beside it keeps its bytes, its mode and its id; no branch, index or work tree moves."""
    repo = pygit2.init_repository(tmp_path / "repo", initial_head="main")
    root = tmp_path / "repo"
    for name in ("README.md", "state/other/game.yaml", "state/toy.txt", "state/toy-2/game.yaml", "zoo/run.sh"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    (root / "zoo" / "run.sh").chmod(0o755)
    (root / "zoo" / "link").symlink_to("../README.md")
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "Start")
    before = str(repo.head.target)
    (root / "README.md").write_text("work in progress\n")
    index = (root / ".git" / "index").read_bytes()
    toy = Toy(GameTree(repo, before, "toy"))
    toy.play()
    commit = toy.folder.commit("Play", ME, START)
    changed = git(repo.path, "diff-tree", "-r", "--name-only", "--no-renames", before, commit).splitlines()
    assert changed
    assert all(name.startswith("state/toy/") for name in changed)
    assert str(repo.head.target) == before
    assert list(repo.references) == ["refs/heads/main"]
    assert (root / ".git" / "index").read_bytes() == index
    assert not (root / "state" / "toy").exists()
    assert git(repo.path, "rev-list", "--parents", "-1", commit) == f"{commit} {before}"
    git(repo.path, "fsck", "--strict")


def test_going_on_from_another_commit(repo: pygit2.Repository, tree: GameTree) -> None:
    """Possible as long as the game is the same there; what else was committed meanwhile does not matter."""
    other = GameTree(repo, tree.commit_id, "other")
    Toy(other).play()
    meanwhile = other.commit("Another game", ME, START)
    played = GameTree(repo, tree.commit_id, "toy")
    tree.append([{"at": START + 9_000, "do": "state"}], {})
    tree.go_on(meanwhile)
    commit = tree.commit("On", ME, START)
    assert GameTree(repo, commit, "other").tree_id == other.tree_id
    played.append([{"at": START + 9_000, "do": "tick"}], {})
    with pytest.raises(ProblemError, match="E-MOVED"):
        played.go_on(commit)
    assert played.touched
    fresh = GameTree(repo, meanwhile, "toy")
    fresh.go_on(commit)
    assert fresh.head.seq == 11


# -- what else may lie in a commit


def test_odd_things_in_a_tree_are_seen_but_not_read(repo: pygit2.Repository, tree: GameTree) -> None:
    assert tree.tree_id is not None
    builder = repo.TreeBuilder(repo[tree.tree_id])
    target = repo.create_blob(b"/etc/passwd")
    builder.insert("link.yaml", target, pygit2.enums.FileMode.LINK)
    builder.insert("module", pygit2.Oid(hex=tree.commit_id), pygit2.enums.FileMode.COMMIT)
    builder.insert("run.yaml", repo.create_blob(b"a: 1\n"), pygit2.enums.FileMode.BLOB_EXECUTABLE)
    inner = builder.write()
    odd = raw_tree(
        repo, [(b"40000", b"st\xffate", inner), (b"40000", b"state", raw_tree(repo, [(b"40000", b"toy", inner)]))]
    )
    who = pygit2.Signature("Hand", "hand@example.org", START, 0)
    commit = str(repo.create_commit(None, who, who, "Odd", odd, []))
    found = GameTree(repo, commit, "toy")
    kinds = dict(found.walk())
    assert (kinds["link.yaml"], kinds["module"], kinds["run.yaml"]) == ("other", "other", "file")
    assert found.read("link.yaml") is None
    assert found.read("module") is None
    assert found.read("rules") is None
    with pytest.raises(ProblemError, match="E-DERIVED"):
        found.load()
    problems = verify(found, replay).problems
    assert [problem.position.file for problem in problems if "plain" in problem.message and problem.position] == [
        "state/toy/link.yaml", "state/toy/module"
    ]  # fmt: skip
    found.append([{"at": START + 9_000, "do": "state"}], {})
    later = found.commit("On", ME, START)
    assert b"st\xffate" in repo.read(repo[later].peel(pygit2.Tree).id)[1]  # names that are no UTF-8 stay as they are


def raw_tree(repo: pygit2.Repository, items: list[tuple[bytes, bytes, pygit2.Oid]]) -> pygit2.Oid:
    data = b"".join(
        mode + b" " + name + b"\0" + oid.raw for mode, name, oid in sorted(items, key=lambda i: i[1] + b"/")
    )
    return repo.odb.write(pygit2.enums.ObjectType.TREE, data)


@pytest.mark.parametrize("name", [b"\xff.yaml", b"a\nb.yaml"])
def test_a_name_that_no_game_has_is_reported(repo: pygit2.Repository, tree: GameTree, name: bytes) -> None:
    assert tree.tree_id is not None
    raw = repo.read(tree.tree_id)[1]
    items = [(b"100644", name, repo.create_blob(b"a: 1\n"))]
    data = raw + b"".join(mode + b" " + n + b"\0" + oid.raw for mode, n, oid in items)
    inner = repo.odb.write(pygit2.enums.ObjectType.TREE, data)
    root = raw_tree(repo, [(b"40000", b"state", raw_tree(repo, [(b"40000", b"toy", inner)]))])
    who = pygit2.Signature("Hand", "hand@example.org", START, 0)
    found = GameTree(repo, str(repo.create_commit(None, who, who, "Odd", root, [])), "toy")
    assert [problem.code for problem in verify(found, replay).problems] == ["E-STRAY"]


def test_there_may_be_no_game(repo: pygit2.Repository, tree: GameTree) -> None:
    for none in (
        GameTree(repo, "", "toy"),
        GameTree(repo, tree.commit_id, "none"),
        GameTree(repo, tree.commit_id, "toy", "x"),
    ):
        assert not none.exists
        assert (none.head, none.tree_id, list(none.entries())) == (Head(), None, [])
        with pytest.raises(ProblemError, match="E-NO-GAME"):
            none.load()


# -- played by sessions


def test_outside_a_repository_no_secret_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="E-OUTSIDE"):
        make_secret(GameFolder(tmp_path / "loose"))


@pytest.mark.threat("T-140")
def test_folders_that_lie_very_deep_in_a_commit_are_refused(repo: pygit2.Repository) -> None:
    inner = repo.TreeBuilder().write()
    for _ in range(1_100):
        around = repo.TreeBuilder()
        around.insert("deep", inner, pygit2.GIT_FILEMODE_TREE)
        inner = around.write()
    game = repo.TreeBuilder()
    game.insert("state", inner, pygit2.GIT_FILEMODE_TREE)
    me = pygit2.Signature("Ann", "ann@example.org")
    deep = GameTree(repo, str(repo.create_commit(None, me, me, "Deep", game.write(), [])), "deep")
    with pytest.raises(ProblemError, match="deep within each other"):
        list(deep.walk())
