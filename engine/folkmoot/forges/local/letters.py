"""Letters: what a person says on the local forge, one commit each, in chains that only grow; and how they are observed.

A letter's commit holds the file `letter.yaml` and nothing else. Whose chain it lies in proves nothing: the author is
the commit's, and so is the signature. Reading never trusts what it finds; what is no letter is said to be none. What
is new becomes facts with a stamp, in an order that does not depend on who looks: pull requests by number, then chains
by the names of their refs, each from its oldest letter on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from itertools import count, islice, takewhile
from typing import Annotated, Literal, cast

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import write_yaml
from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.cache.forge_cache import THREAD, ForgeCache
from folkmoot.forges.cache.refs import LETTERS, in_the_way, next_pull, pull_number
from folkmoot.forges.cache.untrusted_objects import MORE_THAN_ANY, chain, find_commit, size_of
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Heard, Person, Pull, Push, Remark, RemarkKind
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import parents_of
from folkmoot.journal.tree import foundings

Kind = Literal["comment", "approve", "request_changes", "close", "describe"]
REVIEWS = ("approve", "request_changes")

FILE = "letter.yaml"
MAXIMUM_SIZE = 64 * 1024  # bytes of a letter
MAXIMUM_NEW = 50_000  # letters of one chain that are read at once
_LARGEST_TREE = 1024  # bytes; one file takes 38
_TITLE, _NAME, _MAIL = 200, 100, 254  # characters that are kept of each
Commit = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?\Z")]
_EMPTY_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Letter(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What somebody says: of which pull request (0: the game), and in which sense.

    `head` is the commit that a review was made on; the body of a `describe` is a title, an empty line and a
    description. `game` is the digest of the first entry of the game that is meant, `seen` a commit of its branch or of
    what its referee saw: what is signed counts nowhere else.
    """

    pull: Annotated[int, Meta(ge=0, le=999_999_999)]
    kind: Kind
    head: Commit = ""
    seen: Commit = ""
    game: Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{64})?\Z")] = ""
    body: str = ""

    def as_file(self) -> str:
        """Return the letter as its file."""
        return write_yaml(to_builtins(self))


class Sent(Struct, frozen=True):
    """A letter with the commit it came in: its id (hex), its author, and the key whose good signature it carries."""

    id: str
    author: Person
    key: str
    letter: Letter

    @property
    def meaning(self) -> tuple[object, ...]:
        """Return what makes two letters the same."""
        return self.author.id, self.key, self.letter


class NoLetterError(ValueError):
    """Raised for a commit that is no letter, with one clause that says why."""


def read_letter(repo: pygit2.Repository, name: str) -> Sent:
    """Return the letter that a commit is. Raises NoLetterError."""
    commit = commit_of(repo, name)
    return Sent(name, author_of(commit), _signing_key(repo, name), parse(_text(repo, commit)))


def _signing_key(repo: pygit2.Repository, name: str) -> str:
    """Return the key whose good signature a commit carries, "" for none."""
    if b"\ngpgsig" not in repo[name].read_raw():
        return ""
    from folkmoot.forges.signatures import signing_key  # cryptography comes with it, which few letters need

    return signing_key(repo, name)


def commit_of(repo: pygit2.Repository, name: str) -> pygit2.Commit:
    """Return a commit by its name (hex). Raises NoLetterError where that is something else, or not here."""
    found = find_commit(repo, name)
    if found is None:
        raise NoLetterError("it leads to no commit")
    return found


def author_of(commit: pygit2.Commit) -> Person:
    """Return the author of a commit. Raises NoLetterError where it names no address."""
    try:
        given = commit.author
        name, mail = given.raw_name.decode(errors="replace"), given.raw_email.decode(errors="replace")
    except (AttributeError, ValueError, pygit2.GitError):
        raise NoLetterError("its author cannot be read") from None
    address = lowered(mail.strip())
    if not 3 <= len(address) <= _MAIL or "@" not in address or _UNPRINTABLE.search(address) or " " in address:
        raise NoLetterError("its author has no e-mail address")
    return Person(id=address, handle=on_one_line(name, _NAME) or address)


