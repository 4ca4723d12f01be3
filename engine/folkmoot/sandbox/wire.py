"""What the sandbox's client and its worker share: messages (four bytes of length, then JSON), and a page of memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

import msgspec

from folkmoot.core.events import Event, Outcome

if TYPE_CHECKING:
    from folkmoot.kernel.chance import Chance

Message = dict[str, Any]
LENGTH = 4
ZONES = "zones/"  # what the keys begin with by which files of time zones are fetched
LARGEST = 256 * 1024 * 1024
LOOKS = ("ask", "read_review", "read_push", "taken_as", "stands_in_way", "order", "overruled", "pages")
"""What the kernel itself answers: what the law says, while nothing is judged or tried."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


def encode(message: Message) -> bytes:
    """Return a message with its length before it."""
    try:
        body = _encoder.encode(message)
    except (OverflowError, UnicodeEncodeError, msgspec.MsgspecError):
        # Integers of more than 64 bits, or names of files that are no UTF-8, and then not as they are.
        body = b"\x00" + json.dumps(message, default=msgspec.to_builtins).encode()
    return len(body).to_bytes(LENGTH, "big") + body


def decode(body: bytes) -> Message:
    """Return the message that a body holds."""
    if body[:1] == b"\x00":
        return dict(json.loads(body[1:]))
    return dict(_decoder.decode(body))


def read_message(read: Callable[[int], bytes]) -> Message | None:
    """Read one message, or None where the other side has ended."""
    head = read(LENGTH)
    if len(head) < LENGTH:
        return None
    length = int.from_bytes(head, "big")
    if length > LARGEST:
        return None
    body = read(length)
    return decode(body) if len(body) == length else None


def read_event(record: Message) -> Event:
    """Return the event of a message."""
    return Event(**{**record, "deaths": tuple(record["deaths"]), "left_out": tuple(record["left_out"])})


def read_outcome(record: Message) -> Outcome:
    """Return the outcome of a message."""
    return Outcome(**{**record, "changed": set(record["changed"])})


class DiceSource(TypedDict):
    """Where the draws of one event come from: its subkey (`key`, hex) under the secret of an `epoch`, or open dice.

    Of an epoch whose secret is not at hand (`sealed`) nothing can be drawn.
    """

    kind: Literal["secret", "open", "sealed"]
    key: NotRequired[str]
    epoch: NotRequired[int]
    prev: NotRequired[str]
    digest: NotRequired[str]


class SealingSource(TypedDict):
    """What an event needs to seal: the founding digest of the game and the key of its salts (`key`, hex).

    `none` says that nobody keeps a key yet, `locked` that the keeper's key is not at hand, `tried` that an event is
    only tried, so that what is sealed stays so. `key_refused` is the code of why an event cannot name the keeper's next
    key ("" where it can).
    """

    kind: Literal["kept", "none", "locked", "tried"]
    game: NotRequired[str]
    key: NotRequired[str]
    key_refused: NotRequired[str]


def read_chance(source: DiceSource) -> Chance:
    """Return the chance of one event."""
    from folkmoot.kernel.chance import Chance, Sealed, open_chance, secret_chance  # only the sandbox itself draws

    if source["kind"] == "secret":
        return secret_chance(bytes.fromhex(source["key"]), source["epoch"])
    return Chance(Sealed()) if source["kind"] == "sealed" else open_chance(source["prev"], source["digest"])


MEMORY = 512 * 1024 * 1024  # bytes of address space beyond those of the program itself
MARK = 256  # bytes of the page both share, in which the worker says which hook runs
TIMES = struct.Struct("ddd")  # after it: see `folkmoot.sandbox.worker_process.WorkerProcess.times`
