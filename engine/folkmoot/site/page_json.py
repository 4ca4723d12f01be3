"""The data of a page as JSON: what it shows, for whoever draws it otherwise or reads a game by program.

Words that hold links, times or marks are a list of parts: plain text, or an object with its `text` and what it is. What
is more than a line (a rule's text, a table, a drawing) is an object with its `html`, made harmless as on the page.
"""

from __future__ import annotations

import html
import json
import re
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from folkmoot.site.page_data import PageData
from folkmoot.wording.markup import Html

FOLDER = "data"
"""Where the data of pages lies below the folder of a game, in files named as the pages are."""
_TAG = re.compile(r'<(/?[a-z][a-z0-9]*)(?:[^>]*? (?:href|datetime)="([^"]*)")?[^>]*>')
MARKS = {"strong": "strong", "b": "strong", "em": "emphasis", "code": "code", "ins": "inserted", "del": "struck"}
SAYS = {"a": "to", "time": "at", **MARKS}
"""What an element says of the text in it, by its name: its address, its time, or that it is so marked."""
PLAIN = frozenset({"bdi", "span", "br", "q", *SAYS})
"""Elements of words on one line."""


def path_of(page: str) -> str:
    """Return the path of the file with the data of a page, below the folder of its game.

    >>> path_of("law/203.md")
    'data/law/203.json'
    """
    return f"{FOLDER}/{page.rpartition('.')[0]}.json"


def encoded(page: PageData) -> bytes:
    """Return the data of a page as JSON."""
    published = replace(page, path=f"{page.path.removesuffix('.md')}.html")
    return msgspec.json.encode(published, enc_hook=_words, order="deterministic")


def _words(value: object) -> object:
    if isinstance(value, Html):
        return words(value) if len(value) > OFTEN else _known(value)
    raise TypeError(type(value).__name__)


OFTEN = 160
"""Up to how many characters marked words are remembered with their parts: the same links and times stand everywhere."""


def words(markup: Html) -> object:
    """Return finished words as their parts; a text without any mark as itself, what is more than a line as `html`.

    >>> words(Html('by <a href="players/ann.html">ann</a>'))
    ['by ', {'text': 'ann', 'to': 'players/ann.html'}]
    """
    if "<" not in markup:
        return html.unescape(str(markup))
    text, *rest = _TAG.split(markup)
    runs: list[tuple[str, dict[str, object]]] = [(html.unescape(text), {})] if text else []
    around: list[dict[str, object]] = [{}]
    pieces = iter(rest)
    for name, value, text in zip(pieces, pieces, pieces, strict=True):
        if name[0] == "/":
            around = around[:-1] or around
        elif name not in PLAIN:
            return {"html": str(markup)}
        elif name != "br":
            said = True if name in MARKS else value and html.unescape(value)
            around.append({**around[-1], SAYS[name]: said} if name in SAYS and said is not None else around[-1])
        if text:
            before = runs.pop()[0] if runs and runs[-1][1] == around[-1] else ""
            runs.append((before + html.unescape(text), around[-1]))
    parts = [{"text": text, **about} if about else text for text, about in runs]
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


_known = lru_cache(maxsize=50_000)(words)


def indented(told: Any) -> str:
    r"""Return JSON with each level a space further in, letters of all languages as they are, the unknown as text.

    It is what `json.dumps` makes with `indent=1`, which takes ten times as long.

    >>> indented({"title": "Süß", "votes": [1, 2]})
    '{\n "title": "Süß",\n "votes": [\n  1,\n  2\n ]\n}'
    """
    short = json.dumps(told, ensure_ascii=False, default=str)
    try:
        return msgspec.json.format(short, indent=1)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):  # numbers that are none, half characters
        return json.dumps(told, ensure_ascii=False, indent=1, default=str)
