"""Collecting what is wanted of a forge after a run, each place within a boundary of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot import __version__
from folkmoot.core.calendar import write_moment
from folkmoot.core.documents import Proposal, Roster
from folkmoot.core.keys import came_here, claim_of
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Entry, PlayedAt
from folkmoot.core.values import in_a_row
from folkmoot.forges.cache.forge import UNLIKE
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Answer, Call, Check, Issue, Pull, PullState, Remark, Snapshot, Unread
from folkmoot.game import status
from folkmoot.kernel.ballot_words import REVIEWS, choice_of_review
from folkmoot.referee import mentions
from folkmoot.referee.approvers import upkeep
from folkmoot.referee.commands import commands_of
from folkmoot.referee.comment import (
    PULL,
    UNFINISHED,
    CommentHeader,
    CommentInput,
    CommentModel,
    as_voted,
    asks,
    build_comment_model,
    check_of,
    comment,
    header_of,
    mark_of,
)
from folkmoot.referee.content import GameContent, acts_apart
from folkmoot.referee.facts import is_young, named_in, via_of, young_of
from folkmoot.referee.intake import Intake
from folkmoot.referee.markdown import drawn, written
from folkmoot.referee.mentions import Called, Caller, GameState, Mention
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.preview import Preview, Ruling, preview, proposal_redlines, redlines_in, requests_of
from folkmoot.referee.recorder import PREFIX, Read, Recorder
from folkmoot.referee.report import HEADS, NOT_TAKEN, Verdict, heard_of


class GameAnswers(Struct, frozen=True, kw_only=True):
    """What is answered in one game: in the games' `thread`, who is `awaited` there (Markdown), whom to call of what."""

    thread: list[Verdict]
    state: GameState
    awaited: Sequence[str] = ()
    occasions: Sequence[Mention] = ()


MOST_PREVIEWS = 500  # made in one run; the rest follow in the next ones
WORK_OF_PREVIEWS = 6.0
"""Times what an event may take that a run grants to them all: what was begun is finished, so that each run gets on."""
THOROUGH = 3.0  # times what an event may take, for what may come later: more than in a clone
DIED = "died-"
"""What the keys begin with by which a comment of ours remembers that a trial ended the sandbox."""
ENDED = "when it was tried, the sandbox had to be ended; it is tried again when it or the law changes"


