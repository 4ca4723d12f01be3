"""Forgejo and Gitea as the referee sees them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pygit2

from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.gitea.api_reader import GiteaReader
from folkmoot.forges.gitea.cache_writer import GiteaWriter
from folkmoot.forges.gitea.models import ACTIONS
from folkmoot.forges.web.client import Client, RefusedError
from folkmoot.forges.web.credentials import git_variables
from folkmoot.forges.web.forge import SKEW, WebForge
from folkmoot.forges.web.limits import Pacing
from folkmoot.forges.web.models import User

_NAME = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._-]+"
_ADDRESS = re.compile(r"[!-;=?A-~]{1,64}@[!-;=?A-~]{1,255}\Z")
_REPOSITORY = re.compile(rf"{_NAME}/{_NAME}\Z")


class GiteaForge(WebForge):
    """A repository on a Forgejo or Gitea.

    Args:
        path: the repository that holds the objects, bare or not.
        remote: the address by which git reaches the repository on the forge.
        home: where the forge is reached, as `https://codeberg.org` or `https://host/git`.
        repository: `owner/name`.
        token: proves who we are, to the API and to git; it is sent to `home` only.
        thread: the issue where the game is talked about: its number, or the label by which it is found.
        skew: by how many seconds our clock may be off the forge's; None: it is not compared.
        transport: carries the requests in tests.
        pacing: how long to wait for what.
        repo: the repository at `path`, where it is open already: what is fetched must be seen by all who read it.
    """

    name = "gitea"
    recording = GiteaWriter

    def __init__(
        self,
        path: Path | str,
        remote: str,
        home: str,
        repository: str,
        token: str,
        *,
        thread: int | str | None = "game",
        skew: int | None = SKEW,
        transport: httpx.BaseTransport | None = None,
        pacing: Pacing | None = None,
        repo: pygit2.Repository | None = None,
    ) -> None:
        if not _REPOSITORY.match(repository):
            raise fail("E-FORGE", "that is no name of a repository on the forge", None, "write it as OWNER/NAME")
        api = f"{home.rstrip('/')}/api/v1"
        headers = {"Accept": "application/json", "Authorization": f"token {token}"}
        client = Client(api, headers, transport=transport, pacing=pacing or Pacing(time.sleep, between=0))
        refs = Refs(Path(path), remote, variables=credentials(remote, home, token))
        refs.repo = repo or refs.repo
        super().__init__(refs, GiteaReader(client, repository, thread), skew=skew)

    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""
        return user.id == ACTIONS

    def author(self) -> str:
        """Return our own account: whoever the address of a merge's author belongs to has merged, else the owner."""
        try:
            address = str(self._account().get("email") or "")
        except ProblemError:
            return ""
        return f"Folkmoot <{address}>" if _ADDRESS.match(address) else ""

    def _account(self) -> dict[str, Any]:
        try:
            return super()._account()
        except RefusedError as error:
            if error.status != httpx.codes.UNAUTHORIZED:  # so it answers the token of a workflow
                raise
            return {}


def credentials(remote: str, home: str, token: str) -> dict[str, str]:
    """Return the variables by which git gets the token: for the forge itself, and nowhere else.

    >>> credentials("https://example.org/ann/game", "https://codeberg.org", "secret")
    {}
    >>> credentials("https://example.org/git/ann/game", "https://example.org/git", "secret")["GIT_CONFIG_KEY_0"]
    'http.https://example.org/git/.extraHeader'
    """
    place, base = urlsplit(remote), urlsplit(home.rstrip("/") + "/")
    below = (place.scheme, place.netloc) == (base.scheme, base.netloc) and place.path.startswith(base.path)
    return git_variables(base.geturl(), token) if token and below else {}
