"""What somebody gets wrong in a first hour: wrong places, names, types and files, no network, odd clones.

Whatever it is, the message says what is wrong and where, and what to type next; the exit code is that of a mistake or
of the outside, never of a fault of ours; nothing was sent, and no file of the person's was changed.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot

Prepare = Callable[[Path], object]
FILES = {
    "tabs.yaml": "title: Tea\ntext: |\n\tThere is tea.\n",
    "empty.yaml": "",
    "crlf.yaml": TEA.replace("text:", "txet:").replace("\n", "\r\n"),
    "act.yaml": "do: state\nwith: {text: Hear me.}\n",
    "list.yaml": "- title: Tea\n",
    "twice.yaml": "title: Tea\ntitle: Coffee\ntext: Both.\n",
    "quote.yaml": 'title: "Tea\ntext: All.\n',
    "key.yaml": TEA.replace("text:", "txet:"),
    "number.yaml": "title: 5\ntext: Five.\n",
    "late.yaml": TEA + "script: |\n  def on_joned(e):\n      pass\n",
}


class Slip(Struct, frozen=True):
    """Somebody's words, the exit code and what must be said; `before` is what was done to the clone."""

    words: tuple[str, ...]
    wanted: tuple[str, ...]
    code: int = 1
    before: Prepare = lambda clone: None


def elsewhere(address: str) -> Prepare:
    """Let the clone's remote be another address."""
    return lambda clone: git(clone, "remote", "set-url", "origin", address)


def unborn(clone: Path) -> None:
    """Let the clone be one in which nothing was ever fetched or checked out."""
    address = git(clone, "remote", "get-url", "origin")
    shutil.rmtree(clone)
    git(clone.parent, "init", "--quiet", "--initial-branch=main", str(clone))
    git(clone, "remote", "add", "origin", address)


def file_for_folder(clone: Path) -> None:
    """Put a file where the games were."""
    shutil.rmtree(clone / "state")
    (clone / "state").write_text("not a folder\n", "utf-8")


def without_game(clone: Path) -> None:
    """Check out a branch on which no game ever was."""
    git(clone, "switch", "--quiet", "--orphan", "blank")


SLIPS = {
    "a file that is not there": Slip(("propose", "--rule", "teas.yaml"), ("teas.yaml", "does not exist"), 2),
    "a folder for a file": Slip(("propose", "--rule", "bob"), ("'bob' is a directory",), 2),
    "a tab": Slip(("propose", "--rule", "tabs.yaml"), ("tabs.yaml:3:", "tab")),
    "an empty file": Slip(("propose", "--rule", "empty.yaml"), ("empty.yaml",)),
    "a list": Slip(("propose", "--rule", "list.yaml"), ("list.yaml:1",)),
    "a key twice": Slip(("propose", "--rule", "twice.yaml"), ("twice.yaml:2:", "title")),
    "a quote that does not end": Slip(("propose", "--rule", "quote.yaml"), ("quote.yaml:",)),
    "a misspelt key": Slip(("propose", "--rule", "key.yaml"), ("key.yaml:3:", "did you mean `text`?")),
    "a misspelt key in a file of Windows": Slip(("propose", "--rule", "crlf.yaml"), ("crlf.yaml:3:", "did you mean `text`?")),
    "a number for a text": Slip(("propose", "--rule", "number.yaml"), ("number.yaml:1:",)),
    "an event that nobody raises": Slip(("check", "late.yaml"), ("late.yaml:6:", "did you mean `joined`?"), 0),
    "an act for a rule": Slip(("propose", "--rule", "act.yaml"), ("act.yaml:1:",)),
    "a rule for an act": Slip(("act", "--file", "key.yaml"), ("key.yaml:",)),
    "an argument that is none": Slip(("act", "state", "txet=Hi."), ("did you mean text?",), 3),
    "words for arguments": Slip(("act", "state", "Hear", "me"), ('moot act state "…"',), 2),
    "words for an action that is none": Slip(("act", "stat", "Hear", "me"), ("did you mean state?",)),
    "a rule that is none": Slip(("explain", "rule", "999"), ("999",)),
    "a player that is none": Slip(("explain", "bbo", "score"), ("`moot explain bob score`",)),
    "an entry that is none": Slip(("explain", "entry", "999"), ("999",)),
    "a page that is none": Slip(("show", "scroes"), ("did you mean `moot show scores`?",)),
    "a pull request that is none": Slip(("show", "7"), ("no pull request 7", "moot propose")),
    "nothing to take back": Slip(("withdraw", "7"), ("no pull request 7", "moot propose")),
    "nothing to preview": Slip(("try", "7"), ("no pull request 7", "moot propose")),
    "a number that is none": Slip(("vote", "0", "for"), ("moot status",), 2),
    "nothing to vote on": Slip(("vote", "for"), ("moot status",), 2),
    "a name that begins with a digit": Slip(("join", "9lives"), ("you are bob in",)),
    "nothing said": Slip(("comment", "  "), ("Say something",), 2),
    "a time that is none": Slip(("log", "--since", "yesterday"), ("2d, 3h30m",), 2),
    "a remote that is none": Slip(("status", "--remote", "orign"), ("no remote 'orign'", "origin"), 5),
    "a place that is not there": Slip(("act", "state", "Hi."), ("gone.git",), 5, elsewhere("/nowhere/gone.git")),
    "no network": Slip(("act", "state", "Hi."), ("127.0.0.1",), 5, elsewhere("http://127.0.0.1:9/game.git")),
    "a host that is not there": Slip(("status",), ("nowhere.invalid",), 5, elsewhere("http://nowhere.invalid/g.git")),
    "a clone in which nothing is": Slip(("verify",), ("nothing is checked out", "`git pull`"), 2, unborn),
    "a file where the games were": Slip(("verify",), ("git checkout HEAD -- state",), 2, file_for_folder),
    "a branch without a game": Slip(("verify",), ("git checkout main",), 2, without_game),
    "a folder outside": Slip(("check", "nowhere/"), ("nowhere",), 2),
    "a key that is none": Slip(("key", "add", "tabs.yaml"), ("ssh-keygen",)),
    "a table where there is one": Slip(("table", "table.git", "-r", "suber", "-p", "ann"), ("name a folder that is empty",)),
    "a ruleset that is none": Slip(("new", "chess", "--ruleset", "chess", "-p", "ann"), ("suber",)),
}  # fmt: skip
NEXT = re.compile(r"`[^`]+`|hint: |Try 'moot|did you mean|choose|there (?:are|is) ")


