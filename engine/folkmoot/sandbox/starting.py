"""Starting a process of the sandbox."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import folkmoot
from folkmoot.sandbox.memory import MARK, TIMES

START = (
    "import gc, sys; gc.set_threshold(100_000); sys.path.insert(0, sys.argv.pop(1)); "  # loading leaves no garbage
    "from folkmoot.sandbox.worker import main; main()"
)
NOTHING_RUN = {"PYTHON_JIT": "0"}  # it would run what it has written into memory, which no wall lets pass
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": "67108864", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TOP_PAD_": "1048576"}
"""How glibc allocates there, in bytes: each call of a script frees a heap, which would be given back each time."""


def new_mark() -> IO[bytes]:
    """Return an empty file in which a process says where it is; raises OSError."""
    mark = TemporaryFile()  # noqa: SIM115  open as long as the process
    try:
        mark.truncate(MARK + TIMES.size)
    except OSError:
        mark.close()
        raise
    return mark


def start_worker(mark: int, memory: int, hash_seed: int) -> subprocess.Popen[bytes]:
    """Start a worker with nothing of the environment, no open files but its pipes and that of its mark.

    `mark` is a descriptor, `memory` how many bytes it may take beside its program. Raises OSError.
    """
    root = str(Path(folkmoot.__file__).resolve().parent.parent)
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-c", START, root, str(mark), str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONHASHSEED": str(hash_seed), "LC_ALL": "C.UTF-8", **NOTHING_RUN, **ALLOCATOR, **_loader()},
        cwd="/",
        pass_fds=(mark,),
        bufsize=0,
    )


def _loader() -> dict[str, str]:
    """Return where this interpreter finds its own shared libraries, if the environment says so."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}
