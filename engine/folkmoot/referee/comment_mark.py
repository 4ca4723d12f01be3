"""The first line of a comment of ours: what stands for all that it was made from, and whom it called.

It is kept where the comment is, so that whoever runs the referee next knows what was said, and says nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from msgspec import Struct

UNFINISHED = "0" * 16
"""The mark of a comment that must be made anew in any case."""
_LINE = re.compile(r"\A<!-- folkmoot (?P<mark>[0-9a-f]{16})(?: said (?P<keys>[a-z0-9 -]*?))? -->\n")


class CommentHeader(Struct, frozen=True):
    """A comment of ours: its mark, the keys of the calls that were made, and what people read of it."""

    mark: str = ""
    keys: tuple[str, ...] = ()
    body: str = ""

    def __str__(self) -> str:
        """Return the comment."""
        said = f" said {' '.join(self.keys)}" if self.keys else ""
        return f"<!-- folkmoot {self.mark}{said} -->\n{self.body}"


def header_of(text: str) -> CommentHeader:
    r"""Return a comment of ours as it was made.

    >>> header_of(str(CommentHeader("0123456789abcdef", ("vote-1", "remind-2"), "Open.\n"))).keys
    ('vote-1', 'remind-2')
    >>> header_of("Open.\n")
    CommentHeader(mark='', keys=(), body='Open.\n')
    """
    found = _LINE.match(text)
    if found is None:
        return CommentHeader(body=text)
    return CommentHeader(found["mark"], tuple((found["keys"] or "").split()), text[found.end() :])


def mark_of(facts: Any) -> str:
    """Return what stands for facts: sixteen digits."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:16]
