"""What each pull request and issue of a game is told: one comment, kept up to date, its check, and who is called.

The text is made anew only where something that it depends on has changed: a mark in its first line tells, beside the
calls that were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from folkmoot import __version__
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Entry, Via
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Answer, Issue, Pull, PullState, Remark
from folkmoot.game.session import Session
from folkmoot.game.status import comment_line, deadline, duties_in, is_vote_on, standing_of
from folkmoot.kernel.ballot_words import REVIEWS, choice_of_review
from folkmoot.referee import mentions
from folkmoot.referee.comment import UNFINISHED, CommentHeader, CommentModel, check_of, comment, mark_of
from folkmoot.referee.comment_building import CommentInput, as_voted, build_comment_model, is_over
from folkmoot.referee.content import GameContent, acts_apart
from folkmoot.referee.facts import is_young
from folkmoot.referee.intake import Intake
from folkmoot.referee.mentions import GameState, Mention
from folkmoot.referee.outbox import Awaited, GameAnswers, Outbox, awaited_in
from folkmoot.referee.preview import proposal_redlines, requests_of
from folkmoot.referee.recorder import PREFIX
from folkmoot.referee.report import heard_of


def answer_game(outbox: Outbox, intake: Intake, places: Iterable[Pull | Issue]) -> None:
    """Answer the pull requests and issues of a game, and note what to say in the games' thread."""
    recorder = intake.recorder
    state = GameState(
        game=recorder.record.name,
        documents=recorder.session.documents,
        now=outbox.snapshot.at,
        choices=intake.choices_of,
        actions=recorder.session.actions,
    )
    answering = _Answering(outbox, intake, state)
    answers: list[Answer] = []
    for place in places:
        if place.opened_at <= outbox.horizon and (isinstance(place, Pull) or not outbox.is_chatter(place.number)):
            answers += outbox.answered(place.number, partial(answering.answer, place))
    awaits = partial(awaited_in, intake, state, outbox.before(0).keys)
    awaited = guarded(Stage.WAITING, awaits, lambda _: Awaited()) if outbox.caller.notifies else Awaited()
    thread = recorder.verdicts.get(0, [])
    outbox.games.append(GameAnswers(thread=thread, state=state, awaited=awaited))
    outbox.wanted += answers


