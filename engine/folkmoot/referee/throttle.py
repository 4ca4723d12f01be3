"""Who is heard where very many want something at once: nobody's crowd keeps the others waiting.

What something is recorded of goes on in any case. Of the rest each account is heard for so many at once, players for
more than strangers, and all strangers together for so many; who has one open comes before who has another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from folkmoot.forges.port import Answer, Issue, Pull, Snapshot
from folkmoot.forges.vocabulary import Person

MOST_OF_PLAYER = 100
MOST_OF_STRANGER = 20
MOST_OF_STRANGERS = 200
MOST_ANSWERS = 200  # that are written in one run; the rest follow in the next ones

WAITS = f"""\
### Too many at once

This waits, and nothing of it is read yet. Of what is open, {MOST_OF_PLAYER} of each player are looked at at once, \
{MOST_OF_STRANGER} of everybody else, and {MOST_OF_STRANGERS} of all who are no players. It is looked at as soon as \
others are decided or closed.
"""

Place = Pull | Issue


def heard(
    snapshot: Snapshot, recorded: Callable[[Place], bool], plays: Callable[[Person], bool]
) -> tuple[Snapshot, list[Answer]]:
    """Return what is heard of a snapshot, in the order in which it is answered, and what those are told who wait.

    Args:
        snapshot: what the forge holds.
        recorded: says whether a game has recorded something of a pull request or an issue.
        plays: says whether somebody is or was a player of some game.
    """
    counted: Counter[str] = Counter()
    strangers = 0
    ranks: dict[int, tuple[int, int, int]] = {}
    waiting: list[Place] = []
    places: list[Place] = [*snapshot.pulls, *snapshot.issues]
    for place, turn in _turns(places):
        player = plays(place.author)
        if place.state != "open" or recorded(place):
            ranks[place.number] = (0, 0, place.number)
            continue
        counted[place.author.id] += 1
        strangers += not player
        most = MOST_OF_PLAYER if player else MOST_OF_STRANGER
        if counted[place.author.id] > most or (not player and strangers > MOST_OF_STRANGERS):
            waiting.append(place)
        else:
            ranks[place.number] = (1 if player else 2, turn, place.number)
    if not waiting and len(places) <= MOST_OF_STRANGER:
        return snapshot, []
    pulls = sorted((p for p in snapshot.pulls if p.number in ranks), key=lambda p: ranks[p.number])
    issues = sorted((i for i in snapshot.issues if i.number in ranks), key=lambda i: ranks[i.number])
    told = [Answer(pull=place.number, text=WAITS) for place in waiting]
    return replace(snapshot, pulls=tuple(pulls), issues=tuple(issues)), told


def _turns(places: Iterable[Place]) -> list[tuple[Place, int]]:
    """Return what is open with which of its author's it is: everybody's first, then everybody's second."""
    seen: Counter[str] = Counter()
    found = []
    for place in sorted(places, key=lambda place: place.number):
        found.append((place, seen[place.author.id]))
        seen[place.author.id] += 1
    return sorted(found, key=lambda each: (each[1], each[0].number))
