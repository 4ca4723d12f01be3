"""The pin of the engine in a game's repository, proved by hashes, and the wheel of the engine from which it is made.

A pin is a list of requirements as pip reads it, one package by version and hashes each, and nothing else in it: no
address, no option, no package without a hash. A wheel of the engine carries the list of what it was tested with. That
of the engine that runs is found by what its installer wrote down (`direct_url.json`, PEP 610), or made of its files.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from email.parser import Parser
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from folkmoot import __version__
from folkmoot.core.clone_files import read_text, read_whole, remove, write_whole
from folkmoot.core.engines import rank
from folkmoot.core.packaged import PACKAGED, scaffold
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.files.named_files import read_bytes
from folkmoot.forges.git_transport import without_secrets
from folkmoot.forges.workflows import LOCK, WHEELS
from folkmoot.journal.layout import read_document

CARRIED = "folkmoot/scaffold/requirements.lock"  # where a wheel keeps the list of what the engine runs with
GAMES = "state/*/game.yaml"
LARGEST = 50_000_000  # bytes of a wheel, and of what is read out of one
HEADER = """\
# The engine of this repository's games, and what it runs with, by version and hash.
# Written by `moot init --pin`; the jobs install this and nothing else. Whoever changes it changes the referee.
"""
_BUILD_ONLY = frozenset({"pip", "setuptools"})  # of the list, what only sources need
_NAME = r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
_FIRST = re.compile(rf"{_NAME}==(?P<version>[A-Za-z0-9.!+_-]+)(?P<marker> ?; ?[^#\\]+?)?\Z")
_HASH = re.compile(r"[0-9a-f]{64}\Z")


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


def read_lock(text: str, file: str = LOCK) -> list[Package]:
    """Return the packages of a pin; raises E-PIN with everything that does not belong into one."""
    found: dict[tuple[str, str], Package] = {}
    problems: list[Problem] = []
    for line, words in _requirements(text):
        package = _package(words, line)
        if package is None:
            hint = "it may hold only packages by version and hash; write it with `moot init --pin`"
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
        raise fail("E-PIN", f"{ENGINE} itself is not pinned", Position(LOCK), "write it with `moot init --pin`")
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
    first, *hashes = (part.strip() for part in words.split(" --hash=sha256:"))
    named = _FIRST.match(first)
    if named is None or not hashes or not all(map(_HASH.match, hashes)):
        return None
    name = re.sub(r"[-_.]+", "-", named["name"]).lower()
    written = " \\\n    ".join([first, *(f"--hash=sha256:{each}" for each in hashes)])
    marker = (named["marker"] or "").lstrip(" ;")
    return Package(name, named["version"], marker, tuple(hashes), f"{written}\n", line)


def faults(root: Path) -> list[Problem]:
    """Return what is wrong beside the pin: other wheels, an engine too old. Raises E-PIN where the pin is none."""
    pinned = pinned_engine(read_text(root / LOCK, errors="replace") or "")
    told = []
    for wheel in sorted((root / WHEELS).glob("*")):
        name = f"{WHEELS}/{wheel.name}"
        if not is_named(pinned, wheel.name):
            told.append(f"{name} is no wheel of Folkmoot {pinned.version}, which {LOCK} pins")
        elif hashlib.sha256(read_whole(wheel) or b"").hexdigest() not in pinned.hashes:
            told.append(f"{name} is another file than the one that {LOCK} pins: no job could install it")
    if older := too_old(pinned.version, recorded(root)):
        told.append(f"the pin goes back to Folkmoot {older}")
    hint = "write it with `moot init --pin`, by a reviewed pull request"
    return [Problem("E-PIN", each, Position(LOCK), hint) for each in told]


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


def pin(root: Path, source: str | None = None) -> Pinned:
    """Pin the engine in a repository: that of a wheel, of a version, or that runs.

    Versions are asked of the package index that pip is set to; a wheel that no index is known to have is kept in the
    repository. Raises E-PIN where there is no such wheel, or it is no engine, E-OUTSIDE where pip fails.
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
    if path.is_file() or path.suffix == ".whl" or "/" in source:
        if not path.is_file():
            raise fail("E-PIN", f"there is no file {path}", None, "name a wheel or a version")
        return OwnWheel(path, kept=True, source=str(path))
    return OwnWheel(download(source, folder), kept=False, source=f"version {source} of the package index")


