"""The data of pages: published beside them, of one schema, and readable without knowing HTML."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from folkmoot.site.page_json import encoded, kinds, path_of, schema, words
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from tests.conftest import FUZZ
from tests.support.site_game import build, game, published, write
from tests.untrusted.sinks import hostile


@cache
def _schema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema())


@pytest.mark.parametrize("played", [game, partial(hostile, every=1 if FUZZ else 3)], ids=["game", "hostile"])
def test_the_data_of_every_page_is_of_the_schema(played: Any) -> None:
    met = set()
    for page in published(played()):
        if page.data is not None:
            data = json.loads(encoded(page.data))
            met.add(data["kind"])
            assert [f"{page.path} {each.instance_path} {each.message}" for each in _schema().iter_errors(data)] == []
    assert {"now", "act"} <= met <= set(kinds())


@pytest.mark.parametrize(("markup", "parts"), [
    ("", ""), ("plain &amp; simple", "plain & simple"), ("<bdi>ann</bdi> won", "ann won"),
    ('by <a href="players/ann.html" class="who"><bdi>a &lt; b</bdi></a>.',
     ["by ", {"text": "a < b", "to": "players/ann.html"}, "."]),
    ('<time datetime="2026-01-05T12:00:00Z" title="x">Mon</time>', [{"text": "Mon", "at": "2026-01-05T12:00:00Z"}]),
    ("<del>72</del> <ins>48</ins>", [{"text": "72", "struck": True}, " ", {"text": "48", "inserted": True}]),
    ('<a href="x"><strong>y</strong></a>', [{"text": "y", "to": "x", "strong": True}]),
    ("<p>a</p>", {"html": "<p>a</p>"}), ("<svg></svg>", {"html": "<svg></svg>"}),
])  # fmt: skip
def test_words_are_parts(markup: str, parts: object) -> None:
    assert words(Html(markup)) == parts


def test_a_site_has_the_data_beside_its_pages_and_drops_it_with_them(tmp_path: Path) -> None:
    write(tmp_path)
    now: GameView = game()
    site = build(tmp_path, now)
    data = json.loads((site / "demo" / path_of("index.md")).read_text("utf-8"))
    assert (data["kind"], data["path"], data["title"]) == ("now", "index.html", now.title)
    assert 'href="data/index.json"' in (site / "demo" / "index.html").read_text("utf-8")
    assert (site / "demo" / "data" / "law" / "304.json").is_file()
    pages = {path.relative_to(site / "demo").with_suffix("") for path in (site / "demo").rglob("*.html")}
    known = {path.relative_to(site / "demo" / "data").with_suffix("") for path in (site / "demo/data").rglob("*.json")}
    assert pages == known
