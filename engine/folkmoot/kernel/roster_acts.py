"""Acts about people: who somebody is outside of the game, how they come in without a rule, and who administers it."""

from __future__ import annotations

import re
from typing import Any

from folkmoot.core.documents import Claim, Succession
from folkmoot.core.keys import DUTIES, FORGE, GAME, ROSTER, claim_of
from folkmoot.core.limits import limit_of
from folkmoot.core.records import Account, Arguments, ScriptRecord, SigningKey
from folkmoot.kernel import roster, things
from folkmoot.kernel.clock import owe
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import is_player, put, the_player

ACCOUNT = re.compile(rf"{FORGE.pattern}:[^\s:,]{{1,254}}")
MOST_MAINTAINERS = 50
KEY = re.compile(r"(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d{3}|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]{20,1000}={0,3}")


def join(play: Play, action: ScriptRecord) -> None:
    """Let somebody join by themselves, where no rule says how one joins and the game is open."""
    player, args = action["by"], action["args"]
    if player is None:
        raise Refusal("E-ARGS", "somebody joins, not the clock")
    if play.documents[GAME].get("joining", "open") != "open":
        raise Refusal("E-STATUS", "this game is closed to newcomers; an administrator can `admit` you")
    _enter(play, player, args)


def withdraw_application(play: Play, action: ScriptRecord) -> None:
    """Let somebody take back that they asked to come in."""
    if not roster.withdraw_application(play, str(action["by"])):
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
        things.check_identifier(player)
        things.join(play, player, attributes)
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
        roster.keep_applicant(play, player, play.via, person)
    elif entry["since"] == play.now and roster.whom_forge_knows(play, forge, person["id"]) is None:
        link(play, player, forge, person)


def link(play: Play, player: str, forge: str, person: Account) -> None:
    """Keep who a player is on a forge; raises Refusal E-DUP where that is somebody else."""
    entry, known = play.documents[ROSTER][player], roster.whom_forge_knows(play, forge, person["id"])
    if known not in (None, player):
        raise Refusal("E-DUP", f"{person['id']} is {known} already")
    account: Account = {"id": str(person["id"]), "login": str(person["login"])}
    handles = {**entry.get("handles", {}), forge: account}
    if handles != entry.get("handles"):
        put(play, player, "handles", handles)
        play.effect("identify", of=player, forge=forge, to=handles[forge])


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
    ended = [{**e, "until": play.now} if e["key"] == words and e["until"] is None else e for e in kept]
    put(play, player, "keys", ended)
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


# -- who administers a game whose administrators are gone: a player asks, everybody sees it, time passes, and they do
#
# No rule takes part: a law that could stop it could keep a game without administrators for ever. No timer does either,
# because a paused game has none: who asked comes back after the wait, and what counts is when they do.

DAY = 86_400


def succeed(play: Play, action: ScriptRecord) -> None:
    """Ask to become an administrator, or, after the wait, become one."""
    game, player = play.documents[GAME], str(action["by"])
    if player in game["administrators"]:
        raise Refusal("E-DUP", f"{player} is an administrator already")
    claim = _running(play)
    if claim is None:
        _claim(play, player)
    elif claim["by"] != player:
        raise Refusal("E-DUP", f"{claim['by']} has asked already; `oppose_succession` objects")
    elif play.now < claim["due"]:
        raise Refusal(
            "E-TIME", f"{player} has asked already, and can take the office in {_told(claim['due'] - play.now)}"
        )
    else:
        _end(play, "taken", player)
        play.documents.assign("game", game, "administrators", [*game["administrators"], player])


