"""An act is taken back from what it changed, as if it had not happened; what has changed since is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.wording.catalogue import keys
from tests.support.table import Table, rule, said

ALONE = set(
    # what waits, the secrets of draws, and what only says something
    "hold sealing sealing_asked seed epoch redact state "
    # what administrators, the forge and the clock do, and who somebody is
    "apply clock correct engine forge identify key limit maintain notify pause rehouse remind repair resume revoke "
    "succession".split()
)
"""Kinds of effects that no function of the law language brings: no rule is told that they stay."""
DEEDS = """
    def forbid_paint(a):
        return hold("clock") if get("game", "shut") else None
    def on_act_held(e):
        add("game", "waiting", 1)
    def do_shut(a):
        put("game", "shut", not get("game", "shut"))
        release("clock")
    def do_paint(a):
        put("game", "wall", a.args.colour)
        append("game", "coats", a.args.colour)
    def do_pay(a):
        transfer(a.by, a.args.to, "score", 5, "a gift")
    def do_prize(a):
        award(a.args.to, "score", 7, "a prize")
    def do_build(a):
        put(create("hut", "hut-a", colour = "red"), "colour", "green")
        give("hut-a", a.by)
    def do_take(a):
        give("hut-a", a.by)
    def do_burn(a):
        destroy("hut-a")
    def do_leave(a):
        destroy(a.by)
    def do_swear(a):
        owe(a.by, "sweep", key = "sweep", by = now() + DAY)
        after(HOUR, "bell", word = "ding")
    def do_swear_anew(a):
        owe(a.by, "dust", key = "sweep")
        after(2 * HOUR, "bell", word = "dong")
    def on_bell(e):
        put("game", "wall", "rung")
    def do_forswear(a):
        settle("sweep")
        cancel("bell")
    def do_flip(a):
        put("settings", "T-Q1", "loud")
        put(office("warden"), "holder", a.by)
        put(office("warden"), "elected", True)
        put(me(), "weary", True)
        put_in("game", "shelf", "jam", 3)
    def do_sing(a):
        announce("la")
        submit("A song", [])
    def adjust_score(a):
        return a.amount * 10 if a.why == "taken back" else None
    def do_legislate(a):
        enact("New", "It is new.", number = "50")
        amend(rule("60"), text = "Amended.")
        label(rule("60"), status = "odd")
        repeal(rule("70"))
        renumber(rule("80"), "81")
    def do_take_number(a):
        enact("Other", "", number = "70")
