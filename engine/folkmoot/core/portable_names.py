"""Which names become paths on every system: the one place where that is decided, by ASCII rules alone.

Windows has names of devices, with any ending; there and on macOS capitals make no other name.
"""

from __future__ import annotations

import re

from folkmoot.core.values import told

LONGEST = 64
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9]|lpt[0-9])(?:\..*)?", re.ASCII | re.IGNORECASE
)


def is_device(name: str) -> bool:
    """Say whether some system takes a name, whatever its ending, for a device.

    >>> is_device("con"), is_device("NUL.yaml"), is_device("console")
    (True, True, False)
    """
    return _DEVICE.fullmatch(name) is not None


def unportable(name: str) -> str:
    """Return why a name cannot be that of a file on every system, "" if it can.

    >>> unportable("dragon"), unportable("Aux")
    ('', "some systems cannot have a file called 'Aux'")
    """
    if not _PLAIN.fullmatch(name) or ".." in name or name.endswith("."):
        return f"{told(name[:40])} cannot be the name of a file everywhere; use letters, digits, _ and -"
    if len(name) > LONGEST:
        return f"{told(name[:40])}… is longer than {LONGEST} characters"
    return f"some systems cannot have a file called {told(name)}" if is_device(name) else ""


def folded(name: str) -> str:
    """Return what a name is where capitals make no difference; names with the same are one file there.

    >>> folded("Player") == folded("player")
    True
    """
    return name.lower() if name.isascii() else "".join(c.lower() if c.isascii() else c for c in name)