def _compose(wheel: Path, content: bytes) -> tuple[str, str]:
    """Return the version of the engine in a wheel, and the pin of it; raises E-PIN where it is none."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            metadata = next((name for name in archive.namelist() if name.endswith(".dist-info/METADATA")), "")
            told, carried = Parser().parsestr(_text(archive, metadata), headersonly=True), _text(archive, CARRIED)
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, OSError) as error:
        why = f"{wheel.name} is no wheel of the engine, or is damaged: {error}"
        raise fail("E-PIN", why, None, "build it again, or fetch it again") from None
    named, version = str(told["Name"] or ""), str(told["Version"] or "")
    if re.sub(r"[-_.]+", "-", named).lower() != ENGINE:
        raise fail("E-PIN", f"{wheel.name} is {named or 'nothing'}, not {ENGINE}", None, "name a wheel of the engine")
    packages = read_lock(carried, CARRIED)
    digest = hashlib.sha256(content).hexdigest()
    engine = f"{ENGINE}=={version} \\\n    --hash=sha256:{digest}\n"
    needed = [package.text for package in packages if package.name not in {*_BUILD_ONLY, ENGINE}]
    lock = "".join([HEADER, engine, *needed])
    read_lock(lock)
    return version, lock


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
    changed = read_whole(path) != content
    if changed:
        write_whole(path, content)
    return changed


ENGINE = "folkmoot"
BUILT_FROM = (
    *("engine", "site_src", "ci", "pyproject.toml", "setup.py", "MANIFEST.in"),
    *("README.md", "LICENSE", "mkdocs.yml", "requirements.lock"),
)
"""What a wheel is built from, in the engine's own repository."""
_BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
_INSTALLERS = frozenset({"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json"})
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the time that a zip gives to a file of no time
_SAME_TIME = "315532800"  # that time as seconds


class OwnWheel(Struct, frozen=True):
    """A wheel of the engine that runs: where it is, whether no index has it, and in words where it comes from."""

    path: Path
    kept: bool
    source: str


def own_wheel(folder: Path) -> OwnWheel:
    """Return a wheel of the engine that runs, made or fetched into a folder. Raises E-PIN, E-OUTSIDE if that fails."""
    if scaffold().name != PACKAGED:
        return _built(scaffold(), folder)
    try:
        installed = distribution(ENGINE)
    except PackageNotFoundError:
        raise fail(
            "E-PIN", "nobody installed this engine", None, "name a wheel: `moot init --pin folkmoot-….whl`"
        ) from None
    said = installed.read_text("direct_url.json")
    if said is None:
        return OwnWheel(download(__version__, folder), kept=False, source=f"version {__version__} of the package index")
    address = str(json.loads(said)["url"])
    source = f"its own files, installed from {without_secrets(address, address)}"
    return OwnWheel(_gathered(installed, folder), kept=True, source=source)


def _built(sources: Path, folder: Path) -> OwnWheel:
    """Build a wheel of the engine's repository as it stands, in a copy of it."""
    copy, out = folder / "sources", folder / "wheel"
    for name in BUILT_FROM:
        if (sources / name).is_dir():
            shutil.copytree(sources / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            copy.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sources / name, copy / name)
    out.mkdir()
    _run([sys.executable, "-c", _BUILD, str(out)], copy, f"{sources} builds no wheel")
    return OwnWheel(next(out.glob("*.whl")), kept=True, source=f"the sources in {sources}")


def _gathered(installed: Distribution, folder: Path) -> Path:
    """Write the wheel of an installed package: its files, without what the installer added; return its path."""
    target = folder / f"{ENGINE}-{installed.version}-py3-none-any.whl"
    files = {
        path.as_posix(): path.read_binary() for path in sorted(installed.files or (), key=str) if not _is_added(path)
    }
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in files.items()}
    listed = [f"{name},sha256={digests[name].rstrip(b'=').decode()},{len(data)}" for name, data in files.items()]
    record = next(name for name in files if name.endswith(".dist-info/METADATA")).replace("METADATA", "RECORD")
    files[record] = ("\n".join([*listed, f"{record},,"]) + "\n").encode()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return target


def _is_added(path: PackagePath) -> bool:
    """Say whether an installer made a file: a program, compiled code, a note of its own."""
    note = path.parent.suffix == ".dist-info" and path.name in _INSTALLERS
    return note or ".." in path.parts or path.is_absolute() or "__pycache__" in path.parts


def download(wanted: str, folder: Path) -> Path:
    """Fetch a version of the engine from the index that pip is set to; return the wheel. Raises E-PIN, E-OUTSIDE."""
    if not re.fullmatch(r"\d[A-Za-z0-9.!+]*", wanted):
        hint = "name a wheel, or a version such as 0.2.0"
        raise fail("E-PIN", f"{wanted!r} is no wheel and no version", None, hint)
    options = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:")
    name = f"{ENGINE}=={wanted}"
    _run([*pip(), "download", *options, "--dest", str(folder), "--", name], folder, f"pip could not fetch {name}")
    return next(folder.glob("*.whl"))


def pip() -> list[str]:
    """Return how pip is run: in this environment, or where that has none, by uv."""
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "pip"]
    raise fail(
        "E-OUTSIDE", "this environment has no pip, and uv is not here", None, "name a wheel: `moot init --pin FILE`"
    )


def _run(command: Sequence[str], folder: Path, failure: str) -> None:
    """Run a program of an installer; raises E-OUTSIDE with the last line that it says."""
    same = {**os.environ, "SOURCE_DATE_EPOCH": _SAME_TIME}  # the same sources make the same bytes
    done = subprocess.run(command, cwd=folder, env=same, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        why = f": {said[-1]}" if said else ""
        raise fail("E-OUTSIDE", f"{failure}{why}", None, "name a wheel: `moot init --pin folkmoot-….whl`")
