"""The refs that make a repository a forge, and how they are read and moved: in a remote, or in the repository itself.

Of a remote's refs this repository keeps a mirror under `refs/moot-remote/`. A ref is mirrored only when everything
that it leads to is here, so that an object found by the mirror can be read.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.forges.cache import seen_history
from folkmoot.forges.git_transport import (
    SECONDS,
    Git,
    LateError,
    Listing,
    Move,
    failure,
    is_race,
    push_failure,
    without_secrets,
)
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import holds, open_repository

FORGE = "refs/moot/forge"
PUBLISHED = "refs/moot/published"  # where the job that publishes the site notes of which commit
PULLS, LETTERS, BRANCHES = "refs/pull/", "refs/moot/letters/", "refs/heads/"
LARGEST_STEP = 100  # by which the number of a pull request may be larger than all before it
_TAKEN = re.compile(r"refs/pull/([1-9][0-9]{0,8})(?:/head(?:/.*)?)?\Z", re.IGNORECASE | re.DOTALL)
_PULL = re.compile(r"refs/pull/([1-9][0-9]{0,8})/head\Z")
LETTER_REF = re.compile(r"refs/moot/letters(?:\.[0-9]+)?/")
MIRRORED = "refs/moot-remote/"


def pull_number(ref: str) -> int | None:
    """Return the number of the pull request whose head a ref is, None for any other ref."""
    found = _PULL.match(ref)
    return int(found[1]) if found else None


def next_pull(highest: int, names: Iterable[str]) -> int:
    """Return the number of a new pull request: after the highest that was taken in, and after those on their way.

    None can have a number whose ref is there, or another ref in its way. What somebody pushed under a number far beyond
    is none (see `LARGEST_STEP`), and no reason to go on from there.

    >>> next_pull(4, ["refs/pull/2/head", "refs/pull/5", "refs/pull/6/head/x", "refs/pull/999999999/head"])
    7
    """
    for number in sorted({int(found[1]) for name in names if (found := _TAKEN.match(name))}):
        if highest < number <= highest + LARGEST_STEP:
            highest = number
    return highest + 1


def in_the_way(ref: str, names: Iterable[str]) -> list[str]:
    """Return the refs because of which git makes no such ref: no ref may be a folder of another.

    >>> in_the_way("refs/pull/5/head", ["refs/pull/5", "refs/pull/5/head/x", "refs/pull/50", "refs/pull/5/head"])
    ['refs/pull/5', 'refs/pull/5/head/x']
    """
    return sorted(name for name in names if name.startswith(f"{ref}/") or ref.startswith(f"{name}/"))


def barring(names: Collection[str]) -> list[str]:
    """Return the refs that are in the way of ours: of the referee's, of all pull requests or letters, or of some."""
    odd = [name for name in names if _TAKEN.match(name) and pull_number(name) is None]
    odd += [name for name in names if (found := LETTER_REF.match(name)) and "/" in name[found.end() :]]
    fixed = [name for ref in (FORGE, f"{PULLS}1", f"{LETTERS}a") for name in in_the_way(ref, names)]
    roots = [name for name in fixed if not is_watched(name)]
    return sorted({*odd, *roots})


def refuse_barred(ref: str, names: Iterable[str], remote: str | None) -> None:
    """Raise E-FORGE where another ref is in the way of one, with the command that takes that away."""
    found = in_the_way(ref, names)
    if found:
        said = f"The ref {shown(found[0])} is in the way of {ref}: git lets no ref be a folder of another"
        raise fail("E-FORGE", said, None, f"whoever may, takes it away: `{removal(found[0], remote)}`")


def removal(ref: str, remote: str | None) -> str:
    """Return the command that takes a ref away, where players meet."""
    if remote is None:
        return f"git update-ref -d {shlex.quote(shown(ref))}"
    return f"git push {shlex.quote(without_secrets(remote, remote))} {shlex.quote(':' + shown(ref))}"


def shown(ref: str) -> str:
    """Return a ref's name for people, whatever its bytes are."""
    return ref.encode(errors="surrogateescape").decode(errors="replace")


def pull_ref(number: int) -> str:
    """Return the ref of a pull request's head."""
    return f"{PULLS}{number}/head"


def is_watched(name: str) -> bool:
    """Say whether a ref is one that people move: what lies where pull requests and letters do."""
    return name.startswith(PULLS) or LETTER_REF.match(name) is not None


def mirror(name: str) -> str:
    """Return where a remote's ref is mirrored: by a digest, so that no two names can stand in each other's way."""
    if name.startswith(BRANCHES) or name == FORGE:
        return MIRRORED + name.removeprefix("refs/")
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()
    return f"{MIRRORED}seen/{digest[:2]}/{digest[2:24]}"


MOST_LATE = 3  # how many refs that are fetched each by itself may take too long in one look
TRIES = 40  # how often something is tried that others are quicker with
PAUSE = 0.005  # by how many seconds each pause between two tries is longer than the one before

T = TypeVar("T")

