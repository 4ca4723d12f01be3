"""What the kernel writes of an effect is declared, whatever its kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import folkmoot
from folkmoot.core.keys import acts_key
from folkmoot.core.records import Effect
from folkmoot.core.values import size
from folkmoot.kernel.acts import DEEPER
from tests.support.table import Table, rule

KERNEL = Path(folkmoot.__file__).parent / "kernel"


def fields_written() -> Iterator[tuple[str, str]]:
    """Yield each field that a call of `play.effect` gives by name, and where."""
    for path in sorted(KERNEL.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "effect":
                for keyword in node.keywords:
                    if keyword.arg is not None:
                        yield keyword.arg, f"{path.name}:{node.lineno}"


def test_every_field_of_an_effect_is_declared() -> None:
    written = list(fields_written())
    assert len(written) > 80
    declared = Effect.__annotations__.keys() | Effect.__required_keys__ | Effect.__optional_keys__
    assert [(field, place) for field, place in written if field not in declared] == []


TAKING_BACK = """
def do_say(a):
    for text in a.args.texts:
        put("game", "said", text)
        append("game", "all", text)

def do_undo(a):
    take_back(a.args.act)
"""


@given(st.lists(st.text(max_size=40) | st.sampled_from(["a\\nb\\n\\nc", "é\\t" * 9, "x" * 300]), max_size=12))
def test_the_file_of_an_act_is_no_larger_than_was_counted(texts: list[str]) -> None:
    said = {"said": {"type": "text"}, "all": {"type": "list"}}
    actions = {"say": {"arguments": {"texts": {"type": "list"}}}, "undo": {"arguments": {"act": {"type": "any"}}}}
    table = Table(rule("1", TAKING_BACK, defines={"game": said}, actions=actions), players=("ann",))
    play = table.kernel.play
    table.judge("say", "ann", {"texts": texts})
    kept = play.documents.find(acts_key(len(table.entries)))
    assert (kept is None) == (not play.effects)
    assert size(kept, 4) <= DEEPER * size(play.effects) + 100
