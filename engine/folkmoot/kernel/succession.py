"""Who administers a game whose administrators are gone: a player asks, everybody sees it, time passes, and they do.

No rule takes part: a law that could stop it could keep a game without administrators for ever. No timer does either,
because a paused game has none: who asked comes back after the wait, and what counts is when they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from folkmoot.core.documents import Claim, Succession
from folkmoot.core.keys import DUTIES, GAME, ROSTER
from folkmoot.core.limits import limit_of
from folkmoot.core.records import ScriptRecord
from folkmoot.kernel.duties import owe
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.running_claim import claim_of

if TYPE_CHECKING:
    from folkmoot.kernel.play import Play

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


def oppose(play: Play, action: ScriptRecord) -> None:
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
    due = play.now + _seconds(play, "administrators_silent" if _may_be_there(play) else "succession_wait")
    claim: Claim = {"by": player, "at": play.now, "due": due, "until": due + tenure, "against": []}
    _keep(play, {"claim": claim})
    play.effect("succession", of=player, to="asked", due=due)
    for administrator in [who for who in play.documents[GAME]["administrators"] if is_player(play, who)]:
        owe(play, administrator, _duty(player), due, _key(administrator), "oppose_succession", None)


def _may_be_there(play: Play) -> bool:
    """Whether one of the administrators has not left the game: who never played may be there too."""
    roster = play.documents[ROSTER]
    return any(who not in roster or is_player(play, who) for who in play.documents[GAME]["administrators"])


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


def _duty(player: str) -> str:
    return f"show by any act that you still administer this game, or {player} does"


def _key(administrator: str) -> str:
    return f"succession/{administrator}"
