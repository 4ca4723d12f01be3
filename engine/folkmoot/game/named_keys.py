"""Keys that an act names without saying them: the keeper's next one, where it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from folkmoot.core.documents import GameDocument
from folkmoot.core.keys import sealed_keys
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments, SealedRecord
from folkmoot.game.keeper import keeper_seeds, seed_key
from folkmoot.game.keeper_keys import keeper_keys
from folkmoot.journal import GameRecord
from folkmoot.sealing.commitments import nth_seed, seed_proof, seed_secret


def with_keeper_key(game: GameRecord, state: GameDocument, by: str | None, do: str, args: Arguments) -> Arguments:
    """Return the arguments of an act; an administrator's who names a key of the keeper with that key and its seeds.

    It is the one whose number is next. `state` is the game's own document. Raises E-SECRET where it is not here.
    """
    if by not in (state.get("administrators") or ()):
        return args
    if do != "open_sealing" or args:
        return args
    number = len(state.get("sealing") or ()) + 1
    key = keeper_keys(game).get(number)
    if key is None:
        hint = "`moot key --keeper` makes it on this machine, `moot key --keeper --print` for a forge"
        raise fail("E-SECRET", f"key {number} of the keeper of {game.name} is not here", None, hint)
    return {"key": key.recipient.text, "seeds": keeper_seeds(key, game.founding)}


def confided_seed(game: GameRecord, state: GameDocument, by: str | None, do: str, args: Arguments) -> Arguments:
    """Return the seed with which an administrator proves a sealed draw; it may stand in no act that is refused.

    Raises E-SEALED where an engine before this one drew, which did not record what rests on the draw, and something is
    closed that may.
    """
    if do != "open_seed" or by not in (state.get("administrators") or ()) or "seed" in args:
        return {}
    draw = args.get("draw")
    if type(draw) is not int:
        return {}
    if not args.get("insist") and (closed := _closed_since(game, state, draw)):
        hint = "`insist=true` opens it all the same, for everybody to see what it dealt"
        message = f"an older engine drew sealed draw {draw}, and {closed} sealed values are closed that may be of it"
        raise fail("E-SEALED", message, None, hint)
    return opened_seed(game, state, draw)


def _closed_since(game: GameRecord, state: GameDocument, draw: int) -> int:
    """Return how many closed values may rest on a sealed draw that an older engine made; 0 where this one made it."""
    made = _made_by(game, draw)
    if not made or any("draws" in each for each in made):
        return 0
    first, last = made[0]["made"], int(state["counters"].get("sealed", 0))
    documents = (game.archive(key) or {} for key in sealed_keys(last))
    known = ((int(number), value) for document in documents for number, value in document.items())
    return sum(1 for number, value in known if number >= first and not ({"opened", "by", "draws"} & value.keys()))


def _made_by(game: GameRecord, draw: int) -> list[SealedRecord]:
    """Return what was recorded of the values that a sealed draw dealt."""
    for entry in game.entries(having=[f"seed: {draw}"]):
        records = entry.get("sealed") or []
        at = next((place for place, each in enumerate(records) if each.get("seed") == draw), None)
        if at is not None and not entry.get("code"):
            return list(takewhile(lambda each: "made" in each, records[at + 1 :]))
    return []


def opened_seed(game: GameRecord, state: Mapping[str, Any], draw: int) -> dict[str, Any]:
    """Return the seed of a sealed draw and what proves it; nothing where the keeper's key is not here."""
    key = seed_key(state, draw)
    identity = keeper_keys(game).get(key["number"]) if key else None
    if key is None or identity is None:
        return {}
    secret, founded, n = seed_secret(identity.secret), game.founding, draw - key["after"] - 1
    return {"seed": nth_seed(secret, founded, n).hex(), "proof": list(seed_proof(secret, founded, n))}
