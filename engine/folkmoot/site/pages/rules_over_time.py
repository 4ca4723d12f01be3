"""The rules over time: how many there were after each change, what changed, and which words stood how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.site.page_data import Link, PageData, Parts
from folkmoot.site.page_model import Sheet
from folkmoot.site.revisions import Change, Moment, brought, made_by_players, moments, since, taken_over
from folkmoot.wording.game_view import GameView, lists_by_key, natural
from folkmoot.wording.markup import Html, counted, join, sentence
from folkmoot.wording.page_links import Here, rule_path, time_path
from folkmoot.wording.prose import phrase

PARTS = Parts(100)
STEPPED = 40
"""How many of the last changes stand behind buttons; those before them are listed."""
COLUMNS, LANES = 30, 60
"""Into how many columns the time is divided, at most, and how many rules have a row there."""
TOLD_APART, NAMED = 3, 60
"""How many rules of which the same became at once are told each for itself, and how many are named at all."""
BECAME = {
    "new": ("a new {rule}, {title}", "{count} new rules: {rules}"),
    "amended": ("{rule} was amended", "{count} rules were amended: {rules}"),
    "renumbered": ("rule {before} became {rule}", "{count} rules have other numbers: {rules}"),
    "repealed": ("{rule} was repealed", "{count} rules were repealed: {rules}"),
}
"""What became of a rule, and of several of which the same became."""


class Step(Struct, frozen=True):
    """A change of the rules: its number, when and by what it came, how many rules there were then, what changed.

    `then` leads to the rules as they read then, `later` to what has changed since.
    """

    number: int
    at: Html
    by: Html
    count: int
    said: tuple[Html, ...]
    entry: Html
    then: str
    later: str


class Segment(Struct, frozen=True):
    """How long something stood: over how many columns, as which version (0: there was none), and where to read it."""

    width: int
    version: int
    last: bool
    to: str


class OverTime(PageData, frozen=True, kw_only=True, tag="rules-over-time"):
    """What a page of the rules over time says; `law` is the address of the file with all wordings, on the newest.

    `since` and `now` are the days of the first and the last change, with how many rules there were then, `lanes` the
    rules that players made or amended, by number, with their versions.
    """

    since: tuple[Html, int]
    now: tuple[Html, int]
    added: int
    amended: int
    repealed: int
    steps: tuple[Step, ...]
    earlier: tuple[Step, ...]
    columns: tuple[str, ...]
    lanes: tuple[tuple[str, Link, tuple[Segment, ...]], ...]
    law: str
    before: Link | None
    after: Link | None


def law_time(view: GameView) -> Iterator[Sheet]:
    """Return the pages of the rules over time: one of the newest changes, and those of all before."""
    yield Sheet(time_path(), partial(_page, None))
    for part in PARTS.older(moments(view)):
        yield Sheet(time_path(part), partial(_page, part), partial(_made_of, part))


def _made_of(part: int, view: GameView) -> object:
    """Return all that a page of earlier changes is made of."""
    known, end = moments(view), (part + 1) * PARTS.size
    changes = [(uid, _in_force(before), before.get("rule"), before.get("title"), {**now, "text": None, "script": None})
               for moment in PARTS.of(known, part) for uid, before, now in moment.changes]  # fmt: skip
    follows = part + 1 in PARTS.older(known)  # else the page of the newest changes does
    return [changes, view.index(law_sizes_in_time)[end - 1], known[end].seq, end + PARTS.size, follows]


def law_sizes_in_time(view: GameView) -> dict[int, int]:
    """Return how many rules were in force after each change, by its number from 0."""
    found, count = {}, 0
    for number, moment in enumerate(moments(view)):
        count += sum(_in_force(after) - _in_force(before) for _uid, before, after in moment.changes)
        found[number] = count
    return found


def _in_force(revision: Document) -> bool:
    return bool(revision) and not revision.get("repealed")


def _page(number: int | None, view: GameView) -> OverTime:
    """Return a page of earlier changes by its number, without one that of the newest."""
    here, known, newest = Here(view, time_path(number)), moments(view), number is None
    last = len(PARTS.older(known))
    part = last if number is None else number
    first, end = part * PARTS.size, len(known) if newest else (part + 1) * PARTS.size
    steps = [_step(here, number, known) for number in reversed(range(first, end))]
    columns = range(0, len(known), -(-len(known) // COLUMNS) or 1)
    lanes = tuple(_lanes(here, known, columns)) if newest else ()
    later = known[1:] if newest else []
    kinds = Counter(_kind(before, after) for moment in later for _uid, before, after in _combined(moment))
    sizes = view.index(law_sizes_in_time)
    return OverTime(
        path=here.path,
        title="The rules over time" if newest else f"Changes {first + 1} to {end} of the rules",
        at=time_path(),
        summary=f"What changed in the rules of {view.title}, and how they read on any day" if newest else "",
        since=(here.day(known[0].at), sizes[0]) if known and newest else (Html(""), 0),
        now=(here.day(known[-1].at), sizes[len(known) - 1]) if known and newest else (Html(""), 0),
        added=kinds["new"],
        amended=kinds["amended"] + kinds["renumbered"],
        repealed=kinds["repealed"],
        steps=tuple(steps[:STEPPED]) if newest else (),
        earlier=tuple(steps[STEPPED:] if newest else steps),
        columns=tuple(map(str, columns)) if lanes else (),
        lanes=lanes,
        law=here.beside("law.json") if newest else "",
        before=Link("Earlier changes", here.url(time_path(part - 1))) if part else None,
        after=None if newest else Link("Later changes", here.url(time_path(part + 1 if part + 1 < last else None))),
    )


# -- the changes


def _step(here: Here, number: int, known: Sequence[Moment]) -> Step:
    moment, bar, later = known[number], here.url(time_path()), known[number + 1 : number + 2]
    latest, name = {**moment.changes[-1][2], "at": moment.at}, str(moment.seq)  # by which `law-time.js` finds a moment
    if any(each.seq == moment.seq for each in later):
        name += f"@{str(moment.changes[-1][2].get('at') or '')[:10]}"
    return Step(
        number=number,
        at=since(here, latest),
        by=join((brought(here, each) for each in moment.causes.values()), ", "),
        count=here.view.index(law_sizes_in_time)[number],
        said=tuple(_told(here, moment)),
        entry=Html("") if taken_over(here, latest) else here.entry(moment.seq),
        then=f"{bar}#at={name}",
        later=f"{bar}#since={name}" if later else "",
    )


def _combined(moment: Moment) -> list[Change]:
    """Return what became of each rule at a moment, from its first revision then to its last."""
    found: dict[str, Change] = {}
    for uid, before, after in moment.changes:
        found[uid] = (uid, found[uid][1] if uid in found else before, after)
    return [*found.values()]


def _told(here: Here, moment: Moment) -> Iterator[Html]:
    """Yield what changed at a moment: titles of what was proposed, then each change; many new rules in one line."""
    for proposal in (here.view.proposals[each] for each in moment.causes if each in here.view.proposals):
        yield sentence("“{title}”", title=phrase(str(proposal.get("title") or "untitled")))
    for kind, changes in lists_by_key((_kind(*change[1:]), change) for change in _combined(moment)).items():
        one, several = BECAME[kind]
        if len(changes) <= TOLD_APART:
            for uid, before, after in changes:
                link = _link(here, uid, before, after, f"rule {_number(uid, before, after)}")
                title = phrase(str(after.get("title") or "untitled"))
                yield sentence(one, rule=link, before=str(before.get("rule")), title=title)
            continue
        names = [_link(here, *change, _number(*change)) for change in changes[:NAMED]]
        names += [counted(len(changes) - NAMED, "{count} more", "{count} more")] if len(changes) > NAMED else []
        yield sentence(several, count=len(changes), rules=join(names, ", "))


def _kind(before: Document, after: Document) -> str:
    if after.get("repealed"):
        return "repealed"
    if not _in_force(before):
        return "new"
    return "amended" if before.get("rule") == after.get("rule") else "renumbered"


def _number(uid: str, before: Document, after: Document) -> str:
    return str(after.get("rule") or before.get("rule") or uid)


def _link(here: Here, uid: str, before: Document, after: Document, words: str) -> Html:
    """Return a link to how a rule came to read so."""
    anchor = "" if after.get("repealed") else f"revision-{after.get('revision', '')}"
    return here.link(words, rule_path(uid), anchor, title=str(after.get("title") or before.get("title") or "") or None)


# -- how long each wording stood


def _lanes(here: Here, known: Sequence[Moment], columns: range) -> Iterator[tuple[str, Link, tuple[Segment, ...]]]:
    """Yield each rule that players made or amended with its versions in columns of time."""
    view, column = here.view, dict[int, int]()
    for number, moment in enumerate(known):
        column.update((id(after), number // columns.step) for _uid, _before, after in moment.changes)
    changed = sorted(filter(partial(made_by_players, view), view.ranked), key=lambda uid: natural(view.number(uid)))
    for uid in changed[-LANES:]:
        starts = {column[id(each)]: each for each in view.revisions(uid) if each.get("cause")}  # of several the last
        segments = [Segment(min(starts), 0, last=False, to="")] if min(starts) else []
        for number, (start, stop) in enumerate(pairwise([*starts, len(columns)]), 1):
            revision = starts[start]
            to = here.url(rule_path(uid), f"revision-{revision.get('revision', '')}")
            version = 0 if revision.get("repealed") else number
            segments.append(Segment(stop - start, version, last=stop == len(columns), to=to))
        yield view.number(uid), Link(phrase(view.rule_title(uid)), here.url(rule_path(uid))), tuple(segments)
