"""Problems as values: a code, a place, one sentence and a hint; this module imports nothing of the engine."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from folkmoot.core.records import Arguments, Shown


class Position(Struct, frozen=True, order=True):
    """A place in a file; line and column count from 1, 0 means "the file as a whole"."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Return `file`, `file:line` or `file:line:column`."""
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


class Problem(Struct, frozen=True):
    """One thing that is wrong.

    `code` is stable (`E-ARGS`), `message` one sentence for a person, `hint` what to do next,
    `arguments` the facts behind the sentence for programs.
    """

    code: str
    message: str
    position: Position | None = None
    hint: str = ""
    arguments: Arguments = field(default_factory=dict)

    def __str__(self) -> str:
        """Return `file:line:col: CODE: sentence (hint)`."""
        place = f"{self.position}: " if self.position else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.code}: {self.message}{hint}"

    def as_record(self) -> Shown:
        """Return the problem as plain data for `--json`."""
        record: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.position:
            record |= {
                "file": self.position.file,
                "line": self.position.line,
                "column": self.position.column,
            }
        if self.hint:
            record["hint"] = self.hint
        if self.arguments:
            record["arguments"] = self.arguments
        return record


class ProblemError(Exception):
    """Raised with every problem that was found, never only the first."""

    def __init__(self, *problems: Problem) -> None:
        """Keep `problems`, in the order of their positions."""
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


def fail(code: str, message: str, position: Position | None = None, hint: str = "") -> ProblemError:
    """Return an error of a single problem, ready to be raised."""
    return ProblemError(Problem(code, message, position, hint))
