"""The names of the refs that make a repository a forge, which of them bar others, and where a remote's lie here."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Collection, Iterable

from folkmoot.core.problems import fail
from folkmoot.forges.git_transport import without_secrets

FORGE = "refs/moot/forge"
REFEREED = "refs/moot/refereed"
PUBLISHED = "refs/moot/published"
"""Where the job that publishes the site notes of which commit."""
PULLS, LETTERS, BRANCHES = "refs/pull/", "refs/moot/letters/", "refs/heads/"
LARGEST_STEP = 100  # by which the number of a pull request may be larger than all before it
_TAKEN = re.compile(r"refs/pull/([1-9][0-9]{0,8})(?:/head(?:/.*)?)?\Z", re.IGNORECASE | re.DOTALL)
_PULL = re.compile(r"refs/pull/([1-9][0-9]{0,8})/head\Z")
LETTER_REF = re.compile(r"refs/moot/letters(?:\.[0-9]+)?/")
MIRRORED = "refs/moot-remote/"


def pull_number(ref: str) -> int | None:
    """Return the number of the pull request whose head a ref is, None for any other ref."""
    found = _PULL.match(ref)
    return int(found[1]) if found else None


def next_pull(highest: int, taken: Iterable[int]) -> int:
    """Return the number of a new pull request: after the highest that was taken in, and after those on their way.

    What somebody pushed under a number far beyond is none (see `LARGEST_STEP`), and no reason to go on from there.

    >>> next_pull(4, [2, 4, 5, 999_999_999]), next_pull(0, [])
    (6, 1)
    """
    for number in sorted(taken):
        if highest < number <= highest + LARGEST_STEP:
            highest = number
    return highest + 1


def numbers_taken(names: Iterable[str]) -> set[int]:
    """Return the numbers that no new pull request can have: their ref is there, or another one is in its way.

    >>> sorted(numbers_taken(["refs/pull/4/head", "refs/pull/5", "refs/pull/6/head/x", "refs/pull/7/x"]))
    [4, 5, 6]
    """
    return {int(found[1]) for name in names if (found := _TAKEN.match(name))}


def in_the_way(ref: str, names: Iterable[str]) -> list[str]:
    """Return the refs because of which git makes no such ref: no ref may be a folder of another.

    >>> in_the_way("refs/pull/5/head", ["refs/pull/5", "refs/pull/5/head/x", "refs/pull/50", "refs/pull/5/head"])
    ['refs/pull/5', 'refs/pull/5/head/x']
    """
    return sorted(name for name in names if name.startswith(f"{ref}/") or ref.startswith(f"{name}/"))


def barring(names: Collection[str]) -> list[str]:
    """Return the refs that are in the way of ours: of the referee's, of all pull requests or letters, or of some."""
    odd = [name for name in names if _TAKEN.match(name) and pull_number(name) is None]
    odd += [name for name in names if (found := LETTER_REF.match(name)) and "/" in name[found.end() :]]
    fixed = [name for ref in (FORGE, REFEREED, f"{PULLS}1", f"{LETTERS}a") for name in in_the_way(ref, names)]
    roots = [name for name in fixed if not is_watched(name)]
    return sorted({*odd, *roots})


def refuse_barred(ref: str, names: Iterable[str], remote: str | None) -> None:
    """Raise E-FORGE where another ref is in the way of one, with the command that takes that away."""
    found = in_the_way(ref, names)
    if found:
        said = f"The ref {shown(found[0])} is in the way of {ref}: git lets no ref be a folder of another"
        raise fail("E-FORGE", said, None, f"whoever may, takes it away: `{removal(found[0], remote)}`")


def removal(ref: str, remote: str | None) -> str:
    """Return the command that takes a ref away, where players meet."""
    if remote is None:
        return f"git update-ref -d {shlex.quote(shown(ref))}"
    return f"git push {shlex.quote(without_secrets(remote, remote))} {shlex.quote(':' + shown(ref))}"


def shown(ref: str) -> str:
    """Return a ref's name for people, whatever its bytes are."""
    return ref.encode(errors="surrogateescape").decode(errors="replace")


def pull_ref(number: int) -> str:
    """Return the ref of a pull request's head."""
    return f"{PULLS}{number}/head"


def is_watched(name: str) -> bool:
    """Say whether a ref is one that people move: what lies where pull requests and letters do."""
    return name.startswith(PULLS) or LETTER_REF.match(name) is not None


def mirror(name: str) -> str:
    """Return where a remote's ref is mirrored: by a digest, so that no two names can stand in each other's way."""
    if name.startswith(BRANCHES) or name in (FORGE, REFEREED):
        return MIRRORED + name.removeprefix("refs/")
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()
    return f"{MIRRORED}seen/{digest[:2]}/{digest[2:24]}"
