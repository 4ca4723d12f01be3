"""Large games: played by chance from a seed, through the engine as it is, until their sites have enough pages.

Everything goes the way of real play (the judge in its sandbox, the record's chain), but for two things: entries are
written many at a time, and without waiting for the disk.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from git import Repo

from folkmoot.core.events import Outcome
from folkmoot.core.keys import rule_key
from folkmoot.game.session import Batch, Session
from folkmoot.journal import GameFolder
from folkmoot.site.preparation import lay_site
from tests.large import law

PLAYERS = ("ann", "bob", "cid", "dee", "eve")
START = 1_767_614_400
BATCH = 2_000
Record = dict[str, Any]


class LargeGame:
    """A game that plays itself."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        """Found a game in `folder` (`state/<game>` of a repository)."""
        self.chance, self.batch, self.at = random.Random(seed), Batch(), START
        people = [{"id": who, "name": who.capitalize()} for who in PLAYERS]
        given = {"rules": law.FOUNDING, "players": people, "administrators": ["ann"], "title": "The long game"}
        Session.found(folder, {**given, "zone": "Europe/Vienna"}, START)
        record = GameFolder(folder, durable=False)
        self.session = Session(record, record.load(), record.head)
        self.law: dict[str, str] = {}
        self.proposed, self.version = 0, -1
        self.do("ann", "appoint", player="eve")

    def __enter__(self) -> LargeGame:
        return self

    def __exit__(self, *_: object) -> None:
        self.write()
        self.session.close()

    @property
    def pages(self) -> int:
        """About how many pages the game's site has: those of rules and proposals, and a few for its journal."""
        return self.proposed + len(self.session.documents["law"]["rules"]) + self.session.head.seq // 150 + 25

    def play(self, pages: int) -> LargeGame:
        """Go on until the site has about so many pages."""
        while self.pages < pages:
            self._round()
        return self

    def do(self, by: str, what: str, **arguments: Any) -> Outcome:
        """Let somebody act a few minutes later, after the timers that are due before."""
        self.at += self.chance.randint(60, 7_200)
        session = self.session
        session._fire(self.batch, self.at, after_deadlines=False)
        outcome = session._judge(self.batch, session._event(self.at, what, by=by, with_=arguments))
        if len(self.batch.entries) >= BATCH:
            self.write()
        return outcome

    def write(self) -> None:
        """Write what was played since the last time."""
        self.session._write(self.batch)
        self.batch = Batch()

    def _round(self) -> None:
        """Propose something, vote on it, and do now and then what there is beside proposals."""
        author, number = self.chance.choice(PLAYERS), 301 + self.proposed
        changes = [self._change(number) for _ in range(self.chance.choice((1, 1, 1, 2)))]
        distinct = {str(next(iter(each.values()))): each for each in changes}
        title = law.title(self.chance)
        assert self.do(author, "propose", title=title, changes=list(distinct.values())).accepted
        self.proposed += 1
        friendly = self.chance.choice((0.5, 0.8, 0.95))
        absent = self.chance.choice((*PLAYERS, *(None,) * 15))
        for voter in PLAYERS:
            if voter != absent:
                choice = "for" if voter == author or self.chance.random() < friendly else "against"
                self.do(voter, "vote", proposal=number, choice=choice, reason=law.reason(self.chance))
        if absent:
            self.at += 8 * 86_400
            self.do(author, "state", text=f"{absent.capitalize()} was away.")
        self._aside()

    def _change(self, number: int) -> Record:
        self._read_law()
        ours = [rule for rule in self.law if rule not in law.NEEDED]
        chances = [5, 6, 2, 1, 1] if ours else [1, 0, 0, 0, 0]
        (kind,) = self.chance.choices(["enact", "amend", "repeal", "transmute", "retitle"], chances)
        known = [*self.law]
        if kind == "enact":
            made = {"title": law.title(self.chance), "labels": law.MUTABLE, "text": law.text(self.chance, known)}
            script = f"def decide_custom_{number}(p):\n    return None\n"
            return {"enact": made | ({"script": script} if self.chance.random() < 0.05 else {})}
        rule = self.chance.choice(ours)
        if kind == "amend":
            return {"amend": rule, "text": law.amended(self.chance, known, self.law[rule])}
        to = {"transmute": self.chance.choice(("mutable", "immutable")), "retitle": law.title(self.chance)}
        return {kind: rule, **({"to": to[kind]} if kind in to else {})}

    def _read_law(self) -> None:
        """Note the wordings of the rules in force by number, where the law changed."""
        documents = self.session.documents
        if documents["law"]["version"] != self.version:
            metas = documents["law"]["rules"].items()
            found = {int(meta["number"]): uid for uid, meta in metas if meta["in_force"]}
            self.law = {str(number): documents[rule_key(found[number])]["text"] for number in sorted(found)}
            self.version = documents["law"]["version"]

    def _aside(self) -> None:
        who, seldom = self.chance.choice(PLAYERS), self.chance.random()
        if seldom < 0.1:
            self.do(who, "plant", bed=f"{self.chance.choice('abcdefgh')}{self.chance.randint(1, 8)}")
        elif seldom < 0.15:
            self.do(who, "state", text=law.text(self.chance, [*self.law]))
        elif seldom < 0.17:
            switch = {"L-1": self.chance.choice(("majority", "three-fifths"))}
            self.do("eve", "judge", ruling="So it is read from now on.", switch=switch)
        elif seldom < 0.19:
            self.do(who, "judge", ruling="Nobody asked me.", switch={})


def repository(root: Path, pages: int, seed: int = 1) -> Path:
    """Make a repository with everything its site is built with and a game of about so many pages; return it."""
    with Repo.init(root):
        lay_site(root)
    with LargeGame(root / "state" / "long", seed) as game:
        game.play(pages)
    return root