class Outbox(Struct, kw_only=True):
    """Collects what is wanted of a forge after a run; `horizon` is up to when facts count (Unix seconds).

    `deaths` are the keys of trials that ended the sandbox, by pull request and issue.
    """

    caller: Caller
    snapshot: Snapshot
    horizon: int
    read: Read
    site: str
    deaths: dict[int, str] = {}
    games: list[GameAnswers] = []
    wanted: list[Answer] = []
    _tried: int = 0
    _left: float = field(default_factory=lambda: WORK_OF_PREVIEWS)

    def changed(self) -> list[Answer]:
        """Return the answers that would change something, in the order in which those who wait for them are heard."""
        places: dict[int, Pull | Issue] = {pull.number: pull for pull in self.snapshot.pulls}
        places |= {issue.number: issue for issue in self.snapshot.issues}
        order = {number: place for place, number in enumerate((0, *places))}
        said = self.snapshot.said

        def moves(answer: Answer) -> bool:
            return answer.pull in places and answer.state not in ("open", places[answer.pull].state)

        return [
            answer
            for answer in sorted(self.wanted, key=lambda answer: (order.get(answer.pull, len(order)), answer.pull))
            if answer.text != said.get(answer.pull, "") or answer.settled or moves(answer)
        ]

    def before(self, number: int) -> CommentHeader:
        """Return our comment as it stands at a pull request or issue, or (0) in the games' thread."""
        return header_of(self.snapshot.said.get(number, ""))

    def remarks(self, number: int) -> tuple[Remark, ...]:
        """Return what was said in a place."""
        return self.snapshot.remarks.get(number, ())

    def is_chatter(self, number: int) -> bool:
        """Say whether nobody but robots has said anything in a place."""
        return all(remark.author.robot for remark in self.remarks(number))

    def strays_in(self, remarks: Iterable[Remark], why: str) -> list[Verdict]:
        """Return what people said among remarks to a game where none takes it."""
        return astray_of(remarks, why, [game.state.players for game in self.games], self.caller.forge)

    def answered(self, number: int, make: Callable[[], Answer | None], stage: Stage = Stage.ANSWER) -> list[Answer]:
        """Return the answer to one pull request or issue, none where it waits; that it fails, where it does."""
        made = guarded(stage, make, lambda problem: self.plain(number, written("fault.md", problem=problem)))
        return [made] if made is not None else []

    def below(self, place: Pull | Issue, body: str) -> str:
        """Return what is said of a pull request, with what is said of newer content that is not here."""
        return "\n".join(filter(None, [body, self.newer(place)]))

    def newer(self, place: Pull | Issue) -> str:
        """Return what is said of newer content of a pull request that is not here, "" for none."""
        unread = self.snapshot.unread.get(place.number)
        return comment_on_unread(unread) if unread and unread.state == "open" else ""

    def settled(self, number: int, state: PullState) -> Answer:
        """Return that what is over is acknowledged, of which nothing more is to be said."""
        return Answer(pull=number, text=self.snapshot.said.get(number, ""), state=state, settled=True)

    def plain(
        self, number: int, body: str, check: Check | None = None, refused: tuple[Pull, str] | None = None
    ) -> Answer:
        """Return a text that costs nothing to make, and let the author of what was `refused` know why."""
        before = self.before(number)
        mark = mark_of([body, check])
        calls, keys, complete = self._refused(*refused, before.keys) if refused else ((), before.keys, True)
        text = str(CommentHeader(mark if complete else UNFINISHED, keys, body))
        return Answer(pull=number, text=text, check=check if before.mark != mark else None, calls=calls)

    def _refused(self, pull: Pull, why: str, keys: Sequence[str]) -> Called:
        about = (pull.number, pull.head.commit)
        for state in (game.state for game in self.games):
            author = player_of(state.players, self.caller.forge, pull.author)
            if author is not None:
                return self.caller.call([mentions.of_refusal(state, about, author, why, PULL)], keys, state)
        return (), (), True

    @property
    def exhausted(self) -> bool:
        """Say whether this run tries no more changes: their authors wait for the next one, and nobody else does."""
        return self._tried >= MOST_PREVIEWS or self._left <= 0

    def tried(
        self, recorder: Recorder, place: Pull | Issue, content: GameContent, proposal: Proposal | None
    ) -> Preview:
        """Return what a content would do as a proposal, or that it cannot be tried."""
        session, author = recorder.session, recorder.named(place.author)
        title, id_ = (str(proposal["title"]), str(proposal["id"])) if proposal else (place.title, "")
        body = place.body if isinstance(place, Pull) else ""

        def instead(problem: Problem) -> Preview:
            recorder.begin_anew()
            return Preview(changes=(), died=problem.message, proper=Ruling(ok=False, code=problem.code))

        key = DIED + mark_of([__version__, session.document("law").get("version"), content.changes, id_])
        if key in self.before(place.number).keys:
            self.deaths[place.number] = key
            ruling = Ruling(ok=False, code="E-JUDGE", why=ENDED)
            return Preview(changes=tuple(redlines_in(session, content)), died=ENDED, proper=ruling)
        sandbox, at = session.sandbox, self.snapshot.at
        sandbox.most_foreseen = THOROUGH
        before = sandbox.work
        shown = guarded(Stage.PREVIEW, lambda: preview(session, content, title, author, at, id_, body), instead)
        self._tried += 1
        self._left -= sandbox.work - before
        self.deaths |= {place.number: key} if shown.died else {}
        return shown


