"""Public keys that people give: read with care, so that no private half ever leaves this machine."""

from __future__ import annotations

from pathlib import Path

from folkmoot.core.problems import Position, fail
from folkmoot.kernel.roster import KEY

LARGEST = 20_000  # bytes of a file of a key


def read_public_key(path: Path) -> str:
    """Return the public key in a file as `ssh-ed25519 AAAA…`, without its comment.

    Raises E-SECRET for a private key, of which nothing is shown or sent, and E-ARGS for anything else.
    """
    data = path.read_bytes()[: LARGEST + 1]
    if b"PRIVATE" in data.upper() or b"PuTTY-User-Key-File" in data:
        public = path.with_name(path.name + ".pub")
        hint = f"give {public}" if public.exists() else "give the public half: `ssh-keygen -y -f FILE` prints it"
        raise fail("E-SECRET", f"{path} is a PRIVATE key; nothing of it was shown or sent", None, hint)
    lines = [line for line in data.decode(errors="replace").splitlines() if line.strip() and not line.startswith("#")]
    words = " ".join(lines[0].split()[:2]) if len(lines) == 1 and len(data) <= LARGEST else ""
    if not KEY.fullmatch(words):
        hint = "such a file has one line, as in `ssh-ed25519 AAAA… you@here`; `ssh-keygen -t ed25519` makes a key"
        raise fail("E-ARGS", "this is not the public half of an SSH key", Position(str(path)), hint)
    return words
