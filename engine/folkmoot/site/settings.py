"""Rulings and settings: every switch with its question, its present value and the rulings that set it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.limits import limits_told
from folkmoot.core.records import Effect, Entry
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.page_model import Page
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.entries import effects_in
from folkmoot.wording.game_view import GameView, natural
from folkmoot.wording.indices import growing
from folkmoot.wording.markup import Html, chip, el, facts, items, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, titled
from folkmoot.wording.prose import phrase, remark
from folkmoot.wording.sentences import act
from folkmoot.wording.translation import _


def settings_page(view: GameView) -> Page:
    """Return the page of all switches."""
    page = Page("settings.md", _("Rulings and settings"), tab="settings.md", searchable=True)
    page.summary = _("How the ambiguous clauses of {game} are read", game=view.title)
    here = Here(view, page.path)
    declared, values = view.declared("settings"), view.kept(GAME).get("settings") or {}
    told = _("Where the law can be read in more than one way, a setting says how it is read here. "
             "The game’s own judges change a setting by a ruling, and the ruling is on record.")  # fmt: skip
    page.add(el("p", told))
    for name, (uid, about) in sorted(declared.items(), key=_by_number):
        title = titled(about.get("name") or name)
        title += f" ({name})" if titled(name) != title else ""
        value = str(values.get(name, values.get(about.get("name") or "", about.get("default"))))
        page.add(_setting(here, uid, about, value), _rulings(here, name),
                 heading=title, anchor=anchor_name("setting", name))  # fmt: skip
    others = {n: v for n, v in values.items() if n not in declared and not _named(declared, n)}
    if others:
        page.add(facts((phrase(n), here.value(v)) for n, v in others.items()), heading=_("Others"), anchor="others")
    page.add(_limits(view), heading=_("Limits"), anchor="limits")
    return page


def _limits(view: GameView) -> Html:
    """Return every limit with what it bounds; the administrators set them."""
    lines = [
        join([el("code", each["name"]), ": ", el("strong", f"{each['value']:,}"), f" {_(each['unit'])}. ",
              _(each["bounds"]), " ", *_range(each), "."])
        for each in limits_told(view.kept(GAME))
    ]  # fmt: skip
    how = sentence("How much rules and people may take; the administrators change it by {command}.",
                   command=el("code", "set_limit"))  # fmt: skip
    return join([el("p", how), items(lines)])


def _range(limit: Document) -> list[Html | str]:
    told = _("From {least} to {most}", least=f"{limit['least']:,}", most=f"{limit['most']:,}")
    usual = _("usually {value}", value=f"{limit['default']:,}")
    return [told, *(["; ", chip(_("changed")), " ", usual] if limit["value"] != limit["default"] else [])]


def _by_number(pair: tuple[str, object]) -> tuple[tuple[int, int, str], ...]:
    """Sort G2-Q2 before G2-Q10."""
    return natural(re.sub(r"(?<=\D)(?=\d)", "-", pair[0]))


def _named(declared: dict[str, tuple[str, Document]], name: str) -> bool:
    return any(about.get("name") == name for _uid, about in declared.values())


def _setting(here: Here, uid: str, about: Document, value: str) -> Html:
    alternatives = about.get("alternatives") or {}
    options = [_option(option, meaning, value, about) for option, meaning in alternatives.items()]
    shown = items(options, class_="fm-options") if options else el("p", _("Now:"), " ", chip(value, "good"))
    return join([el("p", quoted(here, remark(str(about.get("question") or ""))), class_="fm-lead"), shown,
                 el("p", sentence("Asked by {rule}", rule=here.rule(uid)), class_="fm-more")])  # fmt: skip


def _option(option: str, meaning: object, value: str, about: Document) -> Html:
    marks = [chip(_("now"), "good")] if option == value else []
    marks += [chip(_("default"))] if option == str(about.get("default")) else []
    words = remark(str(meaning))
    return join([el("code", option), " ", words, " ", join(marks, " ")])


@growing
def settings_set(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return the entries and effects that set each setting, by its name."""
    found: dict[str, list[tuple[Entry, Effect]]] = {}
    for entry, what in effects_in(entries, "setting"):
        found.setdefault(str(what.get("name")), []).append((entry, what))
    return found


def settings_beside(here: Here, rule: Document) -> Html:
    """Return how the settings of a rule say that it is read here, with the rulings that said so; nothing for none."""
    values = here.view.kept(GAME).get("settings") or {}
    lines = [_setting_beside(here, name, about or {}, values) for name, about in (rule.get("settings") or {}).items()]
    return items(lines, class_="fm-settings") if lines else Html("")


def _setting_beside(here: Here, name: str, about: Document, values: Document) -> Html:
    value = str(values.get(name, values.get(str(about.get("name")), about.get("default"))))
    meaning = (about.get("alternatives") or {}).get(value)
    link = here.link(el("code", value), "settings.md", anchor_name("setting", name))
    told = join([" ", remark(str(meaning))]) if meaning else ""
    return join([remark(str(about.get("question") or name)), " ", link, told, _rulings(here, name)])


def _rulings(here: Here, name: str) -> Html:
    """Return every ruling that set a switch, the newest first."""
    lines = [
        join([here.when(entry.get("at")), ": ", here.value(what.get("from")), " → ",
              el("strong", here.value(what.get("to"))), " ", act(here, entry), " ", here.entry(entry.get("seq")),
              words_of(here, entry)])
        for entry, what in here.view.index(settings_set).get(name, ())
    ]  # fmt: skip
    return join([el("p", el("strong", _("Rulings"))), items(reversed(lines))]) if lines else Html("")


def words_of(here: Here, entry: Document) -> Html:
    """Return what somebody wrote who acted: the texts among the arguments of the act, as quotations."""
    do, given = str(entry.get("do")), entry.get("with") or {}
    declared = here.view.declared("actions").get(do, ("", KERNEL_DECLARATIONS.get(do) or {}))[1]
    texts = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "text"]
    words = [str(given[name]) for name in texts if given.get(name)]
    return join(el("blockquote", phrase(each)) for each in words)
