"""Language L12: an act is taken back from what it changed, as if it had not happened; what has changed since is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.kernel.host import HOST
from folkmoot.wording.catalogue import keys
from tests.support.table import START, VOTING, Table, rule

ALONE = set(
    # what waits, the secrets of draws, and what only says something
    "hold sealing sealing_asked seed epoch redact state "
    # what administrators, the forge and the clock do, and who somebody is
    "apply clock correct engine forge identify key limit maintain notify pause rehouse remind repair resume revoke "
    "succession".split()
)
"""Kinds of effects that no function of the law language brings: no rule is told that they stay."""
DEEDS = """
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

    def do_burn(a):
        destroy("hut-a")

    def do_swear(a):
        owe(a.by, "sweep", key = "sweep", by = now() + DAY)
        after(HOUR, "bell", word = "ding")

    def do_swear_anew(a):
        owe(a.by, "dust", key = "sweep")
        after(2 * HOUR, "bell", word = "dong")

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
"""
LAW_DEEDS = """
    def do_legislate(a):
        enact("New", "It is new.", number = "50")
        amend(rule("60"), text = "Amended.")
        label(rule("60"), status = "odd")
        repeal(rule("70"))
        renumber(rule("80"), "81")

    def do_take_number(a):
        enact("Other", "", number = "70")
