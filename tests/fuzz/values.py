"""Values that nobody expects: texts, numbers, names and nested data, ordinary ones among them; and what packaged games bring."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml_rs
from hypothesis import strategies as st

PEOPLE = ("ann", "bob", "cid")
"""Who plays and sends anything; dee only does what is ordinary, and must never notice the others."""
STRANGERS = ("mallory", "Zoë <zoe@x.org>", "ann <ann@evil.org>")
ODD_TEXTS = (
    "", " ", "\n", "a b\tc", "a\rb", "- a", "? b", "a: b", "{{ x }}", "a" * 300, "k" * 1_100, "x" * 3_000, "@dee", "#1", "#x", "$", "$int",
    *"no on null ~ 12:30 0x1F 1e999 NaN = << ' \" ` | \\ a\\ ${x} %s%n ../../etc/passwd con nul aux.yaml __proto__".split(),
    "<!-- folkmoot 0123456789abcdef -->", "<img src=x onerror=alert(1)>", "</details>", "::set-output name=x::y",
    "\x00", "\x01", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202eevil", "\ufeff", "\ufffe", "\ud800", "a\udfffb", "e\u0301", "\U0001e4d0",
    "\U0010ffff", "Ａ", "ⅷ", "٣", "²", "İ", "ß",
)  # fmt: skip
LONG = st.sampled_from(["k" * 1_100, "x" * 70_000, "[" * 2_000, "_" * 5_000, "é" * 40_000, "\n" * 3_000])
TEXTS = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.text(max_size=20),
    st.text(st.characters(), max_size=12),
    st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True),
)
"""Texts, halves of characters among them."""
MANY_TEXTS = st.one_of(TEXTS, TEXTS, TEXTS, LONG)
NAMES = st.one_of(
    st.sampled_from([*PEOPLE, "dee", "mallory", "game", "score", "player", "1", "2", "3", "301", "moor", "fen"]), TEXTS
)
NUMBERS = st.one_of(
    st.integers(-3, 400), st.sampled_from([2**31, 2**53 + 1, -(2**63), 2**64, 10**20, 10**309, -(10**100), 10**3_700])
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)


def nested(depth: int, form: str) -> Any:
    """Return lists or maps so many deep; deeper ones than a program can hold are only written, never made."""
    value: Any = 1
    for _ in range(depth):
        value = [value] if form == "[" else {"a": value}
    return value


DEEP = st.builds(nested, st.sampled_from([3, 15, 33, 45, 60, 110]), st.sampled_from("[{"))
PLAIN = st.one_of(
    SCALARS,
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.one_of(NAMES, TEXTS), inner, max_size=3),
        max_leaves=6,
    ),
    DEEP,
    st.dictionaries(st.sampled_from(["k" * 1_100, "\x00", "a\nb", "", "on", "$", "é"]), SCALARS, max_size=2),
)
"""What JSON can say, and numbers and halves of characters that few can read."""


def written(value: Any) -> str:
    """Return a value as JSON; numbers may have thousands of digits."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**300:
        return f"{'-' if value < 0 else ''}1{'0' * 3_700}"
    return json.dumps(value, ensure_ascii=False, default=str) if _fits(value) else "[" * 50


def _fits(value: Any) -> bool:
    """Say whether JSON may be made of it: numbers of more than 4,300 digits may not."""
    if isinstance(value, dict):
        return all(map(_fits, value.values()))
    if isinstance(value, list):
        return all(map(_fits, value))
    return not isinstance(value, int) or abs(value) < 10**3_000


ODD_VALUES = [
    "[" * 4_900 + "]" * 4_900, '{"a":' * 1_500 + "1" + "}" * 1_500, "9" * 5_000, "-" + "9" * 3_700, "0x" + "f" * 3_900, "0o7", "1.5", "[1.5]",
    '{"a":1e5}', "1e400", "-0", "+1", "1_000", "NaN", "-Infinity", '"\\ud800"', '["a\\udc00"]', '"\\u0000"', '{"a":1,"a":2}', "[[1,2],[3",
    "'unclosed", "true", "True", "yes",
]  # fmt: skip
WRITTEN = st.one_of(PLAIN.map(written), PLAIN.map(written), st.sampled_from(ODD_VALUES))
"""Values as people type them: JSON, nearly JSON, and worse."""

RULE_FILES: dict[str, bytes] = {
    f"{path.parent.parent.name}/{path.name}": path.read_bytes()
    for path in sorted(Path(str(files("folkmoot.game.rulesets"))).glob("*/rules/*.yaml"))
}


ACTIONS: dict[str, Any] = {
    name: declared
    for data in RULE_FILES.values()
    for name, declared in (yaml_rs.loads(data.decode(), parse_datetime=False).get("actions") or {}).items()
}
"""The actions of all packaged games: name → declaration."""
