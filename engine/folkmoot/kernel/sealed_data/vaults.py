"""Sealed contents as an input: open hooks never see them; what is asked of them is recorded and can be checked; pure.

A vault stands beside the chance of an event, and is opened when something of it is first asked. With the keeper's key
it has the contents: it computes what sealed functions answer, draws what is drawn sealed, and commits to each new
content. Without the key the contents are not there, and a replay takes what is recorded: the commitments, and what was
opened.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.digest import event_digest
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Arguments, Entry, SealedFor, SealedRecord
from folkmoot.core.sealed_data import CLOSED
from folkmoot.core.values import flaw_of, told
from folkmoot.kernel.chance import Derived, Source, Specification
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.sealing.commitments import EntryContext, commitment, flat, opens, own_context

LARGEST_CONTENT = 16_000  # bytes of canonical JSON
MOST_NOTES = 50
DETAIL = "refusal"
"""The place in an entry of what the author of a refused act is told; those of values are numbers."""


class Content(NamedTuple):
    """What is sealed: the value, the salt of its commitment (hex), and why a sealed function gave none ("" if it did).

    `error` is None of what no sealed function gave.

    `context` is the one to which a player's commitment is bound; what rules make is bound to its place in the record.
    `commitment` is what is known to commit to it.
    """

    value: Any
    salt: str = ""
    error: str | None = None
    context: SealedFor | None = None
    commitment: str = ""


class Wanted(NamedTuple):
    """What a player is asked to seal: for which argument, about what (its id), and the digest of that as it stands."""

    argument: str
    target: str = ""
    target_digest: str = ""


class Unopened(NamedTuple):
    """That what a player sealed cannot be had: the code of it, and why, which is for its author alone."""

    code: str
    why: str = ""


class OwnOpening(NamedTuple):
    """What somebody says that they sealed to themselves: value and salt (hex), and what its commitment is bound to."""

    value: Any
    salt: str
    bound: dict[str, str]
    commitment: str


class Unreadable(Exception):
    """A content is needed that is not at hand: the game would go on by what is sealed."""


class Keeper(Protocol):
    """Who has the keeper's key: gives what sealed values hold, seeds of draws, and what players sealed."""

    def contents(self, number: int) -> Content | None:
        """Return what a sealed value holds, by its number; None where that cannot be had here."""

    def source(self, draw: int) -> Source:
        """Return the source of a sealed draw, by its number."""

    def unseal(self, box: Arguments, wanted: Wanted) -> Content | Unopened:
        """Return what a player sealed, or why it cannot be had."""


Computation = Callable[[], Content]
Accepted = Callable[[Any], str]
"""Says why a content cannot be what it was sent as, "" where it can."""


