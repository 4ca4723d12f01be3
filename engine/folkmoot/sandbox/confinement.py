"""What the sandbox gives up before it runs a script: memory, time, files, children, privileges, the network."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

from folkmoot.sandbox.syscalls import refuse_calls
from folkmoot.sandbox.wire import MEMORY

SECONDS_AT_ONCE = 10  # of processor time, far above the watchdog's
SHARES = 12  # times the watchdog's seconds, because loading has some of its own
FILES = 16
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000
CREATE, RESTRICT = 444, 446  # calls of Landlock: the same numbers on every processor
VERSION = 1
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights over files each version of Landlock knows; then 16
NETWORK_SINCE, SCOPES_SINCE = 4, 6


def confine(memory: int = MEMORY) -> list[str]:
    """Give up for good what judging does not need; return the walls that stand, because not every system knows all.

    The walls are those of `folkmoot.sandbox.walls`; limits stand everywhere. On Linux it ends with who started it, and
    no program gains it privileges.
    """
    _call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    walls = {"network": _call("unshare", CLONE_NEWUSER | CLONE_NEWNET)}
    space = memory + _space()
    for limit, value in ((resource.RLIMIT_AS, space), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, FILES)):
        _limit(limit, value)
    _limit(resource.RLIMIT_CORE, 0)
    if hasattr(resource, "RLIMIT_NPROC"):
        _limit(resource.RLIMIT_NPROC, 0)
    walls["files"] = _tried(close_files)
    walls["calls"] = _tried(refuse_calls)
    return [wall for wall, stands in walls.items() if stands]


def _space() -> int:
    """Return how many bytes of address space the program has taken already; libraries reserve much and use little."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return MEMORY


def close_files() -> bool:
    """Take away every right over files (Landlock); False where the system does not know how.

    This also keeps the process from looking into others, so that what stands in the parent's environment stays there;
    newer systems let it neither connect nor signal.
    """
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = int(call(CREATE, None, ctypes.c_size_t(0), VERSION))
    if version < 1:
        return False
    rights = (1 << RIGHTS.get(version, 16)) - 1
    network, scopes = 3 * (version >= NETWORK_SINCE), 3 * (version >= SCOPES_SINCE)
    ruleset = int(call(CREATE, struct.pack("QQQ", rights, network, scopes), ctypes.c_size_t(24), 0))
    if ruleset < 0:
        return False
    done = int(call(RESTRICT, ruleset, 0)) == 0
    os.close(ruleset)
    return done


def _tried(raise_wall: Callable[[], bool]) -> bool:
    try:
        return raise_wall()
    except (OSError, AttributeError):
        return False


def _limit(limit: int, value: int) -> None:
    _soft, hard = resource.getrlimit(limit)
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(limit, (allowed, allowed))


def allow_time(seconds: float = 0.0) -> None:
    """Let the process use some more seconds of processor time from now on; the system ends it after that.

    `seconds` is what the watchdog allows, which is to bite first, also where as much again goes into loading scripts.
    """
    until = int(time.process_time() + seconds * SHARES) + SECONDS_AT_ONCE
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if soft != until:  # whole seconds, so that it is mostly said already
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (until, hard))


def _call(name: str, *arguments: int) -> bool:
    try:
        return int(getattr(ctypes.CDLL(None), name)(*arguments)) == 0
    except (OSError, AttributeError):
        return False
