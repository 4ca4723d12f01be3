"""`moot repair`: after somebody changed a game by hand, take that back or put it on record."""

from __future__ import annotations

import time

import click

from folkmoot.cli.completion import complete_players
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import forge_of
from folkmoot.cli.options import game_named, json_option, remote_option
from folkmoot.cli.outcomes import here_of, show_refusal, told
from folkmoot.cli.repositories import repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Problem, fail
from folkmoot.core.values import in_a_row
from folkmoot.forges.port import Forge
from folkmoot.game.session import Session
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.kernel.act_declarations import SET_CLOCK
from folkmoot.referee.hand_edits import REPAIRER, hand_edits, keep, revert


@click.command("repair")
@game_named("The game, where there are several.  [env: MOOT_GAME]")
@click.option("--revert", "back", is_flag=True, help="Bring the game back to what a referee last left.")
@click.option("--record", is_flag=True, help="Put rules that were changed by hand on record; needs --by and --why.")
@click.option("--clock", is_flag=True, help="Take the clock of a game back that ran ahead; needs --by and --why.")
@click.option(
    "-b", "--by", metavar="PLAYER", shell_complete=complete_players, help="The administrator who answers for it."
)
@click.option("--why", help="Why, for the record.")
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    game: str | None,
    back: bool,
    record: bool,
    clock: bool,
    by: str | None,
    why: str | None,
    remote: str | None,
) -> int:
    """Say what was changed in a game by hand since a referee last left it, and put it right if asked to.

    A merge by a button, or a push to state/, is not play: the referee leaves the game alone until it is taken back
    (--revert) or, where it changed rules and nothing else, put on record in an administrator's name (--record). Where
    a machine whose clock was wrong recorded play far in the future, --clock takes the game's clock back to now: what
    is recorded stays, and what is left of each deadline.
    """
    if back + record + clock > 1:
        raise click.UsageError("Choose one: --revert, --record or --clock.")
    if (record or clock) and not (by and why):
        raise click.UsageError("Say who answers for --record or --clock, and why: --by PLAYER --why TEXT.")
    repo = repository_of(terminal)
    forge = forge_of(repo, remote)
    now = int(time.time())
    seen = forge.look(now)
    name = _game(sorted({*games_at(repo, seen.main), *(games_at(repo, seen.known) if seen.known else ())}), game)
    problems = hand_edits(repo, seen.known, seen.main, name)
    if clock and not problems:
        return _set_clock(terminal, forge, GameTree(repo, seen.main, name), by=str(by), why=str(why), now=now)
    if not problems or not (back or record):
        return _tell(terminal, name, problems)
    if not seen.known:
        raise fail("E-CHAIN", "no referee has ever left this game sound", None, "restore its folder from git")
    if record:
        assert by is not None
        assert why is not None
        made, done = keep(repo, seen.known, seen.main, name, by=by, why=why, now=now)
        if not done.accepted:
            return show_refusal(terminal, done)
        with Session.on(GameTree(repo, made, name)) as session:
            lines = told(here_of(session, [done.entry]), done.entry)
    else:
        made, lines = revert(repo, seen.known, seen.main, name, now), [f"{name} is as it was in {seen.known[:12]}."]
    if not forge.publish(seen.main, made, proved=False):  # there may be other games; the referee proves them all
        raise fail("E-MOVED", "the branch moved meanwhile", None, "look at it again: `moot repair`")
    terminal.record({"game": name, "commit": made, "problems": [problem.as_record() for problem in problems]})
    for line in lines:
        terminal.say(line)
    terminal.say("Next: `moot referee` goes on with the game.")
    return Exit.OK


def _set_clock(terminal: Terminal, forge: Forge, record: GameTree, *, by: str, why: str, now: int) -> int:
    """Have an administrator take the clock of a game back to now, and publish that."""
    before = record.commit_id
    with Session.on(record) as session:
        done = session.act(by, SET_CLOCK, {"why": why}, at=now)
        if not done.accepted:
            return show_refusal(terminal, done)
        made = record.commit(f"{record.name}: Take the clock back\n", REPAIRER, session.at, committer=REPAIRER)
        lines = told(here_of(session, [done.entry]), done.entry)
    if not forge.publish(before, made, proved=False):
        raise fail("E-MOVED", "the branch moved meanwhile", None, "do it again")
    terminal.record({"game": record.name, "commit": made, "problems": []})
    for line in lines:
        terminal.say(line)
    return Exit.OK


def _game(games: list[str], wanted: str | None) -> str:
    """Return the game that is meant; raises E-NO-GAME where that is not clear."""
    if wanted in games:
        return str(wanted)
    if wanted is None and len(games) == 1:
        return games[0]
    raise fail("E-NO-GAME", f"which game? Here are {in_a_row(games) or 'none'}", None, "name one with `--game`")


def _tell(terminal: Terminal, name: str, problems: tuple[Problem, ...]) -> int:
    terminal.record({"game": name, "problems": [problem.as_record() for problem in problems]})
    if not problems:
        terminal.say(f"{name} is as its referees left it: nothing to repair.")
        return Exit.OK
    if not terminal.json:
        terminal.problems(problems)
    terminal.say("Next: `moot repair --revert` takes it back, `moot repair --record` puts changed rules on record.")
    return Exit.DAMAGED
