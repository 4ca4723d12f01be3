"""Collecting what is wanted of a forge after a run, each place within a boundary of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from folkmoot import __version__
from folkmoot.core.calendar import write_moment
from folkmoot.core.documents import Roster
from folkmoot.core.problems import Problem
from folkmoot.forges.cache.unfetched import UNLIKE
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Answer, Call, Check, Issue, Pull, Snapshot, Unread
from folkmoot.forges.vocabulary import PullState
from folkmoot.referee import mentions
from folkmoot.referee.approvers import Approvers
from folkmoot.referee.awaited_people import Awaited
from folkmoot.referee.comment_mark import UNFINISHED, CommentHeader, header_of, mark_of
from folkmoot.referee.content import GameContent
from folkmoot.referee.links import Site
from folkmoot.referee.markdown import code, said
from folkmoot.referee.mentions import Caller, GameState
from folkmoot.referee.people import player_of
from folkmoot.referee.preview import Preview, Ruling, preview
from folkmoot.referee.recorder import Read, Recorder
from folkmoot.referee.redlines import redlines_in
from folkmoot.referee.report import Verdict

BRINGS_JOBS = (
    "### Its history is left out\n\n"
    "A commit on the way of this branch has jobs of a forge in it (`.github/workflows` and the like), and forges take "
    "no push with such a commit. What it proposes counts all the same; where it is adopted, it is closed as merged by "
    "a commit of the referee's, and its own commits stay out of the branch. Squash them into one to have them in.\n"
)


class GameAnswers(Struct, frozen=True, kw_only=True):
    """What is answered in one game: its pull requests and issues; in the games' `thread`; elsewhere by its state."""

    name: str
    answers: list[Answer]
    thread: list[Verdict]
    state: GameState
    roster: Roster
    approvers: Approvers
    awaited: Awaited | None


class Outbox:
    """Collects what is wanted of a forge after a run; `horizon` is up to when facts count (Unix seconds)."""

    def __init__(
        self,
        forge: str,
        snapshot: Snapshot,
        horizon: int,
        read: Read,
        site: Callable[[Mapping[str, Any]], Site],
        *,
        notifies: bool,
    ) -> None:
        self.forge = forge
        self.snapshot = snapshot
        self.horizon = horizon
        self.read = read
        self.site = site
        self.caller = Caller(forge, notifies)
        self.trials = Trials(snapshot)
        self.games: list[GameAnswers] = []
        self.wanted: list[Answer] = []

    def changed(self) -> list[Answer]:
        """Return the answers that would change something, in the order in which those who wait for them are heard."""
        places: dict[int, Pull | Issue] = {pull.number: pull for pull in self.snapshot.pulls}
        places |= {issue.number: issue for issue in self.snapshot.issues}
        order = {number: place for place, number in enumerate((0, *places))}
        said = self.snapshot.said
        return [
            answer
            for answer in sorted(self.wanted, key=lambda answer: (order.get(answer.pull, len(order)), answer.pull))
            if answer.text != said.get(answer.pull, "") or answer.settled or _moves(places.get(answer.pull), answer)
        ]

    def before(self, number: int) -> CommentHeader:
        """Return our comment as it stands at a pull request or issue, or (0) in the games' thread."""
        return header_of(self.snapshot.said.get(number, ""))

    def add(self, game: GameAnswers) -> None:
        """Take what is answered in a game."""
        self.games.append(game)
        self.wanted += game.answers

    def answered(self, number: int, make: Callable[[], Answer | None], stage: Stage = Stage.ANSWER) -> list[Answer]:
        """Return the answer to one pull request or issue, none where it waits; that it fails, where it does."""
        made = guarded(stage, make, lambda problem: self.plain(number, comment_on_fault(problem)))
        return [made] if made is not None else []

    def below(self, place: Pull | Issue, body: str) -> str:
        """Return what is said of a pull request, with what is said of its history, and of newer content not here."""
        if isinstance(place, Pull) and place.state == "open" and self.read(place.head.commit).brings_jobs:
            body = "\n".join(filter(None, [body, BRINGS_JOBS]))
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
        made, keys, complete = self._refused(*refused, before.keys) if refused else ((), before.keys, True)
        text = str(CommentHeader(mark if complete else UNFINISHED, keys, body))
        return Answer(pull=number, text=text, check=check if before.mark != mark else None, calls=made)

    def _refused(self, pull: Pull, why: str, keys: Sequence[str]) -> tuple[tuple[Call, ...], tuple[str, ...], bool]:
        for game in self.games:
            author = player_of(game.roster, self.forge, pull.author)
            if author is not None:
                about = (pull.number, pull.head.commit)
                refusal = mentions.of_refusal(game.state, about, author, why, mentions.PULL)
                return self.caller.call([refusal], keys, game.roster, quiet=game.state.quiet)
        return (), (), True