def comment_on_unread(unread: Unread) -> str:
    """Return what the author is told; it stands below what is said of older content."""
    again, other = write_moment(unread.again), unread.why.startswith(UNLIKE)
    return written("unread.md", commit=unread.commit[:12], why=unread.why, again=again, somebody_else=other)


# -- each pull request and issue of a game: one comment, kept up to date, its check, and who is called


def answer_game(outbox: Outbox, intake: Intake, places: Iterable[Pull | Issue]) -> None:
    """Answer the pull requests and issues of a game, and note what to say in the games' thread."""
    recorder = intake.recorder
    state = GameState(
        slug=recorder.record.name,
        documents=recorder.session.documents,
        at=outbox.snapshot.at,
        choices=intake.choices_of,
        actions=recorder.session.actions,
    )
    answering = _Answering(outbox, intake, state)
    answers: list[Answer] = []
    for place in places:
        if place.opened_at <= outbox.horizon and (isinstance(place, Pull) or not outbox.is_chatter(place.number)):
            answers += outbox.answered(place.number, partial(answering.answer, place))
    made = GameAnswers(thread=recorder.verdicts.get(0, []), state=state)
    if outbox.caller.notifies:
        awaits = partial(_awaited_in, intake, made, outbox.before(0).keys)
        made = guarded(Stage.WAITING, awaits, lambda _: made)
    outbox.games.append(made)
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
        proposal, horizon = self.recorder.proposal_at(via_of(place)), self.outbox.horizon
        remarks = self.outbox.remarks(place.number)
        late = self.intake.more or self.intake.put_off or any(remark.at > horizon for remark in remarks)
        late = late or (isinstance(place, Pull) and is_young(place, horizon))
        state, commit = self._ends_as(place, remarks, proposal, late=late)
        case = CommentInput(
            pull=place,
            forge=self.outbox.caller.forge,
            game=self.state.slug,
            proposal=proposal,
            verdicts=tuple(self.recorder.verdicts.get(place.number, ())),
            remarks=remarks,
            state=state,
            documents=self.recorder.session.documents,
            site=self.outbox.site,
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
            mine = self.outbox.read(place.head.commit).of(self.state.slug)
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
            case = replace(case, entries=self.recorder.entries_at(via_of(case.pull)))
            model = build_comment_model(case, **shown)
            body, kept = self.outbox.below(case.pull, comment(model)), ()
            mark = UNFINISHED if model.untried else mark
            if isinstance(case.pull, Pull) and not model.untried:
                check = check_of(model, case.pull.head.commit)
            occasions += self._occasions(case, model)
        if proposal:
            occasions += mentions.reminder_of(self.state, proposal, place=case.place)
        made, keys, complete = self.outbox.caller.call(occasions, before.keys, self.state)
        died = filter(None, [self.outbox.deaths.get(number)])
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
            yield from mentions.of_judge(state, proposal, model.preview, place)
            yield from mentions.of_outcome(state, proposal, _cause(case.entries, "resolve", proposal), model.link)
        author = self.recorder.player(case.pull.author)
        if author is not None and model.refusal and case.state != "merged":
            yield mentions.of_refusal(state, (case.pull.number, case.own), author, model.refusal, place)

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
            self.recorder.facts_at(via_of(pull)),
            sorted({(v.who, v.what, v.state, v.code, v.why, v.lines, fact) for v, fact in verdicts}),
            sorted((r.id, *how) for r in case.remarks if any(how := (r.edited, r.deleted, r.dismissed_by is not None))),
            case.site,
        ]
        if not proposal["outcome"] if proposal else isinstance(pull, Pull) and case.state == "open":
            facts += [document("law").get("version"), document("game").get("paused"), document("things/office")]
        if proposal and not proposal["outcome"]:
            facts.append(status.deadline(self.recorder.session.documents, proposal))
            facts += [list(self._owed(case, proposal)), status.standing_of(self.recorder.session, proposal)]
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
            acts = acts_apart(content, session.actions())[1]
            asked = [(requests_of([{"name": act.do, "args": act.args}])[0], act.as_) for act in acts]
            shown["acts"] = tuple(f"{words} as {office}" if office else words for words, office in asked)
        if proposal is not None and proposal["outcome"]:
            omitted = {each["change"] for each in proposal.get("omitted") or ()}
            redlines = enumerate(proposal_redlines(session, proposal))
            shown["redlines"] = tuple(replace(change, omitted=place in omitted) for place, change in redlines)
            return shown | {"requests": requests_of(proposal["requests"])}
        if proposal is not None:
            choices = self.intake.choices_of(proposal)
            by_law = session.decides("review") or not isinstance(pull, Pull)
            shown |= {
                "choices": tuple(choices),
                "reviewed": () if by_law else tuple(choice_of_review(verdict, choices) for verdict in REVIEWS),
                "stands": status.standing_of(session, proposal),
                "next": tuple(self._owed(case, proposal)),
            }
            if content is None or not content.changes:
                # An issue; or the branch's history holds its commits already, as after a merge taken back by hand.
                content = GameContent(game=case.game, changes=(), acts=(), files=(), stale=(), digest="")
        elif content is None or not content.changes or (isinstance(pull, Pull) and pull.draft):
            return shown
        if self.intake.more or self.outbox.exhausted:
            return shown | {"problems": (), "acts": (), "untried": True} if proposal else None
        return shown | {"preview": self.outbox.tried(self.recorder, pull, as_voted(content, proposal), proposal)}

    def _owed(self, case: CommentInput, proposal: Proposal) -> Iterator[tuple[str, str]]:
        """Yield what is to be done because of a proposal beside votes here, each with the line that does it."""
        for duty in status.duties_in(self.recorder.session.documents):
            line = status.comment_line(duty, self.recorder.session.actions())
            if duty.get("of") == proposal["id"] and not status.is_vote_on(duty, proposal) and line:
                yield f"{duty['player']}: {duty['what']}, in a comment of one line", line
        if isinstance(case.pull, Issue) and case.forge != "local":
            kind, number = proposal["kind"], handle(proposal)
            yield f"Vote from elsewhere than here on {kind} {number}", f"/vote CHOICE {kind}={number}"


