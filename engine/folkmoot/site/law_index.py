"""The law as a whole: an index of its rules, their full text in parts, and a page for every number that moved on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from folkmoot.core.documents import Document
from folkmoot.core.values import is_digits
from folkmoot.site.acting import new_rule
from folkmoot.site.citations import linked
from folkmoot.site.document import Page
from folkmoot.site.forge_links import links_of, outward
from folkmoot.site.rule_marks import cause, chips
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.markup import Html, el, items, join, table
from folkmoot.wording.page_links import Here, anchor_name, file_name, rule_path, text_path, time_path
from folkmoot.wording.prose import phrase, prose

PART = 100
"""How many rules stand on one page of the full text."""
FILTERED = 8
"""From how many rows on a list can be narrowed by typing."""
_LAW = ("Law", "law/index.md")


def whole_law(view: GameView) -> Iterator[Page]:
    """Return the index of the law, the pages of its full text, and those of numbers that no rule has as its id."""
    yield _index(view)
    yield from _full_text(view)
    yield from _moved_numbers(view)


def _index(view: GameView) -> Page:
    page = Page("law/index.md", "The law", summary=f"The rules of {view.title}, by number")
    here = Here(view, page.path)
    count = len(view.ranked)
    ways = [here.link("Read the full text", text_path(1))] if count else []
    ways += [here.link("as of any day", time_path(1))]
    ways += [here.file("as plain text", "law.txt"), here.file("with its history", "law-history.txt"),
             here.file("as YAML", "law.yaml"), here.file("as JSON", "law.json")]  # fmt: skip
    page.add(
        el("p", f"{count} rules in force, by number.", class_="fm-lead"),
        el("p", join(ways, " · "), class_="fm-more"),
        _proposing(view),
    )
    ranks = {uid: rank for rank, uid in enumerate(view.ranked, 1)}
    for section, uids in _by_section(view):
        rows = [_row(here, uid, ranks[uid]) for uid in uids]
        listed = table(["No.", "Title", "Standing", "Rank", "Changed", "By"], rows, numeric=1 << 3)
        page.add(
            el("div", el("div", class_="fm-filter") if len(rows) >= FILTERED else "", listed, data_filter="rules"),
            heading=_section_heading(view, section),
            anchor=anchor_name("section", section) if section else "",
        )
    if view.repealed:
        lines = [join([here.rule(uid), " ", phrase(str(view.rule(uid).get("title") or ""))]) for uid in view.repealed]
        page.add(items(lines), heading="No longer in force", anchor="repealed")
    return page


def _row(here: Here, uid: str, rank: int) -> list[object]:
    rule, meta = here.view.rule(uid), here.view.law.get(uid) or {}
    title = here.link(phrase(str(rule.get("title") or "untitled")), rule_path(uid))
    return [here.rule(uid, here.view.number(uid)), title, join(chips(here, uid), " "), rank, here.when(meta.get("at")),
            cause(here, meta.get("cause"))]  # fmt: skip


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
    name = f"Section {section}" if is_digits(section) else section
    return f"{name}: {title}" if name and title else name


def _proposing(view: GameView) -> Html:
    """Return the ways to propose a rule on the forge; nothing without one."""
    links = links_of(view)
    if links is None:
        return Html("")
    editor = "Opens a new file in the editor of the forge"
    ways = [outward("✎ Propose a new rule", new_rule(links), editor)] if links.edits else []
    ways.append(outward(f"{'' if links.edits else '✎ '}Propose a rule-change by a form", links.form("propose")))
    return el("p", join(ways, " · "), class_="fm-more fm-edit")


def _full_text(view: GameView) -> Iterator[Page]:
    parts = [view.ranked[at : at + PART] for at in range(0, len(view.ranked), PART)]
    for number, uids in enumerate(parts, 1):
        yield _part(view, number, len(parts), uids)


def _part(view: GameView, number: int, parts: int, uids: Sequence[str]) -> Page:
    title = "The full text of the law" + (f", part {number} of {parts}" if parts > 1 else "")
    page = Page(text_path(number), title, tab=_LAW[1], trail=[_LAW])
    here = Here(view, page.path)
    steps = _steps(here, number, parts)
    page.add(el("p", "All rules in force, those that take precedence first.", class_="fm-lead"), steps)
    for uid in uids:
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
    links = [here.link("← earlier rules", text_path(number - 1))] if number > 1 else []
    links += [here.link("later rules →", text_path(number + 1))] if number < parts else []
    return el("p", join(links, " · "), class_="fm-more")


def _links(here: Here, uid: str, rule: Document) -> list[Html]:
    """Return links to the rule's own page and to its earlier wordings."""
    count = len(here.view.wordings(uid))
    links = [here.link("script" if rule.get("script") else "details", rule_path(uid), class_="fm-more")]
    words = f"{count - 1} earlier wording{'s' * (count > 2)}"
    return links + ([here.link(words, rule_path(uid), "history", class_="fm-more")] if count > 1 else [])


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


def _moved_numbers(view: GameView) -> Iterator[Page]:
    """Return a page for every number that leads to rules of another id, so that an address by number stays true."""
    taken = {rule_path(uid) for uid in view.law} | {"law/index.md"}
    for number, uids in sorted(bearers(view).items()):
        path = rule_path(number)
        if path in taken:
            continue
        taken.add(path)
        page = Page(path, f"Rule {number}", tab=_LAW[1], trail=[_LAW], searchable=True)
        here = Here(view, path)
        for uid in uids:
            page.add(_borne(here, number, uid), prose(str(view.rule(uid).get("text") or ""), f"r{file_name(uid)}"))
        yield page


def _borne(here: Here, number: str, uid: str) -> Html:
    now = here.view.number(uid)
    title = phrase(str(here.view.rule(uid).get("title") or "untitled"))
    words = "is today" if now == number else f"was once the number of what is now rule {now}:"
    return el("p", f"{number} {words} ", here.link(title, rule_path(uid)), ".", class_="fm-lead")
