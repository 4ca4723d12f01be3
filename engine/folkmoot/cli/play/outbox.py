"""What was written in the browser and goes out: one thing after the other, beside the pages, and kept until it can."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from secrets import token_hex
from threading import Lock, Thread

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.cli.play.commands import Answer
from folkmoot.cli.play.forms import ARGUMENT, Form
from folkmoot.core.clone_files import read_whole, write_whole
from folkmoot.core.problems import ProblemError

CUT_OFF = "moot serve ended while this was being sent. Look whether it arrived before you send it again."
MOST_REMEMBERED = 500  # answers
WRITTEN = ("title", "choice", "text", "script", "more", "reason", "why", "do", "name", "id")
LONGEST = 60  # letters of what is named in a line


class Parcel(Struct, frozen=True, kw_only=True):
    """Something that goes out: of which form of which game, and `why` it is still here, "" while it is being sent."""

    id: str
    game: str
    what: str
    fields: dict[str, list[str]]
    why: str = ""
    refused: bool = False

    @property
    def form(self) -> Form:
        """Return what was written."""
        return Form(self.fields)

    @property
    def written(self) -> list[str]:
        """Return what was written, without what a page fills in by itself."""
        found = [self.form[name] for name in self.fields if name in WRITTEN or name.startswith(ARGUMENT)]
        return [text for text in found if text.strip()] or [self.what]

    @property
    def words(self) -> str:
        """Return the first of that in one line."""
        return " ".join(self.written[0].split())[:LONGEST]


class Outbox:
    """What goes out by `send`, in the order in which it was put in; what is not sent outlives the server in `file`."""

    def __init__(self, file: Path | None, send: Callable[[Parcel], Answer]) -> None:
        self._file, self._send, self._lock = file, send, Lock()
        self._queue: SimpleQueue[tuple[Parcel, Future[Answer]]] = SimpleQueue()
        self.kept: dict[str, Parcel] = {}
        """What is not sent, by its id; what an earlier server left is not sent unasked."""
        with suppress(OSError, ProblemError, msgspec.DecodeError):
            data = read_whole(file) if file is not None else None
            found = msgspec.json.decode(data or b"[]", type=list[Parcel])
            self.kept = {each.id: replace(each, why=each.why or CUT_OFF) for each in found}
        self.ended: dict[str, tuple[Parcel, Answer]] = {}
        """What was sent, or refused, with what came of it, by its id."""
        Thread(target=self._go_on, daemon=True).start()

    def put(self, what: str, form: Form) -> tuple[Parcel, Future[Answer]]:
        """Send what a form says when its turn comes; it takes the place of what was refused of the same form."""
        fields = {name: [*values] for name, values in form.fields.items() if name != "token"}
        parcel = Parcel(id=token_hex(8), game=form["game"], what=what, fields=fields)
        for each in [*self.kept.values()]:
            if each.refused and (each.what, each.form.back) == (what, form.back):
                self.drop(each.id)
        return parcel, self._queued(parcel)

    def again(self) -> None:
        """Send whatever waits here, but for what was refused."""
        for parcel in [each for each in self.kept.values() if each.why and not each.refused]:
            self._queued(replace(parcel, why=""))

    def drop(self, name: str) -> None:
        """Forget something that is not being sent now."""
        with self._lock:
            if name in self.kept and self.kept[name].why:
                del self.kept[name]
                self._write()

    def _queued(self, parcel: Parcel) -> Future[Answer]:
        found: Future[Answer] = Future()
        self._keep(parcel)
        self._queue.put((parcel, found))
        return found

    def _go_on(self) -> None:
        while True:
            parcel, found = self._queue.get()
            try:
                answer = self._send(parcel)
            except Exception as error:  # noqa: BLE001 (who waits is told, and what comes after it is sent)
                self._keep(replace(parcel, why=f"That went wrong ({type(error).__name__})."))
                found.set_exception(error)
                continue
            self._note(parcel, answer)
            found.set_result(answer)

    def _note(self, parcel: Parcel, answer: Answer) -> None:
        if is_unreached(answer):
            self._keep(replace(parcel, why=str(answer.problems[0].message)))
            return
        self.ended[parcel.id] = parcel, answer
        while len(self.ended) > MOST_REMEMBERED:
            del self.ended[next(iter(self.ended))]
        if not answer.sent:
            self._keep(replace(parcel, why="It would be refused.", refused=True))
            return
        with self._lock:
            self.kept.pop(parcel.id, None)
            self._write()

    def _keep(self, parcel: Parcel) -> None:
        with self._lock:
            self.kept[parcel.id] = parcel
            self._write()

    def _write(self) -> None:
        if self._file is not None:
            with suppress(OSError, ProblemError):  # then it lasts as long as the server
                write_whole(self._file, msgspec.json.encode([*self.kept.values()]), 0o600)


def is_unreached(answer: Answer) -> bool:
    """Say whether something is to be sent later, because the place where the players meet could not take it."""
    return bool(answer.problems) and answer.problems[0].code == "E-FORGE"
