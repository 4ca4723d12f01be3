"""What each pull request is told: one comment, kept up to date, and whether it is over.

The text is made anew only where something that it depends on has changed: a mark in its first line tells.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import __version__
from engine.forge.port import Answer, Issue, Pull, PullState, Remark, Snapshot
from engine.problems import Problem
from engine.referee.bench import Verdict
from engine.referee.comment import comment_on_game, comment_on_pull, comment_on_stop
from engine.referee.content import Content
from engine.referee.issues import (
    comment_on_issue,
    comment_on_stray,
    content_of,
    is_over,
    named_in,
    proposed,
)
from engine.referee.preview import Preview, preview
from engine.referee.table import Table
from engine.referee.view import PullView

MOST_PREVIEWS = 20  # made in one run; the rest follow in the next ones

Document = dict[str, Any]
_MARK = re.compile(r"\A<!-- folkmoot ([0-9a-f]{16}) -->\n")


class Answers:
    """Collects what to answer in one run."""

    def __init__(self, forge: str, snapshot: Snapshot, read: Callable[[str], Content]) -> None:
        self.forge = forge
        self.snapshot = snapshot
        self.read = read
        self.wanted: list[Answer] = []
        self._previews = 0
        self._told: list[Verdict] = []

    def changed(self) -> list[Answer]:
        """Return the answers that would change something, in order of pull requests."""
        pulls: dict[int, Pull | Issue] = {issue.number: issue for issue in self.snapshot.issues}
        pulls |= {pull.number: pull for pull in self.snapshot.pulls}
        said = self.snapshot.said
        return [
            answer
            for answer in sorted(self.wanted, key=lambda answer: answer.pull)
            if answer.text != said.get(answer.pull, "") or answer.settled or _moves(pulls.get(answer.pull), answer)
        ]

    # -- one game

    def game(self, table: Table, pulls: Iterable[Pull], horizon: int) -> None:
        """Answer the pull requests of a game, and note what to say in its own thread."""
        for pull in pulls:
            if pull.opened_at <= horizon:
                self._pull(table, pull, horizon)
        self._told += table.verdicts.get(0, [])

    def _pull(self, table: Table, pull: Pull, horizon: int) -> None:
        proposal = table.proposal_of(pull.number)
        verdicts = tuple(table.verdicts.get(pull.number, ()))
        remarks = self.snapshot.remarks.get(pull.number, ())
        late = any(remark.at > horizon for remark in remarks)
        state, commit = self._state(table, pull, proposal)
        over = state != "open" and not late and not table.more
        mark = self._mark(table, pull, proposal, verdicts, remarks, state)
        text = self.snapshot.said.get(pull.number, "")
        if not _marked(text, mark):
            view = self._view(table, pull, proposal, verdicts, remarks, state)
            if view is None:
                return  # its turn comes in the next run
            text = f"<!-- folkmoot {mark} -->\n{comment_on_pull(view)}"
        self.wanted.append(Answer(pull=pull.number, text=text, state=state, commit=commit, settled=over))

    def _state(self, table: Table, pull: Pull, proposal: Document | None) -> tuple[PullState, str]:
        """Return what a pull request should look like, and the commit that merged it."""
        merged = table.merges.get(pull.number, "")
        if merged:
            return "merged", merged
        if pull.state == "merged":
            return "merged", pull.merge_commit
        if proposal is not None and proposal["outcome"]:
            return "closed", ""
        if proposal is None and table.refused(pull) and not _changes(table, pull, self.read):
            return "closed", ""
        return pull.state, ""

    def _mark(
        self,
        table: Table,
        pull: Pull | Issue,
        proposal: Document | None,
        verdicts: Sequence[Verdict],
        remarks: Sequence[Remark],
        state: str,
    ) -> str:
        """Return what stands for everything that a comment depends on."""
        law = table.session.document("law").get("version") if proposal is None or not proposal["outcome"] else 0
        facts = [
            __version__,
            state,
            law,
            pull.head.commit if isinstance(pull, Pull) else "",
            pull.title,
            proposal,
            table.facts_at({"pull" if isinstance(pull, Pull) else "issue": pull.number}),
            [(v.fact, v.state, v.code, v.why, v.lines) for v in verdicts if v.seq is None],
            [(r.id, r.edited, r.deleted, r.dismissed_by is not None) for r in remarks],
            sorted(table.session.document("things/timer")) if proposal and not proposal["outcome"] else [],
        ]
        return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:16]

    def _view(
        self,
        table: Table,
        pull: Pull,
        proposal: Document | None,
        verdicts: Sequence[Verdict],
        remarks: Sequence[Remark],
        state: PullState,
    ) -> PullView | None:
        content = self.read(pull.head.commit) if pull.state != "merged" else None
        voted_on = self.read(_voted_on(pull, proposal)) if content else None
        mine = next((g for g in voted_on.games if g.game == table.record.name), None) if voted_on else None
        shown: Preview | None = None
        if mine is not None and mine.changes and (proposal is None or not proposal["outcome"]):
            if self._previews >= MOST_PREVIEWS or table.more:
                return None
            self._previews += 1
            name = str(proposal["id"]) if proposal else ""
            shown = preview(table.session, mine, pull.title, table.author_of(pull), self.snapshot.at, name)
        return PullView(
            pull=pull,
            forge=self.forge,
            game=table.record.name,
            proposal=proposal,
            verdicts=tuple(verdicts),
            remarks=tuple(remarks),
            problems=content.problems if content else (),
            stale=mine.stale if mine else (),
            preview=shown,
            state=state,
            documents=table.session.documents,
            entries=table.entries_of(pull.number),
        )

    def thread(self, *, settled: bool) -> None:
        """Answer what arrived in the games' own thread, in all games; `settled` says that every game has taken its."""
        if self.snapshot.remarks.get(0):
            text = comment_on_game(self._told) if self._told else self.snapshot.said.get(0, "")
            self.wanted.append(Answer(pull=0, text=text, settled=settled))

    # -- issues

    def issues(self, table: Table, issues: Iterable[Issue], horizon: int) -> None:
        """Answer the statements to a game, and close those in which everything is settled."""
        for issue in issues:
            remarks = self.snapshot.remarks.get(issue.number, ())
            if issue.opened_at <= horizon and remarks and not issue.author.robot:
                self._issue(table, issue, remarks, horizon)

    def _issue(self, table: Table, issue: Issue, remarks: Sequence[Remark], horizon: int) -> None:
        verdicts = tuple(table.verdicts.get(issue.number, ()))
        late = any(remark.at > horizon for remark in remarks) or table.more
        state = "closed" if not late and is_over(table, issue, remarks[0]) else issue.state
        proposal = table.proposal_at({"issue": issue.number})
        mark = self._mark(table, issue, proposal, verdicts, remarks, state)
        text = self.snapshot.said.get(issue.number, "")
        if not _marked(text, mark):
            shown = self._proposed(table, issue, proposal)
            if shown is None and proposal is not None and not proposal["outcome"]:
                return  # its turn comes in the next run
            view = PullView(
                pull=issue,
                forge=self.forge,
                game=table.record.name,
                proposal=proposal,
                verdicts=verdicts,
                remarks=tuple(remarks),
                preview=shown,
                state=state,
                documents=table.session.documents,
                entries=table.entries_at({"issue": issue.number}),
            )
            text = f"<!-- folkmoot {mark} -->\n{comment_on_issue(view, remarks[0])}"
        self.wanted.append(Answer(pull=issue.number, text=text, state=state, settled=state == "closed" and not late))

    def _proposed(self, table: Table, issue: Issue, proposal: Document | None) -> Preview | None:
        """Return what an undecided proposal would do that was made by an issue; None where this run tells no more."""
        if proposal is None or proposal["outcome"] or self._previews >= MOST_PREVIEWS or table.more:
            return None
        self._previews += 1
        content = content_of(table.record.name, proposed(proposal), issue)
        author, now = table.author_of(issue), self.snapshot.at
        return preview(table.session, content, str(proposal["title"]), author, now, str(proposal["id"]))

    def astray(self, issues: Iterable[Issue], games: Sequence[str], horizon: int) -> None:
        """Ask which game is meant where an issue names none of them."""
        for issue in issues:
            remarks = self.snapshot.remarks.get(issue.number, ())
            if issue.opened_at <= horizon and remarks and not issue.author.robot:
                text = comment_on_stray(named_in(remarks), games)
                over = issue.state == "closed" and all(remark.at <= horizon for remark in remarks)
                self.wanted.append(Answer(pull=issue.number, text=text, state=issue.state, settled=over))

    # -- no game, or one that stands still

    def stopped(self, game: str, problems: Sequence[Problem], pulls: Iterable[int]) -> None:
        """Say at every pull request of a game that was changed by hand why nothing happens."""
        self.wanted += [Answer(pull=pull, text=comment_on_stop(game, problems)) for pull in pulls]

    def of_no_game(self, pulls: Iterable[Pull]) -> None:
        """Say what is wrong with pull requests that touch a game and cannot be read; leave the others alone."""
        for pull in pulls:
            if pull.state != "open":
                continue
            content = self.read(pull.head.commit)
            if content.touches_game and content.problems:
                view = PullView(pull=pull, forge=self.forge, problems=content.problems, state="open")
                self.wanted.append(Answer(pull=pull.number, text=comment_on_pull(view)))


def _changes(table: Table, pull: Pull, read: Callable[[str], Content]) -> bool:
    """Say whether a pull request changes rules of the game."""
    return any(game.changes for game in read(pull.head.commit).games if game.game == table.record.name)


def _voted_on(pull: Pull, proposal: Document | None) -> str:
    """Return the commit whose content is shown: what is voted on, which may be older than the newest."""
    via = proposal["via"] if proposal is not None and not proposal["outcome"] else {}
    return str(via.get("head") or pull.head.commit)


def _moves(pull: Pull | Issue | None, answer: Answer) -> bool:
    return pull is not None and answer.state not in ("open", pull.state)


def _marked(text: str, mark: str) -> bool:
    found = _MARK.match(text)
    return found is not None and found[1] == mark