def _cause(entries: Iterable[Entry], effect: str, proposal: Proposal) -> str | None:
    """Return by whose act a proposal was opened or decided, None where time did it."""
    for entry in reversed(list(entries)):
        if any(each["effect"] == effect and each.get("of") == proposal["id"] for each in entry.get("effects") or ()):
            by: str | None = entry.get("by")
            return by
    return None


def is_over(recorder: Recorder, issue: Issue, first: Remark) -> bool:
    """Say whether everything in an issue is settled, so that it can be closed.

    It is not where nothing of it is recorded, while something waits, while what it proposed is undecided, while an act
    is held, and where it asks something: then somebody has to close it.
    """
    if any(verdict.state == "waiting" for verdict in recorder.verdicts.get(issue.number, ())):
        return False
    recorded = recorder.facts_at({"issue": issue.number})
    if not recorded.get("facts") or asks(issue, first):
        return False
    if any(not recorder.session.proposal(each)["outcome"] for each in recorded.get("proposals") or ()):
        return False
    held = recorder.session.document("things/held")
    return not any(str(seq) in held for seq in recorded["facts"].values())


# -- where no game is meant, or one that stands still


MOST_GAMES = 10


def answer_others(outbox: Outbox, games: Sequence[str], places: Iterable[Pull | Issue]) -> None:
    """Answer what belongs to none of the `games` that are played.

    Of a pull request that touches a game and cannot be read it is said what is wrong, of others who approves them, and
    of an issue it is asked which game is meant. What is said there as if to a game counts nowhere, and each is told so.
    """
    for place in places:
        if isinstance(place, Pull):
            outbox.wanted += outbox.answered(place.number, partial(_pull_of_none, outbox, games, place), Stage.NO_GAME)
        elif place.opened_at <= outbox.horizon and not outbox.is_chatter(place.number):
            outbox.wanted += outbox.answered(place.number, partial(_issue_of_none, outbox, games, place), Stage.NO_GAME)


