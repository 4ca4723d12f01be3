"""Strict reading of the files that people write: the first syntax error, or all semantic problems with their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.files.checks import CHECKS
from folkmoot.files.fast_reader import NOT_SIMPLE, load_simple
from folkmoot.files.file_types import RulesetFile, ScenarioFile, SettingsFile
from folkmoot.files.nodes import MAXIMUM_DIGITS, MAXIMUM_PROBLEMS, Allowance, Node, compose
from folkmoot.files.rule_file import RuleFile
from folkmoot.files.shapes import shape_of_kind
from folkmoot.files.shaping import WRONG, Shaper
from folkmoot.files.upgrades import graft, upgrade
from folkmoot.files.yaml_guard import MAXIMUM_SIZE, check_text

_WHOLE = {
    "rule": "the rule",
    "action": "the action",
    "settings": "the settings file",
    "scenario": "the scenario",
    "ruleset": "the ruleset",
}


def read_file(kind: str, text: str, file: str, allowance: Allowance | None = None) -> tuple[Any, Node]:
    """Return the typed record and the nodes of a file of a kind; see the readers of each kind.

    A sound rule is read by the fast reader, and its nodes have no places; what may be wrong with a file is for the
    exact one to find and to tell. Of rules and acts so much is read as one `allowance` lets.
    """
    if allowance is None and kind in ("rule", "action"):
        allowance = Allowance()
    found = _read_simple(text, file, allowance) if kind == "rule" and allowance else None
    return found or _read(kind, compose(text, file, allowance=allowance))


def _read_simple(text: str, file: str, allowance: Allowance) -> tuple[Any, Node] | None:
    """Return a sound rule by the fast reader; None where the exact one has to look."""
    if not _may_be_sound(text):
        return None
    check_text(text, file)
    data = load_simple(text)
    if data is NOT_SIMPLE or (nodes := _nodes(data)) > allowance.most:
        return None
    with suppress(ProblemError):
        found = _read("rule", graft(data, Node("scalar", None, Position(file))))
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
    return blocks and len(text) <= MAXIMUM_SIZE and not _LONG.search(text)


def _read(kind: str, composed: Node) -> tuple[Any, Node]:
    root = upgrade(kind, composed)
    shaper = Shaper()
    record = shaper.read(shape_of_kind(kind), root, _WHOLE[kind])
    problems = list(shaper.problems)
    told = {problem.position for problem in problems}
    shaper.problems.clear()
    CHECKS[kind](shaper, root)
    problems += (problem for problem in shaper.problems if problem.position not in told)
    if problems:
        raise ProblemError(*sorted(problems, key=_place)[:MAXIMUM_PROBLEMS])
    assert record is not WRONG
    return record, root


_SCRIPT = re.compile(r"""\bscript["']?\s*:""")
_BLOCK = re.compile(r"\bscript: \|[0-9]?[-+]?\n")  # whether a script is a literal block, plain data does not say
_LONG = re.compile(rf"[0-9]{{{MAXIMUM_DIGITS + 1}}}")


def _place(problem: Problem) -> Position:
    return problem.position or Position("")


def read_rule(text: str, file: str, allowance: Allowance | None = None) -> RuleFile:
    """Return the rule that a file holds.

    Args:
        text: the file's text.
        file: its name, for messages.
        allowance: how much of it, and of others, is read; MAXIMUM_NODES of it alone where none is given.

    Raises:
        ProblemError: the first syntax error, or every semantic problem in the order of their places.
    """
    return cast(RuleFile, read_file("rule", text, file, allowance)[0])


def check_rule_parts(parts: dict[str, Any], file: str = "rule") -> list[Problem]:
    """Return what is wrong with parts of a rule that came as plain data, such as a proposed change; no places."""
    near = Node("map", None, Position(file))
    root = graft({"title": "(as before)", **parts}, near)
    shaper = Shaper()
    shaper.read(shape_of_kind("rule"), root, "the rule")
    CHECKS["rule"](shaper, root)
    return shaper.problems


