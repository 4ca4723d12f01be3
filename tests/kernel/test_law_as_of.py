"""The law as of a number, and the numbers of rules: each bears one of its own, by whatever way it comes to it."""

from __future__ import annotations

import pytest

from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Found, Table, rule, said

GO = {"actions": {"go": {}}}
NUMBERED = rule(
    "10",
    """
    def decide_law_for(s):
        return s.number
    def decide_conflict(p, c, x):
        return "change"
    def do_judge(a):
        emit("judged")
    def do_today(a):
        emit("judged")
        emit_under(None, "judged")
    def do_end(a):
        for n in [900, 901]:
            try_act("judge", a.by, {"number": n})
    """,
    actions={"end": {}, **{do: {"arguments": {"number": {"type": "integer"}}} for do in ("judge", "today")}},
)
SAYS = "def on_judged(e):\n    announce('{}')\n"


def judged(table: Table, *numbers: int, do: str = "judge") -> list[str]:
    """Return what is said of each number in the law as of it."""
    return ["+".join(said(table.ok("ann", do, number=number))) for number in numbers]


def test_of_the_versions_that_apply_the_most_recently_accepted(found: Found) -> None:
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")))
    one = table.propose("ann", {"amend": "11", "script": SAYS.format("second")})
    two = table.propose("ann", {"amend": "11", "script": SAYS.format("third")})
    for number in (two, one):  # the later number is accepted first
        for voter in ("ann", "bob", "cid"):
            table.ok(voter, "vote", proposal=number, choice="for")
    assert judged(table, one - 1, one, two) == ["first", "second", "second"], "accepted after the third, and it applies"
    assert said(table.ok("ann", "end")) == ["first", "second"], "an act within an act is under its own law"


def test_repeal_is_a_version_too_and_what_comes_later_does_not_govern_earlier_numbers(found: Found) -> None:
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")))
    table.adopt({"repeal": "11"})
    assert judged(table, 900, 901) == ["first", ""]
    table.adopt({"enact": {"title": "Again", "script": SAYS.format("again")}})
    assert judged(table, 900, 901, 902) == ["first", "", "again"]
    assert judged(table, 901, 902, do="today") == ["again", "again+again"]


def test_older_law_still_has_its_texts_and_registers(found: Found) -> None:
    script = "def on_judged(e):\n    announce(rule('11').text + str(add('game', 'x', 1)) + ask('word'))\ndef decide_word():\n    return 'old'"
    old = rule("11", script, text="before", defines={"game": {"x": {"type": "integer", "initial": 5}}})
    table = found(VOTING, NUMBERED, old)
    table.adopt({"amend": "11", "text": "after", "script": script.replace("'old'", "'new'")})
    assert judged(table, 900, 901) == ["before6old", "after7new"], "what is asked within is of the same law"
    table.adopt({"repeal": "11"})
    assert judged(table, 900, 901, 902) == ["before8old", "after9new", ""]


def test_the_law_says_from_when_its_changes_govern(found: Found) -> None:
    from_when = """
    def decide_applies_from(p, c):
        if p == None:
            return 905
        if (c.labels or {}).get("from"):
            return int(c.labels["from"])
    def do_change(a):
        amend(rule("11"), script = "def on_judged(e):\\n    announce('louder')\\n")
    """
    table = found(VOTING, NUMBERED, rule("11", SAYS.format("first")), rule("12", from_when, actions={"change": {}}))
    table.ok("ann", "change")
    assert judged(table, 904, 905) == ["first", "louder"]
    table.adopt({"enact": {"title": "Ears", "script": SAYS.format("heard"), "labels": {"from": "903"}}})
    assert judged(table, 902, 903) == ["first", "first+heard"]


def test_reenactment_revives_registers_of_players(found: Found) -> None:
    defines = {"player": {"team": {"type": "string", "initial": "red"}}}
    join = {"join_team": {"arguments": {"team": {"type": "string"}}}}
    law = rule("11", "def do_join_team(a):\n    put(a.by, 'team', a.args.team)", defines=defines, actions=join)
    looking = rule("12", "def do_go(a):\n    announce(str(defined(a.by, 'team')))", **GO)
    table = found(VOTING, law, looking)
    table.ok("ann", "join_team", team="blue")
    table.adopt({"repeal": "11"})
    assert said(table.ok("ann", "go")) == ["False"]
    table.adopt({"enact": {"title": "Teams", "defines": defines, "script": "def on_x(e):\n    pass\n"}})
    assert (table.get("ann", "team"), table.get("bob", "team")) == ("blue", "red")


# -- numbers of rules


MOVES = {"make": "number", "move": "which number", "end": "which"}
MAKING = rule(
    "10",
    """
    def do_make(a):
        announce(enact("Another", "", number = a.args.number).uid)
    def do_move(a):
        renumber(a.args.which, a.args.number)
    def do_end(a):
        repeal(a.args.which)
    def decide_law_for(s):
        return s.number
    def decide_applies_from(p, c):
        return get("game", "from")
    def do_set(a):
        put("game", "from", a.args.number)
    def on_rule_renumbered(e):
        announce(e.before + ">" + e.rule.number)
    """,
    defines={"game": {"from": {"type": "integer"}}},
    actions={
        "set": {"arguments": {"number": {"type": "integer"}}},
        **{do: {"arguments": {name: {"type": "string"} for name in names.split()}} for do, names in MOVES.items()},
    },
)


