"""Every function of the engine, given something sealed for each of its arguments: it is kept, passed on or refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from folkmoot.core.events import Outcome
from folkmoot.kernel.host import HOST
from folkmoot.language.declarations import Parameter, starlark_type
from tests.support.table import Table, rule

PLAUSIBLE = {
    "owner": '"ann"', "name": '"n"', "default": "0", "kind": '"card"', "key": '"k"', "ref": '"1"', "rule": 'rule("1")',
    "player": '"ann"', "office": '"scribe"', "state": '"open"', "time": "now()", "year": "2026", "list": '"words"',
    "word": '"a"', "a": 'rule("1")', "b": 'rule("1")', "proposal": "proposals()[0]", "choice": '"for"',
    "values": '{"ann": 1}', "keep": "[]", "to": '"bob"', "currency": '"score"', "why": '"x"', "credit": "None",
    "amounts": '[["ann", 1]]', "giver": '"ann"', "id": '"x"', "thing": '"c1"', "function": '"same"', "what": '"x"',
    "items": "[1, 2]", "label": '"l"', "title": '"T"', "text": '"t"', "script": '""', "because": '"x"',
    "changes": "[]", "requests": "[]", "author": '"ann"', "voter": '"ann"', "reason": '"r"', "deemed": "True",
    "outcome": '"adopted"', "effective": "True", "event": '"x"', "question": '"q"', "condition": "True",
    "code": '"E-NO"', "action": '"go"', "by": '"ann"', "args": "{}", "as_": "None", "players": '["ann"]',
    "do": '"go"', "of": '"x"', "play_on": "True", "yes": "True", "when": "now() + 5", "timer": '"due"',
    "seconds": "60", "sides": "6", "denominator": "2", "high": "6", "columns": '["a"]', "rows": '[["b"]]',
    "caption": '"c"', "grid": "{}", "pieces": "[]", "zones": "{}", "lines": "[]", "series": "{}", "register": '"n"',
    "pages": "[]", "repealed": "True", "labels": "{}", "keep_ballots": "True", "as_of": "None", "parts": "{}",
    "together": "[]", "apart": "[]",
}  # fmt: skip
PASSED_ON = set(
    """get.default get_all.default get_in.default is_open.value put.value put_all.values put_in.value append.item
    create.registers where.registers sealed.arguments declassify.value reveal.what disclose.value shuffle_sealed.items
    pick_sealed.items submit.registers emit.payload emit_under.payload later.payload ask.arguments ask_all.arguments
    try_act.args announce.fields at.payload after.payload every.payload pick.items shuffle.items""".split()
)
"""Arguments that may be sealed: what is kept, passed on, opened, or put in another order that does not depend on it."""
NOT_LOOKED_AT = set("defers_to.b ballot_of.player claims_over.b holds.player require.condition".split())
"""Where it is compared with something else, or with nothing."""
BLOCKS = set(
    "heading paragraph table board chart log history frames verdict refuse debug".split()
)  # shown as what is sealed
LAW = """
def same(x):
    return x

def decide_q(x):
    return 1

def do_go(a):
    pass

def do_try(a):
    submit("T", [])
    create("card", id = "c1", mark = 1)
    h = shuffle_sealed([7, 8, 9])[0]
    got = %s
"""
PARTS = {
    "sealed": {"same": "The same"},
    "defines": {
        "game": {"n": {"type": "integer"}},
        "player": {"n": {"type": "integer"}, "k": {"type": "map"}},
        "offices": {"scribe": {}},
        "currencies": {"score": {}},
        "kinds": {"card": {"registers": {"mark": {"type": "integer"}}}},
    },
    "timers": {"due": {}},
    "actions": {"go": {}, "try": {}},
}


def plausible(parameter: Parameter) -> str:
    """Return what may be given for a parameter: what is known by its name, else something of its type."""
    of_type = {"str": '"x"', "list": "[]", "dict": "{}", "bool": "True"}
    return PLAUSIBLE.get(parameter.name) or of_type.get(starlark_type(parameter.type), "1")


def calls() -> Iterator[tuple[str, str, str]]:
    """Yield function, argument and a call in which that is `HELD` and all others are plausible."""
    for name, declared in HOST.words.items():
        names = [(each.stars, each.name) for each in declared.takes]
        for place, (stars, argument) in enumerate(names):
            given = [plausible(each) for each in declared.takes[:place] if each.stars != "**"]
            given.append("extra = HELD" if stars == "**" else "HELD")
            if not stars:
                given += [plausible(each) for each in declared.takes[place + 1 :] if not each.stars]
            yield name, argument, f"{name}({', '.join(given)})"


def tried(call: str) -> Outcome:
    """Return what came of an act in which a rule calls a function so."""
    table = Table(rule("1", LAW % call, **PARTS))
    return table.act("ann", "try", dice=[[0, 1, 2], 0])


@pytest.mark.threat("T-82")
@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "argument", "call"), [pytest.param(*each, id=each[2]) for each in calls()])
def test_what_is_sealed_is_passed_on_or_refused(name: str, argument: str, call: str) -> None:
    if f"{name}.{argument}" in PASSED_ON or name in BLOCKS or argument == "items":
        return
    for held in ("h", "[h]"):
        outcome = tried(call.replace("HELD", held))
        codes = [failure.get("code", "") for failure in outcome.failures]
        looked_into = not {"E-SEALED", "E-ARGS"}.isdisjoint(codes) or any(
            "has no attribute" in each["error"] for each in outcome.failures
        )
        counted = name == "require" and held == "[h]"
        assert looked_into or counted or f"{name}.{argument}" in NOT_LOOKED_AT, (held, outcome.failures)


def test_what_may_be_passed_on_is_not_refused_for_being_sealed() -> None:
    for name, argument, call in calls():
        if f"{name}.{argument}" in PASSED_ON and name not in ("put", "put_all", "pick", "shuffle", "create", "submit"):
            outcome = tried(call.replace("HELD", "[h]" if argument == "items" else "h"))
            assert "E-SEALED" not in [failure.get("code") for failure in outcome.failures], call


def test_no_other_argument_is_declared_to_take_what_is_sealed() -> None:
    types = ("sealed", "list[sealed]", "registers", "handed")
    declared = {f"{name}.{each.name}" for name, word in HOST.words.items() for each in word.takes if each.type in types}
    assert PASSED_ON - declared == {"pick.items", "shuffle.items"}
    assert declared <= PASSED_ON
