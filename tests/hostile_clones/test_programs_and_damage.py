"""Attack 9, not tried before: what stands in a clone beside the game runs nothing, and is named where it is damaged."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import folkmoot
from tests.hostile_clones.programs import ATTRIBUTES, DAMAGED, HARMLESS, HOOKS, PROGRAMS
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.moot import Moot

MODULES = '[submodule "x"]\n\tpath = x\n\turl = -u./trap\n\tupdate = !touch /nowhere\n\tfetchRecurseSubmodules = true\n'


class Traps:
    """A folder of programs, each of which leaves its name when git runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def program(self, name: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\ntouch '{self.folder}/{name}.ran'\ncat\n")
        path.chmod(0o755)
        return str(path)

    @property
    def sprung(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.ran"))

    def plant(self, clone: Path) -> None:
        """Set every trap in a repository: hooks, settings, attributes, submodules."""
        own = clone / ".git"
        (own / "hooks").mkdir(exist_ok=True)
        for hook in HOOKS:
            (own / "hooks" / hook).symlink_to(self.program(hook))
        settings = [f"[{name.rpartition('.')[0]}]" for name in PROGRAMS]
        for number, name in enumerate(PROGRAMS):
            section, _, key = name.rpartition(".")
            first, dot, rest = section.partition(".")
            settings[number] = f"[{first}{f' {chr(34)}{rest}{chr(34)}' if dot else ''}]\n\t{key} = {self.program(name)}"
        with (own / "config").open("a") as config:
            config.write("\n".join([*settings, '[filter "trap"]\n\trequired = true', MODULES, ""]))
        (own / "info").mkdir(exist_ok=True)
        (own / "info/attributes").write_text(ATTRIBUTES)
        (clone / ".gitattributes").write_text(ATTRIBUTES)
        (clone / ".gitmodules").write_text(MODULES)


@pytest.mark.threat("T-78")
def test_a_players_commands_run_no_program_of_the_clone(gathering: Gathering, tmp_path: Path) -> None:
    traps = Traps(tmp_path / "traps")
    traps.plant(gathering.clone("ann"))
    for words in (("status",), ("act", "state", "Hello."), ("propose", "--rule", gathering.file("tea.yaml"))):
        gathering.moot("ann", *words)
    gathering.referee()
    for words in (("try", "1"), ("vote", "1", "for"), ("verify",), ("propose", "--update", "1", "--repeal", "206")):
        gathering.moot("ann", *words)
    assert traps.sprung == []
    rule = next((gathering.clone("ann") / "state").rglob("203.yaml"))
    rule.write_text(rule.read_text() + "# more\n")
    said = gathering.moot("ann", "propose", code=1)
    assert "203.yaml" in said.err, "what is not committed is found without the filters"
    assert traps.sprung == []
    subprocess.run(["git", "-C", str(gathering.clone("ann")), "status"], capture_output=True, check=False)
    assert traps.sprung, "the traps are good: a person's own git runs into them"


@pytest.mark.threat("T-78")
def test_a_game_kept_by_hand_runs_none_either(table: Moot, tmp_path: Path) -> None:
    traps = Traps(tmp_path.parent / f"{tmp_path.name}-traps")
    traps.plant(tmp_path)
    for words in (("act", "state", "--by", "ann", "One."), ("verify",), ("status",), ("referee",), ("doctor",)):
        later = time.time() + 3_600
        for path in (tmp_path / "state").rglob("*.yaml"):
            os.utime(path, (later, later))  # no older than the index: git looks into such files again
        table(*words)
        assert traps.sprung == [], words
    git(tmp_path, "update-ref", "HEAD", "HEAD~1")  # the last commit lacks entries: git is asked what has changed
    for trap in traps.folder.glob("*.ran"):
        trap.unlink()
    assert table("act", "state", "--by", "ann", "Two.").code == 0
    assert traps.sprung == []
    blob = git(tmp_path, "rev-parse", "HEAD:state/table/head.yaml")
    assert git(tmp_path, "ls-files", "--stage", "state/table/head.yaml").split()[1] == blob
    assert table("verify").code == 0


def test_git_is_started_in_three_places_that_know_this() -> None:
    """Whoever starts git somewhere else would have to think of all this again."""
    root = Path(folkmoot.__file__).parent
    starting = re.compile(r"""\[\s*["']git["']""")
    found = {str(path.relative_to(root)) for path in root.rglob("*.py") if starting.search(path.read_text("utf-8"))}
    assert found == {"forges/git_transport.py", "journal/commit.py", "journal/git_programs.py"}


# -- what is damaged


@contextmanager
def planted(own: Path, plant: Callable[[Path], None]) -> Iterator[None]:
    """Let something stand in git's own folder while the context lasts."""
    before = {path: path.read_bytes() for path in own.rglob("*") if path.is_file() and "objects" not in path.parts}
    plant(own)
    try:
        yield
    finally:
        for path in [path for path in own.rglob("*") if path.is_file() and path not in before]:
            if "objects" not in path.parts or path.name == "alternates":
                path.unlink()
        for path, data in before.items():
            path.write_bytes(data)


@pytest.mark.threat("T-78")
def test_what_is_damaged_in_a_clone_is_one_sentence(gathering: Gathering) -> None:
    """None of it is called a fault of moot's, and none changes what the others see."""
    own = gathering.clone("ann") / ".git"
    for name, plant in HARMLESS.items():
        with planted(own, plant):
            assert gathering._moot("-C", str(own.parent), "act", "state", name).code == 0, name
    before = gathering.refs()
    for name, plant in DAMAGED.items():
        with planted(own, plant):
            for words in (("status",),) * (name in ("HEAD", "settings", "shallow")) + (("act", "state", "Hello."),):
                said = gathering._moot("-C", str(own.parent), *words)
                assert said.code in (0, 1, 5), (name, words, said)
                assert said.code == 0 or re.search(
                    r"fsck|inside a repository|brings them here|fresh|own settings", said.err
                ), (name, words, said.err)
                assert said.err.count("[E-") == (said.code != 0), (name, said.err)
    assert gathering.refs() == before
    gathering.moot("ann", "act", "state", "And on.")


@pytest.mark.threat("T-78")
def test_addresses_that_settings_lead_astray_are_followed_to_no_program(gathering: Gathering) -> None:
    own = gathering.clone("ann") / ".git"
    trap = own.parent.parent / "ran"
    astray = f'[url "ext::touch {trap} "]\n\tinsteadOf = {gathering.remote}\n'
    with planted(own, lambda own: own.joinpath("config").write_text((own / "config").read_text() + astray)):
        said = gathering._moot("-C", str(own.parent), "act", "state", "Hello.")
    assert (said.code, trap.exists()) == (0, False)
    assert said.err.count("settings of its own that are not followed") == 1
