"""Fetching more of the history: where a shallow clone lacks it, and where no ref leads to it any more."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.git_transport import LateError
from folkmoot.journal.repositories import holds

_QUIETLY = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")


def deepen(refs: Refs, main: str, heads: Iterable[str]) -> None:
    """Fetch the rest of the history where it is cut off before the commit at which a head left the branch.

    Raises E-FORGE where the remote fails.
    """
    repo, git, remote = refs.repo, refs.git, refs.remote
    if remote is None or not main or not repo.is_shallow:
        return
    if all(git.ask(["merge-base", main, head], allowed=(0, 1)) for head in heads):
        return
    git.ask(["fetch", *_QUIETLY, "--unshallow", "--", remote])
    repo.free()  # what it has read of the history was cut off


def fetch_reviewed(refs: Refs, commits: Iterable[str], late: list[str], most: int) -> list[str]:
    """Fetch commits that reviews were made on; returns those that are here then.

    One that a later push replaced is kept by GitHub for a while, though no ref leads to it. Those that take too long
    are added to `late`, and never tried again; once there are as many as `most` of these, no more are tried.
    """
    repo, named = refs.repo, dict.fromkeys(commits)
    for commit in named:
        if len(late) >= most:
            break
        if refs.remote is not None and not holds(repo, commit) and commit not in late:
            try:
                refs.git.fetch(refs.remote, [(commit, f"refs/moot-remote/reviewed/{commit}")])
            except LateError:
                late.append(commit)
            except ProblemError:  # too late, perhaps: then the review is of nothing that can be read
                continue
    return [commit for commit in named if holds(repo, commit)]
