"""The keeper of what is sealed in a game: has contents at hand, unseals what players send, makes boxes for readers.

It works where the keeper's key is, outside of the process in which rules run: that is handed contents, never a key.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.documents import Document, KeeperKey, SealedValue
from folkmoot.core.events import Event
from folkmoot.core.keys import GAME, ROSTER, sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Confided
from folkmoot.core.sealed_text import read_box
from folkmoot.game.keeper_keys import keeper_keys
from folkmoot.journal import GameRecord
from folkmoot.sandbox.wire import SealingSource
from folkmoot.sealing.boxes import Opening, open_all, open_box, parted, seal
from folkmoot.sealing.commitments import require_commitment
from folkmoot.sealing.contexts import AnyContext, Context, EntryContext, flat, require_context
from folkmoot.sealing.errors import SealingError
from folkmoot.sealing.keys import Identity
from folkmoot.sealing.recipients import Recipient, read_recipient
from folkmoot.sealing.seeds import draw_bytes, nth_seed, seed_root, seed_secret

KEEPER = "keeper"
"""Whose boxes are the keeper's own, so that another run has what this one sealed."""
ERROR = " error"
"""After the place of a value in a box: why there is none."""
ERROR_BYTES = 192
"""How long every error is in a box, filled up with blanks: whether there is one changes no size."""

Documents = Callable[[str], Any]


class Keeper:
    """Answers what an event needs to know of sealed contents, and seals what came of it to its readers."""

    def __init__(self, record: GameRecord, documents: Documents, keys: Callable[[], Iterable[Identity]]) -> None:
        """Keep the game of a record; `documents(key)` are its documents as they are now, `keys()` what is at hand."""
        self._record, self._documents, self._keys_here = record, documents, keys
        self._event = Event(seq=0, at=0, do="")
        self._digest, self._game = "", ""
        self._boxes: dict[int, dict[str, Opening]] = {}

    @cached_property
    def _identities(self) -> list[Identity]:
        return list(self._keys_here())

    # -- before an event

    def source(self, event: Event, digest: str) -> SealingSource:
        """Return what the sandbox needs to seal in an event, by the event and its digest."""
        key = self.current
        if key is None:
            return {"kind": "none"}
        identity = self._identity(key["key"])
        if identity is None:
            return {"kind": "locked"}
        self._event, self._digest = event, digest
        salts = f"folkmoot salts 1\n{self.game}\n{event.prev}\n{digest}".encode()
        salts_key = hmac.digest(_secret(identity), salts, "sha256").hex()
        return {"kind": "kept", "game": self.game, "key": salts_key, "key_refused": self._next_key_refused(event)}

    def _next_key_refused(self, event: Event) -> str:
        """Return the code of why an event cannot name the keeper's next key: the keeper has it not, or other seeds."""
        if event.do != "open_sealing":
            return "E-RECIPIENT"
        given: Mapping[str, Any] = event.with_ or {}
        identity = self._identity(str(given.get("key")))
        known = identity is not None and keeper_seeds(identity, self.game) == given.get("seeds")
        return "" if known else "E-RECIPIENT"

    @property
    def current(self) -> KeeperKey | None:
        """The keeper's key that is in use, None where there is none yet."""
        keys = self._keys
        return keys[-1] if keys else None

    @property
    def game(self) -> str:
        """The digest of the founding, by which every context names the game."""
        if not self._game:
            self._game = self._record.founding
        return self._game

    @property
    def _keys(self) -> list[KeeperKey]:
        return list((self._documents(GAME) or {}).get("sealing") or ())

    def _identity(self, key: str) -> Identity | None:
        return next((each for each in self._identities if each.recipient.text == key), None)

    # -- during an event

    def answer(self, asked: str, given: Any) -> Any:
        """Return what the sandbox asks: a `content`, the source of a `draw`, what to `unseal`, the `game`."""
        answers: Mapping[str, Callable[[Any], Any]] = {
            "content": self.content,
            "draw": self._draw,
            "past draw": lambda _given: None,
            "unseal": self._unsealed,
            "game": lambda _given: self.game,
        }
        return answers[asked](given)

    def content(self, number: int) -> dict[str, Any] | None:
        """Return what a sealed value holds, by its number, None where no key that is here opens it."""
        known: SealedValue | None = (self._documents(sealed_key(number)) or {}).get(str(number))
        if known is None:
            return None
        try:
            if known.get("by") and "held" not in known:
                given = self._record.entry(known["seq"]).get("with")
                return _as_content(open_box(box_in(given, known["commitment"]), self._identities))
            opened = self._opened(known.get("held", known["seq"]))
        except (SealingError, LookupError):
            return None
        error = opened.get(f"{known['seq']} {known['place']}{ERROR}")
        found = opened.get(known["commitment"])
        return None if found is None else _as_content(found, str(error.value).rstrip() if error else None)

    def _opened(self, seq: int) -> dict[str, Opening]:
        """Return what the keeper's boxes of an entry hold, by commitment, and errors by entry and place.

        They are read once, also where no key here opens them: an entry that deals a pack holds hundreds of values.
        """
        if seq not in self._boxes:
            boxes = (self._record.entry(seq).get("boxes") or {}).get(KEEPER) or []
            self._boxes[seq] = {}
            openings = [opening for box in boxes for opening in open_all(box, self._identities)]
            self._boxes[seq] = {_known_by(each): each for each in openings}
        return self._boxes[seq]

    def _draw(self, number: int) -> str:
        """Return the bytes with which a sealed draw begins, in hex."""
        found = self.past_draw(number, self._event.prev, self._digest)
        assert found is not None
        return found

    def past_draw(self, number: int, prev: str, digest: str) -> str | None:
        """Return the bytes with which a sealed draw of an event began, None where the keeper's key is not here."""
        key = seed_key(self._documents(GAME) or {}, number)
        identity = self._identity(key["key"]) if key else None
        if key is None or identity is None:
            return None
        seed = nth_seed(seed_secret(_text(identity)), self.game, number - key["after"] - 1)
        return draw_bytes(seed, prev, digest).hex()

    def _unsealed(self, given: Any) -> dict[str, Any] | str:
        """Return what a player sealed for the event that is judged, or the code of why it cannot be had."""
        box, (argument, target, target_digest) = given["box"], given["wanted"]
        key = self.current
        try:
            found = open_box(box["box"], self._identities)
            expected = Context(
                game=self.game,
                author=str(self._event.by),
                act=self._event.do,
                argument=argument,
                target=target,
                target_digest=target_digest,
                keeper=key["number"] if key else 0,
                nonce=getattr(found.context, "nonce", "0" * 32),
            )
            require_context(found.context, expected)
            require_commitment(box["commitment"], found.context, found.value, found.salt)
        except ProblemError as error:
            return error.problems[0].code
        return _as_content(found)

    # -- after an event

    def boxes(self, made: Iterable[Confided]) -> dict[str, list[str]]:
        """Return the boxes of an entry by reader: for each who has a key, and for the keeper."""
        openings: dict[str, list[Opening]] = {}
        for each in made:
            found = self._openings(each)
            for reader in [*each["to"], *([KEEPER] if each["keeper"] else [])]:
                openings.setdefault(reader, []).extend(found)
        keys = {reader: self._recipient(reader) for reader in openings}
        return {reader: _sealed(openings[reader], key) for reader, key in keys.items() if key}

    def _recipient(self, reader: str) -> Recipient | None:
        """Return to what is sealed to somebody; None where they named no key, or one that only an older engine took."""
        key = self._key_of(reader)
        try:
            return read_recipient(key) if key else None
        except SealingError:
            if reader == KEEPER:
                raise
            return None

    def _openings(self, each: Confided) -> list[Opening]:
        context = self._context(each)
        found = [Opening(context, each["value"], bytes.fromhex(each["salt"]))]
        if each["error"] is not None and isinstance(context, EntryContext):
            place = EntryContext(context.game, context.entry, context.place + ERROR)
            found.append(Opening(place, error_in_box(each["error"]), bytes.fromhex(each["salt"])))
        return found

    def _context(self, each: Confided) -> AnyContext:
        if each["context"]:
            return Context(**each["context"])
        seq, place = each["place"]
        return EntryContext(self.game, seq, str(place))

    def _key_of(self, reader: str) -> str | None:
        if reader == KEEPER:
            return self.current["key"] if self.current else None
        entry: Document = (self._documents(ROSTER) or {}).get(reader) or {}
        named = entry.get("sealing")
        return str(named["key"]) if named else None


