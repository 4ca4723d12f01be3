"""Where what happened can be read: the pages of a repository's site, as far as its address is known."""

from __future__ import annotations

import re

import pygit2
from msgspec import Struct

from folkmoot.core.documents import Proposal
from folkmoot.wording.page_links import journal_path, proposal_path

CONFIG = "mkdocs.yml"
LARGEST = 256 * 1024  # bytes of the site's configuration that are read
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]`|\\]{1,500}")
_SITE = re.compile(rf"^site_url:[ \t]*[\"']?(?P<address>{_ADDRESS.pattern})", re.MULTILINE)
_PLAIN = re.compile(r"^use_directory_urls:[ \t]*[\"']?(?:false|no|off)\b", re.MULTILINE | re.IGNORECASE)


class Site(Struct, frozen=True):
    """A site's `address`, "" where nobody says it; its pages are files (`203.html`) or `folders` (`203/`)."""

    address: str = ""
    folders: bool = False

    def proposal(self, game: str, proposal: Proposal) -> str:
        """Return the address of a proposal's page, "" where there is no site."""
        return self._page(game, proposal_path(proposal))

    def entry(self, game: str, seq: int) -> str:
        """Return the address of an entry of the journal."""
        page = self._page(game, journal_path(seq))
        return f"{page}#e{seq}" if page else ""

    def _page(self, game: str, path: str) -> str:
        ending = "/" if self.folders else ".html"
        return f"{self.address.rstrip('/')}/{game}/{path.removesuffix('.md')}{ending}" if self.address else ""


NOWHERE = Site()


def site_of(repo: pygit2.Repository, main: str, said: object = None) -> Site:
    """Return the site of the repository at a commit (hex): as its configuration says, or what a game `said`."""
    config = _config(repo, main)
    if isinstance(said, str) and _ADDRESS.fullmatch(said):
        return Site(said, not _PLAIN.search(config))
    found = _SITE.search(config)
    return Site(found["address"], not _PLAIN.search(config)) if found else NOWHERE


def _config(repo: pygit2.Repository, main: str) -> str:
    try:
        found = repo[main].peel(pygit2.Tree)[CONFIG]
        return found.data[:LARGEST].decode("utf-8", "replace") if isinstance(found, pygit2.Blob) else ""
    except (KeyError, ValueError, pygit2.GitError):
        return ""
