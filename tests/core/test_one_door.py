"""Files of a clone are opened, written, moved and removed by one module; each other that touches files says whose they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import folkmoot

ROOT = Path(folkmoot.__file__).parent
DOOR = "core/clone_files.py"
ELSEWHERE = {
    "files that come with the engine": """
        core/characters.py:read_table
        files/fast_reader.py:load_own game/recipes/__init__.py:recipe forges/workflows.py:beginning forges/workflows.py:_lines
        language/binding.py:prelude_text
        language/binding.py:libraries language/declarations.py:catalogue_text site/preparation.py:lay_site
        site/configuration.py:foreign_code site/pen.py:packaged
        forges/engine_pin.py:own_wheel forges/engine_pin.py:_is_that""",
    "a folder that the engine itself has just made, and removes or gives its name": """
        cli/engines.py:_lay_out cli/engines.py:_copy cli/engines.py:_written_version cli/engines.py:_unpack_wheel
        cli/engines.py:_export forges/engine_pin.py:_built forges/engine_pin.py:_gathered
        journal/git_programs.py:_lay ops/table.py:lay ops/table.py:_equip site/search.py:index_site""",
    "files that a person or a job names": """
        files/named_files.py:read_start files/named_files.py:append_text forges/engine_pin.py:_read_wheel""",
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
METHODS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes", "touch", "mkdir", "unlink", "rmdir", "rename"),
    *("replace", "chmod", "symlink_to", "hardlink_to", "link_to", "extract", "extractall"),
}
OS = {
    *("open", "fdopen", "remove", "unlink", "rename", "renames", "replace", "mkdir", "makedirs", "rmdir", "removedirs"),
    *("link", "symlink", "truncate", "chmod", "chown", "mkfifo", "mknod", "utime"),
}
MODULES = {"os": OS, "io": {"open", "FileIO"}, "tarfile": {"open"}, "zipfile": {"ZipFile"}}
ASKING = {"get_terminal_size", "which", "ignore_patterns"}  # of shutil, all else of which touches files
NOT_FILES = {"session", "vault", "webbrowser", "new", "old", "self", "cls"}
"""Whose method `open` opens something that is no file."""


def offences(text: str) -> dict[str, list[str]]:
    """Return the calls in a module that open or change files, as they are written, by the function in which they stand."""
    found: dict[str, list[str]] = {}
    waiting: list[tuple[ast.AST, str]] = [(ast.parse(text), "")]
    for node, function in waiting:
        name = node.name if isinstance(node, ast.FunctionDef) else function
        waiting += [(child, name) for child in ast.iter_child_nodes(node)]
        if (isinstance(node, ast.Call) and _touches(node)) or (
            isinstance(node, ast.Attribute) and _is_given_away(node)
        ):
            found.setdefault(name, []).append(ast.unparse(node))
    return found


def _is_given_away(node: ast.Attribute) -> bool:
    """Say whether a function that touches files is named, as in `map(Path.read_bytes, files)`."""
    return isinstance(node.value, ast.Name) and node.value.id == "Path" and node.attr in METHODS


def _touches(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute):
        return False
    owner, name = ast.unparse(function.value), function.attr
    if owner == "shutil":
        return name not in ASKING
    if owner in MODULES:
        return name in MODULES[owner]
    return name in METHODS and not _is_of_door(owner) and not _is_no_file(owner, call, name)


def _is_of_door(owner: str) -> bool:
    return owner.startswith(("CloneFiles(", "CloneFiles.around(")) or owner.rsplit(".", maxsplit=1)[-1] in (
        "files",
        "_files",
    )


def _is_no_file(owner: str, call: ast.Call, name: str) -> bool:
    if name == "replace":  # of words or moments: a path's takes one other path
        return len(call.args) != 1 or bool(call.keywords)
    return name == "open" and owner.rsplit(".", maxsplit=1)[-1].lower().removeprefix("_") in {
        *NOT_FILES,
        "session",
        "game",
    }


def modules() -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in ROOT.rglob("*.py")}


@pytest.mark.threat("T-140")
def test_files_are_touched_by_the_door_and_by_those_who_say_whose_they_are() -> None:
    found = {
        f"{module}:{function}": calls
        for module, text in modules().items()
        if module != DOOR
        for function, calls in offences(text).items()
    }
    known = [name for names in ELSEWHERE.values() for name in names.split()]
    assert {name: calls for name, calls in found.items() if name not in known} == {}
    assert sorted(name for name in known if name not in found) == [], "these touch no files any more"
    assert len(known) == len({*known}), "a place is named twice"


@pytest.mark.parametrize(
    "line",
    [
        "open(root / 'x')", "(root / 'x').read_text()", "path.write_bytes(b'')", "os.open(path, 0)", "os.replace(a, b)",
        "path.replace(other)", "shutil.rmtree(path)", "shutil.copy(a, b)", "path.unlink(missing_ok=True)", "Path(x).open()",
        "path.mkdir()", "path.rename(x)", "os.remove(x)", "io.open(x)", "tarfile.open(x)", "archive.extractall(x)",
        "map(Path.read_bytes, paths)",
    ],
)  # fmt: skip
def test_a_way_past_the_door_is_seen(line: str) -> None:
    assert list(offences(f"def f():\n    return {line}\n")) == ["f"]


@pytest.mark.parametrize(
    "line",
    ["CloneFiles(x).read_text('a')", "self.files.read_text('a')", "text.replace('a', 'b')", "moment.replace(fold=1)",
     "Session.open(x)", "play.vault.open(1)", "shutil.which('git')", "self.new.open(removal, base)"],
)  # fmt: skip
def test_what_touches_no_files_of_a_clone_is_none(line: str) -> None:
    assert offences(f"def f():\n    return {line}\n") == {}
