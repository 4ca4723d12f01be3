"""What was seen of a local forge and when: a tree of files whose commits only grow, at `refs/moot/forge`.

    standing.yaml              known, highest pull request, next place in the order of arrival, pull requests to look at
    pulls/000/7.yaml           a pull request; 0 is the game's own thread
    remarks/000/7/000.yaml     what was said of it, a hundred a file, in order of arrival
    said/000/7.md              our comment on it
    answers/ab/cdef….yaml      what became of the newest things that somebody wrote, by a digest of their id
    letters/a/b/c.yaml         letters that were read, by the first digits of their names: pull request and place
    tips/…                     the value of every ref when it was last looked at
    ignored.yaml               the newest of what was ignored, and why

Every commit has the commit before and all that was observed as its parents, so that nothing that was seen is lost,
whatever becomes of its ref.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

import pygit2
from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.files.canonical import quote, write_yaml
from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.cache.records import LetterPlace, SeenPull, SeenRemark, SeenStanding, ToldAnswer
from folkmoot.forges.cache.ref_names import FORGE, PULLS, mirror, pull_number
from folkmoot.forges.vocabulary import WITHHELD
from folkmoot.journal.git_objects import write_tree

if TYPE_CHECKING:
    from folkmoot.forges.port import Heard

Changes = dict[str, Document | list[Any] | str]
"""What files are to hold, by their paths."""
PER_FILE = 100
_TEXT_FIELDS = ("body", "title", "what", "why")
_ANSWERS = 100  # of one person that are kept
_IGNORED = 30  # of these, letters that were ignored: whoever writes in somebody's name pushes out no other answer
_WITHHELD = 500  # how many texts are kept out
_NOTES = 200  # how many of what was ignored are kept
STAMPS = ("at", "opened_at", "closed_at")
_MOST_PARENTS = 500  # of one commit
_MOST_FILES = 20_000  # that are kept in memory
_WRITER = ("moot", "moot@localhost")
_EMPTY_STANDING = {"known": "", "highest": 0, "next": 1, "listed": []}


class Note(Struct, frozen=True):
    """Something that was ignored: the ref, the commit (hex), and one clause that says why; `at` when it was seen."""

    ref: str
    commit: str
    why: str
    at: int


class LoadedFiles:
    """What files of a cache hold, by the ids of their bytes, for whoever reads the cache again; nobody changes it."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def data(self, blob: pygit2.Blob, path: str) -> Any:
        """Return what a file holds; raises what says that it cannot be read."""
        name = str(blob.id)
        if name not in self._loaded:
            if len(self._loaded) >= _MOST_FILES:
                self._loaded.clear()
            try:
                self._loaded[name] = load_yaml(blob.data.decode(), path)
            except (ProblemError, UnicodeDecodeError) as error:
                raise _damaged(f"{path} cannot be read") from error
        return self._loaded[name]


