"""Where no `site_url` is given, a page that is missing had no style below a path, and the map of the site no address."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from folkmoot.ops.doctor.repository_files import addresses
from tests.support.chromium import as_screen, chromium, served
from tests.support.site_game import build, game, write
from tests.support.sites import plain_site

GROUND = "return getComputedStyle(document.documentElement).backgroundColor"


def test_the_forges_whose_pages_have_known_addresses_give_one() -> None:
    given = {
        "https://github.com/Ann/game": "https://ann.github.io/game/",
        "https://codeberg.org/ann/game": "https://ann.codeberg.page/game/",
        "https://codeberg.org/ann/pages": "https://ann.codeberg.page/",
    }
    for home, wanted in given.items():
        kind = "github" if "github" in home else "gitea"
        assert addresses(kind, home, "main")["site_url"] == wanted
    assert "site_url" not in addresses("gitea", "https://git.example/ann/game", "main")


def test_no_map_without_addresses_is_left_and_one_with_addresses_stays(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    assert not list(plain_site(tmp_path_factory).glob("sitemap.xml*"))
    write(tmp_path)
    config = tmp_path / "mkdocs.yml"
    config.write_text(config.read_text("utf-8") + 'site_url: "https://ann.example/games/"\n', "utf-8")
    placed = build(tmp_path, game())
    assert "<loc>https://ann.example/games/demo/law/index.html</loc>" in (placed / "sitemap.xml").read_text("utf-8")
    assert b"ann.example" in gzip.decompress((placed / "sitemap.xml.gz").read_bytes())
    assert 'href="/games/assets/' in (placed / "404.html").read_text("utf-8")


@pytest.mark.browser
def test_a_missing_page_below_a_path_has_its_style_and_leads_home(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    site = shutil.copytree(plain_site(tmp_path_factory), tmp_path / "server" / "ann" / "games")
    (site / "demo" / "law" / "999.html").write_bytes((site / "404.html").read_bytes())  # as a server would answer
    with served(tmp_path / "server") as home, chromium(tmp_path / "profile") as driver:
        as_screen(driver, 1280, "light")
        driver.get(f"{home}/ann/games/demo/law/999.html")
        assert driver.execute_script(GROUND) == "rgb(251, 250, 245)"
        assert [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []
        driver.find_element("css selector", "main a").click()
        assert driver.current_url == f"{home}/ann/games/index.html"
        assert "The mail game" in driver.find_element("css selector", "main").text
