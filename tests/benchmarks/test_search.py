"""How soon a reader of a large site sees a first result, and how much their browser fetches for it.

Milliseconds are printed; what is fetched is asserted. The long form has 20,000 pages (made, not played: see
`tests.large.pages`) and takes some minutes; `FOLKMOOT_BENCHMARK_ENTRIES` asks for the short one.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from folkmoot.site.search import index_site
from tests.large.pages import write_pages
from tests.support.chromium import chromium, served
from tests.support.sites import plain_site

LONG = not os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES")
PAGES = 20_000 if LONG else 1_500
RUNS = 5 if LONG else 1
MOST_KB = 400 if LONG else 200
GAP = 90
"""Milliseconds between two letters of somebody who types fast."""
TYPED = """
const [words, gap, done] = arguments;
const sleep = milliseconds => new Promise(ended => setTimeout(ended, milliseconds));
(async () => {
  document.querySelector(".find").click();
  let field;
  while (!(field = document.querySelector(".fm-search input"))) await sleep(1);
  if (gap) await sleep(500);
  const list = document.querySelector(".fm-search ol"), told = document.querySelector(".fm-search [role=status]");
  let last, first, kb = 0;
  const fetched = () => performance.getEntriesByType("resource").filter(each => each.name.includes("/pagefind/"))
    .reduce((sum, each) => sum + each.transferSize, 0) / 1024;
  new MutationObserver(() => {
    if (last && !first && list.children.length) [first, kb] = [performance.now() - last, fetched()];
  }).observe(list, { childList: true });
  for (let count = gap ? 1 : words.length; count <= words.length; count++) {
    field.value = words.slice(0, count);
    if (count === words.length) { list.replaceChildren(); last = performance.now(); }
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (count < words.length) await sleep(gap);
  }
  let said = "", since = performance.now();
  while (performance.now() - since < 1500) {
    const now = `${told.textContent} ${list.children.length}`;
    if (now !== said) [said, since] = [now, performance.now()];
    await sleep(20);
  }
  done({ first, kb, all: fetched(), told: told.textContent, title: list.querySelector("a")?.textContent ?? "" });
})();
"""

pytestmark = [pytest.mark.benchmark, pytest.mark.browser, *([pytest.mark.long] if LONG else [])]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, str, list[str]]]:
    """Return a browser, the address of a large site, and words that are seldom in it."""
    site = shutil.copytree(plain_site(tmp_path_factory), tmp_path_factory.mktemp("large") / "site")
    words = write_pages(site / "demo", PAGES)
    index_site(site)
    with served(site) as address, chromium(tmp_path_factory.mktemp("browser")) as driver:
        driver.set_script_timeout(60)
        yield driver, f"{address}/index.html", words


def _found(driver: webdriver.Chrome, address: str, words: str, gap: int) -> dict[str, Any]:
    """Return what a new visitor finds, and when, who has fetched nothing yet."""
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    driver.get(address)
    WebDriverWait(driver, 30).until(
        lambda it: it.execute_script("return !!document.querySelector('.find[data-ready]')")
    )
    time.sleep(0.3)
    told: dict[str, Any] = driver.execute_async_script(TYPED, words, gap)
    return told


def test_a_first_result_comes_soon_and_of_little(large: tuple[webdriver.Chrome, str, list[str]]) -> None:
    driver, address, seldom = large
    wanted = {"rule 1201": "Rule 1201: ", "1202": "Proposal 1202: ", "50310": "Rule 310: ", "lantern": "", seldom[2_000]: "",
              "orreryx": None, "99999": None}  # fmt: skip
    for how, gap in (("at once", 0), ("typed", GAP)):
        for words, title in wanted.items():
            found = [_found(driver, address, words, gap) for _ in range(RUNS)]
            times = [each["first"] for each in found if each["first"] is not None]
            first = f"{median(times):4.0f} ms" if times else "nothing"
            kb, all_ = (median(each[of] for each in found) for of in ("kb", "all"))
            print(
                f"\n{words:10} {how:8} {first}, {kb:3.0f} KB; all that was fetched: {all_:3.0f} KB ({found[0]['told']})",
                end="",
            )
            if title is not None:
                assert found[0]["title"].startswith(title), json.dumps(found[0])
                assert times
                assert kb < MOST_KB
            else:
                assert all_ < MOST_KB, "what is nowhere fetches little"
    print()
