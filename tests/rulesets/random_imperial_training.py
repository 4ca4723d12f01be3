"""A training game in which everybody acts at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run

Record = dict[str, Any]
DAY = 86_400
FOUNDERS = ["rico", "ann", "bob", "cid", "dee", "eve"]
WAYS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
COLUMNS, ROWS = "abcdefghijkl", 5
FLAGS = {"EF": "Emerald", "PF": "Peach"}
START = {"points": 0, "credits": 0, "fp": 10}
SWITCHES = {
    "G0-Q7": ["after-game", "any-time"],
    "G0-Q8": ["no", "yes"],
    "G0-Q10": ["no", "yes"],
    "G0-Q11": ["bounce-only", "left", "kept"],
    "G0-Q13": ["void", "stands"],
    "G0-Q14": ["each", "single", "across"],
    "G0-Q15": ["dizzy-only", "both"],
    "G0-Q16": ["one-square", "as-thrown"],
    "G0-Q17": ["no", "yes"],
    "G0-Q18": ["scored-against", "scoring"],
    "G0-Q21": ["loose", "eldest"],
}


class Table(Struct):
    """A game in which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random
    told: Counter[str] = field(default_factory=Counter)
    ledger: Counter[tuple[str, str]] = field(default_factory=Counter)

    def document(self, key: str) -> Record:
        """Return a document, empty where there is none."""
        return self.run.kernel.documents.find(key) or {}

    @property
    def players(self) -> list[str]:
        """Return the players of the moment."""
        return things(self.run.kernel.play, "player")

    def of(self, player: str) -> Record:
        """Return a player's registers."""
        registers: Record = self.document("things/player")[player]
        return registers

    def do(self, act: str, by: str | None, **arguments: Any) -> bool:
        """Act, check what came of it, and say whether it was accepted."""
        outcome = self.run.apply(act, by, None, arguments)
        assert outcome.failures == [], f"{by} {act} {arguments}: {outcome.failures}"
        self.told["accepted" if outcome.accepted else f"{act} {outcome.code}"] += 1
        self.account(self.run.entries[-1])
        return outcome.accepted

    def account(self, entry: Record) -> None:
        """Add the lines of the ledger up that an entry has."""
        for effect in entry.get("effects", ()):
            if effect["effect"] == "award":
                self.ledger[(effect["of"], effect["name"])] += effect["applied"]
                assert effect["to"] - effect["from"] == effect["applied"]

    def office(self, name: str) -> str:
        """Return who holds an office."""
        return str(self.document("things/office")[name]["holder"])

    # -- what players may think of

    def way(self) -> str:
        """Return a direction."""
        return self.dice.choice(WAYS)

    def place_of(self, what: str) -> str | None:
        """Return where the ball or a flag is."""
        kind = "ball" if what == "ball" else "flag"
        carrier = next((p for p in self.players if what in self.of(p)["holds"]), None)
        at: str | None = self.of(carrier)["pos"] if carrier else self.document(f"things/{kind}")[what].get("at")
        return at

    def aim(self, player: str) -> str:
        """Return the square to which a player wants to go: with ball or flag to a goal, else to one of the two."""
        mine = self.of(player)
        flag = "PF" if mine["team"] == "Emerald" else "EF"
        own, other = ("a3", "l3") if mine["team"] == "Emerald" else ("l3", "a3")
        if "ball" in mine["holds"]:
            return self.dice.choice([other, "i3" if mine["team"] == "Emerald" else "d3"])
        if flag in mine["holds"]:
            return own
        return (self.place_of("ball") if self.dice.random() < 0.7 else self.place_of(flag)) or other

    def order(self, player: str) -> Record:
        """Return a Starball order that a player could mean."""
        mine = self.of(player)
        to = self.aim(player)
        way = towards(mine["pos"], to) if self.dice.random() < 0.8 else self.way()
        step = {"type": "step", "dir": way or self.way()}
        moves: list[Record] = [step] * 12 + [{"type": "stay"}, {"type": "spin"}]
        for what, grab in (("ball", "grab_ball"), ("EF", "grab_flag"), ("PF", "grab_flag")):
            moves += [{"type": grab}] * (20 if self.place_of(what) == mine["pos"] else 0)
        if "ball" in mine["holds"]:
            moves += [{"type": "throw", "dir": step["dir"], "squares": self.dice.randint(1, 4)}] * 3 + [
                {"type": "drop_ball"}
            ]
        if len(mine["holds"]) > ("ball" in mine["holds"]):
            moves += [{"type": "drop_flag"}]
        made: Record = {"move": self.dice.choice(moves)}
        if self.dice.random() < (0.3 if "ball" in mine["holds"] else 0.03):
            made["spin"] = True
        for part in ("pre", "post"):
            if self.dice.random() < (0.25 if mine["fp"] else 0.05):
                made[part] = [step["dir"]] * self.dice.randint(1, 3)
        if self.dice.random() < (0.2 if mine["fp"] > 1 else 0.05):
            made["powers"] = [self.power()]
        return made

    def power(self) -> Record:
        """Return the use of a Jedi Ability."""
        square = self.dice.choice(COLUMNS[1:-1]) + str(self.dice.randint(1, ROWS))
        return self.dice.choice([
            {"power": "Force Field", "target": square},
            {"power": "TK: Flag", "target": self.dice.choice(list(FLAGS)), "dir": self.way()},
            {"power": "Jedi Mind Trick", "target": self.dice.choice(self.players), "dir": self.way()},
        ])  # fmt: skip

    def submit(self, by: str) -> None:
        """Submit a proposal, mostly with a move, sometimes with a rule-change."""
        if self.of(by)["team"] is None:
            self.move(by)
            return
        given: Record = {"title": f"Proposal of {by}"}
        if self.of(by)["team"] and self.dice.random() < 0.8:
            given["starball_order"] = self.order(by)
        if self.dice.random() < 0.1:
            given["changes"] = [{"enact": {"title": "Ornament", "text": f"{by} is mentioned."}}]
        self.do("submit_proposal", by, **given)

    def judge(self, by: str) -> None:
        """Let TIE decide undecided proposals, or close the Judgment Period once there are moves enough."""
        waiting = [int(i.partition("/")[2]) for i in self.document("game")["open"]]
        tie = self.office("tie")
        if not waiting and len(self.document("things/starball_order")) < self.dice.randint(1, 6):
            self.move(by)
            return
        if not waiting:
            self.do("close_jp", tie)
            return
        for number in waiting if self.dice.random() < 0.4 else waiting[:1]:
            self.do("decide", tie, number=number, verdict=self.dice.choice(["accept"] * 5 + ["reject"]))

    def move(self, by: str) -> None:
        """Join a team, or make a move alone."""
        if self.of(by)["team"] is None:
            teams = [self.of(p)["team"] for p in self.players]
            self.do("join_team", by, team=min(["Emerald", "Peach"], key=teams.count))
        else:
            self.do("starball_move", by, order=self.order(by))

    def trade(self, by: str) -> None:
        """Do something with points, Credits or Force Points."""
        other = self.dice.choice(self.players)
        if self.of(by)["fp"] and self.dice.random() < 0.3:
            self.do("convert_fp", by, k=self.dice.randint(1, self.of(by)["fp"]))
        elif self.of(by)["credits"]:
            self.do("pay", by, to=other, credits=self.dice.randint(1, self.of(by)["credits"]))
        elif self.of(by)["team"] and self.of(by)["fp"] > 2:
            self.do("use_power", by, **self.power())

    def rule(self, by: str) -> None:
        """Do what TIE or THS do besides judging."""
        tie, ths = self.office("tie"), self.office("ths")
        waiting = self.document("game")["open"]
        switch = self.dice.choice(list(SWITCHES))
        choice = self.dice.randint(0, 5)
        if choice == 0:
            self.do("direct", tie, area=f"Area {self.dice.randint(1, 9)}")
        elif choice == 1:
            self.do("proclaim", tie, settings={switch: self.dice.choice(SWITCHES[switch])})
        elif choice == 2 and waiting:
            self.do("rewrite", ths, number=int(waiting[0].partition("/")[2]), text="Clearer.")
        elif choice == 3 and (directives := self.document("things/directive")):
            issued = self.dice.choice(list(directives.values()))["issued_no"]
            self.do("reward", tie, player=by, currency=self.dice.choice(list(START)), amount=3, directive=issued)
        elif choice == 4:
            self.do("transfer_office", tie, office=self.dice.choice(["tie", "ths"]), player=by)
        else:
            self.do("point_of_order", by, text="May they do that?")

    def come_and_go(self, by: str) -> None:
        """Join or leave the game, or name a Lucky Number."""
        if self.of(by)["lucky_number"] is None:
            self.do("set_lucky_number", by, k=self.dice.randint(1, 2 * self.game["max_players_ever"]))
        elif len(self.players) > 5 and by not in (self.office("tie"), self.office("ths")):
            self.do("leave", by)
        else:
            gone = [p for p in ["fox", "gus", *FOUNDERS] if p not in self.players]
            if gone:
                self.do("join", self.dice.choice(gone))

    def wait(self, _by: str) -> None:
        """Let a day or some pass."""
        until = self.run.now + self.dice.choice([1, 1, 2, 8]) * DAY // 2
        before = len(self.run.entries)
        self.run.advance(until, after_deadlines=True)
        for entry in self.run.entries[before:]:
            assert not entry.get("failures"), entry["failures"]
            self.account(entry)

    @property
    def game(self) -> Record:
        """Return the game's registers."""
        registers: Record = self.document("things/game")["game"]
        return registers

    def act(self) -> None:
        """Let somebody do something."""
        what: list[tuple[int, Callable[[str], None]]] = [
            (30, self.submit), (34, self.judge), (20, self.move), (6, self.trade), (5, self.rule),
            (2, self.come_and_go), (3, self.wait),
        ]  # fmt: skip
        acts = [each for _, each in what]
        self.dice.choices(acts, [weight for weight, _ in what])[0](self.dice.choice(self.players))

    # -- what the rules promise

    def check(self) -> None:
        """Check everything that holds after every act."""
        self.check_people()
        self.check_ball_and_flags()
        self.check_robots_and_fields()
        self.check_submissions()

    def check_people(self) -> None:
        """Bounds of what people have, filled offices, places on the field; all of it explained by the ledger."""
        for player, has in self.document("things/player").items():
            assert has["fp"] >= 0
            assert has["credits"] >= 0
            for currency, start in START.items():
                assert has[currency] == start + self.ledger[(player, currency)], f"{currency} of {player}"
            present = player in self.players
            assert (has["team"] is None) == (has["pos"] is None) == (has["home"] is None)
            assert has["team"] is None or (present and on_field(has["pos"]) and on_field(has["home"]))
            assert has["team"] is not None or has["holds"] == []
        for office in ("tie", "ths"):
            assert self.office(office) in self.players
        for team in ("Emerald", "Peach"):
            has = self.document("things/team")[team]
            assert has.get("emperor") is None or self.of(has["emperor"])["team"] == team
            assert has.get("score", 0) == self.ledger[(team, "score")] >= 0

    def check_ball_and_flags(self) -> None:
        """One holder or one place of the ball; flags with opponents or somewhere on the field."""
        ball = self.document("things/ball")["ball"]
        holders = [p for p in self.players if "ball" in self.of(p)["holds"]]
        assert len(holders) <= 1
        assert not (holders and ball.get("at"))
        assert ball.get("at") is None or on_field(ball["at"])
        for flag, team in FLAGS.items():
            carriers = [p for p in self.players if flag in self.of(p)["holds"]]
            at = self.document("things/flag")[flag]["at"]
            assert len(carriers) <= 1
            assert on_field(at)
            for player in carriers:
                assert self.of(player)["team"] not in (None, team)
                assert self.of(player)["pos"] == at

    def check_robots_and_fields(self) -> None:
        """Goalies in their columns, without power while their flag is carried; no two Force Fields on one square."""
        for team, column, flag in (("emerald", "b", "EF"), ("peach", "k", "PF")):
            goalie = self.document("things/goalie")[f"{team}-goalie"]
            assert goalie["at"][0] == column
            assert on_field(goalie["at"])
            carried = any(flag in self.of(p)["holds"] for p in self.players)
            assert not (carried and goalie.get("active", True))
        squares = [each["at"] for each in self.document("things/force_field").values()]
        assert all(on_field(square) for square in squares)

    def check_submissions(self) -> None:
        """Two undecided proposals a player; numbers without gaps; orders only of those on teams."""
        waiting = [self.proposal(i)["author"] for i in self.document("game")["open"]]
        assert max(Counter(waiting).values(), default=0) <= 2
        assert self.game["max_players_ever"] >= len(self.players)
        for order in self.document("things/starball_order").values():
            assert self.of(order["player"])["team"] is not None

    def proposal(self, identifier: str) -> Record:
        """Return an undecided proposal."""
        number = int(identifier.partition("/")[2])
        return self.document(f"proposals/{number // 100 * 100:03d}/{number}")


def towards(start: str, end: str) -> str:
    """Return the direction of the first step from one square to another, empty where they are one."""
    columns = COLUMNS.index(end[0]) - COLUMNS.index(start[0])
    rows = (int(end[1:]) - int(start[1:]) + 2) % ROWS - 2
    return ("n" if rows > 0 else "s" if rows < 0 else "") + ("e" if columns > 0 else "w" if columns < 0 else "")


def on_field(square: str) -> bool:
    """Whether a square is on the field."""
    return square[0] in COLUMNS and 1 <= int(square[1:]) <= ROWS
