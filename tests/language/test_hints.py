"""Section 4 of the findings of the language: hints that lead to what is wrong, and fields that authors can find."""

from __future__ import annotations

from typing import Any

import pytest

from ci.reference import pages_of_law
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.script_records import BALLOT, PLAIN
from folkmoot.language.declarations import catalogue
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import HINT, check_script
from tests.support.table import VOTING, Table, rule


def found(script: str, **parts: Any) -> list[tuple[bool, str]]:
    """Return what the check says of a script, and whether it is certain."""
    document = {"uid": "1", "script": script, **parts}
    return [(p.code != HINT, p.message) for p in check_script(document, known_in([document]))]


HELPERS = ["on_board(square, size)", "do_sums(a, b)", "forbid_both(a, b)", "permit_both(a, b)", "adjust_both(a, b)"]


@pytest.mark.parametrize("helper", HELPERS)
def test_a_helper_that_is_called_like_a_hook_is_only_a_hint(helper: str) -> None:
    name = helper.partition("(")[0]
    script = f"def {helper}:\n    return 1\ndef on_left(e):\n    announce(str({name}(1, 2)))\n"
    [(certain, message)] = found(script)
    assert not certain
    assert message.startswith(f"`{name}` is called like a hook")


def test_a_hook_that_nobody_calls_with_so_many_arguments_is_an_error() -> None:
    assert (True, "`on_left` is called with 1 argument, but takes a, b") in found("def on_left(a, b):\n    pass\n")
    unheard = found("def on_board(a, b):\n    pass\n")
    assert (True, "`on_board` is called with 1 argument, but takes a, b") in unheard


def test_who_has_no_vote_is_told_by_which_rule() -> None:
    only_ann = rule("1", "def decide_electorate(p):\n    return ['ann']\n")
    table = Table(only_ann, VOTING, players=("ann", "gremlin"))
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "There is tea."}})
    outcome = table.act("gremlin", "vote", proposal=number, choice="for")
    assert outcome.code == "E-NOT-PLAYER"
    assert [reason.get("rule") for reason in outcome.reasons if reason["code"] == "E-NOT-PLAYER"] == ["1"]


WORDS = {
    "x = neighbours([], 'a1')": 'load("grid", "neighbours") at the top of the script',
    "x = sum([1, 2])": 'load("numbers", "sum") at the top of the script',
    "x = [1, 2].count(1)": "count what you pick: len([each for each in values if each == wanted])",
    "x = null": "write None",
    "x = random.choice([1, 2])": "draw by roll(6), between(1, 10) or pick(list)",
    "for p in players:\n        pass": 'things("player") are all players',
    "x = max(get(p, 'gold') for p in [])": "write square brackets around it: [each for each in values]",
    "announce(f'{e.player}')": 'in braces stands a name alone; else write "%s" % value',
    "x = true": "did you mean `True`?",
    "x = nought": "",
    "x = give_gold(3)": "",
}


@pytest.mark.parametrize("line", WORDS)
def test_who_writes_another_language_is_told_what_to_write_here(line: str) -> None:
    document = {"uid": "1", "script": f"def on_left(e):\n    {line}\n"}
    assert [p.hint for p in check_script(document, None)] == [WORDS[line]]


# -- fields

SHOW = rule(
    "1",
    """
    def tell(what, record):
        announce(what, fields = dir(record))

    def on_ballot_cast(e):
        tell("proposal", e.proposal)
        tell("ballot", e.ballot)
        tell("ballot", e.proposal.ballots[0])
        tell("change", e.proposal.changes[0])
        tell("rule", me())

    def do_pay(a):
        tell("action", a)
        award(a.by, "gold", 1)

    def on_awarded(e):
        tell("entry", e.award)

    def adjust_award(a):
        return len(dir(a))

    def decide_law_for(s):
        require(len(dir(s)) == 5, "E-ARGS")
        return None
    """,
    defines={"currencies": {"gold": {}}},
    actions={"pay": {"summary": "Pay"}},
)


def test_records_are_described_as_scripts_see_them() -> None:
    table = Table(SHOW, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "There is tea."}})
    outcomes = [table.ok("ann", "vote", proposal=number, choice="for"), table.ok("ann", "pay")]
    told = [effect for outcome in outcomes for effect in outcome.effects if effect["effect"] == "announce"]
    seen = {(effect["text"], tuple(sorted(effect["fields"]))) for effect in told}
    assert {what for what, _ in seen} == {"proposal", "ballot", "change", "rule", "action", "entry"}
    for what, fields in seen:
        assert tuple(sorted(described(what))) == fields, what
    assert table.get("ann", "gold") == len(described("award"))
    assert len(described("submission")) == 5
    assert {"player", *BALLOT} == described("ballot")
    assert set(PLAIN) <= described("proposal")
    assert set(RULE_PARTS) <= described("change")


def described(record: str) -> set[str]:
    return {name.partition(".")[2] for name in catalogue("records")[record].fields}


def test_the_reference_shows_every_field() -> None:
    page = pages_of_law()["reference/records.md"]
    for name, entry in catalogue("records").items():
        assert f"## {name}\n" in page
        for field, meaning in entry.fields.items():
            assert f"- `{field}`: {meaning}" in page


@pytest.mark.parametrize("name", list(catalogue("records")))
def test_examples_of_records_read_what_is_there(name: str) -> None:
    entry = catalogue("records")[name]
    assert found(f"def tell({entry.parameters}):\n{entry.body}") == []
    first = entry.body.partition(f"{entry.parameters}.")[2]
    assert any(first.startswith(field) for field in described(name))


def test_a_helper_that_hides_a_host_function_is_told() -> None:
    said = found("def settle(key):\n    pass\n\ndef on_stated(e):\n    settle(e.player)\n")
    assert said == [(False, "`settle` hides the host function of this name from the rest of the script")]
