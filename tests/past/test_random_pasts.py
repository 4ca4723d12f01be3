"""Whatever past rules had: it is read as it was written, and each revision has a moment within what is said of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.past_dates import backward, moments_of, span_of
from folkmoot.core.rule_pasts import flaws_of
from folkmoot.files.reader import read_history
from tests.conftest import FUZZ
from tests.past.folders import as_yaml

SEEDS = range(400 if FUZZ else 8)


def date(chance: random.Random, year: int) -> str:
    month, day = chance.randint(1, 12), chance.randint(1, 28)
    exact = f"{year}-{month:02d}-{day:02d}"
    forms = [
        str(year),
        f"{year}-{month:02d}",
        exact,
        f"{exact}T10:20:30Z",
        f"about {year}",
        f"{year} to {year + 2}",
        "unknown",
    ]
    return chance.choice([*forms, f"after {year}", f"before {year}-{month:02d}", exact, exact])


def past(chance: random.Random, *, in_force: bool) -> list[dict[str, Any]]:
    """Return a sound past: years go up, so that inexact dates may overlap and never run backwards for certain."""
    found: list[dict[str, Any]] = []
    year, stands = 1990, False
    for _ in range(chance.randint(1, 9)):
        year += chance.randint(0, 4)
        said: dict[str, Any] = {"at": date(chance, year)}
        if stands and chance.random() < 0.2:
            said["repealed"] = True
        else:
            said |= {"title": f"Title {year}"} | ({"text": f"Text of {year}.\n"} if chance.random() < 0.7 else {})
        if chance.random() < 0.5:
            said |= {"cause": f"proposal {chance.randint(1, 99)}"}
        if backward([span for each in (*found, said) if (span := span_of(each["at"]))]) is None:
            found.append(said)
            stands = "repealed" not in said
    last = {"at": "2020-05-05"} if in_force else {"at": "2020-05-05", "repealed": True}
    return [*found, last] if in_force or stands else found or past(chance, in_force=in_force)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_past_is_read_as_it_was_written(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    revisions = past(chance, in_force=chance.random() < 0.5)
    assert [*flaws_of(revisions)] == []
    file = tmp_path / "1.yaml"
    as_yaml(file, {"revisions": revisions})
    read = read_history(file.read_text(), str(file))["revisions"]
    assert [{k: v for k, v in each.items() if k != "unknown"} for each in read] == revisions
    for each, last in zip(read, [False] * (len(read) - 1) + [True], strict=True):
        assert each.get("unknown", False) == (not last and "repealed" not in each and "text" not in each)
    spans = [span for each in revisions if (span := span_of(each["at"]))]
    moments = moments_of(spans, 2_000_000_000)
    assert moments == sorted(moments)
    assert all(low <= at <= high for at, (low, high) in zip(moments, spans, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_past_in_another_order_is_refused_or_has_moments_in_that_order(seed: int) -> None:
    chance = random.Random(seed)
    revisions = past(chance, in_force=True)
    chance.shuffle(revisions)
    spans = [span for each in revisions if (span := span_of(each["at"]))]
    if backward(spans) is None:
        assert (moments := moments_of(spans, 2_000_000_000)) == sorted(moments)
    else:
        assert any("run backwards" in flaw.message for flaw in flaws_of(revisions))
