"""What other sites show beside a link to a page: its title, what it is about, and a picture that can be fetched."""

from __future__ import annotations

import re
import struct
from html import unescape
from pathlib import Path

import pytest
from msgspec.structs import replace

from folkmoot.site.cards import png_of
from folkmoot.site.pages.now import game_card
from folkmoot.site.publish import Publisher
from tests.support.site_game import game, write

ADDRESS = "https://games.example/moot/"
PAGES = ("index.html", "demo/index.html", "demo/law/304.html", "demo/proposals/301.html", "demo/players/ann.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cards")
    view = replace(game(), address=ADDRESS)
    write(root)
    config = root / "mkdocs.yml"
    config.write_text(config.read_text("utf-8").replace("site_dir:", f'site_url: "{ADDRESS}"\nsite_dir:'), "utf-8")
    Publisher(root).publish_games([view], root / "site", index=False)
    return root / "site"


def told(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page)
    assert len(found) == len(dict(found)), "each is said once"
    return {name: unescape(content) for name, content in found}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_what_to_show_beside_a_link_to_it(site: Path, path: str) -> None:
    page = (site / path).read_text("utf-8")
    said = told(page)
    title = unescape(re.search(r"<title>(.*?)</title>", page, re.DOTALL)[1])  # type: ignore[index]
    assert said["og:title"]
    assert said["og:title"] in title
    assert said["og:description"]
    assert said["og:url"] == f"{ADDRESS}{path}"
    assert said["og:image"] == f"{ADDRESS}{'demo' if path.startswith('demo') else 'assets'}/card.png"


@pytest.mark.parametrize("path", PAGES[:2])
def test_the_picture_is_there_and_as_large_as_it_is_said_to_be(site: Path, path: str) -> None:
    said = told((site / path).read_text("utf-8"))
    data = (site / said["og:image"].removeprefix(ADDRESS)).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (int(said["og:image:width"]), int(said["og:image:height"]))
    assert len(data) < 100_000


def test_a_picture_is_drawn_anew_where_it_shows_something_new() -> None:
    view = game()
    shown = game_card(view)
    assert shown.title == view.title
    assert "leads" in shown.above
    assert png_of(shown) == png_of(game_card(view))
    assert png_of(shown) != png_of(replace(shown, title="Another game"))
    assert png_of(replace(shown, title="六朝", above="<image href='file:///etc/passwd'/>")).startswith(b"\x89PNG")


def test_a_picture_with_signs_that_its_fonts_lack_is_all_in_those_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []

    def svg_to_bytes(svg_string: str, **_given: object) -> bytes:
        drawn.append(svg_string)
        return b""

    monkeypatch.setattr("folkmoot.site.cards.resvg_py.svg_to_bytes", svg_to_bytes)
    for title in ("Season", "Сезон"):
        png_of(replace(game_card(game()), title=title))
    assert ["Literata" in each for each in drawn] == [True, False]
