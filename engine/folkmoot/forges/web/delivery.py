"""Delivering answers: the check, calls, our one comment, closing; and that what was adopted shows as merged.

Nothing is sent twice: after a write whose answer did not arrive, the forge is asked whether it was done. What the forge
refuses is remembered, and asked for again only when something has changed, or after a day.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.cache.forge import Delivered
from folkmoot.forges.cache.forge_cache import THREAD, Place, RefusedPart
from folkmoot.forges.port import Answer, Call
from folkmoot.forges.web import comments as ours
from folkmoot.forges.web.client import RefusedError, UncertainError
from folkmoot.forges.web.reading import ApiReader, Comment, User, part, read

_PAUSES = (0.5, 1.0, 2.0, 4.0)  # seconds in which a forge may notice that a head came into the branch
_CONTEXT = "folkmoot"
_LONGEST_SUMMARY = 140  # characters that GitHub takes
_AGAIN = 86_400  # seconds after which what was refused is tried again
_MOST_UNCERTAIN = 2  # answers in a row whose fate nobody knows: then the network is at fault
_GONE = (404, 410, 422)  # the commit is not there any more, or has as many statuses as it may


class Delivery:
    """Delivers answers in one repository, one after the other, at a time (Unix seconds).

    `is_ours` says whether an account is the one that we write as; `thread` is the number of the game's own thread, 0 if
    it has none.
    """

    def __init__(self, reading: ApiReader, is_ours: Callable[[User | None], bool], thread: int, at: int) -> None:
        self.reading = reading
        self.client = reading.client
        self.is_ours = is_ours
        self.thread = thread
        self.at = at
        self.writer = ""
        self.problems: list[Problem] = []
        self.done: list[tuple[Answer, Delivered]] = []
        self._handles: dict[str, str] = {}
        self._forbidden: list[Delivered] = []
        self._taken = 0
        self._uncertain = 0
        self.answer, self.place, self.delivered, self.number = Answer(pull=0, text=""), THREAD, Delivered(), 0
        """What is on its way, and what came of it."""

    def deliver(self, answer: Answer, place: Place, said: str) -> None:
        """Deliver what the forge takes of an answer. Raises E-FORGE if it takes nothing, or answers get lost."""
        self.answer, self.place, self.delivered = answer, place, Delivered()
        self.number = answer.pull or self.thread
        try:
            self._deliver(said)
            self._uncertain = 0
        except UncertainError as error:
            self._note_problems(error)
            self._uncertain += 1
        self.done.append((answer, self.delivered))
        if self._uncertain >= _MOST_UNCERTAIN:
            raise ProblemError(*self.problems)

    def forget_general_refusals(self) -> None:
        """Forget that answers were refused where all were: then it is we who may not write, not they who are locked."""
        if len(self._forbidden) > 1 and not self._taken:
            for delivered in self._forbidden:
                delivered.refused.clear()
                delivered.whole = False

    def _note_problems(self, error: ProblemError) -> None:
        self.problems += [
            Problem(each.code, f"{each.message}, at #{self.number}", each.position, each.hint)
            for each in error.problems
        ]

    def _deliver(self, said: str) -> None:
        """Deliver all parts: what is said of it comes last, because it is what tells that the rest was done."""
        answer, delivered = self.answer, self.delivered
        parts = [self._part("check", _mark(answer.check), self._check)] if answer.check is not None else []
        parts += [self._part(f"call {call.key}", call.key, partial(self._call, call)) for call in answer.calls]
        before = after = self.place.after if answer.state == "merged" else ""
        if answer.pull and answer.state == "merged" and not self.place.followed:
            after = self._merge()
            delivered.fields |= {"followed": True, "after": after} if after else {"followed": True}
        if answer.text and (answer.text != said or after != before):
            body = ours.written(answer.text, after)
            delivered.said = self._part("comment", _mark(answer.text, after), lambda: self._say(body))
            parts.append(delivered.said)
        else:
            delivered.said = True
        delivered.ended = True
        if answer.pull and answer.state == "closed" and self.place.state == "open":
            delivered.ended = self._part("state", "closed", self._close)
        delivered.whole = all(parts) or bool(delivered.refused)

    def _part(self, name: str, mark: str, do: Callable[[], None]) -> bool:
        """Deliver one part; returns whether it was. What was refused before is not tried again unless it changed."""
        known = self.place.refused.get(name)
        if known is not None and known.what == mark and self.at - known.at < _AGAIN:
            self.delivered.refused[name] = known
            return False
        try:
            do()
        except RefusedError as error:
            if error.status == 401:
                raise
            self.delivered.refused[name] = RefusedPart(mark, self.at)
            if error.status in (404, 410) and self.place.issue is not None:
                self.delivered.gone = True
            if error.status == 403 and self.delivered not in self._forbidden:
                self._forbidden.append(self.delivered)
            self._note_problems(error)
            return False
        self._taken += 1
        return True

    def _check(self) -> None:
        """Show a check beside its commit, unless the forge does not know that any more; it replaces the one before."""
        check = self.answer.check
        assert check is not None
        if self.place.check == check:
            return
        summary = " ".join(check.summary.split())
        if len(summary) > _LONGEST_SUMMARY:
            summary = summary[: _LONGEST_SUMMARY - 1] + "…"
        body = {"state": check.state, "context": _CONTEXT, "description": summary}
        own = f"{self.place.link}#issuecomment-{self.place.said_id}" if self.place.said_id else self.place.link
        link = check.link or own
        body |= {"target_url": link} if link.startswith(("https://", "http://")) else {}
        try:
            self.client.write("POST", f"{self.reading.place}/statuses/{check.commit}", body)
        except RefusedError as error:
            if error.status not in _GONE:
                raise
        self.delivered.fields["check"] = check

    def _call(self, call: Call) -> None:
        """Call people, once; whoever has no account any more is left out."""
        mark = ours.mark_of(call.key)
        if mark in {**self.place.calls, **self.delivered.calls}:
            return
        self._handles |= {name: self.reading.handle_of(name) for name in call.people if name not in self._handles}
        handles = [handle for name in call.people if (handle := self._handles[name])]
        if call.people and not handles:
            self.delivered.calls[mark] = 0
            return
        body = ours.call_written(call.key, handles, call.text)
        self.delivered.calls[mark] = self._post(body, lambda comment: ours.call_key(comment.body or "") == mark)

    def _say(self, body: str) -> None:
        known = self.place.said_id
        edited = self._edit(known, body) if known else 0
        self.delivered.fields["said_id"] = edited or self._post(body, lambda comment: _says(comment, body))

    def _post(self, body: str, is_it: Callable[[Comment], bool]) -> int:
        """Make a comment; returns its id. Where nobody says whether it was made, it is looked for."""
        try:
            place = f"{self.reading.place}/issues/{self.number}/comments"
            made = read(self.client.write("POST", place, {"body": body}).data, Comment)
        except UncertainError:
            comments = self.reading.comments(self.number)
            found = next((c for c in comments if is_it(c) and self.is_ours(c.user)), None)
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

    def _close(self) -> None:
        is_issue = self.place.issue is not None
        fields = {"state": "closed", **(self.reading.closing if is_issue else {})}
        path = f"{self.reading.place}/{'issues' if is_issue else 'pulls'}/{self.number}"
        try:
            self.client.write("PATCH", path, fields)
        except (UncertainError, RefusedError):  # what is closed or merged already, a forge may refuse to close
            if part(self.client.get(path), "state", str) == "open":
                raise

    def _merge(self) -> str:
        """Wait until the forge shows a pull request as merged, or tell it so; else close it, and return what to say."""
        for pause in (*(_PAUSES if self.reading.follows() else ()), 0.0):
            pull = self.reading.pull(self.number)
            if pull.merged_at:
                return ""
            if pull.state != "open":
                break
            if pause:
                self.client.pacing.pause(pause)
        else:
            if self._told_merged():
                return ""
            self._part("state", "merged", self._close)
        commit, home = self.answer.commit, self.place.link.rpartition("/pull")[0]
        shown = f"[{commit[:10]}]({home}/commit/{commit})" if home else commit
        return f"Merged by {shown}." if commit else ""

    def _told_merged(self) -> bool:
        """Tell the forge which commit merged a pull request, where it can be told; say whether it shows that.

        One whose newest content is not what was adopted is not merged, and so it is closed.
        """
        head, commit = self.answer.head, self.answer.commit
        body = self.reading.merging(commit) if head and commit else {}
        if not body or self.reading.pull(self.number).head.sha != head:
            return False
        with suppress(UncertainError):  # it may have been done; a server whose database is busy says so, too
            try:
                self.client.write("POST", f"{self.reading.place}/pulls/{self.number}/merge", body)
            except RefusedError as error:
                if error.status == 401:
                    raise
                return False
        return bool(self.reading.pull(self.number).merged_at)


def _mark(*what: object) -> str:
    """Return what stands for a part of an answer, to tell whether it is another one."""
    return sha256(repr(what).encode()).hexdigest()[:16]


def _says(comment: Comment, body: str) -> bool:
    return (comment.body or "").replace("\r\n", "\n") == body
