"""The rules over time: how many there were after each change, what changed, and which words stood how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.site.law_changes import Change, Moment, moments
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.rule_activity import awaited_by
from folkmoot.site.rule_marks import brought, made_by_players, since, taken_over
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, counted, join, sentence
from folkmoot.wording.page_links import Here, rule_path, time_path
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

PARTS = Parts(100)
STEPPED = 40
"""How many of the last changes stand behind buttons; those before them are listed."""
COLUMNS, LANES = 30, 60
"""Into how many columns the time is divided, at most, and how many rules have a row there."""
TOLD_APART, NAMED = 3, 60
"""How many rules of which the same became at once are told each for itself, and how many are named at all."""
SEVERAL = {
    "new": "{count} new rules: {rules}",
    "amended": "{count} rules were amended: {rules}",
    "repealed": "{count} rules were repealed: {rules}",
}


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


class Lane(Struct, frozen=True):
    """A rule with its versions; `several` says that there are more than one."""

    number: str
    link: Link
    segments: tuple[Segment, ...]
    several: bool


class OverTime(PageData, frozen=True, kw_only=True, tag="rules-over-time"):
    """What a page of the rules over time says; `law` is the address of the file with all wordings, on the newest."""

    head: str
    lead: tuple[Html, ...]
    awaited: tuple[Html, ...]
    steps: tuple[Step, ...]
    earlier: tuple[Step, ...]
    columns: tuple[str, ...]
    lanes: tuple[Lane, ...]
    law: str
    before: Link | None
    after: Link | None


def law_time(view: GameView) -> Iterator[Sheet]:
    """Return the pages of the rules over time: one of the newest changes, and those of all before."""
    yield Sheet(time_path(), _newest)
    for number in PARTS.older(moments(view)):
        yield Sheet(time_path(number), partial(_older, number))


@of_the_law
def law_sizes_in_time(view: GameView) -> dict[int, int]:
    """Return how many rules were in force after each change, by its number from 0."""
    found, count = {}, 0
    for number, moment in enumerate(moments(view)):
        for _uid, before, after in moment.changes:
            count += bool(_is_new(before) and not after.get("repealed")) - bool(
                not _is_new(before) and after.get("repealed")
            )
        found[number] = count
    return found


def _newest(view: GameView) -> OverTime:
    here, known = Here(view, time_path()), moments(view)
    older = len(PARTS.older(known))
    steps = [_step(here, number, known) for number in range(older * PARTS.size, len(known))]
    columns, lanes = _lanes(here, known)
    return OverTime(
        path=here.path,
        title=_("The rules over time"),
        head=_("The rules over time"),
        part="rules",
        summary=_("What changed in the rules of {game}, and how they read on any day", game=view.title),
        lead=tuple(_lead(here, known)),
        awaited=awaited_by(here, ""),
        steps=tuple(reversed(steps[-STEPPED:])),
        earlier=tuple(reversed(steps[:-STEPPED])),
        columns=columns,
        lanes=lanes,
        law=here.beside("law.json"),
        before=Link(_("Earlier changes"), here.url(time_path(older - 1))) if older else None,
        after=None,
    )


def _older(number: int, view: GameView) -> OverTime:
    here, known = Here(view, time_path(number)), moments(view)
    first, last = PARTS.span(number)
    title = _("Changes {first} to {last} of the rules", first=first, last=last)
    later = time_path(number + 1) if number + 1 in PARTS.older(known) else time_path()
    return OverTime(
        path=here.path, title=title, head=title, part="rules", at=time_path(), lead=(), awaited=(), steps=(),
        earlier=tuple(_step(here, each, known) for each in reversed(range(first - 1, last))), columns=(), lanes=(),
        law="",
        before=Link(_("Earlier changes"), here.url(time_path(number - 1))) if number else None,
        after=Link(_("Later changes"), here.url(later)),
    )  # fmt: skip


def _lead(here: Here, known: Sequence[Moment]) -> Iterator[Html]:
    """Yield how many rules there were at first and are now, and how many were added, amended and repealed."""
    if not known:
        yield sentence("There are no rules yet.")
        return
    sizes = here.view.index(law_sizes_in_time)
    first, last = known[0], known[-1]
    rules = counted(sizes[0], "{count} rule", "{count} rules")
    if len(known) == 1:
        yield sentence("{rules} since {day}, and no change.", rules=rules, day=here.day(first.at))
        return
    yield sentence("{rules} on {before}, {count} on {day}.", rules=rules, before=here.day(first.at),
                   count=sizes[len(known) - 1], day=here.day(last.at))  # fmt: skip
    kinds = Counter(_kind(before, after) for moment in known[1:] for _uid, before, after in _combined(moment))
    yield sentence("{new} were added, {changed} amended, {repealed} repealed.", new=kinds["new"] or _("none"),
                   changed=kinds["amended"] + kinds["renumbered"] or _("none"),
                   repealed=kinds["repealed"] or _("none"))  # fmt: skip


def _step(here: Here, number: int, known: Sequence[Moment]) -> Step:
    moment, last = known[number], known[-1]
    latest = {**moment.changes[-1][2], "at": moment.at}
    name = _address(known, number)
    return Step(
        number=number,
        at=since(here, latest),
        by=join((brought(here, each) for each in _causes(moment)), ", "),
        count=here.view.index(law_sizes_in_time)[number],
        said=tuple(_told(here, moment)),
        entry=Html("") if taken_over(here, latest) else here.entry(moment.seq),
        then=f"{here.url(time_path())}#at={name}",
        later="" if moment is last else f"{here.url(time_path())}#at={_address(known, len(known) - 1)}&since={name}",
    )


def _causes(moment: Moment) -> Iterator[Document]:
    """Yield a revision of a moment for each thing by which it was brought about."""
    yield from {str(after.get("cause")): after for _uid, _before, after in moment.changes}.values()


def _address(known: Sequence[Moment], number: int) -> str:
    """Return by what `law-time.js` finds a moment: its entry, with the day where that has several."""
    moment = known[number]
    several = number + 1 < len(known) and known[number + 1].seq == moment.seq
    latest = moment.changes[-1][2].get("at")
    return f"{moment.seq}@{str(latest or '')[:10]}" if several else str(moment.seq)


def _combined(moment: Moment) -> Iterator[Change]:
    """Yield what became of each rule at a moment, from its first revision then to its last."""
    found: dict[str, Change] = {}
    for uid, before, after in moment.changes:
        found[uid] = (uid, found[uid][1] if uid in found else before, after)
    yield from found.values()


def _told(here: Here, moment: Moment) -> Iterator[Html]:
    """Yield what changed at a moment: titles of what was proposed, then each change; many new rules in one line."""
    for each in moment.causes:
        if each in here.view.proposals:
            yield sentence("“{title}”", title=phrase(str(here.view.proposals[each].get("title") or _("untitled"))))
    alike: dict[str, list[Change]] = {}
    for change in _combined(moment):
        alike.setdefault(_kind(change[1], change[2]), []).append(change)
    for kind, changes in alike.items():
        if len(changes) > TOLD_APART and kind in SEVERAL:
            names = [_named(here, uid, after, str(after.get("rule") or before.get("rule") or uid))
                     for uid, before, after in changes[:NAMED]]  # fmt: skip
            names += [counted(len(changes) - NAMED, "{count} more", "{count} more")] if len(changes) > NAMED else []
            yield sentence(SEVERAL[kind], count=len(changes), rules=join(names, ", "))
        else:
            yield from (_change(here, *change) for change in changes)


def _kind(before: Document, after: Document) -> str:
    if after.get("repealed"):
        return "repealed"
    if _is_new(before):
        return "new"
    return "amended" if before.get("rule") == after.get("rule") else "renumbered"


def _is_new(before: Document) -> bool:
    return not before or bool(before.get("repealed"))


def _named(here: Here, uid: str, revision: Document, words: str) -> Html:
    return here.link(words, rule_path(uid), title=str(revision.get("title") or "") or None)


def _change(here: Here, uid: str, before: Document, after: Document) -> Html:
    """Return what became of a rule in a few words, with a link to how its words changed."""
    kind, number = _kind(before, after), str(after.get("rule") or before.get("rule") or uid)
    name = _named(here, uid, after if after.get("title") else before, _("rule {number}", number=number))
    if kind == "repealed":
        return sentence("{rule} was repealed", rule=name)
    if kind == "new":
        return sentence("a new {rule}, {title}", rule=name, title=phrase(str(after.get("title") or _("untitled"))))
    link = here.link(_("rule {number}", number=number), rule_path(uid), f"revision-{after.get('revision', '')}")
    if kind == "renumbered":
        return sentence("rule {before} became {rule}", before=str(before.get("rule")), rule=link)
    return sentence("{rule} was amended", rule=link)


def _lanes(here: Here, known: Sequence[Moment]) -> tuple[tuple[str, ...], tuple[Lane, ...]]:
    """Return the columns of time, and each rule that players made or amended with its versions in them."""
    width = -(-len(known) // COLUMNS) or 1
    columns = tuple(str(number) for number in range(0, len(known), width))
    column = {
        _key(uid, after): number // width for number, each in enumerate(known) for uid, _before, after in each.changes
    }
    view = here.view
    changed = [uid for uid in view.ranked if made_by_players(view, uid)]
    changed.sort(key=lambda uid: natural(view.number(uid)))
    lanes = []
    for uid in changed[-LANES:]:
        segments = tuple(_segments(here, uid, column, len(columns)))
        link = Link(phrase(view.rule_title(uid)), here.url(rule_path(uid)))
        lanes.append(Lane(view.number(uid), link, segments, sum(each.version > 0 for each in segments) > 1))
    return columns if lanes else (), tuple(lanes)


def _key(uid: str, revision: Document) -> tuple[object, ...]:
    return uid, revision.get("seq"), revision.get("revision"), revision.get("repealed")


def _segments(here: Here, uid: str, column: Mapping[tuple[object, ...], int], end: int) -> Iterator[Segment]:
    """Yield how long each version of a rule stood; of several in one column the last."""
    starts: dict[int, Document] = {}
    for revision in (each for each in here.view.revisions(uid) if each.get("cause")):
        starts[column[_key(uid, revision)]] = revision
    places = [*starts, end]
    if places[0]:
        yield Segment(places[0], 0, last=False, to="")
    for number, (start, stop) in enumerate(pairwise(places), 1):
        revision = starts[start]
        to = here.url(rule_path(uid), f"revision-{revision.get('revision', '')}")
        version = 0 if revision.get("repealed") else number
        yield Segment(stop - start, version, last=stop == end, to=to)
