"""Tables at which stories are told: real repositories, real judges, the local forge, sessions, and emulated forges."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pygit2
from pygit2.enums import ObjectType

from folkmoot.core.versions import versions
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import FORGE, LETTERS
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import NoLetterError, author_of, writer_of
from folkmoot.forges.web.client import Pacing
from folkmoot.game import secret_store
from folkmoot.game.session import Session
from folkmoot.journal.git_objects import entries, folder
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.chance import commitment
from folkmoot.referee.run import Referee, Report
from tests.forges.github.emulator import API, STATES, TOKEN, GitHub
from tests.fuzz.inputs import Pull, Raw, Say
from tests.fuzz.letters import BLOB, plain_letter
from tests.support.meeting import START, git, rule
from tests.support.quick import CLOCK, MAIN, POINTS, SMALL, VOTES, QuickMeeting

GAMES = ("moor", "fen")
SEATED = ("ann", "bob", "cid", "dee")
SECRET = "5ec7e75ec7e7" + "0123456789abcdef" * 3 + "0f1e"
ROOT = "Root <root@x.org>"
ONE_VOTER = {**VOTES, "script": VOTES["script"].replace('return things("player")', 'return ["ann"]')}
LAW = {**SMALL, "rules": [ONE_VOTER, POINTS, CLOCK]}
"""Whatever is proposed is decided by ann's vote alone."""


@contextmanager
def with_secret() -> Iterator[None]:
    """Let the keeper have a master secret, whatever it was before."""
    before = secret_store.HIDDEN[secret_store.CHANCE]
    secret_store.HIDDEN[secret_store.CHANCE] = SECRET
    try:
        yield
    finally:
        secret_store.HIDDEN[secret_store.CHANCE] = before


def epoch_secrets() -> dict[str, str]:
    """Return the secret of the open chance epoch of each game, hex."""
    found = secret_store.read_masters(SECRET)
    return {game: secret_store.derived(found[0], game, 1).hex() for game in GAMES}


def numbered(person: str) -> str:
    """Return by which number a forge knows a player."""
    return str(7000 + SEATED.index(person))


