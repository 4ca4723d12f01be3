"""The pull requests that were open when the clone last fetched, for shells that complete their numbers."""

from __future__ import annotations

from pathlib import Path


def open_pulls(root: Path) -> list[tuple[str, str]]:
    """Return number and title of the pull requests that were open when the repository of a folder last fetched."""
    from folkmoot.cli.games import repository_around
    from folkmoot.forges.cache.forge_cache import ForgeCache, observed_here

    repo = repository_around(root)
    seen = ForgeCache(repo, observed_here(repo)) if repo is not None else None
    found = [place.pull for number in seen.listed if (place := seen.pull(number)) and place.pull] if seen else []
    return [(str(pull.number), pull.title) for pull in found if pull.state == "open"]
