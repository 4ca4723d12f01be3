"""Scores, counts, names and dates on pages of votes, scores, people and the journal are what the record says, read in another way.

Packaged games are played by chance, their pages are made, and each time on them, each score, count and number of what is
named must be that of the plain entries and documents (`audit.py`). Another test alters single figures, of pages and of the record, and asks to be told.
"""

from __future__ import annotations

import copy
import re
from functools import cache
from random import Random
from typing import Any

import pytest

from folkmoot.game import rulesets
from tests.conftest import FUZZ
from tests.figures.audit import Audit
from tests.figures.facts import Facts
from tests.figures.readings import Figure, figures, pages
from tests.figures.site import Played, played

GAMES = rulesets.names() if FUZZ else ["council", "gavel", "orchard", "suber-mail"]
ROUNDS, SEEDS = (30, 6) if FUZZ else (8, 1)
UNREAD = ("law", "journal/season", "boards/", "act.md", "settings.md", "offices.md", "chance")
"""Pages that are not held against the record: those of the law, and what rules show themselves."""


@cache
def game(name: str, seed: int = 2) -> tuple[Played, Facts]:
    found = played(name, seed, ROUNDS)
    found.texts = {path: text for path, text in found.texts.items() if not path.startswith(UNREAD)}
    return found, Facts(found.entries, found.documents)


@pytest.mark.parametrize("seed", range(2, SEEDS + 2))
@pytest.mark.parametrize("name", GAMES)
def test_every_figure_that_a_rule_holds_is_that_of_the_record(name: str, seed: int) -> None:
    found, facts = game(name, seed)
    audit = Audit(facts, pages(found.texts), found.shown)
    assert [*audit.findings()] == []
    assert audit.counted.total() - audit.counted["free"] > 500, "there are figures"


# -- it tells what is false

STRICT = ("balance", "over time", "end of a line", "tally", "range", "time", "alike")
LOOSE = ("ledger", "name")
"""What explains figures: what holds them to one value each, and what may by chance explain a false one too."""


def _altered(figure: Figure) -> None:
    """Let a page say another number, or another time."""
    if figure.at:
        words = figure.node.all("")[0]
        words.words = re.sub(r"(\d)(?=\D*$)", lambda at: str((int(at[1]) + 1) % 10), words.words)
        figure.node.known_text = None
        return
    by = next(n for n in (7, 8) if str(n) != figure.written[-1])
    start = figure.node.words.index(figure.written)
    written = figure.written[:-1] + str(by)
    figure.node.words = figure.node.words[:start] + written + figure.node.words[start + len(figure.written) :]
    for each in figure.node.up():
        each.known_text = None


@cache
def _explained(name: str) -> dict[str, list[tuple[str, int]]]:
    """Return the pages and places of the figures of a game by what explains them."""
    explained: dict[str, list[tuple[str, int]]] = {}
    (found, facts), known = game(name), pages(game(name)[0].texts)
    audit = Audit(facts, known, found.shown)
    for path, root in known.items():
        for place, each in enumerate(figures(path, root)):
            explained.setdefault(audit.time(each) if each.at else audit.number(each), []).append((path, place))
    return explained


def _is_told(name: str, path: str, place: int) -> bool:
    """Say whether a figure of a page is found when it is altered."""
    found, facts = game(name)
    fresh = pages({path: found.texts[path]})
    _altered([*figures(path, fresh[path])][place])
    return bool([*Audit(facts, fresh, found.shown).findings()])


@pytest.mark.parametrize("kind", [*STRICT, *LOOSE])
def test_a_false_figure_on_a_page_is_found(kind: str) -> None:
    """In two games some of the figures that are explained so are altered, one at a time."""
    chance = Random(kind)
    known = [(name, *each) for name in ("orchard", "suber-mail") for each in _explained(name).get(kind, ())]
    drawn = chance.sample(known, min(len(known), 200 if FUZZ else 8))
    told = [_is_told(*each) for each in drawn]
    least = 0.9 if kind in STRICT else 0.2
    assert told.count(True) >= least * len(drawn) > 0, [each for each, was in zip(drawn, told, strict=True) if not was]


def _score(_entries: Any, documents: Any) -> None:
    documents["things/player"]["ann"]["fruit"] += 50


def _award(entries: Any, _documents: Any) -> None:
    found = next(e for entry in entries for e in entry.get("effects") or () if e["effect"] == "award")
    found["to"] += 50


def _moved(entries: Any, _documents: Any) -> None:
    """Move the first entry that has its second for itself."""
    times = [entry["at"] for entry in entries]
    next(entry for entry in entries if times.count(entry["at"]) == 1)["at"] = "2026-03-02T01:02:03Z"


def _ballot(_entries: Any, documents: Any) -> None:
    for each in documents.values():
        if each.get("outcome") and each.get("ballots"):
            each["ballots"].popitem()


@pytest.mark.parametrize("alter", [_score, _award, _moved, _ballot])
def test_a_record_that_says_something_else_than_the_pages_is_found(alter: Any) -> None:
    found, _facts = game("orchard")
    entries, documents = copy.deepcopy(found.entries), copy.deepcopy(found.documents)
    alter(entries, documents)
    assert next(Audit(Facts(entries, documents), pages(found.texts), found.shown).findings(), "")


def test_a_line_of_a_chart_that_is_drawn_falsely_is_found() -> None:
    found, facts = game("orchard")
    path = "scores/index.md"
    text = re.sub(r'd="(M\d+ \d+)(H\d+V)(\d+)', lambda at: f'd="{at[1]}{at[2]}{int(at[3]) - 40}', found.texts[path])
    assert text != found.texts[path]
    assert [each for each in Audit(facts, pages({path: text}), found.shown).findings() if "a line in" in each]
