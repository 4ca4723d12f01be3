"""What others and the rules did to a player, as their status tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from folkmoot.core.records import Entry, Shown
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import ADMINISTRATIVE
from folkmoot.wording import effects, sentences
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here
from folkmoot.wording.stamps import seconds


def done_to(session: Session, entries: Iterable[Entry], player: str) -> list[Shown]:
    """Return what others and the rules did to a player in entries of others, given oldest first, the newest first.

    That is points, wins and corrections that no act of their own brought, and else acts that name them: `what` (a
    sentence), `act` (the action, where the sentence tells that and by whom), `by`, `entry` and `at` (Unix seconds).
    """
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found: list[Shown] = []
    for entry in entries:
        told = {"by": entry.get("by"), "entry": entry["seq"], "at": seconds(entry["at"])}
        changed = [{"what": said, "act": None, **told} for said in _felt(here, entry, player)]
        if not changed and _names(entry, player):
            changed = [{"what": unmarked(sentences.act(here, entry)), "act": entry["do"], **told}]
        found += changed
    return found[::-1]


def _felt(here: Here, entry: Entry, player: str) -> Iterator[str]:
    """Yield what an entry changed of a player: points, wins, and what was corrected, with the reason of that."""
    all_ = entry.get("effects") or ()
    mine = [each for each in all_ if player in (each.get("of"), *(each.get("players") or ()))]
    notes = [effect for effect in mine if effect["effect"] == "correct"]
    for effect in mine:
        if effect["effect"] in ("award", "win") or (effect["effect"] == "put" and notes):
            why = "" if effect.get("why") or not notes else f": {quotation(notes[0]['why'])}"
            yield unmarked(effects.effect(here, entry, effect)) + (f" (a correction{why})" if notes else "")


def _names(entry: Entry, player: str) -> bool:
    """Say whether somebody did something in which they named a player, as whom they nominate."""
    if not entry.get("by") or entry["do"] in ADMINISTRATIVE or was_refused(entry):
        return False
    given: Iterable[Any] = (entry.get("with") or {}).values()
    return any(value == player or (isinstance(value, list) and player in value) for value in given)
