"""What axe finds on a page."""

from __future__ import annotations

import json
import os
from typing import Any

from selenium import webdriver

PLACE = os.environ.get("FOLKMOOT_STANDINS", "")
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_STANDINS") == "1"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = f"""
const done = arguments[0];
axe.run(document, {{runOnly: {json.dumps(RULES)}, resultTypes: ["violations"]}}).then(
  found => done(found.violations.map(each => [each.id, each.help, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))])),
  error => done([["axe", String(error), []]]));
"""


def findings(driver: webdriver.Chrome, axe: str) -> list[Any]:
    """Return what axe-core finds on the page that is shown: rule, sentence, and the elements."""
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    found: list[Any] = driver.execute_async_script(LOOK)
    return found
