"""The pull requests that were open when the clone last fetched, for shells that complete their numbers.

They lie in git's objects, and git's library takes longer to load than a shell should wait. So they are kept beside the
clone's own settings, with what its refs looked like then, and read again once those have moved.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from folkmoot.cli.output_cache import engine_stats, git_folder, stat_of, stats
from folkmoot.core.clone_files import read_whole, write_whole

FILE = "moot-pulls.json"
Known = list[tuple[str, str]]


def open_pulls(root: Path) -> Known:
    """Return number and title of the pull requests that were open when the repository of a folder last fetched."""
    git = git_folder(root.resolve())
    if git is None:
        return _read(root)
    parts = [*engine_stats(), stat_of(git / "packed-refs"), *stats(git / "refs")]
    state = hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(read_whole(git / FILE) or b"")
        if kept["state"] == state:
            return [(str(number), str(title)) for number, title in kept["open"]]
    found = _read(root)
    with suppress(OSError):
        write_whole(git / FILE, json.dumps({"state": state, "open": found}).encode())
    return found


def _read(root: Path) -> Known:
    from folkmoot.cli.games import repository_around
    from folkmoot.forges.cache.forge_cache import ForgeCache, observed_here

    repo = repository_around(root)
    seen = ForgeCache(repo, observed_here(repo)) if repo is not None else None
    found = [(number, seen.pull(number) or {"state": "closed"}) for number in seen.listed] if seen else []
    return [(str(n), str(pull["title"])) for n, pull in found if pull["state"] == "open" and not pull.get("issue")]
