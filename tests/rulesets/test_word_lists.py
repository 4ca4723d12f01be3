"""Word lists of rulesets: known by what they hold, wherever a process had them from."""

from __future__ import annotations

from folkmoot.core.word_lists import LISTS
from folkmoot.game.rulesets import fetch_list, founding, remember_list


def test_a_list_is_known_whatever_is_said_of_it_later() -> None:
    (name, spec), *_ = founding("b-nomic")["lists"].items()
    key = f"{LISTS}{name}/{spec['digest']}"
    whole = fetch_list(key)
    assert whole
    for gone in (None, {}, {"words": "zest\n"}):
        remember_list(spec["digest"], gone)
        assert fetch_list(key) == whole
    assert fetch_list(f"{LISTS}{name}/{'0' * 64}") is None
