"""A game moves to another forge in the middle of a vote, and goes on there; FOLKMOOT_FUZZ=1 tries all pairs of forges."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pygit2
import pytest

from folkmoot.core.fault_points import MOVE, fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.ops.moving.losses import _forge
from tests.conftest import FUZZ
from tests.forges.endtoend import games
from tests.forges.endtoend.moving import TOKEN_OF, Journey
from tests.forges.endtoend.world import MAIN, World, throw_alike
from tests.referee.quick import judge_here

PAIRS = [pair for pair in product(("local", "github", "gitea"), repeat=2) if pair != ("local", "local")]
USUAL = [("local", "github"), ("github", "gitea")]
PLAYERS = games.SUBER_PLAYERS
Begun = Callable[[str], Journey]


@pytest.fixture
def begun(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Begun]:
    """Return what begins a game on a kind of forge, in which one vote is open and half cast."""
    judge_here(monkeypatch)
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


def test_keys_that_have_to_come_along_are_named() -> None:
    said = " ".join(_forge({"chance": {"commitment": "ab"}, "sealing": [{"number": 1}]}, "gitea"))
    assert "FOLKMOOT_CHANCE" in said
    assert "FOLKMOOT_SEALING" in said
    assert "FOLKMOOT" not in " ".join(_forge({"chance": {"commitment": None}}, "gitea"))


def test_at_a_table_to_which_a_game_came_nobody_has_pushed_newer_content(begun: Begun) -> None:
    journey = begun("github")
    there = journey.another("local")
    said = journey.move(there)
    assert "moor has moved: since 2026-01-05 13:57 UTC it is played at a table of plain git" in said.err
    journey._git("pull", "--quiet", "origin", "main")
    status = journey.moot("status").out
    assert "proposal 301, open to votes" in status
    assert "newer content" not in status


@pytest.mark.threat("T-98")
@pytest.mark.parametrize(("old", "new"), PAIRS if FUZZ else USUAL)
def test_a_game_moves_with_its_people_and_its_open_vote(begun: Begun, old: str, new: str) -> None:
    journey = begun(old)
    before, there = journey.here, journey.another(new)
    assert ballots(before) == {"bob": "for", "cid": "for"}
    journey.move(there)
    assert ballots(there) == {"bob": "for", "cid": "for"}
    proposal = there.document("proposals/300/301")
    assert proposal["came"][0]["pull"] == before.pulls["dragon"]
    assert proposal["via"]["pull"] == there.pulls["dragon"]

    # what is said at the old place counts for nothing, and is answered there
    before.now, recorded = there.now, before.document("proposals/300/301")
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

    # one more run finds nothing to do, and says where things are
    main = there.main()
    assert journey.moot(*journey.words(there), "--yes", "--remote", journey.address(before), world=before,
                        there=there).code == 0  # fmt: skip
    assert there.main() == main

    # the vote goes on at the new one, and its adoption shows there
    for who in PLAYERS:
        if who not in ("bob", "cid"):
            there.say(who, "dragon", "/vote for")
    there.settle()
    assert there.document("proposals/300/301")["outcome"] == "adopted"
    assert there.shown("dragon") == "merged"
    journey.sound()
    assert there.repo.descendant_of(there.main(), before.main())

    # pages lead to both places, and status knows the new one
    journey._git("pull", "--quiet", str(there.hub), "main")
    assert journey.moot("status", "--remote", str(there.hub)).code == 0
    assert journey.moot("pages").code == 0
    page = next(journey.clone.glob("site/**/proposals/**/301.html")).read_text("utf-8")
    for world in (before, there):
        if journey.home(world):
            pulls = "pull" if world.kind == "github" else "pulls"
            assert f"{journey.home(world)}/{pulls}/{world.pulls['dragon']}" in page


@pytest.mark.parametrize("point", MOVE if FUZZ else ["opened"])
def test_a_move_that_is_cut_short_is_run_again(begun: Begun, point: str) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another("github")

    def cut(name: str) -> None:
        if name == point:
            raise KeyboardInterrupt

    with fault_hook(cut):
        assert journey.moot(*journey.words(there), "--yes", there=there).code != 0
    if point == "opened":
        with pytest.raises(ProblemError, match="on its way here"):
            there.run(there.forge())
    again = journey.move(there)
    assert ballots(there) == {"bob": "for", "cid": "for"}
    entries = [entry["do"] for entry in there.game().entries()]
    assert entries.count("change_forge") == entries.count("rehouse") == 1
    assert len(there.github.pulls) == 1  # type: ignore[attr-defined]
    assert again.code == 0
    journey.sound()
    if point == "opened":  # what somebody pushes there is not what is voted on
        there.push("mal", "dragon", games.new_rule("A worm"))
        there.settle()
        assert "this pull request was opened when the game moved" in there.ours("dragon")[-1]
        assert there.document("proposals/300/301")["title"] == "A dragon"
    assert before.main() in there.repo


def test_what_stays_behind_is_said_and_a_dry_run_does_nothing(begun: Begun) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another("github")
    words = journey.words(there)[:-1]  # without dee
    refs = {name: str(before.repo.references[name].target) for name in before.repo.references}
    said = journey.moot(*words, "--dry-run", there=there)
    assert said.code == 0
    plain = " ".join(said.out.split())
    assert "Proposal 301 goes on in a new pull request, instead of pull request 2; 2 votes stay cast." in plain
    assert "dee is nobody there" in plain
    assert "identify player=dee forge=github" in plain
    assert "FOLKMOOT_CHANCE" in plain
    assert refs == {name: str(before.repo.references[name].target) for name in before.repo.references}
    assert not list(there.repo.references)

    journey.here.say("ann", "dragon", "/vote for")
    said = journey.moot(*journey.words(there), "--yes", there=there)
    assert said.code != 0
    assert "not recorded yet" in said.err
    assert "moot referee" in said.err
    assert not list(there.repo.references)


def test_what_this_clone_has_moves_where_the_old_place_is_gone(begun: Begun) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another("github")
    journey._git("pull", "--quiet")
    shutil.move(before.hub, before.hub.with_suffix(".gone"))
    assert journey.moot(*journey.words(there), "--yes", there=there).code != 0
    said = journey.moot(*journey.words(there), "--yes", "--without-old", there=there)
    assert said.code == 0, said.err
    assert "does not know of this" in said.err
    there.now = before.now
    assert ballots(there) == {"bob": "for", "cid": "for"}
    (pull,) = there.github.pulls.values()  # type: ignore[attr-defined]
    assert "Votes that are cast, and stay: bob, cid" in pull["body"]
    assert there.document("proposals/300/301")["via"]["pull"] == 2


def test_a_table_is_laid_for_a_game_that_comes_to_plain_git(begun: Begun) -> None:
    journey = begun("gitea")
    hub = journey.folder / "evening.git"
    logins = [f"--login={who}={who}@x.org" for who in PLAYERS]
    said = journey.moot("move", str(hub), "--forge", "local", *logins, "--yes", "--json")
    assert said.code == 0, said.err
    table = pygit2.Repository(str(hub))
    assert said.record["places"] == {"moor": {"proposal/301": 1}}
    assert "refs/pull/1/head" in table.references
    assert (hub / "hooks" / "update").stat().st_mode & 0o100
    game = GameTree(table, str(table.references["refs/heads/main"].target), "moor")
    handles = (game.archive("roster") or {})["ann"]["handles"]
    assert handles["local"] == {"id": "ann@x.org", "login": "ann@x.org"}


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


@pytest.mark.threat("T-98")
def test_a_copy_that_says_that_it_is_the_game_changes_nothing_there(begun: Begun) -> None:
    journey = begun("local")
    world, there = journey.here, journey.another("github")
    copy = journey.folder / "copy.git"
    shutil.copytree(world.hub, copy)
    main = world.main()
    assert journey.moot(*journey.words(there), "--yes", "--remote", str(copy), there=there).code == 0
    assert world.main() == main
    world.say("ann", "dragon", "/vote for")
    world.say("dee", "dragon", "/vote for")
    world.settle()
    assert world.document("proposals/300/301")["outcome"] == "adopted"


@pytest.mark.parametrize("new", ["github", "gitea"])
def test_where_the_new_place_holds_something_else_it_is_said_before_anything_is_recorded(
    begun: Begun, new: str
) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another(new)
    main, who = before.main(), pygit2.Signature("Ann", "ann@x.org", before.now, 0)
    there.repo.create_commit(MAIN, who, who, "A README that the forge made", there.repo.TreeBuilder().write(), [])
    for words in (["--dry-run"], ["--yes"]):
        said = journey.moot(*journey.words(there), *words, there=there)
        assert said.code == 1
        assert "holds something else than these games" in said.err
        assert "without a README" in " ".join(said.err.split())
        assert before.main() == main, "the game is where it was"
    there.repo.references.delete(MAIN)
    assert journey.moot(*journey.words(there), "--dry-run", there=there).code == 0
    assert journey.move(there).code == 0


def test_a_new_place_that_cannot_be_read_is_told_before_anything_is_recorded(begun: Begun) -> None:
    journey = begun("local")
    before, there = journey.here, journey.another("github")
    main, hub = before.main(), there.hub
    shutil.move(hub, hub.with_suffix(".gone"))
    said = journey.moot(*journey.words(there), "--yes", there=there)
    assert said.code == 5
    assert before.main() == main
    shutil.move(hub.with_suffix(".gone"), hub)
    assert journey.move(there).code == 0


@pytest.mark.parametrize(("wrong", "variable"), [("github", "FOLKMOOT_OLD_TOKEN"), ("gitea", "FOLKMOOT_TOKEN")])
def test_of_two_tokens_the_one_that_is_not_accepted_is_named(
    begun: Begun, monkeypatch: pytest.MonkeyPatch, wrong: str, variable: str
) -> None:
    journey = begun("github")
    before, there = journey.here, journey.another("gitea")
    main = before.main()
    monkeypatch.setitem(TOKEN_OF, wrong, "mistyped-token")
    said = journey.moot(*journey.words(there), "--yes", there=there)
    assert said.code == 5
    told = " ".join(said.err.split())
    place = journey.home(before if wrong == "github" else there)
    assert f"the token for {place} is not accepted there" in told
    assert f"give it in {variable}_HTTP_127_0_0_1_" in told
    assert "mistyped-token" not in said.out + said.err
    assert before.main() == main
