"""Building the site in the fast way where it can be taken, else in the reference way."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.site.base import FRONT_MARK, base_of, fits
from folkmoot.site.build import pages_are_written
from folkmoot.site.publish import Report, build, front_words, generated_folders
from folkmoot.site.relocatable import settle
from folkmoot.site.render import front_cards, with_cards
from folkmoot.site.searching import index_site, is_indexed
from folkmoot.site.shells import UnfitError, shape_of
from folkmoot.site.stamping import Site

CACHE = "build/site"
"""Where a repository keeps, out of git, what the next build of its site begins with."""


def build_pages(root: Path, report: Report, site_dir: Path) -> Path:
    """Build the site of pages that were just written, as `report` tells, and return its folder.

    The fast way is taken where MkDocs is configured as Folkmoot configures it and every game's pages could be made;
    in doubt the reference way is. Raises E-SITE with everything that MkDocs warns of.
    """
    config_file = (root / CONFIG).resolve()
    with pages_are_written(root):
        if not report.problems and _stamped(config_file, root / SOURCES, report, site_dir):
            return site_dir
        return build(config_file, site_dir)


def _stamped(config_file: Path, site_src: Path, report: Report, site_dir: Path) -> bool:
    try:
        if not fits(load_config(str(config_file))):
            return False
        cache = config_file.parent / CACHE
        shapes = sorted({shape_of(page) for game in report.games for page in game.pages})
        words = with_cards(front_words(site_src), FRONT_MARK)
        base = base_of(config_file, cache, generated_folders(site_src), words, shapes)
        written = Site(site_dir, base, cache).stamp(report.games, front_cards([game.view for game in report.games]))
    except (UnfitError, MkDocsException, SystemExit):
        return False
    settle(site_dir, base.address)
    if not is_indexed(site_dir) or any(path.endswith(".html") for path in written):
        index_site(site_dir)
    return True
