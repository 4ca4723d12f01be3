"""What can be found out on this machine: git, the files of the repository, the games in it, the dice."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from folkmoot import __version__
from folkmoot.core.clone_files import read_text
from folkmoot.core.game_location import KINDS, left_from
from folkmoot.core.packaged import CONFIG
from folkmoot.core.problems import ProblemError
from folkmoot.forges.engine_pin import faults, pinned_engine
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import wakes_referee
from folkmoot.forges.workflows import LOCK
from folkmoot.game.secret_store import CHANCE, derived, masters
from folkmoot.journal import GameFolder
from folkmoot.journal.git_folder import settings_of
from folkmoot.journal.git_programs import STATUS, STATUS_SECONDS
from folkmoot.journal.layout import STATE
from folkmoot.journal.machine_clock import clock_warning
from folkmoot.kernel.chance import commitment
from folkmoot.ops.doctor.findings import Findings, error, fine, listed, unknown, warning
from folkmoot.ops.doctor.place import Place, administrators, handle
from folkmoot.ops.doctor.repository_files import (
    OWNERS,
    addresses,
    code_owners,
    configured,
    keeps_bytes,
    ours,
    owned,
    stale_files,
    wanted_workflows,
)
from folkmoot.referee.form_files import forms_of
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.walls import missing_walls

OLDEST_GIT = (2, 31)
Check = Callable[[Place], Findings]


def git_version(place: Place) -> Findings:
    """Look at the version of git."""
    found = re.search(r"(\d+)\.(\d+)", _git(place.root, "--version"))
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST_GIT:
        said = f"git is {version[0]}.{version[1]}" if found else "git cannot be started"
        yield error("git", f"{said}, and the referee needs 2.31 or newer", "install git 2.31 or newer")
    else:
        yield fine("git", f"git is {version[0]}.{version[1]}")


def repository(place: Place) -> Findings:
    """Look whether there is a repository that something was committed to."""
    if place.repo is None:
        yield error("repository", f"{place.root} is no git repository", "cd to the clone of a game, or moot new NAME")
    elif place.repo.is_bare:
        said = f"{place.root} is a bare repository, of which little can be seen here"
        yield warning("repository", said, f"`git clone {shlex.quote(str(place.root))}`, and run it there")
    elif place.repo.head_is_unborn:
        yield error("repository", "nothing was committed here yet", "`moot new NAME` founds a game and commits it")
    else:
        yield fine("repository", "there is a repository with commits")


def hooks(place: Place) -> Findings:
    """Look whether a table runs its own hooks, whatever somebody has set for all repositories."""
    if place.repo is None:
        return
    table = Path(place.repo.path if place.repo.is_bare else place.address)
    if not wakes_referee(table):
        return
    path = dict(settings_of(table)).get("core.hookspath", "")
    if path and (table / path).resolve() == (table / "hooks").resolve():
        yield fine("hooks", "the table runs its own hooks")
    else:
        said = "the table does not say that its hooks are its own, so others run where somebody has set them for all"
        yield warning("hooks", said, f"git --git-dir={shlex.quote(str(table))} config core.hooksPath hooks")


def clean(place: Place) -> Findings:
    """Look whether something lies here uncommitted, and where."""
    if place.repo is None or place.repo.is_bare:
        return
    try:
        told = Git(place.root, STATUS_SECONDS).look(STATUS)
    except ProblemError:
        yield unknown("clean", "git does not say what was changed here", "`git status` shows what it waits for")
        return
    changed = [line[3:].strip('"') for line in told.splitlines()]
    record = [name for name in changed if name.startswith("state/")]
    if record:
        said = f"the record was changed here and not committed: {listed(record)}"
        yield error("clean", said, "`git checkout -- state` takes it back")
    elif changed:
        yield warning(
            "clean", f"not committed: {listed(changed)}", "git add, git commit and git push it, or git stash it"
        )
    else:
        yield fine("clean", "everything is committed")


def game(place: Place) -> Findings:
    """Look whether a game is played by pull requests."""
    if place.repo is not None and place.repo.is_bare:
        return
    if not place.games:
        yield error("game", "there is no game here", "`moot new NAME --forge github --home URL` founds one")
    elif not place.met:
        yield error("game", "no game here is played by pull requests", "`moot init --forge github --home URL`")
    else:
        yield fine("game", f"played by pull requests: {listed(each.name for each in place.met)}")


def record_time(place: Place) -> Findings:
    """Look whether the records lie in the future of this machine's clock."""
    for each in place.games:
        with suppress(ProblemError):  # which `moot verify` tells
            at = GameFolder(place.root / STATE / each.name).head.at or 0
            if warning := clock_warning(each.name, at, int(time.time()), met=bool(each.kind)):
                said, _, mend = warning.removeprefix("Mind: ").partition(". ")
                yield error("record-time", said, mend.rstrip("."))