def error_in_box(error: str) -> str:
    """Return an error as it stands in a box: always as long, whatever it says.

    >>> len(error_in_box("")), len(error_in_box("n" * 900)), error_in_box("no").rstrip()
    (190, 190, 'no')
    """
    while len(canonical_bytes(error)) > ERROR_BYTES:
        error = error[:-1]
    return error + " " * (ERROR_BYTES - len(canonical_bytes(error)))


def _known_by(opening: Opening) -> str:
    context = opening.context
    if isinstance(context, EntryContext) and context.place.endswith(ERROR):
        return f"{context.entry} {context.place}"
    return opening.commitment


def _sealed(openings: list[Opening], recipient: Recipient) -> list[str]:
    """Return boxes for one key: one for what belongs together, several where that is much."""
    boxes = []
    openings = sorted(openings, key=lambda each: each.context.common)
    for _, alike in groupby(openings, key=lambda each: each.context.common):
        found = list(alike)
        boxes += [seal(part, recipient) for part in parted(found)]
    return boxes


def _as_content(opening: Opening, error: str | None = None) -> dict[str, Any]:
    context = flat(opening.context) if isinstance(opening.context, Context) else None
    found = {"value": opening.value, "salt": opening.salt.hex(), "error": error, "context": context}
    return {**found, "commitment": opening.commitment}


def box_in(given: Any, commitment: str) -> str:
    """Return the box among the arguments of an act that has a commitment; raises LookupError where there is none."""
    box = read_box(given)
    if box is not None and box["commitment"] == commitment:
        return box["box"]
    if isinstance(given, Mapping):
        for item in given.values():
            try:
                return box_in(item, commitment)
            except LookupError:
                continue
    raise LookupError(commitment)


def seed_key(state: Mapping[str, Any], draw: int) -> KeeperKey | None:
    """Return the keeper's key whose seeds a sealed draw is from, by its number; None where there was none."""
    keys: list[KeeperKey] = list(state.get("sealing") or ())
    return next((key for key in reversed(keys) if key["after"] < draw), None)


def keeper_seeds(identity: Identity, game: str) -> str:
    """Return what commits to the seeds of a keeper's key in a game, in hex."""
    return seed_root(seed_secret(_text(identity)), game)


def _secret(identity: Identity) -> bytes:
    return seed_secret(_text(identity))


def _text(identity: Identity) -> str:
    return identity.secret


def keeper_of(record: GameRecord, documents: Documents) -> Keeper:
    """Return the keeper of a game with the keys that are at hand here; `documents(key)` are those of today."""
    return Keeper(record, documents, lambda: keeper_keys(record).values())
