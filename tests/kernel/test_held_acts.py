"""Language L6: acts that wait have an id, keep when and by what way they came, can be listed and dropped, and are heard of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.forges.port import Person, Pull, Push
from folkmoot.game.session import Session
from folkmoot.game.status import held_in, status_of
from folkmoot.referee.comment import comment
from folkmoot.referee.comment_building import CommentInput, build_comment_model
from folkmoot.scenarios.claims import meets
from folkmoot.site.game_views import view_of
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import now_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.table import START, VOTING, Table, rule

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
        release("clock")

    def do_forget(a):
        for act in held("clock"):
            if act.by == a.args.whose:
                announce("%d %s %s %s %s" % (act.id, act.name, act.args.word, act.why, act.rule.number))
                drop(act.id, "as asked")
        if drop(999):
            announce("never")

    def do_speak(a):
        announce("%s %s at %d in %d, judged at %d" % (a.by, a.args.word, a.at, a.id, now()))

    def on_act_held(e):
        append("game", "heard", "%d %s %s" % (e.action.id, e.action.by, e.label))
    """,
    defines={"game": {"stopped": {"type": "boolean"}, "heard": {"type": "list"}}},
    actions={
        "stop": {"despite": ["clock"]},
        "start": {"despite": ["clock"]},
        "forget": {"despite": ["clock"], "arguments": {"whose": {"type": "player"}}},
        "speak": {"arguments": {"word": {"type": "text"}}},
    },
)


ANN = Person(id="1", handle="ann")


def stopped() -> Table:
    table = Table(VOTING, CLOCK)
    table.ok("cid", "stop")
    for who, word in (("bob", "one"), ("ann", "two"), ("bob", "three")):
        assert table.ok(who, "speak", word=word).code == "HELD"
        table.pass_time(60)
    return table


def said(table: Table) -> list[str]:
    return [e["text"] for e in table.entries[-1]["effects"] if e["effect"] == "announce"]


def test_a_released_act_keeps_its_author_its_number_and_its_time_and_comes_in_its_order() -> None:
    table = stopped()
    table.ok("cid", "start")
    lines = [("bob", "one", 0, 3), ("ann", "two", 60, 4), ("bob", "three", 120, 5)]
    assert said(table) == [f"{w} {x} at {START + t} in {n}, judged at {START + 180}" for w, x, t, n in lines]
    table.replay_all()


def test_holding_is_an_event() -> None:
    table = stopped()
    assert table.kernel.documents["things/game"]["game"]["heard"] == ["3 bob clock", "4 ann clock", "5 bob clock"]


def test_what_waits_is_listed_and_dropped_by_its_id() -> None:
    table = stopped()
    table.ok("cid", "forget", whose="bob")
    assert said(table) == ["3 speak one the clock is off 10", "5 speak three the clock is off 10"]
    dropped = [e for e in table.entries[-1]["effects"] if e["effect"] == "drop"]
    assert [(e["of"], e["label"], e["why"]) for e in dropped] == [
        ("3", "clock", "as asked"),
        ("5", "clock", "as asked"),
    ]
    told = strip(effect(Here(GameView(slug="g", documents={}), "index.md"), table.entries[-1], dropped[0]))
    assert "The act held since entry" in told
    assert "is dropped: “as asked”" in told
    assert [act["id"] for act in held_in(table.kernel.documents.all())] == [4]
    table.ok("cid", "start")
    assert len(said(table)) == 1
    table.replay_all()


def test_a_pull_request_goes_with_its_act() -> None:
    table = Table(VOTING, CLOCK)
    table.ok("cid", "stop")
    via = {"forge": "local", "pull": 7, "fact": "ab", "arrived": START, "head": "c0", "digest": "d0"}
    table.judge("propose", "ann", {"title": "Later", "changes": []}, via=via)
    table.pass_time(3600)
    table.ok("bob", "start")
    proposal = table.kernel.documents.find("proposals/900/901")
    assert proposal is not None
    assert (proposal["author"], proposal["via"]["pull"], proposal["submitted_at"]) == ("ann", 7, START + 3600)
    table.replay_all()


