"""What stands beside an index of a site: what pages are called, and which part of the index may hold a word."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.site.page_names import MOST_OF_A_WORD, Named, bucket, names_in_files, words_of
from folkmoot.site.searched_words import LETTERS, words_in_files
from tests.conftest import examples

SEASONS = ("Spring", "Summer", "Tea", "Teapot")


def _names(files: list[str], word: str) -> list[Named]:
    """Return the pages that the file of a word names."""
    return [Named(*each) for each in json.loads(files[bucket(word, len(files))])]


def _game(pages: int) -> list[Named]:
    rules = [
        Named(f"/tea/law/{n}.html", f"Rule {n}: {SEASONS[n % 4]} and rain", "Tea") for n in range(300, 300 + pages)
    ]
    return [
        *rules,
        Named("/tea/law/1.html", "Rule 9001: Obedience", "Tea", "Formerly rule 77, rule 4E2."),
        Named("/index.html", "Games"),
    ]


def test_every_number_a_page_has_or_had_leads_to_it() -> None:
    pages = _game(3_000)
    files = names_in_files(pages)
    assert len(files) > 16
    for page in pages[:-1]:
        (number,) = [word for word in words_of(page.title) if word.isdecimal()]
        assert page in _names(files, number)
    former = pages[-2]
    assert all(former in _names(files, number) for number in ("77", "4e2"))
    assert pages[-1] in _names(files, "games")


def test_of_a_word_in_very_many_names_the_newest_stand_there() -> None:
    files = names_in_files(_game(3_000))
    found = [page for page in _names(files, "rain") if "rain" in words_of(page.title)]
    assert MOST_OF_A_WORD <= len(found) < 300
    assert found[0].title.startswith("Rule 3299")
    assert max(map(len, files)) < 40_000


def test_a_small_site_has_one_file() -> None:
    (file,) = names_in_files(_game(20))
    assert len(_names([file], "whatever")) == 22


TEXTS = st.lists(st.text("abeé4 ", max_size=60), max_size=5)


@settings(max_examples=examples(60))
@given(TEXTS, TEXTS)
def test_every_part_with_a_word_is_named_by_its_beginning(one: list[str], two: list[str]) -> None:
    files = words_in_files({0: one, 3: two})
    for part, texts in ((0, one), (3, two)):
        for word in {word for text in texts for word in words_of(text) if len(word) >= 3}:
            for length in range(3, LETTERS + 1):
                start = word[:length]
                held = json.loads(files[bucket(start, len(files))])
                assert any(mask >> part & 1 for each, mask in held.items() if each.startswith(start))
    held = json.loads(files[bucket("orr", len(files))])
    assert not any(each.startswith("orr") for each in held)
