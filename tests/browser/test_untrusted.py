"""The corpus of hostile text, tried in a real browser: nothing runs, nothing loads, no page breaks, wherever it stands."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
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
from tests.support.chromium import elsewhere, requests, served
from tests.support.looks import found
from tests.support.site_game import published
from tests.untrusted.sinks import hostile, payloads

LOOK = (Path(__file__).parents[1] / "browser" / "look.js").read_text("utf-8")
RAW = "<main>{}</main>"
INERT = "parsed, not shown: "
READ = """
const [addresses, done] = arguments;
const read = async address => {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
  return [address.slice(1), look(page)];
};
Promise.all(addresses.map(read)).then(pages => done(Object.fromEntries(pages)));
"""
PARSE = """
const parsed = ([name, text]) => [name, look(new DOMParser().parseFromString(text, 'text/html'))];
return Object.fromEntries(arguments[0].map(parsed));
"""


At = tuple[webdriver.Chrome, str, Path]
Looks = dict[str, dict[str, Any]]
ATOM = "{http://www.w3.org/2005/Atom}"
EVERY = 1 if FUZZ else 3
PAYLOAD = "<img src=x onerror=document.documentElement.dataset.ran=1>"
RAN = "return document.documentElement.dataset.ran || null"
ACTED = """
const active = /^(script|iframe|object|style)$/i;
const acts = e => active.test(e.tagName) || [...e.attributes].some(a => a.name.startsWith('on'));
const found = [...document.querySelectorAll('.fm-search li *')].filter(acts).map(e => e.outerHTML);
return (document.documentElement.dataset.ran || '') + found.join('');
"""


@pytest.fixture(scope="module")
def served_site(hostile_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve a copy of the site of a harmless and a hostile game, without the content policy that would hide a leak."""
    site = shutil.copytree(hostile_folder, tmp_path_factory.mktemp("untrusted") / "site")
    with served(site) as address:
        yield address, site


@pytest.fixture
def at(driver: webdriver.Chrome, served_site: tuple[str, Path]) -> At:
    return driver, *served_site


def read(driver: webdriver.Chrome, address: str, paths: list[str]) -> Looks:
    """Return pages of a site as the browser parses them, without showing them."""
    driver.get(f"{address}/404.html")
    seen: Looks = {}
    for first in range(0, len(paths), 40):
        seen |= driver.execute_async_script(LOOK + READ, [f"/{path}" for path in paths[first : first + 40]])
    return seen


@pytest.fixture(scope="module")
def looked(chrome: webdriver.Chrome, served_site: tuple[str, Path]) -> tuple[Looks, list[str], str]:
    """Return every page of the hostile game as the browser sees it, every address it asked for, and that of the site."""
    driver, (address, site) = chrome, served_site
    requests(driver)
    seen: Looks = {}
    everything = [page.relative_to(site).as_posix() for page in sorted((site / "hostile").rglob("*.html"))]
    visited = [page for page in everything if _visited(Path(page))]
    for page in ["demo/law/206.html", *visited, "index.html"]:
        driver.get(f"{address}/{page}")
        seen[page] = driver.execute_script(LOOK + "return look(document);")
    sound = [page.relative_to(site).as_posix() for page in sorted((site / "demo").rglob("*.html"))]
    parsed = read(driver, address, [*sound, *(page for page in everything if page not in visited)])
    seen |= {f"{INERT}{path}": each for path, each in parsed.items()}
    driver.get(f"{address}/index.html")
    for number, words in enumerate(("before after", "script document", "proposal 902")):
        found(driver, words, is_open=number > 0)
    seen["search"] = {"ran": driver.execute_script(ACTED) or None}
    return seen, requests(driver), address


def _visited(page: Path) -> bool:
    """Whether a page is opened: all that gather many payloads, and some of the rules, proposals, players and the journal.

    The others hold the same payloads and are parsed by the browser without being shown.
    """
    numbers = re.findall(r"\d+", page.stem)
    turns = {"law": 0, "proposals": 1, "players": 2, "journal": 1}
    every = 3 if FUZZ else 16
    return page.parent.name not in turns or not numbers or int(numbers[-1]) % every == turns[page.parent.name]


def _kind(path: str) -> str:
    """Return of which kind the page of a game is, by its folder or its name."""
    first, more, _ = path.partition("demo/" if "demo/" in path else "hostile/")[2].partition("/")
    return first if more else path.rpartition("/")[2]


@pytest.mark.threat("T-37")
def test_nothing_runs(looked: tuple[Looks, list[str], str]) -> None:
    seen, _, _ = looked
    assert {path: each["ran"] for path, each in seen.items() if each["ran"]} == {}
    acting = {path: each["bad"] for path, each in seen.items() if each.get("bad")}
    assert acting == {}, json.dumps(acting, indent=1)[:4000]


@pytest.mark.threat("T-37")
def test_nothing_loads_from_elsewhere(looked: tuple[Looks, list[str], str]) -> None:
    _, asked, address = looked
    assert len(asked) > 100
    assert elsewhere(asked, address) == []


