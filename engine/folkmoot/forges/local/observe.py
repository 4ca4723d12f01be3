"""Observing: what is new in the refs becomes facts with a stamp, in an order that does not depend on who looks.

Pull requests come first, by number, then chains of letters by the names of their refs, each from its oldest letter on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from typing import cast

import pygit2
from pygit2.enums import ObjectType

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.forge_cache import ForgeCache, Note
from folkmoot.forges.cache.records import SeenPerson, SeenPull, SeenRemark, open_again, person_record, push_record
from folkmoot.forges.cache.ref_names import next_pull, numbers_taken, pull_number
from folkmoot.forges.cache.untrusted_commits import MORE_THAN_ANY, chain, find_commit, size_of
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.local.messages import (
    REVIEWS,
    Letter,
    NoLetterError,
    Sent,
    author_of,
    commit_of,
    gist,
    is_letters,
    message_of,
    read_letter,
    title_and_body,
    turn,
)
from folkmoot.forges.port import Heard, Push
from folkmoot.forges.signatures import signing_key
from folkmoot.journal.tree import foundings

MOST_STEPS = 50_000  # of a chain, from its tip to what a letter saw
Moved = Mapping[str, tuple[str, str]]


class Observer:
    """Writes down in one observation what is new, all with one stamp."""

    def __init__(
        self,
        seen: ForgeCache,
        at: int,
        base: str,
        main: str = "",
        names: Iterable[str] = (),
        faulty: Mapping[str, str] | None = None,
    ) -> None:
        """Begin: `names` are all refs that there are, `faulty` the commits (hex) that git does not take, and why."""
        self.main = main
        self.faulty = faulty or {}
        self._next = next_pull(seen.standing["highest"], numbers_taken(names))
        self.repo = seen.repo
        self.seen = seen
        self.at = at
        self.base = base

    def observe(self, moved: Moved) -> None:
        """Read the refs that do not stand as when they were last looked at (before, now)."""
        pulls = {number: ref for ref in moved if (number := pull_number(ref)) is not None}
        for number in sorted(pulls):
            ref = pulls[number]
            head = moved[ref][1]
            tell = partial(self._tell_author, place=f"pull {number}", what="a push")
            self._guarded(ref, head, partial(self._pull, number, head), tell)
        for ref in sorted(set(moved) - set(pulls.values())):
            tell = partial(self._tell_author, place="thread", what=f"a push to {ref}")
            self._guarded(ref, moved[ref][1], partial(self._letters, ref, *moved[ref]), tell)

    def _guarded(
        self, ref: str, commit: str, read: Callable[[], None], tell: Callable[[str, str], None] = lambda *_: None
    ) -> None:
        def ignore(why: str) -> None:
            self._ignore(ref, commit, why)
            tell(commit, why)

        try:
            guarded(Stage.LETTER, read, lambda problem: ignore(problem.message), NoLetterError)
        except NoLetterError as error:
            ignore(str(error))

    def _tell_author(self, name: str, why: str, place: str = "", what: str = "") -> None:
        """Keep why a letter or a push was ignored where its author finds it, whatever others send.

        What is part of the game's branch was written to be no letter: whoever put it there is not known.
        """
        with suppress(NoLetterError):
            author = author_of(commit_of(self.repo, name))
            if name in self._play:
                return
            place, what = (place, what) if place else gist(self.repo, name)
            heard = {"fact": name, "game": "", "place": place, "at": self.at, "what": what}
            self.seen.keep_answers([Heard(person=author.id, state="ignored", why=why, **heard)])  # type: ignore[arg-type]

    def _ignore(self, ref: str, commit: str, why: str) -> None:
        self.seen.ignore(Note(ref, commit, why, self.at))

    def leave(self, ref: str, commit: str) -> None:
        """Note that a ref cannot be fetched; it stays as it was seen last, and is tried again."""
        why = "it cannot be fetched"
        if (ref, commit, why) not in {(note.ref, note.commit, note.why) for note in self.seen.ignored()}:
            self._ignore(ref, commit, why)

    # Pull requests

    def _pull(self, number: int, head: str) -> None:
        if not head:
            raise NoLetterError("the ref was deleted; what was seen of it stays")
        commit = commit_of(self.repo, head)
        if head in self.faulty:
            raise NoLetterError(f"git itself does not take what it leads to ({self.faulty[head]}); commit it anew")
        push = Push(commit=head, at=self.at, author=author_of(commit), key=signing_key(self.repo, head))
        known = self.seen.pull(number)
        if known is None and number >= self._next:
            raise NoLetterError(f"pull requests are numbered one after the other; the next one is {self._next}")
        record = self._new_pull(commit, push) if known is None else known.copy()
        if record["pushes"] and record["pushes"][-1]["commit"] == head:
            return
        record["pushes"] = [*record["pushes"], push_record(push)]
        record["changes"] += 1
        self.seen.keep_pull(number, record)

    def _new_pull(self, commit: pygit2.Commit, push: Push) -> SeenPull:
        title, body = title_and_body(message_of(commit))
        return {
            "author": person_record(push.author),
            "title": title,
            "body": body,
            "state": "open",
            "base": self.base,
            "opened_at": self.at,
            "remarks": 0,
            "changes": 0,
            "settled": 0,
            "pushes": [],
        }

    # Letters

    def _letters(self, ref: str, old: str, new: str) -> None:
        if not is_letters(ref):
            raise NoLetterError("no pull request and no chain of letters has such a name")
        if new and size_of(self.repo, new, ObjectType.COMMIT) == MORE_THAN_ANY:
            raise NoLetterError("it leads to no commit")
        found = turn(self.repo, old, new)
        replaced = self._rewritten(ref, found.dropped, found.added) if found.dropped else set()
        for name in found.added:
            if name not in replaced and self.seen.letter(name) is None and not self._is_below(name, new):
                self._guarded(ref, name, partial(self._read, ref, name), self._tell_author)

    def _is_below(self, name: str, tip: str) -> bool:
        """Say whether a commit of the game's branch was put below letters: such are not told one by one."""
        if name == tip:
            return False
        try:
            read_letter(self.repo, name)
        except NoLetterError:
            return name in self._play
        return False

    @cached_property
    def _play(self) -> frozenset[str]:
        return frozenset(islice(chain(self.repo, self.main), MOST_STEPS)) if self.main else frozenset()

    def _read(self, ref: str, name: str) -> None:
        sent = read_letter(self.repo, name)
        letter = sent.letter
        if self.seen.pull(letter.pull) is None:
            raise NoLetterError(f"there is no pull request {letter.pull}")
        self._check_bound(letter, signed=bool(sent.key))
        if letter.kind in ("comment", *REVIEWS):
            place = self.seen.add_remark(letter.pull, self._remark(sent))
            self.seen.keep_letter(sent.id, {"pull": letter.pull, "place": place, "ref": ref})
        elif letter.of:
            self._touch(sent)
            self.seen.keep_letter(sent.id, {"pull": letter.pull})
        else:
            self._change_pull(sent)
            self.seen.keep_letter(sent.id, {"pull": letter.pull})

    def _check_bound(self, letter: Letter, *, signed: bool) -> None:
        """Refuse a letter that was not written for this table: from a copy of it, or for a game that is not here."""
        if (signed or letter.game) and letter.game not in self._foundings.values():
            raise NoLetterError(
                "it names no game of this branch by the digest of its first entry (game), as what is signed must; "
                "send it from a clone of this table"
            )
        if signed and not letter.seen:
            raise NoLetterError("it names no commit that its author saw (seen), as what is signed must; send it again")
        if letter.seen and not self._saw(letter.seen):
            raise NoLetterError(
                f"the commit that it names as seen, {letter.seen[:12]}, is no longer on the game's branch, nor among "
                "what its referee saw: one of the two was put back after it was written, or it was written for another "
                "table; fetch, and send it again"
            )

    @cached_property
    def _foundings(self) -> dict[str, str]:
        try:
            return foundings(self.repo, self.main) if self.main else {}
        except (ProblemError, KeyError, pygit2.GitError):
            return {}

    def _saw(self, commit: str) -> bool:
        """Say whether a commit is one that the game's branch, or what was seen here, stood at."""
        if not commit or find_commit(self.repo, commit) is None:
            return False
        return any(commit in islice(chain(self.repo, tip), MOST_STEPS) for tip in (self.seen.commit, self.main) if tip)

    def _remark(self, sent: Sent) -> SeenRemark:
        letter = sent.letter
        given = {"body": letter.body, "commit": letter.head, "key": sent.key, "game": letter.game, "seen": letter.seen}
        fields = {"id": sent.id, "kind": letter.kind, "author": person_record(sent.author), "at": self.at}
        return cast(SeenRemark, fields | {name: value for name, value in given.items() if value})

    def _touch(self, sent: Sent) -> None:
        """Note an edit, a deletion or a dismissal at what it is about."""
        letter = sent.letter
        where = self.seen.letter(letter.of)
        if where is None or "place" not in where or where["pull"] != letter.pull:
            raise NoLetterError(f"it is about a letter that was not sent to pull request {letter.pull}")
        remark = self.seen.remark(letter.pull, where["place"])
        if letter.kind == "dismiss":
            if remark["kind"] not in REVIEWS:
                raise NoLetterError("only a review can be dismissed")
            if "dismissed_by" not in remark:
                self.seen.change_remark(letter.pull, where["place"], dismissed_by=person_record(sent.author))
            return
        _must_be_author(sent, remark["author"], remark.get("key", ""))
        change = "edited" if letter.kind == "edit" else "deleted"
        self.seen.change_remark(letter.pull, where["place"], **{change: True})

    def _change_pull(self, sent: Sent) -> None:
        """Close, reopen or describe a pull request."""
        letter = sent.letter
        record = (self.seen.pull(letter.pull) or SeenPull()).copy()
        _must_be_author(sent, record["author"], record["pushes"][0].get("key", ""))
        if letter.kind == "describe":
            record["title"], record["body"] = title_and_body(letter.body)
        elif record["state"] == "merged":
            raise NoLetterError("the pull request is merged already")
        elif letter.kind == "close" and record["state"] == "open":
            record |= {"state": "closed", "closed_at": self.at, "closed_by": person_record(sent.author)}
        elif letter.kind == "reopen" and record["state"] == "closed":
            record = {**open_again(record), "state": "open"}
        record["changes"] += 1
        self.seen.keep_pull(letter.pull, record)

    # Chains that were rewritten

    def _rewritten(self, ref: str, dropped: Iterable[str], added: Iterable[str]) -> set[str]:
        """Note what became of letters that are no longer in their chain; returns the new ones that are old ones.

        A letter that says the same as before is that letter. Every other new one is new, whatever place it has in the
        chain, and what is left of the old ones was deleted. What was signed stays, because whoever may write to a ref
        can leave it out without the key.
        """
        old, new = self._readable(dropped), self._readable(added)
        pairs = _same(old, new)
        for before, after in pairs:
            where = self.seen.letter(before)
            if where is not None:
                self.seen.keep_letter(after, where)
        for name in sorted({sent.id for sent in old if not sent.key} - {before for before, _ in pairs}):
            self._mark(ref, name, deleted=True)
        return {after for _, after in pairs if self.seen.letter(after) is not None}

    def _readable(self, names: Iterable[str]) -> list[Sent]:
        found = []
        for name in names:
            try:
                found.append(read_letter(self.repo, name))
            except NoLetterError:
                continue
        return found

    def _mark(self, ref: str, name: str, **fields: bool) -> None:
        where = self.seen.letter(name)
        if where is not None and "place" in where and where["ref"] == ref:
            self.seen.change_remark(where["pull"], where["place"], **fields)


def _must_be_author(sent: Sent, author: SeenPerson, key: str) -> None:
    """Refuse what only the author may send; what was signed needs a signature of the same key."""
    if sent.author.id != author["id"]:
        raise NoLetterError(f"only {author['handle']} may {sent.letter.kind} that")
    if key and sent.key != key:
        raise NoLetterError(f"it must be signed with the key of what it is to {sent.letter.kind}")


def _meaning(sent: Sent) -> tuple[object, ...]:
    return (sent.author.id, sent.key, sent.letter)


def _same(old: Iterable[Sent], new: Iterable[Sent]) -> list[tuple[str, str]]:
    """Pair old and new letters that say the same, each with the first that is left."""
    waiting: dict[tuple[object, ...], list[str]] = {}
    for sent in new:
        waiting.setdefault(_meaning(sent), []).append(sent.id)
    return [(sent.id, waiting[_meaning(sent)].pop(0)) for sent in old if waiting.get(_meaning(sent))]