def lowered(address: str) -> str:
    """Return an address with its ASCII letters in lower case; no other letter turns into one."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in address)


def on_one_line(text: str, most: int = _TITLE) -> str:
    """Return a text without line breaks and control characters, cut to a number of characters."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())[:most]


def title_and_body(message: str) -> tuple[str, str]:
    """Return the first line of a message and what follows it."""
    title, _, body = message.strip().partition("\n")
    return on_one_line(title), _EMPTY_LINES.sub("", body).rstrip()[:MAXIMUM_SIZE]  # an indented line stays one: code


def message_of(commit: pygit2.Commit) -> str:
    """Return a commit's message whatever its bytes are, without characters that no file may hold."""
    text = commit.raw_message[: 2 * MAXIMUM_SIZE].decode(errors="replace").replace("\r\n", "\n")
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\ufffd", text)


def _text(repo: pygit2.Repository, commit: pygit2.Commit) -> str:
    if size_of(repo, commit.tree_id, pygit2.enums.ObjectType.TREE) > _LARGEST_TREE:
        raise NoLetterError(f"it must hold the file {FILE} and nothing else")
    entries = list(commit.tree)
    if len(entries) != 1 or entries[0].name != FILE:
        raise NoLetterError(f"it must hold the file {FILE} and nothing else")
    if entries[0].filemode != pygit2.enums.FileMode.BLOB:
        raise NoLetterError(f"its {FILE} is no plain file")
    size = size_of(repo, entries[0].id, pygit2.enums.ObjectType.BLOB)
    if size > MAXIMUM_SIZE:
        said = "cannot be read" if size == MORE_THAN_ANY else f"has {size:,} bytes; at most {MAXIMUM_SIZE:,} are read"
        raise NoLetterError(f"its {FILE} {said}")
    blob = repo[entries[0].id]
    try:
        return blob.data.decode() if isinstance(blob, pygit2.Blob) else ""
    except UnicodeDecodeError:
        raise NoLetterError(f"its {FILE} is no UTF-8") from None


def gist(repo: pygit2.Repository, name: str) -> tuple[str, str]:
    """Return where a letter was meant for, and what it says, as far as that can be read."""
    with suppress(NoLetterError):
        letter = read_letter(repo, name).letter
        said = on_one_line(letter.body, 160) if letter.kind == "comment" else letter.kind.replace("_", " ")
        return (f"pull {letter.pull}" if letter.pull else "thread"), said
    with suppress(NoLetterError):
        said = on_one_line(_text(repo, commit_of(repo, name)).replace("\n", ", "), 160).strip(", ")
        return "thread", f"a letter that says “{said}”" if said else "an empty letter"
    return "thread", "a letter"


def parse(text: str) -> Letter:
    """Return the letter that a file says. Raises NoLetterError."""
    try:
        letter = convert(load_yaml(text, FILE), Letter)
    except ProblemError as error:
        raise NoLetterError(on_one_line(str(error.problems[0]))) from None
    except ValidationError as error:
        raise NoLetterError(f"its {FILE} is no letter: {on_one_line(str(error))}") from None
    if wrong := _wrong(letter):
        raise NoLetterError(wrong)
    return letter


def _wrong(letter: Letter) -> str:
    kind = letter.kind
    if letter.pull == 0 and kind != "comment":
        return f"there is no pull request to {kind.replace('_', ' ')}"
    if letter.head and kind not in REVIEWS:
        return "its fields do not go with its kind"
    if kind in REVIEWS and not letter.head:
        return "a review must name the commit it was made on (head)"
    if kind in ("comment", "describe") and not letter.body.strip():
        return "it says nothing (body)"
    return ""


_FOLDER = LETTERS.rstrip("/")
_WRITER = re.compile(r"refs/moot/letters(?:\.[0-9]{1,9})?/[A-Za-z0-9][A-Za-z0-9._@+-]{0,119}\Z")


def writer_of(mail: str) -> str:
    """Return the name of the chain that a person with this address writes to."""
    name = re.sub(r"[^a-z0-9_+@-]+", "-", lowered(mail)).strip("-+@_")
    return name[:100] or "somebody"