class _Answering:
    """Answers in one game at the end of a run."""

    def __init__(self, outbox: Outbox, intake: Intake, state: GameState) -> None:
        self.outbox = outbox
        self.intake = intake
        self.recorder = intake.recorder
        self.state = state

    def answer(self, place: Pull | Issue) -> Answer | None:
        """Return the answer to a pull request or issue, None where its turn comes in the next run."""
        key = Via(pull=place.number) if isinstance(place, Pull) else Via(issue=place.number)
        proposal, horizon = self.recorder.proposal_at(key), self.outbox.horizon
        remarks = self.outbox.remarks(place.number)
        late = self.intake.leaves_some or any(remark.at > horizon for remark in remarks)
        late = late or (isinstance(place, Pull) and is_young(place, horizon))
        state, commit = self._ends_as(place, remarks, proposal, late=late)
        case = CommentInput(
            pull=place,
            forge=self.outbox.forge,
            game=self.state.game,
            proposal=proposal,
            verdicts=tuple(self.recorder.verdicts.get(place.number, ())),
            remarks=remarks,
            state=state,
            documents=self.recorder.session.documents,
            site=self.outbox.site(self.recorder.session.kept(GAME)),
        )
        made = self._made(case)
        # What is merged at once may be voted on all the same.
        over = isinstance(place, Issue) or proposal is None or bool(proposal["outcome"])
        return made and replace(made, commit=commit, settled=state != "open" and over and not late)

    def _ends_as(
        self, place: Pull | Issue, remarks: Sequence[Remark], proposal: Proposal | None, *, late: bool
    ) -> tuple[PullState, str]:
        """Return what a pull request or issue should look like, and the commit that merged it."""
        if isinstance(place, Issue):
            return ("closed" if not late and is_over(self.recorder, place, remarks[0]) else place.state), ""
        merged = self.recorder.merges.get(place.number, "")
        if merged or place.state == "merged":
            return "merged", merged or place.merge_commit
        if proposal is not None and proposal["outcome"]:
            return "closed", ""
        if proposal is None and self.recorder.refused(place):
            mine = self.outbox.read(place.head.commit).of(self.state.game)
            if mine is None or not mine.changes:
                return "closed", ""
        return place.state, ""

    def _made(self, case: CommentInput) -> Answer | None:
        """Return the comment with its check and calls, both made anew where it is; None where that must wait."""
        proposal, number = case.proposal, case.pull.number
        before = self.outbox.before(number)
        mark = self._mark(case)
        occasions: list[Mention] = []
        check, body, kept = None, before.body, before.keys
        failed = {key for key in before.keys if key.startswith(PREFIX)} | self.intake.faults.get(number, set())
        if before.mark != mark:
            shown = self._shown(case)
            if shown is None:
                return None
            case = replace(case, entries=self.recorder.entries_at(case.key))
            model = build_comment_model(case, **shown)
            body, kept = self.outbox.below(case.pull, comment(model)), ()
            mark = UNFINISHED if model.untried else mark
            if isinstance(case.pull, Pull) and not model.untried:
                check = check_of(model, case.pull.head.commit)
            occasions += self._occasions(case, model)
        if proposal:
            occasions += mentions.reminder_of(self.state, proposal, place=case.place)
        made, keys, complete = self.outbox.caller.call(occasions, before.keys, self.state)
        died = filter(None, [self.outbox.trials.deaths.get(number)])
        keys = tuple(dict.fromkeys((*kept, *keys, *sorted(failed), *died)))
        return Answer(
            pull=number,
            text=str(CommentHeader(mark if complete else UNFINISHED, keys, body)),
            state=case.state,
            head=str(proposal["via"].get("head") or "") if proposal else "",
            check=check,
            calls=made,
            heard=heard_of(case.game, f"{'pull' if isinstance(case.pull, Pull) else 'issue'} {number}", case.verdicts),
        )

    def _occasions(self, case: CommentInput, model: CommentModel) -> Iterator[Mention]:
        """Yield of what people are to be told as a pull request or issue stands."""
        state, proposal, place = self.state, case.proposal, case.place
        if proposal is not None:
            yield from mentions.of_vote(state, proposal, _cause(case.entries, "open", proposal), place=place)
            yield from mentions.of_judge(state, proposal, model.judge, model.office, place)
            yield from mentions.of_outcome(state, proposal, _cause(case.entries, "resolve", proposal), model.link)
        author = self.recorder.player(case.pull.author)
        why = model.refusal if author is not None and case.state != "merged" else ""
        if author is not None and why:
            yield mentions.of_refusal(state, (case.pull.number, case.own), author, why, place)

    def _mark(self, case: CommentInput) -> str:
        """Return what stands for all that a comment depends on; what chatterers and robots repeat changes nothing."""
        pull, proposal = case.pull, case.proposal
        document = self.recorder.session.document
        players = {r.id for r in case.remarks if not r.author.robot and self.recorder.player(r.author)}
        verdicts = {(v, v.fact if v.fact.partition("/")[0] in players else "") for v in case.verdicts if v.seq is None}
        facts: list[Any] = [
            __version__,
            case.state,
            (pull.head.commit, pull.draft) if isinstance(pull, Pull) else "",
            self.outbox.newer(pull),
            pull.title,
            proposal,
            self.recorder.facts_at(case.key),
            sorted({(v.who, v.what, v.state, v.code, v.why, v.lines, fact) for v, fact in verdicts}),
            [(r.id, r.edited, r.deleted, r.dismissed_by is not None) for r in case.remarks if _changed_later(r)],
            case.site,
        ]
        if not proposal["outcome"] if proposal else isinstance(pull, Pull) and case.state == "open":
            facts += [document("law").get("version"), document("game").get("paused"), document("things/office")]
        if proposal and not proposal["outcome"]:
            facts.append(deadline(self.recorder.session.documents, proposal))
            facts += [list(self._owed(case, proposal)), standing_of(self.recorder.session, proposal)]
        return mark_of(facts)

    # -- what the comment shows of what is proposed

    def _shown(self, case: CommentInput) -> dict[str, Any] | None:
        """Return what the comment shows of what is proposed, be it tried; None where this run tells no more.

        What is recorded is told without a trial where there is no time for one.
        """
        proposal, session, pull = case.proposal, self.recorder.session, case.pull
        content: GameContent | None = None
        shown: dict[str, Any] = {}
        if isinstance(pull, Pull) and pull.state != "merged":
            via = proposal["via"] if proposal and not proposal["outcome"] else {}
            voted_on = str(via.get("head") or pull.head.commit)  # which may be older than the newest
            shown["problems"] = self.outbox.read(pull.head.commit).problems
            content = self.outbox.read(voted_on).of(case.game)
        if content is not None and case.state != "merged":
            shown["acts"] = self._acts(content)
        if proposal is not None and proposal["outcome"]:
            return shown | decided(session, proposal)
        if proposal is not None:
            choices = self.intake.choices_of(proposal)
            by_law = session.decides("review") or not isinstance(pull, Pull)
            shown |= {
                "choices": tuple(choices),
                "reviewed": () if by_law else tuple(choice_of_review(verdict, choices) for verdict in REVIEWS),
                "stands": standing_of(session, proposal),
                "next": tuple(self._owed(case, proposal)),
            }
            if content is None or not content.changes:
                # An issue; or the branch's history holds its commits already, as after a merge taken back by hand.
                content = GameContent(game=case.game, changes=(), acts=(), files=(), stale=(), digest="")
        elif content is None or not content.changes or (isinstance(pull, Pull) and pull.draft):
            return shown
        trials = self.outbox.trials
        if self.intake.more or trials.exhausted:
            return shown | {"problems": (), "acts": (), "untried": True} if proposal else None
        return shown | {"preview": trials.tried(self.recorder, pull, as_voted(content, proposal), proposal)}

    def _owed(self, case: CommentInput, proposal: Proposal) -> Iterator[tuple[str, str]]:
        """Yield what is to be done because of a proposal beside votes here, each with the line that does it."""
        for duty in duties_in(self.recorder.session.documents):
            line = comment_line(duty, self.recorder.session.actions())
            if duty.get("of") == proposal["id"] and not is_vote_on(duty, proposal) and line:
                yield f"{duty['player']}: {duty['what']}, in a comment of one line", line
        if isinstance(case.pull, Issue) and case.forge != "local":
            kind, number = proposal["kind"], handle(proposal)
            yield f"Vote from elsewhere than here on {kind} {number}", f"/vote CHOICE {kind}={number}"

    def _acts(self, mine: GameContent) -> tuple[str, ...]:
        """Return what the files of a pull request ask for beside rule-changes, in plain words."""
        acts = acts_apart(mine, self.recorder.session.actions())[1]
        asked = [(requests_of([{"name": act.do, "args": act.args}])[0], act.as_) for act in acts]
        return tuple(f"{words} as {office}" if office else words for words, office in asked)


def decided(session: Session, proposal: Proposal) -> dict[str, Any]:
    """Return what the comment shows of a decided proposal: what it held, and which of its changes were left out."""
    omitted = {each["change"] for each in proposal.get("omitted") or ()}
    redlines = enumerate(proposal_redlines(session, proposal))
    return {
        "redlines": tuple(replace(change, omitted=place in omitted) for place, change in redlines),
        "requests": requests_of(proposal["requests"]),
    }


def _changed_later(remark: Remark) -> bool:
    return remark.edited or remark.deleted or remark.dismissed_by is not None


def _cause(entries: Iterable[Entry], effect: str, proposal: Proposal) -> str | None:
    """Return by whose act a proposal was opened or decided, None where time did it."""
    for entry in reversed(list(entries)):
        if any(each["effect"] == effect and each.get("of") == proposal["id"] for each in entry.get("effects") or ()):
            by: str | None = entry.get("by")
            return by
    return None