_NO_TEXT = re.compile("[\ud800-\udfff]")
_USUAL_BRANCHES = (BRANCHES + "main", BRANCHES + "master")
# A repository that pushes to itself takes its checked-out branch along, and runs nothing else.
_RECEIVE = "git -c core.hooksPath=/dev/null -c receive.denyCurrentBranch=updateInstead receive-pack"


class Standing(Struct, frozen=True):
    """What refs there are: `branch` the ref that is played on, `refs` those of a forge by name → hex, `names` all.

    `missing` are those that could not be fetched though they are there: too large, perhaps, or damaged; with why that
    is, "" for those that no try was left for.
    """

    branch: str
    refs: Mapping[str, str]
    missing: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    @property
    def main(self) -> str:
        """Return the tip of the game's branch, "" before the first commit."""
        return self.refs.get(self.branch, "")

    @property
    def forge(self) -> str:
        """Return the tip of the observation, "" before the first one."""
        return self.refs.get(FORGE, "")

    @property
    def watched(self) -> dict[str, str]:
        """Return the refs that people move: pull requests and letters."""
        return {name: value for name, value in self.refs.items() if is_watched(name)}


class Refs:
    """The forge's refs: those of `remote` (a path or URL), or of the repository itself where there is none."""

    def __init__(
        self,
        path: Path,
        remote: str | None = None,
        branch: str | None = None,
        *,
        may_ask: bool = False,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.judging = False  # whether a referee looks, who proves the games of the branch
        self.git = Git(Path(path), may_ask=may_ask, variables=variables)
        self.remote = remote
        try:
            self.repo = open_repository(path)
        except pygit2.GitError:
            hint = "run it inside a repository, or make one with `git init`"
            raise fail("E-FORGE", "there is no git repository here", Position(str(path)), hint) from None
        self._branch = branch
        self._complaint = ""

    def read(self, listing: Listing | None = None) -> Standing:
        """Return what stands now, or stood when the remote was asked for a listing. Raises E-FORGE."""
        fault_point("before-list")
        if listing is None:
            listing = self._own_listing() if self.remote is None else self.git.listing(str(self.remote))
        fault_point("listed")
        branch = self._played(listing)
        ours = {branch, FORGE, PUBLISHED}
        kept = {n: v for n, v in listing.refs.items() if n in ours or (is_watched(n) and not _NO_TEXT.search(n))}
        return Standing(branch, kept, names=frozenset(listing.refs))

    def _own_listing(self) -> Listing:
        refs = {}
        for name in self.repo.raw_listall_references():
            reference = self.repo.references.get(name.decode(errors="surrogateescape"))
            if reference is not None and reference.type == pygit2.enums.ReferenceType.DIRECT:
                refs[reference.name] = str(reference.target)
        return Listing(self._own_head(), refs)

    def _own_head(self) -> str:
        head = self.repo.lookup_reference("HEAD")
        return str(head.target) if head.type == pygit2.enums.ReferenceType.SYMBOLIC else ""

    def _played(self, listing: Listing) -> str:
        """Return the branch that is played on: the one asked for, the remote's HEAD, or the only sensible guess."""
        if self._branch:
            return BRANCHES + self._branch.removeprefix(BRANCHES)
        if listing.head.startswith(BRANCHES):
            return listing.head
        branches = [name for name in listing.refs if name.startswith(BRANCHES)]
        usual = [name for name in _USUAL_BRANCHES if name in branches]
        return (usual or (branches if len(branches) == 1 else []) or [self._own_head() or _USUAL_BRANCHES[0]])[0]

    def fetch(self, standing: Standing, names: Iterable[str], doubtful: Iterable[str] = ()) -> Standing | None:
        """Bring what these refs lead to into the repository, and, each by itself, what `doubtful` ones do.

        Returns what stands then: a ref that was moved meanwhile, as it was fetched. None where a ref went away
        meanwhile, or came back as something else: then read again. What cannot be fetched keeps nothing else from
        being fetched. Raises E-FORGE where that is the branch or what was seen, E-PAST where these lack what this
        clone saw of them before.
        """
        if self.remote is None:
            return standing
        fetched = self._fetch_lacking(self.remote, standing, names, doubtful)
        if fetched is not None and not self._branch:  # one that was named need not be the one that is played on
            try:
                seen_history.check_past(self.repo, self.remote, *self.past(fetched), judging=self.judging)
            except ProblemError:
                if not self._moved_on(fetched):
                    raise
                return None  # somebody else here has seen what is newer
        return fetched

    def accept_past(self) -> list[Problem] | None:
        """Take what the remote says now for its past; returns what that lacks of what was seen (see `fetch`: None)."""
        standing = self.read()
        fetched = self._fetch_lacking(self.remote or "", standing, [standing.branch, FORGE], ())
        if fetched is None:
            return None
        return seen_history.accept_past(self.repo, self.remote or "", *self.past(fetched))

    def past(self, standing: Standing) -> tuple[str, seen_history.Tips]:
        """Return the branch that is played on, and which of the refs that only grow are known (see `seen_history`)."""
        tips = {seen_history.BRANCH: standing.main, seen_history.OBSERVATION: standing.forge}
        here = {name: tip for name, tip in tips.items() if not tip or holds(self.repo, tip)}
        return standing.branch.removeprefix(BRANCHES), here

    def _fetch_lacking(
        self, remote: str, standing: Standing, names: Iterable[str], doubtful: Iterable[str]
    ) -> Standing | None:
        """Fetch what is not here: all at once, then each by itself where that failed, until too many took too long."""
        apart = self._lacking(standing, doubtful)
        wanted = [name for name in self._lacking(standing, names) if name not in apart]
        if not wanted and not apart:
            return standing
        fault_point("before-fetch")
        error = self._fetch(remote, wanted) if wanted else None
        fault_point("fetched")
        if error is not None and self._moved_on(standing):
            return None
        failed: dict[str, ProblemError | None] = {}
        if isinstance(error, LateError) and len(wanted) == 1:
            failed[wanted[0]] = error
        for name in [*(wanted if error is not None and not failed else ()), *apart]:
            is_over = sum(isinstance(each, LateError) for each in failed.values()) >= MOST_LATE
            error = None if is_over else self._fetch(remote, [name])
            if is_over or error is not None:
                failed[name] = error
        if lost := next((failed[name] for name in (standing.branch, FORGE) if failed.get(name)), None):
            raise lost
        here = {name: self._mirrored(name) for name in (*wanted, *apart) if name not in failed}
        late = f"to fetch it takes longer than {SECONDS} seconds"
        missing = {
            name: late if isinstance(error, LateError) else "git cannot fetch it" if error else ""
            for name, error in failed.items()
        }
        return Standing(standing.branch, {**standing.refs, **here}, missing, standing.names)

    def _fetch(self, remote: str, names: Sequence[str]) -> ProblemError | None:
        """Fetch refs; returns why git did not."""
        try:
            complaint = self.git.fetch(remote, [(name, mirror(name)) for name in names])
        except ProblemError as error:
            return error
        return failure(complaint, remote, "The remote repository cannot be fetched from") if complaint else None

    def _lacking(self, standing: Standing, names: Iterable[str]) -> list[str]:
        """Return those refs whose mirror is not what stands."""
        return [name for name in names if standing.refs.get(name) and standing.refs[name] != self._mirrored(name)]

    def _moved_on(self, standing: Standing) -> bool:
        now = self.read()
        return (now.branch, now.refs) != (standing.branch, standing.refs)

    def remembered(self) -> Standing:
        """Return what was fetched last of branch and observation, asking nobody. Raises E-FORGE if nothing was."""
        if self.remote is None:
            return self.read()
        names = [name for name in self.repo.references if name.startswith(MIRRORED + "heads/")]
        heads = {BRANCHES + n.removeprefix(MIRRORED + "heads/"): str(self.repo.references[n].target) for n in names}
        if not heads:
            raise fail("E-FORGE", "nothing was ever fetched from there", None, "do it once with the network")
        branch = self._played(Listing("", heads))
        seen = seen_history.seen_at(self.repo, self.remote)
        observed = seen.get(seen_history.OBSERVATION) or self._mirrored(FORGE)
        main = seen.get(seen_history.BRANCH) or heads.get(branch, "")
        return Standing(branch, {branch: main, **({FORGE: observed} if observed else {})})

    def _mirrored(self, name: str) -> str:
        if self.remote is None:
            return ""
        found = self.repo.references.get(mirror(name))
        return str(found.target) if found else ""

    def move(self, moves: Sequence[Move]) -> bool:
        """Move refs, all or none; False where one of them does not stand any more as `Move.old` says.

        Where git complains, it is asked what stands, not told again. Raises E-FORGE where nothing was moved though
        nobody was quicker: as `PushRefusedError` where that is because of what was pushed.
        """
        fault_point("before-push")
        if self.remote is not None:
            complaint = self.git.push(self.remote, moves)
        elif self.repo.is_bare or not any(move.ref.startswith(BRANCHES) for move in moves):
            complaint = self.git.transact(moves)
        else:
            complaint = self.git.push(str(self.git.path.resolve()), moves, _RECEIVE)
        fault_point("pushed")
        if complaint:
            standing = self.read()
            refs = standing.refs
            if any(refs.get(move.ref, "") != move.new for move in moves):
                self._complaint = complaint
                for move in moves:
                    if not is_watched(move.ref):  # of these there are other names
                        refuse_barred(move.ref, standing.names, self.remote)
                if is_race(complaint) or any(refs.get(move.ref, "") != move.old for move in moves):
                    return False
                raise push_failure(complaint, self.remote or "")
        if self.remote is not None:
            for move in moves:
                self.repo.references.create(mirror(move.ref), move.new, force=True)
        fault_point("mirrored")
        return True

    def again(self, attempt: Callable[[], T | None]) -> T:
        """Repeat what others may be quicker with, until it returns something. Raises E-FORGE when it never does."""
        for number in range(TRIES):
            done = attempt()
            if done is not None:
                return done
            time.sleep(PAUSE * number)
        raise failure(self._complaint, self.remote or "", "Others keep writing to the repository at the same time")
