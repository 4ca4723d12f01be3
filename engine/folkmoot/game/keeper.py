"""The keeper of what is sealed in a game: has contents at hand, unseals what players send, makes boxes for readers.

It works where the keeper's key is, outside of the process in which rules run: that is handed contents, never a key.
"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, groupby
from typing import Any

from folkmoot.core.documents import Document, KeeperKey, Roster, SealedValue
from folkmoot.core.events import Event
from folkmoot.core.keys import GAME, ROSTER, sealed_key
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Confided, Effect
from folkmoot.core.sealed_text import filled, read_box, told_in
from folkmoot.game.keeper_keys import keeper_keys
from folkmoot.journal import GameRecord
from folkmoot.kernel.vault import DETAIL, salt_of
from folkmoot.sandbox.wire import SealingSource
from folkmoot.sealing.boxes import Opening, open_all, open_box, parted, seal
from folkmoot.sealing.commitments import (
    AnyContext,
    Context,
    EntryContext,
    SealingError,
    differences,
    draw_bytes,
    flat,
    named_differences,
    nth_seed,
    require_commitment,
    require_context,
    seed_root,
    seed_secret,
)
from folkmoot.sealing.keys import Identity, Recipient, read_recipient

KEEPER = "keeper"
"""Whose boxes are the keeper's own, so that another run has what this one sealed."""
ERROR = " error"
"""After the place of a value in a box: why there is none."""
ERROR_BYTES = 192
"""How long every error is in a box, filled up with blanks: whether there is one changes no size."""
MOST_WAITING = 20
"""Of how many refused acts somebody is told who names a key only afterwards: of the newest."""

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
        salts_key = self._salts_key(identity, event.prev, digest)
        return {"kind": "kept", "game": self.game, "key": salts_key.hex(), "key_refused": self._next_key_refused(event)}

    def _salts_key(self, identity: Identity, prev: str, digest: str) -> bytes:
        salts = f"folkmoot salts 1\n{self.game}\n{prev}\n{digest}".encode()
        return hmac.digest(_secret(identity), salts, "sha256")

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

    def _unsealed(self, given: Any) -> dict[str, Any]:
        """Return what a player sealed for the event that is judged, or why it cannot be had."""
        asked = {"by": self._event.by, "do": self._event.do}
        return self.unsealed(given["box"], given["wanted"], asked, self.current)

    def unsealed(
        self,
        box: Arguments,
        wanted: Sequence[str],
        asked: Mapping[str, Any],
        key: KeeperKey | None,
        *,
        alone: bool = False,
    ) -> dict[str, Any]:
        """Return what a player sealed for an act, or `code` and `why` of why it cannot be had.

        `wanted` is for which argument, about what, and the digest of that; `key` the one that the keeper had then,
        `alone` or with all others that are here.
        """
        argument, target, target_digest = wanted
        expected = Context(
            game=self.game,
            author=str(asked.get("by")),
            act=asked["do"],
            argument=argument,
            target=target,
            target_digest=target_digest,
            keeper=key["number"] if key else 0,
            nonce="0" * 32,
        )
        try:
            named = key["key"] if key else ""
            used = [each for each in self._identities if not alone or each.recipient.text == named]
            return _as_content(unseal(box, expected, named, used))
        except NotTaken as error:
            return {"code": error.code, "why": error.why}

    # -- what authors of refused acts are told

    def has(self, key: KeeperKey) -> bool:
        """Say whether a key of the keeper is here."""
        return self._identity(key["key"]) is not None

    def told(self, given: Mapping[str, Any], key: KeeperKey) -> str | None:
        """Return what commits to what the author of an entry was told, None where the keeper's key of then is not here.

        `given` is the entry's `seq`, `prev` and the `digest` of its event, and the `text`.
        """
        identity = self._identity(key["key"])
        if identity is None:
            return None
        salt = salt_of(self._salts_key(identity, given["prev"], given["digest"]), DETAIL)
        return Opening(EntryContext(self.game, given["seq"], DETAIL), given["text"], salt).commitment

    # -- after an event

    def boxes(self, made: Iterable[Confided], effects: Iterable[Effect] = ()) -> dict[str, list[str]]:
        """Return the boxes of an entry by reader: for each who has a key, and for the keeper.

        They hold what was made in it, and what was told before to those who name a key in it by its `effects`.
        """
        openings = self._told_before(effects)
        for each in made:
            found = self._openings(each)
            for reader in [*each["to"], *([KEEPER] if each["keeper"] else [])]:
                openings.setdefault(reader, []).extend(found)
        keys = {reader: self._recipient(reader) for reader in openings}
        return {reader: _sealed(openings[reader], key) for reader, key in keys.items() if key}

    def _told_before(self, effects: Iterable[Effect]) -> dict[str, list[Opening]]:
        """Return by reader what authors of refused acts were told and the keeper alone has, if a key is named for it.

        It goes to the author who names a key, and where the keeper names one to them again: of those who have none yet.
        """
        named = [effect for effect in effects if effect["effect"] == "sealing"] if self.current else []
        roster: Roster = (self._documents(ROSTER) or {}) if named else {}
        if any("commitment" in effect for effect in named):
            keyless = {author for author, entry in roster.items() if not entry.get("sealing")}
            waiting = list(chain.from_iterable(self._waiting(keyless).values()))
            return {KEEPER: waiting} if waiting else {}
        return self._waiting({str(effect.get("of")) for effect in named}) if named else {}

    def _waiting(self, authors: Set[str]) -> dict[str, list[Opening]]:
        """Return what authors of refused acts were told and the keeper alone has boxes of, the newest of each."""
        keyed = [e["seq"] for e in self._record.entries(having=["do: open_sealing"]) if not e.get("code")]
        told: dict[str, deque[tuple[int, str]]] = {}
        for entry in self._record.entries(having=["told:"]):
            author, commitment = str(entry.get("by")), told_in(entry)
            if author in authors and commitment and KEEPER in (entry.get("boxes") or {}):
                told.setdefault(author, deque(maxlen=MOST_WAITING)).append((max([entry["seq"], *keyed]), commitment))
        found = {author: [self._opened(seq).get(known) for seq, known in newest] for author, newest in told.items()}
        return {author: [each for each in openings if each] for author, openings in found.items()}

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
            found.append(Opening(place, filled(each["error"], ERROR_BYTES), bytes.fromhex(each["salt"])))
        return found

    def _context(self, each: Confided) -> AnyContext:
        if each["context"]:
            return Context(**each["context"])
        seq, place = each["place"]
        return EntryContext(self.game, int(seq), str(place))

    def _key_of(self, reader: str) -> str | None:
        if reader == KEEPER:
            return self.current["key"] if self.current else None
        entry: Document = (self._documents(ROSTER) or {}).get(reader) or {}
        named = entry.get("sealing")
        return str(named["key"]) if named else None


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


