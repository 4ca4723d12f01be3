"""Keys that an act names without saying them: the keeper's next one, where it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.documents import GameDocument
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments
from folkmoot.game.keeper import keeper_seeds, seed_key
from folkmoot.game.keeper_keys import keeper_keys
from folkmoot.journal import GameRecord
from folkmoot.sealing.seeds import nth_seed, seed_proof, seed_secret


def with_keeper_key(game: GameRecord, state: GameDocument, by: str | None, do: str, args: Arguments) -> Arguments:
    """Return the arguments of an act; an administrator's who names a key of the keeper with that key and its seeds.

    It is the one whose number is next. `state` is the game's own document. Raises E-SECRET where it is not here.
    """
    if by not in (state.get("administrators") or ()):
        return args
    if do == "open_seed" and set(args) == {"draw"} and isinstance(args["draw"], int):
        return {**args, **opened_seed(game, state, args["draw"])}
    if do != "open_sealing" or args:
        return args
    number = len(state.get("sealing") or ()) + 1
    key = keeper_keys(game).get(number)
    if key is None:
        hint = "`moot key --keeper` makes it on this machine, `moot key --keeper --print` for a forge"
        raise fail("E-SECRET", f"key {number} of the keeper of {game.name} is not here", None, hint)
    return {"key": key.recipient.text, "seeds": keeper_seeds(key, game.founding)}


def opened_seed(game: GameRecord, state: Mapping[str, Any], draw: int) -> dict[str, Any]:
    """Return the seed of a sealed draw and what proves it; nothing where the keeper's key is not here."""
    key = seed_key(state, draw)
    identity = keeper_keys(game).get(key["number"]) if key else None
    if key is None or identity is None:
        return {}
    secret, founded, n = seed_secret(identity.secret), game.founding, draw - key["after"] - 1
    return {"seed": nth_seed(secret, founded, n).hex(), "proof": list(seed_proof(secret, founded, n))}
