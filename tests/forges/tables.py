"""All forges by name, each with people round it: tables to try the port at, and meetings that play a whole game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.forges.emulated_table import GiteaTable, GitHubTable
from tests.forges.gitea.emulator import GENERATIONS
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.local_table import LocalTable, bare
from tests.forges.smart_http import serving
from tests.forges.web_meeting import WebMeeting

WEB = ("github", *GENERATIONS)
"""Forges with an API, the generations of Forgejo and Gitea each for itself."""
ALL = ("local", "alone", "local over HTTP", "github over HTTP", *WEB)
"""Every forge, and ways to its repository: a folder, one folder that all share, git's own protocol over HTTP."""


@contextmanager
def sitting(name: str, folder: Path) -> Iterator[Any]:
    """Provide the table of a forge."""
    kind, _, over_http = name.partition(" over ")
    hub = bare(folder)
    with ExitStack() as stack:
        remote = f"{stack.enter_context(serving(folder)).address}/hub.git" if over_http else str(hub)
        if kind in ("local", "alone"):
            yield LocalTable(folder, None if kind == "alone" else remote, hub, processes=True)
        elif kind == "github":
            yield GitHubTable(folder, remote, hub)
        else:
            yield GiteaTable(folder, remote, hub, GENERATIONS[kind])


def on(*names: str) -> pytest.MarkDecorator:
    """Mark a test as one of these forges alone."""
    return pytest.mark.parametrize("table", names, indirect=True)


def web_meeting(name: str, folder: Path, remote: str | None = None) -> WebMeeting:
    """Return a meeting on a forge with an API."""
    if name == "github":
        return GitHubMeeting(folder, remote=remote)
    return GiteaMeeting(folder, remote=remote, generation=GENERATIONS[name])