"""
WORDS = "shut build take burn leave swear swear_anew forswear flip sing legislate take_number".split()
ACTING = rule(
    "10",
    DEEDS,
    defines={
        "game": {
            "wall": {"type": "string", "initial": "bare"},
            "coats": {"type": "list"},
            "shelf": {"type": "map"},
            "shut": {"type": "boolean"},
            "waiting": {"type": "integer"},
        },
        "rule": {"weary": {"type": "boolean"}},
        "office": {"elected": {"type": "boolean"}},
        "offices": {"warden": {}},
        "currencies": {"score": {"initial": 20, "minimum": 0}},
        "kinds": {"hut": {"registers": {"colour": {"type": "string", "optional": True}}}},
    },
    actions={
        **{word: {} for word in WORDS},
        "paint": {"arguments": {"colour": {"type": "string"}}},
        **{word: {"arguments": {"to": {"type": "player"}}} for word in ("pay", "prize")},
    },
    timers={"bell": {}},
    settings={"T-Q1": {"question": "How?", "default": "quiet", "alternatives": {"quiet": "a", "loud": "b"}}},
)
WISHES = ("why", "strict", "together", "apart")
UNDOING = rule(
    "20",
    """
    def do_undo(a):
        undone = take_back(a.args.act, a.args.why or "", a.args.together or [], a.args.apart or [])
        if undone.apart:
            announce(str(["%s %s %d %s" % (paid.of, paid.name, paid.amount, paid.why) for paid in undone.apart]))
        announce("%s %s" % (undone.whole, ["%s: %s" % (l.name or l.effect, l.why) for l in undone.left]))
        if a.args.strict:
            require(undone.whole, "E-STATUS", "not all of it can be taken back")
    def decide_undo(n):
        return take_back(n)
    """,
    actions={
        "undo": {"arguments": {"act": {"type": "any"}, **{name: {"type": "any", "optional": True} for name in WISHES}}}
    },
)
OLD = (rule("60", text="Sixty."), rule("70", text="Seventy."), rule("80"))


@pytest.fixture
def table(found: Any) -> Table:
    return found(ACTING, UNDOING, *OLD)  # type: ignore[no-any-return]


def did(table: Table, do: str, by: str = "ann", **args: Any) -> int:
    """Let somebody do something and return the number of its entry."""
    table.ok(by, do, **args)
    return len(table.entries)


def undo(table: Table, act: Any, **args: Any) -> str:
    return said(table.ok("bob", "undo", act=act, **args))[-1]


def wall(table: Table) -> tuple[Any, Any]:
    return table.get("game", "wall"), table.get("game", "coats")


def state(table: Table) -> dict[str, Any]:
    """Return what is in play: everything but what is kept of acts, of the past, and of when the law changed."""
    kept = json.loads(json.dumps(table.kernel.documents.everything()))
    for values in kept["things/office"].values():
        values.pop("since")
    past = ("acts/", "history/", "law", "head", "game")
    return {key: bare for key, doc in kept.items() if (bare := _bare(doc)) and not key.startswith(past)}


def _bare(document: Any) -> Any:
    """Return a document without registers that hold what they held before anybody set them."""
    if not isinstance(document, dict):
        return document
    kept = {key: _bare(value) for key, value in document.items() if value not in (None, False, [], "bare", {})}
    return {key: value for key, value in kept.items() if value not in ({}, 20)}


DEEDS_DONE: dict[str, dict[str, Any]] = {
    "paint": {"colour": "blue"}, "pay": {"to": "bob"}, "prize": {"to": "cid"}, "build": {}, "swear": {}, "flip": {},
}  # fmt: skip


@pytest.mark.parametrize("do", DEEDS_DONE)
def test_all_is_as_if_it_had_not_happened_and_the_record_keeps_both(table: Table, do: str) -> None:
    want = state(table)
    act = did(table, do, **DEEDS_DONE[do])
    assert state(table) != want or do == "flip"
    assert undo(table, act, why="a slip") == "True []"
    assert state(table) == want
    assert table.document("game")["settings"].get("T-Q1", "quiet") == "quiet"
    taken = [e for e in table.entries[-1]["effects"] if e["effect"] == "take_back"]
    assert [(e["of"], e["why"]) for e in taken] == [(str(act), "a slip")]
    assert table.entries[act - 1]["effects"]


def test_money_goes_back_whatever_was_paid_since_and_no_rule_turns_it(table: Table) -> None:
    first, second = did(table, "prize", to="cid"), did(table, "prize", to="cid")
    assert undo(table, first) == "True []"
    assert table.get("cid", "score") == 27
    lines = [e for entry in table.entries for e in entry["effects"] if e["effect"] == "award"]
    assert [(e["applied"], e["kind"], e["why"]) for e in lines[1:]] == [
        (7, "award", "a prize"),
        (-7, "correction", "taken back"),
    ]
    assert undo(table, second) == "True []"


def test_a_gift_goes_back_on_both_sides_or_on_none_or_is_left_to_the_rule(table: Table) -> None:
    gift = did(table, "pay", to="bob")
    told = said(table.ok("bob", "undo", act=gift, apart=["score"]))
    assert told == ['["ann score -5 a gift", "bob score 5 a gift"]', "True []"]
    assert table.refused("bob", "undo", act=gift, apart=["score"]) == "E-DUP"
    assert [table.get(who, "score") for who in ("ann", "bob")] == [15, 25]
    gift = did(table, "pay", to="bob")
    for _ in range(6):
        table.ok("bob", "pay", to="cid")
    assert undo(table, gift).startswith("False [")
    assert [table.get(who, "score") for who in ("ann", "bob", "cid")] == [10, 0, 50]


def test_what_has_changed_since_is_told_and_not_forced_and_the_law_may_ask_for_all_or_nothing(table: Table) -> None:
    act, later = did(table, "paint", colour="blue"), did(table, "paint", colour="red")
    assert table.refused("bob", "undo", act=act, strict=True) == "E-STATUS"
    assert undo(table, act, together=[["coats", "wall"]]).startswith("False")
    assert wall(table) == ("red", ["blue", "red"]), "what belongs together stays together"
    assert undo(table, act) == 'False ["wall: it has changed since"]'
    assert wall(table) == ("red", ["red"])
    told = [reason for reason in table.entries[-1]["reasons"] if reason["code"] == "STAYS"]
    assert [(each["rule"], each["args"]) for each in told] == [
        ("20", {"of": "game", "what": "wall", "why": "it has changed since"})
    ]
    assert undo(table, later) == "True []"
    assert undo(table, act, together=[["wall", "coats"], ["shelf"]]) == "True []"
    assert wall(table) == ("bare", [])


def test_a_second_time_is_refused_taking_back_is_taken_back_and_looking_takes_nothing_back(table: Table) -> None:
    act = did(table, "paint", colour="blue")
    assert table.ask("undo", act) is None
    assert wall(table)[0] == "blue"
    undo(table, act)
    assert table.refused("bob", "undo", act=act) == "E-DUP"
    assert undo(table, len(table.entries) - 1) == "True []"
    assert wall(table)[0] == "blue"


NO_WISHES = (("together", [1]), ("together", [["wall", 2]]), ("apart", [None]))
NO_ACTS = [{"act": act} for act in (0, 1, 999, -3, True, "2", None, [2], 10**30)]


@pytest.mark.parametrize("given", [*NO_ACTS, *({"act": 2, name: wish} for name, wish in NO_WISHES)])
def test_what_is_no_act_or_no_name_of_a_register_is_refused(table: Table, given: dict[str, Any]) -> None:
    assert did(table, "paint", colour="blue") == 2
    assert table.act("bob", "undo", **given).code in (("E-SCRIPT",) if given["act"] == 2 else ("E-NO-SUCH", "E-ARGS"))
    assert wall(table) == ("blue", ["blue"])


def test_things_and_timers_and_duties_that_ended_come_back(table: Table) -> None:
    did(table, "build")
    did(table, "swear")
    kept = {key: dict(table.kernel.documents[key]) for key in ("things/hut", "things/timer", "things/duty")}
    burnt, sworn = did(table, "burn"), did(table, "swear_anew")
    over = did(table, "forswear")
    for act in (over, sworn, burnt):
        assert undo(table, act) == "True []"
    assert {key: table.kernel.documents[key] for key in kept} == kept


def test_changes_of_the_law_go_back_as_changes_of_their_own(table: Table) -> None:
    assert undo(table, did(table, "legislate")) == "True []"
    law = table.kernel.play.law
    rules = {document["rule"]: document for document, _ in law.in_force().values()}
    assert (rules["60"]["text"], rules["60"].get("labels"), rules["70"]["text"]) == ("Sixty.", None, "Seventy.")
    assert ("50" in rules, "80" in rules) == (False, True)
    assert [meta["revision"] for uid, meta in law.metas().items() if uid in ("60", "70")] == [4, 2]


STAYS = {  # who does what, of which one is taken back, and what stays
    "a timer whose time has passed": ("ann swear; ann forswear; 7200", "forswear", "cancel: its time has passed"),
    "a proposal": ("ann sing", "sing", ""),
    "a number that another rule has": (
        "ann legislate; ann take_number",
        "legislate",
        "repeal: there is a rule 70 already",
    ),
    "a thing that another has": ("ann build; cid take", "build", "create: it has changed since"),
    "what was theirs who left": ("ann build; cid take; ann leave", "take", "give: whoever had it before has left"),
}


@pytest.mark.parametrize("what", STAYS)
def test_what_cannot_be_as_it_was_stays_and_is_told(table: Table, what: str) -> None:
    acts, taken, told = STAYS[what]
    seqs = {}
    for each in acts.split("; "):
        if each.isdigit():
            table.pass_time(int(each))
        else:
            by, do = each.split()
            seqs[do] = did(table, do, by)
    left = undo(table, seqs[taken])
    assert left.startswith("False [")
    assert told in left


@pytest.mark.parametrize("undone_while_waiting", [False, True])
def test_of_an_act_that_waited_all_is_taken_back_whenever_that_is(table: Table, undone_while_waiting: bool) -> None:
    table.ok("ann", "shut")
    act = did(table, "paint", "bob", colour="blue")
    if undone_while_waiting:
        assert undo(table, act) == "True []"
        assert (wall(table), table.get("game", "waiting")) == (("bare", []), 0)
    table.ok("ann", "shut")
    releasing = len(table.entries)
    assert (wall(table)[0], table.get("game", "waiting")) == ("blue", 0 if undone_while_waiting else 1)
    assert undo(table, act) == "True []"
    assert (wall(table), table.get("game", "waiting")) == (("bare", []), 0)
    assert table.refused("cid", "undo", act=act) == "E-DUP"
    assert undo(table, releasing) == "True []"
    assert (wall(table), table.get("game", "shut")) == (("bare", []), True)


def test_what_a_timer_brings_about_is_nobodys_act_and_without_a_rule_that_takes_back_nothing_is_kept() -> None:
    table = Table(ACTING, *OLD)
    did(table, "swear_anew")
    did(table, "forswear")
    assert not [key for key in table.kernel.documents.everything() if key.startswith("acts/")]
    assert not [e for entry in table.entries for e in entry.get("effects", ()) if "was" in e]
    table = Table(ACTING, UNDOING, *OLD)
    did(table, "swear")
    table.pass_time(3600)
    assert (wall(table)[0], table.entries[-1]["do"]) == ("rung", "tick")
    assert table.refused("bob", "undo", act=len(table.entries)) == "E-NO-SUCH"


def test_of_each_kind_of_effect_it_is_said_whether_it_is_taken_back() -> None:
    kinds = {key.split()[1] for key in keys() if key.startswith("effect ")}
    assert kinds - HOST.effects.keys() == ALONE
    assert not ALONE & HOST.effects.keys()
