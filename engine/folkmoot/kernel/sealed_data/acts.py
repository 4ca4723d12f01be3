"""Acts about sealed data: keys, seeds of draws, opening what is one's own; and who may read what after an event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from folkmoot.core.calendar import write_stamp
from folkmoot.core.documents import KeeperKey, ReaderKey, SealedValue
from folkmoot.core.events import Event, Outcome
from folkmoot.core.keys import GAME, OFFICES, ROSTER, sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Confided, Effect, ScriptRecord
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.sealed_data import OFFICE, filled, holds_box, numbers_in
from folkmoot.core.values import flaw_of, size
from folkmoot.kernel import roster
from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import the_player
from folkmoot.kernel.sealed_data.values import assign, is_own, kept_values, may_read, vault_of
from folkmoot.kernel.sealed_data.vaults import DETAIL, LARGEST_CONTENT, Content, KeptVault, OwnOpening
from folkmoot.sealing.public_keys import is_private, read_public

ROOT = re.compile(r"[0-9a-f]{64}", re.ASCII)
STEPS = 12
"""How many digests prove that a seed is one of those that the keeper committed to."""
Flaw = Callable[[Play, str, ArgumentSpec, Any], str]
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
        vault_of(play).take_key()
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
    for number, value in kept_values(play):
        assign(play, number, {**value, "held": play.seq})  # the keeper's box of it is in this entry from now on


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


def open_sealed(play: Play, action: ScriptRecord, flaw_of_argument: Flaw) -> None:
    """Let somebody open what they sealed to themselves: content and salt have to give what they committed to.

    `flaw_of_argument` says why that cannot be the value of an argument.
    """
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
    value = vault_of(play).open_own(number, opening, partial(_flaw, play, own, flaw_of_argument))
    assign(play, number, {**known, "opened": value})
    play.effect("unseal", of=str(number), to=value)
    play.emit("unsealed", {"player": by, "action": own["act"], "argument": own["argument"], "value": value})


def _flaw(play: Play, own: dict[str, str], flaw_of_argument: Flaw, value: Any) -> str:
    """Return why a value cannot be what was asked for when it was sealed, as the law declares that now."""
    if flaw_of(value) or size(value) > LARGEST_CONTENT:
        return "it cannot be kept"
    declared = play.law.declared("actions").get(own["act"])
    specs: dict[str, ArgumentSpec] = (declared[1].get("arguments") or {}) if declared else {}
    spec = specs.get(own["argument"])
    return flaw_of_argument(play, own["argument"], spec, value) if spec is not None else ""


# -- when the seed of a sealed draw may be opened


MOST_NAMED = 3


def still_closed(play: Play, draw: int) -> str:
    """Return what that rests on a sealed draw is still closed, in words; "" where its seed tells nothing any more."""
    places = list(dict.fromkeys(_places(play, draw)))
    more = f", and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(places[:MOST_NAMED]) + more


def _places(play: Play, draw: int) -> Iterator[str]:
    """Yield where something closed is kept that rests on a sealed draw."""
    resting = {number for number, known in kept_values(play) if draw in (known.get("draws") or ())}
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


# -- what an event leaves: what its author is told, and who may read which contents from now on


def conclude(play: Play, event: Event, outcome: Outcome) -> None:
    """Note what was asked of what is sealed, and what boxes are to be made of it."""
    vault = vault_of(play)
    if not outcome.accepted:
        tell_detail(play, event)
    outcome.sealed = vault.records
    if isinstance(vault, KeptVault) and (vault.records or play.effects):
        outcome.confided = [*_confided_values(play, vault)]
        if vault.detail is not None and event.by is not None:  # it goes to the keeper where its author named no key
            named = "sealing" in play.documents[ROSTER][event.by]
            to = [event.by] if named else []
            outcome.confided.append(_confided(vault.detail, [play.seq, DETAIL], to, keeper=not named))


GRANTING = frozenset(["seal", "disclose", "put", "sealing"])  # effects by which somebody may read more than before


def _confided_values(play: Play, vault: KeptVault) -> Iterator[Confided]:
    """Yield the contents that somebody may read from now on who could not before, each with who that is."""
    granted: dict[int, set[str]] = {}
    for effect in play.effects:
        for number, reader in _granted(play, effect) if effect["effect"] in GRANTING else ():
            granted.setdefault(number, set()).add(reader)
    for number in sorted({*granted, *_made(play, vault)}):
        known = _known(play, number)
        if known is None or "opened" in known or is_own(known):
            continue
        readers = {_holder(play, reader) for reader in granted.get(number, ())} - {None}
        is_new = number in vault.made and known["seq"] == play.seq and not known.get("by")
        keeper = is_new or known.get("held") == play.seq
        if readers or keeper:
            place: list[int | str] = [known["seq"], known["place"]]
            yield _confided(vault.look(number), place, sorted(map(str, readers)), keeper=keeper, number=number)


def _confided(content: Content, place: list[int | str], to: list[str], *, keeper: bool, number: int = 0) -> Confided:
    """Return a content as a box needs it."""
    return {
        "number": number,
        "value": content.value,
        "salt": content.salt,
        "error": content.error,
        "context": content.context,
        "place": place,
        "to": to,
        "keeper": keeper,
    }


def _made(play: Play, vault: KeptVault) -> list[int]:
    """Return the numbers of values that rules made in this event and that stand, or that the keeper has anew."""
    new = [number for number in vault.made if (known := _known(play, number)) and known["seq"] == play.seq]
    anew = any(effect["effect"] == "sealing" and "commitment" in effect for effect in play.effects)
    return [*new, *(number for number, _ in kept_values(play))] if anew else new


def _granted(play: Play, effect: Effect) -> Iterator[tuple[int, str]]:
    """Yield which values whom an effect lets read: by name, or as the holder of an office."""
    kind, of = effect["effect"], str(effect.get("of"))
    if kind == "seal":
        for number in range(int(of), int(of) + effect.get("count", 1)):
            yield from ((number, reader) for reader in (*(effect.get("to") or ()), *_authors(_known(play, number))))
    elif kind == "disclose":
        yield from ((int(of), reader) for reader in effect.get("to") or ())
    elif kind == "put" and of.startswith(OFFICE) and effect.get("name") == "holder":
        yield from ((number, of) for number, known in kept_values(play) if of in known["readers"])
    elif kind == "sealing" and of in play.documents[ROSTER]:
        for number, known in kept_values(play):
            if of in (*_authors(known), *(_holder(play, reader) for reader in known["readers"])):
                yield number, of


def _authors(known: SealedValue | None) -> list[str]:
    """Return who sealed a value and reads it therefore; nobody keeps a ballot in the record to show it."""
    author = known.get("by") if known is not None and "ballot" not in known else None
    return [author] if author else []


def _known(play: Play, number: int) -> SealedValue | None:
    return (play.documents.get(sealed_key(number)) or {}).get(str(number))


def _holder(play: Play, reader: str) -> str | None:
    """Return who reads for a reader: themselves, or who holds the office."""
    if not reader.startswith(OFFICE):
        return reader
    holder = ((play.documents.get(OFFICES) or {}).get(reader[len(OFFICE) :]) or {}).get("holder")
    return str(holder) if holder is not None else None


DETAIL_BYTES = 832
"""How long a detail is in a box, quotation marks included, whatever it says: with all around it 1,024 bytes."""


def tell_detail(play: Play, event: Event) -> None:
    """Tell the author of a refused act in secret what it was refused for, where something sealed was part of it.

    What is told are sentences that rest on nothing that the author may not read.
    """
    vault, author = vault_of(play), str(event.by)
    met = any("refused" not in each for each in vault.records) or holds_box(event.with_)
    if met and event.by in (play.documents.get(ROSTER) or {}):
        told = (text for text, rests in vault.notes if rests is not None and may_read(play, rests, author))
        vault.tell(filled("\n".join(dict.fromkeys(told)), DETAIL_BYTES))
