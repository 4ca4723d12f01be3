"""A worker of the sandbox and the game in it: started, loaded, asked, and started anew when it ends."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar, Protocol, Self

from folkmoot.core.calendar import zone_file
from folkmoot.core.documents import Document
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Shown
from folkmoot.core.word_lists import LISTS
from folkmoot.kernel.documents import Archive
from folkmoot.sandbox.walls import refuse_bare_root
from folkmoot.sandbox.wire import LOOKS, MEMORY, ZONES, Message
from folkmoot.sandbox.worker_process import Died, WorkerProcess

SECONDS = 1.0  # an event may take this long
SECONDS_TO_START = 30.0
DOCUMENTS_A_SECOND = 1_000  # that the process may take more to start with
LEAST_WORK = 0.01  # that anything asked of the process counts for
NOT_STARTED = (
    "every act is judged there, administrators' too; nothing was recorded: free memory or processes, try again"
)


class StartBacking(Protocol):
    """What starts a worker, given bytes of memory, a hash seed, and whether it is only to look."""

    def __call__(self, memory: int, hash_seed: int, *, only_looks: bool) -> Backing:
        """Start it; raises OSError where it cannot be."""


class Backing(Protocol):
    """What runs a worker: a process, and nothing else wherever a game is played; tests call one directly."""

    def send(self, message: Message) -> None:
        """Send a request; raises BrokenPipeError where the worker has ended."""

    def hear(self, give: Callable[[Message], Message], seconds: float, most: float) -> Message:
        """Return what comes of the request, and `give` what the worker asks for meanwhile; raises Died.

        Each thing that is done for it may take `seconds` of processor time, all of them `most`.
        """

    def end(self) -> int:
        """End the worker, if it has not ended; return how it ended."""


class Connection:
    """A process loaded with a game, asked by name; there is always another one where it dies or ends."""

    backing: ClassVar[StartBacking] = WorkerProcess
    standing: ClassVar[list[str] | None] = None
    """Which walls stood around the process that was loaded last, by name; None where none was."""

    def __init__(
        self,
        documents: dict[str, Document] | Callable[[], dict[str, Document]] | None = None,
        archive: Archive | None = None,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        hash_seed: int = 0,
        lists: Archive | None = None,
        *,
        only_looks: bool = False,
    ) -> None:
        """Start the process on `documents` (none: a game to be founded), or on what a function loads meanwhile.

        `archive(key)` gives documents that are not among them; `seconds` of processor time is what one event may
        take, `memory` (bytes) what the process may; nothing may depend on `hash_seed`, which tests prove. `lists(key)`
        gives word lists where the archive has none. Where there are `only_looks` (`sandbox.wire`) to be answered, the
        process loads little; for anything else another one is started.
        """
        self._archive, self._seconds, self._memory = archive, seconds, memory
        self._lists = lists or archive
        self.keeper: Callable[[str, Any], Any] | None = None  # gives what the keeper has: see `game.keeper`
        self._hash_seed, self._only_looks = hash_seed, only_looks
        self.work = 0.0  # done for all that was answered, in times of what an event may take
        self._spare: Backing | None = None
        self._child: Backing | None = None
        self._prepare()
        try:
            self._documents = dict(documents() if callable(documents) else documents or {})
            self._loaded()
        except BaseException:
            self.close()
            raise

    def current(self) -> dict[str, Document]:
        """Return the documents as they are now; those that lie in the archive only as far as they were changed."""
        return dict(self._documents)

    def __enter__(self) -> Self:
        """Return the sandbox itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()

    def close(self) -> None:
        """End the process; it cannot be used any more."""
        for child in (self._child, self._spare):
            if child is not None:
                child.end()
        self._child = self._spare = None

    # -- the process

    def _loaded(self) -> Backing:
        """Return the process, loaded with the documents; starts one where there is none."""
        if self._child is None:
            self._prepare()
            child, self._spare = self._spare, None
            assert child is not None
            standing = self._load(child)
            self._child = child
            refuse_bare_root(standing)
            Connection.standing = standing
        return self._child

    def _load(self, child: Backing) -> list[str]:
        game = {"documents": self._documents, "archive": self._archive is not None}
        try:
            child.send({"call": "load", "with": game})
            return list(self._hear(child, SECONDS_TO_START + len(self._documents) / DOCUMENTS_A_SECOND))
        except (Died, BrokenPipeError) as error:
            how = error.how if isinstance(error, Died) else "ended"
            raise fail("E-JUDGE", f"the sandbox {how} before it had taken in the game", None, NOT_STARTED) from None

    def _prepare(self) -> None:
        """Start a process that is not loaded yet, unless there is one."""
        if self._spare is None:
            try:
                self._spare = type(self).backing(self._memory, self._hash_seed, only_looks=self._only_looks)
            except OSError as error:
                why = error.strerror or str(error)
                raise fail("E-JUDGE", f"the sandbox cannot be started here: {why}", None, NOT_STARTED) from None

    def _lose(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _call(self, name: str, seconds: float, **arguments: Any) -> Any:
        """Send a request and return its answer; raises Died, or ProblemError as it answered."""
        small = self._only_looks and name in LOOKS
        try:
            return self._hear(self._request(name, seconds, **arguments), seconds)
        except Died as died:
            if not small or died.slow:
                raise
            self._only_looks = False  # in case it lacked what it had not loaded
            return self._hear(self._request(name, seconds, **arguments), seconds)

    def _request(self, name: str, seconds: float, **arguments: Any) -> Backing:
        """Send a request, to another process if this one has ended meanwhile; return the one that has it."""
        message = {"call": name, "with": arguments, "seconds": seconds}
        if self._only_looks and name not in LOOKS:
            self.close()
            self._only_looks = False
        try:
            child = self._loaded()
            child.send(message)
        except BrokenPipeError:
            self._lose()
            child = self._loaded()
            child.send(message)
        return child

    def _hear(self, child: Backing, seconds: float, most: float = inf) -> Any:
        """Return an answer: each thing that is done for it may take `seconds` of processor time, all of them `most`."""
        try:
            reply = child.hear(self._give, seconds, most)
        except BaseException:  # what it would still answer is of no use to anybody
            self._child = None
            child.end()
            raise
        self.work += LEAST_WORK + reply.get("work", 0.0)
        if "problems" in reply:
            raise ProblemError(*(problem_of(record) for record in reply["problems"]))
        return reply["answer"]

    def _give(self, asked: Message) -> Message:
        """Return what the process asks for: a document, or something of the keeper's."""
        if "keeper" not in asked:
            return {"document": self._fetch(asked["fetch"])}
        return {"kept": self.keeper(asked["keeper"], asked["given"]) if self.keeper is not None else None}

    def _fetch(self, key: str) -> Document | None:
        if key.startswith(ZONES):
            file = zone_file(key.removeprefix(ZONES))
            return {"file": file} if file is not None else None
        if key.startswith(LISTS):
            return self._lists(key) if self._lists is not None else None
        found = self._documents.get(key)
        return found if found is not None or self._archive is None else self._archive(key)


def problem_of(record: Shown) -> Problem:
    """Return a problem as the process wrote it down."""
    position = Position(record["file"], record["line"], record["column"]) if "file" in record else None
    arguments = {**record.get("arguments", {}), **({"uid": record["uid"]} if "uid" in record else {})}
    return Problem(record["code"], record["message"], position, record.get("hint", ""), arguments)
