"""A forge on the web as the referee sees it.

It says what arrived and when. What it does not keep (first words, heads that were replaced, what was acknowledged, how
far the game is refereed) is written down at `refs/moot/forge` of the repository.
"""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.forge import UNLIKE, Forge, Unfetched, find_merges
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import BRANCHES, Refs, Standing, pull_ref
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.port import Answer, Issue, Pull, Snapshot
from folkmoot.forges.web.client import BETWEEN_WRITES, Client, Pacing, RefusedError, UncertainError
from folkmoot.forges.web.credentials import credentials
from folkmoot.forges.web.delivery import Delivery
from folkmoot.forges.web.reading import ApiReader, CacheWriter, Changes, User
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import holds

UNREADABLE = "it names no author that can be read, or is larger than a commit can be"
SKEW = 60  # by how many seconds our clock may be off; less than `settle`, or votes would be missed
_QUIETLY = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
_NAME = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._-]+"
_REPOSITORY = re.compile(rf"{_NAME}/{_NAME}\Z")


def home_of(api: str) -> str:
    """Return the server whose API is reached at an address.

    >>> [home_of(f"https://{api}") for api in ("api.github.com", "ghe.example/api/v3", "forge.example/git/api/v1")]
    ['https://github.com', 'https://ghe.example', 'https://forge.example/git']
    """
    home = re.sub(r"/api/v[0-9]+\Z", "", api.rstrip("/"))
    return home if home != api.rstrip("/") else home.replace("://api.", "://", 1)


