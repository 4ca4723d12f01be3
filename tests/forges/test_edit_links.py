"""Real forges, 3: the links into the editor of Gitea and Forgejo are 404 for players, and http homes had no links."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.wording.game_view import GameView
from tests.support.site_game import game, render_game

OUTWARD = re.compile(r'<a href="([^"]*)"[^>]* class="fm-outward(?: btn)?">(.*?)</a>')


def on(forge: dict[str, Any]) -> GameView:
    view = game()
    return replace(view, documents={**view.documents, "game": {**view.document("game"), "forge": forge}})


def links(view: GameView) -> dict[str, dict[str, str]]:
    return {
        path: {words: html.unescape(address) for address, words in OUTWARD.findall(text)}
        for path, text in render_game(view).items()
    }


@pytest.mark.parametrize("home", ["https://codeberg.org/ann/g", "http://git.lan:3000/ann/g"])
def test_no_page_leads_where_only_writers_may_go(home: str) -> None:
    found = links(on({"kind": "gitea", "home": home}))
    addresses = [address for page in found.values() for address in page.values()]
    assert addresses
    for address in addresses:
        assert re.match(re.escape(home) + r"/(issues/new\?template=|issues/\d+$|pulls/\d+$)", address)
    assert "field:rule=206" in found["law/206.md"]["Propose a change of it"].replace("%3A", ":")
    assert "Propose a new rule" in found["law/index.md"]
    assert "Do it by a form" in found["act.md"]


def test_everything_that_could_be_begun_on_github_can_be_begun_elsewhere_by_a_form() -> None:
    home = "https://forge.example/ann/g"
    sections = {
        kind: render_game(on({"kind": kind, "home": home}))["act.md"].split("<li data-k")
        for kind in ("github", "gitea")
    }
    for github, gitea in zip(sections["github"], sections["gitea"], strict=True):
        assert ("fm-outward" in github) == ("fm-outward" in gitea), github[:60]


def test_an_http_home_has_its_links_on_github_enterprise_too() -> None:
    found = links(on({"kind": "github", "home": "http://ghe.lan/ann/g"}))
    assert found["law/206.md"]["Propose a change of it"] == "http://ghe.lan/ann/g/edit/main/state/demo/rules/206.yaml"
