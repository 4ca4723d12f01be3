"""Attack 9, not tried before: pins of the engine that somebody changed, in a pull request and in a clone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pygit2
import pytest

from folkmoot import __version__
from folkmoot.forges.workflows import LOCK, WHEELS
from tests.support.moot import Moot
from tests.support.town import Town
from tests.workflows.wheels import wheel

A, B = "a" * 64, "b" * 64
CLICK = f"click==8.2.1 \\\n    --hash=sha256:{A}\n"
Files = dict[str, bytes | None]


def lock(version: str = __version__, digest: str = A, rest: str = CLICK) -> bytes:
    return f"folkmoot=={version} \\\n    --hash=sha256:{digest}\n{rest}".encode()


def named(version: str) -> str:
    return f"{WHEELS}/folkmoot-{version}-py3-none-any.whl"


NEXT = "99.0"
PULLS: Mapping[str, tuple[Files, str, tuple[str, ...]]] = {
    "a new engine": ({LOCK: lock(NEXT)}, "pending", (f"It pins Folkmoot {NEXT} instead of {__version__}.",)),
    "with its wheel": ({LOCK: lock(NEXT), named(NEXT): b"x", named(__version__): None}, "pending", (NEXT,)),
    "another file": ({LOCK: lock(digest=B)}, "pending", ("It pins another file as Folkmoot", "where it comes from")),
    "another package": ({LOCK: lock(NEXT, rest=CLICK.replace("8.2.1", "8.2.0"))}, "pending", ("changes too: click",)),
    "no pin": ({LOCK: None}, "failure", ("folkmoot itself is not pinned",)),
    "no engine": ({LOCK: CLICK.encode()}, "failure", ("folkmoot itself is not pinned",)),
    "an address": ({LOCK: lock() + b"--index-url https://evil.example\n"}, "failure", (f"{LOCK}:5: ", "no pinned pack")),
    "no hash": ({LOCK: b"folkmoot==1.0\n"}, "failure", (f"{LOCK}:1: ", "no pinned package")),
    "bytes": ({LOCK: bytes(range(256))}, "failure", (LOCK, "no pinned package")),
    "a mountain": ({LOCK: b"x" * 1_000_001}, "failure", (f"{LOCK}:1: ", "no pinned package: no plain file")),
    "an older engine": ({LOCK: lock("0.0.1")}, "failure", ("the pin goes back to Folkmoot 0.0.1, which is older",)),
    "a wheel of another version": ({named("1.0"): b"x"}, "pending", ("folkmoot-1.0-py3-none-any.whl is no wheel of",)),
    "a wheel of something else": ({f"{WHEELS}/click-8.2.1-py3-none-any.whl": b"x"}, "pending", ("is no wheel of",)),
    "the jobs": ({".github/workflows/referee.yml": b"on: push\n"}, "pending",
                 ("It changes the jobs themselves: .github/workflows/referee.yml.",)),
    "new jobs elsewhere": ({f".gitea/workflows/{n}.yml": b"on: push\n" for n in range(9)}, "pending",
                           ("the jobs themselves: .gitea/workflows/0.yml, ", "4.yml and 4 more.")),
    "neither": ({"ci/notes.md": b"x", "README.md": b"x"}, "pending", ()),
}  # fmt: skip


@pytest.mark.threat("T-79")
def test_whoever_changes_the_pin_changes_the_referee_and_each_change_is_a_sentence(tmp_path: Path) -> None:
    town = Town(tmp_path, maintainers=["ann"])
    town.put("refs/heads/main", town.change("ann", {LOCK: lock(), named(__version__): b"x"}))
    pulls = {name: town.pull(town.change("dee", files, name)) for name, (files, _, _) in PULLS.items()}
    base = town.repo[town.tip()].peel(pygit2.Tree)
    linked = town.repo.TreeBuilder(base["ci"])
    linked.insert("engine.lock", town.repo.create_blob(b"../LICENSE"), pygit2.enums.FileMode.LINK)
    root = town.repo.TreeBuilder(base)
    root.insert("ci", linked.write(), pygit2.enums.FileMode.TREE)
    who = town.signature("dee")
    link = town.pull(str(town.repo.create_commit(None, who, who, "A link", root.write(), [town.tip()])))
    town.referee()
    for name, (_, state, words) in PULLS.items():
        said, check = town.said(pulls[name]), town.check(pulls[name])
        assert check[0] == state, (name, check)
        assert ("What it would change of the referee" in said) == bool(words), name
        for each in words:
            assert each in said, (name, each, said)
        assert ("Must not be merged" in check[1]) == (state == "failure"), (name, check)
        assert said.count("Must not be merged") == (state == "failure"), (name, said)
    assert "no plain file" in town.said(link)
    for pull in (pulls["an older engine"], pulls["a new engine"]):
        town.approve("ann", pull)
    town.referee(60)
    assert town.check(pulls["an older engine"])[0] == "failure", "nobody's approval makes a broken pin good"
    assert town.check(pulls["a new engine"])[0] == "success"
    assert town.referee(60).answers == 0


@pytest.mark.threat("T-79")
def test_a_pin_is_held_against_the_wheel_beside_it_and_the_games(table: Moot, tmp_path: Path) -> None:
    built = wheel(tmp_path / "built", NEXT)
    assert table("init", "--pin", str(built)).code == 0
    assert table("init", "--pin", "--check").code == 0
    kept = tmp_path / WHEELS / built.name
    good, written = kept.read_bytes(), (tmp_path / LOCK).read_text()
    digest = hashlib.sha256(good).hexdigest()

    def refused(*words: str) -> None:
        said = table("init", "--pin", "--check")
        assert (said.code, said.err.count("[E-PIN]")) == (1, 1), said
        for each in words:
            assert each in said.err, (each, said.err)

    kept.write_bytes(good + b"x")
    refused("folkmoot-99.0-py3-none-any.whl is another file than", "moot init --pin")
    kept.write_bytes(good)
    kept.rename(other := kept.with_name("folkmoot-98.0-py3-none-any.whl"))
    refused("folkmoot-98.0-py3-none-any.whl is no wheel of Folkmoot 99.0")
    other.rename(kept)
    (tmp_path / LOCK).write_text(written.replace("folkmoot==99.0", "folkmoot==0.0.1"))
    kept.rename(old := kept.with_name("folkmoot-0.0.1-py3-none-any.whl"))
    refused("goes back to Folkmoot 0.0.1", "that judges table")
    old.rename(kept)
    (tmp_path / LOCK).write_text(written.replace(digest, "c" * 64))
    refused("another file")
    (tmp_path / LOCK).write_text(written)
    assert table("init", "--pin", "--check").code == 0


@pytest.mark.threat("T-79")
def test_no_older_engine_is_pinned_for_a_game_that_a_newer_one_judges(table: Moot, tmp_path: Path) -> None:
    said = table("init", "--pin", str(wheel(tmp_path / "built", "0.0.1")))
    assert said.code == 1
    assert f"Folkmoot 0.0.1, which is older than {__version__}, and that judges table" in said.err
    assert not (tmp_path / LOCK).exists()
