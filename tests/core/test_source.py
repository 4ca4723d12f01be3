"""What no module of the engine does, found in its source; whoever must do it all the same says why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import folkmoot

ROOT = Path(folkmoot.__file__).parent


@cache
def modules() -> dict[str, ast.Module]:
    """Return the tree of each module of the engine by its path."""
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))


# -- files of a clone are opened, written, moved and removed by one module

DOOR = "core/clone_files.py"
ELSEWHERE = {
    "files that come with the engine": """
        core/characters.py:read_table
        files/fast_reader.py:load_own game/recipes/__init__.py:recipe forges/workflows.py:beginning forges/workflows.py:_lines
        language/binding.py:prelude_text
        language/binding.py:libraries language/declarations.py:catalogue_text site/preparation.py:lay_site
        site/configuration.py:foreign_code site/pen.py:packaged referee/markdown.py:_environment
        forges/engine_pin.py:own_wheel""",
    "a folder that the engine itself has just made, and removes or gives its name": """
        cli/engines.py:prove cli/engines.py:_copy forges/engine_pin.py:_built forges/engine_pin.py:_gathered
        journal/git_programs.py:_lay ops/table.py:lay site/search.py:index_site""",
    "files that a person or a job names": """
        files/named_files.py:read_start files/named_files.py:append_text forges/engine_pin.py:_compose""",
    "time zones of the system": "core/calendar.py:zone_file",
    "git's own folder, before it is known whose that is": "journal/git_folder.py:_start",
    "git's own folder, once it was looked at": "journal/git_programs.py:own_settings",
    "git's own objects, which are larger than any file and are proved by their digests": """
        journal/git_store.py:found journal/git_store.py:_leads_on""",
    "the null device, or what the process was started with": """
        __main__.py:_open_standard_streams cli/table_referee.py:_leave cli/terminal.py:hush
        sandbox/worker.py:main""",
    "what the kernel says of a process": "sandbox/confinement.py:_space sandbox/worker_process.py:used",
}
"""Whose files are touched by functions of other modules than the door."""
METHODS = set("""open read_text read_bytes write_text write_bytes touch mkdir unlink rmdir rename replace chmod symlink_to hardlink_to
    link_to extract extractall""".split())  # fmt: skip
MODULES = {
    "os": set("""open fdopen remove unlink rename renames replace mkdir makedirs rmdir removedirs link symlink truncate chmod chown
        mkfifo mknod utime""".split()),
    "io": {"open", "FileIO"},
    "tarfile": {"open"},
    "zipfile": {"ZipFile"},
}  # fmt: skip
ASKING = {"get_terminal_size", "which", "ignore_patterns"}  # of shutil, all else of which touches files
NOT_FILES = {"session", "game", "vault", "webbrowser", "new", "old", "self", "cls"}
"""Whose method `open` opens something that is no file."""


def touching(tree: ast.Module) -> dict[str, list[str]]:
    """Return the calls in a module that open or change files, as they are written, by the function in which they stand."""
    found: dict[str, list[str]] = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    for node, function in waiting:
        name = node.name if isinstance(node, ast.FunctionDef) else function
        waiting += [(child, name) for child in ast.iter_child_nodes(node)]
        given_away = isinstance(node, ast.Attribute) and node.attr in METHODS and ast.unparse(node.value) == "Path"
        if given_away or (isinstance(node, ast.Call) and touches(node)):
            found.setdefault(name, []).append(ast.unparse(node))
    return found


def touches(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return isinstance(function, ast.Name) and function.id == "open"
    name, owner = function.attr, getattr(function.value, "id", "")
    if name in METHODS and not owner:
        owner = ast.unparse(function.value)
    last = owner.rsplit(".", maxsplit=1)[-1].lower().removeprefix("_")
    if owner == "shutil":
        return name not in ASKING
    if owner in MODULES:
        return name in MODULES[owner]
    if name not in METHODS or owner.startswith(("CloneFiles(", "CloneFiles.around(")) or last == "files":
        return False
    if name == "replace":  # of words or moments: a path's takes one other path
        return len(call.args) == 1 and not call.keywords
    return name != "open" or last not in NOT_FILES


@pytest.mark.threat("T-140")
def test_files_are_touched_by_the_door_and_by_those_who_say_whose_they_are() -> None:
    found = {
        f"{module}:{function}": calls
        for module, tree in modules().items()
        if module != DOOR
        for function, calls in touching(tree).items()
    }
    known = [name for names in ELSEWHERE.values() for name in names.split()]
    assert {name: calls for name, calls in found.items() if name not in known} == {}
    assert sorted(name for name in known if name not in found) == [], "these touch no files any more"


# -- regular expressions mean the same to every Python

LITERAL = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escape or a set, in which no sign repeats anything."""
UNSOUND = re.compile(r"[*+?}]\+|\(\?>")
"""What keeps all that it has taken, and lone atomic groups: new in 3.11, and wrong in its first releases."""


def unsound(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module that uses `re` in which a repetition or a group keeps what it has taken."""
    if any(isinstance(node, ast.Import) and node.names[0].name == "re" for node in tree.body):
        texts = (node.value for node in nodes(tree) if isinstance(node, ast.Constant))
        yield from (text for text in texts if isinstance(text, str) and UNSOUND.search(LITERAL.sub("x", text)))


# -- nothing that decides or writes rests on a table of the interpreter's

TABLES = frozenset(
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


def tables(tree: ast.Module) -> Iterator[str]:
    """Yield every use of a table of the interpreter's in a module."""
    called = {node.func for node in nodes(tree) if isinstance(node, ast.Call)}
    for node in nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if "unicodedata" in [alias.name for alias in node.names] + [getattr(node, "module", None)]:
                yield "unicodedata"
        elif isinstance(node, ast.Attribute) and node.attr in TABLES:
            if node.attr != "title" or node in called or ast.unparse(node.value) == "str":  # else a field of that name
                yield f"{node.lineno} {node.attr}"
        elif isinstance(node, ast.FormattedValue) and node.conversion == ord("r"):
            yield f"{node.lineno} !r"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_loose(node, node.func):
            yield f"{node.lineno} no re.ASCII"


def is_loose(call: ast.Call, function: ast.Attribute) -> bool:
    """Say whether a pattern means what the interpreter's tables say of letters."""
    given = ast.unparse(call) if getattr(function.value, "id", "") == "re" else "re.ASCII"
    if re.search(r"\bre\.(?:ASCII|A|escape|error)\b", given):
        return False
    texts = [node.value for part in call.args[:1] for node in ast.walk(part) if isinstance(node, ast.Constant)]
    return "IGNORECASE" in given or any(CLASSES.search(text) for text in texts if isinstance(text, str))


def may_ask(name: str) -> bool:
    return name not in STRICT and (name in ALLOWED or name.partition("/")[0] in (*ALLOWED, *SHOWING))


@pytest.mark.threat("T-44")
def test_no_module_that_decides_asks_a_table_of_the_interpreter() -> None:
    found = {name: uses for name, tree in modules().items() if (uses := list(tables(tree)))}
    assert {name: uses for name, uses in found.items() if not may_ask(name)} == {}
    assert [place for place in ALLOWED if not any(name.startswith(place) for name in found)] == [], "nobody needs these"


def test_no_other_module_does_what_none_may() -> None:
    assert [(name, text) for name, tree in modules().items() for text in unsound(tree)] == []
