"""Writes the games' pages before MkDocs builds or serves the site, and settles it after; nothing of value is here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.site.build import write_site
from folkmoot.site.policy import with_digests
from folkmoot.site.relocatable import settle
from folkmoot.site.searching import index_site


def on_pre_build(config: Any) -> None:
    """Write the pages of every game of the repository, only where bytes change."""
    write_site(Path(config["config_file_path"]).parent)


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Let a page run the theme's own scripts and no other ones."""
    return with_digests(output)


def on_post_build(config: Any) -> None:
    """Make a site whose address nobody has said right for any folder of a server, and every site searchable."""
    settle(Path(config["site_dir"]), config["site_url"])
    index_site(Path(config["site_dir"]))
