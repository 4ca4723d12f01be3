"""Moving games: recorded at the old forge first, then pushed to the new one, where what is voted on gets its places.

Each step looks at what is done already, so that it may be cut short anywhere and run again. Until the last is done the
record says that the game is on its way, and no referee judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any

import pygit2
from msgspec import Struct, field

from folkmoot.core.documents import Document, GameDocument, Proposal
from folkmoot.core.fault_points import fault_point
from folkmoot.core.game_location import left_from, played_at
from folkmoot.core.keys import GAME, ROSTER, forge_home, forge_kind, proposal_key
from folkmoot.core.problems import fail
from folkmoot.forges.cache.ref_names import BRANCHES, FORGE, REFEREED
from folkmoot.forges.cache.refs import Refs, Standing
from folkmoot.forges.git_transport import Move
from folkmoot.game.act_results import Done
from folkmoot.game.session import Session
from folkmoot.journal.partial_clone import descends
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.ops.moving.contents import commit_of, text_of
from folkmoot.ops.moving.reopening import Landing, Removal
from folkmoot.referee.content import read_content
from folkmoot.referee.recorder import Recorder

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
