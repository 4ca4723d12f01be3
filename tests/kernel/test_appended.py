"""Lists that grow: only what is new is measured, and no document grows beyond what a file may hold unseen."""

from __future__ import annotations

import json

from folkmoot.core.events import Outcome
from folkmoot.core.values import LARGEST_DOCUMENT, LARGEST_REGISTER, size
from folkmoot.kernel.documents import Documents
from tests.support.table import Found, rule

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


def test_a_list_that_grows_by_items_is_measured_as_a_whole_where_that_counts(found: Found) -> None:
    """Each item is counted by itself; what is too large is the same as where the whole list is measured each time."""
    keeps = rule(
        "1",
        """
        def do_keep(a):
            for _ in range(a.args.times):
                append("game", "words", a.args.word)
        """,
        defines={"game": {"words": {"type": "list"}}},
        actions={"keep": {"arguments": {"word": {"type": "text"}, "times": {"type": "integer"}}}},
    )
    table = found(keeps)
    word = "é\n" * 10_000
    most = (LARGEST_REGISTER - len("[]")) // (len(json.dumps(word)) + len(", "))
    for times in (1, most - 1):
        table.ok("ann", "keep", word=word, times=times)
    assert len(json.dumps(table.get("game", "words"))) <= LARGEST_REGISTER
    assert failed_codes(table.judge("keep", "ann", {"word": word, "times": 1})) == ["E-BOUNDS"]
    left = LARGEST_REGISTER - len(json.dumps(table.get("game", "words"))) - len(', ""')
    assert failed_codes(table.judge("keep", "ann", {"word": "x" * (left + 1), "times": 1})) == ["E-BOUNDS"]
    table.ok("ann", "keep", word="x" * left, times=1)
    assert len(json.dumps(table.get("game", "words"))) == LARGEST_REGISTER


def failed_codes(outcome: Outcome) -> list[str]:
    """Return the codes with which scripts failed."""
    return [failure["code"] for failure in outcome.failures]
