"""What administrators do, with a reason and no rule in their way: they stop, correct, redact, repair, and set limits."""

from __future__ import annotations

import pytest

from folkmoot.core.limits import LIMITS, flaws_of, limit_of, limits_told
from tests.support.table import VOTING, Found, Table, effects, rule, said


@pytest.mark.parametrize(
    "act", ["pause", "resume", "correct", "suspend", "wake", "redact", "engine", "repair", "use_forge"]
)
def test_only_administrators_administer(found: Found, act: str) -> None:
    assert found(VOTING).refused("ann", act) == "E-NOT-ADMINISTRATOR"


def test_no_rule_stands_in_the_way_and_an_amendment_wakes_what_sleeps(found: Found) -> None:
    law = "def forbid(a):\n    return refuse('E-STATUS', 'no')\ndef do_suspend(a):\n    announce('ha')"
    table = found(VOTING, rule("1", law, actions={"suspend": {}}))
    assert said(table.ok("root", "suspend", rule="1", why="void")) == []
    assert table.document("law")["rules"]["1"]["suspended"] == "void"
    table.ok("ann", "state", text="free")
    table.ok("root", "wake", rule="1")
    assert table.refused("ann", "state", text="not free") == "E-STATUS"
    table.ok("root", "suspend", rule="1")
    table.adopt({"amend": "1", "script": "def on_stated(e):\n    announce('awake')\n"})
    assert said(table.ok("ann", "state", text="x")) == ["awake"]


def corrected(words: str) -> tuple[str, str, object]:
    """Return whose register is set to what, from three words."""
    of, name, to = words.split()
    return of, name, int(to) if to.isdigit() else to == "True" or to


