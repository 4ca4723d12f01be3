"""Links in the text of a rule: to the rules that it names by number, and to those that define the terms it uses.

A rule defines what it declares (offices, kinds of things, currencies), what its text sets in bold with a capital
(`**Active Player**`), and what its title names in several words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from folkmoot.core.documents import Document
from folkmoot.site.output import digest_of
from folkmoot.site.pagination import lists_by_key
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, Late, el
from folkmoot.wording.page_links import Here, humane, rule_path
from folkmoot.wording.prose import prose

SHORTEST, MOST_WORDS = 3, 5
_TAG = re.compile(r"(<[^>]*>)")
_GAP = r"(?:\s|&#10;)"  # prose stands on one line, its line breaks as entities
_NUMBER = r"\d+(?:[-./]\d+)*"
_NAMED = re.compile(
    rf"\b[Rr]ules?{_GAP}{{1,3}}{_NUMBER}"
    rf"(?:(?:,{_GAP}{{0,3}}|,?{_GAP}{{1,3}}(?:and|or|to|through|with){_GAP}{{1,3}}|[-–]){_NUMBER})*"
)
_EACH = re.compile(_NUMBER)
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_ARTICLE = re.compile(r"\A(?:the|an?)\s+", re.IGNORECASE)
_SCANNED = re.compile(rf"&[^;\s]{{1,10}};|{_WORD.pattern}")


def law_text(here: Here, uid: str, name: str) -> Late:
    """Return the text of a rule as it is or last was, with links (see `linked`); `name` is its own on its page."""
    text = str(here.view.rule(uid).get("text") or "")
    return Late(
        lambda: linked(here, prose(text, name), uid), [text, name, uid, here.view.index(linked_words)["digest"]]
    )


def linked_words(view: GameView) -> dict[str, str]:
    """Return a digest of all that becomes a link in the text of a rule, as `digest`."""
    rules = {uid: (view.number(uid), view.rule_title(uid)) for uid in view.law}
    return {"digest": digest_of([view.uids, rules, view.index(terms)])}


def linked(here: Here, markup: str, own: str = "") -> Html:
    """Return a rule's text with links where it names other rules, or uses their terms; `own` is the rule itself."""

    def link(number: re.Match[str]) -> str:
        uid = here.view.uids.get(number[0])
        return number[0] if uid is None or uid == own else here.rule(uid, number[0])

    markup = _outside(markup, lambda text: _NAMED.sub(lambda found: _EACH.sub(link, found[0]), text))
    return Html(_outside(markup, _linking_terms(here, own)))


def _outside(markup: str, change: Callable[[str], str]) -> str:
    """Return markup with the texts changed that stand in no link and no code."""
    opaque, out = 0, []
    for part in _TAG.split(markup):
        if part.startswith("<"):
            opaque += part.startswith(("<a ", "<code", "<pre")) - part.startswith(("</a>", "</code>", "</pre>"))
        out.append(part if opaque or part.startswith("<") else change(part))
    return "".join(out)


def numbers_in(text: str) -> Iterator[str]:
    """Yield the numbers by which a text names rules.

    >>> [*numbers_in("By rules 203, 204 and 4-7, not by 12.")]
    ['203', '204', '4-7']
    """
    yield from (number[0] for found in _NAMED.finditer(text) for number in _EACH.finditer(found[0]))


def named_in(view: GameView, uid: str) -> Iterator[str]:
    """Yield the ids of the rules that a rule's text names by number, each once."""
    known = (view.uids.get(number) for number in numbers_in(str(view.rule(uid).get("text") or "")))
    yield from dict.fromkeys(each for each in known if each is not None and each != uid)


def citing(view: GameView) -> Mapping[str, list[str]]:
    """Return by rule the rules in force whose text names it, in order of precedence."""
    return lists_by_key((cited, uid) for uid in view.ranked for cited in named_in(view, uid))


# -- terms


def terms(view: GameView) -> dict[str, list[tuple[str, str]]]:
    """Return what rules in force define, with the rule's id, by its first word in small letters; the longest first."""
    found: dict[str, str] = {}
    defined = (
        (kind, rank, uid, term) for rank, uid in enumerate(view.ranked) for kind, term in _defined(view.rule(uid))
    )
    for _kind, _rank, uid, term in sorted(defined):
        words = term.split()
        if len(term) >= SHORTEST and 0 < len(words) <= MOST_WORDS and all(map(_WORD.fullmatch, words)):
            found.setdefault(" ".join(words), uid)
    longest_first = sorted(found, key=lambda term: (-len(term), term))
    return lists_by_key((term.partition(" ")[0].lower(), (term, found[term])) for term in longest_first)


def _defined(rule: Document) -> Iterator[tuple[int, str]]:
    """Yield what a rule defines, with how surely: what it declares, writes in bold, or has as its title.

    What is declared is written as the text does: with a capital where that has one, else in small letters.
    """
    text = str(rule.get("text") or "")
    for block in ("offices", "kinds", "currencies"):
        for small in map(humane, (rule.get("defines") or {}).get(block) or ()):
            capital = " ".join(word[:1].upper() + word[1:] for word in small.split())
            yield 0, capital if capital in text else small
    yield from ((1, bold) for bold in _BOLD.findall(text) if bold[:1].isupper())
    title = _ARTICLE.sub("", " ".join(str(rule.get("title") or "").split()), count=1)
    yield from [(2, title)] if " " in title else []


def _linking_terms(here: Here, own: str) -> Callable[[str], str]:
    """Return what links the first use of each rule's terms in texts of a page to that rule; `own` is not linked."""
    known, met = here.view.index(terms), {own}

    def linked(text: str) -> str:
        out, end = "", 0
        for word in _SCANNED.finditer(text):
            if word.start() >= end and (use := _used(known, text, word, met)):
                found, uid = use
                title = f"{here.view.number(uid)} {here.view.rule_title(uid)}"
                link = el("a", Html(found), href=here.url(rule_path(uid)), title=title, class_="fm-term")
                out += text[end : word.start()] + link
                end = word.start() + len(found)
                met.add(uid)
        return out + text[end:]

    return linked


def _used(
    known: Mapping[str, list[tuple[str, str]]], text: str, word: re.Match[str], met: set[str]
) -> tuple[str, str] | None:
    """Return the term that begins at a word of a text, as it stands there, with the id of its rule."""
    said = word[0].lower()
    if len(said) < SHORTEST or said.startswith("&"):
        return None
    for first in (said, *(said.removesuffix(ending) for ending in ("s", "es") if said.endswith(ending))):
        for term, uid in known.get(first, ()):
            if uid not in met and (found := _form(term).match(text, word.start())):
                return found[0], uid
    return None


@lru_cache(maxsize=20_000)
def _form(term: str) -> re.Pattern[str]:
    """Return the forms in which a term is used: one in small letters also begins a sentence, each has a plural."""
    first, rest = re.escape(term[0]), f"{_GAP}+".join(map(re.escape, term[1:].split(" ")))
    begin = f"[{first}{re.escape(term[0].upper())}]" if term[0].islower() else first
    return re.compile(rf"{begin}{rest}(?:s|es)?(?![\w-])")