class Vault:
    """Nothing is at hand, as where an act is only tried: what is sealed can be kept and passed on, not looked at."""

    key_refused = ""

    def __init__(self, game: Callable[[], str] = lambda: "") -> None:
        """Begin an event in which nothing was asked; without the digest of a `game`'s founding no opening is judged."""
        self.game = game
        self.records: list[SealedRecord] = []
        self.made: dict[int, Content] = {}
        self.notes: list[tuple[str, frozenset[int] | None]] = []
        self.rests_on: dict[int, frozenset[int] | None] = {}
        self.detail: Content | None = None

    def note(self, text: str, rests_on: frozenset[int] | None = frozenset()) -> None:
        """Note a sentence for the author of the act, should it be refused, and on which sealed values it rests."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append((text, rests_on))

    def note_refused(self, argument: str, why: str) -> None:
        """Note why what was sealed as an argument is refused."""
        self.note(why if why.startswith(f"{argument} ") else f"{argument}: {why}")

    def refuse(self, code: str) -> Refusal:
        """Record that something is refused, and return the refusal."""
        self.records.append({"refused": code})
        return refused_as(code)

    def tell(self, text: str) -> None:
        """Tell the author of a refused act, and nobody else, what it was refused for; here nobody is told anything."""

    def keep(self, number: int, compute: Computation) -> str:
        """Return the commitment to a new content; `compute` gives it, where it is wanted."""
        del number, compute
        return ""

    def rest(self, draws: list[int]) -> list[int]:
        """Note on which sealed draws the value rests that was kept last; returns those that are noted."""
        return draws

    def draw(self, seed: int, specification: Specification, label: str) -> Any:
        """Return the result of a sealed draw by the seed of a number, None where it cannot be known."""

    def accept(self, number: int, box: Arguments, wanted: Wanted, accepted: Accepted) -> None:
        """Take in what a player sealed, or raise Refusal."""

    def take_key(self) -> None:
        """Raise Refusal where `key_refused` says why what is sealed goes to no next key of the keeper."""
        if self.key_refused:
            raise self.refuse(self.key_refused)

    def take(self, number: int, box: Arguments) -> None:
        """Take in what its author alone can open."""
        self.records.append({"took": number, "commitment": str(box["commitment"])})

    def open_own(self, number: int, opening: OwnOpening, accepted: Accepted) -> Any:
        """Return what its author opens; raises Refusal where that is not what they committed to, or was asked for."""
        context: SealedFor = {}
        if game := self.game():
            try:
                bound, salt = own_context(game, **opening.bound), bytes.fromhex(opening.salt)
            except (ProblemError, ValueError):
                raise self.refuse("E-COMMITMENT") from None
            if not opens(opening.commitment, bound, opening.value, salt):
                raise self.refuse("E-COMMITMENT")
            if accepted(opening.value):
                raise self.refuse("E-SEALED-VALUE")
            context = flat(bound)
        self.records.append({"opened": number, "value": opening.value, "salt": opening.salt, "context": context})
        return opening.value

    def look(self, number: int) -> Content:
        """Return a content; raises Unreadable where it is not at hand."""
        self.records.append(CLOSED)
        raise Unreadable(number)

    def open(self, number: int) -> Any:
        """Return a content for everybody to see; raises Unreadable where it is not at hand."""
        return self.look(number).value


class ClosedVault(Vault):
    """A vault that gives nothing, and takes nothing but what its author alone can open."""

    def __init__(self, denial: Callable[[ClosedVault], Exception], game: Callable[[], str] = lambda: "") -> None:
        """`denial` gives what is raised instead."""
        super().__init__(game)
        self._denial = denial

    def _deny(self, *_asked: Any, **_named: Any) -> Any:
        raise self._denial(self)

    keep = draw = accept = look = _deny


def without_keeper(game: Callable[[], str]) -> Vault:
    """Return the vault of a game without a keeper's key: nothing can be sealed in it by rules, nor to the keeper."""
    return ClosedVault(lambda vault: vault.refuse("E-SEALED"), game)


def untouched() -> Vault:
    """Return the vault of time in which nothing sealed is made or looked into: what asks it anything leaves a trace."""
    return ClosedVault(lambda _vault: fail("E-REPLAY", "this has to do with what is sealed, and is recorded"))


def opened_vault(seq: int, sealing: Mapping[str, Any], keeper: DistantKeeper) -> Vault:
    """Return the vault of an entry by what it needs to seal (see `folkmoot.sandbox.wire.SealingSource`)."""
    kind = sealing["kind"]
    if kind == "kept":
        context = EntryContext(sealing["game"], seq, "0")
        return KeptVault(context, bytes.fromhex(sealing["key"]), keeper, sealing["key_refused"])
    if kind == "tried":
        return Vault()
    if kind == "none":
        return without_keeper(keeper.game)
    why, hint = "this needs the keeper's key of what is sealed, which is not here", "run this where the keeper's key is"
    return ClosedVault(lambda _vault: fail("E-SECRET", why, None, hint), keeper.game)


class KeptVault(Vault):
    """The vault of whoever has the keeper's key."""

    def __init__(self, context: EntryContext, key: bytes, keeper: Keeper, key_refused: str = "") -> None:
        """`context` is that of the entry, `key` the one from which the salts of this entry alone follow."""
        super().__init__(lambda: context.game)
        self.key_refused = key_refused
        self._context, self._key, self._keeper = context, key, keeper

    def keep(self, number: int, compute: Computation) -> str:
        """Compute a new content and commit to it."""
        found = self.made[number] = self._committed(compute(), str(len(self.records)))
        self.records.append({"made": number, "commitment": found.commitment})
        return found.commitment

    def rest(self, draws: list[int]) -> list[int]:
        """Record on which sealed draws the value rests that was kept last."""
        if draws:
            self.records[-1]["draws"] = draws
        return draws

    def _committed(self, content: Content, place: str) -> Content:
        """Return a new content with the salt that follows from its place, and what commits to it."""
        salt = salt_of(self._key, place)
        made = commitment(replace(self._context, place=place), content.value, salt)
        return content._replace(salt=salt.hex(), commitment=made)

    def tell(self, text: str) -> None:
        """Commit to what the author of a refused act is told."""
        self.detail = self._committed(Content(text), DETAIL)
        self.records.append({"told": self.detail.commitment})

    def draw(self, seed: int, specification: Specification, label: str) -> Any:
        """Draw by a seed that nobody else has yet."""
        result = self._keeper.source(seed).draw(specification, label)
        self.records.append({"seed": seed, "spec": specification.record(), "label": label})
        return result

    def accept(self, number: int, box: Arguments, wanted: Wanted, accepted: Accepted) -> None:
        """Unseal what a player sent; where that cannot be done, or is nothing that was asked for, it has a code."""
        found = usable(self._keeper.unseal(box, wanted), accepted)
        if isinstance(found, Unopened):
            self.note_refused(wanted.argument, found.why)
            raise self.refuse(found.code)
        self.made[number] = found
        self.take(number, box)

    def look(self, number: int) -> Content:
        """Return a content of this entry or an earlier one."""
        found = self.made.get(number) or self._keeper.contents(number)
        if found is None:
            raise Unreadable(number)
        return found

    def open(self, number: int) -> Any:
        """Open a content with the salt by which everybody can check it."""
        found = self.look(number)
        bound: SealedRecord = {"context": found.context} if found.context else {}
        self.records.append({"opened": number, "value": found.value, "salt": found.salt, **bound})
        return found.value


