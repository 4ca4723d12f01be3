"""The files of an observation as the facts of the port, and back."""

from __future__ import annotations

from typing import Any

import msgspec

from folkmoot.forges.port import Issue, Person, Pull, Push, Remark

Record = dict[str, Any]


def person_record(person: Person) -> Record:
    """Return a person as they are written down."""
    return {"id": person.id, "handle": person.handle, **({"robot": True} if person.robot else {})}


def push_record(push: Push) -> Record:
    """Return a push as it is written down."""
    signed = {"key": push.key} if push.key else {}
    return {"commit": push.commit, "at": push.at, "author": person_record(push.author), **signed}


def pull_of(number: int, record: Record) -> Pull:
    """Return a pull request as it was written down."""
    return msgspec.convert({**record, "number": number}, Pull)


def issue_of(number: int, record: Record) -> Issue:
    """Return a statement made without git as it was written down."""
    return msgspec.convert({**record, "number": number}, Issue)


def remark_of(pull: int, record: Record) -> Remark:
    """Return what was said as it was written down."""
    return msgspec.convert({**record, "pull": pull}, Remark)
