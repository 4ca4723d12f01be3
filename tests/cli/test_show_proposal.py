"""A proposal made without a pull request can be read by a command, with its changes as law and the votes that show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from folkmoot.cli.explaining import explained
from folkmoot.cli.terminal import Terminal
from folkmoot.game.session import Session
from tests.support.moot import Moot
from tests.support.seats import Seats, Sit

LAW = """\
title: Tea
labels: {status: mutable}
text: |
  There is tea for everybody.
  It is hot.
"""


@pytest.fixture
def thread(seats: Sit) -> Seats:
    return seats()


def read(thread: Seats, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `moot explain` says of something in the game as it is on the branch."""
    with Session.on(thread.game()) as session:
        record, show = explained(session, list(words))
        show(Terminal(), session, record)
    return capsys.readouterr().out


def test_by_letters(thread: Seats, capsys: pytest.CaptureFixture[str]) -> None:
    """Proposed in the thread, voted on, adopted, amended: each time the law is shown as it is struck and added."""
    tea = {"enact": {"title": "Tea", "text": "There is tea.\nIt is hot.\n", "labels": {}}}
    thread.say("ann", 0, f"/do propose title='Have tea' changes='{json.dumps([tea])}'")
    thread.say("bob", 0, "/vote against proposal=301 because coffee")
    thread.referee(60)
    assert "Proposal 301: Have tea (ann)" in thread.status("cid")
    assert "read it: `moot explain proposal 301`" in thread.status("cid")
    said = read(thread, capsys, "proposal", "301")
    for line in ("Proposal 301: Have tea (ann), open", "It enacts a new rule · Tea", "  text:",
                 "    + There is tea.", "Not yet voted: ann, cid, dee."):  # fmt: skip
        assert line in said, said
    assert "bob" in said
    assert "coffee" not in said
    assert "against" not in said
    for who in ("ann", "cid", "dee"):
        thread.say(who, 0, "/vote for proposal=301")
    thread.referee(60)
    said = read(thread, capsys, "proposal", "301")
    assert "3 of 4 for" in said
    assert "coffee" in said
    assert "+ There is tea." in said
    cold = {"amend": "301", "text": "There is tea.\nIt is cold.\n"}
    thread.say("bob", 0, f"/do propose title=Colder changes='{json.dumps([cold])}'")
    thread.say("bob", 0, "/vote for proposal=302")
    thread.referee(60)
    said = read(thread, capsys, "proposal", "302")
    assert "It amends rule 301 · Tea" in said
    assert "It is [-hot-]." in said
    assert "It is {+cold+}." in said


def test_at_a_table(table: Moot, tmp_path: Path) -> None:
    (tmp_path / "tea.yaml").write_text(LAW)
    assert table("act", "propose", "--by", "ann", "title=Have tea", "--rule", "tea.yaml").code == 0
    said = table("explain", "proposal", "301").out
    assert "It enacts a new rule · Tea" in said
    assert "    + There is tea for everybody. It is hot." in said
    assert "read it: `moot explain proposal 301`" in table("status").out
    assert "there is no proposal 377" in table("explain", "proposal", "377").err
