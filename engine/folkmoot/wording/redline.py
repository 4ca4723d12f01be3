"""What changed between two wordings, word by word, shown with more than colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from folkmoot.wording.markup import Html, el, escape, join

_WORD = re.compile(r"\n+|[^\S\n]+|\w+(?:['’-]\w+)*|[^\w\s]")
_LINE = re.compile(r"\n+|[^\n]+")
_WRAPPED = re.compile(r"(?<=[^\n])\n(?=[^\n\s*+\-#>|\d])")
_APART = Html("<br hidden>")  # nothing to a reader; without it a search takes two words that touch for one
_LARGEST = 1_000_000  # pairs of lines or words that are compared; what is more is shown as replaced
Run = tuple[str, str, str]  # "equal" or "replace", words before, words after
Step = tuple[str, int, int, int, int]  # "equal", "replace", "delete" or "insert", then the spans in both


def redline(before: str, after: str) -> Html:
    """Return the new wording with what was struck as `<del>` and what was added as `<ins>`."""
    return el("div", join(_shown(run) for run in runs(before, after)), class_="fm-redline", dir="auto")


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
    return el("pre", join(lines), class_="fm-scriptline", tabindex="0")


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


def _shown(run: Run) -> Html:
    kind, old, new = run
    if kind == "equal":
        return escape(new)
    if not (old.strip() and new.strip()):
        return join([_marked("del", old) if old.strip() else "", _marked("ins", new) if new.strip() else escape(new)])
    return join([_marked("del", old), _APART, _marked("ins", new)])


def _marked(tag: str, words: str) -> Html:
    """Mark each line for itself, so that no empty line is coloured."""
    return join(el(tag, line) if line.strip() else escape(line) for line in _LINE.findall(words))
