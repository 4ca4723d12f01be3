"""Invisible and direction-turning characters made visible, except where a script or an emoji needs them."""

from __future__ import annotations

import re
import unicodedata

_SUSPECT = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
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
    if not re.search(_SUSPECT, text):  # which `re` keeps; it takes long the first time
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
