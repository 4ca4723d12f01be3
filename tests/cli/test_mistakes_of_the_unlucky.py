"""Mistakes of the clumsy and the unlucky: words of other tools, words swapped, the wrong folder, nothing to read from.

Each is told with what to type; nothing is sent, and no file is changed or lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from folkmoot.forges.git_transport import Git
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.slips import Slip, files

SLIPS = {
    "a dry run, misspelt": Slip(("vote", "1", "for", "--dryrun"), ("no option `--dryrun`", "did you mean `--dry-run`?")),
    "a dry run, cut short": Slip(("vote", "1", "for", "--dry"), ("did you mean `--dry-run`?",)),
    "a dry run of the open vote": Slip(("vote", "for", "--dryrun"), ("did you mean `--dry-run`?",)),
    "a reason as a message": Slip(("vote", "1", "for", "-m", "It is time"), ("`moot vote 1 for 'It is time'`",)),
    "a reason as git's": Slip(("vote", "1", "-am", "It is time", "for"), ("no option `-am`", "no option before it")),
    "a vote by force": Slip(("vote", "1", "for", "--force"), ("no option `--force`", "quotation marks")),
    "no choice at all": Slip(("vote", "1", "maybe"), ("as in `moot vote 1 for`",), 1),
    "no choice of the open vote": Slip(("vote", "maybe"), ("as in `moot vote 1 for`",), 1),
    "a comment as a message": Slip(("comment", "-m", "Hello"), ('no option before it, as in `moot comment "…"`',)),
    "an act as a message": Slip(("act", "state", "-m", "Hello"), ('no option before it, as in `moot act state "…"`',)),
    "an argument as an option": Slip(("act", "state", "--text", "hi"), ("`moot act ACTION text=…`",)),
    "an argument as one option": Slip(("act", "state", "--text=hi"), ("`moot act ACTION text=…`",)),
    "force": Slip(("propose", "--repeal", "206", "--force"), ("`--anyway`",)),
    "the folder behind its command": Slip(("status", "-C", "x"), ("`moot -C FOLDER status`",)),
    "so many of the log": Slip(("log", "-5"), ("`moot log --number 5`",)),
    "an author of the log": Slip(("log", "--author", "ann"), ("`moot log --by …`",)),
    "a pull request of the log": Slip(("log", "--pr", "1"), ("`moot log --pull-request …`",)),
    "capitals": Slip(("STATUS",), ("Did you mean `status`?",)),
    "an administrator's action": Slip(("pause",), ("`moot act pause`",)),
    "the version": Slip(("version",), ("`moot --version`",)),
    "another tool's pull requests": Slip(("pr", "list"), ("`moot status`",)),
    "a title for a proposal": Slip(("propose", "Tea for all"), ("`moot propose --title 'Tea for all'`",)),
    "two rules in one option": Slip(("propose", "--repeal", "206,207"), ("`--repeal 206 --repeal 207`",), 1),
    "a transmutation into nothing": Slip(("propose", "--transmute", "207"), ("as in `207=immutable`",)),
    "a transmutation with blanks": Slip(("propose", "--transmute", "207 = mutabel"), ("`--transmute 207=mutable`",), 1),
    "blanks around a first sign": Slip(("act", "state", "=", "hi"), ("`moot act state text=hi`",)),
    "a number alone": Slip(("act", "finalise", "301"), ("`moot act finalise proposal=301`",)),
    "an action in capitals": Slip(("act", "STATE", "hi"), ("did you mean state?",), 1),
    "a register before its owner": Slip(("explain", "score", "ann"), ("`moot explain ann score`",), 1),
    "rules, many": Slip(("explain", "rules", "203"), ("`moot explain rule 203`",), 1),
    "a ballot, swapped": Slip(("explain", "ballot", "ann", "301"), ("`moot explain ballot 301 ann`",), 1),
    "a pull request explained": Slip(("explain", "pull", "1"), ("`moot show 1`",), 1),
    "a ballot of nobody": Slip(("explain", "ballot", "301", "dave"), ("nobody here is called dave",), 1),
    "rules shown, many": Slip(("show", "rules", "206"), ("`moot show rule 206`",)),
    "a pull request by its kind": Slip(("show", "pr", "1"), ("`moot show 1`",)),
    "a proposal shown": Slip(("show", "proposal", "301"), ("`moot explain proposal 301`",)),
    "an entry shown": Slip(("show", "entry", "3"), ("`moot explain entry 3`",)),
    "a command shown": Slip(("show", "log"), ("`moot log`",), 1),
}  # fmt: skip


def test_each_slip_is_told_with_what_to_type(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    git(gathering.clone("bob"), "pull", "--quiet")
    monkeypatch.chdir(gathering.folder)
    before, kept = gathering.refs(), files(gathering.folder)
    wrong = []
    for what, slip in SLIPS.items():
        said = gathering._moot("-C", str(gathering.clone("bob")), *slip.words)
        wanting = [words for words in slip.wanted if words not in said.err]
        wrong += [(what, said.code, wanting, said.err)] if wanting or said.code != slip.code else []
        assert (gathering.refs(), files(gathering.folder)) == (before, kept), what
    assert not wrong, "\n".join(map(str, wrong))


def test_a_word_for_a_number_is_left_out_of_what_to_type(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    for word in ("one", "-1"):
        said = gathering.moot("bob", "vote", word, "for", code=2)
        assert "`moot vote 1 for` (" in said.err, said.err
        assert f"moot vote 1 {word}" not in said.err


def test_a_proposal_is_shown_by_its_number_too(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    said = gathering.moot("bob", "show", "301")
    assert "Proposal 301 is pull request 1." in said.err
    assert "Pull request 1, “Tea”" in said.out


def test_a_reason_may_begin_with_dashes_behind_two(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("bob", "vote", "1", "for", "--", "--so", "be", "it")
    assert "--so be it" in gathering.letters("bob")[0]
    gathering.moot("bob", "vote", "1", "for", "--so be it, at last")
    assert "--so be it, at last" in gathering.letters("bob")[0]


# -- the wrong folder

IN_BARE = {
    "a game": ("new", "other", "-r", "suber", "-p", "ann", "-p", "bob"),
    "a pin": (
        "init",
        "--pin",
    ),
    "forms": ("init", "--forms", "--forge", "github"),
    "a forge": ("init", "--forge", "github", "--home", "https://github.com/ann/game", "--login", "ann=annabel:1"),
    "a beginning": ("begin", "x", "--forge", "github", "--home", "https://github.com/ann/game", "--founder", "ann"),
    "a site": (
        "serve",
        "--build",
    ),
}


@pytest.mark.parametrize("words", IN_BARE.values(), ids=IN_BARE)
def test_nothing_is_written_into_the_table_itself(
    gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", "x")
    before = files(gathering.bare)
    for place in (gathering.bare, gathering.bare / "refs"):
        monkeypatch.chdir(place)
        said = moot(*words)
        assert said.code, said
        assert "is a bare repository, which has no files to work with" in said.err, said
        assert f"`git clone {gathering.bare}`" in said.err
    assert files(gathering.bare) == before


def test_the_doctor_of_a_table_sends_nobody_to_found_another_game(gathering: Gathering, moot: Moot) -> None:
    said = moot("-C", str(gathering.bare), "doctor")
    assert "moot new" not in said.out, said.out
    assert f"mend: `git clone {gathering.bare}`" in said.out


def test_whoever_is_no_player_is_not_told_that_one_person_keeps_the_game(gathering: Gathering, moot: Moot) -> None:
    said = moot("-C", str(gathering.bare), "show", "hand")
    assert said.code == 1
    assert "git does not say that you are a player" in said.err
    assert "`moot join`" in said.err


@pytest.mark.parametrize("name", ["evening", "mail-game"])
@pytest.mark.parametrize("play", [(), ("--play",)], ids=["shown", "played"])
def test_a_demonstration_leaves_a_game_alone_that_is_called_as_its_own(
    moot: Moot, tmp_path: Path, name: str, play: tuple[str, ...]
) -> None:
    (tmp_path / "club").mkdir()
    assert moot("-C", "club", "new", name, "-r", "suber", "-p", "ann", "-p", "bob", "-p", "cid").code == 0
    (tmp_path / "club/ideas.txt").write_text("not yet committed\n")
    kept = files(tmp_path)
    said = moot("demo", "club", "--no-serve", *play)
    assert said.code == 1, said
    assert "club is not empty" in said.err
    assert files(tmp_path) == kept


# -- what a program is given to read and to write with


def test_an_editor_with_a_quotation_mark_too_many_is_told(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "'vi")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("folkmoot.cli.proposing._has_terminal", lambda: True)
    said = gathering.moot("ann", "propose", "--amend", "206", code=1)
    assert "your editor failed" in said.err
    assert "set EDITOR" in said.err


def test_schemas_that_are_written_are_on_record(moot: Moot, tmp_path: Path) -> None:
    said = moot("check", "--schema", "--out", "s", "--json")
    assert sorted(said.record["written"]) == sorted(f"s/{path.name}" for path in (tmp_path / "s").iterdir())


def test_with_standard_input_closed_a_game_is_shown(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "tea", "-r", "suber", "-p", "ann", "-p", "bob", "-p", "cid").code == 0
    command = f"exec {sys.executable} -m folkmoot -C {tmp_path} status <&-"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "engine")}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ann" in done.stdout


def test_completion_behind_a_word_that_is_no_command_says_nothing(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in ("bash", "zsh", "fish"):
        for name, value in (
            ("_MOOT_COMPLETE", f"{shell}_complete"),
            ("COMP_WORDS", "moot nosuch "),
            ("COMP_CWORD", "2"),
        ):
            monkeypatch.setenv(name, value)
        said = moot()
        assert not said.err, said.err


def test_an_interruption_is_told_where_git_has_ended_already(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(process: subprocess.Popen[bytes], *_: object, **__: object) -> None:
        process.wait()  # so that nothing is left to end
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Git(gathering.bare).ask(["version"])
