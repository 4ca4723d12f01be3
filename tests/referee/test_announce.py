"""What a group is told in its own channel after the referee's runs, by the real library and a listener on this machine."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from folkmoot.core.calendar import DAY, HOUR
from folkmoot.game import secret_store
from folkmoot.game.secret_store import ANNOUNCE
from folkmoot.referee.announce import MISSING, announce, harmless
from tests.forges.smart_http import running
from tests.support.quick import MAIN, SMALL, QuickMeeting
from tests.support.table import rule

SECRET = "sw0rdf1sh"
TURNS = rule(
    "4",
    """
    def do_shout(a):
        announce(a.args.words)

    def do_pass_on(a):
        put("game", "mover", a.args.to)

    def do_ask_all(a):
        for player in ["cid", "dee"]:
            owe(player, "bring a @gift", by = now() + 2 * DAY, key = "gift/" + player)
        put("game", "mover", "cid")

    def do_triumph(a):
        win(a.by)
    """,
    defines={"game": {"mover": {"type": "player", "initial": None}}},
    actions={
        "shout": {"arguments": {"words": {"type": "text"}}},
        "pass_on": {"arguments": {"to": {"type": "player"}}},
        "ask_all": {},
        "triumph": {},
    },
)


class Channel(HTTPServer):
    """A listener that takes messages, or refuses them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.messages: list[list[str]] = []
        self.status = 200

    @property
    def address(self) -> str:
        return f"json://127.0.0.1:{self.server_port}/{SECRET}"

    def lines(self) -> list[str]:
        """Return what came since one looked last, in at most one message."""
        found, self.messages = self.messages, []
        assert len(found) <= 1
        return found[0] if found else []


class Handler(BaseHTTPRequestHandler):
    server: Channel

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.server.status == 200:
            self.server.messages.append(said["message"].split("\n"))
        self.send_response(self.server.status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Channel]:
    with running(Channel()) as found:
        monkeypatch.setitem(secret_store.HIDDEN, ANNOUNCE, found.address)
        monkeypatch.delenv(ANNOUNCE, raising=False)
        yield found


