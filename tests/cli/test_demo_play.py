"""The evening of `moot demo --play`: the others answer, the turn passes, one can win, and the same seed is the same play."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.cli.demo.evening import GAME, Evening, ideas_left, told
from folkmoot.journal.tree import GameTree
from tests.support.moot import Moot

HOME = Path("d")


def sit(moot: Moot, seed: int = 1) -> dict[str, Any]:
    """Sit down; return how the evening stands."""
    found: dict[str, Any] = moot("demo", str(HOME), "--play", "--seed", str(seed), "--json").record
    return found


def go_on(moot: Moot) -> dict[str, Any]:
    found: dict[str, Any] = moot("demo", "--next", str(HOME), "--json").record
    return found


def act(moot: Moot, *words: str) -> str:
    subprocess.run(["git", "-C", str(HOME), "reset", "--quiet", "--hard"], check=True)
    said = moot("-C", str(HOME), *words)
    assert said.code == 0, said
    return said.out


def vote(moot: Moot, choice: str, number: int) -> None:
    act(moot, "act", "vote", f"choice={choice}", f"proposal={number}")


@pytest.fixture
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the evening be laid at the same time always."""
    monkeypatch.setattr("folkmoot.cli.demo.evening.time.time", lambda: 1_767_614_400.0)


def journal() -> list[Any]:
    """Return what is recorded, but for what the commits are called by which it came."""
    repo = pygit2.Repository(str(HOME))
    record = GameTree(repo, str(repo.references["refs/heads/main"].target), GAME)
    entries = [dict(entry) for entry in record.entries()]
    return [{key: value for key, value in entry.items() if key not in ("prev", "via")} for entry in entries]


@pytest.mark.usefixtures("at_noon")
def test_the_others_answer_and_the_turn_passes(moot: Moot) -> None:
    said = moot("demo", str(HOME), "--play")
    assert (
        "You are guest <guest@evening.example>.\nYou play Lanterns with ada, ben and cleo, whom moot plays" in said.out
    )
    assert "The others wait for your vote on proposal 1, “Tea at four” by ada:" in said.out
    assert "d explain proposal 1\n    moot -C d vote for\n    moot -C d vote against\n" in said.out
    assert "demo --next" in said.out
    assert max(len(line) for line in said.out.splitlines()) <= 80
    assert go_on(moot)["proposal"] == 1, "they wait"
    assert "The others answer when you say `moot demo --next`." in act(moot, "vote", "for")
    turn = moot("demo", "--next", str(HOME))
    assert "ben voted on proposal 1: for" in turn.out
    assert "It is your turn to change the rules:" in turn.out
    assert "propose --rule ideas/consolation.yaml" in turn.out
    act(moot, "propose", "--rule", str(HOME / "ideas/consolation.yaml"))
    after = go_on(moot)
    assert (after["proposal"], after["mover"]) == (2, "guest")
    vote(moot, "for", 2)
    after = go_on(moot)
    assert (after["proposal"], after["mover"]) == (3, "ben")
    assert after["points"]["guest"] == 5
    with closing(Evening(HOME, print)) as evening, evening.gathering.session() as session:
        assert ideas_left(session) == ["second-wind.yaml", "poetry.yaml"], "what is law is not offered again"


def stretch(moot: Moot, most: int) -> tuple[dict[str, Any], list[Any]]:
    """Play so often: propose, vote for what others do until they have many points, then put out what would let them win."""
    at, left, seen = sit(moot), [idea["file"] for idea in told()["ideas"]], [journal()]
    while not at["winners"] and len(seen) < most:
        theirs = at["points"][at["mover"]]
        if at["proposal"] is None:
            act(moot, *(("propose", "--rule", str(HOME / "ideas" / left.pop(0))) if left else ("act", "pass")))
        elif at["mover"] != "guest" and theirs >= 9:
            act(moot, "act", "snuff")
        else:
            vote(moot, "against" if at["mover"] != "guest" and theirs >= 7 else "for", at["proposal"])
        at = go_on(moot)
        seen.append(journal())
    return at, seen


@pytest.mark.usefixtures("at_noon")
def test_one_can_win_and_the_same_seed_is_the_same_evening(moot: Moot) -> None:
    end, seen = stretch(moot, 20)
    assert end["winners"] == ["guest"], end
    said = moot("demo", "--next", str(HOME))
    assert "You have won!" in said.out
    assert "moot demo --play --seed 2" in said.out
    assert moot("-C", str(HOME), "verify").code == 0
    assert stretch(moot, 4)[1] == seen[:4]


def test_nothing_goes_on_where_no_evening_is_laid(moot: Moot) -> None:
    said = moot("demo", "--next")
    assert said.code == 2
    assert "no evening is laid here" in said.err
    assert "`moot demo --play` lays one" in said.err
