"""Trees of git made from what changed: the same as git makes of the same files, whatever was there before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pygit2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.journal.git_objects import FILE, FOLDER, changed_files, make_commit, signature, write_tree

ME = "Ann Abel <ann@example.org>"
names = st.sampled_from(["a", "a.yaml", "a-b", "b", "c", "journal", "ä ö"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
contents = st.dictionaries(paths, st.binary(max_size=4), max_size=8)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> pygit2.Repository:
    return pygit2.init_repository(tmp_path_factory.mktemp("bare"), bare=True)


DEEP = 3_000  # folders, more than Python calls functions within each other


def deep_tree(repo: pygit2.Repository, data: bytes, depth: int = DEEP) -> pygit2.Oid:
    """Store a tree of one file in ever deeper folders."""
    made, mode = repo.create_blob(data), FILE
    for _ in range(depth):
        builder = repo.TreeBuilder()
        builder.insert("a", made, mode)
        made, mode = builder.write(), FOLDER
    return made


def test_folders_that_lie_thousands_deep_are_told_in_a_sentence(repo: pygit2.Repository) -> None:
    with pytest.raises(ProblemError) as caught:
        list(changed_files(repo, deep_tree(repo, b"one"), deep_tree(repo, b"two")))
    assert [problem.code for problem in caught.value.problems] == ["E-FILE"]
    assert len(list(changed_files(repo, deep_tree(repo, b"one", 40), deep_tree(repo, b"two", 40)))) == 1


def possible(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return those files that can lie side by side: none is the folder of another."""
    return {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}


def listed(repo: pygit2.Repository, tree: pygit2.Oid) -> dict[str, bytes]:
    """Return the files of a tree as git itself lists them."""
    asked = ["git", "-C", repo.path, "ls-tree", "-r", "-z", str(tree)]
    lines = subprocess.run(asked, capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    parts = [line.split("\t", 1) for line in lines]
    return {path: repo[what.split()[2]].data for what, path in parts}


@settings(max_examples=60)
@given(contents, contents)
@example({"a": b"file"}, {"a/b": b"below"})
@example({"a/b": b"below"}, {"a": b"file"})
@example({"a/b/c": b"deep"}, {})
def test_a_tree_depends_on_its_files_alone(
    repo: pygit2.Repository, before: dict[str, bytes], after: dict[str, bytes]
) -> None:
    before, after = possible(before), possible(after)
    old = write_tree(repo, None, before)
    changes = {**dict.fromkeys(before), **after}
    new = write_tree(repo, old, changes)
    assert new == write_tree(repo, None, after)
    assert listed(repo, new) == after
    assert listed(repo, old) == before
    assert write_tree(repo, new, {**dict.fromkeys(after), **before}) == old


@settings(max_examples=60)
@given(contents, contents)
def test_what_differs_between_trees(repo: pygit2.Repository, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    before, after = possible(before), possible(after)
    found = {
        path: tuple(repo[side[0]].data if side else None for side in sides)
        for path, *sides in changed_files(repo, write_tree(repo, None, before), write_tree(repo, None, after))
    }
    wanted = {path: (before.get(path), after.get(path)) for path in {*before, *after}}
    assert found == {path: sides for path, sides in wanted.items() if sides[0] != sides[1]}


@pytest.mark.parametrize("path", ["../a", "a//b", "/a", ".git/config", "a/.git/hooks", ".", "a/", ""])
def test_paths_that_git_allows_nowhere(repo: pygit2.Repository, path: str) -> None:
    with pytest.raises(pygit2.GitError, match="invalid name"):
        write_tree(repo, None, {path: b"x"})


def test_a_commit_says_who_and_when(repo: pygit2.Repository) -> None:
    tree = write_tree(repo, None, {"a": b"x"})
    by, made_by = (
        signature(repo, "AUTHOR", ME, 1_767_614_400),
        signature(repo, "COMMITTER", "Moot <m@x>", 1_767_614_401),
    )
    first = make_commit(repo, tree, [], "One\n\nMore.", by, made_by)
    second = make_commit(repo, tree, [first, first], "Two", by, made_by)
    asked = ["git", "-C", repo.path, "show", "-s", "--format=%an|%ae|%at|%cn|%ce|%ct|%P|%s", second]
    shown = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.strip()
    assert shown == f"Ann Abel|ann@example.org|1767614400|Moot|m@x|1767614401|{first} {first}|Two"
    assert repo[first].message == "One\n\nMore."
    assert list(repo.references) == []


def test_who_commits_is_as_git_would_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = pygit2.init_repository(tmp_path / "own")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    own.config["user.name"], own.config["user.email"] = "Kept", "kept@example.org"
    kept = signature(own, "AUTHOR", None, None)
    assert (kept.name, kept.email) == ("Kept", "kept@example.org")
    assert abs(kept.time - tmp_path.stat().st_mtime) < 3600
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Given")
    assert signature(own, "AUTHOR", None, 5).name == "Given"
    assert signature(own, "COMMITTER", None, 5).name == "Kept"
