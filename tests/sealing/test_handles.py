"""What stands for a sealed value says nothing of it, who reads it, and that nothing that is only tried opens it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.conftest import FUZZ
from tests.support.keeper import GAME, SECRET
from tests.support.sealed_worlds import Law
from tests.support.table import VOTING, Record, Table, effects, rule, script

REFUSED = """h + 1|1 + h|h + g|h - g|-h|h * 2|h % 2|h // 2|h < g|h < 3|h >= g|sorted([g, h])|max(h, g)|min([g, h])|h()|h[0]
h[0:1]|0 in h|[x for x in h]|len(h)|"%d" % h|"x" + h|int(h)|list(h)|dict(h)|any(h)|enumerate(h)|(h, 1) < (g, 1)
sorted([1, 2], key = lambda n: h if n == 1 else g)|roll(h)|announce(h)|award("ann", "score", h)|put("game", "n", h)
add("game", "n", h)|get("game", h)|get(h, "n")|things(h)|range(h)|h & g|[1] * h|now() + h|h.value""".replace("\n", "|")
WHICH = {
    "h == h": True, "h == cards[0]": True, "h == g": False, "h != g": True, "h == 8": False, "h == [8]": False, "h in cards": True,
    "h in [g, 7, 8, 9]": False, "[h] == [g]": False, "bool(h)": True, "not h": False, "cards.index(g)": 1, "{h: 5}[cards[0]]": 5,
}  # fmt: skip
MADE_OF_IT = (
    "type(h)", "h == None", "len(cards)", "1 if cards else 2", "str(h)", "dir(h)", '"%s" % [h]', 'f"{h}"', *WHICH,
)  # fmt: skip


def said(expression: str, order: list[int]) -> Any:
    """Return what a script makes of two sealed values: what it announces, or the code of why it failed."""
    body = f"""
    def do_go(a):
        cards = shuffle_sealed([7, 8, 9])
        h, g = cards[0], cards[1]
        announce("%s" % [{expression}])
    """
    defines = {"game": {"n": {"type": "integer"}}, "currencies": {"score": {}}}
    table = Table(rule("1", body, defines=defines, actions={"go": {}}))
    outcome = table.act("ann", "go", dice=[order])
    told = [each["text"] for each in effects(outcome, "announce")]
    return [failure.get("code") for failure in outcome.failures] or told


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("expression", REFUSED.split("|"))
def test_what_can_be_refused_is_refused(expression: str) -> None:
    assert said(expression, [0, 1, 2]) == ["E-SEALED"]


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("expression", MADE_OF_IT)
def test_what_cannot_be_refused_is_the_same_whatever_is_sealed(expression: str) -> None:
    found = [said(expression, order) for order in ([0, 1, 2], [2, 1, 0])]
    assert found[0] == found[1]


@pytest.mark.parametrize("expression", WHICH)
def test_comparing_compares_which_one_it_is(expression: str) -> None:
    assert said(expression, [0, 1, 2]) == [f"[{WHICH[expression]}]"]


FORGED = 'struct(**{"$sealed": 1})'
USES = ("reveal(%s)", "declassify(%s, 'why')", "sealed('same', %s)", "put('cid', 'hand', %s)", "disclose(%s, 'cid')")


@pytest.mark.threat("T-88")
@pytest.mark.parametrize("use", USES)
def test_no_rule_opens_a_ballot_before_the_count_or_hands_it_on(use: str) -> None:
    """A script can say the number of a ballot although no rule is given what stands for it."""
    prying = rule(
        "3",
        f"def same(x):\n    return x\n\ndef do_pry(a):\n    {use % FORGED}\n",
        sealed={"same": "The same"},
        defines={"player": {"hand": {"type": "any", "sealed": "owner"}}},
        actions={"pry": {}},
    )
    table = Table(VOTING, SECRET, prying)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    table.ok("ann", "vote", proposal=number, choice="against")
    outcome = table.act("cid", "pry")
    assert "against" not in str(table.entries[-1])
    assert [each for each in outcome.confided if "cid" in each["to"]] == []
    assert effects(outcome, "disclose") == []


def test_what_was_drawn_and_undone_is_not_drawn_again() -> None:
    """A rule shows what it drew and fails; an older revision of it then draws for the same act."""
    text = """
    def do_deal(a):
        cards = shuffle_sealed(["a", "b", "c", "d"])
        put("game", "vault", cards)
        %s
    """
    vault = {"game": {"vault": {"type": "list", "sealed": "nobody"}}}
    table = Table(rule("1", text % "pass", defines=vault, actions={"deal": {}}), VOTING)
    table.adopt({"amend": "1", "script": script(text % "return [reveal(cards)][1]")})
    outcome = table.ok("ann", "deal")
    assert len([each for each in outcome.sealed if "opened" in each]) == 4
    assert [each["seed"] for each in outcome.sealed if "seed" in each] == [1, 2]
    table.replay_all()


# -- who reads it


READERS = {"type": "integer", "sealed": ["owner", "office/dealer", "cid"], "optional": True}
READING = rule(
    "1",
    """
    def decide_holder(office):
        return "bob" if office == "leader" else None

    def do_tell(a):
        disclose(pick_sealed([1, 2]), "office/leader")

    def do_keep(a):
        put("bob", "note", pick_sealed([1, 2]))
        create("card", "card-1", mark = pick_sealed([1, 2]))

    def do_write(a):
        put(a.by, "note", a.args.text)

    def do_take(a):
        give("card-1", a.by)

    def do_play(a):
        put("game", "table", get("game", "table") | {a.by: a.args.card})
    """,
    defines={
        "game": {"table": {"type": "map"}},
        "player": {"note": READERS},
        "kinds": {"card": {"registers": {"mark": READERS}}},
        "offices": {"dealer": {}, "leader": {"fill": "by_rule"}},
    },
    actions={
        **{name: {} for name in ("keep", "take", "tell")},
        "write": {"arguments": {"text": READERS}},
        "play": {"arguments": {"card": {"type": "integer", "sealed": "nobody"}}},
    },
)


def test_who_reads_what_is_sealed() -> None:
    """An owner beside others, an author what they sealed to nobody, but no ballot; no office that is filled anew each time."""

    def readers(owner: str, name: str) -> list[str]:
        number = table.get(owner, name)["$sealed"]
        return list(table.document("sealed/000")[str(number)]["readers"])

    table = Table(READING, VOTING, SECRET)
    table.ok("ann", "keep")
    assert readers("bob", "note") == ["bob", "office/dealer", "cid"]
    assert readers("card-1", "mark") == ["office/dealer", "cid"]
    table.ok("ann", "take")
    assert readers("card-1", "mark") == ["office/dealer", "cid", "ann"]
    outcome = table.ok("ann", "write", text=7)
    assert readers("ann", "note") == ["ann", "office/dealer", "cid"]
    assert [each["to"] for each in outcome.confided] == [["ann", "cid"]]
    assert [each["to"] for each in table.ok("ann", "play", card=7).confided] == [["ann"]]
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    assert table.ok("ann", "vote", proposal=901, choice="for").confided == []
    outcome = table.act("ann", "tell")
    assert not outcome.accepted
    assert "disclose it to whoever that is" in outcome.failures[0]["error"]


# -- timers that have to do with it are on record

BODIES = {
    "looks and fails": 'declassify(sealed("same", get("game", "kept")), "why")\n    fail("no")',
    "computes and fails": 'sealed("same", get("game", "kept"))\n    fail("no")',
    "computes alone": 'sealed("same", get("game", "kept"))',
    "draws and fails": "pick_sealed([1, 2])\n    fail('no')",
    "opens and fails": 'reveal(get("game", "kept"))\n    fail("no")',
    "keeps": 'put("game", "kept", 3)',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_a_timer_that_touches_what_is_sealed_leaves_a_trace(body: str) -> None:
    """Also where nothing else came of it, every hour: a replay cannot know that. The table replays it all."""
    script = f"""
    def same(value):
        return value

    def do_start(a):
        put("game", "kept", pick_sealed([1, 2]))

    def on_bell(e):
        {body.replace(chr(10), chr(10) + "    ")}
    """
    table = Table(
        rule(
            "1",
            script,
            sealed={"same": "The same"},
            defines={"game": {"kept": {"type": "any", "sealed": "nobody", "optional": True}}},
            timers={"bell": {"every": "hour", "edge": "start"}},
            actions={"start": {}, "wave": {}},
        )
    )
    table.ok("ann", "start")
    for _ in range(2):
        table.pass_time(3_600)
        table.act("bob", "start")
    ticks = [entry for entry in table.entries if entry["do"] == "tick"]
    assert len(ticks) == 2
    table.replay_all()


# -- what a law tries before it lets something in opens nothing

TRYING = {
    **VOTING,
    "script": VOTING["script"].replace(
        "open_voting(submit(a.args.title, a.args.changes, a.requests))",
        "p = submit(a.args.title, a.args.changes, a.requests)\n"
        "    why = locks_out(p)\n"
        "    require(not why, 'E-LOCKED-OUT', why)\n"
        "    open_voting(p)",
    ),
}
OPENED = "put('game', 'shown', {'it': reveal(get('ann', 'hand'))})"
TOLD = "announce('%s' % declassify(sealed('same', get('ann', 'hand')), 'to be told'))"
SAME = "def same(x):\n    return x\n\n"
CASES = 400 if FUZZ else 8


def enacted(script: str, **parts: Any) -> Record:
    """Return the change that enacts a rule with a script."""
    return {"enact": {"title": "Tea", "text": "Tea is served.", **parts, "script": script}}


WAYS = {
    "when a rule is enacted": enacted(f"def on_rule_enacted(e):\n    {OPENED}\n"),
    "when it is adopted": enacted(f"def on_proposal_adopted(e):\n    {OPENED}\n", once=True),
    "by a sealed function": enacted(f"{SAME}def on_rule_enacted(e):\n    {TOLD}\n", sealed={"same": "What it is"}),
    "by an act that anybody may try": enacted(f"def do_tea(a):\n    {OPENED}\n", actions={"tea": {}}),
    "at the next vote": enacted(f"def on_ballot_cast(e):\n    {OPENED}\n"),
    "when a timer fires": enacted(
        f"def on_tea(e):\n    {OPENED}\n", timers={"tea": {"every": "day", "summary": "Tea"}}
    ),
    "to somebody": enacted("def on_rule_enacted(e):\n    disclose(get('ann', 'hand'), 'bob')\n"),
}


def dealt(*rules: Record) -> Table:
    """Return a game in which cards are dealt, and what is proposed is tried."""
    table = Table(GAME, *rules)
    table.ok("ann", "deal")
    return table


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_only_proposed_opens_nothing(way: str) -> None:
    table = dealt(TRYING)
    outcome = table.ok("bob", "propose", title="Tea", changes=[WAYS[way]])
    assert outcome.sealed == []
    assert outcome.confided == []
    table.replay_all()


def test_an_order_that_looks_into_a_hand_can_be_proposed_and_adopted() -> None:
    table = dealt(TRYING)
    changes = [WAYS["when it is adopted"]]
    table.adopt(*changes)
    assert len(table.get("game", "shown")["it"]) == 2
    table.replay_all()


@pytest.mark.threat("T-82")
def test_a_probe_sees_through_sealed_ballots_and_opens_none() -> None:
    table = dealt(TRYING, SECRET)
    table.propose("ann", enacted(""))
    for player in ("ann", "bob"):
        table.ok(player, "vote", proposal=901, choice="for")
    locking = enacted("def forbid(a):\n    return refuse('E-NO', 'nobody does anything any more')\n")
    outcome = table.act("cid", "propose", title="The end", changes=[locking])
    assert (outcome.accepted, outcome.code) == (False, "E-LOCKED-OUT")
    assert outcome.sealed == []
    assert table.ok("cid", "propose", title="Tea", changes=[enacted("")]).sealed == []
    table.replay_all()


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("seed", range(CASES))
def test_whatever_is_proposed_opens_nothing(seed: int) -> None:
    """Rules made of random lines, which reveal, declassify and disclose, are enacted at once or by their timers."""
    given = Law(Random(seed)).rule()
    table = Table(given, TRYING)
    table.ok("ann", "deal")
    other = Law(Random(f"other {seed}")).rule()
    script = other["script"].replace("def on_told(e):", "def on_rule_enacted(e):")
    parts = {name: other[name] for name in ("sealed", "timers", "actions")}
    outcome = table.act("bob", "propose", title="Tea", changes=[enacted(script, **parts)])
    assert outcome.sealed == []
    table.replay_all()
