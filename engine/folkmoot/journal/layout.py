"""Which file of a game's folder holds what, and how documents and entries become bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from operator import eq
from pathlib import Path
from typing import Any, cast

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document
from folkmoot.core.keys import in_sorted_maps
from folkmoot.core.portable_names import unportable
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.records import Entry
from folkmoot.core.word_lists import LISTS, file_of
from folkmoot.files.canonical import write_yaml
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.rewrite import render_rule
from folkmoot.kernel.act_declarations import SET_CLOCK

STATE = "state"
HEAD = "head.yaml"
OLD_PENDING = ".pending"  # where engines before 0.3 left what they had not finished; it is never read
JOURNAL = "journal"
RULES = "rules/"

_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,3}", re.ASCII)
_ENTRY = re.compile(r"journal/(\d{3,})/(\d{6,})\.yaml", re.ASCII)


def entry_name(seq: int) -> str:
    """Return the path of an entry inside the game's folder, as in `journal/000/000123.yaml`."""
    return f"{JOURNAL}/{seq // 1000:03d}/{seq:06d}.yaml"


def entry_seq(name: str) -> int | None:
    """Return the number of the entry whose file has this path, None if no entry's file is called so."""
    found = _ENTRY.fullmatch(name)
    seq = int(found[2]) if found else 0
    return seq if seq and entry_name(seq) == name else None


def is_game(name: str, names: Container[str]) -> bool:
    """Say whether a folder is a game's by its name and what lies in it by name, also where it has lost its head."""
    return not unportable(name) and (HEAD in names or JOURNAL in names)


def games_in(root: Path) -> list[str]:
    """Return the names of the games of a repository's folder in order."""
    found = [(path.parent.name, path.name) for mark in (HEAD, JOURNAL) for path in (root / STATE).glob(f"*/{mark}")]
    return sorted({name for name, mark in found if is_game(name, (mark,))})


def is_of_game(path: str) -> bool:
    """Say whether a file of a game may be called so: the head, an entry, a document or a word list."""
    key, _, ending = path.rpartition(".")
    if ending == "txt":
        return path == file_of(key.removeprefix(LISTS)) and _KEY.fullmatch(key) is not None
    document = ending == "yaml" and _KEY.fullmatch(key) is not None and key.partition("/")[0] != JOURNAL
    return document or entry_seq(path) is not None


def document_name(key: str) -> str:
    """Return the path of a document's file; raises E-ARGS for a key that may not be written."""
    if key == "head" or not _KEY.fullmatch(key) or key.partition("/")[0] == JOURNAL:
        raise fail("E-ARGS", f"'{key}' cannot be the key of a derived document")
    return f"{key}.yaml"


def document_bytes(key: str, document: Document) -> bytes:
    """Return the exact bytes of a document's file."""
    text = render_rule(document) if key.startswith(RULES) else write_yaml(document)
    return text.encode()


def read_document(key: str, data: bytes, file: str) -> Document:
    """Return the document in the bytes of its file.

    A rule whose file is not what the engine alone would write (a person's comments) keeps the text as `source`.
    """
    text = decode(data, file)
    document = load_yaml(text, file)
    if not isinstance(document, dict):
        raise fail("E-DERIVED", "the file holds no map of keys", Position(file))
    if key.startswith(RULES) and render_rule(document) != text:
        return _as_enacted(document, text, file)
    return cast(Document, document)


def check_document(key: str, document: Document, data: bytes, file: str) -> None:
    """Raise E-FAULT unless the bytes that are to be written for a document are read back as that document."""
    same = _same_rule if key.startswith(RULES) else eq
    check_read_back(document, data, lambda data, file: read_document(key, data, file), file, same)


def check_read_back(
    value: Any, data: bytes, read: Callable[[bytes, str], Any], file: str, same: Callable[[Any, Any], bool] = eq
) -> None:
    """Raise E-FAULT unless a reader makes of bytes the very value that they were made of."""
    try:
        found = read(data, file)
    except ProblemError as error:
        raise _unreadable(file, error.problems[0].message) from None
    if not same(found, value):
        raise _unreadable(file, "another value came out of it")


