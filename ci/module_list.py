"""The page that lists every module of the engine with its first sentence, floor by floor."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "engine" / "folkmoot"
INTRODUCTION = """\
# Every module

Every module with the sentence that it begins with, package by package from the highest floor down. Paths are those
below `engine/folkmoot/`. Where something is decided that these sentences do not name, ask
[the table of questions](architecture.md#where-things-are-decided).
"""


def module_list() -> str:
    """Return the page, as Markdown."""
    return "\n".join([INTRODUCTION, *(part for package in _packages() for part in _part(package))])


def _packages() -> Iterator[str]:
    """Yield the packages from the highest floor down, as the contract of imports has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for layer in settings["tool"]["importlinter"]["contracts"][0]["layers"]:
        yield from layer.split(" | ")


def _part(package: str) -> Iterator[str]:
    """Yield the lines of one package: what it is, and a row for each of its modules; a module alone has no rows."""
    if not (PACKAGE / package).is_dir():
        yield f"## {package}.py\n\n{_first_sentence(PACKAGE / f'{package}.py')}\n"
        return
    files = sorted((PACKAGE / package).rglob("*.py"), key=lambda file: (len(file.parts), file.as_posix()))
    yield f"## {package}/ {{#{package}}}\n"
    yield f"{_first_sentence(PACKAGE / package / '__init__.py')}\n"
    yield "| module | what it does |"
    yield "| --- | --- |"
    for file in files:
        if file != PACKAGE / package / "__init__.py":
            yield f"| `{_name(file)}` | {_first_sentence(file)} |"
    yield ""


def _name(file: Path) -> str:
    """Return how a module is called here: `forges/web/` stands for a package within a package."""
    path = file.relative_to(PACKAGE).as_posix()
    return path.removesuffix("__init__.py")


def _first_sentence(file: Path) -> str:
    """Return what a module says first of itself, as it can stand in a row."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split()).replace("|", "\\|")
