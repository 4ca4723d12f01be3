"""Attacks on what is sealed: keys that change while an act waits, two keepers, names that look alike, sealed nothing."""

from __future__ import annotations

import subprocess
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.keeper import keeper_file, keeper_word
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.sealing.keys import make_key
from tests.support.keeper import KEY, OWN, Cards
from tests.support.table import START, Record, rule

LAW = rule(
    "1",
    """
    def same(x):
        return x

    def nothing(x):
        return None

    def fails(x):
        return x + 1

    def forbid_wait(a):
        if not get("game", "free"):
            return hold("later", "it waits")

    def do_wait(a):
        put(a.by, "note", a.args.note)

    def do_note(a):
        put(a.by, "note", a.args.note)

    def do_free(a):
        put("game", "free", True)
        release("later")

    def do_use(a):
        put(a.by, "note", sealed(a.args.function, get(a.by, "note")))

    def do_empty(a):
        announce("empty" if get(a.by, "note") == None else "held")

    def do_show(a):
        reveal(get(a.by, "note"))
    """,
    sealed=dict.fromkeys(("same", "nothing", "fails"), "What it tells"),
    defines={"game": {"free": {"type": "boolean"}}, "player": {"note": {"type": "any", "sealed": "owner"}}},
    actions={
        "wait": {"arguments": {"note": {"type": "any", "sealed": "owner"}}},
        "note": {"arguments": {"note": {"type": "any", "sealed": "owner"}}},
        "use": {"arguments": {"function": {"type": "string"}}},
        **{name: {} for name in ("free", "empty", "show")},
    },
)


