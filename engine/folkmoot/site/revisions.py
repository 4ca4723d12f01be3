"""Revisions of rules: by what each came, the moments at which the law changed, and links in the text of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from folkmoot.core.calendar import DAY
from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.core.values import told
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.wording.game_view import GameView, lists_by_key, seconds
from folkmoot.wording.markup import Html, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase, prose
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


def changed(before: Document, after: Document) -> Html:
    """Return the words around what changed between two revisions of a rule, the struck and the added marked."""
    title, text = (str(after.get(part) or "") for part in ("title", "text"))
    if after.get("repealed"):
        return el("del", _cut(str(before.get("text") or before.get("title") or "untitled"), CHANGED))
    if not before:
        return el("ins", _cut(f"{title}: {text}" if title else text, AROUND + CHANGED))
    pairs = [[str(each.get(part) or "")[:COMPARED] for each in (before, after)] for part in ("text", "title")]
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


# -- links in the text of a rule

_TAG = re.compile(r"(<[^>]*>)")
_GAP = r"(?:\s|&#10;)"  # prose stands on one line, its line breaks as entities
_NUMBER = r"\d+(?:[-./]\d+)*"
_NAMED = re.compile(
    rf"\b[Rr]ules?{_GAP}{{1,3}}{_NUMBER}"
    rf"(?:(?:,{_GAP}{{0,3}}|,?{_GAP}{{1,3}}(?:and|or|to|through|with){_GAP}{{1,3}}|[-–]){_NUMBER})*"
)
_EACH = re.compile(_NUMBER)


def law_text(here: Here, uid: str, name: str) -> Html:
    """Return the text of a rule as it is or last was, with links (see `linked`); `name` is its own on its page."""
    return linked(here, prose(str(here.view.rule(uid).get("text") or ""), name), uid)


def linked(here: Here, markup: str, own: str = "") -> Html:
    """Return a rule's text with links where it names other rules; `own` is the rule itself."""

    def link(number: re.Match[str]) -> str:
        uid = here.view.uids.get(number[0])
        return number[0] if uid is None or uid == own else here.rule(uid, number[0])

    opaque, out = 0, []  # what stands in links and code stays as it is
    for part in _TAG.split(markup):
        if part.startswith("<"):
            opaque += part.startswith(("<a ", "<code", "<pre")) - part.startswith(("</a>", "</code>", "</pre>"))
        plain = opaque or part.startswith("<")
        out.append(part if plain else _NAMED.sub(lambda found: _EACH.sub(link, found[0]), part))
    return Html("".join(out))


def numbers_in(text: str) -> Iterator[str]:
    """Yield the numbers by which a text names rules.

    >>> [*numbers_in("By rules 203, 204 and 4-7, not by 12.")]
    ['203', '204', '4-7']
    """
    yield from (number[0] for found in _NAMED.finditer(text) for number in _EACH.finditer(found[0]))


def citing(view: GameView) -> Mapping[str, list[str]]:
    """Return by rule the rules in force whose text names it by number, in order of precedence."""
    named = ((view.uids.get(number), uid) for uid in view.ranked
             for number in dict.fromkeys(numbers_in(str(view.rule(uid).get("text") or ""))))  # fmt: skip
    return lists_by_key((cited, uid) for cited, uid in dict.fromkeys(named) if cited is not None and cited != uid)
