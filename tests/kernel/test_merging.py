"""Language L9 (W3): a change keeps the revision it was made on, and is merged with what the law has become."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import Any

import pytest

from folkmoot.core.merging import Conflict, merged_part, sentences
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import joined, render_rule
from folkmoot.kernel.trials import foresee
from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Found, Record, Table, effects, reasons, rule

TEXT = "Anybody may pass. A turn lasts a day. Who is late pays one coin.\n\nCoins are round. They are never lent.\n"
FIVE = rule("5", "def decide_a():\n    return 1\n\ndef decide_b():\n    return 2\n", text=TEXT,
            labels={"status": "mutable", "class": "x"})  # fmt: skip


def vote(table: Table, number: int) -> Any:
    return [table.ok(voter, "vote", proposal=number, choice="for") for voter in ("ann", "bob", "cid")][-1]


def played(found: Found, changes: list[Record], *rules: Record, order: tuple[int, ...] = ()) -> tuple[Table, list[Any]]:
    """Propose changes side by side, each by itself, then adopt them in an order; return what came of each."""
    table = found(VOTING, FIVE, *rules)
    numbers = [table.propose("ann", change) for change in changes]
    return table, [vote(table, numbers[n]) for n in order or range(len(changes))]


def law(table: Table, uid: str = "5") -> Record:
    return table.document(f"rules/{uid}")


def amend(before: str, after: str) -> Record:
    assert before in TEXT
    return {"amend": "5", "text": TEXT.replace(before, after)}


DISJOINT = [
    amend("a day", "two days"),
    amend("one coin", "two coins"),
    amend("Coins are round. ", ""),
    amend("lent.", "lent. They shine."),
    {"amend": "5", "script": "def decide_a():\n    return 3\n\ndef decide_b():\n    return 2\n"},
    {"amend": "5", "script": "def decide_a():\n    return 1\n\ndef decide_b():\n    return 4\n"},
    {"retitle": "5", "to": "Turns"},
    {"transmute": "5", "to": "immutable"},
    {"amend": "5", "labels": {"status": "mutable", "class": "y"}},
    {"amend": "5", "labels": {"status": "mutable", "class": "x", "tag": "new"}},
    {"amend": "5", "actions": {"pass": {"summary": "Pass."}}},
]


def test_l9_amendments_of_different_sentences_both_hold(found: Found) -> None:
    table, outcomes = played(found, DISJOINT)
    wanted = (
        "Anybody may pass. A turn lasts two days. Who is late pays two coins.\n\nThey are never lent. They shine.\n"
    )
    now = law(table)
    assert now["text"] == wanted
    assert now["script"] == "def decide_a():\n    return 3\n\ndef decide_b():\n    return 4\n"
    assert (now["title"], now["labels"]) == ("Turns", {"status": "immutable", "class": "y", "tag": "new"})
    assert now["actions"] == {"pass": {"summary": "Pass."}}
    assert not [effect for outcome in outcomes for effect in effects(outcome, "omit")]
    assert not reasons(outcomes[0], "MERGED")
    assert reasons(outcomes[1], "MERGED")[0]["args"] == {"of": "proposal/902", "uid": "5"}
    table.replay_all()


def test_l9_every_order_gives_the_same_law(found: Found) -> None:
    ends = set()
    for seed in range(3):
        order = list(range(len(DISJOINT)))
        random.Random(seed).shuffle(order)
        ends.add(json.dumps(law(played(found, DISJOINT, order=tuple(order))[0]), sort_keys=True))
    assert len(ends) == 1


def test_l9_property_disjoint_passages_merge_in_any_order() -> None:
    """Of any sentences of a text some are changed, struck or followed by others; nothing of it is lost."""
    for seed in range(150):
        draw = random.Random(seed)
        count = draw.randint(3, 12)
        base = [f"Sentence {n} is {draw.choice(['here', 'there', 'gone'])}." for n in range(count)]
        space = draw.choice([" ", "\n", "\n\n"])
        places = draw.sample(range(0, count, 2), k=min(3, (count + 1) // 2))
        edits = {place: draw.choice([[], [f"New {place}."], [f"New {place}.", f"More {place}."]]) for place in places}
        whole = space.join(base)
        changed = [
            space.join([word for n, old in enumerate(base) for word in (made if n == place else [old])])
            for place, made in edits.items()
        ]
        wanted = space.join([word for n, old in enumerate(base) for word in edits.get(n, [old])])
        for order in permutations(changed):
            now = whole
            for change in order:
                now = merged_part("text", whole, now, change)
            assert now.split() == wanted.split(), (seed, whole, order)


def test_l9_what_both_changed_is_a_conflict() -> None:
    for part, base, one, other in [
        ("text", "A. B.", "A. C.", "A. D."),
        ("text", "A.", "A. B.", "A. C."),
        ("script", "x = 1\n", "x = 2\n", "x = 3\n"),
        ("title", "A", "B", "C"),
        ("labels", {"a": "1"}, {"a": "2"}, {}),
        ("actions", {"a": {"who": "player"}}, {"a": {"who": "any"}}, {"a": {"who": "none"}}),
        ("examples", [{"x": 1}], [{"x": 1}, {"x": 2}], [{"x": 1}, {"x": 3}]),
    ]:
        with pytest.raises(Conflict):
            merged_part(part, base, one, other)
        assert merged_part(part, base, one, other, "law") == one
        assert merged_part(part, base, one, other, "change") == other
    assert merged_part("examples", [{"x": True}], [{"x": 1}], [{"x": True}]) == [{"x": 1}]
    assert "".join(p.space + p.words for p in sentences(TEXT)) == TEXT


def test_l9_a_long_line_of_hostile_sentences_costs_little() -> None:
    base = "a. " * 20_000 + "".join(f"{n % 97}. " for n in range(20_000))
    assert merged_part("text", base, base + "One.", "Two. " + base) == "Two. " + base + "One."


def test_l9_a_conflict_is_left_out_with_its_reason_and_the_rest_applies(found: Found) -> None:
    table = found(VOTING, FIVE)
    first = table.propose("ann", amend("a day", "a week"))
    second = table.propose("bob", amend("a day", "an hour"), {"enact": {"title": "New", "text": "It is new."}})
    vote(table, first)
    outcome = vote(table, second)
    assert "a week" in law(table)["text"]
    assert law(table, "902")["title"] == "New"
    left = effects(outcome, "omit")
    why = "rule 5 was changed meanwhile in the same passage of its text, so this change of it is left out"
    assert [(each["of"], each["kind"], each["number"], each["why"]) for each in left] == [
        ("proposal/902", "amend", "5", why)
    ]
    assert reasons(outcome, "E-STALE")[0]["args"] == {"why": why, "of": "proposal/902", "uid": "5"}
    assert table.proposal(second)["omitted"] == [{"change": 0, "code": "E-STALE", "why": why}]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ('"law"', "A turn lasts a week. Who is late pays two coins."),
        ('"change"', "A turn lasts an hour. Who is late pays two coins."),
        ('{"value": "Turns last " + x.before.split(" ")[6] + "."}', "Turns last a."),
        ("None", "A turn lasts a week. Who is late pays one coin."),
    ],
)
def test_l9_the_law_may_settle_a_conflict(found: Found, answer: str, text: str) -> None:
    settling = rule("6", f"def decide_conflict(p, c, x):\n    return {answer} if x.part == 'text' else None\n")
    both = {"amend": "5", "text": TEXT.replace("a day", "an hour").replace("one coin", "two coins")}
    table, outcomes = played(found, [amend("a day", "a week"), both], settling)
    assert text in law(table)["text"]
    assert [reason["rule"] for reason in reasons(outcomes[1], "SETTLED")] == (["6"] if answer != "None" else [])


@pytest.mark.parametrize(
    "answer", ['"both"', "1", "True", "[]", "{}", '{"value": 3}', '{"value": "x", "more": 1}', 'fail("no")']
)
def test_l9_an_answer_of_another_shape_is_that_rules_failure(found: Found, answer: str) -> None:
    nonsense = rule("6", f"def decide_conflict(p, c, x):\n    return {answer}\n")
    table, outcomes = played(found, [amend("a day", "a week"), amend("a day", "an hour")], nonsense)
    assert "a week" in law(table)["text"]
    assert [each["rule"] for each in outcomes[1].failures] == ["6"]
    assert reasons(outcomes[1], "E-STALE")


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({"retitle": "5", "to": "A"}, {"retitle": "5", "to": "B"}, "E-STALE"),
        ({"transmute": "5", "to": "a"}, {"transmute": "5", "to": "b"}, "E-STALE"),
        ({"transmute": "5", "to": "a"}, {"transmute": "5", "to": "a"}, "E-DUP"),
        ({"repeal": "5"}, amend("a day", "a week"), "E-NO-SUCH"),
        ({"repeal": "5"}, {"repeal": "5"}, "E-NO-SUCH"),
        ({"repeal": "5"}, {"transmute": "5", "to": "a"}, "E-NO-SUCH"),
        (amend("a day", "a week"), amend("a day", "a week"), "E-DUP"),
        ({"amend": "5", "labels": {"status": "mutable"}}, {"amend": "5", "labels": {"status": "mutable", "class": "z"}},
         "E-STALE"),
    ],
)  # fmt: skip
def test_l9_every_kind_of_change_tells_why_it_is_left_out(
    found: Found, first: Record, second: Record, code: str
) -> None:
    table, outcomes = played(found, [first, second])
    assert [each["code"] for each in table.proposal(902)["omitted"]] == [code]
    assert len(effects(outcomes[1], "omit")) == 1


def test_l9_a_repeal_takes_the_rule_as_it_is_and_numbers_are_free(found: Found) -> None:
    table, outcomes = played(found, [amend("a day", "a week"), {"repeal": "5"}])
    assert "5" not in table.in_force()
    assert effects(outcomes[1], "repeal")
    same = rule("6", "def decide_rule_number(p, c):\n    return 77\n")
    table, outcomes = played(found, [{"enact": {"title": "A"}}, {"enact": {"title": "B"}}], same)
    assert table.in_force()[-2:] == ["902", "77"] or {"77", "902"} <= set(table.in_force())


def test_l9_what_scripts_changed_meanwhile_is_merged_too(found: Found) -> None:
    busy = rule("6", """
        def on_rule_amended(e):
            if e.proposal != None and e.rule.number == "5":
                amend("5", text = e.rule.text.replace("never", "always"))
                renumber("5", "55")
                label("55", tag = "seen")
        """)  # fmt: skip
    table, outcomes = played(found, [amend("a day", "a week"), amend("one coin", "two coins")], busy)
    now = law(table)
    assert all(words in now["text"] for words in ("a week", "two coins", "always"))
    assert (now["rule"], now["labels"]["tag"]) == ("55", "seen")
    assert reasons(outcomes[1], "MERGED")


def test_l9_the_changes_of_one_proposal_follow_one_another(found: Found) -> None:
    table = found(VOTING, FIVE)
    later = {"amend": "5", "text": TEXT.replace("a day", "a week").replace("one coin", "nine coins")}
    own = table.propose("ann", amend("a day", "a week"), later, {"transmute": "5", "to": "x"})
    vote(table, table.propose("bob", amend("lent", "sold")))
    vote(table, own)
    assert all(words in law(table)["text"] for words in ("a week", "nine coins", "sold"))
    assert law(table)["labels"]["status"] == "x"
    assert "omitted" not in table.proposal(own)


def test_l9_a_change_may_say_on_which_revision_it_was_made(found: Found) -> None:
    table = found(VOTING, FIVE)
    vote(table, table.propose("ann", amend("a day", "a week")))
    vote(table, table.propose("ann", {**amend("one coin", "two coins"), "revision": 1}))
    assert all(words in law(table)["text"] for words in ("a week", "two coins"))
    for wrong in (0, 4, -1, True, "1", [1]):
        change = {"amend": "5", "title": "x", "revision": wrong}
        assert table.refused("ann", "propose", title="x", changes=[change]) == "E-ARGS"


def test_l9_a_script_that_hands_a_change_on_keeps_its_revision(found: Found) -> None:
    again = rule(
        "6",
        "def do_again(a):\n    p = proposal(a.args.n)\n    open_voting(submit('again', p.changes))\n",
        actions={"again": {"arguments": {"n": {"type": "integer"}}}},
    )
    table = found(VOTING, FIVE, again)
    old = table.propose("ann", amend("one coin", "two coins"))
    vote(table, table.propose("ann", amend("a day", "a week")))
    table.ok("ann", "again", n=old)
    vote(table, 903)
    assert all(words in law(table)["text"] for words in ("a week", "two coins"))


def test_l9_may_change_is_asked_of_what_becomes_law(found: Found) -> None:
    guard = rule("6", "def decide_may_change(p, c):\n    if p.state == 'adopted' and 'a week' in (c.text or ''):\n"
                      "        return refuse('E-TARGET', 'no weeks')\n")  # fmt: skip
    table = found(VOTING, FIVE, guard)
    own = table.propose("ann", amend("one coin", "two coins"))
    script = rule("7", "def do_go(a):\n    amend('5', text = rule('5').text.replace('a day', 'a week'))\n",
                  actions={"go": {}})  # fmt: skip
    table.adopt({"enact": {name: script[name] for name in ("title", "script", "actions")}})
    table.ok("ann", "go")
    assert [each["why"] for each in effects(vote(table, own), "omit")] == ["no weeks"]


def test_l9_try_adopts_as_adoption_does() -> None:
    guards = rule("6", "def decide_rule_number(p, c):\n    return 77\n\ndef decide_may_change(p, c):\n"
                       "    if c.kind == 'repeal':\n        return refuse('E-TARGET', 'it stays')\n")  # fmt: skip
    table = Table(VOTING, FIVE, guards)
    vote(table, table.propose("ann", amend("a day", "a week")))
    tried = [{**amend("one coin", "two coins"), "revision": 1}, {"enact": {"title": "N"}}, {"repeal": "5"}]
    trial = try_changes(table.kernel, tried, [], 10, table.now)
    told = [(effect["effect"], effect.get("number")) for effect in trial.effects]
    assert told == [("amend", "5"), ("enact", "77"), ("omit", "5")]
    assert all(words in trial.documents["rules/5"]["text"] for words in ("a week", "two coins"))


def test_table_9_a_circle_of_precedence_is_told_before_it_is_law(found: Found) -> None:
    prevails = rule("1", """
        def decide_prevails(a, b):
            if b.number in a.over:
                return a
            if a.number in b.over:
                return b
        """)  # fmt: skip
    rules = [
        rule(n, "def decide_x():\n    return 1\n", precedence={"over": [over]}) for n, over in (("2", "3"), ("3", "4"))
    ]
    closing = {"enact": {"title": "4", "script": "def decide_x():\n    return 2\n", "precedence": {"over": ["2"]}}}

    def later(table: Any, change: dict[str, Any]) -> list[str]:
        return list(table.kernel.look(lambda play: foresee(play, [change], 2.0), table.now).later)

    table = found(VOTING, prevails, *rules, rule("7", "def decide_rule_number(p, c):\n    return 4\n"))
    assert later(table, closing) == [
        "rules 2, 3 and 4 take precedence over one another in a circle, so the lower number goes first (PARADOX)"
    ]
    unnumbered = found(VOTING, prevails, *rules, rule("4", "def decide_x():\n    return 2\n"))
    renumbering = rule("7", "def on_rule_amended(e):\n    renumber(e.rule, e.proposal.number)\n")
    table = found(VOTING, prevails, *rules, rule("4", "def decide_x():\n    return 2\n"), renumbering)
    closing = {"amend": "4", "precedence": {"over": ["2"]}}
    assert [told.partition(" take ")[0] for told in later(table, closing)] == ["rules 2, 3 and 4 as amended"]
    assert later(unnumbered, {"amend": "4", "text": "Four."}) == []


FILE = """\
# how turns go
rule: "5"
uid: "5"
title: Rule 5
labels: {status: mutable, class: x}
text: |
  One. Two.
# what it does
script: |
  def decide_a():
      return 1  # one
"""


def test_l9_comments_of_both_files_live() -> None:
    law_file = FILE.replace("One.", "Eins.").replace("class: x", "class: y  # was x", 1).replace("{status", "{status")
    law_file = law_file.replace(
        "labels: {status: mutable, class: y  # was x}", "labels:\n  status: mutable\n  class: y  # was x"
    )
    present = {**load_yaml(law_file, "law"), "source": law_file}
    change = FILE.replace("Two.", "Zwei.").replace("# what it does", "# what it does\n# and why")
    wanted = {**load_yaml(law_file, "law"), "text": "Eins. Zwei.\n"}
    source = joined(change, present, wanted)
    assert load_yaml(source, "joined") == wanted
    assert render_rule({**wanted, "source": source}) == source
    for comment in ("# how turns go", "# was x", "# what it does\n# and why\nscript", "# one"):
        assert comment in source
    assert joined(change, {**load_yaml(FILE, "x")}, wanted).startswith("# how turns go\nrule")
