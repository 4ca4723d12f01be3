"""The fuzzer finds what is wrong, makes it small, and tells the same stories whenever it begins with the same seed."""

from __future__ import annotations

import pytest

from folkmoot.referee import facts as addressees
from folkmoot.referee import intake
from tests.fuzz import inputs, search
from tests.fuzz.inputs import Say, Story, Wait
from tests.fuzz.search import GRAMMARS, Finding, Search, ending

QUIET = Story("local", ((Say("bob", 1, "I like dragons."), Say("ann", 1, "/vote for"), Wait(60)),))
SAID = (
    Say("cid", 1, "/vote for"),
    Say("bob", 1, "/help"),
    Say("bob", 1, "one\ntwo\nI like dragon.\nthree"),
    Say("ann", 1, "/vote for"),
)


def stories(monkeypatch: pytest.MonkeyPatch, grammar: str, seed: int) -> list[Story]:
    """Return the stories that follow from a seed, of which none is told."""
    told: list[Story] = []

    def kept(story: Story) -> None:
        told.append(story)

    monkeypatch.setattr(search, "ending", kept)
    Search().look(grammar, seed, 5)
    return told


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_the_same_seed_tells_the_same_stories(monkeypatch: pytest.MonkeyPatch, grammar: str) -> None:
    first = stories(monkeypatch, grammar, 7)
    assert len(first) >= 5
    assert stories(monkeypatch, grammar, 7) == first
    assert stories(monkeypatch, grammar, 8) != first


def test_a_story_is_written_so_that_it_can_be_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for grammar in GRAMMARS:
        for story in stories(monkeypatch, grammar, 3):
            text = Finding(grammar, 3, "kind", "trace", story).text().encode("utf-8", "backslashreplace").decode()
            assert eval(text.partition("\nSTORY = ")[2], vars(inputs)) == story


def test_every_grammar_is_reached_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each story takes half a minute here, of the ten that there are: a few of each kind, and none is left out."""
    now = [0.0]

    def slow(_story: Story) -> None:
        now[0] += 30

    monkeypatch.setattr(search, "ending", slow)
    monkeypatch.setattr(search.time, "monotonic", lambda: now[0])
    looked = search.look_for(10, 1, sorted(GRAMMARS), lambda _found: None, lambda _report: None)
    assert set(looked.stories) == set(GRAMMARS)
    assert max(looked.stories.values()) <= 4


def test_what_is_ordinary_ends_well() -> None:
    assert ending(QUIET) is None


def test_what_ends_a_run_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that lies in the engine, for comments about dragons."""
    before = addressees.read_form
    monkeypatch.setattr(addressees, "read_form", lambda body: before(body) if "dragon" not in body else [].pop())
    monkeypatch.setattr(
        search, "tell", lambda story: [addressees._named_game(e.body) for run in story.runs for e in run]
    )
    told: list[Finding] = []
    looked = Search(told=told.append)
    looked._one("comments", 5, Story("local", (SAID[:2], SAID[2:])))
    looked._one("comments", 6, Story("local", (SAID,)))
    assert [(each.kind, each.seed) for each in told] == [("IndexError in referee/facts.py:_named_game", 5)]
    assert told[0].story == Story("local", ((Say("bob", 1, "e dragon"),),))
    assert "    2 times: IndexError" in looked.report()
    assert "grammar comments, seed 5" in told[0].text()


def test_what_a_boundary_catches_is_a_finding_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = intake.commands_in
    monkeypatch.setattr(intake, "commands_in", lambda body: before(body) if "dragon" not in body else [].pop())
    found = ending(QUIET)
    assert found is not None
    assert found[0].startswith("E-FAULT: IndexError")


def test_a_fault_of_the_fuzzer_s_own_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "tell", lambda _: {}["nothing"])
    with pytest.raises(KeyError):
        ending(QUIET)


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_some_stories_of_each_grammar_end_well(grammar: str) -> None:
    """Half a minute of what `python -m tests.fuzz` does for an hour, always the same."""
    looked = Search(minimising=20)
    looked.look(grammar, 20_260_105, 1)
    assert looked.stories[grammar] >= 1
    assert not looked.findings, "\n".join(each.text()[:4_000] for each in looked.findings.values())
