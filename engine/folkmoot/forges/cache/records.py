"""The files of an observation as the facts of the port, and back."""

from __future__ import annotations

from typing import Any

from folkmoot.forges.port import Issue, Person, Pull, Push, Remark

Record = dict[str, Any]


def person_record(person: Person) -> Record:
    """Return a person as e is written down."""
    return {"id": person.id, "handle": person.handle, **({"robot": True} if person.robot else {})}


def person_of(record: Record) -> Person:
    """Return a person as e was written down."""
    return Person(id=record["id"], handle=record["handle"], robot=record.get("robot", False))


def push_record(push: Push) -> Record:
    """Return a push as it is written down."""
    signed = {"key": push.key} if push.key else {}
    return {"commit": push.commit, "at": push.at, "author": person_record(push.author), **signed}


def pull_of(number: int, record: Record) -> Pull:
    """Return a pull request as it was written down."""
    pushes = tuple(
        Push(commit=push["commit"], at=push["at"], author=person_of(push["author"]), key=push.get("key", ""))
        for push in record["pushes"]
    )
    closed_by = record.get("closed_by")
    return Pull(
        number=number,
        author=person_of(record["author"]),
        title=record["title"],
        body=record["body"],
        state=record["state"],
        base=record["base"],
        pushes=pushes,
        opened_at=record["opened_at"],
        draft=record.get("draft", False),
        closed_at=record.get("closed_at"),
        closed_by=person_of(closed_by) if closed_by else None,
        merge_commit=record.get("merge_commit", ""),
        link=record.get("link", ""),
        labels=tuple(record.get("labels", ())),
    )


def issue_of(number: int, record: Record) -> Issue:
    """Return a statement made without git as it was written down."""
    return Issue(
        number=number,
        author=person_of(record["author"]),
        title=record["title"],
        state=record["state"],
        opened_at=record["opened_at"],
        link=record.get("link", ""),
        labels=tuple(record.get("labels", ())),
    )


def remark_of(pull: int, record: Record) -> Remark:
    """Return what was said as it was written down."""
    dismissed_by = record.get("dismissed_by")
    return Remark(
        id=record["id"],
        pull=pull,
        kind=record["kind"],
        author=person_of(record["author"]),
        at=record["at"],
        body=record.get("body", ""),
        order=record["order"],
        commit=record.get("commit", ""),
        key=record.get("key", ""),
        game=record.get("game", ""),
        edited=record.get("edited", False),
        deleted=record.get("deleted", False),
        dismissed_by=person_of(dismissed_by) if dismissed_by else None,
    )