def usable(found: Content | Unopened, accepted: Accepted) -> Content | Unopened:
    """Return what a player sealed, or why it is refused: it cannot be had, or it is not what was asked for."""
    if isinstance(found, Unopened):
        return found
    flaw = accepted(found.value)
    return Unopened("E-SEALED-VALUE", flaw) if flaw else found


def salt_of(key: bytes, place: str) -> bytes:
    """Return the salt of what an entry seals at a place, by the key of its salts."""
    return hmac.digest(key, f"salt {place}".encode(), "sha256")


REFUSALS = {
    "E-SEALED": "nobody keeps a key for what is sealed in this game yet; an administrator names one by `open_sealing`",
    "E-BOX": "what is sealed does not open",
    "E-COMMITMENT": "what is sealed is not what it is committed to",
    "E-READER": "what is sealed does not open with the keeper's key",
    "E-CONTEXT": "what is sealed was meant for another game, act, argument or person",
    "E-RECIPIENT": "the keeper has no such key, or other seeds; both keys have to be where the referee runs",
    "E-SEALED-VALUE": "what is sealed cannot be what was asked for",
}
"""Why what a player sealed is refused, by code: never by what it holds."""


def refused_as(code: str) -> Refusal:
    """Return the refusal of what a player sealed, by its code."""
    return Refusal(code, REFUSALS.get(code, REFUSALS["E-BOX"]))


def content_of(value: Any) -> Content:
    """Return what a sealed function answered as a content: nothing, and why, where no game can keep it."""
    flaw = flaw_of(value) or flaw_of_size(value)
    return Content(None, error=f"the answer holds {flaw}") if flaw else Content(value, error="")


def flaw_of_size(value: Any) -> str:
    """Return why a value is too much to be sealed, in words that follow "it holds" ("" where it is not)."""
    return f"more than {LARGEST_CONTENT:,} bytes" if len(canonical_bytes(value)) > LARGEST_CONTENT else ""


# -- what the journal records, taken by a replay and held against what is at hand


FORMS: dict[str, type] = dict.fromkeys(("made", "took", "seed", "opened"), int)
FORMS |= dict.fromkeys(("commitment", "refused", "label", "salt", "told"), str)
FORMS |= {"spec": dict, "context": dict, "draws": list}
"""What each part of a record of something sealed is."""
NEEDED = {"made": {"commitment"}, "took": {"commitment"}, "seed": {"spec", "label"}, "opened": {"value", "salt"}}
"""What has to stand beside what."""


def sealed_records(entry: Entry) -> list[SealedRecord]:
    """Return what an entry records of what is sealed; raises E-REPLAY where it has not the form that it must have."""
    found: Any = entry.get("sealed") or []
    if not isinstance(found, list) or not all(map(_is_sound, found)):
        raise fail("E-REPLAY", f"entry {entry['seq']}: what it records of what is sealed has another form than it must")
    return found


def _is_sound(each: Any) -> bool:
    if not isinstance(each, dict):
        return False
    if "told" in each and len(each) > 1:  # it would be taken for what else it says, and the author believe it
        return False
    needed = {name for part, names in NEEDED.items() if part in each for name in names}
    return needed <= each.keys() and all(type(each[name]) is form for name, form in FORMS.items() if name in each)


