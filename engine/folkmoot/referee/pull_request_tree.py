"""Which files a pull request brings, changes and takes away, and which of its paths and modes cannot be.

Two trees of git are compared entry by entry from raw objects: nothing is checked out, filtered or renamed, and trees
are parsed here, not by a library, because what is wrong with one has to be said, not smoothed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from folkmoot.core.characters import folded, is_unseen, parts
from folkmoot.core.portable_names import is_device
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import STATE, is_game

FILE, EXECUTABLE, FOLDER = "100644", "100755", "40000"
LARGEST_TREE = 4_000_000  # bytes of one folder's listing: some 50,000 files


class Node(Struct, frozen=True):
    """An entry of a tree: its mode as written (octal) and the id of its object."""

    mode: str
    id: pygit2.Oid


class Difference(Struct, frozen=True):
    """A path at which two trees differ, with the entry before and after (None: there is none)."""

    path: str
    old: Node | None
    new: Node | None


Listing = dict[str, Node]


def _read(id_: pygit2.Oid, read: Callable[[pygit2.Oid], tuple[Any, Any]]) -> tuple[Any, Any]:
    try:
        return read(id_)
    except (KeyError, pygit2.GitError):
        raise fail("E-GIT", f"the object {id_} is missing", None, "fetch the pull request again") from None


def header(repo: pygit2.Repository, id_: pygit2.Oid) -> tuple[str, int]:
    """Return the kind of an object (`blob`, `tree`, `commit`, `tag`) and its size in bytes, without reading it."""
    kind, size = _read(id_, repo.odb.read_header)
    return kind.name.lower(), int(size)


def read_blob(repo: pygit2.Repository, id_: pygit2.Oid) -> bytes:
    """Return the bytes of an object that is known to be small enough."""
    return bytes(_read(id_, repo.odb.read)[1])


def read_tree(repo: pygit2.Repository, id_: pygit2.Oid | None, path: str = "") -> Listing:
    """Return the entries of a folder by name, none for None.

    Bytes of names that are not UTF-8 become lone surrogates, so that different names stay different. Raises E-GIT for a
    tree that is missing or malformed, E-PATH for a name that stands in it twice.
    """
    if id_ is None:
        return {}
    kind, size = header(repo, id_)
    if kind != "tree" or size > LARGEST_TREE:
        said = f"has a listing of {size:,} bytes" if kind == "tree" else f"is a {kind}"
        raise fail("E-GIT", f"{path or 'the root folder'} {said}", Position(path or "."))
    listing: Listing = {}
    for name, node in _entries(read_blob(repo, id_), len(id_.raw), path):
        if name in listing:
            raise fail("E-PATH", f"`{name}` stands twice in its folder", Position(join(path, name)))
        listing[name] = node
    return listing


def _entries(data: bytes, width: int, path: str) -> Iterator[tuple[str, Node]]:
    place = 0
    while place < len(data):
        end = data.find(b"\0", place)
        mode, space, name = data[place:end].partition(b" ")
        identifier = data[end + 1 : end + 1 + width]
        if end < 0 or not space or len(identifier) < width:
            raise fail("E-GIT", "the folder's listing is malformed", Position(path or "."))
        yield name.decode("utf-8", "surrogateescape"), Node(mode.decode("ascii", "replace"), pygit2.Oid(identifier))
        place = end + 1 + width


def join(folder: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def folder_id(node: Node | None) -> pygit2.Oid | None:
    """Return the id of a folder's tree, None where the entry is no folder."""
    return node.id if node is not None and node.mode == FOLDER else None


def changed_names(old: Listing, new: Listing) -> list[str]:
    """Return the names whose entries differ, in order."""
    return sorted(name for name in {**old, **new} if old.get(name) != new.get(name))


def find(repo: pygit2.Repository, root: pygit2.Oid, path: str) -> Node | None:
    """Return the entry at a path below a tree, None where there is none."""
    node: Node | None = Node(FOLDER, root)
    for name in path.split("/"):
        node = read_tree(repo, folder_id(node)).get(name)
    return node


LONGEST_NAME = 100
LONGEST_PATH = 240
DEEPEST = 4  # folders below rules/ or inbox/
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._ -]*[A-Za-z0-9])?", re.ASCII)


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
    plain = folded("".join(c for c in parts(name) if c.isascii() or not is_unseen(c))).rstrip(". ").split(":")[0]
    if plain.startswith(".git") or re.match(
        r"gi[t7][a-z0-9]{0,4}~[0-9]", plain
    ):  # which some system could take for git's own
        return path_problem(path, "this name means something to git", "choose another name; git's own files stay out")
    if len(name) > LONGEST_NAME or len(path) > LONGEST_PATH:
        return path_problem(path, f"the path is longer than {LONGEST_PATH} characters", "choose a shorter name")
    if depth > DEEPEST:
        return path_problem(path, f"folders lie more than {DEEPEST} deep here", "put the file further up")
    if not _NAME.fullmatch(name) or ".." in name or is_device(name):
        hint = "use a-z, 0-9, ., _ and - in names of files, and letters and digits at both ends"
        return path_problem(path, "not every system can have this name, or people may mistake it for another", hint)
    return None


def check_mode(path: str, node: Node) -> Problem | None:
    """Return what is wrong with the mode of a file or folder."""
    if node.mode in (FILE, FOLDER):
        return None
    hint = "no links, submodules or executable files: commit the file itself, after `git update-index --chmod=-x`"
    return Problem("E-MODE", f"this is no ordinary file, but has the mode {shown(node.mode)}", place(path), hint)


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


