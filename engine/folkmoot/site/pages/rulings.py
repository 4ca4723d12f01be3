"""The page of rulings: every clause that can be read in several ways, how it is read here, and who ruled so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Effect, Entry
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.page_data import PageData
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView, lists_by_key, natural
from folkmoot.wording.markup import Html, el, join, sentence
from folkmoot.wording.page_links import Here, anchor_name, titled
from folkmoot.wording.prose import phrase, remark
from folkmoot.wording.sentences import act

PATH = "settings.md"


class Reading(Struct, frozen=True):
    """A clause that can be read in several ways: the question, how it is read, and the rulings, the newest first.

    `others` are the other words, each with its meaning, and whether the game began with it.
    """

    anchor: str
    name: str
    title: str
    question: Html
    rule: Html
    word: str
    meaning: Html
    others: tuple[tuple[str, Html, bool], ...]
    rulings: tuple[Html, ...]


class Rulings(PageData, frozen=True, kw_only=True, tag="rulings"):
    """What the page of rulings says; `others` are settings that no rule in force declares."""

    readings: tuple[Reading, ...]
    others: tuple[tuple[Html, Html], ...]


def rulings(view: GameView) -> Rulings:
    """Return the page of everything that can be read in several ways."""
    here, declared, values = Here(view, PATH), view.declared("settings"), view.kept(GAME).get("settings") or {}
    known = {*declared, *(str(about.get("name")) for _uid, about in declared.values())}
    by_number = sorted(declared, key=lambda name: natural(re.sub(r"(?<=\D)(?=\d)", "-", name)))  # G2-Q2 before G2-Q10
    return Rulings(
        path=PATH,
        title="Rulings",
        summary=f"How the ambiguous clauses of {view.title} are read",
        searchable=True,
        readings=tuple(_reading(here, declared[name][0], name, declared[name][1]) for name in by_number),
        others=tuple((phrase(name), here.value(value)) for name, value in values.items() if name not in known),
    )


def readings(here: Here, rule: Document) -> tuple[Reading, ...]:
    """Return how the clauses of a rule are read that can be read in several ways."""
    uid = str(rule.get("uid") or rule.get("rule") or "")
    return tuple(_reading(here, uid, name, about or {}) for name, about in (rule.get("settings") or {}).items())


def _reading(here: Here, uid: str, name: str, about: Document) -> Reading:
    values, usual = here.view.kept(GAME).get("settings") or {}, str(about.get("default"))
    value = str(values.get(name, values.get(about.get("name") or "", usual)))
    choices = {str(word): remark(str(meaning)) for word, meaning in (about.get("alternatives") or {}).items()}
    return Reading(
        anchor=anchor_name("setting", name),
        name=name,
        title=titled(about.get("name") or name),
        question=quoted(here, remark(str(about.get("question") or name))),
        rule=here.rule(uid),
        word=value,
        meaning=choices.pop(value, Html("")),
        others=tuple((word, meaning, word == usual) for word, meaning in choices.items()),
        rulings=tuple(_rulings(here, name)),
    )


def settings_set(view: GameView) -> dict[str, list[tuple[Entry, Effect]]]:
    """Return the entries and effects that set each setting, by its name."""
    return lists_by_key((str(what.get("name")), (entry, what)) for entry, what in view.effects("setting"))


def _rulings(here: Here, name: str) -> Iterator[Html]:
    """Yield every ruling that set a switch, the newest first, with what was written by whoever ruled."""
    for entry, what in reversed(here.view.index(settings_set).get(name, ())):
        before, after = here.value(what.get("from")), here.value(what.get("to"))
        change = sentence("from {before} to {after}", before=before, after=after)
        said = [here.moment(entry.get("at")), ", ", change, ": ", act(here, entry), " ", here.entry(entry.get("seq"))]
        do, given = str(entry.get("do")), entry.get("with") or {}
        declared = here.view.declared("actions").get(do, ("", KERNEL_DECLARATIONS.get(do) or {}))[1]
        texts = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "text"]
        yield join([*said, *(el("blockquote", phrase(str(given[name]))) for name in texts if given.get(name))])
