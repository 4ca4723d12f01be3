"""The hardest clauses as examples of the law language, each with the least that it needs around it."""

from __future__ import annotations

from functools import partial

from folkmoot.kernel.sealed_data.values import seen_by
from tests.support.table import VOTING, Found, effects, reasons, rule, said, script

GO = {"actions": {"go": {}}}
PLAIN = {"enact": {"title": "New", "text": "Something new."}}


def play_out(table: object, votes: str, *changes: dict[str, object]) -> str:
    """Propose, let everybody vote with f or a, and return the outcome."""
    number = table.propose("ann", *(changes or (PLAIN,)))  # type: ignore[attr-defined]
    for voter, letter in zip(("ann", "bob", "cid"), votes, strict=True):
        table.ok(voter, "vote", proposal=number, choice={"f": "for", "a": "against"}[letter])  # type: ignore[attr-defined]
    return str(table.proposal(number)["outcome"])  # type: ignore[attr-defined]


CHANGES_ITSELF = rule(
    "203",
    """
    def decide_adopted(p):
        voters = ask("electorate", p)
        if get(me(), "relaxed"):
            return verdict(2 * ballots(p, "for") > len(voters), "simple majority of %d" % len(voters))
        return verdict(ballots(p, "for") == len(voters), "unanimity of %d" % len(voters))

    def on_circuit_ended(e):
        if e.circuit == 2 and not amended(me()):
            put(me(), "relaxed", True)
            announce("From now on a simple majority adopts.")
    def do_go(a):
        emit("circuit_ended", circuit = 2)
    """,
    defines={"rule": {"relaxed": {"type": "boolean", "initial": False}}},
    **GO,
)


def test_1_a_rule_that_changes_itself(found: Found) -> None:
    table = found(CHANGES_ITSELF, VOTING)
    assert play_out(table, "ffa") == "defeated"
    assert said(table.ok("ann", "go")) == ["From now on a simple majority adopts."]
    assert play_out(table, "ffa") == "adopted"
    table.adopt({"amend": "203", "text": "Amended."})
    assert said(table.ok("ann", "go")) == []


def test_2_several_rules_answer_one_question(found: Found) -> None:
    never = "def decide_adopted(p):\n    return verdict(p.changes[0].kind == 'repeal', 'never')\n"
    table = found(rule("304", never), rule("305", "def decide_adopted(p):\n    return verdict(True)"), VOTING)
    assert play_out(table, "aaa") == "defeated"
    last = table.entries[-1]["reasons"]
    assert {r["rule"] for r in last if r["code"] == "OVERRULED"} == {"305", "900"}
    assert play_out(table, "aaa", {"repeal": "304"}) == "adopted"
    assert play_out(table, "aaa") == "adopted"


def test_3_what_prevails_is_law_too(found: Found) -> None:
    upper = rule("110", "def decide_prevails(a, b):\n    if a.labels.status != b.labels.status:\n"
                        "        return a if a.labels.status == 'immutable' else b", labels={"status": "immutable"})  # fmt: skip
    lower = rule("211", """
        def decide_prevails(a, b):
            if a.labels.status != b.labels.status:
                return None
            if claims_over(a, b) != claims_over(b, a):
                return a if claims_over(a, b) else b
            return a if int(a.number) < int(b.number) else b
        """, labels={"status": "mutable"})  # fmt: skip
    rules = [rule("301", labels={"status": "mutable"}), rule("302", labels={"status": "immutable"}),
             rule("303", labels={"status": "mutable"}, precedence={"over": ["301"]}),
             rule("304", labels={"status": "mutable"}, precedence={"defers_to": ["status=mutable"]})]  # fmt: skip
    table = found(upper, lower, *rules)
    assert table.kernel.order(table.now) == ["110", "302", "211", "303", "301", "304"]


