"""What goes from one package to another has a type: no map of anything crosses a border, under whatever name.

Maps whose keys nobody knows beforehand have their names in `core/records.py` and `core/documents.py`, which are all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ENGINE = Path(__file__).parents[1] / "engine" / "folkmoot"
NAMED = ("folkmoot.core.records", "folkmoot.core.documents")
OPEN_BY_NATURE = {
    "Arguments",  # what an act, a request, an event or a reason takes, as rules declare it
    "Declarations",  # what rules declare by name
    "Document",  # what one derived file holds, where nobody asks which
    "Founding",
    "ProposedChange",  # what people write, held against its form
    "Registers",
    "ScriptRecord",  # what scripts are shown, of shapes of their own
    "Shown",  # what programs are shown: `--json`, what is sent to a forge
    "Written",  # files that people write, held against their forms
}
OPEN = re.compile(r"(?:dict|Mapping|MutableMapping)\[str, (?:Any|object)\]")


def test_no_open_map_crosses_a_border_under_whatever_name() -> None:
    modules = _modules()
    aliases = {name: set(_aliases(tree)) for name, tree in modules.items() if name not in NAMED}
    crossing = _crossing()
    said = [
        f"{name}: {what}"
        for name, tree in modules.items()
        for known in [_known(tree, aliases.get(name, set()), aliases)]
        for what, annotations in _signatures(tree)
        if (name, what.partition(".")[0]) in crossing
        and (_names(annotations) & known or any(OPEN.search(ast.unparse(note)) for note in annotations))
    ]
    assert said == []


def test_the_open_maps_are_known() -> None:
    modules = _modules()
    assert {alias for name in NAMED for alias in _aliases(modules[name])} == OPEN_BY_NATURE


@cache
def _modules() -> dict[str, ast.Module]:
    names = {
        file: ("folkmoot", *file.relative_to(ENGINE).with_suffix("").parts) for file in sorted(ENGINE.rglob("*.py"))
    }
    return {
        ".".join(name).removesuffix(".__init__"): ast.parse(file.read_text("utf-8")) for file, name in names.items()
    }


def _package(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _aliases(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module gives to maps of anything."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and OPEN.search(ast.unparse(node.value)):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _known(tree: ast.Module, own: set[str], aliases: dict[str, set[str]]) -> set[str]:
    """Return the names that stand for such a map in a module, its own and those that it imports."""
    brought = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in node.names
        if name.name in aliases.get(node.module, ())
    }
    return own | brought


@cache
def _crossing() -> set[tuple[str, str]]:
    """Return what another package uses, as module and name: imported by name, or looked up in the module."""
    found, modules = set(), _modules()
    for user, tree in modules.items():
        for node in ast.walk(tree):
            for name in node.names if isinstance(node, ast.ImportFrom) and node.module else ():
                origin, inner = str(getattr(node, "module", "")), f"{getattr(node, 'module', '')}.{name.name}"
                used = [(origin, name.name)] if inner not in modules else _looked_up(tree, name, inner)
                found |= {each for each in used if _package(each[0]) != _package(user)}
    return found


def _looked_up(tree: ast.Module, module: ast.alias, full: str) -> list[tuple[str, str]]:
    called = module.asname or module.name
    places = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return [(full, node.attr) for node in places if isinstance(node.value, ast.Name) and node.value.id == called]


def _signatures(tree: ast.Module) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield each public function, method and field of a module, with its annotations."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, _annotations(node)
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(part, ast.FunctionDef) and (part.name == "__init__" or not part.name.startswith("_")):
                yield f"{node.name}.{part.name}", _annotations(part)  # type: ignore[attr-defined]
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                yield f"{node.name}.{part.target.id}", [part.annotation]  # type: ignore[attr-defined]


def _annotations(function: ast.FunctionDef) -> list[ast.expr]:
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [note for note in (*(each and each.annotation for each in arguments), function.returns) if note]


def _names(annotations: list[ast.expr]) -> set[str]:
    return {part.id for note in annotations for part in ast.walk(note) if isinstance(part, ast.Name)}
