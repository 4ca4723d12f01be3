"""Laws of a card game in which hands are sealed."""

from __future__ import annotations

import json

from tests.support.table import rule

CARDS = ["one of hearts", "two of hearts", "one of spades", "two of spades", "one of clubs", "two of clubs"]
GAME = rule(
    "1",
    """
    def pair(a, b):
        return [a, b]

    def follows(hand, card, led):
        return card in hand and (led in card or not [c for c in hand if led in c])

    def without(hand, card):
        return [c for c in hand if c != card]

    def asks(card):
        return get("game", "led")

    def runs_on(card):
        total = 0
        for n in range(100000):
            for m in range(1000):
                total += n
        return total

    def fails(card):
        return card + 1

    def longest(cards):
        return cards[0] if len(cards[0]) > len(cards[1]) else cards[1]

    def do_deal(a):
        deck = shuffle_sealed(CARDS)
        for i, player in enumerate(things("player")[:3]):
            put(player, "hand", sealed("pair", deck[2 * i], deck[2 * i + 1]))

    def do_play(a):
        hand = get(a.by, "hand")
        fits = sealed("follows", hand, a.args.card, get("game", "led"))
        require(declassify(fits, "whether a card may be played"), "E-SUIT", "follow suit")
        put(a.by, "hand", sealed("without", hand, a.args.card))
        put("game", "played", get("game", "played") | {a.by: a.args.card})

    def do_show(a):
        put("game", "shown", reveal(get("game", "played")))

    def do_ask(a):
        put(a.by, "hand", sealed(a.args.function, get(a.by, "hand")))

    def do_leak(a):
        put("game", "led", get(a.by, "hand"))

    def do_add(a):
        put("game", "led", get(a.by, "hand") + ["one"])

    def do_pay(a):
        award(a.by, "score", get(a.by, "hand"))

    def do_lend(a):
        disclose(get(a.by, "hand"), a.args.to)

    def do_best(a):
        put("game", "best", sealed("longest", [get("ann", "hand"), get("bob", "hand")]))

    def do_open(a):
        put("game", "led", "%s" % reveal(get(a.by, "hand")))
    """.replace("CARDS", json.dumps(CARDS)),
    sealed=dict.fromkeys(("pair", "follows", "without", "asks", "runs_on", "fails", "longest"), "What it tells"),
    defines={
        "player": {"hand": {"type": "list", "sealed": "owner"}},
        "game": {
            "led": {"type": "string", "initial": "hearts"},
            "played": {"type": "map"},
            "shown": {"type": "map"},
            "best": {"type": "list", "sealed": "nobody"},
        },
        "offices": {"dealer": {}},
        "currencies": {"score": {}},
    },
    actions={
        "deal": {},
        "play": {"arguments": {"card": {"type": "string", "sealed": "nobody"}}},
        "show": {},
        "ask": {"arguments": {"function": {"type": "string"}}},
        "leak": {},
        "add": {},
        "pay": {},
        "lend": {"arguments": {"to": {"type": "any"}}},
        "best": {},
        "open": {},
    },
)
SECRET = rule("2", "def decide_ballots_sealed(p):\n    return True\n")
