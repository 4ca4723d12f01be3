"""The keys of a game's keeper, by number: players seal to the newest, and older ones open what was sealed to them.

A machine that is new for every run, as a forge's job is, keeps nothing: there `FOLKMOOT_SEALING` holds them. On a
keeper's own machine they lie in the repository's own git folder, which is never committed or pushed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from folkmoot.core.clone_files import read_text, write_whole
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Written
from folkmoot.game.hidden_keys import VARIABLE, hidden_keys
from folkmoot.journal import GameRecord
from folkmoot.sealing.keys import Identity, make_key, read_identity

AUTHOR = "author"
"""Who alone reads what they seal themselves, as a declaration says it."""
MOST = 1_000
"""How many keys a game's keeper has at most, one after the other."""
_LONGEST = 200_000
_WORD = re.compile(r"([1-9][0-9]{0,3}):(AGE-SECRET-KEY-1[0-9A-Z]{58})", re.ASCII)


def keeper_word(number: int, key: Identity) -> str:
    """Return a key with its number as `FOLKMOOT_SEALING` holds it."""
    return f"{number}:{key.secret}"


def read_keeper_keys(text: str) -> dict[int, Identity]:
    """Return the keys that a text holds, by number; raises E-SECRET, which shows nothing of them.

    Each is its number, a colon, and `AGE-SECRET-KEY-1…`; several are set apart by blanks or commas.
    """
    found: dict[int, Identity] = {}
    for word in text.replace(",", " ").split() if len(text) <= _LONGEST else [""]:
        parts = _WORD.fullmatch(word)
        if parts is None or int(parts[1]) in found:
            raise _unreadable()
        found[int(parts[1])] = _read(parts[2])
    return found


def _read(secret: str) -> Identity:
    try:
        return read_identity(secret)
    except ProblemError as error:
        if error.problems[0].code == "E-OUTSIDE":
            raise
        raise _unreadable() from None


def _unreadable() -> ProblemError:
    message = f"{VARIABLE} does not hold numbered keys, as in `1:AGE-SECRET-KEY-1…`, each number once"
    return fail("E-SECRET", message, None, "`moot key --keeper --print` makes such a key")


def needs_keeper(rules: Iterable[Written]) -> bool:
    """Say whether rules seal anything that more people than its author alone may read: somebody must keep the key.

    >>> needs_keeper([{"defines": {"player": {"hand": {"type": "list", "sealed": "owner"}}}}])
    True
    >>> needs_keeper([{"actions": {"choose": {"arguments": {"hand": {"type": "text", "sealed": "author"}}}}}])
    False
    """
    return any(
        _seals({"sealed": rule.get("sealed"), "of": rule.get("defines"), "do": rule.get("actions")}) for rule in rules
    )


def _seals(declared: Any) -> bool:
    if isinstance(declared, Mapping):
        return declared.get("sealed") not in (None, False, AUTHOR) or any(map(_seals, declared.values()))
    return isinstance(declared, (list, tuple)) and any(map(_seals, declared))


# -- what this machine keeps


def keeper_file(game: GameRecord) -> Path:
    """Return where a game's keeper keeps their keys; raises E-OUTSIDE outside of a git repository."""
    git = game.git_dir
    if git is None:
        message = "the keys of a keeper lie in a git repository, and there is none"
        raise fail("E-OUTSIDE", message, None, "run `git init`")
    return git / "folkmoot" / f"{game.name}.sealing"


def _kept(game: GameRecord) -> dict[int, Identity]:
    return read_keeper_keys(read_text(keeper_file(game)) or "")


def keeper_keys(game: GameRecord) -> dict[int, Identity]:
    """Return the keys that the environment and this machine hold for a game, by number; raises E-SECRET."""
    text = hidden_keys()
    given = read_keeper_keys(text) if text else {}
    return _kept(game) | given if game.git_dir is not None else given


def make_keeper_key(game: GameRecord) -> tuple[int, Identity]:
    """Make the key that comes after those that are here, keep it, and return it with its number."""
    kept = _kept(game)
    number = max(keeper_keys(game), default=0) + 1
    if number > MOST:
        raise fail("E-BOUNDS", f"a game's keeper has at most {MOST:,} keys")
    made = make_key()
    _keep(game, kept | {number: made})
    return number, made


def forget_keeper_key(game: GameRecord, number: int) -> None:
    """Forget a key that this machine keeps: from now on nothing that was sealed to it opens here."""
    _keep(game, {each: key for each, key in _kept(game).items() if each != number})


def _keep(game: GameRecord, keys: dict[int, Identity]) -> None:
    file = keeper_file(game)
    try:
        words = "".join(keeper_word(number, key) + "\n" for number, key in sorted(keys.items()))
        write_whole(file, words.encode(), 0o600, durable=True)
    except OSError as error:
        message = f"the key cannot be kept in {file}: {(error.strerror or str(error)).lower()}"
        raise fail("E-DISK", message, None, "make room, then run it again; nothing was changed") from None
