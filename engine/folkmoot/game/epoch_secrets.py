"""The keeper's secrets behind a game's dice: derived from a master secret of the environment, or kept beside the game.

A forge's job keeps nothing: there `FOLKMOOT_CHANCE` holds the master secret. On a keeper's own machine that of the
open epoch lies in the repository's git folder, which is never committed or pushed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from folkmoot.core.clone_files import read_text, remove
from folkmoot.core.documents import Epochs, GameDocument
from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Arguments
from folkmoot.game.secret_store import LENGTH, derived, git_file, masters, write_secret
from folkmoot.journal import GameRecord
from folkmoot.kernel.chance import commitment, subkey
from folkmoot.sandbox.wire import DiceSource

# -- a secret of its own for each epoch


def secret_file(game: GameRecord) -> Path:
    """Return where the secret of a game's open chance epoch is kept; raises E-OUTSIDE outside of a git repository."""
    return git_file(game.git_dir, f"{game.name}.secret", "a secret for the dice is kept")


def make_secret(game: GameRecord) -> str:
    """Make a secret for a game's next chance epoch, keep it, and return what commits to it (SHA-256, hex)."""
    file = secret_file(game)
    if file.exists():
        raise fail("E-DUP", f"there is a secret in {file} already", None, "close its epoch first")
    secret = secrets.token_bytes(LENGTH)
    write_secret(file, secret.hex(), "the secret", "make room, then open the epoch again; nothing was recorded")
    return commitment(secret)


def _kept(game: GameRecord) -> bytes | None:
    """Return the secret that this machine keeps for a game, None if it keeps none."""
    try:
        kept = bytes.fromhex((read_text(secret_file(game)) or "").strip())
    except ValueError:
        return None
    return kept if len(kept) >= LENGTH else None  # what is left of one that was cut short is none


def forget_secret(game: GameRecord) -> None:
    """Forget the secret of an epoch that is over: it stands in the record now, or is of no more use."""
    remove(secret_file(game))


# -- what the keeper knows


def read_secret(game: GameRecord, epoch: int, committed: str) -> bytes | None:
    """Return the secret of an epoch that was committed to, None where neither environment nor machine has it."""
    try:
        known = [derived(master, game.name, epoch) for master in masters()]
    except ProblemError:  # what the environment holds is none: said where it is looked at, and when it is needed
        known = []
    return next((each for each in (*known, _kept(game)) if each and commitment(each) == committed), None)


def dice_of(game: GameRecord, state: Mapping[str, Any], event: Event, digest: str) -> DiceSource:
    """Return where the draws of an event (of this `digest`) come from: the secret of the open epoch, or open dice."""
    epoch = state.get("chance")
    if epoch is None or not epoch["commitment"]:
        return {"kind": "open", "prev": event.prev, "digest": digest}
    secret = read_secret(game, epoch["epoch"], epoch["commitment"])
    if secret is None:
        return {"kind": "sealed"}
    return {"kind": "secret", "key": subkey(secret, event.prev, digest).hex(), "epoch": epoch["epoch"]}


def is_lost(game: GameRecord, chance: Epochs) -> bool:
    """Whether an epoch is open whose secret neither environment nor machine has."""
    committed = chance.get("commitment") or ""
    return bool(committed) and read_secret(game, chance["epoch"], committed) is None


def with_secrets(
    game: GameRecord, state: GameDocument, by: str | None, do: str, args: Arguments
) -> tuple[Arguments, Arguments]:
    """Return the arguments of an act with what only the keeper knows, and those of them that no refused act may hold.

    That is filled in for an administrator who leaves it out. Raises E-SECRET or E-SEALED where it cannot be had.
    """
    if by not in (state.get("administrators") or ()):
        return args, {}
    if do in ("open_sealing", "open_seed"):
        from folkmoot.game.keeper import confided_seed, named_key  # games without sealed data do without it

        return (args, confided_seed(game, state, args)) if do == "open_seed" else (args or named_key(game, state), {})
    if args or do not in ("open_epoch", "close_epoch"):
        return args, {}
    chance = state["chance"]
    if do == "open_epoch":
        return {"commitment": chance.get("commitment") or _next_commitment(game, chance)}, {}
    secret = read_secret(game, chance["epoch"], chance.get("commitment") or "")
    return args, {"secret": secret.hex()} if secret else {}


def _next_commitment(game: GameRecord, chance: Mapping[str, Any]) -> str:
    """Return what commits to the next secret; one that no recorded epoch uses yet may not have been published."""
    found = masters()
    if found:
        return commitment(derived(found[0], game.name, chance["epoch"] + 1))
    over = [epoch["commitment"] for epoch in (*(chance.get("opened") or ()), *(chance.get("lost") or ()))]
    kept = _kept(game)
    if kept is not None and commitment(kept) not in over:
        return commitment(kept)
    forget_secret(game)
    return make_secret(game)
