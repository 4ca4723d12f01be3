"""What is known of the law when a rule has changed is what would be found out of it anew; and nothing is kept for nobody."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.kernel.lawbook import Lawbook
from tests.conftest import examples
from tests.support.table import Found, Record, Table, rule, said

HOOKS = ("on_rung", "on_acted", "decide_prevails", "decide_bell", "do_change")
BLOCKS = ("actions", "timers", "settings", "defines.game", "defines.player", "defines.offices", "defines.kinds")
CHANGING = rule(
    "10",
    """
    def do_change(a):
        rule_, parts = rule(a.args.rule), a.args.parts
        if a.args.do == "enact":
            enact(number = a.args.number, **dict({"text": "", "title": "New"}, **parts))
        elif rule_ == None or rule_.number == "10":
            fail("there is no such rule")
        elif a.args.do == "amend":
            amend(rule_, **parts)
        elif a.args.do == "repeal":
            repeal(rule_)
        elif a.args.do == "renumber":
            renumber(rule_, a.args.number)
        elif a.args.do == "label":
            label(rule_, **(parts.get("labels") or {"rank": None}))
        elif a.args.do == "suspend":
            suspend(rule_, "quiet")
        else:
            wake(rule_)
        emit("rung")

    def decide_prevails(a, b):
        if a.labels.rank != b.labels.rank:
            return a if (a.labels.rank or "") > (b.labels.rank or "") else b
    """,
    labels={"rank": "5"},
    actions={
        "change": {
            "arguments": {
                "do": {"type": "text"},
                **{name: {"type": "any", "optional": True} for name in ("rule", "number", "parts")},
            }
        }
    },
)
HEARING = rule("11", 'def on_rung(e):\n    add("game", "rings", 1)\n', defines={"game": {"rings": {"type": "integer"}}})
LOADING = 'load("rule/11", "on_rung")\ndef decide_bell():\n    return on_rung\n'
NUMBERS = ["2", "11", "11.5", "12", "XI", "400"]
PARTS = st.fixed_dictionaries(
    {"title": st.sampled_from(["Tea", "Rain"])},
    optional={
        "text": st.just("There is tea."),
        "labels": st.dictionaries(st.sampled_from(["rank", "colour"]), st.sampled_from(["1", "7"]), max_size=2),
        "precedence": st.just({"over": ["11"]}),
        "script": st.sampled_from(
            ["def on_rung(e):\n    pass\n", "def decide_bell():\n    return take_back(1)\n", LOADING]
        ),
        "defines": st.sampled_from([{"game": {"drops": {"type": "integer"}}}, {"offices": {"scribe": {}}}]),
    },
)
TEXTS = st.fixed_dictionaries({"title": st.sampled_from(["Tea", "Rain"]), "text": st.sampled_from(["Tea.", "Rain."])})
CHANGE = st.fixed_dictionaries(
    {
        "do": st.sampled_from(["enact", "enact", "amend", "repeal", "renumber", "label", "suspend", "wake"]),
        "rule": st.sampled_from(NUMBERS),
        "number": st.sampled_from(NUMBERS),
        "parts": st.one_of(TEXTS, PARTS),
    }
)


def known(law: Lawbook) -> Record:
    """Return all that is asked of a law."""
    rules = law.in_force()
    found: dict[str, Any] = {
        "rules": [(uid, document, meta["revision"], meta["suspended"]) for uid, (document, meta) in rules.items()],
        "records": [law.record(uid) for uid in rules],
        "labels": law.labels(),
        "declared": [list(law.declared(block).items()) for block in BLOCKS],
        "switches": law.switches(),
        "heard by": [list(law.listeners(hook)) for hook in HOOKS],
        "order": list(law.order(list(rules))),
        "resolved": [law.resolve(number) for number in NUMBERS],
        "linked": [law.linked_rules(uid) for uid in rules],
        "takes back": law.takes_back(),
        "newest": law.newest(),
    }
    return found


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CHANGE, min_size=1, max_size=8))
def test_a_change_leaves_known_what_is_found_anew(changes: list[Record]) -> None:
    table = Table(CHANGING, HEARING, players=("ann",))
    law = table.kernel.play.law
    for change in changes:
        known(law)
        table.judge("change", "ann", change)
        left = known(law)
        law.forget()
        assert left == known(law)


GOING = rule(
    "20",
    "def do_go(a):\n    announce(ask('which'))\n\ndef do_note(a):\n    amend('22', **a.args.parts)",
    actions={"go": {}, "note": {"arguments": {"parts": {"type": "any"}}}},
)
ANSWERING = [rule(number, f"def decide_which():\n    return '{number}'\n") for number in ("2", "3")]


OTHERWISE = {
    "the text of a third rule": ("rule('22').text == 'up'", {"text": "down"}),
    "its title": ("rule('22').title < 'S'", {"title": "Z"}),
    "how many rules bear a label": (
        "len([r for r in rules() if getattr(r.labels, 'up', None)])",
        {"labels": {"down": "1"}},
    ),
    "what another rule answers": ("ask('up')", {"script": "def decide_up():\n    return False\n"}),
    "what a switch is when nobody chooses": (
        "setting('way') == 'up'",
        {"settings": {"way": {"question": "Which?", "default": "down", "alternatives": {"up": "U", "down": "D"}}}},
    ),
}


@pytest.mark.parametrize("what", OTHERWISE)
def test_what_ranks_rules_may_rest_on_any_word_of_the_law(found: Found, what: str) -> None:
    condition, parts = OTHERWISE[what]
    ranking = (
        f"def decide_prevails(a, b):\n    return a if (int(a.number) < int(b.number)) == bool({condition}) else b\n"
    )
    way = {"way": {"default": "up", "alternatives": {"up": "", "down": ""}}}
    answer = "def decide_up():\n    return True\n" if "script" in parts else ""
    read = rule("22", answer, text="up", labels={"up": "1"}, settings=way)
    table = found(GOING, rule("9", ranking), read, *ANSWERING)
    assert said(table.ok("ann", "go")) == ["2"]
    table.ok("ann", "note", parts=parts)
    assert said(table.ok("ann", "go")) == ["3"]
