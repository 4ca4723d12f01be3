"""Every number and every date on every page of a game is what the record says, read in another way.

Each packaged game is played by chance, its pages are made, and each figure on them must be explained by the plain
entries and documents (`audit.py`). Another test alters single figures, of pages and of the record, and asks to be told.
"""

from __future__ import annotations

import copy
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from folkmoot.game import rulesets
from tests.conftest import FUZZ
from tests.figures.audit import Audit
from tests.figures.chance_play import Played, Table
from tests.figures.facts import Facts
from tests.figures.readings import Figure, figures, pages
from tests.figures.site import texts_of

PACKAGED = sorted(each.parent.name for each in Path(rulesets.__file__).parent.glob("*/ruleset.yaml"))
ROUNDS, SEEDS = (30, 6) if FUZZ else (8, 1)


@cache
def _site(name: str, seed: int = 1, rounds: int = ROUNDS) -> tuple[Played, dict[str, str], dict[str, Any]]:
    played = Table(name, seed).play(rounds)
    return (played, *texts_of(played))


def _facts(played: Played) -> Facts:
    return Facts(played.entries, played.documents, played.order)


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
@pytest.mark.parametrize("name", PACKAGED)
def test_every_figure_on_every_page_is_in_the_record(name: str, seed: int) -> None:
    played, texts, shown = _site(name, seed)
    audit = Audit(_facts(played), pages(texts), shown)
    findings = [*audit.findings()]
    assert sum(audit.counted.values()) > 500, "there are figures"
    assert findings == []


# -- it tells what is false

STRICT = ("balance", "over time", "end of a line", "tally", "count", "range", "refused", "limit", "time", "alike")
LOOSE = ("ledger", "name", "rank", "axis", "fact", "quoted")
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
    played, texts, shown = _site(name)
    found: dict[str, list[tuple[str, int]]] = {}
    known = pages(texts)
    audit = Audit(_facts(played), known, shown)
    for path, root in known.items():
        for place, each in enumerate(figures(path, root)):
            found.setdefault(audit.time(each) if each.at else audit.number(each), []).append((path, place))
    return found


def _is_told(name: str, path: str, place: int) -> bool:
    """Say whether a figure of a page is found when it is altered."""
    played, texts, shown = _site(name)
    fresh = pages({path: texts[path]})
    _altered([*figures(path, fresh[path])][place])
    return bool([*Audit(_facts(played), fresh, shown).findings()])


@pytest.mark.parametrize("kind", [*STRICT, *LOOSE])
def test_a_false_figure_on_a_page_is_found(kind: str) -> None:
    """In two games some of the figures that are explained so are altered, one at a time."""
    chance = Random(kind)
    known = [(name, *each) for name in ("orchard", "suber") for each in _explained(name).get(kind, ())]
    drawn = chance.sample(known, min(len(known), 48))
    told = [_is_told(*each) for each in drawn]
    least = 0.9 if kind in STRICT else 0.2
    assert told.count(True) >= least * len(drawn) > 0, [each for each, was in zip(drawn, told, strict=True) if not was]


def test_most_figures_that_are_false_are_found_wherever_they_stand() -> None:
    """Figures are drawn by chance; a number that is false may by chance be another fact of what it is about."""
    chance = Random("altered")
    places = [each for found in _explained("orchard").values() for each in found]
    told = [_is_told("orchard", *each) for each in chance.sample(places, 80)]
    assert told.count(True) > 40, told.count(True)


def test_a_record_that_says_something_else_than_the_pages_is_found() -> None:
    played, texts, shown = _site("orchard")
    known = pages(texts)

    def findings(alter: Any) -> int:
        entries, documents = copy.deepcopy(played.entries), copy.deepcopy(played.documents)
        alter(entries, documents)
        return len([*Audit(Facts(entries, documents, played.order), known, shown).findings()])

    def score(_entries: Any, documents: Any) -> None:
        documents["things/player"]["ann"]["fruit"] += 50

    def award(entries: Any, _documents: Any) -> None:
        found = next(e for entry in entries for e in entry.get("effects") or () if e["effect"] == "award")
        found["to"] += 50

    def moved(entries: Any, _documents: Any) -> None:
        """Move the first entry that has its second for itself."""
        times = [entry["at"] for entry in entries]
        next(entry for entry in entries if times.count(entry["at"]) == 1)["at"] = "2026-03-02T01:02:03Z"

    def ballot(_entries: Any, documents: Any) -> None:
        for each in documents.values():
            if each.get("outcome") and each.get("ballots"):
                each["ballots"].popitem()

    def rule(_entries: Any, documents: Any) -> None:
        next(iter(documents["law"]["rules"].values()))["in_force"] = False

    for alter in (score, award, moved, ballot, rule):
        assert findings(alter) > 0, alter.__name__
    assert findings(lambda *_: None) == 0


def test_a_line_of_a_chart_that_is_drawn_falsely_is_found() -> None:
    played, texts, shown = _site("orchard")
    path = "scores/index.md"
    text = re.sub(r'd="(M\d+ \d+)(H\d+V)(\d+)', lambda at: f'd="{at[1]}{at[2]}{int(at[3]) - 40}', texts[path])
    assert text != texts[path]
    assert [each for each in Audit(_facts(played), pages({path: text}), shown).findings() if "a line in" in each]
