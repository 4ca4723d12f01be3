"""Moving games: recorded at the old forge first, then pushed to the new one, where what is voted on gets its places.

Each step looks at what is done already, so that it may be cut short anywhere and run again. Until the last is done the
record says that the game is on its way, and no referee judges it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

import pygit2
from msgspec import Struct, field

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.documents import Document, GameDocument, Proposal
from folkmoot.core.fault_points import fault_point
from folkmoot.core.game_location import left_from, played_at
from folkmoot.core.keys import GAME, ROSTER, forge_home, forge_kind, proposal_key, rule_key
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.files.rewrite import render_rule
from folkmoot.forges.cache.ref_names import BRANCHES, FORGE, REFEREED
from folkmoot.forges.cache.refs import Refs, Standing
from folkmoot.forges.cache.untrusted_commits import find_commit
from folkmoot.forges.git_transport import Move
from folkmoot.forges.local.players_repository import PlayersRepository
from folkmoot.forges.web.client import RefusedError, UncertainError
from folkmoot.forges.web.forge import WebForge
from folkmoot.game.session import Done, Session
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.partial_clone import descends
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.referee.content import read_content
from folkmoot.referee.markdown import said
from folkmoot.referee.recorder import Recorder
from folkmoot.referee.redlines import proposed

LONGEST_NAME = 40
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~-]+){2,9}")
KEEPER = pygit2.Signature("Folkmoot", "referee@folkmoot.invalid", 0, 0)
Record = Mapping[str, Any]


def commit_of(record: GameTree, proposal: Proposal) -> str:
    """Return the commit (hex) with the content of a proposal: its own where that is here, else one made of its changes.

    "" where nothing in files can show what it would change, as with motions that change no rule.
    """
    head = str((proposal.get("via") or {}).get("head") or "")
    if head and find_commit(record.repo, head) is not None and _shows(record, head, proposal):
        return head
    try:
        made = _made(record, proposal)
    except (ProblemError, KeyError, pygit2.GitError):
        return ""
    return made if made and _shows(record, made, proposal) else ""


def _shows(record: GameTree, commit: str, proposal: Proposal) -> bool:
    """Say whether a commit can be read as changes of the rules of that game."""
    content = read_content(record.repo, record.commit_id, commit)
    mine = content.of(record.name)
    return not content.problems and mine is not None and len(mine.changes) >= min(1, len(proposal["changes"]))


def _made(record: GameTree, proposal: Proposal) -> str:
    """Make a commit on top of the game's branch in whose files the changes of a proposal stand."""
    files: dict[str, bytes | None] = {}
    for change in proposed(proposal):
        kind, what = next(iter(change.items()))
        if isinstance(what, dict):
            files[_free(record, files, str(what.get("title") or "rule"))] = render_rule(what).encode()
        elif kind == "repeal":
            files[f"rules/{what}.yaml"] = None
        else:
            files[f"rules/{what}.yaml"] = _changed(record, kind, str(what), change)
    if not files:
        return ""
    inside = {f"{record.path}/{name}": data for name, data in files.items()}
    base = record.repo[record.commit_id].peel(pygit2.Commit)
    tree = write_tree(record.repo, base.tree_id, inside)
    by = pygit2.Signature(KEEPER.name, KEEPER.email, int(proposal["submitted_at"]), 0)
    return make_commit(record.repo, tree, [record.commit_id], f"{proposal['title'] or called(proposal)}\n", by, by)


def _changed(record: GameTree, kind: str, uid: str, change: Record) -> bytes:
    rule = dict(record.archive(rule_key(uid)) or {})
    if kind == "transmute":
        rule["labels"] = {**(rule.get("labels") or {}), "status": change["to"]}
    elif kind == "retitle":
        rule["title"] = change["to"]
    else:
        rule |= {name: value for name, value in change.items() if name not in (kind, "revision")}
    return render_rule(rule).encode()


