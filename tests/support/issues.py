"""A forge with issues beside pull requests, a table at it, and issue forms as people fill them in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.files.issue_forms import BLANK, FORMS, GAME, UNCHOSEN, FormField
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Answer, Issue, Person, Remark, Snapshot
from tests.support.quick import QuickMeeting


class Kept(Struct):
    """An issue with what was said of it, and how much of that was acknowledged."""

    issue: Issue
    remarks: list[Remark]
    said: str = ""
    acknowledged: int = 0


class WithIssues(LocalForge):
    """The local forge with issues kept in memory as a real forge would; they have numbers that no pull request has."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.kept: dict[int, Kept] = {}

    def open(self, person: str, body: str, at: int, title: str = "", *, robot: bool = False) -> int:
        """Open an issue with the game's label; return its number."""
        number = 501 + len(self.kept)
        author = Person(id=f"{person}@x.org", handle=person.capitalize(), robot=robot)
        issue = Issue(number=number, author=author, title=title, state="open", opened_at=at, labels=("game",))
        self.kept[number] = Kept(issue, [])
        self.comment(person, number, body, at, robot=robot)
        return number

    def comment(self, person: str, number: int, body: str, at: int, *, robot: bool = False) -> None:
        remarks = self.kept[number].remarks
        author, order = Person(id=f"{person}@x.org", handle=person.capitalize(), robot=robot), len(remarks)
        id_ = f"c{number}-{order}" if order else f"i{number}"
        remarks.append(Remark(id=id_, pull=number, kind="comment", author=author, at=at, body=body, order=order))

    def close_by_hand(self, number: int, state: Literal["open", "closed"] = "closed") -> None:
        self.kept[number].issue = replace(self.kept[number].issue, state=state)

    def look(self, now: int, *, persist: bool = True) -> Snapshot:
        snapshot = super().look(now, persist=persist)
        shown = {n: k for n, k in self.kept.items() if k.issue.state == "open" or len(k.remarks) > k.acknowledged}
        return replace(
            snapshot,
            issues=tuple(kept.issue for kept in shown.values()),
            remarks={**snapshot.remarks, **{number: tuple(kept.remarks) for number, kept in shown.items()}},
            said={**snapshot.said, **{number: kept.said for number, kept in shown.items()}},
        )

    def answer(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            if kept := self.kept.get(answer.pull):
                assert answer.state != "merged"
                assert not answer.commit
                kept.said, kept.issue = answer.text, replace(kept.issue, state=answer.state)
                if answer.settled:
                    kept.acknowledged = len(kept.remarks)
        super().answer([answer for answer in answers if answer.pull not in self.kept])


class Table(QuickMeeting):
    """A quick meeting whose forge has issues."""

    issues: WithIssues

    def __init__(self, folder: Path, **given: Any) -> None:
        super().__init__(folder, **given)
        self.forge = self.issues = WithIssues(self.bare)

    def state(self, person: str, body: str, title: str = "", **given: Any) -> int:
        number = self.issues.open(person, body, self.now, title, **given)
        self.referee(60)
        return number

    def below(self, person: str, number: int, body: str, **given: Any) -> None:
        self.issues.comment(person, number, body, self.now, **given)
        self.referee(60)

    def told(self, number: int) -> str:
        return self.issues.kept[number].said

    def is_open(self, number: int) -> bool:
        return self.issues.kept[number].issue.state == "open"

    def last(self) -> dict[str, Any]:
        return self.journal()[-1]


def act(action: str, arguments: str = "") -> str:
    """Return an act as a forge hands it on."""
    fenced = f"```yaml\n{arguments}\n```" if arguments else ""
    return form(Action=action, Action_by_name="", Arguments=fenced)


def form(**fields: str) -> str:
    """Return what a forge makes of a form."""
    return "\n\n".join(f"### {label.replace('_', ' ')}\n\n{value or BLANK}" for label, value in fields.items())


def written(
    name: str, values: dict[str, str], *, gitea: bool = False, game: str = "", preselected: bool = False
) -> str:
    """Return what a forge makes of a form; Gitea takes a longer fence where the text holds one, and ends in a blank line.

    Servers up to Gitea 1.22 and Forgejo 7 have `preselected` the first choice of each menu that nobody touched.
    """
    if preselected:
        values = {**{each.id: UNCHOSEN for each in FORMS[name] if each.kind == "choice"}, **values}
    parts = [f"### {GAME.label}\n\n{_shown(GAME, game, gitea=gitea)}"] if game else []
    parts += [f"### {each.label}\n\n{_shown(each, values.get(each.id, ''), gitea=gitea)}" for each in FORMS[name]]
    return "\n\n".join(parts) + ("\n\n" if gitea else "\n")


def _shown(each: FormField, value: str, *, gitea: bool) -> str:
    if not value or not each.renders:
        return value or BLANK
    fence = "```"
    while gitea and fence in value:
        fence += "`"
    return f"{fence}{each.renders}\n{value}\n{fence}"
