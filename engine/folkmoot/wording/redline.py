"""What changed between two wordings, word by word, shown with more than colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from folkmoot.wording.markup import Html, el, join

_WORD = re.compile(r"\n+|[^\S\n]+|\w+(?:['’-]\w+)*|[^\w\s]")
_BREAK = re.compile(r"\n+")
_WRAPPED = re.compile(r"(?<=[^\n])\n {0,3}(?=[^\n\s*+\-#>|\d])")
MOST_UNFOLDED = 3
"""How many paragraphs that stayed are folded where they stand between two that changed, or before or behind one."""
_LARGEST = 1_000_000  # pairs of lines or words that are compared; what is more is shown as replaced
Run = tuple[str, str, str]  # "equal" or "replace", words before, words after
Step = tuple[str, int, int, int, int]  # "equal", "replace", "delete" or "insert", then the spans in both


@lru_cache(maxsize=2_000)
def redline(before: str, after: str) -> Html:
    """Return the new wording by paragraphs, with what was struck as `<del>` and what was added as `<ins>`.

    A paragraph that stayed as it was is of the class `ctx`; of several in a row those in the middle are folded.
    """
    groups = [(marked, [*several]) for marked, several in groupby(_paragraphs(runs(before, after)), itemgetter(0))]
    told = list[Html]()
    for place, (marked, several) in enumerate(groups):
        shown = [el("p", words, class_=None if marked else "ctx") for _marked, words in several]
        start, end = int(place > 0), len(shown) - int(place < len(groups) - 1)
        if not marked and len(groups) > 1 and end - start >= MOST_UNFOLDED:
            fold = el("details", el("summary", "What stays as it was"), *shown[start:end], class_="same")
            shown[start:end] = [fold]
        told += shown
    return el("div", *told, class_="words redline fm-redline", dir="auto")


def _paragraphs(found: Iterable[Run]) -> list[tuple[bool, Html]]:
    """Return the paragraphs of runs, each with whether anything in it changed."""
    lines: list[list[tuple[str, str]]] = [[]]
    for tag, words in _pieces(found):
        for place, line in enumerate(_BREAK.split(words)):
            if place:
                lines.append([])
            if line.strip() or (line and not tag):
                lines[-1].append((tag, line))
    return [(any(tag for tag, _words in line), _marked(line)) for line in lines if any(w.strip() for _tag, w in line)]


def _pieces(found: Iterable[Run]) -> Iterator[tuple[str, str]]:
    for kind, old, new in found:
        if kind != "equal" and old.strip():
            yield "del", old
            if new.strip() and "\n" in old.strip() + new.strip():  # paragraphs stand one below the other
                yield "", "\n"
        yield "" if kind == "equal" or not new.strip() else "ins", new


def _marked(line: Sequence[tuple[str, str]]) -> Html:
    """Return a paragraph; between what is struck and what stands in its place there is a blank."""
    parts = list[object]()
    for place, (tag, words) in enumerate(line):
        parts += [" "] if place and tag == "ins" and line[place - 1][0] == "del" else []
        parts.append(el(tag, words) if tag else words)
    return join(parts)


def runs(before: str, after: str) -> list[Run]:
    """Return what stayed and what was replaced, in order: of paragraphs that differ the words.

    A line break inside a paragraph is no change.
    """
    old, new = (_WRAPPED.sub(" ", text.strip()).splitlines(keepends=True) for text in (before, after))
    found = list[Run]()
    for run in _compared(old, new):
        found += [run] if run[0] == "equal" else _compared(_WORD.findall(run[1]), _WORD.findall(run[2]))
    return _merge(found)


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    for word, a, b, c, d in steps(old, new):
        yield "equal" if word == "equal" else "replace", "".join(old[a:b]), "".join(new[c:d])


def steps(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    """Return the steps from one list of lines or words to another; what would take too long is one replacement."""
    first = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    most = min(len(old), len(new)) - first
    last = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    a, b = old[first : len(old) - last], new[first : len(new) - last]
    if len(a) * len(b) > _LARGEST:
        inner: list[Step] = [("replace", 0, len(a), 0, len(b))]
    else:
        inner = [(word, i, j, k, n) for word, i, j, k, n in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()]
    found: list[Step] = [("equal", 0, first, 0, first)] if first else []
    found += [(word, i + first, j + first, k + first, n + first) for word, i, j, k, n in inner]
    tail = ("equal", len(old) - last, len(old), len(new) - last, len(new))
    return [*found, tail] if last else found


def script_redline(before: str, after: str) -> Html:
    """Return the change of a script line by line, with a sign before each line."""
    old, new = before.splitlines(), after.splitlines()
    lines = list[Html]()
    for word, a, b, c, d in steps(old, new):
        if word == "equal":
            lines += [el("span", f"  {line}\n") for line in old[a:b]]
        else:
            lines += [el("del", f"- {line}\n") for line in old[a:b]]
            lines += [el("ins", f"+ {line}\n") for line in new[c:d]]
    return el("pre", join(lines), class_="code fm-scriptline", tabindex="0")


def _merge(runs: list[Run]) -> list[Run]:
    """Join changes that stand so close that the words between them would only confuse."""
    merged: list[Run] = []
    for index, (kind, old, new) in enumerate(runs):
        between = 0 < index < len(runs) - 1 and kind == "equal" and "\n" not in old and len(old.split()) <= 1
        shown = "replace" if between and len(old) < 6 else kind
        if merged and merged[-1][0] == shown:
            merged[-1] = (shown, merged[-1][1] + old, merged[-1][2] + new)
        else:
            merged.append((shown, old, new))
    return merged
