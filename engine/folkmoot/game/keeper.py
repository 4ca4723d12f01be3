"""The keeper of what is sealed in a game: has contents at hand, unseals what players send, makes boxes for readers.

The process of the rules is handed contents, never a key. Players seal to the newest, older ones open what was sealed
to them. They lie in `FOLKMOOT_SEALING`, or on a keeper's machine in the git folder, which is never committed or pushed.
"""

from __future__ import annotations

import hmac
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, groupby, takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct

from folkmoot.core.clone_files import read_text
from folkmoot.core.documents import Document, GameDocument, KeeperKey, Roster, SealedValue
from folkmoot.core.events import Event
from folkmoot.core.keys import GAME, ROSTER, sealed_key
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Arguments, Confided, Effect, Entry, SealedRecord
from folkmoot.core.sealed_data import filled, read_box, told_in
from folkmoot.game.secret_store import SEALING, git_file, hidden, write_secret
from folkmoot.journal import GameRecord
from folkmoot.journal.layout import entry_name
from folkmoot.kernel.act_declarations import OPEN_SEALED
from folkmoot.kernel.redaction import redacted_openings
from folkmoot.kernel.sealed_data.vaults import DETAIL, Content, salt_of, sealed_records
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
    opens,
    seed_proof,
    seed_root,
    seed_secret,
    verify_seed,
)
from folkmoot.sealing.keys import Identity, Recipient, make_key, read_identity, read_recipient

# -- the keys of a keeper, by number


MOST = 1_000
"""How many keys a game's keeper has at most, one after the other."""
_LONGEST = 200_000
_WORD = re.compile(r"([1-9][0-9]{0,3}):(AGE-SECRET-KEY-1[0-9A-Z]{58})", re.ASCII)


def keeper_word(number: int, key: Identity) -> str:
    """Return a key with its number as `FOLKMOOT_SEALING` holds it."""
    return f"{number}:{key.secret}"


def read_keeper_keys(text: str) -> dict[int, Identity]:
    """Return the keys that a text holds by number, as `1:AGE-SECRET-KEY-1…`; raises E-SECRET, which shows none."""
    message = f"{SEALING} does not hold numbered keys, as in `1:AGE-SECRET-KEY-1…`, each number once"
    unreadable = fail("E-SECRET", message, None, "`moot key --keeper --print` makes such a key")
    found: dict[int, Identity] = {}
    for word in text.replace(",", " ").split() if len(text) <= _LONGEST else [""]:
        parts = _WORD.fullmatch(word)
        if parts is None or int(parts[1]) in found:
            raise unreadable
        try:
            found[int(parts[1])] = read_identity(parts[2])
        except SealingError:
            raise unreadable from None
    return found


def keeper_file(game: GameRecord) -> Path:
    """Return where a game's keeper keeps their keys; raises E-OUTSIDE outside of a git repository."""
    return git_file(game.git_dir, f"{game.name}.sealing", "the keys of a keeper lie")


def _kept(game: GameRecord) -> dict[int, Identity]:
    return read_keeper_keys(read_text(keeper_file(game)) or "")


def keeper_keys(game: GameRecord) -> dict[int, Identity]:
    """Return the keys that the environment and this machine hold for a game, by number; raises E-SECRET."""
    given = read_keeper_keys(hidden(SEALING))
    return _kept(game) | given if game.git_dir is not None else given


def make_keeper_key(game: GameRecord) -> tuple[int, Identity]:
    """Make the key that comes after those that are here, keep it, and return it with its number."""
    kept = _kept(game)
    number = max(keeper_keys(game), default=0) + 1
    if number > MOST:
        raise fail("E-BOUNDS", f"a game's keeper has at most {MOST:,} keys")
    made = make_key()
    _keep(game, kept | {number: made})
    return number, made


def forget_keeper_key(game: GameRecord, number: int) -> None:
    """Forget a key that this machine keeps: from now on nothing that was sealed to it opens here."""
    _keep(game, {each: key for each, key in _kept(game).items() if each != number})


def _keep(game: GameRecord, keys: dict[int, Identity]) -> None:
    words = "".join(keeper_word(number, key) + "\n" for number, key in sorted(keys.items()))
    write_secret(keeper_file(game), words, "the key", "make room, then run it again; nothing was changed")


# -- keys and seeds that an administrator's act names without saying them


