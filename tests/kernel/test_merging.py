"""A change keeps the revision it was made on, and is merged with what the law has become, where that could have been proposed."""

from __future__ import annotations

import random
from itertools import permutations
from random import Random
from typing import Any

import pytest

from folkmoot.core.merging import Conflict, merged_part, sentences
from folkmoot.core.values import LONGEST_STRING
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import joined, render_rule
from tests.support.table import VOTING, Found, Record, Table, effects, failed, reasons, rule
from tests.support.timing import Spent

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


@pytest.mark.parametrize("answer", ['"both"', "1", "[]", '{"value": 3}', '{"value": "x", "more": 1}', 'fail("no")'])
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


def test_l9_a_change_may_say_on_which_revision_it_was_made(found: Found) -> None:
    table = found(VOTING, FIVE)
    vote(table, table.propose("ann", amend("a day", "a week")))
    vote(table, table.propose("ann", {**amend("one coin", "two coins"), "revision": 1}))
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


@pytest.mark.parametrize("seed", range(2))
def test_l9_amendments_of_different_passages_and_parts_all_hold_in_any_order(found: Found, seed: int) -> None:
    order = list(range(len(DISJOINT)))
    random.Random(seed).shuffle(order)
    table, outcomes = played(found, DISJOINT, order=tuple(order))
    now = law(table)
    assert (
        now["text"]
        == "Anybody may pass. A turn lasts two days. Who is late pays two coins.\n\nThey are never lent. They shine.\n"
    )
    assert now["script"] == "def decide_a():\n    return 3\n\ndef decide_b():\n    return 4\n"
    assert (now["title"], now["labels"]) == ("Turns", {"status": "immutable", "class": "y", "tag": "new"})
    assert now["actions"] == {"pass": {"summary": "Pass."}}
    assert not [effect for outcome in outcomes for effect in effects(outcome, "omit")]
    assert not reasons(outcomes[0], "MERGED")
    assert any(reasons(outcome, "MERGED") for outcome in outcomes)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sampled(3)
