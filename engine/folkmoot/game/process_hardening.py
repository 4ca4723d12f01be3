"""Keeping other processes of the same account out of the one that holds secrets.

A variable that was taken out of the environment still stands in `/proc/PID/environ`, as it was when the program was
started. Where the system can (Linux), nobody but its administrator may look into a process that asks for it: neither
there, nor into its memory, nor by tracing it. What the process starts is not concerned, because it is another program.
"""

from __future__ import annotations

import os

from folkmoot.game import hidden_keys, master_secret

TOKENS = (
    *("FOLKMOOT_TOKEN", "FOLKMOOT_OLD_TOKEN", "FORGEJO_TOKEN", "GITEA_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"),
    *("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"),  # which `gh` would give for whatever host it is asked of
)
"""The variables that may hold a token for a forge, beside those that name its server."""
SECRETS = (master_secret.VARIABLE, hidden_keys.VARIABLE)
"""The variables that may hold secrets of games."""
PR_SET_DUMPABLE = 4


def shield() -> bool:
    """Let no other process look into this one, if its environment holds a secret; return whether that stands."""
    return any(value and (name in SECRETS or is_token_variable(name)) for name, value in os.environ.items()) and (
        hide_from_others()
    )


def is_token_variable(name: str) -> bool:
    """Say whether a variable may hold a token for a forge."""
    return name in TOKENS or name.startswith(("FOLKMOOT_TOKEN_", "FOLKMOOT_OLD_TOKEN_"))


def hide_from_others() -> bool:
    """Let no other process look into this one from now on; return whether that stands."""
    import ctypes  # it costs some milliseconds, and most commands hold no secret

    try:
        return int(ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0
    except (OSError, AttributeError, TypeError):  # no such system, or none of its libraries
        return False
