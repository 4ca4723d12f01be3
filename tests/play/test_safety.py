"""Only the player's own browser, on pages of their own server, can read them or do anything by them."""

from __future__ import annotations

import re
import socket
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from folkmoot.cli.play import seat as seats
from folkmoot.cli.play.seat import Seat
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import ProblemError
from folkmoot.forges import git_transport
from tests.play.conftest import KEY, OWN, PLACE, Evening
from tests.support.meeting import GAME, git

PAGE, PROPOSAL = f"/{GAME}/index.html", f"/{GAME}/proposals/1.html"


@pytest.mark.threat("T-152")
def test_the_secret_opens_the_pages_and_leaves_the_address(evening: Evening) -> None:
    browser = evening.browser("bob")
    first = browser.get(f"/{GAME}/index.html?a=1&key={KEY}", Cookie="")
    to = urlsplit(first.headers["location"])
    assert (first.status, to.path, to.query) == (303, f"{OWN}/index.html", "a=1")
    assert f"Path=/{PLACE}/;" in first.headers["set-cookie"], "servers at other ports are not shown it"
    assert "SameSite=strict" in first.headers["set-cookie"]
    assert "HttpOnly" in first.headers["set-cookie"]
    assert first.headers["cache-control"] == "no-store", "or a browser would not be given it the next time"
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


FOREIGN: tuple[tuple[dict[str, str], int], ...] = (
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
)


@pytest.mark.threat("T-152")
def test_nothing_is_done_by_another_page_by_reading_or_by_a_form_of_another_start(evening: Evening) -> None:
    evening.proposal()
    browser = evening.browser("bob")
    fields = browser.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "Tea & <b>milk</b>"}
    refs = evening.refs()
    assert [headers for headers, status in FOREIGN if browser.post("vote", fields, **headers).status != status] == []
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        assert browser.ask(method, f"/-/vote?{urlencode(fields)}").status in (404, 405)
    old = browser.post("vote", {**fields, "token": "of-yesterday"})
    assert old.status == 410
    assert "press once more" in old.body
    assert "Tea &amp; &lt;b&gt;milk&lt;" in old.body, "what was written is kept"
    assert browser.post("vote", {**fields, "reason": "x" * 1_000_001}).status == 413
    assert browser.post("vote", {f"f{n}": "" for n in range(1000)}).status == 400
    assert browser.post("nothing", fields).status == 404
    assert evening.refs() == refs
    for back in ("//evil.example/", "\\\\evil.example", "https://evil.example"):
        answer = browser.post("look", {**browser.fields(PAGE, "look"), "back": back})
        assert answer.status == 303
        assert re.match("/(?!/)", answer.headers["location"]), "where one comes back to is this server"


def test_a_clone_has_a_place_of_its_own(evening: Evening) -> None:
    ann, bob = (Seat(evening.clone(who)) for who in ("ann", "bob"))
    assert ann.place() == Seat(ann.root).place() != bob.place()
    file = ann.root / ".git" / "folkmoot" / "place"
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("../evil", "utf-8")
    assert ann.place() != "../evil"


# -- hostile words, links, remotes and files


@pytest.mark.threat("T-152")
def test_no_line_of_talk_becomes_a_command(evening: Evening) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    for end in ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\n\u3000", "\n\t", "\n    "):
        said = {**bob.fields(PROPOSAL, "say"), "text": f"Hear me:{end}/vote against"}
        assert bob.post("say", said).status == 303
    evening.referee()
    assert evening.document(proposal_key("proposal/1"))["ballots"] == {}


@pytest.mark.threat("T-152")
def test_a_program_that_sends_twice_sends_once(evening: Evening) -> None:
    bob = evening.browser("bob")
    said = {**bob.fields(PAGE, "say"), "text": "Good evening."}
    assert bob.post("say", said, Accept="application/json").status == 200
    assert bob.post("say", said, Accept="application/json").status == 303
    assert len(evening.letters("bob")) == 1
    assert bob.post("say", {**said, "text": "And good night."}).status == 303
    assert len(evening.letters("bob")) == 2


@pytest.mark.threat("T-152")
def test_a_link_of_others_fills_in_no_form(evening: Evening) -> None:
    ann = evening.browser("ann")
    link = "propose?rule=2&title=Mallory&text=wins&script=x&why=because&vote=for&anyway=1&by=bob"
    page = ann.get(f"/{GAME}/{link}").body
    main = page.partition("<main")[2].replace(link.replace("&", "&amp;"), "")
    assert "Mallory" not in main
    assert 'value="for" checked' not in main


