"""A meeting without other processes: one shared repository, and git objects made in place.

For tests of which there are many. What the processes are there for, the way over a network, is tried elsewhere.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.core.versions import versions
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import LETTERS, pull_ref
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter, writer_of
from folkmoot.game.rulesets import fetch_list, founding
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.sandbox.client import Sandbox
from tests.support.meeting import GAME, PLAYERS, START, Meeting, pack
from tests.support.table import rule as made_rule

MAIN = "refs/heads/main"
FORGE = "refs/moot/forge"

VOTES = made_rule(
    "1",
    """
    def do_propose(a):
        open_voting(submit(a.args.title, a.args.changes, a.requests))

    def do_withdraw(a):
        mine = [p for p in proposals() if p.author == a.by]
        require(mine, "E-NO-SUCH", "%s has no proposal" % a.by)
        resolve(mine[0], "withdrawn")

    def decide_electorate(p):
        return things("player")

    def on_voting_opened(e):
        after(7 * DAY, "vote-ends", key = "vote-ends/%s" % e.proposal.number, number = e.proposal.number)

    def on_vote_ends(e):
        p = proposal(e.number)
        if p != None and p.state == "open":
            close_voting(p)

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def decide_adopted(p):
        return verdict(2 * ballots(p, "for") > len(p.electorate), "%d of %d for" % (ballots(p, "for"), len(p.electorate)))

    def decide_number(p):
        return get("game", "next_number") if p.kind == "proposal" else None

    def on_proposal_submitted(e):
        add("game", "next_number", 1)
    """,
    defines={"game": {"next_number": {"type": "integer", "initial": 301}}},
    timers={"vote-ends": {"edge": "deadline"}},
    actions={
        "propose": {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}},
        "withdraw": {},
    },
)
POINTS = made_rule(
    "2",
    """
    def on_proposal_adopted(e):
        award(e.proposal.author, "score", 1)

    def do_give(a):
        transfer(a.by, a.args.to, "score", a.args.amount)

    def do_leave(a):
        destroy(a.by)

    def do_roll(a):
        award(a.by, "luck", roll(1000000))
    """,
    defines={"currencies": {"score": {}, "luck": {}}},
    actions={"give": {"arguments": {"to": {"type": "player"}, "amount": {"type": "integer"}}}, "leave": {}, "roll": {}},
)
CLOCK = made_rule("3", "def on_strike(e):\n    pass", timers={"strike": {"every": "day", "edge": "start"}})
SMALL = {"title": "Small", "zone": "UTC", "rules": [VOTES, POINTS, CLOCK]}
"""A law of three rules: anybody proposes at any time, seven days and more than half decide, adoption pays a point."""


class QuickMeeting(Meeting):
    """A meeting in one repository that all share; what people send is put there as their git would have put it."""

    def __init__(
        self,
        folder: Path,
        *,
        law: Mapping[str, Any] | None = None,
        games: tuple[str, ...] = (GAME,),
        accounts: tuple[str, ...] = (),
    ) -> None:
        """Found games of a law; `accounts` are the ids of the players on its forge, where that has such."""
        self.folder = folder
        self.now = START
        self.bare = folder / "table.git"
        shutil.copytree(founded(json.dumps(law or SMALL), games, accounts), self.bare)
        self.remote = str(self.bare)
        self.referee_folder = self.bare
        self.forge = LocalForge(self.bare)
        self.repo = pygit2.Repository(str(self.bare))
        self.games = games

    # -- people

    def tip(self, ref: str = MAIN) -> str:
        """Return where a ref stands, "" if it is not there."""
        found = self.repo.references.get(ref)
        return str(found.target) if found else ""

    def change(
        self, person: str, files: Mapping[str, bytes | None], message: str = "A change", base: str | None = None
    ) -> str:
        parent = base or self.tip()
        who = self.signature(person)
        return make_commit(
            self.repo, write_tree(self.repo, self.repo[parent].tree_id, dict(files)), [parent], message, who, who
        )

    def signature(self, person: str) -> pygit2.Signature:
        """Return who commits: `ann`, or a name with an address."""
        name, _, mail = person.partition(" <")
        return pygit2.Signature(name if mail else name.capitalize(), mail.rstrip(">") or f"{name}@x.org", self.now, 0)

    def pull(self, commit: str, person: str = "ann", title: str = "A change") -> int:
        number = 1
        while self.tip(pull_ref(number)):
            number += 1
        self.put(pull_ref(number), commit)
        return number

    def put(self, ref: str, commit: str) -> None:
        """Set a ref, whatever it was; remove it for ""."""
        if commit:
            self.repo.references.create(ref, commit, force=True)
        else:
            self.repo.references.delete(ref)

    def say(self, person: str, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        commit = "" if kind not in ("approve", "request_changes") else head or self.head(pull)
        return self.send(person, Letter(pull=pull, kind=kind, head=commit, body=body))  # type: ignore[arg-type]

    def send(self, person: str, letter: Letter, chain: str = "") -> str:
        who = self.signature(person)
        ref = LETTERS + (chain or writer_of(who.email))
        tree = write_tree(self.repo, None, {"letter.yaml": letter.as_file().encode()})
        parents = [tip] if (tip := self.tip(ref)) else []
        made = make_commit(self.repo, tree, parents, f"{letter.kind}\n", who, who)
        self.put(ref, made)
        return made

    def head(self, pull: int) -> str:
        return self.tip(pull_ref(pull))

    def ignored(self, person: str) -> dict[str, str]:
        """Return why letters and pushes of a person were ignored, by their commits."""
        answers = ForgeCache(self.repo, self.tip(FORGE)).answers(f"{person}@x.org")
        return {each.fact: each.why for each in answers if each.state == "ignored"}

    def changed_later(self, pull: int, name: str, **fields: Any) -> None:
        """Have what somebody said `edited`, `deleted` or `dismissed_by` somebody, as forges on the web tell it."""
        seen = ForgeCache(self.repo, self.tip(FORGE))
        place = [remark.id for remark in seen.remarks(pull)].index(name)
        seen.change_remark(pull, place, **fields)
        self.put(FORGE, seen.write("Observe", self.now))

    # -- the referee

    def game(self, name: str = GAME) -> GameTree:
        return GameTree(self.repo, self.tip(), name)

    def said(self, pull: int) -> str:
        tip, path = self.tip(FORGE), f"said/{pull // 100:03d}/{pull}.md"
        with suppress(KeyError):
            return str(self.repo[tip].peel(pygit2.Tree)[path].data.decode()) if tip else ""  # type: ignore[union-attr]
        return ""

    def journal(self, name: str = GAME) -> list[dict[str, Any]]:
        return list(self.game(name).entries())

    def proposal(self, number: int) -> dict[str, Any]:
        return self.document(f"proposals/{number // 100 * 100:03d}/{number}")

    def ballots(self, number: int = 301) -> dict[str, str]:
        return {voter: ballot["choice"] for voter, ballot in (self.proposal(number).get("ballots") or {}).items()}

    def scores(self) -> dict[str, int]:
        return {player: values.get("score", 0) for player, values in self.document("things/player").items()}

    def sound(self, name: str = GAME) -> bool:
        return verify(self.game(name), replayed).sound


def replayed(entries: Any) -> dict[str, Any]:
    with Sandbox(lists=fetch_list) as sandbox:
        sandbox.replay(entries)
        return dict(sandbox.documents())


@cache
def founded(law: str, games: tuple[str, ...], accounts: tuple[str, ...]) -> Path:
    """Return a bare repository with a game, or several, of a law; it is to be copied."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-founded-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    repo = pygit2.init_repository(str(folder), bare=True, initial_head="main")
    people = [{"id": who, "email": f"{who}@x.org"} for who in PLAYERS]
    given = {"forge": "local", **json.loads(law), "engine": versions()}
    given = {"players": people, "administrators": ["ann"], **given}
    tip = ""
    for name in games:
        record = GameTree(repo, tip, name)
        done = Session.found(record, given, START)
        assert done.accepted, done.entry
        with Session.on(record) as session:
            for who, account in zip(PLAYERS, accounts, strict=False):
                known = {"player": who, "forge": given["forge"], "id": account, "login": who}
                assert session.act("ann", "identify", known, at=START).accepted
        tip = record.commit("Found the game", "Root <root@x.org>", START, committer="Root <root@x.org>")
    repo.references.create(MAIN, tip)
    pack(repo)
    return folder


def suber(*players: dict[str, Any]) -> dict[str, Any]:
    people = [{"id": who, "surname": who.capitalize(), "email": f"{who}@x.org"} for who in PLAYERS]
    return {**founding("suber"), "settings": {"mode": "mail"}, "players": list(players) or people}


def imperial(ruleset: str = "imperial") -> dict[str, Any]:
    """Return the law of an empire: ann decides, and bob is heir."""
    people = [{"id": who, "email": f"{who}@x.org"} for who in PLAYERS]
    given = {"settings": {}, "opening": [], "offices": {"tie": "ann", "ths": "bob"}, "players": people}
    return {**founding(ruleset), **given}


HERE = f"state/{GAME}"
DAY = 86_400


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path)


@contextmanager
def unchanged(meeting: QuickMeeting) -> Iterator[None]:
    """Make sure that nothing of the game changes meanwhile, not even its record."""
    before = meeting.game().tree_id
    yield
    assert meeting.game().tree_id == before


def adopted(meeting: QuickMeeting, person: str, **files: bytes | None) -> int:
    pull = meeting.propose(person, "A change", **files)
    meeting.all_vote(pull)
    assert "adopted" in meeting.said(pull)
    return pull
