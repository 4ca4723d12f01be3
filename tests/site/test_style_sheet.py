"""The style sheet of games: within its budget, and readable by day and by night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).parents[2] / "site_src" / "assets" / "site.css"
PAIRS = [
    *(("--ink", ground) for ground in ("--paper", "--card", "--sunk")),
    *(("--soft", ground) for ground in ("--paper", "--card", "--sunk")),
    *(("--act", ground) for ground in ("--paper", "--card")),
    *((f"--{name}", f"--{name}-bg") for name in ("ins", "del", "wait", "open")),
    ("--act-ink", "--act"),
    *((f"--p{n}", "--card") for n in range(8)),
    *(("--pi", f"--p{n}") for n in range(8)),
]


def _tokens(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6})\b", css))


def _sheets() -> dict[str, dict[str, str]]:
    text = SHEET.read_text("utf-8")
    light, _, rest = text.partition("@media (prefers-color-scheme: dark)")
    dark = rest.partition(".p0 {")[0]
    return {"light": _tokens(light[: light.index(".g0")]), "dark": _tokens(dark[: dark.index(".g0")])}


def _brightness(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    tokens = {**_sheets()["light"], **_sheets()[scheme]}
    for text, ground in PAIRS:
        high, low = sorted((_brightness(tokens[text]), _brightness(tokens[ground])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


def test_the_sheet_stays_within_its_budget() -> None:
    assert len(SHEET.read_bytes()) <= 38_000


def test_every_width_of_a_bar_has_a_class() -> None:
    assert {int(n) for n in re.findall(r"\.w(\d+)\{", SHEET.read_text("utf-8"))} == set(range(101))
