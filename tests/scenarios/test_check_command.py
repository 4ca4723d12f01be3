"""Finding W5 of the language: `moot check` says what is wrong, nothing that is right, and all of it at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.event_names import KERNEL_EVENTS, OUTCOMES
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import HINT, check_script
from tests.support.moot import Moot
from tests.support.timing import Spent

ACTIONS = {"wave": {"summary": "Wave", "arguments": {"how": {"type": "text"}}}}


def found(script: str, *others: dict[str, Any], **parts: Any) -> list[str]:
    """Return what the check says of a script, hints with a question mark in front."""
    rule = {"uid": "1", "script": script, **parts}
    problems = check_script(rule, known_in([rule, *others]))
    return [f"{'?' * (p.code == HINT)}{p.message}; {p.hint}" for p in problems]


def test_two_rules_give_registers_to_one_kind() -> None:
    colour = {"defines": {"kinds": {"ball": {"registers": {"colour": {"type": "string"}}}}}}
    size = {"defines": {"kinds": {"ball": {"registers": {"size": {"type": "integer"}}}}}}
    script = "def on_left(e):\n    for b in things('ball'):\n        put(b, 'colour', get(b, 'size'))\n"
    assert found(script, colour, size) == found(script, size, colour) == []


def test_two_rules_give_a_currency_to_two_kinds_of_owners() -> None:
    one = {"defines": {"kinds": {"team": {}}, "currencies": {"gold": {"owners": "team"}}}}
    other = {"defines": {"currencies": {"gold": {"owners": "game"}}}}
    script = "def on_left(e):\n    add('game', 'gold', 1)\n"
    assert found(script, one, other) == found(script, other, one) == []


def test_a_rule_that_waits_for_what_these_rules_never_say_of_a_proposal_is_told_what_they_say() -> None:
    script = "def on_proposal_adopted(e):\n    announce('tea')\n"
    imperial = [{**rule} for rule in rulesets.founding("imperial")["rules"]]
    message = "?by these rules a proposal is accepted, not adopted, so `on_proposal_adopted` never runs"
    assert found(script, *imperial) == [f"{message}; write `on_proposal_accepted`"]
    assert found(script.replace("adopted", "accepted"), *imperial) == []
    assert found(script, *({**rule} for rule in rulesets.founding("lanterns")["rules"])) == []
    law = {
        "uid": "2",
        "defines": {"outcomes": {"ripe": {"effective": True}}},
        "script": "def on_x(e):\n    resolve(e.p, 'ripe')\n",
    }
    assert found(script, law) == [f"{message.replace('accepted', 'ripe')}; write `on_proposal_ripe`"]


def test_an_event_is_raised_whose_name_another_rule_hands_over() -> None:
    asking = "def do_wave(a):\n    emit('begun',\n        event = 'wave_over', ndays = 2)\n\ndef on_wave_over(e):\n    announce(e.of)\n"
    raising = {"uid": "2", "script": "def on_begun(e):\n    emit(**dict({'of': 'all'}, name = e.event))\n"}
    silent = {"uid": "2", "script": "def on_begun(e):\n    announce(e.event)\n"}
    hint = "?no rule and no timer raises the event `wave_over`; emit it somewhere, or declare a timer of this name"
    assert found(asking, raising, actions=ACTIONS) == []
    assert found(asking, silent, actions=ACTIONS) == [hint]
    assert found(asking.replace("on_wave", "on_wove"), raising, actions=ACTIONS) != []


def test_the_rules_of_b_nomic_raise_what_they_wait_for() -> None:
    rules = rulesets.founding("b-nomic")["rules"]
    known = known_in(rules)
    waited = {"corrections_due", "referendum_opens", "referendum_ends", "nomination_over", "voting_over", "hiding_over"}
    assert waited <= known.events


def test_rules_may_forbid_whatever_people_do_without_a_rule() -> None:
    for name in KERNEL_DECLARATIONS.keys() - BEYOND_RULES:
        assert found(f"def forbid_{name}(a):\n    return refuse('E-TIME')\n") == []


MISSED = [
    ("def on_left(e):\n    resolve(proposal(1), 'adpted')\n",
     "no rule declares the outcome `adpted`; did you mean `adopted`?"),
    ("def on_left(e):\n    resolve(proposal(1), outcome = 'adpted')\n",
     "no rule declares the outcome `adpted`; did you mean `adopted`?"),
    ("def on_voting_closed(e):\n    announce(e.propsal.title)\n",
     "the event `voting_closed` has no `propsal`; did you mean `proposal`?"),
    ("def on_proposal_stalled(e):\n    announce(e.propsal.title)\n",
     "the event `proposal_stalled` has no `propsal`; did you mean `proposal`?"),
    ("def on_changed_mood(e):\n    announce(e.ownr)\n",
     "the event `changed_mood` has no `ownr`; did you mean `owner`?"),
    ("def decide_adopted(p):\n    return verdict(p.titel == '')\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_voting_closed(e):\n    announce(e.proposal.titel)\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_voting_closed(e):\n    p = e.proposal\n    announce(p.titel)\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_left(e):\n    for p in proposals():\n        announce(p.titel)\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_left(e):\n    p = proposal(3)\n    announce(str([b.wieght for b in p.ballots]))\n",
     "a ballot has no `wieght`; did you mean `weight`?"),
    ("def on_left(e):\n    announce(proposals()[0].changes[0].knid)\n",
     "a change has no `knid`; did you mean `kind`?"),
    ("def decide_may_change(p, c):\n    return c.rule.numbr != '1'\n",
     "a rule has no `numbr`; did you mean `number`?"),
    ("def decide_prevails(a, b):\n    return a if a.numbr == '1' else b\n",
     "a rule has no `numbr`; did you mean `number`?"),
    ("def on_left(e):\n    announce(me().titel)\n", "a rule has no `titel`; did you mean `title`?"),
    ("def forbid(a):\n    return refuse('E-TIME', a.nmae)\n", "an action has no `nmae`; did you mean `name`?"),
    ("def adjust_award(a):\n    return a.ammount\n", "an award has no `ammount`; did you mean `amount`?"),
    ("def on_awarded(e):\n    announce(e.award.aplied)\n", "an entry has no `aplied`; did you mean `applied`?"),
    ("def on_left(e):\n    emit('sung', song = 1)\ndef on_sung(e):\n    announce(e.sogn)\n",
     "?the event `sung` has no `sogn`; did you mean `song`?"),
    ("def on_left(e):\n    after(1, 'bell', tone = 1)\ndef on_bell(e):\n    announce(e.tnoe)\n",
     "?the event `bell` has no `tnoe`; did you mean `tone`?"),
    ("def on_left(e):\n    for x in ask_all('winner'):\n        announce(x.rule.titel + x.anser)\n",
     "a rule has no `titel`; did you mean `title`?|what `ask_all` answers has no `anser`; did you mean `answer`?"),
    ("def on_left(e):\n    if try_act('state', 'ann').okay:\n        announce(str(date(now()).dya))\n",
     "what `try_act` answers has no `okay`; did you mean `ok`?|what `date` answers has no `dya`; did you mean `day`?"),
    ("def on_left(e):\n    done = take_back(7)\n    announce(str(done.hole) + timer('bell').edeg)\n",
     "what `take_back` answers has no `hole`; did you mean `whole`?|what `timer` answers has no `edeg`; did you mean `edge`?"),
    ("def on_left(e):\n    p = submit('x', [])\n    announce(p.titel)\n", "a proposal has no `titel`; did you mean `title`?"),
    ("def on_left(e):\n    for h in held():\n        announce(h.lable)\n", "an act that waits has no `lable`; did you mean `label`?"),
    ("def on_act_held(e):\n    announce(e.lable)\n", "the event `act_held` has no `lable`; did you mean `label`?"),
    ("def decide_push(p, changes):\n    return refuse('E-TIME', p.sate)\n", "a proposal has no `sate`; did you mean `state`?"),
    ("def decide_adoptedd(p):\n    return True\n",
     "?nobody asks the question `adoptedd`; did you mean `decide_adopted`?"),
    ("def decide_mod():\n    return 1\ndef on_left(e):\n    ask('mode')\ndef decide_mode():\n    return 2\n",
     "?nobody asks the question `mod`; did you mean `decide_mode`?"),
]  # fmt: skip
PARTS = {
    "defines": {"player": {"mood": {"type": "string"}}, "outcomes": {"stalled": {}}},
    "timers": {"bell": {}},
}


@pytest.mark.parametrize(("script", "told"), MISSED)
def test_slips_are_found(script: str, told: str) -> None:
    assert found(script, **PARTS) == told.split("|")


def test_arguments_that_an_action_does_not_have() -> None:
    script = "def do_wave(a):\n    announce(a.args.hwo)\n"
    assert found(script, actions=ACTIONS) == ["?what the action `wave` is given has no `hwo`; did you mean `how`?"]


SOUND = [
    "def on_left(e):\n    resolve(proposal(1), 'stalled')\n",
    "def decide_adopted(p):\n    p = struct(titel = 1)\n    return verdict(p.titel == 1)\n",
    "def on_left(e):\n    for p in things('player'):\n        announce(p)\n    for p in [struct(x = 1)]:\n        announce(str(p.x))\n",
    "def decide_adopted(p):\n    q = p if p.number else struct(odd = 1)\n    return verdict(hasattr(q, 'odd') and q.odd)\n",
    "def decide_adopted(p):\n    f = lambda p: p.odd\n    return verdict(f(struct(odd = True)))\n",
    "def decide_adopted(p):\n    def f(q, p):\n        return p.odd\n    return verdict(f(1, struct(odd = True)))\n",
    "def decide_adopted(p):\n    first, p = 1, struct(odd = 1)\n    return verdict(p.odd == first)\n",
    "def on_left(e):\n    emit('sung', **{'song': 1})\ndef on_sung(e):\n    announce(e.song)\n",
    "NAMES = ['sung']\ndef on_left(e):\n    for n in NAMES:\n        emit(n, odd = 1)\ndef on_sung(e):\n    announce(e.odd)\n",
    "def on_bell(e):\n    announce('%s %d' % (e.key, e.due))\n",
    "def on_left(e):\n    r = rule('1')\n    if r != None and r.labels.odd:\n        announce(r.labels.odd)\n",
    "def on_voting_closed(e):\n    announce([b.player for b in e.proposal.ballots if b.counts][0])\n",
    "def decide_mood():\n    return 1\n",
]


@pytest.mark.parametrize("script", SOUND)
def test_what_is_right_is_let_pass(script: str) -> None:
    assert found(script, **PARTS) == []


@pytest.mark.parametrize("name", rulesets.names())
def test_the_packaged_rules_have_no_slips(name: str) -> None:
    rules = rulesets.founding(name)["rules"]
    known = known_in(rules)
    assert [str(p) for rule in rules for p in check_script(rule, known) if "has no `" in p.message] == []


def test_what_never_ends_costs_little() -> None:
    script = "def on_left(e):\n" + ("    " + "for p, " * 30 + "\n") * 150
    with Spent() as spent:
        check_script({"uid": "1", "script": script}, None)
    assert spent.units < 500


def test_every_outcome_has_its_event() -> None:
    assert {f"proposal_{outcome}" for outcome in OUTCOMES} <= KERNEL_EVENTS


# -- files

MISSHAPEN = """title: Wave
txet: |
  Wave.
