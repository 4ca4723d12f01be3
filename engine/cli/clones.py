"""A bare clone for one run: no work tree, so nothing that anybody pushed ever lies on this machine as a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.cli.forges import TOKENS
from engine.forge.transport import Git
from engine.forge.web.credentials import git_variables


@contextmanager
def cloned(address: str) -> Iterator[Path]:
    """Yield a bare clone of a repository, which is gone afterwards. Raises E-FORGE."""
    with tempfile.TemporaryDirectory() as folder:
        git = Git(Path(folder), variables=token_for(address))
        git.ask(["clone", "--quiet", "--bare", "--", address, f"{folder}/clone.git"])
        yield Path(folder, "clone.git")


def token_for(address: str) -> dict[str, str]:
    """Return the variables by which git proves who we are to the host that a job says it belongs to."""
    server = os.environ.get("GITHUB_SERVER_URL", "").rstrip("/") + "/"
    token = next((os.environ[name] for name in TOKENS if os.environ.get(name)), "")
    return git_variables(server, token) if token and server != "/" and address.startswith(server) else {}