def _same_rule(found: Document, wanted: Document) -> bool:
    """Say whether two documents are the same rule: what a person wrote around its parts is in the file as it is."""
    ours, theirs = ({part: value for part, value in each.items() if part != "source"} for each in (found, wanted))
    if ours == theirs:
        return True
    from folkmoot.files.reader import rule_of

    try:  # a person's file says what is so anyway, or leaves it out
        return rule_of(ours) == rule_of(theirs)
    except ProblemError:
        return False


def _unreadable(file: str, why: str) -> ProblemError:
    hint = "report this input as a fault of the engine; the game stands as before"
    return fail(
        "E-FAULT", f"what was to be written could not be read again ({why}), so nothing was", Position(file), hint
    )


def _as_enacted(document: Document, text: str, file: str) -> Document:
    """Return a rule whose file is a person's as it was when it came into force: its parts in their own order.

    Its history is made of it, and must be the same bytes whether the rule was read from its file meanwhile or not.
    """
    from folkmoot.files.reader import read_rule

    with suppress(ProblemError):  # a damaged file is what it is; what is wrong with it is said elsewhere
        document = in_sorted_maps(read_rule(text, file))
    return {**document, "source": text}


def decode(data: bytes, file: str) -> str:
    """Return the text in a file's bytes; raises E-UTF8 where they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise fail("E-UTF8", "the file is not UTF-8 text", Position(file, line)) from None


# -- entries: a canonical order of keys, no empty parts, times as stamps


KEYS = (
    "seq", "prev", "at", "by", "as", "via", "do", "with",
    "code", "draws", "effects", "reasons", "failures", "deaths", "left_out", "redacted",
)  # fmt: skip


def entry_bytes(entry: Entry) -> bytes:
    """Return the exact bytes of an entry's file; `at` may be a stamp or Unix seconds."""
    at = entry["at"]
    full = {**entry, "at": at if isinstance(at, str) else write_stamp(at)}
    order = (*KEYS, *sorted(set(full) - set(KEYS)))
    return write_yaml({key: full[key] for key in order if full.get(key) not in (None, "", {}, [])}).encode()


def entry_digest(entry: Entry) -> str:
    """Return the digest of an entry: the SHA-256 of its file, which the next entry names as `prev`."""
    return bytes_digest(entry_bytes(entry))


def read_entry(data: bytes, file: str) -> Entry:
    """Return the entry in the bytes of its file; raises a problem that names `file` where there is none."""
    entry = load_yaml(decode(data, file), file)
    if not isinstance(entry, dict) or not {"seq", "prev", "at", "do"} <= set(entry):
        raise fail("E-CHAIN", "the file is not a whole journal entry", Position(file))
    return cast(Entry, entry)


def read_file(key: str, data: bytes, file: str) -> Document:
    """Return what the bytes of a file of a game hold: an entry by the name of its file, else a document by its key."""
    return read_entry(data, file) if key.startswith(f"{JOURNAL}/") else read_document(key, data, file)


def check_entry(entry: Mapping[str, Any], data: bytes, file: str) -> None:
    """Raise E-FAULT unless the bytes that are to be written for an entry are read back as that entry."""
    at = entry["at"]
    wanted = {**entry, "at": at if isinstance(at, str) else write_stamp(at)}
    check_read_back(
        {key: value for key, value in wanted.items() if value not in (None, "", {}, [])}, data, read_entry, file
    )


def may_follow(entry: Entry, before: int) -> bool:
    """Say whether an entry's time can come after that of the one before (Unix seconds).

    None is earlier, but the one by which an administrator takes the clock back by just so much.
    """
    at, with_ = entry_time(entry), entry.get("with")
    if at >= before:
        return True
    taken_back = entry.get("do") == SET_CLOCK and not entry.get("code")
    return taken_back and isinstance(with_, Mapping) and with_.get("seconds") == before - at


def entry_time(entry: Entry) -> int:
    """Return the time of an entry in Unix seconds."""
    at = entry["at"]
    return read_stamp(at) if isinstance(at, str) else int(at)
