"""Writing many files as one: after a kill or a full disk anywhere, the next opening finds the old or the new game.

Every new file is first written aside (`.pending/0`, `.pending/1`, …) and brought to the disk; then a manifest that
lists them comes into force by one rename, which is the only commit point; then the files are renamed into their
places, head last, and the manifest is removed. An opening that finds a manifest in force finishes the work, one that
finds staged files without it removes them.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from folkmoot.core.atomic_files import FULL, is_machines
from folkmoot.core.digest import bytes_digest
from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.journal.layout import PENDING

_MANIFEST = "manifest"


class Manifest(Struct, frozen=True):
    """What a transaction does: files (path → digest, in the order of placing) and paths to remove."""

    files: dict[str, str]
    removed: list[str]

    def text(self) -> str:
        """Return the form that is written."""
        return json.dumps({"files": self.files, "removed": self.removed}, indent=1)


def write_files(root: Path, files: Mapping[str, bytes], removed: Iterable[str], *, durable: bool = True) -> None:
    """Write `files` (path inside `root` → bytes) and remove others, all or nothing; the caller holds the lock.

    `durable` waits for the disk; without it a power cut (not a kill) may lose the last transactions.
    Raises E-DISK, whose argument `recorded` says whether the commit point was passed: if not, nothing has changed; if
    so, the next opening finishes the work.
    """
    manifest = Manifest({path: bytes_digest(data) for path, data in files.items()}, sorted(removed))
    committed = False
    try:
        _stage(root, manifest, files, durable)
        committed = True
        _place(root, manifest, durable=durable)
    except OSError as error:
        if not committed:
            _discard(root)
        raise _disk(root, error, recorded=committed) from None


def _disk(root: Path, error: OSError, *, recorded: bool) -> ProblemError:
    full = is_machines(error, FULL)
    why = "the disk is full, or a quota" if full else f"the disk refuses: {(error.strerror or str(error)).lower()}"
    state = "what was written is safe, the next opening finishes it" if recorded else "nothing was written"
    hint = "make room and try again" if full else ""
    return ProblemError(Problem("E-DISK", f"{why}; {state}", Position(str(root)), hint, {"recorded": recorded}))


def _stage(root: Path, manifest: Manifest, files: Mapping[str, bytes], durable: bool) -> None:
    fault_point("before-stage")
    pending = root / PENDING
    pending.mkdir()
    for number, (path, data) in enumerate(files.items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        _write(pending / str(number), data, durable)
        fault_point("staged")
    _write(pending / f"{_MANIFEST}.new", manifest.text().encode(), durable)
    fault_point("before-commit")
    if durable:
        _sync_folder(root)
    (pending / f"{_MANIFEST}.new").replace(pending / _MANIFEST)


def _write(path: Path, data: bytes, durable: bool) -> None:
    with path.open("xb", buffering=0) as file:
        for part in (data[: len(data) // 2], data[len(data) // 2 :]):
            if os.write(file.fileno(), part) != len(part):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            fault_point("half-staged")
        if durable:
            os.fsync(file.fileno())


def _place(root: Path, manifest: Manifest, *, durable: bool) -> None:
    pending = root / PENDING
    if durable:
        _sync_folder(pending)
    fault_point("after-commit")
    for number, path in enumerate(manifest.files):
        if (pending / str(number)).exists():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (pending / str(number)).replace(root / path)
            fault_point("placed")
    for path in manifest.removed:
        (root / path).unlink(missing_ok=True)
        fault_point("removed")
    if durable:
        for folder in {(root / path).parent for path in (*manifest.files, *manifest.removed)}:
            _sync_folder(folder)
    fault_point("before-clean")
    (pending / _MANIFEST).unlink()
    fault_point("after-clean")
    _discard(root)


def _sync_folder(folder: Path) -> None:
    if not folder.exists():
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _discard(root: Path) -> None:
    shutil.rmtree(root / PENDING, ignore_errors=True)


def unfinished(root: Path) -> bool:
    """Say whether a transaction was cut short in this folder."""
    return (root / PENDING).exists()


def recover(root: Path) -> Manifest | None:
    """Finish or undo a transaction that was cut short, and return what was finished; the caller holds the lock.

    Raises E-PENDING where the staged files were damaged, E-DISK where there is still no room.
    """
    if not (root / PENDING / _MANIFEST).exists():
        _discard(root)
        return None
    manifest = _read_manifest(root)
    try:
        _check_staged(root, manifest)
        _place(root, manifest, durable=True)
    except OSError as error:
        raise _disk(root, error, recorded=True) from None
    return manifest


def _read_manifest(root: Path) -> Manifest:
    path = root / PENDING / _MANIFEST
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.MsgspecError:
        raise _damaged(path) from None


def _check_staged(root: Path, manifest: Manifest) -> None:
    """Raise E-PENDING unless every file of the manifest is staged or in its place, byte for byte."""
    for number, (path, digest) in enumerate(manifest.files.items()):
        staged = root / PENDING / str(number)
        place = staged if staged.exists() else root / path
        if not place.exists() or bytes_digest(place.read_bytes()) != digest:
            raise _damaged(place)


def _damaged(path: Path) -> ProblemError:
    hint = "restore the game's folder from git"
    return fail("E-PENDING", "a write was cut short, and what it left is damaged", Position(str(path)), hint)
