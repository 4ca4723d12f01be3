"""Players of an evening of Lanterns at clones of a bare repository, each with the server of their own pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from msgspec import Struct

from folkmoot.cli.play import web
from folkmoot.cli.play.seat import Seat
from folkmoot.cli.play.web import Builds, Play, common_routes
from folkmoot.cli.site import running, site_app
from folkmoot.game.rulesets import founding
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, Meeting, git

ISLAND: dict[str, Any] = {
    "rule": "11",
    "uid": "11",
    "title": "The island",
    "text": "A ship sails to a neighbouring square of an island of three by three.",
    "defines": {"player": {"at": {"type": "string", "initial": "a1"}}},
    "actions": {"sail": {"summary": "Sail", "arguments": {"to": {"type": "string", "summary": "Where"}}}},
    "script": """
load("grid", "square", "neighbours", "contains")

SEA = square(3, 3)

def do_sail(a):
    require(contains(SEA, a.args.to), "E-AREA", "the squares are a1 to c3")
    require(a.args.to in neighbours(SEA, get(a.by, "at")), "E-FAR", "that is not next to your ship")
    put(a.by, "at", a.args.to)

def show_island():
    return [board(SEA, pieces = [{"name": p, "owner": p, "at": get(p, "at")} for p in things("player")], caption = "The island",
        zones = {"c3": "treasure"})]
""",
}


KEY, PLACE = "a-secret-key", "a-place"
OWN = f"/{PLACE}/{GAME}"
PAGE = """<!doctype html><html lang="en"><head><title>{title} · Dragons</title></head><body data-game="{game}">
<header class="top"></header><main id="main"><div class="wrap"><!-- play -->{title}<!-- play: vote --></div></main><footer></footer></body></html>"""
PAGES = ("index.html", "act.html", "proposals/1.html", "law/1.html", "boards/evening.html", "boards/island.html")


class Reply(Struct):
    status: int
    body: str
    headers: dict[str, str]


class Browser:
    """A browser without scripts: it keeps the cookie, and fills in the forms of pages."""

    def __init__(self, address: str, seat: Seat) -> None:
        self.seat = seat
        self.place = urlsplit(address).netloc
        self.cookie = f"moot-{urlsplit(address).port}={KEY}"
        self.root = f"/{PLACE}"

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Reply:
        given = {
            "Host": self.place,
            "Cookie": self.cookie,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = HTTPConnection(self.place, timeout=60)
        try:
            below = path if path.startswith((self.root, "?")) else f"{self.root}{path}"
            connection.putrequest(method, below, skip_host=True)
            for name, value in given.items():
                if value:
                    connection.putheader(name, value)
            if method == "POST":
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body.encode())
            found = connection.getresponse()
            return Reply(
                found.status, found.read().decode(), {name.lower(): value for name, value in found.getheaders()}
            )
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def fields(self, path: str, what: str) -> dict[str, str]:
        """Return the hidden fields of a form on a page."""
        page = self.get(path).body
        form = next(
            each for each in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'action="{self.root}/-/{what}"' in each
        )
        return dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form))

    def post(self, what: str, fields: dict[str, Any], **headers: str) -> Reply:
        own = {
            "Origin": f"http://{self.place}",
            "Sec_Fetch_Site": "same-origin",
            "Content_Type": "application/x-www-form-urlencoded",
        }
        return self.ask("POST", f"/-/{what}", urlencode(fields, doseq=True), **{**own, **headers})


class Evening(Gathering):
    """An evening of Lanterns; it is ann's turn."""

    def __init__(self, folder: Path, moot: Any, law: dict[str, Any]) -> None:
        Meeting.__init__(self, folder, law=law, players=("ann", "bob", "cid"))
        self._moot = moot
        self.stack = ExitStack()

    def browser(self, person: str) -> Browser:
        """Return a browser at the pages of somebody's clone."""
        root = self.clone(person)
        site = self.folder / f"site-{person}"
        for page in PAGES:
            (site / GAME / page).parent.mkdir(parents=True, exist_ok=True)
            (site / GAME / page).write_text(PAGE.format(title=page.removesuffix(".html"), game=GAME), "utf-8")
        seat = Seat(root)
        play = Play(seat, site, lambda: None)
        app = site_app(site, [*common_routes(Builds()), *play.routes()], play.dress, KEY, PLACE)
        address, _ = self.stack.enter_context(running(app, None))
        return Browser(address, seat)

    def proposal(self, text: str = "There is tea.", **parts: str) -> int:
        """Let ann propose a rule, and the referee take it in."""
        from tests.support.meeting import rule

        number = self.propose("ann", tea=rule("Tea", text, **parts))
        self.referee()
        return number

    def subject(self) -> str:
        return git(self.bare, "log", "-1", "--format=%s", "main")


@pytest.fixture
def law() -> dict[str, Any]:
    return {**founding("lanterns"), "settings": {}, "ruleset": "lanterns"}


@pytest.fixture
def evening(moot: Any, law: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    made = Evening(tmp_path, moot, law)
    monkeypatch.setattr("folkmoot.player.present_time.present", lambda: made.now)
    monkeypatch.setattr(web, "ANSWERED", 60)  # however busy the machine is
    monkeypatch.setattr(Seat.look, "__defaults__", (60.0,))
    with made.stack:
        yield made
