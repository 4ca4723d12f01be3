"""Kinds, ids, players who come and go, offices, duties, gifts."""

from __future__ import annotations

import pytest

from folkmoot.kernel.things import things
from tests.support.table import START, Found, Table, effects, rule, said

GO = {"actions": {"go": {}}}
JOIN = rule(
    "1",
    """
    def do_enter(a):
        create("player", id = a.by if a.args.name == None else a.args.name)
    def do_leave(a):
        destroy(a.by)
    def on_joined(e):
        announce("+" + e.player)
    def on_left(e):
        announce("-" + e.player)
    """,
    defines={"currencies": {"score": {"initial": 7}}, "offices": {"chair": {}}},
    actions={"enter": {"who": "anyone", "arguments": {"name": {"type": "string", "optional": True}}}, "leave": {}},
)


def test_the_roster_is_dated_and_rejoining_keeps_what_was(found: Found) -> None:
    table = found(JOIN)
    assert said(table.ok("zoe", "enter")) == ["+zoe"]
    assert table.get("zoe", "score") == 7
    table.pass_time(60)
    table.ok("ann", "leave")
    assert table.refused("ann", "leave") == "E-NOT-PLAYER"
    table.pass_time(60)
    table.ok("ann", "enter")
    ann = table.document("roster")["ann"]
    assert (ann["since"], ann["until"]) == (START + 120, None)
    assert ann["earlier"] == [{"since": START, "until": START + 60}]
    present = table.kernel.look(lambda play: things(play, "player"), table.now)
    assert present == ["bob", "cid", "zoe", "ann"]


@pytest.mark.parametrize("name", ["ANN", "ann", "Ann"])
def test_a_player_cannot_be_entered_twice_under_other_capitals(found: Found, name: str) -> None:
    table = found(JOIN)
    assert table.refused("zed", "enter", name=name) == "E-DUP"


@pytest.mark.parametrize(
    "name", ["", "9lives", "a b", "аnn", "an\u200bn", "game", "Settings", "../x", "x/y", "a" * 40, "-a", "a.b", "ann\n"]
)
def test_ids_that_could_be_mistaken_are_refused(found: Found, name: str) -> None:
    table = found(JOIN)
    if name:
        assert table.refused("zed", "enter", name=name) == "E-ARGS"
    assert name not in table.document("roster")


THINGS = rule(
    "1",
    """
    def do_make(a):
        announce(create("ball", id = a.args.id))
    def do_go(a):
        announce(create("ball", colour = "red", at = "c4"))
    """,
    defines={
        "kinds": {"ball": {"registers": {"colour": {"type": "choice", "of": ["red", "blue"], "initial": "blue"}}}}
    },
    actions={"go": {}, "make": {"arguments": {"id": {"type": "string"}}}},
)


def test_things_have_ids_registers_and_an_order(found: Found) -> None:
    table = found(THINGS)
    assert said(table.ok("ann", "make", id="ball-2")) == ["ball-2"]
    assert [*said(table.ok("ann", "go")), *said(table.ok("ann", "go"))] == ["ball-1", "ball-3"]
    assert (table.get("ball-2", "colour"), table.get("ball-1", "colour"), table.get("ball-1", "at")) == (
        "blue",
        "red",
        "c4",
    )
    assert table.get("ball-1", "kind") == "ball"


@pytest.mark.parametrize("name", ["Ball-2", "ball-2", "ann", "BOB"])
def test_ids_are_free_only_if_no_other_differs_in_capitals_alone(found: Found, name: str) -> None:
    table = found(THINGS)
    table.ok("ann", "make", id="ball-2")
    assert table.refused("ann", "make", id=name) == "E-DUP"


LESS = rule(
    "2",
    """
    def do_repeal(a):
        repeal(rule("1"))
        announce("red" if get("ball-1", "colour") == "red" else "none")
        put("ball-1", "colour", "blue")
        announce("%s %s %s" % (get("ball-1", "colour"), get("ball-1", "colour", "unknown"), defined("ball-1", "colour")))
    """,
    actions={"repeal": {}},
)


def test_what_rests_on_registers_of_a_repealed_rule_goes_on(found: Found) -> None:
    table = found(THINGS, LESS)
    table.ok("ann", "go")
    assert said(table.ok("ann", "repeal"))[-1] == "blue unknown False"
    assert table.get("ball-1", "colour") == "blue"
    with pytest.raises(Exception, match="no rule in force declares"):
        table.get("ball-1", "weight")


# -- offices


