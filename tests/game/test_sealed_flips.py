"""Whoever changes anything of a box, a commitment or an opening in a record is found by `verify`, which needs no key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from folkmoot.game.keeper import SealedPast
from tests.conftest import FUZZ
from tests.support.keeper import KEY, Cards, cards

__all__ = ["cards"]
FLIPS = 10_000 if FUZZ else 50
TOGETHER = 25
PLACES = re.compile(rb"[A-Za-z0-9+/=]{200,}|\b[0-9a-f]{64}\b")
"""Boxes; commitments, salts and digests."""
WORDS = re.compile(rb"commitment|told:")


@pytest.fixture
def played(cards: Cards) -> Iterator[Cards]:
    """Return a game in which cards were dealt, played, refused and shown, and some are still sealed."""
    hand = cards.hand("ann")[0]
    card = next((each for each in hand if "hearts" in each), hand[0])
    assert cards.act("ann", "play", card=cards.seal("ann", "play", "card", card)).accepted
    for by in ("ann", "cid"):
        assert cards.act(by, "play", card=cards.seal(by, "play", "card", card, act="lend")).entry["boxes"]
    assert cards.act("ann", "show").accepted
    assert cards.act("bob", "open").accepted
    yield cards
    cards.keep_key(KEY)


def targets(game: Cards) -> list[tuple[Path, int, int]]:
    """Return each place of a game's files where a box, a commitment or what opens one stands."""
    files = [path for path in sorted(game.path.rglob("*.yaml")) if WORDS.search(path.read_bytes())]
    found = [(path, *match.span()) for path in files for match in PLACES.finditer(path.read_bytes())]
    assert len({path for path, _, _ in found}) >= 5
    return found


def flipped(data: bytes, at: int, random: Random) -> bytes:
    """Return data with another character of the same kind at a place."""
    others = b"0123456789abcdef" if chr(data[at]) in "0123456789abcdef" else b"ABCDEFGHIJKLMNOPQRSTUVWXYZ+/"
    other = random.choice([each for each in others if each != data[at]])
    return data[:at] + bytes([other]) + data[at + 1 :]


@pytest.mark.threat("T-84")
@pytest.mark.parametrize("first", range(0, FLIPS, TOGETHER))
def test_each_flip_in_a_box_or_a_commitment_is_found(played: Cards, first: int) -> None:
    played.keep_key()
    places = targets(played)
    for seed in range(first, first + TOGETHER):
        random = Random(seed)
        path, begin, end = random.choice(places)
        whole, at = path.read_bytes(), random.randrange(begin, end)
        path.write_bytes(flipped(whole, at, random))
        assert played.problems(), (seed, path.name, at)
        path.write_bytes(whole)
    assert played.problems() == []


@pytest.mark.threat("T-84")
def test_an_opening_proves_itself_whatever_the_chain_says(played: Cards) -> None:
    """Who rewrites every digest after it, too, has still to find another value for the same commitment."""
    past = SealedPast.of(played.record)
    assert past is not None
    entries = [entry for entry in played.record.entries() if entry.get("sealed")]
    opened = {each["opened"] for entry in entries for each in entry["sealed"] if "opened" in each}
    assert len(opened) >= 3
    tried = 0
    for wrong in entries:
        for place, each in enumerate(wrong["sealed"]):
            number = each.get("opened", each.get("made", each.get("took")))
            for part in ("commitment", "salt"):
                if part not in each or number not in opened:
                    continue
                changed = {**each, part: flipped(each[part].encode(), 5, Random(place)).decode()}
                sealed = [*wrong["sealed"][:place], changed, *wrong["sealed"][place + 1 :]]
                anew = SealedPast(played.record)
                for entry in entries:
                    anew._read({**entry, "sealed": sealed} if entry is wrong else entry)
                assert [problem.code for problem in anew.wrong], (wrong["seq"], changed)
                tried += 1
    assert tried >= 6
