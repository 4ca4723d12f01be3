"""The corpus of hostile text where it does not stand on a page as it is: in feeds, in what scripts make, in templates."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.site.page_model import OwnTemplates, Page
from folkmoot.site.pages.status import status_of
from folkmoot.wording.page_links import Here
from tests.conftest import FUZZ
from tests.support.chromium import as_screen, chromium, elsewhere, requests, served
from tests.support.inert import INERT, LOOK, RAW, READ
from tests.support.site_game import published
from tests.support.sites import hostile_site
from tests.untrusted.sinks import hostile, payloads

pytestmark = [pytest.mark.browser, pytest.mark.threat("T-37")]

ATOM = "{http://www.w3.org/2005/Atom}"
EVERY = 1 if FUZZ else 3
FOUND = "return document.documentElement.dataset.ran || null"
At = tuple[webdriver.Chrome, str, Path]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    """A browser, and a copy of the hostile site to which pages are added."""
    site = shutil.copytree(hostile_site(tmp_path_factory), tmp_path_factory.mktemp("surfaces") / "site")
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        as_screen(driver, 1280, "light")
        yield driver, address, site


def parsed(at: At, pages: dict[str, str]) -> dict[str, list[str]]:
    """Return what is wrong with pieces of HTML, as the browser parses them, by their names."""
    driver, address, site = at
    (site / "raw").mkdir(exist_ok=True)
    for name, text in pages.items():
        (site / "raw" / f"{name}.html").write_text(RAW.format(text), "utf-8", "surrogatepass")
    driver.get(f"{address}/404.html")
    names = [f"/raw/{quote(name)}.html" for name in pages]
    seen = {}
    for first in range(0, len(names), 40):
        seen |= driver.execute_async_script(LOOK + READ, names[first : first + 40])
    assert len(seen) == len(pages)
    return {path: each["bad"] for path, each in seen.items() if each["bad"] or each["ran"]}


def drawn(pages: list[Page]) -> dict[str, str]:
    """Return what pages say, without the frame around."""
    return {page.path.replace("/", "-").removesuffix(".md"): str(page.body) for page in pages}


def nothing_happened(at: At) -> None:
    """Hold that nothing ran, nothing that acts is on the page that is shown, and nothing was asked of others."""
    driver, address, _site = at
    seen = driver.execute_script(LOOK + "return look(document);")
    assert (seen["ran"], seen["bad"]) == (None, [])
    assert elsewhere(requests(driver), address) == []


def test_what_feeds_say_is_harmless_where_a_reader_shows_it(at: At) -> None:
    """All of it is text, and what a reader would set as markup is no markup that acts."""
    told: dict[str, str] = {}
    for path in sorted((at[2] / "hostile").glob("*.atom")):
        feed = ET.fromstring(path.read_text("utf-8"))
        assert {each.tag for each in feed.iter() if not each.tag.startswith(ATOM)} == set()
        links = [each.attrib["href"] for each in feed.iter(f"{ATOM}link")]
        assert [link for link in links if re.match(r"\s*(?!https?:)[\w+.-]+:", link)] == []
        words = [each for each in feed.iter() if each.tag in (f"{ATOM}title", f"{ATOM}summary", f"{ATOM}content")]
        assert {each.get("type", "text") for each in words} <= {"text", "html"}
        told |= {f"{path.stem}-{n}": each.text or "" for n, each in enumerate(words) if each.get("type") == "html"}
    assert (parsed(at, told) if told else {}) == {}


def test_a_feed_that_is_opened_runs_nothing(at: At) -> None:
    driver, address, site = at
    paths = sorted((site / "hostile").glob("*.atom"))
    assert paths
    for path in paths:
        driver.get(f"{address}/hostile/{path.name}")
        assert driver.execute_script(FOUND) is None


def test_the_law_over_time_shows_words_alone(at: At) -> None:
    """What a script reads of the law's file, as of two moments and compared."""
    driver, address, _site = at
    requests(driver)
    driver.get(f"{address}/hostile/law-time/index.html")
    driver.get("about:blank")
    driver.get(f"{address}/hostile/law-time/index.html#at=99999&since=1")
    WebDriverWait(driver, 20).until(lambda there: there.find_elements(By.CSS_SELECTOR, ".fm-time .redline"))
    driver.execute_script("document.querySelector('.fm-time form').remove()")  # our own controls
    nothing_happened(at)


@pytest.mark.parametrize("page", ["law/index.html", "journal/0001.html"])
def test_narrowing_lists_by_a_payload_does_nothing_else(at: At, page: str) -> None:
    driver, address, _site = at
    requests(driver)
    driver.get(f"{address}/hostile/{page}#<img src=x onerror=document.documentElement.dataset.ran=1>")
    for field in driver.find_elements(By.CSS_SELECTOR, "main input[type=search]"):
        field.send_keys("<img src=x onerror=document.documentElement.dataset.ran=1>")
    for choice in driver.find_elements(By.CSS_SELECTOR, "main .chips input"):
        driver.execute_script("arguments[0].click()", choice)
    nothing_happened(at)


def test_the_page_for_an_address_that_leads_nowhere_repeats_no_markup_of_it(at: At) -> None:
    driver, address, site = at
    name = "<img src=x onerror=document['documentElement']['dataset']['ran']=1>"  # with no dot, it is that of a page
    (site / "hostile" / name).write_bytes((site / "404.html").read_bytes())
    (site / "hostile" / f"{name}.html").write_text("there", "utf-8")
    driver.get(f"{address}/hostile/{quote(name)}")
    assert driver.execute_script(FOUND) is None
    assert driver.execute_script("return document.querySelectorAll('main img').length") == 0


def test_the_laws_own_sentence_is_words_alone(at: At) -> None:
    now = hostile(every=9)
    given = payloads()
    pages = {}
    for name, text in given.items():
        for form, said in (("text", text), ("list", [text[:200] or "-", "rule 1", "p1"])):
            view = replace(
                now, answers={**now.answers, "headline": said}, documents={**now.documents, "things/duty": {}}
            )
            pages[f"{name}-{form}"] = str(status_of(Here(view, "index.md")).by)
    assert parsed(at, pages) == {}


def test_the_law_over_time_is_words_alone(at: At) -> None:
    view = hostile(every=EVERY)
    pages = drawn([page for page in published(view) if page.path == "law-time/index.md"])
    assert parsed(at, pages) == {}


def test_what_templates_of_a_repository_show_is_words_alone(at: At, tmp_path: Path) -> None:
    place = tmp_path / "overrides" / "pages" / "now.html"
    place.parent.mkdir(parents=True)
    place.write_text("<p title='{{ page.title }}'>{{ page.title }} {{ page.summary }} {{ chrome.title }}</p>", "utf-8")
    made = OwnTemplates(tmp_path)
    pages = drawn(published(hostile(every=EVERY), made))
    assert made.problems == []
    assert parsed(at, pages) == {}


def test_the_look_at_pieces_notices_what_acts(at: At) -> None:
    wrong = parsed(at, {"acting": "<p onclick='x()'>a</p>", "sound": "<p>a</p>"})
    assert list(wrong) == ["raw/acting.html"]
    assert INERT
