"""A forge whose state the referee keeps in the repository itself: looking, publishing and acknowledging, by races.

Whoever runs the referee writes down what is new, where everybody finds it, before anything is judged by it. Two who
look at once agree, because one of them loses the race for the ref and reads again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from itertools import islice, takewhile
from secrets import token_hex
from typing import Any, cast

from msgspec import Struct, field

from folkmoot.core.fault_points import fault_point
from folkmoot.forges.cache.forge_cache import ForgeCache, LoadedFiles
from folkmoot.forges.cache.records import RefusedPart, SeenPull, issue_of, merged, pull_of, remark_of
from folkmoot.forges.cache.ref_names import FORGE, PUBLISHED
from folkmoot.forges.cache.refs import Refs, Standing
from folkmoot.forges.cache.unfetched import Unfetched
from folkmoot.forges.cache.untrusted_commits import chain
from folkmoot.forges.git_transport import Move, PushRefusedError
from folkmoot.forges.port import Answer, Awaited, Remark, Snapshot, nobody
from folkmoot.journal.repositories import descends, parents_of


class Delivered(Struct):
    """What came of one answer: what to write down, and which parts of it are done.

    `refused` are the parts that the forge would not take, with what they were and when that was.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    refused: dict[str, RefusedPart] = field(default_factory=dict)
    said: bool = False
    ended: bool = False
    whole: bool = False

    def noted(self, record: SeenPull) -> SeenPull:
        """Return the record of a pull request with what came of the answer to it."""
        wanted = cast(SeenPull, {**record, **self.fields})
        wanted.pop("refused", None)
        if self.calls:
            wanted["calls"] = {**(record.get("calls") or {}), **self.calls}
        if self.refused:
            wanted["refused"] = self.refused
        return wanted


