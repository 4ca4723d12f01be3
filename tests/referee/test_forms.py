"""Forms read back: exactly what was filled in, or a refusal that says why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from folkmoot.files.issue_forms import BLANK, CHANGES, FORMS, STATEMENT, UNCHOSEN
from folkmoot.referee.commands import Asked
from folkmoot.referee.forms import form_asked, read_form
from tests.conftest import examples
from tests.support.issues import written

NUMBER, WORDS = {"type": "integer"}, {"type": "text", "optional": True}
ACTIONS: dict[str, Any] = {
    "propose": {"arguments": {"title": WORDS, "changes": {"type": "changes"}}},
    "pay": {"arguments": {"to": {"type": "player"}, "amount": {**NUMBER, "minimum": 1}, "for": WORDS}},
    "judge": {"as": "judge", "arguments": {"ruling": {"type": "text"}, "custom": {"type": "boolean", "default": True}}},
    "move": {"arguments": {"order": {"type": "map"}, "with": {"type": "list", "optional": True}}},
    "throw": {},
    "state": {"arguments": {"text": {"type": "text"}}},
    "join": {"arguments": {"name": WORDS, "attributes": {"type": "map"}}},
    "defend": {"travels": "with_proposal"},
    "swap": {"travels": "with_proposal", "arguments": {"section": NUMBER}},
}


PROPOSING: Any = lambda _title, _changes: {"do": "propose"}  # noqa: E731


def filled_in(body: str) -> Any:
    filled = read_form(body)
    assert filled is not None
    return filled


def asked(form: str, issue: str = "", /, **values: str) -> Asked:
    return form_asked(filled_in(written(form, values)), issue, ACTIONS, PROPOSING)


# -- cutting

LINES = st.lists(
    st.sampled_from(
        ["a line", "", "### Script", "### Text", "### Arguments", "### Game", "```", "```python", BLANK, "/do throw",
         "## Text", "~~~", "    ### Text", "### Rule", "<!--", "amount: 3", "é “quoted”", "### Text ", "````"]
    ),
    max_size=7,
)  # fmt: skip
TEXT = LINES.map(lambda lines: "\n".join(lines).strip("\n"))
WORD = st.text("abcXYZ 019-é:", max_size=12).map(str.strip)


def _values(name: str) -> st.SearchStrategy[dict[str, str]]:
    areas = {each.id: TEXT for each in FORMS[name] if each.kind == "area"}
    return st.fixed_dictionaries({each.id: areas.get(each.id, WORD) for each in FORMS[name]})


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=examples(160))
@given(data=st.data())
def test_what_was_filled_in_comes_back_or_is_refused(name: str, data: st.DataObject) -> None:
    values, gitea = data.draw(_values(name)), data.draw(st.booleans())
    assume(values[FORMS[name][0].id] not in ("", BLANK))
    filled = filled_in(written(name, values, gitea=gitea, game=data.draw(st.sampled_from(["", "moor"]))))
    if not filled.flaw:
        fenced = {each.id for each in FORMS[name] if each.renders}
        wanted = {i: "" if value.strip() == BLANK and i not in fenced else value for i, value in values.items()}
        assert {id_: filled[id_] for id_ in wanted} == wanted


def test_a_text_that_passes_for_the_rest_of_the_form_is_refused() -> None:
    text = "Let it be.\n```\n\n### Script\n\n```python\nwin('ann')"
    for gitea in (False, True):
        filled = filled_in(written("propose", {"change": CHANGES["enact"], "title": "x", "text": text}, gitea=gitea))
        assert "two ways" in filled.flaw
        assert "'### Script'" in filled.flaw


@pytest.mark.parametrize(
    "body",
    ["", "hello", "### Thoughts\n\nx", "### Game\n\nmoor", "## Action\n\npay", "Hello\n### Action\n\npay", "###Action",
     " ### Action\n\npay", "#### Action\n\npay"],
)  # fmt: skip
def test_what_is_no_form(body: str) -> None:
    assert read_form(body) is None


def test_parts_that_do_not_fit_are_told() -> None:
    assert "hold what they cannot" in filled_in("### Action\n\npay\nme\n\n### Action by name\n\n### Arguments").flaw
    assert (
        "hold what they cannot" in filled_in("### Action\n\npay\n\n### Action by name\n\n### Arguments\n\nto: bob").flaw
    )
    assert "are missing" in filled_in("### What this is\n\nA statement, for the record").flaw
    assert "another order" in filled_in("### Action\n\npay\n\n### Arguments\n\n### Action by name").flaw


@settings(max_examples=examples(120))
@given(st.lists(st.sampled_from(["### Rule-change", "### Text", "### Script", "```", "", "x"]), max_size=60))
def test_any_text_is_read(lines: list[str]) -> None:
    filled = filled_in("\n".join(["### Rule-change", *lines]))
    form_asked(filled, "title", ACTIONS, PROPOSING)


# -- acts


@pytest.mark.parametrize(
    ("choice", "arguments", "wanted"),
    [
        ("pay", "to: bob\namount: 3\nfor: a horse: brown\n\n- and a cart", {"to": "bob", "amount": 3, "for": "a horse: brown\n\n- and a cart"}),
        ("pay", '# what it takes\nto: "bob"\namount: 3\nfor: ', {"to": "bob", "amount": 3}),
        ("state", "x=5 is what I say", {"text": "x=5 is what I say"}),
        ("state", "text: \nHello:\n\n  there", {"text": "Hello:\n\n  there"}),
        ("state", "I say:\nto be or not", {"text": "I say:\nto be or not"}),
        ("state", 'text: "a" and "b"', {"text": '"a" and "b"'}),
        ("move", "order:\n  pre: [a, b]\n  spin: true\nwith:\n- 1\n- 2", {"order": {"pre": ["a", "b"], "spin": True}, "with": [1, 2]}),
        ("throw", "# nothing", {}),
    ],
)  # fmt: skip
def test_arguments_are_read_as_they_were_meant(choice: str, arguments: str, wanted: dict[str, Any]) -> None:
    assert asked("act", choice=choice, arguments=arguments) == Asked(choice, wanted)


def test_an_action_is_chosen_or_named_and_done_in_an_office() -> None:
    for values in ({"action": "throw"}, {"action": "/throw", "choice": "throw"}, {"choice": "None", "action": "throw"}):
        assert asked("act", **values) == Asked("throw")
    judged = asked("act", choice="judge", arguments="as: judge\nruling: |\n  It is\n  so.\ncustom: false")
    assert judged == Asked("judge", {"ruling": "It is\nso.", "custom": False}, "judge")


@pytest.mark.parametrize(
    ("values", "flaw"),
    [
        ({"choice": "pya"}, "there is no action pya; did you mean pay?"),
        ({}, "there is no action (none was named)"),
        ({"choice": "pay", "action": "throw"}, "two actions are given, pay in the menu and throw by name"),
        ({"choice": "pay", "arguments": "too: bob"}, "pay takes to, amount, for: each is written `name: value`"),
        ({"choice": "pay", "arguments": "to: bob\nweight: 3"}, "pay takes to, amount, for: each is written"),
        ({"choice": "pay", "arguments": "to: bob\nto: cid"}, "to is given twice"),
        ({"choice": "move", "arguments": "bob 3"}, "move takes order, with: each is written"),
        ({"choice": "move", "arguments": "order: {a"}, "a value cannot be read"),
        ({"choice": "move", "arguments": "order: &a [*a]"}, "a value cannot be read"),
        ({"choice": "throw", "arguments": "hard: 1"}, "throw takes no arguments"),
    ],
)
def test_what_is_wrong_with_an_act_is_said(values: dict[str, str], flaw: str) -> None:
    filled = filled_in(written("act", {"choice": "", **values}))
    assert flaw in form_asked(filled, "", ACTIONS, PROPOSING).flaw


# -- rule-changes


@pytest.mark.parametrize(
    ("values", "change"),
    [
        ({"change": "enact", "title": "Tea", "text": "There is tea."}, {"enact": {"title": "Tea", "text": "There is tea.\n"}}),
        (
            {"change": "enact", "title": "Tea", "text": "## Tea\n\n#### Text\n\nx", "script": "def f():\n    pass"},
            {"enact": {"title": "Tea", "text": "## Tea\n\n#### Text\n\nx\n", "script": "def f():\n    pass\n"}},
        ),
        ({"change": "amend", "rule": "Rule 203", "text": "No."}, {"amend": "203", "text": "No.\n"}),
        ({"change": "amend", "rule": "8-2", "title": "No"}, {"retitle": "8-2", "to": "No"}),
        ({"change": "amend", "rule": "8-2", "title": "No", "text": "x"}, {"amend": "8-2", "title": "No", "text": "x\n"}),
        ({"change": "repeal", "rule": "203"}, {"repeal": "203"}),
        ({"change": "transmute", "rule": "203", "to": "immutable"}, {"transmute": "203", "to": "immutable"}),
    ],
)  # fmt: skip
def test_rule_changes(values: dict[str, str], change: dict[str, Any]) -> None:
    values = {**values, "change": CHANGES[values["change"]]}
    wanted = asked("propose", "Tea for all", **values)
    assert wanted == Asked("propose", {"changes": [change], "title": "Tea for all"})


@pytest.mark.parametrize(
    ("values", "flaw"),
    [
        ({"change": "enact", "text": "x"}, "to enact a rule, fill in the field Title of the rule"),
        ({"change": "enact", "title": "x"}, "to enact a rule, fill in the field Text"),
        ({"change": "enact", "title": "x", "text": "x", "rule": "7"}, "to enact a rule, leave the field Rule empty"),
        ({"change": "amend", "text": "x"}, "to amend a rule, fill in the field Rule"),
        ({"change": "amend", "rule": "203"}, "an amendment needs"),
        ({"change": "repeal", "rule": "203", "text": "x"}, "leave the field Text empty"),
        ({"change": "repeal", "rule": "203", "to": "mutable"}, "leave the field Status empty"),
        ({"change": "transmute", "rule": "203"}, "to transmute a rule, fill in the field Status"),
    ],
)
def test_what_is_wrong_with_a_rule_change_is_said(values: dict[str, str], flaw: str) -> None:
    assert flaw in asked("propose", **{**values, "change": CHANGES[values["change"]]}).flaw


def test_what_a_link_filled_in_and_nobody_changed_is_no_change() -> None:
    rules = [{"rule": "203", "uid": "7", "title": "Unanimity", "text": "All of them.\n", "script": "x = 1\n"}]

    def change(kind: str, **values: str) -> Any:
        given = {"change": CHANGES[kind], "rule": "203", "title": "Unanimity", "text": "All of them.", **values}
        filled = filled_in(written("propose", given))
        wanted = form_asked(filled, "", ACTIONS, PROPOSING, rules)
        return wanted.flaw or wanted.args["changes"][0]

    assert change("amend", text="Most of them.") == {"amend": "203", "text": "Most of them.\n"}
    assert change("amend", title="Majority") == {"retitle": "203", "to": "Majority"}
    assert "another text, script or title than the rule has" in change("amend")
    assert change("repeal") == {"repeal": "203"}
    assert change("transmute", to="mutable") == {"transmute": "203", "to": "mutable"}
    assert "leave the field Text empty" in change("repeal", text="Most of them.")
    assert change("amend", rule="7", script="x = 2") == {"amend": "7", "script": "x = 2\n"}


@pytest.mark.parametrize("untouched", ["", "None", UNCHOSEN])
def test_a_choice_that_nobody_made_is_none(untouched: str) -> None:
    """What fields say in one way only is taken so; nothing is repealed, recorded or done because a menu stood so."""

    def proposed(**values: str) -> Any:
        wanted = asked("propose", change=untouched, **values)
        return wanted.flaw or wanted.args["changes"]

    assert asked("act", choice=untouched, action="throw") == Asked("throw")
    assert "there is no action (none was named)" in asked("act", choice=untouched, arguments="to: bob").flaw
    assert proposed(rule="209", text="x") == [{"amend": "209", "text": "x\n"}]
    assert proposed(title="Tea", text="x") == [{"enact": {"title": "Tea", "text": "x\n"}}]
    assert proposed(rule="209", to="mutable") == [{"transmute": "209", "to": "mutable"}]
    for values in ({"rule": "209"}, {"rule": "209", "text": "x", "to": "mutable"}, {"text": "x"}, {"title": "x"}, {}):
        assert "choose the kind of rule-change: Enact a new rule, Amend a rule" in proposed(**values)
    assert "choose A statement, for the record, or A question" in asked("say", what=untouched, text="x").flaw


def test_requests_travel_with_a_proposal() -> None:
    wanted = asked("propose", change=CHANGES["repeal"], rule="203", requests="defend\nswap section=3\n# no more")
    assert wanted.args["requests"] == [{"name": "defend", "args": {}}, {"name": "swap", "args": {"section": 3}}]
    assert "did you mean defend?" in asked("propose", change=CHANGES["repeal"], rule="203", requests="defned").flaw


def test_saying_and_joining() -> None:
    assert asked("say", what=STATEMENT, text="/do throw\n\n### More\n\nx") == Asked(
        "state", {"text": "/do throw\n\n### More\n\nx"}
    )
    assert "write a text" in asked("say", what="pay: Pay", text="x").flaw
    assert "write a text" in asked("say", what=STATEMENT).flaw
    assert asked("join", id="zed", name="Zed Z", more="surname: Zhou\nage: 7") == Asked(
        "join", {"surname": "Zhou", "age": 7, "id": "zed", "name": "Zed Z"}
    )
