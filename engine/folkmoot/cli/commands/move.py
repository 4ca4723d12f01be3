"""`moot move`: take the games of a repository to another forge, with their people and their open votes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.moving import (
    Route,
    identities,
    landing_at,
    old_refs,
    present,
    route_of,
    tell_there,
    token_named,
    unread_there,
)
from folkmoot.cli.options import FILE, json_option, remote_option
from folkmoot.cli.repositories import repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import FOR_OLD, take_tokens
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.problems import fail
from folkmoot.files.named_files import read_file
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.journal.tree import GameTree
from folkmoot.ops.doctor.place import KINDS
from folkmoot.ops.moving.losses import Loss, losses_of, unknown_in
from folkmoot.ops.moving.moving import Moving

GONE = (
    "The old place does not know of this. Should it come back, push this clone's branch there before a referee runs: "
    "else a game goes on there that is none of this one."
)


@click.command("move")
@click.argument("there", metavar="URL | PATH")
@click.option(
    "--forge", "kind", type=click.Choice(("local", *KINDS)), help="The kind of the new forge; Forgejo is `gitea` too."
)
@click.option(
    "--login",
    "logins",
    multiple=True,
    metavar="PLAYER=LOGIN[:ID]",
    help="Who a player is there; on plain git an address, ann=ann@example.org.",
)
@click.option("--logins", "file", type=FILE, metavar="FILE", help="The same from a file, a line each.")
@click.option(
    "--by",
    metavar="PLAYER",
    shell_complete=complete_players,
    help="Which administrator moves the game; needed where there are several.",
)
@remote_option
@click.option("--without-old", is_flag=True, help="Move what this clone has, because the old place cannot be reached.")
@click.option("--leave", is_flag=True, help="Move although something that was said there is not recorded yet.")
@click.option("--dry-run", is_flag=True, help="Say what would be left behind; change nothing, here or there.")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing.")
@json_option
@click.pass_obj
def command(terminal: Terminal, /, there: str, kind: str | None, **given: Any) -> int:  # fmt: skip
    """Take the games of this repository to another forge: their people, their record, and what is voted on.

    Run it in a clone of the repository that is left, with the new one made and empty. It says first what stays behind.
    The move is recorded at the old forge, everything is pushed to the new one, and each undecided proposal gets a pull
    request there; votes that are cast stay cast. Cut short, it is run again, and nothing is done twice.

    The token for each forge is that in the variable which names its host, as FOLKMOOT_TOKEN_CODEBERG_ORG (for the old
    one FOLKMOOT_OLD_TOKEN_CODEBERG_ORG goes before it), or of your logins in `gh` and `tea`.

    Example: moot move https://codeberg.org/ann/club --forge gitea --login ann=annabel --login bob=bobby
    """
    if not (given["yes"] or given["dry_run"] or sys.stdin.isatty()):
        raise click.UsageError("It asks before it moves anything, and nobody is at the terminal; say --yes.")
    route = route_of(terminal, there, kind, given["remote"])
    tokens = take_tokens((route.kind, route.host), (route.old_kind, route.old_host))
    with _moving(terminal, route, tokens, given) as moving:
        with token_named(route.shown_old, route.old_host, FOR_OLD):
            games = moving.look()
        if not games:
            raise fail("E-NO-GAME", f"no game is played at {route.shown_old}", None, "name the old place: --remote URL")
        if not (given["dry_run"] and route.folder is not None and not route.folder.exists()):
            with token_named(route.shown, route.host):
                moving.look_there()
        told = list(_told(games, route, moving))
        with token_named(route.shown_old, route.old_host, FOR_OLD):
            unread = [] if given["without_old"] else unread_there(terminal, route, tokens[1])
        done: dict[str, Any] = {"games": sorted(games), "to": route.shown, "left": [_as_record(each) for each in told]}
        for each in told:
            terminal.wrapped(each.says if len(games) == 1 else f"{each.game}: {each.says}")
        _refuse_unread(terminal, unread, leave=given["leave"] or given["dry_run"])
        if given["dry_run"]:
            terminal.record({**done, "dry_run": True})
            terminal.note("Nothing was done: this was a dry run.")
            return Exit.OK
        if not given["yes"] and not click.confirm(f"Move {', '.join(games)} to {route.shown}?", err=True):
            return Exit.PROBLEMS
        moving.run()
    heard = not given["without_old"] and tell_there(terminal, route, tokens[1])
    terminal.record({**done, "places": moving.places, "told": heard})
    _tell(terminal, route, moving, heard=heard, without=given["without_old"])
    return Exit.OK


@contextmanager
def _moving(terminal: Terminal, route: Route, tokens: tuple[str, str], given: Mapping[str, Any]) -> Iterator[Moving]:
    lines = [*given["logins"], *_lines(given["file"])]
    with landing_at(route, tokens[0], make=not given["dry_run"]) as landing:
        with token_named(route.shown, route.host):
            accounts = identities(landing, lines)
        yield Moving(
            repo=repository_of(terminal),
            old=old_refs(route, tokens[1], gone=given["without_old"]),
            old_kind=route.old_kind,
            old_home=route.old_home,
            new=landing,
            home=route.home,
            by=lambda settings: _mover(settings, given["by"]),
            accounts=accounts,
            clock=present,
        )


def _lines(file: Path | None) -> list[str]:
    if file is None:
        return []
    lines = (line.partition("#")[0].strip() for line in read_file(file).splitlines())
    return [line for line in lines if line]


def _mover(settings: Mapping[str, Any], named: str | None) -> str:
    """Return the administrator by whom a game is moved; raises a usage error where it cannot be told."""
    known = [str(each) for each in settings.get("administrators") or ()]
    if named in known or (named is None and len(known) == 1):
        return named or known[0]
    raise click.UsageError(f"Say which administrator moves it by --by: {', '.join(known)}.")


def _told(games: Mapping[str, GameTree], route: Route, moving: Moving) -> Iterator[Loss]:
    for game in games.values():
        settings, roster = game.kept(GAME), game.kept(ROSTER)
        if settings.get("moving"):
            continue
        moving.by(settings)
        administrators = set(settings.get("administrators") or ())
        unknown = set(unknown_in(settings, roster, route.kind, route.home, moving.accounts))
        if administrators & set(roster) and not (administrators & set(roster)) - unknown:
            who = min(administrators & set(roster))
            message = f"no administrator of {game.name} would be known at {route.shown}"
            raise fail("E-ARGS", message, None, f"name at least yourself: --login {who}=LOGIN")
        yield from losses_of(game, route.kind, route.home, moving.accounts)


def _refuse_unread(terminal: Terminal, unread: Sequence[str], *, leave: bool) -> None:
    for each in unread:
        terminal.note(each)
    if unread and not leave:
        hint = "run `moot referee --settle` first; --leave moves without that"
        raise fail("E-ORDER", "something that was said there is not recorded yet", None, hint)


def _as_record(loss: Loss) -> dict[str, str]:
    return {"game": loss.game, "about": loss.about, "says": loss.says}


def _tell(terminal: Terminal, route: Route, moving: Moving, *, heard: bool, without: bool) -> None:
    terminal.say(f"{', '.join(moving.moved)} is played at {route.shown} now.")
    for places in moving.places.values():
        for identifier, number in places.items():
            terminal.say(f"{identifier.replace('/', ' ').capitalize()} is pull request {number} there.")
    if without:
        terminal.note(GONE)
    elif not heard:
        mend = how_to_give(route.old_kind, route.old_host, FOR_OLD)
        terminal.note(f"Nobody was told at the old forge: run the same with a token for it ({mend}).")
    terminal.say("Next: switch off what runs a referee at the old place; it refuses, and says where the game is.")
    for line in route.next_steps():
        terminal.say(f"Next: {line}")
