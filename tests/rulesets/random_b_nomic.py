"""A game of B Nomic in which everybody acts at random, but mostly to the purpose."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

from msgspec import Struct, field

from folkmoot.core.keys import GAME
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
DAY = 86_400
PEOPLE = [f"p{n:02d}" for n in range(20 if FUZZ else 7)]
MINISTRIES = [
    "meta",
    "law",
    "change",
    "communications",
    "everyone",
    "arcana",
    "tiles",
    "grammar",
    "spirituality",
    "banking",
]
CLASSES = ["Boring Guy", "Priest", "Senator", "Lobbyist", "Necromancer"]
VOTES = ["FOR", "FOR", "MAYBE", "MAYBE NOT", "AGAINST", "ABSTAIN"]
TOKENS = ["power_tokens", "length_tokens", "control_tokens", "magic_tokens"]
CURRENCIES = ["amplitude", "genechips", "suck_points", "burns", *TOKENS]
WORDS = [
    "at",
    "tea",
    "rain",
    "seat",
    "in",
    "on",
    "an",
    "it",
    "is",
    "ear",
    "no",
    "tie",
    "one",
    "oar",
    "end",
    "due",
    "van",
    "go",
]
WONDER = """
def on_proposal_adopted(e):
    for name in ["ring-a", "ring-b"]:
        if name not in things("talisman_type"):
            create("talisman_type", name, name = "Ring " + name, rarity = "rare", price = [{"sp": 150}, {"genechips": 20}],
                abilities = [{"name": "burst", "sacrifice": True, "gain": {"amplitude": 1}}])
    if "attic" not in things("room"):
        create("room", "attic", title = "Attic", exits = ["foyer"])
        if "foyer" not in things("room"):
            create("room", "foyer", title = "Foyer")
            for player in things("player"):
                put(player, "room", "foyer")
        put("foyer", "exits", ["attic"])
    if defined("game", "token_pool"):
        create("tile", letter = "/st/")
        create("entry", name = "fnord", definition = "Nothing.")
