"""Python's parser takes every script that the interpreter's takes, and the same tree comes of it in every Python.

A script is made of pieces of the language, of the packaged scripts and of slips. With FOLKMOOT_FUZZ=1 ten
minutes are spent on it, with a larger number so many seconds; without it 3,000 scripts are made. `FOLKMOOT_OTHER_PYTHON` names an interpreter of another version.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
import starlark

import folkmoot
from folkmoot.game.rulesets import founding, names
from folkmoot.language.binding import dialect, libraries
from folkmoot.language.tree import scan

FUZZ = float(os.environ.get("FOLKMOOT_FUZZ", "0"))
SECONDS = FUZZ if FUZZ > 1 else 600 * FUZZ  # of all tests together
FEWEST = 3_000
OTHER = os.environ.get("FOLKMOOT_OTHER_PYTHON", "")
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_OTHER_PYTHON") == "1"
ENGINE = str(Path(folkmoot.__file__).parents[1])
FOREIGN = frozenset(["None", "True", "False"])  # which Python keeps from being names
PIECES = (
    "x y f a.b f(x) f(x, k = 1) f(*a, **k) [1, 2] (1, 2) (1,) () [] {} {1: 2} {'a': x} [p for p in q] [p for p,q in r if p if q] "
    "{k: v for k, v in d.items()} x[0] x[1:2] x[:] x[::2] x[1,2] lambda: lambda\xa0a,b=1: not - + ~ * ** / // % & | ^ << >> == "
    "!= < > <= >= in not\xa0in and or is if else for = += -= *= //= %= &= |= ^= /= , ; : . ... -> ( ) [ ] { } 1 0 12 1.5 .5 1. 1e3 "
    "0x1f 0o17 0b11 1_0 012 1if 1j 'a' \"b\" '''c''' \"\"\"d\"\"\" r'\\a' b'a' u'a' f'{x}' f'{x}{y}z' f'{{}}' f'{ x }' f'{x!r}' "
    "f'{x.y}' f'{}' F'a' rf'a' '\\n' '\\q' '\\x41' '\\u0041' '\\N{DASH}' '\\7' '\\400' '\\x4' '\\U00110000' '\\ud800' '\\u{41}' 'é' '\\\\' None True False float x__ "
    "pass break continue return def import from as while with class try yield await async print exec match type case nonlocal "
    "load load('m','x') @ := := ! ? $ ` é # \\"
).split(" ")
FORMS = (
    "def f(a, b = 1, *c, d, **e):\n    return {}\n", "def f({}):\n    pass\n", "def f(a: {}) -> {}:\n    return a\n", "if {}:\n    {}\n",
    "if {}:\n    pass\nelif {}:\n    pass\nelse:\n    {}\n", "for {} in {}:\n    {}\n", "def g():\n    for x in {}:\n        if {}:\n            break\n",
    "{} = {}\n", "{}: {} = {}\n", "{} += {}\n", "x = {}\n", "x = [{} for {} in {} if {}]\n", "f({})\n", "f({}, *{}, k = {}, **{})\n",
    "x = {} if {} else {}\n", "x = lambda {}: {}\n", "def f(): return {}\n", "if {}: pass\n", "{}; {}\n", "def f():\n    {}\n    {}\n",
    "x = {} {} {}\n", "x = ({}\n    {})\n", "x = {} \\\n    {}\n", "def f():\n  '''{}'''\n  {}\n", "load('m', {})\n", "x[{}] = {}\n",
    "x = f'{}'\n", "x = '{}' % {}\n", "def f():\n\tx = {}\n", "def f():\n        x = {}\n    y = {}\n", "x = {{{}: {}}}\n", "x = {{{}}}\n",
)  # fmt: skip
GLUE = ("", " ", " ", "\n", "\n    ", "  ", "\t", "\\\n", "# c\n", ",", "(", ")", "[", "]", ":", "'", '"', "\n\n", ";")


@cache
def packaged() -> list[str]:
    """Return the scripts that are packaged."""
    rules = [rule for name in names() for rule in founding(name)["rules"]]
    return [*{str(rule.get("script")): None for rule in rules if rule.get("script")}, *libraries().values()]


def _piece(dice: random.Random, depth: int = 0) -> str:
    piece = dice.choice(PIECES).replace("\xa0", " ")
    if depth > 3 or dice.random() < 0.5:
        return piece
    return piece + dice.choice(GLUE) + _piece(dice, depth + 1)


def _form(dice: random.Random) -> str:
    form = dice.choice(FORMS)
    holes = form.replace("{{", "").replace("}}", "").count("{}")
    return form.format(*(_piece(dice) for _ in range(holes)))


def _slip(dice: random.Random) -> str:
    """Return a part of a packaged script with slips in it."""
    lines = dice.choice(packaged()).split("\n")
    start = dice.randrange(len(lines))
    text = "\n".join(lines[start : start + dice.randrange(1, 12)])
    for _ in range(dice.randrange(1, 4)):
        at, end = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
        end = min(end, at + 3)
        put = dice.choice(("", "", dice.choice(GLUE), dice.choice(PIECES).replace("\xa0", " "), text[at:end] * 2))
        text = text[:at] + put + text[end:]
    return text


def scripts(dice: random.Random, seconds: float) -> Iterator[str]:
    """Yield scripts for so long."""
    ends = time.monotonic() + seconds
    for number in count():
        if number >= FEWEST and time.monotonic() > ends:
            return
        parts = [_form(dice) if dice.random() < 0.7 else _slip(dice) + "\n" for _ in range(dice.choice((1, 1, 1, 2)))]
        yield "".join(parts)


def taken_by_the_interpreter(script: str) -> bool:
    """Return whether the interpreter's parser takes a script."""
    try:
        starlark.parse("script", script, dialect())
    except starlark.StarlarkError:
        return False
    return True


