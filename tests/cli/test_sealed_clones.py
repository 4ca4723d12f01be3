"""What is sealed at clones of a table: ballots that open together at the count, and cards until they are played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.verify import verify
from folkmoot.sealing.keys import make_key
from tests.support.clones import DECK, PEOPLE, Clones, Voters, ways
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.quick import replayed

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
    voters.moot("ann", "propose", "--rule", str(rule))
    voters.moot("ann", "act", "finalise")
    voters.referee()
    file = voters.folder / "vote.yaml"
    file.write_text(f"do: vote\nargs: {{choice: for, proposal: 301, reason: {CANARY}}}\n", "utf-8")
    assert "[E-SEALED]" in voters.moot("bob", "propose", "--with", str(file), "--anyway", code=1).err
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
def test_nothing_of_a_sealed_ballot_is_sent_early_or_misspelt(voters: Voters) -> None:
    rule = voters.folder / "tea.yaml"
    rule.write_text("title: Tea\ntext: Tea is served.\n", "utf-8")
    voters.moot("ann", "propose", "--rule", str(rule))
    voters.referee()
    bob, reason = str(voters.clone("bob")), f"reason=because {CANARY}"
    for words in (
        ("vote", "301", "against", f"because {CANARY}"),
        ("act", "vote", "proposal=301", "choice=against", reason),
        ("act", "vote", "choice=against", reason),
    ):
        said = voters._moot("-C", bob, *words)
        assert (said.code != 0, "E-SEALED" in said.err) == (True, True), "the vote is not open yet"
    voters.moot("ann", "act", "finalise")
    voters.referee()
    git(voters.clone("bob"), "pull", "-q")
    for words in (
        ("choise=against", reason),
        ("choice=against", f"raeson={CANARY}"),
        (reason,),
        ("choice=against", reason, f"why={CANARY}"),
    ):
        for more in ((), ("--anyway",)):
            said = voters._moot("-C", bob, "act", "vote", "proposal=301", *words, *more)
            assert (said.code != 0, "nothing was sent" in said.err) == (True, True)
    voters.referee()
    public = voters.everything()
    assert [way for way in ways(CANARY) if way in public] == []


# -- cards


@pytest.fixture
def clones(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clones]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Clones(tmp_path, moot, monkeypatch)
    found.act("ann", "open_sealing")
    found.referee()
    for person in PEOPLE:
        assert "`moot key --sealing` says how" in found.moot(person, "status").out
        key = found.moot(person, "key", "--sealing", "--json").record["recipient"]
        found.act(person, "use_sealing_key", f"key={key}")
    found.referee()
    assert "key --sealing" not in found.moot("ann", "status").out
    yield found
    assert verify(found.game(), replayed).problems == []


def discards(clones: Clones, hands: dict[str, list[str]]) -> set[str]:
    """Let all discard at the same time, and return what they did: nobody sees any of it until the last has."""
    assert "Something is sealed to you" not in clones.moot("bob", "status").out
    clones.act("ann", "deal")
    clones.referee()
    assert "Something is sealed to you: `moot show hand` shows it." in clones.moot("bob", "status").out
    hands |= {person: clones.hand(person) for person in PEOPLE}
    assert sorted(card for hand in hands.values() for card in hand) == sorted(DECK)
    before = set(clones.shown())
    for person in PEOPLE:
        assert clones.shown() == before
        said = clones.act(person, "discard", f"card={hands[person][0]}")
        assert "depends on what is sealed" in said.out
    assert clones.shown() == before
    clones.referee()
    return before | {hands[person].pop(0) for person in PEOPLE}


@pytest.mark.threat("T-81")
def test_a_hand_is_in_no_object_log_or_screen_before_it_is_played(clones: Clones) -> None:
    hands: dict[str, list[str]] = {}
    out = discards(clones, hands)
    for person in [clones.game_of("turn"), *PEOPLE]:
        git(clones.clone(person), "pull", "-q")
        said = clones._moot("-C", str(clones.clone(person)), "status", "--wait", "--timeout", "0")
        clones.note([f"{said.out}{said.err}".encode()])
    assert clones.shown() == out, "nor is it told to who waits"
    assert f"hand of ann: {', '.join(hands['ann'])}\n" in clones.moot("ann", "show", "hand").out
    person, card = clones.game_of("turn"), hands[clones.game_of("turn")][0]
    for words in ((f"crad={card}",), (f"card={card}", f"not={card}")):
        said = clones._moot("-C", str(clones.clone(person)), "act", "discard", *words, "--anyway")
        assert (said.code != 0, "nothing was sent" in said.err) == (True, True)
    assert clones.shown() == out
    clones.act(person, "play", f"card={card}")
    clones.referee()
    hands[person].remove(card)
    out.add(card)
    assert clones.shown() == out
    assert clones.looked() == out
    assert [clones.hand(each) for each in PEOPLE] == [hands[each] for each in PEOPLE]
