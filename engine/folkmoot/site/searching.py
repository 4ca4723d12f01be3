"""The index of what can be searched: made by Pagefind of a built site, fetched in small parts as somebody types.

A page that belongs into it has its words inside of `data-pagefind-body`; what stands on every page is marked to be
left out. Nothing is fetched before a reader searches, and then only the parts that hold the words they typed.

Whoever searches fetches a few bytes of each page that an index knows, and longer lists where it knows more pages. So a
large site has several: the first, of the law and of what stands beside games, answers most questions alone; the pages
of a site fetch the others, one after the other, as long as too little was found.

Pagefind makes an index as a whole, which takes half a minute for twenty thousand pages. So pages that changed since get
a small index of their own in `recent/`, and `recent.json` names the entries of the large ones that they replace, and
the folders of these; the search of a page (`assets/search.js`) asks all. When the large ones were begun is the time of
change of the first one's entry file.

What pages are called stands beside them once more (`site/page_names.py`), so that a name or a number is found before
all else, and which of several indexes may hold a word (`site/searched_words.py`).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, fail
from folkmoot.site.page_names import FOLDER as NAMES
from folkmoot.site.page_names import Named, in_order, names_in_files
from folkmoot.site.searched_words import FOLDER as WORDS
from folkmoot.site.searched_words import words_in_files
from folkmoot.site.unspaced_scripts import has_signs, joined, parted_page

FOLDER = "pagefind"
"""Where the index lies below a site."""
RECENT = "recent"
"""Where the index of recent changes lies below it."""
SMALL = 1000
"""Up to how many pages a site is indexed as a whole each time: that takes a second or two."""
PART = 4000
"""How many pages an index holds at most."""
FEW = 200
"""Below how many pages a folder is among the first that are searched, whatever is in it."""
MANY, MOST = 200, 1000
"""From how many changed pages on a new index of the whole site is worth while, and is made before all else."""
_UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-component-ui.*", "pagefind-*.js")
"""What Pagefind lays beside the index for sites with another search field than ours."""
_PROGRAM = ("*.js", "*.css", "wasm.*")
"""What an index beside another one has no need of."""
_ENTRY = "pagefind-entry.json"
_BODY = b"data-pagefind-body"
"""What a page has that belongs into an index; without any such page Pagefind takes all that there are."""
_MAGIC = b"pagefind_dcd"
"""How an entry of an index begins; JSON follows."""
MOST_SECONDS = 600


class Told(msgspec.Struct):
    """What a search has to know before it asks an index."""

    recent: bool = False
    """Whether there is an index of recent changes."""
    parts: list[str] = []
    """The folders of the indexes beside the first one."""
    names: int = 0
    """In how many files it stands what pages are called."""
    words: int = 0
    """In how many it stands which of the indexes may hold a word."""
    replaced: list[str] = []
    """Which entries of the large indexes count no more."""


class _Page(msgspec.Struct):
    """What an entry of an index says of a page: its address, its words, and what it is called."""

    url: str
    content: str
    meta: dict[str, str]


def is_indexed(site: Path) -> bool:
    """Return whether a built site has an index, be it an old one."""
    return CloneFiles.around(site).kind(f"{FOLDER}/{_ENTRY}") == "file"


def index_site(site: Path) -> None:
    """Make the index of a built site anew; files that stay the same are not touched.

    The old index serves until the new one is there. Raises E-SITE with what Pagefind said where it gives up.
    """
    begun = time.time_ns()
    with tempfile.TemporaryDirectory(prefix=".search-", dir=site.parent) as place:
        made = Path(place) / "index"
        parts = _index_in_parts(site, Path(place), made)
        _discard(made, _UNUSED)
        names = _lay(made / NAMES, names_in_files([named for named, _ in _entries(made).values()]))
        texts = {number: _texts(made / name) for number, name in enumerate(["", *parts])}
        words = _lay(made / WORDS, words_in_files(texts)) if parts else 0
        _tell(made, Told(names=names, words=words, parts=parts))
        _replace(site / FOLDER, made)
    os.utime(site / FOLDER / _ENTRY, ns=(begun, begun))


def index_changes(site: Path) -> bool:
    """Make what changed since the index was made searchable; return whether it is time for a new index of the whole.

    The whole is made at once where there is no index yet, in a small site, and where very much changed. Raises E-SITE
    with what Pagefind said where it gives up.
    """
    files, told, pages = CloneFiles.around(site), f"{FOLDER}/{RECENT}.json", _pages(site)
    indexed, before = files.stat(f"{FOLDER}/{_ENTRY}"), files.read(told)
    since = indexed.st_mtime_ns if indexed and before else 0
    changed = [url for url, at in pages.items() if at >= since]
    if len(pages) <= SMALL or len(changed) > MOST:
        index_site(site)
        return False
    known = _entries(site / FOLDER)
    replaced = {url: entry for url, (_, entry) in known.items() if pages.get(url, since) >= since}
    with tempfile.TemporaryDirectory(prefix=".search-", dir=site.parent) as place:
        made = Path(place) / "index"
        is_some = _index_some(site, changed, Path(place) / "pages", made)
        known_before = msgspec.json.decode(before or b"", type=Told)
        stay = [named for url, (named, _) in known.items() if url not in replaced]
        fresh = [named for named, _ in _entries(made).values()]
        names = _lay(Path(place) / NAMES, names_in_files(stay + fresh))
        _replace(site / FOLDER / NAMES, Path(place) / NAMES)
        _tell(Path(place), Told(is_some, known_before.parts, names, known_before.words, sorted(replaced.values())))
        if is_some:
            _discard(made, _PROGRAM)
            _replace(site / FOLDER / RECENT, made)
        files.write(told, (Path(place) / f"{RECENT}.json").read_bytes())
    return len(changed) > MANY


def _index_in_parts(site: Path, place: Path, made: Path) -> list[str]:
    """Make the indexes of a site, the first in a folder and the others below it; return the names of those."""
    parts = in_parts(_pages(site))
    if len(parts) < 2 and not any(has_signs(_text(site, url)) for part in parts for url in part):
        _index(site, made)
        return []
    names: list[str] = []
    for number, urls in enumerate(parts):
        name = f"part-{number}" if names or (made / _ENTRY).is_file() else ""
        if _index_some(site, urls, place / f"pages-{number}", made / name) and name:
            _discard(made / name, _PROGRAM)
            names.append(name)
    return names


def in_parts(urls: Iterable[str]) -> list[list[str]]:
    """Return the pages of each index: first those of small folders, then the law, then the rest, the journal last.

    Of all that are numbered, the newest stand first.

    >>> in_parts(["/tea/proposals/9.html", "/tea/proposals/10.html", "/tea/index.html"])
    [['/tea/index.html', '/tea/proposals/10.html', '/tea/proposals/9.html']]
    """
    ordered = in_order(urls, FEW)
    return [ordered[at : at + PART] for at in range(0, len(ordered), PART)]


def _index_some(site: Path, urls: Sequence[str], copies: Path, made: Path) -> bool:
    """Make an index of those of some pages that belong into one; return whether there are any."""
    pages, chosen = CloneFiles.around(site), CloneFiles(copies)
    for url in urls:
        page = pages.read(url[1:]) or b""
        if _BODY in page:
            text = page.decode(errors="replace")
            chosen.write(url[1:], parted_page(text).encode() if has_signs(text) else page)
    if copies.is_dir():
        _index(copies, made)
    return copies.is_dir()


def _text(site: Path, url: str) -> str:
    return (CloneFiles.around(site).read(url[1:]) or b"").decode(errors="replace")


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


def _index(site: Path, made: Path) -> None:
    """Let Pagefind index the pages below a folder; it reads settings where it runs, and there are none."""
    command = [
        str(program()),
        "--site",
        str(site),
        "--output-path",
        str(made),
        "--exclude-selectors",
        ".headerlink",
        "--keep-index-url",
        "--silent",
    ]
    done = subprocess.run(
        command, cwd=made.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
        timeout=MOST_SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        said = " ".join(f"{done.stdout} {done.stderr}".split()) or f"it ended with {done.returncode}"
        raise fail("E-SITE", f"the site could not be made searchable: {said}", Position(site.as_posix()))


def _pages(site: Path) -> dict[str, int]:
    """Return when each page below a site was written (ns), by its address from the site's root."""
    found = {}
    for folder, below, names in os.walk(site):
        if folder == str(site):
            below[:] = [name for name in below if name != FOLDER]
        at = folder[len(str(site)) :]
        for name in names:
            if name.endswith(".html"):
                found[f"{at}/{name}"] = Path(folder, name).lstat().st_mtime_ns
    return found


