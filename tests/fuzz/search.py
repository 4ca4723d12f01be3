"""Looking for stories that should not end as they do: tell many, make those smaller, and write down how to tell them."""

from __future__ import annotations

import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning
from msgspec import Struct, field
from msgspec.structs import replace

import folkmoot
from folkmoot.core.problems import ProblemError
from tests.fuzz.comments import FILLED, SAYINGS
from tests.fuzz.contents import CONTENTS
from tests.fuzz.inputs import Input, Story
from tests.fuzz.laws import LAWFUL
from tests.fuzz.letters import LETTERS
from tests.fuzz.oracle import FoundError, LateError, tell
from tests.fuzz.sessions import ACTS

ENGINE = Path(folkmoot.__file__).parent
MINIMISING = 60.0
"""For how many seconds a finding is made smaller."""
PASSED = ("tests/fuzz/oracle.py", "tests/fuzz/search.py", "tests/fuzz/tables.py")


SELDOM = st.sampled_from([True, False, False, False])


def _runs(inputs: st.SearchStrategy[Any], most: int = 8) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(inputs, min_size=1, max_size=most).map(tuple), min_size=1, max_size=2).map(tuple)


def _stories(
    table: str, runs: st.SearchStrategy[Any], pages: st.SearchStrategy[bool] = SELDOM
) -> st.SearchStrategy[Story]:
    return st.builds(Story, st.just(table), runs, pages)