def files(folder: Path) -> dict[str, str]:
    """Return the digest of every file of a clone but git's own."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


@pytest.mark.parametrize("what", SLIPS)
def test_a_first_user_is_told_what_is_wrong_and_what_to_type(
    gathering: Gathering, moot: Moot, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = SLIPS[what]
    clone = gathering.clone("bob")
    for name, text in FILES.items():
        (gathering.folder / name).write_bytes(text.encode())
    slip.before(clone)
    monkeypatch.chdir(gathering.folder)
    before, kept = gathering.refs(), files(gathering.folder)
    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.player.present_time.present", lambda: gathering.now)
        said = moot("-C", str(clone), *slip.words)
    assert said.code == slip.code, said
    for words in slip.wanted:
        assert words in said.err, (words, said.err)
    assert NEXT.search(said.err), said.err
    assert "E-FAULT" not in said.err
    assert "Traceback" not in said.err
    assert gathering.refs() == before
    assert files(gathering.folder) == kept


def test_odd_clones_that_just_work(gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gathering.folder)
    clone = gathering.clone("bob")
    git(clone, "checkout", "--quiet", "--detach")
    assert gathering.moot("bob", "act", "state", "On no branch.").code == 0
    shallow = gathering.folder / "cid"
    git(gathering.folder, "clone", "--quiet", "--depth=1", f"file://{gathering.bare}", str(shallow))
    git(shallow, "config", "user.email", "cid@x.org")
    git(shallow, "config", "user.name", "Cid")
    assert "You are cid" in gathering.moot("cid", "status").out
    assert gathering.moot("cid", "act", "state", "From a shallow clone.").code == 0
    inside = shallow / "state" / GAME
    monkeypatch.chdir(inside)
    assert moot("status", "--offline").code == 0


def test_who_keeps_a_game_alone_is_told_the_same(table: Moot) -> None:
    said = table("act", "propose", "--by", "ann", "--transmute", "101=mutabel", "title=Looser")
    assert (said.code, "did you mean `--transmute 101=mutable`?" in said.err) == (1, True)
    Path("tea.yaml").write_text(TEA)
    said = table("try", "--comment", "tea.yaml")
    assert (said.code, "`moot try FILE` shows what a rule would do" in said.err) == (1, True)
    assert len(table("log", "--json").record["log"]) == 1, "nothing of it is recorded"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("-r", "sube"), "did you mean suber?"),
        (("-r", "nothing-like-it"), "choose one of a-nomic"),
        (("-s", "balots=sealed"), "did you mean `ballots`?"),
        (("-s", "xyzzy=1"), "there are "),
        (("-p", "ann@x"), "cannot be a player's id"),
    ],
)
def test_what_cannot_be_founded_is_told_with_what_may_be_meant(moot: Moot, words: tuple[str, str], wanted: str) -> None:
    said = moot("new", "tea", "-r", "suber", "-p", "ann", *words)
    assert said.code != 0
    assert wanted in said.err
    assert not Path("state").exists()
