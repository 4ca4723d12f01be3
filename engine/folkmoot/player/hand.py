"""What a player seals, and what they can open, with the keys of whoever runs the program.

The keys lie in a file of their own, never in a repository, which `age` reads too; a key of SSH stays where it is, and
the file only says where. What is sealed is so on the player's own machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import KeeperKey, Proposal, SealedValue
from folkmoot.core.keys import GAME, sealed_keys
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.records import Arguments, Entry
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.sealed_data import AUTHOR, told_in, with_contents, write_box
from folkmoot.core.settings_folder import settings_folder
from folkmoot.files.named_files import read_start
from folkmoot.game.keeper import ERROR, box_in
from folkmoot.game.session import Session
from folkmoot.kernel.proposals import content_digest
from folkmoot.kernel.sealed_data.vaults import DETAIL
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_all, open_box, seal
from folkmoot.sealing.commitments import Context, own_context
from folkmoot.sealing.keys import LARGEST, Identity, Recipient, make_key, read_identity, read_recipient

SEALED = "sealed"
"""What stands for a value that somebody cannot read."""
_SSH = "# ssh key: "
_NATIVE = "AGE-SECRET-KEY-1"


def own_key_file() -> Path:
    """Return the file with the keys of whoever runs the program."""
    return settings_folder() / "folkmoot" / "sealing.key"


def own_keys() -> list[Identity]:
    """Return the keys of whoever runs the program, the newest first; raises E-RECIPIENT, E-DISK."""
    return [
        read_key_file(Path(line[len(_SSH) :])) if line.startswith(_SSH) else read_identity(line) for line in _lines()
    ]


def keep_new_key() -> Identity:
    """Make a key that is native to age, keep it before all others, and return it."""
    made = make_key()
    _keep(f"# public key: {made.recipient.text}\n{made.secret}\n")
    return made


def keep_ssh_key(path: Path) -> Identity:
    """Note that an SSH key opens what is sealed to its holder, before all others, and return it."""
    found = read_key_file(path)
    line = f"{_SSH}{path.resolve()}"
    if line not in _lines():
        _keep(line + "\n")
    return found


def read_key_file(path: Path) -> Identity:
    """Return the private key in a file; raises E-DISK or E-RECIPIENT, which names the file and shows nothing of it."""
    try:
        text = read_start(path, LARGEST + 1).decode("utf-8", "replace")
    except OSError as error:
        message = f"this key cannot be read: {(error.strerror or str(error)).lower()}"
        hint = f"put it back, or take its line out of {own_key_file()}"
        raise fail("E-DISK", message, Position(str(path)), hint) from None
    try:
        return read_identity(text)
    except ProblemError as error:
        found = error.problems[0]
        raise fail(found.code, found.message, Position(str(path)), found.hint) from None


def _text() -> str:
    file = own_key_file()
    try:
        return CloneFiles(file.parent).read_text(file.name) or ""
    except (OSError, UnicodeDecodeError):
        raise fail("E-DISK", "the keys cannot be read", Position(str(own_key_file()))) from None


def _lines() -> list[str]:
    lines = (line.strip() for line in _text().split("\n"))
    return [line for line in lines if line.startswith((_SSH, _NATIVE))]


def _keep(lines: str) -> None:
    file, before = own_key_file(), _text()
    try:
        CloneFiles(file.parent).write(file.name, (lines + before).encode(), 0o600, durable=True)
    except OSError as error:
        message = f"the key cannot be kept: {(error.strerror or str(error)).lower()}"
        raise fail("E-DISK", message, Position(str(file)), "make room, then run it again") from None


# -- sealing


def keeper_key(session: Session) -> KeeperKey | None:
    """Return the keeper's key to which players seal at present, None where there is none."""
    keys = session.kept(GAME).get("sealing") or []
    return keys[-1] if keys else None


def keeper_recipient(session: Session) -> Recipient:
    """Return to whom players seal; raises E-SEALED where nobody keeps a key."""
    key = keeper_key(session)
    if key is None:
        hint = "an administrator names one: `moot key --keeper` says how"
        raise fail("E-SEALED", "nobody keeps a key for what is sealed in this game yet", None, hint)
    return read_recipient(key["key"])


def seal_argument(session: Session, by: str, do: str, name: str, spec: ArgumentSpec, value: Any) -> str:
    """Return an argument of an act as one word, sealed to whom its declaration says."""
    if spec.get("sealed") != AUTHOR:
        return _sealed(session, by, do, name, value)
    keys = own_keys()
    if not keys:
        hint = "`moot key --sealing` makes one on this machine; keep it until you have opened what you sealed"
        raise fail("E-SEALED", "what only you may open needs a key of yours", None, hint)
    context = own_context(session.record.founding, by, do, name, fresh_nonce())
    return _boxed(Opening(context, value, fresh_salt()), keys[0].recipient)


