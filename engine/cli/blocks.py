"""The blocks of a rule's page on a terminal."""

from __future__ import annotations

from typing import Any

from engine.cli.terminal import Terminal

Record = dict[str, Any]


def show_blocks(terminal: Terminal, blocks: list[Record]) -> None:
    """Print the blocks of a page in order."""
    for block in blocks:
        match block.get("block"):
            case "heading":
                terminal.heading(str(block["text"]))
            case "table":
                terminal.table([str(c) for c in block["columns"]], _rows(block))
            case "board":
                _board(terminal, block)
            case "chart":
                for name, values in (block.get("series") or {}).items():
                    terminal.say(f"{name}: {values}")
            case "log":
                for line in block.get("lines") or ():
                    terminal.say(f"- {line}")
            case _:
                terminal.say(str(block.get("text", "")))
        if block.get("caption"):
            terminal.say(str(block["caption"]))


def _rows(block: Record) -> list[list[object]]:
    width = len(block["columns"])
    rows = [row if isinstance(row, list) else [row] for row in block.get("rows") or ()]
    return [[*row, *[""] * width][:width] for row in rows]


def _board(terminal: Terminal, block: Record) -> None:
    pieces = block.get("pieces") or []
    if not pieces:
        terminal.say("(an empty board)")
    for piece in pieces:
        known = piece if isinstance(piece, dict) else {"piece": piece}
        terminal.say(", ".join(f"{name} {value}" for name, value in known.items()))
