"""Pull requests that touch no game (engine, workflows, site): nothing of them is run, and maintainers approve them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Roster
from folkmoot.core.values import in_a_row
from folkmoot.forges.port import Check, Person, Pull, Remark
from folkmoot.kernel.names import account_on
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

    def reached(self, forge: str) -> list[str]:
        """Return those who are known on a forge."""
        return [name for name in self.names if name.startswith(f"{forge}:") or self._is_known(name, forge)]

    def _is_known(self, name: str, forge: str) -> bool:
        entry = self.roster.get(name)
        by_address = forge == "local" and entry is not None and bool(entry.get("email"))
        return by_address or account_on(self.roster, name, forge) is not None


def approvers_of(name: str, game: Record, roster: Roster) -> Approvers:
    """Return who may approve: the game's maintainers, or its administrators where it names none."""
    names = tuple(game.get("maintainers") or game.get("administrators") or ())
    engine = str((game.get("engine") or {}).get("folkmoot") or "")
    return Approvers(names=names, roster=roster, game=name, engine=engine)


class Upkeep(Struct, frozen=True, kw_only=True):
    """How a pull request of no game stands: who approved its present head, who is against, who could approve.

    `told` is what maintainers should know of it, `wrong` why the referee would not run after it.
    """

    approved: tuple[str, ...]
    against: tuple[str, ...]
    could: tuple[str, ...]
    older: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    draft: bool = False
    told: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

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
        if not self.could:
            return "Of no game; it needs the approval of a maintainer, and none but its author is known on this forge"
        again = f"; {in_a_row(self.older, MOST_NAMED)} approved older content" if self.older else ""
        return f"Of no game; it needs the approval of a maintainer: {in_a_row(self.could, MOST_NAMED)}{again}"

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
    approving = {name: review for name, review in latest.items() if review.kind == "approve"}
    own = _maintainer(games, forge, pull.author)
    could = dict.fromkeys(name for each in games for name in each.reached(forge) if name != own)
    return Upkeep(
        approved=tuple(name for name, review in approving.items() if review.commit == pull.head.commit),
        older=tuple(name for name, review in approving.items() if review.commit != pull.head.commit),
        against=tuple(name for name, review in latest.items() if review.kind == "request_changes"),
        could=tuple(could),
        others=tuple(others),
        draft=pull.draft,
        told=changed.told,
        wrong=tuple(changed.faults({each.game: each.engine for each in games if each.engine})),
    )


def _maintainer(games: Iterable[Approvers], forge: str, person: Person) -> str:
    return next((name for each in games if (name := each.name(forge, person))), "")
