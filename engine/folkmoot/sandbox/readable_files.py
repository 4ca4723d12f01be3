"""Which files the sandbox's process may read (Landlock): program and interpreter with its packages; it writes none.

Landlock also keeps it from looking into other processes, so that what stands in the parent's environment stays there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from pathlib import Path

import folkmoot

CREATE, ADD, RESTRICT = 444, 445, 446  # the same numbers on every processor
VERSION, BENEATH = 1, 1
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights over files each version knows
NETWORK_SINCE, SCOPES_SINCE = 4, 6
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/dev/null", "/dev/urandom")


def close_files() -> bool:
    """Take away every right over files but reading the program; False where the system does not know how."""
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = int(call(CREATE, None, ctypes.c_size_t(0), VERSION))
    if version < 1:
        return False
    rights = (1 << RIGHTS.get(version, 16)) - 1
    network = 3 if version >= NETWORK_SINCE else 0
    scopes = 3 if version >= SCOPES_SINCE else 0
    ruleset = int(call(CREATE, struct.pack("QQQ", rights, network, scopes), ctypes.c_size_t(24), 0))
    if ruleset < 0:
        return False
    for path in _readable():
        with contextlib.suppress(OSError):
            _let_read(call, ruleset, path)
    done = int(call(RESTRICT, ruleset, 0)) == 0
    os.close(ruleset)
    return done


def _readable() -> list[str]:
    program = str(Path(folkmoot.__file__).resolve().parent)
    return [program, *{sys.prefix, sys.base_prefix}, *LIBRARIES]


def _let_read(call: ctypes._NamedFuncPointer, ruleset: int, path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        access = READ_FILE | READ_FOLDER if Path(path).is_dir() else READ_FILE
        call(ADD, ruleset, BENEATH, struct.pack("=Qi", access, descriptor), 0)
    finally:
        os.close(descriptor)
