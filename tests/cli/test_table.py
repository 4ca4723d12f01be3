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
from tests.support.forking import Forking
from tests.support.gathering import TEA
from tests.support.hurry import FORKED, hurry, shell
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
    hurry(Path(found["table"]), forking.shim(tmp_path / "python", FORKED))
    return {**found["lines"], "": found["table"]}


def test_a_first_proposal_is_law_after_few_commands(moot: Moot, tmp_path: Path, evening: dict[str, str]) -> None:
    typed = {"ann": 1, "bob": 0}  # the table

    def sit(who: str) -> None:
        typed[who] += 1
        done = shell(tmp_path, *shlex.split(evening[who]))
        assert done.returncode == 0, done.stderr

    def play(who: str, *words: str) -> str:
        typed[who] += 1
        said = moot("-C", who, *words)
        assert said.code == 0, said
        assert "moot referee" not in said.out, "it runs by itself"
        return said.out

    sit("ann")
    sit("bob")
    (tmp_path / "tea.yaml").write_text(TEA, "utf-8")
    assert "looks at it by itself" in play("ann", "propose", "--rule", "tea.yaml")
    assert "Accepted:" in play("ann", "act", "finalise", "--wait")
    assert "on proposal 301" in play("ann", "vote", "1", "for", "--wait").partition("Accepted:")[2]
    play("bob", "vote", "1", "for")
    tip = shell(Path(evening[""]), "git", "show", "main:state/evening/rules/301.yaml")
    assert "There is tea for everybody." in tip.stdout
    assert "Enacted rule 301" in Path(evening[""], LOG).read_text("utf-8")
    assert typed["ann"] <= 8
    assert typed["bob"] <= 2


