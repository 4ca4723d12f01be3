"""Which hooks a script may define, found without reading it: all of a game's rules are asked."""

from __future__ import annotations

import re
from functools import lru_cache

_HOOK = re.compile(r"^def[ \t]+((?:on|do|forbid|permit|decide|adjust|show)_\w+|forbid)[ \t]*\(", re.MULTILINE)


@lru_cache(maxsize=4096)
def hook_names(script: str) -> tuple[str, ...]:
    """Return the hooks that a script may define, in order; at least those that `language.scan.scan` finds.

    By pattern alone, since it is asked of every rule (a line that looks like one inside a long string counts too).
    """
    return tuple(dict.fromkeys(_HOOK.findall(script)))
