"""Links to the page that seals in the browser, which say to whom and for which place: behind `#`, so to no server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.sealed_values import AUTHOR
from folkmoot.kernel.voting import content_digest
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, join
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

PAGE = "../seal.html"
"""Seen from the folder of a game."""
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def seal_link(here: Here, words: object, act: str, argument: str, target: tuple[str, str] = ("", "")) -> Html:
    """Return a link that seals an argument of an act to the keeper, nothing where the game has no key of one yet.

    `target` is what the act is about, and its digest.
    """
    place = _place(here.view)
    if not place:
        return Html("")
    about = {"act": act, "argument": argument, "target": target[0], "target_digest": target[1]}
    found = urlencode({name: text for name, text in (place | about).items() if text}, quote_via=quote)
    return el("a", words, href=f"{here.beside(PAGE)}#{found}", class_="fm-seal")


def _place(view: GameView) -> dict[str, str]:
    keys = view.kept(GAME).get("sealing") or ()
    if not keys or not _DIGEST.fullmatch(view.founding):
        return {}
    newest = keys[-1]
    return {"recipient": str(newest["key"]), "keeper": str(newest["number"]), "game": view.founding}


def links_of_act(here: Here, name: str, arguments: Mapping[str, Any]) -> Html:
    """Return links that seal the arguments of an act which its action declares as sealed."""
    return _line(
        seal_link(here, _("Seal {argument} in the browser", argument=each), name, each)
        for each in sealed_arguments(arguments)
    )


def sealed_arguments(arguments: Mapping[str, Any]) -> list[str]:
    """Return the names of the arguments that are sealed to the keeper."""
    return [name for name, spec in arguments.items() if (spec or {}).get("sealed") not in (None, AUTHOR)]


def link_of_vote(here: Here, proposal: Document) -> Html:
    """Return a link that seals a vote on a proposal, nothing unless ballots on it are sealed and the vote is open."""
    if not proposal.get("sealed") or proposal.get("state") != "open":
        return Html("")
    found: Any = proposal
    target = (str(proposal["id"]), content_digest(found))
    return _line([seal_link(here, _("Seal your vote in the browser"), VOTE, "choice", target)])


def _line(links: Iterator[Html] | list[Html]) -> Html:
    found = [link for link in links if link]
    return el("p", join(found, " · "), class_="fm-more fm-edit") if found else Html("")
