"""Where the players of a repository's games meet, as one of them sees it from their clone.

Looking fetches and nothing else: nothing is stamped, pushed or checked out.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Roster
from folkmoot.core.game_location import LOCAL, gone, left_from
from folkmoot.core.keys import GAME, forge_kind, pull_here
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Shown
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import (
    BRANCHES,
    FORGE,
    Standing,
    barring,
    pull_number,
    pull_ref,
    removal,
    shown,
)
from folkmoot.forges.cache.untrusted_objects import chain, find_commit
from folkmoot.forges.git_transport import without_secrets
from folkmoot.forges.local.forge import wakes_referee
from folkmoot.forges.local.letters import (
    Letter,
    NoLetterError,
    Sent,
    author_of,
    commit_of,
    is_letters,
    lowered,
    message_of,
    own_chains,
    read_letter,
    title_and_body,
)
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.forges.port import Person, PullState
from folkmoot.game.session import Session
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.kernel.names import account_on
from folkmoot.referee.people import player_of

_ADDRESS = re.compile(r"[^\s<>@\x00-\x1f\x7f]+@[^\s<>@\x00-\x1f\x7f]+")


class PullSeen(Struct, frozen=True, kw_only=True):
    """A pull request as it stands: `head` its present commit (hex); `observed` whether a referee has looked at that."""

    number: int
    author: Person
    title: str
    state: PullState
    head: str
    observed: bool
    body: str = ""


class RemoteView:
    """What a person sees of the place where games are played by pull requests.

    Args:
        folder: the person's repository, bare or not.
        remote: the path or URL of the repository where players meet; None where it is this one.
        seconds: how long git may take for one command; as long as a person may need for a password, if not given.
        standing: what stood there when it was last asked: then it is not asked again.
    """

    def __init__(
        self, folder: Path, remote: str | None = None, seconds: float | None = None, standing: Standing | None = None
    ) -> None:
        self.folder = folder
        self.remote = remote
        self.repository = PlayersRepository(folder, remote)
        if seconds is not None:
            self.repository.refs.git.seconds = seconds
        self.repo: pygit2.Repository = self.repository.refs.repo
        self.standing = standing or Standing("", {})
        self.seen = ForgeCache(self.repo, self.standing.forge)
        self._asks = standing is None
        self.note = ""
        """Why what is seen is not the newest, "" where it is."""
        self.only_looks = False  # where nothing is sent it may be somebody whom git does not know

    @property
    def place(self) -> str:
        """Return where the players meet, for people."""
        return str(self.folder) if self.remote is None else without_secrets(self.remote, self.remote)

    @cached_property
    def author(self) -> Author:
        """Return who git says that the person is; raises E-FORGE where it does not, unless they only look: nobody."""
        try:
            found = self.repository.author()
        except ProblemError:
            if not self.only_looks:
                raise
            return Author("", "")
        if not _ADDRESS.fullmatch(found.mail.strip()):
            hint = "run `git config user.email you@example.org`"
            raise fail("E-FORGE", f"git says that your e-mail address is {found.mail!r}, which is none", None, hint)
        return Author(found.name, found.mail.strip(), found.signs, found.key)

    @property
    def person(self) -> Person:
        """Return the person as the forge knows them."""
        return Person(id=lowered(self.author.mail), handle=self.author.name)

    @property
    def known(self) -> str:
        """Return the commit of the branch that a referee last published or proved (hex), "" if none."""
        return self.seen.standing.known

    # -- looking

    def look(self) -> RemoteView:
        """Fetch what there is: the game's branch, what a referee saw, new pull requests and the person's letters.

        Raises E-FORGE.
        """
        if self._asks:
            self.standing, self.seen = self.repository.refs.again(self._look)
        return self

    def _look(self) -> tuple[Standing, ForgeCache] | None:
        standing = self.repository.refs.read()
        fresh = self.repository.refs.fetch(standing, [standing.branch, FORGE, *self._chains(standing)])
        if fresh is None:
            return None
        seen = ForgeCache(self.repo, fresh.forge)
        moved = [ref for ref in seen.moved(fresh.watched) if pull_number(ref) is not None]
        fetched = self.repository.refs.fetch(fresh, moved)
        return None if fetched is None else (fetched, seen)

    def remember(self) -> RemoteView:
        """Take what was fetched last, without asking anybody; raises E-FORGE where nothing ever was."""
        if self.remote is None:
            return self.look()
        self.standing = self.repository.refs.remembered()
        self.seen = ForgeCache(self.repo, self.standing.forge)
        heads = {pull_ref(n): head for n in self.seen.listed if (place := self.seen.pull(n)) and (head := place.head)}
        self.standing = replace(self.standing, refs={**self.standing.refs, **heads})
        return self

    def _chains(self, standing: Standing) -> list[str]:
        with suppress(ProblemError):
            return own_chains(self.author.mail, standing.refs) if self.author.mail else []
        return []

    @property
    def main(self) -> str:
        """Return the tip of the branch that is played on; raises E-NO-GAME before the first commit."""
        if not self.standing.main:
            hint = "the founder pushes the game: `git push`"
            raise fail("E-NO-GAME", f"there is nothing on the branch {self.branch} of {self.place}", None, hint)
        return self.standing.main

    @property
    def branch(self) -> str:
        """Return the name of the branch that is played on."""
        return self.standing.branch.removeprefix(BRANCHES)

    @property
    def wakes(self) -> bool:
        """Say whether the referee looks by itself at whatever is pushed."""
        return self.seen.standing.wakes or wakes_referee(Path(self.remote or self.repo.path))

    def apart(self) -> tuple[int, int]:
        """Return how many commits the clone's own branch of that name has alone, and lacks; 0 where there is none."""
        branch = self.repo.branches.local.get(self.branch) if self.remote is not None else None
        if branch is None or not self.standing.main:
            return 0, 0
        return self.repo.ahead_behind(branch.target, pygit2.Oid(hex=self.standing.main))

    # -- games

    def games(self) -> list[str]:
        """Return the names of all games on the branch."""
        return games_at(self.repo, self.main)

    def record(self, name: str) -> GameTree:
        """Return a game as it is on the branch."""
        return GameTree(self.repo, self.main, name)

    def forge_of(self, name: str) -> str | None:
        """Return by which forge the acts of a game come, None where one person keeps it."""
        return forge_kind(self.record(name).kept(GAME)) or None

    def is_over(self, name: str) -> bool:
        """Say whether a game is over."""
        return bool(self.record(name).kept(GAME).get("over"))

    @property
    def web(self) -> str:
        """Return the kind of forge on the web by which a game here is played, "" where players meet by git alone."""
        kinds = {kind for game in self.games() if (kind := self.forge_of(game))} - {"local"}
        return min(kinds, default="")

    @property
    def moved(self) -> str:
        """Return where the games are played that have left the place at which this clone looks, "" where they are here.

        What a referee has seen at a place says which kind of forge that is; where none has looked nobody can tell.
        """
        if not self.standing.forge:
            return ""
        kind, games = self.seen.standing.forge or LOCAL, [(name, self.record(name).kept(GAME)) for name in self.games()]
        return next((gone(name, game, left) for name, game in games if (left := left_from(game, kind))), "")

    def session(self, name: str) -> AbstractContextManager[Session]:
        """Open a game as it is on the branch, to be asked."""
        return Session.on(self.record(name), only_looks=self.only_looks)

    def bound(self, letter: Letter) -> Letter:
        """Return a letter that names the game it is for, where there are several: what is signed must."""
        games = self.games() if self.author.signs and not letter.game else []
        if len(games) < 2:
            return letter
        head = self.standing.refs.get(pull_ref(letter.pull), "") if letter.pull else ""
        from folkmoot.referee.content import read_content  # all that files may hold comes with it

        content = read_content(self.repo, self.main, head) if head else None
        said = letter.body.partition("\n")[0].removeprefix("/game ").strip()
        touched = {each.game for each in content.games} if content else set()
        name = next((game for game in games if game == said or game in touched), None)
        return letter if name is None else replace(letter, game=self.record(name).founding)

    # -- pull requests

    def pulls(self) -> list[PullSeen]:
        """Return the pull requests that are open, by number: those not seen by a referee yet, if git tells of them.

        On a forge on the web git keeps the head of every pull request that ever was, and does not say whose it is or
        whether it is open; there only the forge knows, and after it the referee.
        """
        heads = () if self.web else [n for ref in self.standing.refs if (n := pull_number(ref)) is not None]
        numbers = {n for n in heads if self.seen.pull(n) is None} | set(self.seen.listed)
        found = [self.pull(number) for number in sorted(numbers)]
        return [pull for pull in found if pull is not None and pull.state == "open"]

    def pull(self, number: int) -> PullSeen | None:
        """Return a pull request as it stands, None where there is none: an issue is none."""
        head = self.standing.refs.get(pull_ref(number), "")
        place = self.seen.pull(number) if number else None
        if place is not None and place.issue is not None:
            return None
        if place is not None and place.pull is not None:
            last = place.head
            if not (head or last):  # the forge told of it, and its content could not be fetched yet
                return None
            there = place.pull
            return PullSeen(number=number, author=there.author, title=there.title, body=there.body, state=place.state,
                            head=head or last, observed=head in ("", last))  # fmt: skip
        try:
            commit = commit_of(self.repo, head) if head else None
            if commit is None:
                return None
            title, author = title_and_body(message_of(commit))[0], author_of(commit)
        except NoLetterError:
            return None
        return PullSeen(number=number, author=author, title=title, state="open", head=head, observed=False)

    def link(self, number: int) -> str:
        """Return the address of a pull request or an issue on the forge, of the game's thread for 0; "" if unknown."""
        place = self.seen.pull(number or self.seen.standing.thread)
        return place.link if place is not None else ""

    def wanted(self, number: int, *, over: bool = False) -> PullSeen:
        """Return one that is open, or may be `over`; raises E-NO-SUCH, naming the open ones, and E-ORDER."""
        found = self.pull(number)
        if (found is None or found.state != "open") and self.moved:
            raise fail("E-STATUS", self.moved, None, ELSEWHERE)
        if found is None:
            message, place = f"there is no pull request {number}", self.seen.pull(number) if number else None
            if place is not None and place.issue is not None:
                message = f"{number} is an issue ({place.issue.title}), no pull request"
            elif place is not None:
                message = f"the content of pull request {number} is not here yet"
            raise fail("E-NO-SUCH", message, None, self._open_ones())
        if found.state != "open" and not over:
            message = f"pull request {number} ({found.title}) is {found.state} already"
            raise fail("E-ORDER", message, None, self._open_ones())
        return found

    def pull_of_proposal(self, number: int) -> int:
        """Return the number of the pull request by which the proposal of a number came, 0 where there is none."""
        for name in self.games():
            record = self.record(name)
            proposal = find_by_name(record.archive, f"proposal/{number}")
            pull = pull_here(proposal, record.kept(GAME)) if proposal else 0
            if pull:
                return pull
        return 0

    def _open_ones(self) -> str:
        listed = ", ".join(f"{pull.number} ({pull.title})" for pull in self.pulls()[:10])
        return f"open: {listed}" if listed else "none is open; `moot propose` opens one"

    # -- letters

    def letters(self) -> list[Letter]:
        """Return what the person sent that no referee has looked at yet, oldest first."""
        moved = self.seen.moved(self.standing.watched)
        return [sent.letter for ref in self._chains(self.standing) if ref in moved for sent in self._new(*moved[ref])]

    def _new(self, before: str, tip: str) -> list[Sent]:
        """Return the person's letters that a ref leads to and did not before, oldest first."""
        found = []
        for name in takewhile(lambda name: name != before, chain(self.repo, tip)):
            with suppress(NoLetterError):
                found.append(read_letter(self.repo, name))
        return [sent for sent in found[::-1] if sent.author.id == self.person.id]

    def letter(self, name: str) -> Letter | None:
        """Return a letter by its commit (hex), None where that is none, or not here."""
        try:
            return read_letter(self.repo, name).letter
        except NoLetterError:
            return None

    def odd_refs(self) -> list[Shown]:
        """Return the refs that no pull request and no letters came of: `ref`, `why`, and the command that `removes` it.

        Those that are in the way of others come first.
        """
        if self.web:
            return []
        way = barring(self.standing.names)
        found = dict.fromkeys(way, "it is in the way of others: git lets no ref be a folder of another")
        moved = self.seen.moved(self.standing.watched)
        for ref, tip in self.standing.watched.items():
            if why := self._why_odd(ref, tip, looked=ref not in moved):
                found.setdefault(ref, why)
        return [{"ref": shown(ref), "why": why, "removes": removal(ref, self.remote)} for ref, why in found.items()]

    def _why_odd(self, ref: str, tip: str, *, looked: bool) -> str:
        """Return why nothing came of a ref at a commit (hex), once a referee has `looked` at that; "" where it did."""
        number = pull_number(ref)
        if number is None:
            return "" if is_letters(ref) else "no pull request and no chain of letters has such a name"
        if self.seen.pull(number) is not None:
            return ""
        if ref in self.seen.standing.unfetched:
            return self.seen.standing.unfetched[ref].why
        if find_commit(self.repo, tip) is None:
            return "it leads to no commit that can be read"
        return "its number is not the next one, or its author has no e-mail address" if looked else ""