MIXED = st.one_of(SAYINGS, SAYINGS, FILLED, CONTENTS)
GRAMMARS: dict[str, st.SearchStrategy[Story]] = {
    "comments": _stories("local", _runs(SAYINGS, 12)),
    "forms": _stories("local", _runs(FILLED, 10)),
    "letters": _stories("local", _runs(LETTERS, 12)),
    "contents": _stories("local", _runs(CONTENTS, 6)),
    "laws": _stories("local", LAWFUL, st.just(value=True)),
    "sessions": _stories("session", ACTS.map(lambda acts: (tuple(acts),))),
    "github": _stories("github", _runs(MIXED, 6)),
    "gitea": _stories("gitea", _runs(MIXED, 6)),
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
    """What was looked at and found so far."""

    stories: Counter[str] = field(default_factory=Counter)
    inputs: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    told: Callable[[Finding], None] = lambda _: None
    minimising: float = MINIMISING

    def look(self, grammar: str, seed: int, examples: int, until: float = float("inf")) -> None:
        """Tell so many stories of a grammar that follow from a seed."""

        @seeded(seed)
        @settings(
            max_examples=examples,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            derandomize=False,
            suppress_health_check=list(HealthCheck),
        )
        @given(GRAMMARS[grammar])
        def each(story: Story) -> None:
            if time.monotonic() < until:
                self._one(grammar, seed, story)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # that a story is long is no fault of it
            each()

    def _one(self, grammar: str, seed: int, story: Story) -> None:
        begun = time.monotonic()
        found = ending(story)
        self.stories[grammar] += 1
        self.inputs[grammar] += story.count
        self.seconds[grammar] += time.monotonic() - begun  # type: ignore[assignment]
        if found is None:
            return
        self.times[found[0]] += 1
        if found[0] not in self.findings:
            small = smaller(story, found[0], self.minimising)
            again = ending(small) or found
            self.findings[found[0]] = finding = Finding(grammar, seed, found[0], again[1], small)
            self.told(finding)

    def report(self) -> str:
        """Return figures and findings as lines."""
        lines = [f"{'grammar':10} {'stories':>8} {'inputs':>8} {'seconds':>8}"]
        lines += [
            f"{grammar:10} {self.stories[grammar]:8} {self.inputs[grammar]:8} {self.seconds[grammar]:8.0f}"
            for grammar in GRAMMARS
            if self.stories[grammar]
        ]
        spent = sum(self.seconds.values())
        total = sum(self.inputs.values())
        lines.append(
            f"{'all':10} {sum(self.stories.values()):8} {total:8} {spent:8.0f}   {total / max(spent, 1):.1f} inputs a second"
        )
        lines.append(f"{len(self.findings)} findings")
        lines += [f"  {self.times[kind]:5} times: {kind}" for kind in self.findings]
        return "\n".join(lines)


def ending(story: Story) -> tuple[str, str] | None:
    """Tell a story; return what kind of bad end it has and how it came to that, None for a good one."""
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
    return None


def _kind(error: Exception) -> str:
    """Return an error with the innermost place of the engine it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ENGINE)]
    if not ours:
        return ""
    place = f"{Path(ours[-1].filename).relative_to(ENGINE).as_posix()}:{ours[-1].name}"
    words = " ".join(str(error).split())[:60] if isinstance(error, ProblemError) else ""
    return f"{type(error).__name__} in {place} {words}".rstrip()


# -- making a story smaller


def smaller(story: Story, kind: str, seconds: float) -> Story:
    """Return the smallest story found in a time that still ends in the same way."""
    until = time.monotonic() + seconds
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for made in _simpler_stories(story):
            if time.monotonic() > until:
                break
            found = ending(made)
            if found is not None and found[0] == kind:
                story, changed = made, True
                break
    return story


def _simpler_stories(story: Story) -> Iterator[Story]:
    for runs in _without_parts(story.runs):
        if runs:
            yield replace(story, runs=runs)
    for number, run in enumerate(story.runs):
        for inputs in _without_parts(run):
            yield replace(story, runs=(*story.runs[:number], inputs, *story.runs[number + 1 :]))
    for number, run in enumerate(story.runs):
        for place, each in enumerate(run):
            for made in _simpler(each):
                inputs = (*run[:place], made, *run[place + 1 :])
                yield replace(story, runs=(*story.runs[:number], inputs, *story.runs[number + 1 :]))


def _without_parts(whole: Any) -> Iterator[Any]:
    """Yield a sequence without its halves, then without smaller and smaller parts."""
    size = len(whole)
    while size > 1:
        size = (size + 1) // 2
        for start in range(0, len(whole), size):
            yield whole[:start] + whole[start + size :]
        if size == 1:
            break


def _simpler(each: Input) -> Iterator[Input]:
    for name in each.__struct_fields__:
        value = getattr(each, name)
        for made in _simpler_values(value):
            yield replace(each, **{name: made})


def _simpler_values(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        return
    if isinstance(value, str | bytes):
        yield from _simpler_text(value)
    elif isinstance(value, dict):
        for name in value:
            yield {k: v for k, v in value.items() if k != name}
        for name, inner in value.items():
            yield from ({**value, name: made} for made in _simpler_values(inner))
    elif isinstance(value, list | tuple):
        yield from _without_parts(value)
        for place, inner in enumerate(value):
            for made in _simpler_values(inner):
                yield type(value)((*value[:place], made, *value[place + 1 :]))
    elif isinstance(value, int) and abs(value) > 1:
        yield value // 2


def _simpler_text(value: Any) -> Iterator[Any]:
    newline: Any = b"\n" if isinstance(value, bytes) else "\n"
    lines = value.split(newline)
    if len(lines) > 2:
        yield from (newline.join(made) for made in _without_parts(lines))
    elif len(value) > 8:
        yield from _without_parts(value)


# -- by hand


def look_for(
    minutes: float, seed: int, grammars: list[str], told: Callable[[Finding], None], progress: Callable[[str], None]
) -> Search:
    """Look for a time, a few stories of each grammar in turn, in an order that follows from the seed.

    None takes more than its share of what is left, so that each is reached on a slow machine too.
    """
    search = Search(told=told)
    until = time.monotonic() + 60 * minutes
    number = 0
    order = random.Random(seed)
    while time.monotonic() < until:
        for waiting, grammar in zip(range(len(grammars), 0, -1), order.sample(grammars, len(grammars)), strict=True):
            number += 1
            now = time.monotonic()
            search.look(grammar, seed * 1_000_000 + number, 8, now + (until - now) / waiting)
        progress(search.report())
    return search


__all__ = ["GRAMMARS", "Finding", "Search", "ending", "look_for", "smaller"]
