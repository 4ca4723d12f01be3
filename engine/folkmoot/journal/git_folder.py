"""Git's own folder of a repository, as an archive may have brought it: what lies in it is its own, and how it is read.

A folder `.git` that leads elsewhere would let a stranger's files act on another repository; a link, a pipe or a device
in it would be followed or waited for, by git and its library alike. What is refused is said, with the cure.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from folkmoot.core.problems import Position, ProblemError, fail

LARGEST_SETTINGS = 1 << 20
"""How many bytes of settings are read."""
_LONGEST_PATH = 4_096  # bytes, as no system takes more
_ELSEWHERE = ("hooks", "rr-cache")  # may be links: nothing here is read or run
_BELOW = {"refs": 999, "logs": 999, "info": 9, "objects": 9}
_INCLUDE = re.compile(rb"\[\s*include", re.IGNORECASE | re.ASCII)
_SECTION = re.compile(r'\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]', re.ASCII)
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|((?:[^"#;\\]|\\.)+)|[#;].*')
_KEY = re.compile("[A-Za-z][A-Za-z0-9_-]*")
_SPACE = " \t\r"  # what git leaves out around a setting, which is less than Python's
_ESCAPE = {"n": "\n", "t": "\t", "b": "\b"}
_MIGRATE = "`git refs migrate --ref-format=files`"
_KNOWN = ("noop", "objectformat", "partialclone", "preciousobjects", "refstorage", "worktreeconfig")

Settings = list[tuple[str, str]]
"""Names as git writes them (`remote.origin.url`; all but the middle in small letters), each with a value."""


def find_git_folder(folder: Path) -> Path | None:
    """Return git's own folder of the repository in which a folder lies, None where it lies in none.

    Raises E-GIT where that is not a folder of this place, holds what git does not put there, or is of a form that
    cannot be read here.
    """
    found = find_root(folder)
    return found[1] if found else None


def find_root(folder: Path) -> tuple[Path, Path] | None:
    """Return the root of a repository too, before git's own folder: the same where it has no work tree."""
    here = Path(os.path.abspath(folder))  # noqa: PTH100 (links on the way stay: a message names what was typed)
    for around in (here, *here.parents):
        if found := git_folder(around):
            return around, found
    return None


def git_folder(root: Path) -> Path | None:
    """Return git's own folder of a work tree or a bare repository by its root; as `find_git_folder` otherwise."""
    own = root / ".git"
    if own.is_file() or (own.is_symlink() and own.exists()):
        return _looked_at(_pointed_at(root, own))
    for found in (own, root):
        if os.path.lexists(found / "HEAD") and ((found / "refs").is_dir() or os.path.lexists(found / "commondir")):
            return _looked_at(found)
    return None


def common_folder(own: Path) -> Path:
    """Return the folder that all work trees of a repository share; raises E-GIT where it is none of them."""
    pointer = own / "commondir"
    if not os.path.lexists(pointer):
        return own
    common = Path(os.path.normpath(own / _line(pointer)))
    if os.path.realpath(own.parent.parent) != os.path.realpath(common) or own.parent.name != "worktrees":
        raise _refusal(pointer, f"leads to {common}, to which this folder does not belong", "`git worktree repair`")
    return common


def settings_of(common: Path, name: str = "config") -> Settings:
    """Return the settings of a repository itself, in their order; raises E-GIT where they include others."""
    file = common / name
    try:
        data = _start(file, LARGEST_SETTINGS)
    except FileNotFoundError:
        return []
    if len(data) > LARGEST_SETTINGS:
        raise _refusal(file, "is larger than settings are", "make a fresh clone")
    if _INCLUDE.search(data):
        cure = "put what it includes into your own settings: `git config --global include.path FILE`"
        raise _refusal(file, "includes other files, which are not read: they came with the repository", cure)
    return list(_parse(data.decode("utf-8", "surrogateescape")))


def _pointed_at(root: Path, own: Path) -> Path:
    """Return where a file or a link `.git` leads, if what is there says that it belongs to this work tree."""
    target = _target(own)
    _refuse_strange(target)
    back = target / "gitdir"
    if os.path.lexists(back) and os.path.realpath(target / _line(back)) == os.path.realpath(own):
        return target
    trees = _work_trees(settings_of(target), target)
    if any(os.path.realpath(target / tree) == os.path.realpath(root) for tree in trees):
        return target
    place = shlex.quote(str(target))
    cure = f"if it does: `git --git-dir={place} config core.worktree {shlex.quote(str(root))}`"
    raise _refusal(own, f"leads to {target}, which does not say that this folder belongs to it", cure)


def _work_trees(settings: Settings, common: Path) -> list[str]:
    return [_path(value, common / "config") for name, value in settings if name == "core.worktree"]


def _target(own: Path) -> Path:
    """Return the folder that `.git` is, by whatever it is that: a folder, a link or a file."""
    real = Path(os.path.realpath(own))
    return Path(os.path.realpath(own.parent / _line(own).removeprefix("gitdir: "))) if real.is_file() else real


def _line(file: Path) -> str:
    """Return the path that a file holds; raises E-GIT where that is none."""
    return _path(os.fsdecode(_start(file, _LONGEST_PATH)).rstrip("\r\n"), file)


