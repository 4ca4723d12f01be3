"""What is looked for on pages in a browser: kinds of pages, what moves, what can be read."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.standins import standin

PAGES = [
    "index.html", "demo/index.html", "demo/law/index.html", "demo/law/304.html", "demo/law/202.html",
    "demo/law/203.html", "demo/proposals/index.html", "demo/proposals/308.html", "demo/proposals/311.html",
    "demo/scores/index.html", "demo/players/index.html",
    "demo/players/ann.html", "demo/offices.html", "demo/act.html", "demo/settings.html",
    "demo/chance/index.html", "demo/journal/index.html", "demo/journal/0001.html", "demo/boards/world.html",
    "demo/boards/chequers.html", "demo/law-text/0001.html", "demo/law-time/index.html", "demo/law/306.html",
    "guide.html",
]  # fmt: skip
READABLE = (Path(__file__).parents[1] / "browser" / "readable.js").read_text("utf-8") + "return unreadable();"
RESULT = ".fm-search li"


def search_field(driver: webdriver.Chrome) -> WebElement:
    """Return the field of the search once that stands open: it is fetched when somebody opens it."""
    shown = ".fm-search[open] input:focus"
    return WebDriverWait(driver, 20).until(lambda there: there.find_elements(By.CSS_SELECTOR, shown))[0]


def found(driver: webdriver.Chrome, words: str, *, is_open: bool = False) -> list[str]:
    """Type words into the search, which is opened before, and return the titles of what is found, first things first."""
    if not is_open:
        driver.find_element(By.CSS_SELECTOR, ".find[data-ready]").click()
    field = search_field(driver)
    field.clear()
    driver.execute_script("document.querySelector('.fm-search ol').replaceChildren()")
    field.send_keys(words)
    WebDriverWait(driver, 60).until(lambda there: there.find_elements(By.CSS_SELECTOR, RESULT))
    return [each.text for each in driver.find_elements(By.CSS_SELECTOR, f"{RESULT} > a")]


STEP = "[...document.querySelectorAll('.steps .card > div')].filter(e => e.getClientRects().length)"
MOVES = STEP + ".map(e => e.querySelector('b').innerText).join()"
FOCUS = """
const e = document.activeElement;
if (!e || e === document.body) return null;
const drawn = e.matches("input[type=radio]") ? e.nextElementSibling ?? e.parentElement : e;
const place = drawn.getClientRects()[0] ?? drawn.getBoundingClientRect();
const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
const there = document.elementFromPoint(middle(place.left, place.right, innerWidth), middle(place.top, place.bottom, innerHeight));
return { words: (e.textContent || e.value || e.getAttribute("aria-label") || "").trim().slice(0, 60), tag: e.tagName,
  outlined: [drawn, e.closest("label")].filter(Boolean).map(each => getComputedStyle(each))
    .some(style => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1), area: place.width * place.height,
  seen: !!there && (drawn.contains(there) || there.contains(drawn)) };
"""


def focus(driver: webdriver.Chrome) -> Any:
    """Return what has the focus, after it was made sure that a reader sees it there."""
    has: Any = driver.execute_script(FOCUS)
    if not (has and has["seen"] and has["area"]):
        with suppress(TimeoutException):  # a page scrolls to it, and scripts may still be about to draw it
            has = WebDriverWait(driver, 5, 0.05).until(
                lambda there: (at := there.execute_script(FOCUS)) and at["seen"] and at["area"] and at
            )
    assert has, "the focus is lost"
    assert has["seen"], has
    assert has["outlined"], has
    assert has["area"] > 0, has
    return has


def shown(driver: webdriver.Chrome, expression: str) -> Any:
    """Return what an expression gives on a page whose own scripts do not run."""
    answer = driver.execute_cdp_cmd("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    return answer["result"].get("value")


def complaints(driver: webdriver.Chrome) -> list[str]:
    return [line["message"] for line in driver.get_log("browser") if line["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = f"""
const [contrast, done] = arguments, rules = {{"color-contrast": {{enabled: contrast}}}};
axe.run(document, {{runOnly: {json.dumps(RULES)}, rules, resultTypes: ["violations"]}}).then(
  found => done(found.violations.map(each => [each.id, each.help, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))])),
  error => done([["axe", String(error), []]]));
"""


def findings(driver: webdriver.Chrome, *, contrast: bool = True) -> list[Any]:
    """Return what axe-core finds on the page that is shown, of WCAG 2.2 up to AA: rule, sentence, and the elements.

    Half of its work is `contrast`, which `READABLE` measures, too.
    """
    axe = standin("node_modules/axe-core/axe.min.js").read_text("utf-8")
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    found: list[Any] = driver.execute_async_script(AXE, contrast)
    return found
