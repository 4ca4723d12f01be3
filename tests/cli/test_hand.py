"""`moot show hand`, and what `moot` seals before it leaves a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.sealed_data import read_box
from folkmoot.game import secret_store
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from tests.support.moot import Moot
from tests.support.sealed_law import CARDS, GAME, SECRET
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


def test_ballots_are_sealed_and_opened_at_the_count(kept: Moot) -> None:
    changes = json.dumps([{"enact": {"title": "Tea", "text": "Tea is served."}}])
    assert act(kept, "ann", "propose", "title=Tea", f"changes={changes}").code == 0
    for player in ("ann", "bob"):
        said = act(kept, player, "vote", "proposal=901", "choice=for", "reason=a canary")
        assert said.code == 0, said
        assert "canary" not in said.out
    files = [path.read_text("utf-8") for path in Path("state").rglob("*.yaml")]
    assert [text for text in files if "canary" in text] == []
    said = act(kept, "cid", "vote", "choice=against")
    assert "canary" in said.out
    assert kept("verify").code == 0


def test_a_keeper_without_a_key_is_told_how_to_make_one(moot: Moot, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    assert moot("new", "table", "-r", "suber", "-p", "ann,surname=A", "-p", "bob,surname=B", "--at", AT).code == 0
    said = moot("act", "--no-commit", "--at", AT, "--by", "ann", "open_sealing")
    assert said.code != 0
    assert "moot key --keeper" in said.err


def test_what_is_to_be_sealed_is_never_sent_in_clear(kept: Moot) -> None:
    changes = json.dumps([{"enact": {"title": "Tea", "text": "Tea is served."}}])
    record = GameFolder(Path("state/cards"))
    before = record.head.seq
    said = act(kept, "ann", "lend", "--sealed", "to=bob")
    assert (said.code, "the law takes nothing of lend sealed" in said.err) == (1, True)
    assert record.head.seq == before
    assert act(kept, "ann", "propose", "title=Tea", f"changes={changes}").code == 0
    assert act(kept, "ann", "vote", "--sealed", "proposal=901", "choice=for", "reason=a canary").code == 0
    assert "canary" not in (Path("state/cards/journal/000") / f"{record.head.seq:06}.yaml").read_text("utf-8")
    card = hand(kept, "ann")["ann"][0]
    assert act(kept, "ann", "play", "--sealed", f"card={card}", "--anyway").code in (0, 3)
    files = [path.read_text("utf-8") for path in Path("state").rglob("*.yaml")]
    assert [text for text in files if "canary" in text] == []


@pytest.mark.threat("T-81")
@pytest.mark.parametrize("who", ["mallory", "office/scribe", "keeper", "game", "", "ann\u200b"])
def test_who_is_no_player_sees_no_hand(kept: Moot, who: str) -> None:
    """Whatever name is given, and whatever key lies here: boxes are for players, and for the keeper, who is none."""
    said = kept("show", "hand", "--by", who)
    assert "Traceback" not in said.err
    assert not any(card in said.out + said.err for card in CARDS)
