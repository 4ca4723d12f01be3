"""What a function never names does not cross the border to it, and no script can tell."""

from __future__ import annotations

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler
from folkmoot.language.calls import unnamed_parameters
from folkmoot.language.tree import scan

UNNAMED = [
    ("def f(p, players):\n    return {}", {0, 1}),
    ("def f(p, players):\n    return p.id", {1}),
    ('def f(p):\n    return "p"  # p, as in p.ballots', {0}),
    ("def f(p):\n    return [1 for q in [2]]\n\ndef g(q):\n    return q", {0}),
    ("def f(p):\n    return g(3)\n\ndef g(p):\n    return p", {0}),
    ("def f():\n    return 1", set()),
    ("def f(p):\n    return dict(p = 3)", {0}),
    ("def f(p):\n    return (lambda p: p)(3)", set()),
]
NAMED = [
    "def f(p):\n    return p",
    'def f(p):\n    return f"{p}"',
    "def f(p):\n    g = lambda: p\n    return g()",
    "def f(p):\n    def g():\n        return p\n    return g()",
    "def f(p):\n    return [p for _ in [1]]",
    "def f(p):\n    return dict(a = p)",
    "def f(p):\n    p = 4\n    return p",
    "def f(*p):\n    return len(p)",
    "def f(*p):\n    return 1",
    "def f(p = 3):\n    return 1",
    "def f(p: int):\n    return 1",
    "def f(p):\n    return 1\n\ndef f(q):\n    return q",
    "def g(q):\n    return q\n\ndef f(p):\n    return 1\n\nf = g",
]


@pytest.mark.parametrize(("script", "places"), UNNAMED)
def test_what_is_never_named_is_found(script: str, places: set[int]) -> None:
    assert unnamed_parameters(script).get("f", frozenset()) == places


@pytest.mark.parametrize("script", NAMED)
def test_whatever_may_be_looked_at_is_handed_over(script: str) -> None:
    assert unnamed_parameters(script).get("f", frozenset()) == frozenset()


@pytest.mark.parametrize("script", [*(script for script, _places in UNNAMED), *NAMED])
def test_a_function_answers_as_if_it_were_given_all(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if scan(script).problems:
        return
    program = Compiler(lambda _asked, _text: None, HOST.prelude).compile(script, lambda: False)
    given = [7, ["ann", "bob"]][: len(scan(script).functions["f"].parameters)]
    if script == UNNAMED[1][0]:
        given[0] = {"$": 1, "id": "proposal/301"}
    answer = program.call("f", given, lambda: False)
    monkeypatch.setattr("folkmoot.language.binding.without", lambda _unnamed, arguments: arguments)
    assert program.call("f", given, lambda: False) == answer
