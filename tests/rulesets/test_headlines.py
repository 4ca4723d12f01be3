"""Each packaged ruleset says in one sentence how its game stands; the site begins with it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from folkmoot.game import rulesets
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import canonical_digest
from folkmoot.scenarios.scenario import Run, found
from folkmoot.site.pages.status import status_of
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import view
from tests.support.table import Table as Seat

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


def founded(ruleset: str) -> Run:
    """Return a game of some ruleset in which nothing was done yet."""
    given = {"scenario": ruleset, "ruleset": ruleset, "players": ["ann", "bob"]}
    return found(given, founding, lambda event: open_chance(ruleset, str(event.seq)))


def seen(run: Run) -> str:
    """Return what the game's front page begins with, without markup, as the words of the law that it quotes."""
    seat = SimpleNamespace(
        entries=run.entries, kernel=run.kernel, now=run.now, prev=lambda: canonical_digest(run.entries[-1])
    )
    said = strip(status_of(Here(view(cast(Seat, seat), "game"), "index.md")).by)
    return said.partition("The law says: “")[2].replace("”", "", 1)


def test_every_packaged_ruleset_is_asked() -> None:
    assert sorted(SAID) == sorted(rulesets.names())


@pytest.mark.parametrize("ruleset", SAID)
def test_a_game_says_how_it_stands(ruleset: str) -> None:
    assert re.match(SAID[ruleset], seen(founded(ruleset))), seen(founded(ruleset))


ACTS: list[tuple[str, list[tuple[str, str, dict[str, Any]]], str]] = [
    ("lanterns", [("ann", "propose", {"title": "Tea", "changes": [{"repeal": "9"}]}),
                  ("ann", "vote", {"choice": "for"}), ("bob", "vote", {"choice": "for"})], r"ann has [1-9]\d* of twelve"),
    ("gavel", [("ann", "bid", {"amount": 2})], r"ann bids 2\."),
    ("orchard", [("bob", "plant", {"square": "c3"})], r"Trees stand on 1 of 25 squares; the most fruits has bob \(1 of thirty\)"),
    ("suber", [("ann", "propose", {"title": "Tea", "changes": [{"repeal": "213"}]})],
     r"Turn 1 of ann: proposal 301 is being debated\."),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "acts", "said"), ACTS, ids=[each[0] for each in ACTS])
def test_what_is_done_changes_what_is_said(
    ruleset: str, acts: list[tuple[str, str, dict[str, Any]]], said: str
) -> None:
    run = founded(ruleset)
    before = seen(run)
    for who, what, arguments in acts:
        done = run.apply(what, who, None, arguments)
        assert done.accepted, done
    assert seen(run) != before
    assert re.match(said, seen(run)), seen(run)


def test_a_turn_that_waits_for_consent_says_so() -> None:
    given = {"scenario": "gate", "ruleset": "suber", "players": ["ann", "bob"], "given": [{"game": True, "gate": True}]}
    run = found(given, founding, lambda event: open_chance("gate", str(event.seq)))
    waits = "Judgment was invoked: the next turn may not begin before a majority of the other players consents."
    assert seen(run) == f"Turn 1 of ann: {waits}"
