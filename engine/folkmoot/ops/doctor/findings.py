"""What an examination finds: a state, a sentence, and how to mend it.

Every code is explained in `codes.yaml`, from which the reference is made; what nobody can ask for stands in
`checklist.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from folkmoot.core.records import Shown
from folkmoot.files.fast_reader import load_own
from folkmoot.ops.doctor.place import Place

State = Literal["ok", "warning", "error", "unknown"]


class Finding(Struct, frozen=True):
    """One thing that was looked at: `unknown` where it could not be; `mend` says what to do unless all is well."""

    code: str
    state: State
    sentence: str
    mend: str = ""

    def __post_init__(self) -> None:
        """Refuse a code that is not explained."""
        if self.code not in explained():
            raise ValueError(self.code)

    def record(self) -> Shown:
        """Return the finding as plain data for `--json`."""
        record = {"code": self.code, "state": self.state, "sentence": self.sentence}
        return {**record, **({"mend": self.mend} if self.mend else {}), "see": f"reference/doctor.html#{self.code}"}


Findings = Iterator[Finding]


def fine(code: str, sentence: str) -> Finding:
    """Return the finding that something is as it should be."""
    return Finding(code, "ok", sentence)


def warning(code: str, sentence: str, mend: str) -> Finding:
    """Return the finding that something may go wrong."""
    return Finding(code, "warning", sentence, mend)


def error(code: str, sentence: str, mend: str) -> Finding:
    """Return the finding that something does not work."""
    return Finding(code, "error", sentence, mend)


def unknown(code: str, sentence: str, mend: str) -> Finding:
    """Return the finding that something could not be looked at."""
    return Finding(code, "unknown", sentence, mend)


def listed(names: Iterable[str], most: int = 8) -> str:
    """Return names as a sentence holds them.

    >>> listed(["a", "b", "c"]), listed("abcd", most=2), listed(["a"])
    ('a, b and c', 'a, b and 2 more', 'a')
    """
    known = list(names)
    shown, more = known[:most], len(known) - most
    if more > 0:
        shown.append(f"{more} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]])) if shown else ""


@cache
def explained() -> dict[str, dict[str, str]]:
    """Return every code of a finding with the `title` and `text` that explain it."""
    found: dict[str, dict[str, str]] = _packaged("codes.yaml")
    return found


class Item(Struct, frozen=True):
    """One thing to check with one's own eyes: the code of its finding, what it is, and where it is set."""

    code: str
    what: str
    where: str


def checklist(place: Place) -> list[Item]:
    """Return what is to be checked on the forge of a place, in the order in which it is set up."""
    items = _packaged("checklist.yaml")[place.kind]
    return [Item(i["code"], i["what"].replace("BRANCH", place.branch), f"{place.home}/{i['where']}") for i in items]


def _packaged(name: str) -> Any:
    return load_own(Path(__file__).with_name(name))
