"""A forge whose state the referee keeps in the repository itself: looking, publishing and acknowledging, by races.

Whoever runs the referee writes down what is new, where everybody finds it, before anything is judged by it. Two who
look at once agree, because one of them loses the race for the ref and reads again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from secrets import token_hex
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import fail
from folkmoot.forges.cache.forge_cache import Decoded, ForgeCache, RefusedPart, Unfetchable
from folkmoot.forges.cache.refs import FORGE, PUBLISHED, Refs, Standing, pull_number, pull_ref
from folkmoot.forges.cache.untrusted_objects import chain
from folkmoot.forges.git_transport import Move, PushRefusedError
from folkmoot.forges.port import Announced, Answer, Issue, Pull, Snapshot, Unread
from folkmoot.journal.repositories import descends, parents_of

FIRST = 600  # seconds from the first try that failed to the next
GRACE = 3
"""How often a head that the forge does not show yet is looked for at every look: forges move the two one by one."""
LONGEST = 86_400  # seconds between two tries at most

UNLIKE = "at this pull request the forge shows"
"""How the reason begins for a head that git has and the forge does not show."""


class Unfetched:
    """What could not be fetched, as it was written down, at the time of a look (Unix seconds)."""

    def __init__(self, seen: ForgeCache, at: int) -> None:
        self.seen = seen
        self.at = at

    def noted(self, standing: Standing) -> dict[str, Unfetchable]:
        """Return what was noted of refs that stand where they stood then."""
        noted = self.seen.standing.unfetched
        return {ref: entry for ref, entry in noted.items() if standing.refs.get(ref, "") == entry.commit}

    def rests(self, standing: Standing) -> set[str]:
        """Return the refs whose turn it is not yet to be tried again."""
        return {ref for ref, entry in self.noted(standing).items() if self.at < entry.again}

    def doubtful(self, standing: Standing) -> list[str]:
        """Return the refs whose turn it is again, the one that waited longest first."""
        due = [(entry.again, ref) for ref, entry in self.noted(standing).items() if self.at >= entry.again]
        return [ref for _, ref in sorted(due)]

    def note(
        self, standing: Standing, tried: Container[str], missing: Mapping[str, str], unlike: Mapping[str, str]
    ) -> None:
        """Write down what of the refs that were `tried` is missing, and why; "" for what no try was left for.

        `unlike` are those that stand elsewhere than the forge shows, with what to say of each. What is of pull requests
        that nobody looks at any more is forgotten.
        """
        noted = self.noted(standing)
        over = {ref for ref in noted if (n := pull_number(ref)) and n not in self.seen.listed and self.seen.pull(n)}
        kept = {ref: entry for ref, entry in noted.items() if ref not in tried and ref not in over}
        for some, grace in ((missing, 0), (unlike, GRACE)):
            for ref, why in some.items():
                before = noted.get(ref) or Unfetchable(standing.refs[ref], 0, 0, "")
                tries = before.tries + bool(why)
                late = tries - grace
                pause = min(FIRST << min(late - 1, 20), LONGEST) if why and late > 0 else 0
                kept[ref] = Unfetchable(before.commit, tries, self.at + pause, why or before.why)
        if kept != self.seen.standing.unfetched:
            self.seen.stand(unfetched=dict(sorted(kept.items())))


class Delivered(Struct):
    """What came of one answer: what to write down, and which parts of it are done.

    `refused` are the parts that the forge would not take, with what they were and when that was; where it was done at
    is `gone` if it was deleted, or moved elsewhere.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    refused: dict[str, RefusedPart] = field(default_factory=dict)
    said: bool = False
    ended: bool = False
    whole: bool = False
    gone: bool = False


