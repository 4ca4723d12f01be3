"""A forge on the web as the referee sees it.

It says what arrived and when. What it does not keep (first words, heads that were replaced, what was acknowledged)
is written down at `refs/moot/forge` of the repository, and how far the game is refereed at `refs/moot/refereed`, which
moves together with the branch or not at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Any

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.forge_cache import ForgeCache, Record
from folkmoot.forges.cache.history import deepen, fetch_reviewed
from folkmoot.forges.cache.merges import find_merges
from folkmoot.forges.cache.records import issue_of, pull_of, remark_of
from folkmoot.forges.cache.refs import BRANCHES, FORGE, MOST_LATE, REFEREED, Refs, Standing, pull_ref
from folkmoot.forges.cache.trees import find_commit
from folkmoot.forges.cache.unfetched import UNLIKE, Unfetched
from folkmoot.forges.git_transport import Move
from folkmoot.forges.port import Answer, Awaited, Remark, Snapshot, nobody
from folkmoot.forges.web.api_reader import ApiReader, Changes, PullDetails
from folkmoot.forges.web.cache_writer import CacheWriter
from folkmoot.forges.web.delivery import Delivery, Told
from folkmoot.forges.web.models import User
from folkmoot.journal.partial_clone import descends, holds

MOST_TAKEN_BACK = 20
MOST_REMEMBERED = 500  # commits that took too long to fetch
UNREADABLE = "it names no author that can be read, or is larger than a commit can be"
SKEW = 60
"""By how many seconds our clock may be off; less than `settle`, or votes would be missed."""


class WebForge(ABC):
    """A repository on a forge that is reached by HTTP; what each such forge does in its own way is left to it.

    Args:
        refs: the repository that holds the objects, and the forge's refs.
        reading: asks the forge.
        writer: the numeric id of the account that the token belongs to; asked for where it is not given.
        skew: by how many seconds our clock may be off the forge's; None: it is not compared.
    """

    name: str
    settle = 120
    notifies = True
    """Whether people are told when they are mentioned."""
    recording: type[CacheWriter]

    def __init__(self, refs: Refs, reading: ApiReader, *, writer: str = "", skew: int | None = SKEW) -> None:
        self.refs = refs
        self.reading = reading
        self.client = reading.client
        self.writer = writer
        self.skew = skew
        self._files: dict[str, Any] = {}
        self._counts: Mapping[int, int] = {}
        self._known = ""
        self._at = 0
        self._token = token_hex(8)
        self.won = False

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    # Looking

    def look(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        """Read what is new, write it down, and return how it all stands. Raises E-FORGE."""
        self.client.pacing.begin()
        return self.refs.again(lambda: self._look(now, awaited, persist=True))

    def peek(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        """Return what `look` would return, but write nothing down. Raises E-FORGE."""
        self.client.pacing.begin()
        return self.refs.again(lambda: self._look(now, awaited, persist=False))

    def _look(self, now: int, awaited: Awaited, *, persist: bool) -> Snapshot | None:
        standing, seen = self.refs.again(self._stable)
        at = max(now, seen.at)
        unfetched = Unfetched(seen, at)
        heads_now = _heads(standing, seen, unfetched.rests(standing))
        news = self.reading.news(seen, heads_now, lambda: awaited(standing.main))
        self._compare(now, news.server_time)
        fresh = self._fetched(standing, news, unfetched)
        if fresh is None:
            return None
        find_merges(seen, at, fresh.main, _known(fresh), news=True)
        heads = self._record(seen, news, fresh, at)
        find_merges(seen, at, fresh.main, _known(fresh), news=True)
        if persist:
            fault_point("before-write")
            made = seen.write("Observe", at, heads)
            if made != seen.commit and not self.refs.move([Move(FORGE, seen.commit, made)]):
                return None
            self._remember(seen, fresh, at)
        return _snapshot(fresh, seen, at, self.reading.label, unfetched)

    def _stable(self) -> tuple[Standing, ForgeCache] | None:
        standing = self.refs.read()
        fresh = self.refs.fetch(standing, [standing.branch, FORGE, REFEREED])
        if fresh is None:
            return None
        seen = ForgeCache(self.refs.repo, fresh.forge, self._files)
        if fresh.forge and seen.standing.get("forge") != self.name:
            hint = f"if the game came here from elsewhere, delete {FORGE} on the forge"
            raise fail("E-FORGE", f"{FORGE} tells of another kind of forge", None, hint)
        return fresh, seen

    def _compare(self, now: int, server_time: int) -> None:
        """Refuse to go on where our clock is off: deadlines would pass before all votes are in."""
        if self.skew is not None and server_time and abs(now - server_time) > self.skew:
            off = f"this machine's clock is off the forge's by {abs(now - server_time)} seconds"
            raise fail("E-FORGE", off, None, "set the clock")

    def _fetched(self, standing: Standing, news: Changes, unfetched: Unfetched) -> Standing | None:
        """Fetch the heads of what has changed; None where what was seen moved on meanwhile.

        What could not be fetched before is tried when its turn comes, and missing until then. So is a head that git has
        at a pull request and the forge does not show: a push to its ref by whoever may write is nobody's proposal.
        """
        wanted = {number: story.pull.head.sha for number, story in news.stories.items() if story.pull is not None}
        if any(standing.refs.get(pull_ref(number), "") != head for number, head in wanted.items()):
            before, standing = standing, self.refs.read()
            if (standing.forge, standing.main) != (before.forge, before.main):
                return None
        over = {pull_ref(n) for n, story in news.stories.items() if story.pull is not None and story.pull.merged_at}
        asked = [pull_ref(number) for number in wanted]
        doubtful = [ref for ref in unfetched.doubtful(standing) if ref in asked]
        shown = {
            pull_ref(n): head for n, head in wanted.items() if _must_agree(news.stories[n], unfetched.seen.pull(n))
        }
        unlike = _unlike(standing, shown, asked)
        rests = unfetched.rests(standing) - unfetched.unlike(standing).difference(unlike)
        tried = [ref for ref in asked if ref not in rests and ref not in unlike]
        fresh = self.refs.fetch(standing, tried, over, [ref for ref in doubtful if ref not in unlike])
        if fresh is None:
            return None
        fresh = replace(fresh, missing={**self._unreadable(fresh, tried), **fresh.missing})
        unlike |= _unlike(fresh, shown, tried)
        now = {ref: why for ref, why in unlike.items() if ref not in rests}
        unfetched.note(fresh, {*tried, *now}, {r: why for r, why in fresh.missing.items() if r not in now}, now)
        missing = {**fresh.missing, **{ref: "" for ref in asked if ref in rests}, **unlike}
        heads = [fresh.refs[ref] for ref in asked if ref in fresh.refs and ref not in missing]
        deepen(self.refs.repo, self.refs.git, self.refs.remote, fresh.main, heads)
        return replace(fresh, missing=missing)

    def _unreadable(self, fresh: Standing, tried: Iterable[str]) -> dict[str, str]:
        """Return why heads that are here cannot be read: monstrous ones, and those that name nobody as their author."""
        found = {ref: fresh.refs.get(ref, "") for ref in tried if ref not in fresh.missing}
        repo = self.refs.repo
        return {ref: UNREADABLE for ref, head in found.items() if holds(repo, head) and find_commit(repo, head) is None}

    def _record(self, seen: ForgeCache, news: Changes, fresh: Standing, at: int) -> list[str]:
        """Write the news down; returns the commits that it tells of."""
        recording = self.recording(seen, at, lambda user: self.is_ours(seen, user))
        again, heads = list(news.again), []
        late = list(seen.standing.get("late", ()))
        reviewed = partial(self._reviewed, late=late, most=len(late) + MOST_LATE)
        for number, story in news.stories.items():
            head = fresh.refs.get(pull_ref(number), "")
            if number == 0:
                recording.thread(story)
            elif story.issue is not None or story.gone:
                recording.issue(number, story)
            elif pull_ref(number) in fresh.missing:
                recording.pull(number, story, "")
                heads += reviewed(story, head)
            elif not head or find_commit(self.refs.repo, head) is None:
                again.append(number)
            else:
                recording.pull(number, story, head)
                heads += [head, *reviewed(story)]
        fields = {"forge": self.name, "cursor": news.cursor or at, "thread": news.thread, "again": again}
        fields |= {"late": late[-MOST_REMEMBERED:]} if late else {}
        if any(seen.standing.get(name) != value for name, value in fields.items()):
            seen.stand(**fields)
        return heads

    def _reviewed(self, story: PullDetails, missing: str = "", *, late: list[str], most: int) -> list[str]:
        """Fetch the commits that reviews were made on, but not the head that is `missing`."""
        commits = [r.commit_id for r in story.reviews if r.commit_id and r.commit_id != missing]
        return fetch_reviewed(self.refs.git, self.refs.repo, self.refs.remote, commits, late, most)

    @abstractmethod
    def is_ours(self, seen: ForgeCache, user: User | None) -> bool:
        """Say whether an account is the one that we write as: asked for once, then written down."""

    def _remember(self, seen: ForgeCache, standing: Standing, at: int) -> None:
        """Remember how much the referee has seen, so that no more than that is acknowledged."""
        changes = {number: record["changes"] for number in seen.listed if (record := seen.pull(number)) is not None}
        self._counts = {0: (seen.pull(0) or {"remarks": 0})["remarks"]} | changes
        self._known, self._at = _known(standing), at

    # Publishing

    def author(self) -> str:
        """Return that no author of commits matters: the forge says that whoever pushed a merge has merged."""
        return ""

    def publish(self, before: str, after: str, *, proved: bool = True) -> bool:
        """Move the branch from one commit to another and, if that is `proved`, remember it as known.

        Returns False where the branch stands elsewhere. Raises E-FORGE.
        """
        return self.refs.again(lambda: self._publish(before, after, proved=proved))

    def _publish(self, before: str, after: str, *, proved: bool) -> bool | None:
        standing, seen = self.refs.again(self._stable)
        self.won = seen.standing.get("publisher") == self._token
        if standing.main != before:
            return bool(standing.main) and self._contains(standing.main, after)
        seen.stand(publisher=self._token)
        moves = [Move(standing.branch, before, after), *self._known_moves(standing, seen, after, proved=proved)]
        self.won = self.refs.move([move for move in moves if move.old != move.new])
        return self.won or None

    def _known_moves(self, standing: Standing, seen: ForgeCache, commit: str, *, proved: bool) -> list[Move]:
        """Return how refs move when a commit of the branch is known, with the pull requests that it merged."""
        at = max(self._at, seen.at)
        find_merges(seen, at, commit, _known(standing), news=False)
        fault_point("before-write")
        made = seen.write("Publish", at)
        known = [Move(REFEREED, _known(standing), commit)] if proved else []
        return [*known, Move(FORGE, seen.commit, made)]

    def _contains(self, main: str, commit: str) -> bool:
        """Say whether a commit is in the branch: then what failed to be answered was done."""
        repo = self.refs.repo
        return main == commit or (main in repo and commit in repo and descends(repo, main, commit))

    def acknowledge(self, commit: str) -> bool:
        """Remember a commit of the branch as known; False where another one was since this forge was looked at."""
        return self.refs.again(lambda: self._acknowledge(commit))

    def _acknowledge(self, commit: str) -> bool | None:
        standing, seen = self.refs.again(self._stable)
        if _known(standing) == commit:
            return True
        if _known(standing) != self._known:
            return False
        moves = self._known_moves(standing, seen, commit, proved=True)
        return self.refs.move([move for move in moves if move.old != move.new]) or None

    # Answering

    def answer(self, answers: Sequence[Answer]) -> None:
        """Bring our comments and the states of pull requests to what is asked; then write down that it was done.

        `open` leaves the state alone. What arrived after the last look is not acknowledged. Where one pull request
        refuses its answer, the others get theirs. Raises E-FORGE.
        """
        self.client.pacing.begin()
        _, seen = self.refs.again(self._stable)
        telling = Delivery(self.reading, lambda user: self.is_ours(seen, user), int(seen.standing.get("thread", 0)))
        done: list[tuple[Answer, Told]] = []
        gone: set[int] = set()
        try:
            for answer in answers:
                record = seen.pull(answer.pull)
                if record is not None and (answer.pull or telling.thread):
                    done.append((answer, telling.tell(answer, record, seen.said(answer.pull) or "", self._at)))
                    telling.check_patience()
            gone = telling.take_back(seen.standing.get("doubled", [])[:MOST_TAKEN_BACK])
        finally:
            telling.forget_general_refusals()
            if done or gone:
                self.refs.again(lambda: self._write_down(done, telling.writer, gone))
        if telling.problems:
            raise ProblemError(*telling.problems)

    def _write_down(self, done: Sequence[tuple[Answer, Told]], writer: str, gone: Set[int]) -> bool | None:
        _, seen = self.refs.again(self._stable)
        at = max(self._at, seen.at)
        for answer, told in done:
            self._note(seen, answer, told, at)
        if gone:
            seen.stand(doubled=[name for name in seen.standing.get("doubled", ()) if name not in gone])
        if writer and seen.standing.get("writer") != writer:
            seen.stand(writer=writer)
        fault_point("before-write")
        made = seen.write("Answer", at)
        return made == seen.commit or self.refs.move([Move(FORGE, seen.commit, made)]) or None

    def _note(self, seen: ForgeCache, answer: Answer, told: Told, at: int) -> None:
        record = seen.pull(answer.pull)
        if record is None:
            return
        if told.said and answer.text and seen.said(answer.pull) != answer.text:
            seen.say(answer.pull, answer.text)
        if told.said:
            seen.keep_answers(answer.heard)
        wanted = told.noted(record)
        if answer.pull and told.ended:
            wanted = _ended(wanted, answer, at)
        if answer.settled and told.whole and (wanted["state"] != "open" or answer.pull == 0):
            wanted["settled"] = max(record["settled"], self._counts.get(answer.pull, 0) - answer.young)
        if wanted != record:
            seen.keep_pull(answer.pull, wanted)


def _must_agree(story: PullDetails, record: Record | None) -> bool:
    """Say whether git's head of a pull request counts only where the forge shows the same.

    Of one that is over some servers show where its branch went on to; there git's counts if none was seen before.
    """
    return story.pull is not None and (story.pull.state == "open" or bool(record and record["pushes"]))


def _unlike(standing: Standing, shown: Mapping[str, str], refs: Iterable[str]) -> dict[str, str]:
    """Return the refs that stand elsewhere than the forge shows (by ref), with what to say of each."""
    found = {ref: standing.refs.get(ref, "") for ref in refs}
    why = f"{UNLIKE} {{:.12}} instead, and only what both git and the forge show is its content"
    return {ref: why.format(shown[ref]) for ref, head in found.items() if head and head != shown.get(ref, head)}


def _known(standing: Standing) -> str:
    return standing.refs.get(REFEREED, "")


def _heads(standing: Standing, seen: ForgeCache, rests: Container[str]) -> dict[int, str]:
    """Return where git says that the pull requests which we look at stand; one that is over stands still.

    Where a head `rests`, because it could not be fetched, nothing has moved.
    """
    refs = {number: pull_ref(number) for number in seen.listed}
    return {number: "" if ref in rests else standing.refs.get(ref, "") for number, ref in refs.items()}


def _snapshot(standing: Standing, seen: ForgeCache, at: int, label: str, unfetched: Unfetched) -> Snapshot:
    """Return what is to be played: pull requests to the game's branch, and issues with its label.

    A pull request that we have answered stays the game's wherever its author points it: nobody takes theirs away
    from those who vote on it. As long as it points elsewhere it is a draft, whose content is not judged.
    """
    base = standing.branch.removeprefix(BRANCHES)
    listed = {number: record for number in seen.listed if (record := seen.pull(number))}
    pulls = {number: record for number, record in listed.items() if record.get("base") == base}
    pulls |= {n: {**r, "draft": True} for n, r in listed.items() if r.get("base", base) != base and seen.said(n)}
    issues = {n: record for n, record in listed.items() if record.get("issue") and label in record.get("labels", ())}
    records = {**pulls, **issues}
    thread = seen.pull(0) or {}
    remarks = {number: _remarks(seen, number) for number, record in records.items() if record["remarks"]}
    if thread["remarks"] > thread["settled"]:
        remarks[0] = _remarks(seen, 0, thread["settled"])
    said = {number: text for number in (0, *records) if (text := seen.said(number)) is not None}
    return Snapshot(
        at=at,
        main=standing.main,
        known=_known(standing),
        pulls=tuple(pull_of(number, record) for number, record in pulls.items() if record["pushes"]),
        unread={n: found for n, r in pulls.items() if (found := unfetched.unread(standing, n, r["state"]))},
        remarks=remarks,
        said=said,
        issues=tuple(issue_of(number, record) for number, record in issues.items()),
    )


def _remarks(seen: ForgeCache, number: int, start: int = 0) -> tuple[Remark, ...]:
    return tuple(remark_of(number, record) for record in seen.remarks(number, start))


def _ended(record: Record, answer: Answer, at: int) -> Record:
    """Return a pull request as the referee wants it; one that is merged stays so."""
    if answer.state == "merged" and (record["state"] != "merged" or record.get("merge_commit") != answer.commit):
        kept = {name: value for name, value in record.items() if not name.startswith("closed_")}
        return {**kept, "state": "merged", "closed_at": record.get("closed_at", at), "merge_commit": answer.commit}
    if answer.state == "closed" and record["state"] == "open":
        return {**record, "state": "closed", "closed_at": at}
    return dict(record)
