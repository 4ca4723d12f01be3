"""A forge with issues beside pull requests, a table at it, and issue forms as people fill them in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.files.issue_forms import BLANK, FORMS, GAME, UNCHOSEN, FormField
from folkmoot.forges.port import Answer, Awaited, Forge, Issue, Person, Remark, Snapshot, nobody
from tests.support.quick import QuickMeeting


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


class Table(QuickMeeting):
    """A quick meeting whose forge has issues."""

    issues: WithIssues

    def __init__(self, folder: Path, **given: Any) -> None:
        super().__init__(folder, **given)
        self.forge = self.issues = WithIssues(self.forge)

    def state(self, person: str, body: str, title: str = "", **given: Any) -> int:
        """Open an issue and let the referee run."""
        number = self.issues.open(person, body, self.now, title, **given)
        self.referee(60)
        return number

    def below(self, person: str, number: int, body: str, **given: Any) -> None:
        """Comment on an issue and let the referee run."""
        self.issues.comment(person, number, body, self.now, **given)
        self.referee(60)

    def told(self, number: int) -> str:
        """Return what the referee says of an issue."""
        return self.issues.kept[number].said

    def is_open(self, number: int) -> bool:
        """Say whether an issue is open."""
        return self.issues.kept[number].issue.state == "open"

    def last(self) -> dict[str, Any]:
        """Return the newest entry."""
        return self.journal()[-1]


def act(action: str, arguments: str = "") -> str:
    """Return an act as a forge hands it on."""
    fenced = f"```yaml\n{arguments}\n```" if arguments else ""
    return form(Action=action, Action_by_name="", Arguments=fenced)


def form(**fields: str) -> str:
    """Return what a forge makes of a form."""
    return "\n\n".join(
        f"### {label.replace('_', ' ')}\n\n{value or '_No response_'}" for label, value in fields.items()
    )


def written(
    name: str, values: dict[str, str], *, gitea: bool = False, game: str = "", preselected: bool = False
) -> str:
    """Return what a forge makes of a form; Gitea takes a longer fence where the text holds one, and ends in a blank line.

    Servers up to Gitea 1.22 and Forgejo 7 have `preselected` the first choice of each menu that nobody touched.
    """
    parts = []
    if preselected:
        values = {**{each.id: UNCHOSEN for each in FORMS[name] if each.kind == "choice"}, **values}
    for each in (GAME, *FORMS[name]):
        value = game if each is GAME else values.get(each.id, "")
        if each is GAME and not game:
            continue
        parts.append(f"### {each.label}\n\n{_shown(each, value, gitea=gitea)}")
    return "\n\n".join(parts) + ("\n\n" if gitea else "\n")


def _shown(each: FormField, value: str, *, gitea: bool) -> str:
    if not value:
        return BLANK
    if not each.renders:
        return value
    fence = "```"
    while gitea and fence in value:
        fence += "`"
    return f"{fence}{each.renders}\n{value}\n{fence}"
