"""The corpus of hostile text, tried in a real browser: nothing runs, nothing loads, no page breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException

from tests.conftest import FUZZ
from tests.support.chromium import as_screen, chromium, elsewhere, requests, served
from tests.support.inert import INERT, LOOK, RAW, READ
from tests.support.looks import found
from tests.support.sites import hostile_site
from tests.untrusted.sinks import payloads

ACTED = """
const active = /^(script|iframe|object|style)$/i;
const acts = e => active.test(e.tagName) || [...e.attributes].some(a => a.name.startsWith('on'));
const found = [...document.querySelectorAll('.fm-search li *')].filter(acts).map(e => e.outerHTML);
return (document.documentElement.dataset.ran || '') + found.join('');
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a harmless and a hostile game, without the content policy that would hide a leak."""
    return hostile_site(tmp_path_factory)


@pytest.fixture(scope="module")
def looked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, dict], list[str], str]]:
    """Every page of the hostile game as the browser sees it, and every address it asked for."""
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        as_screen(driver, 1280, "light")
        seen, asked = {}, []
        everything = sorted((site / "hostile").rglob("*.html"))
        visited = [page for page in everything if _visited(page)]
        for page in [site / "demo" / "law" / "206.html", *visited, site / "index.html"]:
            path = page.relative_to(site).as_posix()
            driver.get(f"{address}/{path}")
            seen[path] = driver.execute_script(LOOK + "return look(document);")
            asked += requests(driver)
        sound = sorted((site / "demo").rglob("*.html"))
        left = [*sound, *(page for page in everything if page not in visited)]
        rest = [page.relative_to(site).as_posix() for page in left]
        for at in range(0, len(rest), 40):
            read = driver.execute_async_script(LOOK + READ, [f"/{path}" for path in rest[at : at + 40]])
            seen |= {f"{INERT}{path}": each for path, each in read.items()}
        seen["search"] = {"ran": _search(driver, address)}
        asked += requests(driver)
        yield seen, asked, address


def _visited(page: Path) -> bool:
    """Whether a page is opened: all that gather many payloads, and some of the rules, proposals and players.

    The others hold the same payloads and are parsed by the browser without being shown.
    """
    numbers = re.findall(r"\d+", page.stem)
    turns = {"law": 0, "proposals": 1, "players": 2}
    return (
        page.parent.name not in turns or not numbers or int(numbers[-1]) % (3 if FUZZ else 8) == turns[page.parent.name]
    )


def _search(driver, address: str) -> str | None:
    """Type into the search field and return what ran, if anything."""
    driver.get(f"{address}/index.html")
    for number, words in enumerate(("before after", "script document", "proposal 902")):
        found(driver, words, is_open=number > 0)
    return driver.execute_script(ACTED) or None


@pytest.mark.threat("T-37")
def test_nothing_runs(looked) -> None:
    seen, _, _ = looked
    assert {path: each["ran"] for path, each in seen.items() if each["ran"]} == {}


@pytest.mark.threat("T-37")
def test_nothing_loads_from_elsewhere(looked) -> None:
    _, asked, address = looked
    assert len(asked) > 100
    assert elsewhere(asked, address) == []


def test_nothing_that_could_act_is_on_a_page(looked) -> None:
    seen, _, _ = looked
    found = {path: each["bad"] for path, each in seen.items() if each.get("bad")}
    assert found == {}, json.dumps(found, indent=1)[:4000]


@pytest.mark.parametrize("inert", ["", INERT])
def test_the_page_around_stays_as_it_was(looked, inert: str) -> None:
    seen = {path: each for path, each in looked[0].items() if path.startswith(f"{inert}hostile/")}
    sound: dict[str, list[dict]] = {}
    for path, each in looked[0].items():
        if path.startswith(f"{INERT}demo/"):
            sound.setdefault(_kind(path), []).append(each)
    assert len(seen) > (50 if FUZZ else 12)
    for part in ("scripts", "title", "head", "frame"):
        wrong = {
            path: each[part] for path, each in seen.items() if each[part] not in [it[part] for it in sound[_kind(path)]]
        }
        assert wrong == {}, part


def _kind(path: str) -> str:
    """Return of which kind the page of a game is, by its folder or its name."""
    first, more, _ = path.partition("demo/" if "demo/" in path else "hostile/")[2].partition("/")
    return first if more else path.rpartition("/")[2]


def test_no_page_is_wider_than_the_screen(looked) -> None:
    seen, _, _ = looked
    assert {path: each["wide"] for path, each in seen.items() if each.get("wide", 0) > 0} == {}


def test_no_text_is_swallowed(looked) -> None:
    """Whatever came before it, the last statement of a journal page and the end of a rule's page are there."""
    seen, _, _ = looked
    assert min(each["text"] for path, each in seen.items() if "/law/rule" in path) > 300
    assert min(each["text"] for path, each in seen.items() if "/journal/0" in path) > 5000


def test_the_look_notices_what_is_not_tamed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same look at raw payloads: most of the markup acts, loads or is seen."""
    raw = {name: text for name, text in payloads().items() if name.startswith("markup")}
    raw = raw if FUZZ else dict(list(raw.items())[::3])
    for name, text in raw.items():
        (tmp_path / f"{name}.html").write_text(RAW.format(text), "utf-8")
    noticed = set()
    with served(tmp_path) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        driver.set_page_load_timeout(20)
        for name in raw:
            driver.switch_to.new_window("tab")
            try:
                driver.get(f"{address}/{name}.html")
                seen = driver.execute_script(LOOK + "return look(document);")
            except WebDriverException:
                noticed.add(name)  # it left the page, or broke it
                continue
            away = [url for url in requests(driver) if "evil.example" in url]
            noticed |= {name} if seen["ran"] or seen["bad"] or away else set()
    assert len(noticed) >= len(raw) * 3 // 4, sorted(set(raw) - noticed)