def _issue_of_none(outbox: Outbox, games: Sequence[str], issue: Issue) -> Answer:
    remarks = outbox.remarks(issue.number)
    text = written("stray.md", named=named_in(remarks), games=games)
    heard = heard_of("", f"issue {issue.number}", outbox.strays_in(remarks, which_game(games)))
    over = issue.state == "closed" and all(remark.at <= outbox.horizon for remark in remarks)
    return Answer(pull=issue.number, text=text, state=issue.state, settled=over, heard=heard)


def _pull_of_none(outbox: Outbox, games: Sequence[str], pull: Pull) -> Answer | None:
    number, remarks = pull.number, outbox.remarks(pull.number)
    content = outbox.read(pull.head.commit) if pull.state == "open" else None
    unreadable = content is not None and content.touches_game and bool(content.problems)
    why = f"this pull request is of no game; {which_game(games)}"
    if unreadable:
        why = "nothing here is judged while its files cannot be taken; say it again when they are mended"
    found = outbox.strays_in(remarks, why)
    bodies: list[str] = []
    check, refused = None, None
    if unreadable and content is not None:
        view = CommentInput(pull=pull, forge=outbox.caller.forge, state="open")
        model = build_comment_model(view, problems=content.problems)
        check, refused = check_of(model, pull.head.commit), (pull, model.refusal)
        bodies.append(outbox.below(pull, comment(model)))
    elif content is not None and outbox.games:
        states = [game.state for game in outbox.games]
        check, body = upkeep(pull, remarks, states, outbox.caller.forge, content.keeping)
        bodies.append(outbox.below(pull, body))
        bodies += [written("kept.md", games=[game.game for game in content.games])] if content.games else []
    bodies += [written("strays.md", found=found)] if found else []
    if bodies:
        made = outbox.plain(number, "\n".join(bodies), check, refused)
    elif content is not None:
        return None
    else:
        made = outbox.settled(number, pull.state)
    over = {"state": pull.state, "settled": True} if content is None else {}
    return replace(made, heard=heard_of("", f"pull {number}", found), **over)


def answer_stopped(outbox: Outbox, game: str, problems: Sequence[Problem], places: Iterable[Pull | Issue]) -> None:
    """Say at every pull request and issue of a game that stands still why nothing happens."""
    model = _stopped(game, problems)
    for place in places:
        check = check_of(model, place.head.commit) if isinstance(place, Pull) else None
        outbox.wanted.append(outbox.plain(place.number, comment(model), check))


def _stopped(game: str, problems: Sequence[Problem]) -> CommentModel:
    return CommentModel(game=game, pull=0, title="", author="", stopped=tuple(problems))


def answer_unread(outbox: Outbox) -> None:
    """Say of pull requests of which nothing is here that it could not be fetched, and when it is tried again."""
    unread = outbox.snapshot.unread
    for number in sorted(unread.keys() - {pull.number for pull in outbox.snapshot.pulls}):
        lacking = unread[number]
        if lacking.state == "open":
            summary = "This commit could not be fetched; it is tried again"
            check = Check(commit=lacking.commit, state="pending", summary=summary)
            outbox.wanted.append(outbox.plain(number, comment_on_unread(lacking), check))
        else:
            outbox.wanted.append(outbox.settled(number, lacking.state))


# -- what is said as if to a game


