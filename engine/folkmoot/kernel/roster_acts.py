"""Acts about who somebody is outside of the game: handles on forges and keys, and how people come in without a rule."""

from __future__ import annotations

import re
from typing import Any

from folkmoot.core.keys import FORGE, GAME, ROSTER
from folkmoot.core.records import Account, Arguments, ScriptRecord, SigningKey
from folkmoot.kernel import applications
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import put, the_player
from folkmoot.kernel.things import check_identifier, join

ACCOUNT = re.compile(rf"{FORGE.pattern}:[^\s:,]{{1,254}}")
MOST_MAINTAINERS = 50
KEY = re.compile(r"(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d{3}|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]{20,1000}={0,3}")


def take_in(play: Play, action: ScriptRecord) -> None:
    """Let somebody join by themselves, where no rule says how one joins and the game is open."""
    player, args = action["by"], action["args"]
    if player is None:
        raise Refusal("E-ARGS", "somebody joins, not the clock")
    if play.documents[GAME].get("joining", "open") != "open":
        raise Refusal("E-STATUS", "this game is closed to newcomers; an administrator can `admit` you")
    _enter(play, player, args)


def stay_out(play: Play, action: ScriptRecord) -> None:
    """Let somebody take back that they asked to come in."""
    if not applications.withdraw(play, str(action["by"])):
        raise Refusal("E-NO-SUCH", f"{action['by']} has not asked to come in, or is in already")


def admit(play: Play, action: ScriptRecord) -> None:
    """Let an administrator bring somebody in."""
    args = action["args"]
    _enter(play, args["player"], args)
    if args["forge"] and args["id"]:
        link(play, args["player"], args["forge"], {"id": args["id"], "login": args["login"] or args["id"]})


def _enter(play: Play, player: str, args: Arguments) -> None:
    attributes = {**(args["attributes"] or {}), **({"name": args["name"]} if args["name"] else {})}
    try:
        check_identifier(player)
        join(play, player, attributes)
        if args["key"]:
            put_key(play, player, args["key"])
    except Fault as fault:
        raise Refusal(fault.code, fault.message) from None


def identify(play: Play, action: ScriptRecord) -> None:
    """Say who a player is on a forge; for administrators, because a claim proves nothing."""
    args = action["args"]
    account: Account = {"id": args["id"], "login": args["login"] or args["id"]}
    link(play, the_player(play, args["player"]), args["forge"], account)


def welcome(play: Play, player: str, forge: str, person: Account) -> None:
    """Keep who somebody is on the forge by which they have just come in, or asked to."""
    entry = play.documents[ROSTER].get(player)
    if entry is None:
        applications.keep(play, player, play.via, person)
    elif entry["since"] == play.now and _who(play, forge, person["id"]) is None:
        link(play, player, forge, person)


def _who(play: Play, forge: str, identifier: str) -> str | None:
    """Return whom a forge knows by an id, a former player too; None if nobody here."""
    for player, entry in play.documents[ROSTER].items():
        handle = entry.get("handles", {}).get(forge)
        if handle is not None and handle["id"] == identifier:
            return player
    return None


def link(play: Play, player: str, forge: str, person: Account) -> None:
    """Keep who a player is on a forge; raises Refusal E-DUP where that is somebody else."""
    roster = play.documents[ROSTER]
    if _who(play, forge, person["id"]) not in (None, player):
        raise Refusal("E-DUP", f"{person['id']} is {_who(play, forge, person['id'])} already")
    handles = {**roster[player].get("handles", {}), forge: _account(person)}
    if handles != roster[player].get("handles"):
        put(play, player, "handles", handles)
        play.effect("identify", of=player, forge=forge, to=handles[forge])


def _account(person: Account) -> Account:
    return {"id": str(person["id"]), "login": str(person["login"])}


def add_key(play: Play, action: ScriptRecord) -> None:
    """Let a player, or an administrator for one, name a key with which what they send is signed from now on."""
    put_key(play, _own(play, action), action["args"]["key"])


def put_key(play: Play, player: str, key: str) -> None:
    """Keep an SSH public key of a player; raises Refusal E-ARGS for what is none, E-DUP where it is known."""
    words = " ".join(key.split()[:2])
    if not KEY.fullmatch(words):
        raise Refusal("E-ARGS", "a key is the public half of an SSH key, as in `ssh-ed25519 AAAA…`")
    for other, entry in play.documents[ROSTER].items():
        if any(kept["key"] == words for kept in entry.get("keys") or ()):
            raise Refusal("E-DUP", f"this key is {other}'s already")
    put(play, player, "keys", [*_keys(play, player), {"key": words, "since": play.now, "until": None}])
    play.effect("key", of=player, to=words)


def revoke_key(play: Play, action: ScriptRecord) -> None:
    """Let a player, or an administrator for one, withdraw a key: what arrives from now on with it does not count."""
    player = _own(play, action)
    words = " ".join(action["args"]["key"].split()[:2])
    kept = _keys(play, player)
    if not any(entry["key"] == words and entry["until"] is None for entry in kept):
        raise Refusal("E-NO-SUCH", f"{player} has no such key")
    put(
        play,
        player,
        "keys",
        [{**e, "until": play.now} if e["key"] == words and e["until"] is None else e for e in kept],
    )
    play.effect("revoke", of=player, to=words)


def notify(play: Play, action: ScriptRecord) -> None:
    """Let a player say of what a forge is to notify them: of everything, before deadlines only, or of nothing."""
    player, mentions = the_player(play, action["by"]), action["args"]["mentions"]
    put(play, player, "mentions", mentions)
    play.effect("notify", of=player, to=mentions)


def maintainers_in(play: Play, given: Any) -> list[str]:
    """Return whom a list, or a text with commas, names: ids of people in the game, or accounts as `github:12345`.

    Raises Refusal E-NO-SUCH where one is neither.
    """
    names = given.replace(",", " ").split() if isinstance(given, str) else given or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > MOST_MAINTAINERS:
        raise Refusal("E-ARGS", f"maintainers are a list of at most {MOST_MAINTAINERS} names")
    known = {*play.documents[ROSTER], *play.documents[GAME]["administrators"]}
    for name in names:
        if name not in known and not ACCOUNT.fullmatch(name):
            hint = "name a player, an administrator, or an account by its numeric id, as in github:12345"
            raise Refusal("E-NO-SUCH", f"nobody here is called {name}; {hint}")
    return list(dict.fromkeys(names))


def _own(play: Play, action: ScriptRecord) -> str:
    """Return whose key is meant: one's own, or another's for administrators."""
    player = action["args"]["player"] or action["by"]
    if player != action["by"] and action["by"] not in play.documents[GAME]["administrators"]:
        raise Refusal("E-NOT-ADMINISTRATOR", f"only {player} and the administrators of this game may do that")
    return the_player(play, player)


def _keys(play: Play, player: str) -> list[SigningKey]:
    return list(play.documents[ROSTER][player].get("keys") or ())
