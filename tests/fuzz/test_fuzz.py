"""Some stories of each grammar end well, and what would not is found and made small."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from folkmoot.referee import intake
from tests.fuzz import search
from tests.fuzz.inputs import Say, Story, Wait
from tests.fuzz.oracle import FoundError
from tests.fuzz.search import GRAMMARS, Search, ending

QUIET = Story("local", ((Say("bob", 1, "I like dragons."), Say("ann", 1, "/vote for"), Wait(60)),))


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_some_stories_of_each_grammar_end_well(grammar: str) -> None:
    """Of what `python -m tests.fuzz` does for an hour, always the same."""
    looked = Search()
    looked.look(grammar, 20_260_105, 1)
    assert looked.stories[grammar] >= 1
    assert not looked.findings, "\n".join(each.text()[:4_000] for each in looked.findings.values())


def test_what_a_boundary_catches_is_a_finding_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = intake.commands_in
    monkeypatch.setattr(intake, "commands_in", lambda body: before(body) if "dragon" not in body else [].pop())
    assert ending(QUIET)[0].startswith("E-FAULT: IndexError")


def test_what_ends_badly_is_made_small_and_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(story: Story) -> None:
        if any("dragon" in each.body for run in story.runs for each in run):
            raise FoundError("a dragon")

    monkeypatch.setattr(search, "tell", told)
    saying = st.builds(Say, st.sampled_from(["ann", "cid"]), st.just(1), st.sampled_from(["x", "/help", "e dragon"]))
    monkeypatch.setitem(GRAMMARS, "comments", search._stories("local", saying, 9))
    looked = Search()
    for seed in (5, 6):
        looked.look("comments", seed, 100)
    (found,) = looked.findings.values()
    assert (found.kind, found.seed, found.story.runs) == ("a dragon", 5, ((Say("ann", 1, "e dragon"),),))
