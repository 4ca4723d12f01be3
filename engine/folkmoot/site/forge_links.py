"""The way from a page to the forge: its editor on a file, a new file that is begun already, a form filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import quote

from msgspec import Struct

from folkmoot.core.game_location import forges_left
from folkmoot.core.keys import GAME, HOME, forge_home, forge_kind, forge_stay
from folkmoot.core.records import PlayedAt, Via
from folkmoot.files.issue_forms import FORMS
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

quoted = partial(quote, safe="", errors="replace")  # a text as a part of an address
LONGEST = 6_000  # characters of an address; forges and browsers refuse very long ones
_FORMS_OF_GITEA = ".gitea/ISSUE_TEMPLATE/"


class ForgeLinks(Struct, frozen=True):
    """Addresses on the forge of one game: `home` is its repository there, `branch` the one that is played on."""

    kind: str
    home: str
    branch: str
    game: str
    alone: bool = True
    stay: int = 0

    @property
    def edits(self) -> bool:
        """Say whether everybody may use the forge's editor: GitHub makes a fork, others answer 404 to most."""
        return self.kind == "github"

    def edit(self, path: str) -> str:
        """Return the address of the editor on a file of the game, `rules/203.yaml`, where `edits`."""
        return f"{self.home}/edit/{quoted(self.branch, safe='/')}/{quoted(self._inside(path), safe='/')}"

    def new(self, path: str, text: str) -> str:
        """Return the address of the editor on a new file of the game that holds a text already, where `edits`."""
        start = f"{self.home}/new/{quoted(self.branch, safe='/')}?filename={quoted(self._inside(path))}"
        full = f"{start}&value={quoted(text)}"
        return full if len(full) <= LONGEST else start

    def form(self, name: str, **values: str) -> str:
        """Return the address of a form with some of its lines and areas filled in; what is too long is left out."""
        file = f"{name}.yml" if self.kind == "github" else f"{_FORMS_OF_GITEA}{name}.yml"
        address = f"{self.home}/issues/new?template={quoted(file)}"
        known = {each.id for each in FORMS[name] if each.kind != "choice"} | {"game"}
        given = values if self.alone else {"game": self.game, **values}
        for id_, value in given.items():
            assert id_ in known, f"the form {name} has no field {id_} that a link can fill"
            field = id_ if self.kind == "github" else f"field:{id_}"
            longer = f"{address}&{quoted(field)}={quoted(value)}"
            address = longer if len(longer) <= LONGEST else address
        return address

    def compare(self, branch: str, owner: str = "", **filled: str) -> str:
        """Return the address where a branch, of the repository or of `owner`'s fork, becomes a pull request.

        `filled` are its title and description, left out where the address would be too long.
        """
        head = f"{quoted(owner)}:{quoted(branch, safe='/')}" if owner else quoted(branch, safe="/")
        address = f"{self.home}/compare/{quoted(self.branch, safe='/')}...{head}"
        address += "?expand=1" if self.kind == "github" else ""
        for name, value in filled.items():
            longer = f"{address}{'&' if '?' in address else '?'}{quoted(name)}={quoted(value)}"
            address = longer if value and len(longer) <= LONGEST else address
        return address

    def place(self, via: Via) -> tuple[str, str]:
        """Return how the place is called where an act came from, and its address; nothing for any but ours."""
        for name, words, path in (("pull", _("pull request"), self._pulls), ("issue", _("issue"), "issues")):
            number = via.get(name)
            here = via.get("forge") == self.kind and (via.get("stay") or 0) == self.stay
            if here and type(number) is int and number > 0:
                return f"{words} {number}", f"{self.home}/{path}/{number}"
        return "", ""

    @property
    def _pulls(self) -> str:
        return "pull" if self.kind == "github" else "pulls"

    def _inside(self, path: str) -> str:
        return f"state/{self.game}/{path}"


def links_of(view: GameView) -> ForgeLinks | None:
    """Return the addresses of a game on its forge; None where that is not known, or is nothing to link to."""
    return _links(view, view.kept(GAME))


def _links(view: GameView, game: PlayedAt) -> ForgeLinks | None:
    kind, home = forge_kind(game), forge_home(game)
    if kind not in ("github", "gitea") or not HOME.fullmatch(home):
        return None
    return ForgeLinks(kind, home, view.branch, view.slug, view.alone, forge_stay(game))


def _all_links(view: GameView) -> Iterator[ForgeLinks]:
    """Yield the addresses on the forge of a game, then those on the forges that it has left."""
    game = view.kept(GAME)
    places: list[PlayedAt] = [game, *(PlayedAt(forge=left) for left in forges_left(game))]
    yield from filter(None, (_links(view, place) for place in places))


def outward(words: object, address: str, title: str = "", *, button: bool = False) -> Html:
    """Return a link that leads away from the site."""
    kind = "fm-outward btn" if button else "fm-outward"
    return el("a", words, href=address, title=title or None, rel="noopener noreferrer nofollow", class_=kind)


def arrival(here: Here, via: Any) -> Html:
    """Return a link to where an act came from: a pull request or an issue; nothing where that is not known."""
    if not via:
        return Html("")
    found = (links.place(cast(Via, via)) for links in _all_links(here.view)) if isinstance(via, Mapping) else ()
    words, address = next(filter(any, found), ("", ""))
    return outward(words, address) if address else Html("")
