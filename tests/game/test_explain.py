"""Explanations against the repository's own game: every point, revision and ballot is traced to entry and rule."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.explain import explain_ballot, explain_entry, explain_proposal, explain_register, explain_rule
from folkmoot.game.session import Session

GAME = Path(__file__).parents[2] / "state" / "suber-mail"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    path = tmp_path_factory.mktemp("state") / GAME.name
    shutil.copytree(GAME, path)
    with Session.open(path) as opened:
        yield opened


def scores(session: Session) -> dict[str, int]:
    return {player: registers["score"] for player, registers in session.document("things/player").items()}


def test_every_point_of_every_player_is_accounted_for(session: Session) -> None:
    assert any(scores(session).values())
    for player, score in scores(session).items():
        ledger = explain_register(session, player, "score")
        assert ledger["now"] == score
        lines = [line for line in ledger["changes"] if line["effect"] != "create"]
        total = ledger["changes"][0]["to"] if len(lines) < len(ledger["changes"]) else 0
        for line in lines:
            assert line["from"] == total
            total = line["to"]
            if line["effect"] == "award":
                assert line["applied"] == line["to"] - line["from"]
                assert line["rule"] or line["kind"] == "correction"
            assert session.record.entry(line["seq"])["at"] == line["at"]
        assert total == score


def test_every_revision_of_every_rule_names_its_entry(session: Session) -> None:
    for uid, meta in session.document("law")["rules"].items():
        told = explain_rule(session, uid)
        assert len(told["revisions"]) >= meta["revision"]
        for revision in told["revisions"]:
            effects = explain_entry(session, revision["seq"])["effects"] if revision["seq"] > 1 else []
            assert revision["seq"] == 1 or any(effect.get("of") == uid for effect in effects)


def test_every_ballot_is_traced_to_its_entry(session: Session) -> None:
    """One deemed cast by a rule has no act of its voter behind it; every other has, and that act was accepted."""
    keys = [key for key in session.record.archived_keys() if key.startswith("proposals/")]
    assert keys
    for key in keys:
        identifier = session.document(key)["id"]
        proposal = explain_proposal(session, identifier)
        assert proposal["entries"][0]["seq"] == proposal["seq"]
        for player, ballot in proposal["ballots"].items():
            told = explain_ballot(session, identifier, player)
            assert told["ballot"] == ballot
            cast: list[Any] = [t for t in told["tries"] if not t["code"]]
            assert ballot["deemed"] or cast[-1]["choice"] == ballot["choice"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: explain_register(s, "nobody", "score"),
        lambda s: explain_rule(s, "9999"),
        lambda s: explain_proposal(s, "proposal/9999"),
        lambda s: explain_ballot(s, "proposal/301", "nobody"),
        lambda s: explain_entry(s, 0),
        lambda s: explain_entry(s, 99_999),
    ],
)
def test_what_there_is_not(session: Session, ask: Any) -> None:
    with pytest.raises(ProblemError, match="E-NO-SUCH"):
        ask(session)
