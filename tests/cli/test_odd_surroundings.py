"""Whatever somebody told git for all of their repositories, a game is begun, and the referee of a table looks at what comes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from folkmoot.core.game_location import TABLE_LOG as LOG
from folkmoot.core.settings_folder import settings_folder
from tests.support.forking import Forking
from tests.support.gathering import TEA
from tests.support.hurry import FORKED, hurry, shell
from tests.support.moot import Moot

SETTINGS: dict[str, dict[str, str]] = {
    "hooks of their own that refuse all": {"core.hooksPath": "{hooks}"},
    "every commit signed, and no key": {"commit.gpgSign": "true", "tag.gpgSign": "true", "gpg.program": "false"},
    "no bare repository by chance": {"safe.bareRepository": "explicit"},
    "lines that end as on Windows": {"core.autocrlf": "true", "core.eol": "crlf"},
    "nothing pushed by itself": {"push.default": "nothing", "pull.rebase": "true", "fetch.prune": "true"},
    "colours and programs for all": {"color.ui": "always", "core.pager": "false", "diff.external": "false"},
}


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """Return a folder of hooks, each of which refuses."""
    for name in ("pre-commit", "commit-msg", "pre-push", "update", "pre-receive"):
        hook = tmp_path / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)
    return tmp_path / "hooks"


@pytest.mark.parametrize("name", SETTINGS)
def test_a_game_is_begun_and_a_proposal_is_looked_at(
    moot: Moot, tmp_path: Path, hooks: Path, forking: Forking, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    for key, value in {"user.email": "a@x.org", "user.name": "Ann", **SETTINGS[name]}.items():
        shell(tmp_path, "git", "config", "--global", key, value.format(hooks=hooks))
    found = moot("table", "evening.git", "-r", "suber", "-p", "ann", "-p", "bob", "--json").record
    shell(tmp_path, "git", "config", "--global", "--add", "safe.directory", found["table"])
    hurry(Path(found["table"]), forking.shim(tmp_path / "python", FORKED))
    assert shell(tmp_path, *shlex.split(found["lines"]["ann"])).returncode == 0
    Path("tea.yaml").write_text(TEA, "utf-8")
    assert moot("-C", "ann", "propose", "--rule", "tea.yaml", "--wait", "--timeout", "60").code == 0
    assert "proposed a rule-change" in Path(found["table"], LOG).read_text("utf-8")
    assert moot("-C", "ann", "status").code == 0
    for words in (("new", "solo", "--ruleset", "suber", "-p", "ann"), ("init", "--template", "template")):
        said = moot(*words)
        assert said.code == 0, said.err


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_another_repository_that_git_tells_a_hook_of_is_not_meant(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    other = tmp_path / "other"
    monkeypatch.setenv(variable, str(other))
    assert moot("new", "club", "--ruleset", "suber", "-p", "ann").code == 0
    assert not other.exists()
    monkeypatch.delenv(variable, raising=False)
    assert shell(tmp_path, "git", "status", "--porcelain").stdout == ""


def test_a_repository_is_made_of_the_kind_that_can_be_read(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    assert moot("new", "club", "--ruleset", "suber", "-p", "ann").code == 0
    assert os.environ["GIT_DEFAULT_HASH"] == "sha256"
    assert len(shell(tmp_path, "git", "rev-parse", "HEAD").stdout.strip()) == 40


def test_a_name_in_brackets_is_written_without_them_as_git_does(moot: Moot, tmp_path: Path) -> None:
    for words in (("init", "-q"), ("config", "user.name", "Ånn <A>"), ("config", "user.email", "<a@x.org>")):
        shell(tmp_path, "git", *words)
    said = moot("new", "club", "--ruleset", "suber", "-p", "ann")
    assert said.code == 0, said.err
    assert shell(tmp_path, "git", "log", "-1", "--format=%an %ae").stdout == "Ånn A a@x.org\n"


@pytest.mark.threat("T-140")
@pytest.mark.parametrize("named", ["", ".", "settings", "/elsewhere"])
def test_settings_of_a_person_are_not_looked_for_in_the_folder_where_they_stand(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", named)
    assert settings_folder().is_absolute()
    assert (settings_folder() == Path(named)) == (named == "/elsewhere")


INTERRUPTED_TWICE = """
import atexit, os, signal, sys
from importlib.abc import MetaPathFinder

def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)

class Loading(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "folkmoot.cli.main":
            interrupt()

def run():
    try:
        interrupt()
    except KeyboardInterrupt:
        interrupt()

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever began the tests may have it ignored
when = sys.argv.pop()
if when == "loading":
    sys.meta_path.insert(0, Loading())
else:
    import folkmoot.cli.main
    folkmoot.cli.main.main = run if when == "ending" else int
    atexit.register(interrupt)
from folkmoot.__main__ import main
main()
"""


@pytest.mark.parametrize("when", ["loading", "ending", "ended"])
def test_an_interruption_before_a_command_and_after_it_is_no_fault(when: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_TWICE, when], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")
