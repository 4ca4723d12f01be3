"""Collects what is to be answered in one run, each place within a boundary of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from folkmoot.core.problems import Problem
from folkmoot.forges.boundary import Stage, guarded
from folkmoot.forges.port import Answer, Call, Check, Heard, Issue, Pull, PullState, Snapshot
from folkmoot.referee import mentions
from folkmoot.referee.approvers import Approvers
from folkmoot.referee.awaited import Awaited
from folkmoot.referee.comment import comment_on_fault
from folkmoot.referee.comment_header import UNFINISHED, CommentHeader, mark_of, told
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.content import Content
from folkmoot.referee.links import NOWHERE, Site
from folkmoot.referee.mentions import Caller, GameState
from folkmoot.referee.people import player_of
from folkmoot.referee.recorder import Verdict
from folkmoot.referee.unread_content import comment_on_unread
from folkmoot.sandbox import Allowance

Document = dict[str, Any]

SECONDS_OF_PREVIEWS = 6.0
"""That a run grants to them all, no less than any single one may take: so each run gets on."""


class AnswerCollector:
    """What is wanted of a forge after a run; `notifies` says whether it lets people know of their handles."""

    def __init__(
        self,
        forge: str,
        snapshot: Snapshot,
        read: Callable[[str], Content],
        *,
        notifies: bool = False,
        site: Callable[[Mapping[str, Any]], Site] = lambda _game: NOWHERE,
    ) -> None:
        self.forge = forge
        self.snapshot = snapshot
        self.read = read
        self.wanted: list[Answer] = []
        self._caller = Caller(forge, notifies)
        self._site = site
        self._previews = 0
        self._allowance = Allowance(SECONDS_OF_PREVIEWS)
        self._deaths: dict[int, str] = {}
        self._told: list[Verdict] = []
        self._heard: list[Heard] = []
        self._awaited: list[Awaited] = []
        self._keepers: list[Approvers] = []
        self._scenes: list[tuple[GameState, Document]] = []

    def changed(self) -> list[Answer]:
        """Return the answers that would change something, in the order in which those who wait for them are heard."""
        pulls: dict[int, Pull | Issue] = {pull.number: pull for pull in self.snapshot.pulls}
        pulls |= {issue.number: issue for issue in self.snapshot.issues}
        order = {number: place for place, number in enumerate((0, *pulls))}
        said = self.snapshot.said
        return [
            answer
            for answer in sorted(self.wanted, key=lambda answer: (order.get(answer.pull, len(order)), answer.pull))
            if answer.text != said.get(answer.pull, "") or answer.settled or _moves(pulls.get(answer.pull), answer)
        ]

    def _guarded(self, number: int, answer: Callable[[], None], stage: Stage = Stage.ANSWER) -> None:
        """Answer one pull request or issue; where that fails, the others are answered, and it is told so."""
        before = len(self.wanted)

        def instead(problem: Problem) -> None:
            del self.wanted[before:]
            self._plain(number, comment_on_fault(problem), None)

        guarded(stage, answer, instead)

    def mark(self) -> tuple[int, ...]:
        """Return what `take_back` needs to forget what is answered from now on."""
        return tuple(len(each) for each in self._collected())

    def take_back(self, mark: tuple[int, ...]) -> None:
        """Forget what was answered since."""
        for each, length in zip(self._collected(), mark, strict=True):
            del each[length:]

    def _collected(self) -> tuple[list[Any], ...]:
        return self.wanted, self._heard, self._told, self._awaited, self._keepers, self._scenes

    def _below(self, place: Pull | Issue, body: str) -> str:
        """Return what is said of a pull request, with what is said of newer content that is not here."""
        unread = self.snapshot.unread.get(place.number)
        return "\n".join(filter(None, [body, comment_on_unread(unread)])) if unread and unread.state == "open" else body

    def _settled(self, number: int, state: PullState) -> None:
        """Acknowledge what is over and of which nothing more is to be said."""
        self.wanted.append(Answer(pull=number, text=self.snapshot.said.get(number, ""), state=state, settled=True))

    def _plain(self, number: int, body: str, check: Check | None, refused: tuple[Pull, str] | None = None) -> None:
        """Answer with a text that costs nothing to make, and let the author of what was `refused` know why."""
        before = told(self.snapshot.said.get(number, ""))
        mark = mark_of([body, check])
        made, keys, complete = self._refused(*refused, before.keys) if refused else ((), before.keys, True)
        text = str(CommentHeader(mark if complete else UNFINISHED, keys, body))
        fresh = check if before.mark != mark else None
        self.wanted.append(Answer(pull=number, text=text, check=fresh, calls=made))

    def _refused(self, pull: Pull, why: str, keys: Sequence[str]) -> tuple[tuple[Call, ...], tuple[str, ...], bool]:
        for scene, roster in self._scenes:
            author = player_of(roster, self.forge, pull.author)
            if author is not None:
                about = (pull.number, pull.head.commit)
                refusal = mentions.of_refusal(scene, about, author, why, mentions.PULL)
                return self._caller.call([refusal], keys, roster, quiet=scene.quiet)
        return (), (), True


def refusal_in(sheet: CommentModel) -> str:
    """Return why what a pull request asks for was not taken, "" where it was, or may still be."""
    if sheet.proposal:
        return ""
    if sheet.problems:
        return sheet.problems[0].message
    flaw = next((n for n in reversed(sheet.notices) if n.own and n.kind in ("refused", "void") and n.code), None)
    return "" if flaw is None else flaw.why or flaw.code


def _moves(pull: Pull | Issue | None, answer: Answer) -> bool:
    return pull is not None and answer.state not in ("open", pull.state)
