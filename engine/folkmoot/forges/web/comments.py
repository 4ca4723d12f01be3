"""Our comments: how they are marked, so that they are found again, and their text unchanged.

There is one comment on each pull request that is edited, and calls, each said once under a key of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

_BEGIN = "<!-- folkmoot:referee -->\n"
_END = "\n<!-- folkmoot:end -->"
_CALL = "<!-- folkmoot:call {} -->\n"
_CALLED = re.compile(r"<!-- folkmoot:call ([A-Za-z0-9._/-]{1,100}) -->\n")
_KEY = re.compile(r"(?!.*--)[A-Za-z0-9._/-]{1,100}\Z")
_HANDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
_MENTION = re.compile(r"(?<![A-Za-z0-9])@(?=\w)")
LONGEST = 65_536  # how many characters GitHub takes
_ROOM = LONGEST - 1_000
_CUT = "\n\n… (the rest is in the game's record)"


def written(text: str, after: str = "") -> str:
    r"""Return the comment that says a text; `after` is added behind it.

    >>> said(written("Adopted.\n", "Merged as abc."))
    'Adopted.\n'
    """
    return f"{_BEGIN}{fitting(text)}{_END}" + (f"\n\n{after}" if after else "")


def fitting(text: str) -> str:
    """Return a text that mentions nobody, cut to what a comment holds, with what we put round it."""
    plain = defused(text)
    return plain if len(plain) <= _ROOM else plain[: _ROOM - len(_CUT)] + _CUT


def defused(text: str) -> str:
    """Return a text in which no sign mentions anybody: those that would are written as a sign that looks like it.

    Code is no exception: whether a forge takes something for code is not ours to say.

    >>> defused("@ann, ask ann@x.org or (@bob) @ noon")
    '＠ann, ask ann@x.org or (＠bob) @ noon'
    """
    return _MENTION.sub("＠", text)


def said(body: str) -> str | None:
    """Return what a comment of ours says, with the line ends that we wrote; None if it does not look like one."""
    plain = body.replace("\r\n", "\n")
    if not plain.startswith(_BEGIN):
        return None
    text, end, _ = plain.removeprefix(_BEGIN).rpartition(_END)
    return text if end else plain.removeprefix(_BEGIN)


def call_written(key: str, handles: Iterable[str], text: str) -> str:
    """Return the comment by which people are called.

    >>> call_key(call_written("vote-7", ["ann", "bob"], "It is open."))
    'vote-7'
    """
    people = " ".join(f"@{handle}" for handle in handles if _HANDLE.match(handle))
    return _CALL.format(mark_of(key)) + " ".join(part for part in (people, fitting(text)) if part)


def call_key(body: str) -> str | None:
    """Return the mark of the call that a comment is, None where it is none."""
    found = _CALLED.match(body.replace("\r\n", "\n"))
    return found[1] if found else None


def mark_of(key: str) -> str:
    """Return a key as it can stand in a mark, by its digest where it cannot."""
    return key if _KEY.match(key) else sha256(key.encode()).hexdigest()[:40]
