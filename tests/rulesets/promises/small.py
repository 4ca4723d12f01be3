"""What Suber's game, consensus, council, the assembly and the games of an evening promise, in words of our own."""

from __future__ import annotations

from typing import Any

from folkmoot.core.keys import PLAYERS
from tests.support.random_play import Manners, Record, Table

HOUR, DAY = 3_600, 86_400
PEOPLE = [{"id": who} for who in ("ann", "bob", "cid", "dee", "eve")]
LIMIT = 25  # of rule 209
MISSING = [(10, 8), (8, 5), (6, 3), (4, 2), (2, 1), (0, 0)]
"""How many approvals may be missing after how many days, by rule 5 of consensus."""
RANKS, SUITS = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), ("coins", "cups", "swords", "staves")


# -- Suber's game


def mutable_rules_are_limited(table: Table, _entry: Record) -> None:
    law = {uid: document for uid, (document, _) in table.run.kernel.play.law.in_force().items()}
    mutable = [uid for uid, document in law.items() if document["labels"]["status"] == "mutable"]
    assert mutable
    assert "209" not in law or len(mutable) <= LIMIT
    assert table.game.get("mover") in (*table.players, None)


def of_suber(table: Table) -> list[Record]:
    """Return a change of a rule that no other keeps its registers in."""
    law = [
        document["rule"]
        for uid, (document, _) in table.run.kernel.play.law.in_force().items()
        if uid not in ("112", "311")
    ]
    rule, number = table.dice.choice(law), table.dice.randrange(99)
    enacted = {"enact": {"title": f"Rule {number}", "text": f"{number} is a number."}}
    transmuted = {"transmute": rule, "to": table.dice.choice(["mutable", "immutable"])}
    return [table.dice.choice([enacted, {"amend": rule, "text": f"Now {number}."}, {"repeal": rule}, transmuted])]


# -- consensus


def is_adopted(table: Table, proposal: Record) -> bool:
    """Say by rules 5 and 6 whether a proposal is to be adopted as it stands."""
    days, here = proposal["registers"].get("days", 0), table.players
    allowed = next(missing for since, missing in MISSING if since <= days)
    ballots = {who: each["choice"] for who, each in proposal["ballots"].items()}
    silent = {who for who in here if table.run.kernel.documents[PLAYERS][who]["silent"]}
    objected = proposal["registers"].get("objected", {})
    asked = [
        who for who, choice in ballots.items() if choice == "request changes" and who in here and who not in silent
    ]
    if any(days - objected[who] < 7 for who in asked):
        return False
    counted = [who for who in proposal["electorate"] if who in here and ballots.get(who) != "stand aside"]
    if allowed:
        counted = [who for who in counted if who not in silent or ballots.get(who) == "approve"]
    approving = sum(ballots.get(who) == "approve" for who in counted)
    return len(counted) - approving <= allowed and 2 * approving > len(counted)


def no_vote_stays_open_that_is_decided(table: Table, _entry: Record) -> None:
    assert not table.settled or [each["id"] for each in table.undecided if is_adopted(table, each)] == []


def a_merge_pays_once_a_day(table: Table, entry: Record) -> None:
    paid = table.notes.setdefault("paid", {})
    for effect in entry.get("effects") or ():
        if effect["effect"] == "award" and effect["asked"] == 3:
            assert table.run.now - paid.get(effect["of"], -DAY) >= DAY, effect
            paid[effect["of"]] = table.run.now
            table.notes["merges"] = table.notes.get("merges", 0) + 1
    assert len(table.game["paid"]) == table.notes.get("merges", 0), "each content has paid once"


def of_consensus(table: Table) -> list[Record]:
    """Return a change that leaves alone what the game is counted by; one of so few that the same comes again."""
    new = [uid for uid in table.run.kernel.play.law.in_force() if int(uid) > 13]
    text = f"There {table.dice.choice(['is', 'was'])} a {table.dice.choice(['red', 'blue', 'kind', 'sad', 'wild'])} dragon."
    if new and table.dice.random() < 0.4:
        return [
            table.dice.choice([{"repeal": table.dice.choice(new)}, {"amend": table.dice.choice(new), "text": text}])
        ]
    return [{"enact": {"title": f"Dragon {table.dice.random()}", "text": text}}]


# -- council


def fate(table: Table, matter: Record) -> str | None:
    """Say by rules 5 to 10 what becomes of a matter as it stands; None: nothing yet."""
    reigns = (table.of("office").get("monarch") or {}).get("holder")
    ballots = {who: each["choice"] for who, each in matter["ballots"].items()}
    if reigns and ballots.get(reigns) == "VETO":
        return "defeated"
    choices = [ballots.get(reigns, "") if each == "DEFERENTIAL" else each for each in ballots.values()]
    yes, no = choices.count("FOR"), choices.count("AGAINST") + choices.count("VETO")
    quorum, age = len(awake(table)) // 2 + 1, (table.run.now - matter["opened_at"]) / HOUR
    if age >= 12 and yes >= quorum:
        return "adopted"
    if age >= (24 if matter["kind"] == "declaration" else 48):
        return "adopted" if yes > no else "defeated"
    most = len(matter["electorate"]) - no
    return "defeated" if most < quorum and most <= no else None


