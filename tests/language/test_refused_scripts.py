"""The tree of a script: what is refused on it, where, and that nothing makes it or the interpreter die or slow."""

from __future__ import annotations

import json
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import Position, Problem
from folkmoot.kernel.host import HOST
from folkmoot.language import tree as scanning
from folkmoot.language.binding import ScriptError, diagnose, refuse
from folkmoot.language.tree import Function, Load, hook_names, scan
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.pen import coloured
from tests.conftest import FUZZ, examples
from tests.language.conftest import run
from tests.support.timing import Spent

REFUSED = [
    ("x = 1 / 2", 1, 7, "word"), ("def f(x):\n    x /= 2", 2, 7, "word"), ("x = 1.5", 1, 5, "float"), ("x = .5", 1, 5, "float"),
    ("x = 1.", 1, 5, "float"), ("x = 1e9", 1, 5, "float"), ("x = 2E-3", 1, 5, "float"), ("x = float(3)", 1, 5, "word"),
    ('x = "%f" % 3', 1, 10, "float"), ('x = ("%5.2f apples") % 3', 1, 22, "float"), ('x = "%(a)e" % {"a": 1}', 1, 13, "float"),
    ("x = 1 << 31", 1, 7, "word"), ("x = 1 >> 3", 1, 7, "word"), ("def f(x):\n  x <<= 1\n  x >>= 1", 2, 5, "word"),
    ("while True:\n    pass", 1, 1, "word"), ("import os", 1, 1, "word"), ("class A:\n    pass", 1, 1, "word"),
    ("x = 3 is None", 1, 7, "word"), ("def f():\n    global x", 2, 5, "word"), ("x = 2 ** 3", 1, 7, "word"),
    ('host__("put")', 1, 1, "name"), ('load("prelude", "host__")', 1, 1, "load"), ('load("prelude", h = "border__")', 1, 1, "load"),
    ("x = 1\r2", 1, 6, "character"), ("# \u202e\nx = 1", 1, 3, "character"), ("x = 1\n  \\\ny = 2", 2, 3, "character"),
    ("x = 1" + 2000 * "0", 1, 5, "size"), ("x = (1 +  # a/b\n  2  # c/d\n  / 3)", 3, 3, "word"), ("x = 'é' + 2 / 3", 1, 13, "word"),
    ('x = f"{y__}"', 1, 5, "name"), ('x = "é" + f"{y__}"', 1, 11, "name"), ("def f__():\n    pass", 1, 5, "name"),
    ("x = f(y__ = 1)", 1, 7, "name"), ("x = " + "+".join(["1"] * 300), 1, 5, "depth"),
    ("x = " + 300 * "[" + 300 * "]", 1, 205, "depth"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "line", "column", "check"), REFUSED)
def test_refuses(script: str, line: int, column: int, check: str) -> None:
    first = scan(script).problems[0]
    assert (first.code, first.position, first.arguments["check"]) == ("E-SCRIPT", Position("", line, column), check)


FINE = [
    "x = 7 // 2", 'x = "1/2 of 3.5, << >> while float"', "# 1/2 while\nx = 1", 'x = """a\n1.5 / 2\n"""\n', 'x = "50%f" + "%d" % 3',
    'x = "100%% fair" % ()', "def f(*a, **k):\n    return g(*a, **k)", "x = [1, 2][0:1]", "x = a.b.c", r'x = "\"1.5"',
    r"x = r'\' + 1.5 + '", r"x = r'\\' + '1.5'", "x = 0x1e5", "x = [" + "1," * 5000 + "]",
]  # fmt: skip


@pytest.mark.parametrize("script", FINE)
def test_allows(script: str) -> None:
    assert scan(script).problems == ()


def test_reports_everything_in_order_of_place() -> None:
    found = scan("x = 1.5\nwhile x / 2:\n    y = 1 << 2\n").problems
    assert [(p.position.line, p.position.column) for p in found if p.position] == [(1, 5), (2, 1), (2, 9), (3, 11)]
    assert all(hint for word, (_, hint) in scanning.REFUSED.items() if word not in ("with", "async", "await"))


