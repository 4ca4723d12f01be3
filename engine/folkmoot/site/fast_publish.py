"""Publishing a site: in the fast way where it can be taken, else in the reference way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.core.problems import Problem
from folkmoot.site.base_site import FRONT_MARK
from folkmoot.site.build import games_of, pages_are_written
from folkmoot.site.garbage_collection import uncollected
from folkmoot.site.page_filling import Site
from folkmoot.site.page_shells import UnfitError
from folkmoot.site.publish import NOTHING, Report, build, front_words, is_not_of_settings, write_pages
from folkmoot.site.render import with_cards
from folkmoot.site.searching import index_changes, is_indexed
from folkmoot.site.site_cache import SiteCache
from folkmoot.wording.game_view import GameView


def publish(root: Path, site_dir: Path, memory: SiteCache | None = None, *, index: bool = True) -> Report:
    """Write the pages of every game of a repository and build its site; see `publish_games`."""
    views, failed = games_of(root, memory)
    return publish_games(root, views, site_dir, failed, memory, index=index)


def publish_games(
    root: Path,
    views: Sequence[GameView],
    site_dir: Path,
    failed: Mapping[str, Problem] = NOTHING,
    memory: SiteCache | None = None,
    *,
    index: bool = True,
) -> Report:
    """Write the pages of games and build the site with them; make it searchable if `index` says so.

    The fast way is taken where MkDocs is configured as Folkmoot configures it and every game can be read; in doubt the
    reference way is. What was made the last time is in `memory`, by default what the repository keeps of it; whoever
    gives one saves it. Raises E-SITE with everything that MkDocs warns of.
    """
    root, remembered = root.resolve(), memory or SiteCache.of(root.resolve())
    opened = partial(_site, root, site_dir, views, remembered) if not failed else None
    with pages_are_written(root), uncollected():  # the base is made by MkDocs, whose hook writes pages
        try:
            report = write_pages(views, root / SOURCES, failed, remembered, opened)
        except UnfitError:
            report = write_pages(views, root / SOURCES, failed, remembered)
    if memory is None:
        remembered.save()
    if not report.stamped:
        with pages_are_written(root):
            build(root / CONFIG, site_dir)
    elif index and (report.built or not is_indexed(site_dir)):
        index_changes(site_dir)
    return report


def _site(root: Path, site_dir: Path, views: Sequence[GameView], memory: SiteCache) -> Site | None:
    """Return the site of a repository, None where it cannot be made in the fast way."""
    words = with_cards(front_words(root / SOURCES), FRONT_MARK)
    try:
        return memory.site(root, site_dir, sorted(view.slug for view in views), words)
    except (Exception, SystemExit) as error:
        if is_not_of_settings(error):
            raise
        return None  # the reference way tells what it is
