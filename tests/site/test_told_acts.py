"""Acts are told in the words that the law has for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import folkmoot
from folkmoot.core.told_patterns import flaw, named_in
from folkmoot.files.fast_reader import load_yaml
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import act
from tests.site.game import game

RULESETS = Path(folkmoot.__file__).parent / "game" / "rulesets"
ARGUMENTS = {
    "what": {"type": "string"},
    "to": {"type": "player", "optional": True},
    "on": {"type": "proposal", "optional": True},
    "why": {"type": "text", "optional": True},
}


def _here(told: Any) -> Here:
    """Return a game whose first rule has the action `trade` with words for it, or what stands in their place."""
    view = game()
    first = f"rules/{view.ranked[0]}"
    actions = {"trade": {"summary": "Trade", "told": told, "arguments": ARGUMENTS}}
    documents = {**view.documents, first: {**view.documents[first], "actions": actions}}
    return Here(replace(view, documents=documents), "journal/0001.md")


def _entry(**given: Any) -> dict[str, Any]:
    return {"seq": 9, "by": "ann", "do": "trade", "with": given}


@pytest.mark.parametrize(
    ("told", "given", "expected"),
    [
        ("sold {what}", {"what": "tea"}, "Ann Abel sold tea"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea"}, "Ann Abel sold tea"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea", "to": "bob"}, "Ann Abel sold tea to Bob Baker"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea", "why": "It\n is  late."}, "Ann Abel sold tea: It is late."),
        ("sold {what} <b>{why}</b>", {"what": "tea", "why": "<i>x</i>"}, "Ann Abel sold tea <b><i>x</i></b>"),
        ("closed the shop", {}, "Ann Abel closed the shop"),
    ],
)
def test_an_act_is_told_in_the_words_of_its_rule(told: str, given: dict[str, Any], expected: str) -> None:
    assert strip(act(_here(told), _entry(**given))) == expected


def test_what_arguments_name_is_linked_as_their_types_are() -> None:
    here = _here("sold it to {to} under {on}")
    number = next(each["number"] for each in here.view.proposals.values() if each.get("kind", "proposal") == "proposal")
    shown = act(here, _entry(to="bob", on=number))
    assert "../players/bob.html" in shown
    assert f"../proposals/{number}.html" in shown
    assert "<b>" not in act(_here("sold <b>{what}</b>"), _entry(what="<b>tea</b>")), "words of a rule are text"


@pytest.mark.parametrize("told", ["sold {to}", "sold {what", "sold [once]", "sold {other}", "", None])
def test_without_words_that_fit_the_name_of_the_action_stands_there(told: Any) -> None:
    assert strip(act(_here(told), _entry(what="tea"))) == "Ann Abel · trade"


def test_what_was_refused_or_is_held_back_is_not_told_as_done() -> None:
    for code in ("E-ARGS", "HELD"):
        assert strip(act(_here("sold {what}"), {**_entry(what="tea"), "code": code})) == "Ann Abel · trade"


def test_packaged_games_have_words_for_what_is_done_in_them() -> None:
    seen = 0
    for file in sorted(RULESETS.glob("*/rules/*.yaml")):
        for name, action in (load_yaml(file.read_text("utf-8"), file.name).get("actions") or {}).items():
            told, place = (action or {}).get("told"), f"{file.parts[-3]} {file.stem} {name}"
            if told is not None:
                seen += 1
                assert not flaw(told), place
                assert set(named_in(told)) <= {*(action.get("arguments") or {})}, place
            elif file.parts[-3] not in ("a-nomic", "b-nomic", "suber-mail"):
                without = name in ("intend", "propose", "demand")
                assert without or action.get("travels"), f"{place} has no words"
    assert seen > 90
