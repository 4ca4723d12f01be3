"""Delivering answers: our one comment, made or edited; closing; and seeing to it that what was adopted shows as merged.

Nothing is sent twice: after a write whose answer did not arrive, the forge is asked whether it was done.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.forge.observed.observation import Record
from engine.forge.port import Answer
from engine.forge.web import comments as ours
from engine.forge.web.client import RefusedError, UncertainError
from engine.forge.web.models import Comment, PullRequest, User, read
from engine.forge.web.reading import Reading
from engine.problems import Problem

_PAUSES = (0.5, 1.0, 2.0, 4.0)  # seconds in which a forge may notice that a head came into the branch


class Telling:
    """Delivers answers in one repository.

    Args:
        reading: asks for the repository.
        is_ours: says whether an account is the one that we write as.
        thread: the number of the game's own thread, 0 if it has none.
    """

    def __init__(self, reading: Reading, is_ours: Callable[[User | None], bool], thread: int) -> None:
        self.reading = reading
        self.client = reading.client
        self.is_ours = is_ours
        self.thread = thread
        self.writer = ""
        self.problems: list[Problem] = []

    def tell(self, answer: Answer, record: Record, said: str) -> Record | None:
        """Deliver an answer; returns what to write down of it, None where the forge refused it."""
        number = answer.pull or self.thread
        told: Record = {}
        try:
            after = ""
            if answer.pull and answer.state == "merged" and not record.get("followed"):
                after = self._merge(number, answer)
                told["followed"] = True
            if number and answer.text and (answer.text != said or after):
                told["said_id"] = self._say(number, ours.written(answer.text, after), record.get("said_id", 0))
            if answer.pull and answer.state == "closed" and record["state"] == "open":
                self._close(number)
        except RefusedError as error:
            self.problems += [self._about(number, problem) for problem in error.problems]
            return None
        return told

    def _about(self, number: int, problem: Problem) -> Problem:
        return Problem(problem.code, f"{problem.message}, at #{number}", problem.position, problem.hint)

    # Comments

    def _say(self, number: int, body: str, known: int) -> int:
        """Make our comment say something; returns its id."""
        if known:
            edited = self._edit(known, body)
            if edited:
                return edited
        try:
            place = f"{self.reading.place}/issues/{number}/comments"
            made = read(self.client.write("POST", place, {"body": body}).data, Comment)
        except UncertainError:
            found = self._found(number, body)
            if found is None:
                raise
            made = found
        self.writer = str(made.user.id) if made.user else self.writer
        return made.id

    def _edit(self, name: int, body: str) -> int:
        """Edit our comment; returns its id, 0 where it was deleted."""
        place = f"{self.reading.place}/issues/comments/{name}"
        try:
            return read(self.client.write("PATCH", place, {"body": body}).data, Comment).id
        except UncertainError:
            reply = self.client.find(place)
            if reply is None or not _says(read(reply.data, Comment), body):
                raise
            return name
        except RefusedError as error:
            if error.status in (404, 410):
                return 0
            raise

    def _found(self, number: int, body: str) -> Comment | None:
        """Return the comment that was made although we were not told so, None where it was not."""
        found = [c for c in self.reading.comments(number) if _says(c, body) and self.is_ours(c.user)]
        return found[0] if found else None

    # States

    def _close(self, number: int) -> None:
        try:
            read(
                self.client.write("PATCH", f"{self.reading.place}/pulls/{number}", {"state": "closed"}).data,
                PullRequest,
            )
        except UncertainError:
            if self.reading.pull(number).state == "open":
                raise

    def _merge(self, number: int, answer: Answer) -> str:
        """Wait until the forge shows a pull request as merged; else close it, and return what to say about it."""
        for pause in (*_PAUSES, 0.0):
            pull = self.reading.pull(number)
            if pull.merged_at:
                return ""
            if pull.state != "open":
                break
            if pause:
                self.client.pacing.pause(pause)
        else:
            self._close(number)
        return f"Merged by {answer.commit}." if answer.commit else ""


def _says(comment: Comment, body: str) -> bool:
    return (comment.body or "").replace("\r\n", "\n") == body
