"""GitHub as the referee sees it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pygit2

from folkmoot.core.problems import fail
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.github.api_reader import GitHubReader
from folkmoot.forges.github.cache_writer import GitHubWriter
from folkmoot.forges.web.client import Client
from folkmoot.forges.web.credentials import git_variables
from folkmoot.forges.web.forge import SKEW, WebForge
from folkmoot.forges.web.limits import Pacing
from folkmoot.forges.web.models import User

API = "https://api.github.com"
_HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+\Z")
_ACTIONS = "github-actions[bot]"  # writes with the token of a workflow, which may not ask who it is


class GitHubForge(WebForge):
    """A repository on GitHub, or on a GitHub Enterprise Server.

    Args:
        path: the repository that holds the objects, bare or not.
        remote: the address by which git reaches the repository on GitHub.
        repository: `owner/name`.
        token: proves who we are, to the API and to git; it is sent to their hosts only.
        api: where the API is reached.
        thread: the issue where the game is talked about: its number, or the label by which it is found.
        skew: by how many seconds our clock may be off the forge's; None: it is not compared.
        transport: carries the requests in tests.
        pacing: how long to wait for what.
        repo: the repository at `path`, where it is open already: what is fetched must be seen by all who read it.
    """

    name = "github"
    recording = GitHubWriter

    def __init__(
        self,
        path: Path | str,
        remote: str,
        repository: str,
        token: str,
        *,
        api: str = API,
        thread: int | str | None = "game",
        skew: int | None = SKEW,
        transport: httpx.BaseTransport | None = None,
        pacing: Pacing | None = None,
        repo: pygit2.Repository | None = None,
    ) -> None:
        if not _REPOSITORY.match(repository) or repository.rpartition("/")[2].strip(".") == "":
            raise fail("E-FORGE", "that is no name of a repository on GitHub", None, "write it as OWNER/NAME")
        client = Client(api, {"Authorization": f"Bearer {token}", **_HEADERS}, transport=transport, pacing=pacing)
        refs = Refs(Path(path), remote, variables=credentials(remote, api, token))
        refs.repo = repo or refs.repo
        super().__init__(refs, GitHubReader(client, repository, thread), skew=skew)

    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""
        return user.type == "Bot" and user.login == _ACTIONS


def credentials(remote: str, api: str, token: str) -> dict[str, str]:
    """Return the variables by which git gets the token: for the forge's own host, and nowhere else.

    >>> credentials("https://example.org/ann/game", "https://api.github.com", "secret")
    {}
    """
    place, home = urlsplit(remote), urlsplit(api)
    hosts = {home.netloc, home.netloc.removeprefix("api.")}
    if not token or place.scheme not in ("https", home.scheme) or place.netloc not in hosts:
        return {}
    return git_variables(f"{place.scheme}://{place.netloc}/", token)
