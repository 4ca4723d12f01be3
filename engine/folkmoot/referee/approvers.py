"""Pull requests that touch no game (engine, workflows, site): nothing of them is run, and maintainers approve them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from folkmoot.core.keys import GAME
from folkmoot.core.values import in_a_row
from folkmoot.forges.engine_pin import too_old
from folkmoot.forges.port import Check, CheckState, Person, Pull, Remark
from folkmoot.referee.comment import summary
from folkmoot.referee.markdown import written
from folkmoot.referee.mentions import GameState
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.pin_changes import Keeping

MOST_NAMED = 10


def upkeep(
    pull: Pull, remarks: Iterable[Remark], games: Sequence[GameState], forge: str, changed: Keeping
) -> tuple[Check, str]:
    """Return the check on a pull request of no game and what it is told; of a maintainer the latest review counts."""
    latest: dict[str, Remark] = {}
    others: dict[str, None] = {}
    for remark in remarks:
        if remark.kind == "comment":
            continue
        name = _maintainer(games, forge, remark.author)
        if not name or remark.author.id == pull.author.id:
            others[whose(remark.author, {}, forge, *(each.players for each in games))] = None
        elif remark.dismissed_by is None and not remark.deleted:
            latest[name] = remark
        else:
            latest.pop(name, None)  # what was taken back revives nothing older
    engines = {each.slug: str((each.documents[GAME].get("engine") or {}).get("folkmoot") or "") for each in games}
    judged_by = {game: version for game, version in engines.items() if version}
    older = too_old(changed.pinned, judged_by) if changed.pinned else ""
    wrong = [*changed.wrong, *([f"the pin goes back to Folkmoot {older}"] if older else [])]
    head, own = pull.head.commit, _maintainer(games, forge, pull.author)
    against = [name for name, last in latest.items() if last.kind == "request_changes"]
    approved = [name for name, last in latest.items() if last.kind == "approve" and last.commit == head]
    could = dict.fromkeys(name for each in games for name in _approvers(each) if name != own)
    if pull.draft:
        standing = "A draft, of no game: a maintainer approves it once it is ready for review"
    elif against:
        standing = f"Of no game; {in_a_row(against, MOST_NAMED)} requests changes"
    elif approved:
        standing = f"Of no game; approved by {in_a_row(approved, MOST_NAMED)}, a maintainer"
    else:
        them = f": {in_a_row(could, MOST_NAMED)}" if could else ", and its author is the only one"
        standing = f"Of no game; it needs the approval of a maintainer{them}"
    state: CheckState = "failure" if wrong else "success" if approved and not against and not pull.draft else "pending"
    check = Check(commit=head, state=state, summary=summary(f"Must not be merged: {wrong[0]}" if wrong else standing))
    given = {"wrong": wrong, "told": changed.told, "others": in_a_row(others, MOST_NAMED)}
    return check, written("upkeep.md", standing=standing, **given)


def _approvers(game: GameState) -> list[str]:
    """Return who may approve: the game's maintainers, or its administrators where it names none."""
    kept = game.documents[GAME]
    return list(kept.get("maintainers") or kept.get("administrators") or ())


def _maintainer(games: Iterable[GameState], forge: str, person: Person) -> str:
    """Return under which name somebody is a maintainer, "" if they are none."""
    if person.robot or not person.id:
        return ""
    for game in games:
        known = (player_of(game.players, forge, person), f"{forge}:{person.id}")
        if found := next((name for name in _approvers(game) if name in known), ""):
            return found
    return ""