def numbers(table: Table, view: int | None = None) -> list[str]:
    """Return the numbers of the rules in force, and hold each to be there once."""
    found = [document["rule"] for document, _ in table.kernel.play.law.in_force(view).values()]
    assert len(found) == len(set(found)), found
    return found


def test_renumbering_keeps_uid_and_history(found: Found) -> None:
    table = found(MAKING, rule("5"))
    assert said(table.ok("ann", "move", which="5", number="12")) == ["5>12"]
    assert table.in_force() == ["10", "12"]
    meta = table.document("law")["rules"]["5"]
    assert (meta["number"], meta["former_numbers"], meta["revision"]) == ("12", ["5"], 1)
    assert table.document("rules/5")["rule"] == "12"


@pytest.mark.parametrize("number", ["10", "../x", "a b", "", "x/y", "é"])
def test_numbers_that_cannot_be(found: Found, number: str) -> None:
    table = found(MAKING, rule("5"))
    for do, more in (("move", {"which": "5"}), ("make", {})):
        assert table.refused("ann", do, number=number, **more) == "E-SCRIPT"


def test_a_repealed_number_is_free_and_a_rule_that_took_it_keeps_it(found: Found) -> None:
    table = found(VOTING, MAKING, rule("20"), rule("a"))

    def taken() -> list[str | None]:
        tried = [("make", {"number": "20"}), ("move", {"which": "10", "number": "20"})]
        return [failure.get("code") for do, args in tried for failure in table.act("ann", do, **args).failures]

    assert taken() == ["E-DUP", "E-DUP"]
    table.ok("ann", "end", which="20")
    assert said(table.ok("ann", "make", number="20")) == ["20-2"], "a uid is never given again"
    assert numbers(table).count("20") == 1
    assert taken() == ["E-DUP", "E-DUP"]
    assert said(table.ok("ann", "make", number="A")) == ["A-2"], "nor one that differs in capitals only"


def test_two_rules_of_one_number_begin_a_game_where_each_has_a_uid_of_its_own() -> None:
    first = rule("20", uid="first")
    assert Table(VOTING, first, rule("20", uid="other")).founded.accepted
    assert Table(VOTING, rule("20"), rule("20")).founded.code == "E-DUP"


def test_adopted_rules_get_the_next_numbers_that_are_free_also_in_a_trial(found: Found) -> None:
    table = found(VOTING, rule("901"))
    assert table.propose("bob") == 901
    changes = [{"enact": {"title": title, "text": ""}} for title in "ABC"]
    table.adopt(*changes)
    assert sorted(numbers(table)) == ["900", "901", "902", "903", "904"]
    tried = try_changes(Table(VOTING).kernel, changes, [], 1, table.now)
    assert [effect["number"] for effect in tried.effects if effect["effect"] == "enact"] == ["901", "902", "903"]


def test_a_number_that_is_taken_is_a_failure_of_the_rule_that_answers_it(found: Found) -> None:
    taken = "def decide_rule_number(p, c):\n    return '20'\n\ndef decide_number(p):\n    return 901\n"
    table = found(VOTING, rule("20", taken))
    table.propose("bob")
    table.adopt({"enact": {"title": "New"}})
    assert table.in_force() == ["20", "900", "902"]
    noted = {(f["rule"], f["hook"]) for entry in table.entries for f in entry.get("failures", ())}
    assert noted == {("20", "decide_number"), ("20", "decide_rule_number")}


def test_a_script_cannot_give_a_number_twice(found: Found) -> None:
    squat = "def on_proposal_adopted(e):\n    enact('Squatter', '', number = e.proposal.number)"
    table = found(VOTING, rule("20", squat))
    assert [failure["code"] for failure in table.adopt({"enact": {"title": "New"}}).failures] == ["E-DUP"]
    assert sorted(numbers(table)) == ["20", "900", "901"]


def test_a_view_of_earlier_law_has_each_number_once_and_the_rule_made_last(found: Found) -> None:
    table = found(VOTING, MAKING, rule("20"), rule("21"))
    table.ok("ann", "set", number=950)
    table.ok("ann", "end", which="20")
    table.ok("ann", "move", which="21", number="22")
    table.ok("ann", "set", number=940)
    table.ok("ann", "make", number="20")
    table.ok("ann", "make", number="21")
    for view in (None, 939, 940, 945, 949, 950, 960):
        numbers(table, view)
    law = table.kernel.play.law
    assert [law.resolve("20", view) for view in (939, 945, 960)] == ["20", "20-2", "20-2"]
    assert [law.resolve("21", view) for view in (939, 945)] == ["21", "21-2"]
    assert law.resolve("22", 945) == "21"
