"""A game is known by its founding as it was recorded, also once something in that is redacted."""

from __future__ import annotations

from pathlib import Path

from folkmoot.game.keeper import keeper_seeds, opened_seed
from folkmoot.game.session import Session
from folkmoot.journal import entry_digest
from tests.support.keeper import KEY, OWN, Cards, cards
from tests.support.table import START

__all__ = ["cards"]


def redact(game: Cards, seq: int, path: str) -> None:
    """Have an administrator redact a text."""
    with Session.open(game.path, writing=True) as session:
        assert session.act("ann", "redact", {"seq": seq, "path": path, "why": "a name"}, at=START).accepted


def test_what_is_sealed_opens_and_is_proved_after_the_founding_was_redacted(cards: Cards) -> None:
    known = cards.record.founding
    sealed_before = cards.seal("bob", "play", "card", cards.hand("bob")[0][0])
    redact(cards, 1, "with.title")
    assert cards.record.founding == known != entry_digest(cards.record.entry(1))
    assert cards.problems() == []
    card = next(iter([each for each in cards.hand("ann")[0] if "hearts" in each] or cards.hand("ann")[0]))
    assert cards.act("ann", "play", card=cards.seal("ann", "play", "card", card)).accepted
    assert "E-CONTEXT" not in str(cards.act("bob", "play", card=sealed_before).entry.get("reasons"))
    assert cards.act("ann", "show").accepted
    assert cards.act("ann", "open_seed", **opened(cards)).accepted
    report = cards.report()
    assert report.problems == []
    cards.keep_key()
    assert cards.report().problems == []


def opened(game: Cards) -> dict[str, object]:
    """Return what opens the seed of the first draw."""
    return {"draw": 1, "insist": True, **opened_seed(game.record, game.record.archive("game"), 1)}


def test_the_first_act_after_the_founding_may_redact_it(tmp_path: Path) -> None:
    game = Cards(tmp_path)
    known = game.record.founding
    redact(game, 1, "with.title")
    assert game.record.founding == known
    game.keep_key(KEY)
    assert game.open_sealing().accepted
    assert game.act("ann", "use_sealing_key", key=OWN["ann"].recipient.text).accepted
    assert game.act("ann", "deal").accepted
    assert keeper_seeds(KEY, known) == game.record.archive("game")["sealing"][0]["seeds"]
    assert len(game.hand("ann")[0]) == 2
    assert game.problems() == []
