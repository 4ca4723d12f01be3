"""Bytes that say where they end: every part has its length before it; pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

_LENGTH = 4  # bytes of a length
_NUMBER = 8  # bytes of a number


def field(data: bytes) -> bytes:
    r"""Return bytes behind their length.

    >>> field(b"abc")
    b'\x00\x00\x00\x03abc'
    """
    return len(data).to_bytes(_LENGTH, "big") + data


def fields(*parts: bytes) -> bytes:
    """Return several parts, each behind its length."""
    return b"".join(map(field, parts))


def number(value: int) -> bytes:
    """Return a number from 0 to 2⁶⁴ − 1 as eight bytes; raises ValueError for any other."""
    try:
        return value.to_bytes(_NUMBER, "big")
    except OverflowError:
        raise ValueError("a number that is negative or too large") from None


class Reader(Struct):
    """Takes bytes apart from the front; raises ValueError where there are too few."""

    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise ValueError("it ends too early")
        self.at += count
        return found

    def count(self) -> int:
        """Return the length that comes next."""
        return int.from_bytes(self.take(_LENGTH), "big")

    def field(self) -> bytes:
        """Return the next part."""
        return self.take(self.count())

    def ended(self) -> bool:
        """Say whether nothing is left."""
        return self.at == len(self.data)

    def rest(self) -> Iterator[bytes]:
        """Yield all parts that are left."""
        while not self.ended():
            yield self.field()