class RecordedVault(Vault):
    """What an entry of the journal records of sealed contents, taken as inputs by a replay."""

    def __init__(self, entry: Entry, keeper: DistantKeeper | None = None) -> None:
        """Take the records of an entry; what is computed from what a keeper has at hand is compared with them.

        Of a refused act whose author was told something in secret that is computed anew, too, as far as the keys of
        then are here.
        """
        super().__init__()
        self._entry, self._recorded = entry, sealed_records(entry)
        self._keeper = keeper if self._recorded else None
        self._stands: dict[int, str] = {}
        self._retells = self._keeper is not None and "told" in self._recorded[-1] and not entry.get("redacted")
        self._whole = self._retells

    @property
    def _awaited(self) -> SealedRecord:
        place = len(self.records)
        return self._recorded[place] if place < len(self._recorded) else {}

    def _next(self, **asked: Any) -> SealedRecord:
        place, found = len(self.records), self._awaited
        if not found:
            raise fail("E-REPLAY", f"sealed value {place + 1}, {told(asked)}, is not in the record")
        if "refused" in found:
            self.records.append(found)
            raise refused_as(found["refused"])
        if {name: found.get(name) for name in asked} != asked:
            recorded = told(dict(found))
            raise fail("E-REPLAY", f"sealed value {place + 1} was {recorded} and is {told(asked)} in the replay")
        self.records.append(found)
        return found

    # -- what is at hand

    def _ask(self, what: str, **more: Any) -> Any:
        """Return what the keeper has at hand for the entry; None where that is not here."""
        if self._keeper is None:
            return None
        of = {"seq": self._entry["seq"], "by": self._entry.get("by"), "do": self._entry["do"]}
        return self._keeper.ask(what, {**of, **more})

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {"prev": self._entry["prev"], "digest": event_digest(self._entry)}

    @cached_property
    def _opened_here(self) -> dict[str, Content]:
        """What this entry both seals and opens, by commitment: what is undone in it stands nowhere else."""
        made: dict[int, str] = {}
        opened: dict[str, Content] = {}
        redacted = redacted_openings(self._entry)
        for place, each in enumerate(self._recorded):
            number = each.get("made", each.get("took"))
            if number is not None:
                made[number] = each["commitment"]
            elif each.get("opened") in made and place not in redacted:
                commitment = made[each["opened"]]
                opened[commitment] = Content(each["value"], each["salt"], None, each.get("context"), commitment)
        return opened

    def _at_hand(self, number: int) -> Content | None:
        """Return the content of a number as it stands at this point of the entry, None where it is not at hand."""
        commitment = self._stands.get(number)
        for found in (
            self.made.get(number),
            self._opened_here.get(commitment or ""),
            self._keeper.contents(number) if self._keeper is not None else None,
        ):
            if found is not None and commitment in (None, found.commitment):
                return found
        return None

    # -- what is asked

    def keep(self, number: int, compute: Computation) -> str:
        """Return the recorded commitment; where the content is at hand, compute it anew and compare."""
        commitment = self._stands[number] = self._next(made=number)["commitment"]
        content = self._at_hand(number)
        if content is None and not self._retells:
            return commitment
        try:
            computed = compute()
        except Unreadable:
            self._whole = False
            return commitment
        if content is not None and canonical_bytes(computed.value) != canonical_bytes(content.value):
            raise fail("E-REPLAY", f"what is sealed as {number} is not what the rules compute")
        self.made[number] = computed._replace(commitment=commitment)
        return commitment

    def rest(self, draws: list[int]) -> list[int]:
        """Return on which sealed draws the value rests that was kept last; engines before this one recorded none."""
        recorded = self.records[-1].get("draws")
        if recorded is not None and recorded != draws:
            found = told(recorded)
            raise fail("E-REPLAY", f"what is sealed rests on the sealed draws {draws}, and {found} are recorded")
        return draws if recorded is not None else []

    def draw(self, seed: int, specification: Specification, label: str) -> Any:
        """Return the result of a sealed draw whose seed is at hand, None of any other."""
        self._next(seed=seed, spec=specification.record(), label=label)
        key = self._ask("past draw", draw=seed, **self._digests)
        return None if key is None else Derived(bytes.fromhex(key), "sealed").draw(specification, label)

    def accept(self, number: int, box: Arguments, wanted: Wanted, accepted: Accepted) -> None:
        """Take what a player sealed as it was taken then; where it is at hand, see that it was sealed for this."""
        judged = self._judged(box, wanted, accepted) if self._retells else None
        self.take(number, box)
        content = self._at_hand(number)
        if content is not None and content.context:
            meant = tuple(content.context.get(name) for name in ("argument", "target", "target_digest"))
            if meant != wanted or accepted(content.value):
                raise fail("E-REPLAY", f"what is sealed as {number} was not sealed for this, and had to be refused")
        if judged is not None:
            self.made[number] = judged

    def _judged(self, box: Arguments, wanted: Wanted, accepted: Accepted) -> Content | None:
        """Return what the keeper's key gives for a box; raises E-REPLAY where it was treated otherwise."""
        asked = self._ask("past unseal", box=box, wanted=list(wanted))
        found = None if asked is None else usable(_unsealed(asked["found"]), accepted)
        code, recorded = found.code if isinstance(found, Unopened) else "", self._awaited.get("refused", "")
        if isinstance(found, Unopened):
            self.note_refused(wanted.argument, found.why)
        if found is None or (code != recorded and not asked["sure"] and "E-READER" in (code, recorded)):
            self._whole = False  # other keys of the keeper, older or later ones, are here than were then
        elif code != recorded:
            judged = [f"refused as {each}" if each else "taken" for each in (code, recorded)]
            raise fail("E-REPLAY", f"what is sealed as {wanted.argument} had to be {judged[0]}, and was {judged[1]}")
        return found if isinstance(found, Content) else None

    def take_key(self) -> None:
        """Refuse the keeper's next key where it was refused."""
        if "refused" in self._awaited:
            self._next(refused="")

    def take(self, number: int, box: Arguments) -> None:
        """Take what its author alone can open as it was taken then."""
        self._stands[number] = self._next(took=number, commitment=str(box["commitment"]))["commitment"]

    def open_own(self, number: int, opening: OwnOpening, accepted: Accepted) -> Any:
        """Open what its author opened then; that it is what they committed to is proved beside the replay."""
        del accepted
        found = self._next(opened=number, value=opening.value, salt=opening.salt)
        context: SealedFor = found.get("context") or {}
        if {name: context.get(name) for name in opening.bound} != opening.bound:
            raise fail("E-REPLAY", f"what is opened as {number} was not sealed for this")
        return found["value"]

    def look(self, number: int) -> Content:
        """Return a content that is at hand."""
        found = self._at_hand(number)
        if found is None:
            raise Unreadable(number)
        return found

    def open(self, number: int) -> Any:
        """Return what was opened."""
        return self._next(opened=number).get("value")

    def tell(self, text: str) -> None:
        """Take what commits to what the author was told, and compare it; older engines told them nothing."""
        recorded = self._awaited.get("told")
        if recorded is None:
            return
        self.records.append(self._awaited)
        expected = self._ask("told", **self._digests, text=text) if self._whole else None
        if expected is not None and expected != recorded:
            raise fail("E-REPLAY", "what its author was told in secret is not what it was refused for")

    def finish(self) -> None:
        """Raise E-REPLAY if something is recorded that the replay did not ask."""
        left = len(self._recorded) - len(self.records)
        if left:
            raise fail("E-REPLAY", f"{left} of the {len(self._recorded)} recorded sealed values were not asked for")


