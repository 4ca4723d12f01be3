"""A bare clone for one run: no work tree, so nothing that anybody pushed ever lies on this machine as a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from folkmoot.cli.forges import token_for
from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.lazy_fetch import FILTER
from folkmoot.forges.git_transport import Git

_PART = ("--depth=1", f"--filter={FILTER}", "--no-tags")


@contextmanager
def cloned(address: str) -> Iterator[Path]:
    """Yield a bare clone of a repository, which is gone afterwards. Raises E-FORGE.

    Of a remote one it holds the last commit alone: everything else comes when it is read.
    """
    with tempfile.TemporaryDirectory() as folder:
        git = Git(Path(folder), variables=token_for(address))
        words = ("clone", "--quiet", "--bare")
        try:
            git.ask([*words, *(_PART if "://" in address else ()), "--", address, f"{folder}/clone.git"])
        except ProblemError as error:
            if "filter" not in str(error):
                raise
            git.ask([*words, "--", address, f"{folder}/whole.git"])  # an old server, which gives all or nothing
            Path(folder, "whole.git").rename(Path(folder, "clone.git"))
        yield Path(folder, "clone.git")
