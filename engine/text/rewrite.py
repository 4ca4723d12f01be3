"""The text of a rule's file: canonical, or the author's own with the engine's fields brought up to date."""

from __future__ import annotations

from io import StringIO
from typing import Any

from engine.text.canonical import write_yaml

ORDER = (
    "rule", "uid", "title", "labels", "text", "defines", "actions", "timers", "settings", "precedence", "script",
    "examples",
)  # fmt: skip
WIDE = 1_000_000


def render_rule(document: dict[str, Any]) -> str:
    """Return the text of `rules/<uid>.yaml` for a rule's document.

    With the author's own text under `source`, that text is kept with its comments, and only what differs is changed.
    """
    shown = {key: document[key] for key in ORDER if key in document and document[key] not in ({}, [], "", None)}
    shown.setdefault("title", "")
    ordered = {key: shown[key] for key in ORDER if key in shown}
    if not document.get("source"):
        return write_yaml(ordered)
    return _rewritten(document["source"], ordered)


def _rewritten(source: str, wanted: dict[str, Any]) -> str:
    """Return a person's text with its values brought to what is wanted; comments and order stay."""
    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import LiteralScalarString

    yaml = YAML(typ="rt")
    yaml.preserve_quotes, yaml.width, yaml.allow_unicode = True, WIDE, True
    data = yaml.load(source)
    for key in [key for key in data if key not in wanted]:
        del data[key]
    for place, (key, value) in enumerate(wanted.items()):
        if key in data and data[key] == value:
            continue
        fitting = LiteralScalarString(value) if isinstance(value, str) and "\n" in value else value
        if key in data:
            data[key] = fitting
        else:
            data.insert(min(place, len(data)), key, fitting)
    stream = StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()
