"""What somebody did, in the words that the law has for it (`told` of an action)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.records import Entry
from folkmoot.core.told_patterns import flaw, parts
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


def told_act(here: Here, entry: Entry) -> Html | None:
    """Return an act that was carried out in the law's own words for it, None where it has none.

    So it is too where the words name an argument that was not given, as after the law has changed.
    """
    about = here.view.index(told_actions).get(str(entry.get("do") or ""))
    if about is None or entry.get("code"):
        return None
    said = []
    for optional, pieces in parts(str(about["told"])):
        shown = [_shown(here, about, name, entry.get("with") or {}) for name in pieces[1::2]]
        if all(shown):
            said += [escape(pieces[0])]
            said += [join([value, escape(words)]) for value, words in zip(shown, pieces[2::2], strict=True)]
        elif not optional:
            return None
    return join(said)


def _shown(here: Here, about: Mapping[str, Any], name: str, given: Mapping[str, Any]) -> Html:
    """Return an argument as it is shown by its declared type, nothing where it was not given."""
    value = given.get(name)
    if value in (None, "", [], {}):
        return Html("")
    declared = str(((about.get("arguments") or {}).get(name) or {}).get("type") or "")
    if declared == "proposal":
        known = str(value) if str(value) in here.view.proposals else f"proposal/{value}"
        return here.proposal(known)
    if declared == "text" and isinstance(value, str):
        return phrase(shortened(value, GIST))
    return here.value(value, declared)