def test_4_which_law_governs_a_submission(found: Found) -> None:
    law = rule("8", "def decide_law_for(s):\n    return s.number\ndef do_decide(a):\n    announce(me().text)",
               text="before", actions={"decide": {"arguments": {"number": {"type": "integer"}}}})  # fmt: skip
    table = found(law, VOTING)
    table.adopt({"amend": "8", "text": "after"})
    assert [said(table.ok("ann", "decide", number=n)) for n in (900, 901)] == [["before"], ["after"]]


def test_5_amounts_that_turn_round(found: Found) -> None:
    law = rule("11", "def adjust_award(a):\n    if a.currency == 'score' and a.kind == 'award' and get(a.to, 'score') > 50:\n"
                     "        return -a.amount\ndef do_go(a):\n    award(a.by, 'score', 8)",
               defines={"currencies": {"score": {"initial": 44}}}, **GO)  # fmt: skip
    table = found(law)
    lines = [effects(table.ok("ann", "go"), "award")[0] for _ in range(3)]
    assert [(line["asked"], line["applied"], line["to"]) for line in lines] == [(8, 8, 52), (8, -8, 44), (8, 8, 52)]


def test_6_the_order_of_a_day_is_itself_a_rule(found: Found) -> None:
    day = rule("6", "STEPS = ['judgements_applied', 'cooled', 'bell_rung']\ndef on_day_ended(e):\n    for step in STEPS:\n"
                    "        emit(step, day = e.day)\ndef do_go(a):\n    emit('day_ended', day = 3)", **GO)  # fmt: skip
    hears = [rule(n, f"def on_{step}(e):\n    announce('{step} %d' % e.day)\n    {more}") for n, step, more in (
        ("9", "judgements_applied", "emit('scored')"), ("8", "bell_rung", ""), ("7", "cooled", ""))]  # fmt: skip
    scored = rule("5", "def on_scored(e):\n    announce('scored')")
    assert said(found(day, scored, *hears).ok("ann", "go")) == [
        "judgements_applied 3",
        "scored",
        "cooled 3",
        "bell_rung 3",
    ]


def test_7_time(found: Found) -> None:
    law = rule("7", "def on_sunday_gain(e):\n    for p in things('player'):\n        add(p, 'fp', 1)",
               defines={"currencies": {"fp": {}}},
               timers={"sunday-gain": {"every": "week", "weekday": "sunday", "time": "00:00", "edge": "start"}})  # fmt: skip
    table = found(law)
    table.pass_time(14 * 86_400)
    assert [table.get(player, "fp") for player in ("ann", "bob", "cid")] == [2, 2, 2]


def test_8_statuses_and_gates(found: Found) -> None:
    law = rule("22", "def forbid(a):\n    if get('game', 'it') == a.by and a.name not in ['tag']:\n"
                     "        return refuse('E-STATUS', 'whoever is It may only tag')\ndef do_tag(a):\n    put('game', 'it', a.args.player)",
               defines={"game": {"it": {"type": "player", "optional": True, "initial": "ann"}}},
               actions={"tag": {"arguments": {"player": {"type": "player"}}}})  # fmt: skip
    clock = rule("30", """
        def forbid(a):
            if ask("clock_off") and "clock" not in a.despite:
                return hold("clock")
        def decide_clock_off():
            return not get("game", "running")
        def on_clock_started(e):
            release("clock")
        def do_start(a):
            put("game", "running", True)
            emit("clock_started")
        def on_stated(e):
            announce(e.text)
        """, defines={"game": {"running": {"type": "boolean"}}}, actions={"start": {"despite": ["clock"]}})  # fmt: skip
    table = found(law, clock)
    assert table.refused("ann", "state", text="x") == "E-STATUS"
    assert table.ok("bob", "state", text="first").code == "HELD"
    assert table.ok("cid", "state", text="second").code == "HELD"
    assert said(table.ok("bob", "start")) == ["first", "second"]
    table.ok("ann", "tag", player="bob")
    assert table.refused("bob", "state", text="x") == "E-STATUS"


