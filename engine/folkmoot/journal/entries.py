"""Journal entries as bytes: a canonical order of keys, no empty parts, times as stamps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document
from folkmoot.core.problems import Position, fail
from folkmoot.core.records import Entry
from folkmoot.files.canonical import write_yaml
from folkmoot.files.fast_reader import load_yaml
from folkmoot.journal.layout import JOURNAL, check_read_back, decode, read_document
from folkmoot.kernel.act_declarations import SET_CLOCK

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


def may_follow(entry: Mapping[str, Any], before: int) -> bool:
    """Say whether an entry's time can come after that of the one before (Unix seconds).

    None is earlier, but the one by which an administrator takes the clock back by just so much.
    """
    at, with_ = entry_time(entry), entry.get("with")
    if at >= before:
        return True
    taken_back = entry.get("do") == SET_CLOCK and not entry.get("code")
    return taken_back and isinstance(with_, Mapping) and with_.get("seconds") == before - at


def entry_time(entry: Mapping[str, Any]) -> int:
    """Return the time of an entry in Unix seconds."""
    at = entry["at"]
    return read_stamp(at) if isinstance(at, str) else int(at)
