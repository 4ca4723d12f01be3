"""The links into the editor of Gitea and Forgejo are 404 for players: no page leads there, nor where http is spoken."""

from __future__ import annotations

import html
import re

import pytest
from msgspec.structs import replace

from tests.support.site_game import game, render_game

OUTWARD = re.compile(r'<a href="([^"]*)"[^>]* class="fm-outward(?: btn)?">')


@pytest.mark.parametrize("home", ["https://codeberg.org/ann/g", "http://git.lan:3000/ann/g"])
def test_no_page_leads_where_only_writers_may_go(home: str) -> None:
    view = game()
    on_forge = {**view.document("game"), "forge": {"kind": "gitea", "home": home}}
    pages = render_game(replace(view, documents={**view.documents, "game": on_forge}))
    addresses = [html.unescape(found) for text in pages.values() for found in OUTWARD.findall(text)]
    assert addresses
    allowed = re.compile(re.escape(home) + r"/(issues/new\?template=|issues/\d+$|pulls/\d+$)")
    assert [address for address in addresses if not allowed.match(address)] == []
