"""The one comment in a game's own thread: what became of what arrived there."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.referee.comment import HEADS, MOST_LISTED, grouped, told_lines
from folkmoot.referee.comment_building import notice_of
from folkmoot.referee.recorder import Verdict

ARRIVED = "### What arrived here"
EARLIER = "#### Answered before"
MOST_ANSWERED = 200  # in a run, because nothing else tells them


def comment_on_game(verdicts: Iterable[Verdict], before: str = "") -> str:
    """Return the answer in a game's own thread: what became of what arrived there.

    Of what was answered `before` (the answer that stands there) the newest lines are kept: who asked then may not have
    read it yet.
    """
    found = [notice_of(verdict) for verdict in verdicts]
    lines = grouped(found, ("recorded", "waiting", "void", "refused"), MOST_ANSWERED)
    asked = told_lines(found)
    new = _answered(lines)
    earlier = [line for line in _answered(before.splitlines()) if line not in new][:MOST_LISTED]
    kept = ["", EARLIER, "", *earlier] if earlier else []
    return "\n".join([ARRIVED, *lines, *kept, *(["", *asked] if asked else [])]) + "\n"


def _answered(lines: Iterable[str]) -> list[str]:
    """Return each answer among the lines of a game's thread, with the head of its group before it.

    What stands below them, rules that were asked for, may hold anything, and is not read.
    """
    heads = {f"{head}:": head for head in HEADS.values()} | {EARLIER: "", ARRIVED: ""}
    head = ""
    found: list[str] = []
    for line in filter(None, lines):
        if not line.startswith("- "):
            if line not in heads:
                break
            head = heads[line]
        elif not line.startswith("- … and "):
            found.append(f"- {head}: {line[2:]}" if head else line)
    return found
