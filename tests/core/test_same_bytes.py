"""Finding 6 of the attack: nothing that decides or writes rests on a table of the interpreter's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parent.parent.parent / "engine" / "folkmoot"
METHODS = frozenset(
    "isidentifier isalnum isalpha isdigit isdecimal isnumeric isspace isprintable istitle isupper islower casefold "
    "title capitalize swapcase splitlines".split()
)
CLASSES = re.compile(r"(?<!\\)(?:\\\\)*\\[wWdDsSbB]")
SHOWING = ("cli", "ops", "player", "site", "wording")
"""Packages that show what was decided, and are read by people alone."""
ALLOWED = {
    "game/explain.py": "it words what is on record",
    "core/values.py": "asks for digits and printable letters of ASCII only",
    "language/binding.py": "reads what the binding says of places, which is ASCII, and names of our own prelude",
    "language/declarations.py": "reads our own prelude, which is ASCII",
    "sandbox/worker.py": "the last words of a process that died of Python's own error",
    "files/proposed_changes.py": "finds the first line of a file's top key; space or not, the bytes stay",
    "files/reader.py": "a doubt leads to the exact reader, with the same result",
    "kernel/kernel_acts.py": "forms of keys and accounts that are held against ASCII alone elsewhere",
    "forges": "what a forge said is read once, by whoever referees, and recorded as read",
    "referee": "what people wrote is read once, by whoever referees, and recorded as read",
    "journal/commit.py": "words of git",
    "game/rulesets/__init__.py": "names of packaged games, which are ASCII",
}
"""Where such a table may be asked, and why nothing that is kept depends on it."""
STRICT = ("referee/commands.py", "referee/pull_request_tree.py")


def uses(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of every use of a table of the interpreter's in a module."""
    tree = ast.parse(source)
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            if "unicodedata" in names:
                yield node.lineno, "unicodedata"
        elif isinstance(node, ast.Attribute) and node.attr in METHODS:
            if node.attr != "title" or node in called or ast.unparse(node.value) == "str":  # else a field of that name
                yield node.lineno, node.attr
        elif isinstance(node, ast.FormattedValue) and node.conversion == ord("r"):
            yield node.lineno, "!r"
        elif isinstance(node, ast.Call):
            yield from _patterns(node)


def _patterns(call: ast.Call) -> Iterator[tuple[int, str]]:
    if not (
        isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "re"
    ):
        return
    given = ast.unparse(call)
    if call.func.attr in ("escape", "error") or re.search(r"\bre\.(?:ASCII|A)\b", given):
        return
    texts = [
        n.value
        for argument in call.args[:1]
        for n in ast.walk(argument)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    if any(CLASSES.search(text) for text in texts) or "IGNORECASE" in given:
        yield call.lineno, f"re.{call.func.attr} without re.ASCII"


def allowed(name: str) -> bool:
    return name not in STRICT and (name in ALLOWED or name.partition("/")[0] in (*ALLOWED, *SHOWING))


def modules() -> list[str]:
    return sorted(str(path.relative_to(ENGINE)) for path in ENGINE.rglob("*.py"))


@pytest.mark.threat("T-44")
@pytest.mark.parametrize("name", [name for name in modules() if not allowed(name)])
def test_no_module_that_decides_asks_a_table_of_the_interpreter(name: str) -> None:
    assert list(uses((ENGINE / name).read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "planted",
    [
        "import unicodedata", "from unicodedata import name", "'x'.isidentifier()", "f'{1!r}'", "import re\nre.compile(r'\\w')",
        "import re\nre.sub('a', 'b', 'c', flags=re.IGNORECASE)", "'x'.casefold()", "import re\nre.compile(rf'{1}\\d')",
    ],
)  # fmt: skip
def test_a_planted_use_is_found(planted: str) -> None:
    assert list(uses(planted))


@pytest.mark.parametrize(
    "sound", ["import re\nre.compile(r'\\w', re.ASCII)", "import re\nre.compile(r'[a-z]')", "'x'.isascii()"]
)
def test_a_sound_line_is_left_alone(sound: str) -> None:
    assert list(uses(sound)) == []


def test_every_exception_is_needed() -> None:
    for name in ALLOWED:
        files = [ENGINE / name] if name.endswith(".py") else [*(ENGINE / name).rglob("*.py")]
        assert any(list(uses(file.read_text("utf-8"))) for file in files if file.exists()), name
