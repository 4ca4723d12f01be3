"""Looking for stories that should not end as they do: tell many, make those smaller, and write down how to tell them."""

from __future__ import annotations

import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning
from msgspec import Struct, field

import folkmoot
from folkmoot.core.problems import ProblemError
from tests.fuzz.comments import SAYINGS
from tests.fuzz.contents import CONTENTS
from tests.fuzz.inputs import Story
from tests.fuzz.laws import LAWFUL
from tests.fuzz.letters import LETTERS
from tests.fuzz.oracle import FoundError, LateError, tell

ENGINE = Path(folkmoot.__file__).parent
SELDOM = st.sampled_from([True, False, False, False])


def _stories(table: str, inputs: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Story]:
    runs = st.lists(st.lists(inputs, min_size=1, max_size=most).map(tuple), min_size=1, max_size=2).map(tuple)
    return st.builds(Story, st.just(table), runs, SELDOM)


MIXED = st.one_of(SAYINGS, SAYINGS, CONTENTS)
GRAMMARS: dict[str, st.SearchStrategy[Story]] = {
    "comments": _stories("local", SAYINGS, 12),
    "letters": _stories("local", LETTERS, 12),
    "contents": _stories("local", CONTENTS, 6),
    "laws": st.builds(Story, st.just("local"), LAWFUL),
    "github": _stories("github", MIXED, 6),
}


class Finding(Struct):
    """A story that ended as none should: what grammar and seed it is of, what kind of end it is, and the smallest telling."""

    grammar: str
    seed: int
    kind: str
    trace: str
    story: Story

    def text(self) -> str:
        """Return how to see it again."""
        return (
            f"{self.kind}\n  grammar {self.grammar}, seed {self.seed}; again: python -m tests.fuzz --again FILE\n"
            f"{self.trace}\nSTORY = {self.story!r}\n"
        )


class Search(Struct):
    """What was looked at and found so far: of each kind of end one story."""

    stories: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)

    def look(self, grammar: str, seed: int, examples: int, until: float = float("inf")) -> None:
        """Tell so many stories of a grammar that follow from a seed; of the first that ends badly the smallest is kept."""
        found: list[Finding] = []

        @seeded(seed)
        @settings(
            max_examples=examples,
            phases=[Phase.generate, Phase.shrink],
            database=None,
            deadline=None,
            derandomize=False,
            suppress_health_check=list(HealthCheck),
        )
        @given(GRAMMARS[grammar])
        def each(story: Story) -> None:
            if not found and time.monotonic() >= until:
                return
            self.stories[grammar] += 1
            kind, trace = ending(story)
            if kind and kind not in self.findings and (not found or kind == found[0].kind):
                found.append(Finding(grammar, seed, kind, trace, story))
                raise FoundError(kind)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # that a story is long is no fault of it
            try:
                each()
            except FoundError:
                self.findings[found[-1].kind] = found[-1]

    def report(self) -> str:
        """Return figures and findings as lines."""
        told = ", ".join(f"{grammar} {number}" for grammar, number in self.stories.items())
        return "\n".join([f"stories: {told}; {len(self.findings)} findings", *(f"  {kind}" for kind in self.findings)])


def ending(story: Story) -> tuple[str, str]:
    """Tell a story; return what kind of bad end it has and how it came to that; nothing of a good one."""
    try:
        tell(story)
    except FoundError as error:
        return error.kind, str(error)[:3_000]
    except LateError as error:
        return "takes too long", str(error)
    except Exception as error:
        kind = _kind(error)
        if not kind:  # a mistake of the fuzzer's own
            raise
        return kind, traceback.format_exc()[-3_000:]
    return "", ""


def _kind(error: Exception) -> str:
    """Return an error with the innermost place of the engine it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ENGINE)]
    if not ours:
        return ""
    place = f"{Path(ours[-1].filename).relative_to(ENGINE).as_posix()}:{ours[-1].name}"
    words = " ".join(str(error).split())[:60] if isinstance(error, ProblemError) else ""
    return f"{type(error).__name__} in {place} {words}".rstrip()


def look_for(
    minutes: float, seed: int, grammars: list[str], told: Callable[[Finding], None], progress: Callable[[str], None]
) -> Search:
    """Look for a time, a few stories of each grammar in turn, in an order that follows from the seed.

    None takes more than its share of what is left, so that each is reached on a slow machine too.
    """
    search = Search()
    until = time.monotonic() + 60 * minutes
    number = 0
    order = random.Random(seed)
    while time.monotonic() < until:
        for waiting, grammar in zip(range(len(grammars), 0, -1), order.sample(grammars, len(grammars)), strict=True):
            number += 1
            now, known = time.monotonic(), len(search.findings)
            search.look(grammar, seed * 1_000_000 + number, 8, now + (until - now) / waiting)
            for finding in list(search.findings.values())[known:]:
                told(finding)
        progress(search.report())
    return search
