"""What stands beside a rule: the name of its revision, when and by what that was brought about."""

from __future__ import annotations

from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.core.values import told
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, escape, sentence
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _


def called(revision: Document) -> str:
    """Return the number of a revision, and how the law calls it where it does; "" for a repeal."""
    number = revision.get("revision")
    return str(revision.get("called") or ("" if number is None else number))


def taken_over(here: Here, revision: Document) -> bool:
    """Whether a revision is from before the game."""
    return is_taken_over(revision, founded_at(here.view))


def founded_at(view: GameView) -> int:
    """Return when the game was founded, in Unix seconds."""
    at = view.document("game").get("founded_at")
    return at if isinstance(at, int) else 0


def made_by_players(view: GameView, uid: str) -> Document | None:
    """Return the last revision of a rule that was brought about by play; None for one that is as the game began."""
    at = founded_at(view)
    played = (r for r in reversed(view.wordings(uid)) if r.get("cause") not in (None, "", "founding"))
    return next((revision for revision in played if not is_taken_over(revision, at)), None)


def since(here: Here, revision: Document, *, day: bool = False) -> Html:
    """Return when a revision came about, as exactly as that is known, or on which day; nothing where nobody knows."""
    if dated := revision.get("dated"):
        return escape(_("not known") if dated == "unknown" else str(dated))
    return here.day(revision.get("at")) if day else here.moment(revision.get("at"))


def mark_of_the_past() -> Html:
    """Return the mark of what was taken over."""
    return el("span", _("taken over, not played"), class_="badge wait")


def cause(here: Here, cause: object, *, author: bool = True) -> Html:
    """Return what brought a revision about: a proposal with who made it, a rule, or the founding; a dash if unknown."""
    text = str(cause or "")
    if proposal := here.view.proposals.get(text):
        who = here.player(proposal.get("author")) if author else ""
        named = here.proposal(text)
        return sentence("{proposal} of {author}", proposal=named, author=who) if who else named
    if text.startswith("rule/") or text in here.view.law:
        return here.rule(text.removeprefix("rule/"))
    return escape(_("the founding")) if text == "founding" else phrase(text or "–")


def brought(here: Here, revision: Document, *, author: bool = True) -> Html:
    """Return by what a revision was brought about, as the end of a sentence; nothing where nobody knows."""
    by = revision.get("cause")
    if by == "founding":
        return escape(_("at the founding"))
    if by:
        return sentence("by {cause}", cause=cause(here, by, author=author))
    by_hand = int(revision.get("seq") or 0) > 1 and not taken_over(here, revision)
    return escape(_("by an administrator")) if by_hand else Html("")


def written(part: object) -> str:
    """Return a part of a rule as in its file; what no file can hold, though a record made by hand may, in one line."""
    try:
        return write_yaml(part)
    except UnwritableError:
        return told(part)
