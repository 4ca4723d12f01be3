"""What a site's configuration (`mkdocs.yml`) says of its address; and the branch that is played on."""

from __future__ import annotations

from pathlib import Path

import yaml

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG
from folkmoot.core.problems import Position, fail
from folkmoot.journal.partial_clone import find_repository

MOST_BYTES = 500_000
_NOTHING = ("", "~", "null", "Null", "NULL")


def site_address(root: Path) -> str:
    """Return the address at which the site's configuration says that it will lie; "" where it says none."""
    settings = composed(root)
    pairs = reversed(settings.value) if settings else ()
    found = next((value for key, value in pairs if key.value == "site_url"), None)
    return found.value if isinstance(found, yaml.ScalarNode) and found.value not in _NOTHING else ""


def composed(root: Path) -> yaml.MappingNode | None:
    """Return what the site's configuration says as MkDocs parses it, with nothing made of its tags; None without one.

    Raises E-SITE for what is no YAML.
    """
    try:
        found = yaml.compose(read_config(root) or b"", Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = Position(CONFIG, *((mark.line + 1, mark.column + 1) if mark else ()))
        message = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise fail("E-SITE", f"this is no YAML that can be read: {message}", place) from None
    if found is not None and not isinstance(found, yaml.MappingNode):
        raise fail("E-SITE", "this is no map of settings", Position(CONFIG, 1))
    return found


def read_config(root: Path) -> bytes | None:
    """Return the bytes of the site's configuration, None without one."""
    return CloneFiles(root).read(CONFIG, MOST_BYTES)


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
