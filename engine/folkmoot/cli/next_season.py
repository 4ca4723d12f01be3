"""`moot new NEXT --from GAME`: the next season of a game in the same repository, or at the same table."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import click
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import place_of
from folkmoot.cli.founding import (
    address_in,
    administering,
    check_name,
    chosen_ruleset,
    found,
    founding,
    person_of,
    player_at,
    record_keys,
)
from folkmoot.cli.games import game_folder, repository_around, root_of
from folkmoot.cli.init import People, identify, prepare_files, tell_next
from folkmoot.cli.options import moment_of, pairs_of
from folkmoot.cli.repositories import address_of, told_if_stale
from folkmoot.cli.sending import remote_view_of
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.game_location import KINDS
from folkmoot.core.keys import GAME, ROSTER, forge_kind
from folkmoot.core.problems import Position, fail
from folkmoot.core.records import Account, Founding, Written
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import wakes_referee
from folkmoot.game.next_season import next_founding, require_over
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import STATE, games_in
from folkmoot.kernel.names import account_on
from folkmoot.ops.doctor.repository_files import write_git_files
from folkmoot.ops.table import REFEREE, adding, is_shared

OF_THE_GROUP = ("title", "zone", "forge", "joining", "administrators", "maintainers", "reminders", "follows")
"""What goes on where the group takes other rules for its next season."""


def run_next(
    terminal: Terminal,
    /,
    name: str,
    before: str,
    *,
    commit: bool = True,
    at: str | None = None,
    anyway: bool = False,
    players: Sequence[str] = (),
    ruleset: str | None = None,
    **given: Any,
) -> int:
    """Found the next season of the game `before`: `players` play on, everybody where none is named.

    Its law is that of the game as it stands, or the one of a `ruleset`; `given` are other options of `moot new`.
    """
    check_name(name)
    taken_over = given.pop("file", None), given.pop("forge", None)
    if any(taken_over):
        raise click.UsageError("--from takes place and people over: leave out --file and --forge.")
    given |= {part: pairs_of(given.get(part, ()), f"One of {part}") for part in ("settings", "limits", "offices")}
    with season_after(terminal, before, anyway=anyway) as following:
        season = following.under(chosen_ruleset(terminal, ruleset)[1]) if ruleset else following
        given["title"] = given.get("title") or season.opening["title"]
        given["limits"] = {**(season.opening.get("limits") or {}), **given["limits"]}
        law = season.law(name, players, given)
        folder = found(season.root, name, law, moment_of(at, 0), season.follow)
        place = place_of(terminal, None) if season.kind in KINDS else None
        written = prepare_files(place, None) if place else write_git_files(season.root)
        if commit or season.table:
            files = [season.root / file for file in written]
            author = REFEREE if season.table else None
            folder.commit(f"Found the game {name}, the next season of {before}", author, folder.head.at, files)
        where, digest = season.table or folder.path, folder.head.digest
    follows, rules = law["follows"], len(law["rules"])
    told = {"game": name, "path": str(where), "digest": digest}
    terminal.record({**told, "follows": follows, "rules": rules, "players": [who["id"] for who in law["players"]]})
    terminal.say(f"Founded {name}, season {follows['season']} after {before}, in {where}.")
    terminal.say(f"It begins with {counted(rules, 'rule')} and {counted(len(law['players']), 'player')}.")
    terminal.say(administering(law["administrators"]))
    if place:
        tell_next(terminal, place)
    terminal.say(f"Next: `moot status --game {name}` shows how it stands.")
    return Exit.OK


class Season(Struct, frozen=True):
    """The season to come: the folder in which it is founded, the table to which it goes then, its law and its people.

    `keys` are those by which players sign, by player, and `accounts` who they are on the forge (`kind`).
    """

    root: Path
    table: Path | None
    opening: Founding
    people: Mapping[str, Written]
    keys: Mapping[str, Sequence[str]]
    accounts: Mapping[str, Account]
    kind: str

    def under(self, ruleset: Founding) -> Season:
        """Return the season with the law of a ruleset."""
        stay = {part: self.opening[part] for part in OF_THE_GROUP if part in self.opening}
        return replace(self, opening={**ruleset, **stay})

    def law(self, name: str, players: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the season is founded with; who administered the last one does so again, if they play."""
        named = [self.people.get(each) or person_of(each) for each in players] or [*self.people.values()]
        law = founding(name, self.opening, named, **given)
        ids = [person["id"] for person in law["players"]]
        stay = [who for who in self.opening["administrators"] if who in ids]
        return law if given.get("administrators") or not stay else law | {"administrators": stay}

    def follow(self, session: Session, by: str) -> None:
        """Record by which keys and accounts players are known, and at a table name the key of its keeper."""
        playing = {who for who, entry in session.kept(ROSTER).items() if entry["until"] is None}
        seals = needs_keeper([{**rule} for rule in session.rules()])
        sealing = bool(self.table and seals and not is_shared(self.table))
        record_keys(session, by, {who: keys for who, keys in self.keys.items() if who in playing}, sealing=sealing)
        known = {who: account for who, account in self.accounts.items() if who in playing}
        identify(session, by, self.kind, cast(People, known), session.at)


