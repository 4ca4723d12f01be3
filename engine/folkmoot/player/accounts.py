"""Who of a game's people sits at a clone: by the address that git has, or on a forge on the web by the account there.

Git knows nothing of accounts. What tells whose they are, in this order: the setting `moot.player`, an address that
GitHub gives to an account, an address that the game knows of a player, and who opened the pull requests that are seen
with commits of the person's.
"""

from __future__ import annotations

import re

from folkmoot.core.documents import Roster
from folkmoot.forges.local.letters import NoLetterError, author_of, commit_of
from folkmoot.forges.port import Person
from folkmoot.kernel.names import account_on
from folkmoot.player.remote_view import RemoteView
from folkmoot.referee.people import player_of

SETTING = "moot.player"
_GIVEN = re.compile(r"([0-9]+)\+([^@\s]+)@users\.noreply\.github\.com")


def account_in(view: RemoteView, roster: Roster, forge: str) -> Person | None:
    """Return the person at a clone as the forge of a game knows them, None where nothing here says who that is."""
    if forge == "local":
        return view.person
    named = _setting(view)
    if named:
        return _account_of(roster, named, forge)
    given = _GIVEN.fullmatch(view.person.id) if forge == "github" else None
    if given:
        return Person(id=given[1], handle=given[2])
    known = player_of(roster, "local", view.person)
    return (_account_of(roster, known, forge) if known else None) or _opener(view)


def player_in(view: RemoteView, roster: Roster, forge: str) -> str | None:
    """Return the player who sits at a clone, also a former one, None for strangers and where nothing says who it is."""
    account = account_in(view, roster, forge)
    found = player_of(roster, forge, account) if account is not None else None
    return found or player_of(roster, "local", view.person)


def unknown_setting(view: RemoteView, roster: Roster, forge: str) -> str:
    """Return whom the setting names if the game knows nobody of that name on its forge, else ""."""
    named = _setting(view) if forge != "local" else ""
    return named if named and _account_of(roster, named, forge) is None else ""


def _setting(view: RemoteView) -> str:
    config = view.repo.config
    return str(config[SETTING]) if SETTING in config else ""


def _account_of(roster: Roster, player: str, forge: str) -> Person | None:
    """Return the account of a player on a forge, None where the game knows of none."""
    handle = account_on(roster, player, forge)
    return Person(id=handle["id"], handle=handle["login"] or player) if handle else None


def _opener(view: RemoteView) -> Person | None:
    """Return who opened the pull requests whose content is by the person's address, if it was one and the same."""
    found = {pull.author.id: pull.author for pull in view.pulls() if _wrote(view, pull.head)}
    return next(iter(found.values())) if len(found) == 1 else None


def _wrote(view: RemoteView, commit: str) -> bool:
    try:
        return author_of(commit_of(view.repo, commit)).id == view.person.id
    except (KeyError, NoLetterError):
        return False
