"""The store with the kernel: a real game is proved, tampered with and redacted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.engines import is_same
from folkmoot.core.versions import versions
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import Report, verify
from folkmoot.journal import GameFolder
from folkmoot.kernel.replay import replay
from folkmoot.kernel.step import Kernel
from tests.support.toy_game import files

START = 1_767_614_400
GAME = Path(__file__).parents[2] / "state"


def derive(entries: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return replay(entries, Kernel()).documents.everything()


def prove(game: Session | Path) -> Report:
    return verify(GameFolder(game) if isinstance(game, Path) else game.record, derive)


@pytest.fixture
def session(tmp_path: Path) -> Any:
    """Found Suber's game by mail and put proposal 301 to the vote."""
    people = [{"id": name} for name in ("ann", "bob", "cid")]
    given = {**founding("suber"), "title": "Real", "players": people, "settings": {"mode": "mail"}}
    path = tmp_path / "real"
    assert Session.found(path, {**given, "administrators": ["ann"]}, START).accepted
    with Session.open(path, writing=True) as opened:
        yield opened


def propose(session: Session, text: str) -> None:
    by = session.ask("mover")
    changes = [{"enact": {"title": "Dragon", "text": text}}]
    assert session.act(by, "propose", {"title": "Dragon", "changes": changes}, at=session.at + 60).accepted


def act(session: Session, by: str, do: str, **with_: Any) -> None:
    done = session.act(by, do, with_, at=session.at + 60)
    assert done.accepted, done.entry.get("reasons")


def test_a_redaction_takes_the_text_out_of_every_file(session: Session) -> None:
    text = "There is a dragon, and my number is 555-1234."
    act(session, "bob", "state", text="My number is 555-9876.")
    stated = session.head.seq
    propose(session, text)
    proposed = session.head.seq
    for seq, path in ((stated, "with.text"), (proposed, "with.changes.0.enact.text")):
        act(session, "ann", "redact", seq=seq, path=path, why="private")
    kept = b"".join(files(session.record.path).values())
    assert b"555-" not in kept
    report = prove(session)
    assert report.problems == []
    assert report.counts["redactions"] == 2
    act(session, "bob", "state", text="and play goes on")
    assert prove(session).problems == []


@pytest.mark.parametrize("path", sorted(GAME.glob("*/head.yaml")), ids=lambda path: path.parent.name)
def test_the_repositorys_own_game_is_sound_as_far_as_this_engine_recorded_it(path: Path) -> None:
    """What older engines recorded is proved in chain and bytes; they are named by hand (`moot verify --engine`)."""
    report = prove(path.parent)
    assert report.problems == []
    assert all(not is_same(part.engine, versions()) or part.why for part in report.unproved)
