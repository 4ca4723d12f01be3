"""What judging costs as something grows: a journal, a law, a register, amendments side by side, time in which nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.core.merging import merged_part, sentences
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.replay import Entry, entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Sandbox
from tests.benchmarks.measure import by_turns, figure, seconds
from tests.large import law
from tests.large.game import PLAYERS
from tests.support.silence import DAY, START, lasting, quiet
from tests.support.table import Table, rule

SMALL, LARGE = 200, 2_000
VOTERS = 10
Record = dict[str, Any]


def votes() -> Iterator[Entry]:
    """Yield Suber's game by mail with ten voters, which nobody wins: proposals, made final, with ten votes each."""
    kernel, opening = Kernel(), founding("suber")
    opening["rules"] = [rule for rule in opening["rules"] if "win(" not in rule.get("script", "")]
    people = [{"id": f"p{n}", "surname": f"P{n}"} for n in range(VOTERS)]
    seq = 0

    def judged(do: str, by: str | None, with_: Record) -> Entry:
        nonlocal seq
        seq += 1
        event = Event(seq=seq, at=START + seq, do=do, by=by, with_=with_)
        outcome = kernel.apply(event, open_chance("", str(seq)))
        assert outcome.accepted, outcome
        kernel.documents.release()
        return entry_of(event, outcome)

    yield judged(
        "found", None, {**opening, "players": people, "settings": {"mode": "mail"}, "offices": {}, "opening": []}
    )
    while True:
        mover = kernel.ask("mover", [], START + seq)
        change = {"enact": {"title": f"Idea {seq}", "text": "Everybody is merry."}}
        yield judged("propose", mover, {"title": "Idea", "changes": [change]})
        yield judged("finalise", mover, {})
        for n in range(VOTERS):
            yield judged("vote", f"p{n}", {"choice": "against" if n % 2 else "for"})


@pytest.fixture(scope="module")
def journal() -> list[Entry]:
    return [entry for entry, _ in zip(votes(), range(LARGE), strict=False)]


def test_replay_is_in_step_with_the_entries_and_small(journal: list[Entry]) -> None:
    taken = {}
    for size in (SMALL, LARGE):
        with Sandbox() as judge:
            judge.replay(journal[:1])
            assert judge._child
            taken[size] = seconds(lambda judge=judge, size=size: judge.replay(journal[1:size]), judge._child.pid)
            status = Path(f"/proc/{judge._child.pid}/status").read_text("ascii")
    assert int(status.split("VmHWM:")[1].split()[0]) < 500_000, "the most memory it ever had, in kilobytes"
    figure(f"replay of {LARGE:,} entries, in replays of {SMALL}", taken[LARGE], taken[SMALL])


def test_one_more_act_in_a_long_game(journal: list[Entry]) -> None:
    def act(judge: Sandbox, seqs: Iterator[int]) -> None:
        event = Event(seq=next(seqs), at=START + 2 * LARGE, do="state", by="p1", with_={"text": "Hm."})
        assert judge.apply(event).outcome.accepted

    with Sandbox() as short, Sandbox() as long:
        short.replay(journal[:SMALL])
        long.replay(journal)
        first, second = iter(range(SMALL + 1, LARGE)), iter(range(LARGE + 1, 2 * LARGE))
        assert short._child
        assert long._child
        children = (short._child.pid, long._child.pid)
        less, more = by_turns(100, lambda: act(short, first), lambda: act(long, second), children=children)
    figure(f"an act after {LARGE:,} entries, in acts after {SMALL}", more, less)


