"""The cookbook: packaged rules to propose as they are or changed, `NAME.yaml` each.

A recipe is the file of a rule, behind comments: what it is for, and what to change in it (a line each, `# - …`). It
pays in the register `score`, called points, and fits whichever game has such a currency.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files

from msgspec import Struct

from folkmoot.core.declared_kinds import PLAYER, declared_registers, owners_of
from folkmoot.core.documents import Document
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail
from folkmoot.core.values import told
from folkmoot.files.fast_reader import load_yaml
from folkmoot.scenarios.known_names import lawmaking_outcome

FOLDER = files("folkmoot.game.recipes")
SCORE = "score"
VAGUE = frozenset({"the", "vote", "time", "secret"})
"""Words that say nothing of what a rule is about."""


class Recipe(Struct, frozen=True):
    """A rule to take: what it is for in a sentence, what to change in it, the comments that say so, and its file."""

    name: str
    summary: str
    changes: tuple[str, ...]
    head: str
    rule: str


def names() -> list[str]:
    """Return the names of the recipes."""
    return sorted(entry.name.removesuffix(".yaml") for entry in FOLDER.iterdir() if entry.name.endswith(".yaml"))


def recipe(name: str) -> Recipe:
    """Return a recipe; raises E-NO-SUCH for a name that there is not, with the nearest."""
    if name not in names():
        near = meant_by(name, names())
        hint = f"did you mean {near}? " * bool(near) + f"There are {', '.join(names())}"
        raise fail("E-NO-SUCH", f"there is no recipe {told(name)}", None, hint)
    text = FOLDER.joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    head, start, rule = text.partition("title:")
    first, *rest = (line.removeprefix("# ") for line in head.rstrip("\n").split("\n"))
    return Recipe(name, first, tuple(line.removeprefix("- ") for line in rest), head, start + rule)


def like(rule: Document) -> str:
    """Return the name of a recipe that a rule is like by its title or two declared names, but no copy of; else ""."""
    declared, title = _declared(rule), _words(str(rule.get("title") or ""))
    for name in names():
        head = recipe(name).rule.partition("\nscript:")[0]  # the rest takes long to read
        if not any(word in f"{name} {head}".lower() for word in title | declared):
            continue
        found = load_yaml(head, name)
        names_of_it = _declared(found)
        is_titled = not title.isdisjoint(_words(f"{name.replace('-', ' ')} {found['title']}"))
        is_copy = declared >= names_of_it if names_of_it else str(rule.get("text")).strip() == found["text"].strip()
        if (is_titled or len(declared & names_of_it) > 1) and not is_copy:
            return name
    return ""


def _words(title: str) -> set[str]:
    """Return the words of a title that say what it is about, in the singular."""
    return {word.lower().rstrip("s") for word in re.findall(r"\w{3,}", title, re.ASCII)} - VAGUE


def _declared(rule: Document) -> set[str]:
    """Return the names of the actions, kinds and registers that a rule declares, but for the common ones."""
    registers = {name for _owner, name in declared_registers(rule)}
    kinds = {*((rule.get("defines") or {}).get("kinds") or {})}
    return {*(rule.get("actions") or {}), *kinds, *registers} - {SCORE}


def fitted(text: str, law: Iterable[Document]) -> str:
    """Return the text of a recipe for a game: in the currency that players have, and hearing of what becomes law there.

    That is `score`, or the first that the law declares.
    """
    rules = [*law]
    text = text.replace("on_proposal_adopted", f"on_proposal_{lawmaking_outcome(rules)}")
    found = [
        name
        for rule in rules
        for name, spec in ((rule.get("defines") or {}).get("currencies") or {}).items()
        if not spec.get("bookkeeping") and PLAYER in owners_of(spec)
    ]
    currency = SCORE if SCORE in found or not found else found[0]
    if currency == SCORE:
        return text
    return re.sub(r"(?<![A-Za-z0-9])(score|points)(?![A-Za-z0-9])", currency, text)
