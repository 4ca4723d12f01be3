"""A game moves to another forge in the middle of a vote, and goes on there; FOLKMOOT_FUZZ=1 tries all pairs of forges."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pygit2
import pytest

from folkmoot.journal.git_objects import make_commit, write_tree
from tests.conftest import FUZZ
from tests.forges.endtoend import games
from tests.forges.endtoend.moving import Journey
from tests.forges.endtoend.world import MAIN, World, throw_alike

PAIRS = [*product(("local", "github", "gitea"), ("github", "gitea"))]
USUAL = [("local", "github"), ("github", "gitea")]
PLAYERS = games.SUBER_PLAYERS
Begun = Callable[[str], Journey]


@pytest.fixture
def begun(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Begun]:
    """Return what begins a game on a kind of forge, in which one vote is open and half cast."""
    throw_alike(monkeypatch)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def begin(kind: str) -> Journey:
            journey = Journey(tmp_path, kind, games.SUBER, PLAYERS, capsys, stack)
            world = journey.here
            who = games.mover(world)
            world.open("dee", "chatter", games.new_rule("A chat"), "A chat")
            world.open(who, "dragon", games.new_rule("A dragon"), "A dragon")
            world.say(who, "dragon", "/finalise")
            world.settle()
            world.approve("bob", "dragon")
            world.say("cid", "dragon", "/vote for")
            world.settle()
            return journey

        yield begin


def ballots(world: World) -> dict[str, str]:
    """Return who has voted on the proposal of the play, and how."""
    proposal = world.document("proposals/300/301")
    return {who: each["choice"] for who, each in proposal["ballots"].items()}


@pytest.mark.threat("T-98")
@pytest.mark.parametrize(("old", "new"), PAIRS if FUZZ else USUAL)
def test_a_game_moves_with_its_people_and_its_open_vote(begun: Begun, old: str, new: str) -> None:
    journey = begun(old)
    before, there = journey.here, journey.another(new)
    assert ballots(before) == {"bob": "for", "cid": "for"}
    journey._git("pull", "--quiet", str(before.hub), "main")
    journey.move(there)
    assert ballots(there) == {"bob": "for", "cid": "for"}
    assert there.document("game")["left"][0]["kind"] == old
    assert there.document("game")["moving"] == []
    assert there.document("roster")["bob"]["handles"][new]["login"] == "bob"

    # what is said at the old place counts for nothing, and is answered there
    recorded = before.document("proposals/300/301")
    before.say("ann", "dragon", "/vote against")
    before.now += 200
    refused = journey.moot("referee", "--remote", journey.address(before), world=before)
    assert refused.code != 0
    assert "and what is said here counts for nothing" in " ".join(refused.err.split())
    assert before.shown("dragon") == "closed"
    assert sum("has moved" in each for each in before.ours("dragon")) == 1
    assert before.document("proposals/300/301") == recorded
    there.now = before.now
    if old == "local":  # a clone of the old place says where the game is, too
        voted = journey.moot("vote", str(before.pulls["dragon"]), "for", "--remote", journey.address(before))
        assert voted.code != 0
        assert "has moved" in voted.err

    # the vote goes on in the thread of the new one
    for who in PLAYERS:
        if who not in ("bob", "cid"):
            there.say(who, "", "/vote for proposal=301")
    there.settle()
    assert there.document("proposals/300/301")["outcome"] == "adopted"
    journey.sound()
    assert there.repo.descendant_of(there.main(), before.main())

    # pages lead to the old place, where it is one of the web, and status knows the new one
    journey._git("pull", "--quiet", str(there.hub), "main")
    assert journey.moot("status", "--remote", str(there.hub)).code == 0
    assert journey.moot("serve", "--build").code == 0
    page = next(journey.clone.glob("site/**/proposals/**/301.html")).read_text("utf-8")
    if journey.home(before):
        pulls = "pull" if before.kind == "github" else "pulls"
        assert f"{journey.home(before)}/{pulls}/{before.pulls['dragon']}" in page


def test_a_game_whose_place_is_lost_moves_as_a_clone_has_it(begun: Begun) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another("github")
    journey._git("pull", "--quiet")
    shutil.move(before.hub, before.hub.with_suffix(".gone"))
    assert journey.moot(*journey.words(there), there=there).code == 0
    there.now = before.now
    journey._git("push", "--quiet", str(there.hub), "HEAD:main")
    assert ballots(there) == {"bob": "for", "cid": "for"}


def test_nothing_moves_without_being_asked_to_or_without_an_administrator(begun: Begun) -> None:
    journey = begun("local")
    there, tip = journey.another("github"), journey.tip()
    words = journey.words(there)
    said = journey.moot(*(word for word in words if word != "--move"), there=there)
    assert (said.code, "takes it there" in " ".join(said.err.split())) == (1, True)
    said = journey.moot(*(word for word in words if word != "--login=ann=ann"), there=there)
    assert (said.code, "no administrator of moor would be known" in " ".join(said.err.split())) == (1, True)
    said = journey.moot(*words, "--dry-run", there=there)
    assert (said.code, "Would record: moor is played on github" in said.out) == (0, True)
    assert journey.tip() == tip


def test_a_game_goes_to_plain_git_by_a_line_in_its_thread(begun: Begun) -> None:
    journey = begun("github")
    before, hub = journey.here, journey.folder / "evening.git"
    accounts = json.dumps({who: {"id": f"{who}@x.org", "login": f"{who}@x.org"} for who in PLAYERS})
    before.say("ann", "", f"/do change_forge forge=local accounts={shlex.quote(accounts)}")
    before.settle()
    assert before.document("roster")["ann"]["handles"]["local"]["id"] == "ann@x.org"
    pygit2.clone_repository(str(before.hub), str(hub), bare=True)
    journey._git("pull", "--quiet", str(hub), "main")
    said = journey.moot("referee", "--remote", str(hub))
    assert said.code == 0, said.err


@pytest.mark.threat("T-98")
def test_a_move_that_is_written_by_hand_moves_nothing(begun: Begun) -> None:
    journey = begun("local")
    world = journey.here
    tip, who = world.main(), pygit2.Signature("Mal", "mal@x.org", world.now, 0)
    text = world.file("game.yaml").replace("forge: local", "forge: {kind: github, home: 'https://github.com/mal/game'}")
    files = {"state/moor/game.yaml": (text + "left:\n- {kind: local, until: 2026-01-05T12:00:00Z}\n").encode()}
    tree = write_tree(world.repo, world.repo[tip].peel(pygit2.Tree).id, files)
    world.repo.references.create(MAIN, make_commit(world.repo, tree, [tip], "Move\n", who, who), force=True)
    (game,) = world.run(world.forge()).games
    assert game.stopped
    assert not game.gone
    assert world.shown("dragon") == "open"
