"""What is answered outside of a game's own pull requests and issues: in its thread, and where no game is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from folkmoot.core.problems import Problem
from folkmoot.forges.boundary import Stage
from folkmoot.forges.port import Answer, Call, Issue, Pull, Remark
from folkmoot.referee.answer_collector import AnswerCollector, refusal_in
from folkmoot.referee.approvers import upkeep
from folkmoot.referee.awaited import ARRIVED, comment_on_waiting
from folkmoot.referee.checks import check_of
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import build_comment_model
from folkmoot.referee.comment_header import CommentHeader, mark_of, told
from folkmoot.referee.comment_input import CommentInput
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.facts import young_of
from folkmoot.referee.issues import comment_on_stray, named_in
from folkmoot.referee.kept_answers import heard_of
from folkmoot.referee.recorder import Verdict
from folkmoot.referee.stray_commands import (
    STRAYS,
    Stray,
    astray_of,
    comment_on_kept,
    comment_on_strays,
    heard_astray,
    is_chatter,
    which_game,
)
from folkmoot.referee.thread import comment_on_game
from folkmoot.referee.unread_content import check_on_unread, comment_on_unread


class Elsewhere(AnswerCollector):
    """Answers in the games' own thread, and what belongs to no game, or to one that stands still."""

    def astray(self, issues: Iterable[Issue], games: Sequence[str], horizon: int) -> None:
        """Ask which game is meant where an issue names none of them."""
        for issue in issues:
            remarks = self.snapshot.remarks.get(issue.number, ())
            if issue.opened_at <= horizon and not is_chatter(remarks):
                self._guarded(issue.number, partial(self._stray, issue, remarks, games, horizon), Stage.NO_GAME)

    def _stray(self, issue: Issue, remarks: Sequence[Remark], games: Sequence[str], horizon: int) -> None:
        text = comment_on_stray(named_in(remarks), games)
        heard = heard_astray(self._astray_of(remarks), f"issue {issue.number}", which_game(games))
        over = issue.state == "closed" and all(remark.at <= horizon for remark in remarks)
        self.wanted.append(Answer(pull=issue.number, text=text, state=issue.state, settled=over, heard=heard))

    def thread(self, horizon: int, *, settled: bool) -> None:
        """Answer in the games' own thread: what arrived there, and where people are called, who is awaited.

        `settled` says that every game has taken its: all that arrived up to the `horizon` (Unix seconds).
        """
        before = told(self.snapshot.said.get(0, ""))
        remarks = self.snapshot.remarks.get(0, ())
        young, heard = young_of(remarks, horizon), tuple(self._heard)
        arrived = len(remarks) > young
        text = comment_on_game(self._told, _arrived(before.body)) if self._told else _arrived(before.body)
        if not self._caller.notifies:
            if arrived or self._told:
                self.wanted.append(Answer(pull=0, text=text or before.body, settled=settled, young=young, heard=heard))
            return
        made: list[Call] = []
        keys: list[str] = []
        for game in self._awaited:
            some, kept, _ = self._caller.call(game.occasions, before.keys, game.roster, quiet=game.quiet)
            made += some
            keys += kept
        body = comment_on_waiting(self._awaited) + text
        if body or arrived:
            answer = CommentHeader(mark_of(body), tuple(dict.fromkeys(keys)), body)
            settled = settled and arrived
            self.wanted.append(
                Answer(pull=0, text=str(answer), settled=settled, young=young, calls=tuple(made), heard=heard)
            )

    def unaddressed(self, remarks: Iterable[Remark], games: Sequence[str]) -> None:
        """Say to everybody whose commands in the games' own thread no game takes that they have to name one."""
        for found in self._astray_of(remarks):
            verdict = Verdict(
                fact=found.remark.id,
                pull=0,
                who=found.who,
                what=found.what,
                state="void",
                code="E-NO-SUCH",
                why=which_game(games),
                person=found.remark.author.id,
                at=found.remark.at,
            )
            self._told.append(verdict)
            self._heard += heard_of("", "thread", [verdict])

    def _astray_of(self, remarks: Iterable[Remark]) -> list[Stray]:
        return astray_of(remarks, [roster for _, roster in self._scenes], self.forge)

    def stopped(self, game: str, problems: Sequence[Problem], pulls: Iterable[int]) -> None:
        """Say at every pull request of a game that was changed by hand why nothing happens."""
        known = {pull.number: pull for pull in self.snapshot.pulls}
        sheet = CommentModel(game=game, pull=0, title="", author="", stopped=tuple(problems))
        for number in pulls:
            pull = known.get(number)
            self._plain(number, comment(sheet), check_of(sheet, pull.head.commit) if pull else None)

    def of_no_game(self, pulls: Iterable[Pull], games: Sequence[str] = ()) -> None:
        """Say what is wrong with pull requests that touch a game and cannot be read, and who approves the others.

        What is said there as if to one of the `games` counts nowhere, and each is told so.
        """
        for pull in pulls:
            self._guarded(pull.number, partial(self._pull_of_no_game, pull, games), Stage.NO_GAME)

    def _pull_of_no_game(self, pull: Pull, games: Sequence[str]) -> None:
        found = self._astray_of(self.snapshot.remarks.get(pull.number, ()))
        content = self.read(pull.head.commit) if pull.state == "open" else None
        why = f"this pull request is of no game; {which_game(games)}"
        if content is not None and content.touches_game and content.problems:
            why = "nothing here is judged while its files cannot be taken; say it again when they are mended"
        stray = comment_on_strays(found, why)
        before = len(self.wanted)
        if content is None:
            self._over(pull, stray)
        elif content.touches_game and content.problems:
            sheet = build_comment_model(
                CommentInput(pull=pull, forge=self.forge, problems=content.problems, state="open")
            )
            body, check = self._below(pull, comment(sheet)) + stray, check_of(sheet, pull.head.commit)
            self._plain(pull.number, body, check, (pull, refusal_in(sheet)))
        elif self._keepers:
            remarks = self.snapshot.remarks.get(pull.number, ())
            upkept = upkeep(pull, remarks, self._keepers, self.forge, content.keeping)
            body = self._below(pull, upkept.comment()) + comment_on_kept([game.game for game in content.games]) + stray
            self._plain(pull.number, body, upkept.check(pull.head.commit))
        elif stray:
            self._plain(pull.number, stray.lstrip(), None)
        heard = heard_astray(found, f"pull {pull.number}", why)
        self.wanted[before:] = [replace(answer, heard=heard) for answer in self.wanted[before:]]

    def _over(self, pull: Pull, stray: str) -> None:
        """Acknowledge a pull request of no game that is over; what was said to a game there is answered."""
        before = told(self.snapshot.said.get(pull.number, ""))
        body = before.body.partition(STRAYS)[0].rstrip("\n")
        if not stray or before.body == (wanted := f"{body}\n{stray}".lstrip("\n")):
            self._settled(pull.number, pull.state)
        else:
            text = str(CommentHeader(mark_of(wanted), before.keys, wanted))
            self.wanted.append(Answer(pull=pull.number, text=text, state=pull.state, settled=True))

    def unread(self, numbers: Iterable[int]) -> None:
        """Say of pull requests of which nothing is here that it could not be fetched, and when it is tried again."""
        for number in numbers:
            unread = self.snapshot.unread[number]
            if unread.state == "open":
                self._plain(number, comment_on_unread(unread), check_on_unread(unread))
            else:
                self._settled(number, unread.state)


def _arrived(body: str) -> str:
    """Return the part of the thread's comment that tells what arrived."""
    found = body.find(ARRIVED)
    return body[found:] if found >= 0 else ""
