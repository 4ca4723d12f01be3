"""What came of what a person did, and what others did to them, as the record has it lately."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.game.session import Entry, Session
from folkmoot.player.answers import lately
from folkmoot.wording import effects, sentences
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here

Record = dict[str, Any]


def accepted_acts(session: Session, player: str) -> list[Record]:
    """Return the player's own acts among the last entries that were accepted, newest first: `entry`, `at` and `do`."""
    mine = [entry for entry in lately(session, [player]) if entry.get("by") == player]
    done = [entry for entry in mine if not sentences.refused(entry) and not entry.get("code")]
    return [{"entry": entry["seq"], "at": seconds(entry["at"]), "do": entry["do"]} for entry in done[::-1]]


def outcomes(session: Session, player: str) -> list[Record]:
    """Return what became of the player's own proposals that were decided among the last entries, newest first.

    Each has `proposal` (its id), `title`, `outcome`, `why`, `entry` and `at` (Unix seconds).
    """
    found = [made for entry in lately(session, ["resolve"]) for made in _decided(session, entry, player)]
    return found[::-1]


def _decided(session: Session, entry: Entry, player: str) -> Iterator[Record]:
    for effect in entry.get("effects") or ():
        if effect["effect"] != "resolve":
            continue
        proposal = session.proposal(str(effect["of"]))
        if proposal and proposal["author"] == player:
            why = str((proposal["verdict"] or {}).get("why") or proposal["why"] or "")
            kept = {"proposal": proposal["id"], "title": proposal["title"], "outcome": proposal["outcome"]}
            yield {**kept, "why": why, "entry": entry["seq"], "at": seconds(entry["at"])}


def done_to(session: Session, player: str) -> list[Record]:
    """Return what others and the rules changed of a player among the last entries, newest first.

    That is points and corrections that no act of the player's own brought: `what` (a sentence), `by`, `entry` and `at`.
    """
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    others = [entry for entry in lately(session, [player]) if entry.get("by") != player]
    found = [
        {"what": said, "by": entry.get("by"), "entry": entry["seq"], "at": seconds(entry["at"])}
        for entry in others
        for said in _felt(here, entry, player)
    ]
    return found[::-1]


def _felt(here: Here, entry: Entry, player: str) -> Iterator[str]:
    """Yield what an entry changed of a player: points, and what was corrected, with the reason of the correction."""
    mine = [effect for effect in entry.get("effects") or () if effect.get("of") == player]
    notes = [effect for effect in mine if effect["effect"] == "correct"]
    for effect in mine:
        if effect["effect"] == "award" or (effect["effect"] == "put" and notes):
            why = "" if effect.get("why") or not notes else f": {notes[0]['why']}"
            yield strip(effects.effect(here, entry, effect)) + (f" (a correction{why})" if notes else "")
