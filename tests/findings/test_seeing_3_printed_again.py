"""What only looks prints the same again without loading game or law, and looks anew as soon as anything has changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli import output_cache
from folkmoot.forges.git_transport import Git
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from tests.cli.conftest import Moot, Said
from tests.cli.gathering import Gathering
from tests.findings.seats import Seats, Sit
from tests.referee.meeting import GAME, git, rule

LOADED = """
import sys, json, folkmoot.cli.output_cache as output_cache
output_cache.YOUNG = 0
from folkmoot.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code, ended.code
sys.stdout.flush()
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
HEAVY = ("cryptography", "httpx", "jinja2", "markdown_it", "mkdocs", "pygit2", "rich", "ruamel", "starlark", "yaml_rs",
         "folkmoot.game.session", "folkmoot.kernel", "folkmoot.player", "folkmoot.referee", "folkmoot.site")  # fmt: skip
NEVER = ("httpx", "jinja2", "mkdocs", "rich", "zoneinfo", "folkmoot.files.reader", "folkmoot.forges.github",
         "folkmoot.game.verify", "folkmoot.kernel.play", "folkmoot.referee.comment", "folkmoot.referee.content",
         "folkmoot.referee.run", "folkmoot.site")  # fmt: skip
"""What is of no use to who only looks at how a game stands, even for the first time."""


def loaded(folder: Path, *words: str) -> tuple[str, list[str]]:
    """Run a command in a process of its own; return what it prints, and the modules that it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "-C", str(folder), *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def among(modules: list[str], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(each == name or each.startswith(f"{name}.") for each in modules)]


@pytest.mark.parametrize("words", [["status"], ["status", "--json"], ["show", "registers"]])
def test_an_unchanged_game_is_shown_without_loading_it(table: Moot, tmp_path: Path, words: list[str]) -> None:
    git(tmp_path, "init", "--quiet") if not (tmp_path / ".git").exists() else None
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@x.org", "commit", "--quiet", "--allow-empty", "-m", "more")
    first, needed = loaded(tmp_path, *words)
    second, anew = loaded(tmp_path, *words)
    assert first == second
    assert "bob" in first
    assert "folkmoot.game.session" in needed
    assert among(anew, HEAVY) == [], "as it was printed, and nothing else"
    assert words[0] != "status" or among(needed, NEVER) == []


def test_so_it_is_where_players_meet(seats: Sit) -> None:
    seated = seats()
    git(seated.bare, "config", "user.name", "Ann")
    git(seated.bare, "config", "user.email", "ann@x.org")
    first, needed = loaded(seated.bare, "status")
    second, anew = loaded(seated.bare, "status")
    assert (first, among(anew, HEAVY)) == (second, [])
    assert "You are ann" in first
    assert among(needed, NEVER) == []


def test_the_remote_is_asked_once(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    listing = Git.listing
    monkeypatch.setattr(Git, "listing", lambda git, place: (asked.append(place), listing(git, place))[1])
    gathering.moot("ann", "status")
    gathering.moot("bob", "show")
    assert asked == [str(gathering.remote)] * 2


def test_no_process_is_started_where_no_rule_answers(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Path] = []
    monkeypatch.setattr("folkmoot.cli.early_start.begin", lambda: begun.append(gathering.folder))
    gathering.moot("ann", "status")
    assert len(begun) == 1, "whose turn it is, the law of this game says"
    for file in (gathering.clone("bob") / "state" / GAME / "rules").iterdir():
        file.write_bytes(file.read_bytes().replace(b"def decide_", b"def other_"))
    gathering.moot("bob", "status")
    assert len(begun) == 1, "what the clone has is enough to know whether one will be needed"


def test_what_no_rule_answers_is_not_asked(table: Moot, tmp_path: Path) -> None:
    with Session.open(tmp_path / "state" / "table") as session:
        assert session.ask("nothing_of_the_kind", 1) is None
        assert session.ask_about("nothing_of_the_kind", "proposal/301") is None
        assert session._sandbox is None
        assert session.ask("mover") == "ann"
        assert session._sandbox is not None


# -- looking anew


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep what is printed whatever its age, and return the list of what was printed again."""
    found: list[str] = []
    lines = output_cache._Kept.lines

    def told(self: Any) -> Any:
        kept = lines(self)
        found.append("again" if kept is not None else "anew")
        return kept

    monkeypatch.setattr(output_cache, "YOUNG", 0)
    monkeypatch.setattr(output_cache._Kept, "lines", told)
    return found


def hand_edit(seated: Seats) -> None:
    tip = seated.change("bob", {"state/moor/game.yaml": seated.game().read("game.yaml") + b"# by hand\n"})
    seated.put("refs/heads/main", tip)


CHANGES: dict[str, Callable[[Seats], object]] = {
    "an entry": lambda seated: (seated.say("bob", 0, "/roll"), seated.referee(60)),
    "a letter that nobody has looked at": lambda seated: seated.say("ann", 0, "/roll"),
    "a pull request": lambda seated: seated.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea"),
    "an edit by hand": hand_edit,
    "what was looked at": lambda seated: seated.moot("ann", "log", "--talk"),
    "a setting of the clone": lambda seated: git(seated.bare, "config", "user.signingkey", "none"),
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_whatever_changes_is_looked_at_anew(seats: Sit, looked: list[str], change: str) -> None:
    seated = seats()
    seated.say("bob", 0, "Good evening.")
    seated.referee(60)
    assert seated.status("ann") == seated.status("ann")
    assert looked == ["anew", "again"]
    CHANGES[change](seated)
    seated.status("ann")
    assert looked == ["anew", "again", "anew"]


def test_what_is_kept_is_for_who_asked_so(seats: Sit, looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seated = seats()
    for person, words in (("ann", []), ("bob", []), ("ann", ["--json"]), ("ann", ["--by", "bob"]), ("ann", ["--all"])):
        seated.moot(person, "status", *words)
    monkeypatch.setenv("COLUMNS", "60")
    seated.status("ann")
    assert looked == ["anew"] * 6


def test_a_game_that_one_person_keeps_is_looked_at_anew_when_a_file_changes(
    table: Moot, looked: list[str], tmp_path: Path
) -> None:
    def status() -> Said:
        return table("status")

    status()
    status()
    file = tmp_path / "state" / "table" / "rules" / "203.yaml"
    file.write_text(file.read_text() + "# noted\n")
    status()
    table("act", "throw_die", "--by", "ann")
    status()
    assert looked == ["anew", "again", "anew", "anew"] or not (tmp_path / ".git").exists()


def test_what_was_just_written_is_not_kept(seats: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_cache, "YOUNG", 3600)
    seated = seats()
    seated.status("ann")
    assert not (seated.bare / output_cache.FILE).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"state": 1}', '{"state": "x", "shown": 3}'])
def test_a_damaged_file_of_what_is_kept_harms_nothing(seats: Sit, text: str, looked: list[str]) -> None:
    seated = seats()
    (seated.bare / output_cache.FILE).write_text(text)
    assert "You are ann" in seated.status("ann")


def test_a_failure_is_not_kept(table: Moot, looked: list[str], tmp_path: Path) -> None:
    folder = GameFolder(tmp_path / "state" / "table")
    name = f"journal/000/{folder.head.seq:06d}.yaml"
    (folder.path / name).unlink()
    assert table("status").code
    assert table("status").code
    assert "again" not in looked