def remote(place: Place) -> Findings:
    """Look whether the remote leads to a forge."""
    if not place.address:
        home = next((game.home for game in place.met if game.home), "URL")
        yield error("remote", "the repository has no remote", f"git remote add origin {home}")
    elif not place.repository:
        yield error(
            "remote", "the remote does not lead to a forge", "git remote set-url origin https://HOST/OWNER/NAME"
        )
    else:
        yield fine("remote", f"the remote leads to {place.home}")


def home(place: Place) -> Findings:
    """Look whether the games say that they lie where the remote leads."""
    for each in place.met:
        if each.kind not in KINDS or not place.home:
            continue
        if left_from(each.settings, place.kind, place.home) is not None:
            mend = f"git remote set-url origin {each.home}.git"
            yield error("home", f"{each.name} has moved from {place.home} to {each.home}", mend)
            continue
        mend = f"/do use_forge forge={each.kind} home={place.home}"
        if not each.home:
            yield warning("home", f"{each.name} does not say where it lies, so pages have no links to the forge", mend)
        elif each.home.lower() != place.home.lower():
            yield error("home", f"{each.name} says that it lies at {each.home}; the remote leads to {place.home}", mend)
        else:
            yield fine("home", f"{each.name} lies at {each.home}")


def pushed(place: Place) -> Findings:
    """Look whether the branch here stands where the forge's did when it was last fetched."""
    repo = place.repo
    if repo is None or repo.head_is_unborn or not place.repository:
        return
    theirs = repo.references.get(f"refs/remotes/origin/{place.branch}")
    if theirs is None:
        yield error("pushed", f"{place.branch} was never pushed", f"git push -u origin {place.branch}")
        return
    ahead, behind = repo.ahead_behind(repo.head.target, theirs.target)
    if ahead and behind:
        mend = "git pull --rebase, then git push"
        yield error("pushed", f"{place.branch} has {ahead} commits that the forge lacks, and lacks {behind}", mend)
    elif ahead:
        yield warning("pushed", f"{_commits(ahead, place.branch)} not pushed", f"git push origin {place.branch}")
    elif behind:
        yield warning("pushed", f"{_commits(behind, 'the forge')} not here", "git pull --ff-only")
    else:
        yield fine("pushed", f"{place.branch} is pushed")


def _text(place: Place, name: str) -> str | None:
    return read_text(place.root / name, errors="replace")


def attributes(place: Place) -> Findings:
    """Look whether git leaves the record's bytes alone."""
    if not place.games:
        return
    if keeps_bytes(_text(place, ".gitattributes") or ""):
        yield fine("attributes", "git converts nothing below state/")
    else:
        yield error("attributes", ".gitattributes does not keep the record's bytes", "moot init")


def lock(place: Place) -> Findings:
    """Look at the pin of the engine."""
    if owned(place.root):
        return
    text = _text(place, LOCK)
    if text is None:
        yield error("lock", f"the engine is not pinned: {LOCK} is missing, so every job stops", "moot init --pin")
        return
    try:
        pin, wrong = pinned_engine(text), faults(place.root)
    except ProblemError as problem:
        yield error("lock", f"{LOCK}: {problem.problems[0].message}", "moot init --pin")
        return
    for each in wrong:
        yield error("lock", each.message, "moot init --pin")
    if pin.version != __version__:
        said = f"{LOCK} pins Folkmoot {pin.version}, and this is {__version__}"
        yield warning(
            "lock", said, f"install {pin.version} here, or upgrade: `moot init --pin`, by a reviewed pull request"
        )
    elif not wrong:
        yield fine("lock", f"the engine is pinned to {pin.version}")


def workflows(place: Place) -> Findings:
    """Look whether the workflow files are those that come with this engine."""
    stale = stale_files(place.root, wanted_workflows(place.root, place.kind))
    missing = [name for name in stale if not (place.root / name).exists()]
    changed = [name for name in stale if name not in missing]
    if missing:
        yield error("workflows", f"missing: {listed(missing)}", "moot init")
    if changed:
        yield warning("workflows", f"not as this engine writes them: {listed(changed)}", "moot init")
    if not stale:
        yield fine("workflows", "the workflow files are those of this engine")


def forms(place: Place) -> Findings:
    """Look whether the forms offer what the rules of the games do."""
    try:
        made = forms_of(place.root, place.kind, [each.name for each in place.met if each.kind == place.kind])
    except ProblemError as problem:
        yield unknown("forms", f"the games cannot be read: {problem.problems[0].message}", "moot verify")
        return
    stale = stale_files(place.root, ours(place.root, made))
    if stale:
        yield warning("forms", f"not in step with the rules: {listed(stale)}", "moot init --forms")
    else:
        yield fine("forms", "the forms offer what the rules do")


