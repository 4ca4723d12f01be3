"""What each pull request and issue of a game is told: one comment, kept up to date, its check, and who is called.

The text is made anew only where something that it depends on has changed: a mark in its first line tells, beside the
calls that were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from folkmoot import __version__
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Answer, Issue, Pull, PullState, Remark
from folkmoot.game.status import comment_line, deadline, duties_in, is_vote_on, standing_of
from folkmoot.kernel.ballot_words import REVIEWS, choice_of_review
from folkmoot.referee import mentions
from folkmoot.referee.approvers import approvers_of
from folkmoot.referee.comment import UNFINISHED, CommentHeader, CommentModel, check_of, comment, mark_of
from folkmoot.referee.comment_building import (
    CommentInput,
    as_voted,
    build_comment_model,
    comment_on_issue,
    content_of,
    is_over,
)
from folkmoot.referee.content import GameContent, acts_apart
from folkmoot.referee.facts import is_young
from folkmoot.referee.intake import Intake
from folkmoot.referee.mentions import GameState, Mention
from folkmoot.referee.outbox import Awaited, GameAnswers, Outbox, awaited_in, is_chatter
from folkmoot.referee.preview import proposal_redlines, proposed, requests_of
from folkmoot.referee.recorder import PREFIX
from folkmoot.referee.report import heard_of


def answer_game(outbox: Outbox, intake: Intake, pulls: Iterable[Pull], issues: Iterable[Issue]) -> GameAnswers:
    """Return the answers to the pull requests and issues of a game, and what to say in the games' thread."""
    recorder, horizon = intake.recorder, outbox.horizon
    state = GameState(
        game=recorder.record.name,
        documents=recorder.session.documents,
        now=outbox.snapshot.at,
        choices=intake.choices_of,
        actions=recorder.session.actions,
    )
    answering = _Answering(outbox, intake, state)
    answers = [
        answer
        for pull in pulls
        if pull.opened_at <= horizon
        for answer in outbox.answered(pull.number, partial(answering.pull, pull))
    ]
    for issue in issues:
        remarks = outbox.snapshot.remarks.get(issue.number, ())
        if issue.opened_at <= horizon and not is_chatter(remarks):
            answers += outbox.answered(issue.number, partial(answering.issue, issue, remarks))
    keys = outbox.before(0).keys
    awaits = partial(awaited_in, intake, state, keys)
    return GameAnswers(
        answers=answers,
        thread=recorder.verdicts.get(0, []),
        state=state,
        roster=recorder.roster,
        approvers=approvers_of(state.game, recorder.session.kept(GAME), recorder.roster),
        awaited=guarded(Stage.WAITING, awaits, lambda _: Awaited()) if outbox.caller.notifies else Awaited(),
    )


