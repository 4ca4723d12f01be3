"""Sealing what a player hands over, on their own machine, and opening what is sealed to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from folkmoot.core.ballot_display import named_on
from folkmoot.core.declared_kinds import the_open_one
from folkmoot.core.documents import KeeperKey, Proposal, SealedValue
from folkmoot.core.keys import GAME, sealed_keys
from folkmoot.core.misspelt import did_you_mean
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Arguments, Entry
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.sealed_data import AUTHOR, read_box, told_in, with_contents, write_box
from folkmoot.game.keeper import ERROR, box_in
from folkmoot.game.session import OpenGame
from folkmoot.journal import GameRecord
from folkmoot.kernel.act_declarations import OPEN_SEALED, VOTE
from folkmoot.kernel.sealed_data.vaults import DETAIL
from folkmoot.kernel.voting import content_digest
from folkmoot.player.own_keys import own_keys
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_all, open_box, seal
from folkmoot.sealing.commitments import Context, own_context
from folkmoot.sealing.keys import Identity, Recipient, read_recipient

SEALED = "sealed"
"""What stands for a value that somebody cannot read."""
NAMING_KEYS = ("use_sealing_key", "open_sealing")
"""Acts by which public keys are named."""


def keeper_key(session: OpenGame) -> KeeperKey | None:
    """Return the keeper's key to which players seal at present, None where there is none."""
    keys = session.kept(GAME).get("sealing") or []
    return keys[-1] if keys else None


def keeper_recipient(session: OpenGame) -> Recipient:
    """Return to whom players seal; raises E-SEALED where nobody keeps a key."""
    key = keeper_key(session)
    if key is None:
        hint = "an administrator names one: `moot key --keeper` says how"
        raise fail("E-SEALED", "nobody keeps a key for what is sealed in this game yet", None, hint)
    return read_recipient(key["key"])


def sealed_names(declared: Mapping[str, ArgumentSpec], given: Arguments) -> list[str]:
    """Return which arguments of an act are to be sealed and are not yet."""
    return [name for name, value in given.items() if (declared.get(name) or {}).get("sealed") and not read_box(value)]


def seal_arguments(session: OpenGame, by: str, do: str, given: Arguments) -> Arguments:
    """Return the arguments of an act, those that its action declares as sealed as one word each."""
    if do == VOTE:
        return _with_sealed_ballot(session, by, given)
    if do in NAMING_KEYS and given.get("key"):
        read_recipient(str(given["key"]))  # a private one by mistake, above all, is not sent
    declared = (session.actions().get(do) or {}).get("arguments") or {}
    if do == OPEN_SEALED:
        return given if "salt" in given else own_opening(session, by, given)
    names = sealed_names(declared, given)
    return given | {name: _argument(session, by, do, name, declared[name], given[name]) for name in names}


def _argument(session: OpenGame, by: str, do: str, name: str, spec: ArgumentSpec, value: Any) -> str:
    if spec.get("sealed") != AUTHOR:
        return _sealed(session, by, do, name, value)
    context = own_context(_game(session), by, do, name, fresh_nonce())
    return _boxed(Opening(context, value, fresh_salt()), _own_key().recipient)


def _own_key() -> Identity:
    keys = own_keys()
    if not keys:
        hint = "`moot key --sealing` makes one on this machine; keep it until you have opened what you sealed"
        raise fail("E-SEALED", "what only you may open needs a key of yours", None, hint)
    return keys[0]


def own_opening(session: OpenGame, by: str, given: Arguments) -> Arguments:
    """Return the arguments by which somebody opens what they sealed to themselves: the oldest, if none is named.

    Raises E-NO-SUCH where there is nothing to open, E-READER where no key that is here opens it.
    """
    closed = {number: value for number, value in _sealed_values(session) if is_closed_of(value, by)}
    number = given.get("number", next(iter(closed), None))
    if number not in closed:
        hint = f"still sealed by {by}: {', '.join(map(str, closed)) or 'nothing'}"
        raise fail("E-NO-SUCH", "there is nothing to open here that you sealed to yourself alone", None, hint)
    opening = _own_box(session, closed[number], own_keys())
    assert isinstance(opening.context, Context)
    return {
        **given,
        "number": number,
        "value": opening.value,
        "salt": opening.salt.hex(),
        "nonce": opening.context.nonce,
    }


