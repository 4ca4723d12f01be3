"""The seat of a player at their clone: how its games stand for them, looked at anew when something has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_urlsafe
from threading import RLock, Thread
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.cli.clones import SECONDS, kept_game, last_look, look, looked_now
from folkmoot.cli.games import repository_around
from folkmoot.cli.outcomes import here_of, told
from folkmoot.cli.repositories import local_path
from folkmoot.cli.sending import people_of, remote_view_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_whole, write_whole
from folkmoot.core.documents import Proposal, RuleDocument
from folkmoot.core.keys import GAME, pull_here
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Shown
from folkmoot.forges.port import Remark
from folkmoot.game.actions import Action, actions_for
from folkmoot.game.session import Session
from folkmoot.game.status import choices_of, decider_of, status_of, undecided
from folkmoot.journal import GameFolder
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import STATE, games_in
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.ballot_words import CHOICES, SAID
from folkmoot.player import present_time
from folkmoot.player.person_status import person_status
from folkmoot.player.proposing import Draft
from folkmoot.player.remote_view import RemoteView
from folkmoot.referee.commands import asks_nothing
from folkmoot.site.output import digest_of
from folkmoot.site.page_data import Person, person
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.page_links import Here, journal_path, proposal_path

MOST_TALK = 50  # remarks in one place
MOST_NEWS = 10  # entries
PATIENCE = 1.0
"""Seconds that a page waits for a look."""
_PLACE = re.compile(r"[A-Za-z0-9_-]{22}")
SILENT = "Where you meet nobody has answered yet. This is what was seen last."


class Listener(Terminal):
    """A terminal at which nobody sits: it keeps what a command prints for programs, and its remarks."""

    records: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def record(self, record: Any) -> None:
        """Keep a record."""
        self.records.append(record)

    def note(self, text: str) -> None:
        """Keep a remark."""
        self.notes.append(text)


class OpenVote(Struct, frozen=True, kw_only=True):
    """Something that is voted on: its page below the game, what may be said on it, and what the player said.

    Where the player alone `decides` on it, by an office, that is said as a vote is.
    """

    proposal: Proposal
    path: str
    pull: int
    choices: list[str]
    own: str
    entitled: bool
    digest: str
    """That of the words that are voted on."""
    decides: bool = False


class Standing(Struct, frozen=True, kw_only=True):
    """How a game stands for the player at the seat; `player` is None for whoever only watches."""

    game: str
    entry: int
    player: str | None
    you: Shown
    status: Shown
    actions: dict[str, Action]
    votes: list[OpenVote]
    undecided: dict[str, tuple[int, str | None]]
    """Of each page of a proposal that is not decided its pull request (0: none), and its author."""
    here: Here
    rules: list[RuleDocument]
    talk: dict[int, list[Remark]]
    """What was said on pull requests that are open, by their numbers, and in the game's own thread (0)."""
    people: list[str]
    """Who plays."""
    squares: dict[str, Any]
    """The boards on which actions are done, as far as somebody asked for them."""
    kept: bool
    """Whether one person keeps the game, so that what is done is recorded at once."""

    @property
    def title(self) -> str:
        """Return what the game is called."""
        return str(self.status["title"])

    def who(self, player: str) -> Person:
        """Return a player as pages show them."""
        return person(self.here, player)

    def address_of(self, entry: int) -> str:
        """Return the address of an entry below the game."""
        return f"{journal_path(entry).replace('.md', '.html')}#e{entry}"

    @property
    def owed(self) -> list[Shown]:
        """Return what waits for the player now: of votes and duties `what`, `by`, and `ways`, as action or path."""
        votes = [
            {
                "what": f"{'Decide' if vote.decides else 'Vote'} on “{vote.proposal['title']}”",
                "rule": None,
                "by": each["until"],
                "ways": [vote.path],
            }
            for vote in self.votes
            for each in self.status["open"]
            if each["id"] == vote.proposal["id"] and (self.kept or vote.decides or self.player in each["missing"])
        ]
        duties = [
            {"what": duty["what"], "rule": duty["rule"], "by": duty["by"], "ways": duty.get("do") or []}
            for duty in self.status["duties"]
            if (self.kept or duty["player"] == self.player) and VOTE not in (duty.get("do") or ())
        ]
        return votes + duties