def test_a_clone_far_away_knows_that_the_referee_runs_by_itself(
    moot: Moot, tmp_path: Path, evening: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell(tmp_path, *shlex.split(evening["ann"])).returncode == 0
    moot("-C", "ann", "comment", "Good evening.")
    monkeypatch.setattr("folkmoot.player.remote_view.wakes_referee", lambda place: False)
    said = moot("-C", "ann", "propose", "--repeal", "206", "--wait", "--json").record
    assert [each["do"] for each in said["came"]] == ["propose"]
    assert "by itself" in moot("-C", "ann", "act", "state", "Hear me.").out


KEPT = ("refs/heads/main", "refs/moot/forge", "refs/moot/refereed", "refs/pull/1/head/x", "refs/moot/letters/a/b")
FREE = ("refs/pull/7/head", "refs/moot/letters/me@x-org", "refs/moot/letters.2/me", "refs/heads/draft")


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


NOBODY = ("-c", "user.name=N", "-c", "user.email=n@x.org")


def test_a_table_is_laid_where_nothing_lies(moot: Moot, tmp_path: Path, evening: dict[str, str]) -> None:
    again = moot("table", "evening.git", "-r", "suber", "-p", "cid")
    assert again.code == 1
    assert "there is a table already" in again.err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").touch()
    assert "something lies there already" in moot("table", "full", "-r", "suber", "-p", "cid").err
    (tmp_path / "empty").mkdir()
    before = set(tmp_path.iterdir())
    assert "choose one of" in moot("table", "empty", "-p", "cid", "-r", "none").err
    assert "no player of that name: dee" in moot("table", "empty", "-r", "suber", "-p", "cid", "-a", "dee").err
    assert set(tmp_path.iterdir()) == before
    assert not list((tmp_path / "empty").iterdir())


def test_the_founder_is_asked_who_administers(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(text: str, default: str, **_: object) -> str:
        asked.append(text)
        assert default == "bob"
        return "ann"

    monkeypatch.setattr("click.prompt", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "Bob@x.org")
    said = moot("table", "one.git", "-r", "suber", "-p", "ann", "-p", "bob,email=bob@x.org")
    assert "ann administers the game" in said.out
    assert [line for line in asked if "Who administers the game" in line]
    named = moot(
        "table", "two.git", "-r", "suber", "-p", "ann", "-p", "bob", "-a", "bob", "--key", f"bob={key_in(Path())}"
    )
    assert "bob administers the game" in named.out
    assert "user.signingkey=key.pub -c commit.gpgsign=true" in named.out
    assert len(asked) == 1


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


@pytest.mark.parametrize(
    ("act", "waited", "said"),
    [
        (lambda: 0, 5.0, ""),
        (lambda: 1, 5.0, ""),
        (lambda: os.read(os.pipe()[0], 1), 0.05, "The referee is still at work; `moot status` says what came of it."),
        (lambda: 4, 5.0, "The referee could not run; "),
        (lambda: os.kill(os.getpid(), 9), 5.0, "The referee could not run; "),
    ],
)
def test_no_push_hangs(
    act: Callable[[], int], waited: float, said: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_referee, "referee", lambda _table: act())
    monkeypatch.setattr(table_referee, "LONGEST", 1)
    told = table_referee.wake(place, waited)
    assert told.startswith(said)
    assert bool(told) == bool(said)


def test_a_table_without_its_python_says_so_and_takes_the_push(tmp_path: Path) -> None:
    table = tmp_path / "t.git"
    lay(table, lambda work: Git(work).ask([*NOBODY, "commit", "-q", "--allow-empty", "-m", "Begin"]), shared=True)
    assert (table / "moot").stat().st_mode & 0o2070 == 0o2070
    hurry(table, tmp_path / "gone")
    shell(tmp_path, "git", "clone", "-q", str(table), "clone")
    pushed = shell(tmp_path / "clone", "git", "push", "-q", "origin", "HEAD:refs/pull/1/head")
    assert pushed.returncode == 0
    assert "No referee looked at this: there is no" in pushed.stderr


def test_nothing_is_left_of_a_table_that_cannot_be_laid(tmp_path: Path) -> None:
    def fail(_work: Path) -> None:
        raise ProblemError

    with pytest.raises(ProblemError):
        lay(tmp_path / "t.git", fail)
    assert not list(tmp_path.iterdir())


# -- founding in general


def test_new_says_who_administers_and_takes_the_founder(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "bob@x.org")
    said = moot("new", "one", "-r", "suber", "-p", "ann", "-p", "bob,email=bob@x.org", "--no-commit")
    assert "bob administers the game: pauses" in " ".join(said.out.split())
    named = moot("new", "two", "-r", "suber", "-p", "ann", "-p", "bob", "-a", "ann", "--no-commit")
    assert "administers the game" not in named.out


def test_new_leads_from_an_empty_clone_to_the_game_that_is_there(moot: Moot, tmp_path: Path) -> None:
    shell(tmp_path, "git", "init", "-q", "--bare", "-b", "main", "t.git")
    shell(tmp_path, "git", "clone", "-q", "t.git", "early")
    assert moot("-C", "early", "new", "one", "-r", "suber", "-p", "ann").code == 0
    shell(tmp_path, "git", "clone", "-q", "t.git", "late")
    shell(tmp_path / "early", "git", "push", "-q", "origin", "HEAD:main")
    said = moot("-C", "late", "new", "one", "-r", "suber", "-p", "ann")
    assert said.code == 1
    assert "this clone is empty, and origin has the branch main already" in said.err
    assert "`git pull` brings what the others have" in said.err


def test_who_names_no_ruleset_is_asked_and_where_nobody_can_be_it_is_one_for_an_evening(
    moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rules(game: str) -> str:
        return Path("state", game, "game.yaml").read_text("utf-8")

    assert moot("new", "soon", "-p", "ann", "-p", "bob", "-p", "cid").code == 0
    assert "ruleset: lanterns\n" in rules("soon")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: "gavel")
    said = moot("new", "later", "-p", "ann", "-p", "bob", "-p", "cid")
    assert "ruleset: gavel\n" in rules("later")
    assert "  lanterns          Players take turns to change the rules." in said.err
    assert moot("new", "dry", "-p", "ann", "-p", "bob", "--json").code == 0, "programs are not asked"
    assert "ruleset: lanterns\n" in rules("dry")


def test_who_says_nothing_at_a_terminal_is_asked_for_all_that_a_game_needs(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Missing argument 'GAME'" in moot("new").err
    assert "name each, as in `-p ann -p bob -p cid`" in moot("table", "none.git").err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    answers = iter(["", "", "ann, bob  cid", "tea.git", "orchard", "dan eve", "eve"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(answers))
    assert "Founded evening" in moot("new").out
    game = Path("state", "evening", "game.yaml").read_text("utf-8")
    assert "ruleset: lanterns\n" in game
    laid = moot("table").out
    assert "the game tea (orchard)" in laid
    assert "eve administers" in laid
    assert "user.name=Dan" in laid
    assert not list(answers)


# -- what a ruleset needs


def test_who_lays_a_table_for_too_few_is_told_before(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = moot("table", "cards.git", "-r", "tricks", "-p", "ann", "-p", "bob")
    assert "Tricks is for 3 to 5 players, and there are 2." in said.err
    assert "is for" not in moot("table", "two.git", "-r", "lanterns", "-p", "ann", "-p", "bob").err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: "n")
    refused = moot("table", "none.git", "-r", "tricks", "-p", "ann", "-p", "bob", "-a", "ann")
    assert refused.code == 130
    assert not (tmp_path / "none.git").exists()


def test_a_game_that_seals_has_its_key_where_its_referee_runs(moot: Moot, tmp_path: Path) -> None:
    people = [word for name in ("ann", "bob", "cid") for word in ("-p", name)]
    found = moot("table", "cards.git", "-r", "tricks", *people, "--json").record
    assert Path(found["keeper_key"]).read_text("utf-8").startswith("1:AGE-SECRET-KEY-1")
    assert moot("table", "plain.git", "-r", "lanterns", *people, "--json").record["keeper_key"] is None
    shell(tmp_path, *shlex.split(found["lines"]["ann"]))
    game = moot("-C", "ann", "explain", "entry", "2", "--json").record
    assert game["do"] == "open_sealing"
    assert "code" not in game
    assert moot("-C", "cards.git", "key", "--keeper", "--json").record["number"] == 2
    together = moot("table", "shared.git", "-r", "tricks", *people, "--shared")
    assert "no keeper's key was made" in together.err
    assert not [*(tmp_path / "shared.git").rglob("*.sealing")]


def test_the_doctor_tells_of_a_table_whose_hooks_are_not_its_own(moot: Moot, tmp_path: Path) -> None:
    line = moot("table", "cards.git", "-r", "suber", "-p", "ann", "-p", "bob", "-a", "ann", "--json").record["lines"][
        "ann"
    ]
    shell(tmp_path, *shlex.split(line))
    for place in ("ann", "cards.git"):
        assert "the table runs its own hooks" in moot("-C", place, "doctor").out
    Git(tmp_path / "cards.git").ask(["config", "--file", "config", "--unset", "core.hooksPath"])
    for place in ("ann", "cards.git"):
        found = moot("-C", place, "doctor", "--json").record["findings"]
        mend = next(each["mend"] for each in found if each["code"] == "hooks")
        assert mend == f"git --git-dir={tmp_path / 'cards.git'} config core.hooksPath hooks".replace("//", "/")
    assert shell(tmp_path, *shlex.split(mend)).returncode == 0
    assert "the table runs its own hooks" in moot("-C", "ann", "doctor").out


def test_what_cannot_be_sealed_yet_is_said_before_it_is_sent(moot: Moot, tmp_path: Path) -> None:
    people = [word for name in ("ann", "bob", "cid") for word in ("-p", name)]
    line = moot("table", "cards.git", "-r", "tricks", *people, "--shared", "--json").record["lines"]["ann"]
    shell(tmp_path, *shlex.split(line))
    said = moot("-C", "ann", "act", "deal")
    assert said.code == 3
    assert "nobody keeps a key" in said.err
