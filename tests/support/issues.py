"""A forge with issues: the local one, and beside it issues that are kept in memory as a real forge would keep them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.forges.port import Answer, Awaited, Forge, Issue, Person, Remark, Snapshot, nobody


class Kept(Struct):
    """An issue with what was said of it, and how much of that was acknowledged."""

    issue: Issue
    remarks: list[Remark]
    said: str = ""
    acknowledged: int = 0


class WithIssues(Struct):
    """A forge that is another one, with issues beside; their numbers begin where no pull request has one."""

    inner: Forge
    kept: dict[int, Kept] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    number: int = 500
    notifies: bool = False

    # -- people

    def open(self, person: str, body: str, at: int, title: str = "", *, robot: bool = False) -> int:
        """Open an issue with the game's label; return its number."""
        number = self.number = self.number + 1
        author = Person(id=f"{person}@x.org", handle=person.capitalize(), robot=robot)
        issue = Issue(number=number, author=author, title=title, state="open", opened_at=at, labels=("game",))
        self.kept[number] = Kept(issue, [])
        self._remark(number, author, body, at, f"i{number}")
        return number

    def comment(self, person: str, number: int, body: str, at: int, *, robot: bool = False) -> None:
        """Say something below an issue."""
        author = Person(id=f"{person}@x.org", handle=person.capitalize(), robot=robot)
        self._remark(number, author, body, at, f"c{number}-{len(self.kept[number].remarks)}")

    def close_by_hand(self, number: int, state: str = "closed") -> None:
        """Close an issue, or open it again."""
        kept = self.kept[number]
        kept.issue = replace(kept.issue, state=state)  # type: ignore[arg-type]

    def _remark(self, number: int, author: Person, body: str, at: int, id_: str) -> None:
        remarks = self.kept[number].remarks
        remarks.append(Remark(id=id_, pull=number, kind="comment", author=author, at=at, body=body, order=len(remarks)))

    # -- the port

    @property
    def name(self) -> str:
        """Return the name of the forge."""
        return self.inner.name

    @property
    def won(self) -> bool:
        """Return whether the last publishing was ours."""
        return self.inner.won

    @property
    def settle(self) -> int:
        """Return for how long a fact waits."""
        return self.inner.settle

    def look(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        return self._beside(self.inner.look(now, awaited))

    def peek(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        return self._beside(self.inner.peek(now, awaited))

    def _beside(self, snapshot: Snapshot) -> Snapshot:
        shown = {n: k for n, k in self.kept.items() if k.issue.state == "open" or len(k.remarks) > k.acknowledged}
        return replace(
            snapshot,
            issues=tuple(kept.issue for kept in shown.values()),
            remarks={**snapshot.remarks, **{number: tuple(kept.remarks) for number, kept in shown.items()}},
            said={**snapshot.said, **{number: kept.said for number, kept in shown.items()}},
        )

    def author(self) -> str:
        return self.inner.author()

    def publish(self, before: str, after: str, *, proved: bool = True) -> bool:
        return self.inner.publish(before, after, proved=proved)

    def acknowledge(self, commit: str) -> bool:
        return self.inner.acknowledge(commit)

    def answer(self, answers: Sequence[Answer]) -> None:
        self.answers += answers
        for answer in answers:
            if answer.pull in self.kept:
                self._answer(self.kept[answer.pull], answer)
        self.inner.answer([answer for answer in answers if answer.pull not in self.kept])

    def _answer(self, kept: Kept, answer: Answer) -> None:
        assert answer.state != "merged"
        assert not answer.commit
        kept.said = answer.text
        kept.issue = replace(kept.issue, state=answer.state)
        if answer.settled:
            kept.acknowledged = len(kept.remarks)

    def close(self) -> None:
        self.inner.close()
