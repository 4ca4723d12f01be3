"""Links in the text of a rule to the rules that it names by number, and which rules name which."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from folkmoot.site.pagination import lists_by_key
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, Late
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import prose

_TAG = re.compile(r"(<[^>]*>)")
_GAP = r"(?:\s|&#10;)"  # prose stands on one line, its line breaks as entities
_NUMBER = r"\d+(?:[-./]\d+)*"
_NAMED = re.compile(
    rf"\b[Rr]ules?{_GAP}{{1,3}}{_NUMBER}"
    rf"(?:(?:,{_GAP}{{0,3}}|,?{_GAP}{{1,3}}(?:and|or|to|through|with){_GAP}{{1,3}}|[-–]){_NUMBER})*"
)
_EACH = re.compile(_NUMBER)


def law_text(here: Here, uid: str, name: str) -> Late:
    """Return the text of a rule as it is or last was, with links (see `linked`); `name` is its own on its page."""
    view, text = here.view, str(here.view.rule(uid).get("text") or "")
    named = {number: view.uids[number] for number in sorted({*_EACH.findall(text)} & view.uids.keys())}
    rules = [(number, other, view.number(other), view.rule_title(other)) for number, other in named.items()]
    return Late(lambda: linked(here, prose(text, name), uid), [text, name, uid, rules])


def linked(here: Here, markup: str, own: str = "") -> Html:
    """Return a rule's text with links where it names other rules; `own` is the rule itself."""

    def link(number: re.Match[str]) -> str:
        uid = here.view.uids.get(number[0])
        return number[0] if uid is None or uid == own else here.rule(uid, number[0])

    return Html(_outside(markup, lambda text: _NAMED.sub(lambda found: _EACH.sub(link, found[0]), text)))


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
