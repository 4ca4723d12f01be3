"""A game moves to another forge in the middle of a vote, and goes on there; FOLKMOOT_FUZZ=1 tries all pairs of forges."""

from __future__ import annotations

import json
import shlex
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.forges.web.credentials import variable_of
from folkmoot.game.secret_store import TOKENS
from folkmoot.game.verify import verify
from folkmoot.journal.git_objects import make_commit, write_tree
from tests.conftest import FUZZ
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.github.over_http import serving_github
from tests.forges.web_meeting import TwinMeeting
from tests.support.meeting import GAME, PLAYERS, git, identity
from tests.support.moot import Moot, Said
from tests.support.quick import replayed

PAIRS = [(old, new) for old in ("local", "github", "gitea") for new in ("github", "gitea")]
USUAL = [("local", "github"), ("github", "gitea")]


class OnPlainGit(TwinMeeting):
    known_on = ("local",)


class OnGitHub(GitHubMeeting):
    known_on = ("github",)


class OnGitea(GiteaMeeting):
    known_on = ("gitea",)


KINDS: dict[str, Any] = {"local": OnPlainGit, "github": OnGitHub, "gitea": OnGitea}


class Journey:
    """A game that goes from place to place; `clone` is the administrator's."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch, stack: ExitStack) -> None:
        self.folder, self.moot, self.patch, self.stack = folder, moot, patch, stack
        self.homes: dict[Any, str] = {}
        self.now = 0

    def place(self, kind: str) -> Any:
        found = KINDS[kind](self.folder / f"{kind}-{len(self.homes)}")
        self.homes[found] = ""
        if kind != "local":
            (found.folder / "moot").mkdir()
            (found.folder / "moot" / "game.git").symlink_to(found.bare)
            serve = serving_github if kind == "github" else serving_gitea
            login = f"x-access-token:{found.token}"
            server: Any = self.stack.enter_context(serve(found.folder, found.web, login))
            self.homes[found] = f"{server.address if kind == 'github' else server.home}/moot/game"
        return found

    def empty(self, kind: str) -> Any:
        found = self.place(kind)
        pygit2.Repository(str(found.bare)).references.delete("refs/heads/main")
        return found

    def address(self, place: Any) -> str:
        return f"{self.homes[place]}.git" if self.homes[place] else str(place.bare)

    def begin(self, kind: str) -> Any:
        """Begin a game in which one vote is open and half cast; return its place."""
        here = self.place(kind)
        if self.homes[here]:
            here.say("ann", 0, f"/do use_forge forge={kind} home={self.homes[here]}")
        here.propose("dee", "A chat")
        here.dragon = here.propose("ann", "A dragon")
        here.referee(200)
        here.say("ann", here.dragon, "/finalise")
        here.referee(200)
        here.approve("bob", here.dragon)
        here.say("cid", here.dragon, "/vote for")
        here.referee(200)
        self.clone = self.folder / "keeper"
        git(self.folder, "clone", "--quiet", str(here.bare), str(self.clone))
        git(self.clone, "remote", "set-url", "origin", self.address(here))
        identity(self.clone, "ann")
        self.now = here.now
        return here

    def run(self, *words: str) -> Said:
        self.patch.setattr(time, "time", lambda: float(self.now))
        for place, home in self.homes.items():  # a command takes tokens out of its environment
            if home:
                place.web.now = max(place.web.now, self.now)
                self.patch.setenv(variable_of(home.removesuffix("/moot/game")), place.token)
        return self.moot("-C", str(self.clone), *words)

    def words(self, there: Any) -> list[str]:
        """Return what is typed to move the game to a place."""
        logins = [f"--login={who}={who}" for who in PLAYERS]
        return ["init", "--move", "--forge", there.kind, "--home", self.homes[there], *logins]

    def tell(self, *places: Any) -> None:
        for place in places:
            git(self.clone, "push", "--quiet", str(place.bare), "HEAD:main")
            place.now = self.now


@pytest.fixture
def journey(tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journey]:
    for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:
        yield Journey(tmp_path, moot, monkeypatch, stack)


def ballots(place: Any) -> dict[str, str]:
    return {who: each["choice"] for who, each in place.document("proposals/300/301")["ballots"].items()}


@pytest.mark.threat("T-98")
@pytest.mark.parametrize(("old", "new"), PAIRS if FUZZ else USUAL)
def test_a_game_moves_with_its_people_and_its_open_vote(journey: Journey, old: str, new: str) -> None:
    before, there = journey.begin(old), journey.empty(new)
    assert ballots(before) == {"bob": "for", "cid": "for"}
    moved = journey.run(*journey.words(there), "--json")
    assert moved.code == 0, (moved.out, moved.err)
    journey.tell(before, there)
    git(journey.clone, "remote", "set-url", "origin", journey.address(there))
    assert ballots(there) == {"bob": "for", "cid": "for"}
    assert there.document("game")["left"][0]["kind"] == old
    assert there.document("game")["moving"] == []
    assert there.document("roster")["bob"]["handles"][new]["login"] == "bob"

    # what is said at the old place counts for nothing, and is answered there
    recorded = before.document("proposals/300/301")
    before.say("ann", before.dragon, "/vote against")
    journey.now += 200
    refused = journey.run("referee", "--remote", journey.address(before))
    assert refused.code != 0
    assert "and what is said here counts for nothing" in " ".join(refused.err.split())
    assert "has moved" in before.said(before.dragon)
    assert before.document("proposals/300/301") == recorded
    if old == "local":  # a clone of the old place says where the game is, too
        voted = journey.run("vote", str(before.dragon), "for", "--remote", journey.address(before))
        assert (voted.code != 0, "has moved" in voted.err) == (True, True)

    # the vote goes on in the thread of the new one
    there.now = journey.now
    for who in ("ann", "dee"):
        there.say(who, 0, "/vote for proposal=301")
    there.referee(200)
    assert there.document("proposals/300/301")["outcome"] == "adopted"
    assert verify(there.game(), replayed).problems == []
    hub = pygit2.Repository(str(there.bare))
    assert hub.descendant_of(there.game().commit_id, before.game().commit_id)

    # status knows the new place
    git(journey.clone, "pull", "--quiet", str(there.bare), "main")
    assert journey.run("status", "--remote", str(there.bare)).code == 0


def test_a_game_whose_place_is_lost_moves_as_a_clone_has_it(journey: Journey) -> None:
    before, there = journey.begin("local"), journey.empty("github")
    shutil.move(before.bare, before.bare.with_suffix(".gone"))
    assert journey.run(*journey.words(there)).code == 0
    journey.tell(there)
    assert ballots(there) == {"bob": "for", "cid": "for"}


def test_nothing_moves_without_being_asked_to_or_without_an_administrator(journey: Journey) -> None:
    journey.begin("local")
    words, tip = journey.words(journey.empty("github")), git(journey.clone, "rev-parse", "HEAD")
    for given, code, said in (
        ([word for word in words if word != "--move"], 1, "takes it there"),
        ([word for word in words if word != "--login=ann=ann"], 1, f"no administrator of {GAME} would be known"),
    ):
        done = journey.run(*given)
        assert (done.code, said in " ".join((done.out + done.err).split())) == (code, True), (done.out, done.err)
    assert git(journey.clone, "rev-parse", "HEAD") == tip


def test_a_game_goes_to_plain_git_by_a_line_in_its_thread(journey: Journey) -> None:
    before, hub = journey.begin("github"), journey.folder / "evening.git"
    accounts = json.dumps({who: {"id": f"{who}@x.org", "login": f"{who}@x.org"} for who in PLAYERS})
    before.say("ann", 0, f"/do change_forge forge=local accounts={shlex.quote(accounts)}")
    before.referee(200)
    assert before.document("roster")["ann"]["handles"]["local"]["id"] == "ann@x.org"
    pygit2.clone_repository(str(before.bare), str(hub), bare=True)
    git(journey.clone, "pull", "--quiet", str(hub), "main")
    journey.now = before.now
    said = journey.run("referee", "--remote", str(hub))
    assert said.code == 0, said.err


@pytest.mark.threat("T-98")
def test_a_move_that_is_written_by_hand_moves_nothing(journey: Journey) -> None:
    place = journey.begin("local")
    hub, tip = pygit2.Repository(str(place.bare)), place.game().commit_id
    file: Any = hub[tip].peel(pygit2.Tree)[f"state/{GAME}/game.yaml"]
    text = file.data.decode().replace("forge: local", "forge: {kind: github, home: 'https://github.com/mal/game'}")
    files = {f"state/{GAME}/game.yaml": (text + "left:\n- {kind: local, until: 2026-01-05T12:00:00Z}\n").encode()}
    who = pygit2.Signature("Mal", "mal@x.org", place.now, 0)
    tree = write_tree(hub, hub[tip].peel(pygit2.Tree).id, files)
    hub.references.create("refs/heads/main", make_commit(hub, tree, [tip], "Move\n", who, who), force=True)
    (game,) = place.referee(200).games
    assert (bool(game.stopped), bool(game.gone)) == (True, False)
    assert "has moved" not in place.said(place.dragon)
