"""What a script changes of the law, or of what another rule keeps, asks the law first: by every way that there is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.table import VOTING, Found, Record, failed, rule, script

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
KEPT = rule(
    "7",
    """
    def on_founded(e):
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
)
REFUSING = rule(
    "1",
    """
    def decide_may_alter(c, by):
        return refuse("E-TARGET", c.kind) if by.number == "8" else None

    def decide_may_put(w, by):
        return refuse("E-TARGET", w.name) if by.number == "8" else None
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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", [*CHANGES.values(), *WRITES.values()], ids=[*CHANGES, *WRITES])
def test_what_the_law_refuses_a_rule_it_does_by_no_way(found: Found, way: str, what: str) -> None:
    table = found(REFUSING, KEPT, doing(way, what))
    before = state(table)
    table.act("ann", "go")
    if way == "an act that waited":
        table.act("ann", "other")
    table.pass_time(120)
    assert state(table) == before


@pytest.mark.parametrize("what", [*CHANGES.values(), *WRITES.values()], ids=[*CHANGES, *WRITES])
def test_what_no_law_refuses_is_done(found: Found, what: str) -> None:
    table = found(KEPT, doing("an act", what))
    before = state(table)
    table.ok("ann", "go")
    assert state(table) != before or what.startswith("wake")


@pytest.mark.parametrize("question", ["decide_may_alter(c, by)", "decide_may_put(w, by)"])
@pytest.mark.parametrize("answer", ["fail('x')", "return 7", "return False", "require(False, 'E-NO')"])
def test_a_question_of_authority_that_fails_or_answers_nonsense_refuses(
    found: Found, question: str, answer: str
) -> None:
    what = CHANGES["repeal"] if "alter" in question else WRITES["put"]
    table = found(rule("1", f"def {question}:\n    {answer}\n"), KEPT, doing("an act", what))
    before = state(table)
    assert not table.act("ann", "go").accepted
    assert state(table) == before


def test_what_a_rule_declares_itself_it_sets_unasked(found: Found) -> None:
    table = found(
        rule("1", "def decide_may_put(w, by):\n    return False\n"), doing("an act", "put('game', 'free', True)")
    )
    table.ok("ann", "go")


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


def test_an_order_sets_what_the_law_lets_its_proposal_set(found: Found) -> None:
    guard = rule(
        "1", "def decide_may_put(w, by):\n    return refuse('E-TARGET', w.proposal.title) if by == None else None\n"
    )
    table = found(VOTING, guard, KEPT)
    order = {"title": "Do", "once": True, "script": "def on_proposal_adopted(e):\n    put('game', 'leaves', 9)\n"}
    table.adopt({"enact": order})
    assert table.get("game", "leaves") == 0


def test_who_takes_a_change_back_needs_its_authority(found: Found) -> None:
    taker = rule(
        "8", "def do_go(a):\n    take_back(a.args.act)\n", actions={"go": {"arguments": {"act": {"type": "integer"}}}}
    )
    changer = rule(
        "9",
        "def do_change(a):\n    amend('7', text = 'Other.')\n    put('game', 'leaves', 4)\n",
        actions={"change": {}},
    )
    table = found(REFUSING, KEPT, taker, changer)
    table.ok("ann", "change")
    act = len(table.entries)
    table.act("ann", "go", act=act)
    assert table.get("game", "leaves") == 4
    assert table.document("rules/7")["text"] == "Other."


def test_the_law_of_today_answers_whichever_governs_the_act(found: Found) -> None:
    law = rule(
        "8",
        """
        def decide_law_for(s):
            return 1

        def decide_applies_from(p, c):
            return 5

        def do_go(a):
            amend("7", text = "Other.")

        def do_guard(a):
            enact("Guard", "", "def decide_may_alter(c, by):\\n    return False\\n")
        """,
        actions={"go": {}, "guard": {}},
    )
    table = found(KEPT, law)
    table.ok("ann", "guard")
    assert table.refused("ann", "go") == "E-TARGET"


def test_a_rule_resolves_a_proposal_with_its_own_authority(found: Found) -> None:
    for how in ("resolve(p, 'adopted')", "take_effect(resolve(p, 'adopted', effective = False))"):
        seizing = f"p = submit('New', [{{'repeal': '7'}}])\n    {how}"
        table = found(VOTING, REFUSING, KEPT, doing("an act", seizing))
        assert table.refused("ann", "go") == "E-TARGET"
        assert "7" in table.in_force()


VOTES = {
    "a ballot": "cast(proposals('open')[0], 'bob', 'for')",
    "a voter less": "strike(proposals('open')[0], 'bob')",
    "another text": "revise(proposals('open')[0], title = 'Other')",
}


@pytest.mark.parametrize("what", VOTES)
def test_a_rule_meddles_with_no_vote_where_the_law_forbids_it(found: Found, what: str) -> None:
    table = found(VOTING, REFUSING, doing("an act", VOTES[what]))
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    assert table.refused("cid", "go") == "E-TARGET"
    assert failed(table.ok("bob", "state", text="x")) == []
