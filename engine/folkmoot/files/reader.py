"""Strict reading of the files that people write: the first syntax error, or all semantic problems with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import ProposedChange, Written
from folkmoot.files.canonical import in_order
from folkmoot.files.checks import CHECKS
from folkmoot.files.fast_reader import NOT_SIMPLE, load_simple
from folkmoot.files.file_forms import KINDS, VERSION, Form, as_word
from folkmoot.files.form_checker import FormChecker
from folkmoot.files.nodes import MAXIMUM_NODES, MAXIMUM_PROBLEMS, Allowance, Node, compose, graft, place_of
from folkmoot.files.rewrite import ORDER, canonical_rule
from folkmoot.files.scalars import MAXIMUM_DIGITS
from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE, MAXIMUM_SIZE, check_text

LARGEST = {"history": 2_000_000, "ruleset": 4_000_000, "acts": 20_000_000}
"""How many characters a file of a kind may have where that is more than `MAXIMUM_SIZE`: what years of play leave."""


def read_file(kind: str, text: str, file: str, allowance: Allowance | None = None) -> Node:
    """Return the nodes of a sound file of a kind, without its `schema`; see the readers of each kind.

    A sound file is read by the fast reader, and its nodes have no places; what may be wrong with one is for the exact
    one to find and to tell. Of rules and acts so much is read as one `allowance` lets.
    """
    if allowance is None and kind in ("rule", "action"):
        allowance = Allowance()
    found = _read_simple(kind, text, file, allowance or Allowance(LARGEST.get(kind, MAXIMUM_NODES)))
    return found or _read(kind, compose(text, file, LARGEST.get(kind, MAXIMUM_SIZE), allowance))


def _read_simple(kind: str, text: str, file: str, allowance: Allowance) -> Node | None:
    """Return what a sound file holds by the fast reader; None where the exact one has to look."""
    maximum = LARGEST.get(kind, MAXIMUM_SIZE)
    if len(text) > maximum or not _may_be_sound(text):
        return None
    check_text(text, file, maximum)
    data = load_simple(text)
    if data is NOT_SIMPLE or (nodes := _nodes(data)) > allowance.most:
        return None
    with suppress(ProblemError):
        found = _read(kind, graft(data, Node("scalar", None, Position(file))))
        allowance.spend(nodes)
        return found
    return None


def _nodes(data: Any) -> int:
    """Return of how many nodes plain data is."""
    if isinstance(data, dict):
        return 1 + len(data) + sum(map(_nodes, data.values()))
    return 1 + sum(map(_nodes, data)) if isinstance(data, list) else 1


def _may_be_sound(text: str) -> bool:
    """Return whether plain data says all that there is to say of a rule's file."""
    blocks = len(_SCRIPT.findall(text)) == len(_BLOCK.findall(text))
    return blocks and not _LONG.search(text)


def _read(kind: str, composed: Node) -> Node:
    root = _without_version(kind, composed)
    checker = FormChecker()
    checker.check(KINDS[kind].form, root, KINDS[kind].called)
    problems = list(checker.problems)
    told = {problem.position for problem in problems}
    checker.problems.clear()
    CHECKS[kind](checker, root)
    problems += (problem for problem in checker.problems if problem.position not in told)
    if problems:
        raise ProblemError(*sorted(problems, key=place_of)[:MAXIMUM_PROBLEMS])
    return root


def _without_version(kind: str, root: Node) -> Node:
    """Return the nodes of a file without the version of its form (`schema`), which may stand there."""
    found = root.child("schema")
    if found is None:
        return root
    version, hint = found.value, f"write {VERSION}"
    if type(version) is not int:
        raise fail("E-SCHEMA", "`schema` is the version of the file's form, a whole number", found.position, hint)
    if version > VERSION:
        message = f"version {version} of the form of {kind} files is newer than this engine, which knows {VERSION}"
        raise fail("E-SCHEMA", message, found.position, "use a newer engine")
    if version < VERSION:
        raise fail("E-SCHEMA", f"there is no version {version} of the form of {kind} files", found.position, hint)
    kept = [node for key, value in root.pairs() if key.value != "schema" for node in (key, value)]
    return replace(root, children=kept)


_SCRIPT = re.compile(r"""\bscript["']?\s*:""")
_BLOCK = re.compile(r"\bscript: \|[0-9]?[-+]?\n")  # whether a script is a literal block, plain data does not say
_LONG = re.compile(rf"[0-9]{{{MAXIMUM_DIGITS + 1}}}")


