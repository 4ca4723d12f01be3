"""A table laid by one command: how many commands until a proposal is adopted, and what its hooks let nobody do."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.cli import table_referee
from folkmoot.core.game_location import TABLE_LOG as LOG
from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.ops.table import lay
from tests.support.forking import HOOK, Forking, hurry, shell
from tests.support.gathering import TEA
from tests.support.meeting import git
from tests.support.moot import Moot


@pytest.fixture
def evening(moot: Moot, tmp_path: Path, forking: Forking, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the lines by which ann and bob sit down at a table, the path of which stands under ``."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    shell(tmp_path, "git", "config", "--global", "--add", "safe.directory", str(tmp_path / "evening.git"))
    found = moot(
        "table", "evening.git", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,name=Bob Bond", "--json"
    ).record
    assert found["administrators"] == ["ann"]
    hurry(Path(found["table"]), forking.shim(tmp_path / "python", HOOK))
    return {**found["lines"], "": found["table"]}


def test_a_first_proposal_is_law_after_few_commands(
    moot: Moot, tmp_path: Path, evening: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = {"ann": 1, "bob": 0}  # the table

    def play(who: str, *words: str) -> str:
        typed[who] += 1
        said = moot("-C", who, *words)
        assert said.code == 0, said
        assert "moot referee" not in said.out, "it runs by itself"
        return said.out

    for who in typed:
        typed[who] += 1
        done = shell(tmp_path, *shlex.split(evening[who]))
        assert done.returncode == 0, done.stderr
    (tmp_path / "tea.yaml").write_text(TEA, "utf-8")
    assert "looks at it by itself" in play("ann", "propose", "--rule", "tea.yaml")
    assert "Accepted:" in play("ann", "act", "finalise", "--wait")
    assert "on proposal 301" in play("ann", "vote", "1", "for", "--wait").partition("Accepted:")[2]
    play("bob", "vote", "1", "for")
    assert "There is tea for everybody." in git(Path(evening[""]), "show", "main:state/evening/rules/301.yaml")
    assert "Enacted rule 301" in Path(evening[""], LOG).read_text("utf-8")
    assert (typed["ann"] <= 8, typed["bob"] <= 2) == (True, True)
    monkeypatch.setattr("folkmoot.player.remote_view.wakes_referee", lambda place: False)
    assert "by itself" in moot("-C", "ann", "act", "state", "Hear me.").out, "a clone far away knows it, too"
    hurry(Path(evening[""]), tmp_path / "gone")
    pushed = shell(tmp_path / "ann", "git", "push", "-q", "origin", "HEAD:refs/pull/9/head")
    assert (pushed.returncode, "No referee looked at this: there is no" in pushed.stderr) == (0, True)


KEPT = ("refs/heads/main", "refs/moot/forge", "refs/moot/refereed", "refs/pull/1/head/x", "refs/moot/letters/a/b")
FREE = ("refs/pull/7/head", "refs/moot/letters/me@x-org", "refs/moot/letters.2/me", "refs/heads/draft")
NOBODY = ("-c", "user.name=N", "-c", "user.email=n@x.org")


def test_what_the_referee_keeps_is_pushed_by_nobody_else(tmp_path: Path) -> None:
    table, clone = tmp_path / "t.git", tmp_path / "clone"
    lay(table, lambda work: Git(work).ask([*NOBODY, "commit", "-q", "--allow-empty", "-m", "Begin"]))
    assert shell(tmp_path, "git", "clone", "-q", str(table), str(clone)).returncode == 0
    (table / "hooks" / "post-receive").unlink()
    assert shell(clone, "git", *NOBODY, "commit", "-q", "--allow-empty", "-m", "Mine").returncode == 0
    pushed = shell(clone, "git", "push", "-q", "origin", *(f"HEAD:{ref}" for ref in (*FREE, *KEPT)))
    said = [line for line in pushed.stderr.splitlines() if "this table's referee" in line]
    sentence = "Only this table's referee moves {}: to change a rule use `moot propose`, for all else `moot act`."
    assert [line.removeprefix("remote: ").strip() for line in said] == [sentence.format(ref) for ref in KEPT]
    refs = shell(table, "git", "for-each-ref", "--format=%(refname)", "--contains", "HEAD").stdout.split()
    assert sorted(refs) == sorted([*FREE, "refs/heads/main"])
    for way in ("--force", "--delete"):
        assert shell(clone, "git", "push", "-q", way, "origin", "main").returncode != 0


def test_the_founder_administers_or_who_is_named(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "Bob@x.org")
    people = ("-r", "suber", "-p", "ann", "-p", "bob,email=bob@x.org")
    assert "bob administers the game" in moot("table", "one.git", *people).out
    named = moot("table", "two.git", *people, "-a", "ann", "--key", f"bob={key_in(Path())}")
    assert "ann administers the game" in named.out
    assert "user.signingkey=key.pub -c commit.gpgsign=true" in named.out


def key_in(folder: Path) -> Path:
    """Return the public half of a new SSH key."""
    shell(folder.absolute(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key")
    return folder / "key.pub"


# -- the referee of a table


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with what a table needs to wake its referee."""
    (tmp_path / LOG.parent).mkdir()
    return tmp_path