@cache
def founded(kind: str) -> Path:
    """Return a bare repository with two games that are played on a kind of forge; it is to be copied."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    repo = pygit2.init_repository(str(folder), bare=True, initial_head="main")
    people = [{"id": who, "email": f"{who}@x.org"} for who in SEATED]
    given = {**json.loads(json.dumps(LAW)), "forge": kind, "engine": versions(), "players": people}
    tip = ""
    for game in GAMES:
        record = GameTree(repo, tip, game)
        done = Session.found(record, {**given, "administrators": ["ann"]}, START)
        assert done.accepted, done.entry
        with Session.on(record) as session:
            for who in SEATED if kind != "local" else ():
                known = {"player": who, "forge": kind, "id": numbered(who), "login": who}
                assert session.act("ann", "identify", known, at=START).accepted
            secret = bytes.fromhex(epoch_secrets()[game])
            assert session.act("ann", "open_epoch", {"commitment": commitment(secret)}, at=START).accepted
        tip = record.commit("Found the game", ROOT, START, committer=ROOT)
    repo.references.create(MAIN, tip)
    return folder


class LocalTable(QuickMeeting):
    """Two games on the local forge, each judged in a process of its own."""

    kind = "local"
    dragon = 1
    """The number of the pull request that is voted on when a story begins."""

    def __init__(self, folder: Path, template: Path | None = None) -> None:
        self.folder = folder
        self.now = START
        self.bare = folder / "table.git"
        shutil.copytree(template or begun(), self.bare)
        self.remote = str(self.bare)
        self.referee_folder = self.bare
        self.repo = pygit2.Repository(str(self.bare))
        self.games = GAMES
        self.forge: Any = LocalForge(self.bare)

    def begin(self) -> None:
        """Let bob propose what is voted on when the story begins."""
        number = self.opens(Pull("bob", "A dragon", {"rules/dragon.yaml": rule("A dragon")}))
        report = self.run(300)
        assert (number, report.entries) == (self.dragon, 1), self.answer(number)

    def place(self, where: int) -> int:
        """Return the number of a pull request of a story: the first is what is voted on; 0 stays the thread."""
        return where + self.dragon - 1 if where else 0

    # -- people

    def commits(self, pull: Pull) -> str:
        """Return the commit with what a pull request holds."""
        nodes: dict[str, Any] = {p: None if d is None else (BLOB, d) for p, d in pull.files.items()} | pull.nodes
        inside = {path[1:] if path.startswith("/") else f"state/moor/{path}": node for path, node in nodes.items()}
        tip = self.repo[self.tip()].peel(pygit2.Commit)
        who = f"{pull.person.capitalize()} <{pull.person}@x.org> {self.now} +0000".encode()
        message = pull.title.encode("utf-8", "surrogatepass").replace(b"\0", b"")
        tree = tree_with(self.repo, tip.tree, inside)
        made = commit_of(self.repo, tree, [str(tip.id)], pull.author or who, message)
        return commit_of(self.repo, tree, [made], who, message) if pull.below else made

    def touches_game(self, pull: Pull) -> bool:
        """Say whether a pull request changes anything below `state`, or cannot be read."""
        made, tip = (self.repo.read(pygit2.Oid(hex=c))[1][5:45] for c in (self.commits(pull), self.tip()))
        state = [dict(entries(folder(self.repo, pygit2.Oid(hex=tree.decode())))).get("state") for tree in (made, tip)]
        return state[0] != state[1] or any(path.lower().startswith("/state") for path in pull.files)

    def opens(self, pull: Pull) -> int:
        """Open a pull request; returns its number."""
        return self.pull(self.commits(pull))

    def says(self, said: Say) -> str:
        """Send a comment or a review; returns its id."""
        head = self.head(said.where) if said.kind != "comment" else ""
        data = plain_letter(said.person, said.where, said.body, said.kind, head)
        who = self.signature(said.person)
        return self.sends(Raw(f"{who.name} <{who.email}>", "own", {"letter.yaml": (BLOB, data)}))

    def sends(self, raw: Raw) -> str:
        """Put a commit into a chain of letters; returns its id."""
        mail = raw.author.rpartition("<")[2].rstrip("> \n") or "x@x.org"
        ref = LETTERS + (writer_of(mail) if raw.chain == "own" else raw.chain)
        tip = self.tip(ref)
        parents = ([tip] if tip else []) + ([self.tip()] if raw.parents == 2 else [])
        head = self.head(1).encode()
        files = {path: (mode, data.replace(b"HEAD1", head)) for path, (mode, data) in raw.files.items()}
        stamped = f"{raw.author} {self.now} +0000".replace("\n", " ").encode()
        made = commit_of(
            self.repo,
            tree_with(self.repo, None, files),
            parents if raw.parents or raw.chain == "own" else [],
            raw.raw_author or stamped,
            raw.message.encode(),
            raw.signature.encode(),
        )
        self.put(ref, made)
        return made

    # -- what came of it

    def run(self, seconds: int = 0) -> Report:
        """Let time pass, and a new referee run, as a job does."""
        self.now += seconds
        self.forge = LocalForge(self.bare)
        with Referee(self.forge, self.repo, lambda: self.now) as referee:
            return referee.run()

    def answer(self, where: int) -> str:
        """Return what the referee says of a pull request, or in the thread (0)."""
        return str(self.said(where))

    def is_told(self, commit: str) -> bool:
        """Say whether the author of a commit, if it names one, was told why it is no letter."""
        try:
            author = author_of(self.repo[commit].peel(pygit2.Commit))
        except NoLetterError:
            return True
        return commit in {each.fact for each in ForgeCache(self.repo, self.tip(FORGE)).answers(author.id)}

    def arrived(self, commit: str) -> bool:
        """Say whether a letter was taken for one."""
        forge = LocalForge(self.bare)
        _, seen = forge.refs.again(forge._stable)
        return seen.is_read(commit)


@cache
def begun() -> Path:
    """Return the repository of the local table, with pull request 1 of bob's that is voted on."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    table = LocalTable(folder, founded("local"))
    table.begin()
    return table.bare


def whole(text: str) -> str:
    """Return a text as a server with a database has it: without halves of characters."""
    return text.encode("utf-8", "replace").decode()


