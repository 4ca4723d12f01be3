"""The style sheets of sites: within their budget, and of the same colours by day and by night."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "site_src" / "assets"


def test_what_is_a_colour_by_day_is_one_by_night() -> None:
    """Whether they can be read is measured in a browser."""
    css, found = (ASSETS / "folkmoot.css").read_text("utf-8"), []
    for selector in ("[data-md-color-scheme]", '[data-md-color-scheme="default"]'):
        body = re.search(rf"^ *{re.escape(selector)} \{{(.*?)\}}", css, re.MULTILINE | re.DOTALL)
        assert body, selector
        found.append({name for name in re.findall(r"(--?[\w-]+): [^;]+;", body[1]) if name.startswith("--fm")})
    assert found[0] == found[1] != set()


def test_the_sheet_stays_within_its_budget_and_has_a_class_for_every_width_of_a_bar() -> None:
    assert (ASSETS / "site.css").stat().st_size <= 38_000
    widths = re.findall(r"\.w(\d+)\{", (ASSETS / "site.css").read_text("utf-8"))
    assert {int(n) for n in widths} == set(range(101))


def test_the_configuration_reads_alike_in_both_dialects_of_yaml() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert YAML(typ="safe", pure=True).load(text) == yaml.safe_load(text)