@contextmanager
def season_after(terminal: Terminal, game: str, *, anyway: bool) -> Iterator[Season]:
    """Yield the season after a game, which is over unless `anyway`; what is committed in its folder goes to its table.

    Raises E-STATUS where the game goes on, E-REFUSED for who does not administer it at a table.
    """
    root = root_of(terminal)
    table = _table(terminal, root, game)
    if table is None:
        with told_if_stale(terminal):
            yield _season(game_folder(terminal, game), root, None, anyway=anyway)
        return
    with adding(table) as work:
        folder = work / STATE / game
        if game not in games_in(work):
            raise fail("E-NO-GAME", f"there is no game {game!r} at the table", Position(str(table)))
        season = _season(folder, work, table, anyway=anyway)
        if table != root.resolve():
            _require_administrator(folder, address_in(root))
        yield season
    if table != root.resolve():
        Git(root).ask(["pull", "--quiet", "--ff-only"], allowed=(0, 1, 128))  # else the next look brings it


def _season(folder: Path, root: Path, table: Path | None, *, anyway: bool) -> Season:
    with Session.open(folder) as session:
        if not anyway:
            require_over(session)
        opening, roster, kind = next_founding(session), session.kept(ROSTER), forge_kind(session.kept(GAME))
    people = {str(person["id"]): person for person in opening["players"]}
    keys = {who: [key["key"] for key in roster[who].get("keys") or () if key["until"] is None] for who in people}
    accounts = {who: account for who in people if kind in KINDS and (account := account_on(roster, who, kind))}
    return Season(root, table, opening, people, keys, accounts, kind)


def _table(terminal: Terminal, root: Path, game: str) -> Path | None:
    """Return the table at which a game is played, None where it is not; its clone may be anywhere on this machine."""
    repo = repository_around(root)
    if repo is not None and repo.is_bare:
        if wakes_referee(root):
            return root.resolve()
        hint = f"run it in a clone: `git clone {shlex.quote(str(root))}`"
        raise fail("E-NO-GAME", f"{root} is a bare repository, and no table", None, hint)
    if repo is None or forge_kind(GameFolder(game_folder(terminal, game)).kept(GAME)) != "local":
        return None
    address = address_of(repo, None)
    if address and Path(address).is_dir():
        return Path(address).resolve() if wakes_referee(Path(address)) else None
    if address:
        view = remote_view_of(terminal, None)
        view.look()
        if view.wakes:
            hint = f"whoever has it says there `moot -C TABLE new … --from {game}`"
            raise fail("E-STATUS", "the table is on another machine, where alone a game is founded at it", None, hint)
    return None


def _require_administrator(folder: Path, mail: str) -> None:
    """Raise E-REFUSED for who does not administer a game, by the address that git has of them."""
    with Session.open(folder) as session:
        roster, administrators = session.kept(ROSTER), session.kept(GAME)["administrators"]
    if not player_at([{"id": who, **roster[who]} for who in administrators if who in roster], mail):
        who = " or ".join(administrators)
        raise fail("E-REFUSED", f"{who} can begin the next season", None, "they administer the game: ask them")
