"""What holds of every page of a site, whatever it is a page of: its headings, its names, and its content policy."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from selenium import webdriver

from tests.support.chromium import served
from tests.support.looks import PAGES

SOURCES = Path(__file__).parents[2] / "site_src"
SLIPPED_IN = (
    '<script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">'
    '<style>h1 { position: fixed }</style><p id="sly" style="position:fixed">'
)


@pytest.fixture(scope="module")
def texts(plain: Path) -> dict[str, str]:
    found = {page.relative_to(plain).as_posix(): page.read_text("utf-8") for page in plain.rglob("*.html")}
    assert len(found) > 60
    return found


def skips(levels: list[int]) -> bool:
    """Say whether headings are no outline: one title first, and no level left out on the way down."""
    return levels[:1] != [1] or levels.count(1) != 1 or any(below > above + 1 for above, below in pairwise(levels))


def test_headings_never_skip_a_level_and_no_anchor_is_there_twice(texts: dict[str, str]) -> None:
    for page, text in texts.items():
        assert not skips([int(level) for level in re.findall(r"<h([1-6])\b", text)]), page
        assert [each for each, count in Counter(re.findall(r' id="?([^" >]+)', text)).items() if count > 1] == [], page
    for guide in SOURCES.rglob("*.md"):  # whose title may be made of its first heading
        text = re.sub(r"^```.*?^```", "", guide.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", text, re.MULTILINE)]
        if "overrides" not in guide.parts and not (guide.parent / ".gitignore").exists() and levels:
            assert not skips(levels), (guide, levels)


def kind(page: str) -> str:
    """Return of which kind a page is: one of many numbered or named ones, or one by itself."""
    return re.sub(r"(law|proposals|players|journal|boards|chance|scores|embed)/(?!index)[^/]+$", r"\1/*", page)


def test_what_a_browser_looks_at_has_a_page_of_every_kind(texts: dict[str, str]) -> None:
    """So that no kind of page is left out where overflow and contrast are measured."""
    written = {path.with_suffix(".html").name for path in SOURCES.glob("*.md")} | {"guide.html"}
    every = {kind(page) for page in {*texts} - written if not page.startswith("second/")}
    assert every - {kind(page) for page in [*PAGES, "404.html"]} == set()


def test_dialogs_have_names_code_is_reached_by_keys_and_skipping_leads_to_the_title(texts: dict[str, str]) -> None:
    for page, text in texts.items():
        assert all('aria-label="Search"' in each for each in re.findall(r'<[^>]*role="dialog"[^>]*>', text)), page
        assert all('tabindex="0"' in each for each in re.findall(r"<pre\b[^>]*>", text)), page
        assert not re.search(r"<th\b[^>]*>\s*</th>", text), page
        if "embed/" not in page:  # for frames: the title comes first
            link = re.search(r'<a (?:class="skip" )?href="#([^"]*)"(?: class="md-skip")?>', text)
            assert link, page
            target = re.search(rf'<(main|h1) id="{link[1]}"', text)
            assert target, page
            assert re.findall(r"<h\d", text[target.start() :])[0] == "<h1", page


@pytest.mark.parametrize("page", ["index.html", "404.html", "guide.html", "demo/index.html", "demo/law/304.html"])
def test_no_page_allows_inline_scripts(page: str, texts: dict[str, str]) -> None:
    text = texts[page]
    scripts, styles = (text.partition(f"{of}-src ")[2].partition(";")[0].split() for of in ("script", "style"))
    others = {word for word in scripts if not word.startswith("'sha256-")}
    assert others == {"'self'", "'wasm-unsafe-eval'"}, "the search is WebAssembly of the site's own; eval stays refused"
    inline = set(re.findall(r"<script>(.*?)</script>", text, re.DOTALL))
    assert len(scripts) == 2 + len(inline)
    assert bool(inline) == (page in ("404.html", "guide.html")), "the theme's, and what finds the way back"
    assert {word for word in styles if not word.startswith("'sha256-")} == {"'self'"}
    assert ' style="' not in text, "browsers ignore what the policy does not allow"


def test_what_a_player_slips_in_does_not_run(driver: webdriver.Chrome, plain: Path, tmp_path: Path) -> None:
    text = (plain / "demo/offices.html").read_text("utf-8")
    (tmp_path / "slipped-in.html").write_text(text.replace("</main>", f"{SLIPPED_IN}</main>"), "utf-8")
    with served(tmp_path) as address:
        driver.get(f"{address}/slipped-in.html")
        assert driver.title != "ran"
        refused = [
            line["message"] for line in driver.get_log("browser") if "Content Security Policy" in line["message"]
        ]
        assert len([each for each in refused if "nline" in each]) == 4, refused
        assert driver.execute_script("return getComputedStyle(sly).position") == "static"