class ForgeCache:
    """One commit of what was seen, and the changes to it that are not written yet.

    `files` holds the data of files by the names of their bytes; it may be shared with other observations, because
    data that was read is never changed, only replaced.
    """

    def __init__(self, repo: pygit2.Repository, commit: str, files: LoadedFiles | None = None) -> None:
        self.repo = repo
        self._files = files or LoadedFiles()
        self.commit = commit
        found: object = repo.get(commit) if commit else None
        if commit and not isinstance(found, pygit2.Commit):
            raise _damaged("it leads to no commit")
        self.at = found.commit_time if isinstance(found, pygit2.Commit) else 0
        self._tree = found.tree if isinstance(found, pygit2.Commit) else None
        self._read: dict[str, Any] = {}
        self._changed: Changes = {}

    # Files

    def _get(self, path: str, default: Any) -> Any:
        """Return the data of a file, which must not be changed."""
        if path not in self._read:
            blob = self._entry(path)
            self._read[path] = self._files.data(blob, path) if isinstance(blob, pygit2.Blob) else default
            if blob is not None and not isinstance(self._read[path], list if isinstance(default, list) else dict):
                raise _damaged(f"{path} holds something else than it should")
        return self._read[path]

    def _touch(self, path: str, value: Any) -> None:
        kept = value if path == "standing.yaml" else self.storable(value, path)
        self._read[path] = self._changed[path] = kept

    def changes(self) -> Changes:
        """Return the changes as they are, by file."""
        return dict(self._changed)

    def _entry(self, path: str) -> pygit2.Tree | pygit2.Blob | None:
        """Return a file or folder as it was read, None where there is none."""
        try:
            return None if self._tree is None else self._tree[path]
        except KeyError:
            return None

    # What stands

    @property
    def standing(self) -> SeenStanding:
        """Return a copy of what stands of the whole."""
        return cast(SeenStanding, {**_EMPTY_STANDING, **self._get("standing.yaml", {})})

    def stand(self, **fields: Any) -> None:
        """Change some of what stands of the whole."""
        self._touch("standing.yaml", {**self.standing, **fields})

    @property
    def known(self) -> str:
        """Return the commit of the branch that a referee last published or proved, "" if none."""
        return str(self.standing["known"])

    @property
    def listed(self) -> list[int]:
        """Return the pull requests that are open or not settled, ascending."""
        return list(self.standing["listed"])

    # Pull requests

    def pull(self, number: int) -> SeenPull | None:
        """Return what was seen of a pull request, None if nothing was; 0 is the game's own thread."""
        default = {"state": "open", "remarks": 0, "changes": 0, "settled": 0} if number == 0 else None
        found: SeenPull | None = self._get(_place("pulls", number, ".yaml"), default)
        return found

    def keep_pull(self, number: int, record: SeenPull) -> None:
        """Keep what was seen of a pull request, and whether it is still to be looked at."""
        self._touch(_place("pulls", number, ".yaml"), record)
        if number:
            listed = set(self.listed)
            over = record["state"] != "open" and record["settled"] >= record["changes"]
            wanted = listed - {number} if over else listed | {number}
            highest = max(self.standing["highest"], number)
            if wanted != listed or highest != self.standing["highest"]:
                self.stand(listed=sorted(wanted), highest=highest)

    # Remarks

    def remarks(self, number: int, start: int = 0) -> Iterator[SeenRemark]:
        """Yield what was said of a pull request in order of arrival, from a place on (counted from 0)."""
        count = (self.pull(number) or {"remarks": 0})["remarks"]
        for first in range(start - start % PER_FILE, count, PER_FILE):
            chunk = self._get(_chunk(number, first), [])
            yield from chunk[max(start - first, 0) :]

    def add_remark(self, number: int, record: SeenRemark) -> int:
        """Add what was said of a pull request that was seen; returns its place there."""
        pull = self.pull(number) or {}
        place: int = pull["remarks"]
        order: int = self.standing["next"]
        chunk = self._get(_chunk(number, place), [])
        self._touch(_chunk(number, place), [*chunk, {**record, "order": order}])
        self.keep_pull(number, {**pull, "remarks": place + 1, "changes": pull["changes"] + 1})
        self.stand(next=order + 1)
        return place

    def remark(self, number: int, place: int) -> SeenRemark:
        """Return what was said at a place."""
        found: SeenRemark = self._get(_chunk(number, place), [])[place % PER_FILE]
        return found

    def change_remark(self, number: int, place: int, **fields: Any) -> None:
        """Note what became of what was said; by itself that is nothing to look at a settled pull request for."""
        chunk = list(self._get(_chunk(number, place), []))
        chunk[place % PER_FILE] = {**chunk[place % PER_FILE], **fields}
        self._touch(_chunk(number, place), chunk)

    # Stamps

    def take_back(self, now: int) -> None:
        """Let what is still looked at, and is stamped later than now by a clock that was ahead, have arrived now."""
        for number in (0, *self.listed):
            record = self.pull(number)
            if record is not None:
                self._touch(_place("pulls", number, ".yaml"), _no_later(record, now))
            for first in range(0, (record or {}).get("remarks", 0), PER_FILE):
                chunk = _chunk(number, first)
                self._touch(chunk, _no_later(self._get(chunk, []), now))

    # Our comments

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

    # What became of what people wrote

    def answers(self, person: str) -> list[ToldAnswer]:
        """Return what became of the newest things that somebody wrote (by their id on the forge), oldest first."""
        return list(self._get(_answers(person), []))

    def keep_answers(self, heard: Iterable[Heard]) -> None:
        """Keep what became of things that were written; of the same thing what was said last."""
        for person, some in groupby(sorted(heard, key=lambda each: each.person), lambda each: each.person):
            before = self.answers(person)
            new = {each.fact: each.as_record() for each in some}
            kept = [new.pop(record["fact"], record) for record in before]
            wanted = sorted([*kept, *new.values()], key=lambda record: record["at"])
            surplus = [record for record in wanted if record["state"] == "ignored"][:-_IGNORED]
            wanted = [record for record in wanted if record not in surplus][-_ANSWERS:]
            if wanted != before:
                self._touch(_answers(person), wanted)

    # Letters that were read

    def letter(self, name: str) -> LetterPlace | None:
        """Return where a letter stands: `pull`, and `place` among its remarks if it is one; None if it is new."""
        found: LetterPlace | None = self._get(_index(name), {}).get(name)
        return found

    def keep_letter(self, name: str, record: LetterPlace) -> None:
        """Remember where a letter stands."""
        path = _index(name)
        self._touch(path, {**self._get(path, {}), name: record})

    # What was ignored

    def ignored(self) -> list[Note]:
        """Return the newest of what was ignored, oldest first."""
        return [Note(**fields) for fields in self._get("ignored.yaml", [])]

    def ignore(self, note: Note) -> None:
        """Keep that something was ignored; the oldest such notes are forgotten."""
        fields = {"ref": note.ref, "commit": note.commit, "why": note.why, "at": note.at}
        self._touch("ignored.yaml", [*self._get("ignored.yaml", []), fields][-_NOTES:])

    # Tips

    def moved(self, refs: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Return the refs that do not stand as when they were last looked at: before and now, "" for none."""
        moved: dict[str, tuple[str, str]] = {}
        for path, tips in _grouped(refs).items():
            entry = self._entry(path)
            if entry is not None and str(entry.id) == _name_of(_tips_file(tips)):
                continue
            before = self._get(path, {}) or {}
            for ref in sorted({*before, *tips}):
                if before.get(ref, "") != tips.get(ref, ""):
                    moved[ref] = (before.get(ref, ""), tips.get(ref, ""))
        for path in self._tip_files() - set(_grouped(refs)):
            moved |= {ref: (value, "") for ref, value in (self._get(path, {}) or {}).items()}
        return moved

    def look_at(self, refs: Mapping[str, str]) -> None:
        """Remember how all refs stand."""
        grouped = _grouped(refs)
        for path in {*grouped, *self._tip_files()}:
            if (self._get(path, {}) or {}) != grouped.get(path, {}):
                self._touch(path, grouped.get(path))

    def _tip_files(self) -> set[str]:
        found = self._entry("tips")
        if not isinstance(found, pygit2.Tree):
            return set()
        return {f"tips/{kind.name}/{file.name}" for kind in found if isinstance(kind, pygit2.Tree) for file in kind}

    # What the forge does not take

    def new_texts(self) -> list[str]:
        """Return what somebody wrote that the changes add, or we of it, and the forge might refuse."""
        old = {text for path in self._changed for text in _texts(path, self._stored(path))}
        found = dict.fromkeys(text for path, value in self._changed.items() for text in _texts(path, value))
        return [text for text in found if text not in old]

    def _stored(self, path: str) -> Any:
        """Return what a file holds in the commit that this is built upon."""
        blob = self._entry(path)
        if not isinstance(blob, pygit2.Blob):
            return None
        return blob.data.decode() if path.endswith(".md") else self._files.data(blob, path)

    def withhold(self, texts: Iterable[str], changes: Changes, before: Iterable[str]) -> None:
        """Make changes without some of their texts, which are kept out from now on, like those of `before`."""
        names = dict.fromkeys((*before, *map(_digest, texts)))
        self._changed = {path: _without(path, value, names) for path, value in changes.items()}
        self._read.update(self._changed)
        self.stand(withheld=list(names)[-_WITHHELD:])

    def storable(self, value: Any, path: str = "") -> Any:
        """Return data of a file without the texts that are kept out."""
        withheld = frozenset(self.standing.get("withheld", ()))
        return _without(path, value, withheld) if withheld else value

    def took(self, commit: str) -> None:
        """Go on from a commit of these changes (hex), which the forge took."""
        self.commit, self._tree = commit, cast(pygit2.Commit, self.repo[commit]).tree

    # Writing

    def write(self, message: str, at: int, parents: Iterable[str] = (), base: str = "") -> str:
        """Store the changes as a commit, on top of the one before and of what was observed.

        The first one stands on `base` ("" for nothing), so that its chain leads to nothing that people pushed.
        Returns its name (hex); that of the commit before, where nothing changed. No ref is moved.
        """
        files = {path: _bytes(path, value) for path, value in sorted(self._changed.items())}
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


def _texts(path: str, value: Any) -> Iterator[str]:
    """Yield the texts in the data of a file that hold words of people."""
    if isinstance(value, str) and path.endswith(".md"):
        yield value
    elif isinstance(value, Mapping):
        yield from (each for name, each in value.items() if name in _TEXT_FIELDS and isinstance(each, str))
        yield from (text for each in value.values() for text in _texts("", each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _texts("", each))


def _without(path: str, value: Any, withheld: Container[str]) -> Any:
    """Return the data of a file with a mark in the place of texts; the first line of our comment stays."""
    if isinstance(value, str):
        if not path.endswith((".md", "/")) or (name := _digest(value)) not in withheld:
            return value
        first = value.partition("\n")[0] + "\n" if value.startswith("<!-- ") else ""
        return f"{first}{WITHHELD} {name}"
    if isinstance(value, Mapping):
        return {name: _without("/" if name in _TEXT_FIELDS else "", each, withheld) for name, each in value.items()}
    return [_without("", each, withheld) for each in value] if isinstance(value, list) else value


def _damaged(why: str) -> ProblemError:
    hint = f"set {FORGE} back to an older commit of its own history, or delete it: then all is seen anew"
    return fail("E-FORGE", f"what was seen of the forge is damaged: {why}", Position(FORGE), hint)


def _no_later(value: Any, now: int) -> Any:
    """Return a record without times that lie in the future."""
    if isinstance(value, dict):
        late = {name: now for name in STAMPS if type(value.get(name)) is int and value[name] > now}
        return {name: _no_later(part, now) for name, part in value.items()} | late
    return [_no_later(part, now) for part in value] if isinstance(value, list) else value


def _place(folder: str, number: int, ending: str) -> str:
    return f"{folder}/{number // PER_FILE:03d}/{number}{ending}"


def _chunk(number: int, place: int) -> str:
    return _place("remarks", number, f"/{place // PER_FILE:03d}.yaml")


def _index(name: str) -> str:
    return f"letters/{name[0]}/{name[1]}/{name[2]}.yaml"


def _answers(person: str) -> str:
    digest = hashlib.sha256(person.encode(errors="replace")).hexdigest()
    return f"answers/{digest[:2]}/{digest[2:18]}.yaml"


def _tips_path(ref: str) -> str:
    """Return the file that a ref's value stands in: a hundred pull requests a file, chains of letters by a digest."""
    number = pull_number(ref)
    if number is not None:
        return f"tips/pulls/{number // PER_FILE:03d}.yaml"
    kind = "odd" if ref.startswith(PULLS) else "letters"
    return f"tips/{kind}/{hashlib.sha256(ref.encode()).hexdigest()[:2]}.yaml"


def _grouped(refs: Mapping[str, str]) -> dict[str, dict[str, str]]:
    grouped: dict[str, dict[str, str]] = {}
    for ref in sorted(refs):
        grouped.setdefault(_tips_path(ref), {})[ref] = refs[ref]
    return grouped


def _tips_file(tips: Mapping[str, str]) -> bytes:
    """Return the file of some refs' values; it is made without a YAML library, so that all can be compared at once."""
    return "".join(f'{quote(ref)}: "{value}"\n' for ref, value in tips.items()).encode()


def _name_of(data: bytes) -> str:
    """Return the name that git gives to a file's bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _bytes(path: str, value: Any) -> bytes | None:
    if value is None:
        return None
    if path.startswith("tips/"):
        return _tips_file(value)
    return (value if isinstance(value, str) else write_yaml(value)).encode()


def observed_here(repo: pygit2.Repository) -> str:
    """Return what a referee observed, as it was last fetched into a repository or stands there (hex), "" for none."""
    found = repo.references.get(mirror(FORGE)) or repo.references.get(FORGE)
    return str(found.target) if found is not None else ""