def keeper_seeds(identity: Identity, game: str) -> str:
    """Return what commits to the seeds of a keeper's key in a game, in hex."""
    return seed_root(seed_secret(identity.secret), game)


def named_key(game: GameRecord, state: GameDocument) -> Arguments:
    """Return the keeper's key whose number is next, with its seeds; raises E-SECRET where it is not here."""
    number = len(state.get("sealing") or ()) + 1
    key = keeper_keys(game).get(number)
    if key is None:
        hint = "`moot key --keeper` makes it on this machine, `moot key --keeper --print` for a forge"
        raise fail("E-SECRET", f"key {number} of the keeper of {game.name} is not here", None, hint)
    return {"key": key.recipient.text, "seeds": keeper_seeds(key, game.founding)}


def confided_seed(game: GameRecord, state: GameDocument, args: Arguments) -> Arguments:
    """Return the seed of a sealed draw that an act names without it; raises E-SEALED where an older engine drew."""
    draw = args.get("draw")
    if "seed" in args or type(draw) is not int:
        return {}
    if not args.get("insist") and _is_unknown(game, draw):
        hint = "`insist=true` opens it all the same, for everybody to see what it dealt"
        message = f"an older engine drew sealed draw {draw}, and did not record what is closed that rests on it"
        raise fail("E-SEALED", message, None, hint)
    return opened_seed(game, state, draw)


def _is_unknown(game: GameRecord, draw: int) -> bool:
    """Whether an engine made a sealed draw that did not record what rests on it."""
    for entry in game.entries(having=[f"seed: {draw}"]):
        records = entry.get("sealed") or []
        at = next((place for place, each in enumerate(records) if each.get("seed") == draw), None)
        if at is not None and not entry.get("code"):
            made = list(takewhile(lambda each: "made" in each, records[at + 1 :]))
            return bool(made) and not any("draws" in each for each in made)
    return False


def opened_seed(game: GameRecord, state: Mapping[str, Any], draw: int) -> Arguments:
    """Return the seed of a sealed draw and what proves it; nothing where the keeper's key is not here."""
    key = seed_key(state, draw)
    identity = keeper_keys(game).get(key["number"]) if key else None
    if key is None or identity is None:
        return {}
    secret, founded, n = seed_secret(identity.secret), game.founding, draw - key["after"] - 1
    return {"seed": nth_seed(secret, founded, n).hex(), "proof": list(seed_proof(secret, founded, n))}


def seed_key(state: Mapping[str, Any], draw: int) -> KeeperKey | None:
    """Return the keeper's key whose seeds a sealed draw is from, by its number; None where there was none."""
    return next((key for key in reversed(state.get("sealing") or ()) if key["after"] < draw), None)


