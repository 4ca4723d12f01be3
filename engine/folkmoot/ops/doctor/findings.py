"""What an examination finds: a state, a sentence, and how to mend it; every code is explained in the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from folkmoot.ops.doctor.explained import CODES

State = Literal["ok", "warning", "error", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: `unknown` where it could not be; `mend` says what to do unless all is well."""

    code: str
    state: State
    sentence: str
    mend: str = ""

    def __post_init__(self) -> None:
        """Refuse a code that is not explained."""
        if self.code not in CODES:
            raise ValueError(self.code)

    def record(self) -> dict[str, Any]:
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