PLAYED = ("rules", "inbox")  # folders of a game that a pull request may write to
SUFFIX = ".yaml"
MOST_FILES = 200
LARGEST_FILE = 200_000  # bytes
LARGEST = 1_000_000  # bytes of all files together


def too_much(message: str) -> ProblemError:
    """Return the error of more than anybody would read."""
    return fail("E-SIZE", message, None, "make several pull requests of it")


def differences(repo: pygit2.Repository, base: pygit2.Commit, head: pygit2.Commit) -> Found:
    """Return what differs between two commits in the folders that a pull request may write to.

    What differs elsewhere is a problem, unless nothing of a game differs at all. Unchanged folders are not read.
    """
    found = Found(repo, base.tree_id)
    names = changed_names(read_tree(repo, base.tree_id), read_tree(repo, head.tree_id))
    found.touches_game = any(_is_state(name) for name in names)
    if found.touches_game:
        try:
            found.walk(Difference("", Node(FOLDER, base.tree_id), Node(FOLDER, head.tree_id)), 0)
        except ProblemError as error:
            found.problems += error.problems
    return found


def _is_state(name: str) -> bool:
    return folded(name).strip(". ") == STATE


class Found:
    """The files that differ from a tree, by game, and what is wrong with them; it goes down where they do."""

    def __init__(self, repo: pygit2.Repository, base: pygit2.Oid) -> None:
        self.repo, self.base = repo, base
        self.games: dict[str, list[Difference]] = {}
        self.problems: list[Problem] = []
        self.touches_game = False
        self._number = self._size = 0  # of files, and their bytes

    def walk(self, folder: Difference, depth: int) -> None:
        """Go down a folder that differs, noting its files and what is wrong with them.

        In `depth` 0 lies `state/`, in 1 the games, in 2 what is of a game, from 3 on the files of rules and acts.
        """
        old = read_tree(self.repo, folder_id(folder.old), folder.path)
        new = read_tree(self.repo, folder_id(folder.new), folder.path)
        names = changed_names(old, new)
        if len(names) > MOST_FILES:
            where = shown(folder.path) or "the root folder"
            raise too_much(f"{len(names):,} files differ in {where}; at most {MOST_FILES} are read")
        self.problems += collisions(folder.path, new, [name for name in names if depth or _is_state(name)])
        for name in names:
            below = Difference(join(folder.path, name), old.get(name), new.get(name))
            flaw = self.flaw_of_file(below, name, depth - 2) if depth > 2 else self.flaw_of_folder(below, name, depth)
            if flaw is not None:
                self.problems.append(flaw)
            elif folder_id(below.old) is not None or folder_id(below.new) is not None:
                self.walk(below, depth + 1)
            else:
                self.count(below)
                self.games.setdefault(below.path.split("/")[1], []).append(below)

    def flaw_of_folder(self, folder: Difference, name: str, depth: int) -> Problem | None:
        """Return why nothing below a name may be changed; what belongs to no game is for a pull request of its own."""
        here = place(folder.path)
        if depth == 0 and name != STATE:
            message = "this is no part of a game, and a pull request that plays changes nothing else"
            return Problem("E-FOREIGN", message, here, "put it into a pull request of its own")
        if depth == 1 and not is_game(name, read_tree(self.repo, folder_id(find(self.repo, self.base, folder.path)))):
            message = f"there is no game `{shown(name)}` here"
            return Problem("E-NO-GAME", message, here, "games are founded with `moot new`")
        if depth == 2 and name not in PLAYED:
            message = "a pull request changes the rules and the inbox of a game, and only the referee the rest"
            return Problem("E-FOREIGN", message, here, "take it out; change rules/, or put acts into inbox/")
        odd = next((node for node in (folder.old, folder.new) if node is not None and node.mode != FOLDER), None)
        said = path_problem(folder.path, "here must be a folder", "leave it as it was")
        return (check_mode(folder.path, odd) or said) if odd is not None else None

    def flaw_of_file(self, file: Difference, name: str, depth: int) -> Problem | None:
        """Return what is wrong with the name, mode or kind of a file that differs; it may be taken away in any case."""
        old, new = file.old, file.new
        if new is None:
            return None
        if old is not None and (old.mode == FOLDER) != (new.mode == FOLDER):
            message = "a file and a folder take each other's place here"
            return path_problem(file.path, message, "choose another name for the new one")
        flaw = check_name(file.path, name, depth) or check_mode(file.path, new)
        if flaw is None and new.mode != FOLDER and not name.endswith(SUFFIX):
            message = "only files of rules and acts belong here"
            return path_problem(file.path, message, f"let its name end in {SUFFIX}, or take it out")
        return flaw

    def count(self, difference: Difference) -> None:
        """Count a file and its size, and note whether it is larger than files may be."""
        self._number += 1
        if self._number > MOST_FILES:
            raise too_much(f"this changes more than {MOST_FILES} files of games; no more are read")
        if difference.new is None:
            return
        kind, size = header(self.repo, difference.new.id)
        if kind != "blob":
            message = f"where a file should be is a {kind}"
            self.problems.append(Problem("E-GIT", message, place(difference.path), "commit the file again"))
            return
        if size > LARGEST_FILE:
            message = f"the file has {size:,} bytes; at most {LARGEST_FILE:,} are read"
            self.problems.append(Problem("E-SIZE", message, place(difference.path), "split it, or shorten its text"))
            return
        self._size += size
        if self._size > LARGEST:
            raise too_much(f"the files that this changes have more than {LARGEST:,} bytes together; no more are read")
