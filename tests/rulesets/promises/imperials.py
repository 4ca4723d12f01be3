"""What Imperial Nomic and its training game promise, and how they are played."""

from __future__ import annotations

from collections import Counter

from tests.support.random_play import Manners, Record, Table

DAY = 86_400
NAMES = ["ann", "bob", "cid", "dee", "eve", "jim", "joe"]
PROFILES = [44373, 44369, 44361, 65535, 60757, 0, 21845]
WAYS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
COLUMNS, ROWS = "abcdefghijkl", 5
FLAGS = {"EF": "Emerald", "PF": "Peach"}


# -- Imperial Nomic


def wood(table: Table) -> int:
    """Return how many sections of all Profiles are raised, and how many chips there are."""
    return sum(each["profile"].bit_count() for each in table.of("player").values()) + table.game.get("woodchips", 0)


def wood_is_conserved(table: Table, entry: Record) -> None:
    """It comes with fresh planks and by what is altered at random, and else only changes its place."""
    now, planks = wood(table), table.of("player")
    before, known = table.notes.get("wood", now), table.notes.get("planks", {*planks})
    cut = sum(values["profile"].bit_count() for who, values in planks.items() if who not in known)
    altered = sum(draw["label"] == "alteration" for draw in entry.get("draws") or ())
    assert abs(now - before - cut) <= altered, entry
    table.notes |= {"wood": now, "planks": {*planks}}


def an_empire_is_in_bounds(table: Table, _entry: Record) -> None:
    game, over = table.game, bool(table.run.kernel.documents["game"]["over"])
    tie = table.holder("tie")
    assert 0 <= game.get("temperature", 303) <= 330 or over
    assert game.get("woodchips", 0) >= 0
    assert game["doer"] is None or over
    assert min(game["accept_streak"], game["reject_streak"]) == 0
    assert over == (game["tew"] is not None)
    assert {tie, table.holder("ths")} <= {*table.players}
    assert game["it"] != tie
    if over:
        assert sorted(game["ranking"]) == sorted({*table.of("player")} - {game["tew"]})
    for player, values in table.of("player").items():
        assert 0 <= values["profile"] <= 65535
        assert values["accepted_since"] < 3
        assert values["consecutive_rejected"] < 2
        assert len(values["queue"]) <= 2 or over
        assert over or values.get("score", 0) != 50, player


IMPERIAL = Manners(
    [{"id": who, "email": f"{who}@x.org", "profile": profile} for who, profile in zip(NAMES, PROFILES, strict=True)],
    given=[{"game": True, "it": "jim"}],
    often={"decide": 14, "submit_proposal": 6, "whap": 3, "retool": 4, "transfer_office": 0.3, "proclaim": 0.3},
    values={
        "changes": lambda table: [{"enact": {"title": "Ornament", "text": f"It is {table.dice.random()}."}}],
        "verdict": lambda table: table.dice.choice(["accept"] * 6 + ["reject"] * 3 + ["ignore"]),
        "ground": lambda _table: "3",
        "requests": lambda _table: [],
        "email": lambda table: table.dice.choice(["hi@yo.org", "tivol@mit.edu", "1@2"]),
        "claim": lambda _table: {},
    },
    promises=[wood_is_conserved, an_empire_is_in_bounds],
    pauses=(3_600, 36_000, DAY, 108_000),
    tries=2,
    nonsense=0.04,
    least=5,
    acts=10,
)


# -- the training game


def on_field(square: str) -> bool:
    return square[0] in COLUMNS and 1 <= int(square[1:]) <= ROWS


def people_are_in_bounds(table: Table, _entry: Record) -> None:
    """Bounds of what people have, filled offices, places on the field."""
    for player, has in table.of("player").items():
        assert has["fp"] >= 0
        assert has["credits"] >= 0
        assert (has["team"] is None) == (has["pos"] is None) == (has["home"] is None)
        assert has["team"] is None or (player in table.players and on_field(has["pos"]) and on_field(has["home"]))
        assert has["team"] is not None or has["holds"] == []
    assert {table.holder("tie"), table.holder("ths")} <= {*table.players}
    for team, has in table.of("team").items():
        assert has.get("emperor") is None or table.of("player")[has["emperor"]]["team"] == team
        assert has.get("score", 0) >= 0


