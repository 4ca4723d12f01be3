"""Finished HTML as a value: what is not `Html` is escaped, and every piece is one line, so nothing re-reads it."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

from folkmoot.core.calendar import moment_said

_PLAIN = re.compile(r"[ !#-%(-;=?-~]*")  # printable ASCII that means nothing in HTML
_TIME = re.compile(r'<time datetime="([^"]*)"[^>]*>.*?</time>')
_TAG = re.compile(r'<(?:[^>"]|"[^"]*")*>')
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})


class Html(str):
    """HTML that may be put on a page as it is; it holds no line break."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return itself: templates do not escape it."""
        return self


def escape(value: object) -> Html:
    """Return any value as text of a page: invisible characters shown, markup and line breaks as entities."""
    if isinstance(value, Html):
        return value
    text = "" if value is None else str(value)
    return Html(text) if _PLAIN.fullmatch(text) else one_line(html.escape(visible(text), quote=True))


def one_line(markup: str) -> Html:
    """Return markup with its line breaks and tabs as entities, which leaves its meaning as it was."""
    return Html(markup.replace("\r", "").replace("\n", "&#10;").replace("\t", "&#9;"))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Return the parts one after the other, with plain text between them."""
    return Html(escape(between).join(map(escape, parts)))


def el(tag: str, *children: object, **attributes: object) -> Html:
    """Return an element; `class_` and `data_x` become `class` and `data-x`, None and False are left out.

    >>> el("a", "5 < 6", href="x.html", class_="fm-link")
    '<a href="x.html" class="fm-link">5 &lt; 6</a>'
    """
    opening = tag
    for name, value in attributes.items():
        if value is not None and value is not False:
            opening += " " + name.rstrip("_").replace("_", "-") + ("" if value is True else f'="{escape(value)}"')
    return Html(f"<{opening}>" if tag in _VOID else f"<{opening}>{''.join(map(escape, children))}</{tag}>")


def sentence(message: str, **fields: object) -> Html:
    """Return a text as HTML; fields that are no HTML are escaped, as the text is.

    >>> sentence("{who} & {what}", who=Html("<b>ann</b>"), what="<i>")
    '<b>ann</b> &amp; &lt;i&gt;'
    """
    return Html(escape(message).format(**{name: escape(value) for name, value in fields.items()}))


def counted(count: int, one: str, many: str) -> Html:
    """Return the text for a count, which its field {count} names.

    >>> counted(1, "{count} entry", "{count} entries"), counted(1200, "{count} entry", "{count} entries")
    ('1 entry', '1,200 entries')
    """
    return Html(escape(one if count == 1 else many).format(count=f"{count:,}"))


def shortened(text: str, most: int = 160) -> str:
    """Return text on one line, invisible characters shown, cut where it is too long for a title."""
    line = " ".join(visible(text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


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
    return html.unescape(_TAG.sub("", markup))


# -- characters that nobody sees

_SUSPECT = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_SEEN = b"\t\n" + bytes(range(0x20, 0x7F))
"""What of ASCII is seen: most of any text, left out before the rest is looked at one by one."""
_JOINED_SCRIPTS = (
    *("ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL"),
    *("TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN", "LAO", "THAI", "JAVANESE"),
)
_EMOJI = re.compile("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff#*0-9\ufe0f\u20e3]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f")
_JOINERS, _MARKS, _VARIANTS = "\u200c\u200d", "\u200e\u200f\u061c", "\ufe0e\ufe0f"


def visible(text: str) -> str:
    """Return text in which every character that cannot be seen is written as its code point.

    >>> visible("abc" + chr(0x202E) + "def")
    'abc⟦U+202E⟧def'
    """
    if text.isascii() and text.isprintable():
        return text
    rare = text.encode("utf-8", "surrogatepass").translate(None, _SEEN).decode("utf-8", "surrogatepass")
    if not re.search(_SUSPECT, rare):  # which `re` keeps; it takes long the first time
        return text
    text = text.replace("\r\n", "\n")
    flags = [flag.span() for flag in _FLAG.finditer(text)]

    def shown(found: re.Match[str]) -> str:
        at = found.start()
        if _needed(text, at) or any(start < at < stop for start, stop in flags):
            return found[0]
        return f"⟦U+{ord(found[0]):04X}⟧"

    return re.sub(_SUSPECT, shown, text)


def _needed(text: str, at: int) -> bool:
    """Whether a script or an emoji needs the character at this place."""
    character = text[at]
    before, after = text[at - 1] if at else "", text[at + 1] if at + 1 < len(text) else ""
    if character in _JOINERS:
        joins_letters = _script(before) in _JOINED_SCRIPTS and _script(after) in _JOINED_SCRIPTS
        return joins_letters or (character == "\u200d" and _emoji(before) and _emoji(after))
    if character in _MARKS:
        return any(unicodedata.bidirectional(each) in {"R", "AL"} for each in (before, after) if each)
    if character in _VARIANTS:
        return _emoji(before)
    if "\u180b" <= character <= "\u180f":
        return _script(before) == "MONGOLIAN"
    return False


def _script(character: str) -> str:
    return unicodedata.name(character, "").split(" ")[0] if character else ""


def _emoji(character: str) -> bool:
    return bool(character) and bool(_EMOJI.match(character))