def _entries(index: Path) -> dict[str, tuple[Named, str]]:
    """Return what pages are called, and their entries, of all indexes but that of recent changes, by address."""
    found = {}
    parts = [name for name, _ in CloneFiles.around(index).listing() if fnmatch(name, "part-*")]
    for part in (index, *(index / name for name in parts)):
        for stem, page in _fragments(part):
            called = (joined(page.meta.get(name, "")) for name in ("title", "game", "former"))
            found[page.url] = Named(page.url, *called), stem
    return found


def _fragments(index: Path) -> Iterator[tuple[str, _Page]]:
    """Yield what each entry of one index is called, and says."""
    files = CloneFiles.around(index)
    for name, _ in files.listing("fragment"):
        data = gzip.decompress(files.read(f"fragment/{name}") or b"")
        yield name.rpartition(".")[0], msgspec.json.decode(data.removeprefix(_MAGIC), type=_Page)


def _discard(folder: Path, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        for path in folder.glob(pattern):
            path.unlink()


def _texts(index: Path) -> Iterator[str]:
    """Yield the words of each page of an index."""
    return (page.content for _, page in _fragments(index))


def _lay(folder: Path, texts: Sequence[str]) -> int:
    """Write numbered files into a new folder; return how many they are."""
    folder.mkdir(parents=True)
    for number, text in enumerate(texts):
        (folder / f"{number}.json").write_text(text, "utf-8")
    return len(texts)


def _tell(folder: Path, told: Told) -> None:
    """Write what a search has to know before it asks an index."""
    text = json.dumps(msgspec.to_builtins(told), indent=1)
    (folder / f"{RECENT}.json").write_text(text + "\n", "utf-8")


def _replace(folder: Path, made: Path) -> None:
    """Make a folder equal to another one; what names the parts of the index comes last."""
    files, new = CloneFiles.around(folder), CloneFiles(made)
    wanted = sorted(new.walk(), key=lambda path: "/" not in path)
    for path in wanted:
        data = new.read(path) or b""
        if files.read(path) != data:
            files.write(path, data)
    for path in {*files.walk()}.difference(wanted):
        files.remove(path)
