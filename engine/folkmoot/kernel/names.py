"""How people are called, and when one name looks like another: in a list, on a page, in a comment, at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from folkmoot.core.characters import folded, is_unseen, parts, small_capitals
from folkmoot.core.documents import Roster, RosterEntry
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.records import Account
from folkmoot.core.values import lowered, told
from folkmoot.files.string_forms import is_invisible
from folkmoot.kernel.errors import Fault

if TYPE_CHECKING:
    from folkmoot.kernel.play import Play

# Capitals and small letters of other scripts beside the Latin ones that they look like, and what looks alike in Latin.
_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХЅІЈԌԚԜ" + "аеорсухіјѕһԁԛԝӏкмтвн" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "αογνρικχυτη" + "ıɑɡƖ" + "0" + "1|lIIL",
    "abekmhopctyxsijgqw" + "aeopcyxijshdqwikmtbh" + "abezhikmnoptyx" + "aoyvpikxutn" + "iagi" + "o" + "iiiiii",
)


def called(player: str, entry: RosterEntry) -> str:
    """Return how a player is shown: by name and surname, or by their id where they gave no name.

    A name that holds the surname already is the whole.

    >>> called("cid", {"name": "Cid", "surname": "Cole"}), called("cid", {"name": "Cid Cole", "surname": "Cole"})
    ('Cid Cole', 'Cid Cole')
    >>> called("cid", {"surname": "Cole"}), called("li", {"name": "Li Na", "surname": "Li"})
    ('cid', 'Li Na')
    """
    name = str(entry.get("name") or player)
    surname = str(entry.get("surname") or "")
    whole = not surname or folded(f" {surname} ") in folded(f" {name} ")
    return name if name == player or whole else f"{name} {surname}"


@lru_cache(maxsize=4096)
def outline(name: str) -> str:
    r"""Return what is left of a name at a glance; two names with the same outline may be taken for each other.

    >>> outline("Ann"), outline("\u0410NN\u200b "), outline("M. Corn"), outline("mcom")
    ('ann', 'ann', 'mcom', 'mcom')
    """
    plain = small_capitals("".join(c for c in parts(name) if c == "|" or not (is_invisible(c) or is_unseen(c))))
    return folded(plain.translate(_ALIKE)).translate(_ALIKE).replace("rn", "m").replace("vv", "w")


def outlines_of(roster: Mapping[str, RosterEntry]) -> dict[str, set[str]]:
    """Return by outline who is or was known so in a roster: by their id, by what they are called, by an account's name.

    >>> outlines_of({"ann": {"name": "Ann", "handles": {"gitea": {"id": "7", "login": "Anni"}}}})
    {'ann': {'ann'}, 'anni': {'ann'}}
    """
    found: dict[str, set[str]] = {}
    for player, entry in roster.items():
        for name in known_as(player, entry):
            found.setdefault(outline(name), set()).add(player)
    return found


def known_as(player: str, entry: RosterEntry) -> list[str]:
    """Return every name by which a player is known: their id, what they are called, and their accounts' names."""
    return [player, called(player, entry), *map(login_of, (entry.get("handles") or {}).values())]


def account_on(roster: Roster, player: str, forge: str) -> Account | None:
    """Return the account of somebody on a forge, None where a roster knows of none."""
    entry = roster.get(player)
    return (entry.get("handles") or {}).get(forge) if entry else None


def login_of(handle: Any) -> str:
    """Return under which name somebody is shown on a forge; before ids were kept, a handle was that name alone."""
    return str(handle.get("login") or "") if isinstance(handle, Mapping) else str(handle)


def shown_login(player: str, handle: Any, outlines: Mapping[str, set[str]]) -> str:
    """Return an account's name as it is shown: with the account's id where it looks like somebody else's name.

    >>> shown_login("ann-2", {"id": "8", "login": "ANN"}, {"ann": {"ann", "ann-2"}})
    'ANN (account 8)'
    >>> shown_login("ann", {"id": "7", "login": "Ann"}, {"ann": {"ann"}})
    'Ann'
    """
    login = login_of(handle)
    account = str(handle.get("id") or "") if isinstance(handle, Mapping) else ""
    others = outlines.get(outline(login), set()) - {player}
    return f"{login} (account {account})" if others and account and account != login else login


def check_called(play: Play, player: str, entry: RosterEntry) -> None:
    """Raise Fault E-DUP where a player would be shown as what looks like another player, E-ARGS as nothing at all."""
    for part in ("name", "surname"):
        if not isinstance(entry.get(part) or "", str):
            raise Fault(f"a {part} is a text", "E-ARGS")
    shown = called(player, entry)
    if not outline(shown):
        raise Fault(f"{told(shown[:80])} is no name that anybody can read", "E-ARGS")
    alike = sorted(people_of(play).alike.get(outline(shown), ()))
    administrators = play.documents[GAME].get("administrators") or ()
    for other, known in [*alike, *((who, who) for who in administrators if outline(who) == outline(shown))]:
        apart = lowered(shown) == lowered(player) and lowered(known) == lowered(
            other
        )  # ids among each other are told apart as they are
        if other != player and not apart:
            raise Fault(f"{told(shown[:80])} looks like {told(known)}, which is {other}; choose another name", "E-DUP")


class People:
    """Who is or was here, found by what their id or name looks like: nobody need be compared with everybody."""

    def __init__(self, roster: Mapping[str, RosterEntry]) -> None:
        """Take in everybody in a roster."""
        self.ids: dict[str, str] = {}  # in small letters → as it is
        self.alike: dict[str, list[tuple[str, str]]] = {}  # outline → (id, what looks so)
        for player, entry in roster.items():
            self.add(player, entry)

    def add(self, player: str, entry: RosterEntry) -> None:
        """Take in somebody, by their id and by what they are called."""
        self.ids[player.lower()] = player
        for shown in (player, called(player, entry)):
            self.alike.setdefault(outline(shown), []).append((player, shown))

    def drop(self, player: str, entry: RosterEntry) -> None:
        """Forget what somebody was called, who comes back with another name."""
        for shown in (player, called(player, entry)):
            self.alike[outline(shown)].remove((player, shown))


def people_of(play: Play) -> People:
    """Return who is or was here; `folkmoot.kernel.roster`, which alone writes the roster, keeps it in step."""
    if not isinstance(play.people, People):
        play.people = People(play.documents[ROSTER])
    return play.people