OFFICES = rule(
    "1",
    """
    def do_appoint(a):
        put(office("scribe"), "holder", a.args.who)
    def do_write(a):
        announce("written by " + a.by + " as " + a.as_)
    def on_office_changed(e):
        announce("%s %s>%s" % (e.office, e.before, e.after))
    def decide_holder(office):
        if office == "judge":
            return get("game", "judge")
    def do_judge(a):
        announce("judged")
    def do_leave(a):
        destroy(a.by)
    """,
    defines={
        "offices": {"scribe": {}, "judge": {"fill": "by_rule"}},
        "game": {"judge": {"type": "string", "initial": "bob"}},
    },
    actions={"appoint": {"arguments": {"who": {"type": "string", "optional": True}}}, "write": {"as": "scribe"},
             "judge": {"as": "judge"}, "leave": {}},
)  # fmt: skip


def test_offices_are_held_by_appointment(found: Found) -> None:
    table = found(OFFICES)
    assert table.refused("ann", "write") == "E-NOT-OFFICE"
    assert said(table.ok("bob", "appoint", who="ann")) == ["scribe None>ann"]
    assert said(table.ok("ann", "write")) == ["written by ann as scribe"]
    assert table.refused("bob", "write") == "E-NOT-OFFICE"
    assert table.refused("bob", "appoint", who="zed") == "E-SCRIPT"
    assert table.document("things/office")["scribe"]["since"] == START


def test_an_office_is_vacant_when_its_holder_leaves(found: Found) -> None:
    table = found(OFFICES, offices={"scribe": "ann"})
    assert said(table.ok("ann", "leave")) == ["scribe ann>None"]
    assert table.get({"office": "scribe"}, "holder") is None
    assert table.refused("bob", "appoint", who="ann") == "E-SCRIPT"


def test_offices_filled_by_rule_go_to_players_only(found: Found) -> None:
    table = found(OFFICES)
    assert table.refused("ann", "judge") == "E-NOT-OFFICE"
    assert said(table.ok("bob", "judge")) == ["judged"]
    table = found(OFFICES, opening=[{"game": True, "judge": "zed"}])
    assert table.refused("bob", "judge") == "E-NOT-OFFICE"


def test_acting_as_an_office_that_is_not_there(found: Found) -> None:
    assert found(OFFICES).refused("ann", "leave", as_="emperor") == "E-NOT-OFFICE"


def test_an_undeclared_office_cannot_be_filled(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    put(office('king'), 'holder', 'ann')", **GO))
    assert table.refused("ann", "go") == "E-SCRIPT"


# -- duties and gifts


def test_duties_are_owed_and_settled(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    owe('bob', 'vote', by = now() + 60, key = 'k')\n"
                  "def do_done(a):\n    announce(str([settle('k'), settle('k')]))\ndef do_bad(a):\n    owe('zed', 'x')",
             actions={"go": {}, "done": {}, "bad": {}})
    )  # fmt: skip
    table.ok("ann", "go")
    owed = {"player": "bob", "what": "vote", "by": START + 60, "rule": "1", "since": START, "cause": "ann"}
    assert table.document("things/duty") == {"k": owed}
    assert said(table.ok("ann", "done")) == ["[True, False]"]
    assert table.document("things/duty") == {}
    assert table.refused("ann", "bad") == "E-SCRIPT"


def test_things_are_given_and_shown(found: Found) -> None:
    give = rule(
        "2",
        """
        def do_give(a):
            give("ball-1", a.args.to)
        def do_show(a):
            reveal("ball-1")
        def do_wrong(a):
            give("ann", "bob")
        """,
        actions={"give": {"arguments": {"to": {"type": "string"}}}, "show": {}, "wrong": {}},
    )
    table = found(THINGS, give)
    table.ok("ann", "go")
    given = effects(table.ok("ann", "give", to="bob"), "give")
    assert given[0]["to"] == "bob"
    table.ok("ann", "show")
    assert table.get("ball-1", "owner") == "bob"
    assert table.refused("ann", "give", to="zed") == "E-SCRIPT"
    assert table.refused("ann", "wrong") == "E-SCRIPT"


def test_a_second_founding_is_refused(found: Found) -> None:
    assert found(JOIN).judge("found", None, {"rules": []}).code == "E-DUP"


