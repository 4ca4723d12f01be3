"""The engine that runs, as a wheel: out of where it was installed from, or out of its own files.

An installer writes down where it took a package from (`direct_url.json`, PEP 610): a wheel, a folder, a commit; of a
package index it writes nothing.
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
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from folkmoot import __version__
from folkmoot.core.packaged import PACKAGED, scaffold
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.git_transport import Git, without_secrets
from folkmoot.journal.git_programs import STATUS

ENGINE = "folkmoot"
BUILT_FROM = (
    *("engine", "site_src", "ci", "pyproject.toml", "setup.py", "MANIFEST.in"),
    *("README.md", "LICENSE", "mkdocs.yml", "requirements.lock"),
)
"""What a wheel is built from, in the engine's own repository."""
_BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
_OLDEST_BUILDER = 77
_INSTALLERS = frozenset({"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json"})
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the time that a zip gives to a file of no time
_SAME_TIME = "315532800"  # that time as seconds


class OwnWheel(Struct, frozen=True):
    """A wheel of the engine that runs: where it is, whether no index has it, and in words where it comes from."""

    path: Path
    kept: bool
    source: str


def own_wheel(folder: Path) -> OwnWheel:
    """Return a wheel of the engine that runs; what has to be made or fetched is put into a folder.

    Raises E-PIN where the wheel it was installed from is gone or another, or where its sources build none, E-OUTSIDE
    where pip fails.
    """
    if scaffold().name != PACKAGED:
        return _built(scaffold(), folder)
    try:
        installed = distribution(ENGINE)
    except PackageNotFoundError:
        raise fail("E-PIN", "nobody installed this engine", None, "name a wheel: `moot pin folkmoot-….whl`") from None
    said = installed.read_text("direct_url.json")
    if said is None:
        return OwnWheel(download(__version__, folder), kept=False, source=f"version {__version__} of the package index")
    return _from_address(json.loads(said), installed, folder)


def _from_address(told: dict[str, Any], installed: Distribution, folder: Path) -> OwnWheel:
    """Return the wheel that was installed if it is still there, else one of the installed files."""
    address = str(told["url"])
    place = urlsplit(address)
    file = Path(unquote(place.path))
    commit = str((told.get("vcs_info") or {}).get("commit_id") or "")
    if place.scheme == "file" and file.suffix == ".whl" and _is_that(file, told.get("archive_info") or {}):
        return OwnWheel(file, kept=True, source=str(file))
    named = f"{without_secrets(address, address)}{f' at {commit[:12]}' if commit else ''}"
    return OwnWheel(_gathered(installed, folder), kept=True, source=f"its own files, installed from {named}")


def _is_that(file: Path, told: dict[str, Any]) -> bool:
    """Say whether a file is there, and the one that was installed as far as the installer wrote that down."""
    known = (told.get("hashes") or {}).get("sha256") or str(told.get("hash") or "").removeprefix("sha256=")
    return file.is_file() and known in ("", hashlib.sha256(file.read_bytes()).hexdigest())


# -- from its sources


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
    _run(_builder(out), copy, f"{sources} builds no wheel")
    return OwnWheel(next(out.glob("*.whl")), kept=True, source=_state_of(sources))


def _builder(out: Path) -> list[str]:
    """Return what builds a wheel of the folder it runs in: setuptools of this environment where that can, else pip."""
    if find_spec("setuptools") and int(version("setuptools").partition(".")[0]) >= _OLDEST_BUILDER:
        return [sys.executable, "-c", _BUILD, str(out)]
    return [*pip(), "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), "."]


def _state_of(sources: Path) -> str:
    """Return in words what a wheel was built from: a folder, and the commit that stands in it."""
    git = Git(sources)
    try:
        commit = git.look(["rev-parse", "--short=12", "HEAD"]).strip()
        changed = git.look([*STATUS, "--", *BUILT_FROM]).strip()
    except ProblemError:
        return f"the sources in {sources}"
    return f"{sources} at {commit}{', with changes that are in no commit' if changed else ''}"


# -- from its files


def _gathered(installed: Distribution, folder: Path) -> Path:
    """Write the wheel of an installed package: its files, without what the installer added; return its path."""
    target = folder / f"{ENGINE}-{installed.version}-py3-none-any.whl"
    files = dict(sorted(_files(installed)))
    listed = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    record = next(name for name in files if name.endswith(".dist-info/METADATA")).replace("METADATA", "RECORD")
    files[record] = ("\n".join([*listed, f"{record},,"]) + "\n").encode()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return target


def _files(installed: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package by their names in its wheel."""
    for path in installed.files or ():
        if not _is_added(path):
            yield path.as_posix(), path.read_binary()


def _is_added(path: PackagePath) -> bool:
    """Say whether an installer made a file: a program, compiled code, a note of its own."""
    note = path.parent.suffix == ".dist-info" and path.name in _INSTALLERS
    return note or ".." in path.parts or path.is_absolute() or "__pycache__" in path.parts


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


# -- from an index


def download(wanted: str, folder: Path) -> Path:
    """Fetch a version of the engine from the index that pip is set to; return the wheel. Raises E-PIN, E-OUTSIDE."""
    if not re.fullmatch(r"\d[A-Za-z0-9.!+]*", wanted):
        hint = "name a wheel, a folder of wheels, or a version such as 0.2.0"
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
    raise fail("E-OUTSIDE", "this environment has no pip, and uv is not here", None, "name a wheel: `moot pin FILE`")


def _run(command: Sequence[str], folder: Path, failure: str) -> None:
    """Run a program of an installer; raises E-OUTSIDE with the last line that it says."""
    same = {**os.environ, "SOURCE_DATE_EPOCH": _SAME_TIME}  # the same sources make the same bytes
    done = subprocess.run(command, cwd=folder, env=same, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        why = f": {said[-1]}" if said else ""
        raise fail("E-OUTSIDE", f"{failure}{why}", None, "name a wheel: `moot pin folkmoot-….whl`")
