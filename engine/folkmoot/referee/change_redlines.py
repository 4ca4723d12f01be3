"""What the changes of a pull request or proposal strike and add, each against the rule as it was when it was made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from folkmoot.core.documents import Proposal
from folkmoot.core.records import ProposedChange, Shown
from folkmoot.referee.redlines import Redline, kind_of, proposed, redline

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.referee.content import GameContent


def redlines_in(session: Session, content: GameContent) -> Iterable[Redline]:
    """Yield the changes of a content, each against its rule as it was when the change was made."""
    for change, file in zip(content.changes, content.files, strict=True):
        yield _redline(session, change, file, _target(change) in content.stale)


def proposal_redlines(session: Session, proposal: Proposal) -> tuple[Redline, ...]:
    """Return the changes of a proposal, each against its rule as it was when the change was made."""
    return tuple(_redline(session, change) for change in proposed(proposal))


def _redline(session: Session, change: ProposedChange, file: str = "", stale: bool = False) -> Redline:
    uid, revision = _target(change), change.get("revision")
    meta = (session.document("law").get("rules") or {}).get(uid) or {}
    stale = stale or (revision is not None and meta.get("revision") != revision)
    shown = redline(change, _wording(session, change), file, stale)
    return replace(shown, gone=bool(uid) and not meta.get("in_force"))


def _target(change: ProposedChange) -> str:
    """Return the uid of the rule that a change is about, "" for a new one."""
    kind = kind_of(change)
    return "" if kind == "enact" else str(change[kind])


def _wording(session: Session, change: ProposedChange) -> Shown | None:
    """Return the rule of a change as it was in the revision on which that was made; None if there is none."""
    uid, revision = _target(change), change.get("revision")
    present = (session.document(f"rules/{uid}") or None) if uid else None
    meta = (session.document("law").get("rules") or {}).get(uid)
    if meta is None or revision is None or (present is not None and meta["revision"] == revision):
        return present
    past = session.document(f"history/{uid}").get("revisions") or ()
    then = (each for each in past if each.get("revision") == revision and not each.get("repealed"))
    return next(then, present)
