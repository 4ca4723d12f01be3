"""What is sealed in A Nomic, as people do it on a forge: Cards and their Trades, answers of a contest, Parties, verses."""

from __future__ import annotations

from collections.abc import Mapping

from tests.forges.endtoend.world import World

PACKS = ("Red", "Blue", "Fish", "Corporate")
RANKS = ("Ace", *map(str, range(2, 11)), "Jack", "Queen", "King")
SUITS = ("Diamonds", "Spades", "Hearts", "Clubs")
CARDS = tuple(f"{pack} {rank} of {suit}" for pack in PACKS for suit in SUITS for rank in RANKS)
"""All Cards by their names, in the order of their numbers."""
TAKEN = ["lime", "leaf", "frog"]


def hand(world: World, who: str) -> list[str]:
    """Return the Cards in somebody's Hand, as they read them with their own key."""
    found = world.reads(who, world.document("things/player")[who].get("hand") or [])
    assert isinstance(found, list), f"{who} cannot read their Hand"
    return found


def deal(world: World, dealer: str, *players: str) -> None:
    """Let the Dealer deal one Card to each."""
    world.say(dealer, "", world.line(dealer, "deal", "dealer", players=list(players)))


def pooker(world: World, who: str) -> list[str]:
    """Return the PCards of somebody's Hand."""
    return [card for card in hand(world, who) if card.startswith(("Red", "Blue"))]


def rank(card: str) -> str:
    """Return the Rank of a Card."""
    return card.split()[1]


def trade(world: World, one: str, other: str) -> tuple[str, str]:
    """Let two exchange the first PCards of their Hands; return which they were, that of the first of them first."""
    mine, yours = pooker(world, one)[0], pooker(world, other)[0]
    world.say(one, "", world.line(one, "propose_trade", partner=other, give=[mine], get=[yours]))
    world.say(other, "", world.line(other, "propose_trade", partner=one, give=[yours], get=[mine]))
    world.settle()
    assert yours in hand(world, one)
    assert mine in hand(world, other)
    return mine, yours


def challenge(world: World, master: str, *, days: int | None = None) -> None:
    """Let the Similarity Officer post a Challenge."""
    given = {"items": TAKEN} | ({"days": days} if days else {})
    world.say(master, "", world.line(master, "post_challenge", game="similarity", **given))


def answer(world: World, answers: Mapping[str, str], *, by_form: str = "") -> None:
    """Let people answer the Challenge in private, one of them by a form."""
    for who, said in answers.items():
        line = world.line(who, "submit_answer", answer=said)
        if who == by_form:
            sealed = line.partition("answer=")[2]
            world.fill(who, "An answer", "act", line, choice="submit_answer", arguments=f"answer: {sealed}")
        else:
            world.say(who, "", line)


def show_hand(world: World, who: str, many: int) -> list[str]:
    """Let somebody show PCards in a Showdown, as one Poker Hand, a Pair if they have one; return them."""
    held = pooker(world, who)
    ranks = [rank(card) for card in held]
    cards = sorted(held, key=lambda card: (-ranks.count(rank(card)), rank(card)))[:many]
    assert len(cards) == many
    world.say(who, "", world.line(who, "show_hands", hands=[cards]))
    return cards
