"""Table 15: whatever shape a rule's answer has, to whichever question, the game goes on and the rule is named."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.table import VOTING, Table, rule

QUESTIONS = re.findall(
    r"^def decide_(\w+)\((.*)\)(?: -> .*)?:$",
    (files("folkmoot") / "language/catalogue/questions.star").read_text(),
    re.MULTILINE,
)
ODD = [[1, 2], [[]], {}, {"a": [1]}, 7, -1, 10**60, True, False, "", "CON", "nobody", [None], [["ann"]], {"uid": [1]}]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**60), 10**60)
    | st.sampled_from(["ann", "CON", "for", "901", "ä/b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["do", "args", "as", "yes", "why", "uid", "refused", "permit"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
OFFICE = {"offices": {"judge": {"fill": "by_rule"}}}


def play_with(question: str, arguments: str, answer: object) -> None:
    """Play a little under a rule that answers so; what is refused is refused by a code, and the engine never fails."""
    asking = rule("20", f"def decide_{question}({arguments}):\n    return {answer!r}", defines=OFFICE)
    table = Table(VOTING, asking)
    for player in ("ann", "bob"):
        table.act(
            player, "propose", title="A change", changes=[{"enact": {"title": "New"}}, {"enact": {"title": "Two"}}]
        )
    for identifier in list(table.kernel.documents["game"]["open"]):
        for player in ("ann", "bob", "cid"):
            table.act(player, "vote", proposal=identifier.partition("/")[2], choice="for")
            read = table.kernel.read_review(identifier, [player, "approve", ""], table.now)
            assert read is None or ("why" in read) != ("do" in read)
    table.act("ann", "state", text="This is how far we came.")
    table.kernel.ask("holder", ["judge"], table.now)
    assert "E-FAULT" not in [entry.get("code") for entry in table.entries]
    numbers = [meta["number"] for meta in table.kernel.documents["law"]["rules"].values() if meta["in_force"]]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(("question", "arguments"), QUESTIONS)
def test_odd_answers(question: str, arguments: str) -> None:
    for answer in ODD:
        play_with(question, arguments, answer)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(QUESTIONS), VALUES)
def test_any_answer(question: tuple[str, str], answer: object) -> None:
    play_with(*question, answer)


@pytest.mark.parametrize(
    ("question", "answer"), [("choices", [1, 2]), ("winner", "nobody"), ("winner", [["ann"]]), ("electorate", [1])]
)
def test_the_failure_names_the_rule(question: str, answer: object) -> None:
    arguments = dict(QUESTIONS)[question]
    table = Table(rule("20", f"def decide_{question}({arguments}):\n    return {answer!r}"), VOTING)
    number = table.propose("ann")
    table.act("ann", "vote", proposal=number, choice="for")
    assert [f["rule"] for e in table.entries for f in e.get("failures", ()) if f["hook"] == f"decide_{question}"][
        :1
    ] == ["20"]