def ball_and_flags_are_in_one_place(table: Table, _entry: Record) -> None:
    """One holder or one place of the ball; flags with opponents or somewhere on the field."""
    people, ball = table.of("player"), table.of("ball")["ball"]
    holders = [who for who in table.players if "ball" in people[who]["holds"]]
    assert len(holders) + bool(ball.get("at")) <= 1
    assert ball.get("at") is None or on_field(ball["at"])
    for flag, team in FLAGS.items():
        carriers, at = [who for who in table.players if flag in people[who]["holds"]], table.of("flag")[flag]["at"]
        assert len(carriers) <= 1
        assert on_field(at)
        assert all(people[who]["team"] not in (None, team) and people[who]["pos"] == at for who in carriers)


def goalies_and_orders_are_where_they_belong(table: Table, _entry: Record) -> None:
    """Goalies in their columns, without power while their flag is carried; orders of those on teams alone."""
    people = table.of("player")
    for team, column, flag in (("emerald", "b", "EF"), ("peach", "k", "PF")):
        goalie = table.of("goalie")[f"{team}-goalie"]
        assert goalie["at"][0] == column
        assert on_field(goalie["at"])
        assert not (any(flag in people[who]["holds"] for who in table.players) and goalie.get("active", True))
    assert all(on_field(each["at"]) for each in table.of("force_field").values())
    assert all(people[order["player"]]["team"] is not None for order in table.of("starball_order").values())
    assert max(Counter(each["author"] for each in table.undecided).values(), default=0) <= 2


def an_order(table: Table) -> Record:
    """Return a move, mostly a step; of whoever can, with the ball, a flag, or more Force than most have."""
    dice = table.dice
    step: Record = {"type": "step", "dir": dice.choice(WAYS)}
    others: list[Record] = [
        {"type": each} for each in ("stay", "spin", "grab_ball", "grab_flag", "drop_ball", "drop_flag")
    ]
    thrown = {"type": "throw", "dir": dice.choice(WAYS), "squares": dice.randint(1, 4)}
    order: Record = {"move": dice.choice([step] * 8 + [*others, thrown])}
    parts = {"spin": True, "pre": [step["dir"]] * dice.randint(1, 3), "post": [step["dir"]], "powers": [a_power(table)]}
    return order | {name: part for name, part in parts.items() if dice.random() < 0.1}


def a_power(table: Table) -> Record:
    """Return the use of a Jedi Ability."""
    square = table.dice.choice(COLUMNS[1:-1]) + str(table.dice.randint(1, ROWS))
    way = {"dir": table.dice.choice(WAYS)}
    return table.dice.choice([
        {"power": "Force Field", "target": square},
        {"power": "TK: Flag", "target": table.dice.choice([*FLAGS])} | way,
        {"power": "Jedi Mind Trick", "target": table.dice.choice(table.players)} | way,
    ])  # fmt: skip


TRAINING = Manners(
    [{"id": who} for who in NAMES[:6]],
    given=[
        *(
            {"player": who, "team": "Emerald", "pos": f"{COLUMNS[n + 4]}2", "home": "a3"}
            for n, who in enumerate(NAMES[:3])
        ),
        *(
            {"player": who, "team": "Peach", "pos": f"{COLUMNS[n + 4]}3", "home": "l3"}
            for n, who in enumerate(NAMES[3:6])
        ),
        {"thing": "ball", "at": "f2"},
    ],
    often={"starball_move": 16, "close_jp": 5, "decide": 8, "submit_proposal": 3, "proclaim": 0.3, "leave": 0.3},
    values={
        "changes": lambda table: [{"enact": {"title": "Ornament", "text": f"It is {table.dice.random()}."}}],
        "order": an_order,
        "starball_order": an_order,
        "verdict": lambda table: table.dice.choice(["accept"] * 5 + ["reject"]),
        "power": lambda table: a_power(table)["power"],
        "target": lambda table: a_power(table)["target"],
        "dir": lambda table: table.dice.choice(WAYS),
    },
    promises=[people_are_in_bounds, ball_and_flags_are_in_one_place, goalies_and_orders_are_where_they_belong],
    pauses=(DAY // 2, DAY, 4 * DAY),
    tries=2,
    nonsense=0.04,
    least=5,
    acts=10,
)
