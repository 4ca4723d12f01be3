"""Pull requests that touch no game (engine, workflows, site): nothing of them is run, and maintainers approve them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from folkmoot.core.keys import GAME
from folkmoot.core.values import in_a_row
from folkmoot.forges.port import Check, Person, Pull, Remark
from folkmoot.referee.comment import summary
from folkmoot.referee.markdown import written
from folkmoot.referee.mentions import GameState
from folkmoot.referee.people import named, player_of
from folkmoot.referee.pin_changes import Keeping

MOST_NAMED = 10


class Upkeep(Struct, frozen=True, kw_only=True):
    """How a pull request of no game stands: who approved its present head, who is against, who could approve.

    `others` are they whose reviews do not count, `told` what maintainers should know of it, `wrong` why the referee
    would not run after it.
    """

    approved: list[str]
    against: list[str]
    could: list[str]
    others: list[str]
    draft: bool
    told: tuple[str, ...]
    wrong: list[str]

    def check(self, commit: str) -> Check:
        """Return the check on its head (hex)."""
        if self.wrong:
            return Check(commit=commit, state="failure", summary=summary(f"Must not be merged: {self.wrong[0]}"))
        good = bool(self.approved) and not self.against and not self.draft
        return Check(commit=commit, state="success" if good else "pending", summary=summary(self.standing))

    @property
    def standing(self) -> str:
        """Return in one sentence how it stands."""
        if self.draft:
            return "A draft, of no game: a maintainer approves it once it is ready for review"
        if self.against:
            return f"Of no game; {in_a_row(self.against, MOST_NAMED)} requests changes"
        if self.approved:
            return f"Of no game; approved by {in_a_row(self.approved, MOST_NAMED)}, a maintainer"
        whose = f": {in_a_row(self.could, MOST_NAMED)}" if self.could else ", and its author is the only one"
        return f"Of no game; it needs the approval of a maintainer{whose}"

    def comment(self) -> str:
        """Return what the pull request is told."""
        return written("upkeep.md", upkeep=self, others=in_a_row(self.others, MOST_NAMED))


def upkeep(pull: Pull, remarks: Iterable[Remark], games: Sequence[GameState], forge: str, changed: Keeping) -> Upkeep:
    """Return how a pull request of no game stands by its reviews, the latest of each maintainer counting.

    `changed` is what it changes of what runs the referee.
    """
    latest: dict[str, Remark] = {}
    others: dict[str, None] = {}
    for remark in remarks:
        if remark.kind == "comment":
            continue
        name = _maintainer(games, forge, remark.author)
        if not name or remark.author.id == pull.author.id:
            others[named(remark.author, [each.roster for each in games], forge)] = None
        elif remark.dismissed_by is None and not remark.deleted:
            latest[name] = remark
        else:
            latest.pop(name, None)  # what was taken back revives nothing older
    engines = {each.slug: str((each.documents[GAME].get("engine") or {}).get("folkmoot") or "") for each in games}
    head, own = pull.head.commit, _maintainer(games, forge, pull.author)
    return Upkeep(
        approved=[name for name, last in latest.items() if last.kind == "approve" and last.commit == head],
        against=[name for name, last in latest.items() if last.kind == "request_changes"],
        could=list(dict.fromkeys(name for each in games for name in _approvers(each) if name != own)),
        others=list(others),
        draft=pull.draft,
        told=changed.told,
        wrong=changed.faults({game: version for game, version in engines.items() if version}),
    )


def _approvers(game: GameState) -> list[str]:
    """Return who may approve: the game's maintainers, or its administrators where it names none."""
    kept = game.documents[GAME]
    return list(kept.get("maintainers") or kept.get("administrators") or ())


def _maintainer(games: Iterable[GameState], forge: str, person: Person) -> str:
    """Return under which name somebody is a maintainer, "" if they are none."""
    if person.robot or not person.id:
        return ""
    for game in games:
        known = (player_of(game.roster, forge, person), f"{forge}:{person.id}")
        if found := next((name for name in _approvers(game) if name in known), ""):
            return found
    return ""