class CachedForge(ABC):
    """A forge that is looked at through what was seen of it; how it is seen, and answered, is each one's own."""

    name: str
    settle: int
    notifies: bool

    def __init__(self, refs: Refs) -> None:
        self.refs = refs
        refs.judging = True
        self.won = False
        self._files = LoadedFiles()
        self._counts: Mapping[int, int] = {}
        self._seen_known = ""
        self._at = 0
        self._token = token_hex(8)

    # Looking

    def look(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        """Fetch what is new, stamp it with `now`, write that down, and return how it all stands. Raises E-FORGE."""
        self._begin()
        return self.refs.again(lambda: self._look(now, awaited, persist=True))

    def peek(self, now: int, awaited: Awaited = nobody) -> Snapshot:
        """Return what `look` would return, but write nothing down: no stamp of what is new counts. Raises E-FORGE."""
        self._begin()
        return self.refs.again(lambda: self._look(now, awaited, persist=False))

    def _begin(self) -> None:  # noqa: B027
        """Begin to ask the forge, which may take its time anew."""

    @abstractmethod
    def _look(self, now: int, awaited: Awaited, *, persist: bool) -> Snapshot | None:
        """Look once; None where somebody else was quicker."""

    @abstractmethod
    def _stable(self) -> tuple[Standing, ForgeCache] | None:
        """Return what stands and what was seen when it was last written down; None where both moved meanwhile."""

    @abstractmethod
    def _known(self, standing: Standing, seen: ForgeCache) -> str:
        """Return the commit of the branch that a referee last published or proved, "" if none."""

    @abstractmethod
    def _known_moves(self, standing: Standing, seen: ForgeCache, commit: str, *, proved: bool) -> list[Move]:
        """Return how refs move when a commit of the branch is known, with the pull requests that it merged."""

    def _write(self, seen: ForgeCache, message: str, at: int, parents: Iterable[str] = (), base: str = "") -> bool:
        """Write down what was seen; False where another was quicker.

        What the forge refuses of it is kept out: first the history of what was observed, then the texts at fault.
        """
        fault_point("before-write")
        try:
            return self._send(seen, message, at, parents, base)
        except PushRefusedError:
            heads = tuple(parents)
        try:
            if heads:
                return self._send(seen, message, at, (), base)
        except PushRefusedError:
            pass
        return self._write_less(seen, message, at, base)

    def _send(self, seen: ForgeCache, message: str, at: int, parents: Iterable[str], base: str) -> bool:
        made = seen.write(message, at, parents, base)
        return made == seen.commit or self.refs.move([Move(FORGE, seen.commit, made)])

    def _write_less(self, seen: ForgeCache, message: str, at: int, base: str) -> bool:
        """Write down what was seen without any new text, then with half of these, until those remain that are refused.

        Raises PushRefusedError where no text is at fault.
        """
        whole, texts, before = seen.changes(), seen.new_texts(), tuple(seen.standing.get("withheld", ()))
        withheld, groups = set(texts), [texts]
        seen.withhold(withheld, whole, before)
        made = seen.write(message, at, (), base)
        if not self.refs.move([Move(FORGE, seen.commit, made)]):
            return False
        while groups:
            seen.took(made)
            some = groups.pop()
            seen.withhold(withheld.difference(some), whole, before)
            try:
                made = seen.write(message, at)
                if made != seen.commit and not self.refs.move([Move(FORGE, seen.commit, made)]):
                    return False
                withheld -= set(some)
            except PushRefusedError:
                made = seen.commit
                groups += [half for half in (some[: len(some) // 2], some[len(some) // 2 :]) if len(some) > 1]
        return True

    def _remember(self, standing: Standing, seen: ForgeCache, at: int) -> None:
        """Remember how much the referee has seen, so that no more than that is acknowledged."""
        changes = {number: record["changes"] for number in seen.listed if (record := seen.pull(number)) is not None}
        self._counts = {0: (seen.pull(0) or {"remarks": 0})["remarks"]} | changes
        self._seen_known, self._at = self._known(standing, seen), at

    def _snapshot(
        self, standing: Standing, seen: ForgeCache, unfetched: Unfetched, pulls: Mapping[int, SeenPull],
        issues: Mapping[int, SeenPull] | None = None,
    ) -> Snapshot:  # fmt: skip
        """Return how these pull requests and issues stand."""
        records = {**pulls, **(issues or {})}
        thread = seen.pull(0) or {}
        remarks = {number: _remarks(seen, number) for number, record in records.items() if record["remarks"]}
        if thread["remarks"] > thread["settled"]:
            remarks[0] = _remarks(seen, 0, thread["settled"])
        return Snapshot(
            at=unfetched.at,
            main=standing.main,
            known=self._known(standing, seen),
            published=standing.refs.get(PUBLISHED, ""),
            pulls=tuple(pull_of(number, record) for number, record in pulls.items() if record["pushes"]),
            unread={n: found for n, r in pulls.items() if (found := unfetched.unread(standing, n, r["state"]))},
            remarks=remarks,
            said={number: text for number in (0, *records) if (text := seen.said(number)) is not None},
            issues=tuple(issue_of(number, record) for number, record in (issues or {}).items()),
        )

    # Publishing

    def author(self) -> str:
        """Return that no author of commits matters here."""
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

    def _contains(self, main: str, commit: str) -> bool:
        """Say whether a commit is in the branch: then what failed to be answered was done."""
        repo = self.refs.repo
        return main == commit or (main in repo and commit in repo and descends(repo, main, commit))

    def acknowledge(self, commit: str) -> bool:
        """Remember a commit of the branch as known; False where another one was since this forge was looked at."""
        return self.refs.again(lambda: self._acknowledge(commit))

    def _acknowledge(self, commit: str) -> bool | None:
        standing, seen = self.refs.again(self._stable)
        known = self._known(standing, seen)
        if known == commit:
            return True
        if known != self._seen_known:
            return False
        moves = self._known_moves(standing, seen, commit, proved=True)
        return self.refs.move([move for move in moves if move.old != move.new]) or None

    # Answering

    def _note(self, seen: ForgeCache, answer: Answer, delivered: Delivered) -> None:
        """Note what came of an answer. What arrived after the last look is not acknowledged."""
        record = seen.pull(answer.pull)
        if record is None:
            return
        if delivered.said and answer.text and seen.said(answer.pull) != answer.text:
            seen.say(answer.pull, answer.text)
        if delivered.said:
            seen.keep_answers(answer.heard)
        wanted = delivered.noted(record)
        if answer.pull and delivered.ended:
            wanted = _ended(wanted, answer, max(self._at, seen.at))
        if answer.settled and delivered.whole and (wanted["state"] != "open" or answer.pull == 0):
            wanted["settled"] = max(record["settled"], self._counts.get(answer.pull, 0) - answer.young)
        if wanted != record:
            seen.keep_pull(answer.pull, wanted)


def _remarks(seen: ForgeCache, number: int, start: int = 0) -> tuple[Remark, ...]:
    return tuple(remark_of(number, record) for record in seen.remarks(number, start))


def _ended(record: SeenPull, answer: Answer, at: int) -> SeenPull:
    """Return a pull request as the referee wants it; one that is merged stays so."""
    if answer.state == "merged" and (record["state"] != "merged" or record.get("merge_commit") != answer.commit):
        return merged(record, record.get("closed_at", at), answer.commit)
    if answer.state == "closed" and record["state"] == "open":
        return {**record, "state": "closed", "closed_at": at}
    return record.copy()


# -- merges


_LONGEST_WALK = 10_000  # commits of the branch that are looked through for merges at once
_UNKNOWN_WALK = 1_000  # the same, where no commit of it was ever published


def find_merges(seen: ForgeCache, at: int, tip: str, known: str, *, news: bool) -> None:
    """Mark pull requests as merged (at a time in Unix seconds) whose head came into the branch between two commits.

    `news` says that nobody asked for it, so that it is something to look at.
    """
    listed = {number: seen.pull(number) or {} for number in seen.listed}
    heads = {each["pushes"][-1]["commit"]: n for n, each in listed.items() if _may_merge(each)}
    if not heads or not tip:
        return
    most = _LONGEST_WALK if known else _UNKNOWN_WALK
    for name in takewhile(lambda name: name != known, islice(chain(seen.repo, tip), most)):
        for head in ([name] if known else []) + parents_of(seen.repo, name)[1:]:
            if head in heads:
                _mark(seen, heads.pop(head), at, name, news=news)


def _may_merge(record: SeenPull) -> bool:
    """Say whether something is a pull request that is not merged yet."""
    return bool(record.get("pushes")) and record["state"] != "merged"


def _mark(seen: ForgeCache, number: int, at: int, commit: str, *, news: bool) -> None:
    record = seen.pull(number) or {}
    changes = record["changes"] + news
    seen.keep_pull(number, merged(record, at, commit) | {"changes": changes})
