"""What changed between two wordings, word by word, shown with more than colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.translation import _

_WORD = re.compile(r"\n+|[^\S\n]+|\w+(?:['’-]\w+)*|[^\w\s]")
_BREAK = re.compile(r"\n+")
_WRAPPED = re.compile(r"(?<=[^\n])\n(?=[^\n\s*+\-#>|\d])")
MOST_UNFOLDED = 3
"""How many paragraphs that stayed are folded where they stand between two that changed, or before or behind one."""
_LARGEST = 1_000_000  # pairs of lines or words that are compared; what is more is shown as replaced
Run = tuple[str, str, str]  # "equal" or "replace", words before, words after
Step = tuple[str, int, int, int, int]  # "equal", "replace", "delete" or "insert", then the spans in both


def redline(before: str, after: str) -> Html:
    """Return the new wording by paragraphs, with what was struck as `<del>` and what was added as `<ins>`.

    A paragraph that stayed as it was is of the class `ctx`; of several in a row those in the middle are folded.
    """
    paragraphs = _paragraphs(runs(before, after))
    told, same = list[Html](), list[Html]()
    for marked, words in paragraphs:
        if marked:
            told += [*_folded(same, first=not told, last=False), el("p", words)]
            same = []
        else:
            same.append(el("p", words, class_="ctx"))
    told += _folded(same, first=not told, last=True)
    return el("div", *told, class_="words redline fm-redline", dir="auto")


def _folded(same: list[Html], *, first: bool, last: bool) -> list[Html]:
    """Return paragraphs in a row that stayed: one before and one behind what changed, the others to be unfolded."""
    start, end = 0 if first else 1, len(same) - (0 if last else 1)
    middle = same[start:end]
    if len(middle) < MOST_UNFOLDED or (first and last):
        return same
    fold = el("details", el("summary", _("What stays as it was")), *middle, class_="same")
    return [*same[:start], fold, *same[end:]]


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
    parts = list[Html]()
    for place, (tag, words) in enumerate(line):
        parts += [Html(" ")] if place and tag == "ins" and line[place - 1][0] == "del" else []
        parts.append(el(tag, words) if tag else escape(words))
    return join(parts)


def runs(before: str, after: str) -> list[Run]:
    """Return what stayed and what was replaced, in order; a line break inside a paragraph is no change."""
    return _merge(list(_runs(_flow(before), _flow(after))))


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
    lines: list[Html] = []
    for operation, a, b, c, d in steps(old, new):
        if operation == "equal":
            lines += [el("span", "  " + line + "\n") for line in old[a:b]]
            continue
        lines += [el("del", "- " + line + "\n") for line in old[a:b]]
        lines += [el("ins", "+ " + line + "\n") for line in new[c:d]]
    return el("pre", join(lines), class_="code fm-scriptline", tabindex="0")


def _flow(text: str) -> str:
    """Undo the wrapping of lines inside a paragraph, which is no change of the wording."""
    return _WRAPPED.sub(" ", text.strip())


def _runs(before: str, after: str) -> Iterator[Run]:
    """Compare paragraphs first, then the words of those that differ."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for operation, a, b, c, d in steps(old, new):
        left, right = "".join(old[a:b]), "".join(new[c:d])
        if operation == "equal":
            yield "equal", left, right
        else:
            yield from _word_runs(_WORD.findall(left), _WORD.findall(right))


def _word_runs(old: list[str], new: list[str]) -> Iterator[Run]:
    for operation, a, b, c, d in steps(old, new):
        yield "equal" if operation == "equal" else "replace", "".join(old[a:b]), "".join(new[c:d])


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
