"""An evening of Lanterns at a table of plain git: two clones, two servers, a real browser, and no terminal."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.play.conftest import ISLAND
from tests.support.chromium import as_screen, chromium, without_scripts
from tests.support.forking import HOOK, Forking, hurry
from tests.support.looks import findings, focus
from tests.support.sites import lay_small_site
from tests.support.standins import WANTED

PEOPLE = ("ann", "bob")


pytestmark = pytest.mark.browser
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
    words = [sys.executable, "-m", "folkmoot", "serve", "--trust", "--port", "0", "--json"]
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
        self.home = {who: address.partition("evening/?")[0] for who, address in addresses.items()}
        as_screen(driver, 1280, "light")
        for address in addresses.values():
            driver.get(address)

    def open(self, who: str, page: str = "index.html") -> None:
        self.driver.get(f"{self.home[who]}evening/{page}")

    def wait(self, found: Callable[[], Any]) -> Any:
        """Return what is found as soon as it is there, also where a page is loaded anew meanwhile."""
        gone = (StaleElementReferenceException,)
        return WebDriverWait(self.driver, PATIENCE, 0.2, ignored_exceptions=gone).until(lambda _driver: found())

    def one(self, selector: str) -> WebElement:
        return self.wait(lambda: next(iter(self.driver.find_elements(By.CSS_SELECTOR, selector)), None))

    def begin(self, selector: str, keys: str) -> None:
        """Type into a page that follows the game until somebody writes on it."""
        self.wait(lambda: (self.one(selector).send_keys(keys), True))

    def says(self, words: str) -> None:
        self.wait(lambda: words in self.text())

    def text(self) -> str:
        return str(self.driver.execute_script("return document.body.innerText")).replace("’", "'")

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
        done = self.one("[data-done]")
        assert done.find_element(By.XPATH, "ancestor-or-self::*[@role='status']"), "it is read aloud"
        said = self.text()
        assert "Recorded." in said, said
        self.wait(lambda: "only here" not in self.text())
        return said

    def tab_to(self, selector: str, words: str = "") -> None:
        """Go on by the keyboard alone; wherever the focus is, it is seen."""
        for _ in range(120):
            self.keys(Keys.TAB)
            with suppress(AssertionError, StaleElementReferenceException):  # a page that is renewed loses the focus
                has, here = focus(self.driver), self.driver.switch_to.active_element
                if words in has["words"] and self.driver.execute_script(
                    "return arguments[0].matches(arguments[1])", here, selector
                ):
                    return
        raise AssertionError(f"no {selector} {words} within 120 steps")

    def keys(self, *typed: str) -> None:
        ActionChains(self.driver).send_keys(*typed).perform()


@pytest.fixture
def sit(tmp_path: Path, forking: Forking, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Table]]:
    """Return a function that sits people of a table down at the pages which their clones serve."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    trusted = ["git", "config", "--global", "--add", "safe.directory", str(tmp_path / "evening.git")]
    subprocess.run(trusted, check=True)
    people = [word for who in PEOPLE for word in ("-p", who)]
    laid = json.loads(
        run(tmp_path, "table", "evening.git", *people, "-r", "lanterns", "--setting", "pace=1440", "--json")
    )
    hurry(Path(laid["table"]), forking.shim(tmp_path / "python", HOOK))
    with ExitStack() as stack:

        def at(*seated: str) -> Table:
            for who in seated:
                subprocess.run(shlex.split(laid["lines"][who]), cwd=tmp_path, check=True)
                lay_small_site(tmp_path / who)
            addresses = {who: stack.enter_context(serving(tmp_path / who)) for who in seated}
            return Table(stack.enter_context(chromium(tmp_path / "profile")), addresses)

        yield at


def propose_the_island(table: Table) -> None:
    """Let ann propose a rule with a board."""
    table.follow("ann", "index.html", 'a[href$="/propose"].btn')
    table.wait(lambda: (table.one('a[href$="/propose"].btn').click(), True))
    table.begin('input[name="title"]', "The island")
    for name, words in (("script", ISLAND["script"]), ("more", MORE)):
        opened = "arguments[0].closest('details').open = true; arguments[0].value = arguments[1]"
        table.driver.execute_script(opened, table.driver.find_element(By.NAME, name), words)
    table.one('textarea[name="text"]').send_keys(ISLAND["text"])
    table.says("If it is adopted")
    added = lambda: [each.text for each in table.driver.find_elements(By.CSS_SELECTOR, "ins")]  # noqa: E731
    table.wait(lambda: any(words and words in ISLAND["text"] for words in added()))
    table.one('input[name="vote"][value="for"]').send_keys(Keys.SPACE)
    table.press("Send the proposal")
    table.recorded()


