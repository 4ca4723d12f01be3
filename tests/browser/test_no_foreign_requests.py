"""With `repo_url` set the theme asked the forge's API on every page, which the content policy forbade."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chromium import chromium, elsewhere, requests, served
from tests.support.site_game import build, game, write


@pytest.mark.browser
def test_no_forge_is_asked_and_nothing_is_complained_of(tmp_path: Path) -> None:
    write(tmp_path)
    config = tmp_path / "mkdocs.yml"
    config.write_text(config.read_text("utf-8") + 'repo_url: "https://github.com/ann/mail-game"\n', "utf-8")
    (tmp_path / "site_src" / "guide.md").write_text("# A guide\n", "utf-8")
    site = build(tmp_path, game())
    with served(site) as home, chromium(tmp_path / "profile") as driver:
        driver.get(f"{home}/index.html")
        driver.get(f"{home}/guide.html")
        driver.implicitly_wait(1)
        source = driver.find_element("css selector", "a.md-source")
        assert source.get_attribute("href") == "https://github.com/ann/mail-game"
        assert elsewhere(requests(driver), home) == []
        assert [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"] == []
