"""Terms that rules define, and links from the text of other rules to the rule that defines them.

A rule defines what it declares (offices, kinds of things, currencies), what its text sets in bold with a capital
(`**Active Player**`), and what its title names in several words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from folkmoot.core.documents import Document
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, el
from folkmoot.wording.page_links import Here, humane, rule_path

Known = Mapping[str, list[tuple[str, str]]]

DECLARED = ("offices", "kinds", "currencies")
SHORTEST, MOST_WORDS = 3, 5
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_ARTICLE = re.compile(r"\A(?:the|an?)\s+", re.IGNORECASE)
_SCANNED = re.compile(rf"&[^;\s]{{1,10}};|{_WORD.pattern}")
_GAP = r"(?:\s|&#10;)+"  # prose stands on one line, its line breaks as entities


@of_the_law
def terms(view: GameView) -> dict[str, list[tuple[str, str]]]:
    """Return what rules in force define, with the rule's id, by its first word in small letters; the longest first."""
    found: dict[str, str] = {}
    for defined in (_declared, _in_bold, _titled):
        for uid in view.ranked:
            for term in defined(view.documents.get(f"rules/{uid}") or {}):
                found.setdefault(term, uid)
    by_word: dict[str, list[tuple[str, str]]] = {}
    for term in sorted(found, key=lambda term: (-len(term), term)):
        by_word.setdefault(_first(term), []).append((term, found[term]))
    return by_word


def _first(term: str) -> str:
    return term.partition(" ")[0].lower()


def _declared(rule: Document) -> Iterator[str]:
    """Yield what a rule declares as its text writes it: with a capital where it does so, else in small letters."""
    text = str(rule.get("text") or "")
    for block in DECLARED:
        for name in (rule.get("defines") or {}).get(block) or ():
            small = humane(name)
            capital = " ".join(word[:1].upper() + word[1:] for word in small.split())
            yield from _usable(capital if capital in text else small)


def _in_bold(rule: Document) -> Iterator[str]:
    for found in _BOLD.finditer(str(rule.get("text") or "")):
        if found[1][:1].isupper():
            yield from _usable(found[1])


def _titled(rule: Document) -> Iterator[str]:
    title = _ARTICLE.sub("", " ".join(str(rule.get("title") or "").split()), count=1)
    if " " in title:
        yield from _usable(title)


def _usable(term: str) -> Iterator[str]:
    words = term.split()
    if len(term) >= SHORTEST and 0 < len(words) <= MOST_WORDS and all(_WORD.fullmatch(word) for word in words):
        yield " ".join(words)


def linking(here: Here, own: str) -> Callable[[str], str]:
    """Return what links the first use of each rule's terms in texts of a page to that rule; `own` is not linked."""
    known, met = here.view.index(terms), {own}

    def linked(text: str) -> str:
        out, end = "", 0
        for word in _SCANNED.finditer(text):
            if word.start() >= end and (use := _used(known, text, word, met)):
                found, uid = use
                out += text[end : word.start()] + _link(here, found, uid)
                end = word.start() + len(found)
                met.add(uid)
        return out + text[end:]

    return linked


def _used(known: Known, text: str, word: re.Match[str], met: set[str]) -> tuple[str, str] | None:
    """Return the term that begins at a word of a text, as it stands there, with the id of its rule."""
    said = word[0].lower()
    if len(said) < SHORTEST or said.startswith("&"):
        return None
    for first in (said, *(said.removesuffix(ending) for ending in ("s", "es") if said.endswith(ending))):
        for term, uid in known[first] if first in known else ():  # noqa: SIM401 (one fact fewer than `get` notes)
            if uid not in met and (found := _form(term).match(text, word.start())):
                return found[0], uid
    return None


@lru_cache(maxsize=20_000)
def _form(term: str) -> re.Pattern[str]:
    """Return the forms in which a term is used: one in small letters also begins a sentence, each has a plural."""
    first, rest = re.escape(term[0]), _GAP.join(map(re.escape, term[1:].split(" ")))
    begin = f"[{first}{re.escape(term[0].upper())}]" if term[0].islower() else first
    return re.compile(rf"{begin}{rest}(?:s|es)?(?![\w-])")


def _link(here: Here, words: str, uid: str) -> str:
    view = here.view
    title = f"{view.number(uid)} {view.rule_title(uid)}"
    return el("a", Html(words), href=here.url(rule_path(uid)), title=title, class_="fm-term")
