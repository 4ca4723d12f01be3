"""What is wrong with how a rule uses what is sealed, as far as it shows before play: its readers, and looking at it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from folkmoot.core.declared_kinds import declared_registers
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Position, Problem
from folkmoot.core.records import Founding, Shown
from folkmoot.core.sealed_data import AUTHOR, NOBODY, OFFICE, OWNER
from folkmoot.core.values import told
from folkmoot.files.reader import locate, script_start
from folkmoot.language.tree import place_of, shift, text_in, tree_of, walk

SEALING = ("sealed", "pick_sealed")
LOOKING = {
    **dict.fromkeys(("str", "repr", "fail"), "printing"),
    **dict.fromkeys(("sorted", "min", "max"), "sorting"),
    **dict.fromkeys(("bool", "any", "all"), "asking whether it is true"),
}
"""Functions that look at what they are given, and how."""
Path = list[str | int]
Where = tuple[Path, Any, str]
"""Where something is declared as sealed, to whom, and whether an `argument` or what an `owner` has; "" for neither."""


def sealed_in(rules: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the names of the sealed registers that rules declare."""
    return frozenset(str(path[-1]) for rule in rules for path, _said, _of in _registers(rule))


def sealed_problems(
    rule: Mapping[str, Any], law: Founding | None, registers: frozenset[str], text: str, file: str
) -> Iterator[Problem]:
    """Yield where a rule looks at what is sealed (`registers` are), or seals to readers whom there cannot be."""
    declared = [*_arguments(rule), *_registers(rule)]
    if declared or registers or "sealed" in str(rule.get("script")):
        yield from _uses(rule, registers, text, file)
    rules: Sequence[Mapping[str, Any]] = () if not declared else [rule] if law is None else law["rules"]
    blocks = ((each.get("defines") or {}).get("offices") or {} for each in rules)
    offices = {name: about or {} for block in blocks for name, about in block.items()}
    for path, said, of in declared:
        for reader in said if isinstance(said, list) else [said]:
            message, hint = _flaw(str(reader), of, offices, whole=law is not None)
            if message:
                yield Problem("W-SCRIPT", message, locate(text, file, [*path, "sealed"]), hint)


def without_keeper(rule: Shown, text: str, file: str) -> Iterator[Problem]:
    """Yield what a rule declares as sealed, for a game in which nobody keeps a key for it."""
    hint = "before this is law an administrator makes a key for the game: `moot key --keeper`"
    for path, _said, _of in _registers(rule):
        message = f"nothing can be sealed in this game, which has no keeper's key: {path[-1]} stays empty"
        yield Problem("W-SCRIPT", message, locate(text, file, [*path, "sealed"]), hint)


def _uses(rule: Mapping[str, Any], registers: frozenset[str], text: str, file: str) -> Iterator[Problem]:
    """Yield where a script plainly compares, prints, sorts or asks what is sealed, but in sealed functions."""
    arguments = [(str(path[1]), str(path[3])) for path, _said, _of in _arguments(rule)]
    inside = rule.get("sealed") or {}
    for statement in tree_of(str(rule.get("script") or "")).body:
        function = statement.name if isinstance(statement, ast.FunctionDef) else ""
        kind, _, action = function.partition("_")
        own = {name for do, name in arguments if do == action and kind in ("do", "forbid", "permit")}
        for what, use, place in _uses_in(statement, registers, own) if function not in inside else ():
            start = script_start(text, file) or Position(file, 1, 1)
            message = f"{what} is sealed: {use} tells which one it is, and nothing of what is in it"
            hint = "compare it in a function that the rule declares under `sealed:`, and declassify what that answers"
            yield Problem("W-SCRIPT", message, shift(place, start), hint)


def _uses_in(function: ast.AST, registers: frozenset[str], arguments: set[str]) -> Iterator[tuple[str, str, Position]]:
    nodes = walk(function)
    known: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known |= {name: what} if (what := _sealed(value, registers, arguments, known)) else {}
    for node in nodes:
        for use, looked_at in _looks(node):
            if what := _sealed(looked_at, registers, arguments, known):
                yield what, use, place_of(looked_at)


