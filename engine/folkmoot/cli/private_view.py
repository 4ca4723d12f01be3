"""What somebody may see in a game and others may not, as a terminal shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.sending import player_here
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.core.keys import ROSTER
from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.core.values import sealed_number
from folkmoot.game.session import Session
from folkmoot.player.hand import hand_of, keeper_key, own_keys

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

NEWEST = 10
"""How many refused acts are told of."""
NAMING = "moot act use_sealing_key key=…"


def show_hand(terminal: Terminal, view: RemoteView | None, session: Session, by: str | None) -> None:
    """Show the registers in which something is sealed, as far as the keys here open it."""
    me = by or (player_here(view, session.record.name) if view is not None else None)
    if me is None and view is not None:
        meant = "`moot join` asks to become one, `moot show hand --by PLAYER` shows what is open of theirs"
        raise fail("E-NOT-PLAYER", f"git does not say that you are a player of {session.record.name}", None, meant)
    if me is None:
        raise click.UsageError("Say whose hand with --by, in a game that one person keeps.")
    keys = own_keys()
    hand = hand_of(session, me, keys)
    found = [(owner, name, hand.shown(value), hand.errors.get(sealed_number(value) or 0, ""))
             for owner, name, value in _sealed(session)]  # fmt: skip
    entry = session.kept(ROSTER).get(me)
    named = entry.get("sealing") if entry is not None else None
    keeper = keeper_key(session)
    newest = [(session.record.entry(seq), hand.details[seq]) for seq in sorted(hand.details)[-NEWEST:]]
    refused: list[Shown] = [{"entry": entry["seq"], "do": entry["do"], "code": entry.get("code"), "why": why}
                            for entry, why in newest]  # fmt: skip
    told = [{"owner": owner, "register": name, "value": value, "why": why or None} for owner, name, value, why in found]
    key = named["key"] if named else None
    terminal.record({"player": me, "key": key, "registers": told, "refused": refused})
    if not found:
        terminal.say("Nothing is sealed in this game.")
    for owner, name, value, why in sorted(found, key=lambda row: row[0] != me):
        terminal.say(f"{name} of {owner}: {in_words(value)}{f' ({why})' if why else ''}")
    for each in refused:
        terminal.say(f"Entry {each['entry']}, {each['do']}, was refused [{each['code']}]:")
        for line in each["why"].split("\n"):
            terminal.say(f"  {without_escapes(line)}")
    if named is None:
        if keeper is not None:  # without one everybody seals to themselves, and names no key for that
            why = "You have named no key, so that nothing is sealed to you"
            terminal.note(f"{why}: `moot key --sealing`, then `{NAMING}`.")
    elif named["key"] not in [each.recipient.text for each in keys]:
        terminal.note("The key that you named in this game is not on this machine.")


def in_words(value: Any) -> str:
    """Return a value as people say it: the items of a list with commas between, what a map has with its names.

    >>> in_words(["ten of cups", 7]), in_words({"ann": "rock", "bob": "sealed"}), in_words([])
    ('ten of cups, 7', 'ann: rock, bob: sealed', 'empty')
    >>> in_words([["ann", 7], {"a": True}]), in_words(None)
    ('["ann", 7], {"a": true}', 'none')
    """
    if value in ([], {}):
        return "empty"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_item(each)}" for name, each in value.items())
    return ", ".join(map(_item, value)) if isinstance(value, list) else _item(value)


def _item(value: Any) -> str:
    words = {None: "none", True: "yes", False: "no"}
    if isinstance(value, str):
        return value
    return words[value] if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _sealed(session: Session) -> Iterator[tuple[str, str, Any]]:
    """Yield owner, name and value of each register in which something is sealed."""
    for key, document in session.documents.items():
        if key.startswith("things/"):
            for owner, values in document.items():
                yield from ((owner, name, value) for name, value in values.items() if _has_sealed(value))


def _has_sealed(value: Any) -> bool:
    if sealed_number(value) is not None:
        return True
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_has_sealed(item) for item in inner)
