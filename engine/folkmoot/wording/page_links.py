"""A page's place in its game: every link and every name on the page is made from here."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import Struct

from folkmoot.core import calendar
from folkmoot.core.documents import Document, ProposalName
from folkmoot.core.keys import rule_in_words, sealed_key
from folkmoot.core.portable_names import is_device
from folkmoot.core.problems import ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import sealed_number
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.prose import phrase

ENTRIES_PER_PAGE = 100
LONGEST_NAME = 2
"""Of how many words the summary of a currency may be that is taken for its name."""
FOLDERS = frozenset({"law", "law-text", "law-time", "scores", "players", "journal", "boards", "chance", "data"})
_DIGEST = re.compile("[0-9a-f]{64}")
_RULE = re.compile(r"[Rr]ule (\S{1,40})")
_ITEM = re.compile(r"([A-Za-z]+) (\d{1,18})(?:/\d{1,9})?", re.ASCII)
_EDGE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_UNSAFE = re.compile(r"[^A-Za-z0-9-]")


def file_name(name: object) -> str:
    """Return a name of a file (without ending) for an id; whatever is not plain becomes its code.

    >>> file_name("8-2"), file_name("../x")
    ('8-2', '_2e_2e_2fx')
    """
    return _file_name(str(name))


@lru_cache(maxsize=20_000)
def _file_name(name: str) -> str:
    safe = _UNSAFE.sub(lambda found: f"_{ord(found[0]):x}", name) or "_"
    if len(safe) > 80:
        return f"{safe[:64]}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return f"_{safe}" if safe.lower() == "index" or is_device(safe) else safe


def anchor_name(kind: str, name: object) -> str:
    """Return the anchor of a part of a page; Markdown takes an underscore at the edge of a word for emphasis.

    >>> anchor_name("act", "go_place"), anchor_name("act", "[x]")
    ('act-go_5fplace', 'act--5bx_5d')
    """
    return f"{kind}-{_EDGE.sub('-', file_name(name))}"


class Here(Struct, frozen=True, eq=False):
    """The page at `path` (below the game's folder, `law/203.md`) of a game."""

    view: GameView
    path: str

    def url(self, path: str, anchor: str = "") -> str:
        """Return the address of another page of the game, seen from here."""
        return self.beside(f"{path.removesuffix('.md')}.html{anchor and f'#{anchor}'}")

    def beside(self, path: str) -> str:
        """Return the address, seen from here, of a file that is no page; `path` begins at the game's folder."""
        return _seen_from(self.path.rpartition("/")[0], path)

    def link(self, words: object, path: str, anchor: str = "", **attributes: object) -> Html:
        """Return a link to another page of the game."""
        return el("a", words, href=self.url(path, anchor), **attributes)

    def rule(self, uid: object, words: object = None) -> Html:
        """Return a link to a rule by uid or number, as "rule 203"."""
        known = self.view.uids.get(str(uid)) if uid not in (None, "") else None
        if known is None:
            return escape(words if words is not None else rule_in_words(str(uid)) if uid else "")
        if words:
            return self.link(words, rule_path(known), title=self.view.rule_title(known) or None)
        return self._once(("rule", known), lambda: self.rule(known, f"rule {self.view.number(known)}"))

    def player(self, player: object) -> Html:
        """Return a link to a player, or the bare name of somebody who is none."""
        if player not in self.view.players:
            return phrase(str(player or ""))
        name = str(player)
        return self._once(
            ("player", name), lambda: self.link(phrase(self.view.name(name)), player_path(name), class_="fm-player")
        )

    def _once(self, name: tuple[str, str], make: Callable[[], Html]) -> Html:
        """Return a link that many pages show, made once for all of a folder."""
        key = (type(self), self.path.rpartition("/")[0], *name)
        if (link := self.view.links.get(key)) is None:
            link = self.view.links[key] = make()
        return link

    def players(self, players: object) -> Html:
        """Return links to several players."""
        return join((self.player(player) for player in players or ()), ", ")  # type: ignore[attr-defined]

    def proposal(self, identifier: object, words: object = None) -> Html:
        """Return a link to a proposal or motion by its id, as "proposal 305"."""
        found = self.view.proposals.get(str(identifier))
        if not found:
            return escape(words if words is not None else str(identifier).replace("/", " "))
        if words is not None:
            return self.link(words, proposal_path(found))
        return self._once(("proposal", str(identifier)), lambda: self.proposal(identifier, called(found)))

    def entry(self, seq: object, words: object = None) -> Html:
        """Return a link to an entry of the journal, as "#123"."""
        if not isinstance(seq, int) or seq < 1:
            return escape(words)
        return self.link(words if words is not None else f"#{seq}", journal_path(seq), f"e{seq}")

    def owner(self, owner: object) -> Html:
        """Return a link to whoever or whatever holds a register."""
        kind, _, rest = str(owner).partition("/")
        if owner in self.view.players:
            return self.player(owner)
        if kind == "rule" and rest:
            return self.rule(rest)
        if kind == "office" and rest:
            return self.link(humane(rest), "offices.md", anchor_name("office", rest))
        if str(owner) in self.view.proposals or (rest and kind in self.view.votable):
            return self.proposal(owner)
        return phrase(str(owner))

    def when(self, at: Any) -> Html:
        """Return a time in the game's zone, such as "Mon 5 Jan 2026, 13:00"."""
        return self._time(at)

    def moment(self, at: Any) -> Html:
        """Return a time as sentences say it, such as "Sun 18 Jan, 16:01"; the year only where it is another one."""
        return self._time(at, year=self.view.year)

    def day(self, at: Any) -> Html:
        """Return the day of a time, such as "Sun 18 Jan"; the year only where it is another one."""
        return self._time(at, year=self.view.year, clock=False)

    def clock(self, at: Any) -> Html:
        """Return a time of a day that is named above it, such as "13:00"."""
        return self._time(at, day=False)

    def _time(self, at: Any, **form: Any) -> Html:
        known = seconds(at)
        return Html("") if known is None else moment(known, self.view.zone, **form)

    def value(self, value: Any, type_: str = "") -> Html:
        """Return a register's value for a reader; `type_` is its declared type."""
        if value is None or value in ([], {}) or (type_ == "time" and value == 0):  # which is the time of nothing yet
            return el("span", "empty" if value in ([], {}) else "none", class_="fm-none")
        if isinstance(value, bool):
            return escape("yes" if value else "no")
        if (number := sealed_number(value)) is not None:
            return self._sealed(number)
        if isinstance(value, int):
            return self.when(value) if type_ == "time" else escape(value)
        if isinstance(value, str):
            return self._word(value, type_)
        if isinstance(value, dict):
            return join((join([self.owner(key), ": ", self.value(each)]) for key, each in value.items()), ", ")
        return join((self.value(each) for each in value), ", ") if isinstance(value, list | tuple) else escape(value)

    def _sealed(self, number: int) -> Html:
        """Return what was opened of a sealed value, else the back of it."""
        known = (self.view.document(sealed_key(number)) or {}).get(str(number)) or {}
        if "opened" not in known:
            return el("span", "sealed", class_="fm-sealed", title=f"sealed value {number}")
        proof = f"sealed value {number}, committed to as {known['commitment']}; moot verify checks it"
        return join([el("span", self.value(known["opened"]), class_="fm-opened", title=proof), " ",
                     self.entry(known["seq"])])  # fmt: skip

    def _word(self, value: str, type_: str) -> Html:
        """Return a text; what names something of the game, or a time, as that."""
        if read_box(value):
            return el("span", "sealed", class_="fm-sealed")
        if found := STAMP.fullmatch(value):
            return civil_moment(found, self.view.zone)
        if type_ == "rule":
            return self.rule(value)
        if _DIGEST.fullmatch(value):
            return el("code", value[:16] + "…", title=value)
        if value in self.view.proposals:
            return self.proposal(value)
        if (named := _RULE.fullmatch(value)) and named[1] in self.view.uids:
            return self.rule(named[1], value)
        if (item := _ITEM.fullmatch(value)) and (known := f"{item[1].lower()}/{item[2]}") in self.view.proposals:
            return self.proposal(known, value)
        several = value.split(", ")
        return self.players(several) if all(each in self.view.players for each in several) else phrase(value)


def _seen_from(folder: str, path: str) -> str:
    """Return the way from a folder (of one name, or "") to a file, both below the game's folder.

    >>> [_seen_from(folder, "law/203.md") for folder in ("", "law", "players")]
    ['law/203.md', '203.md', '../law/203.md']
    """
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else f"../{path}"


COMING = "coming:"
"""What stands before the key of a timer among the answers of a view."""


def timer_words(view: GameView, key: str, timer: Document) -> str:
    """Return what comes with a running timer: as the law answers, else as its rule declares it; else its name."""
    if said := view.answers.get(f"{COMING}{key}"):
        return str(said)
    name = str(timer.get("name") or key)
    return str((view.declared("timers").get(name) or ("", {}))[1].get("summary") or titled(name))


def humane(name: object) -> str:
    """Return an identifier as words: `next_number` → "next number"."""
    return str(name).replace("_", " ").replace("-", " ").strip() or str(name)


def titled(name: object) -> str:
    """Return an identifier as words with a capital at the beginning."""
    words = humane(name)
    return words[:1].upper() + words[1:]


def in_sentence(words: str) -> str:
    """Return words as they stand in a sentence, where their capital only began one: "Points" → "points".

    >>> in_sentence("Open the vote"), in_sentence("MU")
    ('open the vote', 'MU')
    """
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def label_words(label: str, value: object) -> str:
    """Return a label of a rule as words: "mutable", or with its name where the value alone says nothing, "power 3"."""
    return f"{humane(label)} {value}" if str(value)[:1].isdigit() else str(value)


def of_amount(view: GameView, currency: str, amount: object) -> str:
    """Return the name of a currency behind an amount: of one of it without the plural's s."""
    said = in_sentence(currency_name(view, currency))
    plural = said.endswith("s") and not said.endswith(("ss", "us", "is", "os", "ies", "ches", "shes", "sses", "xes"))
    return said[:-1] if plural and amount in (1, -1) else said


def currency_name(view: GameView, currency: str) -> str:
    """Return how a currency is called: as its summary says in one word or two, else by its identifier."""
    summary = " ".join(str((view.currencies.get(currency) or {}).get("summary") or "").split())
    return summary if 0 < len(summary.split()) <= LONGEST_NAME else titled(currency)


def plural(kind: str) -> str:
    """Return the plural of a kind's name: proposal → proposals."""
    return kind[:-1] + "ies" if kind.endswith("y") and kind[-2:-1] not in "aeiou" else kind + "s"


def rule_path(uid: str) -> str:
    """Return the path of a rule's page."""
    return f"law/{file_name(uid)}.md"


def text_path(part: int) -> str:
    """Return the path of a part of the law's full text."""
    return f"law-text/{part:04}.md"


def time_path(part: int | None = None) -> str:
    """Return the path of a part of the law over time by its number from 0, the oldest; of the newest without one."""
    return "law-time/index.md" if part is None else f"law-time/{part + 1:04}.md"


def board_path(name: str) -> str:
    """Return the path of a page that a rule shows."""
    return f"boards/{file_name(name)}.md"


def player_path(player: str) -> str:
    """Return the path of a player's page."""
    return f"players/{file_name(player)}.md"


def proposal_path(proposal: ProposalName) -> str:
    """Return the path of a proposal's page: by number, or by id while it has none."""
    kind = str(proposal.get("kind") or "proposal")
    identifier = str(proposal.get("id") or "").removeprefix(kind + "/")
    return f"{kind_folder(kind)}/{file_name(identifier or proposal.get('number'))}.md"


def kind_folder(kind: str) -> str:
    """Return the folder for a kind of votable things: `proposals`, `motions`."""
    folder = file_name(plural(kind))
    return folder + "_" if folder in FOLDERS else folder


def journal_path(seq: int) -> str:
    """Return the path of the journal's page that holds an entry."""
    return f"journal/{(seq - 1) // ENTRIES_PER_PAGE + 1:04}.md"


# -- times

_WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?P<utc>Z)?)?", re.ASCII)


