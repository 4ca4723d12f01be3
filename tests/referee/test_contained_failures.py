"""One input that the engine fails over harms nothing but itself: it is void, on record, told, and not tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import UnwritableError
from folkmoot.forges.error_isolation import Stage
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.support.faults import Planted
from tests.support.issues import WithIssues
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting
from tests.support.town import Town

DEEP = "[" * 4_900 + "]" * 4_900
COMMENTS = {
    "deep vote": f"/vote for x={DEEP}",
    "deep join": f"/join attributes={DEEP}",
    "half join": "/join attributes=[[",
    "float": "/vote for x=[1.5]",
    "huge amount": f"/do give to=bob amount={'9' * 4_000}",
    "hexadecimal": f"/do give to=bob amount=0x{'f' * 3_900}",
    "redact": "/do redact seq=999 path=x",
    "redact a word": "/do redact seq=abc path=x",
    "redact and more": "/do redact seq=1 path=x foo=1",
    "half a character": '/do state text="a\ud800"',
}
RULES = {
    "title": b'title: "\\UFFFFFFFF"\ntext: x\n',
    "text": b'title: x\ntext: "a\\ud800"\n',
    "initial": b"title: x\ntext: y\ndefines:\n  game:\n    n: {type: integer, initial: " + b"9" * 3_700 + b"}\n",
    "hexadecimal": b"title: x\ntext: y\ndefines:\n  game:\n    n: {type: integer, initial: 0x" + b"f" * 3_900 + b"}\n",
}
ACTS = {
    "name": b'do: join\nargs:\n  name: "\\ud800"\n',
    "number": b"do: give\nargs: {to: bob, amount: 0x" + b"f" * 3_900 + b"}\n",
}


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, games=("moor", "fen"))


def go_on(quick: QuickMeeting) -> None:
    """Assert that both games are played as ever, and that nothing is done again."""
    quick.now += 60
    for game in ("moor", "fen"):
        quick.say("dee", 0, f"/game {game}\n/do state text=on")
    report = quick.referee()
    assert [game.stopped for game in report.games] == [(), ()]
    for game in ("moor", "fen"):
        assert quick.journal(game)[-1]["with"] == {"text": "on"}
        assert quick.sound(game)
    assert quick.referee(60).entries == 0


@pytest.mark.threat("T-59")
@pytest.mark.parametrize("who", ["ann", "eve"])
def test_a_comment(quick: QuickMeeting, who: str) -> None:
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    for what, body in [*COMMENTS.items()][:: 1 if FUZZ or who == "ann" else 4]:
        try:
            quick.say(who, 0, f"/game moor\n{body}\n/do state text='after {what}'")
            quick.say(who, pull, body)
        except (ProblemError, UnicodeError, UnwritableError):
            continue  # no letter can hold it
        quick.referee(60)
        assert "### What arrived here" in quick.said(0)
        assert who in quick.said(pull).lower()
        texts = [entry["with"].get("text") for entry in quick.journal()[-2:]]
        assert (f"after {what}" in texts) == (who == "ann")
    go_on(quick)


@pytest.mark.threat("T-59")
def test_a_file(quick: QuickMeeting) -> None:
    files = {f"rules/{name}.yaml": data for name, data in RULES.items()}
    files |= {f"inbox/{name}.yaml": data for name, data in ACTS.items()}
    pulls = [quick.open(who, {path: data}) for path, data in files.items() for who in ("eve", "ann")]
    quick.referee()
    assert all(quick.said(pull) for pull in pulls)
    go_on(quick)


# -- every stage


def begin(quick: QuickMeeting, forge: WithIssues) -> None:
    """Have ann and bob do something of every kind: eight things to moor, and two to no game."""
    for who in ("ann", "bob"):
        quick.open(who, {f"rules/{who}.yaml": rule(f"Of {who}")}, f"Of {who}")
        quick.open(who, {f"inbox/{who}.yaml": b"do: state\nargs: {text: filed}\n"}, "Filed")
        forge.open(who, "/game moor\n/do state text=issued", quick.now)
        forge.open(who, "/game nowhere", quick.now)
        quick.say(who, 0, "/game moor\n/do state text=said")


UNUSUAL = {Stage.GIVEN_UP, Stage.FAULT, Stage.WAITING}
STANDS_STILL = {Stage.GAME, Stage.TICK}
RECORDED = {Stage.FACT, Stage.ACT}


@pytest.mark.parametrize(
    ("stage", "first"), [(stage, n % 2 + 1) for n, stage in enumerate(Stage) if stage not in UNUSUAL]
)
@pytest.mark.sampled(2)
def test_a_failure_planted_at_each_stage(stage: Stage, first: int, tmp_path: Path) -> None:
    quick = QuickMeeting(tmp_path, games=("fen", "moor"))
    begin(quick, forge := WithIssues(quick.bare))
    planted = Planted(stage, first)

    def run() -> Report:
        quick.now += 36 * 3_600
        with Referee(forge, quick.repo, lambda: quick.now) as referee:
            return referee.run()

    with fault_hook(planted):
        report = run()
    assert planted.passed >= first, "the stage was not reached"
    assert len([game for game in report.games if game.stopped]) == (stage in STANDS_STILL)
    assert any(game.done for game in report.games) or stage in STANDS_STILL
    report = [run() for _ in range(3)][-1]
    assert [game.stopped for game in report.games] == [(), ()]
    assert not [done for game in report.games for done in game.done]
    done = [(entry["by"], entry["do"], str(entry["with"].get("text"))) for entry in quick.journal("moor")[1:]]
    acts = [each for each in done if each[1] in ("state", "propose")]
    assert len(acts) == len(set(acts)), "something was done twice"
    voids = [entry for entry in quick.journal("moor") if entry["do"] == "fault"]
    assert {(entry["code"], entry["via"]["forge"]) for entry in voids} <= {("E-FAULT", "local")}
    assert len(voids) == (stage in RECORDED)
    assert len(acts) + len(voids) >= (7 if stage in (Stage.LETTER, Stage.PLACE) else 8)
    for game in ("moor", "fen"):
        assert quick.sound(game)


def test_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gives up an epoch, and is failed over, is answered; the others are heard."""
    monkeypatch.setattr("folkmoot.referee.intake.is_lost", lambda *_: True)
    quick = QuickMeeting(tmp_path)
    quick.say("ann", 0, "/do abandon_epoch why=lost")
    quick.say("bob", 0, "/do state text=heard")
    with fault_hook(Planted(Stage.GIVEN_UP, 1)):
        quick.referee(60)
    assert [entry["do"] for entry in quick.journal()][1:] == ["fault", "state"]
    assert "E-FAULT" in quick.said(0)


def test_fault(tmp_path: Path) -> None:
    """Where not even the void can be recorded, the comment remembers that it is not tried again."""
    quick = QuickMeeting(tmp_path)
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    quick.say("bob", pull, "/do state text=once")
    failing: list[str] = []

    def fail(point: str) -> None:
        if point in ("stage-act", "stage-fault"):
            failing.append(point)
            raise ZeroDivisionError

    with fault_hook(fail):
        quick.referee(60)
    assert failing == ["stage-act", "stage-fault"]
    assert "E-FAULT" in quick.said(pull)
    for _ in range(2):
        assert quick.referee(60).entries == 0
        assert "E-FAULT" in quick.said(pull)


def test_waiting(tmp_path: Path) -> None:
    """Where it cannot be told who is awaited, the rest is told."""
    town_ = Town(tmp_path)
    town_.propose("ann", "A dragon")
    town_.say("bob", 0, "/do state text=heard")

    def fail(point: str) -> Any:
        if point == "stage-waiting":
            raise ZeroDivisionError

    with fault_hook(fail):
        town_.referee(60)
    assert "bob, state" in town_.said(0)
