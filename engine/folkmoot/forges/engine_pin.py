"""The pin of the engine in a game's repository: which version of what its jobs run, proved by hashes.

A pin is a list of requirements as pip reads it, one package by version and hashes each, and nothing else in it: no
address, no option, no package without a hash. It is made from a wheel of the engine, which carries the list of what it
was tested with.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from email.parser import Parser
from pathlib import Path

from msgspec import Struct

from folkmoot.core.clone_files import read_text, read_whole, remove, write_whole
from folkmoot.core.engines import rank
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.files.named_files import read_bytes
from folkmoot.forges.own_engine import ENGINE, OwnWheel, download, own_wheel
from folkmoot.forges.workflows import LOCK, WHEELS
from folkmoot.journal.layout import read_document

CARRIED = "folkmoot/scaffold/requirements.lock"
"""Where a wheel keeps the list of what the engine runs with."""
CARRIED_BEFORE = "engine/scaffold/requirements.lock"
"""Where a wheel kept it before 0.2."""
GAMES = "state/*/game.yaml"
LARGEST = 50_000_000  # bytes of a wheel, and of what is read out of one
HEADER = """\
# The engine of this repository's games, and what it runs with, by version and hash.
# Written by `moot pin`; the jobs install this and nothing else. Whoever changes it changes the referee.
"""
_BUILD_ONLY = frozenset({"pip", "setuptools"})  # of the list, what only sources need
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_FIRST = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[A-Za-z0-9.!+_-]+)(?P<marker> ?; ?[^#\\]+?)?\Z")
_HASH = re.compile(r"--hash=sha256:(?P<hash>[0-9a-f]{64})\Z")


class Package(Struct, frozen=True):
    """A package of a pin: its version, for which systems, the SHA-256 of files that may be it, and where it stands."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    text: str
    line: int


class Pinned(Struct, frozen=True):
    """What `pin` did: version and hash of the wheel, how many packages there are, what changed, whence the wheel is."""

    version: str
    digest: str
    packages: int
    changed: tuple[str, ...]
    source: str


# -- reading


def read_lock(text: str, file: str = LOCK) -> list[Package]:
    """Return the packages of a pin; raises E-PIN with everything that does not belong into one."""
    found: dict[tuple[str, str], Package] = {}
    problems: list[Problem] = []
    for line, words in _requirements(text):
        package = _package(words, line)
        if package is None:
            hint = "it may hold only packages by version and hash; write it with `moot pin`"
            problems.append(Problem("E-PIN", f"this is no pinned package: {words[:60]}", Position(file, line), hint))
        elif (package.name, package.marker) in found:
            first = found[package.name, package.marker].line
            problems.append(Problem("E-PIN", f"{package.name} is pinned in line {first} already", Position(file, line)))
        else:
            found[package.name, package.marker] = package
    if problems:
        raise ProblemError(*problems)
    return list(found.values())


def pinned_engine(text: str) -> Package:
    """Return the engine that a pin names; raises E-PIN where it names none, or holds what does not belong there."""
    found = next((package for package in read_lock(text) if package.name == ENGINE), None)
    if found is None or found.marker:
        raise fail("E-PIN", f"{ENGINE} itself is not pinned", Position(LOCK), "write it with `moot pin`")
    return found


def _requirements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the logical lines of a list of requirements with the numbers of their first lines."""
    begun, parts = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not parts and (not line.strip() or line.startswith("#")):
            continue
        begun = begun if parts else number
        parts.append(line.rstrip().removesuffix("\\").strip())
        if not line.rstrip().endswith("\\"):
            yield begun, " ".join(parts)
            parts = []
    if parts:
        yield begun, " ".join(parts)


def _package(words: str, line: int) -> Package | None:
    first, *rest = words.split(" --hash=")
    named = _FIRST.match(first.strip())
    hashes = [_HASH.match(f"--hash={part.strip()}") for part in rest]
    if named is None or not hashes or not all(hashes):
        return None
    name = re.sub(r"[-_.]+", "-", named["name"]).lower()
    known = tuple(found["hash"] for found in hashes if found)
    written = " \\\n    ".join([first.strip(), *(f"--hash=sha256:{each}" for each in known)])
    marker = (named["marker"] or "").lstrip(" ;")
    return Package(name, named["version"], marker, known, f"{written}\n", line) if _NAME.fullmatch(name) else None


# -- what lies beside it


def faults(root: Path) -> list[Problem]:
    """Return what is wrong with a repository's pin beside what it says: wheels that are not it, an engine too old.

    Raises E-PIN where the pin itself is not in order.
    """
    pinned = pinned_engine(read_text(root / LOCK, errors="replace") or "")
    wheels = [wheel_fault(pinned, wheel) for wheel in sorted((root / WHEELS).glob("*"))]
    older = too_old(pinned.version, recorded(root))
    hint = "write it with `moot pin`, by a reviewed pull request"
    told = [*filter(None, wheels), *([f"the pin goes back to Folkmoot {older}"] if older else [])]
    return [Problem("E-PIN", each, Position(LOCK), hint) for each in told]


def wheel_fault(pinned: Package, wheel: Path) -> str:
    """Return what is wrong with a wheel that is kept beside the pin, "" for nothing."""
    name = f"{WHEELS}/{wheel.name}"
    if not is_named(pinned, wheel.name):
        return f"{name} is no wheel of Folkmoot {pinned.version}, which {LOCK} pins"
    if hashlib.sha256(read_whole(wheel) or b"").hexdigest() not in pinned.hashes:
        return f"{name} is another file than the one that {LOCK} pins: no job could install it"
    return ""


def is_named(pinned: Package, name: str) -> bool:
    """Say whether a file is called as a wheel of the pinned engine is."""
    found = re.match(rf"{ENGINE}-([^-]+)-.*\.whl\Z", name)
    return found is not None and found[1] == pinned.version


def recorded(root: Path) -> dict[str, str]:
    """Return the games of a repository with the versions of the engines that judge them."""
    games = {file.parent.name: read_document("game", read_whole(file) or b"", file.name) for file in root.glob(GAMES)}
    return {name: str(game["engine"]["folkmoot"]) for name, game in games.items() if game.get("engine")}


def too_old(version: str, games: Mapping[str, str]) -> str:
    """Return in words why an engine is too old for games (name → version), "" where it is not."""
    ranked = max(((rank({"folkmoot": newer})[0], newer, name) for name, newer in games.items()), default=None)
    if ranked is None or rank({"folkmoot": version})[0] >= ranked[0]:
        return ""
    return f"{version}, which is older than {ranked[1]}, and that judges {ranked[2]}: it would record nothing more"


# -- writing


def pin(root: Path, source: str | None = None) -> Pinned:
    """Pin the engine in a repository.

    Args:
        root: the repository.
        source: a wheel, a folder of wheels (its newest is taken), a version, or nothing for the engine that runs;
            versions are asked of the package index that pip is set to. A wheel that no index is known to have is
            kept in the repository.

    Returns:
        what was pinned.

    Raises:
        ProblemError: E-PIN where there is no such wheel, or it is no engine; E-OUTSIDE where pip fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = _wheel(source, Path(folder)) if source else own_wheel(Path(folder))
        content = read_bytes(found.path, LARGEST)
        version, lock = _compose(found.path, content)
        if older := too_old(version, recorded(root)):
            raise fail("E-PIN", f"Folkmoot {older}", None, "pin that one or a newer")
        changed = [LOCK] if _write(root / LOCK, lock.encode()) else []
        changed += _keep(root, found.path if found.kept else None, content)
    digest = hashlib.sha256(content).hexdigest()
    return Pinned(version, digest, len(read_lock(lock)), tuple(changed), found.source)


