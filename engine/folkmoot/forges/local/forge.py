"""The local forge as the referee sees it.

Whoever runs the referee observes a fact first: its stamp is written down, where everybody finds it, before anything is
judged by it. Two who look at once agree, because one of them loses the race for the ref and reads again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

from folkmoot.core.fault_points import fault_point
from folkmoot.forges.cache.forge_cache import ForgeCache, Note, Record
from folkmoot.forges.cache.merges import find_merges
from folkmoot.forges.cache.records import pull_of, remark_of
from folkmoot.forges.cache.refs import BRANCHES, FORGE, Refs, Standing
from folkmoot.forges.cache.soundness import unsound
from folkmoot.forges.cache.trees import find_commit
from folkmoot.forges.cache.unfetched import Unfetched
from folkmoot.forges.git_transport import Move
from folkmoot.forges.local.observe import Observer
from folkmoot.forges.port import Answer, Awaited, Remark, Snapshot, nobody
from folkmoot.journal.partial_clone import descends


class LocalForge:
    """A forge that is nothing but git.

    Args:
        path: the repository that holds the objects, bare or not.
        remote: the path or URL of the repository where players meet; None where it is this one.
        branch: the branch that is played on; the remote's HEAD if not given.
    """

    name = "local"
    settle = 0
    notifies = False

    def __init__(self, path: Path | str, remote: str | None = None, branch: str | None = None) -> None:
        self.refs = Refs(Path(path), remote, branch)
        self._counts: Mapping[int, int] = {}
        self._files: dict[str, Any] = {}
        self._known = ""
        self._at = 0
        self._token = token_hex(8)
        self.won = False

    def look(self, now: int, _awaited: Awaited = nobody) -> Snapshot:
        """Fetch what is new, stamp it with `now`, persist that, and return how it all stands. Raises E-FORGE.

        It is read whole, so nobody is awaited more than another.
        """
        return self.refs.again(lambda: self._look(now, persist=True))

    def peek(self, now: int, _awaited: Awaited = nobody) -> Snapshot:
        """Return what `look` would return, but persist nothing: no stamp of what is new counts. Raises E-FORGE."""
        return self.refs.again(lambda: self._look(now, persist=False))

    def _look(self, now: int, *, persist: bool) -> Snapshot | None:
        standing, seen = self._seen()
        if standing is None or seen is None:
            return None
        moved = seen.moved(standing.watched)
        unfetched = Unfetched(seen, max(now, seen.at))
        rests = unfetched.rests(standing)
        tried = [ref for ref in moved if ref not in rests]
        fresh = self.refs.fetch(standing, tried, doubtful=unfetched.doubtful(standing))
        if fresh is None:
            return None
        unfetched.note(fresh, tried, fresh.missing, {})
        left = {ref: moved[ref][0] for ref in moved if ref in rests or ref in fresh.missing}
        moved = {ref: (before, fresh.refs.get(ref, "")) for ref, (before, _) in moved.items() if ref not in left}
        observed = _observed(self.refs, moved)
        faulty = unsound(self.refs, observed, [name for name in (seen.commit, fresh.main) if name])
        base = fresh.branch.removeprefix(BRANCHES)
        observer = Observer(seen, max(now, seen.at), base, fresh.main, fresh.names, faulty)
        observer.observe(moved)
        for ref in sorted(left):
            observer.leave(ref, fresh.refs[ref])
        find_merges(seen, observer.at, fresh.main, seen.known, news=True)
        if moved:
            seen.look_at({ref: value for ref, value in {**fresh.watched, **left}.items() if value})
        if persist:
            fault_point("before-write")
            sound = [name for name in observed if name not in faulty]
            made = seen.write("Observe", observer.at, sound, base=fresh.main)
            if made != seen.commit and not self.refs.move([Move(FORGE, seen.commit, made)]):
                return None
            self._remember(seen, observer.at)
        return _snapshot(fresh, seen, observer.at, unfetched)

    def _remember(self, seen: ForgeCache, at: int) -> None:
        """Remember how much the referee has seen, so that no more than that is acknowledged."""
        changes = {number: record["changes"] for number in seen.listed if (record := seen.pull(number)) is not None}
        self._counts = {0: (seen.pull(0) or {"remarks": 0})["remarks"]} | changes
        self._known, self._at = seen.known, at

    def _seen(self) -> tuple[Standing | None, ForgeCache | None]:
        """Return what stands and what was seen when it was last written down; nothing where both moved meanwhile."""
        standing = self.refs.read()
        fresh = self.refs.fetch(standing, [standing.branch, FORGE])
        return (None, None) if fresh is None else (fresh, ForgeCache(self.refs.repo, fresh.forge, self._files))

    def close(self) -> None:
        """Do nothing: between two commands of git nothing is open."""

    def ignored(self) -> tuple[Note, ...]:
        """Return the newest of what was ignored because it is malformed or not allowed, oldest first."""
        _, seen = self.refs.again(self._stable)
        return tuple(seen.ignored())

    def _stable(self) -> tuple[Standing, ForgeCache] | None:
        standing, seen = self._seen()
        return None if standing is None or seen is None else (standing, seen)

    def author(self) -> str:
        """Return that no author of commits matters here."""
        return ""

    def publish(self, before: str, after: str, *, proved: bool = True) -> bool:
        """Move the branch from one commit to another and, if that is `proved`, remember it as known.

        Returns False where the branch stands elsewhere.
        """
        return self.refs.again(lambda: self._publish(before, after, proved=proved))

    def _publish(self, before: str, after: str, *, proved: bool) -> bool | None:
        standing, seen = self.refs.again(self._stable)
        self.won = seen.standing.get("publisher") == self._token
        if standing.main != before:
            return bool(standing.main) and self._contains(standing.main, after)
        seen.stand(publisher=self._token)
        made = self._know(seen, after, "Publish", proved=proved)
        moves = [Move(standing.branch, before, after), Move(FORGE, seen.commit, made)]
        self.won = self.refs.move([move for move in moves if move.old != move.new])
        return self.won or None

    def _contains(self, main: str, commit: str) -> bool:
        """Say whether a commit is in the branch: then what failed to be answered was done."""
        return main == commit or descends(self.refs.repo, main, commit)

    def _know(self, seen: ForgeCache, commit: str, message: str, *, proved: bool = True) -> str:
        """Write down that a commit of the branch is known, with the pull requests that it merged.

        It becomes a parent of what was seen, so that it can be gone back to whatever becomes of the branch.
        """
        at = max(self._at, seen.at)
        find_merges(seen, at, commit, seen.known, news=False)
        if proved:
            seen.stand(known=commit)
        fault_point("before-write")
        return seen.write(message, at, [commit])

    def acknowledge(self, commit: str) -> bool:
        """Remember a commit of the branch as known; False where another one was since this forge was looked at."""
        return self.refs.again(lambda: self._acknowledge(commit))

    def _acknowledge(self, commit: str) -> bool | None:
        _, seen = self.refs.again(self._stable)
        if seen.known == commit:
            return True
        if seen.known != self._known:
            return False
        made = self._know(seen, commit, "Acknowledge")
        return self.refs.move([Move(FORGE, seen.commit, made)]) or None

    def answer(self, answers: Sequence[Answer]) -> None:
        """Bring our comments and the states of pull requests to what is asked, in one push; nothing new pushes nothing.

        `open` leaves the state alone. What arrived after this forge was last looked at is not acknowledged.
        """
        self.refs.again(lambda: self._answer(answers))

    def _answer(self, answers: Sequence[Answer]) -> bool | None:
        _, seen = self.refs.again(self._stable)
        at = max(self._at, seen.at)
        for answer in answers:
            self._apply(seen, answer, at)
        fault_point("before-write")
        made = seen.write("Answer", at)
        return made == seen.commit or self.refs.move([Move(FORGE, seen.commit, made)]) or None

    def _apply(self, seen: ForgeCache, answer: Answer, at: int) -> None:
        record = seen.pull(answer.pull)
        if record is None:
            return
        if (seen.said(answer.pull) or "") != answer.text:
            seen.say(answer.pull, answer.text)
        seen.keep_answers(answer.heard)
        wanted = _ended(record, answer, at) if answer.pull else dict(record)
        if answer.settled and (wanted["state"] != "open" or answer.pull == 0):
            wanted["settled"] = max(record["settled"], self._counts.get(answer.pull, 0) - answer.young)
        if wanted != record:
            seen.keep_pull(answer.pull, wanted)


def _snapshot(standing: Standing, seen: ForgeCache, at: int, unfetched: Unfetched) -> Snapshot:
    records = {number: seen.pull(number) or {} for number in seen.listed}
    thread = seen.pull(0) or {}
    remarks = {number: _remarks(seen, number) for number, record in records.items() if record["remarks"]}
    if thread["remarks"] > thread["settled"]:
        remarks[0] = _remarks(seen, 0, thread["settled"])
    said = {number: text for number in (0, *records) if (text := seen.said(number)) is not None}
    pulls = tuple(pull_of(number, record) for number, record in records.items())
    unread = {n: found for n, record in records.items() if (found := unfetched.unread(standing, n, record["state"]))}
    return Snapshot(at=at, main=standing.main, known=seen.known, pulls=pulls, remarks=remarks, said=said, unread=unread)


def _observed(refs: Refs, moved: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return the commits among the new values of refs, which the observation shall hold on to."""
    return [value for _, value in moved.values() if value and find_commit(refs.repo, value) is not None]


def _remarks(seen: ForgeCache, number: int, start: int = 0) -> tuple[Remark, ...]:
    return tuple(remark_of(number, record) for record in seen.remarks(number, start))


def _ended(record: Record, answer: Answer, at: int) -> Record:
    """Return a pull request as the referee wants it; one that is merged stays so."""
    if answer.state == "merged" and (record["state"] != "merged" or record["merge_commit"] != answer.commit):
        kept = {name: value for name, value in record.items() if not name.startswith("closed_")}
        return {**kept, "state": "merged", "closed_at": record.get("closed_at", at), "merge_commit": answer.commit}
    if answer.state == "closed" and record["state"] == "open":
        return {**record, "state": "closed", "closed_at": at}
    return dict(record)
