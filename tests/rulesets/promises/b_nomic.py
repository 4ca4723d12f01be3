"""What B Nomic promises: Tiles lie in one place each, Souls have one Master, Tokens only go, and the Clock is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.support.random_play import Manners, Record, Table

DAY = 86_400
PEOPLE = [f"p{n:02d}" for n in range(7)]
MINISTRIES = "meta law change communications everyone arcana tiles grammar spirituality banking".split()
TOKENS = ["power_tokens", "length_tokens", "control_tokens", "magic_tokens"]
CURRENCIES = ["amplitude", "genechips", "suck_points", "burns", *TOKENS]
WORDS = "at tea rain seat in on an it is ear no tie one oar end due van go".split()
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


def the_clock_is_right(table: Table, _entry: Record) -> None:
    """It has gone for exactly as long as it was seen On."""
    game, now = table.game, table.run.now
    runs, turned, on = table.notes.get("clock", (0, now, True))
    if (game["clock"] == "On") != on:
        runs, turned, on = runs + (now - turned if on else 0), now, not on
        table.notes["clock"] = runs, turned, on
    table.notes.setdefault("clock", (runs, turned, on))
    assert game["clock_run"] + (now - game["clock_turned"] if on else 0) == runs + (now - turned if on else 0)
    assert 1 <= game["ndays"] <= 12


def tiles_lie_in_one_place_each(table: Table, _entry: Record) -> None:
    """No letter is lost, there are four Blanks, and nobody holds too many."""
    tiles, zones = table.of("tile"), table.of("zone")
    if not zones:
        assert not tiles
        return
    lying = [tile for values in zones.values() for tile in values.get("tiles") or []]
    owned = [tile for tile, values in tiles.items() if values.get("owner")]
    assert len({*lying}) == len(lying), "a Tile lies in two places"
    assert {*lying} <= {*tiles} - {*owned}
    assert sum(not values.get("blank") and len(values["letter"]) == 1 for values in tiles.values()) == 98
    assert len(tiles) >= 102
    racks = Counter(values["owner"] for values in tiles.values() if values.get("owner"))
    assert all(player in table.players and n <= 7 for player, n in racks.items())
    assert all(not values.get("controller") or values["controller"] in table.players for values in zones.values())


def souls_have_one_master(table: Table, _entry: Record) -> None:
    """A Soul is what it is called, and nobody possesses too many."""
    masters = Counter[str]()
    for soul, values in table.of("soul").items():
        state, master = values["state"], values.get("master")
        masters.update([master] if master else [])
        assert master is None or master in table.players, soul
        assert (state in ("Owned", "Found")) == (master is not None), (soul, values)
        assert state != "Owned" or master == values["name"], (soul, values)
        assert (state == "Bound") == (values.get("bound_to") is not None), (soul, values)
        assert state != "Bound" or values["bound_to"] in table.of("talisman"), (soul, values)
    assert all(n <= 3 for n in masters.values()), masters


def tokens_only_go(table: Table, _entry: Record) -> None:
    """Nobody has less than nothing but of what may be less, and Tiles Tokens never come from nowhere."""
    people = [table.of("player")[player] for player in table.players]
    for name in set(CURRENCIES) & people[0].keys() - {"amplitude", "suck_points"}:
        assert all(values[name] >= 0 for values in people), name
    if "token_pool" in table.game:
        total = table.game["token_pool"] + sum(values[name] for values in people for name in TOKENS)
        assert total <= table.notes.get("tokens", 1_000), "Tokens come from nowhere"
        table.notes["tokens"] = total


# -- how it is played


def a_word(table: Table) -> list[str]:
    """Return Tiles of somebody's Rack that spell a word, or some with what lies in a Zone."""
    tiles = table.of("tile")
    rack = [tile for tile, values in tiles.items() if values.get("owner")]
    for word in table.dice.sample(WORDS, len(WORDS)):
        for by in table.players:
            left, chosen = [tile for tile in rack if tiles[tile]["owner"] == by], list[str]()
            for letter in word:
                chosen += [tile for tile in left if tiles[tile].get("letter") == letter and tile not in chosen][:1]
            if len(chosen) == len(word):
                return chosen
    return rack[:2]


def a_change(table: Table) -> list[Record]:
    """Return an ornament, or an order that makes Talismans, rooms and Tiles."""
    rule = {
        "enact": {"title": f"Ornament {table.dice.random()}", "text": "It is mentioned.", "labels": {"section": "9"}}
    }
    return [rule, {"enact": {"title": "Wonders", "text": "There are wonders.", "once": True, "script": WONDER}}][
        : table.dice.randint(1, 2)
    ]


def one_of(*values: Any) -> Callable[[Table], Any]:
    return lambda table: table.dice.choice(values)


B_NOMIC = Manners(
    [{"id": who} for who in PEOPLE],
    given=[{"game": True, "ndays": 8}, *({"office": name, "holder": PEOPLE[n % 4]} for n, name in enumerate(MINISTRIES))],
    often={"start_tiles": 6, "play_word": 14, "flip_key": 2, "nominate": 3, "accept": 3, "take_soul": 2, "zap": 2, "forge": 2,
           "stop_tiles": 0.5, "forfeit": 0.3, "submit_referendum": 0.2, "submit_cfi": 2},
    values={
        "changes": a_change,
        "tiles": a_word,
        "zone": lambda table: table.dice.randint(1, max(1, len(table.of("zone")))),
        "zones": lambda table: table.dice.sample(range(1, 10), table.dice.randint(1, 3)),
        "soul": lambda table: table.dice.choice([*table.of("soul"), "nobody"]),
        "objects": lambda table: [table.dice.choice([*table.of("soul"), "soul-p00"]), {"genechips": table.dice.choice([20, -5])}],
        "vote": one_of("FOR", "MAYBE", "AGAINST", "FNORD"),
        "action": one_of("exchange", "spend_amplitude", "unhide", "start_tiles", "flip_key"),
        "letter": one_of(*"aeinst"),
        "violations": one_of([], ["Better"], ["A change"]),
        "forms": one_of(["story"], ["poem", "sonnet"], []),
        "period": one_of(1, 3, 9),
        "votes": one_of({}, {"1": "FOR"}),
        "times": one_of(1, 2, 10**9),
    },
    promises=[the_clock_is_right, tiles_lie_in_one_place_each, souls_have_one_master, tokens_only_go],
    starts="2005-07-24T12:00:00Z",
    pauses=(3_600, DAY // 4, DAY, DAY),
    tries=2,
    nonsense=0.05,
    least=4,
    acts=12,
)  # fmt: skip