"""


@cache
def switches() -> dict[str, list[str]]:
    """Return the readings of every switch of the ruleset."""
    declared = [rule.get("settings") or {} for rule in founding("b-nomic")["rules"]]
    return {name: list(about["alternatives"]) for block in declared for name, about in block.items()}


class Table(Struct):
    """A game in which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random
    told: Counter[str] = field(default_factory=Counter)
    ledger: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: int = 1_000
    runs: int = 0
    turned: int = 0
    on: bool = True

    # -- what there is

    def of(self, kind: str) -> dict[str, Record]:
        """Return all things of a kind, each with its registers."""
        return dict(self.run.kernel.documents.find(f"things/{kind}") or {})

    @property
    def game(self) -> Record:
        """Return the game's registers."""
        registers: Record = self.of("game")["game"]
        return registers

    @property
    def players(self) -> list[str]:
        """Return the players of the moment."""
        return things(self.run.kernel.play, "player")

    def other(self) -> str:
        """Return somebody."""
        return self.dice.choice(self.players)

    def one(self, kind: str) -> str:
        """Return something of a kind, or a name that nothing has."""
        return self.dice.choice([*self.of(kind), "nothing"])

    def motion(self) -> int | str:
        """Return the number of a Motion that is undecided, or its handle, where there is one."""
        undecided: list[str] = self.run.kernel.documents[GAME]["open"]
        live = [key.partition("/")[2] for key in undecided if key.startswith("motion/")]
        chosen = self.dice.choice(live or ["1"])
        return int(chosen) if chosen.isdigit() else chosen

    # -- acting

    def do(self, act: str, by: str | None, as_: str | None = None, **arguments: Any) -> None:
        """Act if the law offers it, and check what came of it."""
        if by is not None and act != "vote" and act not in self.run.kernel.play.law.declared("actions"):
            return
        outcome = self.run.apply(act, by, as_, arguments)
        assert outcome.failures == [], f"{by} {act} {arguments}: {outcome.failures}"
        self.told[f"{act} {'' if outcome.accepted else outcome.code}"] += 1
        self.account(dict(self.run.entries[-1]))
        self.holds()

    def account(self, entry: Record) -> None:
        """Add the lines of the ledger up that an entry has."""
        for effect in entry.get("effects", ()):
            if effect["effect"] == "award":
                self.ledger[effect["of"], effect["name"]] += effect["applied"]
                assert effect["to"] - effect["from"] == effect["applied"], effect

    def submit(self, by: str) -> None:
        """Submit some proposal: a rule, an order, or nothing but words."""
        number = self.dice.randrange(1_000)
        rule = {"enact": {"title": f"Ornament {number}", "text": f"{by} is mentioned.", "labels": {"section": "9"}}}
        order = {"enact": {"title": "Wonders", "text": "There are wonders.", "once": True, "script": WONDER}}
        self.do(
            "submit_proposal", by, title=f"Never odd or even {number}", changes=[self.dice.choice([rule, rule, order])]
        )

    def play_word(self, by: str) -> None:
        """Play a word of the Rack in some Zone, with what lies there before or behind it."""
        zones, tiles = self.of("zone"), self.of("tile")
        if not zones:
            return
        zone = self.dice.choice(list(zones))
        there = list(zones[zone].get("tiles") or [])
        rack = [tile for tile, values in tiles.items() if values.get("owner") == by]
        for word in self.dice.sample(WORDS, len(WORDS)):
            if chosen := self.spelt(word, rack, tiles, there):
                self.do("play_word", by, zone=zones[zone]["number"], tiles=chosen)
                return
        self.do("play_word", by, zone=zones[zone]["number"], tiles=[*there, *rack[:2]])

    def spelt(self, word: str, rack: list[str], tiles: dict[str, Record], there: list[str]) -> list[str]:
        """Return Tiles that spell a word and hold all that lie in a Zone, none where they cannot."""
        left, chosen = [*there, *rack], []
        for letter in word:
            found_ = [tile for tile in left if tiles[tile].get("letter") == letter]
            if not found_:
                return []
            left.remove(found_[0])
            chosen.append(found_[0])
        return chosen if not set(there) - set(chosen) and set(chosen) & set(rack) else []

    def act(self) -> None:
        """Do something that somebody might do."""
        by, d = self.other(), self.dice
        rack = [tile for tile, values in self.of("tile").items() if values.get("owner") == by]
        deeds: list[Any] = [
            *[lambda: self.do("vote", by, choice=d.choice(VOTES), motion=self.motion())] * 8,
            *[lambda: self.submit(by)] * 3,
            *[lambda: self.play_word(by)] * 6,
            *[lambda: self.do("start_tiles", by)] * 3,
            lambda: self.do("submit_tweak", by, title="Oops", changes=[], text="Nothing."),
            lambda: self.do("submit_cfi", by, statement="All is well.", defendant=self.other()),
            lambda: self.do("vote", by, choice=d.choice(["SECOND", "OBJECT", "YES", "NO"]), motion=self.motion()),
            lambda: self.do("revise", by, motion=self.motion(), title="Better"),
            lambda: self.do("bribe", by, motion=self.motion(), vote=d.choice(VOTES)),
            lambda: self.do("veto", by, motion=self.motion()),
            lambda: self.do("seal", by, motion=self.motion()),
            lambda: self.do("choose_class", by, **{"class": d.choice(CLASSES)}),
            lambda: self.do("heal", by, player=self.other()),
            lambda: self.do("lobby", by, senator=self.other(), motion=self.motion(), vote=d.choice(VOTES)),
            lambda: self.do("reanimate", by, soul=self.other(), motion=self.motion(), vote=d.choice(VOTES)),
            lambda: self.do("flip_key", by),
            lambda: self.do("flip_key", by),
            lambda: self.do("start_election", by, ministry=d.choice(MINISTRIES)),
            *[lambda: self.do(d.choice(["nominate", "accept"]), by, ministry=d.choice(MINISTRIES))] * 4,
            lambda: self.do("vote_election", by, ministry=d.choice(MINISTRIES), player=self.other()),
            lambda: self.do("deputise", by, player=self.other()),
            lambda: self.do("spend_amplitude", by),
            lambda: self.do("stop_tiles", by),
            lambda: self.do("exchange", by),
            *[lambda: self.do("zap", by, zones=d.sample(range(1, 10), d.randint(1, 3)))] * 2,
            lambda: self.do("set_blank", by, tile=d.choice(rack or ["nothing"]), letter=d.choice("aeinst")),
            *[lambda: self.do("take_soul", by, soul=self.one("soul"))] * 2,
            *[lambda: self.do("forge", by, type=self.one("talisman_type"), objects=[f"soul-{by}"])] * 2,
            *[
                lambda: self.do(
                    "contribute", by, forging=self.one("forging"), objects=[d.choice([f"soul-{by}", {"genechips": 20}])]
                )
            ]
            * 2,
            lambda: self.do("withdraw", by, forging=self.one("forging")),
            lambda: self.do("activate", by, talisman=self.one("talisman")),
            lambda: self.do("trade_talisman", by, talisman=self.one("talisman"), to=self.other()),
            lambda: self.do("vat", by, player=self.other()),
            lambda: self.do("smite", by, player=self.other()),
            lambda: self.do("give_gc", by, to=self.other(), n=d.randint(1, 40)),
            lambda: self.do("hide", by, period=d.randint(1, 9), unit=d.choice(["ndays", "days"])),
            lambda: self.do("unhide", by),
            lambda: self.do("move", by, room=self.one("room")),
            lambda: self.do("state", by, text="Hm."),
            self.come_or_go,
            *self.of_ministers(by),
            *[self.anything] * 6,
        ]
        d.choice(deeds)()

    def of_ministers(self, by: str) -> list[Any]:
        """Return what Ministers mostly do, and what else is about their displays and what they keep."""
        d, minister = self.dice, self.minister
        title, private = d.choice(["Better", "Oops"]), d.choice(["state", "spend_amplitude", "exchange", "flip_key"])
        return [
            lambda: self.do("report_grammar", minister("grammar"), "grammar", motion=self.motion(), violations=[title]),
            lambda: self.do("accept_correction", minister("grammar"), "grammar", report=self.one("grammar_report"), violations=[title]),
            lambda: self.do("judge_form", minister("change"), "change", motion=self.motion(), forms=[d.choice(["story", "poem", "sonnet"])], story="Tea"),
            lambda: self.do("assign_serial", minister("change"), "change", motion=self.motion(), serial=d.randint(1, 9_999)),
            lambda: self.do("word_ruling", minister("tiles"), "tiles", word=d.choice(WORDS), english=True),
            lambda: self.do("designate_forum", minister("communications"), "communications", forum=f"Inn {d.randint(1, 3)}"),
            lambda: self.do("publish_rules", minister("law"), "law"),
            lambda: self.do("recognise_private", minister("banking"), player=self.other(), action=private),
            lambda: self.do("disown", by, action=private),
            lambda: self.do("disown", by, recognition=self.one("recognition")),
            lambda: self.do("repeat", by, action=d.choice(["exchange", "spend_amplitude", "unhide", "start_tiles"]), times=d.randint(1, 3)),
            lambda: self.do("withdraw_motion", by, motion=self.motion()),
            lambda: self.do("argue", by, motion=self.motion(), text="For I say so."),
            lambda: self.do("submit_referendum", by, title="May we?", changes=[]),
            lambda: self.do("declare_win", by, rule="3-12", sentence="I have won."),
            lambda: self.do("reject", by, ministry=d.choice(MINISTRIES)),
            lambda: self.do("revoke", by),
            lambda: self.do("keep_by_hand", minister(d.choice(MINISTRIES)), display=self.one("display"), location="a wall"),
            lambda: self.do("note_change", by, display=self.one("display")),
            lambda: self.do("update_display", minister(d.choice(MINISTRIES)), display=self.one("display")),
            lambda: self.do("backup", by, display=self.one("display"), change="It is behind."),
        ]  # fmt: skip

    def minister(self, ministry: str) -> str:
        """Return who holds a Ministry, or somebody."""
        holder = (self.of("office").get(ministry) or {}).get("holder")
        return holder if holder in self.players and self.dice.random() < 0.8 else self.other()

    def anything(self) -> None:
        """Do whatever the law offers, with arguments that are mostly of the right type, and mostly nonsense."""
        declared = self.run.kernel.play.law.declared("actions")
        act = self.dice.choice(sorted(declared))
        specs = declared[act][1].get("arguments") or {}
        given = {
            name: self.value(spec)
            for name, spec in specs.items()
            if not spec.get("optional") or self.dice.random() < 0.5
        }
        office = declared[act][1].get("as")
        self.do(act, self.other(), office if self.dice.random() < 0.5 else None, **given)

    def value(self, spec: Record) -> Any:
        """Return a value for an argument, one in ten of another type."""
        d, kind = self.dice, spec["type"] if self.dice.random() < 0.9 else "odd"
        found: dict[str, Any] = {
            "player": self.other,
            "proposal": self.motion,
            "office": lambda: d.choice(MINISTRIES),
            "integer": lambda: d.choice([-1, 0, 1, 3, 10**9]),
            "boolean": lambda: d.random() < 0.5,
            "list": lambda: d.choice([[], [1, 2], ["soul-p00"], [None], [{"genechips": -5}], [{"amplitude": 1}], [[]]]),
            "map": lambda: d.choice([{}, {"1": "FOR"}, {"to": "p00", "n": 1}, {"motion": []}]),
            "changes": lambda: d.choice([[], [{"repeal": "9-7"}], [{"amend": "1-1", "text": "B."}]]),
            "rule": lambda: d.choice(["3-12", "0-0", "99-9"]),
            "thing": lambda: self.one(spec["kind"]),
            "choice": lambda: d.choice(spec["of"]),
            "odd": lambda: d.choice([None, "", -1, [], {}, "zero\u200b", 2**60]),
        }
        return found.get(kind, lambda: d.choice(["FOR", "vote", "p00", "", "a", "fnord"]))()

    def come_or_go(self) -> None:
        """Let somebody leave now and then, and others come back."""
        gone = sorted(set(PEOPLE) - set(self.players))
        if gone and self.dice.random() < 0.7:
            self.do("join", self.dice.choice(gone), name=self.dice.choice(gone))
        elif len(self.players) > 4:
            self.do("forfeit", self.other())

    def pass_time(self, seconds: int) -> None:
        """Let time go by, and what is due happen."""
        until = self.run.now + seconds
        while (due := self.run.kernel.next_due()) is not None and due[0] <= until:
            self.run.now = due[0]
            self.do("tick", None, timer=due[2])
        self.run.now = until

    # -- what holds at all times

    def holds(self) -> None:
        """Check every invariant."""
        self.clock_holds()
        self.tiles_hold()
        self.souls_hold()
        self.sums_hold()

    def clock_holds(self) -> None:
        """Check that the Clock has gone for exactly as long as it was seen On."""
        game, on = self.game, self.game["clock"] == "On"
        if on != self.on:
            self.runs += self.run.now - self.turned if self.on else 0
            self.turned, self.on = self.run.now, on
        gone = game["clock_run"] + (self.run.now - game["clock_turned"] if on else 0)
        assert gone == self.runs + (self.run.now - self.turned if on else 0)
        assert 1 <= game["ndays"] <= 12

    def tiles_hold(self) -> None:
        """Check that each Tile lies in one place, that no letter is lost, and that there are four Blanks."""
        tiles, zones = self.of("tile"), self.of("zone")
        if not zones:
            assert not tiles
            return
        lying = [tile for values in zones.values() for tile in values.get("tiles") or []]
        owned = [tile for tile, values in tiles.items() if values.get("owner")]
        assert len(set(lying)) == len(lying), "a Tile lies in two places"
        assert set(lying) <= set(tiles) - set(owned)
        letters = [tile for tile, values in tiles.items() if not values.get("blank") and len(values["letter"]) == 1]
        assert len(letters) == 98
        assert len(tiles) >= 102
        racks = Counter(values["owner"] for values in tiles.values() if values.get("owner"))
        assert all(player in self.players and n <= 7 for player, n in racks.items())
        assert all(not values.get("controller") or values["controller"] in self.players for values in zones.values())

    def souls_hold(self) -> None:
        """Check that a Soul is what it is called, and that nobody possesses too many."""
        masters: Counter[str] = Counter()
        for soul, values in self.of("soul").items():
            state, master = values["state"], values.get("master")
            masters.update([master] if master else [])
            assert master is None or master in self.players, soul
            assert (state in ("Owned", "Found")) == (master is not None), (soul, values)
            assert state != "Owned" or master == values["name"], (soul, values)
            assert (state == "Bound") == (values.get("bound_to") is not None), (soul, values)
            assert state != "Bound" or values["bound_to"] in self.of("talisman"), (soul, values)
        assert all(n <= 3 for n in masters.values()), masters

    def sums_hold(self) -> None:
        """Check that the ledger adds up to what players have, and that Tokens only ever go."""
        declared = [name for name in CURRENCIES if name in self.of("player")[self.players[0]]]
        for player in self.players:
            values = self.of("player")[player]
            for name in declared:
                assert values[name] >= 0 or name in ("amplitude", "suck_points"), (player, name)
        if "token_pool" in self.game:
            total = self.game["token_pool"] + sum(self.of("player")[p][name] for p in self.players for name in TOKENS)
            assert total <= self.tokens, "Tokens come from nowhere"
            self.tokens = total


def table(seed: int) -> Table:
    """Found a game whose switches are drawn."""
    dice = random.Random(seed)
    readings = {name: dice.choice(options) for name, options in switches().items() if options and seed}
    given = [{"office": name, "holder": PEOPLE[n % 4]} for n, name in enumerate(MINISTRIES)]
    scenario = {"scenario": "", "ruleset": "b-nomic", "players": PEOPLE, "settings": readings, "given": given}
    run = found(scenario, founding, lambda event: open_chance(f"b-nomic {seed}", str(event.seq)), with_lists)
    return Table(run, dice, turned=run.now)
