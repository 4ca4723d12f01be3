"""What somebody did, in the words that the law has for it (`told` of an action)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.records import Entry
from folkmoot.core.told_patterns import Named, flaw, parts
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, escape, join, shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase

GIST = 90
"""How many characters of a text stand in a sentence."""


@of_the_law
def told_actions(view: GameView) -> dict[str, Mapping[str, Any]]:
    """Return the declarations of those actions that rules in force have words for, by name."""
    declared = {name: about for name, (_uid, about) in view.declared("actions").items()}
    return {name: about for name, about in declared.items() if about.get("told") and not flaw(str(about["told"]))}


def told_act(here: Here, entry: Entry, *, kept_back: bool = False) -> Html | None:
    """Return an act that was carried out in the law's own words for it, None where it has none.

    So it is too where the words name an argument that was not given, as after the law has changed. Where what it says
    is `kept_back`, only words stand there that say nothing of its arguments.
    """
    about = here.view.index(told_actions).get(str(entry.get("do") or ""))
    if about is None or entry.get("code"):
        return None
    given: Mapping[str, Any] = {} if kept_back else entry.get("with") or {}
    said = []
    for part in parts(str(about["told"])):
        if kept_back and part.may_fail:
            continue
        wording = next((each for each in part.wordings if all(_holds(piece, given) for piece in each)), None)
        if wording is not None:
            said += [_piece(here, about, piece, given) for piece in wording]
        elif not part.may_fail:
            return None
    return join(said)


def _holds(piece: str | Named, given: Mapping[str, Any]) -> bool:
    """Say whether a piece of a wording can stand there."""
    if isinstance(piece, str):
        return True
    value = given.get(piece.name)
    return value not in (None, "", [], {}) and not (piece.holds and value in (False, 0))


def _piece(here: Here, about: Mapping[str, Any], piece: str | Named, given: Mapping[str, Any]) -> Html:
    if isinstance(piece, str):
        return escape(piece)
    if piece.holds:
        return Html("")
    value = given[piece.name]
    if piece.words is None:
        return _shown(here, about, piece.name, value)
    number = len(value) if isinstance(value, (list, tuple, dict)) else value
    return escape(piece.words[str(number) != "1"])


def _shown(here: Here, about: Mapping[str, Any], name: str, value: Any) -> Html:
    """Return an argument as it is shown by its declared type."""
    declared = str(((about.get("arguments") or {}).get(name) or {}).get("type") or "")
    if declared == "proposal":
        return here.proposal(_votable(here, name, str(value)))
    if declared == "office":
        return here.owner(f"office/{value}")
    if declared == "text" and isinstance(value, str):
        return phrase(shortened(value, GIST))
    return here.value(value, declared)


def _votable(here: Here, name: str, value: str) -> str:
    """Return the id of what is voted on, which may be named by its number where the argument is called as its kind."""
    known = here.view.proposals
    meant = (value, f"{name}/{value}", f"{PROPOSAL}/{value}")
    return next((each for each in meant if each in known), value if "/" in value else f"{PROPOSAL}/{value}")