class Lawmaking:
    """A game of so many rules, in which somebody proposes and all vote."""

    def __init__(self, folder: Path, rules: int) -> None:
        more = [rule(str(number), labels=law.MUTABLE, text="Nothing follows from this.")
                for number in range(1_000, 1_000 + rules - len(law.FOUNDING))]  # fmt: skip
        people = [{"id": who, "name": who.capitalize()} for who in PLAYERS]
        given = {"rules": [*law.FOUNDING, *more], "players": people, "administrators": ["ann"], "title": "Many rules"}
        Session.found(folder, given, START)
        record = GameFolder(folder, durable=False)
        self.session, self.made = Session(record, record.load(), record.head), 0

    def act(self, by: str, do: str, **given: object) -> None:
        assert self.session.act(by, do, given, at=self.session.at + 60).accepted

    def amend(self) -> float:
        """Return what the vote takes that decides an amendment, here and in the sandbox."""
        self.made += 1
        text = f"Something follows from this now, for the {self.made}. time."
        self.act("ann", "propose", title="More", changes=[{"amend": "1000", "text": text}])
        for who in PLAYERS[:-1]:
            self.act(who, "vote", proposal=300 + self.made, choice="for")
        child, version = self.session.sandbox._child, self.session.documents["law"]["version"]
        assert child
        last = partial(self.act, PLAYERS[-1], "vote", proposal=300 + self.made, choice="for")
        taken = seconds(last, child.pid)
        assert self.session.documents["law"]["version"] == version + 1
        return taken


def test_a_change_of_a_large_law(tmp_path: Path) -> None:
    small, large = (Lawmaking(tmp_path / str(size), size) for size in (200, 800))
    taken = [(small.amend(), large.amend()) for _ in range(6)]
    less, more = map(min, zip(*taken[1:], strict=True))
    figure("a change of 800 rules, in changes of 200", more, less)
    for each in (small, large):
        each.session.close()


REGISTERS = rule(
    "1",
    """
    def do_lay(a):
        put("game", "marks", {"k%d" % n: "mark %d" % n for n in range(a.args.size)})
        put("game", "names", ["name %d" % n for n in range(a.args.size)])

    def do_mark(a):
        for n in range(a.args.times):
            put_in("game", "marks", "k%d" % n, "another mark %d" % n)

    def do_name(a):
        for n in range(a.args.times):
            append("game", "names", "another name %d" % n)
    """,
    actions={
        "lay": {"arguments": {"size": {"type": "integer"}}},
        **{do: {"arguments": {"times": {"type": "integer"}}} for do in ("mark", "name")},
    },
    defines={"game": {"marks": {"type": "map"}, "names": {"type": "list"}}},
)


@pytest.mark.parametrize("do", ["mark", "name"])
def test_a_change_of_a_large_register(do: str) -> None:
    """One key of a map, or one more item of a list, whatever else it holds."""

    def taken(size: int) -> float:
        table = Table(REGISTERS)
        table.ok("ann", "lay", size=size)
        return seconds(lambda: table.ok("ann", do, times=400))

    pairs = [(taken(400), taken(4_000)) for _ in range(2)]
    less, more = map(min, zip(*pairs, strict=True))
    figure(f"{do} in a register of 4,000, in those of 400", more, less)


def test_twenty_amendments_of_one_rule_side_by_side() -> None:
    base = " ".join(f"Clause {n} says what is to be done on day {n}, and by whom it is done." for n in range(300))
    changes = [base.replace(f"Clause {n} says", f"Clause {n} no longer says") for n in range(7, 300, 15)]

    def merge() -> None:
        sentences.cache_clear()
        merged = base
        for change in changes:
            merged = merged_part("text", base, merged, change)
        assert merged.count("no longer says") == len(changes)

    def read() -> None:
        for change in changes:
            sentences.cache_clear()
            sentences(change)

    figure("twenty merges, in readings of them", *by_turns(5, merge, read))


def test_a_timer_that_leaves_no_trace(tmp_path: Path) -> None:
    noisy = {**quiet(20), "script": "".join(f"def on_bell{n}(e):\n    announce('x')\n" for n in range(20))}
    taken = {}
    for name, bells, days in (("quiet", quiet(20), 180), ("noisy", noisy, 18)):
        with Session.open(lasting(tmp_path / name, bells), writing=True, judging=True) as session:
            session.tick(START + 2 * DAY)
            child = session.sandbox._child
            assert child
            taken[name] = seconds(partial(session.tick, START + (days + 2) * DAY), child.pid)
    figure("180 days of silence, in 18 days with traces", taken["quiet"], taken["noisy"])
