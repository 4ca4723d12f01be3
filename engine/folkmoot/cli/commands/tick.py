"""`moot tick`: let a game's clock run."""

from __future__ import annotations

import time
from pathlib import Path

import click

from folkmoot.cli.machine_clock import believe_clock
from folkmoot.cli.options import commit_option, game_option, json_option, trust_clock_option
from folkmoot.cli.outcomes import here_of, shown_entries, told, told_in_short
from folkmoot.cli.terminal import Terminal
from folkmoot.core.calendar import read_moment, write_moment
from folkmoot.core.keys import GAME
from folkmoot.core.problems import fail
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.referee.dry_run import copy_of


@click.command("tick")
@click.option("--until", metavar="TIME", help="A stamp, or a time after the last entry (+72h).  [default: now]")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would come of it, in any game, and record nothing.")
@trust_clock_option
@click.option("-v", "--verbose", is_flag=True, help="Tell every entry, however many there are.")
@game_option
@commit_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, game: Path, until: str | None, dry_run: bool, trust_clock: bool, commit: bool, verbose: bool
) -> None:
    """Fire every timer of a game that is due; deadlines pass, days end, duties lapse.

    A tick that changes nothing writes nothing. Of very many entries only the first and the last are told, and what the
    others are. With --dry-run it runs on a copy, so that a law with long periods is rehearsed in any clone.
    """
    if commit and not dry_run:
        GameFolder(game).wait_until_committable()
    with Session.open(game, writing=not dry_run) as opened:
        session = copy_of(opened) if dry_run else opened
        if not dry_run and session.kept(GAME).get("forge"):
            hint = "`moot referee` lets it run, together with what players did; --dry-run shows what it will do"
            raise fail("E-STATUS", "the clock of a game that is played by pull requests is the referee's", None, hint)
        if until is None and not dry_run:
            believe_clock(terminal, session, insisted=trust_clock)
        moment = _moment(session, until)
        with terminal.progress("letting time pass", max(0, moment - session.at), session.at) as step:
            entries = session.tick(moment, step.reach)
        here = here_of(session, entries)
        terminal.record({"entries": shown_entries(entries, here), "dry_run": dry_run})
        lines = [line for entry in entries for line in told(here, entry)] if verbose else told_in_short(here, entries)
        for line in lines:
            terminal.say(line)
        if not entries:
            terminal.say("Nothing was due.")
        if dry_run:
            terminal.note("Nothing was recorded: this was a dry run.")
        elif commit and entries:  # what came of it is said first: a commit that fails undoes nothing
            session.record.commit("Let the clock run", at=session.at)


def _moment(session: Session, until: str | None) -> int:
    """Return until when the clock is to run; raises E-TIME for a named moment that is past already."""
    moment = read_moment(until, session.at) if until else int(time.time())
    if until and moment < session.at:
        message = f"{until} lies before the last entry, {write_moment(session.at, exactly=True)}"
        raise fail("E-TIME", message, None, "a clock runs forward only: name a later moment")
    return moment
