"""The forms of the files that people write, read from `file_forms.yaml`: for the reader and the published schemas."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.files.fast_reader import load_own

VERSION = 1
"""Which version of their forms files have; they may say it (`schema: 1`)."""
_EMPTY: dict[str, Any] = {"string": "", "boolean": False, "list": [], "map": {}}


class Form(Struct, frozen=True):
    """What may stand at one place of a file.

    `type` is any, union (of `options`), string, integer, boolean, null, list or map. A list has the form of its
    `items`; a map has either free `keys` and the form of its `items`, or `properties`: and others, where it is `open`;
    one more of the form `others`, where there is such; before them one of any name, of the form of the `leader`.
    """

    type: str
    name: str = ""
    format: str = ""
    words: tuple[Any, ...] = ()
    lowest: int | None = None
    highest: int | None = None
    options: tuple[Form, ...] = ()
    items: Form | None = None
    keys: Form | None = None
    properties: dict[str, Form] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    open: bool = False
    others: Form | None = None
    leader: Form | None = None
    summary: str = ""

    @property
    def first(self) -> str:
        """Return the key that tells this map from others, "" where any other key may lead it."""
        return next(iter(self.properties)) if self.leader is None else ""

    def named(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a map has beside the properties of this form: what a ballot is on, by its kind."""
        return {key: value for key, value in given.items() if key not in self.properties}

    def is_default(self, key: str, value: Any) -> bool:
        """Return whether it says nothing that a key has this value."""
        empty = self.defaults.get(key, _EMPTY.get(self.properties[key].type))
        return key not in self.required and type(value) is type(empty) and bool(value == empty)


IDENTIFIER = Form("string", format="identifier")
"""The form of a name, of whatever else a map that is open may hold."""


class Kind(Struct, frozen=True):
    """A kind of file: its form, the heading of its schema, and what messages call a whole file."""

    form: Form
    heading: str
    called: str


def kind_of_value(value: Any) -> str:
    """Return which scalar a value is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "string"


def as_word(value: Any) -> str:
    """Return a word of a vote or switch as the string that is kept, also where it looked like something else."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _form(said: Any, known: Mapping[str, Form], name: str = "") -> Form:
    """Return the form that a part of the file says."""
    if isinstance(said, str):
        return known[said]
    if isinstance(said, list):
        return Form("union", options=tuple(_form(option, known) for option in said))
    if "enum" in said:
        return Form(kind_of_value(said["enum"][0]), words=tuple(said["enum"]))
    if "properties" in said:
        properties = {key: _form(part, known) for key, part in said["properties"].items()}
        required, defaults = tuple(said.get("required", ())), said.get("defaults", {})
        others, leader = (known[said[part]] if part in said else None for part in ("others", "leader"))
        return Form("map", name, properties=properties, required=required, defaults=defaults, others=others,
                    leader=leader, open=said.get("open", False), summary=said["description"])  # fmt: skip
    if "each" in said:
        added = {key: _form(part, known) for key, part in said["with"].items()}
        return _each_with(known[said["each"]], added, said["named"])
    if "values" in said:
        return Form("map", keys=_form(said["keys"], known), items=_form(said["values"], known))
    if "items" in said:
        return Form("list", items=_form(said["items"], known))
    bounds = said.get("minimum"), said.get("maximum")
    return Form(said.get("type", "any"), format=said.get("format", ""), lowest=bounds[0], highest=bounds[1])


def _each_with(forms: Form, added: dict[str, Form], suffix: str) -> Form:
    assert forms.items is not None
    options = (
        replace(each, name=each.name + suffix, properties=each.properties | added) for each in forms.items.options
    )
    return replace(forms, items=replace(forms.items, options=tuple(options)))


def _read() -> dict[str, Kind]:
    said = load_own(Path(__file__).with_suffix(".yaml"))
    known: dict[str, Form] = {}
    for name, part in said["forms"].items():
        known[name] = _form(part, known, name)
    return {kind: Kind(known[each["form"]], each["heading"], each["called"]) for kind, each in said["kinds"].items()}


KINDS = _read()


def _step(name: str) -> Form:
    steps = KINDS["scenario"].form.properties["steps"].items
    return next(form for form in (steps.options if steps is not None else ()) if form.name == name)


VOTE_STEP, ACT_STEP = _step("VoteStep"), _step("ActStep")
