"""Players' text as harmless HTML: whole fragments, single lines, and names.

Names and remarks that are not marked up cost no parser: `markdown.py` is imported where one is needed.
"""

from __future__ import annotations

import re

from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, el, escape, one_line

LONGEST, MOST_MARKS = 200_000, 2_000
_RUN = re.compile(r"(?:[\[\]_*`~<>!(){}\\^|]\s*){400}")


def prose(text: str, name: str = "t") -> Html:
    """Return one fragment of players' text as finished HTML on one line.

    `name` is the fragment's own on its page; its footnotes are numbered under it. Text that is no prose but an
    attack on the reader's patience (hundreds of brackets in a row, thousands of stars) is shown verbatim.
    """
    if not text.strip():
        return Html("")
    if _wearing(text):
        return el("div", el("pre", text[:LONGEST]), class_="fm-prose", dir="auto")
    from folkmoot.wording.markdown import fragment

    return el("div", one_line(fragment(visible(text), name).strip()), class_="fm-prose", dir="auto")


def _wearing(text: str) -> bool:
    """Whether a text would take a parser long: too long, a long run of marks, or too many of one mark."""
    return len(text) > LONGEST or bool(_RUN.search(text)) or any(text.count(mark) > MOST_MARKS for mark in "[(*_`<!&")


def phrase(text: str) -> Html:
    """Return a name, title or short remark of a player: plain text in its own direction."""
    return el("bdi", escape(" ".join(str(text).split())))


def remark(text: str) -> Html:
    """Return one line of a rule's author (a question, a summary) with its emphasis, code and links."""
    line = " ".join(str(text).split())
    if _wearing(line):
        return phrase(line)
    from folkmoot.wording.markdown import marked_line

    return el("bdi", one_line(marked_line(visible(line))))