# -- opening what a player sealed for an act, and saying why it cannot be taken


OTHERS = ("kind", "game", "author")
"""Parts of a context by which it is somebody else's: of what they sealed nothing is told."""
SHOWN = 40  # characters of a part of a context


class NotTaken(Exception):
    """What a player sealed is not taken: its code, and why, for its author alone."""

    def __init__(self, code: str, why: str) -> None:
        """Keep code and sentence."""
        super().__init__(code)
        self.code, self.why = code, why


def unseal(box: Arguments, expected: Context, key: str, identities: Iterable[Identity]) -> Opening:
    """Return what is in a box (with the `commitment` to it) that is sealed for a place; raises NotTaken.

    The nonce of `expected` is any; `key` is the public key of the keeper to which it had to be sealed.
    """
    try:
        found = open_box(box["box"], identities)
    except ProblemError as error:
        code = error.problems[0].code
        raise NotTaken(code, _unopened(code, error, expected, key)) from None
    try:
        require_context(found.context, expected)
        require_commitment(box["commitment"], found.context, found.value, found.salt)
    except ProblemError as error:
        code = error.problems[0].code
        said = _elsewhere(found.context, expected) if code == "E-CONTEXT" else _uncommitted(box, found)
        raise NotTaken(code, said if code in ("E-CONTEXT", "E-COMMITMENT") else error.problems[0].message) from None
    return found


def _unopened(code: str, error: ProblemError, expected: Context, key: str) -> str:
    if code != "E-READER":
        return error.problems[0].message
    return f"the box does not open; it has to be sealed to key {expected.keeper} of the keeper, {key}"


def _elsewhere(found: AnyContext, expected: Context) -> str:
    """Return where a box belongs, and where it was found; of what is not its sender's only that."""
    differing = differences(found, expected)
    others = [name for name in differing if name in OTHERS]
    if others or not isinstance(found, Context):
        return f"this was sealed for another place ({named_differences(others)}), and what is in it is not yours to see"
    told = (f"{named_differences([name])} ({_part(found, name)}, not {_part(expected, name)})" for name in differing)
    return f"this was sealed for {', '.join(told)}"


def _part(context: Context, name: str) -> str:
    text = str(getattr(context, name)) or "nothing"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _uncommitted(box: Arguments, found: Opening) -> str:
    return f"the commitment beside the box is {box['commitment']}, and that to what is in it {found.commitment}"
