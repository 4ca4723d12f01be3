"""The schema of the data of pages, which `reference.py` writes: what every field is, by the structs that hold it."""

from __future__ import annotations

import types
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from folkmoot.site import render
from folkmoot.site.page_data import PageData
from folkmoot.site.page_json import MARKS
from folkmoot.wording.markup import Html

VERSION = 1
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
    """Return every kind of page that is made of data, by its tag; they are known once `render` is imported."""
    assert render.BUNDLES
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
