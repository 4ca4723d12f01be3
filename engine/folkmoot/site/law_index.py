"""The law as a whole: an index of its rules, their full text in parts, and a page for every number that moved on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from folkmoot.core.documents import Document
from folkmoot.core.values import is_digits
from folkmoot.site.citations import linked
from folkmoot.site.forge_links import links_of, outward
from folkmoot.site.page_model import Page, Sheet
from folkmoot.site.pages.act import new_rule
from folkmoot.site.pagination import Parts
from folkmoot.site.rule_marks import cause, chips
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.indices import in_parts, of_the_law, ranks
from folkmoot.wording.markup import Html, counted, el, items, join, sentence, table
from folkmoot.wording.page_links import (
    Here,
    anchor_name,
    file_name,
    rule_path,
    text_path,
    time_path,
    titled,
)
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.translation import _, term

PART = 100
"""How many rules stand on one page of the full text."""
GONE = Parts(100)
"""How rules that are no longer in force are listed: in the order in which they were repealed."""
FILTERED = 8
"""From how many rows on a list can be narrowed by typing."""
_LAW = "law/index.md"


def whole_law(view: GameView) -> Iterator[Sheet]:
    """Return the index of the law, the pages of its full text, and those of numbers that no rule has as its id."""
    yield Sheet(_LAW, _index)
    yield from _repealed_earlier(view)
    yield from _full_text(view)
    yield from view.index(moved_numbers).values()


def _index(view: GameView) -> Page:
    page = Page(_LAW, _("The law"), summary=_("The rules of {game}, by number", game=view.title))
    here = Here(view, page.path)
    count = len(view.ranked)
    ways = [here.link(_("Read the full text"), text_path(1))] if count else []
    ways += [here.link(_("as of any day"), time_path())]
    ways += [here.file(_("as plain text"), "law.txt"), here.file(_("as {format}", format="JSON"), "law.json")]
    page.add(
        el(
            "p",
            counted(count, "{count} rule in force, by number.", "{count} rules in force, by number."),
            class_="fm-lead",
        ),
        el("p", join(ways, " · "), class_="fm-more"),
        _proposing(view),
    )
    label = _only_label(view)
    for section, uids in _by_section(view):
        rows = [_row(here, uid, view.index(ranks)[uid], label) for uid in uids]
        columns = [
            _("No."),
            _("Title"),
            term(titled(label)) if label else _("Standing"),
            _("Rank"),
            _("Changed"),
            _("By"),
        ]
        listed = table(columns, rows, numeric=1 << 3, plain=frozenset(columns) - {_("Rank")})
        page.add(
            el("div", el("div", class_="fm-filter") if len(rows) >= FILTERED else "", listed, data_filter="rules"),
            heading=_section_heading(view, section),
            anchor=anchor_name("section", section) if section else "",
        )
    gone = view.index(repeals)[""]
    if gone:
        links = [here.link(_repealed_title(number), repealed_path(number)) for number in
                 reversed(range(view.index(repeal_counts)["parts"]))]  # fmt: skip
        page.add(_gone(here, gone), items(links) if links else "", heading=_("No longer in force"), anchor="repealed")
    return page


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
    return _("Rules no longer in force, {first} – {last}", first=first, last=last)


def _repealed_earlier(view: GameView) -> Iterator[Sheet]:
    for number in range(view.index(repeal_counts)["parts"]):
        yield Sheet(repealed_path(number), partial(_repealed_part, number))


def _repealed_part(number: int, view: GameView) -> Page:
    page = Page(repealed_path(number), _repealed_title(number), tab=_LAW, trail=[(_("Law"), _LAW)])
    page.add(_gone(Here(view, page.path), view.index(repeals)[str(number)]))
    return page


def _gone(here: Here, uids: Sequence[str]) -> Html:
    """Return a list of rules that are no longer in force, by number."""
    by_number = sorted(uids, key=lambda uid: natural(here.view.number(uid)))
    return items(join([here.rule(uid), " ", phrase(here.view.rule_title(uid))]) for uid in by_number)


@of_the_law
def label_names(view: GameView) -> dict[str, list[str]]:
    """Return the names of the labels that rules in force have, as `names`."""
    names = {str(name): None for uid in view.ranked for name in view.rule(uid).get("labels") or {}}
    return {"names": [*names]}


def _only_label(view: GameView) -> str:
    """Return the name of the label that rules have, nothing where there are others, too."""
    names = view.index(label_names)["names"]
    return names[0] if len(names) == 1 else ""


def _row(here: Here, uid: str, rank: int, label: str) -> list[object]:
    rule, meta = here.view.rule(uid), here.view.law.get(uid) or {}
    title = here.link(phrase(str(rule.get("title") or _("untitled"))), rule_path(uid))
    marks = join(chips(here, uid, label), " ")
    changed = [here.when(meta.get("at")), cause(here, meta.get("cause"))]
    return [here.rule(uid, here.view.number(uid)), title, marks, rank, *changed]


def _by_section(view: GameView) -> list[tuple[str, list[str]]]:
    """Return the rules in force by the section that their label names, all by number; "" where there is none."""
    found: dict[str, list[str]] = {}
    for uid in sorted(view.ranked, key=lambda uid: natural(view.number(uid))):
        found.setdefault(str((view.rule(uid).get("labels") or {}).get("section") or ""), []).append(uid)
    return list(found.items()) if len(found) > 1 else [("", uids) for uids in found.values()]


def _section_heading(view: GameView, section: str) -> str:
    """Return what a section is headed by: its number with the title that the law gives it, or its name."""
    titles = view.registers("game", "game").get("section_titles")
    title = str(titles.get(section) or "") if isinstance(titles, dict) else ""
    name = _("Section {number}", number=section) if is_digits(section) else section
    return f"{name}: {title}" if name and title else name


def _proposing(view: GameView) -> Html:
    """Return the ways to propose a rule on the forge; nothing without one."""
    links = links_of(view)
    if links is None:
        return Html("")
    editor = _("Opens a new file in the editor of the forge")
    ways = [outward(_("✎ Propose a new rule"), new_rule(links), editor)] if links.edits else []
    ways.append(outward(("" if links.edits else "✎ ") + _("Propose a rule-change by a form"), links.form("propose")))
    return el("p", join(ways, " · "), class_="fm-more fm-edit")


def _full_text(view: GameView) -> Iterator[Sheet]:
    for number in view.index(law_parts):
        yield Sheet(text_path(number + 1), partial(_part, number + 1))


@of_the_law
def law_parts(view: GameView) -> dict[int, Sequence[str]]:
    """Return the rules in force on each page of the full text by its number from 0."""
    return in_parts(view.ranked, PART)


@of_the_law
def law_sizes(view: GameView) -> dict[str, int]:
    """Return of how many pages the full text of the law is, as `parts`."""
    return {"parts": len(view.index(law_parts))}


def _part(number: int, view: GameView) -> Page:
    parts = view.index(law_sizes)["parts"]
    title = _("The full text of the law") + (
        _(", part {number} of {parts}", number=number, parts=parts) if parts > 1 else ""
    )
    page = Page(text_path(number), title, tab=_LAW, trail=[(_("Law"), _LAW)])
    here = Here(view, page.path)
    steps = _steps(here, number, parts)
    page.add(el("p", _("All rules in force, those that take precedence first."), class_="fm-lead"), steps)
    for uid in view.index(law_parts)[number - 1]:
        rule = view.rule(uid)
        page.add(
            el("p", join([*chips(here, uid), *_links(here, uid, rule)], " "), class_="fm-chips"),
            linked(here, prose(str(rule.get("text") or ""), f"r{file_name(uid)}"), uid),
            heading=f"{view.number(uid)} {rule.get('title') or ''}",
            anchor=f"rule-{file_name(uid)}",
        )
    page.add(steps)
    return page


def _steps(here: Here, number: int, parts: int) -> Html:
    if parts == 1:
        return Html("")
    links = [here.link(_("← earlier rules"), text_path(number - 1))] if number > 1 else []
    links += [here.link(_("later rules →"), text_path(number + 1))] if number < parts else []
    return el("p", join(links, " · "), class_="fm-more")


def _links(here: Here, uid: str, rule: Document) -> list[Html]:
    """Return links to the rule's own page and to its earlier wordings."""
    count = len(here.view.wordings(uid))
    links = [here.link(_("script") if rule.get("script") else _("details"), rule_path(uid), class_="fm-more")]
    words = counted(count - 1, "{count} earlier wording", "{count} earlier wordings")
    return links + ([here.link(words, rule_path(uid), "history", class_="fm-more")] if count > 1 else [])


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
    taken = {rule_path(uid) for uid in view.law} | {_LAW}
    found = {}
    for number in sorted(view.index(bearers)):
        path = rule_path(number)
        if path not in taken:
            taken.add(path)
            found[number] = Sheet(path, partial(_moved_number, number))
    return found


def _moved_number(number: str, view: GameView) -> Page:
    path = rule_path(number)
    page = Page(path, _("Rule {number}", number=number), tab=_LAW, trail=[(_("Law"), _LAW)], searchable=True)
    here = Here(view, path)
    for uid in view.index(bearers)[number]:
        page.add(_borne(here, number, uid), prose(str(view.rule(uid).get("text") or ""), f"r{file_name(uid)}"))
    return page


def _borne(here: Here, number: str, uid: str) -> Html:
    now = here.view.number(uid)
    title = phrase(str(here.view.rule(uid).get("title") or _("untitled")))
    link = here.link(title, rule_path(uid))
    if now == number:
        said = sentence("{number} is today {rule}.", number=number, rule=link)
    else:
        said = sentence("{number} was once the number of what is now rule {now}: {rule}.",
                        number=number, now=now, rule=link)  # fmt: skip
    return el("p", said, class_="fm-lead")
