"""Sentences by key: what is said stands in `catalogue.yaml`, how fields of a record are shown in it, here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.sealed_data import read_box
from folkmoot.files.fast_reader import load_own
from folkmoot.wording.law_sentence import unquoted
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.page_links import Here, humane, titled
from folkmoot.wording.prose import phrase

Shows = Callable[[Here, Any], str]
Names = tuple[str, ...]
"""The names of fields of which the first that says something counts."""
_Part = tuple[tuple[Names, ...], tuple[tuple[str, Names, Shows | None], ...]]
"""A piece of a sentence: without which fields it is left out; its texts, each with the field behind."""
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


def say(here: Here, key: str, fields: Document) -> Html:
    """Return the sentence of a key with the fields of a record; raises KeyError where there is none."""
    sentences = _sentences(key)
    _own, sentence = sentences[0]
    if sentences[1:]:
        sentence = next(parts for own, parts in sentences if all(_first(fields, each) for each in own))
    said: list[str] = []
    for needed, pieces in sentence:
        for names in needed:
            if not _first(fields, names):
                break
        else:
            for text, names, shows in pieces:
                said.append(text)
                if shows is not None:
                    said.append(shows(here, fields.get(names[0]) if len(names) == 1 else _first(fields, names)))
    return Html("".join(said))


def _first(fields: Document, names: Names) -> Any:
    """Return the first of some fields that says something, else the last."""
    found = None
    for name in names:
        if found := fields.get(name):
            break
    return found


def keys() -> Collection[str]:
    """Return the keys of all sentences."""
    return templates().keys()


def hidden() -> str:
    """Return what stands in place of a ballot that is not displayed yet."""
    return templates()["hidden"][0]


@cache
def templates() -> dict[str, list[str]]:
    """Return what the catalogue holds: the texts of each sentence by its key."""
    said = load_own(Path(__file__).with_suffix(".yaml"))
    return {key: texts if isinstance(texts, list) else [texts] for key, texts in said.items()}


@cache
def _sentences(key: str) -> list[tuple[set[Names], list[_Part]]]:
    """Return the sentences of a key, each with the fields that the last one has not: it is taken where they speak."""
    read = [[_part(text, place % 2 == 1) for place, text in enumerate(_OPTIONAL.split(each))]
            for each in templates()[key]]  # fmt: skip
    needed = [{names for said, pieces in parts if not said for _, names, _ in pieces if names} for parts in read]
    return [(names - needed[-1], parts) for names, parts in zip(needed, read, strict=True)]


def _part(text: str, optional: bool) -> _Part:
    read = [(said, tuple(name.split("|")) if name else (), how or "") for said, name, how, _ in Formatter().parse(text)]
    needed = tuple(names for _, names, _ in read if names and optional)
    return needed, tuple((said, names, SHOWN[how] if names else None) for said, names, how in read)


def _words(value: Any) -> str:
    if value is None:
        return ""
    return "sealed" if read_box(value) else str(value)


def quoted(here: Here, words: str) -> Html:
    """Return what a rule says, or somebody for the record, in quotation marks that it cannot end itself."""
    shown = words if isinstance(words, Html) else phrase(words)
    return say(here, "quoted", {"words": Html(unquoted(shown))})


def _entry(here: Here, value: Any) -> Html:
    number = str(value)
    return here.entry(int(number)) if number.isdecimal() else phrase(number)


def _whose(here: Here, value: Any) -> Html:
    """Return whose a register is, or what an act is about."""
    owner = _words(value)
    if owner.isdecimal():
        return say(here, "held act", {"of": owner})
    if owner == "game" or owner.endswith("/draft"):
        return say(here, "the game" if owner == "game" else "this proposal", {})
    named = here.owner(owner)
    return escape(owner.replace("/", " ")) if "/" in owner and "<a" not in named else named


def _rules(here: Here, value: Any) -> Html:
    rules = [here.rule(uid) for uid in value or ()]
    if len(rules) < 2:
        return join(rules)
    return say(here, "two or more", {"first": join(rules[:-1], ", "), "last": rules[-1]})


def signed(amount: Any) -> str:
    """Return an amount with its sign, the minus as a minus.

    >>> signed(3), signed(-3), signed(0)
    ('+3', '−3', '0')
    """
    if not isinstance(amount, int):
        return str(amount)
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


def _rule_at_beginning(here: Here, value: object) -> Html:
    """Return a rule with a capital; what is none, as the order of a proposal, with its first letter so."""
    if str(value) in here.view.uids:
        return here.rule(value, say(here, "former number", {"from": here.view.number(str(value))}))
    words = str(here.rule(value))
    return Html(words[:1].upper() + words[1:])


SHOWN: dict[str, Shows] = {
    "": lambda _here, value: escape(value),
    "clause": lambda here, value: quoted(here, _words(value).rstrip(".")),
    "count": lambda _here, value: f"{value or 0:,}",
    "end": lambda _here, value: escape(str(value)[-8:]),
    "entry": _entry,
    "event": lambda _here, value: escape(humane(_words(value).removeprefix("on_"))),
    "given": lambda _here, _value: "",
    "label": lambda here, value: quoted(here, humane(_words(value))),
    "law": lambda here, value: here.rule(str(value).removeprefix("rule/")),
    "limit": lambda here, value: here.link(el("code", value), "settings.md"),
    "owner": Here.owner,
    "phrase": lambda _here, value: phrase(_words(value)),
    "player": Here.player,
    "players": Here.players,
    "proposal": Here.proposal,
    "rule": Here.rule,
    "Rule": _rule_at_beginning,
    "rules": _rules,
    "setting": lambda here, value: here.link(phrase(_words(value)), "settings.md"),
    "signed": lambda _here, value: escape(signed(value or 0)),
    "title": lambda _here, value: escape(titled(value)),
    "value": Here.value,
    "when": Here.when,
    "whose": _whose,
    "words": lambda _here, value: escape(humane(value)),
}
"""How a field is shown, by the word behind its name."""
