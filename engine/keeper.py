"""The keeper's secret behind a game's dice: in the repository's own git folder, which is never committed or pushed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.chance import commitment
from engine.problems import fail
from engine.store import GameRecord

LENGTH = 32


def secret_file(game: GameRecord) -> Path:
    """Return where the secret of a game's open chance epoch is kept; raises E-OUTSIDE outside of a git repository."""
    git = game.git_dir
    if git is None:
        message = "a secret for the dice is kept in a git repository, and there is none"
        raise fail("E-OUTSIDE", message, None, "run `git init`")
    return git / "folkmoot" / f"{game.name}.secret"


def make_secret(game: GameRecord) -> str:
    """Make a secret for a game's next chance epoch, keep it, and return what commits to it (SHA-256, hex)."""
    file = secret_file(game)
    if file.exists():
        raise fail("E-DUP", f"there is a secret in {file} already", None, "close its epoch first")
    file.parent.mkdir(parents=True, exist_ok=True)
    secret = secrets.token_bytes(LENGTH)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(secret.hex())
    return commitment(secret)


def with_secret(
    game: GameRecord, state: Mapping[str, Any], by: str | None, do: str, args: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of an administrator's act with what only the keeper knows, where they were left out.

    Of nobody else's: a refused act stands in the record with its arguments, and the secret would be out.

    A chance epoch is opened with a new secret and closed with the one it was opened with; `state` is the game's own
    document. A secret that no recorded epoch uses yet is used again: what was to open one may not have been published.
    """
    if by not in (state.get("administrators") or ()):
        return args
    chance = state["chance"]
    if do == "close_epoch" and not args:
        secret = read_secret(game, chance.get("commitment") or "")
        return {"secret": secret.hex()} if secret else args
    if do != "open_epoch" or args:
        return args
    if chance.get("commitment"):
        return {"commitment": chance["commitment"]}
    committed = _kept_commitment(game)
    if committed in (None, *(epoch["commitment"] for epoch in chance.get("opened") or ())):
        forget_secret(game)
        committed = make_secret(game)
    return {"commitment": committed}


def _kept_commitment(game: GameRecord) -> str | None:
    try:
        return commitment(bytes.fromhex(secret_file(game).read_text("utf-8").strip()))
    except (FileNotFoundError, ValueError):
        return None


def read_secret(game: GameRecord, committed: str) -> bytes | None:
    """Return the secret that was committed to, None where this machine does not keep it."""
    try:
        secret = bytes.fromhex(secret_file(game).read_text("utf-8").strip())
    except (FileNotFoundError, ValueError):
        return None
    return secret if commitment(secret) == committed else None


def forget_secret(game: GameRecord) -> None:
    """Forget the secret of an epoch that is closed: it stands in the record now."""
    secret_file(game).unlink(missing_ok=True)
