"""To which game something is: a pull request, an issue, or what is said in the games' own thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Remark, Snapshot
from folkmoot.referee.commands import commands_in
from folkmoot.referee.content import Content
from folkmoot.referee.facts import Fact
from folkmoot.referee.forms import read_form

Recorded = Callable[[int], str | None]
"""Returns the game that recorded something of a number, None where none did."""


def homes_of_pulls(
    snapshot: Snapshot,
    games: Collection[str],
    recorded: Recorded,
    read: Callable[[str], Content],
) -> dict[int, str | None]:
    """Return which game each pull request belongs to: the one that recorded something of it, else by its files.

    `read` returns the content of a commit.
    """
    homes = {pull.number: recorded(pull.number) for pull in snapshot.pulls}
    heads = {pull.number: pull.head.commit for pull in snapshot.pulls if homes[pull.number] is None}
    for number, head in heads.items():
        homes[number] = next((each.game for each in read(head).games if each.game in games), None)
    return homes


def named_game(body: str) -> str:
    """Return the game that a comment names by `/game NAME`, or a form in its field; "" if none can be read."""
    return guarded(Stage.PLACE, lambda: _named_game(body), lambda _: "")


def _named_game(body: str) -> str:
    form = read_form(body)
    if form is not None:
        return form["game"]
    return next((command.rest for command in commands_in(body) if command.name == "game"), "")


def named_in(remarks: Iterable[Remark], games: Sequence[str] = ()) -> str:
    """Return the game that the author of an issue names in it, "" if none; of several the first that is in `games`.

    What others say below it does not lead their words to another game.
    """
    said = list(remarks)
    named = [name for remark in said if remark.author.id == said[0].author.id and (name := named_game(remark.body))]
    return next((name for name in named if name in games), named[-1] if named else "")


def homes_of_issues(snapshot: Snapshot, games: Sequence[str], recorded: Recorded) -> dict[int, str | None]:
    """Return to which game each issue is: which recorded something of it, else the one named, else the only one."""
    homes: dict[int, str | None] = {}
    for issue in snapshot.issues:
        named = named_in(snapshot.remarks.get(issue.number, ()), games)
        meant = named if named in games else games[0] if len(games) == 1 and not named else None
        homes[issue.number] = recorded(issue.number) or meant
    return homes


def taken_by(remark: Remark, games: list[str]) -> list[str]:
    """Return the games that take what was said in their own thread: the one that it names, or the only one."""
    named = named_game(remark.body)
    return [name for name in games if name == named] if named or len(games) > 1 else games


def addressed(facts: list[Fact], name: str, games: list[str]) -> Iterator[Fact]:
    """Yield the facts that a game may take: of the repository's thread those that name it, or all if it is alone."""
    for fact in facts:
        if fact.number or fact.remark is None or name in taken_by(fact.remark, games):
            yield fact
