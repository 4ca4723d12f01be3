"""A page runs the scripts that the theme wrote, each known by its digest; one that a player slipped in does not run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.chromium import chromium, served
from tests.support.looks import PAGES as KINDS_OF_PAGES
from tests.support.sites import plain_site

SLIPPED_IN = (
    '<script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">'
    '<style>h1 { position: fixed }</style><p id="sly" style="position:fixed">'
)
PAGES = ("index.html", "404.html", "guide.html", "demo/index.html", "demo/law/304.html")


@pytest.mark.parametrize("page", PAGES)
def test_no_page_allows_inline_scripts(page: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = (plain_site(tmp_path_factory) / page).read_text("utf-8")
    scripts = text.partition("script-src ")[2].partition(";")[0].split()
    assert "'unsafe-inline'" not in scripts
    others = {word for word in scripts if not word.startswith("'sha256-")}
    assert others == {"'self'", "'wasm-unsafe-eval'"}, "the search is WebAssembly of the site's own; eval stays refused"
    inline = set(re.findall(r"<script>(.*?)</script>", text, re.DOTALL))
    assert len(scripts) == 2 + len(inline)
    assert bool(inline) == (page in ("404.html", "guide.html")), "the theme's, and what finds the way back"
    styles = text.partition("style-src ")[2].partition(";")[0].split()
    assert {word for word in styles if not word.startswith("'sha256-")} == {"'self'"}
    assert ' style="' not in text, "browsers ignore what the policy does not allow"


@pytest.mark.browser
def test_what_a_player_slips_in_does_not_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    text = (site / "demo/offices.html").read_text("utf-8")
    name = "demo/slipped-in.html"
    Path(site / name).write_text(text.replace("</main>", f"{SLIPPED_IN}</main>"), "utf-8")
    try:
        with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
            driver.get(f"{address}/{name}")
            assert driver.title != "ran"
            refused = [
                line["message"] for line in driver.get_log("browser") if "Content Security Policy" in line["message"]
            ]
            assert len(refused) == 4, refused
            assert driver.execute_script("return getComputedStyle(sly).position") == "static"
            driver.get(f"{address}/demo/offices.html")
            assert [line for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []
            assert driver.find_elements("css selector", ".find[data-ready]"), "our own runs"
    finally:
        (site / name).unlink()


@pytest.mark.browser
def test_the_theme_needs_nothing_that_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        for page in KINDS_OF_PAGES:
            driver.get(f"{address}/{page}")
            driver.execute_script(
                "document.querySelector('.find')?.click(); for (const each of document.querySelectorAll("
                "'details, label, .md-clipboard')) { each.open = true; each.click(); }"
            )
            refused = [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"]
            assert refused == [], page
