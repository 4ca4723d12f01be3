"""A network, disk and forge that exist in one process: repositories that reach each other without git's processes.

What goes wrong does so where a schedule says: at the point of that number which a run passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Listing, Move, failure
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.port import Answer, Heard, Issue, Person, Remark, Snapshot
from tests.forges.objects import DirectGit

LOST = ("request lost", "answer lost", "disk full")
"""What goes wrong with the network or the disk; all else happens between two steps of the referee."""


class Killed(BaseException):
    """What stands for the end of a process: nothing catches it."""


class Trouble:
    """What goes wrong in one run of a referee, by the number of the point at which it does."""

    def __init__(self, faults: Iterable[tuple[int, str]], others: Callable[[str], None]) -> None:
        self.left = sorted(faults)
        self.fails = any(what in LOST for _, what in self.left)
        self.others = others
        self.passed = 0
        self.busy = False

    def run(self, work: Callable[[], None]) -> bool:
        """Do a referee's work amid what goes wrong; say whether it died."""
        try:
            with fault_hook(self._pass):
                work()
        except Killed:
            return True
        except ProblemError as error:
            if error.problems[0].code != "E-FORGE" or not self.fails:
                raise
        return False

    def _pass(self, _point: str) -> None:
        if self.busy:
            return
        self.passed += 1
        due = [fault for fault in self.left if fault[0] < self.passed and fault[1] not in LOST]
        for fault in due:
            self.left.remove(fault)
            if fault[1] == "die":
                raise Killed
            self.busy = True
            try:
                self.others(fault[1])
            finally:
                self.busy = False

    def lost(self) -> str:
        """Return what goes wrong with this request or write, "" if nothing does."""
        due = next((fault for fault in self.left if fault[0] <= self.passed and fault[1] in LOST), None)
        if due is None or self.busy:
            return ""
        self.left.remove(due)
        return due[1]


class VirtualGit(DirectGit):
    """Git without its processes; what its own check says of strangers' objects is not simulated: nothing is new to it."""

    trouble: Trouble | None = None

    def _lost(self) -> str:
        return self.trouble.lost() if self.trouble is not None else ""

    def listing(self, remote: str) -> Listing:
        if self._lost():
            raise failure("fatal: the connection was reset", remote, "The remote repository cannot be read")
        return super().listing(remote)

    def fetch(self, remote: str, pairs: Iterable[tuple[str, str]]) -> str:
        return "fatal: the connection was reset" if self._lost() else super().fetch(remote, pairs)

    def push(self, remote: str, moves: Sequence[Move], receive: str = "") -> str:
        lost = self._lost()
        done = super().push(remote, moves) if lost in ("", "answer lost") else ""
        return "fatal: the connection was reset" if lost and not done else done

    def transact(self, moves: Sequence[Move]) -> str:
        return "fatal: unable to write: No space left on device" if self._lost() else super().transact(moves)

    def ask(self, words: Sequence[str], *_: object, **__: object) -> str:
        assert words[0] == "rev-list", words
        return ""


class Thread(Struct):
    """An issue: its remarks, from when each is shown, and how many a referee acknowledged."""

    issue: Issue
    remarks: list[Remark]
    shown_from: list[int]
    said: str = ""
    acknowledged: int = 0


class Issues(Struct):
    """The issues of the hub, which stamps what is said at once, and may show it late."""

    threads: dict[int, Thread] = field(default_factory=dict)
    heard: dict[str, Heard] = field(default_factory=dict)

    def open(self, who: Person, at: int, body: str, late: int) -> int:
        number = 10_000 + len(self.threads)
        issue = Issue(number=number, author=who, title="An issue", state="open", opened_at=at, labels=("game",))
        self.threads[number] = Thread(issue, [], [])
        self.comment(number, who, at, body, late)
        return number

    def comment(self, number: int, who: Person, at: int, body: str, late: int) -> str:
        thread = self.threads[number]
        place = len(thread.remarks)
        name = f"i{number}-{place}"
        thread.remarks.append(Remark(id=name, pull=number, kind="comment", author=who, at=at, body=body, order=place))
        thread.shown_from.append(max(at + late, *thread.shown_from, 0) if thread.shown_from else at + late)
        return name

    def shown(self, now: int) -> dict[int, tuple[Thread, tuple[Remark, ...]]]:
        """Return what a look shows: threads with something in them that nobody has acknowledged, or open ones."""
        found = {}
        for number, thread in self.threads.items():
            here = tuple(r for r, since in zip(thread.remarks, thread.shown_from, strict=True) if since <= now)
            if here and (thread.issue.state == "open" or len(here) > thread.acknowledged):
                found[number] = thread, here
        return found


class VirtualForge(LocalForge):
    """The local forge over a virtual network, with issues beside; it notes when each thing that was sent arrived."""

    def __init__(
        self, path: Path, remote: str | None, issues: Issues, stamps: dict[str, tuple[int, int]], settle: int
    ) -> None:
        super().__init__(path, remote)
        self.refs.git = self.git = VirtualGit(path)
        self.issues, self.stamps = issues, stamps
        self.settle = settle  # type: ignore[misc]
        self._looked: Mapping[int, int] = {}

    def look(self, now: int, *, persist: bool = True) -> Snapshot:
        """Look, and see that nothing has another time than when it was first seen."""
        snapshot = super().look(now, persist=persist)
        shown = self.issues.shown(snapshot.at)
        self._looked = {number: len(remarks) for number, (_, remarks) in shown.items()}
        remarks = {**snapshot.remarks, **{number: remarks for number, (_, remarks) in shown.items()}}
        for said in remarks.values():
            for remark in said:
                stamp = self.stamps.setdefault(remark.id, (remark.at, remark.order))
                assert stamp[0] == remark.at, f"{remark.id} arrived at {stamp[0]}, and then at {remark.at}"
        return replace(
            snapshot,
            issues=tuple(thread.issue for thread, _ in shown.values()),
            remarks=remarks,
            said={**snapshot.said, **{number: thread.said for number, (thread, _) in shown.items()}},
        )

    def answer(self, answers: Sequence[Answer]) -> None:
        """Answer pull requests with one push, issues one by one."""
        super().answer([answer for answer in answers if answer.pull not in self.issues.threads])
        for answer in answers:
            thread = self.issues.threads.get(answer.pull)
            if thread is not None:
                thread.said = answer.text
                self.issues.heard.update((each.fact, each) for each in answer.heard)
                thread.issue = replace(thread.issue, state=answer.state)
                if answer.settled:
                    read = self._looked.get(answer.pull, 0) - answer.young
                    thread.acknowledged = max(thread.acknowledged, read)