def read_rule(text: str, file: str, allowance: Allowance | None = None) -> Written:
    """Return the document of the rule that a file holds: its parts in their order, without what says nothing.

    Args:
        text: the file's text.
        file: its name, for messages.
        allowance: how much of it, and of others, is read; MAXIMUM_NODES of it alone where none is given.

    Raises:
        ProblemError: the first syntax error, or every semantic problem in the order of their places.
    """
    root = read_file("rule", text, file, allowance)
    return in_order(_what_is_said(KINDS["rule"].form, root.plain()), ORDER)


def rule_of(document: Document) -> Written:
    """Return a rule's document as its canonical file would be read; raises as `read_rule`."""
    return read_rule(canonical_rule(document), f"rules/{document.get('uid', 'new')}.yaml")


def _what_is_said(form: Form, value: Any) -> Any:
    """Return plain data without the values that are defaults, keys in the order of their forms."""
    if form.properties:
        parts = {key: _what_is_said(part, value[key]) for key, part in form.properties.items() if key in value}
        return {key: part for key, part in parts.items() if not form.is_default(key, part)}
    if form.keys and form.items:
        return {key: _what_is_said(form.items, item) for key, item in value.items()}
    return value


def check_rule_parts(parts: ProposedChange) -> list[Problem]:
    """Return what is wrong with parts of a rule that came as plain data, such as a proposed change; no places."""
    root = graft({"title": "(as before)", **parts}, Node("map", None, Position("rule")))
    checker = FormChecker()
    checker.check(KINDS["rule"].form, root, KINDS["rule"].called)
    CHECKS["rule"](checker, root)
    return checker.problems


def read_action(text: str, file: str, allowance: Allowance | None = None) -> Written:
    """Return the act that an action file describes: `do`, `with` (its arguments), and `by` and `as` where it has them.

    A vote is the act `vote`; requests that travel along are the argument `requests`. Raises as `read_rule`.
    """
    return _act(read_file("action", text, file, allowance).plain())


def read_acts(text: str, file: str) -> list[Written]:
    """Return acts that are entered together, each as `read_action` returns one, and its `at`; raises as `read_rule`."""
    acts = read_file("acts", text, file).plain()["acts"]
    return [{"at": act.pop("at", "+0s"), **_act(act)} for act in acts]


def _act(given: Written) -> Written:
    act: dict[str, Any] = {"do": given.get("do") or "vote", "with": given.get("args", {})}
    if "vote" in given:
        reason = {"reason": given["reason"]} if "reason" in given else {}
        target = {**KINDS["action"].form.named(given), **reason}
        act["with"] |= {"choice": as_word(given["vote"]), **target}
    if given.get("with"):
        act["with"]["requests"] = given["with"]
    return act | {name: given[name] for name in ("by", "as") if given.get(name)}


def read_settings(text: str, file: str) -> Written:
    """Return what a settings file gives a new game, as plain data; raises as `read_rule`."""
    return dict(read_file("settings", text, file).plain())


def read_scenario(text: str, file: str) -> Written:
    """Return a scenario as the plain data that it is played from; raises as `read_rule`."""
    return dict(read_file("scenario", text, file).plain())


def read_ruleset(text: str, file: str) -> Written:
    """Return a ruleset's opening position as plain data; raises as `read_rule`."""
    found = dict(read_file("ruleset", text, file).plain())
    if isinstance(found.get("history"), dict):
        found["history"] = {uid: _past(revisions) for uid, revisions in found["history"].items()}
    return found


@lru_cache(maxsize=2_048)
def read_history(text: str, file: str) -> Written:
    """Return the past of a rule, its `revisions` and the `rulings` on it, as plain data; raises as `read_rule`.

    One command reads each of many files several times, and nobody changes what comes of it.
    """
    found = dict(read_file("history", text, file).plain())
    rulings = [{**each, "at": str(each["at"])} for each in found.get("rulings", ())]
    return {"revisions": _past(found["revisions"]), **({"rulings": rulings} if rulings else {})}


def read_decided(text: str, file: str) -> Written:
    """Return a vote that was decided before the game as plain data; raises as `read_rule`."""
    found = dict(read_file("decided", text, file).plain())
    for voter, cast in found.get("ballots", {}).items():
        if isinstance(cast, dict):
            found["ballots"][voter] = {**cast, "choice": as_word(cast["choice"])}
        else:
            found["ballots"][voter] = as_word(cast)
    return {**found, **{part: str(found[part]) for part in ("submitted", "decided") if part in found}}


