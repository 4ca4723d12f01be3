"""The word lists of rulesets, `lists/NAME.txt`: read for a founding, handed to the sandbox when a rule asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

from folkmoot.core.clone_files import read_whole
from folkmoot.core.documents import Document
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Founding, ListSpec
from folkmoot.core.word_lists import LISTS, NAME, flaw_of_list, in_order, spec_of

_KNOWN: dict[str, Callable[[], Document | None]] = {}
"""By digest, from where a list can be had of which this process has spoken."""


def read_lists(folder: Traversable | Path) -> dict[str, ListSpec]:
    """Return what a founding says of the word lists in the folder of a ruleset; raises every problem of them."""
    found: dict[str, ListSpec] = {}
    problems: list[Problem] = []
    for file in _files(folder):
        try:
            text = _read(file)
            found[file.name.removesuffix(".txt")] = spec = spec_of(text)
            remember(spec["digest"], lambda text=text: {"words": text})  # type: ignore[misc]
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(*problems)
    return found


def problems_of_lists(folder: Path) -> list[Problem]:
    """Return what is wrong with the word lists in the folder of a ruleset."""
    try:
        read_lists(folder)
    except ProblemError as error:
        return list(error.problems)
    return []


def remember(digest: str, source: Callable[[], Document | None]) -> None:
    """Note from where a list can be had, for `fetch`."""
    _KNOWN[digest] = source


def fetch(key: str) -> Document | None:
    """Return a list by `lists/NAME/DIGEST`, as {words: …}, None where nobody has spoken of it."""
    source = _KNOWN.get(key.rpartition("/")[2])
    return source() if source is not None else None


def texts_of(law: Founding) -> dict[str, str]:
    """Return the texts of the word lists that a founding names, by name."""
    found = {name: fetch(f"{LISTS}{name}/{spec['digest']}") for name, spec in (law.get("lists") or {}).items()}
    return {name: document["words"] for name, document in found.items() if document is not None}


def _files(folder: Traversable | Path) -> Iterator[Traversable | Path]:
    lists = folder.joinpath(LISTS.rstrip("/"))
    if lists.is_dir():
        yield from sorted((file for file in lists.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)


def _read(file: Traversable | Path) -> str:
    """Return the text of a list, in order; raises what is wrong with it."""
    place, name = Position(str(file)), file.name.removesuffix(".txt")
    if not NAME.fullmatch(name):
        raise fail("E-IDENTIFIER", f"{name} cannot name a word list", place, "use small letters, digits, _ and -")
    try:
        text, flaw = _put_in_order(_bytes(file).decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise fail("E-UTF8", "the file is not UTF-8 text", place, "save it as UTF-8") from None
    if flaw:
        raise fail("E-FORMAT", f"this can be no word list: {flaw}", place, "write one word a line")
    return text


def _bytes(file: Traversable | Path) -> bytes:
    return (read_whole(file) or b"") if isinstance(file, Path) else file.read_bytes()


@lru_cache(maxsize=2)
def _put_in_order(text: str) -> tuple[str, str]:
    """Return the text of a list in order, and what is wrong with it; a command may read the same list several times."""
    ordered = in_order(text)
    return ordered, flaw_of_list(ordered)
