"""The law over time: every moment at which it changed, and a place where a script shows it as of any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Document
from folkmoot.site.page_model import Page, Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.rule_activity import awaiting
from folkmoot.site.rule_marks import called, cause, entry, since
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, details, el, join, sentence, table
from folkmoot.wording.page_links import Here, rule_path, time_path
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _

PARTS = Parts(100)
TOLD_APART, TOLD_AT_ONCE = 3, 12
"""How many rules that came at once are told each for itself, and how many changes at once without folding them."""
Change = tuple[str, Document, Document]
"""The uid of a rule, its revision before (empty: there was none) and after."""


class Moment(Struct):
    """A day on which an entry of the journal (0: before the first) changed the law: when last, and how.

    An entry that brought a past along has a moment for every day of it.
    """

    seq: int
    at: int | None
    changes: list[Change] = field(default_factory=list)

    @property
    def causes(self) -> list[str]:
        """By what the law was changed, each once."""
        return list(dict.fromkeys(str(after.get("cause") or "") for _uid, _before, after in self.changes))


def moments(view: GameView) -> list[Moment]:
    """Return every moment at which the law changed, oldest first."""
    return list(view.index(moments_by_day).values())


@of_the_law
def moments_by_day(view: GameView) -> dict[tuple[int, int, str], Moment]:
    """Return every moment at which the law changed, oldest first, by its entry, its Unix day, and an inexact date."""
    found: dict[tuple[int, int, str], Moment] = {}
    for uid in (*view.ranked, *view.repealed):
        before: Document = {}
        for after in view.revisions(uid):
            seq, at = int(after.get("seq") or 0), seconds(after.get("at"))
            moment = found.setdefault((seq, (at or 0) // DAY, str(after.get("dated") or "")), Moment(seq, at))
            moment.at = max(moment.at or 0, at) if at is not None else moment.at
            moment.changes.append((uid, before, after))
            before = after
    return {key: found[key] for key in sorted(found)}


@of_the_law
def last_change(view: GameView) -> dict[str, int | None]:
    """Return when the law changed last, in Unix seconds, as `at`."""
    return {"at": next((moment.at for moment in reversed(moments(view))), None)}


@of_the_law
def older_parts(view: GameView) -> dict[str, int]:
    """Return how many pages of earlier moments there are, as `law-time`."""
    return {"law-time": len(PARTS.older(moments(view)))}


@of_the_law
def moment_parts(view: GameView) -> dict[str, Sequence[Moment]]:
    """Return the moments on each page: the numbers of pages of earlier ones, and "" for the newest."""
    known = moments(view)
    return {"": PARTS.newest(known)} | {str(number): PARTS.of(known, number) for number in PARTS.older(known)}


def law_time(view: GameView) -> Iterator[Sheet]:
    """Return the pages of the law over time: one of the newest moments, and those of all before."""
    yield Sheet(time_path(), _newest)
    for number in PARTS.older(moments(view)):
        yield Sheet(time_path(number), partial(_older, number))


def _newest(view: GameView) -> Page:
    page = Page(time_path(), _("The law over time"), tab="law/index.md", trail=[(_("Law"), "law/index.md")])
    here = Here(view, page.path)
    page.summary = _("What changed in the law of {game}, and the law as of any day", game=view.title)
    page.add(*_bar(here))
    awaited = awaiting(here, "")
    page.add(awaited, heading=_("Not yet in force") if awaited else "", anchor="awaited")
    steps = _steps(here, view.index(older_parts)["law-time"])
    listed = _listed(here, view.index(moment_parts)[""])
    page.add(steps, listed, steps, heading=_("What changed, the newest first"), anchor="changes")
    return page


def _older(number: int, view: GameView) -> Page:
    first, last = PARTS.span(number)
    title = _("The law over time, changes {first} – {last}", first=first, last=last)
    page = Page(time_path(number), title, tab="law/index.md", trail=[(_("Law"), "law/index.md")])
    here = Here(view, page.path)
    steps = _steps(here, number)
    page.add(steps, _listed(here, view.index(moment_parts)[str(number)]), steps)
    return page


def _bar(here: Here) -> list[Html]:
    words = _(
        "Each row is a moment at which the law changed; its links lead to what changed and to the wordings of then."
    )
    place = el("div", class_="fm-time", data_law=here.beside("law.json"))
    return [el("p", words, class_="fm-lead"), place]


def _listed(here: Here, part: Sequence[Moment]) -> Html:
    rows = [
        [
            entry(here, moment.changes[-1][2]) if moment.seq else "",
            since(here, {**moment.changes[-1][2], "at": moment.at}),
            join((cause(here, each) for each in moment.causes), ", "),
            join(_told(here, moment.changes), ", "),
        ]
        for moment in reversed(part)
    ]
    columns = [_("Entry"), _("When"), _("By"), _("What changed")]
    if not rows:
        return el("p", _("There is no law yet."))
    return table(columns, rows, stacked=True, plain=frozenset(columns))


def _told(here: Here, changes: Sequence[Change]) -> list[Html]:
    """Return changes in a few words each; of many enactments at once how many there are, and the rules.

    Of very many changes at once it is said how many there are of each kind, and what they are is folded.
    """
    new = [(uid, after) for uid, before, after in changes if not after.get("repealed") and _is_new(before)]
    others = [_change(here, *each) for each in changes if each[2].get("repealed") or not _is_new(each[1])]
    if len(changes) > TOLD_AT_ONCE:
        rules = el("p", _rules(here, new)) if new else ""
        return [details(_counted(changes), rules, el("p", join(others, ", ")) if others else "")]
    if len(new) <= TOLD_APART:
        return [_change(here, *change) for change in changes]
    return [sentence("{count} rules enacted: {rules}", count=len(new), rules=_rules(here, new)), *others]


def _rules(here: Here, new: Sequence[tuple[str, Document]]) -> Html:
    """Return rules by their numbers."""
    return join((_named(here, uid, after, str(after.get("rule") or uid)) for uid, after in new), ", ")


def _counted(changes: Sequence[Change]) -> str:
    """Return how many changes of each kind there are."""
    kinds = Counter(_kind(before, after) for _uid, before, after in changes)
    said = {
        "enacted": _("{count} rules enacted", count=kinds["enacted"]),
        "changed": _("{count} changes of rules", count=kinds["changed"]),
        "renumbered": _("{count} rules renumbered", count=kinds["renumbered"]),
        "repealed": _("{count} rules repealed", count=kinds["repealed"]),
    }
    return ", ".join(words for kind, words in said.items() if kinds[kind])


def _kind(before: Document, after: Document) -> str:
    if after.get("repealed"):
        return "repealed"
    if _is_new(before):
        return "enacted"
    return "changed" if before.get("rule") == after.get("rule") else "renumbered"


def _is_new(before: Document) -> bool:
    return not before or bool(before.get("repealed"))


def _named(here: Here, uid: str, revision: Document, words: str) -> Html:
    return here.link(words, rule_path(uid), title=str(revision.get("title") or "") or None)


def _change(here: Here, uid: str, before: Document, after: Document) -> Html:
    """Return one change in a few words, with links to it and to the wording of then."""
    path, number = rule_path(uid), str(after.get("rule") or before.get("rule") or uid)
    name = _named(here, uid, after if after.get("title") else before, _("rule {number}", number=number))
    if after.get("repealed"):
        return sentence("{rule} repealed", rule=name)
    if _is_new(before):
        return sentence("{rule} enacted", rule=name)
    anchor = f"revision-{after.get('revision', '')}"
    revision = here.link(_("revision {number}", number=called(after)), path, anchor)
    if before.get("rule") != after.get("rule"):
        return sentence("{rule} renumbered from {before} ({revision})",
                        rule=name, before=before["rule"], revision=revision)  # fmt: skip
    return sentence("{rule} changed ({revision})", rule=name, revision=revision)


def _steps(here: Here, number: int) -> Html:
    """Return the links to the pages before and after that of a number; the newest comes after all older ones."""
    known = here.view.index(moment_parts)
    later = number + 1 if str(number + 1) in known else None
    links = [here.link(_("← later changes"), time_path(later))] if str(number) in known else []
    links += [here.link(_("earlier changes →"), time_path(number - 1))] if number else []
    return el("p", join(links, " · "), class_="fm-more") if links else Html("")
