"""A game goes to another forge: where it was before, who is who there, and where what is voted on goes on.

Who plays and what was voted stays as it is. Numbers and accounts of the old forge mean nothing on the new one, so
that nothing said here reads a number without the forge that it is of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from folkmoot.core.keys import (
    FORGE,
    GAME,
    HOME,
    ROSTER,
    came_here,
    facts_key,
    forge_home,
    forge_kind,
    place_here,
    proposal_key,
)
from folkmoot.core.records import Account, ForgeHome, LeftForge, PlayedAt, ScriptRecord, Via
from folkmoot.core.values import in_a_row
from folkmoot.kernel import roster, roster_acts
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import set_fields

LOCAL = "local"
LONGEST = 254  # characters of an account's number, address or name
HEX = frozenset("0123456789abcdef")


def read_forge(given: Any) -> str | ForgeHome | None:
    """Return the forge of a game as game.yaml keeps it: its kind, or kind and home; raises Refusal for neither."""
    kind, home = (given.get("kind"), given.get("home")) if isinstance(given, dict) else (given, None)
    if kind is None and home is None:
        return None
    if not isinstance(kind, str) or not FORGE.fullmatch(kind):
        raise Refusal("E-ARGS", "a forge is named in small letters: local, github, gitea")
    if home is None:
        return kind
    if not isinstance(home, str) or len(home) > 200 or not HOME.fullmatch(home):
        raise Refusal("E-ARGS", "the home of a game is the address of its repository: https://HOST/OWNER/NAME")
    return {"kind": kind, "home": home}


def use_forge(play: Play, action: ScriptRecord) -> None:
    """Say by which forge acts come, and where that is: it is where they came from before, whatever was said of it.

    Without one the game is kept by one person.
    """
    wanted = read_forge({"kind": action["args"]["forge"], "home": action["args"]["home"]})
    _put(play, wanted, _stays(play, forge_kind({"forge": wanted})))
    play.effect("forge", to=wanted)


def change_forge(play: Play, action: ScriptRecord) -> None:
    """Take the game to another forge: who is who there, and which proposals await their new pull requests."""
    args, game = action["args"], play.documents[GAME]
    wanted = read_forge({"kind": args["forge"], "home": args["home"]})
    accounts = _accounts(play, args["accounts"] or {})
    _check(game, wanted)
    kind, before = forge_kind({"forge": wanted}), game.get("forge")
    moving = [identifier for identifier in game.get("open") or () if _was_met(play, identifier)]
    _forget(play, kind, forge_home({"forge": wanted}), accounts)
    left: LeftForge = {**_place_of(game), "until": play.now}
    play.documents.assign(GAME, game, "left", [*(game.get("left") or ()), left])
    _put(play, wanted, _stays(play, kind))
    if moving:
        play.documents.assign(GAME, game, "moving", moving)
    play.effect("forge", to=wanted, was=before)
    for player, account in accounts.items():
        roster_acts.link(play, player, kind, account)


def rehouse(play: Play, action: ScriptRecord) -> None:
    """Say in which pull requests of the new forge the undecided proposals go on, and let the game be played there."""
    game, places = play.documents[GAME], action["args"]["places"]
    moving = game.get("moving") or []
    if not moving:
        raise Refusal("E-ORDER", "no proposal of this game awaits its place on a new forge")
    if set(places) != set(moving):
        raise Refusal("E-ARGS", f"say of each where it goes on: {in_a_row(moving)}")
    taken = [_place(given) for given in places.values() if given is not None]
    if len({place["pull"] for place in taken}) < len(taken):
        raise Refusal("E-ARGS", "two proposals cannot go on in one pull request")
    for identifier in moving:
        if places[identifier] is not None:
            _move(play, identifier, _place(places[identifier]))
    play.documents.assign(GAME, game, "moving", [])


# -- the forge


def _check(game: PlayedAt, wanted: str | ForgeHome | None) -> None:
    kind, before = forge_kind({"forge": wanted}), forge_kind(game)
    if not before:
        raise Refusal("E-ORDER", "acts come by no forge yet; `use_forge` says by which")
    if not kind:
        raise Refusal("E-ARGS", "say to which forge the game goes")
    if game.get("moving"):
        raise Refusal("E-ORDER", "the game is on its way to another forge already; `rehouse` ends that")
    if kind == before == LOCAL:
        raise Refusal("E-ARGS", "a table of plain git is moved as it stands, by copying its repository")
    if kind == before and (not forge_home(game) or forge_home(game) == forge_home({"forge": wanted})):
        raise Refusal("E-DUP", f"the game is played on {kind} already, and nothing says that this is another place")
    if kind != LOCAL and not forge_home({"forge": wanted}):
        raise Refusal("E-ARGS", "say where its repository lies there: home=https://HOST/OWNER/NAME")


def _put(play: Play, wanted: str | ForgeHome | None, stay: int) -> None:
    """Keep by which forge acts come from now on."""
    kept = wanted if not stay or wanted is None else {**_place_of({"forge": wanted}), "stay": stay}
    play.documents.assign(GAME, play.documents[GAME], "forge", kept)


def _stays(play: Play, kind: str) -> int:
    """Return on how many forges of a kind the game was that it has left."""
    return sum(left["kind"] == kind for left in play.documents[GAME].get("left") or ())


def _place_of(game: Mapping[str, Any]) -> ForgeHome:
    """Return the forge of a game as a map, whatever of it the game says."""
    forge = game.get("forge")
    return cast(ForgeHome, dict(forge)) if isinstance(forge, Mapping) else {"kind": str(forge or "")}


def host_of(home: str) -> str:
    """Return the host of a home in small letters, which is where accounts and their numbers are.

    >>> host_of("https://Codeberg.org/ann/game"), host_of("")
    ('codeberg.org', '')
    """
    return home.partition("://")[2].partition("/")[0].lower()


# -- people


def _accounts(play: Play, given: Any) -> dict[str, Account]:
    """Return who players are on the new forge; raises Refusal where that cannot be read."""
    flaw = "say who players are there as a map: {ann: {id: '583231', login: annabel}}"
    if not isinstance(given, dict):
        raise Refusal("E-ARGS", flaw)
    accounts: dict[str, Account] = {}
    for player, account in given.items():
        if not isinstance(account, dict) or set(account) - {"id", "login"} or not account.get("id"):
            raise Refusal("E-ARGS", flaw)
        words = [account["id"], account.get("login") or account["id"]]
        if not all(isinstance(word, str) and 0 < len(word) <= LONGEST for word in words):
            raise Refusal("E-ARGS", flaw)
        if player not in play.documents[ROSTER]:
            raise Refusal("E-NO-SUCH", f"nobody in this game is or was called {player}")
        accounts[player] = {"id": words[0], "login": words[1]}
    numbers = [account["id"] for account in accounts.values()]
    if len(set(numbers)) < len(numbers):
        raise Refusal("E-DUP", "two players cannot be one account")
    return accounts


def _forget(play: Play, kind: str, home: str, accounts: Mapping[str, Account]) -> None:
    """Forget who was who on another host of this kind: the same number is somebody else's there.

    Who asked to come in asks again: their account is one of the forge that is left.
    """
    game = play.documents[GAME]
    if game.get("applications"):
        play.documents.assign(GAME, game, "applications", {})
    known = [each for each in (_place_of(game), *(game.get("left") or ())) if each.get("kind") == kind]
    if kind == LOCAL or not known or all(host_of(each.get("home") or "") == host_of(home) for each in known):
        names = set(accounts)  # whose account another is named as, they are not
    else:
        names = set(play.documents[ROSTER])
        kept = [name for name in game.get("maintainers") or () if not name.startswith(f"{kind}:")]
        if kept != (game.get("maintainers") or []):
            play.documents.assign(GAME, game, "maintainers", kept or None)
    for player in [each for each in play.documents[ROSTER] if each in names]:
        handles = play.documents[ROSTER][player].get("handles") or {}
        if kind in handles and handles[kind] != accounts.get(player):
            roster.put(play, player, "handles", {name: each for name, each in handles.items() if name != kind})
            play.effect("identify", of=player, forge=kind)


# -- proposals


def _was_met(play: Play, identifier: str) -> bool:
    """Say whether a proposal was met in a pull request, or in an issue with changes that a pull request can show."""
    proposal = play.documents[proposal_key(identifier)]
    via = proposal["via"]
    met = via.get("pull") or (via.get("issue") and proposal["changes"])
    return bool(met) and came_here(via, play.documents[GAME])


def _place(given: Any) -> dict[str, Any]:
    """Return the pull request that somebody names; raises Refusal where it is none."""
    named = given if isinstance(given, dict) else {}
    pull, head, digest = named.get("pull"), named.get("head"), named.get("digest")
    good = type(pull) is int and pull > 0 and isinstance(head, str) and isinstance(digest, str)
    if not good or set(named) != {"pull", "head", "digest"} or {*str(head), *str(digest)} - HEX:
        raise Refusal("E-ARGS", "a place is the number of a pull request (pull), its commit (head) and its digest")
    return named


def _move(play: Play, identifier: str, place: Mapping[str, Any]) -> None:
    """Let a proposal go on in a pull request of the forge on which the game is now; its content is recorded already."""
    proposal = play.documents[proposal_key(identifier)]
    before = proposal["via"]
    here = place_here(play.documents[GAME])
    via: Via = {**here, "pull": place["pull"], "fact": place["head"], "arrived": play.now}
    via["head"], via["digest"] = place["head"], place["digest"]
    if "revised" in before:
        via["revised"] = before["revised"]
    key = facts_key(via)
    assert key is not None
    document = play.documents[key]
    if document.get("proposals"):
        raise Refusal("E-DUP", f"pull request {place['pull']} is that of {document['proposals'][-1]} already")
    play.documents.assign(key, document, "facts", {**document.get("facts", {}), place["head"]: play.seq})
    play.documents.assign(key, document, "proposals", [identifier])
    set_fields(play, proposal, via=via, came=[*(proposal.get("came") or ()), before])
    play.effect("rehouse", of=identifier, to=place["pull"], was=before)
