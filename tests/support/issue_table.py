"""A table where issues are comments, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.issues import WithIssues
from tests.support.quick import QuickMeeting


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
