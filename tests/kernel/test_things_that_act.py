"""Language L8: things of the kinds that an action names may do it, where a rule lets them; nobody else does it as they."""

from __future__ import annotations

from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.table import VOTING, Table, rule

BANK = rule(
    "10",
    """
    def do_found_bank(a):
        create("bank", "till")
        create("club", "owls")

    def do_order(a):
        require(holds(a.by, "banker"), "E-NOT-OFFICE", "the banker directs the bank")
        tried = try_act(a.args.what, a.args.whom, {"to": a.args.to})
        require(tried.ok, tried.code, tried.why)

    def do_lend(a):
        award(a.args.to, "score", 5, "lent by " + a.by)
        announce("%s lends" % a.by)

    def do_wave(a):
        announce("%s waves" % a.by)

    def forbid_lend(a):
        if a.by == a.args.to:
            return refuse("E-ARGS", "nobody lends to themselves")
    """,
    defines={
        "kinds": {"bank": {"registers": {}}, "club": {"registers": {}}},
        "currencies": {"score": {}},
        "offices": {"banker": {}},
    },
    actions={
        "found_bank": {},
        "order": {
            "arguments": {"what": {"type": "string"}, "whom": {"type": "string"}, "to": {"type": "string"}},
        },
        "lend": {"who": ["bank", "player"], "arguments": {"to": {"type": "player"}}},
        "close": {"who": "club"},
        "wave": {"who": ["club"], "arguments": {"to": {"type": "player", "optional": True}}},
    },
)


def open_bank() -> Table:
    table = Table(VOTING, BANK, offices={"banker": "ann"})
    table.ok("bob", "found_bank")
    return table


def test_a_rule_lets_a_thing_act_and_the_record_names_it() -> None:
    table = open_bank()
    outcome = table.ok("ann", "order", what="lend", whom="till", to="bob")
    assert [e for e in outcome.effects if e["effect"] == "act"] == [
        {"effect": "act", "of": "till", "name": "lend", "rule": "10"}
    ]
    lent = next(e for e in outcome.effects if e["effect"] == "award")
    assert (lent["of"], lent["why"], lent["cause"]) == ("bob", "lent by till", "do_lend")
    here = Here(GameView(slug="g", documents={}), "index.md")
    assert "in the name of till" in strip(effect(here, table.entries[-1], outcome.effects[0]))
    table.replay_all()


def test_who_directs_it_is_the_laws_to_say() -> None:
    table = open_bank()
    assert table.refused("bob", "order", what="lend", whom="till", to="bob") == "E-NOT-OFFICE"


def test_players_do_it_too_where_the_action_says_so() -> None:
    table = open_bank()
    table.ok("bob", "lend", to="cid")
    assert table.refused("bob", "wave") == "E-NOT-PLAYER"
    assert table.refused("bob", "lend", to="bob") == "E-ARGS"


def test_a_thing_of_another_kind_does_not() -> None:
    table = open_bank()
    assert table.refused("ann", "order", what="lend", whom="owls", to="bob") == "E-NOT-PLAYER"
    assert table.refused("ann", "order", what="wave", whom="till", to="bob") == "E-NOT-PLAYER"
    assert table.refused("ann", "order", what="order", whom="till", to="bob") == "E-NOT-PLAYER"
    assert table.refused("ann", "order", what="lend", whom="nothing", to="bob") == "E-NOT-PLAYER"
    table.ok("ann", "order", what="wave", whom="owls", to="bob")


def test_nobody_sends_an_act_as_a_thing() -> None:
    table = open_bank()
    outcome = table.act("till", "lend", to="bob")
    why = outcome.reasons[-1]["args"]["why"]
    assert (outcome.code, why) == (
        "E-NOT-PLAYER", "till is a thing (bank): a rule acts as it, and nobody else",
    )  # fmt: skip
    assert table.refused("till", "vote", choice="for") == "E-NOT-PLAYER"


def test_a_kind_that_nobody_declares_is_found_before_play() -> None:
    strange = rule("11", "def do_swim(a):\n    pass", actions={"swim": {"who": ["bnak"]}})
    found = [problem.message for problem in check_script(strange, known_in([BANK, strange]))]
    assert found == ["no rule declares the kind of thing `bnak`, which may do `swim`"]


def test_a_law_under_which_things_alone_propose_locks_the_game_and_is_found_before() -> None:
    probing = rule(
        "30",
        """
        def do_probe(a):
            announce(locks_out(proposal(a.args.number)) or "it goes on")
        """,
        actions={"probe": {"arguments": {"number": {"type": "integer"}}}},
    )
    table = Table(VOTING, BANK, probing)
    said = []
    for who in ("bank", ["bank", "player"]):
        spec = {"who": who, "arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}}
        number = table.propose("ann", {"amend": "900", "actions": {"propose": spec}})
        outcome = table.ok("ann", "probe", number=number)
        said.append(next(e["text"] for e in outcome.effects if e["effect"] == "announce"))
    assert said[0] != "it goes on"
    assert said[1] == "it goes on"
