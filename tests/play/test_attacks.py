"""What hostile remotes, words, links and fetched files cannot do to the pages of a player."""

from __future__ import annotations

import socket
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from folkmoot.cli.play import seat as seats
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import ProblemError
from folkmoot.forges import git_transport
from tests.play.conftest import Evening
from tests.support.meeting import GAME, git

PAGE = f"/{GAME}/index.html"


@pytest.mark.threat("T-152")
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\n\u3000", "\n\t", "\n    "])
def test_no_line_of_talk_becomes_a_command(evening: Evening, end: str) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    said = {"text": f"Hear me:{end}/vote against", **bob.fields(f"/{GAME}/proposals/1.html", "say")}
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
    looking = Thread(target=partial(seats.Seat.look, bob.seat, 50), daemon=True)
    looking.start()
    assert asked.wait(30)
    try:
        assert "You are " in bob.get(PAGE).body
        assert bob.get(f"/{GAME}/do?action=pass").status == 200
        assert "Recorded." in bob.get(f"/{GAME}/sent?entry=1").body
        assert seats.SILENT in bob.get(PAGE).body
        assert looking.is_alive()
    finally:
        answered.set()
        looking.join(30)


def test_what_cannot_be_read_is_said_in_a_sentence(evening: Evening) -> None:
    bob = evening.browser("bob")
    assert bob.get(PAGE).status == 200
    none = bob.get(f"/{GAME}/sent?entry=999999")
    assert (none.status, "the entry is missing" in none.body) == (503, True)
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
