"""The law over time: every moment at which it changed, and a place where a script shows it as of any of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from folkmoot.core.documents import Document
from folkmoot.site.document import Page
from folkmoot.site.rule_marks import called, cause
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.markup import Html, el, join, table
from folkmoot.wording.page_links import Here, rule_path, time_path

PART = 100
"""How many moments stand on one page."""
_TRAIL = [("Law", "law/index.md")]


@dataclass
class Moment:
    """An entry of the journal (0: before the first) that changed the law: when, by what, and what it made of rules."""

    seq: int
    at: int | None
    cause: str
    changes: list[tuple[str, Document, Document]] = field(default_factory=list)
    """The uid of a rule, its revision before (empty: there was none) and after."""


def moments(view: GameView) -> list[Moment]:
    """Return every moment at which the law changed, oldest first."""
    found: dict[int, Moment] = {}
    for uid in (*view.ranked, *view.repealed):
        before: Document = {}
        for after in view.revisions(uid):
            seq = int(after.get("seq") or 0)
            moment = found.setdefault(seq, Moment(seq, seconds(after.get("at")), str(after.get("cause") or "")))
            moment.changes.append((uid, before, after))
            before = after
    return [found[seq] for seq in sorted(found)]


def law_time(view: GameView) -> Iterator[Page]:
    """Return the pages of the law over time, the newest moments on the first."""
    known = moments(view)[::-1]
    parts = [known[at : at + PART] for at in range(0, len(known), PART)] or [[]]
    for number, part in enumerate(parts, 1):
        title = "The law over time" + (f", part {number} of {len(parts)}" if number > 1 else "")
        page = Page(time_path(number), title, tab="law/index.md", trail=_TRAIL)
        here = Here(view, page.path)
        if number == 1:
            page.summary = f"What changed in the law of {view.title}, and the law as of any day"
            page.add(*_bar(here))
        page.add(_steps(here, number, len(parts)), _listed(here, part), _steps(here, number, len(parts)))
        yield page


def _bar(here: Here) -> list[Html]:
    words = "Each row is a moment at which the law changed; its links lead to what changed and to the wordings of then."
    place = el("div", class_="fm-time", data_law=here.beside("law.json"))
    return [el("p", words, class_="fm-lead"), place]


def _listed(here: Here, part: Sequence[Moment]) -> Html:
    rows = [
        [
            here.entry(moment.seq) if moment.seq else "",
            here.when(moment.at),
            cause(here, moment.cause),
            join((_change(here, *change) for change in moment.changes), ", "),
        ]
        for moment in part
    ]
    return table(["Entry", "When", "By", "What changed"], rows) if rows else el("p", "There is no law yet.")


def _change(here: Here, uid: str, before: Document, after: Document) -> Html:
    """Return one change in a few words, with links to it and to the wording of then."""
    path, number = rule_path(uid), str(after.get("rule") or before.get("rule") or uid)
    name = here.link(f"rule {number}", path, title=str(after.get("title") or before.get("title") or "") or None)
    if after.get("repealed"):
        return join([name, " repealed"])
    if not before or before.get("repealed"):
        return join([name, " enacted"])
    what = f"renumbered from {before['rule']}" if before.get("rule") != after.get("rule") else "changed"
    anchor = f"revision-{after.get('revision', '')}"
    return join([name, f" {what} (", here.link(f"revision {called(after)}", path, anchor), ")"])


def _steps(here: Here, number: int, parts: int) -> Html:
    links = [here.link("← later changes", time_path(number - 1))] if number > 1 else []
    links += [here.link("earlier changes →", time_path(number + 1))] if number < parts else []
    return el("p", join(links, " · "), class_="fm-more") if links else Html("")
