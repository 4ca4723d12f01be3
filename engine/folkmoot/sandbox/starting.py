"""Starting a process of the sandbox, at once where a command will need one: it loads while the command loads itself.

Nothing but the standard library is imported here, so that the process starts before all else.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import folkmoot
from folkmoot.sandbox.memory import MARK, MEMORY, TIMES

START = (
    "import gc, sys; gc.set_threshold(100_000); sys.path.insert(0, sys.argv.pop(1)); "  # loading leaves no garbage
    "sys.modules['typing_extensions'] = None; "  # msgspec does as well without it, and it loads `inspect`
    "from folkmoot.sandbox.worker import main; main()"
)
NOTHING_RUN = {"PYTHON_JIT": "0"}  # it would run what it has written into memory, which no wall lets pass
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": "67108864", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TOP_PAD_": "1048576"}
"""How glibc allocates there, in bytes: each call of a script frees a heap, which would be given back each time."""
Begun = tuple[IO[bytes], "subprocess.Popen[bytes]"]

EARLY = True
"""Whether a worker is begun early at all; tests have workers of their own."""
_begun: list[Begun] = []


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


def begin_early() -> None:
    """Start a worker for whoever needs one first; where that fails, whoever does says so."""
    if EARLY and not _begun:
        with suppress(OSError):
            mark = new_mark()
            try:
                _begun.append((mark, start_worker(mark.fileno(), MEMORY, 0)))
            except OSError:
                mark.close()
                return
            atexit.register(_end)


def begun(memory: int, hash_seed: int) -> Begun | None:
    """Return the worker that was started early, once, where it may take so much and has this seed."""
    return _begun.pop() if _begun and (memory, hash_seed) == (MEMORY, 0) else None


def _end() -> None:
    """End a worker that nobody needed."""
    while _begun:
        mark, process = _begun.pop()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, mark):
            if stream is not None:
                stream.close()


def _loader() -> dict[str, str]:
    """Return where this interpreter finds its own shared libraries, if the environment says so."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}
