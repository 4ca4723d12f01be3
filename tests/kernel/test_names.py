"""Nobody is shown by what looks like somebody else; whoever is called otherwise is let in."""

from __future__ import annotations

import pytest

from folkmoot.kernel.names import called, outline
from tests.support.table import Found, rule

LOOKS_LIKE_ANN = ["Ann", "ANN", "\u0410nn", "A\u200bnn", "a\u0301nn", "\uff41nn", " Ann. ", "aɴn", "𝐀𝐧𝐧", "An-n", "Αnn"]


@pytest.mark.parametrize("name", LOOKS_LIKE_ANN)
def test_a_name_like_anothers_id(found: Found, name: str) -> None:
    table = found(rule("1"))
    assert table.refused("dan", "join", name=name) == "E-DUP"
    assert table.refused("root", "admit", player="dan", name=name) == "E-DUP"
    assert table.refused("root", "admit", player="dan", attributes={"name": name}) == "E-DUP"
    table.ok("dan", "join", name="Dan")


@pytest.mark.parametrize(("name", "code"), [("Elisabeth", "E-DUP"), ("E1isabeth", "E-DUP"), ("Elisabetta", "")])
def test_a_name_like_anothers_name(found: Found, name: str, code: str) -> None:
    """Also that of somebody who has left, and by name and surname together."""
    table = found(rule("1", "def do_go(a):\n    destroy(a.by)", actions={"go": {}}))
    table.ok("beth", "join", name="Elisabeth")
    table.ok("beth", "go")
    if code:
        assert table.refused("dan", "join", name=name) == code
        assert table.refused("dan", "join", attributes={"name": name[:4], "surname": name[4:]}) == code
    else:
        table.ok("dan", "join", name=name)


def test_an_id_like_anothers_name(found: Found) -> None:
    table = found(rule("1"))
    table.ok("dan", "join", name="Eve")
    assert table.refused("eve", "join") == "E-DUP"
    assert table.refused("Eve2", "join", name="eve") == "E-DUP"
    table.ok("eve", "join", name="Eve of Basel")


def test_an_administrator_is_not_imitated_either(found: Found) -> None:
    assert found(rule("1")).refused("dan", "join", name="R00T") == "E-DUP"


def test_ids_are_told_apart_as_before_and_one_keeps_eir_own_name(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    destroy(a.by)", actions={"go": {}}))
    table.ok("p10", "join", name="P10")
    table.ok("plO", "join")
    table.ok("p10", "go")
    assert table.refused("p10", "join", name="p1o") == "E-DUP"
    table.ok("p10", "join")
    assert table.document("roster")["p10"]["name"] == "P10"


@pytest.mark.parametrize("name", [" ", "\u200b", "\u3164", "…"])
def test_a_name_that_nobody_can_read(found: Found, name: str) -> None:
    assert found(rule("1")).refused("dan", "join", name=name) == "E-ARGS"


@pytest.mark.parametrize("name", ["Zoë", "Зоя", "慧", "🐉", "Ann-Marie", "O'Neil"])
def test_every_other_name_is_taken(found: Found, name: str) -> None:
    table = found(rule("1"))
    table.ok("dan", "join", name=name)
    assert table.document("roster")["dan"]["name"] == name


@pytest.mark.parametrize("attribute", ["name", "surname"])
def test_a_name_is_a_text(found: Found, attribute: str) -> None:
    assert found(rule("1")).refused("dan", "join", attributes={attribute: ["Ann"]}) == "E-ARGS"


def test_a_rule_that_takes_somebody_in_is_held_to_it(found: Found) -> None:
    law = rule("1", 'def do_take(a):\n    create("player", "dan", name = a.args.name)', actions={
        "take": {"arguments": {"name": {"type": "text"}}}
    })  # fmt: skip
    table = found(law)
    table.judge("take", "ann", {"name": "B0B"})
    assert "dan" not in table.document("roster")
    table.ok("ann", "take", name="Dan")


def test_what_people_are_called() -> None:
    assert called("ann", {}) == called("ann", {"name": "ann", "surname": "Lee"}) == "ann"
    assert called("ann", {"name": "Ann", "surname": "Lee"}) == "Ann Lee"
    assert outline("Corn") == outline("Com")
    assert outline("Ann") != outline("Anne")
