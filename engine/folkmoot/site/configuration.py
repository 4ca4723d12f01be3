"""What a site's configuration (`mkdocs.yml`) says: address, languages; and the branch that is played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.utils.yaml import yaml_load

from folkmoot.core.packaged import CONFIG
from folkmoot.core.problems import Position, fail
from folkmoot.journal.partial_clone import find_repository
from folkmoot.wording.translation import languages


def site_address(root: Path) -> str:
    """Return the address at which the site's configuration says that it will lie; "" where it says none."""
    return str(_configured(root).get("site_url") or "")


def site_languages(root: Path) -> dict[str, str]:
    """Return the languages that the site's configuration gives games by their names: `languages` below `extra`.

    Raises E-SITE for a game in a language that pages cannot be in.
    """
    extra = _configured(root).get("extra")
    given = extra.get("languages") if isinstance(extra, dict) else None
    chosen = {str(game): str(language) for game, language in given.items()} if isinstance(given, dict) else {}
    for game, language in chosen.items():
        if language not in languages():
            said = f"the pages of {game} cannot be in the language {language!r}"
            raise fail("E-SITE", said, Position(CONFIG), f"choose one of {', '.join(languages())}")
    return chosen


def _configured(root: Path) -> dict[str, Any]:
    """Return what the site's configuration says, nothing without one."""
    config = root / CONFIG
    if not config.exists():
        return {}
    with config.open("rb") as file:
        return dict(yaml_load(file) or {})


def played_branch(root: Path) -> str:
    """Return the branch that is played on: that of the remote's HEAD, else the one that is checked out, else `main`."""
    repo = find_repository(root)
    if repo is None:
        return "main"
    head = repo.references.get("refs/remotes/origin/HEAD")
    if head is not None and isinstance(head.target, str):
        return head.target.removeprefix("refs/remotes/origin/")
    if repo.head_is_unborn or repo.head_is_detached:
        return "main"
    return repo.head.shorthand
