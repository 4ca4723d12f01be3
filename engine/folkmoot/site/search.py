"""The search of a site: one Pagefind index of the pages on disk, of which a browser fetches the parts that it needs.

A page that belongs into the index has its words inside of `data-pagefind-body`; what stands on every page is marked to
be left out. Pagefind knows words by the blanks between them, so each sign of a script without blanks (Chinese,
Japanese, Thai) is indexed as a word of its own: whatever part of a text somebody types is found. `assets/search.js`
parts what is typed, and joins what is found, in the same way.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, fail
from folkmoot.site.output import LIST, digest_of

FOLDER = "pagefind"
"""Where the index lies below a site."""
_STAMP = "pages.txt"
"""In the folder of an index, the digest of the list of the files that were there when the index was made."""
_BODY = b"data-pagefind-body"
_UNUSED = ("pagefind-*ui.*", "pagefind-*.js")
"""What Pagefind lays beside the index for sites with another search field than ours."""
MOST_SECONDS = 600
_SIGNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uffef"
    "\U00020000-\U0003ffff"
)
"""The signs of scripts without blanks and of their punctuation, as a regular expression has them between brackets."""
_BORDERS = re.compile(rf"(?<=[{_SIGNS}])(?=[{_SIGNS}]|[^\W_])|(?<=[^\W_])(?=[{_SIGNS}])")
_SHOWN = re.compile(r">[^<]+")


def is_indexed(site: Path) -> bool:
    """Return whether a built site has an index of the pages that are there."""
    return CloneFiles.around(site).read(f"{FOLDER}/{_STAMP}") == _stamp(site)


def _stamp(site: Path) -> bytes:
    return digest_of(CloneFiles.around(site).read(LIST) or b"").encode()


def index_site(site: Path) -> None:
    """Make the index of a built site; the old one serves until then, and files that stay the same are not touched.

    Raises E-SITE with what Pagefind said where it gives up.
    """
    pages, stamp, pagefind = CloneFiles.around(site), _stamp(site), program()
    with tempfile.TemporaryDirectory(prefix=".search-", dir=site.parent) as place:
        parted, made = Path(place) / "pages", Path(place) / "index"
        copies = CloneFiles(parted)
        copies.make_folder()
        for path in pages.walk():
            if path.endswith(".html") and _BODY in (page := pages.read(path) or b""):
                copies.write(path, page if page.isascii() else parted_page(page.decode(errors="replace")).encode())
        _run(pagefind, parted, made)
        for pattern in _UNUSED:
            for unused in made.glob(pattern):
                unused.unlink()
        index = CloneFiles(made)
        index.write(_STAMP, stamp)
        _replace(CloneFiles.around(site / FOLDER), index)


def parted_page(page: str) -> str:
    """Return a page with a blank before and behind each sign of a script without blanks that is shown.

    >>> parted_page('<p title="投票">提案301 passed</p>')
    '<p title="投票">提 案 301 passed</p>'
    """
    return _SHOWN.sub(lambda shown: _BORDERS.sub(" ", shown[0]), page)


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


def _run(pagefind: Path, pages: Path, made: Path) -> None:
    """Let Pagefind index the pages below a folder; it reads settings where it runs, and there are none."""
    command = [str(pagefind), "--site", str(pages), "--output-path", str(made), "--keep-index-url", "--silent"]
    done = subprocess.run(
        [*command, "--exclude-selectors", ".headerlink"], cwd=made.parent, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        said = " ".join(f"{done.stdout} {done.stderr}".split()) or f"it ended with {done.returncode}"
        raise fail("E-SITE", f"the site could not be made searchable: {said}", Position(pages.as_posix()))


def _replace(old: CloneFiles, new: CloneFiles) -> None:
    """Make a folder equal to another one; what names the parts of the index comes last, then its stamp."""
    wanted = sorted(new.walk(), key=lambda path: ("/" not in path, path == _STAMP))
    for path in wanted:
        data = new.read(path) or b""
        if old.read(path) != data:
            old.write(path, data)
    for path in {*old.walk()}.difference(wanted):
        old.remove(path)
