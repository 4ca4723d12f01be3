"""The law of large games: what they are founded on, and texts of rules that name each other, made by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.support.table import rule

Record = dict[str, Any]
VOTING = """
    def do_propose(a):
        open_voting(submit(a.args.title, a.args.changes, a.requests))

    def decide_number(p):
        return get("game", "next_number")

    def decide_electorate(p):
        return things("player")

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def decide_adopted(p):
        yes, all = ballots(p, "for"), len(p.electorate)
        share = 60 if setting("threshold") == "three-fifths" else 50
        return verdict(100 * yes > share * all, "%d of %d are for it" % (yes, all))

    def on_proposal_submitted(e):
        add("game", "next_number", 1)
        at(now() + 7 * DAY, "voting-ends", key = "voting-ends/%d" % e.proposal.number, number = e.proposal.number)

    def on_voting_opened(e):
        for p in things("player"):
            owe(p, "vote on proposal %d" % e.proposal.number, key = "vote/%d/%s" % (e.proposal.number, p), do = "vote",
                of = e.proposal)

    def on_ballot_cast(e):
        settle("vote/%d/%s" % (e.proposal.number, e.ballot.player))

    def on_voting_ends(e):
        p = proposal(e.number)
        for player in p.electorate:
            if ballot_of(p, player) == None:
                cast(p, player, "abstain", deemed = True)

    def on_proposal_resolved(e):
        cancel("voting-ends/%d" % e.proposal.number)

    def on_proposal_adopted(e):
        award(e.proposal.author, "score", ballots(e.proposal, "for"), "proposal %d" % e.proposal.number)
"""
JUDGES = """
    def do_appoint(a):
        put(office("judge"), "holder", a.args.player)

    def do_judge(a):
        for name, value in (a.args.switch or {}).items():
            put("settings", name, value)
"""
GARDEN = """
    load("grid", "square")

    BEDS = square(columns = 8, rows = 8)

    def do_plant(a):
        beds = get("game", "beds", {})
        beds[a.args.bed] = a.by
        put("game", "beds", beds)
        if roll(6, "the weather over %s" % a.args.bed) == 6:
            award(a.by, "score", 1, "a flower in %s" % a.args.bed)

    def on_market_day(e):
        award_all([(p, 1) for p in things("player")], "coins", "market day")

    def show_garden():
        beds = get("game", "beds", {})
        flowers = [{"at": bed, "label": beds[bed][:1], "owner": beds[bed]} for bed in sorted(beds)]
        return [heading("The garden"), board(BEDS, flowers, caption = "The garden")]
"""
MUTABLE, IMMUTABLE = {"status": "mutable"}, {"status": "immutable"}
FOUNDING: list[Record] = [
    rule("101", title="Obedience", labels=IMMUTABLE, text="Everybody keeps to the rules as they stand, rule 201 among them."),
    rule("201", VOTING, title="Voting", labels=MUTABLE,
         text="A proposal is adopted if more voters are for it than rule 202 asks for. Rule 101 binds the voters too.",
         defines={"currencies": {"score": {"summary": "Points"}},
                  "game": {"next_number": {"type": "integer", "initial": 301, "bookkeeping": True}}},
         actions={"propose": {"summary": "Propose a rule-change",
                              "arguments": {"title": {"type": "text"}, "changes": {"type": "changes"}}}},
         timers={"voting-ends": {"edge": "deadline", "summary": "Whoever has not voted abstains"}},
         settings={"L-1": {"name": "threshold", "question": "What share of votes adopts?", "default": "majority",
                           "alternatives": {"majority": "More than half.", "three-fifths": "More than 60 %."}}}),
    rule("202", JUDGES, title="Judges", labels=MUTABLE, text="The judge settles what rules 101 and 201 leave open.",
         defines={"offices": {"judge": {"fill": "appointed", "summary": "Settles questions"}}},
         actions={"appoint": {"summary": "Name the judge", "arguments": {"player": {"type": "player"}}},
                  "judge": {"summary": "Settle a question", "as": "judge",
                            "arguments": {"ruling": {"type": "text"},
                                          "switch": {"type": "settings", "optional": True}}}}),
    rule("203", GARDEN, title="The garden", labels=MUTABLE, text="There is a garden of eight by eight beds, a1 to h8.",
         defines={"currencies": {"coins": {"summary": "Coins"}},
                  "game": {"beds": {"type": "map", "initial": {}, "summary": "Who grows what"}}},
         actions={"plant": {"summary": "Plant a flower", "arguments": {"bed": {"type": "string"}}}},
         timers={"market-day": {"every": "week", "weekday": "sunday", "edge": "start", "summary": "Coins for all"}}),
]  # fmt: skip
NEEDED = frozenset(str(each["rule"]) for each in FOUNDING)
"""What play could not go on without: these rules are amended in their wording alone."""
_WHO = ("player", "judge", "speaker", "gardener", "author of a proposal", "newcomer")
_DOES = ("gives away", "announces", "counts", "may withdraw", "must publish", "loses", "records", "buries")
_WHAT = ("coin", "seed", "letter", "vote", "stone", "ballot", "lantern", "harbour", "map", "wager", "season", "census")
_WHEN = ("at the turn of a week", "while a vote is open", "once in a season", "unless the judge objects")
_REPLY = ("It repairs what was broken.", "Too long by half.", "This reads *well*.", "See rule 101.")


def _sentence(chance: random.Random, law: Sequence[str]) -> str:
    """Return a sentence of a law, which often names others of the rules `law` by number."""
    said = f"A {chance.choice(_WHO)} {chance.choice(_DOES)} a {chance.choice(_WHAT)} {chance.choice(_WHEN)}"
    named = [chance.choice(law) for _ in range(chance.choice((0, 0, 0, 1, 1, 2)))]
    return f"{said}{', as rule ' if named else ''}{' and rule '.join(named)}{' allows' if named else ''}."


def text(chance: random.Random, law: Sequence[str]) -> str:
    """Return the text of a rule: some paragraphs, now and then a list."""
    parts = [" ".join(_sentence(chance, law) for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(1, 3))]
    if chance.random() < 0.2:
        parts.append("\n".join(f"{n}. {_sentence(chance, law)}" for n in range(1, chance.randint(3, 6))))
    return "\n\n".join(parts)


def title(chance: random.Random) -> str:
    """Return the title of a rule or proposal."""
    return f"{chance.choice(_WHAT).capitalize()} and {chance.choice(_WHAT)}"


def reason(chance: random.Random) -> str:
    """Return what somebody says with a vote, mostly nothing."""
    return chance.choice(_REPLY) if chance.random() < 0.2 else ""


def amended(chance: random.Random, law: Sequence[str], old: str) -> str:
    """Return the wording of a rule with a sentence struck, changed or added."""
    kept = old.split(". ")
    place = chance.randrange(len(kept))
    kept[place : place + chance.choice((0, 1))] = [_sentence(chance, law).removesuffix(".")]
    return ". ".join(kept)
