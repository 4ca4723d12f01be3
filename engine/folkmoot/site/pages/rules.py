"""The rules as a whole: the index, their full text in parts, and a page for every number that moved on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from folkmoot.core.values import is_digits
from folkmoot.site.citations import linked
from folkmoot.site.forge_links import links_of, outward
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.act import new_rule
from folkmoot.site.pagination import Parts
from folkmoot.site.rule_marks import made_by_players, since_day
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.indices import in_parts, of_the_law
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, counted, join, sentence, strip
from folkmoot.wording.page_links import Here, anchor_name, file_name, rule_path, text_path
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.translation import _

PART = 100
"""How many rules stand on one page of the full text, and of the index."""
GONE = Parts(100)
"""How rules that are no longer in force are listed: in the order in which they were repealed."""
FEW = 12
"""Up to how many rules stand in one list, by number."""
FRESH = 3
"""How many of the last changes of the law are marked as such."""
SECTIONS = 24
"""Into how many sections, at most, the values of a label divide rules."""
EXCERPT = 170
INDEX = "law/index.md"


class Listed(Struct, frozen=True):
    """A rule in a list: its number and title, what is new of it, when and by whom it came, how it begins."""

    number: str
    link: Link
    new: str
    wrong: str
    by: Html
    former: str
    begins: str


class Section(Struct, frozen=True):
    """Rules under a heading."""

    anchor: str
    title: str
    rules: tuple[Listed, ...]


class Entry(Struct, frozen=True):
    """A line of the contents: a section, how many rules it has, and where it begins."""

    link: Link
    count: int


class Rules(PageData, frozen=True, kw_only=True, tag="rules"):
    """What a page of the index of rules says, and which pages there are before and after it."""

    head: str
    count: Html
    sections: tuple[Section, ...]
    contents: tuple[Entry, ...]
    gone: tuple[Link, ...]
    gone_more: tuple[Link, ...]
    propose: tuple[Html, ...]
    files: tuple[Link, ...]
    before: Link | None
    after: Link | None


class Whole(Struct, frozen=True):
    """A rule in the full text."""

    anchor: str
    number: str
    name: Html
    words: Html
    marks: tuple[str, ...]
    more: tuple[Link, ...]


class FullText(PageData, frozen=True, kw_only=True, tag="full-text"):
    """What a page of the full text says."""

    rules: tuple[Whole, ...]
    before: Link | None
    after: Link | None


class Number(PageData, frozen=True, kw_only=True, tag="number"):
    """What the page of a number says that rules bear or bore, whose pages stand elsewhere: of each, and its words."""

    bearers: tuple[tuple[Html, Html], ...]


def whole_law(view: GameView) -> Iterator[Sheet]:
    """Return the index of the rules, the pages of their full text, and those of numbers that no rule has as its id."""
    for part in view.index(index_parts):
        yield Sheet(index_path(part), partial(_index, part))
    yield from _repealed_earlier(view)
    for number in view.index(law_parts):
        yield Sheet(text_path(number + 1), partial(_full_text, number + 1))
    yield from view.index(moved_numbers).values()


def index_path(part: int) -> str:
    """Return the path of a page of the index, by its number from 0."""
    return f"law-list/{part + 1:04}.md" if part else INDEX


class Place(Struct, frozen=True):
    """Where a rule stands in the index: in which section, by the name and value of a label."""

    uid: str
    anchor: str = ""
    label: str = ""
    value: str = ""


@of_the_law
def index_parts(view: GameView) -> dict[int, Sequence[Place]]:
    """Return the rules on each page of the index, by its number from 0; there is always one."""
    return in_parts(list(_places(view)), PART) or {0: ()}


def _places(view: GameView) -> Iterator[Place]:
    """Yield the rules in force by section: those that players made first, then those that the game began with."""
    ordered = sorted(view.ranked, key=lambda uid: natural(view.number(uid)))
    made = [uid for uid in reversed(ordered) if made_by_players(view, uid)] if len(ordered) > FEW else []
    founding = [uid for uid in ordered if uid not in {*made}]
    yield from (Place(uid, "made") for uid in made)
    label = _dividing(view, founding) if len(ordered) > FEW else ""
    found: dict[str, list[str]] = {}
    for uid in founding:
        found.setdefault(str((view.rule(uid).get("labels") or {}).get(label) or ""), []).append(uid)
    for value, uids in sorted(found.items(), key=lambda pair: not pair[0]):  # the others last
        anchor = anchor_name("section", value or "others") if label else "founding" if made else ""
        yield from (Place(uid, anchor, label, value) for uid in uids)


def _dividing(view: GameView, uids: Sequence[str]) -> str:
    """Return the label by which rules are divided: that of sections, else one that most have with few values."""
    labels = [view.rule(uid).get("labels") or {} for uid in uids]
    names = dict.fromkeys(str(name) for each in labels for name in each)
    for name in sorted(names, key=lambda each: each != "section"):
        values = [str(each[name]) for each in labels if name in each]
        if 1 < len({*values}) <= SECTIONS and 2 * len(values) > len(labels):
            return name
    return ""


def _heading(view: GameView, place: Place) -> str:
    """Return what a section is headed by: its number with the title that the law gives it, or its name."""
    made = view.index(index_parts)[0][0].anchor == "made"
    if not place.label:
        return _("Made by the players") if place.anchor == "made" else _("From the start") if made else ""
    titles = view.registers("game", "game").get("section_titles") if place.label == "section" else None
    title = str(titles.get(place.value) or "") if isinstance(titles, dict) else ""
    number = _("Section {number}", number=place.value)
    named = number if is_digits(place.value) else place.value[:1].upper() + place.value[1:] or _("Others")
    if title:
        return f"{named}: {title}"
    return _("{section} from the start", section=named) if made and place.label != "section" else named


def _index(part: int, view: GameView) -> Rules:
    here, parts = Here(view, index_path(part)), view.index(index_parts)
    places, fresh = parts[part], view.index(fresh_rules)
    sections = {place.anchor: _heading(view, place) for place in places}
    count = len(view.ranked)
    gone = view.index(repeals)[""] if part == len(parts) - 1 else ()
    first = part * PART + 1
    head = _("Rules {first} to {last}", first=first, last=first + len(places) - 1) if part else _("Rules")
    return Rules(
        path=here.path,
        title=head,
        head=head,
        part="rules",
        at=INDEX,
        summary=_("The rules of {game}, by number", game=view.title),
        searchable=part == 0,
        count=counted(count, "{count} rule in force", "{count} rules in force"),
        sections=tuple(
            Section(anchor, title, tuple(_listed(here, each.uid, fresh) for each in places if each.anchor == anchor))
            for anchor, title in sections.items()
        ),
        contents=tuple(_contents(here)),
        gone=tuple(_gone(here, gone)),
        gone_more=tuple(
            Link(_repealed_title(number), here.url(repealed_path(number)))
            for number in reversed(range(view.index(repeal_counts)["parts"]))
        ) if part == len(parts) - 1 else (),
        propose=_proposing(view),
        files=(
            Link(_("Plain text"), here.beside("law.txt")),
            Link(_("JSON, with all former words"), here.beside("law.json")),
        ),
        before=Link(_("Earlier in the list"), here.url(index_path(part - 1))) if part else None,
        after=Link(_("Further rules"), here.url(index_path(part + 1))) if part + 1 in parts else None,
    )  # fmt: skip


def _contents(here: Here) -> Iterator[Entry]:
    """Yield the sections, each with the page on which it begins; none where there is one only."""
    found: dict[str, list[tuple[int, Place]]] = {}
    for part, places in here.view.index(index_parts).items():
        for place in places:
            found.setdefault(place.anchor, []).append((part, place))
    for anchor, several in found.items() if len(found) > 1 else ():
        part, place = several[0]
        yield Entry(Link(_heading(here.view, place), here.url(index_path(part), anchor)), len(several))


@of_the_law
def fresh_rules(view: GameView) -> dict[str, str]:
    """Return the rules that the last changes of the law made or amended, each with what that was."""
    made = {uid: revision for uid in view.ranked if (revision := made_by_players(view, uid))}
    latest = sorted(made, key=lambda uid: -int(made[uid].get("seq") or 0))[:FRESH]
    return {uid: _("new") if made[uid] is view.revisions(uid)[0] else _("amended") for uid in latest}


def _listed(here: Here, uid: str, fresh: Mapping[str, str]) -> Listed:
    view, rule, meta = here.view, here.view.rule(uid), here.view.law.get(uid) or {}
    wrong = _("asleep") if meta.get("suspended") else _("failing") if meta.get("failures") else ""
    former = [number for number in view.former_numbers(uid) if number != view.number(uid)]
    return Listed(
        number=view.number(uid),
        link=Link(phrase(str(rule.get("title") or _("untitled"))), here.url(rule_path(uid))),
        new=fresh.get(uid, ""),
        wrong=wrong,
        by=_made_by(here, uid),
        former=_("was rule {number}", number=former[-1]) if former else "",
        begins=_begins(str(rule.get("text") or "")),
    )


def _made_by(here: Here, uid: str) -> Html:
    """Return on which day a rule got its words, and by whom; nothing for one that is as the game began."""
    latest = made_by_players(here.view, uid)
    if latest is None:
        return Html("")
    proposal = here.view.proposals.get(str(latest.get("cause")))
    day, author = since_day(here, latest), str(proposal.get("author") or "") if proposal else ""
    return sentence("{day} by {author}", day=day, author=phrase(here.view.name(author))) if author else day


def _begins(text: str) -> str:
    """Return how a text begins, in whole words and without its marks."""
    plain = " ".join(strip(prose(text[: 3 * EXCERPT])).split())
    return plain if len(plain) <= EXCERPT else f"{visible(plain[:EXCERPT]).rpartition(' ')[0]} …"


@of_the_law
def repeals(view: GameView) -> dict[str, Sequence[str]]:
    """Return the rules no longer in force: those repealed last as "", all before by the numbers of their pages."""
    known = sorted(view.repealed, key=lambda uid: int((view.law[uid] or {}).get("seq") or 0))
    return {"": GONE.newest(known)} | {str(number): GONE.of(known, number) for number in GONE.older(known)}


@of_the_law
def repeal_counts(view: GameView) -> dict[str, int]:
    """Return how many pages of rules there are that were repealed earlier, as `parts`."""
    return {"parts": len(view.index(repeals)) - 1}


def repealed_path(number: int) -> str:
    """Return the path of a page of rules that were repealed earlier."""
    return f"law-repealed/{number + 1:04}.md"


def _repealed_title(number: int) -> str:
    first, last = GONE.span(number)
    return _("Repealed rules {first} to {last}", first=first, last=last)


def _repealed_earlier(view: GameView) -> Iterator[Sheet]:
    for number in range(view.index(repeal_counts)["parts"]):
        yield Sheet(repealed_path(number), partial(_repealed_part, number))


def _repealed_part(number: int, view: GameView) -> Rules:
    here, title = Here(view, repealed_path(number)), _repealed_title(number)
    return Rules(
        path=here.path, title=title, head=title, part="rules", at=INDEX, count=Html(""), sections=(), contents=(),
        gone=tuple(_gone(here, view.index(repeals)[str(number)])), gone_more=(), propose=(), files=(),
        before=Link(_("All rules"), here.url(INDEX)), after=None,
    )  # fmt: skip


def _gone(here: Here, uids: Sequence[str]) -> Iterator[Link]:
    """Yield links to rules that are no longer in force, by number."""
    for uid in sorted(uids, key=lambda uid: natural(here.view.number(uid))):
        words = join([here.view.number(uid), phrase(here.view.rule_title(uid))], " ")
        yield Link(words, here.url(rule_path(uid)))


def _proposing(view: GameView) -> tuple[Html, ...]:
    """Return the ways to propose a rule on the forge; none without one."""
    links = links_of(view)
    if links is None:
        return ()
    form, words = links.form("propose"), _("Propose a new rule")
    if not links.edits:
        return (outward(words, form, button=True),)
    return outward(words, new_rule(links), button=True), outward(_("or by a form"), form)


@of_the_law
def law_parts(view: GameView) -> dict[int, Sequence[str]]:
    """Return the rules in force on each page of the full text by its number from 0."""
    return in_parts(view.ranked, PART)


@of_the_law
def law_sizes(view: GameView) -> dict[str, int]:
    """Return of how many pages the full text of the law is, as `parts`."""
    return {"parts": len(view.index(law_parts))}


def _full_text(number: int, view: GameView) -> FullText:
    here, parts = Here(view, text_path(number)), view.index(law_sizes)["parts"]
    of = _(", part {number} of {parts}", number=number, parts=parts) if parts > 1 else ""
    return FullText(
        path=here.path,
        title=_("The full text of the rules") + of,
        part="rules",
        at=text_path(1),
        rules=tuple(_whole(here, uid) for uid in view.index(law_parts)[number - 1]),
        before=Link(_("Rules before these"), here.url(text_path(number - 1))) if number > 1 else None,
        after=Link(_("Further rules"), here.url(text_path(number + 1))) if number < parts else None,
    )


def _whole(here: Here, uid: str) -> Whole:
    view, rule, meta = here.view, here.view.rule(uid), here.view.law.get(uid) or {}
    count = len(view.wordings(uid)) - 1
    words = counted(count, "{count} earlier wording", "{count} earlier wordings")
    more = [Link(_("what it does"), here.url(rule_path(uid)))] if rule.get("script") else []
    more += [Link(words, here.url(rule_path(uid), "history"))] if count > 0 else []
    return Whole(
        anchor=f"rule-{file_name(uid)}",
        number=view.number(uid),
        name=here.link(phrase(str(rule.get("title") or _("untitled"))), rule_path(uid)),
        words=linked(here, prose(str(rule.get("text") or ""), f"r{file_name(uid)}"), uid),
        marks=(_("asleep"),) if meta.get("suspended") else (),
        more=tuple(more),
    )


@of_the_law
def bearing(view: GameView) -> dict[str, list[str]]:
    """Return by every number the rules in force that bear it today."""
    found: dict[str, list[str]] = {}
    for uid in view.ranked:
        found.setdefault(view.number(uid), []).append(uid)
    return found


@of_the_law
def bearers(view: GameView) -> dict[str, list[str]]:
    """Return by every number the rules that bear it today or bore it once, those that bear it today first."""
    found: dict[str, list[str]] = {}
    for uid in (*view.ranked, *view.repealed):
        found.setdefault(view.number(uid), []).append(uid)
    for uid in (*view.ranked, *view.repealed):
        for number in view.former_numbers(uid):
            if uid not in found.setdefault(number, []):
                found[number].append(uid)
    return found


@of_the_law
def moved_numbers(view: GameView) -> dict[str, Sheet]:
    """Return a page for every number that leads to rules of another id, so that an address by number stays true."""
    taken = {rule_path(uid) for uid in view.law} | {INDEX}
    found = {}
    for number in sorted(view.index(bearers)):
        path = rule_path(number)
        if path not in taken:
            taken.add(path)
            found[number] = Sheet(path, partial(_number, number))
    return found


def _number(number: str, view: GameView) -> Number:
    here = Here(view, rule_path(number))
    return Number(
        path=here.path,
        title=_("Rule {number}", number=number),
        part="rules",
        at=INDEX,
        searchable=True,
        bearers=tuple(
            (_borne(here, number, uid), prose(str(view.rule(uid).get("text") or ""), f"r{file_name(uid)}"))
            for uid in view.index(bearers)[number]
        ),
    )


def _borne(here: Here, number: str, uid: str) -> Html:
    now = here.view.number(uid)
    title = phrase(str(here.view.rule(uid).get("title") or _("untitled")))
    link = here.link(title, rule_path(uid))
    if now == number:
        return sentence("{number} is today {rule}.", number=number, rule=link)
    return sentence("{number} was once the number of what is now rule {now}: {rule}.",
                    number=number, now=now, rule=link)  # fmt: skip
