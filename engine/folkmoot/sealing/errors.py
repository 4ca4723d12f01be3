"""What is wrong with something sealed, in one sentence that never shows what is in it."""

from __future__ import annotations

from folkmoot.core.problems import Problem, ProblemError

BOX = "E-BOX"
"""It is no box, or not whole."""
READER = "E-READER"
"""None of the keys opens it."""
COMMITMENT = "E-COMMITMENT"
"""What was opened is not what was committed to."""
CONTEXT = "E-CONTEXT"
"""It was sealed for another place."""
RECIPIENT = "E-RECIPIENT"
"""Nothing can be sealed to, or opened with, such a key."""
SEED = "E-SEED"
"""The seed is none of those that were committed to."""


class SealingError(ProblemError):
    """Raised with one problem, whose code is one of those above."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        """Keep a code, a sentence and what to do next."""
        super().__init__(Problem(code, message, None, hint))

    @property
    def code(self) -> str:
        """The code of what is wrong."""
        return self.problems[0].code
