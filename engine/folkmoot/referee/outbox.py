"""What each pull request is told: one comment, kept up to date, its check, who is called, and whether it is over.

The text is made anew only where something that it depends on has changed: a mark in its first line tells, beside the
calls that were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from folkmoot import __version__
from folkmoot.core.problems import Problem
from folkmoot.forges.boundary import Stage, guarded
from folkmoot.forges.port import Answer, Issue, Pull, PullState, Remark
from folkmoot.game.status import until
from folkmoot.referee import mentions
from folkmoot.referee.answer_collector import refusal_in
from folkmoot.referee.approvers import approvers_of
from folkmoot.referee.awaited import awaited_in
from folkmoot.referee.checks import check_of
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import build_comment_model
from folkmoot.referee.comment_header import UNFINISHED, CommentHeader, mark_of, told
from folkmoot.referee.comment_input import CommentInput
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.content import Content, GameContent, split_requests
from folkmoot.referee.facts import is_young
from folkmoot.referee.failed_inputs import PREFIX
from folkmoot.referee.intake import Intake
from folkmoot.referee.issues import as_voted, comment_on_issue, content_of, is_over
from folkmoot.referee.kept_answers import heard_of
from folkmoot.referee.mentions import GameState, Mention
from folkmoot.referee.other_answers import Elsewhere
from folkmoot.referee.people import player_of
from folkmoot.referee.preview import Preview, Ruling, preview, redlines_in, redlines_of, requests_of
from folkmoot.referee.recorder import Verdict
from folkmoot.referee.redlines import proposed
from folkmoot.referee.stray_commands import is_chatter
from folkmoot.sandbox import OutOfTime

DIED = "died-"
"""What the keys begin with by which a comment of ours remembers that a trial ended the judge."""
ENDED = "when it was tried, the judge had to be ended; it is tried again when it or the law changes"
MOST_PREVIEWS = 500  # made in one run; the rest follow in the next ones

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Case:
    """A pull request or issue of a game at the end of a run, with what became of all that arrived there."""

    table: Intake
    pull: Pull | Issue
    proposal: Document | None
    verdicts: tuple[Verdict, ...]
    remarks: tuple[Remark, ...]
    state: PullState
    late: bool
    busy: frozenset[str]
    scene: GameState

    @property
    def place(self) -> str:
        """Return what it is, in words."""
        return mentions.PULL if isinstance(self.pull, Pull) else mentions.ISSUE

    @property
    def key(self) -> dict[str, int]:
        """Return where it is, as the record names it."""
        return {"pull" if isinstance(self.pull, Pull) else "issue": self.pull.number}


class Outbox(Elsewhere):
    """Collects what to answer in one run."""

    def game(self, table: Intake, pulls: Iterable[Pull], horizon: int) -> None:
        """Answer the pull requests of a game, and note what to say in its own thread."""
        scene = self._scene(table)
        for pull in pulls:
            if pull.opened_at <= horizon:
                self._guarded(pull.number, partial(self._pull, table, pull, horizon, scene))
        self._told += table.verdicts.get(0, [])
        self._heard += heard_of(table.record.name, "thread", table.verdicts.get(0, []))
        self._keepers.append(approvers_of(table.record.name, table.session.document("game"), table.roster))
        self._scenes.append((scene, table.roster))
        if self._caller.notifies:
            keys = told(self.snapshot.said.get(0, "")).keys
            awaited = guarded(Stage.WAITING, lambda: awaited_in(table, scene, self.forge, keys), lambda _: None)
            self._awaited += [awaited] if awaited is not None else []

    def _scene(self, table: Intake) -> GameState:
        session = table.session
        return GameState(
            game=table.record.name,
            documents=session.documents,
            now=self.snapshot.at,
            choices=table.choices_of,
            actions=session.actions,
        )

    def _pull(self, table: Intake, pull: Pull, horizon: int, scene: GameState) -> None:
        proposal = table.proposal_of(pull.number)
        state, commit = self._state(table, pull, proposal)
        case = self._case(table, pull, proposal, horizon, scene, state)
        made = self._made(case)
        if made is not None:  # else its turn comes in the next run
            over = state != "open" and not case.late and not table.leaves_some
            self.wanted.append(replace(made, commit=commit, settled=over))

    def _case(
        self,
        table: Intake,
        pull: Pull | Issue,
        proposal: Document | None,
        horizon: int,
        scene: GameState,
        state: PullState,
    ) -> _Case:
        remarks = self.snapshot.remarks.get(pull.number, ())
        late = [remark for remark in remarks if remark.at > horizon]
        return _Case(
            table=table,
            pull=pull,
            proposal=proposal,
            verdicts=tuple(table.verdicts.get(pull.number, ())),
            remarks=remarks,
            state=state,
            late=bool(late) or (isinstance(pull, Pull) and is_young(pull, horizon)),
            busy=frozenset(filter(None, (player_of(table.roster, self.forge, remark.author) for remark in late))),
            scene=scene,
        )

    def _made(self, case: _Case) -> Answer | None:
        """Return the comment with its check and calls, both made anew where it is; None where that must wait."""
        table, proposal = case.table, case.proposal or {}
        before = told(self.snapshot.said.get(case.pull.number, ""))
        mark = self._mark(case)
        occasions = list(mentions.reminder_of(case.scene, proposal, case.busy, place=case.place)) if proposal else []
        kept: tuple[str, ...] = ()
        view: CommentInput | None = None
        check, body = None, before.body
        failed = {key for key in before.keys if key.startswith(PREFIX)} | table.faults.get(case.pull.number, set())
        if before.mark != mark:
            view = self._view(case)
            if view is None:
                return None
            sheet = build_comment_model(view)
            if isinstance(case.pull, Pull):
                body, check = (
                    self._below(case.pull, comment(sheet)),
                    None if view.untried else check_of(sheet, case.pull.head.commit),
                )
            else:
                body = comment_on_issue(view, case.remarks[0])
            occasions = [*self._occasions(case, sheet, view, before.keys), *occasions]
        else:
            kept = before.keys
        untried = view is not None and view.untried
        made, keys, complete = self._caller.call(occasions, before.keys, table.roster, quiet=case.scene.quiet)
        died = filter(None, [self._deaths.get(case.pull.number)])
        keys = tuple(dict.fromkeys((*kept, *keys, *sorted(failed), *died)))
        text = str(CommentHeader(mark if complete and not untried else UNFINISHED, keys, body))
        place = f"{'pull' if isinstance(case.pull, Pull) else 'issue'} {case.pull.number}"
        heard = heard_of(table.record.name, place, case.verdicts)
        head = str(((case.proposal or {}).get("via") or {}).get("head") or "")
        return Answer(
            pull=case.pull.number, text=text, state=case.state, head=head, check=check, calls=made, heard=heard
        )

    def _occasions(
        self, case: _Case, sheet: CommentModel, view: CommentInput, keys: Sequence[str]
    ) -> Iterable[Mention]:
        """Yield of what people are to be told as a pull request or issue stands."""
        scene, proposal = case.scene, case.proposal
        if proposal is not None:
            opened = _cause(view.entries, "open", proposal)
            busy = {opened or ""}
            yield from mentions.of_vote(scene, proposal, busy, place=case.place, spared=case.busy, keys=keys)
            yield from mentions.of_judge(scene, proposal, sheet.judge, sheet.office, case.place)
            yield from mentions.of_outcome(scene, proposal, _cause(view.entries, "resolve", proposal), sheet.link)
        author = player_of(case.table.roster, self.forge, case.pull.author)
        why = refusal_in(sheet) if author is not None and case.state != "merged" else ""
        if author is not None and why:
            yield mentions.of_refusal(scene, (case.pull.number, view.own), author, why, case.place)

    def _state(self, table: Intake, pull: Pull, proposal: Document | None) -> tuple[PullState, str]:
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

    def _mark(self, case: _Case) -> str:
        """Return what stands for everything that a comment depends on; who only chatters changes nothing."""
        table, pull, proposal = case.table, case.pull, case.proposal
        open_ = not proposal["outcome"] if proposal else isinstance(pull, Pull) and case.state == "open"
        document = table.session.document
        facts = [
            __version__,
            case.state,
            document("law").get("version") if open_ else 0,
            (pull.head.commit, pull.draft) if isinstance(pull, Pull) else "",
            self._below(pull, ""),
            pull.title,
            proposal,
            table.facts_at(case.key),
            sorted({(v.who, v.what, v.state, v.code, v.why, v.lines) for v in case.verdicts if v.seq is None}),
            [(r.id, r.edited, r.deleted, r.dismissed_by is not None) for r in case.remarks if _changed_later(r)],
            until(document("things/timer"), proposal) if proposal and open_ else 0,
            (document("game").get("paused"), document("things/office")) if open_ else 0,
            self._site(document("game")),
        ]
        return mark_of(facts)

    def _view(self, case: _Case) -> CommentInput | None:
        """Return all that the comment is made of; None where this run tells no more."""
        table, pull = case.table, case.pull
        view = CommentInput(
            pull=pull,
            forge=self.forge,
            game=table.record.name,
            proposal=case.proposal,
            verdicts=case.verdicts,
            remarks=case.remarks,
            state=case.state,
            documents=table.session.documents,
            entries=table.entries_at(case.key),
            site=self._site(table.session.document("game")),
            **_decided(table, case.proposal),
        )
        return self._with_content(case, view, pull) if isinstance(pull, Pull) else self._with_proposed(case, view, pull)

    def _with_content(self, case: _Case, view: CommentInput, pull: Pull) -> CommentInput | None:
        table, open_ = case.table, case.proposal is None or not case.proposal["outcome"]
        content = self.read(pull.head.commit) if pull.state != "merged" else None
        voted_on = self.read(_voted_on(pull, case.proposal)) if content else None
        mine = next((g for g in voted_on.games if g.game == table.record.name), None) if voted_on else None
        shown: Preview | None = None
        draft = pull.draft and case.proposal is None
        if mine is not None and mine.changes and open_ and not draft:
            if self._exhausted(table):
                return self._untried(case, view)
            name = str(case.proposal["id"]) if case.proposal else ""
            title = str(case.proposal["title"]) if case.proposal else pull.title
            shown = self._tried(table, pull.number, as_voted(mine, case.proposal), title, table.author_of(pull), name)
            if shown is None:
                return self._untried(case, view)
        return replace(
            view,
            problems=content.problems if content else (),
            stale=mine.stale if mine else (),
            preview=shown,
            acts=_acts(table, mine) if case.state != "merged" else (),
        )

    def _with_proposed(self, case: _Case, view: CommentInput, issue: Issue) -> CommentInput | None:
        """Return an issue with what an undecided proposal that it made would do."""
        proposal, table = case.proposal, case.table
        if proposal is None or proposal["outcome"]:
            return view
        if self._exhausted(table):
            return self._untried(case, view)
        content = content_of(table.record.name, proposed(proposal), issue)
        shown = self._tried(
            table, issue.number, content, str(proposal["title"]), table.author_of(issue), str(proposal["id"])
        )
        return self._untried(case, view) if shown is None else replace(view, preview=shown)

    def _untried(self, case: _Case, view: CommentInput) -> CommentInput | None:
        """Return what is told of what this run tries no more: all else where it is recorded, else nothing (None)."""
        return replace(view, untried=True) if case.proposal is not None else None

    def _tried(
        self, table: Intake, number: int, content: GameContent, title: str, author: str, name: str
    ) -> Preview | None:
        """Return what a pull request or issue would do, or that it cannot be tried; None where the time is spent."""

        def instead(problem: Problem) -> Preview:
            table.begin_anew()
            return Preview(changes=(), died=problem.message, proper=Ruling(ok=False, code=problem.code))

        now, before = self.snapshot.at, told(self.snapshot.said.get(number, "")).keys
        key = DIED + mark_of([__version__, table.session.document("law").get("version"), content.changes, name])
        if key in before:
            self._deaths[number] = key
            return Preview(
                changes=tuple(redlines_in(table.session, content)),
                died=ENDED,
                proper=Ruling(ok=False, code="E-JUDGE", why=ENDED),
            )
        table.session.judge.allowance = self._allowance
        self._previews += 1
        try:
            made = guarded(
                Stage.PREVIEW, lambda: preview(table.session, content, title, author, now, name), instead, OutOfTime
            )
            self._deaths |= {number: key} if made.died else {}
            return made
        except OutOfTime:
            return None
        finally:
            table.session.judge.allowance = None

    def _exhausted(self, table: Intake) -> bool:
        """Say whether this run tries no more changes: their authors wait for the next one, and nobody else does."""
        return self._previews >= MOST_PREVIEWS or self._allowance.is_spent or table.more

    # -- issues

    def issues(self, table: Intake, issues: Iterable[Issue], horizon: int) -> None:
        """Answer the statements to a game, and close those in which everything is settled."""
        scene = self._scene(table)
        for issue in issues:
            remarks = self.snapshot.remarks.get(issue.number, ())
            if issue.opened_at <= horizon and not is_chatter(remarks):
                self._guarded(issue.number, partial(self._issue, table, issue, remarks, horizon, scene))

    def _issue(self, table: Intake, issue: Issue, remarks: Sequence[Remark], horizon: int, scene: GameState) -> None:
        late = any(remark.at > horizon for remark in remarks) or table.leaves_some
        state: PullState = "closed" if not late and is_over(table, issue, remarks[0]) else issue.state
        case = self._case(table, issue, table.proposal_at({"issue": issue.number}), horizon, scene, state)
        made = self._made(case)
        if made is not None:
            self.wanted.append(replace(made, settled=state == "closed" and not late))


def _decided(table: Intake, proposal: Document | None) -> Document:
    """Return what a proposal held that is decided: its redlines and requests."""
    if proposal is None or not proposal["outcome"]:
        return {}
    changes = proposed(proposal)
    return {
        "redlines": redlines_of(table.session, proposal, changes),
        "requests": requests_of(proposal["requests"]),
    }


def _changed_later(remark: Remark) -> bool:
    return remark.edited or remark.deleted or remark.dismissed_by is not None


def _cause(entries: Iterable[Mapping[str, Any]], effect: str, proposal: Document) -> str | None:
    """Return by whose act a proposal was opened or decided, None where time did it."""
    for entry in reversed(list(entries)):
        if any(each["effect"] == effect and each.get("of") == proposal["id"] for each in entry.get("effects") or ()):
            by: str | None = entry.get("by")
            return by
    return None


def _acts(table: Intake, mine: GameContent | None) -> tuple[str, ...]:
    """Return what the files of a pull request ask for beside rule-changes, in plain words."""
    acts = split_requests(mine, table.session.actions())[1] if mine is not None else ()
    return tuple(
        " ".join([f"{act.do} {', '.join(f'{name}: {value}' for name, value in act.args.items())}".strip(),
                  *([f"as {act.as_}"] if act.as_ else [])])
        for act in acts
    )  # fmt: skip


def _changes(table: Intake, pull: Pull, read: Callable[[str], Content]) -> bool:
    """Say whether a pull request changes rules of the game."""
    return any(game.changes for game in read(pull.head.commit).games if game.game == table.record.name)


def _voted_on(pull: Pull, proposal: Document | None) -> str:
    """Return the commit whose content is shown: what is voted on, which may be older than the newest."""
    via = proposal["via"] if proposal is not None and not proposal["outcome"] else {}
    return str(via.get("head") or pull.head.commit)
