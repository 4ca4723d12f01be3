"""The past that a ruleset in a folder brings along: `history/UID.yaml` of a rule, `proposals/NUMBER.yaml` of a vote.

All of it is taken over and not played: a game's record holds it in its first entry, and proves nothing of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.past_dates import Span, span_of
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Written
from folkmoot.files.named_files import read_found
from folkmoot.files.reader import locate, read_decided, read_history

HISTORY, DECIDED = "history", "proposals"
ENDED = "in force, so that its past cannot end with", "say when the rule came back, or delete its file in `rules/`"
GOES_ON = "not in `rules/`, so that its past ends with", "add a revision with `repealed: true`, or the file of the rule"
Revisions = list[dict[str, Any]]
Term = tuple[Span, Span, str]
"""When a rule came to have a number, when it lost it, and which rule that is."""


class Past(Struct):
    """What a folder says of the past: `founding` as a game is founded with it, and what is `wrong` with the files."""

    founding: dict[str, Any] = field(default_factory=dict)
    wrong: list[Problem] = field(default_factory=list)


def yaml_in(folder: Path, name: str) -> list[Path]:
    """Return the YAML files in a folder of a ruleset; raises E-FILE where one is a link, or no file."""
    files = CloneFiles.around(folder)
    found = [(each, kind) for each, kind in files.listing(name) if each.endswith(".yaml")]
    for each, kind in found:
        if kind != "file":
            files.read(f"{name}/{each}")  # says what is wrong with it
    return [folder / name / each for each, _ in found]


def read_past(folder: Path, head: Written, in_force: Collection[str]) -> Past:
    """Return the past that a ruleset brings along; `in_force` are the uids of its rules."""
    past = Past()
    known: dict[str, Revisions] = dict(head.get("history") or {})
    rulings: dict[str, Any] = {}
    for file, found in _read(folder, HISTORY, read_history, past.wrong):
        uid = file.stem
        past.wrong += _misplaced(file, found["revisions"], in_force, known)
        known[uid] = found["revisions"]
        rulings |= {uid: found["rulings"]} if "rulings" in found else {}
    past.wrong += _same_numbers(folder, known)
    decided = [{"number": file.stem, **found} for file, found in _read(folder, DECIDED, read_decided, past.wrong)]
    parts = {"history": known, "rulings": rulings, "decided": decided}
    past.founding = {name: part for name, part in parts.items() if part}
    return past


def _read(
    folder: Path, name: str, reader: Callable[[str, str], Written], wrong: list[Problem]
) -> Iterator[tuple[Path, Written]]:
    """Yield each sound file of a kind with what it says; what is wrong with the others is added."""
    for file in yaml_in(folder, name):
        try:
            yield file, reader(read_found(file), str(file))
        except ProblemError as error:
            wrong += error.problems


def _misplaced(
    file: Path, revisions: Revisions, in_force: Collection[str], known: Mapping[str, Revisions]
) -> Iterator[Problem]:
    """Yield that a past stands twice, or does not end as its rule is."""
    uid, last = file.stem, len(revisions) - 1
    if uid in known:
        hint = "leave it here, and take it out of ruleset.yaml"
        message = f"`history` in ruleset.yaml has the past of rule {uid} too"
        yield Problem("E-DUPLICATE", message, Position(str(file), 1), hint)
    ended = revisions[-1].get("repealed") is True
    if ended == (uid in in_force):
        how, hint = ENDED if ended else GOES_ON
        place = locate(read_found(file), str(file), ["revisions", last])
        yield Problem("E-CONFLICT", f"rule {uid} is {how} its repeal", place, hint)


def _same_numbers(folder: Path, known: Mapping[str, Revisions]) -> Iterator[Problem]:
    """Yield where two rules surely had the same number at the same time."""
    terms: dict[str, list[Term]] = defaultdict(list)
    for uid, revisions in known.items():
        for number, start, end in _terms(uid, revisions):
            terms[number].append((start, end, uid))
    for number, held in terms.items():
        held.sort()
        for one, other in pairwise(held):
            if one[2] != other[2] and max(one[0][1], other[0][1]) < min(one[1][0], other[1][0]):
                file = folder / HISTORY / f"{other[2]}.yaml"
                message = f"rules {one[2]} and {other[2]} both have the number {number} at the same time"
                yield Problem("E-DUPLICATE", message, Position(str(file), 1), "say by `rule` which number each had")


def _terms(uid: str, revisions: Revisions) -> Iterator[tuple[str, Span, Span]]:
    """Yield which number a rule had from when to when, as far as its past is over."""
    spans = [span_of(str(each.get("at"))) for each in revisions]
    for place, each in enumerate(revisions[:-1]):
        start, end = spans[place], spans[place + 1]
        if not each.get("repealed") and start is not None and end is not None:
            yield str(each.get("rule") or uid), start, end
