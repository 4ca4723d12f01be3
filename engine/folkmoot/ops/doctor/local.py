"""What can be found out on this machine: git, the files of the repository, the games in it, the dice."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable
from contextlib import suppress

from folkmoot import __version__
from folkmoot.core.clone_files import read_text
from folkmoot.core.game_location import KINDS, left_from
from folkmoot.core.problems import ProblemError
from folkmoot.forges.engine_pin import faults, pinned_engine
from folkmoot.forges.git_transport import Git
from folkmoot.forges.workflows import LOCK
from folkmoot.journal import GameFolder
from folkmoot.journal.git_programs import STATUS, STATUS_SECONDS
from folkmoot.journal.layout import STATE
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.ops.doctor.findings import Finding, Findings, judged, listed
from folkmoot.ops.doctor.place import Place, administrators, handle
from folkmoot.ops.doctor.repository_files import keeps_bytes, owned, stale_files, wanted_files
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.walls import missing_walls

OLDEST_GIT = (2, 31)
Check = Callable[[Place], Findings]


def git_version(place: Place) -> Findings:
    """Look at the version of git."""
    said = ""
    with suppress(ProblemError):  # it is not there, or fails
        said = Git(place.root, 60).look(["--version"])
    found = re.search(r"(\d+)\.(\d+)", said)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    told = f"git is {version[0]}.{version[1]}" if found else "git cannot be started"
    old = f"{told}, and the referee needs 2.31 or newer"
    yield judged("git", told, (version < OLDEST_GIT, "error", old, "install git 2.31 or newer"))


def repository(place: Place) -> Findings:
    """Look whether there is a repository that something was committed to."""
    repo, root = place.repo, place.root
    yield judged(
        "repository", "there is a repository with commits",
        (repo is None, "error", f"{root} is no git repository", "cd to the clone of a game, or moot new NAME"),
        (repo is not None and repo.is_bare, "warning", f"{root} is a bare repository, of which little can be seen here",
         f"`git clone {shlex.quote(str(root))}`, and run it there"),
        (repo is not None and repo.head_is_unborn, "error", "nothing was committed here yet",
         "`moot new NAME` founds a game and commits it"),
    )  # fmt: skip


def clean(place: Place) -> Findings:
    """Look whether something lies here uncommitted, and where."""
    if place.repo is None or place.repo.is_bare:
        return
    try:
        told = Git(place.root, STATUS_SECONDS).look(STATUS)
    except ProblemError:
        said = "git does not say what was changed here"
        yield Finding("clean", "unknown", said, "`git status` shows what it waits for")
        return
    changed = [line[3:].strip('"') for line in told.splitlines()]
    record = [name for name in changed if name.startswith("state/")]
    yield judged(
        "clean", "everything is committed",
        (record, "error", f"the record was changed here and not committed: {listed(record)}",
         "`git checkout -- state` takes it back"),
        (changed, "warning", f"not committed: {listed(changed)}",
         "git add, git commit and git push it, or git stash it"),
    )  # fmt: skip


def game(place: Place) -> Findings:
    """Look whether a game is played by pull requests."""
    if place.repo is not None and place.repo.is_bare:
        return
    yield judged(
        "game", f"played by pull requests: {listed(each.name for each in place.met)}",
        (not place.games, "error", "there is no game here", "`moot new NAME` founds one"),
        (not place.met, "error", "no game here is played by pull requests", "`moot init --forge github --home URL`"),
    )  # fmt: skip


def record_time(place: Place) -> Findings:
    """Look whether the records lie in the future of this machine's clock."""
    for each in place.games:
        with suppress(ProblemError):  # which `moot verify` tells
            at = GameFolder(place.root / STATE / each.name).head.at or 0
            if warning := clock_warning(each.name, at, int(time.time()), met=bool(each.kind)):
                said, _, mend = warning.removeprefix("Mind: ").partition(". ")
                yield Finding("record-time", "error", said, mend.rstrip("."))


def remote(place: Place) -> Findings:
    """Look whether the remote leads to a forge."""
    home = next((game.home for game in place.met if game.home), "https://HOST/OWNER/NAME")
    yield judged(
        "remote", f"the remote leads to {place.home}",
        (not place.address, "error", "the repository has no remote", f"git remote add origin {home}"),
        (not place.repository, "error", "the remote does not lead to a forge", f"git remote set-url origin {home}"),
    )  # fmt: skip


def home(place: Place) -> Findings:
    """Look whether the games say that they lie where the remote leads."""
    for each in place.met if place.home else ():
        mend = f"/do use_forge forge={each.kind} home={place.home}"
        moved = left_from(each.settings, place.kind, place.home) is not None
        if each.kind in KINDS:
            yield judged(
                "home", f"{each.name} lies at {each.home}",
                (moved, "error", f"{each.name} has moved from {place.home} to {each.home}",
                 f"git remote set-url origin {each.home}.git"),
                (not each.home, "warning",
                 f"{each.name} does not say where it lies, so pages have no links to the forge", mend),
                (each.home.lower() != place.home.lower(), "error",
                 f"{each.name} says that it lies at {each.home}; the remote leads to {place.home}", mend),
            )  # fmt: skip