# -- who of a game's people sits at a clone

ELSEWHERE = "lead this clone there: `git remote set-url origin URL`, then `git pull`"
SETTING = "moot.player"
_GIVEN = re.compile(r"([0-9]+)\+([^@\s]+)@users\.noreply\.github\.com")


def account_in(view: RemoteView, roster: Roster, forge: str) -> Person | None:
    """Return the person at a clone as the forge of a game knows them, None where nothing here says who that is."""
    if forge == "local":
        return view.person
    named = _setting(view)
    if named:
        return _account_of(roster, named, forge)
    given = _GIVEN.fullmatch(view.person.id) if forge == "github" else None
    if given:
        return Person(id=given[1], handle=given[2])
    known = player_of(roster, "local", view.person)
    return _account_of(roster, known, forge) if known else None


def player_in(view: RemoteView, roster: Roster, forge: str) -> str | None:
    """Return the player who sits at a clone, also a former one, None for strangers and where nothing says who it is."""
    account = account_in(view, roster, forge)
    found = player_of(roster, forge, account) if account is not None else None
    return found or player_of(roster, "local", view.person)


def unknown_setting(view: RemoteView, roster: Roster, forge: str) -> str:
    """Return whom the setting names if the game knows nobody of that name on its forge, else ""."""
    named = _setting(view) if forge != "local" else ""
    return named if named and _account_of(roster, named, forge) is None else ""


def _setting(view: RemoteView) -> str:
    config = view.repo.config
    return str(config[SETTING]) if SETTING in config else ""


def _account_of(roster: Roster, player: str, forge: str) -> Person | None:
    """Return the account of a player on a forge, None where the game knows of none."""
    handle = account_on(roster, player, forge)
    return Person(id=handle["id"], handle=handle["login"] or player) if handle else None