def _looks(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield what a node compares, prints, sorts or asks whether it is true."""
    match node:
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            is_asked = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
            yield from (("comparing", side) for side in sides if not is_asked)
        case ast.Call(func=ast.Name(id=name), args=given) if name in LOOKING:
            yield from ((LOOKING[name], each) for each in given)
        case ast.Call(func=ast.Name(id="require"), args=[condition, *_]):
            yield "asking whether it is true", condition
        case ast.Call(func=ast.Attribute(attr="format"), args=given):
            yield from (("printing", each) for each in given)
        case ast.BinOp(op=ast.Mod(), right=ast.Tuple(elts=printed)):
            yield from (("printing", each) for each in printed)
        case ast.BinOp(op=ast.Mod(), right=printed) | ast.FormattedValue(value=printed):
            yield "printing", printed
        case ast.If(test=asked) | ast.IfExp(test=asked) | ast.UnaryOp(op=ast.Not(), operand=asked):
            yield "asking whether it is true", asked
        case ast.BoolOp(values=asked):
            yield from (("asking whether it is true", each) for each in asked[:-1])


def _sealed(node: ast.expr, registers: frozenset[str], arguments: set[str], known: Mapping[str, str]) -> str:
    """Return what an expression is that is sealed; "" where it is none."""
    match node:
        case ast.Attribute(value=ast.Attribute(attr="args"), attr=name) if name in arguments:
            return f"the argument {name}"
        case ast.Call(func=ast.Name(id=name)) if name in SEALING:
            return f"what {name}() answers"
        case ast.Call(func=ast.Name(id="get"), args=given):
            found = next((text_in(each) for each in given if text_in(each) in registers), "")
            return f"the register {found}" if found else ""
        case ast.Name(id=name):
            return known.get(name, "")
    return ""


def _arguments(rule: Mapping[str, Any]) -> Iterator[Where]:
    for do, action in (rule.get("actions") or {}).items():
        for name, spec in ((action or {}).get("arguments") or {}).items():
            if (spec or {}).get("sealed"):
                yield ["actions", do, "arguments", name], spec["sealed"], "argument"


def _registers(rule: Mapping[str, Any]) -> Iterator[Where]:
    for path, spec in declared_registers(rule).values():
        if isinstance(spec, Mapping) and spec.get("sealed"):
            yield [*path], spec["sealed"], "owner" if path[1] in ("player", "kinds") else ""


def _flaw(reader: str, of: str, offices: Mapping[str, Mapping[str, Any]], *, whole: bool) -> tuple[str, str]:
    """Return what is wrong with a reader, and what to do; `whole` says that all offices of the law are known."""
    if reader.startswith(OFFICE):
        name = reader[len(OFFICE) :]
        if name not in offices:
            near = meant_by(name, offices)
            hint = f"did you mean {OFFICE}{near}?" if near else "declare it under `defines.offices`"
            return (f"no rule declares an office called {told(name)}", hint) if whole else ("", "")
        anew = f"the rules say anew each time who is {name}, so that nothing can be sealed to whoever that is"
        by_rule = offices[name].get("fill") == "by_rule"
        return (anew, "fill the office by appointment, or disclose() to whoever holds it") if by_rule else ("", "")
    if reader == OWNER and not of:
        return "only players and things have an owner, so that nobody reads this", f"say {NOBODY}, an office or players"
    if reader == AUTHOR and of != "argument":
        return "only an argument has an author who seals it to themselves", f"say {OWNER}, {NOBODY} or an office"
    known = [OWNER, NOBODY, *([AUTHOR] if of == "argument" else [])]
    if reader in (*known, AUTHOR):
        return "", ""
    meant = f"{OFFICE}{reader}" if reader in offices else meant_by(reader, known)
    return (f"this is sealed to a player called {told(reader)}", f"did you mean {meant}?") if meant else ("", "")