class _Answering:
    """Answers in one game at the end of a run."""

    def __init__(self, outbox: Outbox, intake: Intake, state: GameState) -> None:
        self.outbox = outbox
        self.intake = intake
        self.recorder = intake.recorder
        self.state = state

    def pull(self, pull: Pull) -> Answer | None:
        """Return the answer to a pull request, None where its turn comes in the next run."""
        proposal = self.recorder.proposal_at({"pull": pull.number})
        state, commit = self._ends_as(pull, proposal)
        made = self._made(case := self._case(pull, proposal, state))
        decided = proposal is None or bool(proposal["outcome"])  # what is merged at once may be voted on all the same
        over = state != "open" and decided and not case.late and not self.intake.leaves_some
        return replace(made, commit=commit, settled=over) if made is not None else None

    def issue(self, issue: Issue, remarks: Sequence[Remark]) -> Answer | None:
        """Return the answer to a statement, which is closed where everything in it is settled."""
        late = any(remark.at > self.outbox.horizon for remark in remarks) or self.intake.leaves_some
        state: PullState = "closed" if not late and is_over(self.recorder, issue, remarks[0]) else issue.state
        made = self._made(self._case(issue, self.recorder.proposal_at({"issue": issue.number}), state))
        return replace(made, settled=state == "closed" and not late) if made is not None else None

    def _ends_as(self, pull: Pull, proposal: Proposal | None) -> tuple[PullState, str]:
        """Return what a pull request should look like, and the commit that merged it."""
        merged = self.recorder.merges.get(pull.number, "")
        if merged or pull.state == "merged":
            return "merged", merged or pull.merge_commit
        if proposal is not None and proposal["outcome"]:
            return "closed", ""
        if proposal is None and self.recorder.refused(pull):
            mine = self.outbox.read(pull.head.commit).of(self.state.game)
            if mine is None or not mine.changes:
                return "closed", ""
        return pull.state, ""

    def _case(self, place: Pull | Issue, proposal: Proposal | None, state: PullState) -> CommentInput:
        remarks = self.outbox.snapshot.remarks.get(place.number, ())
        late = any(remark.at > self.outbox.horizon for remark in remarks)
        return CommentInput(
            pull=place,
            forge=self.outbox.forge,
            game=self.state.game,
            proposal=proposal,
            verdicts=tuple(self.recorder.verdicts.get(place.number, ())),
            remarks=remarks,
            state=state,
            documents=self.recorder.session.documents,
            site=self.outbox.site(self.recorder.session.kept(GAME)),
            late=late or (isinstance(place, Pull) and is_young(place, self.outbox.horizon)),
        )

    def _made(self, case: CommentInput) -> Answer | None:
        """Return the comment with its check and calls, both made anew where it is; None where that must wait."""
        proposal, number = case.proposal, case.pull.number
        before = self.outbox.before(number)
        mark = self._mark(case)
        occasions: list[Mention] = []
        kept: tuple[str, ...] = ()
        check, body, untried = None, before.body, False
        failed = {key for key in before.keys if key.startswith(PREFIX)}
        failed |= self.intake.faults.get(number, set())
        if before.mark != mark:
            view = self._view(case)
            if view is None:
                return None
            model, untried = build_comment_model(view), view.untried
            if isinstance(case.pull, Pull):
                body = self.outbox.below(case.pull, comment(model))
                check = None if untried else check_of(model, case.pull.head.commit)
            else:
                body = comment_on_issue(view, case.remarks[0])
            occasions += self._occasions(view, model)
        else:
            kept = before.keys
        if proposal:
            occasions += mentions.reminder_of(self.state, proposal, place=case.place)
        roster, quiet = self.recorder.roster, self.state.quiet
        made, keys, complete = self.outbox.caller.call(occasions, before.keys, roster, quiet=quiet)
        died = filter(None, [self.outbox.trials.deaths.get(number)])
        keys = tuple(dict.fromkeys((*kept, *keys, *sorted(failed), *died)))
        return Answer(
            pull=number,
            text=str(CommentHeader(mark if complete and not untried else UNFINISHED, keys, body)),
            state=case.state,
            head=str(proposal["via"].get("head") or "") if proposal else "",
            check=check,
            calls=made,
            heard=heard_of(case.game, f"{'pull' if isinstance(case.pull, Pull) else 'issue'} {number}", case.verdicts),
        )

    def _occasions(self, view: CommentInput, model: CommentModel) -> Iterator[Mention]:
        """Yield of what people are to be told as a pull request or issue stands."""
        state, proposal, place = self.state, view.proposal, view.place
        if proposal is not None:
            yield from mentions.of_vote(state, proposal, _cause(view.entries, "open", proposal), place=place)
            yield from mentions.of_judge(state, proposal, model.judge, model.office, place)
            yield from mentions.of_outcome(state, proposal, _cause(view.entries, "resolve", proposal), model.link)
        author = self.recorder.player(view.pull.author)
        why = model.refusal if author is not None and view.state != "merged" else ""
        if author is not None and why:
            yield mentions.of_refusal(state, (view.pull.number, view.own), author, why, place)

    def _mark(self, case: CommentInput) -> str:
        """Return what stands for all that a comment depends on; what chatterers and robots repeat changes nothing."""
        pull, proposal = case.pull, case.proposal
        open_ = not proposal["outcome"] if proposal else isinstance(pull, Pull) and case.state == "open"
        document = self.recorder.session.document
        players = {r.id for r in case.remarks if not r.author.robot and self.recorder.player(r.author)}
        verdicts = {(v, v.fact if v.fact.partition("/")[0] in players else "") for v in case.verdicts if v.seq is None}
        facts = [
            __version__,
            case.state,
            document("law").get("version") if open_ else 0,
            (pull.head.commit, pull.draft) if isinstance(pull, Pull) else "",
            self.outbox.newer(pull),
            pull.title,
            proposal,
            self.recorder.facts_at(case.key),
            sorted({(v.who, v.what, v.state, v.code, v.why, v.lines, fact) for v, fact in verdicts}),
            [(r.id, r.edited, r.deleted, r.dismissed_by is not None) for r in case.remarks if _changed_later(r)],
            deadline(self.recorder.session.documents, proposal) if proposal and open_ else 0,
            list(self._owed(proposal)) if proposal and open_ else (),
            standing_of(self.recorder.session, proposal) if proposal and open_ else "",
            (document("game").get("paused"), document("things/office")) if open_ else 0,
            case.site,
        ]
        return mark_of(facts)

    # -- what the comment is made of

    def _view(self, case: CommentInput) -> CommentInput | None:
        """Return all that the comment is made of; None where this run tells no more."""
        proposal, session = case.proposal, self.recorder.session
        view = replace(case, entries=self.recorder.entries_at(case.key))
        if proposal is not None and not proposal["outcome"]:
            choices = tuple(self.intake.choices_of(proposal))
            by_law = session.decides("review") or not isinstance(case.pull, Pull)
            reviewed = () if by_law else tuple(choice_of_review(verdict, choices) for verdict in REVIEWS)
            view = replace(view, choices=choices, reviewed=reviewed, stands=standing_of(session, proposal))
            view = replace(view, next=tuple(self._owed(proposal)))
        if proposal is not None and proposal["outcome"]:
            redlines = proposal_redlines(session, proposal)
            view = replace(view, redlines=redlines, requests=requests_of(proposal["requests"]))
        if isinstance(case.pull, Pull):
            return self._with_content(view, case.pull)
        if proposal is None or proposal["outcome"]:
            return view
        return self._tried(view, content_of(case.game, proposed(proposal), case.pull))

    def _owed(self, proposal: Proposal) -> Iterator[tuple[str, str]]:
        """Yield what players owe because of a proposal beside their votes, and the line that does it."""
        for duty in duties_in(self.recorder.session.documents):
            line = comment_line(duty, self.recorder.session.actions())
            if duty.get("of") == proposal["id"] and not is_vote_on(duty, proposal) and line:
                yield f"{duty['player']}: {duty['what']}, in a comment of one line", line

    def _with_content(self, view: CommentInput, pull: Pull) -> CommentInput | None:
        open_ = view.proposal is None or not view.proposal["outcome"]
        mine: GameContent | None = None
        if pull.state != "merged":
            via = view.proposal["via"] if view.proposal is not None and open_ else {}
            voted_on = str(via.get("head") or pull.head.commit)  # which may be older than the newest
            view = replace(view, problems=self.outbox.read(pull.head.commit).problems)
            mine = self.outbox.read(voted_on).of(view.game)
        if mine is not None and view.state != "merged":
            view = replace(view, acts=self._acts(mine))
        if view.proposal is not None and open_ and (mine is None or not mine.changes):
            # The branch's history holds its commits already, as after a merge by hand that was taken back.
            return self._tried(view, as_voted(content_of(view.game, (), pull), view.proposal))
        if mine is None or not mine.changes or not open_ or (pull.draft and view.proposal is None):
            return view
        return self._tried(view, as_voted(mine, view.proposal))

    def _tried(self, view: CommentInput, content: GameContent) -> CommentInput | None:
        """Return what is told with what a content would do; what this run does not try any more is told without.

        Where it is recorded, that is: else nothing is told (None).
        """
        proposal: Mapping[str, Any] = view.proposal or {}
        trials = self.outbox.trials
        if not self.intake.more and not trials.exhausted:
            title = str(proposal.get("title", view.pull.title))
            shown = trials.tried(self.recorder, view.pull, content, title, str(proposal.get("id", "")))
            return replace(view, preview=shown)
        return replace(view, problems=(), acts=(), untried=True) if proposal else None

    def _acts(self, mine: GameContent) -> tuple[str, ...]:
        """Return what the files of a pull request ask for beside rule-changes, in plain words."""
        acts = acts_apart(mine, self.recorder.session.actions())[1]
        asked = [(requests_of([{"name": act.do, "args": act.args}])[0], act.as_) for act in acts]
        return tuple(f"{words} as {office}" if office else words for words, office in asked)


def _changed_later(remark: Remark) -> bool:
    return remark.edited or remark.deleted or remark.dismissed_by is not None


def _cause(entries: Iterable[Entry], effect: str, proposal: Proposal) -> str | None:
    """Return by whose act a proposal was opened or decided, None where time did it."""
    for entry in reversed(list(entries)):
        if any(each["effect"] == effect and each.get("of") == proposal["id"] for each in entry.get("effects") or ()):
            by: str | None = entry.get("by")
            return by
    return None
