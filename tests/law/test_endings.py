"""Outcomes that rules declare, changes that wait, derived registers, numbers of new rules, events under another law."""

from __future__ import annotations

from tests.law.table import VOTING, Found, rule, said

DRAGON = {"enact": {"title": "Dragon", "text": "There is a dragon."}}
SUBMITS = {"actions": {"submit": {}, "end": {"arguments": {"how": {"type": "string"}}}, "enforce": {}}}
LIFE = rule(
    "1",
    """
    def do_submit(a):
        submit("Dragon", [{"enact": {"title": "Dragon", "text": "There is a dragon."}}])
    def do_end(a):
        resolve(proposals()[0], a.args.how, effective = False)
    def do_enforce(a):
        take_effect(proposal(1))
    def on_proposal_shelved(e):
        announce("shelved " + e.proposal.title)
    """,
    defines={"outcomes": {"shelved": {}, "hailed": {"effective": True}}},
    **SUBMITS,
)


def test_rules_declare_outcomes(found: Found) -> None:
    table = found(LIFE)
    table.ok("ann", "submit")
    assert table.refused("ann", "end", how="eaten") == "E-SCRIPT"
    assert said(table.ok("ann", "end", how="shelved")) == ["shelved Dragon"]
    assert table.proposal(1)["outcome"] == "shelved"
    assert table.in_force() == ["1"]
    assert table.refused("ann", "enforce") == "E-ORDER"


def test_changes_become_law_when_a_rule_says_so(found: Found) -> None:
    table = found(LIFE)
    table.ok("ann", "submit")
    table.ok("ann", "end", how="hailed")
    assert table.in_force() == ["1"]
    table.ok("ann", "enforce")
    assert len(table.in_force()) == 2
    assert table.refused("ann", "enforce") == "E-ORDER"


def test_a_derived_register_is_asked_for_and_cannot_be_set(found: Found) -> None:
    declared = {"double": {"type": "integer", "derived": True}, "half": {"type": "integer", "initial": 3}}
    script = """
    def decide_double(player):
        return 2 * get(player, "half")
    def do_set(a):
        put(a.by, "double", 4)
    """
    table = found(rule("1", script, defines={"player": declared}, actions={"set": {}}))
    assert table.get("ann", "double") == 6
    assert "double" not in table.document("things/player")["ann"]
    assert table.act("ann", "set").failures[0]["code"] == "E-BOUNDS"


def test_the_law_numbers_new_rules(found: Found) -> None:
    numbers = "def decide_rule_number(p, c):\n    return max([int(r.number) for r in rules()]) + 1\n"
    table = found(rule("7", numbers), VOTING)
    table.adopt(DRAGON)
    assert table.in_force() == ["7", "900", "901"]
    assert table.document("law")["rules"]["901"]["applies_from"] == 901
    table.adopt(DRAGON)
    assert table.document("law")["rules"]["902"]["applies_from"] == 902


def test_an_event_can_be_raised_under_todays_law(found: Found) -> None:
    by_number = """
    def decide_law_for(s):
        return s.number
    def do_look(a):
        emit("looked")
        emit_under(None, "looked")
    """
    hears = "def on_looked(e):\n    announce('I hear')\n"
    look = {"look": {"arguments": {"number": {"type": "integer"}}}}
    table = found(rule("1", by_number, actions=look), VOTING)
    table.adopt({"enact": {"title": "Ears", "text": "", "script": hears}})
    assert said(table.ok("ann", "look", number=900)) == ["I hear"]
    assert said(table.ok("ann", "look", number=901)) == ["I hear", "I hear"]


def test_a_number_between_bounds(found: Found) -> None:
    throws = "def do_throw(a):\n    announce(str(between(-10, 10, 'luck')))\n"
    table = found(rule("1", throws, actions={"throw": {}}))
    outcome = table.ok("ann", "throw", dice=[{"label": "luck", "gives": -4}])
    assert said(outcome) == ["-4"]


def test_short_forms_of_requests_and_requests_alone(found: Found) -> None:
    submits = "def do_submit(a):\n    announce(str([(r.name, r.args) for r in a.requests]))\n"
    travels = {"travels": "with_proposal"}
    turn = {"rotate": {"arguments": {"side": {"type": "choice", "of": ["left", "right"]}}, **travels}}
    table = found(rule("1", submits, actions={"submit": {}, "defend": travels, **turn}))
    short = table.ok("ann", "submit", requests=[{"rotate": "right"}, {"defend": True}])
    long = table.ok("ann", "submit", requests=[{"rotate": {"side": "right"}}, {"defend": {}}])
    assert said(short) == said(long)
    assert table.refused("ann", "submit", requests=[{"rotate": "down"}]) == "E-ARGS"
    assert table.refused("ann", "defend") == "E-ORDER"
