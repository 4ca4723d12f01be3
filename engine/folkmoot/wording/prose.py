"""Players' text as harmless HTML: whole fragments, single lines, and names.

Names and remarks that are not marked up cost no parser: `markdown.py` is imported where one is needed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from folkmoot.wording.invisible import visible
from folkmoot.wording.markdown_cost import within
from folkmoot.wording.markup import Html, el, join, one_line
from folkmoot.wording.translation import _

LONGEST, MOST_MARKS = 200_000, 2_000
_OFTEN = 120
"""Up to how many characters a name is remembered with what it became."""
_LONGEST_RUN = 400
_MARKS = r"\[\]_*`~<>!(){}\\^|"
_LINE = r"[A-Za-z](?:[A-Za-z0-9 ,.;:'()?-]*[A-Za-z0-9,.;:'()?-])?"
_PARAGRAPHS = re.compile(rf"{_LINE}(?:\n\n?{_LINE})*\n?")
"""Lines of plain words, each of which begins with a letter: no list, heading, table or mark is among them."""
_RUN = re.compile(rf"[{_MARKS}][{_MARKS}\s]*")


def prose(text: str, name: str = "t") -> Html:
    """Return one fragment of players' text as finished HTML on one line.

    `name` is the fragment's own on its page; its footnotes are numbered under it. Text that is no prose but an
    attack on the reader's patience (hundreds of brackets in a row, thousands of stars) is shown verbatim, and so is
    what is left of a text that takes longer than others are to wait for it.
    """
    text = visible(text)
    if not text.strip():
        return Html("")
    end = 0 if _wearing(text) else within(text)
    return el("div", _set(text[:end], name), _as_written(text[end:]), class_="fm-prose", dir="auto")


def _set(text: str, name: str) -> Html:
    if not text.strip():
        return Html("")
    if _PARAGRAPHS.fullmatch(text):
        return one_line(_paragraphs(text))
    from folkmoot.wording.markdown import fragment

    return one_line(fragment(text, name).strip())


def _paragraphs(text: str) -> str:
    r"""Return the HTML of paragraphs in which nothing means anything to Markdown, as `fragment` does.

    >>> _paragraphs("Nothing but words.\n\nAnd more.")
    '<p>Nothing but words.</p>\n<p>And more.</p>'
    """
    return "\n".join(f"<p>{words}</p>" for words in text.strip("\n").split("\n\n"))


def _as_written(text: str) -> Html:
    """Return text as it was written, with a word to the reader; the end of a very long one is left out."""
    if not text.strip():
        return Html("")
    told = [_("What follows is shown as it was written: it is too much to be set.")]
    if len(text) > LONGEST:
        told.append(_("Its end is left out; the record of the game holds all of it."))
    return join([el("p", " ".join(told), class_="fm-more"), el("pre", text[:LONGEST])])


def _wearing(text: str) -> bool:
    """Whether a text would take a parser long: too long, a long run of marks, or too many of one mark."""
    if len(text) > LONGEST or any(text.count(mark) > MOST_MARKS for mark in "[(*_`<!&"):
        return True
    runs = (found[0] for found in _RUN.finditer(text) if found.end() - found.start() >= _LONGEST_RUN)
    return any(len("".join(run.split())) >= _LONGEST_RUN for run in runs)


def phrase(text: str) -> Html:
    """Return a name, title or short remark of a player: plain text in its own direction."""
    return _phrase(text) if type(text) is str and len(text) <= _OFTEN else _said(text)


def _said(text: object) -> Html:
    return el("bdi", " ".join(str(text).split()))


_phrase = lru_cache(maxsize=20_000)(_said)


def remark(text: str) -> Html:
    """Return one line of a rule's author (a question, a summary) with its emphasis, code and links."""
    line = " ".join(str(text).split())
    if _wearing(line) or within(line) < len(line):
        return phrase(line)
    from folkmoot.wording.markdown import marked_line

    return el("bdi", one_line(marked_line(visible(line))))
