"""Finding 1 of the first hour: a rule whose script does not load became law without a word to anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot

NO_COLON = TEA + 'script: |\n  def on_joined(e)\n      award(e.player, "score", 1)\n'
FAILING = (
    TEA
    + "examples:\n  - scenario: nobody has ninety points\n    players: [ann, bob]\n    expect: [{player: ann, score: 90}]\n"
)


@pytest.mark.parametrize(("text", "code", "line"), [(NO_COLON, "E-SCRIPT", 6), (FAILING, "E-EXAMPLE", 6)])
def test_propose_says_what_is_wrong_at_its_line_and_sends_nothing(
    gathering: Gathering, text: str, code: str, line: int
) -> None:
    before, path = gathering.refs(), gathering.file("tea.yaml", text)
    said = gathering.moot("ann", "propose", "--rule", path, code=1)
    assert f"{path}:{line}:" in said.err
    assert code in said.err
    assert "Nothing was sent" in said.err
    assert gathering.refs() == before
    record = gathering.moot("ann", "propose", "--rule", path, "--json", code=1).record
    assert record["sent"] is False
    assert [problem["code"] for problem in record["problems"]] == [code]


def test_a_branch_is_checked_as_files_are(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    git(clone, "switch", "--quiet", "--create", "tea")
    (clone / f"state/{GAME}/rules/tea.yaml").write_text(NO_COLON)
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Tea")
    before = gathering.refs()
    assert f"state/{GAME}/rules/tea.yaml:6:" in gathering.moot("ann", "propose", code=1).err
    assert gathering.refs() == before


def test_what_is_sent_anyway_is_shown_to_everybody_and_adopted_with_the_failure_on_record(gathering: Gathering) -> None:
    path = gathering.file("tea.yaml", NO_COLON)
    assert "Opened pull request 1." in gathering.moot("ann", "propose", "--anyway", "--rule", path).out
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    assert "E-SCRIPT" in gathering.said(1)
    seen = gathering.moot("bob", "status")
    assert "Pull request 1 of others: not taken in, or faulty. Why: `moot try 1 --said`." in seen.out
    assert gathering.moot("bob", "status", "--json").record["pulls"][0]["flaws"]
    voted = gathering.moot("bob", "vote", "1", "for")
    assert "Mind: its script or examples are faulty" in voted.err
    for person in ("ann", "cid", "dee"):
        gathering.moot(person, "vote", "1", "for")
    gathering.referee()
    game = gathering.game()
    failures = [failure for entry in game.entries() for failure in entry.get("failures") or ()]
    assert ("301", "load") in [(each["rule"], each["hook"]) for each in failures]
    assert "load failed" in gathering.said(1)


def test_a_game_that_one_person_keeps_is_not_given_it_either(table: Moot) -> None:
    Path("tea.yaml").write_text(NO_COLON)
    said = table("act", "propose", "--by", "ann", "title=Tea", "--rule", "tea.yaml")
    assert "E-SCRIPT" in said.err
    assert "nothing was recorded" in said.err
    assert table("act", "propose", "--by", "ann", "title=Tea", "--rule", "tea.yaml", "--anyway").code == 0
