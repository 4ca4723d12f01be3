"""Where the files lie that a new repository begins with: configuration and sources of a site, and jobs."""

from __future__ import annotations

from pathlib import Path

import folkmoot
from folkmoot.core.problems import fail

CONFIG = "mkdocs.yml"
SOURCES = "site_src"
HOOK = "ci/site_pages.py"
PACKAGED = "scaffold"


def scaffold() -> Path:
    """Return the folder with the configuration and sources of a site: the engine's own repository, or their copy.

    A wheel carries the copy (`setup.py` puts it there). Raises E-SITE where there is neither.
    """
    package = Path(folkmoot.__file__).parent
    for folder in (package.parent.parent, package / PACKAGED):
        if (folder / CONFIG).exists() and (folder / HOOK).exists():
            return folder
    hint = f"install Folkmoot again, or copy {CONFIG} and {SOURCES}/ from its repository"
    raise fail("E-SITE", f"this installation lacks {CONFIG} and {SOURCES}/", None, hint)