def test_lists_functions_and_loads() -> None:
    found = scan(
        'load("grid", "square", flooded = "flood")\n\ndef on_x(e):\n  def inner(a):\n    pass\n'
        "def f(a, b = [1, 2], *rest, c, **options):\n  pass\ndef f(a):\n  pass\n"
    )
    assert found.loads == (Load("grid", {"square": "square", "flooded": "flood"}, 1, 1),)
    assert found.functions == {"on_x": Function(3, 5, ("e",), 1), "f": Function(8, 5, ("a",), 1)}
    assert found.repeated == (("f", Function(6, 5, ("a", "b", "*rest", "c", "**options"), 2)),)


@pytest.mark.parametrize("head", ["def \\\n on_x(e):", "def on_x\\\n(e):", "def\\\n on_x(e):", "def\t \\\n  on_x(e):"])
def test_no_backslash_hides_a_hook(head: str) -> None:
    (problem,) = scan(f"default = \\\n    3\n{head}\n    pass\n").problems
    assert (problem.message, str(problem.position)[:3]) == ("a backslash cannot end this line", ":3:")


def test_hook_names_are_at_least_those_of_the_scan() -> None:
    """Also of what cannot be parsed: there nothing is read but the lines that begin hooks."""
    script = 'def on_x(e):\n  pass\n"""\ndef on_quoted(e):\n"""\ndef  forbid (a):\n  pass\ndef own():\n  pass\n'
    assert hook_names(script) == ("on_x", "on_quoted", "forbid")
    assert set(scan(script).functions) == {"on_x", "forbid", "own"}
    broken = "def on_x(e):\n    return (\ndef forbid_y(a):\n    pass\n"
    assert (scan(broken).functions, hook_names(broken)) == ({}, ("on_x", "forbid_y"))
    for line in ("def show_../x():", "def on_():", "def on_x y(e):", "def show_<b>():", "def on_é(e):", "def own():"):
        assert hook_names(f"{line}\n    pass\n") == ()


def test_limits() -> None:
    assert scan("#" * scanning.MAX_BYTES).problems == ()
    assert scan("#" * (scanning.MAX_BYTES + 1)).problems[0].arguments == {"check": "size"}
    assert scan("x\n" * 9_000).problems == ()
    assert scan("x\n" * 11_000).problems[0].arguments == {"check": "size"}


@settings(max_examples=examples(300))
@given(st.text(alphabet=st.sampled_from("ab1.0 /<>*%\"'\\\n#()[]{}:,=\t\r-+elif\u202eé"), max_size=80))
def test_never_raises_and_positions_lie_in_the_text(script: str) -> None:
    lines = script.split("\n")
    for problem in scan(script).problems:
        assert problem.position
        assert 1 <= problem.position.line <= len(lines)
        assert 1 <= problem.position.column <= len(lines[problem.position.line - 1]) + 1


WORDS = ("1", "2", "1.5", ".5", "1e3", "/", "//", "<<", "+", "-", "*", "%", "(", ")", "[", "]", ",", "'a'", '"%f"')
QUOTES = ("'", '"', "\\", "r", "f", "'''", '"""', "#", "\n", "\\\n", " ", "not ", "if ", "else ", "x", "{", "}")
PIECES = st.sampled_from(WORDS + QUOTES)


@settings(max_examples=examples(600))
@given(st.lists(PIECES, max_size=14))
def test_what_passes_never_makes_a_float(pieces: list[str]) -> None:
    script = f"def main():\n    x = 3\n    return [type(v) for v in [{''.join(pieces)}]]\n"
    if scan(script).problems:
        return
    try:
        assert "float" not in run(script)
    except ScriptError:
        return


