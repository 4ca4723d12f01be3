"""The keeper's master secret: what is one, what follows from it, and that nothing and nobody else gets it."""

from __future__ import annotations

import base64
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.game import secret_store
from folkmoot.game.secret_store import CHANCE, derived, make_master, read_masters
from folkmoot.kernel.chance import commitment
from folkmoot.referee.report import Report
from tests.conftest import examples
from tests.support.meeting import GAME
from tests.support.quick import QuickMeeting

MASTER = bytes(range(7, 39))


@pytest.fixture(autouse=True)
def _nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.CHANCE, "")
    monkeypatch.delenv(CHANCE, raising=False)


@pytest.mark.parametrize("length", [32, 33, 64])
def test_a_master_secret_is_read_from_hex_and_from_either_base64(length: int) -> None:
    master = secrets.token_bytes(length)
    forms = [master.hex(), master.hex().upper(), base64.b64encode(master).decode()]
    forms += [base64.urlsafe_b64encode(master).decode(), base64.b64encode(master).decode().rstrip("=")]
    for form in forms:
        assert read_masters(f" {form}\n") == [master]


def test_what_is_made_can_be_read_and_several_in_their_order() -> None:
    first, second = make_master(), make_master()
    assert first != second
    assert read_masters(f"{first}, {second}") == [bytes.fromhex(first), bytes.fromhex(second)]
    assert len(read_masters(first)[0]) == 32


@pytest.mark.parametrize(
    "text",
    [
        "hunter2",
        "00" * 31,
        "00" * 32,
        "ab" * 64,
        "g" * 64,
        "A" * 43,
        MASTER.hex()[:-1] + "!",
        f"{MASTER.hex()} short",
        "${{ secrets.FOLKMOOT_CHANCE }}",
        MASTER.hex() * 200,
        "é" * 64,
    ],
)
def test_what_is_no_master_secret_is_said_in_one_sentence_that_shows_nothing_of_it(text: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read_masters(text)
    (problem,) = refused.value.problems
    assert (problem.code, "hex or base64" in problem.message) == ("E-SECRET", True)
    assert refused.value.__cause__ is None
    assert not any(word in str(problem) for word in text.replace(",", " ").split())


@settings(max_examples=examples(100))
@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ProblemError):
        assert all(len(master) >= 32 for master in read_masters(text))


@pytest.mark.threat("T-23")
def test_every_game_and_every_epoch_has_a_secret_of_its_own() -> None:
    games, epochs = ("suber", "suber1", "imperial"), range(1, 30)
    made = {derived(master, game, epoch) for master in (MASTER, MASTER[::-1]) for game in games for epoch in epochs}
    assert len(made) == 2 * len(games) * len(epochs)
    assert {len(each) for each in made} == {32}
    assert derived(MASTER, "suber", 1).hex() == "8905ddcb45b3f12b06d771be296d2390f6299aeb67fbb1b815e96c384a610776"


# -- a referee on a machine that keeps nothing


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path)


def let(quick: QuickMeeting, *lines: str) -> Report | None:
    """Let people say something, one after the other, and a referee run after each; return its last report."""
    report = None
    for who, line in (each.split(" ", 1) for each in lines):
        quick.say(who, 0, line)
        report = quick.referee(60)
    return report


def chance_of(quick: QuickMeeting) -> Any:
    return quick.document("game")["chance"]


def test_epochs_are_opened_and_closed_with_nothing_kept(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHANCE, MASTER.hex())
    for epoch in (1, 2):
        let(quick, "ann /do open_epoch")
        assert chance_of(quick)["commitment"] == commitment(derived(MASTER, GAME, epoch))
        let(quick, "bob /do roll")
        assert [draw["source"] for draw in quick.journal()[-1]["draws"]] == [f"epoch {epoch}"]
        let(quick, "ann /do close_epoch")
        assert chance_of(quick)["opened"][-1]["secret"] == derived(MASTER, GAME, epoch).hex()
    assert not (quick.bare / "folkmoot").exists()
    assert not list(quick.folder.rglob("*.secret"))
    assert quick.sound()
    assert CHANCE not in os.environ


@pytest.mark.threat("T-23")
def test_a_new_master_secret_holds_from_the_next_epoch(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHANCE, MASTER.hex())
    let(quick, "ann /do open_epoch")
    newer = MASTER[::-1]
    monkeypatch.setenv(CHANCE, f"{newer.hex()} {MASTER.hex()}")
    let(quick, "ann /do roll", "ann /do close_epoch", "ann /do open_epoch")
    assert chance_of(quick)["opened"][0]["secret"] == derived(MASTER, GAME, 1).hex()
    assert chance_of(quick)["commitment"] == commitment(derived(newer, GAME, 2))
    assert quick.sound()