def vote_for_it(table: Table, person: str) -> str:
    """Let somebody vote by the keyboard alone; return what is said of it."""
    table.follow(person, "proposals/1.html", "#my-vote input")

    def is_chosen() -> bool:
        table.tab_to('#my-vote input[value="for"]')
        table.keys(Keys.SPACE)
        return bool(table.driver.find_elements(By.CSS_SELECTOR, "#my-vote input:checked"))

    table.wait(is_chosen)
    table.keys(Keys.ARROW_DOWN)
    assert table.driver.switch_to.active_element.get_attribute("value") == "against"
    table.keys(Keys.ARROW_UP)
    table.one("#my-vote [data-comes][role=status] .t")  # what comes of it
    table.tab_to("#my-vote textarea")
    table.keys("I like ships.")
    table.tab_to("#my-vote button", "Send my vote")
    table.keys(Keys.ENTER)
    return table.recorded()


def test_a_rule_is_proposed_and_voted_on_in_the_browser(sit: Callable[..., Table]) -> None:
    table = sit("ann")
    table.open("ann")
    assert "You are ann" in table.text()
    assert table.driver.title.startswith("(1) "), "the title says what waits"
    propose_the_island(table)
    vote_for_it(table, "ann")


@pytest.mark.long
def test_an_evening_is_played_in_the_browser(sit: Callable[..., Table]) -> None:
    table = sit(*PEOPLE)
    driver = table.driver
    for n, who in enumerate(PEOPLE):
        table.open(who)
        assert f"You are {who}" in table.text()
        assert driver.title.startswith("(1) ") == (n == 0), "the title says what waits"
    propose_the_island(table)
    # a page on which somebody writes stays as it is, while somebody else votes by the keyboard alone
    table.follow("ann", "proposals/1.html", "#talk textarea")
    table.begin("#talk textarea", "And who")
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    assert "adopted" in vote_for_it(table, "bob")
    table.tab_to("main a", "To the game")
    table.keys(Keys.ENTER)
    table.wait(lambda: driver.current_url.endswith("/index.html"))
    driver.close()
    driver.switch_to.window(first)
    table.wait(lambda: "newer entr" in table.one("[data-fresh]").text)
    assert table.one("#talk textarea").get_attribute("value") == "And who"
    # what comes back with a refusal has its links, and a reload does not send it again
    place = driver.current_url
    driver.execute_script("for (const each of document.querySelectorAll('[name=token]')) each.value = 'old'")
    table.press("Say it")
    table.says("And who")
    assert driver.current_url == place
    assert driver.execute_script("return document.querySelector('header nav a').href").startswith(table.home["ann"])
    assert driver.execute_script("return getComputedStyle(document.querySelector('.me')).borderBottomWidth") != "0px"
    # what would be refused is said, and a ship sails by the keyboard
    table.open("ann", "do?action=pass")
    table.says("This would be refused.")
    assert "it is bob's turn" in table.text()
    table.follow("bob", "boards/island.html", ".squares input")
    table.begin(".squares input", Keys.SPACE)
    square = table.one(".squares input")
    table.wait(lambda: "What comes of it" in table.one("[data-comes]").text)
    square.send_keys(Keys.ARROW_RIGHT)
    square.send_keys(Keys.ENTER)
    table.recorded()
    # without scripts, by pages alone
    with without_scripts(driver):
        table.follow("ann", "index.html", "#play")
        driver.find_element(By.CSS_SELECTOR, "#play details summary").click()
        driver.find_element(By.CSS_SELECTOR, "#play textarea").send_keys("Good evening.")
        table.press("Say it")
        table.wait(lambda: "/sent?" in driver.current_url)
        sent = driver.current_url
    driver.get(sent)
    assert "Everybody can read it." in table.one("[data-done]").text
    if WANTED:
        assert not_accessible(table) == {}


def not_accessible(table: Table) -> dict[str, Any]:
    """Return what axe finds on each kind of page, on a wide light screen and a narrow dark one by turns."""
    left = {}
    pages = (
        "index.html",
        "proposals/1.html",
        "act.html",
        "propose?rule=2",
        "do?action=snuff",
        "who",
        "hand",
        "law/2.html",
    )
    for number, page in enumerate(pages):
        as_screen(table.driver, *((390, "dark") if number % 2 else (1280, "light")))
        table.open("bob", page)
        wide = table.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
        found = findings(table.driver) + ([["wide", f"{wide} px too wide", []]] if wide > 0 else [])
        if found:
            left[page] = found
    return left