DEEP: dict[str, Callable[[int], str]] = {
    "sum": lambda n: "x = " + "+".join(["1"] * n),
    "parentheses": lambda n: "x = " + "(" * n + "1" + ")" * n,
    "lists": lambda n: "x = " + "[" * n + "]" * n,
    "maps": lambda n: "x = " + "{1:" * n + "1" + "}" * n,
    "not": lambda n: "x = " + "not " * n + "1",
    "minus": lambda n: "x = " + "-" * n + "1",
    "lambda": lambda n: "x = " + "lambda: " * n + "1",
    "lambda with parameters": lambda n: "x = " + "lambda a, b: " * n + "1",
    "lambda as default": lambda n: "x = " + "lambda a, b = " * n + "1" + ": 1" * n,
    "conditional": lambda n: "x = " + "1 if 0 else " * n + "1",
    "conditional without blanks": lambda n: "x = " + "1if 1else " * n + "1",
    "or without blanks": lambda n: "x = " + "0b1or " * n + "1",
    "calls": lambda n: "def f():\n  pass\nx = f" + "()" * n,
    "fields": lambda n: "def f(y):\n  y" + ".a" * n,
    "places": lambda n: "def f(y):\n  y" + "[0]" * n,
    "elif": lambda n: "def f(x):\n  if x: pass\n" + "  elif x: pass\n" * n,
    "blocks": lambda n: "def f():\n" + "".join(f"{' ' * (i + 1)}if 1:\n" for i in range(n)) + " " * (n + 1) + "pass",
    "types": lambda n: "def f(x: " + "list[" * n + "int" + "]" * n + "):\n  pass",
}


BRACKETS = dict.fromkeys(("parentheses", "lists", "maps"), 200)
LAMBDAS = dict.fromkeys(("lambda", "lambda with parameters", "lambda as default"), 62)
ALLOWED = dict.fromkeys(DEEP, 249) | BRACKETS | LAMBDAS | {"sum": 250, "elif": 150, "blocks": 28, "types": 199}


@pytest.mark.parametrize("shape", DEEP)
def test_depth_the_parser_could_die_of_is_refused(shape: str) -> None:
    for n in (200, 1_000, 3_000):
        script = DEEP[shape](n)
        if len(script) <= scanning.MAX_BYTES and n > scanning.MAX_DEPTH:
            assert [p.arguments["check"] for p in scan(script).problems[:1]] in (["depth"], ["size"])


def test_the_deepest_that_is_allowed_does_not_kill_the_parser() -> None:
    depths = {
        shape: bisect_left(range(1, scanning.MAX_DEPTH + 1), 1, key=lambda n, s=shape: bool(scan(DEEP[s](n)).problems))
        for shape in DEEP
    }
    assert depths == ALLOWED, "a law that stands in a journal would be read otherwise"
    program = (
        "import json, sys\nfrom folkmoot.kernel.host import HOST\nfrom folkmoot.language.binding import diagnose\n"
        "for name, script in json.load(sys.stdin).items():\n    diagnose(script, HOST.prelude)\n    print(name, flush=True)\n"
    )
    scripts = json.dumps({shape: DEEP[shape](depth) for shape, depth in depths.items()})
    done = subprocess.run([sys.executable, "-c", program], input=scripts, text=True, capture_output=True, check=False)
    assert done.stdout.splitlines() == list(DEEP), done.stderr


@pytest.mark.parametrize(
    ("script", "said", "place"),
    [
        ("x = a.as\n", scanning.REFUSED["as"][0], (1, 7)),
        ("def f():\n  x = class\n", scanning.REFUSED["class"][0], (2, 7)),
        ("x = 1 / 2\ny = (\n", "Parse error: unexpected new line here, expected one of", (0, 1)),
        ("x = 1 / 2\n", scanning.REFUSED["/"][0], (1, 7)),
        ("None = 1\n", scanning.UNREAD, (0, 0)),
        ("x = " + "+".join(["1"] * 300), "this expression is too long or too deeply nested", (0, 0)),
    ],
)
def test_what_is_refused_is_refused_in_words_that_no_python_chooses(
    script: str, said: str, place: tuple[int, int]
) -> None:
    with pytest.raises(ScriptError) as caught:
        refuse(script)
    assert caught.value.message.startswith(said)
    assert (caught.value.line, caught.value.column) == place