class Seat:
    """A clone at which somebody plays the games of its repository.

    Whoever does something at it, or asks where the players meet, holds `acting`; whoever only reads what was seen last
    holds `lock`, which nobody keeps while they wait for others. Who needs both takes `acting` first.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.acting, self.lock = root, RLock(), RLock()
        self.note = ""
        """Why what is shown is not the newest, "" where it is."""
        self.view: RemoteView | None = None
        """What the player sees of where the games are played, None before a look, or where that is only here."""
        self._standings: dict[str, tuple[object, Standing]] = {}
        self._looking, self._asks = Thread(), False

    def terminal(self, *, trying: bool = False) -> Listener:
        """Return a terminal for a command that is run at the seat; what is only tried asks nobody what is new."""
        seen = self.view.standing if trying and self.view is not None else None
        return Listener(json=True, directory=self.root, patience=SECONDS, standing=seen)

    def own_file(self, name: str) -> Path | None:
        """Return where something is kept beside the clone's own settings, None where there is no git."""
        repo = repository_around(self.root)
        return Path(repo.path) / "folkmoot" / name if repo is not None else None

    def place(self) -> str:
        """Return below which path this clone's pages lie: a name that nobody else knows, the same at each start."""
        file, name = self.own_file("place"), token_urlsafe(16)
        if file is None:
            return name
        with suppress(OSError, ProblemError):
            known = (read_whole(file) or b"").decode("ascii", "replace")
            if _PLACE.fullmatch(known):
                return known
            write_whole(file, name.encode(), 0o600)
        return name

    @property
    def is_far(self) -> bool:
        """Say whether a server is asked for what is new."""
        return self.view is not None and local_path(self.view.remote or "") is None

    def look(self, seconds: float = PATIENCE) -> None:
        """Fetch what is new, and wait for that so long at most; until it is here what was seen before stays."""
        with self.lock:
            if not self._looking.is_alive():
                self._looking = Thread(target=self._look, daemon=True)
                self._looking.start()
            looking = self._looking
        looking.join(seconds)
        if looking.is_alive() and self._asks:
            self.note = SILENT

    def _look(self) -> None:
        with self.acting:
            self._asks = True
            try:
                if self.view is None:
                    with suppress(ProblemError):
                        self.view = self._watcher().remember()
                view = self._watcher()
                note = look(view, offline=False)
                with self.lock:
                    self.view, self.note = view, note
            except ProblemError as error:
                self.note = error.problems[0].message
            finally:
                self._asks = False

    def _watcher(self) -> RemoteView:
        """Return where the players meet, for who only looks."""
        view = remote_view_of(self.terminal(), None)
        view.only_looks = True
        return view

    def follow(self) -> None:
        """Bring the clone's files up to what was fetched, where nothing of the clone's own is in the way of that."""
        with self.acting, self.lock:
            view = self.view
            if view is None or view.remote is None or view.repo.is_bare or view.repo.head_is_unborn:
                return
            try:
                self._follow(view)
            except (ProblemError, pygit2.GitError, KeyError) as error:
                self.note = f"this clone could not follow the game: {error}"

    def _follow(self, view: RemoteView) -> None:
        repo, (ahead, behind) = view.repo, view.apart()
        if not behind or repo.head_is_detached or repo.head.shorthand != view.branch:
            return
        if ahead:
            self.note = "this clone has commits of its own, so that its pages stay as they are: `git pull --rebase`"
            return
        try:
            nothing_lost = pygit2.enums.CheckoutStrategy.SAFE | pygit2.enums.CheckoutStrategy.DONT_OVERWRITE_IGNORED
            repo.checkout_tree(repo[view.main], strategy=nothing_lost)  # type: ignore[no-untyped-call]
        except pygit2.GitError as error:
            self.note = f"files that were changed here are in the way of newer play: {error}"
            return
        repo.references[f"refs/heads/{view.branch}"].set_target(view.main, "moot serve: follow the game")

    def games(self) -> list[str]:
        """Return the games of the clone."""
        return games_in(self.root)

    def begins(self) -> str:
        """Return below which path a player begins: that of the only game that goes on, else in front of all games."""
        games = self.games()
        going_on = [game for game in games if not self._says(game, "over")] or games
        return f"{going_on[0]}/" if len(going_on) == 1 else ""

    def entries(self) -> dict[str, int]:
        """Return the number of the last entry of each game, as the clone's files have it."""
        found = {}
        for game in self.games():
            with suppress(ProblemError):  # of what is damaged the pages say so
                found[game] = GameFolder(self.root / STATE / game).head.seq
        return found

    def is_met(self, game: str) -> bool:
        """Say whether a game is played where its players meet, and not kept here by one person."""
        return self._says(game, "forge")

    def _says(self, game: str, what: str) -> bool:
        with suppress(ProblemError):  # of what is damaged the pages say so
            return bool(GameFolder(self.root / STATE / game).kept(GAME).get(what))
        return False

    def standing(self, game: str) -> Standing | None:
        """Return how a game stands for the player, None where there is none of that name."""
        if game not in self.games():
            return None
        met = self.is_met(game)
        if met and self.view is None:
            self.look(SECONDS)
        with self.lock:
            view = self.view if met else None
            if met and (view is None or game not in view.games()):
                return None
            made_of: object = None
            if view is not None:
                made_of = (dict(view.standing.refs), view.author, int(present_time.present()) // 60)
            else:
                made_of = GameFolder(self.root / STATE / game).head
            known = self._standings.get(game)
            if known is None or known[0] != made_of:
                with self.session(game) as session:
                    self._standings[game] = made_of, _standing(session, game, view)
            return self._standings[game][1]

    def news(self, standing: Standing, *, after: int = 0, since: int = 0) -> list[Shown]:
        """Return what others did after an entry, and since a moment (Unix seconds), the newest first.

        Of each there is the number of its `entry`, its `words`, and as `more` what came of it.
        """
        found = list[Shown]()
        with self.session(standing.game) as session:
            for seq in range(session.head.seq, after, -1):
                entry = session.record.entry(seq)
                if len(found) == MOST_NEWS or (seconds(entry["at"]) or 0) <= since:
                    break
                here = here_of(session, [entry])
                if not here.view.is_silent(entry) and (standing.player is None or entry.get("by") != standing.player):
                    first, *more = told(here, entry)
                    found.append({"entry": seq, "words": first.partition("  ")[2], "more": [*map(str.strip, more)]})
        return found

    def unseen(self, standing: Standing) -> list[Shown]:
        """Return what others did since the player last said to have seen it all; that is all until they first do."""
        return self.news(standing, since=last_look(self.terminal(), standing.game))

    def saw(self, game: str, entry: int) -> None:
        """Keep that the player has seen a game up to an entry."""
        with self.session(game) as session:
            if 0 < entry <= session.head.seq:
                looked_now(self.terminal(), game, seconds(session.record.entry(entry)["at"]) or 0)

    def rule_text(self, game: str, number: str) -> str:
        """Return the text of the file of a rule in force, "" where there is none to be had."""
        view = self.view
        try:
            return Draft(view.record(game)).rule_text(number) if view is not None else ""
        except ProblemError:
            return ""

    def sit_down(self, game: str, player: str) -> None:
        """Let git say in this clone, and nowhere else, that a player of a game writes here. Raises E-NOT-PLAYER."""
        with self.acting, self.lock:
            view = self.view
            entry = people_of(view, game).get(player) if view is not None else None
            handles: Shown = dict((entry.get("handles") or {}).get("local") or {}) if entry else {}
            mail = handles.get("id") or (entry and entry.get("email"))
            if view is None or entry is None or not mail:
                raise fail("E-NOT-PLAYER", f"there is no player {player} whom git could know by an address", None, "")
            git = view.repository.refs.git
            git.configure("user.name", str(entry.get("name") or player))
            git.configure("user.email", str(mail))
            view.__dict__.pop("author", None)

    @contextmanager
    def session(self, game: str) -> Iterator[Session]:
        """Open a game as it stands, to be asked."""
        view = self.view if self.is_met(game) else None
        if view is not None:
            with view.session(game) as session:
                yield session
        else:
            with kept_game(self.terminal(), self.root / STATE / game) as session:
                yield session


def _standing(session: Session, game: str, view: RemoteView | None) -> Standing:
    """Return how a game stands for the person whose clone it is."""
    player = None
    if view is not None:
        status = person_status(view, session)
        player = status["you"]["player"]
    else:
        status = {**status_of(session), "you": {"player": None, "keyless": False, "holds_sealed": False}, "pulls": []}
    actions = [*actions_for(session, player, max(int(present_time.present()), session.at))]
    if view is None:  # whoever keeps the game says in each form who acts
        actions = [replace(each, group="filled", why="") if each.group in ("now", "not") else each for each in actions]
    return Standing(
        game=game,
        entry=int(status["seq"]),
        player=player,
        you=status["you"],
        status=status,
        rules=list(session.rules()),
        squares={},
        talk=_talk(view, game, status["pulls"]) if view is not None else {},
        people=[player["id"] for player in status["players"]],
        actions={action.name: action for action in actions},
        votes=list(_votes(session, player)),
        undecided={
            proposal_path(each).replace(".md", ".html"): (pull_here(each, session.kept(GAME)), each["author"])
            for each in undecided(session)
        },
        here=Here(GameView(slug=game, documents=dict(session.documents)), "index.md"),
        kept=view is None,
    )


_ADDRESSED = re.compile(r"\A/game (\S+)\n")
"""How a remark begins that names its game, where several are played in one place."""


def _talk(view: RemoteView, game: str, pulls: list[Shown]) -> dict[int, list[Remark]]:
    """Return what people said about a game, the newest last."""
    numbers = [0, *(pull["number"] for pull in pulls if view.seen.pull(pull["number"]))]
    said = {n: list(view.seen.remarks(n))[-MOST_TALK:] for n in numbers}
    return {
        number: [
            replace(each, body=_ADDRESSED.sub("", each.body))
            for each in found
            if each.kind == "comment"
            and asks_nothing(each.body)
            and ((named := _ADDRESSED.match(each.body)) is None or named[1] == game)
        ]
        for number, found in said.items()
    }


def _votes(session: Session, player: str | None) -> Iterator[OpenVote]:
    for proposal in undecided(session):
        pull, decider = pull_here(proposal, session.kept(GAME)), decider_of(session, proposal)
        decides = bool(pull and decider and decider["player"] == player)
        if proposal["state"] != "open" and not decides:
            continue
        own = proposal["ballots"].get(player or "")
        yield OpenVote(
            proposal=proposal,
            path=proposal_path(proposal).replace(".md", ".html"),
            pull=pull,
            choices=[*SAID] if decides else choices_of(session, proposal["id"]) or list(CHOICES),
            own=str(own["choice"]) if own else "",
            entitled=decides or player in (proposal.get("electorate") or ()),
            digest=digest_of(proposal["changes"]),
            decides=decides,
        )
