"""Lists that grow: only what is new is measured, and no document grows beyond what a file may hold unseen."""

from __future__ import annotations

from folkmoot.core.values import LARGEST_DOCUMENT, size
from folkmoot.kernel.documents import Documents

ITEM = {"what": "x" * 900, "at": 1, "of": "motion/1"}
GAME = "things/game"


def test_a_document_that_grows_by_items_is_too_large_as_soon_as_it_is() -> None:
    kept = Documents({GAME: {"game": {"orders": []}}})
    game = kept[GAME]["game"]
    chunk = [ITEM] * 1_000
    while not kept.too_large:
        assert size(kept[GAME]) <= LARGEST_DOCUMENT
        kept.assign(GAME, game, "orders", [*game["orders"], *chunk], chunk)
    assert kept.too_large == GAME
    assert size(kept[GAME]) <= LARGEST_DOCUMENT + 2 * size(chunk)
