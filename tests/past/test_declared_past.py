"""Rulesets say what their rules were before play, scripts read it, and the law names revisions."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.calendar import read_stamp
from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_ruleset
from folkmoot.game.rulesets import founding_of
from folkmoot.kernel.rule_changes import enact
from folkmoot.scenarios.scenario import start_of
from tests.support.table import VOTING, Found, Table, rule, said

HEAD = """\
ruleset: moor
title: Moor
revision: 0
history:
  "303":
    - {at: 2000-11-11T00:00:00Z, cause: P319/0, title: Consent, text: Unanimous consent.}
    - {at: 2000-11-21T00:00:00Z, cause: P336/0, title: Consent, text: Two-day consent.}
    - {at: 2001-03-21T00:00:00Z, cause: P450/0}
  "304":
    - {at: 2000-11-11T00:00:00Z, cause: P322/1, title: Revisions, text: Revise.}
    - {at: 2001-01-20T00:00:00Z, cause: P363/1, title: Revision, text: Revise it.}
    - {at: 2001-03-10T00:00:00Z, cause: P420/0, repealed: true}
"""
READER = rule(
    "9",
    """
    def do_tell(a):
        for r in revisions(a.args.rule):
            announce("%s %s %s %s %s" % (r.revision, r.called, r.cause, date(r.at).year, "gone" if r.repealed else r.text))

    def do_list(a):
        announce(", ".join([r.number + " " + r.title for r in rules(repealed = True)]))

    def decide_revision_name(r):
        return "%s/%d" % (r.number, r.revision) if r.number == "303" else None
    """,
    actions={"tell": {"arguments": {"rule": {"type": "text"}}}, "list": {}},
)


def law(head: str = HEAD) -> dict[str, Any]:
    rules = {each["rule"]: {**each, "uid": each["rule"]} for each in (READER, VOTING, rule("303", text="Consent."))}
    return dict(founding_of("moor", read_ruleset(head, "ruleset.yaml"), rules))  # type: ignore[arg-type]


def moor(found: Found) -> Table:
    given = law()
    return found(*given["rules"], **{name: given[name] for name in ("revision", "history")})


def test_scripts_read_what_rules_were(found: Found) -> None:
    table = moor(found)
    assert said(table.ok("ann", "tell", rule="303")) == [
        "0 None P319/0 2000 Unanimous consent.",
        "1 None P336/0 2000 Two-day consent.",
        "2 303/2 P450/0 2001 Consent.",
    ]
    assert said(table.ok("ann", "tell", rule="304"))[-1] == "None None P420/0 2001 gone"
    assert said(table.ok("ann", "list")) == ["304 Revision"]
    table.adopt({"amend": "303", "text": "No consent."}, {"enact": {"title": "New", "text": "It is new."}})
    assert said(table.ok("ann", "tell", rule="303"))[-1] == "3 303/3 proposal/901 2026 No consent."
    assert said(table.ok("ann", "tell", rule="901")) == ["0 None proposal/901 2026 It is new."]
    table.adopt({"repeal": "303"})
    assert said(table.ok("ann", "tell", rule="303"))[-2:] == [
        "3 303/3 proposal/901 2026 No consent.",
        "None None proposal/902 2026 gone",
    ]
    assert said(table.ok("ann", "list")) == ["303 Rule 303, 304 Revision"]
    assert said(table.ok("ann", "tell", rule="7777")) == []


def test_what_is_known_of_a_rule_follows_from_its_past(found: Found) -> None:
    table = moor(found)
    metas = table.document("law")["rules"]
    assert {name: metas["303"][name] for name in ("revision", "amendments", "cause", "called", "in_force")} == {
        "revision": 2, "amendments": 2, "cause": "P450/0", "called": "303/2", "in_force": True,
    }  # fmt: skip
    assert metas["303"]["enacted_at"] == read_stamp("2000-11-11T00:00:00Z")
    assert (metas["304"]["in_force"], metas["304"]["revision"], metas["9"]["revision"]) == (False, 1, 0)
    assert "304" not in table.in_force()
    assert table.kernel.look(lambda play: enact(play, {"title": "x"}, "304"), table.now) == "304-2"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2000-11-21", "2000-11-10"),
        ("2001-03-21", "2999-03-21"),
        ("cause: P450/0}", "cause: P450/0, text: Other.}"),
        (", repealed: true}", "}"),
        ('"304":', '"999x y":'),
        ("cause: P336/0,", "cause: P336/0, repealed: true,"),
        ("at: 2000-11-21T00:00:00Z, ", ""),
        ("revision: 0", "revision: 7"),
        ("title: Consent, text: Unanimous", "titel: Consent, text: Unanimous"),
        ('  "303":\n', '  "303": []\n  "305":\n'),
    ],
)
def test_a_past_that_cannot_be_is_refused(before: str, after: str) -> None:
    assert before in HEAD
    try:
        given = law(HEAD.replace(before, after, 1))
    except ProblemError:
        return
    table = Table(*given["rules"], **{name: given[name] for name in ("revision", "history")})
    assert not table.founded.accepted
    assert table.founded.code == "E-ARGS"


@pytest.mark.parametrize("nonsense", [3, "x", [], {"303": 3}, {"303": [3]}, {"303": [{}]}, {"9": [{"at": 3}]}])
def test_no_shape_of_a_past_breaks_the_founding(nonsense: Any) -> None:
    table = Table(READER, history=nonsense)
    assert table.founded.code == "E-ARGS" or (not nonsense and table.founded.accepted)


@pytest.mark.parametrize("answer", ["3", "True", "''", "'a' * 81", "'a\\nb'", "[]"])
def test_a_name_of_another_shape_is_that_rules_failure(answer: str) -> None:
    table = Table(rule("1", f"def decide_revision_name(r):\n    return {answer}\n"), rule("2"))
    assert table.founded.accepted
    assert {failure["hook"] for failure in table.founded.failures} == {"decide_revision_name"}
    assert "called" not in table.document("law")["rules"]["2"]


@pytest.mark.parametrize(("last", "start"), [("2001-03-21", "2026-01-05"), ("2031-03-21", "2031-03-22")])
def test_a_scenario_starts_after_what_its_rules_have_behind_them(last: str, start: str) -> None:
    given = law(HEAD.replace("2001-03-21", last))
    assert start_of({}, given) == read_stamp(f"{start}T{'12' if start < '2027' else '00'}:00:00Z")
    assert start_of({"starts": "2040-01-01T00:00:00Z"}, given) == read_stamp("2040-01-01T00:00:00Z")