def test_scenarios_claim_what_waits() -> None:
    table = stopped()

    def claim(**fields: Any) -> str:
        return meets(table.kernel, table.entries, {"held": "clock", **fields}, table.now)

    assert (claim(), claim(by="bob", times=2), claim(do="speak", by="ann")) == ("", "", "")
    assert claim(by="cid") == "what waits is speak of bob, speak of ann, speak of bob"
    assert claim(times=2) == "what waits is speak of bob, speak of ann, speak of bob"


def test_a_rule_that_lets_go_what_it_hears_of_ends() -> None:
    loop = rule("11", 'def on_act_held(e):\n    release("clock")')
    table = Table(VOTING, CLOCK, loop)
    table.ok("cid", "stop")
    outcome = table.ok("ann", "speak", word="on")
    assert (outcome.code, outcome.failures != []) == ("HELD", True)
    assert table.kernel.documents.find("things/held")
    table.replay_all()


def test_neither_looks_are_writes_nor_dropping_a_look() -> None:
    looking = rule("11", "def decide_waiting():\n    return len(held())\n\ndef decide_gone():\n    return drop(3)")
    table = Table(VOTING, CLOCK, looking)
    table.ok("cid", "stop")
    table.ok("ann", "speak", word="on")
    assert table.kernel.ask("waiting", [], table.now) == 1
    assert table.kernel.ask("gone", [], table.now) is None
    assert held_in(table.kernel.documents.all())


def test_the_dashboard_and_the_status_show_what_waits(tmp_path: Path) -> None:
    place = tmp_path / "game"
    given = {"rules": [VOTING, CLOCK], "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["ann"]}
    assert Session.found(place, given, START).accepted
    with Session.open(place, writing=True) as session:
        session.act("ann", "stop", at=START + 60)
        assert session.act("bob", "speak", {"word": "one"}, at=START + 120).code == "HELD"
        assert status_of(session)["held"] == [
            {
                "id": 3, "do": "speak", "by": "bob", "as": None, "at": START + 120, "label": "clock",
                "why": "the clock is off", "rule": "10",
            }
        ]  # fmt: skip
        assert status_of(session, "ann")["held"] == []
        view = view_of(session)
    told = strip(drawn_page(view, now_page(view)).body)
    assert "speak, sent" in told
    assert "waits for clock" in told


def test_the_comment_on_a_pull_request_says_what_waits_and_for_what() -> None:
    table = Table(VOTING, CLOCK)
    table.ok("cid", "stop")
    via = {"forge": "local", "pull": 7, "fact": "c0", "arrived": START}
    table.judge("propose", "ann", {"title": "Later", "changes": []}, via=via)

    def told() -> str:
        pull = Pull(
            number=7, author=ANN, title="Later", body="", state="open", base="main",
            pushes=(Push(commit="c0", at=START, author=ANN),), opened_at=START,
        )  # fmt: skip
        asked = CommentInput(
            pull=pull, state="open", documents=table.kernel.documents.all(), entries=(table.entries[2],)
        )
        return comment(build_comment_model(asked))

    assert "What it asks for **waits**." in told()
    assert "until ‘clock’ is released" in told()
    table.ok("cid", "start")
    assert "**waits**" not in told()


def test_a_law_that_holds_everything_for_ever_is_found_before() -> None:
    probing = rule(
        "30",
        "def do_probe(a):\n    announce(locks_out(proposal(a.args.number)) or 'it goes on')",
        actions={"probe": {"arguments": {"number": {"type": "integer"}}}},
    )
    table = Table(VOTING, probing)
    for script, goes_on in (("def forbid(a):\n    return hold('never')", False), ("", True)):
        number = table.propose("ann", {"enact": {"title": "Rest", "text": "", "script": script}})
        table.ok("ann", "probe", number=number)
        assert (said(table) == ["it goes on"]) is goes_on
