"""`moot doctor`: find what is wrong with a game's repository and its forge."""

from __future__ import annotations

import time

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import client_of, place_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import take_token
from folkmoot.ops.doctor.examination import examine_here, examine_there
from folkmoot.ops.doctor.findings import Finding, gravest, report
from folkmoot.ops.doctor.forge import Asking

MARKS = {"ok": ("ok", "green"), "warning": ("warning", "yellow"), "error": ("error", "red"), "unknown": ("?", "cyan")}


def run_doctor(terminal: Terminal, remote: str | None, strict: bool, quiet: bool) -> int:
    """Look for what is wrong."""
    place = place_of(terminal, remote)
    token = take_token(place.kind, place.host)
    with client_of(place, token) as client:
        asking = Asking(client, place, int(time.time())) if client is not None and place.repository else None
        found = [*examine_here(place), *examine_there(asking, token=bool(token))]
    terminal.record(report(found))
    _show(terminal, found, quiet=quiet)
    return _code(found, strict=strict)


def _show(terminal: Terminal, found: list[Finding], *, quiet: bool) -> None:
    for finding in found:
        if quiet and finding.state == "ok":
            continue
        word, colour = MARKS[finding.state]
        terminal.say(f"{click.style(word.ljust(7), fg=colour)}  {finding.code}: {finding.sentence}")
        if finding.mend and finding.state != "ok":
            terminal.say(click.style(f"         mend: {finding.mend}", dim=True))
    counts = report(found)["counts"]
    words = {"ok": "in order", "warning": "to look at", "error": "wrong", "unknown": "unknown"}
    terminal.say(f"{', '.join(f'{counts[state]} {word}' for state, word in words.items())}.")
    if len(found) > counts["ok"]:
        terminal.say("Next: the page `reference/doctor` of the site explains each by its name.")


def _code(found: list[Finding], *, strict: bool) -> Exit:
    state = gravest(found)
    if state == "error" or (strict and state == "warning"):
        return Exit.PROBLEMS
    return Exit.OUTSIDE if state == "unknown" else Exit.OK
