"""Acts about sealed data: keys of the keeper and of players, seeds of draws, and opening what is one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from folkmoot.core.calendar import write_stamp
from folkmoot.core.documents import KeeperKey, ReaderKey
from folkmoot.core.keys import GAME, ROSTER, sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import ScriptRecord
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.sealed_data import numbers_in
from folkmoot.core.values import flaw_of, size
from folkmoot.kernel import arguments, roster
from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import the_player
from folkmoot.kernel.sealed_values import assign, closed_values, hold_anew, is_own
from folkmoot.kernel.vault import LARGEST_CONTENT, OwnOpening
from folkmoot.sealing.keys import is_private, read_public

ROOT = re.compile(r"[0-9a-f]{64}", re.ASCII)
STEPS = 12
"""How many digests prove that a seed is one of those that the keeper committed to."""
WAIT = 86_400
"""Seconds for which everybody sees that a key is to be replaced, before an administrator may confirm it."""


def open_sealing(play: Play, action: ScriptRecord) -> None:
    """Name the key of the keeper, to which players seal, and what commits to the seeds of sealed draws."""
    args, game = action["args"], play.documents[GAME]
    if _key(args["key"] or "")[0] != "age":
        raise Refusal("E-RECIPIENT", "the keeper's key is native to age: age1…; `moot key --keeper` makes one")
    if not ROOT.fullmatch(args["seeds"] or ""):
        raise Refusal("E-ARGS", "what commits to the seeds has 64 hexadecimal digits; `moot key --keeper` says it")
    known: list[KeeperKey] = list(game.get("sealing") or ())
    if any(args["key"] == each["key"] or args["seeds"] == each["seeds"] for each in known):
        raise Refusal("E-DUP", "this key was the keeper's before; make a new one")
    if known:
        play.vault.take_key()
    drawn = int(game["counters"].get("sealed draws", 0))
    opened: KeeperKey = {
        "number": len(known) + 1,
        "key": args["key"],
        "seeds": args["seeds"],
        "since": play.now,
        "after": drawn,
    }
    play.documents.assign(GAME, game, "sealing", [*known, opened])
    play.effect("sealing", of=str(opened["number"]), to=opened["key"], commitment=opened["seeds"])
    for number, value in closed_values(play):
        hold_anew(play, number, value)


def open_seed(play: Play, action: ScriptRecord) -> None:
    """Open the seed of a sealed draw; that it is one of those committed to is proved by whoever checks the record.

    While something that rests on the draw is still closed, only an administrator who insists has it opened.
    """
    args, game = action["args"], play.documents[GAME]
    if not 1 <= args["draw"] <= int(game["counters"].get("sealed draws", 0)):
        raise Refusal("E-NO-SUCH", f"there is no sealed draw {args['draw']}")
    closed = still_closed(play, args["draw"])
    if closed and not args["insist"]:
        told = f"sealed draw {args['draw']} dealt what is still closed ({closed})"
        raise Refusal("E-SEALED", f"{told}; `insist=true` has everybody see it all the same")
    digests = [args["seed"], *(args["proof"] or ())]
    if len(digests) != STEPS + 1 or not all(isinstance(each, str) and ROOT.fullmatch(each) for each in digests):
        raise Refusal("E-ARGS", "a seed and the twelve digests of its proof have 64 hexadecimal digits each")
    play.effect("seed", of=str(args["draw"]), secret=args["seed"])


def use_sealing_key(play: Play, action: ScriptRecord) -> None:
    """Let a player name the key to which what they may read is sealed; one that replaces another waits."""
    player, key = the_player(play, action["by"]), _key(action["args"]["key"])[1]
    known = play.documents[ROSTER][player].get("sealing")
    if known is None:
        _use(play, player, key)
    elif known["key"] == key:
        raise Refusal("E-DUP", "this is your key already")
    else:
        asked: ReaderKey = {**known, "asked": {"key": key, "since": play.now}}
        roster.put(play, player, "sealing", asked)
        play.effect("sealing_asked", of=player, to=key, due=play.now + WAIT)


def confirm_sealing_key(play: Play, action: ScriptRecord) -> None:
    """Let an administrator confirm that a player has another key, when everybody could see it for a day."""
    player = the_player(play, action["args"]["player"])
    named = play.documents[ROSTER][player].get("sealing")
    asked = named.get("asked") if named is not None else None
    if asked is None:
        raise Refusal("E-NO-SUCH", f"{player} has not asked for another key")
    if play.now < asked["since"] + WAIT:
        raise Refusal(
            "E-TIME", f"this can be confirmed from {write_stamp(asked['since'] + WAIT)} on: until then all see it"
        )
    _use(play, player, asked["key"])


def _use(play: Play, player: str, key: str) -> None:
    roster.put(play, player, "sealing", {"key": key, "since": play.now})
    play.effect("sealing", of=player, to=key)


def _key(given: str) -> tuple[str, str]:
    """Return kind and text of a key to which something can be sealed; raises Refusal with why it cannot."""
    if is_private(given):
        raise Refusal(
            "E-RECIPIENT", "this is a PRIVATE key, and everybody can read it here: make another, use it no more"
        )
    try:
        return read_public(given)
    except ProblemError as error:
        raise Refusal("E-RECIPIENT", error.problems[0].message) from None


def open_sealed(play: Play, action: ScriptRecord) -> None:
    """Let somebody open what they sealed to themselves: content and salt have to give what they committed to."""
    args, by = action["args"], action["by"]
    number = args["number"]
    known = (play.documents.get(sealed_key(number)) or {}).get(str(number)) if number > 0 else None
    if known is None or not is_own(known) or known.get("by") != by:
        raise Refusal("E-NO-SUCH", f"{number} is nothing that you sealed and open yourself")
    if "opened" in known:
        raise Refusal("E-DUP", f"what you sealed as {number} is open already")
    own = known["own"]
    bound = {"author": str(by), **own, "nonce": args["nonce"]}
    opening = OwnOpening(args["value"], args["salt"], bound, known["commitment"])
    value = play.vault.open_own(number, opening, partial(_flaw, play, own))
    assign(play, number, {**known, "opened": value})
    play.effect("unseal", of=str(number), to=value)
    play.emit("unsealed", {"player": by, "action": own["act"], "argument": own["argument"], "value": value})


def _flaw(play: Play, own: dict[str, str], value: Any) -> str:
    """Return why a value cannot be what was asked for when it was sealed, as the law declares that now."""
    if flaw_of(value) or size(value) > LARGEST_CONTENT:
        return "it cannot be kept"
    declared = play.law.declared("actions").get(own["act"])
    specs: dict[str, ArgumentSpec] = (declared[1].get("arguments") or {}) if declared else {}
    spec = specs.get(own["argument"])
    return arguments.flaw_of_sealed(play, own["argument"], spec, value) if spec is not None else ""


# -- when the seed of a sealed draw may be opened


MOST_NAMED = 3


def still_closed(play: Play, draw: int) -> str:
    """Return what that rests on a sealed draw is still closed, in words; "" where its seed tells nothing any more."""
    places = list(dict.fromkeys(_places(play, draw)))
    more = f", and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(places[:MOST_NAMED]) + more


def _places(play: Play, draw: int) -> Iterator[str]:
    """Yield where something closed is kept that rests on a sealed draw."""
    resting = {number for number, known in closed_values(play) if draw in (known.get("draws") or ())}
    for owner, values in _owners(play) if resting else ():
        yield from (f"{name} of {owner}" for name, value in _parts(values) if resting & {*numbers_in(value)})


def _owners(play: Play) -> Iterator[tuple[str, Any]]:
    """Yield who or what keeps values, with these; of proposals and motions those that are open."""
    for key in play.documents.keys("things/"):
        yield from (play.documents.find(key) or {}).items()
    for key in (*play.documents.keys("proposals/"), *play.documents.keys("votes/")):
        proposal = play.documents.find(key) or {}
        if not is_archived(key, proposal):
            yield str(proposal["id"]), proposal["registers"]


def _parts(values: Any) -> Iterable[tuple[str, Any]]:
    return values.items() if isinstance(values, dict) else [("what is kept", values)]
