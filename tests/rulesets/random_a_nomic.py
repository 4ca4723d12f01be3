"""A game of A Nomic in which everybody acts at random, but mostly to the purpose."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from folkmoot.core.keys import GAME, HELD, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.registers import setting
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.rulesets.a_nomic_invariants import BACKS, OWNED, RANKS, SUITS, Invariants
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
Act = tuple[str, Record]
DAY = 86_400
PEOPLE = [*(f"p{n:02d}" for n in range(19)), "joel"]
"""Who plays: one of them goes by a name that rule 350 knows."""
RICH, RULES = PEOPLE[18], [*range(303, 304), *range(305, 319), *range(320, 326)]
"""Who has enough for a Win, and which Rules, of which few are ever changed here."""
ACTS_A_DAY = 24
OFFICES = ["administrator", "osj", "tribune", "banker", "tax_collector", "obc", "dealer"]
STAMPS = ["stamp-failure", "stamp-theft", "stamp-confusion"]
TRIES = 6 if FUZZ else 2
"""How often an act is drawn anew that was refused."""
OFTEN = {
    "vote": 30, "submit_proposal": 14, "go_place": 10, "buy_stone": 5, "deal": 20, "nominate": 8, "vote_election": 8,
    "pay": 5, "create_debt": 4, "transfer_debt": 4, "submit_answer": 6, "judge": 4, "verdict": 4, "propose_trade": 4,
    "second": 3, "show_hands": 4, "act_as_deputy": 4, "report_duty_done": 3, "draw_judge": 3, "buy_extra_vote": 2,
    "rfj": 6, "create_offer": 5, "agree": 4, "post_challenge": 3, "go_offer": 6, "go_accept": 4, "bank_motion": 2,
    "declare_showdown": 4, "motion_amend_trivially": 3, "request_join": 3, "motion_replace_contestmaster": 4,
    "judicial_order": 3, "begin_disbursements": 3, "decline": 2, "preach": 3, "find_condition": 2, "appoint_random": 3,
    "join_party": 4, "leave_party": 2, "admit_member": 2, "expel_member": 2, "create_party": 2, "object_deputy": 2,
    "split_debt": 2, "state_beginning_score": 2, "consent": 2, "stamp_failure": 2, "stamp_theft": 2, "buy_stamp": 2, "transfer_pennies": 2,
}  # fmt: skip
UNKNOWN = {"order": "Nobody knows.", "effects": [{"set": {"of": "game", "register": "begin_scores", "value": {}}}]}
"""An order of a Judge after which the scores as the nweek began have to be stated for what is taxed."""
READINGS: dict[int, dict[str, str]] = {
    1: {"recognition": "by-hand", "contestmaster_motion": "two-day-consent"},
    2: {"contestmaster_motion": "seconds", "first_disbursements": "setup", "extra_vote_sale": "ordered"},
    3: {"go_ties": "consul_decides", "extra_vote_sale": "ordered"},
}
"""Readings without which some acts are never legal; the others are drawn in these games, and as founded in the first."""
QUIET = 4
"""In each nweek whose number this divides nobody places a Stone, and a game of Go ends."""


@cache
def switches() -> dict[str, list[str]]:
    """Return the readings of every switch of the ruleset, by the names of the switches."""
    blocks = [rule.get("settings") or {} for rule in founding("a-nomic")["rules"]]
    return {about["name"]: list(about["alternatives"]) for block in blocks for about in block.values()}


@dataclass(slots=True)
class Table:
    """A game in which everybody acts at random, but mostly to the purpose."""

    run: Run
    dice: random.Random
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    ends: list[float] = field(default_factory=list)
    """How long the end of each nweek took, in seconds."""
    took: float = 0
    invariants: Invariants = field(init=False)

    def __post_init__(self) -> None:
        self.invariants = Invariants(self.run)

    # -- what there is

    def of(self, kind: str) -> dict[str, Record]:
        """Return all things of a kind, each with its registers."""
        return self.invariants.of(kind)

    @property
    def game(self) -> Record:
        """Return the registers of the game."""
        return self.of("game")["game"]

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

    def card(self) -> str:
        """Return the name of a Card."""
        return f"{self.dice.choice(BACKS)} {self.dice.choice(RANKS)} of {self.dice.choice(SUITS)}"

    def cards(self, by: str, most: int) -> list[str]:
        """Return Cards, mostly such as somebody holds, as far as they know them."""
        hand = self.invariants.unsealed(self.of("player")[by]["hand"]) if by in self.players else []
        held = hand if hand and self.dice.random() < 0.9 else [self.card() for _ in range(most)]
        return self.dice.sample(held, min(len(held), self.dice.randint(1, most)))

    # -- drawing acts

    def act(self) -> None:
        """Let somebody do something, to the purpose as far as that is simple; most of what is refused is drawn anew."""
        declared = self.acts()
        names = sorted([*declared, "vote"])
        often = OFTEN | ({"recognise": 150} if self.waiting() else {})
        often |= {"begin_disbursements": 150} if self.begins_disbursements() else {}
        often |= {"go_place": 0} if self.game["nweek"] % QUIET == 0 else {}
        do = self.dice.choices(names, [often.get(name, 1) for name in names])[0]
        for left in reversed(range(TRIES)):
            by, given = self.drawn(do, declared.get(do) or {})
            if do == "forfeit" and (len(self.players) < 12 or self.dice.random() < 0.7):
                return  # enough of them stay
            if self.tried(do, by, given, undo=left > 0 and self.dice.random() < 0.9):
                return

    def begins_disbursements(self) -> bool:
        """Whether the first values of the awards and of the fine are still to be given, before anybody sets one."""
        names = ("adopted_award", "opposed_award", "failed_fine")
        given = self.game.get("disbursements_begun") or any(self.game.get(f"{name}_changed") for name in names)
        return not given and setting(self.run.kernel.play, "first_disbursements") == "setup"

    def waiting(self) -> dict[str, Any]:
        """Return the acts that wait to be recognised, by the number of their entry."""
        held: dict[str, Any] = self.run.kernel.documents.find(HELD) or {}
        return {number: kept for number, kept in held.items() if str(kept["label"]).startswith("recognition/")}

    def drawn(self, do: str, about: Record) -> Act:
        """Return who does something, and with which arguments."""
        d, by = self.dice, self.dice.choice(self.players)
        if do == "vote":
            item = d.choice(["proposal", "motion"])
            return by, {item: self.item(item), "choice": d.choice(["yes", "yes", "no", "abstain"])}
        if do == "request_join":
            by = d.choice(sorted(set(PEOPLE) - set(self.players)) or ["zed"])
            return by, {"name": by}
        office = about.get("as") or ("dealer" if do == "deal" else None)
        if office and d.random() < 0.9:
            by = self.holder(office) or self.holder("administrator") or by
        specs = about.get("arguments") or {}
        optional = d.choice([0.1, 0.5, 0.9])
        chosen = {name: spec for name, spec in specs.items() if not spec.get("optional") or d.random() < optional}
        given = {name: self.value(do, by, name, spec) for name, spec in chosen.items()}
        if d.random() < 0.03:
            return d.choice(["zed", "bank", *self.players]), given
        return (by, given) if d.random() < 0.25 else self.aimed(do, by, given)

    def aimed(self, do: str, by: str, given: Record) -> Act:
        """Return who would do it and with what, where an act fits few: its Judge, its owner, its author."""
        by, given = self.of_owner(do, by, given)
        aim = next((aim for acts, aim in AIMS.items() if do in acts.split()), None)
        return aim(self, do, by, given) if aim else (by, given)

    def of_owner(self, do: str, by: str, given: Record) -> Act:
        """Return an act about a Debt, an offer or a Stone of whoever may do it."""
        mine = ("transfer_debt", "motion_payment")
        for name, kind, owner in [
            ("debt", "debt", "owner" if do in mine else "debtor"),
            ("offer", "contract_offer", "owner" if do == "destroy_offer" else ""),
            ("stone", "stone", "owner"),
        ]:
            if name in given and self.of(kind):
                chosen = self.dice.choice(sorted(self.of(kind)))
                given[name] = chosen
                by = self.of(kind)[chosen].get(owner) or by
        return by, given

    def of_judge(self, do: str, by: str, given: Record) -> Act:
        """Return a verdict or an order of the Judge; some are carried out by hand, some let nobody know the scores."""
        judged = [r for r in self.of("rfj").values() if r.get("judge") in self.players]
        if not judged:
            return by, given
        decided = [r for r in judged if r.get("verdict") in ("TRUE", "FALSE")]
        request = self.dice.choice((decided or judged) if do == "judicial_order" else judged)
        if do == "judicial_order":
            given |= self.dice.choice(
                [{"order": "Say hello.", "executor": self.dice.choice(self.players)}, UNKNOWN, {}]
            )
        return request["judge"], given | {"rfj": request["number"]}

    def of_contest(self, do: str, by: str, given: Record) -> Act:
        """Return an act of a Contestmaster in a contest that waits for it."""
        phase = "judging" if do == "judge" else "idle"
        contests = self.of("contest")
        fitting = sorted(c for c, r in contests.items() if r.get("master") and r.get("phase", "idle") == phase)
        if not fitting:
            return by, given
        if do == "start_mediocrity":
            given.pop("game", None)
            return (contests.get("contest-mediocrity") or {}).get("master") or by, given
        contest = self.dice.choice(fitting)
        if do == "judge":
            entries = [entry["by"] for entry in contests[contest]["entries"]]
            given = {"winner": self.dice.choice(entries or self.players)}
        else:
            items = {"items": ["tea", "rain", "sea"]} if contest == "contest-similarity" else {}
            given = {"challenge": "Spring"} | items
        return contests[contest]["master"], given | {"game": contest}

    def of_answer(self, do: str, by: str, given: Record) -> Act:
        """Return an answer to a Challenge that is open, of somebody who has not posted it."""
        opened = [c for c, r in sorted(self.of("contest").items()) if r.get("phase") == "open"]
        if not opened:
            return by, given
        contest = self.dice.choice(opened)
        others = [who for who in self.players if who != self.of("contest")[contest].get("master")]
        return self.dice.choice(others), {"game": contest, "answer": given.get("answer", "green")}

    def of_replacement(self, do: str, by: str, given: Record) -> Act:
        """Return a motion that some game have another Contestmaster, or a second of such a motion."""
        if do == "motion_replace_contestmaster":
            games = [c for c, r in sorted(self.of("contest").items()) if r.get("challenged")]
            return by, {"game": self.dice.choice(games or ["chess"]), "master": by}
        wanted = [
            n
            for n, kept in self.motions().items()
            if (kept.get("registers") or {}).get("sort") == "replace_contestmaster"
        ]
        return by, {"motion": self.dice.choice(wanted or [self.item("motion")])}

    def of_consent(self, do: str, by: str, given: Record) -> Act:
        """Return a request of consent for a motion, by whoever made it."""
        wanted = self.motions()
        if not wanted:
            return by, given
        number = self.dice.choice(sorted(wanted))
        return wanted[number]["author"], {"motion": number}

    def of_officer(self, do: str, by: str, given: Record) -> Act:
        """Return the consent of an Officer to a motion that waits for it."""
        sorts = ("create_points", "destroy_points", "set_tax")
        waiting = [n for n, kept in self.motions().items() if (kept.get("registers") or {}).get("sort") in sorts]
        officer = self.holder(self.dice.choice(["banker", "tax_collector"])) or self.holder("administrator")
        return officer or by, {"motion": self.dice.choice(waiting or [34])}

    def of_stamp(self, do: str, by: str, given: Record) -> Act:
        """Return an act of whoever owns what it takes, about something that is voted on."""
        if do == "stamp_theft":
            mine = [(r["owner"], each) for kind in OWNED[1:3] for each, r in self.of(kind).items()]
            victim, what = self.dice.choice([pair for pair in mine if pair[0] in self.players] or [("joel", "stamp")])
            given = {"victim": victim, "object": what}
        elif do != "stamp_confusion":
            kind = self.dice.choice(["proposal", "motion"])
            given = {name: what for name, what in given.items() if name not in ("item", "proposal", "motion")}
            given |= {kind: self.item(kind)}
        kind = {"use_thug": "game", "use_extra_vote": "extra_vote"}.get(do, "stamp")
        wanted = [r for key, r in self.of(kind).items() if kind != "stamp" or key == do.replace("_", "-")]
        owner = wanted[0].get("thug_employer" if kind == "game" else "owner") if wanted else None
        return (owner if owner in self.players else by), given

    def of_contract(self, do: str, by: str, given: Record) -> Act:
        """Return an act about a Contract, mostly of a signatory, or about an offer of one."""
        d = self.dice
        if self.of("contract"):
            contract = d.choice(list(self.of("contract").values()))
            by = d.choice([by, *contract["signatories"]]) if do != "join_contract" else by
            given = {name: what for name, what in given.items() if name != "offer"} | {"contract": contract["number"]}
        if do == "agree" and self.of("contract_offer") and d.random() < 0.6:
            given = {"offer": d.choice(sorted(self.of("contract_offer")))}
        return by, given

    def of_condition(self, do: str, by: str, given: Record) -> Act:
        """Return that a condition in words is met, by whoever counts beans."""
        states = [
            (str(made.get("number") or each), name)
            for kind in ("contract", "contract_offer")
            for each, made in self.of(kind).items()
            for name, term in (made.get("terms") or {}).items()
            if term == "when it rains" and (kind == "contract") == (name in ("joining", "leaving", "ending"))
        ]
        if not states:
            return by, given
        each, condition = self.dice.choice(states)
        whole = condition in ("activation", "ending")
        agent = {} if whole else {"agent": self.dice.choice(self.players)}
        return by, {"object": each, "condition": condition} | agent

    def of_recognition(self, do: str, by: str, given: Record) -> Act:
        """Return what becomes of an act that waits: who did it takes it back, or an Officer recognises it."""
        if not (waiting := self.waiting()):
            return by, given
        number = self.dice.choice(sorted(waiting))
        offices = ["administrator", "administrator", "osj", "banker", "tribune", "dealer"]
        officer = self.holder(self.dice.choice(offices)) or self.holder("administrator")
        return str(waiting[number]["by"] if do == "rescind" else officer or by), {"action": int(number)}

    def of_go(self, do: str, by: str, given: Record) -> Act:
        """Return a move or a gift of whoever has a Stone, or a war between allies."""
        if do == "go_war" and (pairs := self.game.get("go_alliances")):
            by, given["other"] = self.dice.choice(pairs)
        if do in ("go_accept", "go_war") and self.dice.random() < 0.6:
            given.pop("offer", None)
        stones = {s: r["owner"] for s, r in self.of("stone").items() if r["owner"] in self.players}
        reserve = {s: o for s, o in stones.items() if self.of("stone")[s].get("state", "reserve") == "reserve"}
        captured = {s: o for s, o in stones.items() if self.of("stone")[s].get("state") == "captured"}
        chosen = captured if do == "sell_captured" else reserve
        if do in ("go_place", "give_stone", "sell_captured") and chosen:
            stone = self.dice.choice(sorted(chosen))
            by = chosen[stone]
            given = {"n": 1} if do == "sell_captured" else given | ({"stone": stone} if do == "give_stone" else {})
        return by, given

    def of_consul(self, do: str, by: str, given: Record) -> Act:
        """Return what the Go Consul says."""
        consul = (self.of("contest").get("contest-go") or {}).get("master") or self.holder("administrator") or by
        return consul, {"winner": self.dice.choice(self.game.get("go_tied") or [by])} if "winner" in given else {}

    def of_deputy(self, do: str, by: str, given: Record) -> Act:
        """Return that a Deputy does a duty that is theirs, or that somebody has done one by hand."""
        d, duties = self.dice, self.game.get("assigned") or {}
        posts = list(self.of("deputyship").values())
        if do == "act_as_deputy" and posts:
            post = d.choice(posts)
            duty = d.choice([*map(str, post.get("duties") or []), "appoint_random"])
            return post["deputy"], {name: value for name, value in given.items() if name != "arguments"} | {
                "duty": duty
            }
        by_hand = sorted(key for key, duty in duties.items() if duty["hand"])
        if not duties:
            return by, given
        duty = d.choice(by_hand or sorted(duties))
        return duties[duty].get("player") or self.holder(duties[duty].get("office") or "") or by, given | {"duty": duty}

    def of_office(self, do: str, by: str, given: Record) -> Act:
        """Return an act about an office for which it is time: who stands for it, or ties for it, or is to be drawn."""
        offices = self.of("office")
        if do == "vote_election":
            lists = {
                name: kept["candidates"]
                for name, kept in (self.game.get("elections") or {}).items()
                if kept["candidates"]
            }
            office = self.dice.choice(sorted(lists) or OFFICES)
            return by, {"office": office, "candidate": self.dice.choice(lists.get(office) or [by])}
        if do == "break_tie" and (ties := self.game.get("ties")):
            office = self.dice.choice(sorted(ties))
            return by, {"office": office, "candidate": self.dice.choice(ties[office])}
        if do == "decline":
            stand = [(name, who) for name, office in offices.items() for who in office.get("nominees") or ()]
            office, by = self.dice.choice(stand or [("tribune", by)])
            return by, {"office": office}
        named = [name for name, office in offices.items() if office.get("draw_due" if do == "appoint_random" else "x")]
        vacant = [name for name in OFFICES if not self.holder(name)] if do == "nominate" else []
        return by, given | {"office": self.dice.choice(named or vacant or OFFICES)}

    def of_home(self, do: str, by: str, given: Record) -> Act:
        """Return that an owner puts something of theirs into their home, or takes it out, or lets somebody in."""
        homes = [(home, r) for home, r in sorted(self.of("home").items()) if r["owner"] in self.players]
        if not homes:
            return by, given
        home, place = self.dice.choice(homes)
        owner = place["owner"]
        if do == "home_add":
            mine = [each for kind in OWNED[:4] for each, r in self.of(kind).items() if r.get("owner") == owner]
            return owner, {"home": home} | self.a_guest_or(place.get("consented") or [owner], mine)
        return owner, {"home": home} | self.a_guest_or(place.get("players") or [], place.get("objects") or [])

    def a_guest_or(self, guests: list[str], objects: list[str]) -> Record:
        """Return a Player or an Object as an argument, if there is one."""
        found = [{"player": who} for who in guests] + [{"object": each} for each in objects]
        return self.dice.choice(found or [{}])

    def of_giver(self, do: str, by: str, given: Record) -> Act:
        """Return that somebody gives away what is theirs and can be given."""
        kinds = ["stamp", "extra_vote", "stone", "debt"]
        mine = [(each, r["owner"]) for kind in kinds for each, r in self.of(kind).items() if r["owner"] in self.players]
        found, owner = self.dice.choice(mine or [("penny", by)])
        return owner, {"object": found, "to": self.dice.choice(self.players)}

    def of_payment(self, do: str, by: str, given: Record) -> Act:
        """Return that the Bank takes debts for one of the same sum that is owed to it."""
        debts = self.of("debt")
        worth = {each: 100 * debt["amount"] + debt["pennies"] for each, debt in debts.items()}
        equal = [
            (against, each)
            for against, debt in debts.items()
            for each, other in debts.items()
            if debt["owner"] == "bank" and other["owner"] == debt["debtor"] and worth[each] == worth[against]
        ]
        against, each = self.dice.choice(equal or [("debt-1", "debt-2")])
        return by, {"against": against, "debts": [each]}

    def of_divisible(self, do: str, by: str, given: Record) -> Act:
        """Return that a Player splits a Debt of more than a point that they own, or pays Pennies that they have."""
        if do == "transfer_pennies":
            purses = {who: self.of("player")[who]["pennies"] for who in self.players}
            by = self.dice.choice([who for who in self.players if purses[who]] or [by])
            others = [who for who in [*self.players, "bank"] if who != by]
            return by, {"to": self.dice.choice(others), "n": self.dice.randint(1, max(1, purses[by]))}
        owned = {each: debt for each, debt in self.of("debt").items() if debt["owner"] in self.players}
        large = sorted(each for each, debt in owned.items() if debt["amount"] + (debt["pennies"] > 0) > 1)
        if not large:
            return by, given
        debt = self.dice.choice(large)
        rest = f"{owned[debt]['amount'] - 1}.{owned[debt]['pennies']:02}"
        return owned[debt]["owner"], {"debt": debt, "parts": [1, rest]}

    def of_what_waits(self, do: str, by: str, given: Record) -> Act:
        """Return what is done for somebody who waits for it: a Win, an Extra Vote, a tax."""
        waiting = {
            "credit_win": [
                key.removeprefix("win/") for key in self.game.get("assigned") or {} if key.startswith("win/")
            ],
            "order_extra_vote": self.game.get("extra_vote_orders") or [],
            "state_beginning_score": [row["agent"] for row in self.game.get("waiting_taxes") or []],
        }[do]
        name = {"credit_win": "player", "order_extra_vote": "buyer", "state_beginning_score": "agent"}[do]
        return by, given | {name: self.dice.choice(waiting or self.players)}

    def of_caller(self, do: str, by: str, given: Record) -> Act:
        """Return that a Showdown is called or served by whoever has most PCards."""
        backs = {who: sum(self.of("player")[who]["backs"].values()) for who in self.players}
        if do == "declare_showdown":
            return max(backs, key=lambda who: backs[who]), given
        holding = [who for who in self.players if backs[who]]
        by = self.dice.choice(holding or [by])
        return by, {"hands": [self.cards(by, 3)]}

    def of_preacher(self, do: str, by: str, given: Record) -> Act:
        """Return a claim to have preached by a Proposal that has passed."""
        passed = self.game.get("preachable") or []
        if not passed:
            return by, given
        number = self.dice.choice(passed)
        kept: Any = self.run.kernel.documents.find(proposal_key(f"proposal/{number}"))
        return (kept or {}).get("author") or by, {"proposal": number, "proof": "See there."}

    def motions(self) -> dict[int, Record]:
        """Return the open motions by their numbers."""
        keys = [key for key in self.run.kernel.documents[GAME]["open"] if key.startswith("motion/")]
        found = {key: self.run.kernel.documents.find(proposal_key(key)) for key in keys}
        return {int(key[7:]): dict(kept) for key, kept in found.items() if kept and key[7:].isdigit()}

    def of_party(self, do: str, by: str, given: Record) -> Act:
        """Return an act about a Party by its keeper, or by anybody for what members do."""
        if not self.of("party"):
            return by, given
        party = self.dice.choice(sorted(self.of("party")))
        keeper = self.of("party")[party].get("keeper") or by
        members = self.invariants.unsealed(self.of("party")[party].get("members") or [])
        if do == "join_party":
            return by, {"party": party, "among": [party]}
        if do == "leave_party":
            return self.dice.choice(members or [by]), {"party": party, "among": [party]}
        rest = {name: what for name, what in given.items() if name not in ("among", "openly", "variables")}
        texts = {"rules": "Tea at five."} if do == "change_party_rules" else {}
        whom = {"agent": self.dice.choice(members or [by])} if do == "expel_member" else {}
        return keeper, rest | {"party": party} | texts | whom

    def of_author(self, do: str, by: str, given: Record) -> Act:
        """Return an act of the author of an item that is open, about it and nothing else."""
        kinds = {"note_verse": ["proposal"]}
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
        duty = list(self.game.get("assigned") or {"errand/osj/rule_on": 1})
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
            "effects": lambda: [d.choice([{"pay": {"from": by, "to": agent, "points": 2}}, {"set": {"of": by, "register": "away", "value": True}}, {"undo": number}, {"give": {"object": "dunce-cap", "to": agent}}, {"set": {"of": "game", "register": "begin_scores", "value": {}}}, {"set": {"of": "office/tribune", "register": "draw_due", "value": True}}, {}, 7])],
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
        began = time.process_time()
        outcome = self.run.apply(do, by, None, given)
        self.took = time.process_time() - began
        assert outcome.failures == [], f"{by} {do} {given}: {outcome.failures}"
        self.told[do, outcome.code] += 1
        if undo and outcome.code not in ("", "HELD"):
            self.run.entries.pop()
            self.run.kernel.undo()
            return False
        self.invariants.hold()
        return True

    def pass_time(self, seconds: int) -> None:
        """Let time go by, and what is due happen."""
        until = self.run.now + seconds
        while (due := self.run.kernel.next_due()) is not None and due[0] <= until:
            self.run.now = due[0]
            nweek = self.game["nweek"]
            self.do("tick", None, timer=due[2])
            if self.game["nweek"] != nweek:
                self.ends.append(self.took)
        self.run.now = until


AIMS: Mapping[str, Callable[[Table, str, str, Record], Act]] = {
    "verdict judicial_order": Table.of_judge,
    "post_challenge judge start_mediocrity": Table.of_contest,
    "submit_answer": Table.of_answer,
    "motion_replace_contestmaster second": Table.of_replacement,
    "request_unanimous_consent": Table.of_consent,
    "consent": Table.of_officer,
    "stamp_failure stamp_theft stamp_confusion use_thug use_extra_vote": Table.of_stamp,
    "agree revise_contract leave_contract motion_escape join_contract": Table.of_contract,
    "find_condition": Table.of_condition,
    "rescind recognise": Table.of_recognition,
    "admit_member expel_member tell_party_rules keep_party change_party_rules join_party leave_party": Table.of_party,
    "go_place go_war go_accept give_stone sell_captured": Table.of_go,
    "go_begin go_name_winner": Table.of_consul,
    "act_as_deputy report_duty_done": Table.of_deputy,
    "vote_election break_tie decline appoint_random nominate": Table.of_office,
    "home_add home_remove": Table.of_home,
    "transfer_object": Table.of_giver,
    "accept_debt": Table.of_payment,
    "split_debt transfer_pennies": Table.of_divisible,
    "credit_win order_extra_vote state_beginning_score": Table.of_what_waits,
    "declare_showdown show_hands": Table.of_caller,
    "preach": Table.of_preacher,
    "withdraw revise set_condition note_verse": Table.of_author,
}
"""How acts that chance seldom makes legal are drawn, by their names."""


def table(seed: int, *rules: Record) -> Table:
    """Found a game with offices and some wealth, and more `rules`; all but the first draw the readings of the switches."""
    dice = random.Random(seed)
    readings = {name: dice.choice(options) for name, options in switches().items()} if seed else {}
    readings |= {"recognition": "automatic"} | READINGS.get(seed, {})
    given: list[Record] = [{"office": office, "holder": PEOPLE[n]} for n, office in enumerate(OFFICES)]
    given += [{"office": "tribune", "holder": None, "draw_due": True}] if seed > 1 else []
    given += [{"player": who, "points": 700 if who == RICH else 300} for who in PEOPLE]
    given += [{"rule": str(number), "owned_by": RICH} for number in RULES] + [{"thing": "bank", "points": 2_000}]
    given += [{"thing": stamp, "owner": PEOPLE[n]} for n, stamp in enumerate(STAMPS)] + [{"game": True, "quorum": 3}]
    scenario = {"scenario": "", "ruleset": "a-nomic", "players": PEOPLE, "starts": "2001-05-01T12:00:00Z"}
    scenario |= {"given": given, "settings": readings}
    law = founding("a-nomic")
    law = law | {"rules": [*law["rules"], *rules]}
    run = found(scenario, lambda _: law, lambda event: open_chance(f"a-nomic {seed}", str(event.seq)), with_lists)
    return Table(run, dice)
