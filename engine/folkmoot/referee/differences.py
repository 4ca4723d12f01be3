"""Which files a pull request brings, changes and takes away, and which of its paths and modes cannot be."""

from __future__ import annotations

from collections.abc import Iterator

import pygit2
from msgspec import Struct, field

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.journal.layout import STATE, is_game
from folkmoot.referee.paths import check_mode, check_name, collisions, path_problem, place, shown
from folkmoot.referee.tree_diff import (
    FOLDER,
    Difference,
    Listing,
    changed_names,
    find,
    first_file,
    folder_id,
    header,
    join,
    read_tree,
)

PLAYED = ("rules", "inbox")  # folders of a game that a pull request may write to
SUFFIX = ".yaml"
MOST_FILES = 200
LARGEST_FILE = 200_000  # bytes
LARGEST = 1_000_000  # bytes of all files together
MOST_OUTSIDE = 10


class Found(Struct):
    """The files that differ, by game, and what is wrong with them."""

    games: dict[str, list[Difference]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    touches_game: bool = False
    files: int = 0
    size: int = 0


class TooMuch(Exception):
    """There is more to read than anybody would."""


def differences(repo: pygit2.Repository, base: pygit2.Commit, head: pygit2.Commit) -> Found:
    """Return what differs between two commits in the folders that a pull request may write to.

    What differs elsewhere is a problem, unless nothing of a game differs at all. Unchanged folders are not read.
    """
    found = Found()
    old, new = read_tree(repo, base.tree_id), read_tree(repo, head.tree_id)
    names = changed_names(old, new)
    found.touches_game = any(_is_state(name) for name in names)
    if not found.touches_game:
        return found
    try:
        _Walk(repo, base.tree_id, found).root(old, new, names)
    except TooMuch as too_much:
        found.problems = [Problem("E-SIZE", str(too_much), None, "make several pull requests of it")]
    except ProblemError as error:
        found.problems += error.problems
    return found


def _is_state(name: str) -> bool:
    return name.casefold().strip(". ") == STATE


class _Walk:
    """Goes down where two trees differ."""

    def __init__(self, repo: pygit2.Repository, base: pygit2.Oid, found: Found) -> None:
        self.repo, self.base, self.found = repo, base, found

    def root(self, old: Listing, new: Listing, names: list[str]) -> None:
        """Look at the repository's own folder."""
        for name in names:
            difference = Difference(name, old.get(name), new.get(name))
            if name != STATE:
                self.outside(difference)
            elif self.is_folder(difference):
                self.games(difference)
        self.found.problems += collisions("", new, [name for name in names if _is_state(name)])

    def games(self, state: Difference) -> None:
        """Look at the games that differ."""
        old, new, names = self.inside(state)
        self.found.problems += collisions(state.path, new, names)
        for name in names:
            game = Difference(join(state.path, name), old.get(name), new.get(name))
            if not is_game(name, read_tree(self.repo, folder_id(find(self.repo, self.base, game.path)))):
                message = f"there is no game `{shown(name)}` here"
                self.problem("E-NO-GAME", self.first(game), message, "games are founded with `moot new`")
            elif self.is_folder(game):
                self.game(name, game)

    def game(self, name: str, game: Difference) -> None:
        """Look at one game: its rules and inbox are read, the rest is the referee's."""
        old, new, names = self.inside(game)
        self.found.problems += collisions(game.path, new, names)
        for part in names:
            difference = Difference(join(game.path, part), old.get(part), new.get(part))
            if part not in PLAYED:
                self.derived(difference, part)
            elif self.is_folder(difference):
                self.found.games.setdefault(name, []).extend(self.files(difference, 1))

    def files(self, folder: Difference, depth: int) -> Iterator[Difference]:
        """Yield the files that differ below a folder of rules or acts, noting what is wrong with them."""
        old, new, names = self.inside(folder)
        self.found.problems += collisions(folder.path, new, names)
        for name in names:
            difference = Difference(join(folder.path, name), old.get(name), new.get(name))
            flaw = self.flaw(difference, name, depth)
            if flaw is not None:
                self.found.problems.append(flaw)
            elif folder_id(difference.old) is not None or folder_id(difference.new) is not None:
                yield from self.files(difference, depth + 1)
            else:
                self.count(difference)
                yield difference

    def flaw(self, difference: Difference, name: str, depth: int) -> Problem | None:
        """Return what is wrong with the name, mode or kind of a file that differs; it may be taken away in any case."""
        old, new = difference.old, difference.new
        if new is None:
            return None
        if old is not None and (old.mode == FOLDER) != (new.mode == FOLDER):
            message = "a file and a folder take each other's place here"
            return path_problem(difference.path, message, "choose another name for the new one")
        flaw = check_name(difference.path, name, depth) or check_mode(difference.path, new)
        if flaw is None and new.mode != FOLDER and not name.endswith(SUFFIX):
            message = "only files of rules and acts belong here"
            return path_problem(difference.path, message, f"let its name end in {SUFFIX}, or take it out")
        return flaw

    def count(self, difference: Difference) -> None:
        """Count a file and its size, and note whether it is larger than files may be."""
        self.found.files += 1
        if self.found.files > MOST_FILES:
            raise TooMuch(f"this changes more than {MOST_FILES} files of games; no more are read")
        if difference.new is None:
            return
        kind, size = header(self.repo, difference.new.id)
        if kind != "blob":
            self.problem("E-GIT", difference.path, f"where a file should be is a {kind}", "commit the file again")
            return
        if size > LARGEST_FILE:
            message = f"the file has {size:,} bytes; at most {LARGEST_FILE:,} are read"
            self.problem("E-SIZE", difference.path, message, "split it, or shorten its text")
            return
        self.found.size += size
        if self.found.size > LARGEST:
            raise TooMuch(f"the files that this changes have more than {LARGEST:,} bytes together; no more are read")

    # -- what a pull request may not touch

    def outside(self, difference: Difference) -> None:
        """Note that something differs which belongs to no game."""
        if len(self.found.problems) < MOST_OUTSIDE:
            message = "this is no part of a game, and a pull request that plays changes nothing else"
            self.problem("E-FOREIGN", self.first(difference), message, "put it into a pull request of its own")

    def derived(self, difference: Difference, part: str) -> None:
        """Note that something differs which only the referee writes."""
        if part == "journal":
            said = "the journal is the record of the game, and nobody edits it"
        elif part.removesuffix(SUFFIX) in _REFEREES or part in _REFEREES:
            said = "this file follows from the journal, and only the referee writes it"
        else:
            said = "this is neither a rule nor an act of the inbox"
        self.problem("E-FOREIGN", self.first(difference), said, "take it out; change rules/, or put acts into inbox/")

    def is_folder(self, difference: Difference) -> bool:
        """Whether a path is a folder where it is anything; notes where it is something else."""
        for node in (difference.old, difference.new):
            if node is not None and node.mode != FOLDER:
                flaw = check_mode(difference.path, node)
                said = path_problem(difference.path, "here must be a folder", "leave it as it was")
                self.found.problems.append(flaw or said)
                return False
        return True

    def inside(self, folder: Difference) -> tuple[Listing, Listing, list[str]]:
        """Return the entries of a folder before and after, and the names that differ; raises TooMuch for very many."""
        old = read_tree(self.repo, folder_id(folder.old), folder.path)
        new = read_tree(self.repo, folder_id(folder.new), folder.path)
        names = changed_names(old, new)
        if len(names) > MOST_FILES:
            raise TooMuch(f"{len(names):,} files differ in {shown(folder.path)}; at most {MOST_FILES} are read")
        return old, new, names

    def first(self, difference: Difference) -> str:
        """Return the first file that differs below a path; the path itself where its folders cannot be read."""
        try:
            return first_file(self.repo, difference)
        except ProblemError:
            return difference.path

    def problem(self, code: str, path: str, message: str, hint: str) -> None:
        """Note a problem of a file."""
        self.found.problems.append(Problem(code, message, place(path), hint))


_REFEREES = frozenset("acts game head roster law proposals votes things history issues pulls".split())
