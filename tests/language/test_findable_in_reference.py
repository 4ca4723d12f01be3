"""Section 4 of the findings of the language: what authors could not find stands in the reference, and holds."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.typed_words import read_word
from folkmoot.kernel.arguments import CHECKS
from folkmoot.kernel.budget import PER_EVENT
from folkmoot.kernel.play import NESTED_CALLS
from folkmoot.kernel.registers import BUILT_IN
from folkmoot.kernel.things import canonical_digest
from folkmoot.scenarios.claims import FORMS
from tests.support.moot import Moot
from tests.support.table import VOTING, Table, rule

REFERENCE = Path(__file__).resolve().parents[2] / "site_src" / "reference"


def page(name: str) -> str:
    """Return a page of the reference, its lines joined."""
    return " ".join((REFERENCE / f"{name}.md").read_text("utf-8").split())


SAID = {
    "timers raise the event of their name": ("files", "A timer raises the event of its name when it fires"),
    "what the event of a timer holds": ("files", "The event holds `due`, when it was to fire, `key`, and whatever"),
    "edge": ("files", "fires after whatever people did at that very second"),
    "a rule gives a string": ("files", "a string, as it was given: `rule(a.args.number)` is the rule"),
    "despite": ("files", "the labels of holds that do not stop it"),
    "travels": ("files", "it is a request, which goes with a proposal"),
    "fill": ("files", "the question `decide_holder(office)` is asked"),
    "outcomes, effective": ("files", "With `effective: true` its changes then become law"),
    "votable, like": ("files", "it has the registers and currencies of that kind too, and is voted on where that is"),
    "owners": ("files", "A currency names its `owners`"),
    "starting": ("files", "counts from the date `starting` on"),
    "order at one instant": ("files", "then that of the rule of highest precedence, and of one rule the one started"),
    "names that stand after no dot": ("files", '`getattr(a.args, "class")` reads it'),
    "maps on the command line": ("files", "'goods={\"wood\": 2}'"),
    "what opening a vote fixes": ("index", "Opening it fixes who may vote"),
    "weights": ("index", "what a ballot weighs at the count"),
    "None outside your own case": ("index", "None outside your own case"),
    "codes of one's own": ("index", "take any code in capitals"),
    "depth": ("index", f"at most {NESTED_CALLS} deep"),
    "depth of ask": ("functions", f"Questions may ask others, {NESTED_CALLS} deep"),
    "given fires nothing": ("scenarios", "no event is raised, no guard is asked and no award is entered"),
    "dice of shuffle": ("scenarios", "`shuffle` is one draw"),
    "canonical form": ("functions", "The canonical form is JSON in UTF-8 without blanks"),
    "a command that computes it": ("commands", "moot explain digest"),
}


@pytest.mark.parametrize("wanted", SAID)
def test_the_reference_says_it(wanted: str) -> None:
    where, sentence = SAID[wanted]
    assert sentence in page(where)


@pytest.mark.parametrize("form", ["Action", "Argument", "Timer", "Office", "Ending", "Register", "Kind", "Currency"])
def test_every_key_of_what_rules_declare_is_told(form: str) -> None:
    forms = load_yaml(files("folkmoot.files").joinpath("file_forms.yaml").read_text("utf-8"), "forms")["forms"]
    text = page("files")
    assert [key for key in forms[form]["properties"] if f"`{key}`" not in text and f"`{key}:" not in text] == []


def test_every_type_of_arguments_and_every_register_that_is_always_there_is_told() -> None:
    assert [kind for kind in (*CHECKS, *BUILT_IN) if f"`{kind}`" not in page("files")] == []


def test_every_claim_and_everything_that_is_counted_is_told() -> None:
    assert [claim for claim in FORMS if f"{{{claim}: " not in page("scenarios")] == []
    assert [what for what in PER_EVENT if f"| {what} |" not in page("limits")] == []


# -- and so it is


def test_given_fires_nothing(moot: Moot) -> None:
    Path("law/rules").mkdir(parents=True)
    Path("law/ruleset.yaml").write_text("ruleset: tea\ntitle: Tea\nzone: UTC\npeople: [{id: ann, surname: Abel}]\n")
    Path("law/rules/1.yaml").write_text(
        "rule: '1'\nuid: '1'\ntitle: Tea\ntext: Tea.\n"
        "defines: {player: {tea: {type: integer}}}\n"
        "actions: {brew: {arguments: {class: {type: text}, from: {type: time, optional: true}}}}\n"
        "script: |\n"
        "  def on_changed_tea(e):\n      win(e.owner)\n"
        '  def do_brew(a):\n      require(getattr(a.args, "class") == "green", "E-BAD_TEA", "green only")\n'
        '      order = shuffle(["a", "b", "c"])\n      announce(order[0])\n'
        '      require(getattr(a.args, "from") == None, "E-ARGS")\n'
    )
    Path("play.yaml").write_text(
        "scenario: given\nruleset: ./law\ngiven: [{player: ann, tea: 3}]\ndice: [[2, 0, 1]]\n"
        "steps:\n- {by: ann, do: brew, args: {class: black}, refused: E-BAD_TEA}\n- {by: ann, do: brew, args: {class: green}}\n"
        "expect: [{player: ann, tea: 3}, {winner: null}]\n"
    )
    said = moot("check", "play.yaml")
    assert said.code == 0, said.out + said.err


def test_a_digest_is_that_of_scripts(moot: Moot) -> None:
    script = 'def do_swear(a):\n    announce(digest(["ä", {"b": 1, "a": 305}]))\n'
    table = Table(rule("1", script, actions={"swear": {}}), VOTING)
    [said] = [effect["text"] for effect in table.act("ann", "swear").effects if effect["effect"] == "announce"]
    assert moot("explain", "digest", '["ä", {"a": 305, "b": 1}]').out.strip() == said
    assert moot("explain", "digest", "--text", "305").out.strip() == canonical_digest("305")
    assert moot("explain", "digest", "305").out.strip() == canonical_digest(305)


@pytest.mark.parametrize("words", [(), ("{1.5", "x")])
def test_a_digest_needs_one_value(moot: Moot, words: tuple[Any, ...]) -> None:
    assert moot("explain", "digest", *words).code == 2


@pytest.mark.parametrize(("kind", "form"), [("map", '{"wood": 2}'), ("list", '["a2", "b1"]')])
def test_who_gives_no_map_or_list_is_shown_how_one_is_written(kind: str, form: str) -> None:
    actions = {"pay": {"arguments": {"what": {"type": kind}}}}
    outcome = Table(rule("1", "def do_pay(a):\n    pass\n", actions=actions), VOTING).act("ann", "pay", what="wood")
    assert (outcome.code, f"what must be a {kind} such as {form}, not" in str(outcome.reasons)) == ("E-ARGS", True)
    read_word(form)
