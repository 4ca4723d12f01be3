"""Which rules name which others in their text: links in the wording, and the list of those that cite a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from folkmoot.site.terms import linking
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here

_TAG = re.compile(r"(<[^>]*>)")
_NUMBER = r"\d+(?:[-./]\d+)*"
_GAP = r"(?:\s|&#10;)"  # prose stands on one line, its line breaks as entities
_NAMED = re.compile(
    rf"\b[Rr]ules?{_GAP}{{1,3}}{_NUMBER}"
    rf"(?:(?:,{_GAP}{{0,3}}|,?{_GAP}{{1,3}}(?:and|or|to|through|with){_GAP}{{1,3}}|[-–]){_NUMBER})*"
)
_EACH = re.compile(_NUMBER)
_OPAQUE = ("<a ", "<code", "<pre")
_CLOSED = ("</a>", "</code>", "</pre>")


def linked(here: Here, markup: str, own: str = "") -> Html:
    """Return a rule's text with links where it names other rules, or uses their terms; `own` is the rule itself.

    >>> found = [each[0] for each in _NAMED.finditer("By rules 203, 204 and 4-7, not by 12.")]
    >>> found
    ['rules 203, 204 and 4-7']
    """

    def link(number: str) -> str:
        uid = here.view.uids.get(number)
        return number if uid is None or uid == own else here.rule(uid, number)

    markup = _outside(markup, lambda text: _each_number(text, link))
    return Html(_outside(markup, linking(here, own)))


def _outside(markup: str, change: Callable[[str], str]) -> str:
    """Return markup with the texts changed that stand in no link and no code."""
    opaque, out = 0, []
    for part in _TAG.split(markup):
        if part.startswith("<"):
            opaque += part.startswith(_OPAQUE) - part.startswith(_CLOSED)
            out.append(part)
        else:
            out.append(part if opaque else change(part))
    return "".join(out)


def _each_number(text: str, link: Callable[[str], str]) -> str:
    return _NAMED.sub(lambda found: _EACH.sub(lambda number: link(number[0]), found[0]), text)


def named_in(view: GameView, uid: str) -> Iterator[str]:
    """Yield the ids of the rules that a rule's text names by number, each once."""
    known = (view.uids.get(number) for number in numbers_in(str(view.rule(uid).get("text") or "")))
    yield from dict.fromkeys(each for each in known if each is not None and each != uid)


def numbers_in(text: str) -> Iterator[str]:
    """Yield the numbers by which a text names rules.

    >>> [*numbers_in("By rules 203, 204 and 4-7, not by 12.")]
    ['203', '204', '4-7']
    """
    yield from (number[0] for found in _NAMED.finditer(text) for number in _EACH.finditer(found[0]))


@of_the_law
def citing(view: GameView) -> Mapping[str, list[str]]:
    """Return by rule the rules in force whose text names it, in order of precedence."""
    found: dict[str, list[str]] = {}
    for uid in view.ranked:
        for cited in named_in(view, uid):
            found.setdefault(cited, []).append(uid)
    return found
