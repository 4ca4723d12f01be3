"""Players' text as harmless HTML: whole fragments, single lines, and names."""

from __future__ import annotations

import re
from functools import lru_cache

from folkmoot.wording.markup import Html, el, escape, join, one_line, visible

LONGEST, MOST_MARKS, MOST_WORK = 200_000, 2_000, 36_000
"""How much of a text is shown at all, how many of a mark are set, and how much work is (see `_within`)."""
_LONGEST_RUN = 400
_MARKS = r"\[\]_*`~<>!(){}\\^|"
_RUN = re.compile(rf"[{_MARKS}][{_MARKS}\s]*")
_MARK = re.compile(r"[\[\]~<>&*_`!\\:@]")
_LINK = re.compile(r"\][(\[:]")
_BLOCK = re.compile(r"\s*(?:[-+*#>=~`|\[]|\d+[.)])")
_TASK = re.compile(r"[\s>]*(?:[-+*]|\d+[.)])\s+\[")
_COLUMNS = re.compile(r"[\s>]*[|:-][\s|:-]*$")
_PLAIN = re.compile(r"(?:[^\W\d_][^*_`\[\]<>&\\~|\n\r\t\xa0]*(?<!\s)(?:\n+|\Z))+")
"""Lines that begin with a letter and in which nothing means anything to Markdown."""


def prose(text: str, name: str = "t") -> Html:
    """Return one fragment of players' text as finished HTML on one line.

    `name` is the fragment's own on its page; its footnotes are numbered under it. Text that is no prose but an
    attack on the reader's patience (hundreds of brackets in a row, thousands of stars) is shown verbatim, and so is
    what is left of a text that takes longer than others are to wait for it.
    """
    text = visible(text)
    if not text.strip():
        return Html("")
    if len(text) <= LONGEST and _PLAIN.fullmatch(text):
        paragraphs = ("&#10;".join(each.split("\n")) for each in re.split("\n\n+", text.strip()))
        return Html(f'<div class="fm-prose" dir="auto"><p>{"</p>&#10;<p>".join(paragraphs)}</p></div>')
    end = 0 if _wearing(text) else _within(text)
    name = name if "[^" in text else ""  # by which only footnotes are numbered
    return el("div", _set(text[:end], name), _as_written(text[end:]), class_="fm-prose", dir="auto")


@lru_cache(maxsize=2_000)
def _set(text: str, name: str) -> Html:
    if not text.strip():
        return Html("")
    from folkmoot.wording.markdown import fragment  # here: what says only names needs no parser

    return one_line(fragment(text, name).strip())


def _as_written(text: str) -> Html:
    """Return text as it was written, with a word to the reader; the end of a very long one is left out."""
    if not text.strip():
        return Html("")
    told = "What follows is shown as it was written: it is too much to be set."
    if len(text) > LONGEST:
        told += " Its end is left out; the record of the game holds all of it."
    return join([el("p", told, class_="fm-more"), el("pre", text[:LONGEST])])


def _wearing(text: str) -> bool:
    """Whether a text would take a parser long: too long, a long run of marks, or too many of one mark."""
    if len(text) > LONGEST or any(text.count(mark) > MOST_MARKS for mark in "[(*_`<!&"):
        return True
    runs = (found[0] for found in _RUN.finditer(text) if found.end() - found.start() >= _LONGEST_RUN)
    return any(len("".join(run.split())) >= _LONGEST_RUN for run in runs)


def _within(text: str) -> int:
    r"""Return up to where a text is little enough work to be set: its length, else the end of a line or a paragraph.

    The weights of lines, marks and cells are microseconds on a machine of 2024.

    >>> _within("Some words."), _within("A paragraph.\n\n" * 5_000)
    (11, 16800)
    """
    work = at = paragraph = columns = 0
    for line in text.splitlines(keepends=True):
        cells = line.strip(" >\t\n|").count("|") + 1 if "|" in line else 0
        if not line.strip():
            columns = 0
        elif "-" in line and _COLUMNS.match(line):  # below the head of a table, whose rows have as many cells
            columns = max(columns, cells)
        work += _work(line) + 20 * max(columns, cells)
        if work > MOST_WORK:
            return paragraph if 2 * paragraph >= at else at
        at += len(line)
        paragraph = paragraph if line.strip() else at
    return len(text)


def _work(line: str) -> int:
    """Return how much work a line is for a parser of Markdown, but for the cells of a table."""
    work = 15 + 4 * len(_MARK.findall(line)) + 20 * len(_LINK.findall(line))
    if line[:1].isalpha() or not _BLOCK.match(line):
        return work
    return work + 25 + 8 * (len(line) - len(line.lstrip(" >"))) + (100 if _TASK.match(line) else 0)


def phrase(text: str) -> Html:
    """Return a name, title or short remark of a player: plain text in its own direction, if it may have another."""
    line = " ".join(str(text).split())
    return escape(line) if line.isascii() else el("bdi", line)


def remark(text: str) -> Html:
    """Return one line of a rule's author (a question, a summary) with its emphasis, code and links."""
    line = " ".join(str(text).split())
    if len(line) <= LONGEST and _PLAIN.fullmatch(shown := visible(line)):
        return Html(f"<bdi>{shown}</bdi>")
    if _wearing(line) or _within(line) < len(line):
        return phrase(line)
    from folkmoot.wording.markdown import marked_line

    return el("bdi", one_line(marked_line(visible(line))))
