"""What the law language declares, read from its own sources: the prelude, the library and the catalogue of hooks.

A declaration is a Starlark function, mostly with a docstring: its first paragraph says what it means, lines
`name: meaning` after it describe what an argument holds, lines after `>>>` are an example with its answer. In the
catalogue the body of the function is the example.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from msgspec import Struct

from folkmoot.language.binding import libraries, library_text, prelude_text

DEFINITION = re.compile(
    r"^def (?P<name>[A-Za-z]\w*)\((?P<parameters>.*?)\)(?: -> (?P<answer>\w+))?:\n(?P<body>(?:    .*\n|\n)*)",
    re.MULTILINE,
)
DOCSTRING = re.compile(r'\A    """(?P<text>.*?)"""\n', re.DOTALL)
FIELD = re.compile(r"^    ([a-z]\w*(?:\.\w+)?): (.+)$", re.MULTILINE)
EXAMPLE = re.compile(r"^    >>> (.+)\n    (.+)$", re.MULTILINE)
SECTION = re.compile(r"^# -- ([a-z ]+?) -+$", re.MULTILINE)
NOT_GIVEN = "unset__"  # the default of the prelude that stands for none
MODULE_DOCSTRING = re.compile(r'\A"""(.*?)"""', re.DOTALL)


class Declaration(Struct, frozen=True):
    """A function: `meaning` in sentences, `fields` name to meaning, `examples` call and answer, `body` its code."""

    name: str
    parameters: str
    answer: str
    meaning: str
    fields: dict[str, str]
    examples: tuple[tuple[str, str], ...]
    body: str
    section: str

    @property
    def signature(self) -> str:
        """Return name, parameters and type of the answer as they are written."""
        arrow = f" -> {self.answer}" if self.answer else ""
        return f"{self.name}({self.parameters}){arrow}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the parameters."""
        parts = [part.partition("=")[0].partition(":")[0].strip() for part in self.parameters.split(",")]
        return tuple(part for part in parts if part)


def declarations(source: str) -> dict[str, Declaration]:
    """Return the functions of a Starlark source by name, in its order; private ones are left out."""
    found = {}
    for match in DEFINITION.finditer(source):
        documented = DOCSTRING.match(match["body"])
        if not match["name"].endswith("__"):
            heads = SECTION.findall(source, 0, match.start())
            found[match["name"]] = _declare(match, documented, heads[-1].strip() if heads else "")
    return found


def _declare(match: re.Match[str], documented: re.Match[str] | None, section: str) -> Declaration:
    text = documented["text"].rstrip() + "\n" if documented else ""
    paragraphs = [p for p in text.split("\n\n") if not FIELD.match(p) and not p.lstrip().startswith(">>>")]
    return Declaration(
        name=match["name"],
        parameters=" ".join(match["parameters"].split()).strip(", ").replace(NOT_GIVEN, "…"),
        answer=match["answer"] or "",
        meaning="\n\n".join(" ".join(p.split()) for p in paragraphs),
        fields=dict(FIELD.findall(text)),
        examples=tuple(EXAMPLE.findall(text)),
        body=match["body"][documented.end() if documented else 0 :].rstrip() + "\n",
        section=section,
    )


def introduction(source: str) -> str:
    """Return the docstring of a Starlark source."""
    match = MODULE_DOCSTRING.match(source)
    return match[1].strip() if match else ""


PARTS = ("hooks", "events", "questions", "functions", "records")


@cache
def catalogue(part: str) -> dict[str, Declaration]:
    """Return a part of the catalogue by name: `hooks`, `events`, `questions` or `functions`."""
    return declarations(catalogue_text(part))


@cache
def catalogue_text(part: str) -> str:
    """Return the source of a part of the catalogue."""
    return files("folkmoot.language").joinpath("catalogue", f"{part}.star").read_text(encoding="utf-8")


@cache
def prelude() -> dict[str, Declaration]:
    """Return the host functions by name."""
    return declarations(prelude_text())


@cache
def library(module: str) -> dict[str, Declaration]:
    """Return the functions of a library module by name; none if there is no such module."""
    return declarations(library_text(module) or "")


@cache
def library_modules() -> tuple[str, ...]:
    """Return the names of the library modules."""
    return tuple(sorted(libraries()))  # which the sandbox has read before its walls stand


@cache
def library_names(module: str) -> frozenset[str]:
    """Return every name that a library module lets scripts load: its functions and constants."""
    source = library_text(module) or ""
    return frozenset(re.findall(r"^(?:def )?([A-Za-z]\w*)(?:\(| = )", source, re.MULTILINE))