# -- the keeper


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

    def __init__(self, record: GameRecord, documents: Documents) -> None:
        """Keep the game of a record with the keys that are here; `documents(key)` are its documents as they are now."""
        self._record, self._documents = record, documents
        self._event = Event(seq=0, at=0, do="")
        self._digest = ""
        self._boxes: dict[int, dict[str, Opening]] = {}

    @cached_property
    def _identities(self) -> list[Identity]:
        return list(keeper_keys(self._record).values())

    @cached_property
    def game(self) -> str:
        """The digest of the founding, by which every context names the game."""
        return self._record.founding

    @property
    def current(self) -> KeeperKey | None:
        """The keeper's key that is in use, None where there is none yet."""
        keys = (self._documents(GAME) or {}).get("sealing")
        return keys[-1] if keys else None

    def _identity(self, key: str) -> Identity | None:
        return next((each for each in self._identities if each.recipient.text == key), None)

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
        return hmac.digest(seed_secret(identity.secret), salts, "sha256")

    def _next_key_refused(self, event: Event) -> str:
        """Return the code of why an event cannot name the keeper's next key: the keeper has it not, or other seeds."""
        given: Mapping[str, Any] = event.with_ or {}
        identity = self._identity(str(given.get("key"))) if event.do == "open_sealing" else None
        known = identity is not None and keeper_seeds(identity, self.game) == given.get("seeds")
        return "" if known else "E-RECIPIENT"

    # -- during an event

    def answer(self, asked: str, given: Any) -> Any:
        """Return what the sandbox asks: a `content`, the source of a `draw`, what to `unseal`, the `game`."""
        if asked == "content":
            return self.content(given)
        if asked == "draw":
            return self.past_draw(given, self._event.prev, self._digest)
        if asked == "unseal":
            event = {"by": self._event.by, "do": self._event.do}
            return self.unsealed(given["box"], given["wanted"], event, self.current)
        return self.game if asked == "game" else None

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
        """Return what the keeper's boxes of an entry hold, by commitment, read once; errors by entry and place."""
        if seq not in self._boxes:
            boxes = (self._record.entry(seq).get("boxes") or {}).get(KEEPER) or []
            self._boxes[seq] = {}
            openings = [opening for box in boxes for opening in open_all(box, self._identities)]
            self._boxes[seq] = {_known_by(each): each for each in openings}
        return self._boxes[seq]

    def past_draw(self, number: int, prev: str, digest: str) -> str | None:
        """Return the bytes with which a sealed draw of an event begins, in hex; None where the key is not here."""
        key = seed_key(self._documents(GAME) or {}, number)
        identity = self._identity(key["key"]) if key else None
        if key is None or identity is None:
            return None
        seed = nth_seed(seed_secret(identity.secret), self.game, number - key["after"] - 1)
        return draw_bytes(seed, prev, digest).hex()

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
        named, number = (key["key"], key["number"]) if key else ("", 0)
        about = dict(zip(("argument", "target", "target_digest"), wanted, strict=True))
        expected = Context(
            self.game, author=str(asked.get("by")), act=asked["do"], keeper=number, nonce="0" * 32, **about
        )
        used = [each for each in self._identities if not alone or each.recipient.text == named]
        try:
            return _as_content(unseal(box, expected, named, used))
        except SealingError as error:
            return {"code": error.code, "why": error.problems[0].message}

    # -- what authors of refused acts are told

    def has(self, key: KeeperKey) -> bool:
        """Whether a key of the keeper is here."""
        return self._identity(key["key"]) is not None

    def told(self, given: Mapping[str, Any], key: KeeperKey) -> str | None:
        """Return what commits to what an entry's author was told, None where the keeper's key of then is not here."""
        identity = self._identity(key["key"])
        if identity is None:
            return None
        salt = salt_of(self._salts_key(identity, given["prev"], given["digest"]), DETAIL)
        return Opening(EntryContext(self.game, given["seq"], DETAIL), given["text"], salt).commitment

    # -- after an event

    def boxes(self, made: Iterable[Confided], effects: Iterable[Effect] = ()) -> dict[str, list[str]]:
        """Return the boxes of an entry by reader, also of what was told before to those who name a key in it."""
        openings = self._told_before(effects)
        for each in made:
            found = self._openings(each)
            for reader in [*each["to"], *([KEEPER] if each["keeper"] else [])]:
                openings.setdefault(reader, []).extend(found)
        keys = {reader: self._recipient(reader) for reader in openings}
        return {reader: _sealed(openings[reader], key) for reader, key in keys.items() if key}

    def _told_before(self, effects: Iterable[Effect]) -> dict[str, list[Opening]]:
        """Return what authors of refused acts were told before a key was named, by reader: they, or the keeper."""
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
        entry: Document = (self._documents(ROSTER) or {}).get(reader) or {}
        named = self.current if reader == KEEPER else entry.get("sealing")
        try:
            return read_recipient(str(named["key"])) if named else None
        except SealingError:
            if reader == KEEPER:
                raise
            return None

    def _openings(self, each: Confided) -> list[Opening]:
        salt = bytes.fromhex(each["salt"])
        if each["context"]:
            return [Opening(Context(**each["context"]), each["value"], salt)]
        seq, place = each["place"]
        found = [Opening(EntryContext(self.game, int(seq), str(place)), each["value"], salt)]
        if each["error"] is not None:
            context = EntryContext(self.game, int(seq), f"{place}{ERROR}")
            found.append(Opening(context, filled(each["error"], ERROR_BYTES), salt))
        return found


def _known_by(opening: Opening) -> str:
    context = opening.context
    if isinstance(context, EntryContext) and context.place.endswith(ERROR):
        return f"{context.entry} {context.place}"
    return opening.commitment


def _sealed(openings: list[Opening], recipient: Recipient) -> list[str]:
    """Return boxes for one key: one for what belongs together, several where that is much."""

    def common(opening: Opening) -> bytes:
        return opening.context.common

    alike = (list(found) for _, found in groupby(sorted(openings, key=common), key=common))
    return [seal(part, recipient) for found in alike for part in parted(found)]


def _as_content(opening: Opening, error: str | None = None) -> dict[str, Any]:
    context = flat(opening.context) if isinstance(opening.context, Context) else None
    return Content(opening.value, opening.salt.hex(), error, context, opening.commitment)._asdict()


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


