"""Acts of the journal as sentences with links; what came of them stands in `effects`, why in `reasons`.

Where the law has words for what somebody did (`told` of an action), these stand there, else the action's summary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from folkmoot.core.ballot_display import public_arguments, voted_on
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Document
from folkmoot.core.keys import number_key
from folkmoot.core.records import Entry
from folkmoot.core.told_patterns import Named, arguments_in, flaw, parts
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.wording.catalogue import hidden, keys, quoted, say
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape, join, shortened
from folkmoot.wording.page_links import Here, in_sentence
from folkmoot.wording.prose import phrase

GIST, LONGEST_SUMMARY = 90, 120
"""How many characters of a text, and of the summary of an action, stand in a sentence."""


def act(here: Here, entry: Entry) -> Html:
    """Return what somebody did as a sentence."""
    what, given, kept_back = str(entry.get("do") or ""), entry.get("with") or {}, here.view.keeps_back(entry)
    who = say(here, "actor", entry) if entry.get("by") else None
    fields = {**given, "who": who, "do": what, "as": entry.get("as"), "on": voted_on(entry), "hidden": hidden()}
    own = f"act {what}"
    if own not in keys() or (who and what in ("tick", "clock")):
        public = [value for value in public_arguments(entry).values() if isinstance(value, str)] if kept_back else []
        subject = ", ".join(public) if kept_back else given.get("title") or given.get("name")
        fields["subject"] = subject if isinstance(subject, str) else None
        own = "act"
        about = _telling(here, entry) if who else None
        said = _told(here, about, entry, kept_back=kept_back) if about else None
        if about and said is not None:
            words = quoted(here, said)
            return say(here, "act told", {**fields, "rule": about.rule, "words": words, "kept": kept_back})
        known = about.summary if about else str(KERNEL_DECLARATIONS.get(what, {}).get("summary") or "")
        summary = shortened(known.rstrip("."), LONGEST_SUMMARY)
        if who and summary:
            words = escape(in_sentence(summary))
            words, rule = (quoted(here, words), about.rule) if about else (words, "")
            return say(here, "act summary", {**fields, "rule": rule, "words": words, "kept": kept_back})
    if what == "state":
        text = " ".join(str(given.get("text") or "").split())
        fields["text"] = text if len(text) <= GIST else text[:GIST] + "…"
    return say(here, own + " kept back" if kept_back and own in ("act", "act vote") else own, fields)


class Telling(NamedTuple):
    """How a rule tells an action: after which entry and up to which (None: until now), and what it declares."""

    after: int
    until: int | None
    number: str
    rule: str
    told: str
    summary: str
    arguments: dict[str, Document]


def told_actions(view: GameView) -> dict[str, list[Telling]]:
    """Return how rules tell, or told, actions, by the name of the action; what only held on stands there once."""
    found: dict[str, list[Telling]] = {}
    for uid in (*view.ranked, *view.repealed):
        revisions = view.revisions(uid)
        for revision, later in zip(revisions, [*revisions[1:], None], strict=False):  # a rule may have none
            after, until = int(revision.get("seq") or 0), int(later.get("seq") or 0) if later else None
            for name, about in ({} if revision.get("repealed") else revision.get("actions") or {}).items():
                told, summary = (str((about or {}).get(part) or "") for part in ("told", "summary"))
                arguments = {key: each or {} for key, each in ((about or {}).get("arguments") or {}).items()}
                telling = Telling(after, until, str(revision.get("rule") or uid), uid, told, summary, arguments)
                known = found.setdefault(name, [])
                if known and known[-1].until == after and known[-1][2:] == telling[2:]:
                    known[-1] = known[-1]._replace(until=until)
                else:
                    known.append(telling)
    return found


def _telling(here: Here, entry: Entry) -> Telling | None:
    """Return how the law of then tells an action, None where no rule declared it."""
    seq = int(entry.get("seq") or 0)
    known = here.view.index(told_actions).get(str(entry.get("do") or "")) or ()
    held = [each for each in known if each.after < seq and (each.until is None or seq <= each.until)]
    # What is tried is numbered as the entry after which it is tried: as the founding, where that was the last.
    held = held or [each for each in known if each.after == seq]
    return min(held, key=lambda each: number_key(each.number), default=None)


def _told(here: Here, about: Telling, entry: Entry, *, kept_back: bool) -> Html | None:
    """Return an act in the words of a rule, None where it has none, or they name an argument that was not given.

    Where what it says is `kept_back`, only what is public of its arguments stands there.
    """
    if entry.get("code") or not about.told or flaw(about.told):
        return None
    usual = {name: each["default"] for name, each in about.arguments.items() if each.get("default") is not None}
    given = public_arguments(entry) if kept_back else {**usual, **(entry.get("with") or {})}
    said: list[Html] = []
    for part in parts(about.told):
        usable = [each for each in part.wordings if arguments_in(each) or not (kept_back and part.may_fail)]
        wording = next((each for each in usable if all(_holds(piece, given) for piece in each)), None)
        if wording is None and not part.may_fail:
            return None
        said += [_piece(here, about.arguments, piece, given) for piece in wording or ()]
    return join(said)


def _holds(piece: str | Named, given: Mapping[str, Any]) -> bool:
    """Say whether a piece of a wording can stand there."""
    if isinstance(piece, str):
        return True
    value = given.get(piece.name)
    return value not in (None, "", [], {}) and not (piece.holds and value in (False, 0))


def _piece(here: Here, arguments: Mapping[str, Document], piece: str | Named, given: Mapping[str, Any]) -> Html:
    """Return a piece of a wording: text, nothing, one of two words by a number, or an argument by its declared type."""
    if isinstance(piece, str) or piece.holds:
        return escape(piece) if isinstance(piece, str) else Html("")
    value, declared = given[piece.name], str(arguments.get(piece.name, {}).get("type") or "")
    if piece.words is not None:
        number = len(value) if isinstance(value, (list, tuple, dict)) else value
        return escape(piece.words[str(number) != "1"])
    if declared == "proposal":  # which may be named by its number where the argument is called as its kind
        meant, known = str(value), here.view.proposals
        named = (meant, f"{piece.name}/{meant}", f"{PROPOSAL}/{meant}")
        return here.proposal(next((each for each in named if each in known), meant if "/" in meant else named[2]))
    if declared == "office":
        return here.owner(f"office/{value}")
    if declared == "text" and isinstance(value, str):
        return phrase(shortened(value, GIST))
    return here.value(value, declared)
