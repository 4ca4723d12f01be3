"""Heads that are there and cannot be fetched: each is tried again by itself, ever more seldom, whoever looks.

A try may take minutes, and a job has only so many. So the first pause is ten minutes, each one is twice as long as the
one before, up to a day; another head of the same ref is none that failed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.ref_names import pull_number, pull_ref
from folkmoot.forges.cache.refs import Standing
from folkmoot.forges.port import Unread
from folkmoot.forges.vocabulary import PullState

FIRST = 600
"""Seconds from the first try that failed to the next."""
GRACE = 3
"""How often a head that the forge does not show yet is looked for at every look: forges move the two one by one."""
LONGEST = 86_400
"""Seconds between two tries at most."""

UNLIKE = "at this pull request the forge shows"
"""How the reason begins for a head that git has and the forge does not show."""

Entry = Mapping[str, Any]


class Unfetched:
    """What could not be fetched, as it was written down, at the time of a look (Unix seconds)."""

    def __init__(self, seen: ForgeCache, at: int) -> None:
        """Read what stands."""
        self.seen = seen
        self.at = at

    def entry(self, ref: str, commit: str) -> Entry | None:
        """Return what was noted of a ref at a commit (hex): `tries`, `again` (Unix seconds), `why`; None if nothing."""
        found: Entry | None = self.seen.standing.get("unfetched", {}).get(ref)
        return found if found is not None and found["commit"] == commit else None

    def rests(self, standing: Standing) -> set[str]:
        """Return the refs whose turn it is not yet to be tried again."""
        return {ref for ref, entry in self._of(standing) if self.at < entry["again"]}

    def unlike(self, standing: Standing) -> set[str]:
        """Return the refs that stood elsewhere than the forge showed, when they were last looked at."""
        return {ref for ref, entry in self._of(standing) if entry["why"].startswith(UNLIKE)}

    def doubtful(self, standing: Standing) -> list[str]:
        """Return the refs whose turn it is again, the one that waited longest first."""
        due = [(entry["again"], ref) for ref, entry in self._of(standing) if self.at >= entry["again"]]
        return [ref for _, ref in sorted(due)]

    def unread(self, standing: Standing, number: int, state: PullState) -> Unread | None:
        """Return that the newest content of a pull request is not here, None where it is."""
        commit = standing.refs.get(pull_ref(number), "")
        entry = self.entry(pull_ref(number), commit)
        return None if entry is None else Unread(commit=commit, why=entry["why"], again=entry["again"], state=state)

    def note(
        self, standing: Standing, tried: Container[str], missing: Mapping[str, str], unlike: Mapping[str, str]
    ) -> None:
        """Write down what of the refs that were `tried` is missing, and why; "" for what no try was left for.

        `unlike` are those that stand elsewhere than the forge shows, with what to say of each.
        """
        kept = {ref: entry for ref, entry in self._of(standing) if ref not in tried and not self._is_over(ref)}
        kept |= {ref: self._failed(ref, standing.refs[ref], why) for ref, why in missing.items()}
        kept |= {ref: self._failed(ref, standing.refs[ref], why, GRACE) for ref, why in unlike.items()}
        if kept != self.seen.standing.get("unfetched", {}):
            self.seen.stand(unfetched=dict(sorted(kept.items())))

    def _of(self, standing: Standing) -> Iterable[tuple[str, Entry]]:
        for ref in self.seen.standing.get("unfetched", {}):
            entry = self.entry(ref, standing.refs.get(ref, ""))
            if entry is not None:
                yield ref, entry

    def _is_over(self, ref: str) -> bool:
        """Say whether a ref is of a pull request that nobody looks at any more."""
        number = pull_number(ref)
        return number is not None and self.seen.pull(number) is not None and number not in self.seen.listed

    def _failed(self, ref: str, commit: str, why: str, grace: int = 0) -> Entry:
        before = self.entry(ref, commit) or {"tries": 0, "why": ""}
        tries = before["tries"] + bool(why)
        late = tries - grace
        pause = min(FIRST << min(late - 1, 20), LONGEST) if why and late > 0 else 0
        return {"commit": commit, "tries": tries, "again": self.at + pause, "why": why or before["why"]}
