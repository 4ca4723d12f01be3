"""Kinds, ids, players who come and go, offices and who acts for them, gifts, and things that act."""

from __future__ import annotations

import pytest

from folkmoot.kernel.things import things
from folkmoot.scenarios.claims import meets
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.pages.players import office_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect as sentence_of
from tests.support.table import START, VOTING, Found, Table, effects, failed, rule, said

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
THINGS = rule(
    "2",
    """
    def do_make(a):
        announce(create("ball", id = a.args.id))
    def do_go(a):
        announce(create("ball", colour = "red", at = "c4"))
    def do_give(a):
        give(a.args.id, a.args.to)
    def do_hint(a):
        emit("hint")
    def on_hint(e):
        create("ball", "no id")
    """,
    defines={
        "kinds": {"ball": {"registers": {"colour": {"type": "choice", "of": ["red", "blue"], "initial": "blue"}}}}
    },
    actions={
        "go": {},
        "hint": {},
        "make": {"arguments": {"id": {"type": "string"}}},
        "give": {"arguments": {"id": {"type": "string"}, "to": {"type": "string"}}},
    },
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
    assert table.kernel.look(lambda play: things(play, "player"), table.now) == ["bob", "cid", "zoe", "ann"]


def test_things_have_ids_registers_and_an_order_and_are_given(found: Found) -> None:
    table = found(THINGS)
    assert said(table.ok("ann", "make", id="ball-2")) == ["ball-2"]
    assert [*said(table.ok("ann", "go")), *said(table.ok("ann", "go"))] == ["ball-1", "ball-3"]
    read = (("ball-2", "colour"), ("ball-1", "colour"), ("ball-1", "at"), ("ball-1", "kind"))
    assert [table.get(*each) for each in read] == ["blue", "red", "c4", "ball"]
    assert effects(table.ok("ann", "give", id="ball-1", to="bob"), "give")[0]["to"] == "bob"
    assert table.get("ball-1", "owner") == "bob"
    for id_, to in (("ball-1", "zed"), ("ann", "bob")):
        assert table.refused("ann", "give", id=id_, to=to) == "E-SCRIPT"


TAKEN = ("ANN", "ann", "BALL-2", "ball-2")
NO_IDS = ("9lives", "a b", "аnn", "an\u200bn", "game", "Settings", "../x", "a" * 40, "-a", "a.b", "ann\n")


@pytest.mark.parametrize(("name", "code"), [*((n, "E-DUP") for n in TAKEN), *((n, "E-ARGS") for n in NO_IDS)])
def test_an_id_that_cannot_be_refuses_the_act_and_blames_no_rule(found: Found, name: str, code: str) -> None:
    table = found(JOIN, THINGS)
    table.ok("ann", "make", id="ball-2")
    outcomes = [table.act("bob", "make", id=name)]
    if code == "E-ARGS" or "ann" in name.lower():
        outcomes.append(table.act("zed", "enter", name=name))
    assert [(outcome.code, outcome.failures) for outcome in outcomes] == [(code, [])] * len(outcomes)
    assert failed(table.ok("ann", "hint")) == [("2", "on_hint")], "where nobody acts it is the rule's own failure"


def test_what_rests_on_registers_of_a_repealed_rule_goes_on(found: Found) -> None:
    repealing = """
    def do_repeal(a):
        repeal(rule("2"))
        announce("red" if get("ball-1", "colour") == "red" else "none")
        put("ball-1", "colour", "blue")
        announce("%s %s %s" % (get("ball-1", "colour"), get("ball-1", "colour", "unknown"), defined("ball-1", "colour")))
    """
    table = found(THINGS, rule("3", repealing, actions={"repeal": {}}))
    table.ok("ann", "go")
    assert said(table.ok("ann", "repeal")) == ["red", "blue unknown False"]
    assert table.get("ball-1", "colour") == "blue"
    with pytest.raises(Exception, match="no rule in force declares"):
        table.get("ball-1", "weight")


@pytest.mark.parametrize(
    "founding",
    [{"offices": {"king": "ann"}}, {"settings": {"Q": "x"}}, {"opening": [{"player": "zed", "score": 1}]},
     {"opening": [{"game": True, "nothing": 1}]}, {"players": ("ann", "ANN")}],
)  # fmt: skip
def test_a_founding_that_does_not_fit_leaves_nothing_and_a_second_is_refused(founding: dict[str, object]) -> None:
    table = Table(JOIN, **founding)  # type: ignore[arg-type]
    assert not table.founded.accepted
    assert table.kernel.documents.everything() == {}
    assert Table(JOIN).judge("found", None, {"rules": []}).code == "E-DUP"


def test_things_are_read_and_selected_by_their_registers_in_order(found: Found) -> None:
    chosen = """
        def do_go(a):
            for name, colour, height in [["rose", "red", 3], ["aster", "blue", 3], ["poppy", "red", 3], ["daisy", "red", 1]]:
                create("flower", name, colour = colour, height = height, owner = a.by)
            announce("%s %s" % (where("flower", colour = "red", height = 3), where("flower", owner = a.by, height = 1)))
            announce("%s %s" % (where("flower"), where("flower", size = "tall")))
            announce("%s %s" % (where("flower", scent = "sweet"), where("flower", scent = None, colour = "blue")))
            announce("%s %s" % (where("player", score = 7), where("weed", colour = "red")))
            announce("%s %s" % (get_all("flower", "size"), get_all("player", "score")))
            announce("%s %s" % (get_all("flower", "scent", "wild"), get_all("weed", "colour")))
            get_all("player", "glory")
        def decide_size(flower):
            return "tall" if get(flower, "height") > 2 else "small"
    """  # fmt: skip
    word = {"type": "string"}
    of_flowers = {"colour": word, "height": {"type": "integer"}, "size": {**word, "derived": True}}
    kinds = {"flower": {"registers": of_flowers}, "weed": {"registers": {"colour": word}}}
    going = rule("1", chosen, defines={"kinds": kinds, "currencies": {"score": {"initial": 7}}}, **GO)
    assert "glory" in found(going).act("ann", "go").failures[0]["error"]
    assert said(found({**going, "script": going["script"].replace('"glory"', '"score"')}).ok("ann", "go")) == [
        '["rose", "poppy"] ["daisy"]',
        '["rose", "aster", "poppy", "daisy"] ["rose", "aster", "poppy"]',
        '[] ["aster"]',
        '["ann", "bob", "cid"] []',
        '{"rose": "tall", "aster": "tall", "poppy": "tall", "daisy": "small"} {"ann": 7, "bob": 7, "cid": 7}',
        '{"rose": "wild", "aster": "wild", "poppy": "wild", "daisy": "wild"} {}',
    ]


# -- offices


OFFICES = rule(
    "10",
    """
    def do_appoint(a):
        put(office(a.args.to), "holder", a.args.who)
        put(office(a.args.to), "term_ends", now() + 50 * DAY)
    def do_deputise(a):
        put(office("judge"), "deputy", a.args.who)
    def do_rule_on(a):
        announce("%s as %s, whom %s holds" % (a.by, a.as_, holder("judge")))
    def do_count(a):
        announce("counted")
    def do_leave(a):
        destroy(a.by)
    def on_office_changed(e):
        announce("%s %s>%s" % (e.office, e.before, e.after))
    def decide_holder(office):
        return get("game", "teller") if office == "teller" else None
    def decide_acts_for(player, office_):
        if office_ == "judge":
            if holder("judge") == None:
                return holds(player, "warden")
            return get(office("judge"), "deputy") == player
    """,
    defines={
        "office": {"term_ends": {"type": "time", "optional": True}, "deputy": {"type": "player", "optional": True}},
        "offices": {"judge": {}, "warden": {}, "teller": {"fill": "by_rule"}},
        "game": {"teller": {"type": "string", "initial": "bob"}},
    },
    actions={
        "appoint": {"arguments": {"to": {"type": "string"}, "who": {"type": "string", "optional": True}}},
        "deputise": {"as": "judge", "arguments": {"who": {"type": "player"}}},
        "rule_on": {"as": "judge"},
        "count": {"as": "teller"},
        "leave": {},
    },
)


def seated(*rules: object) -> Table:
    return Table(OFFICES, *rules, offices={"judge": "ann", "warden": "cid"})  # type: ignore[arg-type]


def test_offices_are_held_by_appointment_until_their_holder_leaves(found: Found) -> None:
    table = found(OFFICES)
    assert table.refused("ann", "rule_on") == "E-NOT-OFFICE"
    assert said(table.ok("bob", "appoint", to="judge", who="ann")) == ["judge None>ann"]
    assert said(table.ok("ann", "rule_on")) == ["ann as judge, whom ann holds"]
    assert table.refused("bob", "rule_on") == "E-NOT-OFFICE"
    assert table.document("things/office")["judge"]["since"] == START
    assert said(table.ok("ann", "leave")) == ["judge ann>None"]
    assert table.get({"office": "judge"}, "holder") is None
    for to, who in (("judge", "zed"), ("judge", "ann"), ("king", "bob")):
        assert table.refused("bob", "appoint", to=to, who=who) == "E-SCRIPT"
    assert table.refused("bob", "leave", as_="emperor") == "E-NOT-OFFICE"


def test_offices_filled_by_rule_go_to_players_only(found: Found) -> None:
    table = found(OFFICES)
    assert table.refused("ann", "count") == "E-NOT-OFFICE"
    assert said(table.ok("bob", "count")) == ["counted"]
    assert found(OFFICES, opening=[{"game": True, "teller": "zed"}]).refused("bob", "count") == "E-NOT-OFFICE"


@pytest.mark.parametrize("answer", ["return 'always'", "fail('no')"])
def test_nonsense_lets_nobody_act_keeps_no_holder_out_and_is_a_failure_of_its_rule(answer: str) -> None:
    table = seated(rule("5", f"def decide_acts_for(player, office):\n    {answer}"))
    outcome = table.act("bob", "rule_on")
    assert (outcome.code, [f["rule"] for f in outcome.failures]) == ("E-NOT-OFFICE", ["5"])
    table.ok("ann", "deputise", who="bob")
    table.ok("bob", "rule_on")  # rule 10 is heard


def test_offices_have_the_registers_that_the_law_declares_also_at_the_founding_and_on_their_page() -> None:
    table = seated()
    ends = START + 50 * 86_400
    outcome = table.ok("bob", "appoint", to="judge", who="bob")
    assert [(e["of"], e["from"], e["to"]) for e in effects(outcome, "put") if e["name"] == "term_ends"] == [
        ("office/judge", None, ends)
    ]
    claim = {"office": "judge", "term_ends": "2026-02-24T12:00:00Z", "deputy": None}
    assert meets(table.kernel, table.entries, claim, table.now) == ""
    assert meets(table.kernel, table.entries, {**claim, "deputy": "ann"}, table.now) == "deputy is null"
    table = Table(OFFICES, opening=[{"office": "judge", "holder": "ann", "term_ends": START, "deputy": "bob"}])
    assert table.document("things/office")["judge"]["since"] == START
    view = GameView(slug="g", documents=table.kernel.documents.everything(), answers={"acts_for:judge": ["bob"]})
    page = repr(office_page(view))
    assert "Term ends" in page
    assert "acting=(Person(name='bob'" in page


# -- things that act


BANK = rule(
    "10",
    """
    def on_founded(e):
        create("bank", "till")
        create("club", "owls")
    def do_order(a):
        tried = try_act(a.args.what, a.args.whom, {"to": a.args.to})
        require(tried.ok, tried.code, tried.why)
    def do_lend(a):
        award(a.args.to, "score", 5, "lent by " + a.by)
    def do_wave(a):
        announce("%s waves" % a.by)
    def forbid_lend(a):
        if a.by == a.args.to:
            return refuse("E-ARGS", "nobody lends to themselves")
    """,
    defines={"kinds": {"bank": {"registers": {}}, "club": {"registers": {}}}, "currencies": {"score": {}}},
    actions={
        "order": {"arguments": {name: {"type": "string"} for name in ("what", "whom", "to")}},
        "lend": {"who": ["bank", "player"], "arguments": {"to": {"type": "player"}}},
        "wave": {"who": ["club"], "arguments": {"to": {"type": "player", "optional": True}}},
    },
)


def test_a_rule_lets_a_thing_act_and_the_record_names_it(found: Found) -> None:
    table = found(VOTING, BANK)
    outcome = table.ok("ann", "order", what="lend", whom="till", to="bob")
    assert effects(outcome, "act") == [{"effect": "act", "of": "till", "name": "lend", "rule": "10"}]
    (lent,) = effects(outcome, "award")
    assert (lent["of"], lent["why"], lent["cause"]) == ("bob", "lent by till", "do_lend")
    here = Here(GameView(slug="g", documents={}), "index.md")
    assert "in the name of till" in strip(sentence_of(here, table.entries[-1], outcome.effects[0]))


def test_things_of_another_kind_do_not_nor_players_where_the_action_does_not_say_so(found: Found) -> None:
    table = found(VOTING, BANK)
    for what, whom in (("lend", "owls"), ("wave", "till"), ("order", "till"), ("lend", "nothing")):
        assert table.refused("ann", "order", what=what, whom=whom, to="bob") == "E-NOT-PLAYER"
    table.ok("ann", "order", what="wave", whom="owls", to="bob")
    table.ok("bob", "lend", to="cid")
    assert table.refused("bob", "wave") == "E-NOT-PLAYER"
    assert table.refused("bob", "lend", to="bob") == "E-ARGS"


def test_nobody_sends_an_act_as_a_thing_and_a_kind_that_nobody_declares_is_found_before_play(found: Found) -> None:
    table = found(VOTING, BANK)
    outcome = table.act("till", "lend", to="bob")
    told = "till is a thing (bank): a rule acts as it, and nobody else"
    assert (outcome.code, outcome.reasons[-1]["args"]["why"]) == ("E-NOT-PLAYER", told)
    assert table.refused("till", "vote", choice="for") == "E-NOT-PLAYER"
    strange = rule("11", "def do_swim(a):\n    pass", actions={"swim": {"who": ["bnak"]}})
    problems = [problem.message for problem in check_script(strange, known_in([BANK, strange]))]
    assert problems == ["no rule declares the kind of thing `bnak`, which may do `swim`"]
