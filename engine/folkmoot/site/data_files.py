"""A game as data for programs: how it stands, every proposal, every thing, each as a JSON file with a schema.

The law as data is in `law_files`. What pages do not show is not here either: choices and reasons while a vote is open.
What is sealed stands as the handle that the record holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.game.agenda import deadline, duties_in, soonest_first
from folkmoot.site.indented_json import indented
from folkmoot.site.law_files import SCHEMAS
from folkmoot.site.pages.status import mover, timers_to_come
from folkmoot.site.pagination import Parts
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_each_kind, of_each_proposal, of_proposals, raised
from folkmoot.wording.page_links import file_name
from folkmoot.wording.stamps import stamp

PARTS = Parts(100)
NEWEST, COUNT = "newest", "count"


def game_file(view: GameView) -> dict[str, str]:
    """Return how a game stands: players, offices, its own registers, what is open, who owes what, what comes when."""
    offices = dict(view.document("things/office"))
    told = {
        "$schema": f"../{SCHEMAS}/game.json",
        "game": view.title,
        "at": stamp(view.now),
        "entry": view.entries[-1]["seq"] if view.entries else None,
        "paused": stamp(view.kept(GAME).get("paused")),
        "over": view.kept(GAME).get("over") or None,
        "turn": mover(view),
        "players": [_player(view, name, entry) for name, entry in view.players.items()],
        "offices": [
            {"office": name, "holder": view.answers.get(f"holder:{name}") or kept.get("holder"),
             "deputies": list(view.answers.get(f"acts_for:{name}") or ())}
            for name, kept in offices.items()
        ],
        "registers": view.registers("game", "game"),
        "open": [{"proposal": name, "until": stamp(deadline(view.documents, found))}
                 for name, found in reversed([*view.unresolved.items()])],
        "duties": [_duty(each) for each in soonest_first(duties_in(view.documents))],
        "coming": [{"timer": name, "due": stamp(timer.get("due")), "rule": timer.get("rule"),
                    "summary": str((timer.get("spec") or {}).get("summary") or "")}
                   for name, timer in timers_to_come(view)],
    }  # fmt: skip
    return {"game.json": _json(told)}


def proposals_file(view: GameView) -> dict[str, str]:
    """Return what is or was voted on, the oldest first: the newest, and the names of the files with all before."""
    parts = view.index(data_parts)
    earlier = [_earlier_path(number) for number in range(int(parts[COUNT][0]))]
    head = {"$schema": f"../{SCHEMAS}/proposals.json", "game": view.title, "earlier": earlier}
    return {"proposals.json": _proposals(view, head, parts[NEWEST])}


def earlier_proposals(view: GameView) -> Iterator[tuple[str, Callable[[GameView], dict[str, str]]]]:
    """Return what makes each file of earlier proposals, by name; it stays as it is while those in it do."""
    for number in range(int(view.index(data_parts)[COUNT][0])):
        yield f"earlier proposals {number}", partial(_earlier_file, number)


def _earlier_file(number: int, view: GameView) -> dict[str, str]:
    head = {"$schema": f"../../{SCHEMAS}/proposals.json", "game": view.title, "earlier": []}
    return {_earlier_path(number): _proposals(view, head, view.index(data_parts)[str(number)])}


def _earlier_path(number: int) -> str:
    return f"proposals-earlier/{number + 1:04}.json"


def _proposals(view: GameView, head: dict[str, Any], names: Sequence[str]) -> str:
    pieces = view.index(proposal_pieces)
    return _list_of(head, "proposals", ",\n".join(raised({name: pieces[name] for name in names}).values()))


def things_files(view: GameView) -> dict[str, str]:
    """Return the things of each kind that rules declare, with their registers."""
    return {f"things/{file_name(kind)}.json": text for kind, text in raised(view.index(things_of_kind)).items()}


@of_each_proposal
def proposal_pieces(view: GameView, name: str) -> str:
    """Return what is said of a proposal, as JSON."""
    return "  " + indented(_proposal(view, name)).replace("\n", "\n  ")


@of_proposals(lambda _proposal: None)
def data_parts(view: GameView) -> dict[str, Sequence[str]]:
    """Return the ids of what was voted on, the oldest first: the newest, those in each file before, how many."""
    names = [*reversed(view.proposals)]
    earlier = {str(number): PARTS.of(names, number) for number in PARTS.older(names)}
    return {NEWEST: PARTS.newest(names), COUNT: [str(len(earlier))], **earlier}


@of_each_kind
def things_of_kind(view: GameView, kind: str) -> str:
    """Return the file of a kind of things."""
    things = view.document(f"things/{kind}")
    return _json({"$schema": f"../../{SCHEMAS}/things.json", "kind": kind, "things": dict(things)})


def _player(view: GameView, name: str, entry: Document) -> dict[str, Any]:
    return {
        "player": name,
        "name": view.name(name),
        "since": stamp(entry.get("since")),
        "until": stamp(entry.get("until")),
        "registers": view.registers("player", name),
    }


def _duty(duty: Document) -> dict[str, Any]:
    return {
        "player": duty["player"],
        "as": duty.get("as"),
        "what": str(duty.get("what") or ""),
        "do": list(duty.get("do") or ()),
        "of": duty.get("of"),
        "by": stamp(duty.get("by")),
        "rule": duty.get("rule"),
    }


def _proposal(view: GameView, name: str) -> dict[str, Any]:
    found = view.proposals[name]
    return {
        "id": name,
        "kind": str(found.get("kind") or "proposal"),
        "number": found.get("number"),
        "title": str(found.get("title") or ""),
        "author": found.get("author"),
        "state": str(found.get("state") or ""),
        "outcome": found.get("outcome") or None,
        "submitted": stamp(found.get("submitted_at")),
        "opened": stamp(found.get("opened_at")),
        "closed": stamp(found.get("closed_at")),
        "resolved": stamp(found.get("resolved_at")),
        "entry": found.get("seq"),
        "changes": [_change(change) for change in found.get("changes") or ()],
        "voters": list(found.get("electorate") or ()),
        "ballots": {voter: _ballot(view, name, ballot) for voter, ballot in (found.get("ballots") or {}).items()},
        "registers": dict(found.get("registers") or {}),
        **({"taken_over": found["taken_over"]} if found.get("taken_over") else {}),
    }


def _change(change: Document) -> dict[str, Any]:
    kind = str(change.get("kind") or next(iter(change), ""))
    title = str((change.get("parts") or {}).get("title") or "")
    return {"kind": kind, "rule": change.get("rule"), "title": title}


def _ballot(view: GameView, proposal: str, ballot: Document) -> dict[str, Any]:
    if not view.displays(proposal):
        return {}
    told = {"choice": ballot.get("choice"), "weight": ballot.get("weight", 1), "counts": ballot.get("counts", True)}
    return {**told, "reason": ballot["reason"]} if ballot.get("reason") else told


def _json(told: Any) -> str:
    return indented(told) + "\n"


def _list_of(head: dict[str, Any], name: str, listed: str) -> str:
    """Return JSON of a map that ends with a list, whose items are JSON already."""
    began = _json(head).rstrip().removesuffix("}").rstrip()
    return f'{began},\n "{name}": [\n{listed}\n ]\n}}\n' if listed else f'{began},\n "{name}": []\n}}\n'
