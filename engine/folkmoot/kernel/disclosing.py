"""Letting somebody more read what is sealed: players, and whoever holds an office."""

from __future__ import annotations

from typing import Any

from folkmoot.core.keys import OFFICES
from folkmoot.core.values import told
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.sealed_values import OFFICE, add_readers


def disclose(play: Play, value: Any, to: Any) -> None:
    """Let somebody more read a sealed value, or each in a list: players, or offices as `office/scribe`."""
    play.writing("disclose what is sealed")
    readers = [str(each) for each in (to if isinstance(to, list) else [to])]
    for reader in readers:
        if not is_player(play, reader) and not _is_office(play, reader):
            raise Fault(f"{told(reader)} is no player and no office to disclose anything to", "E-NO-SUCH")
        if _is_filled_by_rule(play, reader):
            raise Fault(f"who holds {reader} the rules say anew each time; disclose it to whoever that is", "E-ARGS")
    add_readers(play, value, readers)


def _is_office(play: Play, reader: str) -> bool:
    return reader.startswith(OFFICE) and reader[len(OFFICE) :] in (play.documents.get(OFFICES) or {})


def _is_filled_by_rule(play: Play, reader: str) -> bool:
    declared = play.law.declared("defines.offices", play.view).get(reader.removeprefix(OFFICE))
    return reader.startswith(OFFICE) and declared is not None and declared[1].get("fill") == "by_rule"