# -- opening what a player sealed for an act, and saying why it cannot be taken


OTHERS = ("kind", "game", "author")
"""Parts of a context by which it is somebody else's: of what they sealed nothing is told."""
SHOWN = 40  # characters of a part of a context


def unseal(box: Arguments, expected: Context, key: str, identities: Iterable[Identity]) -> Opening:
    """Return what is in a box that is sealed for a place; raises SealingError, whose sentence is for its author."""
    try:
        found = open_box(box["box"], identities)
    except SealingError as error:
        if error.code != "E-READER":
            raise
        why = f"the box does not open; it has to be sealed to key {expected.keeper} of the keeper, {key}"
        raise SealingError(error.code, why) from None
    if differences(found.context, expected):
        raise SealingError("E-CONTEXT", _elsewhere(found.context, expected))
    if box["commitment"] != found.commitment:
        why = f"the commitment beside the box is {box['commitment']}, and that to what is in it {found.commitment}"
        raise SealingError("E-COMMITMENT", why)
    return found


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


# -- what a record proves of what was sealed: openings against commitments, and what can be computed anew from them


HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)


FACTS = {
    "redacted": "{} opened [value is|values are] redacted, so that nobody can check [it|them] any more",
    "opened_seeds": "{} sealed [draw is what its opened seed gives|draws are what their opened seeds give]",
    "sealed": "{} sealed [value was|values were] not opened, so that nobody else can check [it|them] yet",
    "sealed_seeds": "{} sealed [draw waits for its seed|draws wait for their seeds]",
}


class _Made(Struct):
    """A sealed value as it was recorded; `keys` is how many keys the keeper had named by then."""

    seq: int
    place: int
    commitment: str
    by: str | None = None
    do: str = ""
    keys: int = 0


