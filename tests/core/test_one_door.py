"""Files of a clone are opened, written, moved and removed by one module; each other that touches files says whose they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import folkmoot

ROOT = Path(folkmoot.__file__).parent
DOOR = "core/clone_files.py"
PACKAGED = "files that come with the engine"
OWN_FOLDER = "a folder that the engine itself has just made, and removes or gives its name"
NOWHERE = "the null device, or what the process was started with"
ELSEWHERE = {
    "files/named_files.py": "files that a person or a job names",
    "core/calendar.py": "time zones of the system",
    "core/characters.py": PACKAGED,
    "files/fast_reader.py": PACKAGED,
    "forges/workflows.py": PACKAGED,
    "game/ruleset_lists.py": PACKAGED,
    "game/rulesets/__init__.py": PACKAGED,
    "language/binding.py": PACKAGED,
    "language/declarations.py": PACKAGED,
    "wording/translation.py": PACKAGED,
    "cli/demo/imperial.py": PACKAGED,
    "cli/demo/robots.py": PACKAGED,
    "cli/demo/script.py": PACKAGED,
    "cli/engines.py": OWN_FOLDER,
    "cli/repositories.py": OWN_FOLDER,
    "forges/engine_pin.py": "a wheel that a person names",
    "forges/own_engine.py": OWN_FOLDER,
    "ops/table.py": OWN_FOLDER,
    "site/build.py": PACKAGED,
    "site/consent.py": PACKAGED,
    "site/page_cache.py": PACKAGED,
    "site/searching.py": OWN_FOLDER,
    "site/process_pool.py": "a pipe between processes of the engine",
    "journal/git_folder.py": "git's settings, before it is known whose folder of git's own that is",
    "journal/git_programs.py": OWN_FOLDER,
    "journal/git_store.py": "git's own objects, which are larger than any file and are proved by their digests",
    "__main__.py": NOWHERE,
    "cli/table_referee.py": NOWHERE,
    "cli/terminal.py": NOWHERE,
    "sandbox/confinement.py": "what the kernel says of a process",
    "sandbox/worker.py": NOWHERE,
    "sandbox/worker_process.py": "what the kernel says of a process",
}
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


def offences(text: str) -> list[str]:
    """Return the calls in a module that open or change files, as they are written."""
    nodes = [*ast.walk(ast.parse(text))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and _touches(node)]
    given = [node for node in nodes if isinstance(node, ast.Attribute) and _is_given_away(node)]
    return [ast.unparse(node) for node in (*calls, *given)]


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
    found = {module: offences(text) for module, text in modules().items() if module != DOOR}
    strange = {module: calls for module, calls in found.items() if calls}
    assert {module: calls for module, calls in strange.items() if module not in ELSEWHERE} == {}
    assert sorted(ELSEWHERE.keys() - strange.keys()) == [], "these touch no files any more"


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
    assert offences(f"def f():\n    return {line}\n")


@pytest.mark.parametrize(
    "line",
    ["CloneFiles(x).read_text('a')", "self.files.read_text('a')", "text.replace('a', 'b')", "moment.replace(fold=1)",
     "Session.open(x)", "play.vault.open(1)", "shutil.which('git')", "self.new.open(removal, base)"],
)  # fmt: skip
def test_what_touches_no_files_of_a_clone_is_none(line: str) -> None:
    assert offences(f"def f():\n    return {line}\n") == []
