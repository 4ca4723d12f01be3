"""A file of a record that is not what it should be is told before anything is built upon it, and repaired by nobody."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from folkmoot.cli.main import main
from folkmoot.core.fault_points import fault_hook
from folkmoot.journal import GameFolder
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot, Said


def run_moot(folder: Path, words: str) -> str:
    """Run a command in a folder and return what it printed; it must end well."""
    with chdir(folder), CliRunner().isolation() as (out, err, _):
        with pytest.raises(SystemExit) as ended:
            main(words.split())
        assert not ended.value.code, (words, err.getvalue().decode())
        return out.getvalue().decode()


FILES = [
    *("head.yaml", "game.yaml", "law.yaml", "roster.yaml", "rules/101.yaml", "rules/205.yaml", "rules/213.yaml"),
    *("things/player.yaml", "things/timer.yaml", "things/office.yaml", "things/game.yaml", "history/205.yaml"),
    *("proposals/300/301.yaml", "journal/000/000001.yaml", "journal/000/000002.yaml", "journal/000/000004.yaml"),
]
TABLE = "new table -r suber -p ann -p bob -p cid --at 2026-01-05T12:00:00Z"


def _flipped(path: Path) -> None:
    data = path.read_bytes()
    at = len(data) // 3
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def _linked(path: Path) -> None:
    copy = path.parents[3] / "copy.yaml"
    path.rename(copy)
    path.symlink_to(copy)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "halved": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "one bit": _flipped,
    "its last byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "gone": Path.unlink,
    "a link": _linked,
    "endless": lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
    "a folder": _folder,
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a game of a few entries, a proposal and an amended rule, made once."""
    root = tmp_path_factory.mktemp("kept")
    run_moot(root, TABLE)
    rule = (root / "state/table/rules/205.yaml").read_text()
    (root / "205.yaml").write_text(rule.replace("title: ", "title: New ", 1))
    for words in (
        "state --by ann Hello.",
        "state --by bob Met.",
        "propose --rule 205.yaml --by ann",
        "finalise --by ann",
    ):
        run_moot(root, f"act {words}")
    for who in ("ann", "bob", "cid"):
        run_moot(root, f"act vote choice=for --by {who}")
    (root / "205.yaml").unlink()
    return root


@pytest.fixture
def played(moot: Moot, kept: Path, tmp_path: Path) -> Moot:
    """Return `moot` in a copy of that."""
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True, symlinks=True)
    return moot


def told(said: Said) -> bool:
    """Say whether a command ended as it does where a record is damaged: in sentences, and one of the two numbers."""
    return said.code in (4, 5) and "[E-" in said.err and "fault of its own" not in said.err


def tree(root: Path) -> dict[str, bytes]:
    """Return all that lies outside of git's own folder."""
    files = (path for path in root.rglob("*") if ".git" not in path.parts and not path.is_dir())
    return {str(path): bytes(path.readlink()) if path.is_symlink() else path.read_bytes() for path in files}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.sampled(13)  # so that each damage is tried
@pytest.mark.threat("T-140")
def test_nothing_is_recorded_on_a_damaged_file(played: Moot, tmp_path: Path, name: str, damage: str) -> None:
    path = tmp_path / "state/table" / name
    DAMAGES[damage](path)
    before = tree(tmp_path)
    said = played("status")
    assert told(said) or (said.code == 0 and "The record is damaged" in said.err), said
    assert told(said := played("act", "state", "--by", "ann", "More.")), said
    assert played("verify").code == 4
    assert tree(tmp_path) == before


@pytest.mark.threat("T-140")
@pytest.mark.parametrize("place", ["state", "state/table"])
def test_a_link_in_the_place_of_games_is_no_place_without_games(played: Moot, tmp_path: Path, place: str) -> None:
    (tmp_path / "notes").mkdir()
    shutil.rmtree(tmp_path / place)
    (tmp_path / place).symlink_to(tmp_path / "notes")
    said = played("status")
    assert (said.code, said.err.count("[E-FILE]")) == (4, 1), said


@pytest.mark.threat("T-140")
def test_of_a_damaged_file_what_is_wrong_first_is_said(played: Moot, tmp_path: Path) -> None:
    for name in ("a\nb", "x\x1b[2J", "..evil", "-x", "con"):  # what no game can be called holds none
        shutil.copytree(tmp_path / "state/table", tmp_path / "state" / name)
    assert played("status").code == 0
    for name in ("rules/205.yaml", "journal/000/000002.yaml"):
        path = tmp_path / "state/table" / name
        path.write_text(path.read_text() * 2)
    said = played("status"), played("log")
    assert [each.err.count("stands here a second time") for each in said] == [1, 1], said
    assert said[1].code == 4


