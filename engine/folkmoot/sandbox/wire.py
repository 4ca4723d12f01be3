"""Messages between parent and judge: a length of four bytes, then JSON; and the records that stand in them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import msgspec

from folkmoot.core.events import Event, Outcome
from folkmoot.kernel.chance import Chance, Sealed, open_chance, recorded_chance, scripted_chance, secret_chance

Message = dict[str, Any]
LENGTH = 4
LARGEST = 256 * 1024 * 1024
MARK = 256  # bytes of the page both share, in which the judge says which hook runs
TIMES = struct.Struct("ddd")  # after it: see `folkmoot.sandbox.worker_process.WorkerProcess.times`

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()
_WIDE = 1 << 62


def encode(message: Message) -> bytes:
    """Return a message with its length before it."""
    try:
        body = _encoder.encode(message)
    except (OverflowError, msgspec.MsgspecError):
        body = b"\x00" + json.dumps(message, ensure_ascii=False).encode()  # integers wider than 64 bits
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


def event_record(event: Event) -> Message:
    """Return an event as a message carries it."""
    return {
        "seq": event.seq,
        "prev": event.prev,
        "at": event.at,
        "by": event.by,
        "as_": event.as_,
        "via": event.via,
        "do": event.do,
        "with_": event.with_,
        "deaths": list(event.deaths),
        "left_out": list(event.left_out),
    }


def read_event(record: Message) -> Event:
    """Return the event of a message."""
    return Event(**{**record, "deaths": tuple(record["deaths"]), "left_out": tuple(record["left_out"])})


def outcome_record(outcome: Outcome) -> Message:
    """Return an outcome as a message carries it."""
    return {
        "accepted": outcome.accepted,
        "code": outcome.code,
        "effects": outcome.effects,
        "reasons": outcome.reasons,
        "draws": outcome.draws,
        "failures": outcome.failures,
        "changed": sorted(outcome.changed),
    }


def read_outcome(record: Message) -> Outcome:
    """Return the outcome of a message."""
    return Outcome(**{**record, "changed": set(record["changed"])})


def read_chance(record: Message) -> Chance:
    """Return the chance that a message specifies.

    Kinds: `secret` (the subkey of one event, hex, and its epoch), `open`, `recorded` (draws), `scripted` (dice),
    `sealed` (an epoch whose secret is not at hand).
    """
    if record["kind"] == "secret":
        return secret_chance(bytes.fromhex(record["key"]), record["epoch"])
    if record["kind"] == "recorded":
        return recorded_chance(record["draws"])
    if record["kind"] == "sealed":
        return Chance(Sealed())
    if record["kind"] == "scripted":
        return scripted_chance(record["dice"])
    return open_chance(record["prev"], record["digest"])