RETOOL = rule(
    "14",
    """
    def retools(p):
        return [r for r in p.requests if r.name == "retool"]
    def granted(r):
        return r.args.to == "depressed" or get("game", "chips") > 0

    def on_proposal_submitted(e):
        if len(retools(e.proposal)) > 1:
            resolve(e.proposal, "ignored", why = "two sections in one request")

    def adjust_award(a):
        if a.why in ["accepted", "rejected"] and len(retools(a.cause.proposal)) == 1:
            if a.why == "rejected":
                return a.amount + 1 if a.amount < 0 else a.amount - 1
            if granted(retools(a.cause.proposal)[0]):
                return a.amount - 1 if a.amount > 0 else a.amount + 1

    def on_requests_due(e):
        for r in retools(e.proposal):
            if e.verdict == "accepted" and granted(r):
                announce("carve %d for %s" % (r.args.section, e.proposal.author))
            if e.verdict == "rejected":
                announce("alter another")

    def do_submit(a):
        submit("x", [], a.requests)
    def do_decide(a):
        resolve(proposal(a.args.number), a.args.verdict)
    def on_proposal_resolved(e):
        if e.outcome in ["accepted", "rejected"]:
            award(e.proposal.author, "score", 10 if e.outcome == "accepted" else -10, why = e.outcome)
            emit("requests_due", proposal = e.proposal, verdict = e.outcome)
    """,
    defines={"game": {"chips": {"type": "integer"}}, "currencies": {"score": {}}},
    actions={
        "retool": {
            "travels": "with_proposal",
            "arguments": {
                "section": {"type": "integer", "minimum": 1, "maximum": 16},
                "to": {"type": "choice", "of": ["raised", "depressed"]},
            },
        },
        "submit": {},
        "decide": {"arguments": {"number": {"type": "integer"}, "verdict": {"type": "text"}}},
    },
)


def test_9_a_request_that_travels_with_a_proposal(found: Found) -> None:
    table = found(RETOOL)
    for to in ("raised", "depressed", "raised"):
        table.ok("ann", "submit", requests=[{"retool": {"section": 4, "to": to}}])
    twice = table.ok("bob", "submit", requests=[{"retool": {"section": n, "to": "raised"}} for n in (1, 2)])
    assert effects(twice, "resolve")[0]["to"] == "ignored"
    ungranted, granted, rejected = (
        table.ok("cid", "decide", number=n, verdict=v) for n, v in ((1, "accepted"), (2, "accepted"), (3, "rejected"))
    )
    assert [effects(o, "award")[0]["applied"] for o in (ungranted, granted, rejected)] == [10, 9, -9]
    assert [said(o) for o in (ungranted, granted, rejected)] == [[], ["carve 4 for ann"], ["alter another"]]


def test_10_judges_and_officers(found: Found) -> None:
    law = rule("212", """
        def before(order, who, skip):
            place = order.index(who)
            for n in range(1, len(order)):
                if order[place - n] not in skip:
                    return order[place - n]
        def decide_turn_order():
            return things("player")
        def decide_mover():
            return "bob"
        def decide_away():
            return ["ann"]
        def decide_holder(office):
            if office == "judge":
                return before(ask("turn_order"), ask("mover"), skip = ask("away"))
        def do_judge(a):
            for name, value in (a.args.switch or {}).items():
                put("settings", name, value)
        """, defines={"offices": {"judge": {"fill": "by_rule"}}},
        settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}},
        actions={"judge": {"as": "judge", "arguments": {"ruling": {"type": "text"}, "switch": {"type": "settings", "optional": True}}}})  # fmt: skip
    table = found(law)
    assert table.refused("ann", "judge", ruling="x") == "E-NOT-OFFICE"
    table.ok("cid", "judge", ruling="It is so.", switch={"Q1": "b"})
    assert table.document("game")["settings"] == {"Q1": "b"}


