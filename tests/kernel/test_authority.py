"""What a script changes of the law, or of what another rule keeps, asks the law first: by every way that there is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, Record, failed, rule, script

CHANGES = {
    "enact": "enact('New', 'New.')",
    "amend": "amend('7', text = 'Other.')",
    "repeal": "repeal('7')",
    "transmute": "label('7', status = 'mutable')",
    "transmute by amending": "amend('7', labels = {'status': 'mutable'})",
    "label": "label('7', status = 'immutable', part = 'core')",
    "renumber": "renumber('7', '70')",
    "suspend": "suspend('7')",
    "wake": "wake('7')",
    "setting": "put('settings', 'tea', 'green')",
}
WRITES = {
    "put": "put('game', 'leaves', 1)",
    "put_all": "put_all('leaves', {'game': 1})",
    "put_in": "put_in('game', 'cups', 'ann', 1)",
    "reset": "reset('game')",
    "add": "add('game', 'leaves', 1)",
    "append": "append('game', 'guests', 'ann')",
    "award": "award('bob', 'coins', 1)",
    "transfer": "transfer('ann', 'bob', 'coins', 1)",
    "give": "give('pot', 'bob')",
    "an office": "put(office('host'), 'holder', 'bob')",
    "a rule": "put(rule('7'), 'mark', 1)",
}
DEEDS = {
    "destroy a player": "destroy('bob')",
    "create a player": "create('player', 'dan')",
    "destroy": "destroy('pot')",
    "create": "create('teapot', 'jug')",
    "reveal": "reveal('pot')",
    "win": "win('ann', 'tea')",
    "win and play on": "win('ann', 'tea', play_on = True)",
    "emit": "emit('poured', cups = 3)",
    "emit under older law": "emit_under(0, 'poured', cups = 3)",
    "later": "later('poured', cups = 3)",
    "start": "after(3600, 'poured', cups = 3)",
    "replace a timer": "after(3600, 'mine', key = 'steeped')",
    "cancel": "cancel('steeped')",
    "owe": "owe('ann', 'nothing', key = 'wash')",
    "settle": "settle('wash')",
    "act": "tried = try_act('pour', 'bob')\n    require(tried.ok, tried.code, tried.why)",
    "release": "release('tea')",
    "drop": "drop(held('tea')[0].id)",
    "submit": "submit('Other', [{'repeal': '7'}])",
    "freeze": "freeze(proposals()[0])",
    "number": "number(submit('x', [], number = None), 70)",
    "open": "open_voting(submit('x', [], number = 71))",
    "close": "close_voting(proposals('open')[0])",
    "defeat": "resolve(proposals('open')[0], 'defeated')",
    "a ballot": "cast(proposals('open')[0], 'bob', 'for')",
    "a voter less": "strike(proposals('open')[0], 'bob')",
    "another text": "revise(proposals('open')[0], title = 'Other')",
}
KEPT = rule(
    "7",
    """
    def do_pour(a):
        add("game", "leaves", 1)

    def forbid_pour(a):
        return hold("tea", "it steeps") if a.by == "cid" else None

    def on_poured(e):
        put("game", "leaves", e.cups)

    def on_founded(e):
        after(7200, "steeped")
        owe("ann", "wash up", key = "wash")
        create("teapot", "pot", owner = "ann")
        put("game", "guests", ["cid"])
        put("game", "cups", {"cid": 2})
    """,
    labels={"status": "immutable"},
    settings={
        "tea": {"question": "Which tea?", "default": "black", "alternatives": {"black": "Black.", "green": "Green."}}
    },
    defines={
        "game": {"leaves": {"type": "integer"}, "cups": {"type": "map"}, "guests": {"type": "list"}},
        "rule": {"mark": {"type": "integer", "optional": True}},
        "currencies": {"coins": {"initial": 5}},
        "kinds": {"teapot": {}},
        "offices": {"host": {}},
    },
    actions={"pour": {}},
    timers={"steeped": {}},
)
REFUSING = rule(
    "1",
    """
    def decide_may_alter(c, by):
        return refuse("E-TARGET", c.kind) if by.number == "8" else None

    def decide_may_put(w, by):
        return refuse("E-TARGET", w.name) if by.number == "8" else None

    def decide_may_do(d, by):
        return refuse("E-TARGET", d.do) if by.number == "8" else None
    """,
)
WAYS = {
    "an act": "def do_go(a):\n    {0}\n",
    "an event": "def do_go(a):\n    emit('x')\n\ndef on_x(e):\n    {0}\n",
    "a queued event": "def do_go(a):\n    later('x')\n\ndef on_x(e):\n    {0}\n",
    "a timer": "def do_go(a):\n    after(60, 'x')\n\ndef on_x(e):\n    {0}\n",
    "a function of its own": "def do_it():\n    {0}\n\ndef do_go(a):\n    do_it()\n",
    "an act that is tried": "def do_go(a):\n    try_act('other', a.by)\n\ndef do_other(a):\n    {0}\n",
    "an act that waited": "def forbid_go(a):\n    return hold('x') if not get('game', 'free', False) else None\n\n"
    "def do_other(a):\n    put('game', 'free', True)\n    release('x')\n\ndef do_go(a):\n    {0}\n",
}


def doing(way: str, what: str) -> Record:
    """Return a rule that does something in some way."""
    body = WAYS[way].format(what)
    free = {"game": {"free": {"type": "boolean"}}}
    return rule(
        "8", body, actions={"go": {}, "other": {}}, timers={"x": {}}, defines=free, labels={"status": "mutable"}
    )


def state(table: Any) -> str:
    """Return all that a script could have changed, but for what stands of its failures."""
    documents = table.kernel.documents
    known = ("things/game", "things/player", "things/teapot", "things/office", "things/rule", "rules/7", "game")
    law = {uid: {**meta, "failures": 0} for uid, meta in documents.find("law")["rules"].items()}
    found = {key: dict(documents.find(key) or {}) for key in known}
    found["things/game"] = {"game": {**found["things/game"].get("game", {}), "free": 0, "next_number": 0}}
    return repr((found["things/game"], [found[key] for key in known[1:-1]], found["game"]["settings"], law))


BY_OTHER_WAYS = {
    "a guard": ("def forbid_pour(a):\n    return refuse('E-NO', 'no')\n", {}),
    "a guard that holds": ("def forbid(a):\n    return hold('x')\n", {}),
    "a guard that fails": ("def forbid(a):\n    fail('x')\n", {}),
    "an action of the engine's": ("def do_state(a):\n    add('game', 'n', 1)\n", {"actions": {"state": {}}}),
    "a timer that it declares": ("", {"timers": {"poured": {"every": "hour"}}}),
    "an answer that decides": ("def decide_adopted(p):\n    return True\n", {}),
    "an answer that crowns": ("def decide_winner():\n    return 'ann'\n", {}),
}


@pytest.mark.threat("T-151")
@pytest.mark.parametrize("way", BY_OTHER_WAYS)
def test_what_a_rule_may_not_do_it_does_by_no_answer_and_no_declaration(found: Found, way: str) -> None:
    script_, more = BY_OTHER_WAYS[way]
    table = found(VOTING, KEPT, REFUSING, rule("8", script_, defines={"game": {"n": {"type": "integer"}}}, **more))
    table.ok("bob", "pour")
    table.ok("bob", "state", text="I poured")
    assert (table.get("game", "leaves"), table.get("game", "n")) == (1, 0)
    number = table.propose("ann", {"repeal": "8"})
    for voter in ("ann", "bob", "cid"):
        table.ok(voter, "vote", proposal=number, choice="against")
    assert table.proposal(number)["outcome"] != "adopted"
    table.pass_time(2 * 3600 - 1)
    assert (table.get("game", "leaves"), table.document("game").get("over")) == (1, None)


ORDERED = ["enact", "amend", "transmute", "suspend", "renumber", "setting"]


@pytest.mark.parametrize("what", ORDERED)
def test_an_order_changes_what_its_proposal_may_change(found: Found, what: str) -> None:
    guard = """
        def decide_may_change(p, c):
            if p.outcome and c.once and not c.script:
                return refuse("E-TARGET", c.kind)
    """
    order = {"title": "Do", "once": True, "script": script(f"def on_proposal_adopted(e):\n    {CHANGES[what]}\n")}
    for law, done in (((VOTING, KEPT), True), ((VOTING, rule("1", guard), KEPT), False)):
        table = found(*law)
        before = state(table)
        table.adopt({"enact": order})
        assert (state(table) != before) is done


def test_who_takes_a_change_back_needs_its_authority(found: Found) -> None:
    undo = {"go": {"arguments": {"act": {"type": "integer"}}}}
    changing = "def do_change(a):\n    amend('7', text = 'Other.')\n    put('game', 'leaves', 4)\n"
    taker = rule("8", "def do_go(a):\n    take_back(a.args.act)\n", actions=undo)
    table = found(REFUSING, KEPT, taker, rule("9", changing, actions={"change": {}}))
    table.ok("ann", "change")
    table.act("ann", "go", act=len(table.entries))
    assert (table.get("game", "leaves"), table.document("rules/7")["text"]) == (4, "Other.")


def test_the_law_of_today_answers_whichever_governs_the_act(found: Found) -> None:
    law = """
    def decide_law_for(s):
        return 1
    def decide_applies_from(p, c):
        return 5
    def do_go(a):
        amend("7", text = "Other.")
    def do_guard(a):
        enact("Guard", "", "def decide_may_alter(c, by):\\n    return False\\n")
    """
    table = found(KEPT, rule("8", law, actions={"go": {}, "guard": {}}))
    table.ok("ann", "guard")
    assert table.refused("ann", "go") == "E-TARGET"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", [*CHANGES.values(), *WRITES.values()], ids=[*CHANGES, *WRITES])
@pytest.mark.sampled(4)
def test_what_the_law_refuses_a_rule_it_does_by_no_way(found: Found, way: str, what: str) -> None:
    table = found(REFUSING, KEPT, doing(way, what))
    before = state(table)
    table.act("ann", "go")
    if way == "an act that waited":
        table.act("ann", "other")
    table.pass_time(120)
    assert state(table) == before


FAILING = "".join(
    f"def decide_may_{question}, by):\n    return fail('x') if by.number == '8' else None\n\n"
    for question in ("alter(c", "put(w", "do(d")
)
ALL = CHANGES | WRITES | DEEDS


@pytest.mark.threat("T-151")
@pytest.mark.parametrize("deed", ALL)
def test_what_the_law_lets_a_rule_not_do_it_does_not(found: Found, deed: str) -> None:
    for law, code in (((REFUSING,), "E-TARGET"), ((rule("1", FAILING),), "E-SCRIPT"), ((), "")):
        table = found(VOTING, KEPT, *law, doing("an act", ALL[deed]))
        table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
        table.act("cid", "pour")
        before = table.bytes(without_failures=True)
        assert table.act("ann", "go").code == code
        assert (table.bytes(without_failures=True) == before) is bool(code) or deed in ("reveal", "release", "wake")


def test_what_is_its_own_a_rule_does_unasked_and_a_guard_that_fails_is_mended_by_a_vote(found: Found) -> None:
    own = """
        def do_go(a):
            destroy(create("cup", "cup-9"))
            put("game", "own", True)
            emit("sip")
            after(60, "sip")
            cancel("sip")
            owe(a.by, "sip", key = "sip")
            settle("sip")
            try_act("nod", a.by)
        def do_nod(a):
            announce("nodded")
        def on_sip(e):
            announce("sipped")
    """
    never = "def decide_may_do(d, by):\n    return False\n\ndef decide_may_put(w, by):\n    return False\n"
    defines = {"kinds": {"cup": {}}, "game": {"own": {"type": "boolean"}}}
    table = found(rule("1", never), rule("8", own, defines=defines, actions={"go": {}, "nod": {}}))
    assert failed(table.ok("ann", "go")) == []
    table = found(VOTING, rule("1", "def decide_may_do(d, by):\n    fail('x')\n"))
    assert not table.act("ann", "propose", title="Tea", changes=[{"enact": {"title": "Tea"}}]).accepted
    table.adopt({"repeal": "1"})
    assert table.in_force() == ["900"]


@pytest.mark.parametrize("answer", ["return 7", "return False", "require(False, 'E-NO')"])
def test_a_question_of_authority_that_answers_nonsense_refuses(found: Found, answer: str) -> None:
    for question, what in (("decide_may_alter(c, by)", CHANGES["repeal"]), ("decide_may_put(w, by)", WRITES["put"])):
        table = found(rule("1", f"def {question}:\n    {answer}\n"), KEPT, doing("an act", what))
        before = table.bytes(without_failures=True)
        assert not table.act("ann", "go").accepted
        assert table.bytes(without_failures=True) == before


def test_who_resolves_a_proposal_needs_its_authority_and_an_order_what_its_proposal_may(found: Found) -> None:
    for how in ("resolve(p, 'adopted')", "take_effect(resolve(p, 'adopted', effective = False))"):
        seizing = f"p = submit('New', [{{'repeal': '7'}}])\n    {how}"
        table = found(VOTING, REFUSING, KEPT, doing("an act", seizing))
        assert table.refused("ann", "go") == "E-TARGET"
        assert "7" in table.in_force()
    guard = "def decide_may_put(w, by):\n    return refuse('E-TARGET', w.proposal.title) if by == None else None\n"
    table = found(VOTING, rule("1", guard), KEPT)
    order = {"title": "Do", "once": True, "script": "def on_proposal_adopted(e):\n    put('game', 'leaves', 9)\n"}
    table.adopt({"enact": order})
    assert table.get("game", "leaves") == 0
