"""Random play of A Nomic: whatever players try, no hook fails, and what cannot come or go is conserved.

CI plays a few days of a small game; FOLKMOOT_FUZZ=1 plays 30 nweeks with 20 players, and with `-s` reports which acts
were legal how often, and with what the others were refused: in all games together none of them never. Each entry is
followed by the invariants: nobody has less than nothing, money comes and goes by the rules that say so and no other,
there are 208 Cards, every Stone is in one state and one place, and each Object has one owner, who is an Agent.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from folkmoot.core.keys import GAME, HELD, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.sealed_values import seen_by
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
HOUR, DAY = 3_600, 86_400
SEEDS = range(2) if FUZZ else (0,)
PEOPLE = [f"p{n:02d}" for n in range(20)]
NDAYS = 300 if FUZZ else 24
ACTS_A_DAY = 24
OFFICES = ["administrator", "osj", "tribune", "banker", "tax_collector", "obc", "dealer"]
STAMPS = ["stamp-failure", "stamp-theft", "stamp-confusion"]
CARDS = 208
TRIES = 6 if FUZZ else 2
"""How often an act is drawn anew that was refused."""
CREATED = re.compile(r"joins the game$|players voted in nweek \d+$|^motion \d+$")
"""Why money may come from nowhere or go there: rules 379, 378, and 341 and 342."""
OWNED = ["stone", "stamp", "extra_vote", "dunce_cap", "debt", "home", "place", "contract_offer"]
OFTEN = {
    "vote": 30, "submit_proposal": 14, "go_place": 10, "buy_stone": 5, "deal": 20, "nominate": 8, "vote_election": 8,
    "pay": 5, "create_debt": 4, "transfer_debt": 4, "submit_answer": 6, "judge": 4, "verdict": 4, "propose_trade": 4,
    "second": 3, "show_hands": 4, "act_as_deputy": 4, "report_duty_done": 3, "draw_judge": 3, "buy_extra_vote": 2,
    "rfj": 6, "create_offer": 5, "agree": 4, "post_challenge": 3, "go_offer": 6, "go_accept": 4, "bank_motion": 2,
    "declare_showdown": 4, "motion_amend_trivially": 3, "request_join": 3,
}  # fmt: skip
RANKS = ["Ace", *map(str, range(2, 11)), "Jack", "Queen", "King"]
SUITS = ["Diamonds", "Spades", "Hearts", "Clubs"]
BACKS = ["Red", "Blue", "Fish", "Corporate"]


@cache
def switches() -> dict[str, list[str]]:
    """Return the readings of every switch of the ruleset, by the names of the switches."""
    blocks = [rule.get("settings") or {} for rule in founding("a-nomic")["rules"]]
    return {about["name"]: list(about["alternatives"]) for block in blocks for about in block.values()}


def name_of(number: int) -> str:
    """Return the name of a Card by its number, from 1."""
    pack, place = divmod(number - 1, 52)
    return f"{BACKS[pack]} {RANKS[place % 13]} of {SUITS[place // 13]}"


@dataclass(slots=True)
class Table:
    """A game in which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    funds: int = 0

    # -- what there is

    def of(self, kind: str) -> dict[str, Record]:
        """Return all things of a kind, each with its registers."""
        return dict(self.run.kernel.documents.find(f"things/{kind}") or {})

    @property
    def players(self) -> list[str]:
        """Return the players of the moment."""
        return things(self.run.kernel.play, "player")

    def acts(self) -> dict[str, Record]:
        """Return the declaration of each action of the law."""
        declared = self.run.kernel.play.law.declared("actions")
        return {name: about[1] for name, about in declared.items()}

    def holder(self, office: str) -> str | None:
        """Return who holds an office, the Dealer's and others' too."""
        return (self.of("office").get(office) or {}).get("holder")

    def one(self, *kinds: str) -> str:
        """Return something of some kinds, rarely something that there is not."""
        there = [each for kind in kinds for each in self.of(kind)]
        return self.dice.choice(there) if there and self.dice.random() < 0.95 else "nothing"

    def item(self, kind: str) -> int:
        """Return the number of an open Proposal or Motion, or one that there may never be."""
        undecided = [key.split("/") for key in self.run.kernel.documents[GAME]["open"]]
        live = [int(number) for sort, number in undecided if sort == kind and number.isdigit()]
        return self.dice.choice(live) if live and self.dice.random() < 0.9 else self.dice.choice([1, 34, 465, 999])

    def unsealed(self, value: Any) -> list[Any]:
        """Return a list with what is sealed in it."""
        return list(seen_by(self.run.kernel.play, value, None))

    def card(self) -> str:
        """Return the name of a Card."""
        return f"{self.dice.choice(BACKS)} {self.dice.choice(RANKS)} of {self.dice.choice(SUITS)}"

    def cards(self, by: str, most: int) -> list[str]:
        """Return Cards, mostly such as somebody holds, as far as they know them."""
        hand = self.unsealed(self.of("player")[by]["hand"]) if by in self.players else []
        held = hand if hand and self.dice.random() < 0.9 else [self.card() for _ in range(most)]
        return self.dice.sample(held, min(len(held), self.dice.randint(1, most)))

    # -- drawing acts

    def act(self) -> None:
        """Let somebody do something, to the purpose as far as that is simple; most of what is refused is drawn anew."""
        declared = self.acts()
        names = sorted([*declared, "vote"])
        often = OFTEN | ({"recognise": 150} if self.waiting() else {})
        do = self.dice.choices(names, [often.get(name, 1) for name in names])[0]
        for left in reversed(range(TRIES)):
            by, given = self.drawn(do, declared.get(do) or {})
            if do == "forfeit" and (len(self.players) < 12 or self.dice.random() < 0.7):
                return  # enough of them stay
            if self.tried(do, by, given, undo=left > 0 and self.dice.random() < 0.9):
                return

    def waiting(self) -> dict[str, Any]:
        """Return the acts that wait to be recognised, by the number of their entry."""
        held: dict[str, Any] = self.run.kernel.documents.find(HELD) or {}
        return {number: kept for number, kept in held.items() if str(kept["label"]).startswith("recognition/")}

    def drawn(self, do: str, about: Record) -> tuple[str, Record]:
        """Return who does something, and with which arguments."""
        d, by = self.dice, self.dice.choice(self.players)
        if do == "vote":
            item = d.choice(["proposal", "motion"])
            return by, {item: self.item(item), "choice": d.choice(["yes", "yes", "no", "abstain"])}
        if do == "request_join":
            gone = sorted(set(PEOPLE) - set(self.players)) or ["zed"]
            by = d.choice(gone)
            return by, {"name": by}
        office = about.get("as") or ("dealer" if do == "deal" else None)
        if office and d.random() < 0.9:
            by = self.holder(office) or by
        specs = about.get("arguments") or {}
        optional = d.choice([0.1, 0.5, 0.9])
        chosen = {name: spec for name, spec in specs.items() if not spec.get("optional") or d.random() < optional}
        given = {name: self.value(do, by, name, spec) for name, spec in chosen.items()}
        return self.aimed(do, by, given)

    def aimed(self, do: str, by: str, given: Record) -> tuple[str, Record]:
        """Return who would do it and with what, where an act fits few: its Judge, its owner, its author."""
        d = self.dice
        if d.random() < 0.25:
            return by, given
        for name, kind, owner in [
            ("debt", "debt", "owner" if do in ("transfer_debt", "split_debt", "motion_payment") else "debtor"),
            ("offer", "contract_offer", "owner" if do == "destroy_offer" else ""),
            ("stone", "stone", "owner"),
        ]:
            if name in given and self.of(kind):
                chosen = d.choice(sorted(self.of(kind)))
                given[name] = chosen
                by = self.of(kind)[chosen].get(owner) or by
        if do in ("verdict", "judicial_order") and self.of("rfj"):
            judged = [r for r in self.of("rfj").values() if r.get("judge") in self.players]
            request = d.choice(judged or list(self.of("rfj").values()))
            by, given["rfj"] = request.get("judge") or by, request["number"]
        if do in ("post_challenge", "judge", "start_mediocrity") and self.of("contest"):
            phase = {"judge": "judging", "post_challenge": "idle"}.get(do, "idle")
            fitting = {
                c: r for c, r in self.of("contest").items() if r.get("master") and r.get("phase", "idle") == phase
            }
            if fitting:
                contest = d.choice(sorted(fitting))
                by, given["game"] = fitting[contest]["master"], contest
                if do == "judge":
                    given["winner"] = d.choice([entry["by"] for entry in fitting[contest]["entries"]])
                    given = {name: given[name] for name in ("game", "winner")}
                elif do == "post_challenge":
                    items = {"items": ["tea", "rain", "sea"]} if contest == "contest-similarity" else {}
                    given = {"game": contest, "challenge": "Spring"} | items
                else:
                    given.pop("game")
                    by = (self.of("contest").get("contest-mediocrity") or {}).get("master") or by
        if do.startswith(("stamp_", "use_")):
            kind = {"use_thug": "game", "use_extra_vote": "extra_vote"}.get(do, "stamp")
            wanted = [r for key, r in self.of(kind).items() if kind != "stamp" or key == do.replace("_", "-")]
            owner = wanted[0].get("thug_employer" if kind == "game" else "owner") if wanted else None
            by = owner if owner in self.players else by
        if do in ("agree", "revise_contract", "leave_contract", "motion_escape", "join_contract") and self.of(
            "contract"
        ):
            contract = d.choice(list(self.of("contract").values()))
            by = d.choice([by, *contract["signatories"]]) if do != "join_contract" else by
            given = {name: what for name, what in given.items() if name != "offer"} | {"contract": contract["number"]}
        if do == "agree" and self.of("contract_offer") and d.random() < 0.6:
            given = {"offer": d.choice(sorted(self.of("contract_offer")))}
        if do in ("rescind", "recognise") and (waiting := self.waiting()):
            number = d.choice(sorted(waiting))
            officer = self.holder(d.choice(["administrator", "administrator", "osj", "banker", "tribune", "dealer"]))
            by, given = str(waiting[number]["by"] if do == "rescind" else officer or by), {"action": int(number)}
        if do in (
            "admit_member",
            "expel_member",
            "tell_party_rules",
            "keep_party",
            "change_party_rules",
            "leave_party",
        ):
            by, given = self.of_party(do, by, given)
        if do == "go_war" and (pairs := self.of("game")["game"].get("go_alliances")):
            by, given["other"] = d.choice(pairs)
        if do == "act_as_deputy" and (posts := list(self.of("deputyship").values())):
            post = d.choice(posts)
            by, given = post["deputy"], {name: value for name, value in given.items() if name != "arguments"}
            given["duty"] = d.choice([*map(str, post.get("duties") or []), "appoint_random"])
            return by, given
        if do in ("go_accept", "go_war", "propose_trade") and d.random() < 0.6:
            given.pop("offer", None)
        if do == "declare_showdown":
            by = max(self.players, key=lambda who: sum(self.of("player")[who]["backs"].values()))
        if do in ("go_place", "give_stone") and self.of("stone"):
            reserve = {s: r["owner"] for s, r in self.of("stone").items() if r.get("state", "reserve") == "reserve"}
            stone = d.choice(sorted(reserve) or [""])
            by = reserve.get(stone, by) if reserve.get(stone) in self.players else by
            given |= {"stone": stone} if do == "give_stone" else {}
        if do == "sell_captured":
            captured = [r["owner"] for r in self.of("stone").values() if r.get("state") == "captured"]
            by, given = d.choice(captured or [by]), {"n": 1}
        if do in ("act_as_deputy", "report_duty_done"):
            duties = self.of("game")["game"].get("assigned") or {}
            mine = {key: what.get("player") or self.holder(what.get("office") or "") for key, what in duties.items()}
            if mine:
                given["duty"] = d.choice(sorted(mine))
                by = mine[given["duty"]] or by
        if do in ("withdraw", "revise", "set_condition", "request_unanimous_consent", "note_verse", "preach"):
            by, given = self.of_author(do, by, given)
        return by, given

    def of_party(self, do: str, by: str, given: Record) -> tuple[str, Record]:
        """Return an act about a Party by its keeper, or by anybody for what members do."""
        if not self.of("party"):
            return by, given
        party = self.dice.choice(sorted(self.of("party")))
        keeper = self.of("party")[party].get("keeper") or by
        rest = {name: what for name, what in given.items() if name not in ("among", "openly", "variables")}
        texts = {"rules": "Tea at five."} if do == "change_party_rules" else {}
        return (by if do == "leave_party" else keeper), rest | {"party": party} | texts

    def of_author(self, do: str, by: str, given: Record) -> tuple[str, Record]:
        """Return an act of the author of an item that is open, about it and nothing else."""
        kinds = {"request_unanimous_consent": ["motion"], "note_verse": ["proposal"], "preach": ["proposal"]}
        kind = self.dice.choice(kinds.get(do, ["proposal", "motion"]))
        number = self.item(kind)
        kept: Any = self.run.kernel.documents.find(proposal_key(f"{kind}/{number}"))
        rest = {name: what for name, what in given.items() if name not in ("proposal", "motion", "contract")}
        return (kept or {}).get("author") or by, rest | {kind: number}

    def value(self, do: str, by: str, name: str, spec: Record) -> Any:
        """Return a value for an argument, one in twelve of another type or without any sense."""
        d = self.dice
        if d.random() < 0.08:
            odd = d.choice(
                [None, "", -1, 0, [], {}, [[]], {"do": 1}, "zero\u200b", 2**60, "x" * 300, [None], 1.5, True]
            )
            return odd if odd != 1.5 or not spec.get("sealed") else "1.5"  # no box can hold what no game can keep
        named = self.named(do, by, name)
        if named is not None:
            return named
        typed: dict[str, Any] = {
            "player": lambda: d.choice(self.players),
            "proposal": lambda: self.item("motion" if name == "motion" else d.choice(["proposal", "motion"])),
            "office": lambda: d.choice(OFFICES),
            "integer": lambda: d.choice([0, 1, 1, 2, 3, 5, 20]),
            "boolean": lambda: d.random() < 0.5,
            "changes": self.changes,
            "thing": lambda: self.one(spec["kind"]),
            "choice": lambda: d.choice(spec["of"]),
            "list": lambda: d.choice([[], [d.choice(self.players)], [1, 2]]),
            "map": lambda: d.choice([{}, {"office": d.choice(OFFICES)}]),
            "time": lambda: self.run.now + d.randint(1, 20) * DAY,
            "any": lambda: d.choice([1, 2, "green", "anyone", "at will"]),
        }
        return typed.get(spec["type"], lambda: f"{d.choice(['Tea', 'Rain', 'Sea'])} {d.randrange(99)}")()

    def named(self, do: str, by: str, name: str) -> Any:
        """Return a value by the name of the argument, none where its type says enough."""
        d = self.dice
        agent = d.choice([*self.players, "bank"])
        homes = lambda: self.one("home", "place")  # noqa: E731
        duty = list(self.of("game")["game"].get("assigned") or {"errand/osj/rule_on": 1})
        number = len(self.run.entries)
        values: dict[str, Any] = {
            **dict.fromkeys(["to", "agent", "whom", "voter", "victim", "executor"], lambda: agent),
            "among": lambda: [self.one("party"), self.one("party")],
            "party": lambda: self.one("party"),
            "openly": lambda: self.one("party"),
            "home": lambda: d.choice([f"home-{by}", homes()]),
            "object": lambda: d.choice([self.one(*OWNED), d.choice(STAMPS), "dunce-cap", "penny", "301", self.card(), f"contract-{d.randint(1001, 1003)}"]),
            "item": (lambda: self.item("proposal")) if do != "buy" else (lambda: d.choice([*STAMPS, self.one("extra_vote"), "dunce-cap"])),
            "act": (lambda: d.choice(["pay", "publish_debts", "appoint_random", "use_thug", "draw_judge"])) if do in ("bank_act", "act_as_deputy") else (lambda: "Put tea into the sea" if do == "motion_stupidity" else d.randint(1, number + 2)),
            "action": lambda: max(1, number - d.randrange(30)),
            "actions": lambda: [{"do": "transfer_points", "args": {"to": agent, "amount": d.randint(1, 3)}}],
            "args": lambda: {"to": agent, "amount": 1},
            "arguments": lambda: {"office": d.choice(OFFICES)},
            "amount": lambda: d.choice([1, 1, 2, 5, 40, 10**30]),
            "parts": lambda: d.choice([[1, 1], [1, 2], [2, "2.50", "0.50"], ["x"]]),
            "debts": lambda: [self.one("debt")],
            "rate": lambda: d.choice(["0.05", "0.1", 0, "0.2", "."]),
            "rfj": lambda: d.randint(1, 3 + len(self.of("rfj"))),
            "verdict": lambda: d.choice(["TRUE", "FALSE", True, "UNDECIDED", "REFUSED", "perhaps"]),
            "effects": lambda: [d.choice([{"pay": {"from": by, "to": agent, "points": 2}}, {"set": {"of": by, "register": "away", "value": True}}, {"undo": number}, {"give": {"object": "dunce-cap", "to": agent}}, {}, 7])],
            "contract": lambda: d.randint(1001, 1001 + len(self.of("contract"))),
            "offer": (lambda: agent) if do.startswith("go_") else (lambda: self.one("contract_offer")),
            **dict.fromkeys(["activation", "eligible", "joining", "leaving", "ending"], lambda: d.choice([1, 2, "anyone", "at will", "when it rains", {"score": 20}, {"signatories": 2}, {"office": "osj"}])),
            "clauses": lambda: [d.choice([{"pay": 1, "from": agent, "to": by, "when": d.choice(["start", "nweek"])}, {}, 7])],
            "game": lambda: d.choice(["similarity", "poetry", "mediocrity", "chess"]),
            "contest": lambda: self.one("contest"),
            "answer": lambda: d.choice([1, -2, "3.5", "1/3", "green", [1]]),
            "vertex": lambda: f"{d.choice('abcdef')}{d.randint(1, 6)}",
            "hands": lambda: [self.cards(by, 5)],
            "give": lambda: self.cards(by, 1),
            "get": lambda: [self.card()],
            "condition": (lambda: d.choice([{"proposal": self.item("proposal"), "is": "adopted"}, {"motion": self.item("motion"), "is": "failed"}])) if do == "set_condition" else (lambda: None),
            "conditions": lambda: [{"proposal": self.item("proposal"), "is": "adopted"}],
            "duty": lambda: d.choice([*duty, "appoint_random", "break_tie", "rule_on", "say hello"]),
            "duties": lambda: [d.choice([*duty, "appoint_random", "recognise"])],
            "rule": lambda: d.choice(["301", "303", "337", "999"]),
            "url": lambda: "https://nomic.example/randal",
            "location": lambda: "on a hill",
            "description": lambda: "It stands on a hill, and there is tea.",
            "variables": lambda: {"seats": d.randint(1, 9)},
            "buyer": lambda: agent,
        }  # fmt: skip
        return values.get(name, lambda: None)()

    def changes(self) -> list[Record]:
        """Return what a Proposal changes: mostly a rule of its own, now and then one that there is, never the last."""
        n = self.dice.randrange(10_000)
        enacted = {"enact": {"title": f"Tea {n}", "text": f"Tea number {n} is served."}}
        title = {"amend": self.dice.choice(["301", "337", "R-20"]), "title": f"Title {n}"}
        return self.dice.choice(
            [
                [enacted],
                [enacted],
                [title],
                [{"repeal": "999"}],
                [enacted, {"repeal": self.dice.choice(["339", "393"])}],
            ]
        )

    # -- acting

    def do(self, do: str, by: str | None, **given: Any) -> None:
        """Act, and check what came of it."""
        self.tried(do, by, given, undo=False)

    def tried(self, do: str, by: str | None, given: Record, *, undo: bool) -> bool:
        """Act, and check what came of it; False where it was refused and, if told so, undone."""
        outcome = self.run.apply(do, by, None, given)
        assert outcome.failures == [], f"{by} {do} {given}: {outcome.failures}"
        self.told[do, outcome.code] += 1
        if undo and outcome.code not in ("", "HELD"):
            self.run.entries.pop()
            self.run.kernel.undo()
            return False
        self.holds()
        return True

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
        agents = [*self.players, "bank"]
        self.money_holds()
        self.cards_hold()
        self.stones_hold(agents)
        for kind in OWNED:
            for each, values in self.of(kind).items():
                owner = values.get("owner")
                assert isinstance(owner, str), (each, values)
                assert owner in agents, (each, values)

    def money_holds(self) -> None:
        """Check that nobody has less than nothing, and that only the rules that may do so make money or destroy it."""
        purses = [*self.of("player").values(), self.of("bank")["bank"]]
        held = [(purse.get("points", 0), purse.get("pennies", 0)) for purse in purses]
        assert all(points >= 0 and 0 <= pennies < 100 for points, pennies in held), held
        funds = sum(100 * points + pennies for points, pennies in held)
        worth, made = {"points": 100, "pennies": 1}, 0
        for line in self.run.entries[-1].get("effects", ()) if self.run.entries else ():
            if line["effect"] == "award" and CREATED.search(str(line.get("reason") or line.get("why"))):
                made += worth[line["name"]] * line["applied"]
        assert funds - self.funds == made, (funds - self.funds, made, self.run.entries[-1:])
        self.funds = funds

    def cards_hold(self) -> None:
        """Check that Deck, Hands and Bank have all Cards together, and 52 of each Back at most are seen."""
        game = self.of("game")["game"]
        size = game.get("deck_size")
        seen = Counter[str](game["bank_backs"])
        for values in self.of("player").values():
            seen.update(values["backs"])
        hands = [self.unsealed(values["hand"]) for values in self.of("player").values()]
        hands.append(self.unsealed(game["bank_hand"]))
        held = [card for hand in hands for card in hand]
        assert len(held) == seen.total()
        assert (CARDS if size is None else size) + len(held) == CARDS
        if size is not None:
            deck = [name_of(number) for number in self.unsealed(game["deck"])]
            assert sorted([*deck, *held]) == sorted(map(name_of, range(1, CARDS + 1)))
        assert all(0 <= many <= CARDS // 4 for many in seen.values()), seen

    def stones_hold(self, agents: list[str]) -> None:
        """Check that the Stones of the three states are all, and that those In Play lie in one place each."""
        stones = self.of("stone").values()
        states = Counter(values.get("state", "reserve") for values in stones)
        assert states["reserve"] + states["in-play"] + states["captured"] == len(stones)
        lying = [values.get("at") for values in stones if values.get("state") == "in-play"]
        assert None not in lying
        assert len(set(lying)) == len(lying)
        assert all(values.get("at") is None for values in stones if values.get("state") != "in-play")
        assert all(values["owner"] in agents for values in stones)


def table(seed: int) -> Table:
    """Found a game with offices and some wealth; all but the first draw the readings of the switches."""
    dice = random.Random(seed)
    readings = {name: dice.choice(options) for name, options in switches().items()} if seed else {}
    given: list[Record] = [{"office": office, "holder": PEOPLE[n]} for n, office in enumerate(OFFICES)]
    given += [{"player": who, "points": 300} for who in PEOPLE] + [{"thing": "bank", "points": 2_000}]
    given += [{"thing": stamp, "owner": PEOPLE[n]} for n, stamp in enumerate(STAMPS)] + [{"game": True, "quorum": 3}]
    scenario = {"scenario": "", "ruleset": "a-nomic", "players": PEOPLE, "starts": "2001-05-01T12:00:00Z"}
    scenario |= {"given": given, "settings": readings}
    run = found(scenario, founding, lambda event: open_chance(f"a-nomic {seed}", str(event.seq)), with_lists)
    game = Table(run, dice)
    game.funds = 100 * (300 * len(PEOPLE) + 2_000)
    return game


def report(game: Table, seed: int) -> str:
    """Return which acts were accepted how often, and with what the others were refused."""
    legal = sum(count for (_, code), count in game.told.items() if not code)
    lines = [f"seed {seed}: {game.told.total():,} entries, {legal:,} legal, {game.told.total() - legal:,} refused"]
    for act in sorted({act for act, _ in game.told}):
        others = Counter({code: count for (name, code), count in game.told.items() if name == act and code})
        told = ", ".join(f"{code} {count}" for code, count in others.most_common())
        lines.append(f"  {act:28} {game.told[act, '']:6}  {told}")
    return "\n".join(lines)


PLAYED: dict[int, set[str]] = {}
"""What was ever legal, by the seed of the game."""


@pytest.mark.parametrize("seed", SEEDS)
def test_random_play_keeps_what_cannot_come_or_go(seed: int) -> None:
    game = table(seed)
    try:
        for _ in range(NDAYS):
            for _ in range(ACTS_A_DAY):
                game.act()
                game.pass_time(game.dice.randrange(2 * DAY // ACTS_A_DAY))
    finally:
        print(report(game, seed))
    accepted = {act for act, code in game.told if code in ("", "HELD")}
    assert {"vote", "submit_proposal", "deal", "buy_stone", "tick"} <= accepted, game.told
    assert ("recognise", "") in game.told or not any(code == "HELD" for _, code in game.told)
    if FUZZ:
        offered, tried = set(game.acts()), {act for act, _ in game.told}
        assert offered <= tried, offered - tried
        PLAYED[seed] = accepted
        legal = set[str]().union(*PLAYED.values())
        assert len(PLAYED) < len(SEEDS) or len(offered & legal) > 0.7 * len(offered), offered - legal
