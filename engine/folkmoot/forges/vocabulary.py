"""What all facts of a forge have in common: who it was, of which kind a remark is, how a pull request stands."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

PullState = Literal["open", "merged", "closed"]
RemarkKind = Literal["comment", "approve", "request_changes"]


class Person(Struct, frozen=True, kw_only=True):
    """Somebody as a forge knows them: `id` never changes and is never reused, `handle` is what is shown."""

    id: str
    handle: str
    robot: bool = False


WITHHELD = "[withheld: the forge does not take this text]"
"""What stands for a text that the forge refuses to keep, before its digest."""
