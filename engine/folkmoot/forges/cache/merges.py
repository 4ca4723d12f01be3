"""Merges: which pull requests came into the branch, as its commits show."""

from __future__ import annotations

from itertools import islice, takewhile

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.records import SeenPull, merged
from folkmoot.forges.cache.untrusted_commits import chain
from folkmoot.journal.partial_clone import parents_of

_LONGEST_WALK = 10_000  # commits of the branch that are looked through for merges at once
_UNKNOWN_WALK = 1_000  # the same, where no commit of it was ever published


def find_merges(seen: ForgeCache, at: int, tip: str, known: str, *, news: bool) -> None:
    """Mark pull requests as merged (at a time in Unix seconds) whose head came into the branch between two commits.

    `news` says that nobody asked for it, so that it is something to look at.
    """
    listed = {number: seen.pull(number) or {} for number in seen.listed}
    heads = {each["pushes"][-1]["commit"]: n for n, each in listed.items() if _may_merge(each)}
    if not heads or not tip:
        return
    most = _LONGEST_WALK if known else _UNKNOWN_WALK
    for name in takewhile(lambda name: name != known, islice(chain(seen.repo, tip), most)):
        for head in ([name] if known else []) + parents_of(seen.repo, name)[1:]:
            if head in heads:
                _mark(seen, heads.pop(head), at, name, news=news)


def _may_merge(record: SeenPull) -> bool:
    """Say whether something is a pull request that is not merged yet."""
    return bool(record.get("pushes")) and record["state"] != "merged"


def _mark(seen: ForgeCache, number: int, at: int, commit: str, *, news: bool) -> None:
    record = seen.pull(number) or {}
    changes = record["changes"] + news
    seen.keep_pull(number, merged(record, at, commit) | {"changes": changes})
