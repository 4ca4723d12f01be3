"""What A Nomic promises: money, Cards, Stones and Objects come and go by rules only, and offices, contests and Go are in order.

Each check raises an AssertionError whose first word names what does not hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any

from msgspec.structs import replace

from tests.support.random_play import Manners, Record, Table

HOUR, DAY = 3_600, 86_400
CARDS = 208
CREATED = re.compile(r"joins the game$|players voted in nweek \d+$|(^|: )motion \d+$", re.ASCII)
"""Why money may come from nowhere or go there: rules 379, 378, and 341 and 342, also where a Judge takes that back."""
OWNED = ["stone", "stamp", "extra_vote", "dunce_cap", "debt", "home", "place", "contract_offer"]
RANKS = ["Ace", *map(str, range(2, 11)), "Jack", "Queen", "King"]
SUITS = ["Diamonds", "Spades", "Hearts", "Clubs"]
BACKS = ["Red", "Blue", "Fish", "Corporate"]
OFFICES = ["administrator", "osj", "tribune", "banker", "tax_collector", "obc", "dealer"]
PEOPLE = ["ann", "bob", "cid", "dee", "eve", "fay", "gil", "joel"]
"""Who plays: one of them goes by a name that rule 350 knows."""
CORNER = [f"{file}{rank}" for file in "abc" for rank in range(1, 4)]


def name_of(number: int) -> str:
    """Return the name of a Card by its number, from 1."""
    pack, place = divmod(number - 1, 52)
    return f"{BACKS[pack]} {RANKS[place % 13]} of {SUITS[place // 13]}"


def agents(table: Table) -> list[str]:
    return [*table.players, "bank"]


# -- what holds


def money(table: Table, entry: Record) -> None:
    """Nobody has less than nothing, and only the rules that may do so make money or destroy it."""
    purses = [*table.of("player").values(), table.of("bank")["bank"]]
    held = [(purse.get("points", 0), purse.get("pennies", 0)) for purse in purses]
    assert all(points >= 0 for points, _ in held), f"points are below zero: {held}"
    assert all(0 <= pennies < 100 for _, pennies in held), f"pennies are below zero or make a point: {held}"
    funds, worth, made = sum(100 * points + pennies for points, pennies in held), {"points": 100, "pennies": 1}, 0
    for line in entry.get("effects") or ():
        if line["effect"] == "award" and CREATED.search(str(line.get("reason") or line.get("why"))):
            made += worth[line["name"]] * line["applied"]
    before = table.notes.get("funds", funds - made)
    assert funds - before == made, f"funds are {funds - before} more, of which {made} by rules"
    table.notes["funds"] = funds


def cards(table: Table, _entry: Record) -> None:
    """Deck, Hands and Bank have all Cards together, and 52 of each Back at most are seen."""
    game, people = table.game, table.of("player").values()
    size, seen = game.get("deck_size"), Counter[str](game["bank_backs"])
    for values in people:
        seen.update(values["backs"])
    held = [
        card for hand in (*(values["hand"] for values in people), game["bank_hand"]) for card in table.unsealed(hand)
    ]
    assert all(0 <= many <= CARDS // 4 for many in seen.values()), f"backs are more than a pack has: {seen}"
    assert len(held) == seen.total(), f"hands have {len(held)} Cards, and {seen.total()} Backs are seen"
    assert (CARDS if size is None else size) + len(held) == CARDS, f"cards are {size} and {len(held)}"
    if size is not None:
        deck = [name_of(number) for number in table.unsealed(game["deck"])]
        assert sorted([*deck, *held]) == sorted(map(name_of, range(1, CARDS + 1))), "cards are there twice or gone"


def owners(table: Table, entry: Record) -> None:
    """Each Object has an owner, who is an Agent; Rules are Objects, too; nothing is in two Places."""
    known = agents(table)
    for kind in OWNED:
        for each, values in table.of(kind).items():
            assert values.get("owner") in known, f"owner of {each}: {values.get('owner')}"
    if entry.get("with") == {"timer": "midnight"}:
        play = table.run.kernel.play
        of_rules = {uid: play.ask("rule_owner", uid) for uid in play.law.in_force()}
        assert all(owner in (None, *known) for owner in of_rules.values()), f"owner of a Rule: {of_rules}"
    places = [*table.of("home").values(), *table.of("place").values()]
    inside = [*chain.from_iterable(place.get("objects") or () for place in places)]
    assert len(set(inside)) == len(inside), f"places hold something twice: {inside}"
    guests = {*chain.from_iterable(place.get("players") or () for place in places)}
    assert guests <= {*known}, f"places hold those who are no Players: {guests}"


def debts(table: Table, _entry: Record) -> None:
    """Debts are of something, and whoever owes an open one has until its deadline."""
    deadlines = table.game["deadlines"]
    for key, debt in table.of("debt").items():
        assert 100 * debt["amount"] + debt["pennies"] > 0, f"debt of nothing: {key}"
        assert debt["state"] != "open" or deadlines[f"debt/{key}"]["at"] == debt["due"], (
            f"debt is due at another time: {key}"
        )
    kept = {key for key in deadlines if key.startswith("debt/")}
    assert kept <= {f"debt/{key}" for key in table.of("debt")}, f"debt of a deadline is gone: {kept}"


def offices(table: Table, _entry: Record) -> None:
    """Officers are present Players, one of them the Administrator, and those who are elected had stood for it."""
    players, game = table.of("player"), table.game
    for name, office in table.of("office").items():
        holder = office.get("holder")
        assert holder is None or (holder in table.players and not players[holder]["away"]), (
            f"office of {name}: {holder}"
        )
    assert not table.players or table.of("office")["administrator"]["holder"] in table.players, "office of nobody"
    for kept in (game.get("elections") or {}).values():
        assert {*kept["candidates"]} <= {*table.players}, f"office for {kept}"
        assert {*kept["votes"].values()} <= {*kept["candidates"]}, f"office for {kept}"
    ties = (game.get("ties") or {}).values()
    assert all(len(tied) > 1 and {*tied} <= {*table.players} for tied in ties), f"office is tied: {ties}"
    names = [players[who]["roster_name"].lower() for who in table.players]
    assert len({*names}) == len(names), f"names are there twice: {names}"


def contests_and_contracts(table: Table, _entry: Record) -> None:
    """What is open has its deadline; who has signed is an Agent; no Judge judges what they are part of."""
    for key, contest in table.of("contest").items():
        entries, phase = contest.get("entries") or [], contest.get("phase", "idle")
        assert contest.get("master") in [None, *table.players], f"contest of {key}"
        assert len({entry["by"] for entry in entries}) == len(entries), f"contest {key} has two answers of one"
        assert phase != "open" or table.game["deadlines"][f"contest/{key}"], f"contest {key} never closes"
        assert phase != "idle" or not entries, f"contest {key} has answers"
    for key, contract in table.of("contract").items():
        assert {*contract["signatories"]} and {*contract["signatories"]} <= {*agents(table)}, f"contract of {key}"  # noqa: PT018
    for key, request in table.of("rfj").items():
        assert request.get("judge") not in {request.get("plaintiff"), request.get("defendant")} - {None}, (
            f"judge of {key}"
        )


def stones(table: Table, _entry: Record) -> None:
    """Stones are in one of three states and in one place; none without liberties stays, and no position comes back."""
    known = table.of("stone").values()
    states = Counter(values.get("state", "reserve") for values in known)
    assert states["reserve"] + states["in-play"] + states["captured"] == len(known), (
        f"stones are in other states: {states}"
    )
    lying = [values.get("at") for values in known if values.get("state") == "in-play"]
    assert None not in lying, "stones are In Play and lie nowhere"
    assert len({*lying}) == len(lying), f"stones lie at one place: {lying}"
    assert all(values.get("at") is None for values in known if values.get("state") != "in-play"), (
        "stones lie on the board"
    )


def position(table: Table) -> dict[str, str]:
    """Return whose Stone lies where."""
    return {each["at"]: each["owner"] for each in table.of("stone").values() if each.get("state") == "in-play"}


def liberties(board: dict[str, str], start: str) -> int:
    """Return how many liberties the Stones of one owner have that are connected with a Stone."""
    seen, free, rest = {start}, set[str](), [start]
    while rest:
        file, rank = rest[-1][0], int(rest.pop()[1:])
        for x, y in ((ord(file) + 1, rank), (ord(file) - 1, rank), (ord(file), rank + 1), (ord(file), rank - 1)):
            near = f"{chr(x)}{y}"
            if "a" <= chr(x) <= "s" and 1 <= y <= 19 and near not in seen:
                if near not in board:
                    free.add(near)
                elif board[near] == board[start]:
                    seen.add(near)
                    rest.append(near)
    return len(free)


def go(table: Table, entry: Record) -> None:
    """After a placement no Stone of who has no ally is without liberties, and the position is a new one."""
    board, seen = position(table), table.notes.setdefault("positions", [])
    if entry["do"] == "tick":
        seen.clear()  # a game may have ended
    elif entry["do"] == "go_place" and not entry.get("code"):
        allied = {*chain.from_iterable(table.game.get("go_alliances") or ()), entry["by"]}
        dead = [at for at, owner in board.items() if owner not in allied and not liberties(board, at)]
        assert dead == [], f"stones have no liberties: {dead} of {board}"
        assert board not in seen, "stones lie as they have lain"
        seen.append(board)


# -- how it is played


def an_agent(table: Table) -> str:
    return table.dice.choice(agents(table))


def an_object(table: Table) -> str:
    known = [each for kind in OWNED for each in table.of(kind)]
    return table.dice.choice([table.dice.choice(known), "stamp-theft", "dunce-cap", "penny", "301", a_card(table)])


def a_card(table: Table) -> str:
    return f"{table.dice.choice(BACKS)} {table.dice.choice(RANKS)} of {table.dice.choice(SUITS)}"


def some_cards(table: Table) -> list[str]:
    """Return Cards, mostly such as somebody holds."""
    hands = [hand for values in table.of("player").values() if (hand := table.unsealed(values["hand"]))]
    hand = table.dice.choice(hands) if hands else [a_card(table)]
    return table.dice.sample(hand, table.dice.randint(1, min(3, len(hand))))


def an_effect(table: Table) -> Record:
    """Return what an order of a Judge may do, some of it nonsense."""
    who, other, act = an_agent(table), an_agent(table), max(1, len(table.run.entries) - table.dice.randrange(30))
    return table.dice.choice([
        {"pay": {"from": who, "to": other, "points": 2}}, {"set": {"of": who, "register": "away", "value": True}},
        {"undo": act}, {"undo": act}, {"give": {"object": "dunce-cap", "to": other}}, {"undo": 10**9}, {}, 7,
        {"set": {"of": "game", "register": "begin_scores", "value": {}}}, {"breach": {"contract": 1001, "agent": who}},
    ])  # fmt: skip


def one_of(*values: Any) -> Callable[[Table], Any]:
    return lambda table: table.dice.choice(values)


def numbered(kind: str, first: int) -> Callable[[Table], int]:
    """Return a number that a thing of a kind may have."""
    return lambda table: table.dice.randint(first, first + len(table.of(kind)))


CONDITION = one_of(1, 2, "anyone", "at will", "when it rains", {"score": 20}, {"signatories": 2}, {"office": "osj"})
VALUES: dict[str, Callable[[Table], Any]] = {
    **dict.fromkeys(["to", "agent", "whom", "voter", "victim", "executor", "buyer"], an_agent),
    **dict.fromkeys(["activation", "eligible", "joining", "leaving", "ending"], CONDITION),
    **dict.fromkeys(["give", "get"], some_cards),
    "object": an_object,
    "item": one_of(465, 466, 467, 34, 35),
    "buy.item": one_of("stamp-failure", "stamp-theft", "extra-vote-1", "dunce-cap"),
    "act": lambda table: max(1, len(table.run.entries) - table.dice.randrange(30)),
    "bank_act.act": one_of("pay", "publish_debts", "use_thug"),
    "act_as_deputy.act": one_of("appoint_random", "draw_judge"),
    "motion_stupidity.act": one_of("Put tea into the sea"),
    "action": lambda table: max(1, len(table.run.entries) - table.dice.randrange(30)),
    "actions": lambda table: [{"do": "transfer_points", "args": {"to": an_agent(table), "amount": 2}}],
    "amount": one_of(1, 1, 2, 5, 40, 10**30),
    "n": one_of(1, 1, 2, 5, 99),
    "parts": one_of([1, 1], [1, 2], [2, "2.50", "0.50"], ["x"]),
    "debts": lambda table: [table.dice.choice([*table.of("debt"), "debt-0"])],
    "rate": one_of("0.05", "0.1", 0, "0.2", "."),
    "rfj": numbered("rfj", 1),
    "undo": lambda table: max(1, len(table.run.entries) - table.dice.randrange(30)),
    "verdict": one_of("TRUE", "TRUE", "FALSE", "UNDECIDED", "REFUSED", "perhaps"),
    "effects": lambda table: [an_effect(table)],
    "contract": numbered("contract", 1001),
    "offer": lambda table: table.dice.choice([*table.of("contract_offer"), "offer-1"]),
    "go_accept.offer": an_agent,
    "clauses": lambda table: [{"pay": 1, "from": an_agent(table), "to": an_agent(table), "when": "nweek"}],
    "game": one_of("similarity", "poetry", "mediocrity", "chess"),
    "items": one_of(["tea", "rain", "sea"], []),
    "answer": one_of(1, -2, "3.5", "1/3", "green", [1]),
    "vertex": one_of(*CORNER, "t1"),
    "hands": lambda table: [some_cards(table)],
    "duty": lambda table: table.dice.choice([*table.of("duty"), "appoint_random", "break_tie", "say hello"]),
    "duties": one_of(["appoint_random"], ["recognise"], ["say hello"]),
    "conditions": one_of([], [{"proposal": 465, "is": "adopted"}]),
    "condition": one_of({"proposal": 465, "is": "adopted"}, {"motion": 34, "is": "failed"}),
    "find_condition.condition": one_of("activation", "joining", "leaving", "ending"),
    "home": lambda table: table.dice.choice([*table.of("home"), *table.of("place"), "attic"]),
    "rule": one_of("301", "303", "999"),
    "url": one_of("https://nomic.example/randal", "x"),
    "party": lambda table: table.dice.choice([*table.of("party"), "party-1"]),
    "among": lambda table: [table.dice.choice([*table.of("party"), "party-1"])],
    "name": one_of("Zed", "Yan", "ann", "the Bank"),
    "motion_amend_trivially.changes": one_of(
        [{"amend": "301", "text": "x"}], [{"amend": "303", "title": "Anew"}], [{"repeal": "301"}]
    ),
    "changes": lambda table: [{"enact": {"title": "Tea", "text": f"Tea number {table.dice.random()} is served."}}],
}
"""Values of arguments by their names, some of them wrong."""
OFTEN = {
    "deal": 5, "nominate": 3, "vote_election": 3, "create_debt": 3, "submit_answer": 3, "judge": 2, "rfj": 4, "draw_judge": 3,
    "verdict": 4, "judicial_order": 4, "post_challenge": 2, "go_place": 3, "buy_stone": 3, "create_offer": 3, "agree": 4,
    "set_away": 0.5, "resign": 0.3, "forfeit": 0.3, "motion_remove": 0.3, "submit_proposal": 2, "motion_amend_trivially": 1,
}  # fmt: skip
A_NOMIC = Manners(
    [{"id": who} for who in PEOPLE],
    given=[
        *({"office": office, "holder": PEOPLE[n]} for n, office in enumerate(OFFICES)),
        *({"player": who, "points": 300, "pennies": 7} for who in PEOPLE),
        *({"kind": "stone", "owner": who, "state": "reserve"} for who in PEOPLE[:4] for _ in range(6)),
        {"rule": "303", "owned_by": "ann"}, {"thing": "bank", "points": 2_000}, {"game": True, "quorum": 3},
        {"thing": "stamp-theft", "owner": "bob"}, {"thing": "extra-vote-1", "owner": "cid"},
    ],
    often=OFTEN,
    values=VALUES,
    promises=[money, cards, owners, debts, offices, contests_and_contracts, stones, go],
    starts="2001-05-06T12:00:00Z",
    pauses=(HOUR, 5 * HOUR, 20 * HOUR),
    tries=2,
    nonsense=0.05,
    least=5,
    acts=12,
)  # fmt: skip
GO = replace(A_NOMIC, often=dict.fromkeys(["go_offer", "go_accept", "go_war", "go_withdraw", "give_stone", "sell_captured"], 20)
             | {"go_place": 150}, acts=30, pauses=(HOUR, 19 * HOUR), starts="2001-05-01T12:00:00Z")  # fmt: skip
"""The same where everybody plays Go, in one corner of the board."""