def test_corrections_set_registers_exactly_and_are_told(found: Found) -> None:
    defines = {"currencies": {"score": {"maximum": 50}}, "offices": {"o": {}},
               "game": {"x": {"type": "integer"}}, "rule": {"r": {"type": "boolean"}}}  # fmt: skip
    switch = {"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}}
    table = found(rule("1", "def adjust_award(a):\n    return 0", defines=defines, settings=switch))
    right = ("ann score 9", "game x 4", "office/o holder bob", "rule/1 r True", "settings Q1 b")
    for of, name, to in map(corrected, right):
        outcome = table.ok("root", "correct", of=of, name=name, to=to, why="missed")
        assert [each["kind"] for each in effects(outcome, "award")] == (["correction"] if name == "score" else [])
    owners = [("ann", "score"), ("game", "x"), ({"office": "o"}, "holder"), ({"uid": "1"}, "r")]
    assert [table.get(*each) for each in owners] == [9, 4, "bob", True]
    assert table.document("game")["settings"] == {"Q1": "b"}
    for of, name, to in map(
        corrected, ("zed score 1", "ann gold 1", "ann score 51", "ann score x", "office/o holder zed")
    ):
        assert table.refused("root", "correct", why="x", of=of, name=name, to=to) == "E-ARGS"


def test_redactions_and_engine_versions_are_recorded(found: Found) -> None:
    table = found(VOTING)
    table.ok("ann", "state", text="secret")
    assert effects(table.ok("root", "redact", seq=2, path="with.text", digest="0" * 64), "redact")[0]["of"] == "2"
    assert table.refused("root", "redact", seq=99, path="with.text", digest="0" * 64) == "E-ARGS"
    table.ok("root", "engine", versions={"engine": "0.2"}, state="0" * 64)
    assert table.document("game")["engine"] == {"engine": "0.2"}
    assert table.refused("root", "pause", why=5) == "E-ARGS"
    table.ok("root", "pause")
    assert table.refused("root", "pause") == "E-DUP"
    table.ok("root", "resume")
    assert table.refused("root", "resume") == "E-DUP"


def test_administrators_repair_the_law_with_a_reason(found: Found) -> None:
    table = found(rule("1"), rule("2", "def forbid(a):\n    return refuse('E-STATUS', 'nobody may do anything')"))
    assert table.refused("ann", "state", text="help") == "E-STATUS"
    assert table.refused("ann", "repair", changes=[{"repeal": "2"}], why="it blocks all") == "E-NOT-ADMINISTRATOR"
    assert table.refused("root", "repair", changes=[{"repeal": "9"}], why="x") == "E-NO-SUCH"
    assert table.refused("root", "repair", changes=[{"repeal": "2"}]) == "E-ARGS"
    outcome = table.ok("root", "repair", changes=[{"repeal": "2"}, {"enact": {"title": "Peace"}}], why="it blocks all")
    assert [effect["effect"] for effect in outcome.effects][:2] == ["repair", "repeal"]
    table.ok("ann", "state", text="thank you")


# -- limits


ACTS = {"actions": {"go": {}}}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_lies_in_its_bounds(found: Found, name: str) -> None:
    table, limit = found(rule("1")), LIMITS[name]
    assert limit.least <= limit.default <= limit.most
    for value in (limit.least - 1, limit.most + 1):
        assert table.refused("root", "set_limit", name=name, value=value) == "E-BOUNDS"
        assert flaws_of({name: value})
    for value in (limit.least, limit.most):
        table.ok("root", "set_limit", name=name, value=value)


@pytest.mark.parametrize("limits", [{"luck": 1}, {"timer_period": 0}, {"timer_period": "x"}, ["timer_period"], 5])
def test_a_founding_with_limits_that_are_none_is_refused(limits: object) -> None:
    assert Table(rule("1"), limits=limits).founded.code == "E-BOUNDS"


def test_a_timer_repeats_no_faster_than_the_smallest_period_and_only_so_many_run(found: Found) -> None:
    law = """
    def do_go(a):
        every(59, "x")
    def do_start(a):
        [after(60 + n, "x", key = "k%d" % n) for n in range(a.args.n)]
    def do_replace(a):
        after(60, "x", key = "k1")
    """
    actions = {"go": {}, "replace": {}, "start": {"arguments": {"n": {"type": "integer"}}}}
    table = found(rule("1", law, actions=actions), limits={"running_timers": 3})
    for do, given, told in (
        ("go", {}, "at least 60 seconds (the limit timer_period)"),
        ("start", {"n": 4}, "3 timers run already, of at most 3 timers"),
    ):
        assert table.refused("ann", do, **given) == "E-SCRIPT"
        assert told in table.document("law")["rules"]["1"]["failures"][-1]["error"]
    table.ok("ann", "start", n=3)
    table.ok("ann", "replace")
    table.ok("root", "set_limit", name="running_timers", value=4)
    table.ok("root", "set_limit", name="timer_period", value=1)
    table.ok("ann", "go")


BELLS = {"timers": {f"bell{n}": {"every": "hour"} for n in range(3)}}


def test_an_adopted_rule_whose_timers_are_too_many_is_left_out_and_the_rest_is_made_law(found: Found) -> None:
    table = found(VOTING, rule("1"), limits={"running_timers": 2})
    outcome = table.adopt({"enact": {"title": "Bells", **BELLS}}, {"amend": "1", "text": "New."})
    assert [reason["code"] for reason in outcome.reasons if reason["code"] == "E-BOUNDS"]
    assert table.document("things/timer") == {}
    assert table.document("rules/1")["text"] == "New."


def test_administrators_set_a_limit_and_set_it_back_and_nobody_else(found: Found) -> None:
    table = found(rule("1"), limits={"timer_period": 3600})
    assert limits_told(table.document("game"))[0]["value"] == 3600
    outcome = table.ok("root", "set_limit", name="running_timers", value=7)
    assert outcome.effects == [{"effect": "limit", "of": "running_timers", "to": 7}]
    assert limit_of(table.document("game"), "running_timers") == 7
    assert table.refused("ann", "set_limit", name="running_timers", value=8) == "E-NOT-ADMINISTRATOR"
    for name in ("running_timers", "timer_period"):
        table.ok("root", "set_limit", name=name)
        assert limit_of(table.document("game"), name) == LIMITS[name].default
    assert table.document("game")["limits"] == {}
    assert table.refused("root", "set_limit", name="luck", value=7) == "E-ARGS"
    assert table.refused("root", "set_limit", name="game_size", value="much") == "E-ARGS"


@pytest.mark.parametrize("wait", [5, 60])
def test_a_timer_that_starts_itself_again_waits_as_long(found: Found, wait: int) -> None:
    law = rule(
        "1", f"def do_go(a):\n    after(5, 'x')\ndef on_x(e):\n    announce('x')\n    after({wait}, 'x')", **ACTS
    )
    table = found(law)
    table.ok("ann", "go")
    failed = [failure["code"] for outcome in table.pass_time(130) for failure in outcome.failures]
    assert (failed, len(table.document("things/timer"))) == ((["E-BOUNDS"], 0) if wait == 5 else ([], 1))
    table.ok("root", "set_limit", name="timer_period", value=600)
    assert len(table.pass_time(60)) == (wait == 60), "what runs is left alone"


@pytest.mark.parametrize(
    ("limits", "fits"),
    [
        ({"running_timers": 2}, False),
        ({"timer_period": 3601}, False),
        ({"running_timers": 3, "timer_period": 3600}, True),
    ],
)
def test_declared_timers_of_all_rules_together_keep_to_the_limits(limits: dict[str, int], *, fits: bool) -> None:
    rules = [rule(str(n), timers={f"bell{n}": {"every": "hour"}}) for n in (1, 2, 3)]
    assert Table(*rules, limits=limits).founded.code == ("" if fits else "E-BOUNDS")
    table = Table(rule("1"), limits={**limits})
    changes = [{"enact": {"title": f"Bell {n}", "timers": each["timers"]}} for n, each in enumerate(rules)]
    assert table.act("root", "repair", changes=changes, why="try").code == ("" if fits else "E-BOUNDS")
