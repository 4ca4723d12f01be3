"""Failures planted at each stage of a run."""

from __future__ import annotations

from folkmoot.forges.error_isolation import Stage


class Planted:
    """Fails when a stage is passed for the first time, or for the second."""

    def __init__(self, stage: Stage, first: int) -> None:
        self.point, self.first, self.passed = f"stage-{stage}", first, 0

    def __call__(self, point: str) -> None:
        if point == self.point:
            self.passed += 1
            if self.passed == self.first:
                raise ZeroDivisionError("planted\n::set-output name=x::y")