def astray_of(remarks: Iterable[Remark], why: str, rosters: Sequence[Roster] = (), forge: str = "") -> list[Verdict]:
    """Return that what people said to a game among remarks has no effect: of each person the newest, however much.

    Players of the `rosters` are named as such, and who only looks like one with their account.
    """
    found: dict[str, Verdict] = {}
    counted: Counter[str] = Counter()
    for remark in remarks:
        asked, person = [each.name for each in commands_of(remark.body) if each.name != "game"], remark.author.id
        if asked and not remark.author.robot:
            counted[person] += len(asked)
            more = f" and {counted[person] - 1} more" if counted[person] > 1 else ""
            who, what = whose(remark.author, {}, forge, *rosters), f"/{asked[-1]}{more}"
            given: dict[str, Any] = {"fact": remark.id, "person": person, "at": remark.at}
            found[person] = Verdict(who=who, what=what, state="void", code="E-NO-SUCH", why=why, **given)
    return list(found.values())


def which_game(games: Sequence[str]) -> str:
    """Return how one says to which game something is said.

    >>> which_game(["moor", "fen"])
    "say in the games' own thread to which game, by a line such as /game moor; played are moor, fen"
    >>> which_game([])
    'no game is played here'
    """
    if not games:
        return "no game is played here"
    played = in_a_row(games, MOST_GAMES)
    return f"say in the games' own thread to which game, by a line such as /game {games[0]}; played are {played}"


# -- games that have moved


def answer_moved(outbox: Outbox, sentence: str, places: Iterable[Pull | Issue]) -> None:
    """Close what is open of a game that has moved, acknowledge what arrived, and say where it is played now."""
    for place in places:
        answer = outbox.settled(place.number, place.state)
        if place.state == "open":
            answer = replace(outbox.plain(place.number, written("moved.md", sentence=sentence)), state="closed")
        outbox.wanted.append(replace(answer, settled=not young_of(outbox.remarks(place.number), outbox.horizon)))


def answer_moved_thread(outbox: Outbox, sentences: Iterable[str]) -> None:
    """Say in the games' own thread where they are played now, where none is played here any more."""
    body = "\n".join(written("moved.md", sentence=sentence) for sentence in sentences)
    young = young_of(outbox.remarks(0), outbox.horizon)
    outbox.wanted.append(replace(outbox.plain(0, body), settled=len(outbox.remarks(0)) > young, young=young))


# -- who is awaited in a game


ARRIVED = "### What arrived here\n"


def _awaited_in(intake: Intake, answers: GameAnswers, keys: Sequence[str]) -> GameAnswers:
    """Return what is answered in a game with who is awaited; `keys` are of calls that were made in its thread."""
    state, session = answers.state, intake.recorder.session
    proposals = status.undecided(session)
    mover, turn = intake.whose_turn() if state.awake else ("", None)
    occasions: list[Mention] = []
    for proposal in proposals:
        via = proposal.get("via") or {}
        if not came_here(via, cast(PlayedAt, state.documents["game"])) or not (via.get("pull") or via.get("issue")):
            occasions += mentions.of_vote(state, proposal, proposal.get("author"), place="")
            occasions += mentions.reminder_of(state, proposal, place="")
    occasions += mentions.of_duties(state, proposals)
    occasions += mentions.of_newcomers(state)
    occasions += mentions.of_turn(state, mover, turn, keys)
    verdicts = intake.recorder.verdicts.values()
    occasions += mentions.of_not_taken(state, (each for some in verdicts for each in some if each.code == NOT_TAKEN))
    awaited = lines_awaited(state, proposals, mover, partial(status.decider_of, session))
    return replace(answers, awaited=awaited, occasions=occasions)


