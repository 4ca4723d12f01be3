"""The blocks of a rule's page on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.cli.terminal import Terminal

Record = dict[str, Any]


def show_blocks(terminal: Terminal, blocks: list[Record]) -> None:
    """Print the blocks of a page in order."""
    for block in blocks:
        SHOWN.get(str(block.get("block")), _text)(terminal, block)
        if block.get("caption"):
            terminal.say(str(block["caption"]))


def _text(terminal: Terminal, block: Record) -> None:
    terminal.say(str(block.get("text", "")))


def _heading(terminal: Terminal, block: Record) -> None:
    terminal.heading(str(block["text"]))


def _table(terminal: Terminal, block: Record) -> None:
    terminal.table([str(c) for c in block["columns"]], _rows(block))


def _chart(terminal: Terminal, block: Record) -> None:
    for name, values in (block.get("series") or {}).items():
        terminal.say(f"{name}: {values}")


def _log(terminal: Terminal, block: Record) -> None:
    for line in block.get("lines") or ():
        terminal.say(f"- {line}")


def _frames(terminal: Terminal, block: Record) -> None:
    for page in block.get("pages") or ():
        terminal.heading(str(page.get("title") or ""))
        show_blocks(terminal, list(page.get("blocks") or ()))


def _rows(block: Record) -> list[list[object]]:
    width = len(block["columns"])
    rows = [row if isinstance(row, list) else [row] for row in block.get("rows") or ()]
    return [[*row, *[""] * width][:width] for row in rows]


def _board(terminal: Terminal, block: Record) -> None:
    cells = (block.get("grid") or {}).get("cells") or {}
    pieces = block.get("pieces") or [{"cell": name, "zone": cell.get("zone") or ""} for name, cell in cells.items()]
    if not pieces:
        terminal.say("(an empty board)")
    for piece in pieces:
        known = piece if isinstance(piece, dict) else {"piece": piece}
        terminal.say(", ".join(f"{name} {value}" for name, value in known.items()))


def _history(terminal: Terminal, block: Record) -> None:
    owner, register = block.get("owner"), block.get("register")
    owner = owner.get("id") or owner.get("uid") if isinstance(owner, dict) else owner
    terminal.say(f"(the history of {register} of {owner}: `moot explain {owner} {register}`)")


SHOWN: dict[str, Callable[[Terminal, Record], None]] = {
    "heading": _heading,
    "table": _table,
    "board": _board,
    "chart": _chart,
    "log": _log,
    "history": _history,
    "frames": _frames,
}