def oppose_succession(play: Play, action: ScriptRecord) -> None:
    """Object to the claim that runs; when most of those who may have objected, it is refused."""
    claim, player = _running(play), str(action["by"])
    if claim is None:
        raise Refusal("E-ORDER", "nobody asks to become an administrator")
    voices = _voices(play, claim)
    if player not in voices:
        why = "who asks does not object" if player == claim["by"] else f"{player} plays for too short a time"
        raise Refusal("E-STATUS", why)
    if player in claim["against"]:
        raise Refusal("E-DUP", f"{player} has objected already")
    against = [*claim["against"], player]
    _keep(play, {"claim": {**claim, "against": against}})
    play.effect("succession", of=claim["by"], to="opposed", by=player)
    if 2 * len([each for each in against if each in voices]) > len(voices):
        _end(play, "refused", player)
        until = play.now + _seconds(play, "administrators_silent")
        _keep(play, {"refused": {**_kept(play).get("refused", {}), claim["by"]: until}})


def note_act(play: Play, by: str | None) -> None:
    """End the claim that runs where an administrator acts: they are there."""
    game = play.documents.get(GAME)
    claim = claim_of(game) if game is not None else None
    if game is not None and claim is not None and by in game["administrators"] and by != claim["by"]:
        _end(play, "ended", str(by))


def _claim(play: Play, player: str) -> None:
    tenure = _seconds(play, "succession_wait")
    since = play.documents[ROSTER][player]["since"]
    if since > play.now - tenure:
        raise Refusal("E-STATUS", f"who asks must have played for {_told(tenure)}, and {player} has not")
    barred = _kept(play).get("refused", {}).get(player, 0)
    if play.now < barred:
        raise Refusal("E-STATUS", f"the players refused {player}, who can ask again in {_told(barred - play.now)}")
    here, roster = play.documents[GAME]["administrators"], play.documents[ROSTER]
    is_there = any(who not in roster or is_player(play, who) for who in here)  # who never played may be there too
    due = play.now + _seconds(play, "administrators_silent" if is_there else "succession_wait")
    claim: Claim = {"by": player, "at": play.now, "due": due, "until": due + tenure, "against": []}
    _keep(play, {"claim": claim})
    play.effect("succession", of=player, to="asked", due=due)
    for administrator in [who for who in here if is_player(play, who)]:
        what = f"show by any act that you still administer this game, or {player} does"
        owe(play, administrator, what, due, _key(administrator), "oppose_succession", None)


def _running(play: Play) -> Claim | None:
    """Return the claim that runs; one that nobody made use of in time, or whose maker has left, runs no more."""
    claim = claim_of(play.documents[GAME])
    if claim is not None and play.now <= claim["until"] and is_player(play, claim["by"]):
        return claim
    if claim is not None:
        _end(play, "lapsed", claim["by"])
    return None


def _voices(play: Play, claim: Claim) -> list[str]:
    """Return who may object: whoever else plays, and had played as long before the claim as its maker had to."""
    latest = claim["at"] - _seconds(play, "succession_wait")
    roster = play.documents[ROSTER]
    known = (who for who, entry in roster.items() if entry["until"] is None and entry["since"] <= latest)
    return [who for who in known if who != claim["by"]]


def _end(play: Play, how: str, by: str) -> None:
    """End the claim: taken, refused, ended (an administrator acts) or lapsed."""
    claim = claim_of(play.documents[GAME])
    assert claim is not None
    _keep(play, {"claim": None})
    duties = play.documents[DUTIES]
    for key in [_key(who) for who in play.documents[GAME]["administrators"] if _key(who) in duties]:
        play.documents.remove("things/duty", duties, key)
    play.effect("succession", of=claim["by"], to=how, by=by)


def _kept(play: Play) -> Succession:
    return play.documents[GAME].get("succession", {})


def _keep(play: Play, parts: Succession) -> None:
    play.documents.assign("game", play.documents[GAME], "succession", {**_kept(play), **parts})


def _seconds(play: Play, limit: str) -> int:
    return limit_of(play.documents[GAME], limit) * DAY


def _told(seconds: int) -> str:
    days = -(-seconds // DAY)
    return f"{days} day{'s' if days != 1 else ''}"


def _key(administrator: str) -> str:
    return f"succession/{administrator}"
