"""A clone beside its remote: older play, newer play, what was changed by hand, a fork, and a remote that cannot be trusted."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pygit2
import pytest

from folkmoot.cli.repositories import address_of, fork_note
from folkmoot.core.problems import ProblemError
from folkmoot.journal.repositories import open_repository
from folkmoot.ops.table import lay
from tests.support.gathering import Gathering, state_of
from tests.support.meeting import GAME, git, identity
from tests.support.moot import Moot

HOME = "https://github.com/moot/game"


def stale(gathering: Gathering) -> None:
    """Let bob's clone fall behind."""
    gathering.clone("bob")
    gathering.moot("ann", "act", "state", "Hear me.")
    gathering.referee()


def test_a_reading_command_says_that_there_is_newer_play(gathering: Gathering) -> None:
    stale(gathering)
    clone = gathering.clone("bob")
    for words in (("verify",), ("check",)):
        said = gathering.moot("bob", *words).err
        assert ("newer play, and you see the older" in said, "git pull" in said) == (True, True), words
    git(clone, "fetch", "--quiet")
    assert "newer play" in gathering.moot("bob", "verify").err
    assert "behind: `git pull`." in gathering.moot("bob", "status").out
    git(clone, "pull", "--quiet")
    assert "Mind" not in gathering.moot("bob", "check").err
    git(clone, "commit", "--quiet", "--allow-empty", "-m", "Mine")
    assert gathering.moot("bob", "verify").err == "", "what is ahead is not behind"
    gathering.tea()
    gathering.referee()
    assert "and has 1 commit of its own: `git pull --rebase`" in gathering.moot("bob", "status").out


def test_offline_what_was_fetched_last_is_compared_and_shown(gathering: Gathering) -> None:
    stale(gathering)
    said = gathering.moot("bob", "explain", "entry", "2")
    assert ("ann stated: Hear me." in said.out, said.err) == (True, ""), "what is explained is the newest play"
    away = gathering.folder / "away.git"
    shutil.move(gathering.bare, away)
    assert gathering.moot("bob", "verify").err == ""
    said = gathering.moot("bob", "explain", "entry", "2")
    assert "ann stated: Hear me." in said.out
    assert "This is what was fetched last." in said.err
    assert "Offline" in gathering.moot("bob", "explain", "entry", "2", "--offline").err
    assert "Not up to date: " in gathering.moot("bob", "status").err
    git(gathering.clone("bob"), "fetch", "--quiet", str(away), "main:refs/remotes/origin/main")
    assert "newer play" in gathering.moot("bob", "verify").err


def test_a_clone_of_a_fork_is_told_where_its_game_is_played(tmp_path: Path) -> None:
    repo = clone_of_a_game(tmp_path / "one", HOME)
    for address in ("https://github.com/bob/game.git", "git@github.com:bob/game"):
        assert f"`git remote set-url origin {HOME}`" in fork_note(repo, address)
    others = (
        "git@github.com:Moot/Game.git",
        "https://github.com/old/game",
        "https://elsewhere.example/bob/game",
        "/srv/g",
    )
    assert [address for address in others if fork_note(repo, address)] == []
    for number, home in enumerate(
        ("ext://github.com/moot/game", "--upload-pack=x", "http://[", "https://github.com/a\nb")
    ):
        note = fork_note(clone_of_a_game(tmp_path / f"x{number}", home), "https://github.com/bob/game.git")
        assert note == "", "nobody is led to what is no address on the web"