def names_what_python_keeps(script: str) -> bool:
    """Return whether a script gives a name to something that Python keeps for itself: the only scripts it alone refuses."""
    return any(word in script for word in FOREIGN)


def test_no_script_is_taken_by_the_interpreter_and_refused_by_python_alone() -> None:
    dice = random.Random(os.environ.get("FOLKMOOT_FUZZ_SEED", "trees"))
    taken = alone = 0
    for script in scripts(dice, SECONDS / 2):
        scanned = scan(script)
        if taken_by_the_interpreter(script):
            taken += 1
            alone += scanned.unread is not None
            assert scanned.unread is None or names_what_python_keeps(script), script
    assert taken > FEWEST / 50
    print(f"\n{taken} scripts were taken by the interpreter, {alone} of them refused for names that Python keeps")


@pytest.mark.skipif(
    not OTHER and not REQUIRED, reason="no other Python was named: that Pythons agree on trees is not proven"
)
def test_another_python_sees_the_same_tree() -> None:
    assert OTHER, "FOLKMOOT_REQUIRE_OTHER_PYTHON=1, and FOLKMOOT_OTHER_PYTHON names no interpreter"
    dice = random.Random(os.environ.get("FOLKMOOT_FUZZ_SEED", "pythons"))
    chosen: dict[str, str | None] = {}
    for script in scripts(dice, SECONDS / 2):
        if taken_by_the_interpreter(script):
            scanned = scan(script)
            chosen[script] = None if scanned.unread else json.dumps([str(scanned.problems), str(scanned.functions)])
    program = (
        "import json, sys\nfrom folkmoot.language.tree import scan\nfor line in sys.stdin:\n    s = scan(json.loads(line))\n"
        "    print(json.dumps(None if s.unread else [str(s.problems), str(s.functions)]))\n"
    )
    lines = "".join(json.dumps(script) + "\n" for script in chosen)
    done = subprocess.run(
        [OTHER, "-c", program], input=lines, text=True, capture_output=True, check=False, env={"PYTHONPATH": ENGINE}
    )
    assert done.returncode == 0, done.stderr
    for (script, own), line in zip(chosen.items(), done.stdout.splitlines(), strict=True):
        other = json.loads(line)
        assert (None if other is None else json.dumps(other)) == own, script
