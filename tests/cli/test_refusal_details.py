"""What the author of a refused act is told in secret: on their own screens, in answers that say where, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.sealed_data import MORE_SEALED
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.verify import verify
from folkmoot.sealing.keys import make_key
from tests.support.canaries import ways
from tests.support.meeting import Meeting
from tests.support.moot import Moot
from tests.support.quick import replayed
from tests.support.refused_notes import CANARY, LAW
from tests.support.table import VOTING
from tests.support.voters import Voters

TOLD = "broken of rule 1 failed: line 2: "


class Noting(Voters):
    """Three people at clones of their own, in a game of sealed notes."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {"title": "Notes", "rules": [LAW, VOTING], "settings": {}}
        Meeting.__init__(self, folder, law=given, players=("ann", "bob", "cid"))
        self._moot, self._patch = moot, patch
        self._shown: set[str] = set()
        self._read: set[str] = set()


@pytest.fixture
def table(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Noting]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Noting(tmp_path, moot, monkeypatch)
    found.moot("ann", "act", "open_sealing")
    found.referee()
    for person in ("ann", "bob"):
        key = found.moot(person, "key", "--sealing", "--json").record["recipient"]
        found.moot(person, "act", "use_sealing_key", f"key={key}")
    found.referee()
    found.moot("ann", "act", "note", f"note={CANARY}")
    found.referee()
    found.moot("ann", "act", "break", "whose=ann", "--anyway")
    found.referee()
    yield found
    assert verify(found.game(), replayed).problems == []


@pytest.mark.threat("T-102")
def test_the_author_sees_it_and_all_others_see_that_it_is_there(table: Noting) -> None:
    entry: Any = list(table.game().entries())[-1]
    assert (entry["code"], list(entry["boxes"])) == ("E-NO", ["ann"])
    for words in (
        (
            "show",
            "hand",
        ),
        ("log", "--mine"),
    ):
        said = table.moot("ann", *words).out
        assert TOLD in " ".join(said.split()), said
    (told,) = table.moot("ann", "show", "hand", "--json").record["refused"]
    assert (told["entry"], told["do"], told["code"]) == (entry["seq"], "break", "E-NO")
    assert told["why"].startswith(TOLD)
    for words in (("log",), ("status",), ("log", "--json"), ("status", "--json")):
        for person in ("ann", "bob", "stranger"):
            said = (
                table.moot(person, *words)
                if person != "stranger"
                else table._moot("-C", str(table.clone(person)), *words)
            )
            assert TOLD not in " ".join((said.out + said.err).split()), (person, words)
    for words in (("log",), ("status",)):
        assert MORE_SEALED in " ".join(table.moot("ann", *words).out.split())
    assert TOLD not in table.moot("bob", "show", "hand").out
    assert table.moot("bob", "show", "hand", "--json").record["refused"] == []
    assert MORE_SEALED in table.said(0)


@pytest.mark.threat("T-102")
def test_nothing_of_it_is_in_the_repository(table: Noting) -> None:
    """In no object and no ref, in no way of writing it: the error names the line and the key that is missing."""
    everything = table.everything()
    assert b"told:" in everything
    assert [way for way in ways(TOLD) if way in everything] == []


def test_who_keeps_the_game_alone_is_told_where_it_stands(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess

    from folkmoot.game.session import Session
    from tests.support.table import START

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    people = [{"id": player, "surname": player} for player in ("ann", "bob")]
    given = {"title": "Notes", "rules": [LAW, VOTING], "players": people, "administrators": ["ann"]}
    assert Session.found(tmp_path / "state" / "notes", given, START).accepted
    act = ("act", "--no-commit", "--at", "2026-01-05T12:00:00Z", "--by", "ann")
    assert moot("key", "--keeper").code == moot(*act, "open_sealing").code == 0
    key = moot("key", "--sealing", "--json").record["recipient"]
    assert moot(*act, "use_sealing_key", f"key={key}").code == 0
    assert moot(*act, "note", f"note={CANARY}").code == 0
    said = moot(*act, "break", "whose=ann")
    assert MORE_SEALED in " ".join(said.err.split())
    assert TOLD not in said.out + said.err
    assert TOLD in " ".join(moot("show", "hand", "--by", "ann").out.split())
    assert TOLD not in moot("show", "hand", "--by", "bob").out