def clone_of_a_game(folder: Path, home: str) -> pygit2.Repository:
    """Return a repository with a game that says where it is played."""
    left = [{"kind": "github", "home": "https://github.com/old/game", "until": 5}]
    for name, value in (("game", {"forge": {"kind": "github", "home": home}, "left": left}), ("head", {})):
        (folder / "state" / "club").mkdir(parents=True, exist_ok=True)
        (folder / "state" / "club" / f"{name}.yaml").write_text(json.dumps(value), "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "state")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "--quiet", "--message", "One")
    return open_repository(folder)


def test_a_game_changed_by_hand_says_so_before_anything_else(gathering: Gathering) -> None:
    gathering.referee()
    clone = gathering.clone("eve")
    path = clone / "state" / GAME / "things" / "player.yaml"
    path.write_text(path.read_text().replace("score: 0", "score: 300", 1))
    git(clone, "commit", "--quiet", "-am", "I am rich")
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    said = gathering.moot("bob", "status")
    assert "changed" in said.err
    assert "by hand" in said.err
    assert "moot verify --repair" in said.err
    assert "player.yaml" in said.err
    assert gathering.moot("bob", "status", "--json").record["changed_by_hand"]


def test_the_table_is_named_by_an_option_a_variable_or_nothing(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = gathering.clone("ann")
    git(clone, "remote", "rename", "origin", "club")
    assert gathering.moot("ann", "status", "--json").record["place"] == str(gathering.bare), "the only one there is"
    assert gathering.moot("ann", "status", "--remote", "club", "--json").record["place"] == str(gathering.bare)
    monkeypatch.chdir(gathering.folder)
    assert gathering.moot("ann", "status", "--remote", "table.git", "--json").record["place"] == str(gathering.bare)
    git(clone, "remote", "remove", "club")
    assert gathering.moot("ann", "status", "--json").record["place"] == str(clone), "there is none"
    monkeypatch.setenv("MOOT_REMOTE", str(gathering.bare))
    assert gathering.tea() == 1
    assert gathering.head(1)


def test_players_of_one_repository_meet_in_it_and_a_bare_one_is_a_seat_too(gathering: Gathering, moot: Moot) -> None:
    path = gathering.folder / "bare-seat.git"
    git(gathering.folder, "clone", "--quiet", "--bare", str(gathering.bare), str(path))
    identity(path, "ann")
    assert "It is ann's turn" in moot("-C", str(path), "status").out
    assert "Sent to the thread" in moot("-C", str(path), "act", "state", "Hear me.").out
    clone = gathering.clone("ann")
    git(clone, "remote", "remove", "origin")
    before = state_of(clone)
    assert gathering.tea() == 1
    gathering.moot("ann", "vote", "1", "for")
    assert state_of(clone) == before
    assert git(clone, "rev-parse", "refs/pull/1/head")


# -- a remote that may have come with the clone


WITHIN = (
    *("./hub.git", "./hub", "hub", "x/../hub.git", "../clone/hub.git", "../elsewhere", "~/clone/hub.git"),
    *("/proc/self/cwd/hub.git", "/proc/thread-self/cwd/hub", "/dev/fd/../cwd/hub.git", "file:///proc/self/cwd/hub.git"),
    *("file://localhost/pro%63/self/cwd/hub.git", "./a://../hub.git", "/usr/../proc/self/cwd", "ROOT/hub.git"),
    *("ROOT/hub", "file://ROOT/hub.git"),
)
ELSEWHERE = (
    "TOP/hub.git",
    "TOP/linked/hub.git",
    "file://TOP/hub.git",
    "ann@example.invalid:hub.git",
    "https://example.invalid/a/b",
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    git(tmp_path, "init", "--quiet", str(root))
    git(tmp_path, "init", "--quiet", "--bare", str(root / "hub.git"))
    git(tmp_path, "init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    (tmp_path / "linked").symlink_to(tmp_path)
    (root / "a:").mkdir()
    return root


@pytest.mark.threat("T-78")
def test_a_remote_that_may_have_come_with_the_clone_is_refused(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone)
    repo = open_repository(clone)
    for address in WITHIN:
        repo.config["remote.origin.url"] = address.replace("ROOT", str(clone))
        with pytest.raises(ProblemError, match="beside this clone"):
            address_of(open_repository(clone), None)
    hub = str(clone.parent / "hub.git")
    for address in ELSEWHERE:
        repo.config["remote.origin.url"] = url = address.replace("TOP", str(clone.parent))
        assert address_of(open_repository(clone), None) in (url, hub)
        assert address_of(open_repository(clone), url) in (url, hub)


STARTS = ("hooks/pre-receive", "hooks/reference-transaction", "hooks/post-receive", "config", "include")


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("what", STARTS)
@pytest.mark.parametrize("address", ["TOP/hub.git", "TOP/hub", "file://TOP/hub.git", "TOP/linked/hub.git"])
@pytest.mark.sampled(3)
def test_a_guessed_path_to_what_would_run_programs_is_refused_until_it_is_trusted(
    clone: Path, address: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, hub = address.replace("TOP", str(clone.parent)), clone.parent / "hub.git"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(clone.parent / "mine"))
    git(clone, "config", "remote.origin.url", url)
    git(hub, "config", "receive.denyNonFastForwards", "true")
    assert address_of(open_repository(clone), None)
    if "/" in what:
        (hub / what).parent.mkdir(exist_ok=True)
        (hub / what).write_text(f"#!/bin/sh\n# Written by `moot table`.\npython=/bin/sh\ntouch {clone}/ran\n", "utf-8")
        (hub / what).chmod(0o755)
    else:
        git(hub, "config", "core.alternateRefsCommand" if what == "config" else "include.path", "touch ran")
    with pytest.raises(ProblemError, match=r"would run programs of its own|includes other files"):
        address_of(open_repository(clone), None)
    assert address_of(open_repository(clone), url), "who names it means it"
    if what != "include":
        trusted = hub.with_suffix("") if address == "TOP/hub" else hub
        git(clone, "config", "--global", "--add", "safe.directory", str(trusted))
        assert address_of(open_repository(clone), None)


def test_the_hooks_of_a_table_are_nobodys_own_programs(clone: Path) -> None:
    table = clone.parent / "table.git"
    lay(
        table,
        lambda work: git(
            work, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "--allow-empty", "-m", "One"
        ),
    )
    git(clone, "config", "remote.origin.url", str(table))
    assert address_of(open_repository(clone), None) == str(table)
    wakes = (table / "hooks/post-receive").read_text("utf-8")
    (table / "hooks/post-receive").write_text(wakes.replace(sys.executable, "/bin/sh"), "utf-8")
    with pytest.raises(ProblemError, match="post-receive"):
        address_of(open_repository(clone), None)


def test_in_a_file_such_as_a_bundle_nobody_meets(clone: Path) -> None:
    git(clone, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "--quiet", "--allow-empty", "-m", "One")
    git(clone, "bundle", "create", "--quiet", str(clone.parent / "game.bundle"), "HEAD")
    for scheme in ("", "file://"):
        git(clone, "config", "remote.origin.url", f"{scheme}{clone.parent / 'game.bundle'}")
        with pytest.raises(ProblemError, match=r"is a file .*, as a bundle is, and nobody meets there"):
            address_of(open_repository(clone), None)
