"""What is wrong around a command: git, its settings, the network, the editor, the terminal; nothing is half done."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pygit2
import pytest

from folkmoot.cli import main as command_line
from folkmoot.cli import saying
from folkmoot.core.game_location import TABLE_LOG
from folkmoot.core.settings_folder import settings_folder
from folkmoot.forges.git_transport import Git
from tests.support.forking import HOOK, Forking, hurry, shell
from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git, identity
from tests.support.moot import Moot, Said


def says(said: Said, *wanted: str) -> None:
    """Look for words in what was said on the error stream."""
    for words in wanted:
        assert words in said.err, (words, said.err)


# -- the clone


def test_a_clone_without_the_files_of_the_game(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    shutil.rmtree(clone / "state")
    for words in (
        ("verify",),
        ("check",),
        ("serve", "--build"),
        ("explain", "rule", "203"),
        ("status", "--game", GAME),
    ):
        said = gathering.moot("ann", *words, code=2)
        says(said, f"the last commit has {GAME}", "`git checkout HEAD -- state`")
    (clone / "state").write_text("a file\n")
    says(gathering.moot("ann", "verify", code=2), "`git checkout HEAD -- state`")
    git(clone, "checkout", "HEAD", "--", "state")
    gathering.moot("ann", "verify")
    git(clone, "checkout", "--quiet", "--orphan", "aside")
    git(clone, "rm", "-rfq", ".")
    says(gathering.moot("ann", "verify", code=2), "on the branch main", "`git checkout main`")
    git(clone, "branch", "--quiet", "-D", "main")
    says(gathering.moot("ann", "verify", code=2), "on the branch origin/main", "`git checkout main`")


def test_remotes_that_are_not_where_the_players_meet(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    tea, clone = gathering.file("tea.yaml"), gathering.clone("bob")
    git(clone, "remote", "rename", "origin", "table")
    record = gathering.moot("bob", "propose", "--rule", tea, "--json", "--anyway").record
    assert record["pull"] == 1, "the only one is meant"
    git(clone, "remote", "add", "mine", str(gathering.folder / "mine.git"))
    before, vote = gathering.refs(), ("vote", "1", "for")
    for words in (("status",), vote, ("propose", "--rule", tea)):
        says(gathering.moot("bob", *words, code=5), "which remote? Here are mine, table", "--remote NAME")
    says(gathering.moot("bob", *vote, "--remote", "tabel", code=5), "no remote 'tabel'", "mine, table")
    says(gathering.moot("bob", *vote, "--remote", "mine", code=5), "check the address")
    git(gathering.folder, "init", "--quiet", "--bare", "mine.git")
    says(gathering.moot("bob", *vote, "--remote", "mine", code=2), "nothing on the branch", "git push")
    for address in ("/nowhere/gone.git", "http://127.0.0.1:9/game.git", "http://nowhere.invalid/g.git"):
        says(gathering.moot("bob", *vote, "--remote", address, code=5), address.split("/")[2], "hint: ")
    assert gathering.refs() == before
    gathering.moot("bob", *vote, "--remote", "table")

    def foreign(*_: object, **__: object) -> None:
        raise pygit2.GitError("repository path '/srv/club/' is not owned by current user")

    monkeypatch.setattr("folkmoot.journal.repositories.pygit2.Repository", foreign)
    said = gathering._moot("-C", str(clone), *vote)
    assert said.code == 5
    says(said, "`git config --global --add safe.directory /srv/club`")


def test_odd_clones_and_folders_inside_of_one_just_work(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    tea, shallow = gathering.file("tea.yaml"), gathering.folder / "ann"
    git(gathering.folder, "clone", "--quiet", "--depth", "1", f"file://{gathering.bare}", str(shallow))
    identity(shallow, "ann")
    git(shallow, "checkout", "--quiet", "--detach")
    monkeypatch.chdir(shallow / "state" / GAME / "rules")
    assert gathering._moot("propose", "--rule", tea, "--json").record["pull"] == 1
    assert gathering._moot("verify").code == 0
    assert gathering._moot("status", "--offline").code == 0
    git(shallow, "worktree", "add", "--quiet", "../beside")
    assert gathering._moot("-C", str(gathering.folder / "beside"), "vote", "1", "for").code == 0


def test_above_and_beside_the_clones_their_names_are_told(
    gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.clone("ann")
    gathering.clone("bob")
    monkeypatch.chdir(gathering.folder)
    for words in (("status",), ("vote", "for")):
        said = moot(*words)
        assert "`cd ann` (or bob)" in said.err, said.err
    (gathering.folder / "empty").mkdir()
    monkeypatch.chdir(gathering.folder / "empty")
    assert "`git clone ADDRESS`" in moot("vote", "for").err


# -- git


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("user.email", "", "git does not know who you are"),
        ("user.name", "", "git does not know who you are"),
        ("user.email", "bob", "your e-mail address is 'bob', which is none"),
        ("user.email", "bob @x.org", "which is none"),
    ],
)
def test_nobody_acts_without_an_identity_and_whoever_has_none_may_look(
    gathering: Gathering, setting: str, value: str, wanted: str
) -> None:
    gathering.propose("ann")
    before = gathering.refs()
    git(gathering.clone("bob"), "config", setting, value)
    for words in (("propose", "--repeal", "206"), ("vote", "1", "for"), ("act", "finalise"), ("join",)):
        says(gathering.moot("bob", *words, code=5), wanted, "git config user.")
    assert gathering.refs() == before
    for words in (("show", "scores"), ("log",), ("explain", "rule", "201"), ("status",)) if not value else ():
        assert (said := gathering.moot("bob", *words).out)
    if not value:
        assert "git does not know who you are, so nothing here is said of you" in said
        assert "`git config user.email ADDRESS`" in said


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


def test_one_keeper_whose_git_is_elsewhere(table: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    here, act = Path.cwd(), ("act", "state", "One.", "--by", "ann")
    identity(here, "ann")
    assert table(*act).code == 0
    before = git(here, "rev-parse", "HEAD")
    (here / ".git" / "MERGE_HEAD").write_text(f"{before}\n")
    said = table(*act)
    assert said.code == table("referee").code == 5
    says(said, "midway through `git merge`", "git merge --abort")
    assert (git(here, "rev-parse", "HEAD"), git(here, "status", "--porcelain")) == (before, "")
    (here / ".git" / "MERGE_HEAD").unlink()
    monkeypatch.setenv("PATH", "/nowhere")
    said = table(*act)
    assert said.code == 5
    says(said, "recorded, and not committed: there is no git", "do not do it again")


SETTINGS = {
    "core.hooksPath": "{hooks}", "commit.gpgSign": "true", "tag.gpgSign": "true", "gpg.program": "false",
    "safe.bareRepository": "explicit", "core.autocrlf": "true", "core.eol": "crlf", "push.default": "nothing",
    "pull.rebase": "true", "fetch.prune": "true", "color.ui": "always", "core.pager": "false", "diff.external": "false",
}  # fmt: skip
"""What somebody told git for all of their repositories: refusing hooks, signatures without a key, lines as on Windows …"""


def test_whatever_git_was_told_a_game_is_begun_and_its_referee_looks(
    moot: Moot, tmp_path: Path, forking: Forking, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hooks").mkdir()
    for name in ("pre-commit", "commit-msg", "pre-push", "update", "pre-receive"):
        (tmp_path / "hooks" / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "hooks" / name).chmod(0o755)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    for key, value in {"user.email": "a@x.org", "user.name": "Ann", **SETTINGS}.items():
        shell(tmp_path, "git", "config", "--global", key, value.format(hooks=tmp_path / "hooks"))
    found = moot("table", "evening.git", "-r", "suber", "-p", "ann", "-p", "bob", "--json").record
    shell(tmp_path, "git", "config", "--global", "--add", "safe.directory", found["table"])
    hurry(Path(found["table"]), forking.shim(tmp_path / "python", HOOK))
    assert shell(tmp_path, *shlex.split(found["lines"]["ann"])).returncode == 0
    Path("tea.yaml").write_text(TEA, "utf-8")
    assert moot("-C", "ann", "propose", "--rule", "tea.yaml", "--wait", "--timeout", "60").code == 0
    assert "proposed a rule-change" in Path(found["table"], TABLE_LOG).read_text("utf-8")
    shell(tmp_path, "git", "init", "-q", "solo")
    for key, value in (("user.name", "Ånn <A>"), ("user.email", "<a@x.org>")):
        shell(tmp_path, "git", "-C", "solo", "config", key, value)
    for variable in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(variable, str(tmp_path / "other"))  # as git tells a hook of another repository
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    assert moot("-C", "solo", "new", "solo", "--ruleset", "suber", "-p", "ann").code == 0
    assert not (tmp_path / "other").exists()
    for variable in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(variable, raising=False)
    assert shell(tmp_path / "solo", "git", "log", "-1", "--format=%an %ae").stdout == "Ånn A a@x.org\n"
    assert len(shell(tmp_path / "solo", "git", "rev-parse", "HEAD").stdout.strip()) == 40, (
        "of the kind that can be read"
    )


@pytest.mark.threat("T-140")
@pytest.mark.parametrize("named", ["", ".", "settings", "/elsewhere"])
def test_settings_of_a_person_are_not_looked_for_in_the_folder_where_they_stand(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", named)
    assert settings_folder().is_absolute()
    assert (settings_folder() == Path(named)) == (named == "/elsewhere")


# -- the editor and the terminal


def stream(kind: str) -> io.TextIOWrapper:
    """Return a stream that cannot take what is written: its disk is full, its reader gone, or letters are missing."""
    if kind == "full":
        return Path("/dev/full").open("w", encoding="utf-8")
    if kind in ("latin", "none"):
        return io.TextIOWrapper(io.BytesIO(), "latin-1")
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


@pytest.mark.parametrize(("kind", "code"), [("full", 5), ("closed", 0), ("latin", 0), ("none", 0)])
def test_words_that_do_not_arrive_stop_nothing(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch, kind: str, code: int
) -> None:
    tea = gathering.file("tea.yaml")
    gathering.clone("ann")
    with stream(kind) as broken, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", broken if kind != "none" else None)
        said = gathering.moot("ann", "propose", "--rule", tea, code=code)
        if kind == "latin":
            broken.flush()
            assert b"Opened pull request 1" in broken.buffer.getvalue()  # type: ignore[attr-defined]
    if kind == "full":
        says(said, "the output could not be written", "it did", "do not do it again unseen")
    assert "refs/pull/1/head" in gathering.refs(), "what was begun was ended"


def test_an_interruption_says_what_it_leaves(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering.tea()
    before = gathering.refs()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(saying, "send", interrupted)
    says(gathering.moot("ann", "vote", "1", "for", code=130), "Interrupted: nothing is half done", "moot status")
    assert gathering.refs() == before
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = KeyboardInterrupt()
    assert command_line.was_interrupted(wrapped)
    assert not command_line.was_interrupted(RuntimeError("something else"))
    monkeypatch.setattr(subprocess.Popen, "communicate", lambda process, *_, **__: (process.wait(), interrupted()))
    with pytest.raises(KeyboardInterrupt):
        Git(gathering.bare).ask(["version"])  # which has ended already


LOADING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever began the tests may have it ignored
class Loading:
    def find_spec(self, name, path, target=None):
        if name == "folkmoot.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Loading())
from folkmoot.__main__ import main
main()
"""


def test_an_interruption_before_a_command_begins_is_no_fault() -> None:
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_word_that_is_no_text(gathering: Gathering) -> None:
    said = gathering.moot("ann", "act", "state", "Gr\udcfc\udcdfe", code=1)
    says(said, "Gr\\udcfc\\udcdfe", "not UTF-8", "LC_ALL=C.UTF-8")
