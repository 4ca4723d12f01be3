"""Where secrets are: in the environment, out of which they are taken at once, or in files that are never committed.

What was taken out of the environment still stands in `/proc/PID/environ`: where the system can (Linux), nobody but its
administrator may look into a process that asks for it, or trace it. What the process starts is another program.
"""

from __future__ import annotations

import binascii
import os
import re
from base64 import urlsafe_b64decode
from pathlib import Path

from folkmoot.core.clone_files import write_whole
from folkmoot.core.problems import fail

CHANCE, SEALING, ANNOUNCE = "FOLKMOOT_CHANCE", "FOLKMOOT_SEALING", "FOLKMOOT_ANNOUNCE"
"""The variables that hold the master secret of the dice, the keys of keepers, and addresses of a group's channel."""
TOKENS = (
    *("FOLKMOOT_TOKEN", "FOLKMOOT_OLD_TOKEN", "FORGEJO_TOKEN", "GITEA_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    *("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"),  # which `gh` would give for whatever host it is asked of
)
"""The variables that may hold a token for a forge, beside those that name its server."""
PR_SET_DUMPABLE = 4


def shield() -> bool:
    """Let no other process look into this one, if its environment holds a secret; return whether that stands."""
    held = (name for name, value in os.environ.items() if value)
    return any(name in HIDDEN or is_token_variable(name) for name in held) and hide_from_others()


def is_token_variable(name: str) -> bool:
    """Whether a variable may hold a token for a forge."""
    return name in TOKENS or name.startswith(("FOLKMOOT_TOKEN_", "FOLKMOOT_OLD_TOKEN_"))


def hide_from_others() -> bool:
    """Let no other process look into this one from now on; return whether that stands."""
    import ctypes  # it costs some milliseconds, and most commands hold no secret

    try:
        return int(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0
    except (OSError, AttributeError, TypeError):  # no such system, or none of its libraries
        return False


HIDDEN = {CHANCE: "", SEALING: "", ANNOUNCE: ""}
"""The secrets of games as the environment held them, by variable; "" where it held none."""


def hide_secrets() -> None:
    """Take the secrets of games out of the environment: no process that is started from now on gets them."""
    for name, before in HIDDEN.items():
        found = os.environ.pop(name, "")
        HIDDEN[name] = found if found.strip() else before


def hidden(variable: str) -> str:
    """Return what the environment held in a variable, "" where it held nothing."""
    hide_secrets()
    return HIDDEN[variable]


# -- files of this machine


def git_file(git: Path | None, name: str, lies: str) -> Path:
    """Return a file in a git folder, which is never committed; raises E-OUTSIDE, saying what `lies`, without one."""
    if git is None:
        raise fail("E-OUTSIDE", f"{lies} in a git repository, and there is none", None, "run `git init`")
    return git / "folkmoot" / name


def write_secret(file: Path, text: str, what: str, hint: str) -> None:
    """Keep a text that nobody else may read; raises E-DISK, saying what cannot be kept and what to do."""
    try:
        write_whole(file, text.encode(), 0o600, durable=True)
    except OSError as error:
        message = f"{what} cannot be kept in {file}: {(error.strerror or str(error)).lower()}"
        raise fail("E-DISK", message, None, hint) from None


# -- the master secret of the dice


LENGTH = 32
"""How many bytes a secret has at least."""
_LONGEST = 4_096
_FEWEST_KINDS = 8  # of bytes: 32 random ones have fewer once in 10^30 times
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+", re.ASCII)
_BASE64 = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def make_master() -> str:
    """Return a new master secret as `FOLKMOOT_CHANCE` holds it: 32 random bytes, hex."""
    import secrets

    return secrets.token_hex(LENGTH)


def masters() -> list[bytes]:
    """Return the master secrets that the environment held, the newest first; raises E-SECRET for what is none."""
    held = hidden(CHANCE)
    return read_masters(held) if held else []


def read_masters(text: str) -> list[bytes]:
    """Return the master secrets of a text (32 bytes or more, hex or base64), the newest first; raises E-SECRET."""
    words = text.replace(",", " ").split() if len(text) <= _LONGEST else []
    found = [master for word in words if (master := _bytes_of(word)) is not None]
    if not found or len(found) < len(words):
        message = f"{CHANCE} does not hold {LENGTH} or more random bytes in hex or base64"
        raise fail("E-SECRET", message, None, "`moot key --dice` makes such a secret")
    return found


def _bytes_of(word: str) -> bytes | None:
    """Return the bytes that a word stands for, None where they are too few, not random, or no bytes at all."""
    plain = word.replace("+", "-").replace("/", "_").rstrip("=")
    if not _BASE64.fullmatch(plain):
        return None
    try:
        found = bytes.fromhex(word) if _HEX.fullmatch(word) else urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    except (ValueError, binascii.Error):
        return None
    return found if len(found) >= LENGTH and len(set(found)) >= _FEWEST_KINDS else None


def derived(master: bytes, game: str, epoch: int) -> bytes:
    """Return the secret of a chance epoch (HMAC-SHA256), which tells nothing of the master secret or another epoch."""
    import hmac

    return hmac.digest(master, f"folkmoot chance epoch\n{game}\n{epoch}".encode(), "sha256")
