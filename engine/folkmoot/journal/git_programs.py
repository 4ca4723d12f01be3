"""Which programs git may start in a repository: none that its settings, its hooks or its attributes name.

How a server is reached (`core.sshCommand`, `credential.helper`, proxies) and how its keeper signs stays their business.
"""

from __future__ import annotations

import errno
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygit2

SETTINGS = (
    *(f"core.hooksPath={os.devnull}", "core.fsmonitor=false", f"core.attributesFile={os.devnull}"),
    *("core.alternateRefsCommand=true", "core.pager=cat", "submodule.recurse=false"),
    "safe.bareRepository=all",  # it runs where somebody said; what such a repository names is not run
    "advice.graftFileDeprecated=false",  # a hint that would stand before whatever else git complains of
)
"""Settings under which git runs no hook, watcher, pager or other program of the repository's."""
QUIETLY = [word for setting in SETTINGS for word in ("-c", setting)]
"""The same as words of a command, behind `git`."""
AS_IT_IS = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}
"""Variables under which git sees the objects that are there, and none that somebody put in their place."""
_STEPS = {"clean": "", "smudge": "", "process": "", "required": "false"}


def ended(code: int) -> str:
    """Return what there is to say of a git that said nothing itself: how it ended."""
    if code < 0 and -code == getattr(signal, "SIGXFSZ", 0):
        return os.strerror(errno.EFBIG)
    return f"git was ended by signal {-code}" if code < 0 else f"git ended with code {code}"


def without_filters(repo: pygit2.Repository) -> dict[str, str]:
    """Return variables under which git takes files as they are, whatever filters attributes and settings name."""
    names = {entry.name.rpartition(".")[0] for entry in repo.config if entry.name.startswith("filter.")}
    pairs = [(f"{name}.{step}", value) for name in sorted(names) for step, value in _STEPS.items()]
    keys = {f"GIT_CONFIG_KEY_{number}": key for number, (key, _) in enumerate(pairs)}
    values = {f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in enumerate(pairs)}
    return {"GIT_CONFIG_COUNT": str(len(pairs)), **keys, **values}