def is_closed_of(value: SealedValue, author: str) -> bool:
    """Whether somebody sealed a value to themselves alone and has not opened it."""
    return "own" in value and value.get("by") == author and "opened" not in value


def _own_box(session: OpenGame, value: SealedValue, keys: list[Identity]) -> Opening:
    entry = session.record.entry(value["seq"])
    opening = open_box(box_in(entry.get("with"), value["commitment"]), keys)
    if opening.commitment != value["commitment"] or getattr(opening.context, "author", None) != value.get("by"):
        raise fail("E-COMMITMENT", "what is in the box is not what was committed to")
    return opening


def _with_sealed_ballot(session: OpenGame, by: str, given: Arguments) -> Arguments:
    """Return the arguments of a vote, with choice and reason sealed where the ballots on what it is on are.

    Raises as `require_open_ballots` does.
    """
    only = the_open_one(session.kept(GAME)["open"])
    on = named_on(given) or (f"{only[0]}/{only[1]}" if only else "")
    proposal = session.proposal(on) if on else None
    if not on or read_box(given.get("choice")):
        return given
    if not proposal or not proposal.get("sealed"):
        require_open_ballots(session, proposal or None)
        return given
    rest = {name: value for name, value in given.items() if name not in ("choice", "reason")}
    _require_named(rest, ("proposal", "kind", *session.votable()), given)
    return {
        **rest,
        "choice": seal_ballot(session, by, proposal, str(given.get("choice")), str(given.get("reason") or "")),
    }


def _require_named(rest: Arguments, known: Iterable[str], given: Arguments) -> None:
    """Raise E-ARGS for a vote without a choice, or with what would stand in clear beside it because it is misspelt."""
    strange = next((name for name in rest if name not in known), "")
    if strange or not given.get("choice"):
        near = did_you_mean(strange, ("choice", "reason", *known)) or "write choice=…, and reason=… where you give one"
        message = f"vote takes no argument {strange[:40]}" if strange else "a vote has a choice"
        raise fail("E-ARGS", message, None, f"nothing was sent; {near}")


def require_open_ballots(session: OpenGame, proposal: Proposal | None) -> None:
    """Raise E-SEALED where the vote is not open yet and the law may have ballots on it sealed: a choice would be seen.

    `proposal` is None where the referee has not taken it in.
    """
    if (proposal is not None and proposal.get("opened_at") is not None) or not session.decides("ballots_sealed"):
        return
    if proposal is not None and not session.ask_about("ballots_sealed", proposal["id"]):
        return
    if proposal is None and session.ask("ballots_sealed", None) is False:  # whatever is proposed, then
        return
    hint = "nothing was sent; vote when the vote is open, then your ballot is sealed here"
    raise fail("E-SEALED", "ballots on this may be sealed, and its vote is not open yet", None, hint)


def require_sealed(given: Arguments, what: str) -> None:
    """Raise E-SEALED where somebody asked to send something sealed, and the law takes nothing of it so."""
    if not any(read_box(value) for value in given.values()):
        hint = "nothing was sent; without --sealed it goes in clear, for everybody to read"
        raise fail("E-SEALED", f"the law takes nothing of {what} sealed", None, hint)


def seal_ballot(session: OpenGame, by: str, proposal: Proposal, choice: str, reason: str) -> str:
    """Return a ballot on a proposal whose ballots are sealed, as one word that stands in the place of the choice."""
    content = {"choice": choice, **({"reason": reason} if reason else {})}
    return _sealed(session, by, "vote", "choice", content, (proposal["id"], content_digest(proposal)))


def _sealed(session: OpenGame, by: str, do: str, name: str, value: Any, about: tuple[str, str] = ("", "")) -> str:
    recipient, key = keeper_recipient(session), keeper_key(session)
    assert key is not None
    context = Context(
        game=_game(session),
        author=by,
        act=do,
        argument=name,
        target=about[0],
        target_digest=about[1],
        keeper=key["number"],
        nonce=fresh_nonce(),
    )
    return _boxed(Opening(context, value, fresh_salt()), recipient)


