"""Acts that wait: known by an id, in their order, judged anew when what holds them lets them go, and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.port import Person, Pull, Push
from folkmoot.game.session import Session
from folkmoot.game.status import held_in, status_of
from folkmoot.referee.comment import CommentInput, build_comment_model, comment
from folkmoot.scenarios.claims import meets
from folkmoot.site.game_views import view_of
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import now_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect as sentence_of
from tests.support.table import START, VOTING, Found, Record, Table, effects, reasons, rule, said

CLOCK = rule(
    "10",
    """
    def forbid(a):
        if get("game", "stopped") and "clock" not in a.despite:
            return hold("clock", "the clock is off")
    def do_stop(a):
        put("game", "stopped", True)
    def do_start(a):
        put("game", "stopped", False)
        for act in release("clock"):
            if not act.ok:
                announce("%d %s" % (act.id, act.code))
    def do_forget(a):
        for act in held("clock"):
            if act.by == a.args.whose:
                announce("%d %s %s %s %s" % (act.id, act.name, act.args.word, act.why, act.rule.number))
                drop(act.id, "as asked")
        if drop(999):
            announce("never")
    def do_speak(a):
        announce("%s %s at %d in %d, judged at %d" % (a.by, a.args.word, a.at, a.id, now()))
        put("game", "page", "." * a.args.cost)
        require(a.args.word != "bad", "E-ARGS")
        if a.args.word == "stop":
            put("game", "stopped", True)
    def do_forge(a):
        at(now() + 3600, "waiting-acts", key = "mine")
    def on_act_held(e):
        append("game", "heard", "%d %s %s" % (e.action.id, e.action.by, e.label))
    """,
    defines={"game": {"stopped": {"type": "boolean"}, "heard": {"type": "list"}, "page": {"type": "string"}}},
    actions={
        "stop": {"despite": ["clock"]},
        "start": {"despite": ["clock"]},
        "forget": {"despite": ["clock"], "arguments": {"whose": {"type": "player"}}},
        "speak": {"arguments": {"word": {"type": "text"}, "cost": {"type": "integer", "default": 0}}},
        "forge": {},
    },
)
ANN = Person(id="1", handle="ann")


@pytest.fixture
def stopped(found: Found) -> Table:
    """Return a table at which acts of bob, ann, cid and bob wait."""
    table = found(VOTING, CLOCK)
    table.ok("cid", "stop")
    for who, word in (("bob", "one"), ("ann", "two"), ("cid", "bad"), ("bob", "three")):
        outcome = table.ok(who, "speak", word=word)
        assert reasons(outcome, "HELD")[0]["args"] == {"label": "clock", "why": "the clock is off"}
        table.pass_time(60)
    return table


def held(table: Table) -> Any:
    """Return the acts that wait."""
    return table.kernel.documents.find("things/held") or {}


def test_released_acts_keep_author_number_and_time_and_are_judged_anew_each_by_itself(stopped: Table) -> None:
    assert stopped.get("game", "heard") == ["3 bob clock", "4 ann clock", "5 cid clock", "6 bob clock"]
    outcome = stopped.ok("cid", "start")
    lines = [("bob", "one", 0, 3), ("ann", "two", 60, 4), ("bob", "three", 180, 6)]
    told = [f"{w} {x} at {START + t} in {n}, judged at {START + 240}" for w, x, t, n in lines]
    assert said(outcome) == [*told, "5 E-ARGS"]
    assert (len(effects(outcome, "release")), len(reasons(outcome, "E-ARGS"))) == (4, 1)
    assert held(stopped) == {}


def test_what_waits_is_claimed_listed_and_dropped_by_its_id(stopped: Table) -> None:
    def claim(**fields: Any) -> str:
        return meets(stopped.kernel, stopped.entries, {"held": "clock", **fields}, stopped.now)

    assert (claim(), claim(by="bob", times=2), claim(do="speak", by="ann")) == ("", "", "")
    assert claim(by="dan") == claim(times=2) == "what waits is speak of bob, speak of ann, speak of cid, speak of bob"
    outcome = stopped.ok("cid", "forget", whose="bob")
    assert said(outcome) == ["3 speak one the clock is off 10", "6 speak three the clock is off 10"]
    dropped = effects(outcome, "drop")
    assert [(e["of"], e["label"], e["why"]) for e in dropped] == [(of, "clock", "as asked") for of in ("3", "6")]
    told = strip(sentence_of(Here(GameView(slug="g", documents={}), "index.md"), stopped.entries[-1], dropped[0]))
    assert "The act held since entry" in told
    assert "is dropped: “as asked”" in told
    assert [act["id"] for act in held_in(stopped.kernel.documents.all())] == [4, 5]
    assert len(said(stopped.ok("cid", "start"))) == 2


def test_a_pull_request_goes_with_its_act_and_its_comment_says_what_waits(found: Found) -> None:
    table = found(VOTING, CLOCK)
    table.ok("cid", "stop")
    via = {"forge": "local", "pull": 7, "fact": "c0", "arrived": START, "head": "c0", "digest": "d0"}
    table.judge("propose", "ann", {"title": "Later", "changes": []}, via=via)

    def told() -> str:
        pushes = (Push(commit="c0", at=START, author=ANN),)
        pull = Pull(
            number=7, author=ANN, title="Later", body="", state="open", base="main", pushes=pushes, opened_at=START
        )
        documents = table.kernel.documents.all()
        asked = CommentInput(pull=pull, state="open", documents=documents, entries=(table.entries[2],))
        return comment(build_comment_model(asked))

    assert "What it asks for **waits**." in told()
    assert "until ‘clock’ is released" in told()
    table.pass_time(3600)
    table.ok("bob", "start")
    assert "**waits**" not in told()
    proposal = table.proposal(901)
    assert (proposal["author"], proposal["via"]["pull"], proposal["submitted_at"]) == ("ann", 7, START + 3600)


def test_a_rule_that_lets_go_what_it_hears_of_ends_and_looking_drops_nothing(found: Found) -> None:
    loop = rule("11", 'def on_act_held(e):\n    release("clock")')
    looking = rule("12", "def decide_waiting():\n    return len(held())\n\ndef decide_gone():\n    return drop(3)")
    table = found(VOTING, CLOCK, loop, looking)
    table.ok("cid", "stop")
    outcome = table.ok("ann", "speak", word="on")
    assert (outcome.code, outcome.failures != []) == ("HELD", True)
    assert (table.ask("waiting"), table.ask("gone")) == (1, None)
    assert held_in(table.kernel.documents.all())


def test_the_dashboard_and_the_status_show_what_waits(tmp_path: Path) -> None:
    place = tmp_path / "game"
    given = {"rules": [VOTING, CLOCK], "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["ann"]}
    assert Session.found(place, given, START).accepted
    with Session.open(place, writing=True) as session:
        session.act("ann", "stop", at=START + 60)
        assert session.act("bob", "speak", {"word": "one"}, at=START + 120).code == "HELD"
        (waits,) = status_of(session)["held"]
        assert {name: waits[name] for name in ("id", "do", "by", "at", "label", "why", "rule")} == {
            "id": 3, "do": "speak", "by": "bob", "at": START + 120, "label": "clock", "why": "the clock is off", "rule": "10",
        }  # fmt: skip
        view = view_of(session)
    told = strip(drawn_page(view, now_page(view)).body)
    assert "speak, sent" in told
    assert "waits for clock" in told


# -- when the rule that holds is not what it was


HOLDING = rule("20", "def forbid_speak(a):\n    return hold('never', 'it is kept')")
REFUSING = "def forbid_speak(a):\n    return refuse('E-ORDER', 'no speaking')"
ENDS: dict[str, Callable[[Table], object]] = {
    "repealed": lambda table: table.adopt({"repeal": "20"}),
    "suspended": lambda table: table.ok("root", "suspend", rule="20"),
    "amended": lambda table: table.adopt({"amend": "20", "script": REFUSING}),
}


@pytest.mark.parametrize("end", ENDS)
def test_held_acts_are_judged_when_their_rule_is_not_what_it_was_and_not_while_the_game_is_paused(
    found: Found, end: str
) -> None:
    table = found(VOTING, CLOCK, HOLDING)
    for word in ("one", "two"):
        table.ok("ann", "speak", word=word)
    if end == "suspended":
        table.ok("root", "pause")
        ENDS[end](table)
        assert held(table)
        table.ok("root", "resume")
    else:
        ENDS[end](table)
    texts = [each["text"].split()[1] for each in table.entries[-1]["effects"] if each["effect"] == "announce"]
    assert texts == ([] if end == "amended" else ["one", "two"])
    told = [reason for reason in table.entries[-1].get("reasons", ()) if reason["code"] == "E-ORDER"]
    assert [each["args"] for each in told] == (
        [{"why": "no speaking", "of": of} for of in ("2", "3")] if end == "amended" else []
    )
    assert held(table) == {}


def test_what_another_rule_holds_then_waits_for_that_one(found: Found) -> None:
    table = found(VOTING, CLOCK, HOLDING, rule("21", "def forbid_speak(a):\n    return hold('other')"))
    table.ok("ann", "speak", word="one")
    table.ok("root", "suspend", rule="20")
    assert held(table)["2"]["rule"] == "21"
    table.ok("root", "suspend", rule="21")
    assert held(table) == {}


# -- more than one event can judge


WORDS = [f"word{n}" for n in range(20)]


def waiting(*words: str, cost: int = 120_000, law: tuple[Record, ...] = ()) -> Table:
    """Return a table at which so many words wait for the clock, of which one event can judge but a few."""
    table = Table(VOTING, CLOCK, *law)
    table.ok("cid", "stop")
    for word in words:
        assert table.ok("bob", "speak", word=word, cost=2_000_000 if word == "endless" else cost).code == "HELD"
    return table


def heard(table: Table, began: int) -> list[str]:
    effects = [effect for entry in table.entries[began:] for effect in entry["effects"]]
    texts = [effect["text"] for effect in effects if effect["effect"] == "announce"]
    return [text.split()[1] for text in texts if text.startswith("bob")]


def test_all_are_judged_in_their_order_by_as_many_events_as_it_takes() -> None:
    table = waiting(*WORDS)
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(0, after_deadlines=False)  # before whatever else arrives in that second
    table.ok("bob", "speak", word="later")
    assert heard(table, began) == [*WORDS, "later"]
    assert 2 < len(table.entries) - began < 10
    assert all(not entry.get("failures") for entry in table.entries)
    assert held(table) == {}
    assert not [key for key in table.document("things/timer") if key.startswith("waiting-acts")]
    assert "the engine's to start" in str(table.act("bob", "forge").failures), "no rule starts that timer"
    table.replay_all()


def test_acts_that_have_to_wait_again_are_looked_at_once_and_keep_their_place() -> None:
    table = waiting("stop", *WORDS)
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(3600)
    assert (heard(table, began), len(held(table))) == (["stop"], len(WORDS))
    table.ok("cid", "start")
    table.pass_time(0)
    assert heard(table, began) == ["stop", *WORDS]


def test_what_no_budget_suffices_for_is_refused_and_keeps_nobody_else() -> None:
    table = waiting("one", "endless", "two")
    began = len(table.entries)
    table.ok("cid", "start")
    table.pass_time(0)
    refused = [reason for entry in table.entries[began:] for reason in entry.get("reasons", ())]
    assert [(reason["code"], reason["args"]["of"]) for reason in refused] == [("E-SCRIPT", "4")]
    assert heard(table, began) == ["one", "two"]
    assert held(table) == {}
