"""A game of Imperial Nomic in which everybody acts at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found

Record = dict[str, Any]
HOUR = 3_600
PEOPLE = ["joe", "jim", "tivol", "dan", "ann", "eve", "bob"]
PROFILES = [44373, 44369, 44361, 65535, 60757, 0, 21845]
CURRENCIES = {"score": 0, "temperature": 303, "woodchips": 0}
TITLES = ["Idea", "Idea", "Idea", "Idea", "Idea", ""]


def switches() -> dict[str, list[str]]:
    """Return the readings of every switch of the ruleset."""
    declared = [rule.get("settings") or {} for rule in founding("imperial")["rules"]]
    return {name: list(about["alternatives"]) for block in declared for name, about in block.items()}


class Table(Struct):
    """A game in which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random
    told: Counter[str]
    ledger: Counter[tuple[str, str]] = field(default_factory=Counter)

    def document(self, key: str) -> Record:
        """Return a document, empty where there is none."""
        return self.run.kernel.documents.find(key) or {}

    @property
    def game(self) -> Record:
        """Return the game's registers."""
        registers: Record = self.document("things/game")["game"]
        return registers

    @property
    def players(self) -> list[str]:
        """Return the players of the moment."""
        return things(self.run.kernel.play, "player")

    def raised(self) -> int:
        """Return how many sections of all Profiles are raised."""
        return sum(values["profile"].bit_count() for values in self.document("things/player").values())

    def do(self, act: str, by: str | None, **arguments: Any) -> bool:
        """Act, check what came of it, and say whether it was accepted."""
        known, raised, chips = set(self.players), self.raised(), self.game.get("woodchips", 0)
        outcome = self.run.apply(act, by, None, arguments)
        assert outcome.failures == [], f"{by} {act} {arguments}: {outcome.failures}"
        self.told["accepted" if outcome.accepted else f"{act} {outcome.code}"] += 1
        self.conserved(set(self.players) - known, raised + chips)
        self.account(self.run.entries[-1])
        return outcome.accepted

    def conserved(self, fresh: set[str], before: int) -> None:
        """Check that wood comes from fresh planks and from what is altered at random, and else only changes place."""
        cut = sum(self.document("things/player")[player]["profile"].bit_count() for player in fresh)
        altered = sum(draw["label"] == "alteration" for draw in self.run.entries[-1].get("draws", ()))
        allowed = 0 if self.setting("G1-Q25") == "yes" else altered
        assert abs(self.raised() + self.game.get("woodchips", 0) - before - cut) <= allowed, self.run.entries[-1]

    def setting(self, name: str) -> str:
        """Return the reading of a switch; only what differs from the default is kept."""
        return str(self.document("game")["settings"].get(name, ""))

    def account(self, entry: Record) -> None:
        """Add the lines of the ledger up that an entry has."""
        for effect in entry.get("effects", ()):
            if effect["effect"] == "award":
                self.ledger[(effect["of"], effect["name"])] += effect["applied"]
                assert effect["to"] - effect["from"] == effect["applied"]

    # -- what players may think of

    def request(self, by: str) -> Record:
        """Return a request that travels with a proposal."""
        section, other = self.dice.randint(1, 16), self.dice.choice(self.players)
        asked: list[Record] = [
            *[{"retool": {"section": section, "to": self.dice.choice(["raised", "depressed"])}}] * 4,
            *[{"vandalise": {"player": other, "section": section}}] * 2,
            {"rotate": self.dice.choice(["left", "right"])},
            {"become_ff": {}},
            {"become_ff": {}},
            {"sealant": {}},
            {"defend": {}},
        ]
        return {"tag": {"player": other}} if self.game.get("it") == by else self.dice.choice(asked)

    def submit(self, by: str) -> None:
        """Submit a proposal, mostly with a request, sometimes with a rule-change."""
        given: Record = {"title": self.dice.choice(TITLES)}
        wished = self.dice.choice([0, 1, 1, 1, 2])
        if wished:
            given["requests"] = [self.request(by) for _ in range(wished)]
        if self.dice.random() < 0.1:
            given["changes"] = [{"enact": {"title": "Ornament", "text": f"{by} is mentioned."}}]
        self.do("submit_proposal", by, **given)

    def judge(self, _by: str) -> None:
        """Let TIE decide an undecided proposal, or say that there is nothing to decide."""
        waiting = [int(i.partition("/")[2]) for i in self.document("game")["open"]]
        noted = [number for number in waiting if not self.noted(number)]
        tie = str(self.document("things/office")["tie"]["holder"])
        if not noted:
            self.do("announce_day", tie)
            return
        verdict = self.dice.choice(["accept"] * 6 + ["reject"] * 3 + ["ignore"])
        given: Record = {"number": self.dice.choice(noted), "verdict": verdict}
        if verdict == "ignore":
            given["ground"] = "3"
        if self.dice.random() < 0.3:
            given["in_area"] = self.dice.random() < 0.7
        self.do("decide", tie, **given)

    def noted(self, number: int) -> bool:
        """Whether a proposal has been judged, though it may take effect at the end of the day."""
        document = self.document(f"proposals/{number // 100 * 100:03d}/{number}")
        return bool(document["registers"].get("announced_verdict"))

    def whap(self, by: str) -> None:
        """Whap Tivol, preferably with a Profile that floats freely."""
        floating = [p for p in self.players if self.document("things/player")[p].get("category") == "FF"]
        self.do("whap", self.dice.choice(floating) if floating else by)

    def swap(self, by: str) -> None:
        """Offer a swap, and mostly have it accepted."""
        partner = self.dice.choice(self.players)
        start = {name: self.dice.randint(1, 13) for name in ("start_own", "start_other")}
        if self.do("swap_offer", by, partner=partner, **start) and self.dice.random() < 0.8:
            self.do("swap_accept", partner)

    def claim(self, by: str) -> None:
        """Point out a near match."""
        self.do("claim_near_match", by, other=self.dice.choice(self.players))

    def tag(self, by: str) -> None:
        """Let whoever is It tag somebody."""
        self.do("tag", self.game.get("it") or by, player=self.dice.choice(self.players))

    def appeal(self, by: str) -> None:
        """Raise a Point of Order and have it answered."""
        number = self.game["next_number"]
        kind = self.dice.choice(["score", "state", "other"])
        if self.do("point_of_order", by, text="This is wrong."):
            of: Record = {"player": self.dice.choice(self.players), "delta": self.dice.choice([-4, -1, 1, 2])}
            tie = str(self.document("things/office")["tie"]["holder"])
            act = self.dice.choice(["uphold", "uphold", "dismiss"])
            self.do(act, tie, number=number, **({"kind": kind, **of} if act == "uphold" else {}))

    def rule(self, _by: str) -> None:
        """Let TIE use their powers."""
        tie = str(self.document("things/office")["tie"]["holder"])
        name, words = self.dice.choice(sorted(switches().items()))
        given = [
            ("proclaim", {"title": "Ruling", "switch": {name: self.dice.choice(words)}}),
            ("proclaim", {"title": "Law", "changes": [{"enact": {"title": "Ornament", "text": "It is mentioned."}}]}),
            ("direct", {"area": "profiles"}),
            ("revoke_directive", {"number": self.game["next_number"] - 1}),
            ("transfer_office", {"office": self.dice.choice(["tie", "ths"]), "player": self.dice.choice(self.players)}),
        ]
        act, arguments = self.dice.choice(given)
        self.do(act, tie, **arguments)

    def join(self, _by: str) -> None:
        """Let somebody new come in."""
        new = f"p{len(self.players)}"
        if len(self.players) < 14:
            self.do(
                "submit_proposal", new, title="Hello", email=self.dice.choice(["hi@yo.org", "tivol@mit.edu", "1@2"])
            )

    def listen(self, by: str) -> None:
        """Subscribe to the chimes, or not."""
        self.do(self.dice.choice(["subscribe", "unsubscribe"]), by)

    def wait(self, _by: str) -> None:
        """Let time pass."""
        before = len(self.run.entries)
        raised = self.raised() + self.game.get("woodchips", 0)
        self.run.advance(self.run.now + self.dice.choice([1, 10, 24, 30]) * HOUR, after_deadlines=True)
        for entry in self.run.entries[before:]:
            assert not entry.get("failures"), entry["failures"]
            self.account(entry)
        altered = [
            draw for e in self.run.entries[before:] for draw in e.get("draws", ()) if draw["label"] == "alteration"
        ]
        assert altered or self.raised() + self.game.get("woodchips", 0) == raised

    # -- what the rules promise

    def bounds_hold(self) -> None:
        """Check what the law says of the state at all times."""
        game, over = self.game, self.document("game")["over"]
        assert 0 <= game.get("temperature", 303) <= 330 or over
        assert game.get("woodchips", 0) >= 0
        assert game["doer"] is None or over
        assert min(game["accept_streak"], game["reject_streak"]) == 0
        assert bool(over) == (game["tew"] is not None)
        tie = str(self.document("things/office")["tie"]["holder"])
        for player, values in self.document("things/player").items():
            self.player_holds(player, values, bool(over))
        assert self.document("things/office")["ths"]["holder"] in self.players
        assert tie in self.players
        assert game["it"] != tie
        if over:
            others = [player for player in self.players if player != game["tew"]]
            assert sorted(game["ranking"]) == sorted(others)

    def player_holds(self, player: str, values: Record, over: bool) -> None:
        """Check what the law says of one player."""
        assert 0 <= values["profile"] <= 65535
        assert values["accepted_since"] < 3
        assert values["consecutive_rejected"] < 2
        assert len(values["queue"]) <= 2 or over
        assert over or values.get("score", 0) != 50, player

    def ledger_explains(self) -> None:
        """Check that every balance is what the ledger adds up to."""
        for player, values in self.document("things/player").items():
            assert values.get("score", 0) == self.ledger[(player, "score")]
        for name in ("temperature", "woodchips"):
            assert self.game.get(name, CURRENCIES[name]) == CURRENCIES[name] + self.ledger[("game", name)]

    def play(self) -> None:
        """Do one thing, and check what the rules promise."""
        self.act()
        self.bounds_hold()

    def act(self) -> None:
        """Do one thing."""
        acts: list[tuple[int, Callable[[str], None]]] = [
            (26, self.submit),
            (26, self.judge),
            (10, self.wait),
            (8, self.whap),
            (4, self.swap),
            (4, self.claim),
            (4, self.tag),
            (3, self.appeal),
            (2, self.rule),
            (1, self.join),
            (1, self.listen),
        ]
        chosen = self.dice.choices([act for _, act in acts], [weight for weight, _ in acts])[0]
        chosen(self.dice.choice(self.players))


def table(dice: random.Random, seed: str, told: Counter[str], endless: bool = False) -> Table:
    """Found a game with readings drawn at random; an endless one goes on when somebody has won."""
    people = [
        {"id": who, "email": f"{who}@x.org", "profile": profile} for who, profile in zip(PEOPLE, PROFILES, strict=True)
    ]
    read = {name: dice.choice(words) for name, words in switches().items() if dice.random() < 0.3}
    scenario: Record = {"scenario": "random play", "ruleset": "imperial", "settings": read}

    def opening(name: str) -> Record:
        offices = {"tie": "joe", "ths": "joe"}
        given = founding(name)
        if endless:
            given["rules"] = [{**rule, "script": rule["script"].replace(" win(", " max(")} for rule in given["rules"]]
        return {**given, "offices": offices, "players": people, "opening": [{"game": True, "it": "jim"}]}

    run = found(scenario, opening, lambda event: open_chance(f"random {seed}", str(event.seq)))
    made = Table(run, dice, told)
    made.account(run.entries[0])
    return made