def read_rule_document(text: str, file: str) -> dict[str, Any]:
    """Return the rule that a file holds as the plain data that stands there, in today's form; raises as `read_rule`."""
    return cast(dict[str, Any], read_file("rule", text, file)[1].plain())


def read_action(text: str, file: str, allowance: Allowance | None = None) -> dict[str, Any]:
    """Return the act that an action file describes: `do`, `with` (its arguments), and `by` and `as` where it has them.

    A vote is the act `vote`; requests that travel along are the argument `requests`. Raises as `read_rule`.
    """
    action, root = read_file("action", text, file, allowance)
    given = root.plain()
    act: dict[str, Any] = {"do": action.do or "vote", "with": dict(action.args)}
    if "vote" in given:
        target = {name: given[name] for name in ("proposal", "motion", "reason") if name in given}
        act["with"] |= {"choice": as_word(action.vote), **target}
    if action.with_:
        act["with"]["requests"] = action.with_
    return act | {name: given[name] for name in ("by", "as") if given.get(name)}


def as_word(value: Any) -> str:
    """Return a word of a vote or switch as the string that is kept, also where it looked like something else."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_settings(text: str, file: str) -> SettingsFile:
    """Return what a settings file gives a new game; raises as `read_rule`."""
    return cast(SettingsFile, read_file("settings", text, file)[0])


def read_scenario(text: str, file: str) -> dict[str, Any]:
    """Return a scenario as the plain data that it is played from; raises as `read_rule`."""
    return cast(dict[str, Any], read_file("scenario", text, file)[1].plain())


def read_typed_scenario(text: str, file: str) -> ScenarioFile:
    """Return a scenario as a record; raises as `read_rule`."""
    return cast(ScenarioFile, read_file("scenario", text, file)[0])


def read_ruleset(text: str, file: str) -> dict[str, Any]:
    """Return a ruleset's opening position as plain data; raises as `read_rule`."""
    return cast(dict[str, Any], read_file("ruleset", text, file)[1].plain())


def read_typed_ruleset(text: str, file: str) -> RulesetFile:
    """Return a ruleset's opening position as a record; raises as `read_rule`."""
    return cast(RulesetFile, read_file("ruleset", text, file)[0])


# -- places


def locate(text: str, file: str, path: Sequence[str | int]) -> Position:
    """Return where a path of a file stands: its last key or item, or the nearest of its parents that is there.

    Args:
        text: the file's text.
        file: its name.
        path: keys of maps and places (from 0) of lists, from the outside in.
    """
    node = compose(text, file)
    place = node.position
    for part in path:
        found = _step(node, part)
        if found is None:
            break
        place, node = found
    return place


def _step(node: Node, part: str | int) -> tuple[Position, Node] | None:
    if node.kind == "map":
        return next(((key.position, value) for key, value in node.pairs() if key.value == part), None)
    if node.kind == "list" and isinstance(part, int) and 0 <= part < len(node.children):
        return node.children[part].position, node.children[part]
    return None


def script_start(text: str, file: str, key: str = "script") -> Position | None:
    """Return the place of the first character of a rule's script in its file, None where it has no literal block."""
    root = compose(text, file)
    block = root.child(key)
    if block is None or block.style not in ("|", ">"):
        return None
    lines = text.split("\n")[block.position.line :]
    written = next(line for line in lines if line.strip())
    wanted = next((line for line in block.value.split("\n") if line.strip()), "")
    indent = len(written) - len(written.lstrip(" ")) - (len(wanted) - len(wanted.lstrip(" ")))
    return Position(file, block.position.line + 1, indent + 1)


def script_position(text: str, file: str, line: int, column: int = 1) -> Position:
    """Return where a line and column (from 1) of a rule's script stand in the rule's file."""
    start = script_start(text, file)
    if start is None:
        return Position(file)
    return Position(file, start.line + line - 1, start.column + column - 1 if column else 0)
