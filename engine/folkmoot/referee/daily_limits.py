"""Who is heard, and how much of one person a day: told before it bites, and never in the way of votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from folkmoot.core.events import Outcome
from folkmoot.core.keys import DAY, GAME, accepted_key, refusals_key
from folkmoot.core.limits import is_unlimited, limit_of
from folkmoot.core.misspelt import meant_by
from folkmoot.core.records import Arguments, Via
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import depends_on_sealed, read_box
from folkmoot.forges.port import Answer, Issue, Pull, Snapshot
from folkmoot.forges.vocabulary import Person
from folkmoot.referee.commands import Asked
from folkmoot.referee.facts import Fact
from folkmoot.referee.recorder import Recorder
from folkmoot.referee.report import reason_of

WARNED_AT = (4, 5)  # of a limit
TIMES_SEALED = 2
"""How many times the limit on refused acts is recorded of what depends on something sealed, before it is answered."""
UNRECORDED = "more are answered only, and not recorded; votes, what you owe and what"


class DailyLimits:
    """Answers, without recording it, what goes beyond what one person may do in a day, and warns before."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._slips: Counter[tuple[str, int]] = Counter()

    def is_unlimited(self, do: str, player: str) -> bool:
        """Say whether an act is limited in no way: a vote, what is owed, an administrator's."""
        session = self.recorder.session
        administrators = session.kept(GAME).get("administrators") or ()
        return is_unlimited(do, player, administrators, session.document("things/duty"))

    def bar(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> bool:
        """Say whether an act is answered only, because its author has done enough today, and answer it."""
        return self._has_done_enough(fact, wanted, player) or self._is_held_back(fact, wanted, identifier, player, via)

    def _has_done_enough(self, fact: Fact, wanted: Asked, player: str) -> bool:
        """Say whether an act is answered only, once in its place, because as many of its author's day were accepted."""
        limit = self._limit("accepted_acts_a_day")
        if self._used(accepted_key, player, fact) < limit or not self._counts(wanted, player):
            return False
        why = (
            f"{limit} acts of {player} were accepted today (the limit accepted_acts_a_day): this, and what else "
            "they do today, is not recorded; votes, what they owe and what an office does are as ever"
        )
        id_, who = f"enough/{player}/{fact.at // DAY}", self.recorder.named(fact.person)
        self.recorder.note_once(fact, fact.number, id_, who=who, what=wanted.do, why=why)
        return True

    def _is_held_back(self, fact: Fact, wanted: Asked, identifier: str, player: str, via: Via) -> bool:
        """Say whether an act is answered only: it is refused, and its author had as many refused acts as a day has.

        What the rules accept is recorded in any case, and so are votes, what is owed and the acts of administrators.
        What is accepted or refused for something sealed is never found out without a record: so much of it is recorded,
        whatever comes of it, and then no more.
        """
        limit = self._limit("refused_acts_a_day")
        used = self._used(refusals_key, player, fact)
        if used < limit or self.is_unlimited(wanted.do, player):
            return False
        session, args = self.recorder.session, dict(wanted.args)
        outcome = session.would(player, wanted.do, args, at=fact.at, via=via)
        refused = reason_of(outcome.code, outcome.reasons)[0] or "it is refused"
        if _depends_on_sealed(outcome, args):
            if used < limit * TIMES_SEALED:
                return False
            refused = "it depends on what is sealed, which nobody looks into"
        elif outcome.accepted:
            return False
        why = f"{refused}; this is answered only, because {used} acts of {player} were refused today"
        self.recorder.note(fact, wanted.do, "void", code="E-RATE", why=why, id_=identifier)
        return True

    def warn(self, fact: Fact, wanted: Asked, player: str) -> None:
        """Tell in the games' thread who has used up most of their acts of a day, or all of them."""
        if not self.recorder.done or not self._counts(wanted, player):
            return
        if self.recorder.done[-1].accepted:
            what, key, then = "accepted", accepted_key, f"{UNRECORDED} an office does count as ever"
        else:
            what, key, then = "refused", refusals_key, f"{UNRECORDED} the rules accept count as ever"
        used = self._used(key, player, fact)
        self._tell(fact, player, f"{what} acts", used, warning(player, f"{what} acts", used,
                   self._limit(f"{what}_acts_a_day"), then))  # fmt: skip

    def slip(self, fact: Fact, what: str, why: str, identifier: str = "") -> None:
        """Answer a message that is no act because of an error of form; so many of a day are answered one by one."""
        limit, about = self._limit("typing_errors_a_day"), (fact.person.id, fact.at // DAY)
        self._slips[about] += 1
        used, who = self._slips[about], self.recorder.named(fact.person)
        if used <= limit:
            self.recorder.note(fact, what, "void", code="E-ARGS", why=why, id_=identifier)
        told = warning(who, "errors of form", used, limit, "more are not answered one by one")
        self._tell(fact, who, "errors of form", used, told)

    def _tell(self, fact: Fact, who: str, what: str, used: int, why: str) -> None:
        """Say in the games' thread that somebody is near a limit, once."""
        if why:
            self.recorder.note_once(fact, 0, f"limit/{what}/{who}/{fact.at // DAY}/{used}", who=who, what=what, why=why)

    def _counts(self, wanted: Asked, player: str) -> bool:
        """Say whether the limit on accepted acts counts an act: no vote, nothing owed, and no office does it."""
        declared = self.recorder.session.actions().get(wanted.do) or {}
        return not (wanted.as_ or declared.get("as") or self.is_unlimited(wanted.do, player))

    def _limit(self, name: str) -> int:
        return limit_of(self.recorder.session.kept(GAME), name)

    def _used(self, key: Callable[[str, int], str], player: str, fact: Fact) -> int:
        return int(self.recorder.session.document(key(self.recorder.forge, fact.at)).get(player, 0))


def _depends_on_sealed(outcome: Outcome, given: Arguments) -> bool:
    """Say whether what comes of an act that was tried without any key may be otherwise for what is sealed."""
    if depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed):
        return True
    return outcome.accepted and any(map(read_box, given.values()))


def warning(who: str, what: str, used: int, limit: int, then: str) -> str:
    """Return what somebody is told who has used up most of a limit just now, or all of it; "" for anybody else.

    >>> warning("bob", "refused acts", 40, 50, "more are answered only")
    '40 of the 50 refused acts that bob has a day are used; from then on more are answered only'
    >>> warning("bob", "refused acts", 41, 50, "more are answered only")
    ''
    """
    if used == limit:
        return f"all {limit} {what} that {who} has a day are used; {then} until tomorrow"
    if used == -(-limit * WARNED_AT[0] // WARNED_AT[1]):
        return f"{used} of the {limit} {what} that {who} has a day are used; from then on {then}"
    return ""


def slip_in(wanted: Asked, actions: Mapping[str, ActionSpec]) -> str:
    """Return what is misspelt in an act, "" if nothing is: an unknown argument, no whole number, none of the choices.

    The acts of the kernel that take any argument are left to it.
    """
    declared = (actions.get(wanted.do) or {}).get("arguments") or {}
    if wanted.do in ("vote", "join", "admit") or wanted.do not in actions:
        return ""
    for name, value in wanted.args.items():
        if name not in declared:
            if name == "requests":
                continue
            near = meant_by(name, declared)
            hint = f", did you mean {near}?" if near else f"; it takes {', '.join(declared) or 'none'}"
            return f"{wanted.do} takes no argument {name[:40]}{hint}"
        flaw = _flaw(name, value, declared[name] or {})
        if flaw:
            return flaw
    return ""


def _flaw(name: str, value: Any, spec: ArgumentSpec) -> str:
    if spec.get("sealed") and read_box(value):
        return ""
    if spec.get("type") == "integer" and type(value) is not int:
        return f"{name} is a whole number, and {str(value)[:40]!r} is none"
    choices = spec.get("of")
    if spec.get("type") == "choice" and isinstance(choices, list) and value not in choices:
        near = meant_by(str(value)[:40], [str(choice) for choice in choices])
        return f"{name} is one of ({', '.join(map(str, choices))}){f'; did you mean {near}?' if near else ''}"
    return ""


# -- where very many want something at once: nobody's crowd keeps the others waiting


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
