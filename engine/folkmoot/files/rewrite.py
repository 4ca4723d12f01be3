"""The canonical text of a rule file; a person's own keeps its comments where the engine or a merge changes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import in_order, literal, quote, write_yaml
from folkmoot.files.fast_reader import load_yaml

ORDER = (
    "rule", "uid", "title", "labels", "text", "about", "defines", "actions", "timers", "settings", "precedence",
    "sealed",
    "script",
    "examples",
)  # fmt: skip
BLOCKS = ("text", "script")
WIDTH = 110  # columns that a list or map in one line may fill


def render_rule(document: Document) -> str:
    """Return the text of a rule's file.

    Args:
        document: the parts of the rule; `source`, where it is there, is a person's own text of the file, which is
            kept with its comments and changed only where the other parts differ from it.

    Returns:
        text that reads back as the same parts and is rendered from them as itself.
    """
    wanted = content_of(document)
    source = document.get("source")
    if source:
        kept = _updated(str(source), wanted)
        if kept is not None:
            return kept
    return _canonical(wanted)


def content_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a rule that say something, in the order of the file."""
    known = {key: document[key] for key in ORDER if key in document}
    others = {key: value for key, value in document.items() if key not in known and key not in ("source", "schema")}
    said = {key: value for key, value in (known | others).items() if not _is_empty(value) or key == "title"}
    return said if "title" in said else in_order({"title": "", **said}, ORDER)


def _is_empty(value: Any) -> bool:
    return value is None or (not value and type(value) in (str, dict, list))


# -- without a person's text


def canonical_rule(document: Document) -> str:
    """Return the canonical text of a rule's file, whether a person's own text goes with the rule or not."""
    return _canonical(content_of(document))


def _canonical(content: Mapping[str, Any]) -> str:
    return "".join(canonical_part(key, value) for key, value in content.items())


def canonical_part(key: str, value: Any) -> str:
    """Return the text of one part of a rule's file."""
    if key in BLOCKS and isinstance(value, str):
        block = literal(value, "  ")
        return f"{key}: {block or quote(value)}\n"
    lines: list[str] = []
    _write(value, f"{quote(key)}:", "", lines)
    return "\n".join(lines) + "\n"


def _write(value: Any, name: str, indent: str, lines: list[str]) -> None:
    """Add the lines of a value behind its name; a list or map of scalars that fits stands on one line."""
    flow = _flow(value, 1)
    if flow is not None and len(indent) + len(name) + len(flow) < WIDTH:
        lines.append(f"{indent}{name} {flow}")
    elif isinstance(value, Mapping) and value:
        lines.append(indent + name)
        for key, item in value.items():
            _write(item, f"{quote(key)}:", indent + "  ", lines)
    else:
        block = write_yaml({"x": value}).split("\n")[:-1]
        lines += [f"{indent}{name}{block[0][2:]}", *(indent + line if line else "" for line in block[1:])]


def _flow(value: Any, depth: int) -> str | None:
    """Return a value on one line, None where it is deeper than `depth` or has texts of several lines."""
    if isinstance(value, str):
        return None if "\n" in value else quote_flow(value)
    if isinstance(value, Mapping | list | tuple) and value and depth == 0:
        return None
    if isinstance(value, Mapping) and value:
        items = [(quote_flow(key), _flow(item, depth - 1)) for key, item in value.items()]
        return None if any(item is None for _, item in items) else "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
    if isinstance(value, list | tuple) and value:
        parts = [_flow(item, depth - 1) for item in value]
        return None if None in parts else "[" + ", ".join(str(part) for part in parts) + "]"
    return write_yaml(value).removesuffix("\n")


def quote_flow(text: str) -> str:
    """Return a string as it stands inside brackets, where a comma ends a plain one."""
    plain = quote(text)
    return f'"{plain}"' if "," in plain and not plain.startswith('"') else plain


# -- with a person's text


def _updated(source: str, wanted: Mapping[str, Any]) -> str | None:
    """Return a person's text with the parts that differ brought up to date, None where that cannot be done exactly."""
    try:
        present = load_yaml(source, "source")
    except ProblemError:
        return None
    if not isinstance(present, dict):
        return None
    if content_of(present) == wanted and _same_types(content_of(present), wanted):
        return source
    changed = _round_trip(source, present, wanted)
    try:
        read = load_yaml(changed, "source")
    except ProblemError:
        return None
    return changed if content_of(read) == wanted and _same_types(content_of(read), wanted) else None