class SealedPast:
    """What a journal records of what was sealed in it; `wrong` are the problems, `openings` how many are right."""

    def __init__(self, record: GameRecord) -> None:
        """Begin with an empty journal, and with what the keeper's keys that are here open at hand."""
        self.record, self._game, self._keeper = record, record.founding, Keeper(record, record.archive)
        self.openings = self.draws = 0
        self.wrong: list[Problem] = []
        self.made: dict[int, _Made] = {}
        self.opened: dict[int, Content] = {}
        self.redacted: set[int] = set()  # numbers of what was opened and is replaced by its digest since
        self.seeds: dict[int, str] = {}
        self.named: list[int] = []  # entries in which the keeper named a key

    @classmethod
    def of(cls, record: GameRecord) -> SealedPast:
        """Return what is sealed in the past of a game, but for what was undone and has left its number to nothing."""
        past = cls(record)
        for entry in record.entries(having=["do:"]):
            try:
                past._read(entry)
            except (ProblemError, AttributeError, KeyError, TypeError, ValueError):
                past._blame(entry, "E-REPLAY", "what it records of what is sealed has another form than it must")
        last = int((record.kept(GAME).get("counters") or {}).get("sealed", 0))
        past.made = {number: made for number, made in past.made.items() if number <= last}
        past.opened = {number: found for number, found in past.opened.items() if number <= last}
        return past

    def _read(self, entry: Entry) -> None:
        if entry["do"] == "open_seed" and not entry.get("code"):
            self._read_seed(entry)
        elif entry["do"] == "open_sealing" and not entry.get("code"):
            self.named.append(entry["seq"])
        records = sealed_records(entry)
        if not records:
            return
        made: dict[int, _Made] = {}
        opened: dict[int, Content] = {}
        for place, each in enumerate(records):
            number = each.get("made", each.get("took"))
            if number is not None:  # one that was undone in this entry stood for something else before
                by = entry.get("by") if "took" in each else None
                made[number] = _Made(entry["seq"], place, each["commitment"], by, entry["do"], len(self.named))
                opened.pop(number, None)
                self.redacted.discard(number)
            elif "opened" in each:
                known = made.get(each["opened"]) or self.made.get(each["opened"])
                opened[each["opened"]] = self._shown(entry, place, each, known)
        if not entry.get("code") or entry["code"] == "HELD":
            for number in made:  # what an entry before undid has left its number to another value
                self.opened.pop(number, None)
            self.made |= made
            self.opened |= opened
            self.draws += sum(1 for each in records if "seed" in each)

    def _read_seed(self, entry: Entry) -> None:
        given = entry.get("with") or {}
        key: KeeperKey | None = seed_key(self.record.kept(GAME), int(given["draw"]))
        seed, proof = str(given["seed"]), [str(step) for step in given["proof"]]
        n = int(given["draw"]) - (key["after"] if key else 0) - 1
        if key is not None and verify_seed(key["seeds"], self._game, n, bytes.fromhex(seed), proof):
            self.seeds[int(given["draw"])] = seed
        else:
            self._blame(entry, "E-SEED", "the seed that it opens is none of those that the keeper committed to")

    def _shown(self, entry: Entry, place: int, each: SealedRecord, made: _Made | None) -> Content:
        """Return what an entry opens, held against the commitment unless it was redacted since."""
        if place in redacted_openings(entry):
            self.redacted.add(each["opened"])
        else:
            self._check(entry, made, each)
        return Content(each["value"], each["salt"], None, each.get("context"), made.commitment if made else "")

    def _check(self, entry: Entry, made: _Made | None, each: SealedRecord) -> None:
        """Hold an opening against the commitment; of what a player sealed it says the context."""
        given = entry.get("with") or {}
        own = entry["do"] == OPEN_SEALED and given.get("number") == each["opened"]
        context = self._context(made, each, own) if made else None
        salt = bytes.fromhex(each["salt"]) if HEX.fullmatch(each["salt"]) else b""
        if made is None or context is None or not opens(made.commitment, context, each["value"], salt):
            self._blame(entry, "E-COMMITMENT", f"what it opens as {each['opened']} is not what was committed to")
        else:
            self.openings += 1

    def _context(self, made: _Made, each: SealedRecord, own: bool) -> AnyContext | None:
        """Return the place for which something was sealed, None where it was meant for another; `own`: for no key."""
        try:
            if made.by is None:
                return EntryContext(self._game, made.seq, str(made.place))
            context = Context(**(each.get("context") or {}))
        except (ProblemError, TypeError):
            return None
        meant = (self._game, made.by, made.do, 0 if own else made.keys)
        return context if (context.game, context.author, context.act, context.keeper) == meant else None

    def _blame(self, entry: Entry, code: str, message: str) -> None:
        place = Position(self.record.shown(entry_name(entry["seq"])))
        self.wrong.append(Problem(code, f"entry {entry['seq']}: {message}", place))

    # -- for a replay

    def answer(self, asked: str, given: Any) -> Any:
        """Return what a replay asks: a `content` that was opened or the keeper has, the source of a `past draw`."""
        if asked == "content":
            if given in self.opened and given not in self.redacted:
                return self.opened[given]._asdict()
            return self._keeper.content(given)
        if asked != "past draw":
            return self._of_refused(asked, given)
        seed, prev, digest = self.seeds.get(given["draw"]), given["prev"], given["digest"]
        if seed is not None:
            return draw_bytes(bytes.fromhex(seed), prev, digest).hex()
        return self._keeper.past_draw(given["draw"], prev, digest)

    def _of_refused(self, asked: str, given: Mapping[str, Any]) -> Any:
        """Return what the keeper's key gives for a refused entry: what a player sent, what commits to a text.

        None where the key of that time is not here. Of what a player sent it says, too, whether that key alone gives
        this: a box that it does not open could have been opened by another one that was there.
        """
        number = sum(1 for seq in self.named if seq < given["seq"])
        key = next((key for key in self.record.kept(GAME).get("sealing") or () if key["number"] == number), None)
        if key is None or not self._keeper.has(key):
            return None
        if asked == "told":
            return self._keeper.told(given, key)
        found = self._keeper.unsealed(given["box"], given["wanted"], given, key, alone=True)
        if sure := found.get("code") != "E-READER":
            return {"found": found, "sure": sure}
        return {"found": self._keeper.unsealed(given["box"], given["wanted"], given, key), "sure": sure}

    def facts(self) -> Iterator[tuple[str, int, str]]:
        """Yield the name, the number and the sentence of what was proved, and of what waits."""
        yield "openings", self.openings, "{} opened [value is the one|values are those] that [was|were] committed to"
        counts = {
            "redacted": len(self.redacted),
            "opened_seeds": len(self.seeds),
            "sealed": len(self.made) - len(self.opened),
            "sealed_seeds": self.draws - len(self.seeds),
        }
        yield from ((name, count, FACTS[name]) for name, count in counts.items() if count)
