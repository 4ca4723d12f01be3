"""A heading says that a game stands still where it does, and nowhere else: not above a preview, nor where it is paused."""

from __future__ import annotations

from itertools import product

from folkmoot.core.problems import Problem
from folkmoot.referee.comment import CommentModel, comment
from folkmoot.referee.preview import Preview

WRONG = (Problem("E-YAML", "it cannot be read"),)


def test_only_a_game_that_stands_still_is_said_to() -> None:
    shown = (None, Preview(changes=()), Preview(changes=(), paused=True, died="it took too long"))
    for pull, problems, preview, draft, paused, state, ended, stopped in product(
        (0, 7),
        ((), WRONG),
        shown,
        (False, True),
        (False, True),
        ("", "pending", "open"),
        ("open", "closed"),
        ((), WRONG),
    ):
        sheet = CommentModel(
            game="g", pull=pull, title="Tea", author="ann", problems=problems, preview=preview, draft=draft,
            paused=paused, state=state, ended=ended, stopped=stopped,
        )  # fmt: skip
        head = comment(sheet).partition("\n")[0]
        assert ("stands still" in head) == bool(stopped and not pull), sheet
        assert ("If this were proposed" in head) == (not stopped and not pull), sheet
        assert ("Nothing is judged at present" in comment(sheet)) == bool(stopped), sheet