def test_pages_are_answered_while_the_remote_hangs(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = evening.browser("bob")
    assert bob.get(PAGE).status == 200
    asked, answered = Event(), Event()

    def hanging(*_given: Any, **_how: Any) -> str:
        asked.set()
        assert answered.wait(50)
        return ""

    monkeypatch.setattr(seats, "look", hanging)
    monkeypatch.setattr(seats.Seat.look, "__defaults__", (0.3,))
    looking = Thread(target=partial(seats.Seat.look, bob.seat, 50), daemon=True)
    looking.start()
    assert asked.wait(30)
    try:
        assert "You are " in bob.get(PAGE).body
        assert bob.get(f"/{GAME}/do?action=pass").status == 200
        assert "What you sent" in bob.get(f"/{GAME}/sent?parcel=none").body
        assert seats.SILENT in bob.get(PAGE).body
        assert looking.is_alive()
    finally:
        answered.set()
        looking.join(30)


def test_what_cannot_be_read_is_said_in_a_sentence(evening: Evening) -> None:
    bob = evening.browser("bob")
    assert bob.get(PAGE).status == 200
    folder = evening.clone("bob") / "state" / GAME
    for name in ("head.yaml", "documents.yaml", "game.yaml"):
        (folder / name).write_text("seq: [", "utf-8")
    assert "Traceback" not in bob.get(PAGE).body
    assert seats.Seat(evening.clone("bob")).entries() == {}


def test_who_sits_down_gives_git_no_option(evening: Evening) -> None:
    eve = evening.browser("eve")
    assert eve.post("join", {**eve.fields(f"/{GAME}/who", "join"), "id": "eve", "name": "--unset"}).status == 303
    evening.referee()
    dan = evening.browser("dan")
    assert dan.post("who", dan.fields(f"/{GAME}/who", "who") | {"player": "eve"}).status == 303
    assert git(evening.clone("dan"), "config", "user.name") == "--unset"


def test_no_git_outlives_the_server(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "here.git")
    outcomes: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        address = f"git://127.0.0.1:{server.getsockname()[1]}/far.git"

        def ask() -> None:
            try:
                git_transport.Git(tmp_path / "here.git").listing(address)
            except ProblemError as error:
                outcomes.append(error.problems[0].code)

        asking = Thread(target=ask, daemon=True)
        asking.start()
        connection, _ = server.accept()
        with connection:
            connection.settimeout(30)
            assert connection.recv(4), "git asks, and gets no answer"
            while asking.is_alive() and not outcomes:
                git_transport.end_running()
                asking.join(0.1)
            while connection.recv(4096):
                pass
    assert outcomes == ["E-FORGE"]


# -- the clone


def test_the_clone_follows_the_game_unless_its_own_changes_are_in_the_way(evening: Evening) -> None:
    root = evening.clone("bob")
    own = root / "notes.txt"
    own.write_text("mine", "utf-8")
    seat = Seat(root)
    evening.proposal()
    seat.look()
    seat.follow()
    assert seat.entries() == {GAME: 2}
    assert git(root, "status", "--porcelain") == "?? notes.txt"
    head = root / "state" / GAME / "head.yaml"
    head.write_text("mine", "utf-8")
    evening.moot("ann", "vote", "1", "for")
    evening.referee()
    seat.look()
    seat.follow()
    assert "in the way of newer play" in seat.note
    assert head.read_text("utf-8") == "mine"
    git(root, "checkout", "-q", "--", ".")
    git(root, "add", "notes.txt")
    git(root, "commit", "-q", "-m", "Mine")
    seat.look()
    seat.follow()
    assert "commits of its own" in seat.note
    git(root, "reset", "-q", "--hard", "HEAD~1")
    seat.look()
    seat.follow()
    assert (seat.entries(), seat.note) == ({GAME: 3}, "")


def test_what_git_ignores_is_kept_and_hooks_and_filters_of_the_clone_are_not_run(evening: Evening) -> None:
    root = evening.clone("bob")
    ran, own = root / "ran", root / "state" / GAME / "journal" / "000" / "000002.yaml"
    for hook in ("post-checkout", "post-merge", "reference-transaction"):
        path = root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {ran}\n", "utf-8")
        path.chmod(0o755)
    git(root, "config", "filter.evil.smudge", f"touch {ran}; cat")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* filter=evil\n", "utf-8")
    (root / ".git" / "info" / "exclude").write_text("000002.yaml\n", "utf-8")
    own.write_text("mine", "utf-8")
    seat = Seat(root)
    evening.proposal()
    seat.look()
    seat.follow()
    assert "in the way of newer play" in seat.note
    assert own.read_text("utf-8") == "mine"
    own.unlink()
    seat.look()
    seat.follow()
    assert seat.entries() == {GAME: 2}
    assert not ran.exists()
