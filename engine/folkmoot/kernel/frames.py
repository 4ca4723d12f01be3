"""What is running: events being handled, scripts within scripts, and who set what."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct, field

from folkmoot.core.records import ScriptRecord
from folkmoot.language.binding import Program


class Scope(Struct):
    """One event (or action) being handled: what caused what, and who set which register in it, or which key of one."""

    cause: ScriptRecord | None
    puts: dict[tuple[str, ...], tuple[str, Any]] = field(default_factory=dict)


class Sent(NamedTuple):
    """Which entry brought the act that is judged, and when: of an act that waited, those of before."""

    entry: int
    at: int


class Released(NamedTuple):
    """An act that waited, by the entry that brought it, and which effects of this event are its own."""

    entry: int
    start: int
    end: int


class Frame(Struct):
    """One running script: whose, and which hook.

    `pure` names the hook that forbids writing here: itself, or one that it serves; "" where it may write. `program` is
    what it runs; where that is `sealed`, it sees what nobody may, and may ask nothing of the engine. `asked` is what it
    asks of the engine, in JSON; "" where that is not known.
    """

    uid: str
    hook: str
    pure: str = ""
    program: Program | None = None
    sealed: bool = False
    asked: str = ""