def pushed(place: Place) -> Findings:
    """Look whether the branch here stands where the forge's did when it was last fetched."""
    repo, branch = place.repo, place.branch
    if repo is None or repo.head_is_unborn or not place.repository:
        return
    theirs = repo.references.get(f"refs/remotes/origin/{branch}")
    ahead, behind = repo.ahead_behind(repo.head.target, theirs.target) if theirs is not None else (0, 0)
    yield judged(
        "pushed", f"{branch} is pushed",
        (theirs is None, "error", f"{branch} was never pushed", f"git push -u origin {branch}"),
        (ahead and behind, "error", f"{branch} has {ahead} commits that the forge lacks, and lacks {behind}",
         "git pull --rebase, then git push"),
        (ahead, "warning", f"not pushed: {ahead} of {branch}", f"git push origin {branch}"),
        (behind, "warning", f"not here: {behind} of the forge", "git pull --ff-only"),
    )  # fmt: skip


def attributes(place: Place) -> Findings:
    """Look whether git leaves the record's bytes alone."""
    if place.games:
        kept = keeps_bytes(read_text(place.root / ".gitattributes", errors="replace") or "")
        said = ".gitattributes does not keep the record's bytes"
        yield judged("attributes", "git converts nothing below state/", (not kept, "error", said, "moot init"))


def lock(place: Place) -> Findings:
    """Look at the pin of the engine."""
    if owned(place.root):
        return
    text = read_text(place.root / LOCK, errors="replace")
    if text is None:
        said = f"the engine is not pinned: {LOCK} is missing, so every job stops"
        yield Finding("lock", "error", said, "moot init --pin")
        return
    try:
        version, wrong = pinned_engine(text).version, [each.message for each in faults(place.root)]
    except ProblemError as problem:
        version, wrong = "", [f"{LOCK}: {problem.problems[0].message}"]
    yield judged(
        "lock", f"the engine is pinned to {version}",
        (wrong, "error", "; ".join(wrong), "moot init --pin"),
        (version != __version__, "warning", f"{LOCK} pins Folkmoot {version}, and this is {__version__}",
         f"install {version} here, or upgrade: `moot init --pin`, by a reviewed pull request"),
    )  # fmt: skip


def files(place: Place) -> Findings:
    """Look whether all that `moot init` writes is as it would write it."""
    games = [each for each in place.met if each.kind == place.kind]
    lies = place.home or next((each.home for each in games if each.home), "")
    try:
        wanted = wanted_files(place.root, place.kind, lies, place.branch, games)
    except ProblemError as problem:
        said = f"the games cannot be read: {problem.problems[0].message}"
        yield Finding("files", "unknown", said, "moot verify")
        return
    stale = [name for name in stale_files(place.root, wanted) if name != ".gitattributes"]
    missing = [name for name in stale if not (place.root / name).exists()]
    yield judged(
        "files", "workflows, forms, CODEOWNERS and mkdocs.yml are as this engine writes them",
        (missing, "error", f"missing: {listed(missing)}", "moot init"),
        (stale, "warning", f"not as this engine writes them: {listed(stale)}", "moot init"),
    )  # fmt: skip


def players(place: Place) -> Findings:
    """Look whether the people of the games are known on the forge."""
    for each in place.met:
        if each.kind not in KINDS:
            continue
        mend = f"/do identify player=… forge={each.kind} id=… login=…"
        playing = [who for who, entry in each.roster.items() if entry.get("until") is None]
        strangers = [who for who in playing if not handle(each, who, each.kind)]
        unknown = [who for who in administrators(each) if not handle(each, who, each.kind)]
        yield judged(
            "players", f"all players of {each.name} are known on {each.kind}",
            (unknown and len(unknown) == len(administrators(each)), "error",
             f"no administrator of {each.name} is known on {each.kind}: {listed(unknown)}", mend),
            (strangers, "warning", f"players of {each.name} who are not known on {each.kind}: {listed(strangers)}",
             mend),
        )  # fmt: skip


def walls(_place: Place) -> Findings:
    """Look which walls of the sandbox stand on this machine."""
    try:
        missing = missing_walls(Sandbox.walls())
    except ProblemError as failed:
        yield Finding("walls", "error", failed.problems[0].message, failed.problems[0].hint)
        return
    mend = "judge on Linux, where the container or the system's settings let these stand"
    yield judged("walls", "every wall of the sandbox stands", (missing, "warning", "; ".join(missing), mend))


LOCAL: tuple[Check, ...] = (git_version, repository, clean, game, record_time, attributes, players, walls)
"""What is looked at on this machine, in this order."""
FOR_A_FORGE: tuple[Check, ...] = (remote, home, pushed, lock, files)
"""What is looked at besides where the repository is for a forge on the web."""
