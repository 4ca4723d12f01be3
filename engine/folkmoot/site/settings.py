"""Rulings and settings: every switch with its question, its present value and the rulings that set it."""

from __future__ import annotations

import re

from folkmoot.core.documents import Document
from folkmoot.core.limits import limits_told
from folkmoot.kernel.declared import KERNEL_DECLARATIONS
from folkmoot.site.document import Page
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.markup import Html, chip, el, facts, items, join
from folkmoot.wording.page_links import Here, anchor_name, titled
from folkmoot.wording.prose import phrase, remark
from folkmoot.wording.sentences import act


def settings_page(view: GameView) -> Page:
    """Return the page of all switches."""
    page = Page("settings.md", "Rulings and settings", tab="settings.md", searchable=True)
    page.summary = f"How the ambiguous clauses of {view.title} are read"
    here = Here(view, page.path)
    declared, values = view.declared("settings"), view.document("game").get("settings") or {}
    page.add(el("p", "Where the law can be read in more than one way, a setting says how it is read here. "
                "The game’s own judges change a setting by a ruling, and the ruling is on record."))  # fmt: skip
    for name, (uid, about) in sorted(declared.items(), key=_by_number):
        title = titled(about.get("name") or name)
        title += f" ({name})" if titled(name) != title else ""
        value = str(values.get(name, values.get(about.get("name"), about.get("default"))))
        page.add(_setting(here, uid, about, value), _rulings(here, name),
                 heading=title, anchor=anchor_name("setting", name))  # fmt: skip
    others = {n: v for n, v in values.items() if n not in declared and not _named(declared, n)}
    if others:
        page.add(facts((phrase(n), here.value(v)) for n, v in others.items()), heading="Others", anchor="others")
    page.add(_limits(view), heading="Limits", anchor="limits")
    return page


def _limits(view: GameView) -> Html:
    """Return every limit with what it bounds; the administrators set them."""
    lines = [
        join([el("code", each["name"]), ": ", el("strong", f"{each['value']:,}"), f" {each['unit']}. ", each["bounds"],
              f" From {each['least']:,} to {each['most']:,}", *_usual(each), "."])
        for each in limits_told(view.document("game"))
    ]  # fmt: skip
    how = [" the administrators change it by ", el("code", "set_limit"), "."]
    return join([el("p", "How much rules and people may take;", *how), items(lines)])


def _usual(limit: Document) -> list[Html | str]:
    return ["; ", chip("changed"), f" usually {limit['default']:,}"] if limit["value"] != limit["default"] else []


def _by_number(pair: tuple[str, object]) -> tuple[tuple[int, int, str], ...]:
    """Sort G2-Q2 before G2-Q10."""
    return natural(re.sub(r"(?<=\D)(?=\d)", "-", pair[0]))


def _named(declared: dict[str, tuple[str, Document]], name: str) -> bool:
    return any(about.get("name") == name for _, about in declared.values())


def _setting(here: Here, uid: str, about: Document, value: str) -> Html:
    alternatives = about.get("alternatives") or {}
    options = [_option(option, meaning, value, about) for option, meaning in alternatives.items()]
    shown = items(options, class_="fm-options") if options else el("p", "Now: ", chip(value, "good"))
    return join([el("p", remark(str(about.get("question") or "")), class_="fm-lead"), shown,
                 el("p", "Asked by ", here.rule(uid), class_="fm-more")])  # fmt: skip


def _option(option: str, meaning: object, value: str, about: Document) -> Html:
    marks = [chip("now", "good")] if option == value else []
    marks += [chip("default")] if option == str(about.get("default")) else []
    words = remark(str(meaning))
    return join([el("code", option), " ", words, " ", join(marks, " ")])


def _rulings(here: Here, name: str) -> Html:
    """Return every ruling that set a switch, the newest first."""
    lines = [
        join([here.when(entry.get("at")), ": ", here.value(what.get("from")), " → ",
              el("strong", here.value(what.get("to"))), " ", act(here, entry), " ", here.entry(entry.get("seq")),
              _said(here, entry)])
        for entry, what in here.view.effects("setting")
        if what.get("name") == name
    ]  # fmt: skip
    return join([el("p", el("strong", "Rulings")), items(reversed(lines))]) if lines else Html("")


def _said(here: Here, entry: Document) -> Html:
    """Return what somebody wrote who set a switch: the texts among the arguments of the act."""
    do, given = str(entry.get("do")), entry.get("with") or {}
    declared = here.view.declared("actions").get(do, ("", KERNEL_DECLARATIONS.get(do) or {}))[1]
    texts = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "text"]
    words = [str(given[name]) for name in texts if given.get(name)]
    return join(el("blockquote", phrase(each)) for each in words)
