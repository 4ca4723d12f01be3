"""What a move leaves behind, and what somebody has to do afterwards: said before anything is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from folkmoot.core.documents import Document, GameDocument, Proposal
from folkmoot.core.game_location import LOCAL, played_at
from folkmoot.core.keys import GAME, ROSTER, came_here, forge_home, forge_kind, proposal_key
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.core.records import PlayedAt
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.forge_change import host_of
from folkmoot.ops.moving.moving import place_of

Accounts = Mapping[str, Mapping[str, str]]


class Loss(Struct, frozen=True, kw_only=True):
    """Something that a move leaves behind, or asks of somebody: what it is about, and a sentence."""

    game: str
    about: str
    says: str


def losses_of(game: GameTree, kind: str, home: str, accounts: Accounts) -> Iterator[Loss]:
    """Yield what becomes of a game that goes to a forge of a kind, with its people known there by accounts."""
    settings, roster = game.kept(GAME), game.kept(ROSTER)

    def loss(about: str, says: str) -> Loss:
        return Loss(game=game.name, about=about, says=says)

    yield loss(
        "talk", f"Comments, reviews and reactions stay at {played_at(settings)}; what is recorded stays recorded."
    )
    yield from (loss("people", says) for says in _people(settings, roster, kind, home, accounts))
    for identifier in settings.get("open") or ():
        proposal: Proposal = game.archive(proposal_key(str(identifier)))
        yield from (loss(str(identifier), says) for says in _vote(proposal, settings))
    for name in settings.get("applications") or {}:
        yield loss("people", f"{name} asked to come in, and asks again there.")
    yield from (loss("forge", says) for says in _forge(settings, kind))


def unknown_in(settings: GameDocument, roster: Document, kind: str, home: str, accounts: Accounts) -> list[str]:
    """Return the players whom nobody would know on the new forge."""
    kept = _keeps_people(settings, kind, home)
    return [
        player
        for player, entry in roster.items()
        if entry.get("until") is None
        and player not in accounts
        and not (kept and kind in (entry.get("handles") or {}))
        and not (kind == LOCAL and entry.get("email"))
    ]


def _keeps_people(settings: GameDocument, kind: str, home: str) -> bool:
    """Say whether accounts of a kind that the record knows mean the same people on the new forge."""
    places: list[PlayedAt] = [settings, *(PlayedAt(forge=left) for left in settings.get("left") or ())]
    known = [place for place in places if forge_kind(place) == kind]
    return kind == LOCAL or all(host_of(forge_home(place)) == host_of(home) for place in known)


def _people(settings: GameDocument, roster: Document, kind: str, home: str, accounts: Accounts) -> Iterator[str]:
    for player in accounts:
        if player in roster:
            yield f"{player} is {accounts[player]['login']} there."
    for player in unknown_in(settings, roster, kind, home, accounts):
        line = f"/do identify player={player} forge={kind} id=… login=…"
        yield f"{player} is nobody there, and neither votes nor acts, until an administrator says who: `{line}`."


def _vote(proposal: Proposal, settings: GameDocument) -> Iterator[str]:
    cast, name = len(proposal["ballots"]), called(proposal).capitalize()
    via = proposal.get("via") or {}
    stays = f"; {cast} {'vote stays' if cast == 1 else 'votes stay'} cast" if cast else ""
    if came_here(via, settings) and (via.get("pull") or (via.get("issue") and proposal.get("changes"))):
        yield f"{name} goes on in a new pull request, instead of {place_of(proposal)}{stays}."
    else:
        word = f"/vote CHOICE {proposal['kind']}={handle(proposal)}"
        yield f"{name} has no pull request, and is voted on in the game's thread by `{word}`{stays}."
    if proposal.get("state") == "pending":
        yield f"{name} is not open to votes: ballots that wait for that are not recorded, and are sent again there."


def _forge(settings: GameDocument, kind: str) -> Iterator[str]:
    yield "Deadlines go on meanwhile; `moot act pause` before, and resume after, stops them."
    if (chance := settings.get("chance")) and chance.get("commitment"):
        yield "The secret of the dice has to be there too: store the same FOLKMOOT_CHANCE where the new referee runs."
    if settings.get("sealing"):
        yield "The keys of the keeper have to be there too, or nothing that is sealed is opened: FOLKMOOT_SEALING."
    if kind != LOCAL:
        yield "Jobs, secrets, webhooks, labels, forms and the protection of the branch do not come along."
