"""What concerns the person at the terminal in a game that is played by pull requests."""

from __future__ import annotations

from typing import Any

from engine.calendar import write_stamp
from engine.cli.terminal import Terminal, counted

Record = dict[str, Any]
STATES = {"new": "not looked at yet", "seen": "not taken in", "pending": "not open yet", "open": "open to votes"}


def show_seat(terminal: Terminal, status: Record) -> None:
    """Print who the person is, what e owes, which pull requests are open, and what became of what e sent."""
    you = status["you"]
    if you["player"]:
        terminal.heading(f"You are {you['player']} ({you['email']}).")
    elif you["forge"] != "local":
        terminal.heading(f"Players are known by their accounts on {you['forge']}, of which git knows nothing.")
        terminal.say("`moot status --by PLAYER` shows what one of them owes; `moot join` asks to become one.")
    else:
        terminal.heading(f"You are {you['email']}, who is no player here; `moot join` asks to become one.")
    _owed(terminal, status)
    _pulls(terminal, status["pulls"])
    _sent(terminal, status)
    if status["behind"]:
        number = status["behind"]
        commits = counted(number, "commit")
        terminal.say(f"\nYour branch {status['branch']} is {commits} behind: `git pull`.")
    terminal.say()


def _owed(terminal: Terminal, status: Record) -> None:
    if not status["you"]["player"]:
        return
    if not status["owed"]:
        terminal.say("You owe nothing.")
        return
    terminal.say("You owe:")
    for owed in status["owed"]:
        until = f", by {write_stamp(owed['by'])}" if owed["by"] else ""
        terminal.say(f"  {owed['what']}{until}")
        others = f"   (or {', '.join(owed['choices'][1:])})" if len(owed["choices"]) > 1 else ""
        if owed["command"]:
            terminal.say(f"      {owed['command']}{others}")


def _pulls(terminal: Terminal, pulls: list[Record]) -> None:
    if not pulls:
        return
    terminal.say()
    rows = [
        [pull["number"], pull["title"], pull["author"], _state(pull), pull["choice"] or ""]
        for pull in pulls
    ]  # fmt: skip
    terminal.table(["Pull", "Title", "By", "Stands", "Your vote"], rows)
    for pull in pulls:
        for why in pull["why"][:3]:
            terminal.say(f"Pull request {pull['number']} was not taken in: {why}")
        if pull["flaws"]:
            terminal.say(f"Pull request {pull['number']}: {flawed(pull['flaws'])}")


def flawed(flaws: list[str]) -> str:
    """Return what is wrong with scripts and examples of a pull request as a sentence."""
    more = f" (and {len(flaws) - 1} more)" if len(flaws) > 1 else ""
    return f"Its script or examples are faulty: {flaws[0]}{more}"


def _state(pull: Record) -> str:
    named = f"{pull['proposal'].replace('/', ' ')}, " if pull["proposal"] else ""
    state = str(pull["state"])
    return named + STATES.get(state, state)


def _sent(terminal: Terminal, status: Record) -> None:
    lines = [_ballot(ballot) for ballot in status["ballots"] if ballot["state"] != "counts"]
    lines += [_refused(act) for act in status["refused"]]
    told = [
        line for line in status["answers"] if not any(f"[entry {act['entry']}]" in line for act in status["refused"])
    ]
    lines += [f"The referee says: {line}" for line in told]
    lines += [
        f"Sent, and not looked at yet: {letter['says']}"
        + (f" (pull request {letter['pull']})" if letter["pull"] else "")
        for letter in status["waiting"]
    ]
    lines += [f"Ignored: {ignored['letter'][:12]}, because {ignored['why']}" for ignored in status["ignored"][-5:]]
    if lines:
        terminal.say()
    for line in lines:
        terminal.say(line)


def _refused(act: Record) -> str:
    """Return what came of an act that was refused."""
    return f"Refused: {act['act']}: {act['why']} [{act['code']}] (entry {act['entry']})"


def _ballot(ballot: Record) -> str:
    why = f": {ballot['why']}" if ballot["why"] else ""
    return f"Your vote ({ballot['choice']}) on {ballot['on']} {ballot['state']}{why}"
