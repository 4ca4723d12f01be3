"""Only the player's own browser, on pages of their own server, can read them or do anything by them."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import pytest

from folkmoot.cli.founding import NAME
from folkmoot.cli.play.seat import Seat
from tests.play.conftest import KEY, OWN, PLACE, Evening
from tests.support.meeting import GAME

PROPOSAL = f"/{GAME}/proposals/1.html"


@pytest.mark.threat("T-152")
def test_the_secret_opens_the_pages_and_leaves_the_address(evening: Evening) -> None:
    browser = evening.browser("bob")
    first = browser.get(f"/{GAME}/index.html?a=1&key={KEY}", Cookie="")
    to = urlsplit(first.headers["location"])
    assert (first.status, to.path, to.query) == (303, f"{OWN}/index.html", "a=1")
    assert f"Path=/{PLACE}/;" in first.headers["set-cookie"], "servers at other ports are not shown it"
    assert "SameSite=strict" in first.headers["set-cookie"]
    assert "HttpOnly" in first.headers["set-cookie"]
    for wrong in ("", f"moot-1={KEY}", f"{browser.cookie}x"):
        answer = browser.get(f"/{GAME}/index.html", Cookie=wrong)
        assert (answer.status, "bob" in answer.body) == (403, False)
    assert browser.get(f"/{GAME}/index.html?key=wrong", Cookie="").status == 403
    browser.root = ""
    assert browser.get(f"/{GAME}/index.html").status == 403, "nothing is answered beside that place"
    assert browser.get(f"/{PLACE}x/{GAME}/index.html").status == 403
    browser.root = f"/{PLACE}"
    page = browser.get(f"/{GAME}/index.html")
    assert page.status == 200
    assert "You are </span><b><bdi>bob</bdi>" in page.body
    assert page.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert KEY not in page.body


@pytest.mark.threat("T-152")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null", "Sec_Fetch_Site": ""}, 403),
        ({"Origin": "", "Sec_Fetch_Site": ""}, 403),
        ({"Origin": "http://127.0.0.1:1", "Sec_Fetch_Site": ""}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Cookie": ""}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "multipart/form-data"}, 415),
    ],
)
def test_what_another_page_sends_does_nothing(evening: Evening, headers: dict[str, str], status: int) -> None:
    evening.proposal()
    browser = evening.browser("bob")
    fields = browser.fields(PROPOSAL, "vote") | {"choice": "for"}
    refs = evening.refs()
    assert browser.post("vote", fields, **headers).status == status
    assert evening.refs() == refs


@pytest.mark.threat("T-152")
def test_nothing_is_done_by_reading_or_by_a_form_of_another_start(evening: Evening) -> None:
    evening.proposal()
    browser = evening.browser("bob")
    fields = browser.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "Tea & <b>milk</b>"}
    refs = evening.refs()
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        assert browser.ask(method, f"/-/vote?{urlencode(fields)}").status in (404, 405)
    old = browser.post("vote", {**fields, "token": "of-yesterday"})
    assert old.status == 410
    assert "press once more" in old.body
    assert "Tea &amp; &lt;b&gt;milk&lt;&#x2f;b&gt;" in old.body or "Tea &amp; &lt;b&gt;milk&lt;/b&gt;" in old.body, (
        "what was written is kept"
    )
    assert browser.post("vote", {**fields, "reason": "x" * 1_000_001}).status == 413
    assert browser.post("vote", {f"f{n}": "" for n in range(1000)}).status == 400
    assert browser.post("nothing", fields).status == 404
    assert evening.refs() == refs


def test_where_one_comes_back_to_is_this_server(evening: Evening) -> None:
    browser = evening.browser("bob")
    fields = browser.fields(f"/{GAME}/index.html", "look")
    for back in ("//evil.example/", "\\\\evil.example", "https://evil.example"):
        answer = browser.post("look", {**fields, "back": back})
        assert answer.status == 303
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith("//")


def test_a_clone_has_a_place_of_its_own(evening: Evening) -> None:
    ann, bob = (Seat(evening.clone(who)) for who in ("ann", "bob"))
    assert ann.place() == Seat(ann.root).place() != bob.place()
    file = ann.root / ".git" / "folkmoot" / "place"
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("../evil", "utf-8")
    assert ann.place() != "../evil"


def test_no_game_is_called_like_the_addresses_of_forms() -> None:
    assert not NAME.fullmatch("-")
