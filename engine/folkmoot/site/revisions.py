"""Revisions of rules: when and by what each came, the moments at which the law changed, and a change on one line."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.core.values import told
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.markup import Html, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase
from folkmoot.wording.redline import runs

AROUND, CHANGED = 40, 90
"""Characters of what stayed before and behind a change, and of what changed."""
COMPARED = 4_000
"""Characters of a wording in which a change is looked for."""
Change = tuple[str, Document, Document]
"""The uid of a rule, its revision before (empty: there was none) and after."""


def founded_at(view: GameView) -> int:
    """Return when the game was founded, in Unix seconds."""
    at = view.document("game").get("founded_at")
    return at if isinstance(at, int) else 0


def taken_over(here: Here, revision: Document) -> bool:
    """Whether a revision is from before the game."""
    return is_taken_over(revision, founded_at(here.view))


def mark_of_the_past() -> Html:
    """Return the mark of what was taken over."""
    return el("span", "taken over, not played", class_="badge wait")


def made_by_players(view: GameView, uid: str) -> Document | None:
    """Return the last revision of a rule that was brought about by play; None for one that is as the game began."""
    at = founded_at(view)
    played = (r for r in reversed(view.wordings(uid)) if r.get("cause") not in (None, "", "founding"))
    return next((revision for revision in played if not is_taken_over(revision, at)), None)


def since(here: Here, revision: Document, *, day: bool = False) -> Html:
    """Return when a revision came about, as exactly as that is known, or on which day; nothing where nobody knows."""
    if dated := revision.get("dated"):
        return escape("not known" if dated == "unknown" else str(dated))
    return here.day(revision.get("at")) if day else here.moment(revision.get("at"))


def brought(here: Here, revision: Document) -> Html:
    """Return by what a revision was brought about, as the end of a sentence; nothing where nobody knows."""
    by = str(revision.get("cause") or "")
    if not by:
        by_hand = int(revision.get("seq") or 0) > 1 and not taken_over(here, revision)
        return escape("by an administrator") if by_hand else Html("")
    if by == "founding":
        return escape("at the founding")
    if proposal := here.view.proposals.get(by):
        who = here.player(proposal.get("author"))
        return sentence("by {proposal} of {author}" if who else "by {proposal}", proposal=here.proposal(by), author=who)
    is_rule = by.startswith("rule/") or by in here.view.law
    return sentence("by {rule}", rule=here.rule(by.removeprefix("rule/")) if is_rule else phrase(by))


def written(part: object) -> str:
    """Return a part of a rule as in its file; what no file can hold, though a record made by hand may, in one line."""
    try:
        return write_yaml(part)
    except UnwritableError:
        return told(part)


# -- the moments at which the law changed


class Moment(Struct):
    """A day on which an entry of the journal (0: before the first) changed the law: when last, and how.

    An entry that brought a past along has a moment for every day of it.
    """

    seq: int
    at: int | None
    changes: list[Change] = field(default_factory=list)

    @property
    def causes(self) -> dict[str, Document]:
        """By what the law was changed, with a revision that came by it."""
        return {str(after.get("cause") or ""): after for _uid, _before, after in self.changes}


def moments(view: GameView) -> list[Moment]:
    """Return every moment at which the law changed, oldest first."""
    return list(view.index(moments_by_day).values())


def moments_by_day(view: GameView) -> dict[tuple[int, int, str], Moment]:
    """Return every moment at which the law changed, oldest first, by its entry, its Unix day, and an inexact date."""
    found: dict[tuple[int, int, str], Moment] = {}
    for uid in (*view.ranked, *view.repealed):
        before: Document = {}
        for after in view.revisions(uid):
            seq, at = int(after.get("seq") or 0), seconds(after.get("at"))
            moment = found.setdefault((seq, (at or 0) // DAY, str(after.get("dated") or "")), Moment(seq, at))
            moment.at = max(moment.at or 0, at) if at is not None else moment.at
            moment.changes.append((uid, before, after))
            before = after
    return {key: found[key] for key in sorted(found)}


def last_moment(view: GameView) -> Moment | None:
    """Return when the law changed last, None where it never did since the founding."""
    found = moments(view)
    return found[-1] if found and found[-1].seq > 1 else None


def changed(before: Document, after: Document) -> Html:
    """Return the words around what changed between two revisions of a rule, the struck and the added marked."""
    title, text = (str(after.get(part) or "") for part in ("title", "text"))
    if after.get("repealed"):
        return el("del", _cut(str(before.get("text") or before.get("title") or "untitled"), CHANGED))
    if not before:
        return el("ins", _cut(f"{title}: {text}" if title else text, AROUND + CHANGED))
    pairs = [
        (str(before.get(part) or "")[:COMPARED], str(after.get(part) or "")[:COMPARED]) for part in ("text", "title")
    ]
    found = next((runs(*pair) for pair in pairs if pair[0] != pair[1]), [])
    first = next((n for n, run in enumerate(found) if run[0] != "equal"), None)
    if first is None:
        return _cut(text or title, AROUND + CHANGED)
    stayed = " ".join(found[first - 1][2].split()) if first else ""
    parts, room = [escape(f"…{stayed[-AROUND:]}" if len(stayed) > AROUND else stayed)], CHANGED
    for kind, struck, added in found[first:]:
        if room <= 0:
            break
        if kind == "equal":
            parts.append(_cut(added, AROUND))
            room -= len(added)
        else:
            parts += [el(tag, _cut(words, room)) for tag, words in (("del", struck), ("ins", added)) if words.strip()]
            room -= len(struck) + len(added)
    return join(parts, " ")


def _cut(words: str, most: int) -> Html:
    return phrase(shortened(words, most))
