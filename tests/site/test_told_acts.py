"""Acts are told in the words that the law has for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import folkmoot
from folkmoot.core.keys import proposal_key
from folkmoot.core.told_patterns import Named, flaw, named_in, parts
from folkmoot.files.fast_reader import load_yaml
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import act, told_actions
from tests.support.site_game import game

RULESETS = Path(folkmoot.__file__).parent / "game" / "rulesets"
ARGUMENTS = {
    "what": {"type": "string"},
    "to": {"type": "player", "optional": True},
    "on": {"type": "proposal", "optional": True},
    "why": {"type": "text", "optional": True},
    "how": {"type": "string", "default": "fast"},
    "who": {"type": "player", "optional": True},
    "n": {"type": "any", "optional": True},
    "list": {"type": "list", "optional": True},
    "now": {"type": "boolean", "optional": True},
    "office": {"type": "office", "optional": True},
}


def with_words(told: Any, arguments: dict[str, Any] = ARGUMENTS) -> Here:
    """Return a game whose first rule has the action `trade` with words for it, or what stands in their place."""
    view = game()
    first = f"rules/{view.ranked[0]}"
    actions = {"trade": {"summary": "Trade", "told": told, "arguments": arguments}}
    documents = {**view.documents, first: {**view.documents[first], "actions": actions}}
    return Here(replace(view, documents=documents), "journal/0001.md")


def by_rule(words: str) -> str:
    """Return how the first rule is quoted that says what ann did."""
    return f"Ann Abel, by rule 101: “{words}”"


def _entry(**given: Any) -> dict[str, Any]:
    return {"seq": 999, "by": "ann", "do": "trade", "with": given}


def _told(pattern: str, arguments: dict[str, Any], given: dict[str, Any], **entry: Any) -> str:
    return strip(act(with_words(pattern, arguments), {**_entry(**given), **entry}))


@pytest.mark.parametrize(
    ("told", "given", "expected"),
    [
        ("sold {what}", {"what": "tea"}, "sold tea"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea"}, "sold tea"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea", "to": "bob"}, "sold tea to Bob Baker"),
        ("sold {what}[ to {to}][: {why}]", {"what": "tea", "why": "It\n is  late."}, "sold tea: It is late."),
        ("sold {what} <b>{why}</b>", {"what": "tea", "why": "<i>x</i>"}, "sold tea <b><i>x</i></b>"),
        ("closed the shop {how}", {}, "closed the shop fast"),
        ("closed the shop {how}", {"how": "slowly"}, "closed the shop slowly"),
        ("named [{who}|themselves] for it", {"who": "bob"}, "named Bob Baker for it"),
        ("named [{who}|themselves] for it", {}, "named themselves for it"),
        ("gave {n} {n|coin|coins}", {"n": 1}, "gave 1 coin"),
        ("gave {n} {n|coin|coins}", {"n": "1.50"}, "gave 1.50 coins"),
        ("zapped {list|zone|zones} {list}", {"list": [4, 5]}, "zapped zones 4, 5"),
        ("is [{?now}now|no longer] here", {"now": True}, "is now here"),
        ("is [{?now}now|no longer] here", {"now": False}, "is no longer here"),
        ("paid[{?n} {n} {n|coin|coins}| nothing]", {"n": 0}, "paid nothing"),
        ("is [{?now}not ]here", {"now": False}, "is here"),
        ("paid [{n} to {who}|{who}|nothing]", {"n": 3, "who": "bob"}, "paid 3 to Bob Baker"),
        ("paid [{n} to {who}|{who}|nothing]", {"who": "bob"}, "paid Bob Baker"),
        ("paid [{n} to {who}|{who}|nothing]", {"n": 3}, "paid nothing"),
        ("a|b {n}", {"n": 3}, "a|b 3"),
        ("left the {office}", {"office": "tax_collector"}, "left the tax collector"),
    ],
)
def test_an_act_is_told_in_the_words_of_its_rule_as_far_as_they_are_given(
    told: str, given: dict[str, Any], expected: str
) -> None:
    assert _told(told, ARGUMENTS, given) == by_rule(expected)


def test_what_arguments_name_is_linked_as_their_types_are() -> None:
    here = with_words("sold it to {to} under {on}")
    number = next(each["number"] for each in here.view.proposals.values() if each.get("kind", "proposal") == "proposal")
    shown = act(here, _entry(to="bob", on=number))
    assert "../players/bob.html" in shown
    assert f"../proposals/{number}.html" in shown
    assert "<b>" not in act(with_words("sold <b>{what}</b>"), _entry(what="<b>tea</b>")), "words of a rule are text"


@pytest.mark.parametrize("told", ["sold {to}", "sold {what", "sold [once]", "sold {other}", "", None])
def test_without_words_that_fit_the_summary_of_the_action_stands_there(told: Any) -> None:
    assert _told(told, ARGUMENTS, {"what": "tea"}) == by_rule("trade")
    assert strip(act(with_words(told), {"seq": 20, "do": "pause", "by": "ann"})) == "Ann Abel: stop every timer"


def test_an_act_is_told_by_the_law_of_its_time() -> None:
    here = with_words("sold {what}")
    view, uid = here.view, here.view.ranked[0]
    old = {"rule": "101", "seq": 3, "actions": {"trade": {"told": "bartered {what}", "arguments": ARGUMENTS}}}
    past = [{**old, "seq": 3}, {**old, "seq": 6, "title": "As it was"}, {"rule": "101", "seq": 12, "actions": {}}]
    rules = {**view.documents["law"]["rules"], uid: {**view.documents["law"]["rules"][uid], "seq": 20}}
    documents = {**view.documents, "law": {**view.documents["law"], "rules": rules}}
    here = Here(replace(view, documents=documents), "journal/0001.md")
    here.view._revisions[uid] = [*past, {**view.documents[f"rules/{uid}"], "seq": 20}]
    told = {seq: strip(act(here, {**_entry(what="tea"), "seq": seq})) for seq in (3, 4, 9, 12, 13, 20, 21)}
    without, then, now = "Ann Abel · trade", by_rule("bartered tea"), by_rule("sold tea")
    assert told == {3: then, 4: then, 9: then, 12: then, 13: without, 20: now, 21: now}
    assert len(here.view.index(told_actions)["trade"]) == 2, "what only held on stands there once"


@pytest.mark.parametrize("code", ["E-ARGS", "HELD"])
def test_what_was_refused_or_is_held_back_is_not_told_as_done(code: str) -> None:
    assert _told("sold {what}", ARGUMENTS, {"what": "tea"}, code=code) == by_rule("trade")


def _said_without(arguments: dict[str, Any], told: str) -> bool:
    """Whether a wording can be said where all is left out that may be: for an argument its default stands, if any."""
    given = {name for name, each in arguments.items() if not each.get("optional") or each.get("default") is not None}
    return all(
        part.may_fail
        or any({each.name for each in wording if isinstance(each, Named)} <= given for wording in part.wordings)
        for part in parts(told)
    )


def test_packaged_games_have_words_for_what_is_done_in_them() -> None:
    """What is on unless said otherwise is told as on: an entry has no argument that was left out, not even with a default."""
    seen = switches = 0
    for file in sorted(RULESETS.glob("*/rules/*.yaml")):
        for name, action in (load_yaml(file.read_text("utf-8"), file.name).get("actions") or {}).items():
            told, place = (action or {}).get("told"), f"{file.parts[-3]} {file.stem} {name}"
            if told is None:
                assert action.get("travels"), f"{place} has no words"
                continue
            seen += 1
            arguments = action.get("arguments") or {}
            assert not flaw(told), place
            assert set(named_in(told)) <= {*arguments}, place
            assert _said_without(arguments, told), f"{place} is not told where what may be left out is"
            open_ = file.parts[-3] != "tricks"  # where a card that is played is opened in the same entry
            assert not (open_ and [each for each in named_in(told) if arguments[each].get("sealed")]), place
            for each in named_in(told):
                if arguments[each].get("type") == "boolean" and "default" in arguments[each]:
                    switches += 1
                    stated = _told(told, arguments, {each: arguments[each]["default"]})
                    assert _told(told, arguments, {}) == stated, place
    assert seen > 280
    assert switches


@pytest.mark.parametrize(
    "told", ["is [|{on}] here", "is [now|{on}] here", "is [now|then] here", "{on|one}", "{?on|a|b}"]
)
def test_wordings_that_could_never_be_said_are_flaws(told: str) -> None:
    assert flaw(told)


def test_an_argument_called_as_a_kind_names_what_is_of_that_kind() -> None:
    view = with_words("seconded {motion}", {"motion": {"type": "proposal"}}).view
    motion = {**next(iter(view.proposals.values())), "id": "motion/9", "kind": "motion", "number": 9}
    documents = {**view.documents, proposal_key("motion/9"): motion}
    shown = act(Here(replace(view, documents=documents), "journal/0001.md"), _entry(motion=9))
    assert strip(shown) == by_rule("seconded motion 9")
    assert "../motions/9.html" in shown


def test_words_for_a_ballot_say_nothing_of_it_before_the_count() -> None:
    view = game()
    on = next(key for key, each in view.unresolved.items() if each["state"] == "open" and not each.get("displayed"))
    ballot = {"effect": "ballot", "of": on, "voter": "ann", "choice": "for"}
    arguments = {"value": {"type": "string"}, "who": {"type": "player"}}
    for told in ("cast one more vote[ for {who}][: {value}]", "cast one more vote[: {value}|, a doubtful one]"):
        said = _told(told, arguments, {"value": "for", "who": "bob"}, effects=[ballot])
        assert said == f"{by_rule('cast one more vote')} (not displayed before the count)"
    said = _told("voted {value}", arguments, {"value": "for"}, effects=[ballot])
    assert said == "Ann Abel, by rule 101: “trade” (not displayed before the count)"