def test_11_boards_are_things_on_grids_and_pages_are_functions(found: Found) -> None:
    law = rule("11", """
        load("grid", "cylinder")
        FIELD = cylinder(columns = 12, rows = 5, wrap = "rows")
        def show_starball():
            return [board(FIELD, pieces = things("piece"), zones = {"a1": "goal"}, caption = "Starball"), heading("Scores")]
        def on_founded(e):
            create("piece", at = "c4")
        """, defines={"kinds": {"piece": {}}})  # fmt: skip
    table = found(law)
    page = table.kernel.pages(table.now)["starball"]
    assert "error" not in page, page
    assert [block["block"] for block in page["blocks"]] == ["board", "heading"]
    assert page["blocks"][0]["pieces"] == ["piece-1"]
    assert "$" not in str(page)


def test_12_captures_shared_among_many(found: Found) -> None:
    law = rule("367", """
        load("grid", "square", "groups", "liberties")
        BOARD = square(columns = 3, rows = 3)
        def stones():
            return {get(s, "at"): get(s, "owner") for s in things("stone")}
        def on_go_moved(e):
            board = stones()
            for dragon in groups(BOARD, board):
                if board[dragon[0]] != e.by and not liberties(BOARD, dragon, board):
                    for s in [s for s in things("stone") if get(s, "at") in dragon]:
                        destroy(s)
                        award(e.by, "score", 1)
        def do_play(a):
            create("stone", owner = a.by, at = a.args.at)
            emit("go_moved", by = a.by)
        """, defines={"kinds": {"stone": {}}, "currencies": {"score": {}}},
        actions={"play": {"arguments": {"at": {"type": "string"}}}})  # fmt: skip
    table = found(law)
    for by, at in (("ann", "a1"), ("bob", "a2"), ("bob", "b1")):
        outcome = table.ok(by, "play", at=at)
    assert outcome.failures == []
    assert table.get("bob", "score") == 1


def test_13_secrets(found: Found) -> None:
    law = rule("388", """
        def on_card_due(e):
            deck = get("game", "deck")
            append(e.player, "hand", deck[0])
            put("game", "deck", deck[1:])
        def do_go(a):
            put("game", "deck", shuffle_sealed(["jack", "queen", "king", "ace"]))
            emit("card_due", player = a.by)
        """, defines={"player": {"hand": {"type": "list", "sealed": "owner"}}, "game": {"deck": {"type": "list"}}},
        **GO)  # fmt: skip
    table = found(law)
    outcome = table.ok("ann", "go", dice=[[2, 0, 1, 3]])
    assert outcome.draws == []
    assert "king" not in str(outcome.effects)
    hand = table.get("ann", "hand")
    assert [table.kernel.look(partial(seen_by, value=hand, viewer=who), table.now) for who in ("ann", "bob")] == [
        ["king"],
        ["sealed"],
    ]


def test_14_a_rule_that_repeals_itself_and_others(found: Found) -> None:
    law = [rule("6-10", """
        def on_tokens_exhausted(e):
            announce("chips")
            for r in [r for r in rules() if r.labels.section == "6"]:
                repeal(r, because = "rule 6-10")
            announce("done")
        def do_go(a):
            emit("tokens_exhausted")
        """, labels={"section": "6"}, **GO),
        rule("6-11", "def on_tokens_exhausted(e):\n    announce('never')", labels={"section": "6"}),
        rule("7-1", "def on_tokens_exhausted(e):\n    announce('seven')", labels={"section": "7"})]  # fmt: skip
    table = found(*law)
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["chips", "done", "seven"]
    assert [e["why"] for e in effects(outcome, "repeal")] == ["rule 6-10"] * 2
    assert reasons(outcome, "SKIPPED-REPEALED")[0]["rule"] == "6-11"
    assert table.in_force() == ["7-1"]


def test_15_no_script_at_all(found: Found) -> None:
    table = found(rule("1", text="Players may not conspire."), VOTING)
    assert effects(table.ok("ann", "state", text="bob conspires"), "state")[0]["text"] == "bob conspires"
    table.adopt({"amend": "1", "script": script("def on_stated(e):\n    cite(me())\n")})
    assert reasons(table.ok("ann", "state", text="again"), "CITED")[0]["rule"] == "1"
