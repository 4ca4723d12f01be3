"""Where a repository lies on its forge, and how its API is asked there, for the commands that look after settings."""

from __future__ import annotations

import os

import pygit2

from folkmoot.cli.forges import address_of, gitea_place, github_place
from folkmoot.cli.places import root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import fail
from folkmoot.forges.web.client import Client
from folkmoot.ops.doctor.local import branch_of
from folkmoot.ops.doctor.place import KINDS, Place, games_below

HEADERS = {
    "github": {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    "gitea": {"Accept": "application/json"},
}
SCHEMES = {"github": "Bearer", "gitea": "token"}


def place_of(terminal: Terminal, remote: str | None, kind: str | None = None, home: str | None = None) -> Place:
    """Return the repository around and where it lies; `kind` and `home` prevail over games and remote.

    Raises E-ARGS where `home` is no address of a repository.
    """
    root = root_of(terminal)
    found = pygit2.discover_repository(str(root)) if root.exists() else None
    repo = pygit2.Repository(found) if found else None
    games = games_below(root)
    address = (address_of(repo, remote) or "") if repo is not None else ""
    known = [each.kind for each in games if each.kind in KINDS]
    kind = kind or (known[0] if known else "")
    lies = gitea_place(home or address) if kind == "gitea" else github_place(home or address)
    if home and lies is None:
        raise fail("E-ARGS", f"{home!r} is no address of a repository", None, "write it https://HOST/OWNER/NAME")
    host, repository = lies or ("", "")
    kind = kind or ("github" if host == "https://github.com" else "")
    return Place(
        root=root,
        repo=repo,
        games=games,
        address=address,
        host=host,
        repository=repository,
        api=api_of(kind, host),
        branch=branch_of(repo) or "main",
        kind=kind,
    )


def api_of(kind: str, host: str) -> str:
    """Return where the API of a host is: where a job's environment says, or where it always is."""
    if not host:
        return ""
    if os.environ.get("GITHUB_API_URL") and os.environ.get("GITHUB_SERVER_URL") == host:
        return os.environ["GITHUB_API_URL"]
    if kind == "gitea":
        return f"{host}/api/v1"
    return "https://api.github.com" if host == "https://github.com" else f"{host}/api/v3"


def client_of(place: Place, token: str) -> Client | None:
    """Return what asks the API of the forge, None where the repository lies on none; the token goes there only."""
    if place.kind not in KINDS or not place.api:
        return None
    proof = {"Authorization": f"{SCHEMES[place.kind]} {token}"} if token else {}
    return Client(place.api, {**HEADERS[place.kind], **proof})