def is_letters(ref: str) -> bool:
    """Return whether a ref is a well-named chain of letters."""
    return bool(_WRITER.match(ref)) and not ref.endswith((".", ".lock")) and ".." not in ref


def own_chains(mail: str, names: Iterable[str]) -> list[str]:
    """Return the refs among some that a person's own client writes letters to, in order of their names.

    >>> own_chains("eve@x.org", ["refs/moot/letters/eve@x-org.2", "refs/moot/letters/adam@x-org"])
    ['refs/moot/letters/eve@x-org.2']
    """
    usual = re.compile(rf"{re.escape(_FOLDER)}(?:\.\d+)?/{re.escape(writer_of(mail))}(?:\.\d+)?\Z")
    return sorted(name for name in names if usual.match(name))


def free_chains(mail: str, names: Collection[str]) -> Iterator[str]:
    """Yield the refs that a person's letters can go to, the usual one first: git makes none that is barred by another.

    It ends at once where the folder of all our refs is barred.
    """
    folder = next(name for name in _numbered(_FOLDER) if name not in names)
    for ref in _numbered(f"{folder}/{writer_of(mail)}"):
        barring = in_the_way(ref, names)
        if not barring:
            yield ref
        elif any(ref.startswith(f"{name}/") for name in barring):
            return


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name}.{number}"


MOST_STEPS = 50_000  # of a chain, from its tip to what a letter saw