"""
WORDS = "paint pay prize build burn swear swear_anew forswear flip sing legislate take_number".split()
ARGUMENTS = {
    "paint": {"colour": {"type": "string"}},
    "pay": {"to": {"type": "player"}},
    "prize": {"to": {"type": "player"}},
}
ACTING = rule(
    "10",
    DEEDS + LAW_DEEDS,
    defines={
        "game": {"wall": {"type": "string", "initial": "bare"}, "coats": {"type": "list"}, "shelf": {"type": "map"}},
        "rule": {"weary": {"type": "boolean"}},
        "office": {"elected": {"type": "boolean"}},
        "offices": {"warden": {}},
        "currencies": {"score": {"initial": 20, "minimum": 0}},
        "kinds": {"hut": {"registers": {"colour": {"type": "string", "optional": True}}}},
    },
    actions={word: {"arguments": ARGUMENTS.get(word, {})} for word in WORDS},
    timers={"bell": {}},
    settings={"T-Q1": {"question": "How?", "default": "quiet", "alternatives": {"quiet": "a", "loud": "b"}}},
)
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
        "undo": {
            "arguments": {
                "act": {"type": "any"},
                "why": {"type": "text", "optional": True},
                "strict": {"type": "boolean", "optional": True},
                "together": {"type": "list", "optional": True},
                "apart": {"type": "list", "optional": True},
            },
        },
    },
)
OLD = (rule("60", text="Sixty."), rule("70", text="Seventy."), rule("80"))


def seated() -> Table:
    return Table(VOTING, ACTING, UNDOING, *OLD)


def state(table: Table) -> dict[str, Any]:
    """Return what is in play: everything but what is kept of acts, of the past, and of when the law changed."""
    kept = json.loads(json.dumps(table.kernel.documents.everything()))
    shown = {key: doc for key, doc in kept.items() if not key.startswith(("acts/", "history/", "law", "head"))}
    for values in shown["things/office"].values():
        values.pop("since")
    return shown


def did(table: Table, do: str, **args: Any) -> int:
    table.ok("ann", do, **args)
    return len(table.entries)


def undo(table: Table, act: Any, **args: Any) -> str:
    table.ok("bob", "undo", act=act, **args)
    return next(e["text"] for e in table.entries[-1]["effects"] if e["effect"] == "announce")


def wall(table: Table) -> tuple[Any, Any]:
    game = table.kernel.documents["things/game"]["game"]
    return game["wall"], game["coats"]


CASES = [
    ("paint", {"colour": "blue"}), ("pay", {"to": "bob"}), ("prize", {"to": "cid"}), ("build", {}), ("swear", {}),
    ("flip", {}),
]  # fmt: skip


@pytest.mark.parametrize(("do", "args"), CASES)
def test_all_is_as_if_it_had_not_happened_and_the_record_keeps_both(do: str, args: dict[str, Any]) -> None:
    table = seated()
    table.ok("cid", "state", text="before")
    before = table.kernel.documents.snapshot()
    want = state(table)
    act = did(table, do, **args)
    assert before != table.kernel.documents.snapshot()
    assert undo(table, act, why="a slip") == "True []"
    found = state(table)
    for key in {"game", *want}:
        if key != "game":
            assert _bare(found.get(key)) == _bare(want.get(key)), key
    taken = [e for e in table.entries[-1]["effects"] if e["effect"] == "take_back"]
    assert [(e["of"], e["why"]) for e in taken] == [(str(act), "a slip")]
    assert table.entries[act - 1]["effects"]
    table.replay_all()


def _bare(document: Any) -> Any:
    """Return a document without registers that hold what they held before anybody set them."""
    if not isinstance(document, dict):
        return document
    kept = {key: _bare(value) for key, value in document.items() if value not in (None, False, [], "bare", {})}
    return {key: value for key, value in kept.items() if value not in ({}, 20)}


def test_money_goes_back_whatever_was_paid_since_and_no_rule_turns_it() -> None:
    table = seated()
    first, second = did(table, "prize", to="cid"), did(table, "prize", to="cid")
    assert undo(table, first) == "True []"
    assert table.kernel.documents["things/player"]["cid"]["score"] == 27
    lines = [e for entry in table.entries for e in entry["effects"] if e["effect"] == "award"]
    assert [(e["applied"], e["kind"], e.get("why", "")) for e in lines] == [
        (7, "award", "a prize"), (7, "award", "a prize"), (-7, "correction", "taken back"),
    ]  # fmt: skip
    assert undo(table, second) == "True []"


def test_a_gift_goes_back_on_both_sides_or_on_none() -> None:
    table = seated()
    gift = did(table, "pay", to="bob")
    for _ in range(5):
        table.ok("bob", "pay", to="cid")
    assert undo(table, gift).startswith("False [")
    scores = {who: table.kernel.documents["things/player"][who]["score"] for who in ("ann", "bob", "cid")}
    assert scores == {"ann": 15, "bob": 0, "cid": 45}
    table.replay_all()


def test_what_has_changed_since_is_told_and_not_forced() -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    table.ok("cid", "paint", colour="red")
    assert undo(table, act) == 'False ["wall: it has changed since"]'
    assert wall(table) == ("red", ["red"])
    told = [reason for reason in table.entries[-1]["reasons"] if reason["code"] == "STAYS"]
    assert told == [
        {"code": "STAYS", "rule": "20", "args": {"of": "game", "what": "wall", "why": "it has changed since"}}
    ]
    table.replay_all()


def test_registers_that_belong_together_become_what_they_were_or_stay() -> None:
    for touched, together in (("red", [["coats", "wall"]]), (None, [["wall", "coats"], ["shelf"]])):
        table = seated()
        act = did(table, "paint", colour="blue")
        if touched:
            table.ok("cid", "paint", colour=touched)
        want = 'False ["wall: it has changed since"]' if touched else "True []"
        assert undo(table, act, together=together) == want
        assert wall(table) == (("red", ["blue", "red"]) if touched else ("bare", []))
        table.replay_all()


def test_what_stayed_together_is_taken_back_together_later() -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    later = did(table, "paint", colour="red")
    assert undo(table, act, together=[["wall", "coats"]]).startswith("False")
    assert undo(table, later) == "True []"
    assert undo(table, act, together=[["wall", "coats"]]) == "True []"
    assert wall(table) == ("bare", [])
    table.replay_all()


def test_money_that_is_kept_apart_is_told_once_and_left_to_the_rule() -> None:
    table = seated()
    gift = did(table, "pay", to="bob")
    table.ok("bob", "undo", act=gift, apart=["score"])
    said = [e["text"] for e in table.entries[-1]["effects"] if e["effect"] == "announce"]
    assert said == ['["ann score -5 a gift", "bob score 5 a gift"]', "True []"]
    scores = {who: table.kernel.documents["things/player"][who]["score"] for who in ("ann", "bob")}
    assert scores == {"ann": 15, "bob": 25}
    assert table.refused("bob", "undo", act=gift, apart=["score"]) == "E-DUP"
    table.replay_all()


@pytest.mark.parametrize("wishes", [{"together": [1]}, {"together": [["wall", 2]]}, {"apart": [None]}])
def test_what_is_no_name_of_a_register_is_a_fault(wishes: dict[str, Any]) -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    assert table.act("bob", "undo", act=act, **wishes).code == "E-SCRIPT"
    assert wall(table) == ("blue", ["blue"])


def test_nothing_goes_back_to_somebody_who_has_left() -> None:
    leaving = rule(
        "30",
        "def do_leave(a):\n    destroy(a.by)\n\ndef do_take(a):\n    give('hut-a', a.by)\n",
        actions={"leave": {}, "take": {}},
    )
    table = Table(VOTING, ACTING, UNDOING, leaving)
    did(table, "build")
    table.ok("cid", "take")
    taken = len(table.entries)
    table.ok("ann", "leave")
    table.ok("bob", "undo", act=taken)
    assert "give: whoever had it before has left" in str(table.entries[-1]["effects"])
    assert table.kernel.documents["things/hut"]["hut-a"]["owner"] == "cid"
    table.replay_all()


def test_what_a_timer_brings_about_is_nobodys_act() -> None:
    ringing = rule("30", "def on_bell(e):\n    put('game', 'wall', 'rung')\n")
    table = Table(VOTING, ACTING, UNDOING, ringing)
    did(table, "swear")
    table.pass_time(3600)
    assert wall(table)[0] == "rung"
    assert table.entries[-1]["do"] == "tick"
    assert table.refused("bob", "undo", act=len(table.entries)) == "E-NO-SUCH"


def test_the_law_can_ask_for_all_or_nothing() -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    table.ok("cid", "paint", colour="red")
    assert table.refused("bob", "undo", act=act, strict=True) == "E-STATUS"
    assert table.kernel.documents["things/game"]["game"]["coats"] == ["blue", "red"]


def test_a_second_time_is_refused_and_taking_back_is_taken_back() -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    undo(table, act)
    assert table.refused("bob", "undo", act=act) == "E-DUP"
    assert undo(table, len(table.entries) - 1) == "True []"
    assert table.kernel.documents["things/game"]["game"]["wall"] == "blue"


@pytest.mark.parametrize("act", [0, 1, 999, -3, True, "2", None, [2], 10**30])
def test_what_is_no_act_is_refused(act: Any) -> None:
    assert seated().act("bob", "undo", act=act).code in ("E-NO-SUCH", "E-ARGS")


def test_things_and_timers_and_duties_that_ended_come_back() -> None:
    table = seated()
    did(table, "build")
    did(table, "swear")
    kept = {key: dict(table.kernel.documents[key]) for key in ("things/hut", "things/timer", "things/duty")}
    burnt, sworn = did(table, "burn"), did(table, "swear_anew")
    over = did(table, "forswear")
    for act in (over, sworn, burnt):
        assert undo(table, act) == "True []"
    assert {key: table.kernel.documents[key] for key in kept} == kept
    table.replay_all()


def test_a_timer_whose_time_has_passed_stays_away() -> None:
    table = seated()
    did(table, "swear")
    over = did(table, "forswear")
    table.pass_time(7200)
    assert undo(table, over) == 'False ["cancel: its time has passed"]'


def test_a_thing_that_somebody_has_changed_stays() -> None:
    table = seated()
    act = did(table, "build")
    table.kernel.documents["things/hut"]["hut-a"]["owner"] = "cid"
    assert "create: it has changed since" in undo(table, act)


def test_changes_of_the_law_go_back_as_changes_of_their_own() -> None:
    table = seated()
    act = did(table, "legislate")
    assert undo(table, act) == "True []"
    law = table.kernel.play.law
    rules = {document["rule"]: document for document, _ in law.in_force().values()}
    assert (rules["60"]["text"], rules["60"].get("labels"), rules["70"]["text"]) == ("Sixty.", None, "Seventy.")
    assert "50" not in rules
    assert "80" in rules
    assert [meta["revision"] for uid, meta in law.metas().items() if uid in ("60", "70")] == [4, 2]
    table.replay_all()


def test_a_rule_does_not_come_back_under_a_number_that_another_has_now() -> None:
    table = seated()
    act = did(table, "legislate")
    did(table, "take_number")
    assert undo(table, act) == 'False ["repeal: there is a rule 70 already"]'
    table.replay_all()


def test_proposals_and_votes_stay() -> None:
    table = seated()
    assert undo(table, did(table, "sing")).startswith("False [")


def test_an_act_that_waited_is_taken_back_by_its_own_number() -> None:
    holding = rule(
        "30",
        """
        def forbid_paint(a):
            return hold("clock") if get("game", "shut") else None

        def do_shut(a):
            put("game", "shut", not get("game", "shut"))
            if not get("game", "shut"):
                release("clock")
        """,
        defines={"game": {"shut": {"type": "boolean"}}},
        actions={"shut": {}},
    )
    table = Table(VOTING, ACTING, UNDOING, holding)
    table.ok("cid", "shut")
    act = did(table, "paint", colour="blue")
    table.ok("cid", "shut")
    releasing = len(table.entries)
    assert undo(table, act) == "True []"
    assert wall(table) == ("bare", [])
    assert undo(table, releasing) == "True []"
    assert (wall(table), table.kernel.documents["things/game"]["game"]["shut"]) == (("bare", []), True)
    table.replay_all()


def test_a_game_whose_law_takes_nothing_back_keeps_nothing_for_it() -> None:
    table = Table(VOTING, ACTING, *OLD)
    did(table, "swear_anew")
    did(table, "forswear")
    assert not [key for key in table.kernel.documents.everything() if key.startswith("acts/")]
    assert not [e for entry in table.entries for e in entry.get("effects", ()) if "was" in e]


def test_it_costs_what_the_act_changed_and_not_the_age_of_the_game() -> None:
    def budget(acts: int) -> dict[str, int]:
        table = seated()
        act = did(table, "paint", colour="blue")
        for _ in range(acts):
            table.ok("cid", "prize", to="cid")
        undo(table, act)
        touched = {key for key in table.kernel.documents.touched if not key.startswith("pulls/")}
        return {"documents": len(touched), **table.kernel.play.budget.spent}

    assert budget(2) == budget(60)


def test_a_game_on_disk_takes_back_what_an_earlier_session_did(tmp_path: Path) -> None:
    place = tmp_path / "game"
    given = {"rules": [ACTING, UNDOING, *OLD], "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["ann"]}
    assert Session.found(place, given, START).accepted
    with Session.open(place, writing=True) as session:
        done = session.act("ann", "paint", {"colour": "blue"}, at=START + 60)
        act = int(done.entry["seq"])
    assert (place / "acts" / "000" / f"{act}.yaml").is_file()
    with Session.open(place, writing=True) as session:
        assert session.act("bob", "undo", {"act": act}, at=START + 120).accepted
        assert session.document("things/game")["game"]["wall"] == "bare"
        assert session.act("bob", "undo", {"act": act}, at=START + 180).code == "E-DUP"
    report = verify(GameFolder(place), replayed_anew(GameFolder(place)))
    assert not report.problems


def test_looking_takes_nothing_back() -> None:
    table = seated()
    act = did(table, "paint", colour="blue")
    assert table.kernel.ask("undo", [act], table.now) is None
    assert table.kernel.documents["things/game"]["game"]["wall"] == "blue"


def test_of_each_kind_of_effect_it_is_said_whether_it_is_taken_back() -> None:
    kinds = {key.split()[1] for key in keys() if key.startswith("effect ")}
    assert kinds - HOST.effects.keys() == ALONE
    assert not ALONE & HOST.effects.keys()
