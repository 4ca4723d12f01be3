"""`moot show hand`, what `moot` seals before it leaves a machine, and what the author of a refused act is told in secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.sealed_data import MORE_SEALED, read_box
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.sealing.keys import make_key
from tests.support.clones import Voters, ways
from tests.support.keeper import CARDS, GAME, SECRET
from tests.support.meeting import Meeting
from tests.support.moot import Moot
from tests.support.notes import CANARY, LAW
from tests.support.quick import replayed
from tests.support.table import START, VOTING

AT = "2026-01-05T12:00:00Z"


@pytest.fixture
def kept(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Moot:
    """Return `moot` where somebody keeps a game of cards whose ballots are sealed, and has dealt; all have a key."""
    import subprocess

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    people = [{"id": player, "surname": player} for player in ("ann", "bob", "cid")]
    law = {"title": "Cards", "rules": [GAME, VOTING, SECRET], "players": people, "administrators": ["ann"]}
    assert Session.found(tmp_path / "state" / "cards", law, START).accepted
    assert moot("key", "--keeper").code == 0
    assert moot("act", "--no-commit", "--at", AT, "--by", "ann", "open_sealing").code == 0
    key = moot("key", "--sealing", "--json").record["recipient"]
    assert act(moot, "ann", "use_sealing_key", f"key={key}").code == 0
    assert act(moot, "ann", "deal").code == 0
    return moot


def act(moot: Moot, by: str, do: str, *words: str) -> Any:
    return moot("act", "--no-commit", "--at", AT, "--by", by, do, *words)


def hand(moot: Moot, player: str) -> dict[str, Any]:
    return {each["owner"]: each["value"] for each in moot("show", "hand", "--by", player, "--json").record["registers"]}


def test_a_hand_shows_what_one_may_see(kept: Moot) -> None:
    seen = hand(kept, "ann")
    assert set(seen.pop("ann")) <= set(CARDS)
    assert seen == {"bob": "sealed", "cid": "sealed"}
    said = kept("show", "hand", "--by", "bob")
    assert "You have named no key" in said.err + said.out
    assert [card for card in CARDS if card in said.out] == []


@pytest.mark.threat("T-86")
def test_what_an_action_takes_sealed_is_sealed_before_it_is_recorded(kept: Moot) -> None:
    cards = hand(kept, "ann")["ann"]
    card = next((each for each in cards if "hearts" in each), cards[0])
    assert act(kept, "ann", "play", f"card={card}").code == 0
    record = GameFolder(Path("state/cards"))
    assert read_box(record.entry(record.head.seq)["with"]["card"])
    assert hand(kept, "ann")["ann"] == [each for each in cards if each != card]
    said = act(kept, "ann", "lend", "--sealed", "to=bob")
    assert (said.code, "the law takes nothing of lend sealed" in said.err) == (1, True), "and not sent in clear"


@pytest.mark.threat("T-81")
def test_who_is_no_player_sees_no_hand(kept: Moot) -> None:
    """Whatever name is given, and whatever key lies here: boxes are for players, and for the keeper, who is none."""
    for who in ("mallory", "office/scribe", "keeper", "game", "", "ann\u200b"):
        said = kept("show", "hand", "--by", who)
        assert "Traceback" not in said.err
        assert not any(card in said.out + said.err for card in CARDS)


# -- why an act was refused


TOLD = "broken of rule 1 failed: line 2: "


class Noting(Voters):
    """Three people at clones of their own, in a game of sealed notes."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {"title": "Notes", "rules": [LAW, VOTING], "settings": {}}
        Meeting.__init__(self, folder, law=given, players=("ann", "bob", "cid"))
        self._moot, self._patch = moot, patch
        self._shown: set[str] = set()
        self._read: set[str] = set()


@pytest.fixture
def table(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Noting]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Noting(tmp_path, moot, monkeypatch)
    found.moot("ann", "act", "open_sealing")
    found.referee()
    for person in ("ann", "bob"):
        key = found.moot(person, "key", "--sealing", "--json").record["recipient"]
        found.moot(person, "act", "use_sealing_key", f"key={key}")
    found.referee()
    found.moot("ann", "act", "note", f"note={CANARY}")
    found.referee()
    found.moot("ann", "act", "break", "whose=ann", "--anyway")
    found.referee()
    yield found
    assert verify(found.game(), replayed).problems == []


@pytest.mark.threat("T-102")
def test_the_author_sees_it_and_all_others_see_that_it_is_there(table: Noting) -> None:
    """The error names the line and the key that is missing: it is in no object and no ref, in no way of writing it."""
    entry: Any = list(table.game().entries())[-1]
    assert (entry["code"], list(entry["boxes"])) == ("E-NO", ["ann"])
    everything = table.everything()
    assert b"told:" in everything
    assert [way for way in ways(TOLD) if way in everything] == []
    for words in (("show", "hand"), ("log", "--mine")):
        assert TOLD in " ".join(table.moot("ann", *words).out.split())
    (told,) = table.moot("ann", "show", "hand", "--json").record["refused"]
    assert (told["entry"], told["do"], told["code"]) == (entry["seq"], "break", "E-NO")
    assert told["why"].startswith(TOLD)
    for words in (("log",), ("status",), ("log", "--json"), ("status", "--json")):
        stranger = table._moot("-C", str(table.clone("stranger")), *words)
        for said in (table.moot("ann", *words), table.moot("bob", *words), stranger):
            assert TOLD not in " ".join((said.out + said.err).split()), words
    for words in (("log",), ("status",)):
        assert MORE_SEALED in " ".join(table.moot("ann", *words).out.split())
    assert TOLD not in table.moot("bob", "show", "hand").out
    assert table.moot("bob", "show", "hand", "--json").record["refused"] == []
    assert MORE_SEALED in table.said(0)
