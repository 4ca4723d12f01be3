"""The corpus of hostile text, tried in a real browser: nothing runs, nothing loads, no page breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import as_screen, chromium, requests, served
from tests.pages.game import game, write
from tests.untrusted.sinks import hostile, payloads

pytestmark = pytest.mark.browser

LOOK = """
const inside = document.querySelector('.md-content__inner'), all = [...inside.querySelectorAll('*')];
const bad = [];
for (const e of all) {
  for (const a of e.attributes) {
    if (a.name.startsWith('on')) bad.push('handler ' + e.tagName + ' ' + a.name);
    if (['href', 'src', 'action', 'xlink:href'].includes(a.name) && /^[\\s\\x00-\\x1f]*(javascript|data|vbscript|file):/i.test(a.value))
      bad.push('address ' + a.value.slice(0, 60));
    if (a.name === 'style' && !/^(min-width:\\d+px;max-width:\\d+px|unicode-bidi:isolate)$/.test(a.value)) bad.push('style ' + a.value.slice(0, 60));
  }
  if (/^(script|iframe|frame|object|embed|style|link|meta|base|form|input|textarea|select|button|img|video|audio|picture|source|template|dialog|math|animate|set|foreignObject|use|image)$/i.test(e.tagName))
    bad.push('element ' + e.outerHTML.slice(0, 80));
  if (e.tagName === 'A' && e.host && e.host !== location.host && !/nofollow/.test(e.rel)) bad.push('link without rel ' + e.href.slice(0, 60));
}
const ids = all.map(e => e.id).filter(Boolean);
const doubled = ids.filter((id, n) => ids.indexOf(id) !== n);
if (doubled.length) bad.push('doubled id ' + doubled[0]);
const frame = e => [...e.children].map(c => c.tagName + '.' + [...c.classList].filter(k => !k.includes('nav--')).join('.'));
return {bad, ran: document.documentElement.dataset.ran || null,
        frame: frame(document.body).concat(frame(document.querySelector('.md-container'))),
        scripts: document.scripts.length, head: document.head.querySelectorAll('script,style,link,meta,base').length,
        wide: document.documentElement.scrollWidth - innerWidth,
        text: inside.innerText.length, title: document.title.slice(-8)};
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a harmless and a hostile game, without the content policy that would hide a leak."""
    from engine.publish import build

    folder = tmp_path_factory.mktemp("hostile")
    write(folder, game(), hostile())
    (folder / "site_src" / "overrides" / "main.html").unlink()
    return build(folder / "mkdocs.yml")


@pytest.fixture(scope="module")
def looked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, dict], list[str], str]]:
    """Every page of the hostile game as the browser sees it, and every address it asked for."""
    with served(site) as address, chromium(tmp_path_factory.mktemp("profile")) as driver:
        as_screen(driver, 1280, "light")
        seen, asked = {}, []
        for page in [
            site / "demo" / "law" / "206.html",
            *sorted((site / "hostile").rglob("*.html")),
            site / "index.html",
        ]:
            path = page.relative_to(site).as_posix()
            driver.get(f"{address}/{path}")
            seen[path] = driver.execute_script(LOOK)
            asked += requests(driver)
        seen["search"] = {"ran": _search(driver, address)}
        asked += requests(driver)
        yield seen, asked, address


def _search(driver, address: str) -> str | None:
    """Type into the search field and return what ran, if anything."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    driver.get(f"{address}/index.html")
    for words in ("before after", "script document", "rule 402"):
        field = driver.find_element(By.CSS_SELECTOR, "input.md-search__input")
        driver.execute_script("arguments[0].focus()", field)
        field.clear()
        field.send_keys(words)
        WebDriverWait(driver, 20).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".md-search-result__item"))
    found = driver.execute_script(
        "return [document.documentElement.dataset.ran || '',"
        " ...[...document.querySelectorAll('.md-search-result *')].filter(e => /^(script|iframe|object|style|svg)$/i"
        ".test(e.tagName) && !e.closest('.md-icon') || [...e.attributes].some(a => a.name.startsWith('on'))).map(e => e.outerHTML)].join('')"
    )
    return found or None


def test_nothing_runs(looked) -> None:
    seen, _, _ = looked
    assert {path: each["ran"] for path, each in seen.items() if each["ran"]} == {}


def test_nothing_loads_from_elsewhere(looked) -> None:
    _, asked, address = looked
    assert len(asked) > len(payloads())
    assert [url for url in asked if not url.startswith((address, "data:", "blob:", "chrome:", "about:"))] == []


def test_nothing_that_could_act_is_on_a_page(looked) -> None:
    seen, _, _ = looked
    found = {path: each["bad"] for path, each in seen.items() if each.get("bad")}
    assert found == {}, json.dumps(found, indent=1)[:4000]


def test_the_page_around_stays_as_it_was(looked) -> None:
    seen, _, _ = looked
    sound = seen.pop("demo/law/206.html")
    seen = {path: each for path, each in seen.items() if path not in ("search", "index.html")}
    for part in ("frame", "scripts", "title"):
        assert {path: each[part] for path, each in seen.items() if each[part] != sound[part]} == {}, part
    assert {path: each["head"] for path, each in seen.items() if abs(each["head"] - sound["head"]) > 1} == {}


def test_no_page_is_wider_than_the_screen(looked) -> None:
    seen, _, _ = looked
    assert {path: each["wide"] for path, each in seen.items() if each.get("wide", 0) > 0} == {}


def test_no_text_is_swallowed(looked) -> None:
    """Whatever came before it, the last statement of a journal page and the end of a rule's page are there."""
    seen, _, _ = looked
    assert min(each["text"] for path, each in seen.items() if "/law/rule" in path) > 300
    assert min(each["text"] for path, each in seen.items() if "/journal/0" in path) > 5000
