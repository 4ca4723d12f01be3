"""Rule files reach a fixpoint, give their rule back, and keep what people wrote beside it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.proposed_changes import change_digest
from folkmoot.files.reader import read_rule, rule_of
from folkmoot.files.rewrite import render_rule
from tests.conftest import examples

SOURCE = """\
# The law on defeats.
rule: "206"
uid: "206"

title: The price of a defeat   # it was more once
labels: {status: mutable}   # never transmuted so far
# What the players voted on:
text: |
  A defeat costs ten points,
  taken from the author of what was defeated.
defines:
  game:
    # how many there were
    defeats: {type: integer, initial: 0}
actions:
  appeal:
    summary: >-
      Ask for the points
      back
    arguments: {why: {type: text}}
script: |
  # nothing to see here
  def on_proposal_defeated(e):
      award(e.proposal.author, "score", -10)
# the end
"""


def with_source(**changes: Any) -> dict[str, Any]:
    """Return the rule's document with a person's text and some parts changed."""
    return {**load_yaml(SOURCE, "f"), "source": SOURCE, **changes}


def test_an_unchanged_text_stays_as_it_is() -> None:
    assert render_rule(with_source()) == SOURCE


def test_only_what_the_engine_changes_changes() -> None:
    assert render_rule(with_source(rule="305")) == SOURCE.replace('rule: "206"', 'rule: "305"')
    assert render_rule(with_source(title="No: penalty")) == SOURCE.replace(
        "The price of a defeat ", '"No: penalty"         '
    )
    transmuted = render_rule(with_source(labels={"status": "immutable"}))
    assert transmuted == SOURCE.replace("{status: mutable}  ", "{status: immutable}")


def test_parts_come_and_go_at_their_places() -> None:
    document = with_source(precedence={"over": ["110"]}, defines={}, text="One line.\n")
    text = render_rule(document)
    assert [line.split(":")[0] for line in text.split("\n") if line[:1].isalpha()] == [
        "rule", "uid", "title", "labels", "text", "actions", "precedence", "script",
    ]  # fmt: skip
    assert "# it was more once" in text
    assert "# the end" in text
    assert render_rule({**load_yaml(text, "f"), "source": text}) == text
    assert load_yaml(text, "f")["text"] == "One line.\n"


def test_a_source_that_cannot_be_read_gives_way() -> None:
    document = with_source()
    assert render_rule({**document, "source": "not: [yaml"}) == render_rule({**document, "source": ""})
    assert render_rule({**document, "source": "- a list\n"}) == render_rule({**document, "source": ""})


def test_the_canonical_form() -> None:
    document = read_rule(SOURCE, "f")
    assert render_rule(document) == (
        'rule: "206"\nuid: "206"\ntitle: The price of a defeat\nlabels: {status: mutable}\n'
        "text: |\n  A defeat costs ten points,\n  taken from the author of what was defeated.\n"
        "defines:\n  game:\n    defeats: {type: integer, initial: 0}\n"
        "actions:\n  appeal:\n    summary: Ask for the points back\n    arguments:\n      why: {type: text}\n"
        "script: |\n  # nothing to see here\n  def on_proposal_defeated(e):\n"
        '      award(e.proposal.author, "score", -10)\n'
    )


HIDDEN = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"
letters = st.characters(
    codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"], exclude_characters=HIDDEN
)
visible = st.text(letters, max_size=12)
names = st.from_regex(r"[a-z][a-z_-]{0,6}", fullmatch=True)
numbers = st.from_regex(r"[0-9]{1,3}(-[0-9])?", fullmatch=True)
prose = st.lists(visible | st.sampled_from(["", "  ", "- x", "# y", "\tz", "a: b"]), max_size=5).map("\n".join)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | visible,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(visible, inner, max_size=3),
    max_leaves=6,
)
PACKAGED = sorted(Path(str(files("folkmoot.game.rulesets"))).glob("*/rules/*.yaml"))
odd_parts = st.fixed_dictionaries(
    {"title": visible.filter(str.strip)},
    optional={
        "rule": numbers,
        "uid": numbers,
        "labels": st.dictionaries(names, visible, min_size=1, max_size=3),
        "text": prose.filter(bool),
        "script": prose.filter(str.strip).map("{}\n".format),
        "defines": st.dictionaries(names, st.dictionaries(visible, plain), min_size=1).map(
            lambda each: {"boards": each}
        ),
    },
)
documents = st.builds(
    lambda path, odd: read_rule(path.read_text("utf-8"), path.name) | odd, st.sampled_from(PACKAGED), odd_parts
)
"""Packaged rules of which some parts are others."""


@given(documents)
@settings(max_examples=examples(120))
def test_a_rendered_rule_is_read_back_and_rendered_as_itself(document: dict[str, Any]) -> None:
    text = render_rule(document)
    rule = read_rule(text, "f")
    assert load_yaml(text, "f") == document
    assert render_rule(load_yaml(text, "f")) == text
    assert read_rule(render_rule(rule), "f") == rule
    assert rule_of(document) == rule


@given(documents, documents)
@settings(max_examples=examples(60))
def test_a_persons_text_is_brought_up_to_date_and_stays_so(before: dict[str, Any], after: dict[str, Any]) -> None:
    written = render_rule(before).split("\n")
    at = next(n for n, line in enumerate(written) if line.startswith("title:"))
    source = "\n".join(["# mine", *written[:at], "# about the title", *written[at:]])
    text = render_rule({**after, "source": source})
    assert load_yaml(text, "f") == after
    assert render_rule({**load_yaml(text, "f"), "source": text}) == text


# -- digests of changes


def test_a_digest_knows_every_difference_and_only_differences() -> None:
    change = {"amend": "206", "text": "a\n", "source": SOURCE, "parts": {"labels": {"a": "b", "c": None}}}
    other_order = dict(reversed(change.items()))
    assert change_digest([change]) == change_digest([other_order])
    assert change_digest([change]) == change_digest([{**change, "source": SOURCE.replace("\n", "\r\n")}])
    different = [
        {**change, "source": SOURCE.replace("# the end", "# The end")},
        {**change, "text": "a"},
        {**change, "amend": 206},
        {**change, "parts": {"labels": {"a": "b"}}},
    ]
    digests = {change_digest([change]), change_digest([]), change_digest([change, change])}
    assert len(digests | {change_digest([one]) for one in different}) == 7
