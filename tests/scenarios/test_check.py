"""`moot check` says what is wrong with scripts, rules and rulesets, nothing that is right, and all of it at once, with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.event_names import KERNEL_EVENTS, OUTCOMES
from folkmoot.core.records import Founding
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import HINT, check_script
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.act import act_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.moot import Moot, Said
from tests.support.timing import Spent

ACTIONS = {"wave": {"summary": "Wave", "arguments": {"how": {"type": "text"}}}}


def found(script: str, *others: dict[str, Any], **parts: Any) -> list[str]:
    """Return what the check says of a script, hints with a question mark in front."""
    rule = {"uid": "1", "script": script, **parts}
    problems = check_script(rule, known_in([rule, *others]))
    return [f"{'?' * (p.code == HINT)}{p.message}; {p.hint}" for p in problems]


@pytest.mark.parametrize("turned", [1, -1])
def test_two_rules_may_share_a_kind_and_a_currency_in_either_order(turned: int) -> None:
    balls = [{"defines": {"kinds": {"ball": {"registers": {name: {"type": "string"}}}}}} for name in ("colour", "size")]
    gold = [
        {"defines": {"kinds": {"team": {}}, "currencies": {"gold": {"owners": owner}}}} for owner in ("team", "game")
    ]
    script = "def on_left(e):\n    add('game', 'gold', 1)\n    for b in things('ball'):\n        put(b, 'colour', get(b, 'size'))\n"
    assert found(script, *(balls + gold)[::turned]) == []


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
    waited = {"corrections_due", "referendum_opens", "referendum_ends", "nomination_over", "voting_over", "hiding_over"}
    assert waited <= known_in(rulesets.founding("b-nomic")["rules"]).events
    assert {f"proposal_{outcome}" for outcome in OUTCOMES} <= KERNEL_EVENTS


def test_rules_may_forbid_whatever_people_do_without_a_rule() -> None:
    for name in KERNEL_DECLARATIONS.keys() - BEYOND_RULES:
        assert found(f"def forbid_{name}(a):\n    return refuse('E-TIME')\n") == []


MISSED = [
    ("def on_left(e):\n    resolve(proposal(1), 'adpted')\n",
     "no rule declares the outcome `adpted`; did you mean `adopted`?"),
    ("def on_voting_closed(e):\n    announce(e.propsal.title)\n",
     "the event `voting_closed` has no `propsal`; did you mean `proposal`?"),
    ("def on_changed_mood(e):\n    announce(e.ownr)\n",
     "the event `changed_mood` has no `ownr`; did you mean `owner`?"),
    ("def decide_adopted(p):\n    return verdict(p.titel == '')\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_left(e):\n    for p in proposals():\n        announce(p.titel)\n",
     "a proposal has no `titel`; did you mean `title`?"),
    ("def on_left(e):\n    p = proposal(3)\n    announce(str([b.wieght for b in p.ballots]))\n",
     "a ballot has no `wieght`; did you mean `weight`?"),
    ("def on_left(e):\n    announce(proposals()[0].changes[0].knid)\n",
     "a change has no `knid`; did you mean `kind`?"),
    ("def decide_may_change(p, c):\n    return c.rule.numbr != '1'\n",
     "a rule has no `numbr`; did you mean `number`?"),
    ("def forbid(a):\n    return refuse('E-TIME', a.nmae)\n", "an action has no `nmae`; did you mean `name`?"),
    ("def adjust_award(a):\n    return a.ammount\n", "an award has no `ammount`; did you mean `amount`?"),
    ("def on_awarded(e):\n    announce(e.award.aplied)\n", "an entry has no `aplied`; did you mean `applied`?"),
    ("def on_left(e):\n    emit('sung', song = 1)\ndef on_sung(e):\n    announce(e.sogn)\n",
     "?the event `sung` has no `sogn`; did you mean `song`?"),
    ("def on_left(e):\n    for x in ask_all('winner'):\n        announce(x.rule.titel + x.anser)\n",
     "a rule has no `titel`; did you mean `title`?|what `ask_all` answers has no `anser`; did you mean `answer`?"),
    ("def on_left(e):\n    if try_act('state', 'ann').okay:\n        announce(str(date(now()).dya))\n",
     "what `try_act` answers has no `okay`; did you mean `ok`?|what `date` answers has no `dya`; did you mean `day`?"),
    ("def on_left(e):\n    done = take_back(7)\n    announce(str(done.hole) + timer('bell').edeg)\n",
     "what `take_back` answers has no `hole`; did you mean `whole`?|what `timer` answers has no `edeg`; did you mean `edge`?"),
    ("def on_left(e):\n    for h in held():\n        announce(h.lable)\n", "an act that waits has no `lable`; did you mean `label`?"),
    ("def on_act_held(e):\n    announce(e.lable)\n", "the event `act_held` has no `lable`; did you mean `label`?"),
    ("def decide_push(p, changes):\n    return refuse('E-TIME', p.sate)\n", "a proposal has no `sate`; did you mean `state`?"),
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
    "def decide_adopted(p):\n    f = lambda p: p.odd\n    return verdict(f(struct(odd = True)))\n",
    "NAMES = ['sung']\ndef on_left(e):\n    for n in NAMES:\n        emit(n, odd = 1)\ndef on_sung(e):\n    announce(e.odd)\n",
    "def on_bell(e):\n    announce('%s %d' % (e.key, e.due))\n",
    "def on_left(e):\n    r = rule('1')\n    if r != None and r.labels.odd:\n        announce(r.labels.odd)\n",
    "def on_voting_closed(e):\n    announce([b.player for b in e.proposal.ballots if b.counts][0])\n",
    "def decide_mood():\n    return 1\n",
]


@pytest.mark.parametrize("script", SOUND)
def test_what_is_right_is_let_pass(script: str) -> None:
    assert found(script, **PARTS) == []


def test_what_never_ends_costs_little() -> None:
    script = "def on_left(e):\n" + ("    " + "for p, " * 30 + "\n") * 150
    with Spent() as spent:
        check_script({"uid": "1", "script": script}, None)
    assert spent.units < 500


# -- kinds and circles


def law(*rules: dict[str, Any]) -> Founding:
    return {"ruleset": "tea", "title": "Tea", "zone": "UTC", "rules": [*rules], "players": [{"id": "ann"}]}


def said(own: dict[str, Any], *others: dict[str, Any]) -> list[str]:
    """Return what the check says of a rule beside the others of a law."""
    rule = {"title": "Tea", "text": "Tea.", **own}
    beside = [{"title": "Law", "text": "Law.", "uid": other["rule"], **other} for other in others]
    return [f"{p.message}; {p.hint}" for p in rule_problems(rule, law(*beside), "title: Tea\n", "tea.yaml", Kernel())]


def kinds(**declared: str) -> dict[str, Any]:
    return {"defines": {"kinds": {name: {"like": like} if like else {} for name, like in declared.items()}}}


def test_a_kind_is_like_one_that_no_rule_declares() -> None:
    one = {"rule": "1", **kinds(motion="")}
    assert said(kinds(petition="motoin"), one) == [
        "no rule declares a kind of thing called 'motoin'; did you mean `motion`?"
    ]
    assert said(kinds(petition="motion", plea="proposal", ghost="player"), one) == []


def test_a_kind_is_like_itself_by_way_of_another_rule() -> None:
    [message] = said(kinds(petition="motion"), {"rule": "1", **kinds(motion="petition")})
    assert message.startswith("petition is like itself, by way of motion")
    assert said(kinds(plea="a"), {"rule": "1", **kinds(a="b", b="a")}) == []  # not of this rule's making


HEARS = "def on_joined(e):\n    pass\n"
PREVAILS = "def decide_prevails(a, b):\n    return a if claims_over(a, b) else b if claims_over(b, a) else None\n"


def test_a_circle_of_precedence_between_a_file_and_the_law_is_told() -> None:
    judge = {"rule": "1", "script": PREVAILS}
    other = {"rule": "2", "script": HEARS, "precedence": {"over": ["3"]}}
    third = {"rule": "3", "script": HEARS, "precedence": {"over": ["4"]}}
    mine = {"rule": "4", "script": HEARS, "precedence": {"over": ["2"]}}
    [message] = said(mine, judge, other, third)
    assert message.startswith("rules 2, 3 and 4 take precedence over one another in a circle")
    assert said({**mine, "precedence": {"defers_to": ["2"]}}, judge, other, third) == []
    assert said({"rule": "5", "script": HEARS, "precedence": {"over": ["1"]}}, judge, other, third) == []


def test_the_page_of_actions_names_those_who_act_for_an_office() -> None:
    rule = {"rule": "1", "title": "J", "actions": {"judge": {"as": "judge"}}, "defines": {"offices": {"judge": {}}}}
    documents = {
        "rules/1": rule,
        "law": {"rules": {"1": {"number": "1", "in_force": True}}},
        "game": {"title": "Tea", "open": []},
    }
    deputies = {"acts_for:judge": ["bob", "cid"]}
    view = GameView(slug="g", documents=documents, answers=deputies)
    assert "bob, cid may act for them at present." in strip(drawn_page(view, act_page(view)).body)
    plain = repr(act_page(GameView(slug="g", documents=documents)))
    assert "office='Judge'" in plain
    assert "act for them" not in plain


# -- files

GARDEN_HEAD = "ruleset: garden\ntitle: Garden\n"
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
    (folder / "garden" / "ruleset.yaml").write_text(GARDEN_HEAD, "utf-8")
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


HEAR = "title: Hear\ntext: |\n  Somebody hears.\nscript: |\n  def decide_loud():\n      return 1\n"
ASK = "title: Ask\ntext: |\n  Somebody asks.\nscript: |\n  def on_joined(e):\n      ask('loud')\n"


def test_what_follows_from_the_journal_is_no_rule(table: Moot) -> None:
    said = table("check", "state")
    assert (said.code, said.err) == (0, "")
    assert "files checked: all is well." in said.out
    said = table("check", "state/table/head.yaml")
    assert "`moot verify` proves it" in said.err
    assert said.code == 0


def test_an_untouched_law_has_no_hints(table: Moot) -> None:
    rules = [str(path) for path in sorted(Path("state/table/rules").glob("*.yaml"))]
    said = table("check", *rules)
    assert (said.code, said.err) == (0, "")


def test_files_that_are_checked_together_know_one_another(table: Moot) -> None:
    Path("hear.yaml").write_text(HEAR)
    Path("ask.yaml").write_text(ASK)
    assert "no rule answers the question `loud`" in table("check", "ask.yaml").err
    assert table("check", "ask.yaml", "hear.yaml").err == ""


def test_an_argument_that_cannot_be_reached_is_pointed_out(table: Moot) -> None:
    text = "title: Wrap\ntext: |\n  Wrap it.\nactions:\n  wrap:\n    summary: Wrap it\n    arguments:\n      in: {type: text}\n"
    Path("wrap.yaml").write_text(text)
    said = table("check", "wrap.yaml")
    assert "wrap.yaml:8:7: `a.args.in` cannot be written" in said.err
    assert 'getattr(a.args, "in")' in said.err


def test_a_script_that_is_checked_without_a_game_is_said_to_be(moot: Moot) -> None:
    Path("hear.yaml").write_text(HEAR.replace("decide_loud()", "on_joind(e)"))
    Path("tea.yaml").write_text("title: Tea\ntext: |\n  Tea.\n")
    said = moot("check", "hear.yaml")
    assert said.code == 0
    assert "Checked without a game" in said.err
    assert moot("check", "hear.yaml", "tea.yaml", "--json").record["without_law"] == ["hear.yaml"]
    assert moot("check", "tea.yaml").err == ""
    said = moot("check", "hear.yaml", "-r", "suber")
    assert "did you mean `joined`?" in said.err
    assert "Checked without" not in said.err


# -- a ruleset is founded on trial

HEAD = """ruleset: tea
title: Tea
people:
  - {id: ann}
  - {id: bob}