def own_opening(session: Session, by: str, given: Arguments) -> Arguments:
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
    opened = {"value": opening.value, "salt": opening.salt.hex(), "nonce": opening.context.nonce}
    return {**given, "number": number, **opened}


def is_closed_of(value: SealedValue, author: str) -> bool:
    """Whether somebody sealed a value to themselves alone and has not opened it."""
    return "own" in value and value.get("by") == author and "opened" not in value


def _own_box(session: Session, value: SealedValue, keys: list[Identity]) -> Opening:
    entry = session.record.entry(value["seq"])
    opening = open_box(box_in(entry.get("with"), value["commitment"]), keys)
    if opening.commitment != value["commitment"] or getattr(opening.context, "author", None) != value.get("by"):
        raise fail("E-COMMITMENT", "what is in the box is not what was committed to")
    return opening


def seal_ballot(session: Session, by: str, proposal: Proposal, choice: str, reason: str) -> str:
    """Return a ballot on a proposal whose ballots are sealed, as one word that stands in the place of the choice."""
    content = {"choice": choice, **({"reason": reason} if reason else {})}
    return _sealed(session, by, "vote", "choice", content, (proposal["id"], content_digest(proposal)))


def _sealed(session: Session, by: str, do: str, name: str, value: Any, about: tuple[str, str] = ("", "")) -> str:
    recipient, key = keeper_recipient(session), keeper_key(session)
    assert key is not None
    context = Context(game=session.record.founding, author=by, act=do, argument=name, target=about[0],
                      target_digest=about[1], keeper=key["number"], nonce=fresh_nonce())  # fmt: skip
    return _boxed(Opening(context, value, fresh_salt()), recipient)


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


def hand_of(session: Session, player: str, keys: Iterable[Identity]) -> Hand:
    """Return what a player can open with their keys of what is sealed in a game, and what is open to everybody."""
    known, hand, identities = dict(_sealed_values(session)), Hand(), list(keys)
    for number, value in known.items():
        with suppress(ProblemError, LookupError):
            if "opened" in value:
                hand.values[number] = value["opened"]
            elif is_closed_of(value, player):
                hand.values[number] = _own_box(session, value, identities).value
    committed = {value["commitment"]: number for number, value in known.items()}
    places = {(value["seq"], f"{value['place']}{ERROR}"): number for number, value in known.items()}
    told: dict[int, str] = {}
    for entry in session.record.entries(having=["boxes:"]):
        told |= _told(entry, player)
        for opening in _openings(entry, player, identities):
            place = getattr(opening.context, "entry", 0), opening.context.place
            number = committed.get(opening.commitment, 0)
            if number:
                hand.values.setdefault(number, opening.value)
            elif place[1] == DETAIL:
                hand.details |= _detail(opening, told)
            elif place in places and str(opening.value).strip():
                hand.errors[places[place]] = str(opening.value).rstrip()
    return hand


def detail_of(entry: Entry, player: str, keys: Iterable[Identity]) -> str:
    """Return what a player was told in secret of an act that was refused, "" where that is nothing or stays closed."""
    told = _told(entry, player)
    openings = _openings(entry, player, list(keys)) if told else ()
    return next((text for opening in openings for text in _detail(opening, told).values()), "")


def _told(entry: Entry, player: str) -> dict[int, str]:
    """Return by entry what commits to what a player was told there in secret."""
    return {entry["seq"]: told_in(entry)} if entry.get("by") == player and told_in(entry) else {}


def _detail(opening: Opening, told: Mapping[int, str]) -> dict[int, str]:
    """Return by entry what an author was told of a refused act, as it is committed to; empty where there is nothing."""
    seq, text = getattr(opening.context, "entry", 0), str(opening.value).rstrip()
    return {seq: text} if text and told.get(seq) == opening.commitment else {}


def _sealed_values(session: Session) -> Iterable[tuple[int, SealedValue]]:
    last = int((session.kept(GAME).get("counters") or {}).get("sealed", 0))
    for key in sealed_keys(last):
        for number, value in (session.kept(key) or {}).items():
            yield int(number), value


def _openings(entry: Entry, player: str, identities: list[Identity]) -> Iterable[Opening]:
    """Yield what is in the boxes of a player that their keys open; a box for another of their keys stays closed."""
    for box in (entry.get("boxes") or {}).get(player) or ():
        with suppress(ProblemError):
            yield from open_all(box, identities)
