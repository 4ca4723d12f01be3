"""A real browser, a web server for built pages, and what the browser asked for."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps"),
    *("--disable-extensions", "--disable-dev-shm-usage", "--window-size=1280,900"),
    "--renderer-process-limit=1",
    "--disable-features=RenderDocument,SpareRendererForSitePerProcess,ProactivelySwapBrowsingInstance,BackForwardCache",
)
"""The last two spare a process for each page, which is half of what it costs to open one."""


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an answer goes out in two parts
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, "": "text/html"}  # noqa: RUF012
    """A name without an ending is that of a page: what is of no kind would be saved and not shown."""

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """Serve a folder on this machine and give its address."""
    serving = functools.partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serving) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Browser(webdriver.Chrome):
    """A browser whose `get` returns when the page is there: some versions of the driver return before."""

    def get(self, url: str) -> None:
        """Open a page and wait until all of it is loaded."""
        before, began = self._page()
        super().get(url)
        same = "#" in url and before.partition("#")[0] == url.partition("#")[0]  # then only its place is another

        def is_there(_driver: object) -> bool:
            said, origin = self._page("document.readyState + ' ' + location.href")
            state, _, address = said.partition(" ")
            return state == "complete" and (same or origin != began) and (address == url or address != "about:blank")

        WebDriverWait(self, 60, 0.02, ignored_exceptions=[WebDriverException]).until(is_there)

    def _page(self, what: str = "location.href") -> tuple[str, float]:
        """Return something of the page that is shown, and when it began to load: of each page another time."""
        asked = {"expression": f"[{what}, performance.timeOrigin]", "returnByValue": True}
        said, began = self.execute_cdp_cmd("Runtime.evaluate", asked)["result"]["value"]
        return str(said), float(began)


@contextmanager
def chromium(profile: Path) -> Iterator[webdriver.Chrome]:
    """Start a headless Chromium with a fresh profile that records every request."""
    options = Options()
    options.binary_location = shutil.which("chromium") or "chromium"
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = Browser(options=options, service=Service(shutil.which("chromedriver") or "chromedriver"))
    driver.set_page_load_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


def requests(driver: webdriver.Chrome) -> list[str]:
    """Return the addresses that were asked for since the last call."""
    found = []
    for line in driver.get_log("performance"):  # type: ignore[no-untyped-call]
        message: dict[str, Any] = json.loads(line["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


OWN = ("data:", "blob:", "about:", "chrome:", "chrome-untrusted:")
"""How addresses begin that the browser asks itself, such as those of the page with which it starts."""


def elsewhere(asked: Iterable[str], address: str) -> list[str]:
    """Return which addresses that were asked for lie neither on the site nor in the browser itself."""
    return [url for url in asked if not url.startswith((address, *OWN))]


def as_screen(driver: webdriver.Chrome, width: int, scheme: str) -> None:
    """Make the browser a screen of a width in pixels, light or dark, whose reader wants no page to glide to its places."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    media = {"media": "", "features": [{"name": name, "value": value} for name, value in features.items()]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


@contextmanager
def without_scripts(driver: webdriver.Chrome) -> Iterator[None]:
    """Run no script of a page meanwhile, and leave that page: the driver cannot tell when it was loaded."""
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        driver.get("about:blank")
        WebDriverWait(driver, 10).until(lambda there: there.execute_script("return document.URL") == "about:blank")
