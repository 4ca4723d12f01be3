"""What is said in several places is the same: codes and their meanings, switches that scripts read, and what comments may say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.files.typed_words import read_typed_word
from folkmoot.game.rulesets import founding
from folkmoot.referee.commands import action_asked
from folkmoot.wording import sentences
from folkmoot.wording.sentences import CODES

ENGINE = Path(sentences.__file__).parents[1]
SOURCES = {
    path: path.read_text() for path in sorted(ENGINE.rglob("*.py")) if path.name not in ("sentences.py", "codes.py")
}


def test_every_code_in_the_engine_is_catalogued() -> None:
    used = {code for text in SOURCES.values() for code in re.findall(r'"([EW]-[A-Z][A-Z-]+[A-Z])"', text)}
    assert len(used) > 50
    assert used - set(CODES) == set()


PACKAGED = (
    "assembly b-nomic consensus council gavel lanterns orchard suber suber-mail imperial imperial-training".split()
)


@pytest.mark.parametrize("name", PACKAGED)
def test_every_switch_of_a_packaged_ruleset_is_read(name: str) -> None:
    """A switch that no script asks for changes nothing, whatever it promises; one answer alone is a reading, only shown."""
    rules = founding(name)["rules"]
    read = set(re.findall(r'setting\("([^"]+)"\)', "\n".join(rule.get("script") or "" for rule in rules)))
    switches = [each for rule in rules for each in (rule.get("settings") or {}).items()]
    declared = {about["name"]: switch for switch, about in switches if len(about["alternatives"]) > 1}
    assert [switch for said, switch in declared.items() if not {said, switch} & read] == []


ACTIONS: dict[str, Any] = {
    "crown": {"arguments": {"laurels": {"type": "map"}, "why": {"type": "text"}, "path": {"type": "list"}}}
}


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ('laurels={"ann":5}', {"laurels": {"ann": 5}}),
        ('laurels={"ann": 5, "bob c": [1, {"x": "}"}]} why="so it is"',
         {"laurels": {"ann": 5, "bob c": [1, {"x": "}"}]}, "why": "so it is"}),
        ('why="it says path=[1" path=["a2", "b 1"]', {"why": "it says path=[1", "path": ["a2", "b 1"]}),
        ("laurels='{\"ann\": 5}'", {"laurels": {"ann": 5}}),
        ("path=[a2, b1]", {"path": ["a2", "b1"]}),
        ("laurels={ann: 5}", {"laurels": {"ann": 5}}),
        ("path=a2,b1", {"path": ["a2", "b1"]}),
        ('why={"ann"}', {"why": '{"ann"}'}),
    ],
)  # fmt: skip
def test_a_map_or_list_in_a_comment_is_read_as_it_stands(said: str, args: dict[str, Any]) -> None:
    assert action_asked("crown", said, ACTIONS).args == args


@pytest.mark.parametrize("said", ["laurels={ann:5}", "laurels={ann:{bob:5}}", "laurels=ann", "path=[a2; b1]"])
def test_how_a_map_or_list_is_written_is_said(said: str) -> None:
    form = '{"ann": 5}' if said.startswith("laurels") else '["ann", 5]'
    assert f"write it as {form}" in action_asked("crown", said, ACTIONS).flaw


def test_an_open_bracket_is_said_to_be_open() -> None:
    assert "a quotation mark or a bracket is not closed" in action_asked("crown", 'laurels={"ann": 5', ACTIONS).flaw
    long = action_asked("crown", 'why="' + " laurels={" * 1000, ACTIONS)
    assert "not closed" in long.flaw


def test_a_shell_that_takes_the_quotation_marks_away_is_named() -> None:
    with pytest.raises(ProblemError) as raised:
        read_typed_word("{ann:5}", "map")
    assert raised.value.problems[0].hint == "in a shell, put it in single quotation marks, or they are lost"