def test_what_python_alone_cannot_take_is_not_given_to_the_type_check_however_deep_it_is() -> None:
    script = "None = 1\nx = " + "+".join(["1"] * 30_000)
    assert diagnose(script, HOST.prelude) == []
    with pytest.raises(ScriptError, match=scanning.UNREAD):
        refuse(script)
    unread = scan("def f(a):\n    None = 1\n").unread
    assert unread is not None
    assert (unread.message, str(unread.position)) == (scanning.UNREAD, ":2:5")


def test_the_type_check_tells_a_misspelt_name_and_what_is_not_ended() -> None:
    script = "def f():\n    results = []\n    for x in [1]:\n        reslts.append(x)\n    return results\n"
    (error,) = diagnose(script, HOST.prelude)
    assert error.message == "Variable `reslts` not found, did you mean `results`?"
    assert (error.line, error.column) == (4, 9)
    assert diagnose("def f():\n  return (1\n", HOST.prelude) != []


# -- it takes a time in proportion to its size, whatever stands in it

SIZE = 64_000
UNITS = 400  # of work for all that is done with one script; the worst took 300 to 1,300 each before
SLOW = {
    "blanks": "def" + " " * SIZE,
    "continuations": " \\\n" * (SIZE // 3),
    "formats": "x = '" + "%(" * (SIZE // 3) + "' % 1",
    "constants": "X = ["
    + "1," * 4_000
    + "]\n"
    + "".join(f"def on_e{n}(e):\n if e.a in X:\n  pass\n" for n in range(500)),
    "reached": "".join(f"def decide_f{n}(a):\n    decide_f{n - 1}(a)\n    put('game','x',1)\n" for n in range(700)),
    "nested": ("put(" * 240 + ")" * 240 + "\n") * 40,
}
FRAGMENTS = [
    " ", "\t", "\n", "\\\n", " \\\n", "(", ")", "[", "{", '"', "'", '"""', "%(", "%", "0", "1.", "-", "not ", "lambda a: ",
    "a", "a.", "a;", "1,", "emit('", "later(a", "emit_under( ", "put(", "get(a,", "def on_x(a):\n", "def decide_f(a):\n f(a)\n",
    " if e.a == X:\n  pass\n", "elif x:\n pass\n", "X = [1]\n", "load('x', 'y')\n", "#", "\x00", "\u202e", "f'", "rb'",
]  # fmt: skip
PARTS = st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from([1, 3, 40, 9_000])), min_size=1, max_size=4)


def check(text: str) -> list[Problem]:
    """Do all that is done with a script before it runs."""
    rule = {"uid": "7", "text": "", "script": text, "actions": {"x": {}}}
    return list(check_script(rule, known_in([rule])))


def timed(text: str) -> None:
    with Spent() as spent:
        check(text[:SIZE])
    assert spent.units < UNITS, text[:80]


@pytest.mark.threat("T-93")
@pytest.mark.parametrize("name", SLOW)
def test_what_took_seconds_takes_less(name: str) -> None:
    timed(SLOW[name])


@pytest.mark.threat("T-93")
@given(PARTS)
@settings(max_examples=50 if FUZZ else 6, deadline=None)
def test_random_hostile_texts_are_read_in_time(parts: list[tuple[str, int]]) -> None:
    timed("".join(fragment * times for fragment, times in parts))


def test_a_script_of_a_megabyte_is_measured_and_no_more() -> None:
    with Spent() as spent:
        (problem,) = check("x = 1\n" * 170_000)
        page = str(coloured("\x00<b>" * (scanning.MAX_BYTES // 2)))
    assert problem.arguments["check"] == "size"
    assert "<b>" not in page
    assert spent.units < 100


def test_no_more_problems_are_shown_than_anybody_reads() -> None:
    rule = {"script": "def decide_x():\n" + " put('game', 'x', 1)\n" * 2_000, "uid": "7"}
    assert len(check_script(rule, None)) <= 4 * scanning.MAX_PROBLEMS