class WebForge(Forge):
    """A repository (`owner/name`) on a forge that is reached by HTTP; what each does in its own way is left to it.

    Git reaches it at `remote`, and keeps its objects at `path`; its `api` gets the `token`, as git does, and nobody
    else. The game is talked about in the issue `thread`, by its number, or the label by which it is found. Our clock
    may be off the forge's by `skew` seconds; None: it is not compared. A `repo` that is open already sees what is
    fetched.
    """

    settle = 120
    notifies = True
    between = BETWEEN_WRITES
    reader: type[ApiReader]
    writer: type[CacheWriter]
    headers: Mapping[str, str]  # what every request carries beside the token, of which `scheme` says what it is
    scheme: str

    def __init__(
        self,
        path: Path | str,
        remote: str,
        repository: str,
        token: str,
        api: str,
        *,
        thread: int | str | None = "game",
        skew: int | None = SKEW,
        transport: httpx.BaseTransport | None = None,
        pacing: Pacing | None = None,
        repo: pygit2.Repository | None = None,
    ) -> None:
        if not _REPOSITORY.match(repository):
            raise fail("E-FORGE", "that is no name of a repository on the forge", None, "write it as OWNER/NAME")
        pacing = pacing or Pacing(time.sleep, between=self.between)
        self.client = Client(api, self.headers_with(token), transport=transport, pacing=pacing)
        refs = Refs(Path(path), remote, variables=credentials(remote, home_of(api), token))
        refs.repo = repo or refs.repo
        super().__init__(refs)
        self.reading = self.reader(self.client, repository, thread)
        self.skew, self.noted_as = skew, self.name

    @classmethod
    def headers_with(cls, token: str) -> dict[str, str]:
        """Return what a request carries, the token among it ("": none)."""
        return {**cls.headers, **({"Authorization": f"{cls.scheme} {token}"} if token else {})}

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def look(self, now: int, *, persist: bool = True) -> Snapshot:
        """Look, and wait for the forge anew where it asks for that."""
        self.client.pacing.waited = 0.0
        return super().look(now, persist=persist)

    def _look(self, now: int, *, persist: bool) -> Snapshot | None:
        standing, seen = self.refs.again(self._stable)
        at = max(now, seen.at)
        unfetched = Unfetched(seen, at)
        moving = {number: ref for number in seen.listed if (ref := pull_ref(number)) not in unfetched.rests(standing)}
        tips = {number: standing.refs.get(ref, "") for number, ref in moving.items()}
        news = self.reading.news(seen, tips, lambda: self.awaited(standing.main))
        off = abs(now - news.server_time) if news.server_time and self.skew is not None else 0
        if off > (self.skew or 0):  # deadlines would pass before all votes are in
            raise fail("E-FORGE", f"this machine's clock is off the forge's by {off} seconds", None, "set the clock")
        fresh = self._fetched(standing, news, unfetched)
        if fresh is None:
            return None
        find_merges(seen, at, fresh.main, seen.standing.known, news=True)
        heads, doubled = self._record(seen, news, fresh, at)
        find_merges(seen, at, fresh.main, seen.standing.known, news=True)
        if persist:
            if not self._write(seen, "Observe", at, heads):
                return None
            self._remember(seen, at)
            for name in doubled:
                with suppress(RefusedError, UncertainError):  # it is there still, or not
                    self.client.write("DELETE", f"{self.reading.place}/issues/comments/{name}", None)
        return self._snapshot(fresh, seen, unfetched, *_played(fresh, seen, self.reading.label))

    def _fetched(self, standing: Standing, news: Changes, unfetched: Unfetched) -> Standing | None:
        """Fetch the heads of what has changed; None where what was seen moved on meanwhile.

        What could not be fetched before is tried when its turn comes, and missing until then. So is a head that git has
        at a pull request and the forge does not show: a push to its ref by whoever may write is nobody's proposal. Of
        one that is over some servers show where its branch went on to; there git's counts if none was seen before.
        """
        wanted = {number: story.pull.head.sha for number, story in news.stories.items() if story.pull is not None}
        if any(standing.refs.get(pull_ref(number), "") != head for number, head in wanted.items()):
            before, standing = standing, self.refs.read()
            if (standing.forge, standing.main) != (before.forge, before.main):
                return None
        asked = [pull_ref(number) for number in wanted]
        doubtful = [ref for ref in unfetched.doubtful(standing) if ref in asked]
        is_over = {n for n, story in news.stories.items() if story.pull is not None and story.pull.state != "open"}
        followed = {n for n in is_over if not unfetched.seen.place(n).head}
        shown = {pull_ref(number): head for number, head in wanted.items() if number not in followed}
        unlike = _unlike(standing, shown, asked)
        was_unlike = {ref for ref, noted in unfetched.noted(standing).items() if noted.why.startswith(UNLIKE)}
        rests = unfetched.rests(standing) - was_unlike.difference(unlike)
        tried = [ref for ref in asked if ref not in rests and ref not in unlike]
        fresh = self.refs.fetch(standing, tried, [ref for ref in doubtful if ref not in unlike])
        if fresh is None:
            return None
        here = [ref for ref in tried if ref not in fresh.missing and holds(self.refs.repo, fresh.refs.get(ref, ""))]
        unreadable = {ref: UNREADABLE for ref in here if find_commit(self.refs.repo, fresh.refs[ref]) is None}
        fresh = replace(fresh, missing={**unreadable, **fresh.missing})
        unlike |= _unlike(fresh, shown, tried)
        now = {ref: why for ref, why in unlike.items() if ref not in rests}
        unfetched.note(fresh, {*tried, *now}, {r: why for r, why in fresh.missing.items() if r not in now}, now)
        missing = {**fresh.missing, **{ref: "" for ref in asked if ref in rests}, **unlike}
        repo, remote = self.refs.repo, self.refs.remote
        if repo.is_shallow and remote and any(ref in fresh.refs and ref not in missing for ref in asked):
            self.refs.git.ask(["fetch", *_QUIETLY, "--unshallow", "--", remote])  # to where heads have left the branch
            repo.free()  # what it has read of the history was cut off
        return replace(fresh, missing=missing)

    def _record(self, seen: ForgeCache, news: Changes, fresh: Standing, at: int) -> tuple[list[str], list[int]]:
        """Write the news down; returns the commits that it tells of, and comments of ours that are there twice."""
        recording = self.writer(seen, at, lambda user: self.is_ours(seen, user))
        again, heads = list(news.again), []
        for number, story in news.stories.items():
            ref = pull_ref(number)
            head = "" if ref in fresh.missing else fresh.refs.get(ref, "")
            if number == 0:
                recording.thread(story)
            elif story.issue is not None or story.gone:
                recording.issue(number, story)
            elif ref not in fresh.missing and (not head or find_commit(self.refs.repo, head) is None):
                again.append(number)
            else:
                recording.pull(number, story, head)
                heads += [head] if head else []
        recording.put_in_order()
        seen.stand(forge=self.name, cursor=news.cursor or at, thread=news.thread, again=tuple(again))
        return heads, recording.doubled

    def is_ours(self, seen: ForgeCache, user: User | None) -> bool:
        """Say whether an account is the one that we write as: asked for once, then written down."""
        if user is None:
            return False
        writer = seen.standing.writer or str(self._account().get("id", ""))
        if not writer:
            return self.is_a_job(user)
        seen.stand(writer=writer)
        return str(user.id) == writer

    def _account(self) -> dict[str, Any]:
        """Return what the forge says of our account: nothing to the token of a workflow, which may not ask."""
        with suppress(RefusedError):
            return dict(self.client.get("user").data)
        return {}

    @abstractmethod
    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""

    def answer(self, answers: Sequence[Answer]) -> None:
        """Bring our comments and the states of pull requests to what is asked; then write down that it was done.

        Where one pull request refuses its answer, the others get theirs.
        """
        if not answers:
            return
        self.client.pacing.waited = 0.0
        _, seen = self.refs.again(self._stable)
        delivery = Delivery(self.reading, lambda user: self.is_ours(seen, user), seen.standing.thread, self._at)
        try:
            for answer in answers:
                place = seen.pull(answer.pull)
                if place is not None and (answer.pull or delivery.thread):
                    delivery.deliver(answer, place, seen.said(answer.pull) or "")
        finally:
            delivery.forget_general_refusals()
            if delivery.done:
                self._note_all(delivery.done, delivery.writer)
        if delivery.problems:
            raise ProblemError(*delivery.problems)


def _unlike(standing: Standing, shown: Mapping[str, str], refs: Iterable[str]) -> dict[str, str]:
    """Return the refs that stand elsewhere than the forge shows (by ref), with what to say of each."""
    found = {ref: standing.refs.get(ref, "") for ref in refs}
    why = f"{UNLIKE} {{:.12}} instead, and only what both git and the forge show is its content"
    return {ref: why.format(shown[ref]) for ref, head in found.items() if head and head != shown.get(ref, head)}


def _played(standing: Standing, seen: ForgeCache, label: str) -> tuple[list[Pull], list[Issue]]:
    """Return what is to be played: pull requests to the game's branch, and issues with its label.

    A pull request that we have answered stays the game's wherever its author points it: nobody takes theirs away
    from those who vote on it. As long as it points elsewhere it is a draft, whose content is not judged.
    """
    base = standing.branch.removeprefix(BRANCHES)
    listed = [place for number in seen.listed if (place := seen.pull(number))]
    opened = [place.pull for place in listed if place.pull]
    pulls = [pull for pull in opened if pull.base == base]
    pulls += [replace(pull, draft=True) for pull in opened if pull.base != base and seen.said(pull.number)]
    return pulls, [place.issue for place in listed if place.issue and label in place.issue.labels]
