"""A person's file of a rule joined with what the law has made of the rule since: the comments of both live."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.problems import ProblemError
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import BLOCKS, canonical_part, content_of, render_rule

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