# -- the keeper as the process knows them in which rules run


class DistantKeeper:
    """Asks for contents when they are first looked at, and remembers them."""

    def __init__(self, ask: Callable[[str, Any], Any]) -> None:
        """Ask by `ask(what, of which)`; what comes back is plain data, None where it cannot be had."""
        self.ask = ask
        self._known: dict[int, Content | None] = {}

    def game(self) -> str:
        """Return the digest of the game's founding."""
        return str(self.ask("game", None))

    def contents(self, number: int) -> Content | None:
        """Return what a sealed value holds, by its number."""
        if number not in self._known:
            found = self.ask("content", number)
            self._known[number] = Content(**found) if found is not None else None
        return self._known[number]

    def learn(self, made: Mapping[int, Content]) -> None:
        """Remember what was sealed in an event."""
        self._known |= made

    def source(self, draw: int) -> Source:
        """Return the source of a sealed draw, by its number."""
        return Derived(bytes.fromhex(self.ask("draw", draw)), "sealed")

    def unseal(self, box: Arguments, wanted: Wanted) -> Content | Unopened:
        """Return what a player sealed, or why it cannot be had."""
        return _unsealed(self.ask("unseal", {"box": box, "wanted": list(wanted)}))


def _unsealed(found: Mapping[str, Any]) -> Content | Unopened:
    return Unopened(**found) if "code" in found else Content(**found)
