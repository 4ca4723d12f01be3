"""What concerns the person at the terminal in a game that is played by pull requests."""

from __future__ import annotations

from typing import Any

from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.calendar import write_stamp

Record = dict[str, Any]
STATES = {"new": "not looked at yet", "seen": "not taken in", "pending": "not open yet", "open": "open to votes"}


def show_seat(terminal: Terminal, status: Record) -> None:
    """Print who the person is, what they owe, which pull requests are open, and what became of what they sent."""
    you = status["you"]
    if you["player"]:
        terminal.heading(f"You are {you['player']} ({you['email']}).")
    elif you["forge"] != "local":
        terminal.heading(f"Players are known by their accounts on {you['forge']}, of which git knows nothing.")
        terminal.say("`moot status --by PLAYER` shows what one of them owes; `moot join` asks to become one.")
    else:
        terminal.heading(f"You are {you['email']}, who is no player here; `moot join` asks to become one.")
    _owed(terminal, status)
    show_sent(terminal, status)
    _pulls(terminal, status["pulls"])
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
    others = [str(pull["number"]) for pull in pulls if not pull["own"] and (pull["why"] or pull["flaws"])]
    for pull in (pull for pull in pulls if pull["own"]):
        for why in pull["why"][:3]:
            terminal.say(f"Pull request {pull['number']} was not taken in: {why}")
        if pull["flaws"]:
            terminal.say(f"Pull request {pull['number']}: {flawed(pull['flaws'])}")
    if others:
        listed = f"{', '.join(others[:MOST_SHOWN])}{' …' if len(others) > MOST_SHOWN else ''}"
        terminal.say(f"Not taken in, or faulty, of others: {listed}. Why: `moot preview {others[-1]} --said`.")


def flawed(flaws: list[str]) -> str:
    """Return what is wrong with scripts and examples of a pull request as a sentence."""
    more = f" (and {len(flaws) - 1} more)" if len(flaws) > 1 else ""
    return f"Its script or examples are faulty: {flaws[0]}{more}"


def _state(pull: Record) -> str:
    named = f"{pull['proposal'].replace('/', ' ')}, " if pull["proposal"] else ""
    state = str(pull["state"])
    return named + STATES.get(state, state)


MOST_SHOWN = 20  # of one's own things of each kind
WORDS = {"void": "No effect", "refused": "Refused", "waiting": "Waits", "told": "Answered"}
PLACES = {"pull": "pull request", "issue": "issue", "thread": "the game's thread"}


def show_sent(terminal: Terminal, status: Record) -> None:
    """Print what became of what somebody sent, their own newest things first told; of others only how many."""
    ballots = [ballot for ballot in status.get("ballots", ()) if ballot["state"] != "counts"]
    lines = [
        *_newest([_ballot(ballot) for ballot in ballots]),
        *_newest([_refused(act) for act in status["refused"]]),
        *_newest([_answer(answer) for answer in status["answers"] if answer["state"] != "told"]),
        *_newest([_answer(answer) for answer in status["answers"] if answer["state"] == "told"]),
        *_newest([_ignored(letter) for letter in status["ignored"]]),
        *_newest([f"Sent, and not looked at yet: {_told(letter)}" for letter in status["waiting"]]),
    ]
    others = status["refused_of_others"]
    if others["count"]:
        acts = counted(others["count"], "act")
        lines.append(f"Of others, {acts} were refused lately; the newest: `moot explain entry {others['newest']}`.")
    if lines:
        terminal.say()
    for line in lines:
        terminal.say(line)


def _newest(lines: list[str]) -> list[str]:
    """Return the newest lines, and how many older ones there are."""
    older = len(lines) - MOST_SHOWN
    return [*([f"… and {older} older ones: `moot status --json`"] if older > 0 else []), *lines[-MOST_SHOWN:]]


def _refused(act: Record) -> str:
    """Return what came of an act that was refused."""
    return f"Refused: {act['act']}: {act['why']} [{act['code']}] (entry {act['entry']})"


def _answer(answer: Record) -> str:
    """Return what a referee said of something that was sent, and where all of it stands."""
    code = f" [{answer['code']}]" if answer.get("code") else ""
    why = f": {answer['why']}" if answer.get("why") else ""
    kind, _, number = str(answer["place"]).partition(" ")
    place = f"{PLACES.get(kind, kind)} {number}".rstrip()
    return f"{WORDS[answer['state']]}: {answer['what']}{why}{code} ({place}, {write_stamp(answer['at'])})"


def _ignored(letter: Record) -> str:
    says = f"{_told(letter)} " if letter["says"] else ""
    again = f" To send it again: {letter['again']}" if letter["again"] else ""
    return f"Ignored: {says}(letter {letter['letter'][:12]}): {letter['why']}.{again}"


def _told(letter: Record) -> str:
    return str(letter["says"]) + (f" (pull request {letter['pull']})" if letter["pull"] else "")


def _ballot(ballot: Record) -> str:
    why = f": {ballot['why']}" if ballot["why"] else ""
    return f"Your vote ({ballot['choice']}) on {ballot['on']} {ballot['state']}{why}"
