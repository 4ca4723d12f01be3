"""Real forges, guides: `--name "Cid Cole" --with surname=Cole` was displayed as "Cid Cole Cole"."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from folkmoot.kernel.names import called
from tests.support.site_game import game

WORDS = st.text(st.characters(categories=["Lu", "Ll"]), min_size=1, max_size=8)


def test_a_full_name_is_not_lengthened_by_the_surname() -> None:
    assert called("cid", {"name": "Cid Cole", "surname": "Cole"}) == "Cid Cole"
    assert called("cid", {"name": "Cid", "surname": "Cole"}) == "Cid Cole"
    assert called("nic", {"name": "Nicole", "surname": "Cole"}) == "Nicole Cole", "a part of a word is no surname"


@given(WORDS, WORDS)
def test_pages_and_law_call_everybody_alike_and_no_word_twice(name: str, surname: str) -> None:
    view = game()
    for entry in ({"name": f"{name} {surname}", "surname": surname}, {"name": name, "surname": surname}):
        shown = replace(view, documents={**view.documents, "roster": {"cid": {**entry, "until": None, "since": 0}}})
        assert shown.name("cid") == called("cid", entry)
        assert f" {surname} {surname} " not in f" {called('cid', entry)} " or name == surname
