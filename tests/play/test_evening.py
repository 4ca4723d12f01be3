"""A whole evening of Lanterns at a table of plain git: three clones, three servers, a real browser, and no terminal."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.accessibility import PLACE, REQUIRED, findings
from tests.support.chromium import as_screen, chromium, without_scripts
from tests.support.forking import Forking
from tests.support.hurry import FORKED, hurry
from tests.support.island import ISLAND
from tests.support.looks import focus

pytestmark = pytest.mark.browser
PEOPLE = ("ann", "bob", "cid")
PATIENCE = 120  # seconds, on a busy machine
MORE = """defines: {player: {at: {type: string, initial: a1}}}
actions: {sail: {summary: Sail, arguments: {to: {type: string, summary: Where}}}}
"""


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "folkmoot", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def serving(clone: Path) -> Iterator[str]:
    """Run `moot serve` in a clone, and give the address that it prints."""
    words = [sys.executable, "-m", "folkmoot", "serve", "--port", "0", "--json"]
    with subprocess.Popen(words, cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            said = ""
            assert process.stdout is not None
            while not said.endswith("}\n"):
                said += process.stdout.readline()
            yield str(json.loads(said)["address"])
        finally:
            process.terminate()


class Table:
    """One browser, with the pages of each player."""

    def __init__(self, driver: webdriver.Chrome, addresses: dict[str, str]) -> None:
        self.driver = driver
        self.game = "evening"
        self.home = {who: address.partition(f"{self.game}/?")[0] for who, address in addresses.items()}
        as_screen(driver, 1280, "light")
        for address in addresses.values():
            driver.get(address)

    def open(self, who: str, page: str = "index.html") -> None:
        self.driver.get(f"{self.home[who]}{self.game}/{page}")

    def wait(self, found: Callable[[], Any]) -> Any:
        """Return what is found as soon as it is there, also where a page is loaded anew meanwhile."""
        gone = (StaleElementReferenceException,)
        return WebDriverWait(self.driver, PATIENCE, 0.1, ignored_exceptions=gone).until(lambda _driver: found())

    def one(self, selector: str) -> WebElement:
        return self.wait(lambda: next(iter(self.driver.find_elements(By.CSS_SELECTOR, selector)), None))

    def begin(self, selector: str, keys: str) -> None:
        """Type into a page that follows the game until somebody writes on it."""
        self.wait(lambda: (self.one(selector).send_keys(keys), True))

    def text(self) -> str:
        return str(self.driver.execute_script("return document.body.innerText"))

    def press(self, words: str) -> None:
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "main button, .me button")
        next(each for each in buttons if words in each.text).send_keys(Keys.ENTER)

    def follow(self, who: str, page: str, selector: str) -> None:
        """Open a page as soon as it has something, which comes with the game."""

        def is_there() -> bool:
            self.open(who, page)
            return bool(self.driver.find_elements(By.CSS_SELECTOR, selector))

        WebDriverWait(self.driver, PATIENCE, 1).until(lambda _driver: is_there())

    def recorded(self) -> str:
        """Wait on the page of what was sent until it is recorded."""
        self.one("[data-done]")
        said = self.text()
        assert "Recorded." in said, said
        self.wait(lambda: "only here" not in self.text())
        return said

    def propose(self, who: str, title: str, text: str, script: str = "", more: str = "") -> None:
        self.follow(who, "index.html", 'a[href$="/propose"].btn')
        self.wait(lambda: (self.one('a[href$="/propose"].btn').click(), True))
        self.begin('input[name="title"]', title)
        if script:
            for name, words in (("script", script), ("more", more)):
                field = self.driver.find_element(By.NAME, name)
                self.driver.execute_script(
                    "arguments[0].closest('details').open = true; arguments[0].value = arguments[1]", field, words
                )
        self.one('textarea[name="text"]').send_keys(text)
        self.wait(lambda: "If it is adopted" in self.text())
        assert self.one("ins").text in text
        self.one('input[name="vote"][value="for"]').send_keys(Keys.SPACE)
        self.press("Send the proposal")
        self.recorded()

    def vote(self, who: str, number: int, choice: str = "for", reason: str = "") -> str:
        page = f"proposals/{number}.html"
        self.follow(who, page, "#my-vote input")
        self.begin(f'#my-vote input[value="{choice}"]', Keys.SPACE)
        self.one("#my-vote [data-comes] .t")
        if reason:
            self.one('#my-vote textarea[name="reason"]').send_keys(reason)
        self.press("Send my vote")
        return self.recorded()


@pytest.fixture
def table(tmp_path: Path, forking: Forking, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    trusted = ["git", "config", "--global", "--add", "safe.directory", str(tmp_path / "evening.git")]
    subprocess.run(trusted, check=True)
    people = [word for who in PEOPLE for word in ("-p", who)]
    laid = json.loads(
        run(tmp_path, "table", "evening.git", *people, "-r", "lanterns", "--setting", "pace=1440", "--json")
    )
    hurry(Path(laid["table"]), forking.shim(tmp_path / "python", FORKED))
    for who in PEOPLE:
        subprocess.run(shlex.split(laid["lines"][who]), cwd=tmp_path, check=True)
    with ExitStack() as stack:
        addresses = {who: stack.enter_context(serving(tmp_path / who)) for who in PEOPLE}
        driver = stack.enter_context(chromium(tmp_path / "profile"))
        yield Table(driver, addresses)


def test_an_evening_is_played_in_the_browser_to_its_end(table: Table) -> None:
    driver = table.driver
    for n, who in enumerate(PEOPLE):
        table.open(who)
        assert f"You are {who}" in table.text()
        assert driver.title.startswith("(1) ") == (n == 0), "the title says what waits"
    # a rule with a board, adopted
    table.propose("ann", "The island", ISLAND["text"], ISLAND["script"], MORE)
    table.vote("bob", 1, reason="I like ships.")
    # a page on which somebody writes stays as it is while the game goes on
    table.follow("ann", "proposals/1.html", "#talk textarea")
    table.begin("#talk textarea", "And who")
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    assert "adopted" in table.vote("cid", 1)
    driver.close()
    driver.switch_to.window(first)
    table.wait(lambda: "newer entr" in table.one("[data-fresh]").text)
    assert table.one("#talk textarea").get_attribute("value") == "And who"
    # what comes back with a refusal has its links, and a reload does not send it again
    place = driver.current_url
    driver.execute_script("for (const each of document.querySelectorAll('[name=token]')) each.value = 'old'")
    table.press("Say it")
    table.wait(lambda: "And who" in table.text())
    assert driver.current_url == place
    assert driver.execute_script("return document.querySelector('header nav a').href").startswith(table.home["ann"])
    assert driver.execute_script("return getComputedStyle(document.querySelector('.me')).borderBottomWidth") != "0px"
    # a ship sails by the keyboard alone
    table.follow("bob", "boards/island.html", ".squares input")
    table.begin(".squares input", Keys.SPACE)
    square = table.one(".squares input")
    table.wait(lambda: "What comes of it" in table.one("[data-comes]").text)
    square.send_keys(Keys.ARROW_RIGHT)
    square.send_keys(Keys.ENTER)
    table.recorded()
    # what would be refused is said, and not sent
    table.open("ann", "do?action=pass")
    table.wait(lambda: "This would be refused." in table.text())
    assert "it is bob's turn" in table.text().replace("’", "'")
    # without scripts, by pages alone
    with without_scripts(driver):
        table.follow("cid", "index.html", "#play")
        driver.find_element(By.CSS_SELECTOR, "#play details summary").click()
        driver.find_element(By.CSS_SELECTOR, "#play textarea").send_keys("Good evening.")
        table.press("Say it")
        time.sleep(1)
        assert "/sent?" in driver.current_url
        sent = driver.current_url
    driver.get(sent)
    assert "Everybody can read it." in table.one("[data-done]").text
    # to the end
    for number, who in enumerate(("bob", "cid", "ann", "bob", "cid"), start=2):
        table.propose(who, f"Custom {number}", f"Everybody drinks tea number {number}.")
        said = [table.vote(other, number) for other in PEOPLE if other != who]
        assert "adopted" in said[-1]
    assert "won" in table.text() or "wins" in table.text() or "win" in said[-1]
    table.follow("ann", "index.html", ".me")
    table.wait(lambda: (driver.refresh(), "won" in table.text())[1])


def test_one_votes_by_the_keyboard_alone(table: Table) -> None:
    """From the first page to what the referee answered, by keys that go wherever the focus is, which is always seen."""
    driver = table.driver

    def tab_to(selector: str, words: str = "") -> None:
        for _ in range(240):
            ActionChains(driver).send_keys(Keys.TAB).perform()
            with suppress(AssertionError, StaleElementReferenceException):  # a page that is renewed loses the focus
                has, here = focus(driver), driver.switch_to.active_element
                fits = driver.execute_script("return arguments[0].matches(arguments[1])", here, selector)
                if fits and words in has["words"]:
                    return
        raise AssertionError(f"no {selector} {words} within 240 steps")

    def keys(*typed: str) -> None:
        ActionChains(driver).send_keys(*typed).perform()

    table.propose("ann", "Tea", "There is tea.")
    table.follow("bob", "index.html", 'main a[href*="proposals/1"]')

    def is_open() -> bool:
        tab_to('main a[href*="proposals/1"]')
        keys(Keys.ENTER)
        with suppress(TimeoutException):  # a page that was renewed at this moment, as it follows the game
            WebDriverWait(driver, 10).until(lambda _driver: driver.find_elements(By.CSS_SELECTOR, "#my-vote input"))
        return bool(driver.find_elements(By.CSS_SELECTOR, "#my-vote input"))

    table.wait(is_open)

    def is_chosen() -> bool:
        tab_to('#my-vote input[value="for"]')
        keys(Keys.SPACE)
        return bool(driver.find_elements(By.CSS_SELECTOR, "#my-vote input:checked"))

    table.wait(is_chosen)
    keys(Keys.ARROW_DOWN)
    assert driver.switch_to.active_element.get_attribute("value") == "against"
    keys(Keys.ARROW_UP)
    table.wait(lambda: "What comes of it" in table.one("#my-vote [data-comes][role=status]").text)
    tab_to("#my-vote textarea")
    keys("I like tea.")
    tab_to("#my-vote button", "Send my vote")
    keys(Keys.ENTER)
    said = table.recorded()
    assert "bob voted on proposal 1: for" in said.replace("Bob", "bob"), said
    assert table.one("[data-done]").find_element(By.XPATH, "ancestor-or-self::*[@role='status']"), "it is read aloud"
    tab_to("main a", "To the game")
    keys(Keys.ENTER)
    table.wait(lambda: driver.current_url.endswith("/index.html"))


@pytest.mark.skipif(not PLACE and not REQUIRED, reason="needs axe-core: FOLKMOOT_STANDINS=folder")
def test_axe_finds_nothing_on_the_pages_of_play(table: Table) -> None:
    axe = (Path(PLACE) / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
    table.propose("ann", "The island", ISLAND["text"], ISLAND["script"], MORE)
    table.follow("bob", "proposals/1.html", "#my-vote input")
    left = {}
    pages = (
        "index.html",
        "proposals/1.html",
        "act.html",
        "propose",
        "propose?rule=2",
        "do?action=snuff",
        "who",
        "hand",
        "law/2.html",
    )
    for width, scheme in ((1280, "light"), (390, "dark")):
        as_screen(table.driver, width, scheme)
        for page in pages:
            table.open("bob", page)
            wide = table.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
            found = findings(table.driver, axe) + ([["wide", f"{wide} px too wide", []]] if wide > 0 else [])
            if found:
                left[f"{page} {width}"] = found
    assert left == {}
