"""The index of what can be searched: made by Pagefind of a built site, fetched in small parts as somebody types.

A page that belongs into it has its words inside of `data-pagefind-body`; what stands on every page is marked to be
left out. Nothing is fetched before a reader searches, and then only the parts that hold the words they typed.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from folkmoot.core.problems import Position, fail

FOLDER = "pagefind"
"""Where the index lies below a site."""
_UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-component-ui.*", "pagefind-highlight.js")
"""What Pagefind lays beside the index for sites that have no search field of their own."""
MOST_SECONDS = 600


def is_indexed(site: Path) -> bool:
    """Return whether a built site has an index, be it an old one."""
    return (site / FOLDER / "pagefind-entry.json").is_file()


def index_site(site: Path) -> None:
    """Make the index of a built site anew; files that stay the same are not touched.

    The old index serves until the new one is there. Raises E-SITE with what Pagefind said where it gives up.
    """
    indexer = program()
    with tempfile.TemporaryDirectory(prefix=".search-", dir=site.parent) as made:
        command = [
            str(indexer),
            "--site",
            str(site),
            "--output-path",
            made,
            "--exclude-selectors",
            ".headerlink",
            "--keep-index-url",
            "--silent",
        ]
        done = subprocess.run(
            command, cwd=site.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=MOST_SECONDS, check=False,
        )  # fmt: skip
        if done.returncode:
            said = " ".join(f"{done.stdout} {done.stderr}".split()) or f"it ended with {done.returncode}"
            raise fail("E-SITE", f"the site could not be made searchable: {said}", Position(site.as_posix()))
        _replace(site / FOLDER, Path(made))


def program() -> Path:
    """Return the program that makes indexes; raises E-SITE where the installation lacks it."""
    try:
        from pagefind_bin import get_executable  # here: all else works where it is missing

        return Path(get_executable())
    except (ImportError, FileNotFoundError) as error:
        hint = "install Folkmoot again, with what it depends on"
        raise fail(
            "E-SITE", "this installation lacks pagefind-bin, which makes a site searchable", None, hint
        ) from error


def _replace(folder: Path, made: Path) -> None:
    """Make a folder equal to another one; what names the parts of the index comes last."""
    for pattern in _UNUSED:
        for path in made.glob(pattern):
            path.unlink()
    wanted = sorted((path for path in made.rglob("*") if path.is_file()), key=lambda path: path.parent == made)
    for path in wanted:
        target = folder / path.relative_to(made)
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)
        else:
            path.unlink()
    names = {path.relative_to(made) for path in wanted}
    for path in [each for each in folder.rglob("*") if each.is_file()]:
        if path.relative_to(folder) not in names:
            path.unlink()
