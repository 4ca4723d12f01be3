"""The data of a page as JSON: what it shows, for whoever draws it otherwise or reads a game by program.

Words that hold links, times or marks are a list of parts: plain text, or an object with its `text` and what it is. What
is more than a line (a rule's text, a table, a drawing) is an object with its `html`, made harmless as on the page.
"""

from __future__ import annotations

import html
import json
import re
import types
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.site.page_data import PageData
from folkmoot.wording.markup import Html

FOLDER = "data"
"""Where the data of pages lies below the folder of a game, in files named as the pages are."""
VERSION = 1
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


# -- the schema


_TEXT = {"type": "string"}
WORDS = {
    "description": "Words: a text, or parts of which each is a text or says what it is; or what is more than a line.",
    "anyOf": [
        _TEXT,
        {"type": "array", "items": {"anyOf": [_TEXT, {"$ref": "#/$defs/Part"}]}},
        {"type": "object", "properties": {"html": _TEXT}, "required": ["html"]},
    ],
}
PART = {
    "description": "A part of words: where it leads (`to`, seen from the page), when it is (`at`), how it is marked.",
    "type": "object",
    "properties": {"text": _TEXT, "to": _TEXT, "at": _TEXT, **{m: {"const": True} for m in sorted({*MARKS.values()})}},
    "required": ["text"],
}


def kinds() -> dict[str, type[PageData]]:
    """Return every kind of page that is made of data, by its tag."""
    known = sorted(PageData.__subclasses__(), key=lambda each: each.__name__)
    return {str(each.__struct_config__.tag): each for each in known}


def schema() -> dict[str, Any]:
    """Return the JSON schema of the data of all kinds of pages."""
    known: dict[str, Any] = {"Words": WORDS, "Part": PART}
    pages = [_of_type(each, known) for each in kinds().values()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A page of a game",
        "description": f"Version {VERSION}: keys may come, none goes.",
        "anyOf": pages,
        "$defs": dict(sorted(known.items())),
    }


def _of_struct(struct: type[Struct], known: dict[str, Any]) -> dict[str, str]:
    name = f"{struct.__module__.rpartition('.')[2]}.{struct.__name__}"  # modules may call several things alike
    if name not in known:
        known[name] = {}  # which may hold itself
        config = struct.__struct_config__
        properties = {config.tag_field: {"const": config.tag}} if config.tag_field else {}
        hints = get_type_hints(struct)
        properties |= {field: _of_type(hints[field], known) for field in struct.__struct_fields__}
        about = (struct.__doc__ or "").partition("\n")[0]
        known[name] = {"description": about, "type": "object", "properties": properties, "required": [*properties]}
    return {"$ref": f"#/$defs/{name}"}


def _of_type(hint: Any, known: dict[str, Any]) -> dict[str, Any]:
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        parts = [each for each in inside if not (each is str and Html in inside)]
        found = [_of_type(each, known) for each in parts]
        return found[0] if len(found) == 1 else {"anyOf": found}
    if origin is tuple:
        if len(inside) == 2 and inside[1] is Ellipsis:
            return {"type": "array", "items": _of_type(inside[0], known)}
        return {"type": "array", "prefixItems": [_of_type(each, known) for each in inside]}
    if hint is Html:
        return {"$ref": "#/$defs/Words"}
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _of_struct(hint, known)
    return {"type": {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}[hint]}
