"""`moot status`: whose turn it is, what is open until when, who owes what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.calendar import write_stamp
from engine.cli.options import game_option, json_option
from engine.cli.terminal import Terminal
from engine.session import Session
from engine.status import status_of


@click.command("status")
@click.option("-b", "--by", "player", metavar="PLAYER", help="Show only what this player owes and may vote on.")
@game_option
@json_option
@click.pass_obj
def command(terminal: Terminal, game: Path, player: str | None) -> None:
    """Show whose turn it is, what is open until when, what is owed, how things stand, and which actions there are."""
    with Session.open(game, judging=True) as session:
        status = status_of(session, player)
    terminal.record(status)
    _head(terminal, status)
    _votes(terminal, status["open"])
    _duties(terminal, status["duties"])
    _coming(terminal, status["timers"])
    _standing(terminal, status)
    names = ", ".join(status["actions"])
    terminal.say(f"\nActions: {names}" if names else "\nNo rule offers an action.")


def _head(terminal: Terminal, status: dict[str, Any]) -> None:
    terminal.heading(f"{status['title']} ({status['game']}), entry {status['seq']} of {write_stamp(status['at'])}")
    if status["over"]:
        terminal.say(f"The game is over: {', '.join(status['over']['winner'])} won. {status['over']['why']}")
    elif status["paused"] is not None:
        terminal.say(f"Paused since {write_stamp(status['paused'])}; timers stand still.")
    elif status["mover"]:
        terminal.say(f"It is {status['mover']}'s turn.")


def _votes(terminal: Terminal, proposals: list[dict[str, Any]]) -> None:
    for proposal in proposals:
        until = f" until {write_stamp(proposal['until'])}" if proposal["until"] else ""
        terminal.say(f"\n{proposal['id'].replace('/', ' ').capitalize()}: {proposal['title']} ({proposal['author']})")
        terminal.say(f"  {proposal['state']}{until}")
        if proposal["state"] == "open":
            terminal.say(f"  voted: {', '.join(proposal['voted']) or 'nobody'}")
            terminal.say(f"  not yet: {', '.join(proposal['missing']) or 'nobody'}")


def _duties(terminal: Terminal, duties: list[dict[str, Any]]) -> None:
    if duties:
        terminal.say()
        terminal.table(
            ["Who", "owes", "by"],
            [[d["player"], d["what"], write_stamp(d["by"]) if d["by"] else ""] for d in duties],
        )


def _coming(terminal: Terminal, timers: list[dict[str, Any]]) -> None:
    if timers:
        terminal.say()
        terminal.table(["Timer", "is due"], [[t["key"], write_stamp(t["due"])] for t in timers])


def _standing(terminal: Terminal, status: dict[str, Any]) -> None:
    currencies = status["currencies"]
    if currencies:
        terminal.say()
        terminal.table(
            ["Player", *currencies, "offices"],
            [[p["id"], *(p[c] for c in currencies), ", ".join(p["offices"])] for p in status["players"]],
        )
