"""Outcomes that rules declare, changes that wait, derived registers, numbers of new rules, events under another law."""

from __future__ import annotations

from tests.support.table import VOTING, Found, rule, said

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


def test_the_law_says_from_when_its_changes_govern(found: Found) -> None:
    by_number = """
    def decide_law_for(s):
        return s.number
    def decide_applies_from(p, c):
        if p == None:
            return 905
        if (c.labels or {}).get("from"):
            return int(c.labels["from"])
    def do_look(a):
        emit("looked")
    def do_change(a):
        amend(rule("2"), script = "def on_looked(e):\\n    announce('louder')\\n")
    """
    hears = "def on_looked(e):\n    announce('I hear')\n"
    actions = {"look": {"arguments": {"number": {"type": "integer"}}}, "change": {}}
    table = found(rule("1", by_number, actions=actions), rule("2", hears), VOTING)
    table.ok("ann", "change")
    assert said(table.ok("ann", "look", number=904)) == ["I hear"]
    assert said(table.ok("ann", "look", number=905)) == ["louder"]
    table.adopt({"enact": {"title": "Ears", "text": "", "script": hears, "labels": {"from": "903"}}})
    assert said(table.ok("ann", "look", number=902)) == ["I hear"]
    assert said(table.ok("ann", "look", number=903)) == ["I hear", "I hear"]


def test_refused_arguments_name_the_rule(found: Found) -> None:
    table = found(
        rule("5", "def do_go(a):\n    pass\n", actions={"go": {"as": "king"}}, defines={"offices": {"king": {}}})
    )
    assert [r["rule"] for r in table.act("ann", "go").reasons] == ["5"]
    table = found(rule("6", "def do_go(a):\n    pass\n", actions={"go": {"arguments": {"k": {"type": "integer"}}}}))
    assert [r["rule"] for r in table.act("ann", "go").reasons] == ["6"]


def test_a_list_grows_item_by_item(found: Found) -> None:
    notes = {"notes": {"type": "list"}}
    listens = "def on_changed(e):\n    if e.name == 'notes':\n        announce('%d' % len(e.after))\n"
    writes = "def do_write(a):\n    append('game', 'notes', a.by)\n    append('game', 'notes', 2)\n"
    table = found(rule("1", writes + listens, defines={"game": notes}, actions={"write": {}}))
    outcome = table.ok("ann", "write")
    assert table.get("game", "notes") == ["ann", 2]
    assert [e["to"] for e in outcome.effects if e["effect"] == "append"] == ["ann", 2]
    assert said(outcome) == ["1", "2"]
    bad = found(rule("1", "def do_write(a):\n    append(a.by, 'x', 1)\n", actions={"write": {}}))
    assert bad.act("ann", "write").failures[0]["code"] == "E-NO-SUCH"


def test_a_rule_hears_of_one_register_alone(found: Found) -> None:
    script = """
    def do_heat(a):
        put("game", "heat", 7)
        put("game", "calm", 3)
        award(a.by, "score", 2)
    def on_changed(e):
        announce("any " + e.name)
    def on_changed_heat(e):
        announce("heat %d to %d" % (e.before, e.after))
    def on_changed_score(e):
        announce("%s has %d" % (e.owner, e.after))
    """
    registers = {name: {"type": "integer", "initial": 0} for name in ("heat", "calm")}
    declared = {"game": registers, "currencies": {"score": {}}}
    table = found(rule("1", script, defines=declared, actions={"heat": {}}))
    heard = ["any heat", "heat 0 to 7", "any calm", "any score", "ann has 2"]
    assert said(table.ok("ann", "heat")) == heard


def test_a_rule_adjusts_one_currency_alone(found: Found) -> None:
    pays = """
    def do_pay(a):
        award(a.by, "score", 5)
        award(a.by, "gold", 5)
    """
    doubles = "def adjust_score(a):\n    return 2 * a.amount\n"
    less = "def adjust_award(a):\n    return a.amount - 1\n"
    defines = {"currencies": {"score": {}, "gold": {}}}
    table = found(rule("1", pays, defines=defines, actions={"pay": {}}), rule("2", doubles), rule("3", less))
    table.ok("ann", "pay")
    assert (table.get("ann", "score"), table.get("ann", "gold")) == (8, 4)


def test_rules_and_proposals_say_by_which_entry_they_came_to_be(found: Found) -> None:
    compares = """
    def do_compare(a):
        p = proposal(a.args.number)
        announce("younger" if rule("7").seq > p.seq else "older")
    """
    compare = {"compare": {"arguments": {"number": {"type": "integer"}}}}
    table = found(rule("7", "def on_waved(e):\n    pass\n"), rule("8", compares, actions=compare), VOTING)
    waits = table.propose("ann", DRAGON)
    assert said(table.ok("ann", "compare", number=waits)) == ["older"]
    table.adopt({"amend": "7", "text": "Everybody waves."})
    assert said(table.ok("ann", "compare", number=waits)) == ["younger"]