def _path(said: str, file: Path) -> str:
    if len(said) > _LONGEST_PATH or "\0" in said or said != said.strip():  # not all readers end it there
        raise _refusal(file, "names something that is no path", "a fresh `git clone` has none of it")
    return said


def _start(file: Path, size: int) -> bytes:
    """Return the first bytes of a file, and one more where there are more."""
    with file.open("rb") as opened:
        return opened.read(size + 1)


# -- what is refused


def _looked_at(own: Path) -> Path:
    """Return git's own folder once everything in it that could lead astray was looked at."""
    _refuse_strange(own)
    common = common_folder(own)
    if common != own:
        _refuse_strange(common)
    settings = settings_of(common)
    _refuse_form(own, settings)
    trees = _work_trees([*settings, *settings_of(own, "config.worktree")], common)
    if not all(_target(own / tree / ".git") == Path(os.path.realpath(own)) for tree in trees):
        cure = "`git config --unset core.worktree` makes this folder its work tree"
        raise _refusal(common / "config", f"says that the files of this repository lie in {trees[-1]}", cure)
    _refuse_other_past(common)
    return own


def _refuse_strange(own: Path) -> None:
    """Raise E-GIT where git's own folder holds links, pipes or devices."""
    strange = next(_strange(own), None)
    if strange is not None:
        what = "is a link" if strange.is_symlink() else "is no plain file"
        raise _refusal(strange, f"{what}, which git does not put there", "a fresh `git clone` has plain files only")


def _strange(own: Path) -> Iterator[Path]:
    yield from (each for each in _no_files(own, 0) if each.name not in _ELSEWHERE and not each.is_socket())
    for name, depth in _BELOW.items():
        yield from _no_files(own / name, depth)


def _no_files(folder: Path, depth: int) -> Iterator[Path]:
    """Yield what is neither a folder nor a plain file in a folder, and so many levels below it."""
    folders = [(str(folder), depth)]  # a path object for each of some hundred folders would take as long as all else
    for here, below in folders:
        try:
            found = list(os.scandir(here))
        except (FileNotFoundError, NotADirectoryError):
            continue
        for each in found:
            if each.is_dir(follow_symlinks=False):
                folders += [(each.path, below - 1)] if below else []
            elif not each.is_file(follow_symlinks=False):
                yield Path(each.path)


def _refuse_form(own: Path, settings: Settings) -> None:
    """Raise E-GIT for a repository that is sound, and of a form that nothing here can read."""
    given = dict(settings)
    version = given.get("core.repositoryformatversion", "0")
    extensions = {name.partition(".")[2]: value for name, value in settings if name.startswith("extensions.")}
    unknown = sorted(name for name in extensions if name not in _KNOWN)
    if extensions.get("objectformat", "sha1").lower() != "sha1":
        cure = "a game lives in one made with `git init --object-format=sha1`"
        raise _form(own, "names its objects by SHA-256, which Folkmoot does not read", cure)
    if extensions.get("refstorage", "files").lower() != "files" or (own / "reftable").is_dir():
        raise _form(own, "keeps its refs in a form that Folkmoot does not read", _MIGRATE)
    if version not in ("0", "1") or (unknown and version == "1"):
        what = f"extensions.{unknown[0]}" if version == "1" else f"version {version}"
        raise _form(own, f"is of a form that Folkmoot does not read ({what})", "a fresh `git clone` is of another")


def _refuse_other_past(common: Path) -> None:
    """Raise E-GIT where objects of other repositories, or other parents of commits, would be taken for its own."""
    if _says_something(alternates := common / "objects/info/alternates"):
        cure = f"`git repack -a -d && rm {shlex.quote(str(alternates))}` brings them here"
        raise _refusal(alternates, "lends this repository the objects of another, which are not read", cure)
    if _says_something(grafts := common / "info/grafts"):
        raise _refusal(grafts, "gives commits other parents than they have", f"`rm {shlex.quote(str(grafts))}`")


def _says_something(file: Path) -> bool:
    data = _start(file, LARGEST_SETTINGS) if file.exists() else b""
    return len(data) > LARGEST_SETTINGS or any(line and line[:1] != b"#" for line in data.split(b"\n"))


def _refusal(path: Path, what: str, cure: str) -> ProblemError:
    return fail("E-GIT", f"{path.name} {what}", Position(str(path)), cure)


def _form(own: Path, what: str, cure: str) -> ProblemError:
    return fail("E-GIT", f"this repository is not damaged, but {what}", Position(str(own)), cure)


# -- settings


def _parse(text: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of a file; what is no setting is left out, and git will complain of it."""
    section = ""
    for written in text.replace("\r\n", "\n").replace("\\\n", "").split("\n"):
        line = written.strip(_SPACE)
        while found := _SECTION.match(line):
            below = "" if found[2] is None else "." + _unescape(found[2])
            section, line = found[1].lower() + below, line[found.end() :].lstrip(_SPACE)
        key, given, value = line.partition("=")
        if _KEY.fullmatch(key.strip(_SPACE)):
            yield f"{section}.{key.strip(_SPACE).lower()}", _value(value) if given else "true"


def _value(written: str) -> str:
    plain = "".join(found[0] for found in _WORD.finditer(written) if found[0][0] not in "#;").strip(_SPACE)
    return "".join(_unescape(found[1] or found[2] or "") for found in _WORD.finditer(plain))


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPE.get(found[1], found[1]), text)
