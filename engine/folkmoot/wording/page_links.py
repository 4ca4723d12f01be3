"""A page's place in its game: every link and every name on the page is made from here."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from hashlib import sha256
from typing import Any

from folkmoot.core import calendar
from folkmoot.core.keys import rule_in_words, sealed_key
from folkmoot.core.portable_names import is_device
from folkmoot.core.problems import ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.core.sealed_text import read_box
from folkmoot.core.values import sealed_number
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.prose import phrase

ENTRIES_PER_PAGE = 200
FOLDERS = frozenset({"law", "law-text", "law-time", "scores", "players", "journal", "boards", "chance"})
_DIGEST = re.compile("[0-9a-f]{64}")
_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?P<utc>Z)?)?", re.ASCII)
_EDGE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_UNSAFE = re.compile(r"[^A-Za-z0-9-]")


def file_name(name: object) -> str:
    """Return a name of a file (without ending) for an id; whatever is not plain becomes its code.

    >>> file_name("8-2"), file_name("../x")
    ('8-2', '_2e_2e_2fx')
    """
    safe = _UNSAFE.sub(lambda found: f"_{ord(found[0]):x}", str(name)) or "_"
    if len(safe) > 80:
        return f"{safe[:64]}-{sha256(str(name).encode('utf-8', 'replace')).hexdigest()[:12]}"
    return f"_{safe}" if safe.lower() == "index" or is_device(safe) else safe


def anchor_name(kind: str, name: object) -> str:
    """Return the anchor of a part of a page; Markdown takes an underscore at the edge of a word for emphasis.

    >>> anchor_name("act", "go_place"), anchor_name("act", "[x]")
    ('act-go_place', 'act--5bx_5d')
    """
    return f"{kind}-{_EDGE.sub('-', file_name(name))}"


@dataclass(frozen=True)
class Here:
    """The page at `path` (below the game's folder, `law/203.md`) of a game."""

    view: GameView
    path: str

    def url(self, path: str, anchor: str = "") -> str:
        """Return the address of another page of the game, seen from here."""
        return _address(posixpath.dirname(self.path), path) + (f"#{anchor}" if anchor else "")

    def link(self, words: object, path: str, anchor: str = "", **attributes: object) -> Html:
        """Return a link to another page of the game."""
        return el("a", words, href=self.url(path, anchor), **attributes)

    def file(self, words: object, path: str) -> Html:
        """Return a link to a file of the game that is no page, such as `law.txt`."""
        return el("a", words, href=self.beside(path))

    def beside(self, path: str) -> str:
        """Return the address, seen from here, of a file that is no page; `path` begins at the game's folder."""
        return posixpath.relpath(path, posixpath.dirname(self.path) or ".")

    def rule(self, uid: object, words: object = None) -> Html:
        """Return a link to a rule by uid or number, as "rule 203"."""
        known = self.view.uids.get(str(uid)) if uid not in (None, "") else None
        if known is None:
            return escape(words if words is not None else (rule_in_words(str(uid)) if uid else ""))
        title = self.view.rule(known).get("title") or ""
        return self.link(
            words or f"rule {self.view.number(known)}", rule_path(known), title=title or None, class_="fm-rule"
        )

    def player(self, player: object) -> Html:
        """Return a link to a player, or the bare name of somebody who is none."""
        if not player:
            return Html("")
        if player not in self.view.players:
            return phrase(str(player))
        return self.link(phrase(self.view.name(str(player))), player_path(str(player)), class_="fm-player")

    def players(self, players: object) -> Html:
        """Return links to several players."""
        return join((self.player(player) for player in players or ()), ", ")  # type: ignore[attr-defined]

    def proposal(self, identifier: object, words: object = None) -> Html:
        """Return a link to a proposal or motion by its id, as "proposal 305"."""
        found = self.view.proposals.get(str(identifier))
        named = words if words is not None else called(found) if found else str(identifier).replace("/", " ")
        return self.link(named, proposal_path(found)) if found else escape(named)

    def entry(self, seq: object, words: object = None) -> Html:
        """Return a link to an entry of the journal, as "#123"."""
        named = words if words is not None else f"#{seq}"
        if not isinstance(seq, int) or seq < 1:
            return escape(named if words is not None else "")
        return self.link(named, journal_path(seq), f"e{seq}", class_="fm-seq")

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
        at = seconds(at)
        if at is None:
            return Html("")
        return _time(at, self.view.zone)

    def value(self, value: Any, type_: str = "") -> Html:
        """Return a register's value for a reader; `type_` is its declared type."""
        if value is None or value in ([], {}):
            return el("span", "none" if value is None else "empty", class_="fm-none")
        if isinstance(value, bool):
            return escape("yes" if value else "no")
        if (number := sealed_number(value)) is not None:
            return self._sealed(number)
        if isinstance(value, int):
            return self.when(value) if type_ == "time" else escape(value)
        return self._word(value, type_) if isinstance(value, str) else self._several(value)

    def _sealed(self, number: int) -> Html:
        """Return what was opened of a sealed value, else the back of it."""
        known = (self.view.document(sealed_key(number)) or {}).get(str(number)) or {}
        if "opened" in known:
            proof = f"sealed value {number}, committed to as {known['commitment']}; moot verify checks it"
            value = el("span", self.value(known["opened"]), class_="fm-opened", title=proof)
            return join([value, " ", self.entry(known["seq"])])
        return el("span", "sealed", class_="fm-sealed", title=f"sealed value {number}")

    def _several(self, value: Any) -> Html:
        if isinstance(value, dict):
            return join((join([self.owner(key), ": ", self.value(each)]) for key, each in value.items()), ", ")
        return join((self.value(each) for each in value), ", ") if isinstance(value, list | tuple) else escape(value)

    def _word(self, value: str, type_: str) -> Html:
        if read_box(value):
            return el("span", "sealed", class_="fm-sealed")
        if moment := _STAMP.fullmatch(value):
            return _civil(moment, self.view.zone)
        if type_ == "rule":
            return self.rule(value)
        if _DIGEST.fullmatch(value):
            return el("code", value[:16] + "…", title=value)
        if value in self.view.proposals:
            return self.proposal(value)
        return self.player(value) if value in self.view.players else phrase(value)


@lru_cache(maxsize=50_000)
def _address(folder: str, path: str) -> str:
    return posixpath.relpath(path, folder or ".").removesuffix(".md") + ".html"


@lru_cache(maxsize=50_000)
def _time(at: int, zone_name: str) -> Html:
    try:
        utc = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return escape(at)
    local = utc.astimezone(zone(zone_name))
    clock = f"{local:%H:%M}" if not local.second else f"{local:%H:%M:%S}"
    words = f"{local:%a} {local.day} {local:%b} {local.year}, {clock}"
    return el("time", words, datetime=f"{utc:%Y-%m-%dT%H:%M:%SZ}", title=f"{utc:%Y-%m-%d %H:%M:%S} UTC")


def _civil(found: re.Match[str], zone_name: str) -> Html:
    """Return a time that a script wrote in digits as all other times are written: a stamp, or a time of the zone."""
    try:
        said = datetime(*(int(part or 0) for part in found.groups()[:6]), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        return phrase(found[0])
    if found["utc"]:
        return _time(int(said.timestamp()), zone_name)
    clock = "" if found[4] is None else f", {said:%H:%M:%S}" if said.second else f", {said:%H:%M}"
    return escape(f"{said:%a} {said.day} {said:%b} {said.year}{clock}")


def zone(name: str) -> tzinfo:
    """Return a time zone, UTC where its name is unknown."""
    with suppress(ProblemError):
        return calendar.zone(name)
    return UTC


def humane(name: object) -> str:
    """Return an identifier as words: `next_number` → "next number"."""
    return str(name).replace("_", " ").replace("-", " ").strip() or str(name)


def titled(name: object) -> str:
    """Return an identifier as words with a capital at the beginning."""
    words = humane(name)
    return words[:1].upper() + words[1:]


def plural(kind: str) -> str:
    """Return the plural of a kind's name: proposal → proposals."""
    return kind[:-1] + "ies" if kind.endswith("y") and kind[-2:-1] not in "aeiou" else kind + "s"


def rule_path(uid: str) -> str:
    """Return the path of a rule's page."""
    return f"law/{file_name(uid)}.md"


def text_path(part: int) -> str:
    """Return the path of a part of the law's full text."""
    return f"law-text/{part:04}.md"


def time_path(part: int) -> str:
    """Return the path of a part of the law over time; the first holds what changed last."""
    return "law-time/index.md" if part == 1 else f"law-time/{part:04}.md"


def player_path(player: str) -> str:
    """Return the path of a player's page."""
    return f"players/{file_name(player)}.md"


def proposal_path(proposal: Mapping[str, Any]) -> str:
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
