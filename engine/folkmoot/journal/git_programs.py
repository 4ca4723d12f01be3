"""Which programs git may start in a repository: none that its settings, its hooks or its attributes name.

Git always reads the settings of the repository that it works on. So it gets another folder of settings, made for one
command, with what is harmless in the repository's own (`HARMLESS`) and all of the repository's refs and objects. How a
server is reached (`core.sshCommand`, `credential.helper`, proxies) and by which program somebody signs is what that
person has set for all repositories.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.journal.git_folder import common_folder, find_root, settings_of

if TYPE_CHECKING:
    import pygit2

SETTINGS = (
    *(f"core.hooksPath={os.devnull}", "core.fsmonitor=false", f"core.attributesFile={os.devnull}"),
    *("core.alternateRefsCommand=true", "core.pager=cat", "submodule.recurse=false"),
    "safe.bareRepository=all",  # it runs where somebody said; what such a repository names is not run
    "advice.graftFileDeprecated=false",  # a hint that would stand before whatever else git complains of
)
"""Settings under which git runs no hook, watcher, pager or other program of the repository's."""
QUIETLY = [word for setting in SETTINGS for word in ("-c", setting)]
"""The same as words of a command, behind `git`."""
STATUS = ("status", "--porcelain=v1", "--ignore-submodules=all")
"""How git is asked what was changed: in a repository within it works by what is set there, so none is looked into."""
STATUS_SECONDS = 10
"""For how long: a pipe where git looks for patterns or for a repository would let it wait for ever."""
AS_IT_IS = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",  # beside `HARMLESS`: the promise of a remote may stand among somebody's own settings
}
"""Variables under which git sees the objects that are there, puts none in their place, and fetches none unasked."""
HARMLESS = re.compile(
    r"core\.(filemode|ignorecase|symlinks|precomposeunicode|bare|repositoryformatversion|logallrefupdates)"
    r"|core\.(sharedrepository|autocrlf|eol|safecrlf)|(user|author|committer)\.(name|email)"
    r"|user\.signingkey|commit\.gpgsign|gpg\.format|branch\..+\.(remote|merge)"
    r"|remote\..+\.(url|pushurl|fetch)|(moot|folkmoot)\..+",
    re.DOTALL,
)
"""Settings of a repository that git is told: what files look like, who commits, where remotes are, and our own."""
_PERHAPS_MEANT = re.compile(
    r"core\.(sshcommand|gitproxy|askpass)|(credential|http|url)\..+|gpg\.(.+\.)?program|remote\..+\.(proxy|vcs)"
    r"|remote\..+\.(uploadpack|receivepack)",
    re.DOTALL,
)
_SERVING = re.compile(
    r"(receive|uploadpack|transfer|pack|gc|repack|http|fetch|fsck)\.(?!.*hook)[a-z]+|remote\..+\.(mirror|prune|tagopt)|moot\..+"
)
"""Settings of a repository by which it takes what is pushed to it, and that start nothing."""
_OWN_HOOKS = ("core.hookspath", "hooks")
_LINKED = ("refs", "packed-refs", "shallow", "logs")
_STEPS = {"clean": "", "smudge": "", "process": "", "required": "false"}


def ended(code: int) -> str:
    """Return what there is to say of a git that said nothing itself: how it ended."""
    if code < 0 and -code == getattr(signal, "SIGXFSZ", 0):
        return os.strerror(errno.EFBIG)
    return f"git was ended by signal {-code}" if code < 0 else f"git ended with code {code}"


def not_followed(folder: Path) -> list[str]:
    """Return the settings of a repository itself by which somebody may have meant to reach a server, or to sign."""
    found = find_root(folder)
    names = [name for name, _ in settings_of(common_folder(found[1]))] if found else []
    return [name for name in dict.fromkeys(names) if _PERHAPS_MEANT.fullmatch(name)]


def started_by_push(place: Path, packaged: Callable[[str], bool]) -> Iterator[str]:
    """Yield what may start programs where something is pushed to a repository on this machine: files and settings.

    Hooks whose text is `packaged` are none. Git takes a path for any of four folders.
    """
    for own in (place, place / ".git", Path(f"{place}.git"), Path(f"{place}.git") / ".git"):
        if own.is_file() or (own / "commondir").exists():
            yield f"{own} leads elsewhere"
        elif (own / "HEAD").exists():
            yield from (str(hook) for hook in _hooks(own) if not packaged(_text(own, hook)))
            for name, value in settings_of(own):
                if not (HARMLESS.fullmatch(name) or _SERVING.fullmatch(name) or (name, value) == _OWN_HOOKS):
                    yield f"{name} in {own / 'config'}"


