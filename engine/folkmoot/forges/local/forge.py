"""The local forge as the referee sees it: nothing but git, whose stamps are those of whoever looked first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from folkmoot.core.calendar import DAY
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.forge import Delivered, Forge, Unfetched, find_merges
from folkmoot.forges.cache.refs import BRANCHES, Refs
from folkmoot.forges.cache.untrusted_objects import find_commit, unsound
from folkmoot.forges.local.letters import Observer
from folkmoot.forges.port import Answer, Snapshot
from folkmoot.journal.machine_clock import commit_times, refuse_far_ahead

RUNNER = "folkmoot.cli.table_referee"  # the module that a push to a table wakes
_HOOK = "hooks/post-receive"


def wakes_referee(repository: Path) -> bool:
    """Say whether a push to a bare repository wakes its referee; of one far away nobody can say."""
    with suppress(OSError, ProblemError):
        return RUNNER in (CloneFiles(repository).read_text(_HOOK, errors="replace") or "")
    return False


class LocalForge(Forge):
    """A forge that is nothing but git, and read whole: the repository where players meet (None where it is ours)."""

    name = "local"
    settle = 0
    notifies = False

    def __init__(self, path: Path | str, remote: str | None = None) -> None:
        super().__init__(Refs(Path(path), remote))
        self.trusts_clock = True
        """Whether the clock of who looks is believed, however far ahead of all that is known here."""
        self.warn: Callable[[str], object] = str  # what tells a doubt of it

    def _look(self, now: int, *, persist: bool) -> Snapshot | None:
        standing, seen = self.refs.again(self._stable)
        moved = seen.moved(standing.watched)
        taken_back = seen.at > now + DAY >= max(commit_times(self.refs.repo, [standing.main]), default=seen.at)
        unfetched = Unfetched(seen, now if taken_back else max(now, seen.at))
        rests = unfetched.rests(standing)
        tried = [ref for ref in moved if ref not in rests]
        fresh = self.refs.fetch(standing, tried, doubtful=unfetched.doubtful(standing))
        if fresh is None:
            return None
        unfetched.note(fresh, tried, fresh.missing, {})
        left = {ref: moved[ref][0] for ref in moved if ref in rests or ref in fresh.missing}
        moved = {ref: (before, fresh.refs.get(ref, "")) for ref, (before, _) in moved.items() if ref not in left}
        observed = [tip for _, tip in moved.values() if tip and find_commit(self.refs.repo, tip) is not None]
        known = [seen.at, *commit_times(self.refs.repo, [fresh.main, *observed])]
        if doubt := refuse_far_ahead(Path(self.refs.repo.path), now, known, insisted=self.trusts_clock):
            self.warn(doubt)
        if taken_back:
            seen.take_back(now)
        faulty = unsound(
            self.refs.git, self.refs.repo.path, observed, [name for name in (seen.commit, fresh.main) if name]
        )
        base = fresh.branch.removeprefix(BRANCHES)
        observer = Observer(seen, unfetched.at, base, fresh.main, fresh.names, faulty)
        observer.observe(moved)
        find_merges(seen, unfetched.at, fresh.main, seen.standing.known, news=True)
        if moved:
            seen.look_at({ref: value for ref, value in {**fresh.watched, **left}.items() if value})
            if self.refs.remote is None:  # for clones far away: whether what is pushed here wakes the referee
                seen.stand(wakes=wakes_referee(Path(self.refs.repo.path)))
        if persist:
            sound = [name for name in observed if name not in faulty]
            if not self._write(seen, "Observe", unfetched.at, sound, base=fresh.main):
                return None
            self._remember(seen, unfetched.at)
        pulls = [place.pull for number in seen.listed if (place := seen.pull(number)) and place.pull]
        return self._snapshot(fresh, seen, unfetched, pulls)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Bring our comments and the states of pull requests to what is asked, in one push; nothing new pushes none."""
        if answers:
            self._note_all([(answer, Delivered(said=True, ended=True, whole=True)) for answer in answers])