def test_the_page_around_stays_as_it_was_and_no_text_is_swallowed(looked: tuple[Looks, list[str], str]) -> None:
    """Whatever came before it, the last statement of a journal page and the end of a rule's page are there."""
    seen, _, _ = looked
    sound: dict[str, list[dict[str, Any]]] = {}
    for path, each in seen.items():
        if path.startswith(f"{INERT}demo/"):
            sound.setdefault(_kind(path), []).append(each)
    for inert in ("", INERT):
        of_game = {path: each for path, each in seen.items() if path.startswith(f"{inert}hostile/")}
        assert len(of_game) > 12
        for part in ("scripts", "title", "head", "frame"):
            wrong = [
                path for path, each in of_game.items() if each[part] not in [it[part] for it in sound[_kind(path)]]
            ]
            assert wrong == [], part
    assert {path: each["wide"] for path, each in seen.items() if each.get("wide", 0) > 0} == {}
    assert min(each["text"] for path, each in seen.items() if "/law/rule" in path) > 300
    assert min(each["text"] for path, each in seen.items() if "/journal/0" in path) > 5000


# -- where it does not stand on a page as it is: in feeds, in what scripts make, in templates


def parsed(at: At, pieces: dict[str, str]) -> dict[str, list[str]]:
    """Return what is wrong with pieces of HTML, as the browser parses them, by their names."""
    driver, address, _site = at
    driver.get(f"{address}/404.html")
    texts = {name: RAW.format(text).encode("utf-8", "surrogatepass") for name, text in pieces.items()}
    given = [(name, text.decode("utf-8", "replace")) for name, text in texts.items()]
    seen: Looks = driver.execute_script(LOOK + PARSE, given)
    assert len(seen) == len(pieces)
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


def test_what_feeds_say_is_harmless_where_a_reader_shows_it_and_runs_nothing_where_it_is_opened(at: At) -> None:
    """All of it is text, and what a reader would set as markup is no markup that acts."""
    driver, address, site = at
    told: dict[str, str] = {}
    for path in sorted((site / "hostile").glob("*.atom")):
        feed = ET.fromstring(path.read_text("utf-8"))
        assert {each.tag for each in feed.iter() if not each.tag.startswith(ATOM)} == set()
        links = [each.attrib["href"] for each in feed.iter(f"{ATOM}link")]
        assert [link for link in links if re.match(r"\s*(?!https?:)[\w+.-]+:", link)] == []
        words = [each for each in feed.iter() if each.tag in (f"{ATOM}title", f"{ATOM}summary", f"{ATOM}content")]
        assert {each.get("type", "text") for each in words} <= {"text", "html"}
        told |= {f"{path.stem}-{n}": each.text or "" for n, each in enumerate(words) if each.get("type") == "html"}
        driver.get(f"{address}/hostile/{path.name}")
        assert driver.execute_script(RAN) is None
    assert parsed(at, told) == {}


def test_the_law_over_time_and_lists_that_are_narrowed_by_a_payload_show_words_alone(at: At) -> None:
    """What a script reads of the law's file, as of two moments and compared."""
    driver, address, _site = at
    driver.get(f"{address}/hostile/law-time/index.html#at=99999&since=1")
    WebDriverWait(driver, 20).until(lambda there: there.find_elements(By.CSS_SELECTOR, ".fm-time .redline"))
    driver.execute_script("document.querySelector('.fm-time form').remove()")  # our own controls
    nothing_happened(at)
    for page in ("law/index.html", "journal/0001.html"):
        driver.get(f"{address}/hostile/{page}#{PAYLOAD}")
        for field in driver.find_elements(By.CSS_SELECTOR, "main input[type=search]"):
            field.send_keys(PAYLOAD)
        for choice in driver.find_elements(By.CSS_SELECTOR, "main .chips input"):
            driver.execute_script("arguments[0].click()", choice)
        nothing_happened(at)


def test_the_page_for_an_address_that_leads_nowhere_repeats_no_markup_of_it(at: At) -> None:
    driver, address, site = at
    name = "<img src=x onerror=document['documentElement']['dataset']['ran']=1>"  # with no dot, it is that of a page
    pages = site / "hostile" / name, site / "hostile" / f"{name}.html"
    for page, data in zip(pages, ((site / "404.html").read_bytes(), b"there"), strict=True):
        page.write_bytes(data)
    driver.get(f"{address}/hostile/{quote(name)}")
    assert driver.execute_script(RAN) is None
    assert driver.execute_script("return document.querySelectorAll('main img').length") == 0
    for page in pages:
        page.unlink()  # other tests look at every page that is there


def test_the_laws_own_sentence_and_what_templates_of_a_repository_show_are_words_alone(at: At, tmp_path: Path) -> None:
    now, pieces = hostile(every=9), {}
    for name, text in payloads().items():
        for form, said in (("text", text), ("list", [text[:200] or "-", "rule 1", "p1"])):
            documents = {**now.documents, "things/duty": {}}
            view = replace(now, answers={**now.answers, "headline": said}, documents=documents)
            pieces[f"{name}-{form}"] = str(status_of(Here(view, "index.md")).by)
    place = tmp_path / "overrides" / "pages" / "now.html"
    place.parent.mkdir(parents=True)
    place.write_text("<p title='{{ page.title }}'>{{ page.title }} {{ page.summary }} {{ chrome.title }}</p>", "utf-8")
    templates = OwnTemplates(tmp_path)
    pieces |= drawn(published(hostile(every=EVERY), templates))
    assert templates.problems == []
    assert parsed(at, pieces) == {}


# -- that the looks notice something


def test_the_look_notices_what_is_not_tamed(at: At) -> None:
    wrong = parsed(at, {"acting": "<p onclick='x()'>a</p>", "sound": "<p>a</p>"})
    assert list(wrong) == ["acting"]
