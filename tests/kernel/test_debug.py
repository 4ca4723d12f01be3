"""What scripts show to those who try them: with rule, hook and line, and with no trace in the record."""

from __future__ import annotations

from folkmoot.core.records import Failure
from tests.support.table import Found, rule, script

GO = {"actions": {"go": {}}}
GOING = """
    def do_go(a):
        debug("went", a.by, [1, None])
        p = "é"; debug(p, 3); put("game", "x", twice(2))
    def twice(n):
        return n * 2 if debug("ask", n) == None else 0
    def decide_prevails(a, b):
        debug("who prevails")
"""
DEFINES = {"game": {"x": {"type": "integer"}}}


def test_in_play_nothing_of_it_is_recorded(found: Found) -> None:
    plain = "\n".join(line for line in script(GOING).split("\n") if not line.lstrip().startswith('debug("went"'))
    entries = [found(rule("1", each, defines=DEFINES, **GO)).ok("ann", "go") for each in (GOING, plain)]
    assert entries[0] == entries[1]


def test_an_error_keeps_its_place_and_a_long_value_is_cut(found: Found) -> None:
    failing = "def do_go(a):\n    debug('x' * 5000); debug(a); [][1]\n"
    table, notes = found(rule("1", failing, **GO)), list[Failure]()
    table.kernel.play.debugged = notes.append
    outcome = table.judge("go", "ann", {})
    assert (outcome.failures[0]["line"], outcome.failures[0]["column"]) == (2, 34)
    assert len(notes[0]["error"]) == 1000
    assert notes[1]["error"].startswith("struct(")
