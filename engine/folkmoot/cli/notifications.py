"""Notices outside of the terminal: of the desktop, or by a command of somebody's own."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys

from folkmoot.core.problems import fail

DESKTOP = "desktop"
SECONDS = 20  # that a notice may take


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
        done = subprocess.run([*words, title, text], timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return f"`{words[0]}` ended with {done.returncode}" if done.returncode else ""
