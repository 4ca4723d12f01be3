"""Nodes against the forms of files: every problem is collected, with its place and what was meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.misspelt import did_you_mean, meant_by
from folkmoot.core.problems import Position, Problem
from folkmoot.files.file_forms import IDENTIFIER, Form, as_word, kind_of_value
from folkmoot.files.nodes import Node
from folkmoot.files.string_forms import FORMATS, shown

MISSPELT = 0.8  # how much alike two words are of which one is the other with a slip
MOST_SUGGESTIONS = 20  # of what an unknown key may have meant; comparing words is slow
CUT = "within braces a comma ends a text, so that one with a comma in it stands in quotation marks"
NAMES = {
    "string": "a string",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "list": "a list",
    "map": "a map of keys and values",
}


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or all of them where they are few."""
    words = [str(name) for name in known if name != ""]
    choose = f"choose {'one of ' if len(words) > 1 else ''}{', '.join(words)}" if words else ""
    return did_you_mean(word.lower(), words) or choose


class FormChecker:
    """Compares nodes with forms and keeps the problems; `what` names a node in messages."""

    def __init__(self) -> None:
        """Begin without problems."""
        self.problems: list[Problem] = []
        self.suggested = 0

    def report(self, code: str, message: str, position: Position, hint: str = "", **arguments: Any) -> None:
        """Keep a problem."""
        self.problems.append(Problem(code, message, position, hint, arguments))

    def check(self, form: Form, node: Node, what: str) -> None:
        """Check that a node is what a form says."""
        if form.options:
            self.union(form, node, what)
        elif form.type == "any":
            pass
        elif form.type != kind_of(node):
            expected = " or ".join(_words(form)) if form.words else NAMES[form.type]
            self.mismatch(node, what, [expected], quotable=form.type == "string" and not form.words)
        elif form.words:
            self.choice(form, node, what)
        elif form.type == "list":
            for child in node.children:
                self.check(form.items or form, child, f"an item of {what}")
        elif form.keys:
            self.entries(form.keys, form.items or form, node, what)
        elif form.type == "map":
            self.properties(form, node, what)
        else:
            self.scalar(form, node, what)

    # -- scalars

    def scalar(self, form: Form, node: Node, what: str) -> None:
        """Check the format of a string, and the bounds of a whole number."""
        verdict = FORMATS[form.format].check(node.value) if form.format else None
        if verdict:
            between = " " if verdict[1].startswith("must ") else ": "
            self.report(verdict[0], what + between + verdict[1], node.position, verdict[2])
        elif form.format == "script" and node.value and node.style != "|":
            message = f"{what} must be a literal block, so that its lines have places in the file"
            self.report("E-BLOCK", message, node.position, "write `script: |` and indent the lines below it")
        elif form.type == "integer" and form.lowest is not None:
            high = form.highest
            if node.value < form.lowest or (high is not None and node.value > high):
                bounds = f"at least {form.lowest}" if high is None else f"from {form.lowest} to {high}"
                self.report("E-RANGE", f"{what} must be {bounds}, not {node.value}", node.position)

    def choice(self, form: Form, node: Node, what: str) -> None:
        """Check that one of the words that may stand here does."""
        words = _words(form)
        if node.value == "" or node.value not in form.words:
            message = f"{what} cannot be `{shown(as_word(node.value))}`"
            self.report("E-CHOICE", message, node.position, nearest(str(node.value), words), of=words)

    def mismatch(self, node: Node, what: str, expected: Sequence[str], *, quotable: bool) -> None:
        """Report that a value has another type than what belongs here."""
        found = NAMES[kind_of(node)]
        scalar = node.kind == "scalar" and node.value is not None
        hint = f'write "{node.raw}"' if quotable and scalar else ""
        if node.value is None and node.kind == "scalar":
            found, hint = "nothing", "leave the key out, or give it a value"
        elif not hint and expected == [NAMES["map"]]:
            hint = "write lines of `key: value`, without `- ` before them"
        said = f"{found} ({node.raw[:40]})" if scalar and node.raw else found
        self.report("E-TYPE", f"{what} must be {' or '.join(expected)}, not {said}", node.position, hint)

    # -- maps

    def entries(self, keys: Form, values: Form, node: Node, what: str) -> None:
        """Check a map with free keys."""
        for key, value in node.pairs():
            self.check(keys, key, f"a key of {what}")
            self.check(values, value, f"`{shown(str(key.value))}`")

    def properties(self, form: Form, node: Node, what: str) -> None:
        """Check a map with known keys."""
        given: set[str] = set()
        for key, value in node.pairs():
            if key.value in form.properties:
                given.add(key.value)
                self.check(form.properties[key.value], value, f"`{key.value}`")
            elif form.leader is not None and len(given) == 0 and key is node.pairs()[0][0]:
                self.led(form.leader, key, value)
            elif form.open:
                self.check(IDENTIFIER, key, "a register")
            elif form.others is not None and not _is_misspelt(key, form.properties, PROPOSAL):
                self.led(form.others, key, value)
            else:
                free = [*form.properties, *([PROPOSAL] if form.others is not None else [])]
                cut = node.style == "flow" and value.kind == "scalar" and value.value is None and not value.raw
                hint = CUT if cut and not _is_misspelt(key, form.properties) else ""
                self.unknown(key, [name for name in free if name not in given], hint)
        for name in form.required:
            if name not in given:
                hint = _wanted(name, form.properties[name])
                self.report("E-MISSING", f"{what} has no `{name}`", node.position, hint)

    def led(self, form: Form, key: Node, value: Node) -> None:
        """Check a key that names something by its kind, and which one it is."""
        self.check(IDENTIFIER, key, "a kind of what is voted on")
        self.check(form, value, f"`{shown(str(key.value))}`")

    def unknown(self, key: Node, still_free: list[str], hint: str = "") -> None:
        """Report a key that does not belong here."""
        self.suggested += 1
        hint = hint or (nearest(key.value, still_free) if self.suggested <= MOST_SUGGESTIONS else "")
        self.report("E-KEY", f"`{shown(key.value)}` is no key here", key.position, hint, of=still_free)

    # -- unions

    def union(self, form: Form, node: Node, what: str) -> None:
        """Check a node by the option that is of its type; among maps, by the one whose first key it has."""
        fitting = [option for option in form.options if option.type == kind_of(node)]
        if len(fitting) > 1 and node.kind == "map":
            present = {key.value for key, _ in node.pairs()}
            led = [option for option in fitting if option.leader is not None]
            fitting = [option for option in fitting if option.first in present]
            if not fitting and led and node.children and not _is_misspelt(node.pairs()[0][0], self.firsts(form)):
                fitting = led
            if not fitting:
                self.no_first_key(form, node, what)
                return
        if fitting:
            self.check(fitting[0], node, what)
        else:
            expected = list(dict.fromkeys(map(_expected, form.options)))
            self.mismatch(node, what, expected, quotable="a string" in expected)

    @staticmethod
    def firsts(form: Form) -> list[str]:
        """Return the keys by which the maps of a union are told apart."""
        return [option.first for option in form.options if option.properties and option.first]

    def no_first_key(self, form: Form, node: Node, what: str) -> None:
        """Report a map that has none of the keys by which the options are told apart."""
        firsts = self.firsts(form)
        hints = (nearest(key.value, firsts) for key, _ in node.pairs()[:MOST_SUGGESTIONS])
        hint = next((hint for hint in hints if hint.startswith("did")), "choose one of " + ", ".join(firsts))
        message = f"{what} must have one of the keys {', '.join(firsts)}"
        self.report("E-MISSING", message, node.position, hint, of=firsts)


def _is_misspelt(key: Node, properties: Iterable[str], *more: str) -> bool:
    """Whether a key is so much like a known one that it hardly is a name of somebody's own."""
    known = [*properties, *more]
    return key.value not in known and bool(meant_by(str(key.value).lower()[:80], known, MISSPELT))


def kind_of(node: Node) -> str:
    """Return list, map, or which scalar a node is."""
    return node.kind if node.kind != "scalar" else kind_of_value(node.value)


def _words(form: Form) -> list[str]:
    return [as_word(word) for word in form.words if word != ""]


def _expected(form: Form) -> str:
    if form.words:
        words = _words(form)
        return "one of " + ", ".join(words) if len(words) > 2 else " or ".join(words)
    if form.options:
        return " or ".join(dict.fromkeys(map(_expected, form.options)))
    return NAMES[form.type]


def _wanted(name: str, form: Form) -> str:
    return f"add `{name}:`" + ("" if form.type == "any" else f" with {_expected(form)}")