defines:
  kinds: {ball: 3, cup: {registers: {colour: 5}}}
  currencies: {gold: x}
  player: [mood]
actions:
  wave: no
timers: [a]
settings: {S-1: {name: 7}}
script: |
  def on_joined(e):
      awrd(e.player, "gold", 1)
"""


def test_errors_of_form_hide_no_errors_of_the_script(moot: Moot, tmp_path: Path) -> None:
    file = tmp_path / "wave.yaml"
    file.write_text(MISSHAPEN, "utf-8")
    said = moot("check", str(file))
    assert said.code == 1
    assert "`txet` is no key here" in said.err
    assert "wave.yaml:14:7: variable `awrd` not found" in said.err


HEAD = "ruleset: garden\ntitle: Garden\n"
GARDEN = """rule: "1"
uid: "1"
title: Garden
text: |
  There are beds.
defines:
  game: {beds: {type: integer, initial: 3}}
actions:
  dig: {summary: Dig a bed}
script: |
  def do_dig(a):
      add("game", "beds", 1)
examples:
  - scenario: a bed more
    ruleset: garden
    players: [ann]
    steps: [{by: ann, do: dig}]
    expect: [{game: true, beds: 4}]
"""
RULE_2 = """rule: "2"
uid: "2"
title: Beds
text: |
  They are counted.
script: |
  def show_beds():
      return [heading(str(get("game", "beds")))]
"""


def garden(folder: Path) -> Path:
    (folder / "garden" / "rules").mkdir(parents=True)
    (folder / "garden" / "ruleset.yaml").write_text(HEAD, "utf-8")
    (folder / "garden" / "rules" / "1.yaml").write_text(GARDEN, "utf-8")
    (folder / "garden" / "rules" / "2.yaml").write_text(RULE_2, "utf-8")
    return folder / "garden"


def test_the_folder_of_a_ruleset_is_judged_by_its_own_law(table: Moot) -> None:
    folder = garden(Path())
    said = table("check", str(folder))
    assert (said.code, said.err) == (0, "")
    assert "3 files checked: all is well." in said.out
    (folder / "rules" / "1.yaml").write_text(GARDEN.replace("beds: 4", "beds: 5"), "utf-8")
    assert "beds is 4" in table("check", str(folder / "rules" / "1.yaml")).err


def test_a_law_that_is_named_goes_before_that_of_the_folder(table: Moot) -> None:
    folder = garden(Path())
    said = table("check", "--game", "table", str(folder / "rules" / "2.yaml"))
    assert "no rule declares a register `beds` of the game" in said.err