def _past(revisions: list[Written]) -> list[Written]:
    """Return revisions with their dates as text, and a mark on those of which nobody knows what they said."""
    known = [{**each, "at": str(each["at"])} for each in revisions]
    for each in known[:-1]:
        if not {"text", "repealed"} & set(each):
            each["unknown"] = True
    return known


# -- places


def locate(text: str, file: str, path: Sequence[str | int]) -> Position:
    """Return where a path of a file stands: its last key or item, or the nearest of its parents that is there.

    Args:
        text: the file's text.
        file: its name.
        path: keys of maps and places (from 0) of lists, from the outside in.
    """
    node = _composed(text, file)
    place = node.position
    for part in path:
        found = _step(node, part)
        if found is None:
            break
        place, node = found
    return place


@lru_cache(maxsize=4)
def _composed(text: str, file: str) -> Node:
    """Return the nodes of a file in which several places are looked for, one after another."""
    return compose(text, file, MAXIMUM_ENGINE_SIZE)


def _step(node: Node, part: str | int) -> tuple[Position, Node] | None:
    if node.kind == "map":
        return next(((key.position, value) for key, value in node.pairs() if key.value == part), None)
    if node.kind == "list" and isinstance(part, int) and 0 <= part < len(node.children):
        return node.children[part].position, node.children[part]
    return None


_FIRST_OF_BLOCK = re.compile(
    r"""^(?:script|"script"|'script')[ \t]*:[ \t]*[|>][-+]?(?P<said>[0-9]?)[^\n]*\n"""
    r"(?P<blank>(?:[ \t]*\n)*)(?P<indent>[ \t]+)",
    re.MULTILINE,
)


def script_start(text: str, file: str) -> Position | None:
    """Return the place of the first character of a rule's script in its file, None where it has no literal block."""
    found = _FIRST_OF_BLOCK.search(text)
    if found is None:
        return None
    indent = int(found["said"] or len(found["indent"]))
    return Position(file, text.count("\n", 0, found.start("blank")) + 1, indent + 1)


def script_position(text: str, file: str, line: int, column: int = 1) -> Position:
    """Return where a line and column (from 1) of a rule's script stand in the rule's file."""
    start = script_start(text, file)
    if start is None:
        return Position(file)
    return Position(file, start.line + line - 1, start.column + column - 1 if column else 0)


# -- where a script failed, as the person who edits its rule's file has it before them


Files = Mapping[str, tuple[str, str]]
"""The files of rules, each by the rule's uid: its text and its name."""
NO_FILES: Files = MappingProxyType({})


def where(failure: Document, files: Files) -> str:
    r"""Return where a failure of a script lies: in its rule's file, in its script where that is not known, or "".

    >>> where({"rule": "7", "line": 2, "column": 5}, {"7": ("title: A\nscript: |\n  x = 1\n  y = z\n", "a.yaml")})
    'at a.yaml:4:7'
    >>> where({"rule": "7", "line": 2}, {}), where({"rule": "7"}, {})
    ('in line 2 of its script', '')
    """
    if not failure.get("line"):
        return ""
    text, file = files.get(str(failure["rule"]), ("", ""))
    place = script_position(text, file, int(failure["line"]), int(failure.get("column") or 0))
    return f"at {place}" if file and place.line else f"in line {failure['line']} of its script"


def placed(text: str, failures: Iterable[Document], files: Files) -> str:
    """Return a sentence that names lines of scripts with the places of these failures in files instead."""
    for failure in failures:
        place = where(failure, files)
        if place.startswith("at "):
            text = text.replace(f"line {failure['line']} of its script", place.removeprefix("at "))
    return text


def files_of(changes: Iterable[tuple[ProposedChange, str]], effects: Iterable[Document]) -> dict[str, tuple[str, str]]:
    """Return the files of changed rules by uid: of changes (with the names of their files), and what came of them.

    A new rule has the uid that the effect of its enactment names; the first with its title is meant.
    """
    found, new = {}, []
    for change, file in changes:
        if "enact" in change:
            new.append((str(change["enact"].get("title")), (str(change["enact"].get("source") or ""), file)))
        elif change.get("source"):
            uid = next(str(change[kind]) for kind in ("amend", "transmute", "retitle") if kind in change)
            found[uid] = (str(change["source"]), file)
    for effect in effects:
        same = (each for each in new if each[0] == effect.get("title"))
        if effect["effect"] == "enact" and (made := next(same, None)):
            new.remove(made)
            found[str(effect["of"])] = made[1]
    return found
