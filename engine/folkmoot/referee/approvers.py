"""Pull requests that touch no game (engine, workflows, site): nothing of them is run, and maintainers approve them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Roster
from folkmoot.core.values import in_a_row
from folkmoot.forges.port import Check, Person, Pull, Remark
from folkmoot.referee.comment import summary
from folkmoot.referee.markdown import written
from folkmoot.referee.people import named, player_of
from folkmoot.referee.pin_changes import NOTHING, Keeping

MOST_NAMED = 10

Record = Mapping[str, Any]


class Approvers(Struct, frozen=True, kw_only=True):
    """Who may approve, of one game: the ids it names, and its roster, by which they are known on a forge.

    `engine` is the version of the one that judges the `game`.
    """

    names: tuple[str, ...]
    roster: Roster
    game: str = ""
    engine: str = ""

    def name(self, forge: str, person: Person) -> str:
        """Return under which name somebody is a maintainer, "" if they are none."""
        account = f"{forge}:{person.id}"
        if person.robot or not person.id:
            return ""
        player = player_of(self.roster, forge, person)
        return next((name for name in self.names if name in (player, account)), "")


def approvers_of(name: str, game: Record, roster: Roster) -> Approvers:
    """Return who may approve: the game's maintainers, or its administrators where it names none."""
    names = tuple(game.get("maintainers") or game.get("administrators") or ())
    engine = str((game.get("engine") or {}).get("folkmoot") or "")
    return Approvers(names=names, roster=roster, game=name, engine=engine)


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


def upkeep(
    pull: Pull, remarks: Iterable[Remark], keepers: Iterable[Approvers], forge: str, changed: Keeping = NOTHING
) -> Upkeep:
    """Return how a pull request of no game stands by its reviews, the latest of each maintainer counting.

    `changed` is what it changes of what runs the referee.
    """
    games = list(keepers)
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
    head, own = pull.head.commit, _maintainer(games, forge, pull.author)
    return Upkeep(
        approved=[name for name, last in latest.items() if last.kind == "approve" and last.commit == head],
        against=[name for name, last in latest.items() if last.kind == "request_changes"],
        could=list(dict.fromkeys(name for each in games for name in each.names if name != own)),
        others=list(others),
        draft=pull.draft,
        told=changed.told,
        wrong=changed.faults({each.game: each.engine for each in games if each.engine}),
    )


def _maintainer(games: Iterable[Approvers], forge: str, person: Person) -> str:
    return next((name for each in games if (name := each.name(forge, person))), "")
