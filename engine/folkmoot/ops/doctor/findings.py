"""What an examination finds: a state, a sentence, how to mend it, and the steps by which a forge's API mends it.

Every code is explained in `codes.yaml`, from which the reference is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from folkmoot.core.records import Shown
from folkmoot.files.fast_reader import load_own

State = Literal["ok", "warning", "error", "unknown"]
APPLY = "moot init --apply"
"""What mends the findings that have steps."""


class Step(Struct, frozen=True):
    """One setting that the forge's API puts right: what would be done, and how."""

    what: str
    do: Callable[[], Any]


class Finding(Struct, frozen=True):
    """One thing that was looked at: `unknown` where it could not be; `mend` says what to do unless all is well."""

    code: str
    state: State
    sentence: str
    mend: str = ""
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a code that is not explained."""
        if self.code not in explained():
            raise ValueError(self.code)

    def record(self) -> Shown:
        """Return the finding as plain data for `--json`."""
        record = {"code": self.code, "state": self.state, "sentence": self.sentence}
        return {**record, **({"mend": self.mend} if self.mend else {}), "see": f"reference/doctor.html#{self.code}"}


Findings = Iterator[Finding]


Flaw = tuple[object, State, str, str, *tuple[Step, ...]]
"""What may be wrong: whether it is, how grave that is, the sentence that tells it, how it is mended, and the steps."""


def judged(code: str, well: str, *flaws: Flaw) -> Finding:
    """Return the first of some flaws that is there as a finding; where none is, that all is `well`."""
    for there, state, sentence, mend, *steps in flaws:
        if there:
            return Finding(code, state, sentence, mend, tuple(steps))
    return Finding(code, "ok", well)


def gravest(findings: Iterable[Finding]) -> str:
    """Return the gravest state among findings."""
    order = ("error", "unknown", "warning", "ok")
    return min((finding.state for finding in findings), key=order.index, default="ok")


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
def explained() -> dict[str, dict[str, Any]]:
    """Return every code of a finding with the `title` and `text` that explain it."""
    found: dict[str, dict[str, Any]] = load_own(Path(__file__).with_name("codes.yaml"))
    return found
