"""Deepening a shallow clone until it holds where a pull request left the branch."""

from __future__ import annotations

from collections.abc import Iterable

import pygit2

from engine.forge.transport import Git
from engine.problems import ProblemError

_STEPS = (200, 2_000, 20_000)


def deepen(repo: pygit2.Repository, git: Git, remote: str | None, main: str, heads: Iterable[str]) -> None:
    """Fetch more of the history where the repository is shallow and two commits seem to have nothing in common.

    Raises E-FORGE where the remote fails.
    """
    apart = [head for head in heads if head in repo]
    for step in _STEPS:
        apart = [head for head in apart if not _joined(repo, main, head)]
        if not apart or not main or remote is None or not repo.is_shallow:
            return
        git.ask(
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", f"--deepen={step}", "--", remote, main, *apart]
        )
    if repo.is_shallow and any(not _joined(repo, main, head) for head in apart):
        git.ask(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--unshallow", "--", remote or "."])


def _joined(repo: pygit2.Repository, main: str, head: str) -> bool:
    try:
        return repo.merge_base(main, head) is not None
    except (KeyError, ValueError, pygit2.GitError):
        return False


def fetch_reviewed(git: Git, repo: pygit2.Repository, remote: str | None, commits: Iterable[str]) -> list[str]:
    """Fetch commits that reviews were made on and that are not here; returns those that cannot be had any more.

    Such a commit was replaced by a later push; GitHub keeps it, but no ref leads to it.
    """
    missing = [commit for commit in dict.fromkeys(commits) if commit not in repo]
    if remote is None:
        return missing
    lost = []
    for commit in missing:
        try:
            complaint = git.fetch(remote, [(commit, f"refs/moot-remote/reviewed/{commit}")])
        except ProblemError:
            complaint = "late"
        if complaint:
            lost.append(commit)
    return lost
