"""Finished HTML as a value: what is not `Html` is escaped, and every piece is one line, so nothing re-reads it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache, lru_cache

from folkmoot.core.calendar import moment_said
from folkmoot.wording.invisible import visible
from folkmoot.wording.translation import _, number, plural

_PLAIN = re.compile(r"[ !#-%(-;=?-~]*")  # printable ASCII that means nothing in HTML
_TIME = re.compile(r'<time datetime="([^"]*)"[^>]*>.*?</time>')
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})


class Html(str):
    """HTML that may be put on a page as it is; it holds no line break."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return itself: templates do not escape it."""
        return self


_NOTHING = Html("")
_OFTEN = 120
"""Up to how many characters a text is remembered with what it became: names, numbers and labels stand on many pages."""


def escape(value: object) -> Html:
    """Return any value as text of a page: invisible characters shown, markup and line breaks as entities."""
    if type(value) is not str:
        if isinstance(value, Html):
            return value
        if value is None:
            return _NOTHING
        value = str(value)
    return _known_text(value) if len(value) <= _OFTEN else _text(value)


def _text(text: str) -> Html:
    return Html(text) if _PLAIN.fullmatch(text) else one_line(html.escape(visible(text), quote=True))


_known_text = lru_cache(maxsize=20_000)(_text)


def one_line(markup: str) -> Html:
    """Return markup with its line breaks and tabs as entities, which leaves its meaning as it was."""
    return Html(markup.replace("\r", "").replace("\n", "&#10;").replace("\t", "&#9;"))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Return the parts one after the other, with plain text between them."""
    said = [part if type(part) is Html else escape(part) for part in parts]
    return Html((escape(between) if between else "").join(said))


def el(tag: str, *children: object, **attributes: object) -> Html:
    """Return an element; `class_` and `data_x` become `class` and `data-x`, None and False are left out.

    >>> el("a", "5 < 6", href="x.html", class_="fm-link")
    '<a href="x.html" class="fm-link">5 &lt; 6</a>'
    """
    opening = f"<{tag}"
    for name, value in attributes.items():
        if type(value) is str and len(value) <= _OFTEN:
            opening += _attribute(name, value)
        elif value is not None and value is not False:
            opening += _named(name) if value is True else f'{_named(name)}="{escape(value)}"'
    if tag in _VOID:
        return Html(opening + ">")
    if len(children) == 1:
        (child,) = children
        return Html(f"{opening}>{child if type(child) is Html else escape(child)}</{tag}>")
    inside = "".join([child if type(child) is Html else escape(child) for child in children])
    return Html(f"{opening}>{inside}</{tag}>")


@lru_cache(maxsize=20_000)
def _attribute(name: str, value: str) -> str:
    """Return an attribute with a short value, behind a space."""
    return f'{_named(name)}="{_text(value)}"'


@cache
def _named(name: str) -> str:
    """Return the name of an attribute as it stands in an element, behind a space."""
    return " " + name.rstrip("_").replace("_", "-")


def sentence(message: str, **fields: object) -> Html:
    """Return a text as HTML; fields that are no HTML are escaped, as the text is.

    >>> sentence("{who} & {what}", who=Html("<b>ann</b>"), what="<i>")
    '<b>ann</b> &amp; &lt;i&gt;'
    """
    return Html(escape(_(message)).format(**{name: escape(value) for name, value in fields.items()}))


def counted(count: int, one: str, many: str) -> Html:
    """Return the text for a count, which its field {count} names.

    >>> counted(1, "{count} entry", "{count} entries"), counted(1200, "{count} entry", "{count} entries")
    ('1 entry', '1,200 entries')
    """
    return Html(escape(plural(count, one, many)).format(count=number(count)))


def shortened(text: str, most: int = 160) -> str:
    """Return text on one line, invisible characters shown, cut where it is too long for a title."""
    line = " ".join(visible(text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def items(lines: Iterable[object], **attributes: object) -> Html:
    """Return an unordered list."""
    return el("ul", join(el("li", line) for line in lines), **attributes)


def unmarked(markup: object) -> str:
    """Return what a piece of our own markup says in the terminal and in comments: each moment in UTC.

    >>> unmarked(Html('by <time datetime="2026-01-05T12:00:00Z">Mon 5 Jan 2026, 13:00</time> &amp; <b>then</b>'))
    'by 2026-01-05 12:00 UTC & then'
    """
    return strip(Html(in_utc(markup)) if isinstance(markup, Html) else markup)


def in_utc(markup: str) -> str:
    """Return a piece of markup with each moment as it is said where no reader can ask for its zone."""
    return _TIME.sub(lambda found: moment_said(found[1]), markup) if "<time " in markup else markup


def strip(markup: object) -> str:
    """Return the text of a piece of our own markup."""
    if not isinstance(markup, Html):
        return "" if markup is None else str(markup)
    if "<" not in markup:
        return html.unescape(markup)
    out, depth = [], 0
    for character in markup:
        depth += character == "<"
        if not depth:
            out.append(character)
        depth -= character == ">" and depth > 0
    return html.unescape("".join(out))
