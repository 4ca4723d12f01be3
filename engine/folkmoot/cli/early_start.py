"""Beginning the sandbox's process before a command is loaded, where its words say that the law will be asked.

It takes about as long to load as the command itself, so that both load at once. A wrong guess costs nothing but time
of the processor: who needs a process starts one, and one that nobody needed ends with the command. Nothing but the
standard library is loaded here, and little of that.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

STATE, SHOWN = "state", "moot-shown.json"
HEADS, RULES = f"{STATE}/*/head.yaml", f"{STATE}/*/rules/*.yaml"
JUDGING = frozenset("act check join preview propose tick try vote withdraw".split())
"""Commands that have something judged or tried, whatever else they are told."""
TOLD = frozenset(("-h", "--help", "--list"))
"""Words with which a command says what can be done, and does nothing."""
ASKED = tuple(b"def decide_%s(" % name for name in (b"mover", b"headline", b"holder", b"acts_for"))
"""What `moot status` asks of the law whatever there is to show."""
BY_ENGINE = frozenset("player players registers rule rules scores".split())
"""Pages that the engine shows of every game, unless a rule shows one of that name."""


def begin_before(words: Sequence[str]) -> None:
    """Begin a process of the sandbox if a command line (without the program's name) will surely need one."""
    with suppress(OSError):  # the command will say what is wrong
        _begin_before(words)


def _begin_before(words: Sequence[str]) -> None:
    root, command, rest = _read(words)
    if "_MOOT_COMPLETE" in os.environ or not TOLD.isdisjoint(rest):
        return
    if command in JUDGING:
        if command == "check" or next(root.glob(HEADS), None) is not None:
            begin()
    elif command in ("status", "show") and _is_new(root):
        begin_if_asked(root, command, tuple(word for word in rest if not word.startswith("-")))


def begin_if_asked(root: Path, command: str, what: tuple[str, ...] = ()) -> None:
    """Begin a process of the sandbox if a rule of a game, as the clone at `root` has it, will be asked in any case.

    `what` are the words that `moot show` was given.
    """
    asked = ASKED if command == "status" else _shown_by(what)
    if asked and _has_hook(root, asked):
        begin()


@cache
def _has_hook(root: Path, hooks: tuple[bytes, ...]) -> bool:
    """Say whether the text of a rule, as the clone has it, has one of some beginnings of functions."""
    from folkmoot.core.clone_files import read_whole
    from folkmoot.core.problems import ProblemError

    try:
        return any(hook in text for text in map(read_whole, root.glob(RULES)) for hook in hooks if text is not None)
    except (OSError, ProblemError):  # the command says what is wrong with the file
        return False


def begin() -> None:
    """Begin a process of the sandbox, unless one was begun already."""
    from folkmoot.sandbox.starting import begin_early

    begin_early()


def _shown_by(what: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return one of which a rule must have, so that what `moot show` is asked for is asked of the law."""
    name = what[0] if len(what) == 1 else ""
    if name.removeprefix("#").isdecimal():
        return (b"def decide_standing(",)
    if not name or name == "rule":
        return ()
    return (b"def show_%s(" % name.encode("utf-8", "replace") if name in BY_ENGINE else b"def show_",)


def _read(words: Sequence[str]) -> tuple[Path, str, Sequence[str]]:
    """Return the folder that a command line is about, the command's name ("" for none), and the words behind it."""
    place, root = 0, None
    while place < len(words) and words[place].startswith("-"):
        if words[place] in ("-C", "--directory") and place + 1 < len(words):
            place, root = place + 1, Path(words[place + 1])
        place += 1
    return root or _around(), words[place] if place < len(words) else "", words[place + 1 :]


def _around() -> Path:
    """Return the nearest folder around the current one that is a repository, or the current one."""
    here = Path.cwd()
    around = (folder for folder in (here, *here.parents) if (folder / STATE).is_dir() or (folder / ".git").exists())
    return next(around, here)


def _is_new(root: Path) -> bool:
    """Say whether a game has changed since a command was last shown here what there was."""
    newest = max((_changed(head) for head in root.glob(HEADS)), default=0)
    return newest > max(_changed(root / ".git" / SHOWN), _changed(root / SHOWN))


def _changed(path: Path) -> int:
    """Return when a file was changed last (nanoseconds), 0 where there is none."""
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