class Observer:
    """Writes down in one observation what is new, all with one stamp."""

    def __init__(
        self, seen: ForgeCache, at: int, base: str, main: str, names: Iterable[str], faulty: Mapping[str, str]
    ) -> None:
        """Begin: `names` are all refs that there are, `faulty` the commits (hex) that git does not take, and why."""
        self.main = main
        self.faulty = faulty
        self._next = next_pull(seen.standing.highest, names)
        self.repo = seen.repo
        self.seen = seen
        self.at = at
        self.base = base

    def observe(self, moved: Mapping[str, tuple[str, str]]) -> None:
        """Read the refs that do not stand as when they were last looked at (before, now)."""
        pulls = {number: ref for ref in moved if (number := pull_number(ref)) is not None}
        for number in sorted(pulls):
            head = moved[pulls[number]][1]
            self._guarded(head, partial(self._pull, number, head), f"pull {number}", "a push")
        for ref in sorted(set(moved) - set(pulls.values())):
            self._guarded(moved[ref][1], partial(self._letters, ref, *moved[ref]), "thread", f"a push to {ref}")

    def _guarded(self, name: str, read: Callable[[], None], place: str = "", what: str = "") -> None:
        """Read what came by a commit (hex); where that is ignored, tell the author of that commit why."""
        try:
            guarded(
                Stage.LETTER, read, lambda problem: self._tell_author(name, problem.message, place, what), NoLetterError
            )
        except NoLetterError as error:
            self._tell_author(name, str(error), place, what)

    def _tell_author(self, name: str, why: str, place: str, what: str) -> None:
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

    def _pull(self, number: int, head: str) -> None:
        """Note the content of a pull request; one whose ref was deleted stays as it was seen."""
        if not head:
            return
        commit = commit_of(self.repo, head)
        if head in self.faulty:
            raise NoLetterError(f"git itself does not take what it leads to ({self.faulty[head]}); commit it anew")
        push = Push(commit=head, at=self.at, author=author_of(commit), key=_signing_key(self.repo, head))
        known = self.seen.pull(number)
        if known is None and number >= self._next:
            raise NoLetterError(f"pull requests are numbered one after the other; the next one is {self._next}")
        title, body = title_and_body(message_of(commit))
        new = Pull(
            number=number, author=push.author, title=title, body=body, state="open", base=self.base, pushes=(),
            opened_at=self.at,
        )  # fmt: skip
        place = known or THREAD
        pull = place.pull or new
        if place.head != head:
            pull = replace(pull, pushes=(*pull.pushes, push))
            self.seen.keep_pull(number, replace(place, pull=pull, changes=place.changes + 1))

    def _letters(self, ref: str, old: str, new: str) -> None:
        """Read what is new in a chain, which costs only that where the chain grew.

        In one that was written anew a letter that says the same as one that is gone is that letter; every other one is
        new, whatever place it has in the chain.
        """
        if not is_letters(ref):
            raise NoLetterError("no pull request and no chain of letters has such a name")
        if new and size_of(self.repo, new, pygit2.enums.ObjectType.COMMIT) == MORE_THAN_ANY:
            raise NoLetterError("it leads to no commit")
        added = list(islice(takewhile(lambda name: name != old, chain(self.repo, new)), MAXIMUM_NEW + 1))
        if len(added) > MAXIMUM_NEW:
            raise NoLetterError(f"it brings more than {MAXIMUM_NEW:,} letters at once; none of them is read")
        grew = not added or old in parents_of(self.repo, added[-1])[:1]
        gone = set() if grew else set(filter(self.seen.is_read, chain(self.repo, old))).difference(added)
        said = Counter(read_letter(self.repo, name).meaning for name in gone)
        for name in reversed(added):
            if not self.seen.is_read(name):
                self._guarded(name, partial(self._read, name, said))

    @cached_property
    def _play(self) -> frozenset[str]:
        return frozenset(islice(chain(self.repo, self.main), MOST_STEPS)) if self.main else frozenset()

    def _read(self, name: str, said: Counter[tuple[object, ...]]) -> None:
        """Read a letter, unless it is one of those that were `said` before."""
        sent = read_letter(self.repo, name)
        letter = sent.letter
        if said[sent.meaning]:
            said[sent.meaning] -= 1
            self.seen.note_read(name)
            return
        if self.seen.pull(letter.pull) is None:
            raise NoLetterError(f"there is no pull request {letter.pull}")
        self._check_bound(letter, signed=bool(sent.key))
        if letter.kind in ("close", "describe"):
            self._change_pull(sent)
        else:
            remark = Remark(
                id=name, pull=letter.pull, kind=cast(RemarkKind, letter.kind), author=sent.author, at=self.at,
                body=letter.body, commit=letter.head, key=sent.key, game=letter.game, seen=letter.seen,
            )  # fmt: skip
            self.seen.add_remark(letter.pull, remark)
        self.seen.note_read(name)

    def _check_bound(self, letter: Letter, *, signed: bool) -> None:
        """Refuse a letter that was not written for this table: from a copy of it, or for a game that is not here."""
        if (signed or letter.game) and letter.game not in self._foundings.values():
            raise NoLetterError(
                "it names no game of this branch by the digest of its first entry (game), as what is signed must; "
                "send it from a clone of this table"
            )
        if signed and not letter.seen:
            raise NoLetterError("it names no commit that its author saw (seen), as what is signed must; send it again")
        tips = [tip for tip in (self.seen.commit, self.main) if tip]
        stood = (letter.seen in islice(chain(self.repo, tip), MOST_STEPS) for tip in tips)
        if letter.seen and (find_commit(self.repo, letter.seen) is None or not any(stood)):
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

    def _change_pull(self, sent: Sent) -> None:
        """Close or describe a pull request, which only its author may; with a key, what was opened with one."""
        letter = sent.letter
        place = self.seen.place(letter.pull)
        pull = place.pull
        assert pull is not None
        if sent.author.id != pull.author.id:
            raise NoLetterError(f"only {pull.author.handle} may {letter.kind} that")
        if pull.pushes[0].key not in ("", sent.key):
            raise NoLetterError(f"it must be signed with the key of what it is to {letter.kind}")
        if letter.kind == "describe":
            title, body = title_and_body(letter.body)
            pull = replace(pull, title=title, body=body)
        elif pull.state == "merged":
            raise NoLetterError("the pull request is merged already")
        elif pull.state == "open":
            pull = replace(pull, state="closed", closed_at=self.at, closed_by=sent.author)
        self.seen.keep_pull(letter.pull, replace(place, pull=pull, changes=place.changes + 1))