def test_l9_property_disjoint_passages_merge_in_any_order(seed: int) -> None:
    """Of any sentences of a text some are changed, struck or followed by others; nothing of it is lost."""
    draw = random.Random(seed)
    base = [f"Sentence {n} is {draw.choice(['here', 'there', 'gone'])}." for n in range(draw.randint(3, 12))]
    space = draw.choice([" ", "\n", "\n\n"])
    places = draw.sample(range(0, len(base), 2), k=min(3, (len(base) + 1) // 2))
    edits = {place: draw.choice([[], [f"New {place}."], [f"New {place}.", f"More {place}."]]) for place in places}

    def edited(*chosen: int) -> str:
        return space.join([word for n, old in enumerate(base) for word in (edits[n] if n in chosen else [old])])

    for order in permutations(places):
        now = edited()
        for place in order:
            now = merged_part("text", edited(), now, edited(place))
        assert now.split() == edited(*places).split(), (seed, order)


def test_l9_one_proposals_changes_follow_one_another_and_a_script_hands_their_revision_on(found: Found) -> None:
    again = "def do_again(a):\n    open_voting(submit('again', proposal(901).changes))\n"
    table = found(VOTING, FIVE, rule("6", again, actions={"again": {}}))
    later = {"amend": "5", "text": TEXT.replace("a day", "a week").replace("one coin", "nine coins")}
    own = table.propose("ann", amend("a day", "a week"), later, {"transmute": "5", "to": "x"})
    vote(table, table.propose("bob", amend("lent", "sold")))
    table.ok("ann", "again")
    vote(table, 903)
    assert all(words in law(table)["text"] for words in ("a week", "nine coins", "sold"))
    assert law(table)["labels"]["status"] == "x"
    assert "omitted" not in table.proposal(903)
    assert table.proposal(own)["state"] == "open"


COMMENTED = """\
# how turns go
rule: "5"
uid: "5"
title: Rule 5
labels:
  status: mutable
  class: x  # was w
text: |
  One. Two.
# what it does
script: |
  def decide_a():
      return 1  # one
"""


def test_l9_comments_of_both_files_live() -> None:
    law_file = COMMENTED.replace("One.", "Eins.").replace("class: x  # was w", "class: y  # was x")
    present = {**load_yaml(law_file, "law"), "source": law_file}
    change = COMMENTED.replace("Two.", "Zwei.").replace("# what it does", "# what it does\n# and why")
    wanted = {**load_yaml(law_file, "law"), "text": "Eins. Zwei.\n"}
    source = joined(change, present, wanted)
    assert load_yaml(source, "joined") == wanted
    assert render_rule({**wanted, "source": source}) == source
    for comment in ("# how turns go", "# was x", "# what it does\n# and why\nscript", "# one"):
        assert comment in source
    assert joined(change, {**load_yaml(COMMENTED, "x")}, wanted).startswith("# how turns go\nrule")


# -- what could not have been proposed


LOOP = "def do_x(a):\n    if True:\n        y = 1\n    z = 2\n"
ADDED = LOOP.replace("y = 1\n", "y = 1\n        w = 3\n")
UNLOOPED = LOOP.replace("    if True:\n        y = 1\n", "")


def merged(*changes: Record, law: Record, settling: str = "") -> tuple[Table, list[Record]]:
    """Adopt changes that were made at one time, and return the table and the reasons of the last one's adoption."""
    table = Table(VOTING, law, rule("30", settling))
    numbers = [table.propose("ann", change) for change in changes]
    for number in numbers:
        outcome = [table.ok(voter, "vote", proposal=number, choice="for") for voter in ("ann", "bob", "cid")][-1]
    table.replay_all()
    return table, [*reasons(outcome, "E-STALE"), {"failed": failed(outcome)}]


def test_a_script_that_would_not_load_is_left_out_with_its_reason() -> None:
    table, told = merged({"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}, law=rule("20", LOOP))
    assert table.document("rules/20")["script"] == ADDED
    assert told[0]["args"]["why"] == (
        "rule 20 was changed meanwhile in its script so that both together cannot stand "
        "(the script would not load: Parse error: incorrect indentation), so this change of it is left out"
    )
    assert told[-1] == {"failed": []}


def test_a_text_that_no_file_could_keep_is_left_out() -> None:
    half = LONGEST_STRING * 5 // 9
    first, second = (f"{letter * 400}. " * (half // 402) for letter in "ab")
    texts = f"One. {first}Two. Three.", f"One. Two. {second}Three."
    table, told = merged(*({"amend": "20", "text": text} for text in texts), law=rule("20", text="One. Two. Three."))
    assert len("".join(texts)) > LONGEST_STRING
    assert table.document("rules/20")["text"] == texts[0]
    assert "both together cannot stand (a rule cannot hold a text of" in told[0]["args"]["why"]


@pytest.mark.parametrize(
    ("answer", "script", "fails"),
    [
        ("{'value': change.script}", UNLOOPED, False),
        ("'change'", UNLOOPED, False),
        ("'law'", ADDED, False),
        ("{'value': 'def x(:'}", ADDED, True),
        ("{'value': None}", ADDED, True),
    ],
)
def test_the_law_may_settle_what_would_not_load_by_what_would(answer: str, script: str, *, fails: bool) -> None:
    settling = f"def decide_conflict(p, change, c):\n    return {answer}\n"
    changes = {"amend": "20", "script": ADDED}, {"amend": "20", "script": UNLOOPED}
    table, told = merged(*changes, law=rule("20", LOOP), settling=settling)
    assert table.document("rules/20")["script"] == script
    assert told[-1] == {"failed": [("30", "decide_conflict")] if fails else []}


def test_putting_hostile_texts_together_takes_no_longer_than_an_event_may() -> None:
    """Else the process that judges it would be ended, and a rule that has done nothing be put to sleep for it."""
    random = Random(2)
    base, one, other = ("".join(random.choice(("a. ", "b. ")) for _ in range(70_000)) for _ in range(3))
    with Spent() as spent:
        table, told = merged({"amend": "20", "text": one}, {"amend": "20", "text": other}, law=rule("20", text=base))
    assert spent.units < 70
    assert table.document("rules/20")["text"] == one
    assert "(they are too long to be put together)" in told[0]["args"]["why"]
    settling = "def decide_conflict(p, change, c):\n    return 'change'\n"
    table, _ = merged(
        {"amend": "20", "text": one}, {"amend": "20", "text": other}, law=rule("20", text=base), settling=settling
    )
    assert table.document("rules/20")["text"] == other
