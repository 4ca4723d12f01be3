"""The way from a page to the forge: its editor on a file, a new file that is begun already, a form filled in."""

from __future__ import annotations

from collections.abc import Mapping
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
        return f"{self.home}/edit/{_path(self.branch)}/{_path(f'state/{self.game}/{path}')}"

    def new(self, path: str, text: str) -> str:
        """Return the address of the editor on a new file of the game that holds a text already, where `edits`."""
        begun = f"{self.home}/new/{_path(self.branch)}?filename={quoted(f'state/{self.game}/{path}')}"
        return _filled(begun, {"value": text})

    def form(self, name: str, **values: str) -> str:
        """Return the address of a form with some of its lines and areas filled in; what is too long is left out."""
        known = {each.id for each in FORMS[name] if each.kind != "choice"} | {"game"}
        for field in values:
            assert field in known, f"the form {name} has no field {field} that a link can fill"
        given = values if self.alone else {"game": self.game, **values}
        if self.kind == "github":
            return _filled(f"{self.home}/issues/new?template={name}.yml", given)
        begun = f"{self.home}/issues/new?template={quoted(f'{_FORMS_OF_GITEA}{name}.yml')}"
        return _filled(begun, {f"field:{field}": value for field, value in given.items()})

    def compare(self, branch: str, owner: str = "", **filled: str) -> str:
        """Return the address where a branch, of the repository or of `owner`'s fork, becomes a pull request.

        `filled` are its title and description, left out where the address would be too long.
        """
        head = f"{quoted(owner)}:{_path(branch)}" if owner else _path(branch)
        begun = f"{self.home}/compare/{_path(self.branch)}...{head}"
        return _filled(f"{begun}?expand=1" if self.kind == "github" else begun, filled)

    def place(self, via: Via) -> tuple[str, str]:
        """Return how the place is called where an act came from, and its address; nothing for any but ours."""
        pulls = "pull" if self.kind == "github" else "pulls"
        ours = via.get("forge") == self.kind and (via.get("stay") or 0) == self.stay
        for name, words, path in (("pull", "pull request", pulls), ("issue", "issue", "issues")):
            number = via.get(name)
            if ours and type(number) is int and number > 0:
                return f"{words} {number}", f"{self.home}/{path}/{number}"
        return "", ""


def _path(words: str) -> str:
    return quoted(words, safe="/")


def _filled(address: str, fields: Mapping[str, str]) -> str:
    """Return an address with those of some fields that say something and do not make it too long."""
    for name, value in fields.items():
        longer = f"{address}{'&' if '?' in address else '?'}{quoted(name)}={quoted(value)}"
        address = longer if value and len(longer) <= LONGEST else address
    return address


def links_of(view: GameView) -> ForgeLinks | None:
    """Return the addresses of a game on its forge; None where that is not known, or is nothing to link to."""
    return _links(view, view.kept(GAME))


def _links(view: GameView, game: PlayedAt) -> ForgeLinks | None:
    kind, home = forge_kind(game), forge_home(game)
    if kind not in ("github", "gitea") or not HOME.fullmatch(home):
        return None
    return ForgeLinks(kind, home, view.branch, view.slug, view.alone, forge_stay(game))


def outward(words: object, address: str, title: str = "", *, button: bool = False) -> Html:
    """Return a link that leads away from the site."""
    kind = "fm-outward btn" if button else "fm-outward"
    return el("a", words, href=address, title=title or None, rel="noopener noreferrer nofollow", class_=kind)


def arrival(here: Here, via: Any) -> Html:
    """Return a link to where an act came from: a pull request or an issue, also on a forge that the game has left."""
    game = here.view.kept(GAME)
    places: list[PlayedAt] = [game, *(PlayedAt(forge=left) for left in forges_left(game))]
    forges = [links for place in places if (links := _links(here.view, place))] if isinstance(via, Mapping) else []
    words, address = next(filter(any, (links.place(cast(Via, via)) for links in forges)), ("", ""))
    return outward(words, address) if address else Html("")
