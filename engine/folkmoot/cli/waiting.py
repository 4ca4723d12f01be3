"""Waiting: for the answer to what a command sent, for something that the person owes, and the notice of it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from folkmoot.cli.clones import SECONDS
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.person_status import owed_in_words, show_owed, show_sent
from folkmoot.cli.sending import next_step, played_game, remote_view_of
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.core.problems import fail
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.waiting import CameOf, came_of, wait_until
from folkmoot.wording.law_sentence import quotation

Record = dict[str, Any]
SAID = {"void": "No effect", "waiting": "Waits", "told": "Answered", "ignored": "Ignored", "refused": "Refused"}
STANDS = {"": "Accepted:", "HELD": "Waits, as a rule says:"}
NEWS = ("refused", "answers", "decided", "ignored")


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


# -- until something is asked of the person, or what they sent is answered


def wait_for_news(
    terminal: Terminal, game: str | None, remote: str | None, what: str, timeout: float | None, wanted: str | None
) -> int:
    """Wait until there is a `duty`, an `answer` or `anything`, say what came, and show a notice if one is wanted."""
    words = notifier(wanted) if wanted is not None else []
    view = remote_view_of(terminal, remote, SECONDS)
    name = played_game(view.look(), game)
    found = wait_until(view, _Awaited(name, what).found, timeout)
    if found is None:
        terminal.record({"game": name, "came": None})
        terminal.note("Nothing came in time.")
        return Exit.LATE
    came, status = found
    terminal.record(stamped({"game": name, "came": came, **{key: status[key] for key in ("owed", "over", *NEWS)}}))
    text = _came_in_words(terminal, came, status)
    failed = notify(words, f"{status['title']} ({name})", text) if words else ""
    if failed:
        terminal.note(f"The notice could not be shown: {failed}.")
    return Exit.OK


class _Awaited:
    """What is waited for; it is noted at first whether there is anything that could be answered."""

    def __init__(self, game: str, what: str) -> None:
        self.game, self.what = game, what
        self.sent: bool | None = True if what == "answer" else False if what == "duty" else None

    def found(self, view: RemoteView) -> tuple[str, Record] | None:
        """Return what came (`duty`, `answer`, or `over`) and how the game stands; None where nothing did."""
        from folkmoot.player.person_status import person_status

        with view.session(self.game) as session:
            status = person_status(view, session)
        pending = is_pending(status)
        self.sent = pending if self.sent is None else self.sent
        if status["over"]:
            return "over", status
        if status["owed"] and self.what != "answer":
            return "duty", status
        return ("answer", status) if self.sent and not pending else None


def is_pending(status: Record) -> bool:
    """Say whether a referee has still to look at something that the person sent."""
    return bool(status["waiting"]) or any(pull["own"] and pull["state"] == "new" for pull in status["pulls"])


def _came_in_words(terminal: Terminal, came: str, status: Record) -> str:
    """Say what came, and return it in one line."""
    if came == "over":
        said = f"The game is over: {', '.join(status['over']['winner'])} won. {quotation(status['over']['why'])}"
        terminal.say(said)
        return said
    if came == "duty":
        show_owed(terminal, status)
        return "; ".join(owed_in_words(owed) for owed in status["owed"])
    terminal.say("All that you sent is answered.")
    show_sent(terminal, status)
    return "What you sent is answered: `moot status`"


# -- the notice

DESKTOP = "desktop"
NOTICE_SECONDS = 20  # that a notice may take


def notifier(wanted: str) -> list[str]:
    """Return the words of the command that shows a notice, to which title and text are added.

    `wanted` is `desktop`, or a command line. Raises E-ARGS where there is no such command here.
    """
    if wanted != DESKTOP:
        words = shlex.split(wanted)
        if not words or shutil.which(words[0]) is None:
            raise fail("E-ARGS", f"there is no command {wanted!r} to notify by", None, "name one that is on the path")
        return words
    if sys.platform == "darwin" and shutil.which("osascript"):
        script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
        return ["osascript", "-e", script]
    if shutil.which("notify-send"):
        return ["notify-send", "--app-name=moot", "--"]
    hint = "install `notify-send` (libnotify), or give a command of your own: `--notify 'mail me@example.org -s'`"
    raise fail("E-ARGS", "no notices of the desktop can be shown here", None, hint)


def notify(words: list[str], title: str, text: str) -> str:
    """Show a notice; returns why it could not be shown, "" where it was: nothing is lost by that."""
    try:
        done = subprocess.run([*words, title, text], timeout=NOTICE_SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return f"`{words[0]}` ended with {done.returncode}" if done.returncode else ""
