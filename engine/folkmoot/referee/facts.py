"""What a forge shows, as facts in order of time: each is looked at once and recorded at most once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.records import Via
from folkmoot.forges.port import Issue, Pull, Push, Remark, Snapshot
from folkmoot.forges.vocabulary import Person

Kind = Literal["content", "remark", "closing"]


class Fact(Struct, frozen=True, kw_only=True):
    """Something that arrived: the content of a pull request, a remark, or that its author closed it.

    `at` is when it arrived (Unix seconds); `order` puts those of one second in order. What has neither a pull request
    nor an issue was said in the game's own thread; `opens` marks an issue's own text.
    """

    kind: Kind
    at: int
    order: int
    id: str
    person: Person
    key: str
    pull: Pull | None
    push: Push | None = None
    remark: Remark | None = None
    issue: Issue | None = None
    opens: bool = False

    @property
    def number(self) -> int:
        """Return the number of the pull request or issue, 0 for the game's own thread."""
        place = self.pull or self.issue
        return place.number if place else 0

    @property
    def place(self) -> Via:
        """Return where it arrived, as the record names it."""
        return Via(issue=self.issue.number) if self.issue else Via(pull=self.number)


def facts_of(snapshot: Snapshot, horizon: int) -> list[Fact]:
    """Return the facts that arrived up to a time, in the order in which they are judged."""
    pulls = {pull.number: pull for pull in snapshot.pulls}
    found = [fact for pull in snapshot.pulls for fact in _of_pull(pull)]
    for number, remarks in snapshot.remarks.items():
        found += [_of_remark(pulls.get(number), remark) for remark in remarks if number == 0 or number in pulls]
    for issue in snapshot.issues:
        told = snapshot.remarks.get(issue.number, ())
        found += [replace(_of_remark(None, remark), issue=issue, opens=remark is told[0]) for remark in told]
    return sorted((f for f in found if f.at <= horizon), key=lambda fact: (fact.at, fact.order, fact.number, fact.id))


def is_young(pull: Pull, horizon: int) -> bool:
    """Say whether something of a pull request, apart from remarks, is too young to have been read."""
    return any(fact.at > horizon for fact in _of_pull(pull))


def young_of(remarks: Sequence[Remark], horizon: int) -> int:
    """Return how many of the last remarks of a place begin with the first that is too young to have been read."""
    return next((len(remarks) - place for place, remark in enumerate(remarks) if remark.at > horizon), 0)


def _of_pull(pull: Pull) -> Iterator[Fact]:
    """Yield the newest content of a pull request, and its closing by its author."""
    if pull.state == "open" and not pull.draft:
        head = pull.head
        yield Fact(
            kind="content",
            at=max(head.at, pull.opened_at),
            order=-1,
            id=head.commit,
            person=pull.author,
            key=head.key,
            pull=pull,
            push=head,
        )
    if pull.state == "closed" and pull.closed_by is not None and pull.closed_by.id == pull.author.id:
        yield Fact(
            kind="closing",
            at=pull.closed_at or pull.opened_at,
            order=1 << 40,
            id=f"close-{pull.closed_at}",
            person=pull.author,
            key=pull.pushes[0].key,  # who opened it with a signature can close it with that key only
            pull=pull,
        )


def _of_remark(pull: Pull | None, remark: Remark) -> Fact:
    return Fact(
        kind="remark",
        at=remark.at,
        order=remark.order,
        id=remark.id,
        person=remark.author,
        key=remark.key,
        pull=pull,
        remark=remark if _is_text(remark.body) else replace(remark, body=_mended(remark.body)),
    )


def _is_text(body: str) -> bool:
    return body.isascii() or not any("\ud800" <= character <= "\udfff" for character in body)


def _mended(text: str) -> str:
    """Return a text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def head_at(pull: Pull, at: int) -> Push:
    """Return the content that a pull request had when something arrived."""
    return next((push for push in reversed(pull.pushes) if push.at <= at), pull.pushes[0])
