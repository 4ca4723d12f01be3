"""Everything that the comment on a pull request is made from, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from folkmoot.core.problems import Problem
from folkmoot.forges.port import Issue, Pull, PullState, Remark
from folkmoot.referee.links import NOWHERE, Site
from folkmoot.referee.preview import Preview
from folkmoot.referee.recorder import Verdict
from folkmoot.referee.redlines import Redline


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentInput:
    """A pull request, or an issue, as its comment shows it.

    `verdicts` are those of the run in which the comment is made (what waits, what does not count and why), `entries`
    what the journal has of it, newest last; `stale` the rules that the game changed since the branch left it; `acts`
    what its files ask for in plain words; `redlines` and `requests` what a decided proposal held; `site` where it
    can be read; `untried` that what it would do is tried in one of the next runs.
    """

    pull: Pull | Issue
    state: PullState
    forge: str = "local"
    game: str = ""
    proposal: Mapping[str, Any] | None = None
    verdicts: tuple[Verdict, ...] = ()
    remarks: tuple[Remark, ...] = ()
    problems: tuple[Problem, ...] = ()
    stale: tuple[str, ...] = ()
    preview: Preview | None = None
    documents: Mapping[str, Any] = field(default_factory=dict)
    entries: tuple[Mapping[str, Any], ...] = ()
    acts: tuple[str, ...] = ()
    redlines: tuple[Redline, ...] = ()
    requests: tuple[str, ...] = ()
    site: Site = NOWHERE
    untried: bool = False

    @property
    def own(self) -> str:
        """Return the id of the fact that is its present content, or an issue's own text."""
        if isinstance(self.pull, Pull):
            return self.pull.head.commit
        return self.remarks[0].id if self.remarks else ""
