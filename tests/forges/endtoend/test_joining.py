"""Whoever asks to join does what the law takes that as: in A Nomic they make the Motion to Add, by whichever way they ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forges.endtoend import a_nomic
from tests.forges.endtoend.b_nomic import clock
from tests.forges.endtoend.local_world import LocalWorld
from tests.support.meeting import git, identity
from tests.support.moot import Moot


@pytest.fixture
def world(tmp_path: Path) -> LocalWorld:
    return LocalWorld(tmp_path / "world", a_nomic.LAW, a_nomic.PLAYERS)


def test_a_comment_and_a_command_both_make_the_motion_to_add(
    world: LocalWorld, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("folkmoot.player.present_time.present", lambda: world.now)
    world.say("eve", "", "/join id=eve name='Eve the First'")
    world.say("mal", "", "/join")
    world.settle()
    clone = world.folder / "zed"
    git(world.folder, "clone", "--quiet", str(world.hub), str(clone))
    identity(clone, "zed")
    said = moot("-C", str(clone), "join", "zed")
    assert (said.code, "needs name" in said.err) == (3, True), (said.out, said.err)
    said = moot("-C", str(clone), "join", "zed", "--name", "Eve the First")
    assert (said.code, "E-NAME-TAKEN" in said.err) == (3, True), (said.out, said.err)
    said = moot("-C", str(clone), "join", "zed", "--name", "Zed", "--with", "contact=zed@x.org")
    assert said.code == 0, said.err
    monkeypatch.setattr(world, "now", world.now + 600)
    world.forge().look(world.now)
    world.settle()
    made = [(each["by"], each["do"], each["with"]) for each in list(world.game().entries())[-2:]]
    assert made == [
        ("eve", "request_join", {"name": "Eve the First"}),
        ("zed", "request_join", {"name": "Zed", "contact": "zed@x.org"}),
    ]
    assert {"eve", "zed", "mal"}.isdisjoint(world.document("things/player"))
    assert "mal" not in str(world.document("game").get("applications"))
    clock(world, 2, 15)
    world.settle()
    assert world.document("things/player").keys() >= {"eve", "zed"}
    assert world.document("things/player")["zed"]["roster_name"] == "Zed"
    assert world.document("roster")["zed"]["handles"]["local"]["id"] == "zed@x.org"
