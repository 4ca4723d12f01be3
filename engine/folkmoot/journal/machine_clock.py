"""Whether a machine's clock can be believed, and how far a record's time lies ahead of it.

A clock is not believed where nothing that is known supports it: it lies far ahead of the last entry, of the newest
commits, whoever made them, and of when this repository was last worked in. However long a game has slept, whatever is
pushed now has the time of its author's machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from folkmoot.core.calendar import DAY, HOUR, write_moment
from folkmoot.core.clone_files import read_whole, write_whole
from folkmoot.core.problems import fail

if TYPE_CHECKING:
    import pygit2

FAR = 30 * DAY
"""How far ahead of all that is known a clock may be."""
NEAR = HOUR
"""How far a record may be ahead of a clock without a word: so far clocks of machines differ."""
FILE = "moot-last-run"
MOST_TIPS = 50


def refuse_far_ahead(git_dir: Path, now: int, known: Iterable[int], *, insisted: bool) -> str:
    """Note that this machine worked here at a time; raises E-CLOCK where nothing known supports that it is so late.

    Returns what is to be said where git's own files alone do, as in a clone that was made a moment ago; else "".

    Args:
        git_dir: git's own folder of the repository, where the last run is noted.
        now: what the machine's clock says (Unix seconds).
        known: other times that are known, as of entries and commits; those in the future say nothing.
        insisted: whether somebody has said that the clock is right.
    """
    file, last = git_dir / FILE, 0
    with suppress(OSError, ValueError):
        last = int((read_whole(file) or b"")[:20])
    noted = max((at for at in (last, *known) if 0 < at <= now + DAY), default=now)
    latest = max((noted, *(at for at in _written(git_dir) if at <= now + DAY)))
    if now - latest > FAR and not insisted:
        said = f"this machine's clock says {write_moment(now)}; nothing known here is later than {write_moment(latest)}"
        hint = "set the clock; where it is right, and all has slept so long, do the same again with --trust-clock"
        raise fail("E-CLOCK", said, None, hint)
    if abs(now - last) > HOUR:
        with suppress(OSError):
            write_whole(file, b"%d\n" % now)
    if now - noted <= FAR or insisted:
        return ""
    return (
        f"Mind: this machine's clock says {write_moment(now)}, and no entry or commit here is later than "
        f"{write_moment(noted)}. Where the clock is wrong, set it; an administrator takes a game's clock back."
    )


def _written(folder: Path) -> Iterator[int]:
    """Yield when the files directly in a folder were written, by this machine's clock as it was then."""
    with suppress(OSError), os.scandir(folder) as found:
        yield from (int(item.stat(follow_symlinks=False).st_mtime) for item in found)


def commit_times(repo: pygit2.Repository, tips: Iterable[str]) -> Iterator[int]:
    """Yield when commits (hex) were made, as far as they are here and can be read."""
    for tip in islice(tips, MOST_TIPS):
        with suppress(KeyError, ValueError, AttributeError):
            yield int(repo[tip].commit_time)  # type: ignore[attr-defined]


def clock_warning(game: str, at: int, now: int, *, met: bool) -> str:
    """Return what is to be said and done where a record's time lies ahead of a clock, "" where it does not.

    `met` says whether the game is played by pull requests.
    """
    if at - now <= NEAR:
        return ""
    days = f"{round((at - now) / DAY):,} days" if at - now >= 2 * DAY else f"{(at - now) // HOUR} hours"
    back = "moot verify --repair clock --by NAME --why TEXT" if met else "moot act set_clock --by NAME why=TEXT"
    return (
        f"Mind: the record of {game} stands at {write_moment(at)}, {days} ahead of this machine's clock; until then no "
        f"deadline of it passes. Where the clock here is right, an administrator takes the game's back: `{back}`."
    )
