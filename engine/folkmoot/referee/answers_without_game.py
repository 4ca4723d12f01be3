"""What is answered where no game is meant, or one that stands still: who is told, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from folkmoot.core.documents import Roster
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Problem
from folkmoot.core.values import in_a_row
from folkmoot.forges.error_isolation import Stage
from folkmoot.forges.port import Answer, Issue, Pull, Remark
from folkmoot.referee.addressees import named_in
from folkmoot.referee.approvers import upkeep
from folkmoot.referee.checks import check_of
from folkmoot.referee.commands import commands_of
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import CommentInput, build_comment_model
from folkmoot.referee.comment_mark import CommentHeader, mark_of
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.facts import young_of
from folkmoot.referee.markdown import code, said
from folkmoot.referee.outbox import Outbox, check_on_unread, comment_on_unread
from folkmoot.referee.people import named
from folkmoot.referee.report import Verdict, heard_of

MOST_GAMES = 10
MOST_NAMED = 20  # people
STRAYS = "#### What is said here to a game"


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
        heard = heard_of("", f"issue {issue.number}", strays_in(self.outbox, remarks, which_game(self.games)))
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
        content = outbox.read(pull.head.commit) if pull.state == "open" else None
        unreadable = content is not None and content.touches_game and bool(content.problems)
        why = f"this pull request is of no game; {which_game(self.games)}"
        if unreadable:
            why = "nothing here is judged while its files cannot be taken; say it again when they are mended"
        found = strays_in(outbox, remarks, why)
        stray = comment_on_strays(found)
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
        return made and replace(made, heard=heard_of("", f"pull {pull.number}", found))

    def _over(self, pull: Pull, stray: str) -> Answer:
        """Acknowledge a pull request of no game that is over; what was said to a game there is answered."""
        before = self.outbox.before(pull.number)
        body = before.body.partition(STRAYS)[0].rstrip("\n")
        if not stray or before.body == (wanted := f"{body}\n{stray}".lstrip("\n")):
            return self.outbox.settled(pull.number, pull.state)
        text = str(CommentHeader(mark_of(wanted), before.keys, wanted))
        return Answer(pull=pull.number, text=text, state=pull.state, settled=True)


def strays_in(outbox: Outbox, remarks: Iterable[Remark], why: str) -> list[Verdict]:
    """Return what people said among remarks to a game where none takes it."""
    return astray_of(remarks, why, [game.roster for game in outbox.games], outbox.forge)


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


# -- what is said as if to a game


def is_chatter(remarks: Sequence[Remark]) -> bool:
    """Say whether nobody but robots has said anything in a place."""
    return all(remark.author.robot for remark in remarks)


def astray_of(remarks: Iterable[Remark], why: str, rosters: Sequence[Roster] = (), forge: str = "") -> list[Verdict]:
    """Return that what people said to a game among remarks has no effect: of each person the newest, however much.

    Players of the `rosters` are named as such, and who only looks like one with their account.
    """
    newest: dict[str, Remark] = {}
    words: dict[str, list[str]] = {}
    for remark in remarks:
        asked = [command.name for command in commands_of(remark.body) if command.name != "game"]
        if asked and not remark.author.robot:
            newest[remark.author.id] = remark
            words.setdefault(remark.author.id, []).extend(asked)
    return [
        Verdict(
            fact=remark.id,
            who=named(remark.author, rosters, forge),
            what=f"/{words[person][-1]}{f' and {len(words[person]) - 1} more' if len(words[person]) > 1 else ''}",
            state="void",
            code="E-NO-SUCH",
            why=why,
            person=person,
            at=remark.at,
        )
        for person, remark in newest.items()
    ]


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


def comment_on_strays(found: Sequence[Verdict]) -> str:
    """Return what a pull request that no game takes says to those who said something to a game there, "" to nobody."""
    if not found:
        return ""
    people = in_a_row((f"{said(each.who, 80)} ({code(each.what, 80)})" for each in found), MOST_NAMED, "more people")
    return f"\n{STRAYS}\n\nIt has no effect, from {people}: {said(found[0].why, 1_000)}.\n"


def comment_on_kept(games: Sequence[str]) -> str:
    """Return what is said of changes of games that are not played by pull requests on this forge, "" of none."""
    if not games:
        return ""
    listed = ", ".join(code(game, 80) for game in games[:MOST_GAMES])
    why = (
        "which is not played by pull requests here" if len(games) == 1 else "which are not played by pull requests here"
    )
    how = f"whoever keeps it records what is done: {code('moot act ACTION --by PLAYER')}"
    return f"\nIt changes files of {listed}, {why}, so nothing of that is judged; {how}.\n"


def comment_on_stray(named: str, games: Sequence[str]) -> str:
    """Return what an issue is told that names no game, or one that is not played here."""
    if not games:
        return "### No game is played here\n\nNothing of this is recorded.\n"
    near = meant_by(named, games)
    wrong = f"There is no game {code(named, 80)} here" if named else "Several games are played here"
    hint = f" Did you mean {code(near, 80)}?" if near and named else ""
    known = ", ".join(code(game, 80) for game in games)
    line = code(f"/game {near if near and named else games[0]}")
    how = f"Whoever opened this says which one in a comment of one line, as in {line}."
    return f"### Which game?\n\n{wrong}: {known}.{hint} {how}\n"


# -- games that have moved


LONGEST = 400


def comment_on_move(sentence: str) -> str:
    """Return what stands at every open place of a game that has moved."""
    return f"### This game has moved\n\n{said(sentence, LONGEST)}. What was recorded before stands.\n"


def answer_moved(outbox: Outbox, sentence: str, places: Iterable[Pull | Issue]) -> None:
    """Close what is open of a game that has moved, and say where it is played now.

    What has arrived at a place is acknowledged, whatever it says.
    """
    for place in places:
        remarks = outbox.snapshot.remarks.get(place.number, ())
        settled = not young_of(remarks, outbox.horizon)
        if place.state == "open":
            answer = outbox.plain(place.number, comment_on_move(sentence))
            outbox.wanted.append(replace(answer, state="closed", settled=settled))
        else:
            outbox.wanted.append(replace(outbox.settled(place.number, place.state), settled=settled))


def answer_moved_thread(outbox: Outbox, sentences: Iterable[str]) -> None:
    """Say in the games' own thread where they are played now, where none is played here any more."""
    body = "\n".join(comment_on_move(sentence) for sentence in sentences)
    remarks = outbox.snapshot.remarks.get(0, ())
    young = young_of(remarks, outbox.horizon)
    made = outbox.plain(0, body)
    outbox.wanted.append(Answer(pull=0, text=made.text, settled=len(remarks) > young, young=young))
