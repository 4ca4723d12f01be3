"""A filter of system calls (seccomp) that leaves the sandbox's process what it needs to think and to answer, no more.

Refused calls fail with EPERM. What the processor or the system does not know is left out: `refuse_calls` says so.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

from msgspec import Struct

PR_SET_SECCOMP, FILTER = 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # the latter: errno EPERM
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in what the filter sees
FOREIGN = 0x40000000  # calls of the x32 interface begin here
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Table(Struct, frozen=True):
    """The numbers of a processor: refused calls; those that open files (→ place of their flags); those on oneself."""

    architecture: int
    refused: tuple[int, ...]
    opening: dict[int, int]
    signalling: tuple[int, ...]
    limiting: int


def _numbers(ranges: str) -> tuple[int, ...]:
    """Return the numbers of a list such as `41-43 50`."""
    bounds = ([int(bound) for bound in word.split("-")] for word in ranges.split())
    return tuple(number for first, *last in bounds for number in range(first, (last or [first])[0] + 1))


# What is newer has one number on every processor: io_uring_*, pidfd_*, clone3, openat2, fchmodat2.
EVERYWHERE = _numbers("424-427 434 435 437 438 452")
TABLES = {
    "x86_64": Table(
        0xC000003E,
        _numbers("41-55 288 299 307")  # sockets
        + _numbers("56-59 322")  # children and other programs
        + _numbers("76-77 82-88 90-95 133 188-190 258-261 263-266 268 280 316 319")  # changing files
        + _numbers("101 298 310-311 323")  # other processes and their memory
        + _numbers("155 161 165-166 248-250 272 308 321")  # mounts, keys, namespaces, programs in the system
        + EVERYWHERE,
        {2: 1, 257: 2},
        (62, 200, 234),
        302,
    ),
    "aarch64": Table(
        0xC00000B7,
        _numbers("198-212 242-243 269")
        + _numbers("220-221 281")
        + _numbers("5-7 33-38 45-46 52-55 88 276 279")
        + _numbers("117 241 270-271 282")
        + _numbers("39-41 51 97 217-219 268 280")
        + EVERYWHERE,
        {56: 2},
        (129, 130, 131),
        261,
    ),
}


def refuse_calls() -> bool:
    """Install the filter for good; False where the processor or the system does not know it."""
    table = TABLES.get(platform.machine())
    if table is None or os.name != "posix" or platform.system() != "Linux":
        return False
    code = b"".join(_program(table))
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept))
    return int(ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, FILTER, program, 0, 0)) == 0


def _program(table: Table) -> list[bytes]:
    lines = [
        _line(LOAD, ARCHITECTURE),
        _line(EQUAL, table.architecture, 1, 0),
        _line(RETURN, REFUSE),
        _line(LOAD, NUMBER),
        _line(AT_LEAST, FOREIGN, 0, 1),
        _line(RETURN, REFUSE),
    ]
    for number in table.refused:
        lines += [_line(EQUAL, number, 0, 1), _line(RETURN, REFUSE)]
    for number, flags in table.opening.items():
        lines += _judged(number, flags, _line(ANY_BIT, WRITING, 0, 1))
    for number in table.signalling:
        lines += _judged(number, 0, _line(EQUAL, os.getpid(), 1, 0))
    lines += _judged(table.limiting, 0, _line(EQUAL, 0, 1, 0))
    return [*lines, _line(RETURN, ALLOW)]


def _judged(number: int, argument: int, test: bytes) -> list[bytes]:
    """Return the lines that refuse a call where a test of one of its arguments does not skip the refusal."""
    load = _line(LOAD, ARGUMENTS + 8 * argument)
    return [_line(EQUAL, number, 0, 4), load, test, _line(RETURN, REFUSE), _line(RETURN, ALLOW)]


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)