def awake(table: Table) -> list[str]:
    """Return the players who are counted."""
    return [who for who in table.players if not table.of("player")[who].get("idle")]


def the_oldest_is_decided_as_soon_as_it_can_be(table: Table, entry: Record) -> None:
    """Declarations go before it, and all wait while an Address is awaited."""
    undecided = sorted(table.undecided, key=lambda each: each["number"])
    declared = [each for each in undecided if each["kind"] == "declaration"]
    oldest = declared if declared or "address-due" in table.of("timer") else undecided[:1]
    assert not table.settled or [each["id"] for each in oldest if fate(table, each)] == []
    assert all(sorted(each["electorate"]) == sorted(awake(table)) for each in undecided)
    assert (table.of("office").get("monarch") or {}).get("holder") in [None, *awake(table)]
    closed = [str(each["of"]) for each in entry.get("effects") or () if each["effect"] == "close"]
    for number in [int(each.partition("/")[2]) for each in closed if not each.startswith("declaration/")]:
        assert number > table.notes.get("decided", 0), "none is decided before an older one"
        table.notes["decided"] = number


def of_council(table: Table) -> list[Record]:
    """Return a new rule, or the repeal of one."""
    new = [uid for uid in table.run.kernel.play.law.in_force() if int(uid) > 15]
    enacted: Record = {"enact": {"title": "Dragon", "text": "Roar."}}
    return [{"repeal": table.dice.choice(new)} if new and table.dice.random() < 0.3 else enacted]


# -- the assembly


def outcome_of(ballots: dict[str, str], voices: dict[str, int], quorum: int, threshold: int) -> str:
    """Count by another hand: follow every endorsement step by step, and weigh at the end."""
    count = {"FOR": 0, "AGAINST": 0, "PRESENT": 0}
    for voter in ballots:
        at, seen = voter, set[str]()
        while at not in seen and ballots.get(at, "PRESENT").startswith("ENDORSE "):
            seen.add(at)
            at = ballots[at].removeprefix("ENDORSE ")
        count["PRESENT" if at in seen else ballots.get(at, "PRESENT")] += voices[voter]
    if len(ballots) < quorum:
        return "unattended"
    enough = count["FOR"] > count["AGAINST"] and count["FOR"] >= threshold * count["AGAINST"]
    return "adopted" if enough else "defeated"


def of_assembly(table: Table) -> list[Record]:
    """Return a change of a rule of low rank."""
    rank, text = {"rank": table.dice.choice("123x")}, f"{table.dice.random()}\n"
    enacted = {"enact": {"title": "A", "text": text, "labels": rank}}
    return [
        table.dice.choice([enacted, {"repeal": table.dice.choice(["15", "19", "20"])}, {"amend": "20", "text": text}])
    ]


# -- an evening


def of_an_evening(table: Table) -> list[Record]:
    """Return a new rule with a script, a repeal or an amendment."""
    dice = table.dice
    script = "def decide_odd():\n    return 1\n"
    enacted = {"enact": {"title": f"Rule {dice.random()}", "text": "Let it be so.", "script": script}}
    return [dice.choice([enacted, {"repeal": str(dice.randrange(11, 14))}, {"amend": "8", "text": "Come."}])]


def a_card(table: Table) -> str:
    return f"{table.dice.choice(RANKS)} of {table.dice.choice(SUITS)}"


def a_square(table: Table) -> str:
    return table.dice.choice("abcde") + table.dice.choice("12345")


# -- how they are played

TRYING: Any = {"nonsense": 0.05, "tries": 2}
EVENING = Manners(
    PEOPLE[:3],
    often={"plant": 3, "bid": 2, "discard": 6, "play": 6},
    values={"changes": of_an_evening, "card": a_card, "square": a_square},
    pauses=(1, 30, 200),
    **TRYING,
)
SUBER = Manners(
    PEOPLE[:4],
    values={"changes": of_suber, "code": lambda table: table.dice.choice(["MAW", "GBR", "MED", "SPA", "QQQ"])},
    promises=[mutable_rules_are_limited],
    pauses=(HOUR, DAY, 2 * DAY, 3 * DAY),
    **TRYING,
)
CONSENSUS = Manners(
    PEOPLE,
    values={"changes": of_consensus},
    promises=[no_vote_stays_open_that_is_decided, a_merge_pays_once_a_day],
    pauses=(HOUR, 5 * HOUR, DAY, 50 * HOUR, 5 * DAY),
    **TRYING,
)
COUNCIL = Manners(
    PEOPLE,
    given=[{"office": "monarch", "holder": "ann"}],
    values={"changes": of_council},
    promises=[the_oldest_is_decided_as_soon_as_it_can_be],
    pauses=(HOUR, 6 * HOUR, 12 * HOUR, 30 * HOUR, 100 * HOUR),
    **TRYING,
)
ASSEMBLY = Manners(
    [*PEOPLE, {"id": "fay"}],
    given=[{"office": office, "holder": "bob"} for office in ("herald", "teller", "keeper", "arbiter")],
    often={"distribute": 6, "count": 3, "carry_out": 3},
    values={"changes": of_assembly, "of": lambda table: table.dice.choice(["herald", "teller", "keeper", "report-1"])},
    pauses=(HOUR, DAY, 3 * DAY, 170 * HOUR),
    **TRYING,
)