offices:
  host: ann
settings: {sugar: "one"}
given:
  - {player: ann, cups: 2}
history:
  "1":
    - {at: 2024-01-01T10:00:00Z, text: Nobody pours.}
    - {at: 2025-01-01T10:00:00Z, cause: the second evening}
"""
POUR = """title: Pouring
rule: "1"
text: Whoever pours has poured.
defines:
  player: {cups: {type: integer}}
  offices: {host: {}}
  kinds:
    pot: {registers: {full: {type: boolean}}}
settings:
  sugar: {question: How much?, default: none, alternatives: {none: None., one: One.}}
actions:
  pour: {as: host}
script: |
  def do_pour(a):
      add(a.by, "cups", 1)
"""


def words(said: Said) -> str:
    """Return all that was said, on one line."""
    return " ".join((said.out + said.err).split())


def tea(head: str = HEAD, rule: str = POUR) -> Path:
    """Write the folder of a ruleset, and return it."""
    for name, text in (("ruleset.yaml", head), ("rules/1.yaml", rule)):
        file = Path("tea", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Path("tea")


def test_a_sound_ruleset_is_well(moot: Moot) -> None:
    assert moot("check", str(tea())) == Said(0, "2 files checked: all is well.\n", "")


WRONG = [
    ("player: ann, cups: 2", "player: ann, cubs: 2", "ruleset.yaml:10:5", "declares a register 'cubs' of player"),
    ("player: ann, cups: 2", "player: eve, cups: 2", "ruleset.yaml:10:5", "eve"),
    ("player: ann, cups: 2", "kind: kettle, id: k", "ruleset.yaml:10:5", "kind of thing called 'kettle'"),
    ("player: ann, cups: 2", "kind: pot, full: 7", "ruleset.yaml:10:5", "full"),
    ("host: ann", "host: eve", "ruleset.yaml:7:3", "eve"),
    ("offices:\n  host: ann", "offices_in_turn: [host, guest]", "ruleset.yaml:6:25", "guest"),
    ("host: ann", "hsot: ann", "ruleset.yaml:7:3", "hsot"),
    ('sugar: "one"', 'sugar: "two"', "ruleset.yaml:8:12", "two"),
    ('"1":', '"9":', "ruleset.yaml:12:3", "history of rule 9"),
    ("2025-01-01", "2023-01-01", "ruleset.yaml:14:12", "order of their times"),
]


@pytest.mark.parametrize(("before", "after", "place", "why"), WRONG)
def test_what_no_game_can_begin_with_is_told(moot: Moot, before: str, after: str, place: str, why: str) -> None:
    assert HEAD.count(before) == 1
    said = moot("check", str(tea(HEAD.replace(before, after))))
    assert said.code == 1
    assert place in (said.out + said.err).replace("\n", "")
    assert why in words(said)
    assert "1 problem" in words(said)


def test_every_mistake_is_told_not_the_first(moot: Moot) -> None:
    head = HEAD.replace("host: ann", "host: eve").replace("cups: 2", "cubs: 2")
    assert "2 problems" in words(moot("check", str(tea(head))))


TAKES = "{arguments: {changes: {type: changes}}}"
TWO = (
    POUR.replace("pour: {as: host}", f"sow: {TAKES}\n  reap: {TAKES}").replace("do_pour", "do_sow")
    + "  def do_reap(a):\n      pass\n"
)
EXAMPLE = POUR + "examples:\n  - {scenario: one, steps: [{by: ann, do: pour}], expect: [{player: ann, cups: 9}]}\n"
OF_RULES = [
    (
        POUR + "  def on_joined(e):\n      put(e.player, 'cups', 1 // 0)\n",
        "rule 1: on_joined fails when a game is founded",
    ),
    (POUR + "  def on_founded(e):\n      for i in range(10000000):\n          x = [0] * 100000\n", "when a game"),
    (EXAMPLE, "rules/1.yaml:17:5: one: expected"),
    (POUR.replace("as: host", "as: hots"), "no rule declares the office `hots`, as which one does `pour`"),
    (POUR.replace("as: host", "as: hots"), "did you mean `host`?"),
    (TWO, "a pull request that changes rules may be sow or reap, and no rule says which"),
]


@pytest.mark.parametrize(("rule", "why"), OF_RULES, ids=range(len(OF_RULES)))
def test_what_is_wrong_with_a_rule_is_told_as_a_game_is_founded_by_it(moot: Moot, rule: str, why: str) -> None:
    assert why in words(moot("check", str(tea(rule=rule))))


@pytest.mark.parametrize("rule", [EXAMPLE.replace("cups: 9", "cups: 3"), TWO.replace("reap: {arg", "reap: {takes: pull_requests, arg"),
                                  TWO + "  def decide_taken_as(pull):\n      return 'sow'\n"], ids=range(3))  # fmt: skip
def test_what_is_mended_is_well(moot: Moot, rule: str) -> None:
    assert moot("check", str(tea(rule=rule))).code == 0


def test_a_script_that_fails_without_people_at_the_founding_is_told_with_its_place(moot: Moot) -> None:
    said = words(moot("check", str(tea("ruleset: tea\ntitle: Tea\n", OF_RULES[0][0]))))
    assert "tea/rules/1.yaml:17:29:" in said
    assert "1 problem" in said


def test_examples_that_are_not_run_are_told(moot: Moot) -> None:
    Path("alone.yaml").write_text("title: Alone\ntext: x\nexamples:\n  - {scenario: one, expect: [{winner: null}]}\n")
    said = moot("check", "alone.yaml")
    assert said.code == 0
    assert "The examples of alone.yaml were not run" in words(said)
    assert moot("check", "alone.yaml", "--json").record["unrun"] == ["alone.yaml"]
    assert "not run" not in words(moot("check", "alone.yaml", "-r", "suber"))


@pytest.mark.parametrize(
    "call", ["owe(e.player, 'pour', None, None, 'puor')", "owe_all(things('player'), 'pour', do = ['vote', 'puor'])"]
)
def test_a_duty_to_do_what_nobody_can_is_told(call: str) -> None:
    actions, done = {"pour": {"summary": "Pour"}}, "def do_pour(a):\n    pass\n"
    script = f"def on_left(e):\n    {call}\n{done}"
    assert found(script, actions=actions) == ["?no rule offers the action `puor`; did you mean `pour`?"]
    assert found(script.replace("puor", "pour"), actions=actions) == []
