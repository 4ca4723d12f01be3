"""What an issue states that is neither a form nor holds commands, as an act."""

from __future__ import annotations

from folkmoot.referee.commands import Asked, commands_in

LONGEST = 60_000  # characters of a statement


def statement_of(title: str, body: str) -> Asked:
    """Return the act of stating what an issue says that is neither a form nor holds commands."""
    told = {command.line for command in commands_in(body)}
    kept = [line for number, line in enumerate(body.splitlines(keepends=True), 1) if number not in told]
    parts = [title.strip(), "".join(kept).strip()]
    return Asked("state", {"text": "\n\n".join(part for part in parts if part)[:LONGEST]})
