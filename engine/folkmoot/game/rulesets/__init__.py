"""The packaged opening positions: `<name>/ruleset.yaml`, one file a rule in `<name>/rules/`, and `lists/NAME.txt`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import cast

from folkmoot.core.clone_files import read_whole
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document, RuleDocument
from folkmoot.core.keys import number_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Founding, ListSpec, Written
from folkmoot.core.word_lists import LISTS, NAME, flaw_of_list, in_order, spec_of
from folkmoot.files.reader import read_rule, read_ruleset

FOLDER = files("folkmoot.game.rulesets")
AS_WRITTEN = "pitch to_win language revision history offices_in_turn new_game former_players".split()
"""Parts of a ruleset's head that a founding has as they are."""


def names() -> list[str]:
    """Return the names of the packaged rulesets."""
    return sorted(entry.name for entry in FOLDER.iterdir() if entry.joinpath("ruleset.yaml").is_file())


def founding(name: str) -> Founding:
    """Return what a ruleset founds a game with: title, zone, settings, players, offices, rules, opening statements.

    Raises E-NO-SUCH if there is no ruleset of that name.
    """
    if name not in names():
        near, known = meant_by(name, names()), ", ".join(names())
        meant = f"did you mean {near}? There are {known}" if near else f"choose one of {known}"
        raise fail("E-NO-SUCH", f"there is no ruleset {name!r}", hint=meant)
    return founding_of(name, _head(name), _rules(name), lists_of(name))


def founding_of(
    name: str, head: Written, rules: Mapping[str, RuleDocument], lists: Mapping[str, ListSpec] | None = None
) -> Founding:
    """Return what a ruleset founds a game with, from its head (`ruleset.yaml`), its rules by uid and its word lists."""
    return {
        "title": head["title"],
        "ruleset": name,
        "zone": head.get("zone", "UTC"),
        "settings": dict(head.get("settings") or {}),
        "players": [dict(person) for person in head.get("people") or []],
        "offices": dict(head.get("offices") or {}),
        **{name: head[name] for name in AS_WRITTEN if name in head},
        **({"lists": dict(lists)} if lists else {}),
        "opening": [dict(statement) for statement in head.get("given") or []],
        "rules": sorted(rules.values(), key=lambda rule: number_key(rule["rule"])),
    }


@cache
def _head(name: str) -> Written:
    file = FOLDER.joinpath(name, "ruleset.yaml")
    return read_ruleset(file.read_text(encoding="utf-8"), f"{name}/ruleset.yaml")


@cache
def _rules(name: str) -> dict[str, RuleDocument]:
    """Return the rules by uid: those of the ruleset that it extends, replaced and joined by its own."""
    head = _head(name)
    folder = sorted(FOLDER.joinpath(name, "rules").iterdir(), key=lambda file: file.name)
    found = [read_rule(file.read_text(encoding="utf-8"), file.name) for file in folder if file.name.endswith(".yaml")]
    inherited = _rules(head["extends"]) if "extends" in head else {}
    return {**inherited, **{rule["uid"]: cast(RuleDocument, rule) for rule in found}}


def head_of(name: str) -> Written:
    """Return the head of a packaged ruleset, an empty one where there is none of that name."""
    return _head(name) if name in names() else {}


def lists_of(name: str) -> dict[str, ListSpec]:
    """Return the word lists of a packaged ruleset, those of the one that it extends among them; none of any other."""
    if name not in names():
        return {}
    return lists_of(_head(name).get("extends", "")) | _lists(name)


@cache
def _lists(name: str) -> dict[str, ListSpec]:
    """Return the ruleset's own word lists: read once, since a dictionary takes longer than all the rules."""
    return read_lists(FOLDER.joinpath(name))


# -- word lists: read for a founding, handed to the sandbox when a rule asks

_KNOWN: dict[str, str] = {}
"""The texts of the lists of which this process has spoken, by digest: a game may be gone when one is asked for."""


def read_lists(folder: Traversable | Path) -> dict[str, ListSpec]:
    """Return what a founding says of the word lists in the folder of a ruleset; raises every problem of them."""
    found: dict[str, ListSpec] = {}
    problems: list[Problem] = []
    for file in _list_files(folder):
        try:
            text = _read_list(file)
            found[file.name.removesuffix(".txt")] = spec = spec_of(text)
            remember_list(spec["digest"], {"words": text})
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(*problems)
    return found


def remember_list(digest: str, document: Document | None) -> None:
    """Keep a list, {words: …}, for `fetch_list`; one that is missing or another than its digest says is left alone."""
    text = (document or {}).get("words")
    if isinstance(text, str) and bytes_digest(text.encode()) == digest:
        _KNOWN[digest] = text


def fetch_list(key: str) -> Document | None:
    """Return a list by `lists/NAME/DIGEST`, as {words: …}, None where nobody has spoken of it."""
    text = _KNOWN.get(key.rpartition("/")[2])
    return None if text is None else {"words": text}


def texts_of_lists(law: Founding) -> dict[str, str]:
    """Return the texts of the word lists that a founding names, by name."""
    found = {name: fetch_list(f"{LISTS}{name}/{spec['digest']}") for name, spec in (law.get("lists") or {}).items()}
    return {name: document["words"] for name, document in found.items() if document is not None}


def _list_files(folder: Traversable | Path) -> Iterator[Traversable | Path]:
    lists = folder.joinpath(LISTS.rstrip("/"))
    if lists.is_dir():
        yield from sorted((file for file in lists.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)


def _read_list(file: Traversable | Path) -> str:
    """Return the text of a list, in order; raises what is wrong with it."""
    place, name = Position(str(file)), file.name.removesuffix(".txt")
    if not NAME.fullmatch(name):
        raise fail("E-IDENTIFIER", f"{name} cannot name a word list", place, "use small letters, digits, _ and -")
    try:
        written = (read_whole(file) or b"") if isinstance(file, Path) else file.read_bytes()
        text = in_order(written.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise fail("E-UTF8", "the file is not UTF-8 text", place, "save it as UTF-8") from None
    if flaw := flaw_of_list(text):
        raise fail("E-FORMAT", f"this can be no word list: {flaw}", place, "write one word a line")
    return text