def _hooks(own: Path) -> list[Path]:
    found = sorted((own / "hooks").iterdir()) if (own / "hooks").is_dir() else []
    return [each for each in found if each.suffix != ".sample" and os.access(each, os.X_OK) and each.is_file()]


def _text(own: Path, hook: Path) -> str:
    with suppress(OSError, ProblemError):
        return CloneFiles(own).read_text(f"hooks/{hook.name}", errors="replace") or ""
    return ""


@contextmanager
def own_settings(folder: Path, *, files: bool = True) -> Iterator[dict[str, str]]:
    """Yield the variables under which git works on the repository around a folder, by harmless settings alone.

    Without `files` it is not shown the work tree, in which it would look for attributes. None outside of a repository.
    Raises E-GIT where it is refused, or git does not trust the owner of its files.
    """
    found = find_root(folder)
    if found is None:
        yield {}
        return
    root, own = found
    common = common_folder(own)
    _refuse_foreign(root, own)
    with tempfile.TemporaryDirectory(prefix="moot-git-") as made:
        has_files = files and root != own
        _lay(Path(made), common, has_work_tree=has_files)
        tree = {"GIT_WORK_TREE": str(root)} if has_files else {}
        yield {"GIT_DIR": str(own), "GIT_COMMON_DIR": made, "GIT_OBJECT_DIRECTORY": str(common / "objects"), **tree}
        if not os.path.lexists(f"{made}/shallow"):  # git has all of the history now, and removed the file's other name
            (common / "shallow").unlink(missing_ok=True)


def no_status(root: Path) -> ProblemError:
    """Return what to say where git was asked for `STATUS_SECONDS` what was changed in a work tree."""
    why = f"git does not say within {STATUS_SECONDS} seconds what was changed"
    return fail("E-GIT", why, Position(str(root)), "look for pipes: `find . -type p`")


def as_in_place(complaint: bytes, settings: Mapping[str, str]) -> bytes:
    """Return what git complained of under `own_settings` with the names that the repository's files have."""
    if "GIT_COMMON_DIR" not in settings:
        return complaint
    common = os.path.dirname(settings["GIT_OBJECT_DIRECTORY"])  # noqa: PTH120 (a text)
    return complaint.replace(os.fsencode(settings["GIT_COMMON_DIR"]), os.fsencode(common))


def _lay(made: Path, common: Path, *, has_work_tree: bool) -> None:
    """Make the folder that git takes for the repository's: settings of ours, and its refs."""
    settings = [setting for setting in settings_of(common) if HARMLESS.fullmatch(setting[0])]
    settings += [] if has_work_tree else [("core.bare", "true")]
    (made / "config").write_text("".join(map(_line, settings)), "utf-8", "surrogateescape")
    (made / "info").mkdir()
    (made / "info/exclude").symlink_to(common / "info/exclude")
    if has_work_tree:
        with suppress(OSError):  # before the first commit there is none; git cannot make it through a link
            (common / "logs").mkdir(exist_ok=True)
    for name in _LINKED:
        (made / name).symlink_to(common / name)


def _line(setting: tuple[str, str]) -> str:
    """Return a setting as it stands in a file of git's."""
    section, _, key = setting[0].rpartition(".")
    first, dot, below = section.partition(".")
    return f"[{first}{f' {_quoted(below)}' if dot else ''}]\n\t{key} = {_quoted(setting[1])}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _refuse_foreign(root: Path, own: Path) -> None:
    """Raise E-GIT where git does not trust the owner of a repository; it asks no more once it is told the folder."""
    if all(path.stat().st_uid == os.geteuid() for path in (root, own)):
        return
    asked = ["git", "-C", str(root), *QUIETLY, "rev-parse", "--git-dir"]
    done = subprocess.run(asked, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").partition("\n")[0].removeprefix("fatal: ")
        hint = "git does not trust the owner of that folder: see `git help config`, safe.directory"
        raise fail("E-GIT", why, Position(str(root)), hint)


def without_filters(repo: pygit2.Repository) -> dict[str, str]:
    """Return variables under which git takes files as they are, whatever filters attributes and settings name."""
    names = {entry.name.rpartition(".")[0] for entry in repo.config if entry.name.startswith("filter.")}
    pairs = [(f"{name}.{step}", value) for name in sorted(names) for step, value in _STEPS.items()]
    keys = {f"GIT_CONFIG_KEY_{number}": key for number, (key, _) in enumerate(pairs)}
    values = {f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in enumerate(pairs)}
    return {"GIT_CONFIG_COUNT": str(len(pairs)), **keys, **values}
