"""Pages in other languages: every text of the engine is translated, and nothing that a game says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from msgspec.structs import replace

from ci import messages
from folkmoot.core.problems import ProblemError
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.configuration import site_languages
from folkmoot.site.render import data_files
from folkmoot.wording import catalogue, translation
from folkmoot.wording.markup import counted, sentence
from folkmoot.wording.translation import FOLDER, _, languages, number, speaking
from tests.site.game import game, published, render_game

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.po"))
OPAQUE = re.compile(
    r"<(bdi|code|pre|script|style|time|title|desc)\b.*?</\1>|<del\b.*?</del>|<ins\b.*?</ins>", re.DOTALL
)
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
ANCHOR = re.compile(r"\{ #.*? \}")
FIELD = re.compile(r"\{[^}]*\}")
TAG = re.compile(r"<[^>]*>")
WORD = re.compile(r"[A-Za-z]{3,}")


def test_there_is_german_and_french() -> None:
    assert languages() == ("en", "de", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_the_file_is_in_step(language: str) -> None:
    assert messages.missing(language) == []
    assert (FOLDER / f"{language}.po").read_text("utf-8") == messages.updated(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_fields_of_their_texts(language: str) -> None:
    with (FOLDER / f"{language}.po").open("rb") as file:
        known = [each for each in read_po(file, locale=language) if each.id]
    assert len(known) > 500
    for each in known:
        given = each.id if isinstance(each.id, tuple) else (each.id,)
        said = each.string if isinstance(each.string, tuple) else (each.string,)
        for text in said:
            assert sorted(FIELD.findall(text)) == sorted(FIELD.findall(given[0])), each.id
            assert sorted(TAG.findall(text)) == sorted(TAG.findall(given[0])), each.id


def test_a_text_is_said_in_the_language_that_is_spoken() -> None:
    with speaking("de"):
        assert _("Open votes") == "Offene Abstimmungen"
        assert sentence("Shown by {rule}", rule="<1>") == "Gezeigt von &lt;1&gt;"
        assert counted(1, "{count} earlier wording", "{count} earlier wordings") == "1 früherer Wortlaut"
        assert counted(1200, "{count} earlier wording", "{count} earlier wordings") == "1.200 frühere Wortlaute"
    with speaking("fr"):
        assert counted(0, "{count} earlier wording", "{count} earlier wordings") == "0 rédaction antérieure"
    with speaking("tlh"):
        assert (_("Open votes"), number(1200)) == ("Open votes", "1,200")


def test_words_of_rules_are_not_translated() -> None:
    with speaking("de"):
        assert (translation.term("adopted"), translation.term("Adopted")) == ("angenommen", "Angenommen")
        assert translation.term("queen") == "queen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_in_a_language_hold_what_the_game_says_unchanged(language: str) -> None:
    plain, spoken = game(), replace(game(), language=language)
    shown, pages = render_game(plain), render_game(spoken)
    assert [*shown] == [*pages]
    assert f'lang="{language}"' in pages["index.md"]
    first = {page.path: page for page in published(spoken)}["law/index.md"]
    assert first.title == {"de": "Das Gesetz", "fr": "La loi"}[language]
    for page, twin in zip(published(plain), published(spoken), strict=True):
        assert [part.anchor for part in page.sections] == [part.anchor for part in twin.sections], page.path
        said, told = _prose(shown[page.path]), _prose(pages[page.path])
        assert said == told, page.path


def _prose(text: str) -> list[str]:
    """Return what players wrote: the fragments of prose of a page."""
    return re.findall(r'<div class="fm-prose".*?</div>', text)


def test_the_language_of_a_game_is_that_of_its_founding_unless_the_site_says_otherwise() -> None:
    founded = game()
    german = replace(founded, documents={**founded.documents, "game": {**founded.document("game"), "language": "de"}})
    assert (founded.spoken, german.spoken, replace(german, language="fr").spoken) == ("en", "de", "fr")
    strange: Any = {**founded.document("game"), "language": ["x"]}
    assert render_game(replace(founded, documents={**founded.documents, "game": strange}))


def test_the_site_names_languages_of_games(tmp_path: Path) -> None:
    config = tmp_path / "mkdocs.yml"
    assert site_languages(tmp_path) == {}
    config.write_text("extra:\n  languages:\n    tea: de\n", "utf-8")
    assert site_languages(tmp_path) == {"tea": "de"}
    config.write_text("extra:\n  languages:\n    tea: klingon\n", "utf-8")
    with pytest.raises(ProblemError, match=r"mkdocs.yml.*pages of tea cannot be in the language 'klingon'.*en, de, fr"):
        site_languages(tmp_path)


@pytest.fixture
def marking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Speak a language in which every text stands between ⟦ and ⟧."""
    made = Catalog(locale="eo", fuzzy=False)
    for text in messages.messages():
        made.add(text, tuple(f"⟦{form}⟧" for form in text) if isinstance(text, tuple) else f"⟦{text}⟧")
    with (tmp_path / "eo.po").open("wb") as file:
        write_po(file, made)
    monkeypatch.setattr(translation, "FOLDER", tmp_path)
    languages.cache_clear()
    yield "eo"
    languages.cache_clear()
    translation._texts.cache_clear()
    catalogue._spoken.cache_clear()


def test_no_word_of_the_engine_on_a_page_is_left_untranslated(marking: str) -> None:
    """What stands on a page outside of ⟦…⟧ is a word of the game: of its law, its people, its names."""
    view = replace(game(), language=marking)
    known = f"{view.documents} {view.entries} {view.shown} {list(KERNEL_DECLARATIONS)}"
    own = set(WORD.findall(known.lower()))
    left: dict[str, set[str]] = {}
    for path, text in {**render_game(view), "law.txt": data_files(view)["law.txt"]}.items():
        body = unescape(text)
        if path.endswith(".md"):
            body = TAG.sub(" ", OPAQUE.sub(" ", body.partition("\n---\n")[2]))
        while MARKED.search(body):
            body = MARKED.sub(" ", body)
        for word in set(WORD.findall(ANCHOR.sub(" ", body))):
            if word.lower() not in own:
                left.setdefault(word, set()).add(path)
    assert {word: sorted(paths)[:2] for word, paths in sorted(left.items())} == {}
