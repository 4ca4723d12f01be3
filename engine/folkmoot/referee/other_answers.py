"""What is answered where a place belongs to no game, or to one that stands still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from folkmoot.core.problems import Problem
from folkmoot.forges.boundary import Stage
from folkmoot.forges.port import Answer, Issue, Pull, Remark
from folkmoot.referee.approvers import upkeep
from folkmoot.referee.checks import check_of
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import CommentInput, build_comment_model
from folkmoot.referee.comment_header import CommentHeader, mark_of, told
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.issues import comment_on_stray, named_in
from folkmoot.referee.outbox import Outbox
from folkmoot.referee.plain_comments import check_on_unread, comment_on_unread
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


class OtherAnswers:
    """Answers what belongs to none of the `games` that are played."""

    def __init__(self, outbox: Outbox, games: Sequence[str]) -> None:
        self.outbox = outbox
        self.games = games

    def issues(self, issues: Iterable[Issue]) -> None:
        """Ask which game is meant where an issue names none of them."""
        for issue in issues:
            remarks = self.outbox.snapshot.remarks.get(issue.number, ())
            if issue.opened_at <= self.outbox.horizon and not is_chatter(remarks):
                make = partial(self._issue, issue, remarks)
                self.outbox.wanted += self.outbox.answered(issue.number, make, Stage.NO_GAME)

    def _issue(self, issue: Issue, remarks: Sequence[Remark]) -> Answer:
        text = comment_on_stray(named_in(remarks), self.games)
        heard = heard_astray(strays_in(self.outbox, remarks), f"issue {issue.number}", which_game(self.games))
        over = issue.state == "closed" and all(remark.at <= self.outbox.horizon for remark in remarks)
        return Answer(pull=issue.number, text=text, state=issue.state, settled=over, heard=heard)

    def pulls(self, pulls: Iterable[Pull]) -> None:
        """Say what is wrong with pull requests that touch a game and cannot be read, and who approves the others.

        What is said there as if to one of the games counts nowhere, and each is told so.
        """
        for pull in pulls:
            self.outbox.wanted += self.outbox.answered(pull.number, partial(self._pull, pull), Stage.NO_GAME)

    def _pull(self, pull: Pull) -> Answer | None:
        outbox, remarks = self.outbox, self.outbox.snapshot.remarks.get(pull.number, ())
        found = strays_in(outbox, remarks)
        content = outbox.read(pull.head.commit) if pull.state == "open" else None
        unreadable = content is not None and content.touches_game and bool(content.problems)
        why = f"this pull request is of no game; {which_game(self.games)}"
        if unreadable:
            why = "nothing here is judged while its files cannot be taken; say it again when they are mended"
        stray = comment_on_strays(found, why)
        made: Answer | None = None
        if content is None:
            made = self._over(pull, stray)
        elif unreadable:
            view = CommentInput(pull=pull, forge=outbox.forge, problems=content.problems, state="open")
            model = build_comment_model(view)
            body = outbox.below(pull, comment(model)) + stray
            made = outbox.plain(pull.number, body, check_of(model, pull.head.commit), (pull, model.refusal))
        elif outbox.games:
            upkept = upkeep(pull, remarks, [game.approvers for game in outbox.games], outbox.forge, content.keeping)
            kept = comment_on_kept([game.game for game in content.games])
            body = outbox.below(pull, upkept.comment()) + kept + stray
            made = outbox.plain(pull.number, body, upkept.check(pull.head.commit))
        elif stray:
            made = outbox.plain(pull.number, stray.lstrip())
        return made and replace(made, heard=heard_astray(found, f"pull {pull.number}", why))

    def _over(self, pull: Pull, stray: str) -> Answer:
        """Acknowledge a pull request of no game that is over; what was said to a game there is answered."""
        before = told(self.outbox.snapshot.said.get(pull.number, ""))
        body = before.body.partition(STRAYS)[0].rstrip("\n")
        if not stray or before.body == (wanted := f"{body}\n{stray}".lstrip("\n")):
            return self.outbox.settled(pull.number, pull.state)
        text = str(CommentHeader(mark_of(wanted), before.keys, wanted))
        return Answer(pull=pull.number, text=text, state=pull.state, settled=True)


def strays_in(outbox: Outbox, remarks: Iterable[Remark]) -> list[Stray]:
    """Return what people said among remarks to a game where none takes it."""
    return astray_of(remarks, [game.roster for game in outbox.games], outbox.forge)


def answer_stopped(outbox: Outbox, game: str, problems: Sequence[Problem], numbers: Iterable[int]) -> None:
    """Say at every pull request and issue of a game that stands still why nothing happens."""
    pulls = {pull.number: pull for pull in outbox.snapshot.pulls}
    model = CommentModel(game=game, pull=0, title="", author="", stopped=tuple(problems))
    for number in numbers:
        check = check_of(model, pulls[number].head.commit) if number in pulls else None
        outbox.wanted.append(outbox.plain(number, comment(model), check))


def answer_unread(outbox: Outbox) -> None:
    """Say of pull requests of which nothing is here that it could not be fetched, and when it is tried again."""
    unread = outbox.snapshot.unread
    for number in sorted(unread.keys() - {pull.number for pull in outbox.snapshot.pulls}):
        outbox.wanted.append(
            outbox.plain(number, comment_on_unread(unread[number]), check_on_unread(unread[number]))
            if unread[number].state == "open"
            else outbox.settled(number, unread[number].state)
        )
