"""After somebody changed a game by hand: that is taken back, or put on record."""

from __future__ import annotations

import time

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import forge_of
from folkmoot.cli.outcomes import here_of, show_refusal, told
from folkmoot.cli.repositories import repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Problem, fail
from folkmoot.core.values import in_a_row
from folkmoot.game.session import Done, Session
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.kernel.act_declarations import SET_CLOCK
from folkmoot.referee.hand_edits import REPAIRER, hand_edits, keep, revert


def repair(terminal: Terminal, game: str | None, how: str, by: str | None, why: str | None, remote: str | None) -> int:
    """Say what was changed in a game by hand since a referee last left it, and put it right if `how` says so."""
    if how in ("record", "clock") and not (by and why):
        raise click.UsageError(f"Say who answers for --repair {how}, and why: --by PLAYER --why TEXT.")
    who, reason = str(by), str(why)
    repo = repository_of(terminal)
    forge = forge_of(repo, remote)
    now = int(time.time())
    seen = forge.look(now)
    name = _game(sorted({*games_at(repo, seen.main), *(games_at(repo, seen.known) if seen.known else ())}), game)
    problems = hand_edits(repo, seen.known, seen.main, name)
    clock = how == "clock" and not problems
    if not clock and (not problems or how not in ("revert", "record")):
        return _tell(terminal, name, problems)
    if not clock and not seen.known:
        raise fail("E-CHAIN", "no referee has ever left this game sound", None, "restore its folder from git")
    if how == "revert":
        made, lines = revert(repo, seen.known, seen.main, name, now), [f"{name} is as it was in {seen.known[:12]}."]
    else:
        if clock:
            made, done = _set_clock(GameTree(repo, seen.main, name), who, reason, now)
        else:
            made, done = keep(repo, seen.known, seen.main, name, by=who, why=reason, now=now)
        if not done.accepted:
            return show_refusal(terminal, done)
        with Session.on(GameTree(repo, made, name)) as session:
            lines = told(here_of(session, [done.entry]), done.entry)
    if not forge.publish(seen.main, made, proved=False):  # there may be other games; the referee proves them all
        raise fail("E-MOVED", "the branch moved meanwhile", None, f"look at it again: `moot verify --repair {how}`")
    terminal.record({"game": name, "commit": made, "problems": [problem.as_record() for problem in problems]})
    for line in lines:
        terminal.say(line)
    if not clock:
        terminal.say("Next: `moot referee` goes on with the game.")
    return Exit.OK


def _set_clock(record: GameTree, by: str, why: str, now: int) -> tuple[str, Done]:
    """Have an administrator take the clock of a game back to now; return the commit, and what came of it."""
    with Session.on(record) as session:
        done = session.act(by, SET_CLOCK, {"why": why}, at=now)
        message = f"{record.name}: Take the clock back\n"
        return record.commit(message, REPAIRER, session.at, committer=REPAIRER) if done.accepted else "", done


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
    terminal.say("Next: `moot verify --repair revert` takes it back, `--repair record` puts changed rules on record.")
    return Exit.DAMAGED