def lines_awaited(
    state: GameState, proposals: Sequence[Proposal], mover: str, judged: Callable[[Any], Mapping[str, str] | None]
) -> list[str]:
    """Return who is awaited, as Markdown, a line each; `judged` says who decides a proposal."""
    duties = status.beside_votes(status.duties_in(state.documents), proposals)
    open_, documents = (proposals if state.awake else ()), state.documents
    return drawn(
        "game_awaited.md",
        state=state,
        claim=claim_of(state.document("game")),
        mover=mover,
        asleep=[status.asleep_told(rule) for rule in status.asleep_in(state.documents)],
        votes=[(each, status.missing_votes(each), status.deadline(documents, each), judged(each)) for each in open_],
        duties=[(duty, status.comment_line(duty, state.actions())) for duty in duties],
    ).splitlines()


# -- the one comment in the games' own thread: what became of what arrived there, and who is awaited


GOES_ON = "What is said here meanwhile is kept, and judged when this is put right."
EARLIER = "#### Answered before"
MOST_KEPT = 30  # lines of what was answered before


def answer_thread(
    outbox: Outbox,
    astray: Iterable[Remark],
    games: Sequence[str],
    stopped: Mapping[str, Sequence[Problem]],
    *,
    settled: bool,
) -> None:
    """Answer in the games' own thread: what arrived there, and where people are called, who is awaited.

    What is `astray` no game takes. Of the games that are `stopped` it says why nothing happens. `settled` says that
    every game has taken its: all that arrived up to the horizon.
    """
    strays = outbox.strays_in(astray, which_game(games))
    heard = tuple(each for game in outbox.games for each in heard_of(game.state.slug, "thread", game.thread))
    heard += heard_of("", "thread", strays)
    said = [*(verdict for game in outbox.games for verdict in game.thread), *strays]
    before = outbox.before(0)
    young = young_of(outbox.remarks(0), outbox.horizon)
    arrived = len(outbox.remarks(0)) > young
    text = before.body[before.body.index(ARRIVED) :] if ARRIVED in before.body else ""
    text = comment_on_game(said, text) if said else text
    still = "The game goes on.\n\n" if GOES_ON in before.body else ""
    if stopped:
        still = "\n".join([*(comment(_stopped(*each)) for each in stopped.items()), f"{GOES_ON}\n\n"])
    calls: list[Call] = []
    keys: list[str] = []
    for game in outbox.games:
        made, kept, _ = outbox.caller.call(game.occasions, before.keys, game.state)
        calls += made
        keys += kept
    listed = [game for game in outbox.games if game.awaited]
    awaited = written("awaited.md", games=listed, several=len(outbox.games) > 1) + "\n" if listed else ""
    body = still + awaited + text
    if arrived or (body if outbox.caller.notifies else said or still):
        header = CommentHeader(mark_of(body), tuple(dict.fromkeys(keys)), body)
        text = str(header) if outbox.caller.notifies else body or before.body
        outbox.wanted.append(
            Answer(pull=0, text=text, settled=settled and arrived, young=young, calls=tuple(calls), heard=heard)
        )


def comment_on_game(verdicts: Iterable[Verdict], before: str = "") -> str:
    """Return the answer in a game's own thread: what became of what arrived there.

    Of what was answered `before` (the answer that stands there) the newest lines are kept: who asked then may not have
    read it yet.
    """
    given = {"found": list(verdicts), "arrived": ARRIVED.rstrip(), "before": EARLIER}
    new = _answered(written("thread.md", **given, earlier=()).split("\n"))
    earlier = [line for line in _answered(before.splitlines()) if line not in new][:MOST_KEPT]
    return written("thread.md", **given, earlier=earlier)


def _answered(lines: Iterable[str]) -> list[str]:
    """Return each answer among the lines of a game's thread, with the head of its group before it.

    What stands below them, rules that were asked for, may hold anything, and is not read.
    """
    heads = {f"{head}:": head for head in HEADS.values()} | {EARLIER: "", ARRIVED.rstrip(): ""}
    head = ""
    found: list[str] = []
    for line in filter(None, lines):
        if not line.startswith("- "):
            if line not in heads:
                break
            head = heads[line]
        elif not line.startswith("- … and "):
            found.append(f"- {head}: {line[2:]}" if head else line)
    return found
