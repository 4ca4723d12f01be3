"""Judging without shortcuts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from folkmoot.language.shortcuts import KnownRuns


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """Judge without shortcuts."""
    KnownRuns.on = False
    try:
        yield
    finally:
        KnownRuns.on = True
