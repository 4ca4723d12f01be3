"""Many files of a game read at once: by several processes, and so that equal keys are one object in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec.msgpack import decode, encode

from folkmoot.site import process_pool

MANY = 20
"""From how many parts on they are read by several processes."""
T = TypeVar("T")


def read_all(parts: Sequence[T], read: Callable[[T], Any]) -> list[Any]:
    """Return what `read` gives for each part, data of JSON, in order; many parts are read by several processes."""
    if len(parts) < MANY:
        return [*map(read, parts)]
    found: dict[int, Any] = {}

    def work(places: Iterable[int]) -> None:
        for place in places:
            found[place] = _with_shared_keys(read(parts[place]))

    def tell(places: Sequence[int]) -> bytes:
        return encode({place: found[place] for place in places})

    def take(data: bytes) -> None:
        found.update(decode(data))

    work(process_pool.share(range(len(parts)), process_pool.processes(), work, tell, take))
    return [found[place] for place in range(len(parts))]


def _with_shared_keys(value: Any) -> Any:
    """Return the same value with equal keys of its maps as one object, which takes far less room; itself if need be."""
    try:
        return decode(encode(value))
    except (OverflowError, TypeError, ValueError, RecursionError):  # numbers beyond 64 bits, half characters
        return value