def _moves(place: Pull | Issue | None, answer: Answer) -> bool:
    return place is not None and answer.state not in ("open", place.state)


def comment_on_fault(problem: Problem) -> str:
    """Return what is said of a pull request or issue over whose answer the engine fails."""
    return (
        f"### This cannot be shown\n\nWhat was recorded of it stands: {said(problem.message)} ({code(problem.code)}). "
        "The other pull requests and issues are answered as ever; tell whoever keeps the engine.\n"
    )


def comment_on_unread(unread: Unread) -> str:
    """Return what the author is told; it stands below what is said of older content."""
    if unread.why.startswith(UNLIKE):
        return (
            "### Somebody else has pushed here\n\n"
            f"Git has the commit `{unread.commit[:12]}` at this pull request, and {unread.why}. Whoever may write to "
            "this repository can move that; its author has done nothing wrong. What is said here is kept, and votes on "
            "what was proposed before go on. If its author pushes to the branch once more, both are the same again.\n"
        )
    why = f": {unread.why}" if unread.why else ""
    return (
        "### Its newest content is not here\n\n"
        f"The commit `{unread.commit[:12]}` could not be fetched{why}. So nothing in it counts yet; what is said here "
        f"is kept, and votes on what was proposed before go on. It is tried again after {write_moment(unread.again)}, "
        "each time later. Whatever else you push is fetched at once: make it smaller, begin it from the game's branch, "
        "or open another pull request.\n"
    )


def check_on_unread(unread: Unread) -> Check:
    """Return what stands beside a commit that is not here."""
    return Check(commit=unread.commit, state="pending", summary="This commit could not be fetched; it is tried again")


# -- how long a run may try what pull requests would do


MOST_PREVIEWS = 500  # made in one run; the rest follow in the next ones
WORK_OF_PREVIEWS = 6.0
"""Times what an event may take that a run grants to them all: what was begun is finished, so that each run gets on."""
THOROUGH = 3.0  # times what an event may take, for what may come later: more than in a clone
DIED = "died-"
"""What the keys begin with by which a comment of ours remembers that a trial ended the sandbox."""
ENDED = "when it was tried, the sandbox had to be ended; it is tried again when it or the law changes"


class Trials:
    """Tries changes; `deaths` are the keys of those that ended the sandbox, by pull request and issue."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.deaths: dict[int, str] = {}
        self._made = 0
        self._left = WORK_OF_PREVIEWS

    @property
    def exhausted(self) -> bool:
        """Say whether this run tries no more changes: their authors wait for the next one, and nobody else does."""
        return self._made >= MOST_PREVIEWS or self._left <= 0

    def tried(self, recorder: Recorder, place: Pull | Issue, content: GameContent, title: str, id_: str) -> Preview:
        """Return what a content would do as a proposal, or that it cannot be tried."""
        session, author = recorder.session, recorder.author_of(place)
        body = place.body if isinstance(place, Pull) else ""

        def instead(problem: Problem) -> Preview:
            recorder.begin_anew()
            return Preview(changes=(), died=problem.message, proper=Ruling(ok=False, code=problem.code))

        key = DIED + mark_of([__version__, session.document("law").get("version"), content.changes, id_])
        if key in header_of(self.snapshot.said.get(place.number, "")).keys:
            self.deaths[place.number] = key
            ruling = Ruling(ok=False, code="E-JUDGE", why=ENDED)
            return Preview(changes=tuple(redlines_in(session, content)), died=ENDED, proper=ruling)
        sandbox, self._made = session.sandbox, self._made + 1
        sandbox.most_foreseen = THOROUGH
        before = sandbox.work
        at = self.snapshot.at
        shown = guarded(Stage.PREVIEW, lambda: preview(session, content, title, author, at, id_, body), instead)
        self._left -= sandbox.work - before
        self.deaths |= {place.number: key} if shown.died else {}
        return shown