@pytest.mark.parametrize(
    "founding",
    [{"offices": {"king": "ann"}}, {"settings": {"Q": "x"}}, {"opening": [{"player": "zed", "score": 1}]},
     {"opening": [{"game": True, "nothing": 1}]}, {"players": ("ann", "ANN")}],
)  # fmt: skip
def test_a_founding_that_does_not_fit_leaves_nothing(founding: dict[str, object]) -> None:
    table = Table(JOIN, **founding)  # type: ignore[arg-type]
    assert not table.founded.accepted
    assert table.kernel.documents.everything() == {}


def test_scripts_read_the_boards_that_rules_declare(found: Found) -> None:
    field = {"boards": {"field": {"columns": 3, "rows": 2}}}
    law = rule("1", "def do_go(a):\n    b = declared_board(a.args.name)\n    announce(str(b['columns'] * b['rows']))", actions={"go": {"arguments": {"name": {"type": "string"}}}})  # fmt: skip
    table = found(law, rule("2", defines=field))
    assert said(table.ok("ann", "go", name="field")) == ["6"]
    assert table.refused("ann", "go", name="nowhere") == "E-SCRIPT"


def test_registers_are_read_of_all_things_at_once_in_order(found: Found) -> None:
    listed = """
        def do_go(a):
            create("flower", "rose", height = 3)
            create("flower", "aster")
            announce("%s %s" % (get_all("flower", "height"), get_all("player", "score")))
            announce("%s %s" % (get_all("flower", "size"), get_all("flower", "state", "wild")))
            announce(str(get_all("tree", "age")))
        def decide_size(flower):
            return "tall" if get(flower, "height") > 2 else "small"
    """
    kinds = {
        "flower": {"registers": {"height": {"type": "integer"}, "size": {"type": "string", "derived": True}}},
        "tree": {"registers": {"age": {"type": "integer"}}},
    }
    table = found(rule("1", listed, defines={"kinds": kinds, "currencies": {"score": {"initial": 7}}}, **GO))
    scores = ", ".join(f'"{player}": 7' for player in ("ann", "bob", "cid"))
    assert said(table.ok("ann", "go")) == [
        f'{{"rose": 3, "aster": 0}} {{{scores}}}',
        '{"rose": "tall", "aster": "small"} {"rose": "wild", "aster": "wild"}',
        "{}",
    ]


def test_things_are_selected_by_their_registers_in_order(found: Found) -> None:
    chosen = """
        def do_go(a):
            for name, colour, height in [["rose", "red", 3], ["aster", "blue", 3], ["poppy", "red", 3], ["daisy", "red", 1]]:
                create("flower", name, colour = colour, height = height, owner = a.by)
            announce("%s %s" % (where("flower", colour = "red", height = 3), where("flower", owner = a.by, height = 1)))
            announce("%s %s" % (where("flower"), where("flower", size = "tall")))
            announce("%s %s" % (where("flower", scent = "sweet"), where("flower", scent = None, colour = "blue")))
            announce("%s %s" % (where("player", score = 7), where("weed", colour = "red")))
        def decide_size(flower):
            return "tall" if get(flower, "height") > 2 else "small"
    """  # fmt: skip
    of_flowers = {
        "colour": {"type": "string"},
        "height": {"type": "integer"},
        "size": {"type": "string", "derived": True},
    }
    defines = {"kinds": {"flower": {"registers": of_flowers}}, "currencies": {"score": {"initial": 7}}}
    assert said(found(rule("1", chosen, defines=defines, **GO)).ok("ann", "go")) == [
        '["rose", "poppy"] ["daisy"]',
        '["rose", "aster", "poppy", "daisy"] ["rose", "aster", "poppy"]',
        '[] ["aster"]',
        '["ann", "bob", "cid"] []',
    ]


def test_an_undeclared_register_of_all_things_is_a_mistake(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    get_all('player', 'glory')\n", **GO))
    outcome = table.judge("go", "ann", {})
    assert (outcome.accepted, outcome.code) == (False, "E-SCRIPT")
    assert "glory" in outcome.failures[0]["error"]


def test_what_is_no_such_thing_is_told_which_there_are(found: Found) -> None:
    zoo = """
        def on_enacted(e):
            create("animal", "lion")
            create("animal", "elephant")
        def do_feed(a):
            announce(a.args.animal)
        """
    feed = {"feed": {"arguments": {"animal": {"type": "thing", "kind": "animal"}}}}
    table = found(rule("1", zoo, defines={"kinds": {"animal": {}}}, actions=feed))
    assert said(table.ok("ann", "feed", animal="lion")) == ["lion"]
    (reason,) = table.act("ann", "feed", animal="mouse").reasons
    assert reason["args"]["why"] == "animal must be a thing (lion, elephant), not 'mouse'"
