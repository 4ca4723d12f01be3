"""Fetching single objects of a remote for a repository that does not hold all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pygit2

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.git_transport import Git, failure
from folkmoot.journal.partial_clone import PartialRepository, descends, parents_of

_MOST = 20_000  # objects that are asked for at once
_UNFILTERED = re.compile(r"filter '[^']*' not supported|tree filter")
_DEPTHS = (100, 1_000, 8_000, 30_000)  # commits of the branch
# What git says where all that is asked for is in the branch; by HTTP no more than that the server ended early.
_NOTHING = re.compile(r"no commits selected|error processing shallow info")
_EVERYTHING = "--depth=2147483647"  # which git takes for no limit, also where nothing is missing
FILTER = "tree:0"
"""Commits only: trees and files are asked for by name."""


class RemotePromises:
    """What the remote of a partial clone gives; `branch` is the ref that is played on.

    Every fetch is shallow: a commit that is asked for by name brings nothing of what was before it.
    """

    def __init__(self, git: Git, repo: PartialRepository, remote: str) -> None:
        self.git = git
        self.repo = repo
        self.remote = remote
        self.branch = ""
        self._whole = False
        self._complete: set[str] = set()
        self._branches: dict[str, set[str]] = {}
        self._doubtful: set[str] = set()
        """Commits that are here without their parents, maybe because they are in the branch themselves."""

    def bring(self, names: Sequence[str]) -> None:
        """Fetch objects by their names (hex), and nothing else; raises E-FORGE where that fails."""
        for start in range(0, len(names), _MOST):
            self._fetch(names[start : start + _MOST], ["--depth=1"], negotiating=False)

    def bring_roots(self, commits: Sequence[str]) -> None:
        """Fetch the root folders of commits: git reads them, and would fetch all below, when something is pushed."""
        found: list[object] = [self.repo.get(commit) for commit in commits if commit and commit in self.repo]
        self.repo.bring(str(each.tree_id) for each in found if isinstance(each, pygit2.Commit))

    def bring_below(self, trees: Sequence[str], size: int) -> None:
        """Fetch trees with all that is below them and new, but no file of `size` bytes or more."""
        self._fetch(trees, ["--depth=1"], filtered=f"blob:limit={size}", negotiating=False)

    def complete(self, heads: Sequence[str]) -> None:
        """Fetch commits, with all before them that are not in the game's branch."""
        wanted = [head for head in dict.fromkeys(heads) if head not in self._complete]
        if wanted and self.branch:
            self.fetch_apart(wanted, wanted)

    def fetch_apart(self, refs: Sequence[str], heads: Sequence[str]) -> None:
        """Fetch refs (or commits by name) that lead to heads, with what of their history is not in the branch.

        Of several at once, one that is in the branch would bring all of it: so they are fetched without history first.
        """
        if len(refs) > 1:
            self._fetch(refs, ["--depth=1"])
        try:
            self._fetch(refs, [f"--shallow-exclude={self.branch}"])
            in_doubt = len(refs) > 1
        except ProblemError as error:
            if not _NOTHING.search(str(error)):
                raise
            self._fetch(refs, ["--depth=1"])
            in_doubt = True
        self._complete.update(heads)
        self._doubtful.update(heads if in_doubt else ())
        self.repo.free()

    def fetch(self, tips: Sequence[str], since: tuple[str, str] | None, whole: Sequence[str]) -> None:
        """Fetch commits that refs lead to: some without what was before them, some with everything that they lead to.

        One comes with what is not in another (`since`: both); where that is nothing, with some of what was before it.
        """
        if tips:
            self._fetch(tips, ["--depth=1"])
        if since:
            try:
                self._fetch([since[0]], [f"--shallow-exclude={since[1]}"])
            except ProblemError as error:
                if not _NOTHING.search(str(error)):
                    raise
                self._fetch([since[0]], [f"--depth={_DEPTHS[1]}"])
        if whole:
            self._fetch(whole, (), filtered="blob:limit=1000000")
        self.repo.free()

    def history(self, *refs: str) -> None:
        """Fetch all that was before the tip of the branch (and other refs), but no files: these come when read."""
        self._fetch([self.branch, *refs], [_EVERYTHING], filtered="blob:none")
        self._branches = {}
        self.repo.free()

    def departures(self, main: str, head: str) -> tuple[int, list[str]]:
        """Return how many commits of its own a head has, and at which commits of the branch it left that."""
        self.complete([head])
        for depth in (0, *_DEPTHS):
            if depth:
                self._fetch([self.branch], [f"--depth={depth}"])
                self.repo.free()
                self._branches = {}
            found = self._leaving(main, head)
            if found is not None and (len(found[1]) == 1 or depth == _DEPTHS[-1] or self._are_in_line(found[1])):
                return found
        raise fail("E-GIT", "this branch left the game's too long ago", None, "begin a branch from the game's")

    def _leaving(self, main: str, head: str) -> tuple[int, list[str]] | None:
        """Do as `departures` does, by what is here of the branch; None where that is not enough to be sure."""
        branch, cut = self._shown(main), self._cut()
        if head in branch:
            return 0, [head]
        own: dict[str, None] = {}
        leaving: dict[str, None] = {}
        todo = [head]
        while todo:
            commit = todo.pop()
            if commit in own:
                continue
            own[commit] = None
            if commit not in self.repo or (commit in cut and not self._is_own(commit)):
                return None
            parents = parents_of(self.repo, commit)
            inside = [parent for parent in parents if parent in branch]
            if commit in cut and len(parents) == 1:
                inside = parents
            elif commit in cut:  # where one parent is in the branch, git leaves out the others as well
                if not inside:
                    return None
                for parent in parents:
                    self.complete([parent] if parent not in inside else [])
                cut = self._cut()
            leaving |= dict.fromkeys(inside)
            todo += [parent for parent in parents if parent not in inside]
        if main in leaving:  # everything else in the branch lies before its tip
            return len(own), [main]
        return len(own), list(leaving)

    def _is_own(self, commit: str) -> bool:
        """Say whether a commit is surely not in the branch: one of several that came at once may be."""
        if commit in self._doubtful:
            try:
                self._fetch([commit], [f"--shallow-exclude={self.branch}"])
            except ProblemError as error:
                if _NOTHING.search(str(error)):
                    return False
                raise
            self.repo.free()
            self._doubtful.discard(commit)
        return True

    def _shown(self, main: str) -> set[str]:
        """Return the commits of the branch that are here, as far as they hang together."""
        if main not in self._branches:
            seen, todo = {main}, [main]
            while todo:
                parents = [each for each in parents_of(self.repo, todo.pop()) if each not in seen]
                seen.update(parents)
                todo += parents
            self._branches = {main: seen}
        return self._branches[main]

    def _are_in_line(self, commits: Sequence[str]) -> bool:
        """Say whether it can be seen how some commits of the branch lie to each other."""
        pairs = ((one, other) for one in commits for other in commits if one < other)
        return all(descends(self.repo, one, other) or descends(self.repo, other, one) for one, other in pairs)

    def _cut(self) -> set[str]:
        """Return the commits whose parents are not here."""
        return set((CloneFiles(self.repo.path).read_text("shallow", errors="replace") or "").split())

    def _fetch(
        self, wanted: Sequence[str], options: Sequence[str], *, filtered: str = FILTER, negotiating: bool = True
    ) -> None:
        if self._whole:
            filtered = "blob:none" if filtered == FILTER else filtered
        complaint = self.git.fetch_objects(self.remote, wanted, options, filtered, negotiating=negotiating)
        if complaint and filtered == FILTER and _UNFILTERED.search(complaint):
            self._whole = True  # a server that does not leave out trees
            complaint = self.git.fetch_objects(self.remote, wanted, options, "blob:none", negotiating=negotiating)
        if complaint:
            raise failure(complaint, "", "The remote repository cannot be fetched from")
