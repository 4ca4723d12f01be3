"""What stands beside a rule where it is listed: its labels, the name of its revision, what brought that about."""

from __future__ import annotations

from folkmoot.core.documents import Document
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, chip, el, escape, join
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _


def chips(here: Here, uid: str, but: str = "") -> list[Html]:
    """Return the labels of a rule as small marks, without the name of the one that stands above them all.

    There is one for each thing that is wrong with it, too.
    """
    labels = here.view.rule(uid).get("labels") or {}
    found = [_label("" if name == but else name, value) for name, value in labels.items()]
    meta = here.view.law.get(uid) or {}
    found += [chip(_("suspended"), "bad")] if meta.get("suspended") else []
    found += [chip(_("failing"), "bad")] if meta.get("failures") else []
    return found


def _label(name: str, value: object) -> Html:
    if name == "origin" and value == "reconstruction":
        return chip(_("reconstruction"), "wait")
    said = phrase(str(value))
    return chip(join([humane(name), " ", el("strong", said)]) if name else said)


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


def since(here: Here, revision: Document) -> Html:
    """Return when a revision came about, as exactly as that is known."""
    return when(here, revision.get("at"), revision.get("dated"))


def when(here: Here, at: object, dated: object) -> Html:
    """Return a time, as exactly as it is known: in words where it is `dated` from before the game."""
    words = _("not known") if dated == "unknown" else str(dated or "")
    return escape(words) if words else Html(here.when(at))


def mark_of_the_past() -> Html:
    """Return the mark of what was taken over."""
    return chip(_("taken over, not played"), "wait")


def entry(here: Here, revision: Document) -> Html:
    """Return the entry that brought a revision about, or the mark of one that was taken over."""
    return mark_of_the_past() if taken_over(here, revision) else Html(here.entry(revision.get("seq")))


def cause(here: Here, cause: object) -> Html:
    """Return what brought a revision about: a proposal with who made it, a rule, or the founding; a dash if unknown."""
    text = str(cause or "")
    if text in here.view.proposals:
        author = here.player(here.view.proposals[text].get("author"))
        return el("span", here.proposal(text), *([" · ", author] if author else []), class_="fm-cause")
    if text.startswith("rule/"):
        return here.rule(text.removeprefix("rule/"))
    if text in here.view.law:
        return here.rule(text)
    return escape(_("the founding")) if text == "founding" else phrase(text or "–")