def test_a_lost_secret_ends_its_epoch_visibly(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHANCE, MASTER.hex())
    let(quick, "ann /do open_epoch", "ann /do roll")
    monkeypatch.setenv(CHANCE, MASTER[::-1].hex())
    for line, code in (("ann /do close_epoch", "E-ARGS"), ("bob /do abandon_epoch why=mine", "E-NOT-ADMINISTRATOR")):
        let(quick, line)
        assert quick.journal()[-1]["code"] == code
    let(quick, 'ann /do abandon_epoch why="The forge lost it."')
    lost = {"epoch": 1, "commitment": commitment(derived(MASTER, GAME, 1)), "why": "The forge lost it."}
    assert (chance_of(quick)["lost"], chance_of(quick)["commitment"]) == ([lost], None)
    assert quick.sound()
    let(quick, "ann /do open_epoch")
    assert chance_of(quick)["epoch"] == 2


@pytest.mark.parametrize("held", ["", "hunter2", MASTER[::-1].hex()])
def test_a_game_stands_still_at_a_throw_whose_secret_is_not_there_until_it_is_or_its_epoch_is_given_up(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch, held: str
) -> None:
    monkeypatch.setenv(CHANCE, MASTER.hex())
    let(quick, "ann /do open_epoch")
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.CHANCE, held)
    let(quick, "bob /do state text=hello")
    assert quick.journal()[-1]["do"] == "state"
    before = quick.game().tree_id
    report = let(quick, "bob /do roll")
    assert report
    (told,) = report.games
    assert [problem.code for problem in told.waits] == ["E-SECRET"]
    assert (told.awake, told.stopped, report.entries, quick.game().tree_id) == (True, (), 0, before)
    assert held not in str(told.waits) or not held
    if held == "hunter2":
        monkeypatch.setitem(secret_store.HIDDEN, secret_store.CHANCE, MASTER.hex())
        assert not quick.referee(60).games[0].waits
        assert "roll" in [entry["do"] for entry in quick.journal()]
    else:
        assert let(quick, "bob /do abandon_epoch why=mine").games[0].waits  # type: ignore[union-attr]
        assert not let(quick, 'ann /do abandon_epoch why="It is gone."').games[0].waits  # type: ignore[union-attr]
        acts = [(entry["do"], entry.get("by")) for entry in quick.journal()]
        assert acts.count(("abandon_epoch", "ann")) == 1
        assert acts.index(("abandon_epoch", "ann")) < acts.index(("roll", "bob"))
        (rolled,) = [entry for entry in quick.journal() if entry["do"] == "roll"]
        assert rolled["draws"][0]["source"] == "open"
    tree = quick.game().tree_id
    quick.referee(60)
    assert quick.game().tree_id == tree
    assert quick.sound()


def test_no_epoch_is_opened_with_what_is_no_secret_and_its_author_sees_why(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.CHANCE, "hunter2")
    report = let(quick, "ann /do open_epoch")
    assert report
    assert report.entries == 0
    assert "does not hold 32 or more random bytes" in quick.said(0)
    assert "hunter2" not in quick.said(0)


@pytest.mark.threat("T-02")
def test_no_refused_act_stands_in_the_record_with_a_secret(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An administrator's act too: what the law would not let happen is recorded without what only the keeper knows."""
    monkeypatch.setenv(CHANCE, MASTER.hex())
    let(quick, "ann /do open_epoch", "bob /do close_epoch", "zed /do close_epoch", "ann /do close_epoch secret=1")
    secret = derived(MASTER, GAME, 1)
    assert chance_of(quick)["commitment"] == commitment(secret)
    everything = "".join(str(entry) for entry in quick.journal()) + quick.said(0)
    assert secret.hex() not in everything
    assert MASTER.hex() not in everything


# -- who gets it


@pytest.mark.threat("T-01")
def test_every_command_takes_it_out_of_the_environment_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from folkmoot.cli.main import main

    monkeypatch.setenv(CHANCE, MASTER.hex())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert CHANCE not in os.environ
    assert secret_store.masters() == [MASTER]
    assert Git(tmp_path).ask(["-c", "alias.dump=!env", "dump"]).find(CHANCE) == -1
