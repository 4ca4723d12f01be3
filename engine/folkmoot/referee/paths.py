"""Which paths a pull request may bring: names that every system can check out, and that nobody mistakes for others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from folkmoot.core.characters import folded, is_unseen, parts
from folkmoot.core.portable_names import is_device
from folkmoot.core.problems import Position, Problem
from folkmoot.files.string_forms import describe
from folkmoot.referee.tree_diff import EXECUTABLE, FILE, FOLDER, LINK, MODULE, Listing, Node, join

LONGEST_NAME = 100
LONGEST_PATH = 240
DEEPEST = 4  # folders below rules/ or inbox/
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._ -]*[A-Za-z0-9])?", re.ASCII)
_MODES = {
    LINK: ("is a symbolic link", "commit the file itself"),
    MODULE: ("is a submodule", "commit files, not another repository"),
    EXECUTABLE: ("is executable", "take that away: `git update-index --chmod=-x` and commit"),
}
_OTHER_MODE = "has the odd mode {}", "commit it as an ordinary file"


def shown(path: str) -> str:
    """Return a path as it can be shown: on one line, with what is no ASCII or unseen as an escape."""
    text = path if len(path) <= LONGEST_PATH else path[:LONGEST_PATH] + "…"
    return "".join(c if c == "…" or " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text)


def place(path: str) -> Position:
    """Return the position of a file as a whole."""
    return Position(shown(path))


def path_problem(path: str, message: str, hint: str) -> Problem:
    """Return the problem of a path."""
    return Problem("E-PATH", message, place(path), hint)


def check_name(path: str, name: str, depth: int) -> Problem | None:
    """Return what is wrong with the last part of a path; `depth` counts folders below rules/ or inbox/."""
    if _is_git(name):
        return path_problem(path, "this name means something to git", "choose another name; git's own files stay out")
    if len(name) > LONGEST_NAME or len(path) > LONGEST_PATH:
        return path_problem(path, f"the path is longer than {LONGEST_PATH} characters", "choose a shorter name")
    if depth > DEEPEST:
        return path_problem(path, f"folders lie more than {DEEPEST} deep here", "put the file further up")
    if not _NAME.fullmatch(name) or ".." in name:
        return path_problem(path, _oddity(name), "use a-z, 0-9, ., _ and - in names of files")
    if is_device(name):
        return path_problem(path, "some systems cannot have a file of this name", "choose another name")
    return None


def _is_git(name: str) -> bool:
    """Return whether some system could take a name for one of git's own files."""
    plain = folded("".join(c for c in parts(name) if c.isascii() or not is_unseen(c))).rstrip(". ").split(":")[0]
    return plain.startswith(".git") or bool(re.match(r"gi[t7][a-z0-9]{0,4}~[0-9]", plain))


def _oddity(name: str) -> str:
    if name in ("", ".", "..") or ".." in name:
        return "`..` and empty names lead out of the folder"
    odd = next((c for c in name if not (" " < c <= "~") and c != " "), "")
    if 0xDC80 <= ord(odd or " ") <= 0xDCFF:
        return "the name is not UTF-8"
    if odd and odd < " ":
        return f"the name holds the control character U+{ord(odd):04X}"
    if odd:
        return "the name holds " + describe(odd).removesuffix(f" ({odd})")  # which belongs in no name, here neither
    if "/" in name or "\\" in name:
        return "the name holds a slash or backslash of its own"
    if name.startswith("."):
        return "hidden files have no place in a game"
    return "the name begins, ends or goes on with a character that not every system can have in a name"


def check_mode(path: str, node: Node) -> Problem | None:
    """Return what is wrong with the mode of a file or folder."""
    if node.mode in (FILE, FOLDER):
        return None
    said, hint = _MODES.get(node.mode, _OTHER_MODE)
    return Problem("E-MODE", f"this {said.format(shown(node.mode))}", place(path), hint)


def collisions(folder: str, listing: Listing, changed: Iterable[str]) -> list[Problem]:
    """Return the problems of changed names that some system takes for another name of the same folder."""
    alike: dict[str, list[str]] = {}
    for name in listing:
        alike.setdefault(_folded(name), []).append(name)
    found = []
    for name in changed:
        others = [other for other in alike.get(_folded(name), ()) if other != name] if name in listing else []
        if others:
            message = f"beside it lies `{shown(others[0])}`, which some systems take for the same name"
            found.append(path_problem(join(folder, name), message, "choose another name"))
    return found


def _folded(name: str) -> str:
    return folded(parts(name))
