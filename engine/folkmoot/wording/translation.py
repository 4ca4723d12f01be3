"""The interface's texts in the language of a game: English in the source, others by `languages/LANGUAGE.po`.

What a page says of its own is written `_("Open votes")`, `sentence("since {when}", when=…)` where its fields are HTML,
or `counted(2, "{count} entry", "{count} entries")`, so that `ci/messages.py` finds it. What players, rules and their
names say is never translated. Comments and the terminal speak English.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from folkmoot.wording.engine_words import TERMS

if TYPE_CHECKING:
    from babel import Locale

FOLDER = Path(__file__).with_name("languages")
ENGLISH = "en"
_WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that pages can be in, English first."""
    return (ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po")))


def language() -> str:
    """Return the language that is spoken now."""
    return _language.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak a language for a while; English where there is no translation into it."""
    token = _language.set(name if name in languages() else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


def _(message: str, **fields: object) -> str:
    """Return a text in the language that is spoken, with its fields.

    >>> _("{count} of {all} ballots", count=1, all=3)
    '1 of 3 ballots'
    """
    said = _said(message)
    return said.format(**fields) if fields else said


def plural(count: int, one: str, many: str) -> str:
    """Return the text for a count out of those for one and for many.

    >>> plural(1, "{count} entry", "{count} entries"), plural(2, "{count} entry", "{count} entries")
    ('{count} entry', '{count} entries')
    """
    if language() == ENGLISH:
        return one if count == 1 else many
    return _texts(language()).ngettext(one, many, count)


def term(word: str) -> str:
    """Return a word that the engine has for something (a state, an outcome, a kind); a word of rules stays as it is.

    >>> term("adopted"), term("queen_bee")
    ('adopted', 'queen_bee')
    """
    known = word[:1].lower() + word[1:]
    if known not in TERMS or language() == ENGLISH:
        return word
    said = _said(known)
    return said if known == word else said[:1].upper() + said[1:]


def day_named(day: datetime) -> str:
    """Return a day as "Mon 5 Jan 2026"."""
    if language() == ENGLISH:
        return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"
    named = _locale(language())
    weekday = named.days["format"]["abbreviated"][day.weekday()]
    return _("{weekday} {day} {month} {year}", weekday=weekday, day=day.day,
             month=named.months["format"]["abbreviated"][day.month], year=day.year)  # fmt: skip


def number(value: int) -> str:
    """Return a whole number with its thousands apart."""
    if language() == ENGLISH:
        return f"{value:,}"
    from babel.numbers import format_decimal

    return str(format_decimal(value, locale=_locale(language())))


def _said(message: str) -> str:
    """Return a message in the language that is spoken; itself where it has no translation."""
    return message if language() == ENGLISH else _texts(language()).gettext(message)


@cache
def _texts(name: str) -> GNUTranslations:
    """Return the translations into a language."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with (FOLDER / f"{name}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=name))
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def _locale(name: str) -> Locale:
    from babel import Locale

    return Locale.parse(name)
