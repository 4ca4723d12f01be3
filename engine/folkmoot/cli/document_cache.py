"""Documents and large entries as they were read before, kept beside a clone's settings under the digest of their bytes.

To read a file exactly takes far longer than to look whether it is one that was read already. So what commands read that
only look is kept, and after a change only the files that changed are read anew. What was read by another engine is
nothing here, and the record is proved (`moot verify`) and continued without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import msgspec

from folkmoot import __version__
from folkmoot.cli.games import root_of
from folkmoot.cli.output_cache import engine_stats, git_folder
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_whole, write_whole
from folkmoot.core.documents import Document
from folkmoot.journal.entries import read_file
from folkmoot.journal.layout import RULES

FILE = "moot-documents"
LARGEST = 16_000_000  # bytes that are kept; what was used longest ago goes first
Reading = Callable[[str, bytes, str], Document]
_DOCUMENT = msgspec.msgpack.Decoder(dict)


class _File(msgspec.Struct):
    engine: str
    documents: dict[str, msgspec.Raw]


def known_documents(terminal: Terminal) -> Reading:
    """Return how the files of games are read in a command, with what is kept of those that were read before."""
    if terminal.known is None:
        terminal.known = _known_documents(terminal)
    return terminal.known


def _known_documents(terminal: Terminal) -> Reading:
    context = click.get_current_context(silent=True)
    git = git_folder(root_of(terminal).resolve())
    if context is None or git is None:
        return read_file
    known = KnownDocuments(git / FILE, _engine())
    context.call_on_close(known.keep)
    return known.read


def _engine() -> str:
    return hashlib.sha256("\0".join([__version__, *engine_stats()]).encode(errors="surrogateescape")).hexdigest()


class KnownDocuments:
    """What is kept in one file by one engine."""

    def __init__(self, file: Path, engine: str) -> None:
        """Take what is kept in a file, nothing where it is missing, damaged or another engine's."""
        self._file, self._engine = file, engine
        self._kept: dict[str, bytes] = {}
        self._used: dict[str, bytes] = {}
        with suppress(OSError, msgspec.MsgspecError):
            found = msgspec.msgpack.decode(read_whole(file) or b"", type=_File)
            self._kept = {name: bytes(raw) for name, raw in found.documents.items()} if found.engine == engine else {}

    def read(self, key: str, data: bytes, file: str) -> Document:
        """Return what the bytes of a file hold, as `read_file` does."""
        name = ("rule " if key.startswith(RULES) else "") + hashlib.sha256(data).hexdigest()
        kept = self._kept.get(name) or self._used.get(name)
        if kept is not None:
            self._used[name] = kept
            document: Document = _DOCUMENT.decode(kept)
            return document
        document = read_file(key, data, file)
        packed = _packed(document)
        if packed is not None:
            self._used[name] = packed
        return document

    def keep(self) -> None:
        """Keep what was read, if any of it was not known; where that cannot be written, it is read again."""
        if self._used.keys() <= self._kept.keys():
            return
        documents = {name: raw for name, raw in self._kept.items() if name not in self._used} | self._used
        left = sum(map(len, documents.values())) - LARGEST
        for name in [*documents] if left > 0 else ():
            left -= len(documents.pop(name))
            if left <= 0:
                break
        found = _File(self._engine, {name: msgspec.Raw(raw) for name, raw in documents.items()})
        with suppress(OSError):
            write_whole(self._file, msgspec.msgpack.encode(found))


def _packed(document: Document) -> bytes | None:
    """Return a document as it is kept, None for one that would not come out of that as it is."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        packed = msgspec.msgpack.encode(document)
        return packed if _DOCUMENT.decode(packed) == document else None
    return None
