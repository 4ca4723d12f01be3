"""A name is no device on Windows, and differs from another in more than capitals, wherever it becomes a file."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.keys import proposal_key
from folkmoot.core.portable_names import LONGEST, folded, is_device, unportable
from folkmoot.core.problems import ProblemError
from folkmoot.files.reader import read_rule
from folkmoot.journal.layout import document_name
from folkmoot.wording.page_links import file_name
from tests.conftest import examples
from tests.support.moot import Moot
from tests.support.table import VOTING, Found, Table, rule

DEVICES = ["con", "PRN", "aux", "NUL", "com1", "LPT9", "com0"]
GO = {"actions": {"go": {}}}


@pytest.mark.threat("T-72")
@pytest.mark.parametrize("name", ["PLAYER", "Game", "Timer", "Ball"])
def test_no_kind_differs_from_another_in_capitals_only(found: Found, name: str) -> None:
    law = rule("1", f"def do_go(a):\n    create('{name}')\ndef do_ask(a):\n    submit('x', [], kind = '{name}')",
               defines={"kinds": {name: {"votable": True}, "ball": {}}}, actions={"go": {}, "ask": {}})  # fmt: skip
    table = found(law, VOTING)
    assert table.refused("ann", "go") == "E-SCRIPT"
    outcome = table.act("ann", "ask")
    assert not outcome.accepted
    assert "share files" in outcome.failures[0]["error"]


NAMES = st.one_of(
    st.sampled_from(
        [*DEVICES, "ball", "Ball", "player", "a.", "a..b", "-", "..", ".git", "x" * 39, "x" * 200, "é", "ﬁ", "K"]
    ),
    st.text(
        st.characters(codec="utf-8", exclude_characters="'\\\n\r", exclude_categories=["C"]), min_size=1, max_size=12
    ),
    st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,12}", fullmatch=True),
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.sampled_from(["kind", "votable", "thing", "player", "rule", "proposal"]), NAMES), max_size=8)
)
@pytest.mark.threat("T-72")
def test_whatever_names_are_given_every_file_can_exist_everywhere(given_: list[tuple[str, str]]) -> None:
    kinds = {name: {"votable": what == "votable"} for what, name in given_ if what in ("kind", "votable")}
    calls = {
        "kind": "create({0!r})",
        "votable": "submit('x', [], kind = {0!r}, number = 5)",
        "thing": "create('stone', {0!r})",
        "player": "create('player', {0!r})",
        "rule": "enact('x', 'x', number = {0!r})",
        "proposal": "submit('x', [], number = {0!r})",
    }
    laws = [
        rule(str(n), f"def on_stated(e):\n    {calls[what].format(name)}") for n, (what, name) in enumerate(given_, 2)
    ]
    table = Table(rule("1", "", defines={"kinds": {"stone": {}, **kinds}}), *laws)
    if table.founded.accepted:
        table.judge("state", "ann", {"text": "now"})
    files = [document_name(key) for key in table.kernel.documents.everything() if key != "head"]
    pages = [f"players/{file_name(who)}.md" for who in table.document("roster")]
    for file in [*files, *pages]:
        assert all(unportable(part) == "" for part in PurePosixPath(file).parts), file
    assert len({folded(file) for file in [*files, *pages]}) == len(files) + len(pages)


def test_what_is_portable() -> None:
    assert [unportable(n) for n in ("a", "8-2", "_x", "II.3", "console", "x" * LONGEST)] == [""] * 6
    assert all(unportable(n) for n in ("", ".", "a.", "..", "a..b", "a/b", "a b", "é", "con.yaml", "x" * (LONGEST + 1)))


@pytest.mark.threat("T-72")
@pytest.mark.parametrize("name", DEVICES)
def test_no_name_is_a_devices(found: Found, name: str) -> None:
    """Kinds, ids of players, numbers of rules: each stands in the name of a file, or of a page; ids of things do not."""
    assert is_device(name)
    assert file_name(name) == f"_{name}"
    calls = {
        f"create('{name}')": "E-SCRIPT",
        f"create('player', '{name}')": "E-ARGS",
        f"enact('x', 'x', number = '{name}')": "E-SCRIPT",
        f"create('ball', '{name}')": "",  # the Congo is CON on the map of a game
    }
    for call, code in calls.items():
        table = found(rule("1", f"def do_go(a):\n    {call}", defines={"kinds": {name: {}, "ball": {}}}, **GO))
        assert table.act("ann", "go").code == code, call
    assert found(rule("1")).refused(name, "join") == "E-ARGS"
    assert not Table(rule(name)).founded.accepted


@pytest.mark.threat("T-72")
@pytest.mark.parametrize("block", ["kinds", "offices", "boards"])
def test_a_rule_that_declares_one_is_told_its_line_and_no_game_bears_one(moot: Moot, block: str) -> None:
    for name in DEVICES:
        text = f"title: X\ntext: Y\ndefines:\n  {block}:\n    {name}: {{}}\n"
        with pytest.raises(ProblemError, match="E-IDENTIFIER") as told:
            read_rule(text, "x.yaml")
        assert "x.yaml:5:" in str(told.value.problems[0])
    said = moot("new", "con", "-r", "suber", "-p", "ann")
    assert (said.code, "cannot name a game" in said.err) == (1, True)


@pytest.mark.threat("T-72")
def test_rules_proposals_and_pages_differ_in_more_than_capitals(found: Found) -> None:
    assert not Table(rule("A"), rule("a")).founded.accepted
    taking = {"go": {"arguments": {"n": {"type": "text"}}}}
    law = rule("1", "def do_go(a):\n    submit('x', [], number = a.args.n)", actions=taking)
    table = found(law, rule("2", "def show_log():\n    return []"), rule("3", "def show_Log():\n    return []"))
    table.ok("ann", "go", n="P1")
    assert table.refused("ann", "go", n="p1") == "E-SCRIPT"
    assert proposal_key("proposal/P1") == proposal_key("proposal/p1")
    assert list(table.kernel.pages(table.now)) == ["log"]