class Notes(Cards):
    """A game of sealed notes, some of which wait; the keeper and two players have keys."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        self.path = folder / "state" / "cards"
        people = [{"id": player, "surname": player} for player in OWN]
        law = {"title": "Notes", "rules": [LAW], "players": people, "administrators": ["ann"]}
        assert Session.found(self.path, law, START).accepted
        self.record = GameFolder(self.path)
        self.keep_key(KEY)
        assert self.open_sealing().accepted
        for player in ("ann", "bob"):
            assert self.act(player, "use_sealing_key", key=OWN[player].recipient.text).accepted

    def note(self, by: str, value: Any, do: str = "note", **other: Any) -> Any:
        """Let somebody seal a note."""
        return self.act(by, do, note=self.seal(by, do, "note", value, **other))

    def told(self) -> list[Any]:
        """Return what became public, in order."""
        return [
            each["to"] for e in self.record.entries() for each in e.get("effects") or () if each["effect"] == "unseal"
        ]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Notes]:
    found = Notes(tmp_path)
    yield found
    assert found.problems() == []


@pytest.mark.threat("T-83")
def test_what_waits_is_done_by_what_somebody_else_does(game: Notes) -> None:
    """Its box was taken in when it came, once: where it waits there is what stands for it, and no box."""
    waiting = game.note("ann", "heartsease", do="wait")
    assert (waiting.accepted, waiting.entry["code"]) == (True, "HELD")
    kept = [path.read_bytes() for path in game.path.rglob("*.yaml") if "journal" not in path.parts]
    assert [text for text in kept if b"YWdlLWVuY3J5cHRpb24" in text] == []
    assert game.act("bob", "free").accepted
    assert game.act("ann", "show").accepted
    assert game.told() == ["heartsease"]


@pytest.mark.threat("T-101")
def test_the_keeper_s_key_changes_while_an_act_waits(game: Notes) -> None:
    game.note("ann", "heartsease", do="wait")
    new = make_key()
    game.keep_key(KEY, new)
    assert game.open_sealing(new).accepted
    keeper_file(game.record).write_text(keeper_word(2, new) + "\n", "utf-8")  # the first is forgotten
    game.act("bob", "free")
    assert game.act("ann", "show").accepted
    assert game.told() == ["heartsease"]


@pytest.mark.threat("T-83")
def test_nobody_says_in_clear_which_sealed_value_they_mean(game: Notes) -> None:
    assert game.note("bob", "heartsease").accepted
    for do in ("note", "wait"):
        for forged in ({"$sealed": 1}, {"$sealed": 2}, "sealed.1", {"commitment": "0" * 64, "box": {"$sealed": 1}}):
            assert game.act("ann", do, note=forged).accepted is False
    game.act("bob", "free")
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "empty"


@pytest.mark.threat("T-101")
def test_who_keeps_an_old_key_alone_records_nothing(game: Notes) -> None:
    """Of two machines that keep a game, one has not been given the next key: it stands still, and spoils nothing."""
    new = make_key()
    game.keep_key(KEY, new)
    assert game.open_sealing(new).accepted
    game.keep_key(KEY)
    before = game.record.head.seq
    with pytest.raises(ProblemError, match="keeper's key"):
        game.act("ann", "note", note=game.seal("ann", "note", "note", "heartsease", key=new, keeper=2))
    assert game.record.head.seq == before
    game.keep_key(KEY, new)
    assert game.note("ann", "heartsease", key=new, keeper=2).accepted
    assert game.note("ann", "heartsease").code == "E-CONTEXT"  # sealed to the key that was replaced


@pytest.mark.threat("T-83")
@pytest.mark.parametrize(
    "other",
    [
        {"author": "ann\u200b"},
        {"author": "\uff41\uff4e\uff4e"},
        {"act": "note\u0301"},
        {"argument": "n\u043ete"},
        {"argument": "note "},
        {"author": "Ann"},
        {"target": "\u200b"},
        {"target_digest": "00" * 32},
        {"keeper": 0},
    ],
)
def test_a_place_that_looks_alike_is_another(game: Notes, other: Record) -> None:
    done = game.note("ann", "heartsease", **other)
    assert done.code == "E-CONTEXT"
    assert "heartsease" not in str(done.entry)


def test_letters_are_committed_to_as_they_are_written(game: Notes) -> None:
    """No form of a letter is taken for another, neither in what is sealed nor in what commits to it."""
    for text in ("caf\u00e9", "cafe\u0301"):
        assert game.note("ann", text).accepted
        assert game.act("ann", "show").accepted
    assert [list(each) for each in game.told()] == [list("caf\u00e9"), list("cafe\u0301")]


@pytest.mark.threat("T-83")
def test_a_box_of_a_fork_that_has_founded_anew_is_refused(game: Notes, tmp_path: Path) -> None:
    (tmp_path / "fork").mkdir()
    fork = Notes(tmp_path / "fork")
    with Session.open(fork.path) as session:
        other = session.keeper.game
    with Session.open(game.path) as session:
        assert session.keeper.game != other or session.record.entry(1) == fork.record.entry(1)
    assert game.note("ann", "heartsease", game="ab" * 32).code == "E-CONTEXT"


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("function", ["nothing", "fails", "same"])
def test_sealed_nothing_looks_like_something(game: Notes, function: str) -> None:
    """Whether a register is empty is known to all; that what is sealed in it is nothing is not."""
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "empty"
    assert game.note("ann", "heartsease").accepted
    done = game.act("ann", "use", function=function)
    assert done.accepted
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "held"
    assert game.hand("ann")[0] == ("heartsease" if function == "same" else None)
    shape = [{**each, "commitment": ""} for each in done.entry["sealed"]]
    assert shape == [{"made": 2, "commitment": ""}]
    sizes = [len(b64decode(box)) for boxes in done.entry["boxes"].values() for box in boxes]
    assert len({size // 1_024 for size in sizes}) == 1


def test_nothing_is_sealed_by_hand_as_well_as_something(game: Notes) -> None:
    done = game.note("ann", None)
    assert done.accepted, done.entry
    assert game.act("ann", "empty").entry["effects"][0]["text"] == "held"
