"""Rules that a player writes and has not proposed yet: kept in files that `moot propose` reads, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from folkmoot.cli.play.forms import Form
from folkmoot.cli.play.seat import Seat, Standing
from folkmoot.core.clone_files import read_text, remove, write_whole
from folkmoot.core.documents import RuleDocument
from folkmoot.core.problems import ProblemError, fail
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import canonical_rule, render_rule
from folkmoot.game.recipes import fitted, recipe
from folkmoot.game.recipes import names as recipe_names
from folkmoot.player.proposing import TEMPLATE, draft_file, without_comments

PARTS = ("title", "text", "script")
"""What of a rule has a field of its own."""
MORE = "more"
"""The field of all else, as it stands in the rule's file."""
FIXED = ("rule", "uid", "source")
NEW = "new"
_BLOCKS = re.compile(r"^(?=[A-Za-z_]+:)", re.MULTILINE)


def parts_of(text: str) -> dict[str, str]:
    r"""Return the fields of a rule's file, of which nothing need be right: what cannot be read stands in the last.

    >>> parts_of("rule: 7\ntitle: Tea\ntext: |\n  There is tea.\n# Mine.\nlabels: {a: [\n")
    {'title': 'Tea', 'text': 'There is tea.\n', 'script': '', 'more': 'labels: {a: [\n'}
    """
    found = dict.fromkeys((*PARTS, MORE), "")
    for block in _BLOCKS.split(without_comments(text, TEMPLATE)):
        name = block.partition(":")[0]
        value: Any = None
        with suppress(ProblemError, AttributeError):
            value = load_yaml(block, name).get(name) if name in PARTS else None
        if name in PARTS and (value is None or isinstance(value, str)):
            found[name] = value or ""
        elif name not in FIXED and block.strip():
            found[MORE] += block
    return found


def rule_file(form: Form, law: Mapping[str, Any] | None = None) -> str:
    """Return the file of a rule as a form has it, of which nothing need be right; of one in force with its numbers."""
    kept = {name: law[name] for name in ("rule", "uid")} if law is not None else {}
    parts = {name: whole_lines(form[name]) for name in ("text", "script")}
    return render_rule({**kept, "title": form["title"].strip(), **parts}) + whole_lines(form[MORE])


def whole_lines(text: str) -> str:
    """Return a text with one line's end at its end, as those in files have it; "" for one that says nothing."""
    return f"{text.rstrip()}\n" if text.strip() else ""


def more_of(rule: Mapping[str, Any] | None, rules: Iterable[RuleDocument]) -> str:
    """Return what a rule has beside title, words and script, as it stands in its file; of a new one its labels."""
    if rule is not None:
        own = (*PARTS, *FIXED)
        return canonical_rule({name: part for name, part in rule.items() if name not in own}).partition("\n")[2]
    mutable = any((each.get("labels") or {}).get("status") == "mutable" for each in rules)
    return "labels: {status: mutable}\n" if mutable else ""


def draft_name(number: str, begun_with: str) -> str:
    """Return by which name a draft is kept, as `moot propose` does: its rule's number, else the idea it began with."""
    return number or (begun_with if begun_with in recipe_names() else NEW)


def path_of(seat: Seat, game: str, name: str) -> Path:
    """Return where the draft of that name is kept. Raises E-STATUS, E-NO-SUCH."""
    if seat.view is None:
        raise fail("E-STATUS", "nothing is proposed here: one person keeps the game", None, "")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise fail("E-NO-SUCH", "there is no such rule", None, "")
    return draft_file(seat.view, f"{game}-{name}")


def keep(seat: Seat, standing: Standing, form: Form) -> None:
    """Keep what is being written, or forget it where the form says so."""
    number = form["rule"]
    law = next((each for each in standing.rules if str(each["rule"]) == number), None)
    path = path_of(seat, standing.game, draft_name(str(law["rule"]) if law else "", form["from"]))
    if form["forget"]:
        remove(path)
    else:
        write_whole(path, rule_file(form, law).encode())


def draft_of(seat: Seat, standing: Standing, name: str) -> dict[str, str] | None:
    """Return the fields of a draft, None where there is none."""
    with suppress(ProblemError, OSError):
        text = read_text(path_of(seat, standing.game, name))
        return parts_of(text) if text is not None else None
    return None


def drafts(seat: Seat, standing: Standing, but: str) -> list[tuple[str, str]]:
    """Return what else is being written, each with the query of its address: new rules first, then changes of rules."""
    known = {
        NEW: ("", "A new rule"),
        **{name: (f"?from={name}", f"A new rule, from {name}") for name in recipe_names()},
    }
    for rule in standing.rules:
        number = str(rule["rule"])
        known[number] = (f"?rule={quote(number)}", f"Change rule {number}, {rule['title']}")
    return [shown for name, shown in known.items() if name != but and draft_of(seat, standing, name) is not None]


def idea(standing: Standing, name: str) -> dict[str, str] | None:
    """Return the fields of a rule of the cookbook, fitted to a game; None for a name that none has.

    Its examples are left out: where another rule acts at the same time, they need not hold.
    """
    if name not in recipe_names():
        return None
    blocks = _BLOCKS.split(fitted(recipe(name).rule, standing.rules))
    return parts_of("".join(block for block in blocks if not block.startswith("examples:")))
