"""Waiting for the answer to what a command sent: `--wait`, and what is said when it came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.sending import next_step
from folkmoot.cli.terminal import Terminal
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.waiting import CameOf

Record = dict[str, Any]
SAID = {"void": "No effect", "waiting": "Waits", "told": "Answered", "ignored": "Ignored", "refused": "Refused"}
STANDS = {"": "Accepted:", "HELD": "Waits, as a rule says:"}


class Came(Struct, frozen=True):
    """What came of something that was sent, for programs, and the exit code that says so."""

    record: list[CameOf]
    code: Exit


def wait_for_answer(
    terminal: Terminal, view: RemoteView, game: str, letter: str, pull: int = 0, seconds: float | None = None
) -> Came:
    """Wait until a referee has judged a letter (hex) to a pull request (0: the game), say what came of it, return it.

    The exit code is 0 where something was recorded and accepted or answered, 3 where all of it was refused or void, 6
    where nothing came in time.
    """
    from folkmoot.player.waiting import came_of, wait_until

    terminal.note("Waiting until it is judged … (Ctrl-C stops waiting, and nothing else)")
    found = wait_until(view, lambda now: came_of(now, game, letter, pull) or None, seconds)
    if found is None:
        terminal.note("It was not judged in time. It is on its way all the same: `moot status` says what came of it.")
        return Came([], Exit.LATE)
    told = [_told(terminal, view, game, each) for each in found]
    return Came(found, Exit.OK if any(told) else Exit.REFUSED)


class Waiting(Protocol):
    """How somebody said whether to wait for an answer, and for how many seconds."""

    @property
    def wait(self) -> bool:
        """Say whether to wait."""

    @property
    def timeout(self) -> float | None:
        """Return for how many seconds, None for as long as it takes."""


def told_or_awaited(
    terminal: Terminal, view: RemoteView, done: Record, sent: Sequence[tuple[str, str, int]], how: Waiting
) -> Exit:
    """Say what happens to what was sent, or wait for the answers; `done` is what was done, for programs.

    Of what was `sent` each is known by its game, its commit (hex) and its pull request (0: the game's thread).
    """
    if not how.wait:
        terminal.record(done)
        terminal.say(next_step(view))
        return Exit.OK
    came = [wait_for_answer(terminal, view, *each, how.timeout) for each in sent]
    terminal.record({**done, "came": [record for each in came for record in each.record]})
    return next((each.code for each in came if each.code != Exit.OK), Exit.OK)


def _told(terminal: Terminal, view: RemoteView, game: str, came: CameOf) -> bool:
    """Say what came of one thing; returns whether it was accepted, held or answered."""
    if came["state"] != "recorded":
        code = f" [{came['code']}]" if came.get("code") else ""
        why = f": {came['why']}" if came.get("why") else ""
        what = f" {came['what']}" if came.get("what") else ""
        terminal.say(f"{SAID.get(came['state'], came['state'].capitalize())}:{what}{why}{code}")
        return came["state"] in ("waiting", "told")
    from folkmoot.cli.outcomes import here_at, told

    record = view.record(game)
    entry = record.entry(came["seq"])
    came["code"], came["do"] = entry.get("code", ""), entry["do"]
    accepted = entry.get("code", "HELD") == "HELD"
    terminal.say(STANDS.get(str(entry.get("code") or ""), "Refused:"))
    for line in told(here_at(game, record.load(), [entry]), entry):
        terminal.say(line)
    return accepted