def _same_types(left: Any, right: Any) -> bool:
    """Return whether two equal values are of the same types throughout (1 is not true), in the same order of lists."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return all(_same_types(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list | tuple):
        return all(_same_types(a, b) for a, b in zip(left, right, strict=True))
    return isinstance(left, bool) == isinstance(right, bool)


def _round_trip(source: str, present: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    yaml.indent(mapping=2, sequence=4, offset=2)
    document = yaml.load(source)
    gone = [key for key in present if key not in wanted and key != "schema" and not _is_empty(present[key])]
    _merge(document, wanted, gone, ORDER)
    written = StringIO()
    yaml.dump(document, written)
    return written.getvalue()


def _merge(target: Any, wanted: Mapping[str, Any], gone: Sequence[str], order: Sequence[str] = ()) -> None:
    """Make ruamel's map hold what is wanted, touching only what differs, so that comments and forms live."""
    for key in gone:
        del target[key]
    for key, value in wanted.items():
        if key not in target:
            target.insert(_place(key, target, order), key, _styled(value, None))
        elif isinstance(value, Mapping) and isinstance(target[key], Mapping) and value and target[key]:
            _merge(target[key], value, [name for name in target[key] if name not in value])
        elif target[key] != value or isinstance(target[key], bool) != isinstance(value, bool):
            target[key] = _styled(value, target[key])


def _place(key: str, target: Any, order: Sequence[str]) -> int:
    """Return where a new key belongs: before the first that comes after it in the order of the file."""
    if key not in order:
        return len(target)
    later = set(order[order.index(key) + 1 :])
    return next((place for place, name in enumerate(target) if name in later), len(target))


def _styled(value: Any, before: Any) -> Any:
    """Return a new value in the style in which the canonical writer would write it, texts in that of the old one."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

    if isinstance(value, str):
        if literal(value, "  ") and ("\n" in value or isinstance(before, LiteralScalarString)):
            return LiteralScalarString(value)
        return DoubleQuotedScalarString(value) if quote_flow(value).startswith('"') or "\n" in value else value
    if isinstance(value, Mapping):
        return {key: _styled(item, None) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_styled(item, None) for item in value]
    return value


# -- a person's file joined with what the law has made of the rule since


END = ""  # stands for the comments behind the last part
_KEY = re.compile(r"""["']?([^\s"':#]+)["']?\s*:""", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)(#.*)", re.ASCII)
Sections = dict[str, tuple[list[str], str]]


def joined(source: str, law: Document, wanted: Document) -> str:
    """Return the text of a rule's file that says what is wanted, with the comments of a change and of the law.

    Args:
        source: the text of the changed file.
        law: the rule's document as it is, with a person's own text of its file as `source` where there is one.
        wanted: the parts that the rule is to have.

    Returns:
        the parts of either file where they say what is wanted, else in the canonical form; a comment that either file
        has stands in it, before the part to which it belonged.
    """
    content = content_of({**wanted, "source": ""})
    present = render_rule(law) if law.get("source") else ""
    files = [(_read(text), _sections(text)) for text in (source, present)]
    lines: list[str] = []
    for key, value in content.items():
        kept = [sections[key] for values, sections in files if key in sections and values.get(key) == value]
        body = kept[0][1] if kept else canonical_part(key, value)
        lines += _comments(key, body, files)
        lines.append(body)
    return "".join([*lines, *_comments(END, "", files)])


def _read(text: str) -> Mapping[str, Any]:
    try:
        read = load_yaml(text, "source") if text else {}
    except ProblemError:
        return {}
    return read if isinstance(read, Mapping) else {}


def _comments(key: str, body: str, files: list[tuple[Mapping[str, Any], Sections]]) -> list[str]:
    """Return the comments of a part in either file that its text does not have, a line each."""
    before = [line for _, sections in files if key in sections for line in sections[key][0]]
    within = [] if key in BLOCKS else [
        found[1] + "\n"
        for _, sections in files
        if key in sections and sections[key][1] != body
        for line in sections[key][1].split("\n")
        if (found := _COMMENT.search(line)) and found[1] not in body
    ]  # fmt: skip
    return list(dict.fromkeys([*before, *within]))


def _sections(text: str) -> Sections:
    """Return the parts of a file by key: the comments at the margin before each, and its lines."""
    found: Sections = {}
    comments: list[str] = []
    key, body = "", ""
    for each in text.rstrip("\n").split("\n"):
        line = f"{each}\n"
        if line.startswith("#"):
            comments.append(line)
            continue
        named = _KEY.match(line)
        if named:
            if key:
                found[key] = (found[key][0], body)
            key, body = named[1], line
            found[key] = (comments, line)
            comments = []
        elif key:
            body += line
    if key:
        found[key] = (found[key][0], body)
    found[END] = (comments, "")
    return found
