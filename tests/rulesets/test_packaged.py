"""What each packaged ruleset is: its rules, their names and how long they are, and the sentence in which it says how a game stands."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.core.keys import number_key
from folkmoot.core.word_lists import LISTS
from folkmoot.game.rulesets import fetch_list, founding, names, remember_list
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.host import HOST
from folkmoot.kernel.things import canonical_digest
from folkmoot.language.tree import scan
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.scenario import Run, found
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.pages.status import status_of
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import view
from tests.support.table import Table as Seat

EACH = pytest.mark.parametrize("ruleset", names())
CALLED = re.compile(r"""(?:\bsetting\(|"settings", |\be\.setting == )["']([^"']+)["']""")
LINES = {"assembly": 417, "council": 370, "gavel": 150, "lanterns": 150, "orchard": 150, "tricks": 220}
"""How many lines scripts have at most; those for an evening fit on a page."""
SECTIONS = {"0": 1, "1": 6, "2": 6, "3": 12, "4": 6, "5": 2, "6": 10, "7": 4, "9": 6, "10": 1}
"""How many rules each section of B Nomic has."""
RECONSTRUCTED = {"3-1", "6-1", "10", "11", "12", "13", "14", "15-1", "15-2", "16", "17-1"}


def rules_of(ruleset: str) -> list[Any]:
    return list(founding(ruleset)["rules"])


@EACH
def test_scripts_call_switches_by_their_plain_names_and_no_helper_as_the_host_does(ruleset: str) -> None:
    """It would hide that function, and a script that seems to use `take_back` makes every act be kept."""
    plain = {switch["name"] for rule in rules_of(ruleset) for switch in rule.get("settings", {}).values()}
    for script in (rule.get("script") or "" for rule in rules_of(ruleset)):
        assert {*CALLED.findall(script)} <= plain
        assert "e.setting ==" not in script
        assert [name for name in scan(script).functions if name in HOST.words] == []


@EACH
def test_no_script_is_at_fault(ruleset: str) -> None:
    known = known_in(rules_of(ruleset))
    found_ = [problem for rule in rules_of(ruleset) for problem in check_script(rule, known)]
    assert [str(problem) for problem in found_ if ruleset == "imperial" or "has no `" in problem.message] == []


@pytest.mark.parametrize("ruleset", LINES)
def test_scripts_are_short(ruleset: str) -> None:
    assert sum((rule.get("script") or "").count("\n") for rule in rules_of(ruleset)) <= LINES[ruleset]
    if LINES[ruleset] <= 220:
        assert sum(len(rule["text"].split()) for rule in rules_of(ruleset)) < 500
        assert len(rules_of(ruleset)) <= 12


def test_the_rules_of_imperial_and_b_nomic_have_their_numbers() -> None:
    numbers = [rule["rule"] for rule in rules_of("imperial")]
    assert numbers == sorted([*map(str, range(1, 9)), "8", *map(str, range(10, 23))], key=number_key)
    assert [rule["uid"] for rule in rules_of("imperial") if rule["rule"] == "8"] == ["8a", "8b"]
    sections = [rule["rule"].partition("-")[0] for rule in rules_of("b-nomic")]
    assert {section: sections.count(section) for section in sections} == SECTIONS
    assert sections == [rule["labels"]["section"] for rule in rules_of("b-nomic")]


def test_reconstructions_of_the_training_game_say_so() -> None:
    rules = rules_of("imperial-training")
    assert {rule["uid"] for rule in rules if rule["labels"]["origin"] == "reconstruction"} == RECONSTRUCTED
    texts = [rule["text"] for rule in rules if rule["uid"] in RECONSTRUCTED]
    assert all("reconstruct" in text or "placeholder" in text for text in texts)


def test_a_word_list_is_known_whatever_is_said_of_it_later() -> None:
    (name, spec), *_ = founding("b-nomic")["lists"].items()
    key = f"{LISTS}{name}/{spec['digest']}"
    whole = fetch_list(key)
    assert whole
    for gone in (None, {}, {"words": "zest\n"}):
        remember_list(spec["digest"], gone)
        assert fetch_list(key) == whole
    assert fetch_list(f"{LISTS}{name}/{'0' * 64}") is None


# -- how a game stands

SAID = {
    "a-nomic": r"Nday \d+ of nweek \d+, 0 items live\. Voting starts on \d+ \w+ \d+ at 00:00, on what is live then\.",
    "assembly": r"Drafts in the pool: 0, proposals being voted on: 0; any of you can propose\.",
    "b-nomic": r"Nweek \d+, nday \d+, the Clock is O\w+: 0 motions are being voted on\.",
    "consensus": r"Round 1: ann leads with 0 of \d+ points and 0 proposals are open\.",
    "council": r"Dynasty 1, which has no Monarch yet; undecided: 0; any of you can propose\.",
    "gavel": r"Nobody bids for the floor, from which one proposes: any of you can\.",
    "imperial": r"Day 1, at 303 K: 0 proposals wait for the Emperor\.",
    "imperial-training": r"Judgment Period 1: 0 proposals are undecided; Starball: \w+ \w+ 0, \w+ \w+ 0\.",
    "lanterns": r"ann has \d+ of twelve lanterns\.",
    "orchard": r"Trees stand on 0 of 25 squares; the most fruits has ann \(0 of thirty\)\.",
    "suber": r"Turn 1 of ann: nothing has been proposed yet\.",
    "suber-mail": r"Turn 14 of ann: nothing has been proposed yet\.",
    "tricks": r"No round is being played: any of you can deal one\.",
}
"""What each says of a game of ann and bob that was just founded."""
TEA = {"title": "Tea", "changes": [{"repeal": "9"}]}
ACTS: dict[str, tuple[list[tuple[str, str, dict[str, Any]]], str]] = {
    "lanterns": (
        [("ann", "propose", TEA), ("ann", "vote", {"choice": "for"}), ("bob", "vote", {"choice": "for"})],
        r"ann has [1-9]\d* of twelve",
    ),
    "gavel": ([("ann", "bid", {"amount": 2})], r"ann bids 2\."),
    "orchard": (
        [("bob", "plant", {"square": "c3"})],
        r"Trees stand on 1 of 25 squares; the most fruits has bob \(1 of thirty\)",
    ),
    "suber": (
        [("ann", "propose", {"title": "Tea", "changes": [{"repeal": "213"}]})],
        r"Turn 1 of ann: proposal 301 is being debated\.",
    ),
}
"""What is said once something was done."""


def founded(ruleset: str, **given: Any) -> Run:
    scenario = {"scenario": ruleset, "ruleset": ruleset, "players": ["ann", "bob"], **given}
    return found(scenario, founding, lambda event: open_chance(ruleset, str(event.seq)))


def seen(run: Run) -> str:
    """Return what the game's front page begins with, without markup, as the words of the law that it quotes."""
    seat = SimpleNamespace(
        entries=run.entries, kernel=run.kernel, now=run.now, prev=lambda: canonical_digest(run.entries[-1])
    )
    said = strip(status_of(Here(view(cast(Seat, seat), "game"), "index.md")).by)
    return said.partition("The law says: “")[2].replace("”", "", 1)


@EACH
def test_a_game_says_how_it_stands(ruleset: str) -> None:
    run = founded(ruleset)
    assert re.match(SAID[ruleset], seen(run)), seen(run)
    acts, said = ACTS.get(ruleset, ([], ""))
    for who, what, arguments in acts:
        assert run.apply(what, who, None, arguments).accepted
    assert re.match(said, seen(run)), seen(run)


def test_a_turn_that_waits_for_consent_says_so() -> None:
    run = founded("suber", given=[{"game": True, "gate": True}])
    waits = "Judgment was invoked: the next turn may not begin before a majority of the other players consents."
    assert seen(run) == f"Turn 1 of ann: {waits}"
