"""`moot new`: who plays, who administers, who holds an office, what git is told, and what a terminal asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.ops.doctor.repository_files import GIT_FILES
from tests.support.meeting import git, identity
from tests.support.moot import Moot


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def test_a_settings_file_founds_a_game_and_options_prevail(moot: Moot) -> None:
    settings = "title: By mail\nzone: Europe/Vienna\nstarts: 2026-01-05T12:00:00Z\nplayers: [{id: ann, surname: Abel}, bob]\nsettings: {mode: mail}\n"
    assert moot("new", "mail", "-r", "suber", "--file", write("settings.yaml", settings), "--title", "Post").code == 0
    status = moot("status", "--json").record
    assert (status["title"], status["at"]) == ("Post", "2026-01-05T12:00:00Z")
    assert moot("explain", "setting", "mode", "--json").record["value"] == "mail"
    faulty = moot("new", "other", "--file", write("settings.yaml", "titel: X\n"))
    assert faulty.code == 1
    assert "settings.yaml:1:1: " in faulty.err


def test_offices_are_filled_when_a_game_is_founded(moot: Moot) -> None:
    players = ["-p", "ann,email=ann@bbs.net", "-p", "tivol,email=tivol@mit.edu"]
    assert "Offices to begin with: tie ann, ths tivol." in moot("new", "heat", "-r", "imperial", *players).out
    changes = 'changes=[{"enact": {"title": "Tea", "text": "Tea."}}]'
    for words in (
        ("submit_proposal", "title=Tea", changes, "-b", "tivol"),
        ("decide", "number=1", "verdict=accept", "-b", "ann", "--as", "tie"),
    ):
        done = moot("act", "-g", "heat", *words)
        assert done.code == 0, done.err
    said = moot("new", "warm", "-r", "imperial", *players, "--office", "tie=ann", "-o", "ths=tivol")
    assert said.code == 0
    assert moot("act", "announce_day", "-b", "ann", "-g", "warm").code == 0
    assert moot("act", "announce_day", "-b", "tivol", "-g", "warm").code == 3
    settings = "ruleset: imperial\nplayers: [ann, bob]\noffices: {tie: bob, ths: bob}\n"
    assert moot("new", "cold", "--file", write("settings.yaml", settings)).code == 0
    assert moot("act", "announce_day", "-b", "bob", "-g", "cold").code == 0


@pytest.mark.parametrize(
    ("words", "said", "holders"),
    [
        ((), "tax_collector cid, osj ann, obc bob, tribune cid, dealer ann", ("bob", "ann")),
        (("-o", "dealer=bob"), "dealer bob", ("bob", "bob")),
        (("-o", "dealer=bob", "-o", "banker="), "Offices to begin with: ", (None, "bob")),
    ],
)
def test_offices_that_nobody_holds_fall_to_the_players_in_turn(
    moot: Moot, words: tuple[str, ...], said: str, holders: tuple[str | None, str]
) -> None:
    done = moot("new", "parliament", "-r", "a-nomic", "-p", "ann", "-p", "bob", "-p", "cid", *words)
    assert done.code == 0, done.err
    assert said in " ".join(done.out.split())
    offices = load_yaml(Path("state/parliament/things/office.yaml").read_text("utf-8"), "office.yaml")
    assert (offices["banker"].get("holder"), offices["dealer"]["holder"]) == holders


def test_a_new_game_tells_git_what_to_leave_alone(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "table", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    assert "state/** -text" in (tmp_path / ".gitattributes").read_text().splitlines()
    ignored = (tmp_path / ".gitignore").read_text().splitlines()
    assert {".pending/", "/site/", "/site_src/index.md"} <= set(ignored)
    assert not git(tmp_path, "status", "--porcelain"), "they are in the founding commit"
    assert ".gitattributes" in git(tmp_path, "ls-files")
    (tmp_path / ".gitignore").write_text("mine\n")
    assert moot("new", "other", "-r", "suber", "-p", "ann", "--no-commit").code == 0
    assert (tmp_path / ".gitignore").read_text() == "mine\n", "one's own are never changed"
    root = Path(__file__).parents[2]
    for name, text in GIT_FILES.items():
        wanted = {line for line in text.splitlines() if not line.startswith("#")}
        assert wanted <= set((root / name).read_text("utf-8").splitlines()), "and so does this repository"


def test_a_founder_is_told_how_they_are_recognised(moot: Moot, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(tmp_path))
    identity(tmp_path, "ann")
    said = moot("new", "open", "-r", "suber", "--forge", "local", "-p", "ann,email=Ann@x.org", "-p", "bob")
    assert "You are ann: git says that you are ann@x.org." in said.out
    said = moot("new", "shut", "-r", "suber", "--forge", "local", "--closed", "-p", "zoe", "-p", "bob")
    assert "git says that you are ann@x.org, which is no player here" in said.err
    assert "email=ADDRESS" in said.err
    game = (tmp_path / "state/shut/game.yaml").read_text()
    assert "forge: local" in game
    assert "joining: closed" in game
    assert "is kept by one person" not in moot("status", "--game", "shut").err


def test_new_says_who_administers_and_takes_the_founder(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "bob@x.org")
    said = moot("new", "one", "-r", "suber", "-p", "ann", "-p", "bob,email=bob@x.org", "--no-commit")
    assert "bob administers the game: pauses" in " ".join(said.out.split())
    named = moot("new", "two", "-r", "suber", "-p", "ann", "-p", "bob", "-a", "ann", "--no-commit")
    assert "ann administers the game" in named.out


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
    answers = iter(["", "", "ann, bob  cid", "tea.git", "orchard", "dan eve"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(answers))
    assert "Founded evening" in moot("new").out
    game = Path("state", "evening", "game.yaml").read_text("utf-8")
    assert "ruleset: lanterns\n" in game
    laid = moot("table").out
    assert "the game tea (orchard)" in laid
    assert "dan administers" in laid
    assert "user.name=Dan" in laid
    assert not list(answers)
