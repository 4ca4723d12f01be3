"""The facts that the referee gets from a forge, and the answers that it gives.

An adapter only observes and delivers: it decides nothing about the game. Times are Unix seconds (UTC) at which the
forge, or whoever observed it first, says that a fact arrived; what an author claims about time is never used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

PullState = Literal["open", "merged", "closed"]
RemarkKind = Literal["comment", "approve", "request_changes"]


class Person(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody as a forge knows them: `id` never changes and is never reused, `handle` is what is shown."""

    id: str
    handle: str
    robot: bool = False


WITHHELD = "[withheld: the forge does not take this text]"
"""What stands for a text that the forge refuses to keep, before its digest."""
CheckState = Literal["pending", "success", "failure"]


class Push(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Content that arrived on a pull request: a commit (hex), when, and the SSH key whose good signature it carries."""

    commit: str
    at: int
    author: Person
    key: str = ""


class Remark(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A comment or review as it was when it arrived, with what became of it later.

    The first remark of an issue is its own text, with the issue's author and number (`pull`). `order` puts remarks that
    arrived in the same second in order; `commit` is the head that a review was made on; `game` is the digest of the
    first entry of the game that it was signed for, `seen` a commit of its branch or of what a referee saw that its
    author had seen, "" where it names none; `edited` says that the text was changed after it was first seen (`body`
    stays the first), `dismissed_by` who took a review back.
    """

    id: str
    pull: int
    kind: RemarkKind
    author: Person
    at: int
    body: str = ""
    order: int = 0
    commit: str = ""
    key: str = ""
    game: str = ""
    seen: str = ""
    edited: bool = False
    deleted: bool = False
    dismissed_by: Person | None = None


class Pull(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A pull request: `pushes` are all contents that were seen, oldest first; the last is the head."""

    number: int
    author: Person
    title: str
    body: str
    state: PullState
    base: str
    pushes: tuple[Push, ...]
    opened_at: int
    draft: bool = False
    closed_at: int | None = None
    closed_by: Person | None = None
    merge_commit: str = ""
    link: str = ""

    @property
    def head(self) -> Push:
        """Return the newest content."""
        return self.pushes[-1]


class Issue(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A free-form statement to a game, made without git; what it says, and what is said below it, are its remarks."""

    number: int
    author: Person
    title: str
    state: Literal["open", "closed"]
    opened_at: int
    link: str = ""
    labels: tuple[str, ...] = ()


class Unread(Struct, frozen=True, kw_only=True):
    """Newest content that is not here: its commit (hex), one clause of why, and when it is tried again."""

    commit: str
    why: str
    again: int
    state: PullState = "open"


class Snapshot(Struct, frozen=True, kw_only=True):
    """What a forge holds at one moment; its commits are in the local object store.

    `main` is the tip of the branch that is played on (hex, "" before the first commit), `known` the commit of it that
    a referee last published or proved; `pulls` are those that are open, and those closed ones that something happened
    to which no referee has acknowledged yet, by number; `issues` are the same of what was stated without git, where the
    forge has such. `remarks` are theirs in order of arrival, under 0 those of the game's own thread that were not
    acknowledged; `said` is our own comment on each. `unread` are pull requests whose newest content could not be
    fetched, by number: they are among `pulls` where older content is here. `published` is the commit of which the site
    was published last, "" where that was never noted.
    """

    at: int
    main: str
    known: str
    pulls: tuple[Pull, ...]
    remarks: Mapping[int, tuple[Remark, ...]]
    said: Mapping[int, str]
    issues: tuple[Issue, ...] = ()
    unread: Mapping[int, Unread] = field(default_factory=dict)
    published: str = ""


class Check(Struct, frozen=True, kw_only=True):
    """The mark that a forge shows beside a commit: one line of plain text (`summary`), and where to read more."""

    commit: str
    state: CheckState
    summary: str
    link: str = ""


class Call(Struct, frozen=True, kw_only=True):
    """A word that people are notified of, said once: `key` names its occasion within a pull request or issue.

    `people` are their ids on the forge, which writes the handles that they have now before the `text` (Markdown).
    """

    key: str
    people: tuple[str, ...]
    text: str


class Announced(Struct, frozen=True, omit_defaults=True):
    """How far a group's own channel was told of a game: up to which entry, and which votes that end soon."""

    seq: int
    ending: tuple[str, ...] = ()


class Heard(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one thing that somebody wrote: kept where its author's own clone finds it.

    `person` is the author's id on the forge, `fact` what was written, `place` where (`pull 7`, `issue 3`, `thread`),
    `at` when it arrived (Unix seconds); `state` is `recorded` (as entry `seq`), `refused`, `waiting`, `void`, `told`,
    or `ignored` for a letter that nobody could take; `code` and `why` say why, and `rule` (its uid) by which rule.
    """

    person: str
    fact: str
    game: str
    place: str
    at: int
    what: str
    state: str
    code: str = ""
    why: str = ""
    rule: str = ""
    seq: int | None = None

    def as_record(self) -> dict[str, str | int]:
        """Return it as plain data, without what is empty, and without the person."""
        found = {name: getattr(self, name) for name in self.__struct_fields__ if name != "person"}
        return {name: value for name, value in found.items() if value not in ("", None)}


class Answer(Struct, frozen=True, kw_only=True):
    """What we want a pull request or an issue to look like: our one comment, its check, and whether it is over.

    `state` `merged` asks the forge to show it as merged by `commit`, in which its head `head` was adopted ("" where
    that is not known), `closed` to close it; `settled` acknowledges all that was seen of one that is over, but the
    `young`: so many of the newest remarks, which were not read yet. `calls` are said unless they were before; a forge
    that notifies nobody says none. What was `heard` is kept for its authors.
    """

    pull: int
    text: str
    state: PullState = "open"
    commit: str = ""
    head: str = ""
    settled: bool = False
    young: int = 0
    check: Check | None = None
    calls: tuple[Call, ...] = ()
    heard: tuple[Heard, ...] = ()
