"""Mistakes around a command: the clone, git, the files that are given, the terminal, names and times.

As in `test_mistakes`, each gets one sentence that says what is wrong and what to type next, an honest exit code, and
leaves nothing half done. One test is one group of mistakes.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path

import pytest

from folkmoot.cli import main as command_line
from folkmoot.cli import saying
from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot, Said

RULE = f"state/{GAME}/rules/203.yaml"
FILES = {"check": ("check",), "try": ("try",), "preview": ("try", "--comment"), "propose": ("propose", "--rule")}


def says(said: Said, *wanted: str) -> None:
    """Look for words in what was said on the error stream."""
    for words in wanted:
        assert words in said.err, (words, said.err)


def amend(clone: Path, words: str, branch: str = "") -> None:
    """Change a rule and commit it, on a new branch if one is named."""
    if branch:
        git(clone, "checkout", "--quiet", "-b", branch)
    path = clone / RULE
    path.write_text(path.read_text().replace("text: |\n", f"text: |\n  {words}\n", 1))
    git(clone, "commit", "--quiet", "--all", "--message", words)


def test_git_is_midway_through_something(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    amend(clone, "One.", "aside")
    git(clone, "checkout", "--quiet", "main")
    amend(clone, "Two.")
    before = gathering.refs()
    for word in ("merge", "rebase"):
        with pytest.raises(Exception, match="returned non-zero"):
            git(clone, word, "aside")
        says(gathering.moot("ann", "propose", code=5), f"midway through `git {word}`", f"git {word} --abort")
        for words in FILES.values():
            said = gathering._moot("-C", str(clone), *words, str(clone / RULE))
            code = 4 if words in (("check",), ("try",)) else 1  # which read the record first, damaged as it is
            assert said.code == code, (words, said.err)
            says(said, "203.yaml:6:1: git left the marks of a merge conflict", "take out the lines")
        git(clone, word, "--abort")
    git(clone, "bisect", "start")
    says(gathering.moot("ann", "propose", code=5), "git bisect reset")
    assert gathering.refs() == before


def test_files_that_are_not_the_text_that_is_asked_for(gathering: Gathering) -> None:
    before = gathering.refs()
    given = {
        "utf16.yaml": (TEA.encode("utf-16"), "utf16.yaml:1: the file is UTF-16", "save it as UTF-8"),
        "latin.yaml": ("title: Tea\ntext: Café\n".encode("latin-1"), "latin.yaml:2: the file is not UTF-8", "save it"),
        "program.yaml": (Path(sys.executable).read_bytes()[:200], "program.yaml:", "save it as UTF-8"),
        "mark.yaml": (TEA.encode("utf-8-sig"), "mark.yaml:1:1: ", "without a byte-order mark"),
        "tab.yaml": (b"title: Tea\ntext: |\n\tTea.\n", "tab.yaml:3:1: a tab stands here", "write blanks"),
        "page.md": (b"# Tea\n\nThere is tea.\n", "page.md:3:1: the rule must be a map of keys", "keys and values"),
        "open.json": (b'{"title": "Tea",', "open.json:1:", "this is not YAML"),
        "empty.yaml": (b"", "empty.yaml:1:1: ", "not nothing"),
    }
    for number, (name, (data, *wanted)) in enumerate(given.items()):
        path = gathering.folder / name
        path.write_bytes(data)
        commands = list(FILES.values())
        for words in commands if number == 0 else (commands[number % len(commands)],):
            says(gathering.moot("ann", *words, str(path), code=1), *wanted)
    assert gathering.refs() == before
    path.write_bytes(TEA.encode("utf-16"))
    scenario = gathering.moot("ann", "check", str(path), code=1)
    says(scenario, "UTF-16")
    assert gathering.moot("ann", "check", str(path), "--json", code=1).record["problems"][0]["code"] == "E-UTF8"


def test_no_terminal_for_an_editor(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gathering.refs()
    for words in (("propose",), ("propose", "--amend", "203"), ("propose", "--new")):
        says(gathering.moot("ann", *words, code=1), "no terminal here", "moot propose --rule FILE")
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    says(gathering.moot("ann", "propose", "--new", code=1), "no terminal", "moot propose --rule FILE")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    says(gathering.moot("ann", "propose", "--new", code=1), "your editor failed", "set EDITOR")
    assert gathering.refs() == before


def test_a_clone_without_the_files_of_the_game(gathering: Gathering) -> None:
    clone, way = gathering.clone("ann"), "`git checkout HEAD -- state`"
    shutil.rmtree(clone / "state")
    reading = [
        ("verify",),
        ("check",),
        (
            "serve",
            "--build",
        ),
        ("explain", "rule", "203"),
        ("status", "--game", GAME),
    ]
    for words in reading:
        said = gathering.moot("ann", *words, code=2)
        says(said, f"the last commit has {GAME}", way)
    (clone / "state").write_text("a file\n")
    says(gathering.moot("ann", "verify", code=2), way)
    git(clone, "checkout", "HEAD", "--", "state")
    gathering.moot("ann", "verify")
    git(clone, "checkout", "--quiet", "--orphan", "aside")
    git(clone, "rm", "-rfq", ".")
    says(gathering.moot("ann", "verify", code=2), "on the branch main", "`git checkout main`")
    git(clone, "branch", "--quiet", "-D", "main")
    says(gathering.moot("ann", "verify", code=2), "nothing is checked out", "`git pull`")
    git(clone, "commit", "--quiet", "--allow-empty", "--message", "Nothing")
    says(gathering.moot("ann", "verify", code=2), "on the branch main", "`git checkout main`")
    for words in (
        ("verify",),
        ("check",),
        (
            "serve",
            "--build",
        ),
    ):
        said = gathering._moot("-C", str(gathering.bare), *words)
        assert said.code == 2
        says(said, "a bare repository", f"`git clone {gathering.bare}`")
    assert not (gathering.bare / "site_src").exists()


def test_remotes_that_are_not_where_the_players_meet(gathering: Gathering) -> None:
    tea, clone = gathering.file("tea.yaml"), gathering.clone("bob")
    git(clone, "remote", "rename", "origin", "table")
    assert gathering.moot("bob", "propose", "--rule", tea, "--json", "--anyway").record["pull"] == 1, (
        "the only one is meant"
    )
    git(clone, "remote", "add", "mine", str(gathering.folder / "mine.git"))
    before = gathering.refs()
    for words in (("status",), ("vote", "1", "for"), ("propose", "--rule", tea)):
        says(gathering.moot("bob", *words, code=5), "which remote? Here are mine, table", "--remote NAME")
    says(gathering.moot("bob", "vote", "1", "for", "--remote", "tabel", code=5), "no remote 'tabel'", "mine, table")
    says(gathering.moot("bob", "vote", "1", "for", "--remote", "mine", code=5), "check the address")
    git(gathering.folder, "init", "--quiet", "--bare", "mine.git")
    says(gathering.moot("bob", "vote", "1", "for", "--remote", "mine", code=2), "nothing on the branch", "git push")
    assert gathering.refs() == before
    gathering.moot("bob", "vote", "1", "for", "--remote", "table")


def test_partial_clones_and_folders_inside_of_one_just_work(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    tea = gathering.file("tea.yaml")
    git(gathering.folder, "clone", "--quiet", "--depth", "1", f"file://{gathering.bare}", "ann")
    clone = gathering.clone("ann")
    for name, value in (("user.name", "Ann"), ("user.email", "ann@x.org")):
        git(clone, "config", name, value)
    assert git(clone, "rev-parse", "--is-shallow-repository") == "true"
    monkeypatch.chdir(clone / "state" / GAME / "rules")
    assert gathering._moot("propose", "--rule", tea, "--json").record["pull"] == 1
    assert gathering._moot("verify").code == 0
    git(clone, "worktree", "add", "--quiet", "../beside")
    assert gathering._moot("-C", str(gathering.folder / "beside"), "vote", "1", "for").code == 0


def test_copies_links_and_names_of_rule_files(gathering: Gathering) -> None:
    clone, before = gathering.clone("ann"), gathering.refs()
    rules = (clone / RULE).parent
    shutil.copy(clone / RULE, rules / "999.yaml")
    says(gathering.moot("ann", "check", code=1), "999.yaml:2:1: ", "203.yaml has the uid 203 already", "leave `rule`")
    (rules / "999.yaml").unlink()
    for name in ("tea", "Tea"):
        (rules / f"{name}.yaml").write_text(TEA)
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "Tea")
    says(gathering.moot("ann", "propose", code=1), "some systems take for the same name", "choose another name")
    git(clone, "reset", "--quiet", "--hard", "HEAD~")
    (clone / RULE).unlink()
    (clone / RULE).symlink_to(gathering.file("elsewhere.yaml"))
    git(clone, "commit", "--quiet", "--all", "--message", "A link")
    says(gathering.moot("ann", "propose", code=1), "a symbolic link", "commit the file itself")
    git(clone, "reset", "--quiet", "--hard", "HEAD~")
    git(clone, "mv", f"state/{GAME}", "state/marsh")
    git(clone, "commit", "--quiet", "--message", "Another name")
    says(gathering.moot("ann", "propose", code=2), "there is no game `marsh` here")
    assert gathering.refs() == before


def test_a_record_that_was_changed_by_hand_names_the_way_back(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    roster = clone / f"state/{GAME}/roster.yaml"
    roster.write_text(roster.read_text().replace("Ann", "Anna"))
    says(gathering.moot("ann", "verify", code=4), "roster.yaml:", f"`git checkout HEAD -- state/{GAME}`")
    git(clone, "commit", "--quiet", "--all", "--message", "Anna")
    says(gathering.moot("ann", "verify", code=4), f"git log -- state/{GAME}", "`moot verify --repair`")
    said = gathering.moot("ann", "propose", code=1)
    says(said, "only the referee writes it", "take it out")


def test_git_is_not_what_is_needed(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    clone, path = gathering.clone("ann"), os.environ["PATH"]
    gathering.tea()
    git(clone, "config", "commit.gpgsign", "true")
    git(clone, "config", "gpg.format", "ssh")
    git(clone, "config", "user.signingkey", "/nowhere/key.pub")
    says(gathering.moot("ann", "vote", "1", "for", code=5), "/nowhere/key.pub", "user.signingkey")
    other = gathering.folder / "other"
    other.mkdir()
    (other / "git").write_text("#!/bin/sh\necho 'git: unknown option' >&2; exit 129\n")
    (other / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{other}:{path}")
    says(gathering.moot("ann", "vote", "1", "for", code=5), "git is too old", "2.31")
    monkeypatch.setenv("PATH", "/nowhere")
    says(gathering.moot("ann", "vote", "1", "for", code=5), "install git")
    monkeypatch.setenv("PATH", path)
    assert gathering.letters("ann") == []


def test_a_newcomer_s_name(gathering: Gathering) -> None:
    wanted = {"Eve E": "use letters", "ANN": "a player ann", "con": "some systems", "7up": "begins with no letter"}
    before = gathering.refs()
    for name, words in wanted.items():
        says(gathering.moot("eve", "join", name, code=1), words, "hint: ")
    assert gathering.refs() == before


def test_one_keeper_whose_git_is_elsewhere(table: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path.cwd()
    for words in (("init", "--quiet"), ("config", "user.name", "Ann"), ("config", "user.email", "ann@x.org")):
        git(here, *words)
    assert table("act", "state", "One.", "--by", "ann").code == 0
    git(here, "checkout", "--quiet", "--detach")
    says(table("act", "state", "Two.", "--by", "ann"), "no branch is checked out", "git switch -c")
    (here / ".git" / "MERGE_HEAD").write_text(git(here, "rev-parse", "HEAD") + "\n")
    before = git(here, "rev-parse", "HEAD")
    said = table("act", "state", "Three.", "--by", "ann")
    assert said.code == 5
    says(said, "midway through `git merge`", "git merge --abort")
    assert git(here, "rev-parse", "HEAD") == before
    assert not git(here, "status", "--porcelain")
    said = table("referee")
    assert said.code == 5
    (here / ".git" / "MERGE_HEAD").unlink()
    monkeypatch.setenv("PATH", "/nowhere")
    said = table("act", "state", "Four.", "--by", "ann")
    assert said.code == 5
    says(said, "recorded, and not committed: there is no git", "do not do it again")


def test_wrong_times_and_names(table: Moot) -> None:
    cases = {
        ("act", "state", "x", "--by", "ann", "--at", "yesterday"): ("'yesterday' is no point in time", "+2h"),
        ("act", "state", "x", "--by", "ann", "--at", "2026-13-01T00:00:00Z"): ("no point in time", "UTC"),
        ("act", "state", "x", "--by", "ann", "--at", "2001-01-01T00:00:00Z"): ("before the last entry", "no earlier"),
        ("referee", "--until", "2001-01-01T00:00:00Z"): ("before the last entry", "forward only"),
        ("explain", "bbo", "score"): ("nobody here is called bbo", "`moot explain bob score`"),
        ("explain", "ann", "scroe"): ("no scroe", "did you mean score?"),
        ("explain", "entry", "x"): ("no entry x", "1 to 1"),
        ("try", "--repeal", "999"): ("no rule 999 is in force [E-NO-SUCH]",),
        ("act", "state", "x", "--by", "an"): ("an is no player", "did you mean ann?", "ann, bob, cid"),
    }
    for words, wanted in cases.items():
        said = table(*words)
        assert said.code in (1, 3), (words, said.err)
        says(said, *wanted)
        assert "E-NO-SUCH: " not in said.err
    assert table("vote", "1", "for", "--game", "chess").code != 0


def test_a_game_that_is_misspelt_though_something_else_names_one(gathering: Gathering) -> None:
    gathering.tea()
    before = gathering.refs()
    for words in (("vote", "1", "for"), ("comment", "--on", "1", "Hm."), ("try", "1"), ("propose",), ("join",)):
        says(gathering.moot("bob", *words, "--game", "chess", code=2), "no game 'chess'", GAME)
    assert gathering.refs() == before


# -- the terminal


def stream(kind: str) -> io.TextIOWrapper:
    """Return a stream that cannot take what is written: its disk is full, its reader gone, or letters are missing."""
    if kind == "full":
        return Path("/dev/full").open("w", encoding="utf-8")
    if kind == "latin":
        return io.TextIOWrapper(io.BytesIO(), "latin-1")
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


@pytest.mark.parametrize(("kind", "code"), [("full", 5), ("closed", 0), ("latin", 0)])
def test_words_that_do_not_arrive_stop_nothing(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch, kind: str, code: int
) -> None:
    tea = gathering.file("tea.yaml")
    gathering.clone("ann")
    with stream(kind) as broken, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", broken)
        said = gathering.moot("ann", "propose", "--rule", tea, code=code)
        if kind == "latin":
            broken.flush()
            assert b"Opened pull request 1" in broken.buffer.getvalue()  # type: ignore[attr-defined]
    if kind == "full":
        says(said, "the output could not be written", "it did", "do not do it again unseen")
    assert "refs/pull/1/head" in gathering.refs(), "what was begun was ended"
    gathering.moot("ann", "vote", "1", "for")


def test_no_output_at_all(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering.clone("ann")
    tea = gathering.file("tea.yaml")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        gathering.moot("ann", "propose", "--rule", tea)
    assert "refs/pull/1/head" in gathering.refs()


def test_an_interruption_says_what_it_leaves(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering.tea()
    before = gathering.refs()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(saying, "send", interrupted)
    says(gathering.moot("ann", "vote", "1", "for", code=130), "Interrupted: nothing is half done", "moot status")
    assert gathering.refs() == before
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = KeyboardInterrupt()
    assert command_line.was_interrupted(wrapped)
    assert not command_line.was_interrupted(RuntimeError("something else"))


def test_a_word_that_is_no_text(gathering: Gathering) -> None:
    said = gathering.moot("ann", "act", "state", "Gr\udcfc\udcdfe", code=1)
    says(said, "Gr\\udcfc\\udcdfe", "not UTF-8", "LC_ALL=C.UTF-8")
