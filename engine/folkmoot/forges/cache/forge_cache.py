"""What was seen of a forge and when, as the port has it: a tree of files whose commits only grow, at `refs/moot/forge`.

    standing.json              known, highest pull request, next place in the order of arrival, pull requests to look at
    pulls/000/7.json           a pull request or an issue; 0 is the game's own thread
    remarks/000/7/000.json     what was said of it, a hundred a file, in order of arrival
    said/000/7.md              our comment on it
    answers/ab/cdef….json      what became of the newest things that somebody wrote, by a digest of their id
    letters/a/b/c.json         letters that were read, by the first digits of their names
    tips/ab.json               the values of refs when they were last looked at, by a digest of their names

Every commit has the commit before and all that was observed as its parents, so that nothing that was seen is lost,
whatever becomes of its ref.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.forges.port import WITHHELD, Announced, Check, Heard, Issue, Pull, PullState, Remark
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import write_tree

T = TypeVar("T")  # what files are to hold, by their paths
PER_FILE = 100
_TEXT_FIELDS = ("body", "title", "what", "why")
_ANSWERS = 100  # of one person that are kept
_IGNORED = 30  # of these, letters that were ignored: whoever writes in somebody's name pushes out no other answer
_WITHHELD = 500  # how many texts are kept out
STAMPS = ("at", "opened_at", "closed_at")
_MOST_PARENTS = 500  # of one commit
_MOST_FILES = 20_000  # that are kept in memory
_WRITER = ("moot", "moot@localhost")
_STANDING = "standing.json"


class RefusedPart(Struct, frozen=True):
    """A part of an answer that the forge would not take: a mark of what it was, and when that was tried."""

    what: str
    at: int


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A pull request, an issue or (neither) the game's thread, as it was seen last.

    `remarks` and `changes` count what was seen, `settled` the changes that a referee has acknowledged; `count` and
    `lines` are how many remarks the forge counted, of all and of each review, `read_at` when that was. `said_id` is our
    comment, `calls` those of our calls by their keys, `refused` what the forge would not take, `check` the one that it
    shows; `followed` says that it need not be told any more what merged a pull request, `after` what is said instead.
    """

    pull: Pull | None = None
    issue: Issue | None = None
    remarks: int = 0
    changes: int = 0
    settled: int = 0
    gone: bool = False
    locked: bool = False
    followed: bool = False
    after: str = ""
    said_id: int = 0
    calls: dict[str, int] = field(default_factory=dict)
    refused: dict[str, RefusedPart] = field(default_factory=dict)
    check: Check | None = None
    read_at: int = 0
    count: int = 0
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def opened(self) -> Pull | Issue | None:
        """Return what somebody opened, None for the thread."""
        return self.pull or self.issue

    @property
    def state(self) -> PullState:
        """Return how it stands; the thread is open."""
        return self.opened.state if self.opened else "open"

    @property
    def link(self) -> str:
        """Return its address on the forge, "" where that is not known."""
        return self.opened.link if self.opened else ""

    @property
    def head(self) -> str:
        """Return the commit that was seen last as a pull request's head (hex), "" where none was."""
        return self.pull.head.commit if self.pull and self.pull.pushes else ""

    def ended(self, state: PullState, at: int, commit: str = "") -> Place:
        """Return it as closed, or merged by a commit (hex), at a time (Unix seconds)."""
        if self.pull is not None:
            over = {"state": state, "closed_at": at, "closed_by": None, "merge_commit": commit}
            return replace(self, pull=replace(self.pull, **over))
        return replace(self, issue=replace(self.issue, state="closed")) if self.issue is not None else self

    def as_answered(self, state: PullState, at: int, commit: str) -> Place:
        """Return it as the referee wants it from a time on; one that is merged stays so."""
        pull = self.pull
        if state == "merged" and pull and (pull.state, pull.merge_commit) != ("merged", commit):
            return self.ended("merged", at if pull.closed_at is None else pull.closed_at, commit)
        return self.ended("closed", at) if state == "closed" and self.state == "open" else self


THREAD = Place()  # the game's own thread before anybody said anything in it


class Unfetchable(Struct, frozen=True):
    """A head that could not be fetched: its commit, how often that was tried, when it is tried again, and why."""

    commit: str
    tries: int
    again: int
    why: str


