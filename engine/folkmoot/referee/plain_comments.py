"""What is said of a pull request or issue in a few fixed words."""

from __future__ import annotations

from folkmoot.core.calendar import write_stamp
from folkmoot.core.problems import Problem
from folkmoot.forges.port import Check, Unread
from folkmoot.referee.markdown import code, said


def comment_on_fault(problem: Problem) -> str:
    """Return what is said of a pull request or issue over whose answer the engine fails."""
    return (
        f"### This cannot be shown\n\nWhat was recorded of it stands: {said(problem.message)} ({code(problem.code)}). "
        "The other pull requests and issues are answered as ever; tell whoever keeps the engine.\n"
    )


def comment_on_unread(unread: Unread) -> str:
    """Return what the author is told; it stands below what is said of older content."""
    why = f": {unread.why}" if unread.why else ""
    return (
        "### Its newest content is not here\n\n"
        f"The commit `{unread.commit[:12]}` could not be fetched{why}. So nothing in it counts yet; what is said here "
        f"is kept, and votes on what was proposed before go on. It is tried again after {write_stamp(unread.again)}, "
        "each time later. Whatever else you push is fetched at once: make it smaller, begin it from the game's branch, "
        "or open another pull request.\n"
    )


def check_on_unread(unread: Unread) -> Check:
    """Return what stands beside a commit that is not here."""
    return Check(commit=unread.commit, state="pending", summary="This commit could not be fetched; it is tried again")
