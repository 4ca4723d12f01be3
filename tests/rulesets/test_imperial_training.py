"""What scenario files of imperial-training cannot say well: the field amended in play, figures of the pages, reconstructions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found, run_scenario

Record = dict[str, Any]
SCENARIOS = Path(__file__).parents[1] / "scenarios" / "imperial-training"
RECONSTRUCTED = {"3-1", "6-1", "10", "11", "12", "13", "14", "15-1", "15-2", "16", "17-1"}


def rule(uid: str) -> Record:
    """Return a rule of the ruleset."""
    return next(rule for rule in founding("imperial-training")["rules"] if rule["uid"] == uid)


def step(player: str, way: str) -> Record:
    """Return the step of a scenario in which a player declares a step."""
    return {"by": player, "do": "starball_move", "args": {"order": {"move": {"type": "step", "dir": way}}}}


def play(*steps: Record, given: list[Record], players: tuple[str, ...] = ("rico", "ann", "bob")) -> Run:
    """Play steps and return the game."""
    scenario: Record = {"scenario": "x", "ruleset": "imperial-training", "players": list(players), "given": given}
    run = run_scenario({**scenario, "steps": list(steps)}, founding)
    assert run is not None
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    return run


def on(player: str, team: str, pos: str, **more: Any) -> Record:
    """Return what is given of a player on the field."""
    return {"player": player, "team": team, "pos": pos, "home": {"Emerald": "a3", "Peach": "l3"}[team], **more}


CLOSE = {"by": "rico", "do": "close_jp"}


def seven_rows() -> Record:
    """Return the change that gives the field seven rows, in text and script."""
    text, script = rule("17")["text"], rule("17")["script"]
    assert script.count("rows = 5") == 1
    text = text.replace("12 columns and 5 rows", "12 columns and 7 rows").replace(
        "row 5 lies next to row 1", "row 7 does"
    )
    return {"amend": "17", "text": text, "script": script.replace("rows = 5", "rows = 7")}


def test_a_field_of_seven_rows_from_the_next_harf_on() -> None:
    proposed = {"title": "Seven rows", "changes": [seven_rows()]}
    expect: list[Record] = [
        {"player": "ann", "pos": "d6"},
        {"player": "bob", "pos": "g7"},
        {"call": "row_neighbours", "args": [7], "gives": [1, 6]},
        {"call": "row_distance", "args": [1, 6], "gives": 2},
        {"page": "starball", "contains": "'rows': 7"},
        {"thing": "ball", "at": "g2"},
    ]
    play(
        step("bob", "n"),
        CLOSE,
        {"expect": [{"player": "bob", "pos": "g1"}]},
        {"by": "ann", "do": "submit_proposal", "args": proposed, "with": [{"starball_move": {"order": {"move": {"type": "step", "dir": "n"}}}}]},
        {"by": "rico", "do": "decide", "args": {"number": 1, "verdict": "accept"}},
        step("bob", "s"),
        CLOSE,
        {"expect": expect},
        given=[on("ann", "Emerald", "d5"), on("bob", "Peach", "g5"), {"thing": "ball", "at": "g2"}],
    )  # fmt: skip


def nine_columns() -> list[Record]:
    """Return the changes that take three columns off the field."""
    script = (
        rule("17")["script"]
        .replace("columns = 12", "columns = 9")
        .replace("zone = 12, goalies = 11", "zone = 9, goalies = 8")
    )
    script = script.replace('["i2", "i3", "i4"]', '["f2", "f3", "f4"]')
    page = rule("17-1")["script"].replace('"Peach": "l"', '"Peach": "i"')
    return [{"amend": "17", "script": script}, {"amend": "17-1", "script": page}]


def test_what_stands_beyond_the_edge_of_a_smaller_field_comes_back_onto_it() -> None:
    run = play(
        {"by": "rico", "do": "proclaim", "args": {"title": "Nine columns", "changes": nine_columns()}},
        {"expect": [
            {"player": "ann", "pos": "e5"},
            {"player": "bob", "pos": "i3", "home": "i3"},
            {"thing": "PF", "at": "i3", "base": "i3"},
            {"thing": "peach-goalie", "at": "h3"},
            {"thing": "ball", "at": "i5"},
            {"kind": "force_field", "at": "i1", "count": 1},
        ]},
        step("bob", "n"),
        CLOSE,
        {"tick": "+24h"},
        given=[
            on("ann", "Emerald", "e5"),
            on("bob", "Peach", "k4"),
            {"thing": "ball", "at": "k5"},
            {"kind": "force_field", "team": "Peach", "at": "l1"},
        ],
    )  # fmt: skip
    assert not any(entry.get("failures") for entry in run.entries)
    assert (run.kernel.documents.find("things/player") or {})["bob"]["pos"] == "i4"


def test_of_many_positions_the_last_thirty_are_kept() -> None:
    run = play(*[CLOSE] * 32, given=[on("ann", "Emerald", "d5")])
    kept = (run.kernel.documents.find("things/starball_position") or {}).values()
    assert [each["title"] for each in kept] == [f"Judgment Period {n}, before the moves" for n in range(3, 33)]


def test_the_figures_of_the_starball_page() -> None:
    order = {"pre": ["e"], "move": {"type": "step", "dir": "e"}}
    run = play(
        {"by": "ann", "do": "submit_proposal", "args": {"title": "One", "starball_order": order}},
        step("bob", "w"),
        given=[
            on("ann", "Emerald", "c2", holds=["ball"]),
            on("bob", "Peach", "k4", fallen=True),
            {"thing": "Emerald", "score": 7, "emperor": "ann"},
            {"kind": "force_field", "team": "Peach", "at": "f1"},
        ],
    )
    page = run.kernel.pages(run.now)["starball"]
    assert "error" not in page
    shown = {block["block"]: block for block in page["blocks"]}
    board = shown["board"]
    assert (board["grid"]["columns"], board["grid"]["rows"], board["grid"]["wrap"]) == (12, 5, "rows")
    places = {piece["name"]: piece["at"] for piece in board["pieces"]}
    assert places == {
        "ann (Emperor, Emerald Republic, with the ball)": "c2",
        "bob (Peach Rebellion, fallen)": "k4",
        "the ball": "c2",
        "EF, flag of the Emerald Republic": "a3",
        "PF, flag of the Peach Rebellion": "l3",
        "Goalie of the Emerald Republic": "b3",
        "Goalie of the Peach Rebellion": "k3",
        "Force Field of the Peach Rebellion": "f1",
    }
    zones = list(board["zones"].values())
    assert {zone: zones.count(zone) for zone in zones} == {
        "Zone of the Emerald Republic": 5,
        "Single Score Zone of the Emerald Republic": 3,
        "Zone of the Peach Rebellion": 5,
        "Single Score Zone of the Peach Rebellion": 3,
    }
    tables = [block["rows"] for block in page["blocks"] if block["block"] == "table"]
    assert tables[0][0] == ["Emerald Republic", 7, "ann", "(1,3)", "yes"]
    assert tables[1] == [["ann", "Emerald", "(3,2)", "ball", ""], ["bob", "Peach", "(11,4)", "", "fallen"]]
    assert [count for _what, count in tables[2]] == [1, 1, 0]
    assert [row[0] for row in tables[3]] == sorted(row[0] for row in tables[3])
    assert "order" not in str(board)  # what is queued is counted, never shown


def test_the_log_tells_every_roll_of_the_last_harf() -> None:
    goalies = [{"thing": f"{team}-goalie", "active": False} for team in ("emerald", "peach")]
    run = play(
        step("ann", "e"), CLOSE, given=[on("ann", "Emerald", "e2", holds=["ball"]), on("bob", "Peach", "g2"), *goalies]
    )
    log = next(b for b in run.kernel.pages(run.now)["starball"]["blocks"] if b["block"] == "log")["lines"]
    tackled = any(draw["label"] == "direction of the ball" for entry in run.entries for draw in entry.get("draws", ()))
    assert log[:3] == ["1. Judgment Period 1", "2. Round 1", "3. ann moves from (5,2) to (6,2)"]
    assert log[3] == f"4. bob dives to tackle, 1 in 4: {'they connect' if tackled else 'they miss'}"


def test_pages_of_fifty_and_the_table_of_scores() -> None:
    run = play(
        {"by": "ann", "do": "submit_proposal", "args": {"title": "Forty-nine"}},
        {"by": "rico", "do": "direct", "args": {"area": "Money"}},
        {"by": "ann", "do": "point_of_order", "args": {"text": "Fifty-one?"}},
        {"by": "rico", "do": "proclaim", "args": {"text": "Fifty-two."}},
        given=[{"game": True, "next_number": 49}, {"player": "ann", "points": -2, "lucky_number": 4}],
    )
    pages = run.kernel.pages(run.now)
    assert [page for page, shown in pages.items() if "error" in shown] == []
    headings = [block["text"] for block in pages["proposals"]["blocks"] if block["block"] == "heading"]
    assert headings[1:] == ["Proposals 51-100", "Proposals 1-50"]
    tables = [block["rows"] for block in pages["proposals"]["blocks"] if block["block"] == "table"]
    assert [[row[0], row[1]] for row in tables[0]] == [[51, "Point of Order"], [52, "Proclamation"]]
    assert [[row[0], row[1]] for row in tables[1]] == [[49, "Proposal"], [50, "Directive"]]
    scores = next(block for block in pages["scores"]["blocks"] if block["block"] == "table")
    assert scores["columns"] == [
        "Player",
        "Points",
        "Credits",
        "Force Points",
        "Lucky Number",
        "Allegiance",
        "Starball team",
    ]
    ann = next(row for row in scores["rows"] if row[0] == "ann")
    assert ann[:4] == [
        "ann",
        -2,
        0,
        10 + 3 * any(draw["result"] == 4 for e in run.entries for draw in e.get("draws", ())),
    ]


def test_reconstructions_say_so() -> None:
    rules = founding("imperial-training")["rules"]
    assert {r["uid"] for r in rules if r["labels"]["origin"] == "reconstruction"} == RECONSTRUCTED
    for each in rules:
        told = any(word in each["text"] for word in ("reconstruct", "placeholder"))
        assert told or each["uid"] not in RECONSTRUCTED, f"rule {each['uid']} does not say that it is a reconstruction"


def test_reconstructions_can_be_replaced() -> None:
    """Without all of them the game goes on: proposals are decided, Force Points gained, teams joined."""
    scenario: Record = {"scenario": "x", "ruleset": "imperial-training", "players": ["rico", "ann", "bob"]}
    run = found(scenario, founding, lambda event: open_chance("", str(event.seq)))
    changes = [{"repeal": uid} for uid in sorted(RECONSTRUCTED)]
    assert run.apply("proclaim", "rico", None, {"changes": changes}).accepted
    for do, by, args in [
        ("submit_proposal", "ann", {"title": "Still here"}),
        ("decide", "rico", {"number": 2, "verdict": "accept"}),
        ("join_team", "ann", {"team": "Emerald"}),
        ("join_team", "bob", {"team": "Peach"}),
    ]:
        outcome = run.apply(do, by, None, args)
        assert (outcome.accepted, outcome.failures) == (True, []), f"{do}: {outcome}"
    run.advance(run.now + 8 * 86_400, after_deadlines=True)
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    assert [page for page, shown in run.kernel.pages(run.now).items() if "error" in shown] == []


def test_every_alternative_of_every_switch_is_played() -> None:
    """Each reading is the default or stands in a scenario."""
    played = set()
    for path in SCENARIOS.glob("*.yaml"):
        settings = read_scenario(path.read_text(encoding="utf-8"), str(path)).get("settings") or {}
        played |= {(switch, str(value)) for switch, value in settings.items()}
    known = {
        uid: each for r in founding("imperial-training")["rules"] for uid, each in (r.get("settings") or {}).items()
    }
    assert sorted(known, key=lambda switch: int(switch[4:])) == [f"G0-Q{n}" for n in range(1, 22)]
    others = {
        (switch, word) for switch, each in known.items() for word in each["alternatives"] if word != each["default"]
    }
    assert others - played == set()


ERRORS = """
join E-DUP E-ARGS, leave E-STATUS, submit_proposal E-NOT-PLAYER E-ARGS E-STATUS, withdraw E-NO-SUCH E-STATUS,
rewrite E-NOT-OFFICE E-STATUS, decide E-NOT-OFFICE E-NO-SUCH E-GROUND E-DUP, proclaim E-NOT-OFFICE, direct E-NOT-OFFICE,
close_directive E-NOT-OFFICE, reward E-NOT-OFFICE E-NO-SUCH, point_of_order E-NOT-PLAYER, answer_point E-NOT-OFFICE,
transfer_office E-NOT-OFFICE E-NOT-PLAYER, convert_fp E-FUNDS E-ARGS, use_power E-FUNDS E-NO-SUCH,
set_lucky_number E-ARGS E-DUP, declare_allegiance E-NO-SUCH, pay E-FUNDS, join_team E-STATUS,
starball_move E-STATUS E-DUP E-ARGS, close_jp E-NOT-OFFICE E-ORDER, tick E-TIME
"""


def test_every_refusal_is_played() -> None:
    """Each action has a scenario for each code it is refused with, and what has an action here is in the list."""
    listed = {line.split()[0]: line.split()[1:] for line in ERRORS.replace("\n", " ").split(",")}
    for action, codes in listed.items():
        for code in codes:
            assert (SCENARIOS / f"error-{action}-{code}.yaml").is_file()
    offered = {name for r in founding("imperial-training")["rules"] for name in r.get("actions") or {}}
    assert offered - set(listed) == {"advise", "decide_starball_winner"}