class Group(QuickMeeting):
    """A meeting whose referee tells a channel."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, law={**SMALL, "rules": [*SMALL["rules"], TURNS]})
        self.notes: list[str] = []
        self.run()

    def run(self, seconds: int = 0) -> bool:
        """Let the referee run and tell; return whether a game counts as awake."""
        report = self.referee(seconds)
        self.notes = announce(self.forge, self.repo, report, self.now)
        return report.awake

    def settings(self, text: str) -> None:
        commit = self.change("ann", {"announce.yaml": text.encode()})
        self.put(MAIN, commit)


@pytest.fixture
def group(tmp_path: Path, channel: Channel) -> Group:
    found = Group(tmp_path)
    assert channel.lines() == []  # what came before the channel is not told
    return found


def test_a_vote_is_told_as_it_opens_before_it_ends_and_when_it_is_decided(group: Group, channel: Channel) -> None:
    pull = group.propose("bob", "Dragons for all")
    group.run()
    [opened] = channel.lines()
    assert opened.startswith("Proposal 301 “Dragons for all” by bob is open, until ")
    group.run(5 * DAY)
    assert channel.lines() == []
    group.run(DAY + HOUR)
    [ending] = channel.lines()
    assert ending.startswith("The vote on proposal 301 “Dragons for all” ends ")
    assert ending.endswith("; it awaits ann, bob, cid, dee.")
    group.run(HOUR)
    assert channel.lines() == []
    for person in ("ann", "cid", "dee"):
        group.approve(person, pull)
    group.say("bob", pull, "/vote for")
    group.run(60)
    assert channel.lines() == ["Proposal 301 “Dragons for all” by bob was adopted: “4 of 4 for”."]
    group.run(60)
    assert channel.lines() == []
    assert group.notes == []


def test_turns_duties_words_of_rules_and_wins_are_told_in_one_message(group: Group, channel: Channel) -> None:
    for commands, lines in (
        ("/do pass_on to=cid\n/do pass_on to=dee\n/do shout words=Hear", ["It is dee’s turn.", "“Hear”"]),
        ("/do ask_all", ["cid, dee owe the game: “bring a ＠gift”, until 2026-01-07 12:02 UTC."]),
        ("/do shout words=Hear", ["“Hear”"]),
    ):
        group.say("bob", 0, commands)
        group.run(60)
        assert channel.lines() == lines
    group.say("bob", 0, "\n".join(f"/do shout words=word{number}" for number in range(15)))
    group.run()
    lines = channel.lines()
    assert (lines[0], lines[-1], len(lines)) == ("… and 3 more before that", "“word14”", 13)
    group.say("bob", 0, "/do triumph")
    group.run()
    assert channel.lines() == ["bob won. The game is over."]


def test_the_repository_names_occasions_and_quiet_hours_in_which_nothing_is_lost(
    group: Group, channel: Channel
) -> None:
    group.settings("tell: [turns]\n")
    group.say("bob", 0, "/do shout words=Hear")
    group.run()
    assert channel.lines() == []
    assert "announce.yaml:1:8" in group.notes[0]
    group.settings('tell: [turn]\nquiet: {from: "11:00", until: "13:30"}\n')
    group.say("bob", 0, "/do pass_on to=cid")
    assert group.run() or group.run()
    group.say("bob", 0, "/do pass_on to=dee\n/do shout words=Late")
    group.run(HOUR)
    assert channel.lines() == []
    group.run(HOUR)
    assert channel.lines() == ["It is dee’s turn."]


def test_where_the_channel_fails_the_next_run_tells_it(
    group: Group, channel: Channel, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    channel.status = 500
    group.say("bob", 0, "/do shout words=Hear")
    assert group.run()
    assert group.notes == ["0 of 1 addresses of FOLKMOOT_ANNOUNCE took the message about moor."]
    shown = "".join([*group.notes, caplog.text, *capfd.readouterr()])
    assert SECRET not in shown
    assert "127.0.0.1" not in shown
    channel.status = 200
    group.run()
    assert channel.lines() == ["“Hear”"]


def test_a_run_that_ends_between_message_and_mark_repeats_that_message_only(
    group: Group, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    group.say("bob", 0, "/do shout words=Hear")
    with monkeypatch.context() as killed:
        killed.setattr(group.forge, "note_announced", lambda *_: sys.exit(9))
        with pytest.raises(SystemExit):
            group.run()
    assert channel.lines() == ["“Hear”"]
    group.run()
    assert channel.lines() == ["“Hear”"]
    group.run()
    assert channel.lines() == []


def test_an_address_that_is_none_is_said_without_being_shown(
    group: Group, channel: Channel, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for number, address in enumerate(("nothing://at/all", f"discord://{SECRET}", "json://")):
        monkeypatch.setitem(secret_store.HIDDEN, ANNOUNCE, f"{address} {channel.address}")
        group.say("bob", 0, f"/do shout words=Hear{number}")
        group.run()
        assert channel.lines() == [f"“Hear{number}”"]
        assert group.notes == ["1 of 2 addresses of FOLKMOOT_ANNOUNCE took the message about moor."]
        assert not any(capfd.readouterr())


def test_players_words_mention_nobody_lead_nowhere_and_mark_up_nothing(group: Group, channel: Channel) -> None:
    group.propose("bob", "See @everyone <!here> [win](https://evil.example) **now**")
    group.run()
    assert group.notes == []
    [line] = channel.lines()
    assert not set("@<[*]>") & set(line)
    assert "://" not in line
    assert "evil.example" not in line
    assert "\u202e" not in harmless("a\u202eb\nc")
    assert "\n" not in harmless("a\u202eb\nc")
    assert len(harmless("x" * 5_000)) <= 200


def test_a_table_holds_the_address_in_a_file_of_git(
    group: Group, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = channel.address
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "apprise", None)
        group.say("bob", 0, "/do shout words=Hear")
        group.run()
        assert group.notes == [MISSING], "it is said how to install the library"
    monkeypatch.setitem(secret_store.HIDDEN, ANNOUNCE, "")
    group.run()
    assert channel.lines() == []
    file = group.bare / "folkmoot" / "announce"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{address}\n")
    group.run()
    assert channel.lines() == ["“Hear”"]