def _wheel(source: str, folder: Path) -> OwnWheel:
    """Return the wheel that is meant, and whether it came as a file."""
    path = Path(source).expanduser()
    if path.is_dir():
        wheels = sorted(
            path.glob(f"{ENGINE}-*.whl"), key=lambda wheel: (rank({ENGINE: wheel.name.split("-")[1]}), wheel.name)
        )
        if not wheels:
            raise fail("E-PIN", f"there is no wheel of {ENGINE} in {path}", None, "build one: `pip wheel --no-deps .`")
        return OwnWheel(wheels[-1], kept=True, source=str(wheels[-1]))
    if path.is_file() or path.suffix == ".whl" or "/" in source:
        if not path.is_file():
            raise fail("E-PIN", f"there is no file {path}", None, "name a wheel, a folder of wheels or a version")
        return OwnWheel(path, kept=True, source=str(path))
    return OwnWheel(download(source, folder), kept=False, source=f"version {source} of the package index")


def _compose(wheel: Path, content: bytes) -> tuple[str, str]:
    """Return the version of the engine in a wheel, and the pin of it; raises E-PIN where it is none."""
    named, version, carried = _read_wheel(wheel)
    if re.sub(r"[-_.]+", "-", named).lower() != ENGINE:
        raise fail("E-PIN", f"{wheel.name} is {named or 'nothing'}, not {ENGINE}", None, "name a wheel of the engine")
    packages = read_lock(carried, CARRIED)
    digest = hashlib.sha256(content).hexdigest()
    engine = f"{ENGINE}=={version} \\\n    --hash=sha256:{digest}\n"
    needed = [package.text for package in packages if package.name not in {*_BUILD_ONLY, ENGINE}]
    lock = "".join([HEADER, engine, *needed])
    read_lock(lock)
    return version, lock


def _read_wheel(wheel: Path) -> tuple[str, str, str]:
    """Return name and version of a wheel, and the list that it carries; raises E-PIN where it cannot be read."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            metadata = next((name for name in archive.namelist() if name.endswith(".dist-info/METADATA")), "")
            told = Parser().parsestr(_text(archive, metadata), headersonly=True)
            carried = CARRIED_BEFORE if CARRIED_BEFORE in archive.namelist() else CARRIED
            return str(told["Name"] or ""), str(told["Version"] or ""), _text(archive, carried)
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, OSError) as error:
        why = f"{wheel.name} is no wheel of the engine, or is damaged: {error}"
        raise fail("E-PIN", why, None, "build it again, or fetch it again") from None


def _text(archive: zipfile.ZipFile, name: str) -> str:
    if archive.getinfo(name).file_size > LARGEST:
        raise zipfile.BadZipFile(f"{name} is too large")
    return archive.read(name).decode("utf-8")


def _keep(root: Path, wheel: Path | None, content: bytes) -> Iterator[str]:
    """Keep a wheel in the repository, instead of those that were there; yield the files that changed."""
    name = wheel.name if wheel else ""
    for old in sorted((root / WHEELS).glob(f"{ENGINE}-*.whl")):
        if old.name != name:
            remove(old)
            yield f"{WHEELS}/{old.name}"
    if wheel and _write(root / WHEELS / name, content):
        yield f"{WHEELS}/{name}"


def _write(path: Path, content: bytes) -> bool:
    """Write a file whole or not at all; say whether it changed."""
    if read_whole(path) == content:
        return False
    write_whole(path, content)
    return True