def test_who_finds_the_referee_at_work_leaves_a_mark(place: Path) -> None:
    wanted, runs = place / "moot" / "wanted", []

    def once() -> int:
        runs.append(len(runs))
        if len(runs) == 1:
            wanted.touch()
            assert table_referee.while_wanted(place, lambda: pytest.fail("two at once")) == 0
        return len(runs) - 1

    assert table_referee.while_wanted(place, once) == 0
    assert not runs
    wanted.touch()
    assert table_referee.while_wanted(place, once) == 1
    assert runs == [0, 1]
    assert not wanted.exists()


def test_no_push_hangs(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_referee, "LONGEST", 1)
    late, failed = "The referee is still at work; `moot status` says what came of it.", "The referee could not run; "
    acts: tuple[tuple[Callable[[], object], float, str], ...] = (
        (lambda: 0, 5.0, ""),
        (lambda: 1, 5.0, ""),
        (lambda: os.read(os.pipe()[0], 1), 0.05, late),
        (lambda: 4, 5.0, failed),
        (lambda: os.kill(os.getpid(), 9), 5.0, failed),
    )
    for number, (act, waited, said) in enumerate(acts):
        (place / str(number) / LOG.parent).mkdir(parents=True)
        monkeypatch.setattr(table_referee, "referee", lambda _table, act=act: act())
        told = table_referee.wake(place / str(number), waited)
        assert (told[: len(said)], bool(told)) == (said, bool(said))


def test_nothing_is_left_of_a_table_that_cannot_be_laid_and_none_is_laid_twice(tmp_path: Path) -> None:
    def fail(_work: Path) -> None:
        raise ProblemError

    with pytest.raises(ProblemError):
        lay(tmp_path / "t.git", fail)
    assert not list(tmp_path.iterdir())
    lay(tmp_path / "t.git", lambda work: Git(work).ask([*NOBODY, "commit", "-q", "--allow-empty", "-m", "Begin"]))
    with pytest.raises(ProblemError, match="there is a table already"):
        lay(tmp_path / "t.git", fail)


# -- what a ruleset needs


def test_who_lays_a_table_for_too_few_is_told(moot: Moot) -> None:
    said = moot("table", "cards.git", "-r", "tricks", "-p", "ann", "-p", "bob")
    assert "Tricks is for 3 to 5 players, and there are 2." in said.err
    assert "is for" not in moot("table", "two.git", "-r", "lanterns", "-p", "ann", "-p", "bob").err


def test_a_game_that_seals_has_its_key_where_its_referee_runs(moot: Moot, tmp_path: Path) -> None:
    people = [word for name in ("ann", "bob", "cid") for word in ("-p", name)]
    found = moot("table", "cards.git", "-r", "tricks", *people, "--json").record
    assert Path(found["keeper_key"]).read_text("utf-8").startswith("1:AGE-SECRET-KEY-1")
    assert moot("table", "plain.git", "-r", "lanterns", *people, "--json").record["keeper_key"] is None
    shell(tmp_path, *shlex.split(found["lines"]["ann"]))
    game = moot("-C", "ann", "explain", "entry", "2", "--json").record
    assert (game["do"], "code" in game) == ("open_sealing", False)
    assert moot("-C", "cards.git", "key", "--keeper", "--json").record["number"] == 2
    together = moot("table", "shared.git", "-r", "tricks", *people, "--shared", "--json")
    assert "no keeper's key was made" in together.err
    assert not [*(tmp_path / "shared.git").rglob("*.sealing")]
    assert (tmp_path / "shared.git" / "moot").stat().st_mode & 0o2070 == 0o2070
    shell(tmp_path, *shlex.split(together.record["lines"]["bob"]))
    said = moot("-C", "bob", "act", "deal")
    assert (said.code, "nobody keeps a key" in said.err) == (3, True), "it is said before it is sent"