def _free(record: GameTree, files: Mapping[str, Any], title: str) -> str:
    """Return a path for a new rule that no file has yet."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME].strip("-") or "rule"
    tried, count = f"rules/new-{name}.yaml", 2
    while tried in files or record.read(tried) is not None:
        tried, count = f"rules/new-{name}-{count}.yaml", count + 1
    return tried


def text_of(proposal: Proposal, before: str) -> str:
    """Return what the pull request says of itself: whose it is, where it was, and how the vote stands."""
    author = f", by {said(proposal['author'], 80)}" if proposal.get("author") else ""
    lines = [
        f"This is {said(called(proposal), 80)}{author}. The game has moved here: it was {said(place_of(proposal), 80)} "
        f"at {_linked(before)}, where nothing counts any more.",
        "",
        _votes(proposal),
        "",
        "What is voted on is the proposal as it is recorded. Nothing that is pushed here changes it.",
    ]
    return "\n".join(lines) + "\n"


def _linked(address: str) -> str:
    """Return an address as a link, where it is nothing else.

    >>> _linked("https://github.com/ann/game"), _linked("https://x.example/@bob")
    ('<https://github.com/ann/game>', 'https：//x.example/＠bob')
    """
    return f"<{address}>" if _ADDRESS.fullmatch(address) else said(address, 300)


def place_of(proposal: Proposal) -> str:
    """Return where a proposal was met, in words."""
    via = proposal.get("via") or {}
    if via.get("pull"):
        return f"pull request {via['pull']}"
    return f"issue {via['issue']}" if via.get("issue") else "the game's thread"


def _votes(proposal: Proposal) -> str:
    """Return which votes are cast, where they are displayed also how."""
    ballots = proposal.get("ballots") or {}
    if not ballots:
        return "No vote on it is cast yet."
    shown = is_displayed(proposal)
    names = [said(who, 80) + (f" ({said(each['choice'], 40)})" if shown else "") for who, each in ballots.items()]
    return f"Votes that are cast, and stay: {', '.join(names)}."


_PAUSES = (0.2, 1.0, 3.0, 0.0)  # seconds in which a server may come to know a branch that was just pushed
_EARLY = (404, 409, 422, 500)  # what servers answer that do not know it yet


class Removal(Struct, frozen=True, kw_only=True):
    """An undecided proposal on its way: `commit` (hex) has its content, `text` (Markdown) says what it is."""

    game: str
    identifier: str
    title: str
    commit: str
    text: str

    @property
    def branch(self) -> str:
        """Return the branch of the new repository that holds it."""
        return f"moved/{self.game}/{self.identifier.replace('/', '-')}"


class Landing(ABC):
    """The new forge: its refs, and how a pull request is opened there."""

    kind: str
    refs: Refs

    @abstractmethod
    def open(self, removal: Removal, base: str) -> int:
        """Open the pull request of a proposal to a branch, or find it where it is open; return its number."""


class LocalLanding(Landing):
    """A table of plain git: the head of a pull request is a ref."""

    kind = "local"

    def __init__(self, repo: pygit2.Repository, remote: str | None) -> None:
        self.players = PlayersRepository(repo.path, remote)
        self.refs = self.players.refs
        self.refs.repo = repo

    def open(self, removal: Removal, base: str) -> int:  # noqa: ARG002 (there is one branch)
        """Push the commit to the next pull request, or find the one that has it."""
        fault_point("before-open")
        number = self.players.open_pull(removal.commit)
        fault_point("opened")
        return number


class WebLanding(Landing):
    """A forge on the web: a branch is pushed, and the pull request is opened by its API."""

    def __init__(self, forge: WebForge) -> None:
        self.forge = forge
        self.kind = forge.name
        self.refs = forge.refs

    def open(self, removal: Removal, base: str) -> int:
        """Push the branch and open the pull request; what was done already is found."""
        self.refs.again(lambda: self._pushed(removal))
        fault_point("before-open")
        found = self._found(removal) or self._opened(removal, base)
        fault_point("opened")
        return found

    def _pushed(self, removal: Removal) -> bool | None:
        ref = BRANCHES + removal.branch
        before = self._standing(ref)
        return True if before == removal.commit else self.refs.move([Move(ref, before, removal.commit)]) or None

    def _standing(self, ref: str) -> str:
        listing = self.refs.git.listing(self.refs.remote or "")
        return listing.refs.get(ref, "")

    def _opened(self, removal: Removal, base: str) -> int:
        body = {"title": removal.title, "body": removal.text, "head": removal.branch, "base": base}
        for pause in _PAUSES:
            try:
                made = self.forge.client.write("POST", f"{self.forge.reading.place}/pulls", body)
                return int(made.data["number"])
            except (UncertainError, RefusedError) as error:
                found = self._found(removal)
                if found:
                    return found
                if not pause or (isinstance(error, RefusedError) and error.status not in _EARLY):
                    raise self._refused(removal, error) from None
            self.forge.client.pacing.pause(pause)
        raise AssertionError("the last try ends it")

    def _refused(self, removal: Removal, error: ProblemError) -> ProblemError:
        hint = "look whether the token may open pull requests there; run the same again, nothing is done twice"
        return fail("E-FORGE", f"no pull request of {removal.branch}: {error.problems[0].message}", None, hint)

    def _found(self, removal: Removal) -> int:
        """Return the number of the open pull request of a branch of the repository itself, 0 where there is none."""
        return next((int(pull["number"]) for pull in self._pulls() if self._is_of(pull, removal)), 0)

    def _pulls(self) -> Iterator[Mapping[str, Any]]:
        for page in self.forge.reading.pages(f"{self.forge.reading.place}/pulls", {"state": "open"}):
            yield from page.data

    def _is_of(self, pull: Mapping[str, Any], removal: Removal) -> bool:
        head = pull.get("head") or {}
        owner = str((head.get("repo") or {}).get("full_name") or "").lower()
        own = f"repos/{owner}" == self.forge.reading.place.lower()
        return own and head.get("ref") == removal.branch and head.get("sha") == removal.commit


Accounts = Mapping[str, Mapping[str, str]]


class Moving(Struct):
    """The games of a repository on their way from one forge to another.

    `home` is the address of the new repository as people open it ("" for plain git), `old_home` that of the old one;
    `by` says who of a game's administrators moves it, `accounts` who players are on the new forge.
    """

    repo: pygit2.Repository
    old: Refs
    old_kind: str
    old_home: str
    new: Landing
    home: str
    by: Callable[[Document], str]
    accounts: Accounts
    clock: Callable[[], int]
    moved: list[str] = field(default_factory=list)
    places: dict[str, dict[str, int]] = field(default_factory=dict)
    _standing: Standing | None = None

    def run(self) -> None:
        """Do what is left to do. Raises E-FORGE where a forge fails, E-REFUSED where the record refuses it."""
        self.old.again(self._recorded)
        fault_point("recorded")
        self.new.refs.again(self._pushed)
        fault_point("moved")
        self.new.refs.again(self._arrived)

    def look(self) -> dict[str, GameTree]:
        """Return the games that are to be moved, or on their way, as they stand at the old forge. Raises E-FORGE."""
        standing = self.old.again(self._fetched)
        found = {name: GameTree(self.repo, standing.main, name) for name in games_at(self.repo, standing.main)}
        return {name: game for name, game in found.items() if self._leaves(_of(game)) or self._is_there(_of(game))}

    def look_there(self) -> None:
        """Look whether the new place can be read, and holds nothing but these games. Raises E-FORGE, E-ARGS."""
        old = self._standing_now()
        self._refuse_others(old, self.new.refs.again(lambda: self._there(old)[0]))

    # -- at the old forge

    def _fetched(self) -> Standing | None:
        standing = self.old.read()
        if not standing.main:
            raise fail("E-NO-GAME", "there is no game at the old forge", None, "push it there, or name it: --remote")
        self._standing = self.old.fetch(standing, [standing.branch, FORGE, REFEREED])
        return self._standing

    def _recorded(self) -> bool | None:
        """Record that the games move, where that is not done; None where somebody else was quicker there."""
        standing = self._fetched()
        if standing is None:
            return None
        commit = standing.main
        for name in games_at(self.repo, commit):
            if self._leaves(_of(GameTree(self.repo, commit, name))):
                commit = self._enter(commit, name, "change_forge", self._said(commit, name))
        if commit == standing.main:
            return True
        fault_point("before-record")
        return self.old.move([Move(standing.branch, standing.main, commit)]) or None

    def _said(self, commit: str, name: str) -> dict[str, Any]:
        roster = GameTree(self.repo, commit, name).kept(ROSTER)
        accounts = {player: dict(account) for player, account in self.accounts.items() if player in roster}
        home = {"home": self.home} if self.home else {}
        return {"forge": self.new.kind, **home, **({"accounts": accounts} if accounts else {})}

    def _leaves(self, game: GameDocument) -> bool:
        """Say whether a game is played at the old forge now."""
        if forge_kind(game) != self.old_kind or self._is_there(game):
            return False
        return left_from(game, self.old_kind, self.old_home) is None

    def _is_there(self, game: GameDocument) -> bool:
        """Say whether a game's record says that it is played at the new forge, and has left another."""
        same = forge_kind(game) == self.new.kind and forge_home(game).lower() == self.home.lower()
        return same and bool(game.get("left"))

    # -- at the new one

    def _pushed(self) -> bool | None:
        """Bring the record to the new forge; None where somebody else was quicker there."""
        old = self._standing_now()
        standing, branch = self._there(old)
        if standing is None:
            return None
        if standing.main == old.main or (standing.main and descends(self.repo, standing.main, old.main)):
            return True
        self._refuse_others(old, standing)
        return self.new.refs.move([Move(branch, standing.main, old.main)]) or None

    def _refuse_others(self, old: Standing, new: Standing) -> None:
        """Raise E-ARGS where the new place holds something that these games do not come from, or lead to."""
        here = not new.main or new.main == old.main
        if here or descends(self.repo, new.main, old.main) or descends(self.repo, old.main, new.main):
            return
        message = f"{self.home or self.new.refs.remote} holds something else than these games"
        hint = "make that repository anew, quite empty, without a README or a licence; then run the same again"
        raise fail("E-ARGS", message, None, hint)

    def _standing_now(self) -> Standing:
        return self.old.again(self._fetched)

    def _there(self, old: Standing) -> tuple[Standing | None, str]:
        """Return what stands at the new forge, and the branch that is played on: called as at the old one at first."""
        standing = self.new.refs.read()
        if not standing.main:
            return standing, old.branch
        return self.new.refs.fetch(standing, [standing.branch]), standing.branch

    def _arrived(self) -> bool | None:
        """Open the pull requests of all that is voted on, and record them; None where somebody else was quicker."""
        standing, branch = self._there(self._standing_now())
        if standing is None:
            return None
        commit, self.moved = standing.main, []
        for name in games_at(self.repo, commit):
            game = GameTree(self.repo, commit, name)
            if not self._is_there(_of(game)):
                continue
            self.moved.append(name)
            moving = _of(game).get("moving") or ()
            if moving:
                places = self._housed(game, moving, branch.removeprefix(BRANCHES))
                commit = self._enter(commit, name, "rehouse", {"places": places})
        if commit == standing.main:
            return True
        fault_point("before-arrival")
        return self.new.refs.move([Move(branch, standing.main, commit)]) or None

    def _housed(self, game: GameTree, moving: Iterable[str], base: str) -> dict[str, dict[str, Any] | None]:
        """Open the pull requests of a game's proposals, and return what the record says of them."""
        places: dict[str, dict[str, Any] | None] = {}
        for identifier in moving:
            proposal: Proposal = game.archive(proposal_key(identifier))
            commit = commit_of(game, proposal)
            if not commit:
                places[identifier] = None
                continue
            text = text_of(proposal, _before(_of(game)))
            removal = Removal(
                game=game.name, identifier=identifier, title=proposal["title"] or identifier, commit=commit, text=text
            )
            number = self.new.open(removal, base)
            digest = read_content(self.repo, game.commit_id, commit).digest
            places[identifier] = {"pull": number, "head": commit, "digest": digest}
            self.places.setdefault(game.name, {})[identifier] = number
        return places

    # -- the record

    def _enter(self, commit: str, name: str, do: str, given: Mapping[str, Any]) -> str:
        """Record an act of an administrator on top of a commit, with what is due before; return the new commit."""
        record = GameTree(self.repo, commit, name)
        with closing(Session(record, record.load(), record.head)) as session:
            recorder = Recorder(session, record, forge_kind(_of(record)))
            recorder.first = session.head.seq + 1
            by = self.by(_of(record))
            done = accepted(session.act(by, do, dict(given), at=max(self.clock(), session.at)))
            recorder.look_at([*done.before, done.entry])
            if record.touched:
                recorder.commit()
        return record.commit_id


def _before(game: GameDocument) -> str:
    left = game.get("left")
    return played_at({"forge": left[-1]} if left else {})


def _of(game: GameTree) -> GameDocument:
    return game.kept(GAME)


def accepted(done: Done) -> Done:
    """Return what came of an act that must be accepted; raises E-REFUSED otherwise."""
    if not done.accepted:
        reasons = (r for r in done.entry.get("reasons", ()) if r["code"] == done.code)
        why = str(next((r.get("args", {}).get("why") for r in reasons), "") or done.code)
        raise fail("E-REFUSED", f"{done.entry['do']} was refused: {why}", None, "put it right, then run it again")
    return done
