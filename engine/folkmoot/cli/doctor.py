"""`moot doctor`: find what is wrong with a game's repository and its forge."""

from __future__ import annotations

import time

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import client_of, place_of
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.cli.tokens import take_token
from folkmoot.ops.doctor.examination import examine_here, examine_there
from folkmoot.ops.doctor.findings import gravest
from folkmoot.ops.doctor.forge import Asking

MARKS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "error": ("error", "red"), "unknown": ("?", "cyan")}
CODES = {"ok": Exit.OK, "warning": Exit.OK, "error": Exit.PROBLEMS, "unknown": Exit.OUTSIDE}


def run_doctor(terminal: Terminal, remote: str | None, quiet: bool) -> int:
    """Look for what is wrong."""
    place = place_of(terminal, remote)
    token = take_token(place.kind, place.host)
    with client_of(place, token) as client:
        asking = Asking(client, place, int(time.time())) if client is not None and place.repository else None
        found = [*examine_here(place), *examine_there(asking, token=bool(token))]
    state = gravest(found)
    terminal.record({"state": state, "findings": [each.record() for each in found]})
    for finding in found:
        if quiet and finding.state == "ok":
            continue
        word, colour = MARKS[finding.state]
        terminal.say(f"{click.style(word.ljust(7), fg=colour)}  {finding.code}: {finding.sentence}")
        if finding.mend and finding.state != "ok":
            terminal.say(click.style(f"         mend: {finding.mend}", dim=True))
    more = "" if state == "ok" else " The page `reference/doctor` of the site explains each finding by its name."
    terminal.say(f"{counted(len(found), 'thing')} looked at.{more}")
    return CODES[state]
