"""`moot demo`: the mail game with its figures, and the evening on which moot plays the others; its recording is replayed."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pygit2
import pytest

from ci import recording
from folkmoot.cli.demo import evening as demo
from folkmoot.cli.demo.evening import GAME, ideas_left
from folkmoot.journal import GameFolder
from folkmoot.journal.tree import GameTree
from tests.support.moot import Moot


@pytest.mark.long
def test_the_demonstration_ends_with_the_figures_of_t2_65(moot: Moot) -> None:
    record = moot("demo", "--no-serve", "--json").record
    assert [turn["score"] for turn in record["turns"]] == [-5, 11, 12, 13, 14, 15, 12, 28, 30, 32, 34, 36, 35]
    assert [turn["mover"] for turn in record["turns"]] == "JA RH BR ZT JVG FW JA RH BR ZT JVG FW JA".split()
    zoids = {player: registers["zoids"] for player, registers in record["players"].items()}
    assert zoids == {"JA": 12, "RH": 28, "BR": 30, "ZT": 32, "JVG": 14, "FW": 15}
    assert record["offices"] == {"judge": None, "scribe": "JA", "object_orienter": "RH"}
    ended = GameFolder(Path("build/demo/state/mail-game")).head.at or 0
    assert 0 <= time.time() - ended < 0.1 * 86_400, "it does not look abandoned"
    assert moot("-C", "build/demo", "verify").code == 0


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
    with closing(demo.at(HOME)) as gathering, gathering.session() as session:
        assert ideas_left(session) == ["second-wind.yaml", "poetry.yaml"], "what is law is not offered again"


# -- the recording of the tutorial


def test_the_commands_of_the_recording_give_what_it_and_its_picture_show(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(recording.WIDTH))

    def run(words: list[str], folder: Path) -> str:
        assert folder == tmp_path
        said = moot(*words)
        return said.err + said.out

    kept, drawn = recording.CAST.read_text("utf-8"), recording.PICTURE.read_text("utf-8")
    made = recording.cast(recording.played(tmp_path, run))
    assert recording.lasting(recording.text_of(made)) == recording.lasting(recording.text_of(kept))
    assert drawn == recording.picture(kept)
    assert "".join(re.findall("https?://[^\"' ]*", drawn)) == "http://www.w3.org/2000/svg", "it fetches nothing"
