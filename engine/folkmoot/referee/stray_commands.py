"""What is said as if to a game where no game is meant: who is told, and which words they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from folkmoot.forges.port import Heard, Remark
from folkmoot.referee.commands import commands_of
from folkmoot.referee.markdown import code, said
from folkmoot.referee.people import Roster, named

MOST_GAMES = 10
MOST_NAMED = 20  # people
STRAYS = "#### What is said here to a game"


@dataclass(frozen=True, slots=True)
class Stray:
    """The newest words of one person that no game takes: `who` they are, the remark, and `what` it asks for."""

    who: str
    remark: Remark
    what: str


def is_chatter(remarks: Sequence[Remark]) -> bool:
    """Say whether nobody but robots has said anything in a place."""
    return all(remark.author.robot for remark in remarks)


def astray_of(remarks: Iterable[Remark], rosters: Sequence[Roster] = (), forge: str = "") -> list[Stray]:
    """Return what people said to a game among remarks: of each person one thing, the newest, however much it was.

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
        Stray(named(remark.author, rosters, forge), remark, _what(words[person])) for person, remark in newest.items()
    ]


def _what(words: Sequence[str]) -> str:
    return f"/{words[-1]}{f' and {len(words) - 1} more' if len(words) > 1 else ''}"


def which_game(games: Sequence[str]) -> str:
    """Return how one says to which game something is said.

    >>> which_game(["moor", "fen"])
    "say in the games' own thread to which game, by a line such as /game moor; played are moor, fen"
    >>> which_game([])
    'no game is played here'
    """
    if not games:
        return "no game is played here"
    more = f" and {len(games) - MOST_GAMES} more" if len(games) > MOST_GAMES else ""
    listed = ", ".join(games[:MOST_GAMES]) + more
    return f"say in the games' own thread to which game, by a line such as /game {games[0]}; played are {listed}"


def heard_astray(found: Iterable[Stray], place: str, why: str) -> tuple[Heard, ...]:
    """Return that words have no effect, as it is kept for who said them."""
    return tuple(
        Heard(
            person=each.remark.author.id,
            fact=each.remark.id,
            game="",
            place=place,
            at=each.remark.at,
            what=each.what[:200],
            state="void",
            code="E-NO-SUCH",
            why=why,
        )
        for each in found
    )


def comment_on_strays(found: Sequence[Stray], why: str) -> str:
    """Return what a pull request that no game takes says to those who said something to a game there, "" to nobody."""
    if not found:
        return ""
    listed = [f"{said(each.who, 80)} ({code(each.what, 80)})" for each in found[:MOST_NAMED]]
    more = f" and {len(found) - MOST_NAMED} more people" if len(found) > MOST_NAMED else ""
    return f"\n{STRAYS}\n\nIt has no effect, from {', '.join(listed)}{more}: {said(why, 1_000)}.\n"


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
