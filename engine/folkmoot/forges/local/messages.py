"""Letters: what a person says on the local forge, one commit each, in chains that only grow.

A letter's commit holds the file `letter.yaml` and nothing else. Whose chain it lies in proves nothing: the author is
the commit's, and so is the signature. Reading never trusts what it finds; what is no letter is said to be none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count
from typing import Any, Literal, get_args

import pygit2
from msgspec import Struct
from pygit2.enums import FileMode, ObjectType

from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import write_yaml
from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.cache.ref_names import LETTERS, in_the_way
from folkmoot.forges.cache.untrusted_commits import MORE_THAN_ANY, chain, find_commit, size_of
from folkmoot.forges.vocabulary import Person

Kind = Literal["comment", "approve", "request_changes", "close", "reopen", "describe", "edit", "delete", "dismiss"]
KINDS: tuple[Kind, ...] = get_args(Kind)
REVIEWS, TOUCHES = ("approve", "request_changes"), ("edit", "delete", "dismiss")

FILE = "letter.yaml"
MAXIMUM_SIZE = 64 * 1024  # bytes of a letter
MAXIMUM_NEW = 50_000  # letters of one chain that are read at once
_LARGEST_TREE = 1024  # bytes; one file takes 38
MAXIMUM_PULL = 999_999_999
_TITLE, _NAME, _MAIL = 200, 100, 254  # characters that are kept of each
_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
_FIELDS = {"pull": int, "kind": str, "head": str, "body": str, "of": str, "seen": str, "game": str}
_EMPTY_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Letter(Struct, frozen=True, kw_only=True):
    """What somebody says: of which pull request (0: the game), and in which sense.

    `head` is the commit that a review was made on, `of` the letter that an edit, deletion or dismissal is about; the
    body of a `describe` is a title, an empty line and a description. `game` is the digest of the first entry of the
    game that is meant, `seen` a commit of its branch or of what its referee saw: what is signed counts nowhere else.
    """

    pull: int
    kind: Kind
    body: str = ""
    head: str = ""
    of: str = ""
    seen: str = ""
    game: str = ""

    def as_file(self) -> str:
        """Return the letter as its file."""
        given = {"pull": self.pull, "kind": self.kind, "head": self.head, "of": self.of, "seen": self.seen}
        given["game"] = self.game
        given["body"] = self.body
        return write_yaml({name: value for name, value in given.items() if value != ""})


class Sent(Struct, frozen=True):
    """A letter with the commit it came in: its id (hex), its author, and the key whose good signature it carries."""

    id: str
    author: Person
    key: str
    letter: Letter


class NoLetterError(ValueError):
    """Raised for a commit that is no letter, with one clause that says why."""


def read_letter(repo: pygit2.Repository, name: str) -> Sent:
    """Return the letter that a commit is. Raises NoLetterError."""
    commit = commit_of(repo, name)
    author = author_of(commit)
    letter = parse(_text(repo, commit))
    return Sent(name, author, _signing_key(repo, name), letter)


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
    if size_of(repo, commit.tree_id, ObjectType.TREE) > _LARGEST_TREE:
        raise NoLetterError(f"it must hold the file {FILE} and nothing else")
    entries = list(commit.tree)
    if len(entries) != 1 or entries[0].name != FILE:
        raise NoLetterError(f"it must hold the file {FILE} and nothing else")
    if entries[0].filemode != FileMode.BLOB:
        raise NoLetterError(f"its {FILE} is no plain file")
    size = size_of(repo, entries[0].id, ObjectType.BLOB)
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
    try:
        letter = read_letter(repo, name).letter
    except NoLetterError:
        return "thread", _raw_gist(repo, name)
    said = on_one_line(letter.body, 160) if letter.kind == "comment" else letter.kind.replace("_", " ")
    return (f"pull {letter.pull}" if letter.pull else "thread"), said


def _raw_gist(repo: pygit2.Repository, name: str) -> str:
    try:
        said = on_one_line(_text(repo, commit_of(repo, name)).replace("\n", ", "), 160).strip(", ")
    except NoLetterError:
        return "a letter"
    return f"a letter that says “{said}”" if said else "an empty letter"


def parse(text: str) -> Letter:
    """Return the letter that a file says. Raises NoLetterError."""
    try:
        given = load_yaml(text, FILE)
    except ProblemError as error:
        raise NoLetterError(on_one_line(str(error.problems[0]))) from None
    if not isinstance(given, dict):
        raise NoLetterError(f"its {FILE} must hold fields, such as `kind: comment`")
    for name, value in given.items():
        if name not in _FIELDS:
            raise NoLetterError(f"it has a field that no letter has: {on_one_line(name, 40)}")
        if type(value) is not _FIELDS[name]:
            raise NoLetterError(f"its field {name} must be {'a whole number' if name == 'pull' else 'a text'}")
    return _checked(given)


def _checked(given: dict[str, Any]) -> Letter:
    kind, pull = given.get("kind", ""), given.get("pull", -1)
    wrong = _wrong(kind, pull, given)
    if wrong:
        raise NoLetterError(wrong)
    texts = {name: given.get(name, "") for name in ("body", "head", "of", "seen", "game")}
    return Letter(pull=pull, kind=kind, **texts)


def _wrong(kind: str, pull: int, given: dict[str, Any]) -> str:
    if kind not in KINDS:
        return f"its kind must be one of {', '.join(KINDS)}"
    if not 0 <= pull <= MAXIMUM_PULL:
        return "it must name a pull request by its number, or 0 for the game itself"
    if pull == 0 and kind not in ("comment", "edit", "delete"):
        return f"there is no pull request to {kind.replace('_', ' ')}"
    if ("of" in given) != (kind in TOUCHES) or ("head" in given and kind not in REVIEWS):
        return "its fields do not go with its kind"
    if kind in REVIEWS and "head" not in given:
        return "a review must name the commit it was made on (head)"
    if not all(_HEX.match(given[name]) for name in ("of", "head", "seen") if name in given):
        return "a commit must be written as 40 hexadecimal digits"
    if not _DIGEST.match(given.get("game", "0" * 64)):
        return "a game is named by the digest of its first entry, 64 hexadecimal digits (game)"
    if kind in ("comment", "edit", "describe") and not given.get("body", "").strip():
        return "it says nothing (body)"
    return ""


class Turn(Struct, frozen=True):
    """How a chain went from one tip to another: what was `added`, and what is no longer in it, oldest first."""

    added: tuple[str, ...]
    dropped: tuple[str, ...] = ()


def turn(repo: pygit2.Repository, old: str, new: str) -> Turn:
    """Compare two tips of a chain, either of which may be "".

    Costs what is new where the chain only grew. Raises NoLetterError where more is new than is read at once.
    """
    added: list[str] = []
    for name in chain(repo, new):
        if name == old:
            return Turn(tuple(reversed(added)))
        added.append(name)
        if len(added) > MAXIMUM_NEW:
            raise NoLetterError(f"it brings more than {MAXIMUM_NEW:,} letters at once; none of them is read")
    before = list(chain(repo, old))
    known, kept = set(before), set(added)
    return Turn(
        tuple(name for name in reversed(added) if name not in known),
        tuple(name for name in reversed(before) if name not in kept),
    )


# -- the refs that letters lie in


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