def moment(at: int, zone_name: str, *, day: bool = True, clock: bool = True, year: int | None = None) -> Html:
    """Return a moment (Unix seconds) in a zone: its `day`, without the year where that is `year`, its `clock`, or both.

    Seconds are told where there are some and no `year` is named.

    >>> moment(1767614400, "UTC", year=2026)
    '<time datetime="2026-01-05T12:00:00Z" title="2026-01-05 12:00:00 UTC">Mon 5 Jan, 12:00</time>'
    """
    try:
        utc, date, hour, named = _civil(at, zone_name)
    except (OverflowError, OSError, ValueError):
        return escape(at)
    named = named.removesuffix(f" {year}")
    if not clock:
        return Html(f'<time datetime="{date}">{named}</time>')
    hour = hour if not hour.endswith(":00") and day and year is None else hour[:5]
    said = f"{named}, {hour}" if day else hour
    return Html(f'<time datetime="{utc.replace(" ", "T")}Z" title="{utc} UTC">{said}</time>')


@lru_cache(maxsize=5_000)
def _civil(at: int, zone_name: str) -> tuple[str, str, str, str]:
    """Return a moment as date and time in UTC, and in a zone as date, time, and day in words."""
    utc = datetime.fromtimestamp(at, UTC)
    local = utc.astimezone(zone(zone_name))
    date, hour = local.isoformat()[:19].split("T")
    return utc.isoformat(" ")[:19], date, hour, day_named(local)


def day_named(day: datetime) -> str:
    """Return a day as "Mon 5 Jan 2026"."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def civil_moment(found: re.Match[str], zone_name: str) -> Html:
    """Return a time that a script wrote in digits as all other times are written: a stamp, or a time of the zone."""
    try:
        said = datetime(*(int(part or 0) for part in found.groups()[:6]), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        return phrase(found[0])
    if found["utc"]:
        return moment(int(said.timestamp()), zone_name)
    if found[4] is not None:
        return moment(int(said.replace(tzinfo=zone(zone_name)).timestamp()), zone_name)
    return Html(f'<time datetime="{said.isoformat()[:10]}">{escape(day_named(said))}</time>')


def zone(name: str) -> tzinfo:
    """Return a time zone, UTC where its name is unknown."""
    with suppress(ProblemError):
        return calendar.zone(name)
    return UTC
