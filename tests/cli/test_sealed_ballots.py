"""Sealed ballots of Suber's game by a switch: voted by three clones of a table, open all together at the count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.verify import verify
from folkmoot.sealing.keys import make_key
from tests.support.canaries import ways
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.quick import replayed
from tests.support.voters import Voters

CANARY = "heartsease5f3a"


@pytest.fixture
def voters(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Voters]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Voters(tmp_path, moot, monkeypatch)
    found.moot("ann", "act", "open_sealing")
    found.referee()
    yield found
    assert verify(found.game(), replayed).problems == []


@pytest.mark.threat("T-81")
def test_nobody_sees_a_sealed_ballot_before_the_count(voters: Voters) -> None:
    rule = voters.folder / "tea.yaml"
    rule.write_text("title: Tea\ntext: Tea is served.\n", "utf-8")
    voters.moot("ann", "propose", "--rule", str(rule), "--then", "finalise")
    voters.referee()
    for person, choice in (("ann", "for"), ("bob", "against")):
        voters.moot(person, "vote", choice, f"because {CANARY}")
        voters.referee()
        ballots = voters.document("proposals/300/301")["ballots"]
        assert person in ballots
        assert "choice" not in ballots[person] or ballots[person]["choice"] not in ("for", "against")
    public = voters.everything()
    assert [way for way in ways(CANARY) if way in public] == []
    git(voters.clone("stranger"), "pull", "-q")
    said = [voters._moot("-C", str(voters.clone("stranger")), *words) for words in (("log",), ("status",), ("show",))]
    assert CANARY not in "".join(each.out + each.err for each in said)
    voters.moot("cid", "vote", "for", f"because {CANARY}")
    voters.referee()
    decided = voters.document("proposals/300/301")
    assert decided["outcome"]
    assert {voter: ballot["choice"] for voter, ballot in decided["ballots"].items()} == {
        "ann": "for", "bob": "against", "cid": "for",
    }  # fmt: skip
    assert CANARY.encode() in voters.everything()


@pytest.mark.threat("T-81")
@pytest.mark.parametrize(
    "words",
    [
        ("vote", "301", "against", f"because {CANARY}"),
        ("act", "vote", "proposal=301", "choice=against", f"reason=because {CANARY}"),
        ("act", "vote", "choice=against", f"reason=because {CANARY}"),
    ],
)
def test_nobody_says_in_clear_how_they_vote_before_the_vote_is_open(voters: Voters, words: tuple[str, ...]) -> None:
    rule = voters.folder / "tea.yaml"
    rule.write_text("title: Tea\ntext: Tea is served.\n", "utf-8")
    voters.moot("ann", "propose", "--rule", str(rule))
    voters.referee()
    assert voters.document("proposals/300/301")["state"] == "pending"
    git(voters.clone("bob"), "pull", "-q")
    said = voters._moot("-C", str(voters.clone("bob")), *words)
    assert said.code
    assert "E-SEALED" in said.err
    voters.referee()
    public = voters.everything()
    assert [way for way in ways(CANARY) if way in public] == []


@pytest.mark.threat("T-81")
@pytest.mark.parametrize(
    "words",
    [
        ("choise=against", f"reason={CANARY}"),
        ("choice=against", f"raeson={CANARY}"),
        (f"reason={CANARY}",),
        ("choice=against", f"reason={CANARY}", f"why={CANARY}"),
    ],
)
def test_what_is_misspelt_of_a_sealed_ballot_is_not_sent(voters: Voters, words: tuple[str, ...]) -> None:
    rule = voters.folder / "tea.yaml"
    rule.write_text("title: Tea\ntext: Tea is served.\n", "utf-8")
    voters.moot("ann", "propose", "--rule", str(rule), "--then", "finalise")
    voters.referee()
    for more in ((), ("--anyway",)):
        git(voters.clone("bob"), "pull", "-q")
        said = voters._moot("-C", str(voters.clone("bob")), "act", "vote", "proposal=301", *words, *more)
        assert said.code
        assert "nothing was sent" in said.err
    public = voters.everything()
    assert [way for way in ways(CANARY) if way in public] == []