class Forge(ABC):
    """A forge, seen from the referee through what was seen of it; how it is seen, and answered, is each one's own.

    Every method may raise E-FORGE (the forge or the network failed; nothing of the game is lost) and does nothing half:
    after a failure, looking again tells what was done.
    """

    name: str  # as it stands in the record: `local`, `github`, `gitea`
    settle: int
    """For how many seconds a fact waits, so that nothing stamped before a deadline arrives after it was applied."""
    noted_as = ""  # the name by which what was seen tells of this kind of forge
    notifies: bool  # whether people hear of a word with their handle in it; where they do not, nobody is called

    def __init__(self, refs: Refs) -> None:
        self.refs = refs
        refs.judging = True
        self.won = False
        """Whether the last `publish` was what moved the branch: of those who came to one commit at once, one did."""
        self._decoded: Decoded = {}
        self._counts: Mapping[int, int] = {}
        self._seen_known = ""
        self._at = 0
        self._token = token_hex(8)
        self.awaited: Callable[[str], Collection[int]] = lambda _main: ()
        """Says, by the tip of the game's branch (hex), which pull requests are voted on: these are read first."""

    def look(self, now: int, *, persist: bool = True) -> Snapshot:
        """Fetch what is new, stamp it with `now`, write that down, and return how it all stands.

        Where it does not `persist` nothing is written down, and no stamp of what is new counts.
        """
        return self.refs.again(lambda: self._look(now, persist=persist))

    @abstractmethod
    def _look(self, now: int, *, persist: bool) -> Snapshot | None:
        """Look once; None where somebody else was quicker."""

    def _stable(self) -> tuple[Standing, ForgeCache] | None:
        """Return what stands and what was seen when it was last written down; None where both moved meanwhile."""
        standing = self.refs.read()
        fresh = self.refs.fetch(standing, [standing.branch, FORGE])
        if fresh is None:
            return None
        seen = ForgeCache(self.refs.repo, fresh.forge, self._decoded)
        if fresh.forge and seen.standing.forge != self.noted_as:
            hint = f"if the game came here from elsewhere, delete {FORGE} there"
            raise fail("E-FORGE", f"{FORGE} tells of another kind of forge", None, hint)
        return fresh, seen

    def _know(self, seen: ForgeCache, commit: str, *, proved: bool) -> list[Move]:
        """Write down what a commit of the branch merged and, if it is proved, that it is known; return how refs move.

        The commit becomes a parent of that, and so outlives whatever the branch does.
        """
        at = max(self._at, seen.at)
        find_merges(seen, at, commit, seen.standing.known, news=False)
        if proved:
            seen.stand(known=commit)
        fault_point("before-write")
        made = seen.write("Publish", at, [commit])
        return [Move(FORGE, seen.commit, made)] if made != seen.commit else []

    def _write(self, seen: ForgeCache, message: str, at: int, parents: Iterable[str] = (), base: str = "") -> bool:
        """Write down what was seen; False where another was quicker.

        What the forge refuses of it is kept out: first the history of what was observed, then the texts at fault.
        """
        fault_point("before-write")
        for heads in dict.fromkeys((tuple(parents), ())):
            with suppress(PushRefusedError):
                return self._send(seen, message, at, heads, base)
        return self._write_less(seen, message, at, base)

    def _send(self, seen: ForgeCache, message: str, at: int, parents: Iterable[str] = (), base: str = "") -> bool:
        made = seen.write(message, at, parents, base)
        if made != seen.commit and not self.refs.move([Move(FORGE, seen.commit, made)]):
            return False
        seen.took(made)
        return True

    def _write_less(self, seen: ForgeCache, message: str, at: int, base: str) -> bool:
        """Write what was seen without the texts that are refused. Raises PushRefusedError if none is at fault."""
        withhold, texts = seen.withholding(), seen.new_texts()
        withheld, groups = set(texts), [texts]
        withhold(withheld)
        if not self._send(seen, message, at, base=base):
            return False
        while groups:
            some = groups.pop()
            withhold(withheld.difference(some))
            try:
                if not self._send(seen, message, at):
                    return False
                withheld -= set(some)
            except PushRefusedError:
                groups += [half for half in (some[: len(some) // 2], some[len(some) // 2 :]) if len(some) > 1]
        return True

    def _remember(self, seen: ForgeCache, at: int) -> None:
        """Remember how much the referee has seen, so that no more than that is acknowledged."""
        self._counts = {0: seen.place(0).remarks} | {number: seen.place(number).changes for number in seen.listed}
        self._seen_known, self._at = seen.standing.known, at

    def _snapshot(
        self, standing: Standing, seen: ForgeCache, unfetched: Unfetched, pulls: Iterable[Pull],
        issues: Iterable[Issue] = (),
    ) -> Snapshot:  # fmt: skip
        """Return how these pull requests and issues stand."""
        pulls, issues = tuple(pulls), tuple(issues)
        numbers = [*(pull.number for pull in pulls), *(issue.number for issue in issues)]
        noted = unfetched.noted(standing)
        remarks = {number: said for number in numbers if (said := tuple(seen.remarks(number)))}
        if seen.place(0).remarks > seen.place(0).settled:
            remarks[0] = tuple(seen.remarks(0, seen.place(0).settled))
        return Snapshot(
            at=unfetched.at,
            main=standing.main,
            known=seen.standing.known,
            published=standing.refs.get(PUBLISHED, ""),
            pulls=tuple(pull for pull in pulls if pull.pushes),
            unread={
                pull.number: Unread(commit=found.commit, why=found.why, again=found.again, state=pull.state)
                for pull in pulls
                if (found := noted.get(pull_ref(pull.number)))
            },
            remarks=remarks,
            said={number: text for number in (0, *numbers) if (text := seen.said(number)) is not None},
            issues=issues,
        )

    def author(self) -> str:
        """Return who commits that merge shall name as their author (`Name <address>`), "" where it does not matter.

        Some forges show a pull request as merged by whoever that address belongs to. Never raises: "" where it fails.
        """
        return ""

    def publish(self, before: str, after: str, *, proved: bool = True) -> bool:
        """Move the branch from one commit to another and, if every game in it is `proved` to be play, know it as such.

        Returns False, with nothing changed, where the branch does not stand at `before` any more. Where an answer
        failed to arrive, asks what was done instead of sending again. `won` says whether it was this that moved it.
        """
        repo = self.refs.repo

        def publish() -> bool | None:
            standing, seen = self.refs.again(self._stable)
            main, self.won = standing.main, seen.standing.publisher == self._token
            if main != before:  # where it has the commit, what failed to be answered was done
                return main == after or (bool(main) and main in repo and after in repo and descends(repo, main, after))
            seen.stand(publisher=self._token)
            self.won = self.refs.move([Move(standing.branch, before, after), *self._know(seen, after, proved=proved)])
            return self.won or None

        return self.refs.again(publish)

    def acknowledge(self, commit: str) -> bool:
        """Remember a commit of the branch as known (proved to be play); False where another one was meanwhile."""

        def acknowledge() -> bool | None:
            _, seen = self.refs.again(self._stable)
            known = seen.standing.known
            if commit == known or known != self._seen_known:
                return commit == known
            return self.refs.move(self._know(seen, commit, proved=True)) or None

        return self.refs.again(acknowledge)

    def announced(self) -> Mapping[str, Announced]:
        """Return how far the group's channel was told of each game."""
        return self.refs.again(self._stable)[1].standing.announced

    def note_announced(self, game: str, announced: Announced) -> None:
        """Note that the group's channel was told so far of a game."""

        def note() -> bool | None:
            _, seen = self.refs.again(self._stable)
            seen.stand(announced={**seen.standing.announced, game: announced})
            return self._write(seen, "Announce", max(self._at, seen.at)) or None

        self.refs.again(note)

    @abstractmethod
    def answer(self, answers: Sequence[Answer]) -> None:
        """Bring our comments and the states of pull requests to what is asked; the same answers change nothing.

        `open` leaves the state alone. What arrived after the last look is not acknowledged.
        """

    def close(self) -> None:  # noqa: B027
        """Let go of connections; they are made again when they are needed."""

    def _note_all(self, done: Iterable[tuple[Answer, Delivered]], writer: str = "") -> None:
        """Note what came of answers, and as whom we write where that is known."""

        def note() -> bool | None:
            _, seen = self.refs.again(self._stable)
            for answer, delivered in done:
                self._note(seen, answer, delivered)
            seen.stand(writer=writer or seen.standing.writer)
            return self._write(seen, "Answer", max(self._at, seen.at)) or None

        self.refs.again(note)

    def _note(self, seen: ForgeCache, answer: Answer, delivered: Delivered) -> None:
        """Note what came of an answer. What arrived after the last look is not acknowledged."""
        place = seen.pull(answer.pull)
        if place is None:
            return
        at = max(self._at, seen.at)
        if delivered.said and answer.text and seen.said(answer.pull) != answer.text:
            seen.say(answer.pull, answer.text)
        if delivered.said:
            seen.keep_answers(answer.heard)
        calls, gone = {**place.calls, **delivered.calls}, place.gone or delivered.gone
        wanted = replace(place, **delivered.fields, calls=calls, refused=delivered.refused, gone=gone)
        wanted = wanted.ended("closed", at) if delivered.gone and place.state == "open" else wanted
        if answer.pull and delivered.ended:
            wanted = wanted.as_answered(answer.state, at, answer.commit)
        if answer.settled and delivered.whole and (wanted.state != "open" or answer.pull == 0):
            wanted = replace(wanted, settled=max(place.settled, self._counts.get(answer.pull, 0) - answer.young))
        if wanted != place:
            seen.keep_pull(answer.pull, wanted)


_LONGEST_WALK = 10_000  # commits of the branch that are looked through for merges at once
_UNKNOWN_WALK = 1_000  # the same, where no commit of it was ever published


def find_merges(seen: ForgeCache, at: int, tip: str, known: str, *, news: bool) -> None:
    """Mark pull requests as merged whose head came into the branch between two commits, as `news` if nobody asked."""
    listed = {number: place for number in seen.listed if (place := seen.pull(number))}
    heads = {place.head: number for number, place in listed.items() if place.head and place.state != "merged"}
    if not heads or not tip:
        return
    most = _LONGEST_WALK if known else _UNKNOWN_WALK
    for name in takewhile(lambda name: name != known, islice(chain(seen.repo, tip), most)):
        for head in ([name] if known else []) + parents_of(seen.repo, name)[1:]:
            if head in heads:
                number = heads.pop(head)
                place = listed[number].ended("merged", at, name)
                seen.keep_pull(number, replace(place, changes=place.changes + news))
