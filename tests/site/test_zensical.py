"""The generated Markdown is nobody's own: Zensical, the successor of Material for MkDocs, makes the same pages of it."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.site.game import game, write
from tests.site.sites import plain_site

MOST_SECONDS = 240
SKIPPED = "__skip"
"""Where a link of Zensical's own leads past the navigation."""
BLANK = re.compile(r"\s+")


class Article(HTMLParser):
    """What a page's article says: its words, the ids of its parts, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self._depth = 0
        self._silent = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "article":
            self._depth += 1
        if tag in ("script", "style"):
            self._silent += 1
        if self._depth:
            self.ids += [given["id"] or ""] if "id" in given else []
            self.links += [given["href"] or ""] if tag == "a" and "href" in given else []

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "article"
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self._depth and not self._silent:
            self.words.append(data)

    def said(self) -> tuple[str, list[str], list[str]]:
        """Return words, ids and links in their order."""
        return BLANK.sub(" ", "".join(self.words)).strip(), self.ids, self.links


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site that Zensical makes, by its own templates: those of this site are written for MkDocs."""
    root = tmp_path_factory.mktemp("zensical")
    write(root, game(), game("second"))
    config = root / "mkdocs.yml"
    text = config.read_text("utf-8")
    assert "  custom_dir:" in text
    config.write_text(re.sub(r"^  custom_dir:.*\n", "", text, flags=re.MULTILINE), "utf-8")
    command = [str(Path(sys.executable).with_name("zensical")), "build", "-f", "mkdocs.yml"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "site"


def test_zensical_makes_the_same_pages(theirs: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    ours = plain_site(tmp_path_factory)
    sources = ours.parent / "site_src"
    written = sorted(
        path.relative_to(sources) for name in ("demo", "second") for path in (sources / name).rglob("*.md")
    )
    pages = [path.with_suffix(".html") for path in written]
    assert len(pages) > 90
    missing = [page for page in pages if not (theirs / page).is_file()]
    assert missing == []
    others = []
    for page in pages:
        (words, ids, links), said = (Article((site / page).read_text("utf-8")).said() for site in (ours, theirs))
        if said != (words, [SKIPPED, *ids], links):
            others.append(page)
    assert others == []