def code_ownership(place: Place) -> Findings:
    """Look whether CODEOWNERS names the maintainers."""
    text = _text(place, OWNERS[place.kind])
    wanted = code_owners(place.kind, place.met)
    if not text:
        yield warning("codeowners", f"{OWNERS[place.kind]} is missing: nobody is asked to review", "moot init")
    elif not set(re.findall(r"@\S+", wanted)) <= set(re.findall(r"@\S+", text)):
        yield warning("codeowners", f"{OWNERS[place.kind]} does not name all maintainers", "moot init")
    elif "@" not in wanted:
        yield warning("codeowners", "no maintainer is known on the forge", "/do identify player=… forge=… id=… login=…")
    else:
        yield fine("codeowners", "the maintainers are asked to review")


def site(place: Place) -> Findings:
    """Look whether the site's configuration is there and knows where the site lies."""
    if not place.home:
        return
    text = _text(place, CONFIG)
    if text is None:
        yield error("site", f"{CONFIG} is missing: there is no site to publish", "moot init")
        return
    found = configured(text)
    wanted = addresses(place.kind, place.home, place.branch)
    absent = [key for key in ("site_url", *wanted) if not found.get(key)]
    wrong = [key for key, value in wanted.items() if key != "site_url" and found.get(key, value) != value]
    if absent:
        mend = "moot init" if set(absent) <= set(wanted) else "moot init --site URL"
        yield warning("site", f"{CONFIG} lacks {listed(dict.fromkeys(absent))}", mend)
    elif wrong:
        yield warning("site", f"{listed(wrong)} in {CONFIG} lead elsewhere than {place.home}", "moot init")
    else:
        yield fine("site", f"the site lies at {found['site_url']}")


def players(place: Place) -> Findings:
    """Look whether the people of the games are known on the forge."""
    for each in place.met:
        if each.kind not in KINDS:
            continue
        mend = f"/do identify player=… forge={each.kind} id=… login=…"
        strangers = [who for who, entry in each.roster.items() if entry.get("until") is None]
        strangers = [who for who in strangers if not handle(each, who, each.kind)]
        unknown = [who for who in administrators(each) if not handle(each, who, each.kind)]
        if administrators(each) and len(unknown) == len(administrators(each)):
            yield error("players", f"no administrator of {each.name} is known on {each.kind}: {listed(unknown)}", mend)
        elif strangers:
            yield warning(
                "players", f"players of {each.name} who are not known on {each.kind}: {listed(strangers)}", mend
            )
        else:
            yield fine("players", f"all players of {each.name} are known on {each.kind}")


def chance(place: Place) -> Findings:
    """Look at the master secret of this environment, if there is one."""
    try:
        known = masters()
    except ProblemError as problem:
        yield error("chance", problem.problems[0].message, "make another: moot key --dice")
        return
    for each in place.games if known else ():
        epoch, committed = each.chance.get("epoch"), each.chance.get("commitment")
        if not committed:
            continue
        fits = any(commitment(derived(master, each.name, int(epoch or 0))) == committed for master in known)
        if fits:
            yield fine("chance", f"{CHANCE} is what chance epoch {epoch} of {each.name} was opened with")
        else:
            said = f"{CHANCE} is not what chance epoch {epoch} of {each.name} was opened with"
            yield error("chance", said, 'set the right one, or /do abandon_epoch why="…"')


def walls(_place: Place) -> Findings:
    """Look which walls of the sandbox stand on this machine."""
    try:
        missing = missing_walls(Sandbox.walls())
    except ProblemError as failed:
        yield error("walls", failed.problems[0].message, failed.problems[0].hint)
        return
    for sentence in missing:
        yield warning("walls", sentence, "judge on Linux, where the container or the system's settings let these stand")
    if not missing:
        yield fine("walls", "every wall of the sandbox stands")


LOCAL: tuple[Check, ...] = (
    git_version,
    repository,
    hooks,
    clean,
    game,
    record_time,
    attributes,
    players,
    chance,
    walls,
)
"""What is looked at on this machine, in this order."""
FOR_A_FORGE: tuple[Check, ...] = (remote, home, pushed, lock, workflows, forms, code_ownership, site)
"""What is looked at besides where the repository is for a forge on the web."""


def _commits(number: int, of: str) -> str:
    return f"{number} commit of {of} is" if number == 1 else f"{number} commits of {of} are"


def _git(root: Path, *words: str) -> str:
    """Return what git says, "" where it fails or is not there."""
    try:
        return Git(root, 60).look(words)
    except ProblemError:
        return ""