class WebTable(LocalTable):
    """Two games on an emulated forge with an API; heads are made in the hub itself, as a push to a fork does."""

    kind = "github"
    dragon = 2

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, founded(self.kind))
        self.web = GitHub(self.bare, START)
        self.web.accounts |= {who: int(numbered(who)) for who in SEATED}
        self.thread = self.web.open_issue("ann", "Talk about the game", ("game",))
        self.clone = folder / "clone.git"
        git(folder, "init", "--quiet", "--bare", "--template=", str(self.clone))
        self.forge = None
        self.begin()

    def opens(self, pull: Pull) -> int:
        return int(self.web.open_pull(pull.person, whole(pull.title), "", self.commits(pull)))

    def says(self, said: Say) -> str:
        if said.kind == "comment":
            return f"c{self.web.comment(said.person, self.place(said.where) or self.thread, whole(said.body))}"
        return f"r{self.web.review(said.person, self.place(said.where), STATES[said.kind], whole(said.body))}"

    def run(self, seconds: int = 0) -> Report:
        self.web.now = max(self.web.now, self.now) + seconds
        self.now = self.web.now
        given = (self.clone, self.remote, "moot/game", TOKEN)
        pacing = Pacing(lambda _: None)
        forge = GitHubForge(*given, API, transport=self.web.transport(), pacing=pacing)
        with Referee(forge, forge.refs.repo, lambda: self.now) as referee:
            return referee.run()

    def answer(self, where: int) -> str:
        robot = self.web.robot
        return "\n".join(
            each["body"]
            for each in self.web.said.values()
            if each["number"] == (where or self.thread) and each.get("user", each.get("person")) == robot
        )


TABLES = {"local": LocalTable, "github": WebTable}


# -- git objects made by hand, as no well-behaved git would make them

FOLDER = 0o40000
Node = tuple[int, bytes]
"""A mode, and the bytes of a file; of a submodule they do not matter."""


def tree_with(repo: pygit2.Repository, base: pygit2.Tree | None, nodes: Mapping[str, Node | None]) -> pygit2.Oid:
    """Store a tree that is another one with some nodes set or removed (None), whatever their names and modes are."""
    below: dict[str, dict[str, Node | None]] = {}
    held: dict[bytes, tuple[int, bytes]] = {}
    for each in base or ():
        held[each.raw_name] = (int(each.filemode), each.id.raw)
    for path, node in nodes.items():
        name, _, rest = path.strip("/").partition("/")
        below.setdefault(name, {})[rest] = node
    for name, inner in below.items():
        raw = name.encode("utf-8", "surrogatepass")
        own = inner.pop("", None)
        if inner:
            old = held.get(raw)
            inside = repo[pygit2.Oid(raw=old[1])] if old is not None and old[0] == FOLDER else None
            held[raw] = FOLDER, tree_with(repo, inside if isinstance(inside, pygit2.Tree) else None, inner).raw
        elif own is None:
            held.pop(raw, None)
        else:
            held[raw] = own[0], _target(repo, *own).raw
    ordered = sorted(held.items(), key=lambda item: item[0] + (b"/" if item[1][0] == FOLDER else b""))
    return repo.write(ObjectType.TREE, b"".join(b"%o %s\0%s" % (mode, name, oid) for name, (mode, oid) in ordered))


def _target(repo: pygit2.Repository, mode: int, data: bytes) -> pygit2.Oid:
    return pygit2.Oid(hex="1" * 40) if mode == 0o160000 else repo.create_blob(data)


def commit_of(
    repo: pygit2.Repository, tree: pygit2.Oid, parents: list[str], author: bytes, message: bytes, signature: bytes = b""
) -> str:
    """Store a commit of which every byte is given; returns its name (hex)."""
    lines = [b"tree %s" % str(tree).encode(), *(b"parent %s" % parent.encode() for parent in parents)]
    lines += [b"author %s" % author, b"committer %s" % author]
    if signature:
        lines.append(b"gpgsig " + signature.replace(b"\n", b"\n "))
    return str(repo.write(ObjectType.COMMIT, b"\n".join(lines) + b"\n\n" + message))
