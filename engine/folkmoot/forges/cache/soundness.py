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
from folkmoot.journal.partial_clone import PartialRepository

_FAULT = re.compile(r"object [0-9a-f]{7,64}: (\w+)")


def unsound(refs: Refs, commits: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return those commits (hex) that lead to something that git's own check refuses, with what that says.

    Only what no `known` commit leads to is checked, all at once where all is well. A partial clone has not got what
    would be checked: there it is the forge's business.
    """
    if not commits or isinstance(refs.repo, PartialRepository):
        return {}
    fault = _fault(refs, commits, known)
    if not fault:
        return {}
    if len(commits) == 1:
        return {commits[0]: fault}
    half = len(commits) // 2
    return unsound(refs, commits[:half], known) | unsound(refs, commits[half:], known)


def _fault(refs: Refs, commits: Sequence[str], known: Sequence[str]) -> str:
    """Return what git's check says of what is new, "" where it has nothing to say."""
    lines = "".join(f"{name}\n" for name in (*commits, *(f"^{name}" for name in known)))
    with tempfile.TemporaryDirectory() as folder:
        try:
            words = ["pack-objects", "--revs", "--quiet", "--window=0", f"{folder}/new"]
            digest = refs.git.ask(words, lines.encode())
            if digest:
                pack = f"{folder}/new-{digest}.pack"
                refs.git.ask(["index-pack", "--strict", "-o", f"{folder}/checked.idx", pack])
        except ProblemError as error:
            said = error.problems[0].message
            found = _FAULT.search(said)
            return found[1] if found else said
    return ""