class Whole(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What stands of the whole: which `forge`, the `known` commit, the `highest` pull request, what is `listed`.

    `next` is the place of the next remark in the order of arrival, `publisher` who moved the branch last, `writer` the
    account that we write as, `wakes` whether a push wakes the referee; `cursor`, `thread` and `again` are where the
    lists of a forge go on, `withheld` digests of texts that are kept out; `announced` says by game how far the group's
    channel was told.
    """

    forge: str = ""
    known: str = ""
    highest: int = 0
    next: int = 1
    listed: tuple[int, ...] = ()
    unfetched: dict[str, Unfetchable] = field(default_factory=dict)
    publisher: str = ""
    writer: str = ""
    wakes: bool = False
    cursor: int = 0
    thread: int = 0
    again: tuple[int, ...] = ()
    withheld: tuple[str, ...] = ()
    announced: dict[str, Announced] = field(default_factory=dict)


Decoded = dict[tuple[str, Any], Any]
"""What files of a cache hold, by the ids of their bytes, for whoever reads the cache again; nobody changes it."""


class ForgeCache:
    """One commit of what was seen, and the changes to it that are not written yet.

    What was `decoded` may be shared with other observations: data that was read is never changed, only replaced.
    """

    def __init__(self, repo: pygit2.Repository, commit: str, decoded: Decoded | None = None) -> None:
        self.repo = repo
        self._decoded = {} if decoded is None else decoded
        self.commit = commit
        found: object = repo.get(commit) if commit else None
        if commit and not isinstance(found, pygit2.Commit):
            raise _damaged("it leads to no commit")
        self.at = found.commit_time if isinstance(found, pygit2.Commit) else 0
        self._tree = found.tree if isinstance(found, pygit2.Commit) else None
        self._read: dict[str, Any] = {}
        self._changed: dict[str, Any] = {}

    def _get(self, path: str, kind: type[T], default: T) -> T:
        """Return the data of a file, which must not be changed."""
        if path not in self._read:
            blob = self._entry(path)
            if isinstance(blob, pygit2.Tree):
                raise _damaged(f"{path} is a folder")
            self._read[path] = default if blob is None else self._data(blob, path, kind)
        return cast(T, self._read[path])

    def _data(self, blob: pygit2.Blob, path: str, kind: type[T]) -> T:
        name = str(blob.id), kind
        if name not in self._decoded:
            if len(self._decoded) >= _MOST_FILES:
                self._decoded.clear()
            try:
                self._decoded[name] = msgspec.json.decode(blob.data, type=kind)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise _damaged(f"{path} cannot be read: {error}") from error
        return cast(T, self._decoded[name])

    def _touch(self, path: str, value: Any) -> None:
        kept = value if path == _STANDING else self.storable(value, path)
        self._read[path] = self._changed[path] = kept

    def _entry(self, path: str) -> pygit2.Tree | pygit2.Blob | None:
        """Return a file or folder as it was read, None where there is none."""
        try:
            return None if self._tree is None else self._tree[path]
        except KeyError:
            return None

    @property
    def standing(self) -> Whole:
        """Return what stands of the whole."""
        return self._get(_STANDING, Whole, Whole())

    def stand(self, **fields: Any) -> None:
        """Change some of what stands of the whole."""
        stands = replace(self.standing, **fields)
        if stands != self.standing:
            self._touch(_STANDING, stands)

    @property
    def listed(self) -> tuple[int, ...]:
        """Return the pull requests that are open or not settled, ascending."""
        return self.standing.listed

    def pull(self, number: int) -> Place | None:
        """Return what was seen of a pull request or an issue, None if nothing was; 0 is the game's own thread."""
        found: Place | None = self._get(_place("pulls", number, ".json"), Place, cast(Place, None))
        return found if found or number else THREAD

    def place(self, number: int) -> Place:
        """Return the same, an empty one if nothing was seen."""
        return self.pull(number) or THREAD

    def keep_pull(self, number: int, place: Place) -> None:
        """Keep what was seen of a pull request, and whether it is still to be looked at."""
        self._touch(_place("pulls", number, ".json"), place)
        if number:
            listed = set(self.listed)
            over = place.state != "open" and place.settled >= place.changes
            wanted = listed - {number} if over else listed | {number}
            self.stand(listed=tuple(sorted(wanted)), highest=max(self.standing.highest, number))

    def remarks(self, number: int, start: int = 0) -> Iterator[Remark]:
        """Yield what was said of a pull request in order of arrival, from a place on (counted from 0)."""
        count = self.place(number).remarks
        for first in range(start - start % PER_FILE, count, PER_FILE):
            yield from self._chunk(number, first)[max(start - first, 0) :]

    def _chunk(self, number: int, place: int) -> list[Remark]:
        return self._get(_chunk(number, place), list[Remark], [])

    def add_remark(self, number: int, remark: Remark) -> int:
        """Add what was said of a pull request that was seen; returns its place there."""
        order = self.standing.next
        pull = self.place(number)
        place = pull.remarks
        self._touch(_chunk(number, place), [*self._chunk(number, place), replace(remark, pull=number, order=order)])
        self.keep_pull(number, replace(pull, remarks=place + 1, changes=pull.changes + 1))
        self.stand(next=order + 1)
        return place

    def remark(self, number: int, place: int) -> Remark:
        """Return what was said at a place."""
        return self._chunk(number, place)[place % PER_FILE]

    def change_remark(self, number: int, place: int, **fields: Any) -> None:
        """Note what became of what was said; by itself that is nothing to look at a settled pull request for."""
        chunk = list(self._chunk(number, place))
        chunk[place % PER_FILE] = replace(chunk[place % PER_FILE], **fields)
        self._touch(_chunk(number, place), chunk)

    def take_back(self, now: int) -> None:
        """Let what is still looked at, and is stamped later than now by a clock that was ahead, have arrived now."""
        for number in (0, *self.listed):
            place = self.place(number)
            if place.opened is not None:
                self._touch(_place("pulls", number, ".json"), _no_later(place, now))
            for first in range(0, place.remarks, PER_FILE):
                self._touch(_chunk(number, first), [_no_later(each, now) for each in self._chunk(number, first)])

    def said(self, number: int) -> str | None:
        """Return our comment on a pull request, None where we said nothing."""
        path = _place("said", number, ".md")
        if path in self._read:
            return str(self._read[path])
        blob = self._entry(path)
        return blob.data.decode() if isinstance(blob, pygit2.Blob) else None

    def say(self, number: int, text: str) -> None:
        """Set our comment on a pull request."""
        self._touch(_place("said", number, ".md"), text)

    def answers(self, person: str) -> list[Heard]:
        """Return what became of the newest things that somebody wrote (by their id on the forge), oldest first."""
        return list(self._get(_answers(person), list[Heard], []))

    def keep_answers(self, heard: Iterable[Heard]) -> None:
        """Keep what became of things that were written; of the same thing what was said last."""
        for person, some in groupby(sorted(heard, key=lambda each: each.person), lambda each: each.person):
            before = self.answers(person)
            new = {each.fact: each for each in some}
            kept = [new.pop(each.fact, each) for each in before]
            wanted = sorted([*kept, *new.values()], key=lambda each: each.at)
            surplus = [each for each in wanted if each.state == "ignored"][:-_IGNORED]
            wanted = [each for each in wanted if each not in surplus][-_ANSWERS:]
            if wanted != before:
                self._touch(_answers(person), wanted)

    def is_read(self, name: str) -> bool:
        """Say whether a letter was read before."""
        return name in self._get(_index(name), list[str], [])

    def note_read(self, name: str) -> None:
        """Remember that a letter was read."""
        path = _index(name)
        self._touch(path, [*self._get(path, list[str], []), name])

    def moved(self, refs: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Return the refs that do not stand as when they were last looked at: before and now, "" for none."""
        before = {ref: tip for path in self._tip_files() for ref, tip in self._tips(path).items()}
        names = sorted({ref for ref, _ in before.items() ^ refs.items()})
        return {ref: (before.get(ref, ""), refs.get(ref, "")) for ref in names}

    def look_at(self, refs: Mapping[str, str]) -> None:
        """Remember how all refs stand."""
        grouped: dict[str, dict[str, str]] = {}
        for ref in sorted(refs):
            grouped.setdefault(f"tips/{hashlib.sha256(ref.encode()).hexdigest()[:2]}.json", {})[ref] = refs[ref]
        for path in {*grouped, *self._tip_files()}:
            if self._tips(path) != grouped.get(path, {}):
                self._touch(path, grouped.get(path))

    def _tips(self, path: str) -> dict[str, str]:
        return self._get(path, dict[str, str], {}) or {}

    def _tip_files(self) -> set[str]:
        found = self._entry("tips")
        if not isinstance(found, pygit2.Tree):
            return set()
        return {f"tips/{file.name}" for file in found if isinstance(file, pygit2.Blob)}

    def new_texts(self) -> list[str]:
        """Return what somebody wrote that the changes add, or we of it, and the forge might refuse."""
        old: set[str] = set()
        for path in self._changed:
            blob = self._entry(path)
            if isinstance(blob, pygit2.Blob):
                is_text = path.endswith(".md")
                old |= set(_texts(path, blob.data.decode() if is_text else self._data(blob, path, object)))
        found = dict.fromkeys(text for path, value in self._changed.items() for text in _texts(path, value))
        return [text for text in found if text not in old]

    def withholding(self) -> Callable[[Iterable[str]], None]:
        """Return what makes the changes of now without some of their texts, which are kept out from then on."""
        whole, before = dict(self._changed), self.standing.withheld

        def withhold(texts: Iterable[str]) -> None:
            names = dict.fromkeys((*before, *map(_digest, texts)))
            self._changed = {path: _without(path, value, names) for path, value in whole.items()}
            self._read.update(self._changed)
            self.stand(withheld=tuple(names)[-_WITHHELD:])

        return withhold

    def storable(self, value: T, path: str = "") -> T:
        """Return data of a file without the texts that are kept out."""
        withheld = frozenset(self.standing.withheld)
        return cast(T, _without(path, value, withheld)) if withheld else value

    def took(self, commit: str) -> None:
        """Go on from a commit of these changes (hex), which the forge took."""
        if commit:
            self.commit, self._tree = commit, cast(pygit2.Commit, self.repo[commit]).tree

    def write(self, message: str, at: int, parents: Iterable[str] = (), base: str = "") -> str:
        """Store the changes as a commit, on top of the one before and of what was observed.

        The first one stands on `base` ("" for nothing), so that its chain leads to nothing that people pushed.
        Returns its name (hex); that of the commit before, where nothing changed. No ref is moved.
        """
        files = {path: _bytes(value) for path, value in sorted(self._changed.items())}
        before = self._tree.id if self._tree is not None else None
        tree = write_tree(self.repo, before, files)
        if tree == before or (before is None and not files):
            return self.commit
        fault_point("half-written")
        signature = pygit2.Signature(*_WRITER, at, 0)
        made = self.commit or base
        observed = sorted(set(parents))
        for start in range(0, len(observed) or 1, _MOST_PARENTS):
            above = [name for name in (made, *observed[start : start + _MOST_PARENTS]) if name]
            made = str(self.repo.create_commit(None, signature, signature, message + "\n", tree, above))
        fault_point("written")
        return made


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


def _texts(path: str, value: Any) -> list[str]:
    """Return the texts in the data of a file that hold words of people."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _with_texts(path, value, note)
    return found


def _without(path: str, value: Any, withheld: Container[str]) -> Any:
    """Return the data of a file with a mark in the place of texts; the first line of our comment stays."""

    def mark(text: str) -> str:
        if (name := _digest(text)) not in withheld:
            return text
        first = text.partition("\n")[0] + "\n" if text.startswith("<!-- ") else ""
        return f"{first}{WITHHELD} {name}"

    return _with_texts(path, value, mark)


def _with_texts(path: str, value: Any, change: Callable[[str], str]) -> Any:
    """Return the data of a file with each text in it that holds words of people changed."""
    if isinstance(value, str):
        return change(value) if path.endswith((".md", "/")) else value
    if isinstance(value, Struct):
        return replace(value, **_with_texts("", msgspec.structs.asdict(value), change))
    if isinstance(value, Mapping):
        return {name: _with_texts("/" if name in _TEXT_FIELDS else "", each, change) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_with_texts("", each, change) for each in value)
    return value


def _damaged(why: str) -> ProblemError:
    hint = "set refs/moot/forge back to an older commit of its own history, or delete it: then all is seen anew"
    return fail("E-FORGE", f"what was seen of the forge is damaged: {why}", Position("refs/moot/forge"), hint)


def _no_later(value: T, now: int) -> T:
    """Return a record without times that lie in the future."""
    if isinstance(value, tuple):
        return cast(T, tuple(_no_later(each, now) for each in value))
    if not isinstance(value, Struct):
        return value
    fields = {name: _no_later(each, now) for name, each in msgspec.structs.asdict(value).items()}
    late = {name: now for name in STAMPS if type(fields.get(name)) is int and fields[name] > now}
    return cast(T, replace(value, **{**fields, **late}))


def _place(folder: str, number: int, ending: str) -> str:
    return f"{folder}/{number // PER_FILE:03d}/{number}{ending}"


def _chunk(number: int, place: int) -> str:
    return _place("remarks", number, f"/{place // PER_FILE:03d}.json")


def _index(name: str) -> str:
    return f"letters/{name[0]}/{name[1]}/{name[2]}.json"


def _answers(person: str) -> str:
    digest = hashlib.sha256(person.encode(errors="replace")).hexdigest()
    return f"answers/{digest[:2]}/{digest[2:18]}.json"


def _bytes(value: Any) -> bytes | None:
    """Return data as JSON, a field a line: what a later version changes shows nothing of the rest in its difference."""
    if value is None or isinstance(value, str):
        return None if value is None else value.encode()
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
