"""A filter of system calls (seccomp): what the sandbox's process needs to think and to answer, and nothing besides.

By then it has read all that it will ever read, so that no call is left that names a file, a process or an address:
nothing is opened or looked for, started, signalled, slowed down, shared, or changed. A call that is not on the list
fails and does not end the process, because libraries ask for more than they need and go on without: with EPERM; with
ENOSYS where it is newer than this list, so that a library takes the older one. Of `abort`, which signals itself, the
processor's own trap is left. The list is what worked under `strace` with CPython 3.11 and glibc; 3.12 to 3.14, musl and
aarch64 make no others there (what they register for a thread is done by then, and older ways to limit are not taken).
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import struct
import sys

from msgspec import Struct

PR_SET_SECCOMP, FILTER = 22, 2
ALLOW, REFUSE, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # the latter two: errno EPERM, ENOSYS
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in what the filter sees
NEWER = 472  # first number that was free when the list was written; those of the x32 interface lie far above
PROCESSORS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SELF = CPU_TIME = 0xFFFFFFFF  # bits of a number that is zero: the process itself, the limit of processor time


class Call(Struct, frozen=True):
    """A call that is allowed: its number on each processor, what for, and bits of its arguments that must be zero."""

    name: str
    x86_64: int
    aarch64: int
    reason: str
    zero: tuple[tuple[int, int], ...] = ()

    def lines(self, processor: str) -> list[bytes]:
        """Return the lines of the filter that let it through."""
        body = []
        for argument, bits in self.zero:
            body += [_line(LOAD, ARGUMENTS + 8 * argument), _line(ANY_BIT, bits, 0, 1), _line(RETURN, REFUSE)]
        body.append(_line(RETURN, ALLOW))
        return [_line(EQUAL, getattr(self, processor), 0, len(body)), *body]


NOT_RUN = ((2, mmap.PROT_EXEC),)
ALLOWED = (
    Call("clock_gettime", 228, 113, "processor time, which no library can tell without the system"),
    Call("mmap", 9, 222, "memory, none of which can be run", NOT_RUN),
    Call("munmap", 11, 215, "memory given back"),
    Call("read", 0, 63, "a request"),
    Call("write", 1, 64, "its answer"),
    Call("prlimit64", 302, 261, "its own limit of processor time, anew for each request", ((0, SELF), (1, CPU_TIME))),
    Call("brk", 12, 214, "memory"),
    Call("mremap", 25, 216, "memory that grows"),
    Call("madvise", 28, 233, "memory given back in part"),
    Call("mprotect", 10, 226, "memory that an allocator has reserved, none of which can be run", NOT_RUN),
    Call("futex", 202, 98, "locks of the interpreter and of Starlark"),
    Call("sched_yield", 24, 124, "the same locks, which try for a while"),
    Call("getrandom", 318, 278, "seeds of hash tables"),
    Call("rt_sigaction", 13, 134, "what an interrupt does while the process ends, and how `abort` ends it"),
    Call("rt_sigprocmask", 14, 135, "the same"),
    Call("rt_sigreturn", 15, 139, "going on after an interrupt"),
    Call("restart_syscall", 219, 128, "waiting again after the process was stopped and let go on"),
    Call("close", 3, 57, "its pipes, at the end"),
    Call("exit", 60, 93, "the end"),
    Call("exit_group", 231, 94, "the end"),
)


def refuse_calls() -> bool:
    """Install the filter for good; False where the processor or the system does not know it."""
    processor = platform.machine()
    if sys.platform != "linux" or processor not in PROCESSORS or sys.maxsize < 1 << 32:
        return False
    code = b"".join(_program(processor))
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept))
    return int(ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, FILTER, program, 0, 0)) == 0


def _program(processor: str) -> list[bytes]:
    return [
        _line(LOAD, ARCHITECTURE),
        _line(EQUAL, PROCESSORS[processor], 1, 0),
        _line(RETURN, REFUSE),
        _line(LOAD, NUMBER),
        *(line for call in ALLOWED for line in call.lines(processor)),
        _line(AT_LEAST, NEWER, 0, 1),
        _line(RETURN, UNKNOWN),
        _line(RETURN, REFUSE),
    ]


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)
