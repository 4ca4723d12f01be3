"""Where a script compares, prints or sorts what is sealed: it learns which value that is, and not what is in it.

Only what is plainly written is found: a register or an argument that is declared as sealed, what a sealed function
answers, a name for one of these.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from folkmoot.core.problems import Position
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.language.tree import place_of, text_in, tree_of, walk

SEALING = ("sealed", "pick_sealed")
LOOKING = {
    **dict.fromkeys(("str", "repr", "fail"), "printing"),
    **dict.fromkeys(("sorted", "min", "max"), "sorting"),
    **dict.fromkeys(("bool", "any", "all"), "asking whether it is true"),
}
"""Functions that look at what they are given, and how."""
PREFIXES = ("do_", "forbid_", "permit_")


def uses_of_sealed(
    script: str, registers: frozenset[str], actions: Mapping[str, ActionSpec], inside: Container[str]
) -> Iterator[tuple[str, str, Position]]:
    """Yield what is looked at though it is sealed, how, and where.

    `registers` are the names of sealed ones; `actions` declares those of the rule, `inside` its sealed functions, which
    see what is sealed as it is.
    """
    may_be = any(map(script.__contains__, (*SEALING, *registers)))
    for statement in tree_of(script).body:
        function = statement.name if isinstance(statement, ast.FunctionDef) else ""
        if function in inside:
            continue
        action = next((function.removeprefix(p) for p in PREFIXES if function.startswith(p)), "")
        declared = actions.get(action)
        arguments = (declared.get("arguments") if isinstance(declared, dict) else None) or {}
        sealed = {name for name, spec in arguments.items() if isinstance(spec, dict) and spec.get("sealed")}
        if may_be or sealed:
            yield from _uses_in(statement, registers, sealed)


def sealed_registers(defined: Iterable[Any], owners: Iterable[str]) -> frozenset[str]:
    """Return the names of the sealed registers that `defines:` of some rules declare, in whatever form a draft has."""
    found = [_blocks(defines, [*owners]) for defines in defined]
    pairs = (pair for blocks in found for block in blocks if isinstance(block, dict) for pair in block.items())
    return frozenset(str(name) for name, spec in pairs if _part(spec, "sealed"))


def _blocks(defines: Any, owners: list[str]) -> list[Any]:
    kinds = _part(defines, "kinds")
    of_kinds = [_part(kind, "registers") for kind in (kinds.values() if isinstance(kinds, dict) else ())]
    return [*(_part(defines, owner) for owner in owners), *of_kinds]


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


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