def _game(session: OpenGame) -> str:
    return session.record.founding


def _boxed(opening: Opening, recipient: Recipient) -> str:
    return write_box(opening.commitment, seal(opening, recipient))


# -- what somebody may see


class Hand(Struct):
    """What somebody can open: values by number, why a sealed function gave none, where they may know, and details.

    `details` say by entry what acts of theirs were refused for, beyond what everybody sees.
    """

    values: dict[int, Any] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    details: dict[int, str] = field(default_factory=dict)

    def shown(self, value: Any) -> Any:
        """Return a value with what can be opened in it; the word `sealed` stands for what cannot."""
        return with_contents(value, lambda number: self.shown(self.values[number]) if number in self.values else SEALED)


def hand_of(session: OpenGame, player: str, keys: Iterable[Identity]) -> Hand:
    """Return what a player can open with their keys of what is sealed in a game, and what is open to everybody."""
    known, hand = dict(_sealed_values(session)), Hand()
    hand.values = {number: value["opened"] for number, value in known.items() if "opened" in value}
    identities = list(keys)
    hand.values |= dict(_own_values(session, player, known, identities))
    committed = {value["commitment"]: number for number, value in known.items()}
    places = {(value["seq"], f"{value['place']}{ERROR}"): number for number, value in known.items()}
    told: dict[int, str] = {}
    for opening in _openings(session.record, player, identities, told):
        place = getattr(opening.context, "entry", 0), opening.context.place
        number = committed.get(opening.commitment)
        if number is not None:
            hand.values.setdefault(number, opening.value)
        elif place[1] == DETAIL:
            hand.details |= _detail(opening, told)
        elif place in places and str(opening.value).strip():
            hand.errors[places[place]] = str(opening.value).rstrip()
    return hand


def detail_of(entry: Entry, player: str, keys: Iterable[Identity]) -> str:
    """Return what a player was told in secret of an act that was refused, "" where that is nothing or stays closed."""
    told: dict[int, str] = {}
    openings = _openings_in(entry, player, list(keys), told) if told_in(entry) else ()
    return next((text for opening in openings for text in _detail(opening, told).values()), "")


def _detail(opening: Opening, told: Mapping[int, str]) -> dict[int, str]:
    """Return by entry what an author was told of a refused act, as it is committed to; empty where there is nothing."""
    seq, text = getattr(opening.context, "entry", 0), str(opening.value).rstrip()
    return {seq: text} if text and told.get(seq) == opening.commitment else {}


def _own_values(
    session: OpenGame, player: str, known: Mapping[int, SealedValue], keys: list[Identity]
) -> Iterable[tuple[int, Any]]:
    """Yield what a player sealed to themselves alone and their keys open."""
    for number, value in known.items():
        if is_closed_of(value, player):
            try:
                yield number, _own_box(session, value, keys).value
            except (ProblemError, LookupError):
                continue


def _sealed_values(session: OpenGame) -> Iterable[tuple[int, SealedValue]]:
    last = int((session.kept(GAME).get("counters") or {}).get("sealed", 0))
    session.record.expect(["sealed/**"])
    for key in sealed_keys(last):
        for number, value in (session.kept(key) or {}).items():
            yield int(number), value


def _openings(record: GameRecord, player: str, identities: list[Identity], told: dict[int, str]) -> Iterable[Opening]:
    """Yield what is in the boxes of a player that their keys open; a box for another of their keys stays closed.

    What commits to what authors of refused entries were `told` is noted by entry.
    """
    for entry in record.entries(having=["boxes:"]):
        yield from _openings_in(entry, player, identities, told)


def _openings_in(entry: Entry, player: str, identities: list[Identity], told: dict[int, str]) -> Iterable[Opening]:
    if told_in(entry) and entry.get("by") == player:
        told[entry["seq"]] = told_in(entry)
    for box in (entry.get("boxes") or {}).get(player) or ():
        try:
            yield from open_all(box, identities)
        except ProblemError:
            continue