@pytest.mark.parametrize("name", ["rules/205.yaml", "journal/000/000002.yaml", "things/player.yaml", "game.yaml"])
def test_whatever_records_is_refused_until_it_is_put_back(played: Moot, tmp_path: Path, name: str) -> None:
    path = tmp_path / "state/table" / name
    path.write_text("ann: 3\n")
    before = tree(tmp_path)
    for words in ("act state --by ann More.", "referee", "act pause --by ann"):
        assert played(*words.split()).code in (4, 5)
    assert "git checkout HEAD -- state" in played("verify").err
    assert tree(tmp_path) == before
    git(tmp_path, "checkout", "-q", "HEAD", "--", "state")
    assert played("act", "state", "--by", "ann", "More.").code == played("verify").code == 0
    path.write_text("ann: 3\n")
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@b.invalid", "commit", "-qam", "Mine")
    for words in ("status", "act state --by ann More.", "verify"):
        assert played(*words.split()).code in (0, 4), "what somebody committed is no fault of the engine"
    assert "`moot verify --repair`" in played("verify").err


def test_what_was_recorded_and_not_committed_is_no_damage(played: Moot, tmp_path: Path) -> None:
    for text in ("One.", "Two."):
        assert played("act", "state", "--by", "ann", "--no-commit", text).code == 0
    assert "damaged" not in played("status").err
    entry = tmp_path / "state/table/journal/000/000009.yaml"
    entry.write_text(entry.read_text().replace("One.", "Oh no"))
    assert told(played("act", "state", "--by", "ann", "More."))
    entry.write_text(entry.read_text().replace("Oh no", "One."))
    shutil.rmtree(tmp_path / ".git")
    assert played("act", "state", "--by", "ann", "More.").code == 0
    entry.write_text(entry.read_text().replace("One.", "Oh no"))
    assert told(played("act", "state", "--by", "ann", "More.")), "outside of a repository too"


@pytest.mark.parametrize("count", [1, 2, 9])
def test_of_files_that_no_entry_made_their_number_and_the_first_few_are_told(
    played: Moot, tmp_path: Path, count: int
) -> None:
    for number in range(count):
        (tmp_path / f"state/table/rules/99{number}.yaml").write_text("title: Stray\n")
    said = played("act", "state", "--by", "ann", "More.")
    assert (said.code, said.err.count("[E-STRAY]")) == (4, 1)
    few = ", ".join(f"rules/99{number}.yaml" for number in range(1, min(count, 5)))
    more = f"; so are {count - 1} more: {few}{', …' if count > 5 else ''}" if few else ""
    assert f"rules/990.yaml: the file is in no commit, and no entry made it{more} [E-STRAY]" in said.err


AT_A_TABLE = (
    ("status",), ("log",), ("show",), ("show", "hand",), ("explain", "ann"), ("act", "state", "x"), ("status", "--wait", "--timeout", "0"),
    ("propose", "--repeal", "206", "--dry-run"), ("try", "--comment", "tea.yaml"), ("verify", "--repair",),
)  # fmt: skip


@pytest.mark.threat("T-140")
@pytest.mark.parametrize("name", ["head.yaml", "game.yaml", "roster.yaml", "law.yaml"])
@pytest.mark.sampled(2)
def test_a_game_of_a_table_that_lost_a_file_that_every_game_has_is_damaged_and_no_other(
    gathering: Gathering, name: str
) -> None:
    root = gathering.clone("ann")
    (root / "tea.yaml").write_text("title: Tea\ntext: |\n  There is tea.\n")
    git(root, "rm", "--quiet", f"state/{GAME}/{name}")
    git(root, "commit", "--quiet", "-m", "Cut")
    git(root, "push", "--quiet", "origin", "HEAD:main")
    for words in AT_A_TABLE:
        said = gathering.moot("ann", *words, code=4)
        assert f"{name}: the file is missing" in said.err + said.out, (words, said)


LOOKS = [
    "status",
    "show",
    "show rule 205",
    "log",
    "explain 2",
    "verify",
    "check",
    "hand --as ann",
    "doctor",
    "completion",
]


def test_who_looks_leaves_a_write_that_was_cut_short_to_who_writes(played: Moot, tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        folder = GameFolder(tmp_path / "state/table")
        entry = {"at": folder.head.at, "do": "state", "by": "ann", "with": {"text": "Cut."}}
        with fault_hook(lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == "placed" else None):
            folder.append([entry], {})  # type: ignore[list-item]
        os._exit(0)
    os.waitpid(child, 0)
    before = tree(tmp_path)
    for words in LOOKS:
        said = played(*words.split())
        assert tree(tmp_path) == before, words
        assert words != "log" or "Cut." in said.out, "it is seen as the next writer will find it"
    done = played("act", "state", "--by", "ann", "More.")
    assert (done.code, done.err) == (0, "")
    assert (done.code, len(GameFolder(tmp_path / "state/table").listing("journal/000"))) == (0, 10)
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout == b""
