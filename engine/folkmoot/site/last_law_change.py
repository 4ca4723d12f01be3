"""The last change of the law on one line: which rule, and the words around the first that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from folkmoot.core.documents import Document
from folkmoot.site.law_changes import Moment, moments
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, el, escape, join, shortened
from folkmoot.wording.prose import phrase
from folkmoot.wording.redline import Run, runs
from folkmoot.wording.translation import _

AROUND, CHANGED = 40, 90
"""Characters of what stayed before and behind a change, and of what changed."""
COMPARED = 4_000
"""Characters of a wording in which a change is looked for."""


@of_the_law
def last_moments(view: GameView) -> dict[str, Moment]:
    """Return the moment at which the law changed last since the founding, as `last`; nothing where it never did."""
    found = moments(view)
    return {"last": found[-1]} if found and found[-1].seq > 1 else {}


def last_moment(view: GameView) -> Moment | None:
    """Return when the law changed last, None where it never did since the founding."""
    return view.index(last_moments).get("last")


def changed(before: Document, after: Document) -> Html:
    """Return the words around what changed between two revisions of a rule, the struck and the added marked."""
    if after.get("repealed"):
        return el("del", _cut(str(before.get("title") or before.get("text") or _("untitled")), CHANGED))
    if not before:
        title, text = str(after.get("title") or ""), str(after.get("text") or "")
        return el("ins", _cut(f"{title}: {text}" if title else text, AROUND + CHANGED))
    return _reworded(before, after)


def _reworded(before: Document, after: Document) -> Html:
    """Return where the text differs first, else the title, else what changed besides."""
    for part in ("text", "title"):
        old, new = str(before.get(part) or ""), str(after.get(part) or "")
        if old != new:
            return _first_change(old[:COMPARED], new[:COMPARED]) or _title(after)
    return _title(after)


def _title(after: Document) -> Html:
    return _cut(str(after.get("title") or ""), CHANGED)


def _first_change(old: str, new: str) -> Html:
    """Return what changed from the first change on, as far as a line has room, between what stayed."""
    found = runs(old, new)
    place = next((n for n, run in enumerate(found) if run[0] != "equal"), None)
    if place is None:
        return Html("")
    before = " ".join(found[place - 1][2].split()) if place else ""
    kept = f"…{before[-AROUND:]}" if len(before) > AROUND else before
    return join([escape(kept), *_marked(found[place:])], " ")


def _marked(found: Sequence[Run]) -> Iterator[Html]:
    """Yield runs of words, marked as struck or added, up to some characters."""
    room = CHANGED
    for kind, struck, added in found:
        if room <= 0:
            return
        if kind == "equal":
            yield _cut(added, AROUND)
        else:
            yield from (el("del", _cut(struck, room)),) if struck.strip() else ()
            yield from (el("ins", _cut(added, room)),) if added.strip() else ()
        room -= len(added) + len(struck) * (kind != "equal")


def _cut(words: str, most: int) -> Html:
    return phrase(shortened(words, most))
