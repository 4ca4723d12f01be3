"""The rules as a whole: the index, and their full text in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby

from msgspec import Struct

from folkmoot.core.values import is_digits
from folkmoot.site.forge_links import links_of, outward
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.act import new_rule
from folkmoot.site.revisions import citing, law_text, made_by_players, since
from folkmoot.wording.game_view import GameView, in_parts, lists_by_key, natural
from folkmoot.wording.markup import Html, counted, join, strip, visible
from folkmoot.wording.page_links import Here, anchor_name, file_name, rule_path, text_path
from folkmoot.wording.prose import phrase, prose

PART, MOST_NAMED, EXCERPT = 100, 12, 170
"""How many rules stand on one page, are named one by one where several are, and how many letters say how one begins."""
FEW, SECTIONS, FRESH = 12, 24, 3
"""Up to how many rules stand in one list, and into how many sections a label divides more; how many changes are new."""
INDEX = "law/index.md"
GONE = "repealed"
"""The anchor of the rules no longer in force."""


class Listed(Struct, frozen=True):
    """A rule in a list: its number and title, what is new of it, when and by whom it came, how it begins."""

    number: str
    link: Link
    new: str = ""
    wrong: str = ""
    day: Html = Html("")
    author: Html = Html("")
    former: str = ""
    begins: str = ""


class Section(Struct, frozen=True):
    """Rules under a heading."""

    anchor: str
    title: str
    rules: tuple[Listed, ...]


class Rules(PageData, frozen=True, kw_only=True, tag="rules"):
    """What a page of the index of rules says, and which pages there are before and after it.

    `contents` are the sections, each with how many rules it has; `cited` says by which rules each rule is named.
    """

    count: Html
    sections: tuple[Section, ...]
    contents: tuple[tuple[Link, int], ...]
    cited: tuple[tuple[Html, Html], ...]
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
    asleep: bool


class FullText(PageData, frozen=True, kw_only=True, tag="full-text"):
    """What a page of the full text says."""

    rules: tuple[Whole, ...]
    before: Link | None
    after: Link | None


def whole_law(view: GameView) -> Iterator[Sheet]:
    """Return the index of the rules, and the pages of their full text."""
    for part in view.index(index_parts):
        yield Sheet(index_path(part), partial(_index, part))
    for number in in_parts(view.ranked, PART):
        yield Sheet(text_path(number + 1), partial(_full_text, number), partial(_text_of, number))


def index_path(part: int) -> str:
    """Return the path of a page of the index, by its number from 0."""
    return f"law-list/{part + 1:04}.md" if part else INDEX


# -- the index


Place = tuple[str, str, str]
"""Where a rule stands in the index: the anchor and the heading of its section, and its id."""


def index_parts(view: GameView) -> dict[int, Sequence[Place]]:
    """Return the rules on each page of the index, by its number from 0; there is always one."""
    return in_parts(list(_places(view)), PART) or {0: ()}


def _places(view: GameView) -> Iterator[Place]:
    """Yield the rules by section: those that players made first, then those from the start, then those repealed."""
    ordered = _by_number(view)
    many = len(ordered) > FEW
    made = [uid for uid in reversed(ordered) if made_by_players(view, uid)] if many else []
    yield from (("made", "Made by the players", uid) for uid in made)
    founding = [uid for uid in ordered if uid not in {*made}]
    label = _dividing(view, founding) if many else ""
    found = lists_by_key((str((view.rule(uid).get("labels") or {}).get(label) or ""), uid) for uid in founding)
    for value, uids in sorted(found.items(), key=lambda pair: not pair[0]):  # the others last
        if label:
            anchor, heading = anchor_name("section", value or "others"), _heading(view, label, value, made=bool(made))
        else:
            anchor, heading = ("founding", "From the start") if made else ("", "")
        yield from ((anchor, heading, uid) for uid in uids)
    yield from ((GONE, "No longer in force", uid) for uid in view.repealed)


def _by_number(view: GameView) -> list[str]:
    return sorted(view.ranked, key=lambda uid: natural(view.number(uid)))


def _dividing(view: GameView, uids: Sequence[str]) -> str:
    """Return the label by which rules are divided: that of sections, else one that most have with few values."""
    labels = [view.rule(uid).get("labels") or {} for uid in uids]
    names = dict.fromkeys(str(name) for each in labels for name in each)
    for name in sorted(names, key=lambda each: each != "section"):
        values = [str(each[name]) for each in labels if name in each]
        if 1 < len({*values}) <= SECTIONS and 2 * len(values) > len(labels):
            return name
    return ""


def _heading(view: GameView, label: str, value: str, *, made: bool) -> str:
    """Return what a section is headed by: its number with the title that the law gives it, or its name."""
    named = f"Section {value}" if is_digits(value) else value[:1].upper() + value[1:] or "Others"
    if label != "section":
        return f"{named} from the start" if made else named
    titles = view.registers("game", "game").get("section_titles")
    title = titles.get(value) if isinstance(titles, dict) else ""
    return f"{named}: {title}" if title else named


def _index(part: int, view: GameView) -> Rules:
    here, parts, count = Here(view, index_path(part)), view.index(index_parts), len(view.ranked)
    places, first, last = parts[part], part * PART + 1, min((part + 1) * PART, count)
    further = f"Rules {first} to {last}" if first <= last else "No longer in force"
    return Rules(
        path=here.path,
        title=further if part else "Rules",
        at=INDEX,
        summary=f"The rules of {view.title}, by number",
        searchable=part == 0,
        count=counted(count, "{count} rule in force", "{count} rules in force"),
        sections=tuple(Section(anchor, heading, tuple(listed_rule(here, uid) for *_head, uid in group))
                       for (anchor, heading), group in groupby(places, lambda place: place[:2])),
        contents=tuple(_contents(here)),
        cited=tuple((several_rules(here, [uid]), several_rules(here, by)) for *_section, uid in places
                    if (by := view.index(citing).get(uid))),
        propose=proposing(view),
        files=(Link("Plain text", here.beside("law.txt")),
               Link("JSON, with all former words", here.beside("law.json"))),
        before=Link("Earlier in the list", here.url(index_path(part - 1))) if part else None,
        after=Link("Further rules", here.url(index_path(part + 1))) if part + 1 in parts else None,
    )  # fmt: skip


def _contents(here: Here) -> Iterator[tuple[Link, int]]:
    """Yield the sections that have a heading, each with the page on which it begins."""
    everywhere = ((part, *place) for part, places in here.view.index(index_parts).items() for place in places)
    for (anchor, heading), group in groupby(everywhere, lambda place: (place[1], place[2])):
        (part, *_place), *others = group
        if anchor:
            yield Link(heading, here.url(index_path(part), anchor)), len(others) + 1


def fresh_rules(view: GameView) -> dict[str, str]:
    """Return the rules that the last changes of the law made or amended, each with what that was."""
    made = {uid: revision for uid in view.ranked if (revision := made_by_players(view, uid))}
    latest = sorted(made, key=lambda uid: -int(made[uid].get("seq") or 0))[:FRESH]
    return {uid: "new" if made[uid] is view.revisions(uid)[0] else "amended" for uid in latest}


def listed_rule(here: Here, uid: str) -> Listed:
    """Return a rule as lists show it; of one no longer in force only how it was called."""
    view, latest = here.view, made_by_players(here.view, uid)
    link = Link(phrase(view.rule_title(uid) or "untitled"), here.url(rule_path(uid)))
    meta = view.law.get(uid) or {}
    if not meta.get("in_force"):
        return Listed(view.number(uid), link)
    proposal = view.proposals.get(str(latest.get("cause"))) if latest else None
    former = [number for number in view.former_numbers(uid) if number != view.number(uid)]
    return Listed(
        number=view.number(uid),
        link=link,
        new=view.index(fresh_rules).get(uid, ""),
        wrong="asleep" if meta.get("suspended") else "failing" if meta.get("failures") else "",
        day=since(here, latest, day=True) if latest else Html(""),
        author=phrase(view.name(str(proposal.get("author") or ""))) if proposal else Html(""),
        former=f"was rule {former[-1]}" if former else "",
        begins=_beginning(str(view.rule(uid).get("text") or "")[: 3 * EXCERPT]),
    )


@lru_cache(maxsize=10_000)
def _beginning(text: str) -> str:
    """Return how a text begins, without its marks."""
    plain = " ".join(strip(prose(text)).split())
    return plain if len(plain) <= EXCERPT else f"{visible(plain[:EXCERPT]).rpartition(' ')[0]} …"


def proposing(view: GameView, uid: str = "") -> tuple[Html, ...]:
    """Return the links by which a rule, a new one without `uid`, is proposed on the forge; none without a forge."""
    links = links_of(view)
    if links is None:
        return ()
    rule, words = view.rule(uid), "Propose a change of it" if uid else "Propose a new rule"
    text = str(rule.get("text") or "").rstrip("\n")
    filled = {"rule": view.number(uid), "title": str(rule.get("title") or ""), "text": text} if uid else {}
    form = links.form("propose", **filled)
    if not links.edits:
        return (outward(words, form, button=True),)
    editor = links.edit(f"rules/{uid}.yaml") if uid else new_rule(links)
    return outward(words, editor, button=True), outward("or by a form", form)


def several_rules(here: Here, uids: Iterable[object]) -> Html:
    """Return links to rules by number and title; of many the first, and how many more."""
    view, several = here.view, [*uids]
    known = ((uid, view.uids.get(str(uid))) for uid in several[:MOST_NAMED])
    named = [here.rule(uid, f"{view.number(found)} {view.rule_title(found)}" if found else uid) for uid, found in known]
    more = len(several) - len(named)
    return join([*named, *([counted(more, "and {count} more", "and {count} more")] if more else [])], ", ")


def neighbours(view: GameView) -> dict[str, tuple[str, str]]:
    """Return by rule in force the one before and the one after it by number, "" for none."""
    ordered = ["", *_by_number(view), ""]
    return {uid: (ordered[place], ordered[place + 2]) for place, uid in enumerate(ordered[1:-1])}


# -- the full text


def _text_of(part: int, view: GameView) -> object:
    """Return all that a part of the full text is made of."""
    shown = in_parts(view.ranked, PART)
    return part, len(shown), [(view.law.get(uid), view.rule(uid)) for uid in shown[part]]


def _full_text(part: int, view: GameView) -> FullText:
    here, parts = Here(view, text_path(part + 1)), in_parts(view.ranked, PART)
    of = f", part {part + 1} of {len(parts)}" if len(parts) > 1 else ""
    return FullText(
        path=here.path,
        title="The full text of the rules" + of,
        at=text_path(1),
        rules=tuple(Whole(
            anchor=f"rule-{file_name(uid)}",
            number=view.number(uid),
            name=here.link(phrase(view.rule_title(uid) or "untitled"), rule_path(uid)),
            words=law_text(here, uid, f"r{file_name(uid)}"),
            asleep=bool((view.law.get(uid) or {}).get("suspended")),
        ) for uid in parts[part]),
        before=Link("Rules before these", here.url(text_path(part))) if part else None,
        after=Link("Further rules", here.url(text_path(part + 2))) if part + 1 in parts else None,
    )  # fmt: skip
