"""Whether git itself can live with what strangers pushed: what it chokes on must become no part of our history.

Git makes commits that it does not read again, of a time zone that there is none of or with a byte that ends its
message. A history that holds one of them cannot be fetched by whoever has git check what it fetches.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import Refs

_FAULT = re.compile(r"object [0-9a-f]{7,64}: (\w+)")
_UNREADABLE = re.compile(r"bad object|bad tree object|unable to (?:read|parse)|Could not read|missing", re.IGNORECASE)


def unsound(refs: Refs, commits: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return those commits (hex) that lead to something that git's own check refuses, with what that says.

    Only commits are checked, for what is wrong with files is told where they are read, and of these only what no
    `known` one leads to, all at once where all is well.
    """
    if not commits:
        return {}
    fault = _fault(refs, commits, known)
    if not fault:
        return {}
    if len(commits) == 1:
        return {commits[0]: fault}
    half = len(commits) // 2
    return unsound(refs, commits[:half], known) | unsound(refs, commits[half:], known)


def _fault(refs: Refs, commits: Sequence[str], known: Sequence[str]) -> str:
    """Return what git's check says of what is new, "" where it has nothing to say; raises E-FORGE where it fails.

    The pack lies beside the repository's objects, because git moves it there and cannot do so between two disks.
    """
    lines = "".join(f"{name}\n" for name in (*commits, *(f"^{name}" for name in known)))
    try:
        new = refs.git.ask(["rev-list", "--stdin"], lines.encode())
    except ProblemError as error:
        return _blamed(error)
    with tempfile.TemporaryDirectory(dir=refs.repo.path, prefix="moot-check-") as folder:
        try:
            words = ["pack-objects", "--quiet", "--window=0", f"{folder}/new"]
            digest = refs.git.ask(words, f"{new}\n".encode()) if new else ""
            if digest:
                pack = f"{folder}/new-{digest}.pack"
                refs.git.ask(["index-pack", "--strict", "-o", f"{folder}/checked.idx", pack])
        except ProblemError as error:
            return _blamed(error)
    return ""


def _blamed(error: ProblemError) -> str:
    """Return what git has against what was pushed; raises the error where nobody's commit is to blame for it."""
    said = error.problems[0].message
    found = _FAULT.search(said)
    if found is None and not _UNREADABLE.search(said):
        raise error  # a disk that is full, say
    return found[1] if found else said
