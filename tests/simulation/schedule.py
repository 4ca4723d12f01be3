"""What happens in a game, and what goes wrong, as a list that is drawn from a seed and can be played again in part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from tests.simulation.laws import DAY, Law, names

HOSTS = ("table", "cloud", "laptop")
"""Who referees: at the hub itself, from a new clone each time it is asked, and from a clone that it keeps."""
MISHAPS = (
    *("die", "die", "die", "request lost", "answer lost", "answer lost", "disk full"),
    *("table", "cloud", "laptop", "hand", "chat", "later"),
)
"""What may happen at a point of a run: its own end, the network's or the disk's failing, others who are quicker."""
NONSENSE = (
    "/vote", "/vote perhaps", "/vote for proposal=99999", "/give to=nobody amount=1", "/give to=ann amount=many",
    "/give to=ann amount=-5", "/do", "/do nothing at=all", "/dance", "/propose", "/join", "/state text='unclosed", "/do state\x00text=x",
    "/do give {to: ann, amount: 10000}", "/bid amount=7", "/withdraw", "/snuff", "/pass now=yes",
)  # fmt: skip
FILES = (b"titel: X\n", b"title: [\n", b"\xff\xfe", b"title: X\nscript: |\n  def (\n", b"")
DEEDS = (
    *("say", "say", "say", "issue", "issue", "file", "file", "nonsense", "nonsense"),
    *("chat", "broken", "hand", "tamper", "join", "raw"),
)
SPEECH = ("/do state text=hello", "/give to=ann amount=1", "/roll", "/withdraw", "/pass", "/snuff")


class Event(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """One thing that happens at a time (seconds after the beginning); `pull` names a pull request of the schedule."""

    at: int
    do: str
    who: str = ""
    pull: int = 0
    text: str = ""
    late: int = 0
    faults: tuple[tuple[int, str], ...] = ()


def schedule(seed: int, law: Law, days: int, players: int, pace: float = 1) -> list[Event]:
    """Return what happens in so many days; at a slower `pace` than 1 there is less of everything."""
    chance = random.Random(f"{seed} {law.name}")
    people, found = names(players), []
    label = 0
    for day in range(days):
        for _ in range(_times(chance, pace * 0.5)):
            label += 1
            found += _proposal(chance, law, day * DAY, label, people)
        for _ in range(_times(chance, pace * (2 + players / 15))):
            found.append(_speech(chance, law, day * DAY, people, label))
        for _ in range(_times(chance, pace * 2)):
            found.append(_run(chance, day * DAY))
    return sorted(found, key=lambda event: event.at)


def _times(chance: random.Random, mean: float) -> int:
    return int(mean * 2 * chance.random() + chance.random())


def _proposal(chance: random.Random, law: Law, start: int, label: int, people: list[str]) -> Iterator[Event]:
    """Yield a proposal and its ballots: most in time, some too late, some thought better of or sent twice."""
    opened = start + chance.randrange(DAY)
    author = "" if law.turns else chance.choice(people)
    yield Event(opened, "propose", author, label, f"Rule {label}")
    if chance.random() < 0.1:
        yield Event(opened + chance.randrange(DAY), "push", author, label, f"Rule {label} anew")
    turnout = chance.choice((0.3, 0.7, 1))
    for voter in people:
        if chance.random() > turnout:
            continue
        for _ in range(chance.choice((1, 1, 1, 1, 2))):
            at = opened + int(law.period * chance.random() ** 2 * 1.05)
            choice = chance.choice(("for", "for", "against"))
            yield Event(at, chance.choice(("vote", "vote", "review")), voter, label, choice)
        if chance.random() < 0.1:
            yield Event(opened + law.period, "deadline", voter, label, chance.choice(("for", "against")))
            if chance.random() < 0.03:
                yield Event(at + chance.randrange(DAY), "again", voter)


def _speech(chance: random.Random, law: Law, start: int, people: list[str], label: int) -> Event:
    """Return something that is said or done, by a player or a stranger."""
    at, who = start + chance.randrange(DAY), chance.choice(people)
    do = chance.choice((*DEEDS, *(("bid",) * 4 if law.hidden else ())))
    pull = chance.randint(0, label) if do in ("chat", "nonsense") else 0
    texts = {"nonsense": NONSENSE, "say": SPEECH, "issue": SPEECH, "file": ("give", "state"), "broken": "01234"}
    text = chance.choice(texts.get(do, ("",))) or str(chance.randrange(1_000_000))
    return Event(at, do, who, pull, text, chance.choice((0, 5, 60)) if do == "issue" else 0)


def _run(chance: random.Random, start: int) -> Event:
    """Return a run of a referee, in which things go wrong more often than not."""
    faults = tuple(
        sorted((chance.randrange(60), chance.choice(MISHAPS)) for _ in range(chance.choice((0, 0, 1, 1, 2, 3))))
    )
    return Event(start + chance.randrange(DAY), "run", chance.choice(HOSTS), faults=faults)


# -- the smallest schedule that fails


def shrunk(events: list[Event], fails: Callable[[list[Event]], bool], most: int = 300) -> list[Event]:
    """Return a part of a schedule that fails as well: without any of its events, or of their faults, it would not.

    No more than so many parts are tried.
    """
    tries = iter(range(most))

    def still(part: list[Event]) -> bool:
        return next(tries, None) is not None and fails(part)

    size = len(events) // 2
    while size:
        place = 0
        while place < len(events):
            part = events[:place] + events[place + size :]
            if still(part):
                events = part
            else:
                place += size
        size //= 2
    for place in range(len(events)):
        for fault in events[place].faults:
            kept = tuple(each for each in events[place].faults if each != fault)
            part = [*events[:place], replace(events[place], faults=kept), *events[place + 1 :]]
            if still(part):
                events = part
    return events


def as_code(law: Law, events: list[Event]) -> str:
    """Return a schedule as code that plays it."""
    lines = "".join(f"    {event!r},\n" for event in events)
    return f"SCHEDULE = [\n{lines}]\nplay({law.name.upper()}, SCHEDULE, tmp_path)\n"
