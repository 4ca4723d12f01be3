"""Finding 12 of the first hour: a handful of small lies and slips."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.cli.outcomes import failed
from folkmoot.cli.terminal import counted
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.site_game import game

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
EPOCH = range(10**9, 3 * 10**9)


def numbers_of(record: Any, path: str = "") -> list[str]:
    """Return where a record holds what looks like a time in seconds."""
    if isinstance(record, dict):
        return [each for name, value in record.items() for each in numbers_of(value, f"{path}/{name}")]
    if isinstance(record, list):
        return [each for place, value in enumerate(record) for each in numbers_of(value, f"{path}/{place}")]
    return [path] if isinstance(record, int) and record in EPOCH else []


def test_a_misspelt_status_is_not_proposed(gathering: Gathering) -> None:
    before = gathering.refs()
    said = gathering.moot("ann", "propose", "--transmute", "101=mutabel", code=1)
    assert "did you mean `--transmute 101=mutable`?" in said.err
    assert gathering.refs() == before


def test_times_for_programs_are_stamps(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    status = gathering.moot("ann", "status", "--json").record
    assert STAMP.fullmatch(status["at"])
    assert STAMP.fullmatch(status["open"][0]["submitted_at"])
    assert numbers_of(status) == []
    git(gathering.clone("ann"), "pull", "--quiet")
    for what in (["rule", "203"], ["proposal", "301"], ["game", "mover"]):
        assert numbers_of(gathering.moot("ann", "explain", *what, "--json").record) in ([], ["/registers/posted_at"])


@pytest.mark.parametrize(("number", "words"), [(1, "1 problem"), (0, "0 problems"), (2, "2 problems")])
def test_numbers_and_nouns_agree(number: int, words: str) -> None:
    assert counted(number, "problem") == words


def test_a_register_whose_name_ends_in_a_preposition_reads_well() -> None:
    here = Here(game(), "x.md")
    what = {"effect": "put", "of": "ann", "name": "last_post_at", "from": None, "to": 3}
    assert strip(effect(here, {}, what)).startswith("Last post at (Ann Abel): ")
    assert strip(effect(here, {}, {**what, "name": "score"})).startswith("Score of Ann Abel: ")


def test_a_failing_script_is_placed_in_its_script() -> None:
    failure = {"rule": "203", "hook": "on_x", "error": "no such key", "line": 3}
    assert failed(failure) == "rule 203: on_x failed in line 3 of its script: no such key"
    assert "line ?" not in failed({**failure, "line": None})
