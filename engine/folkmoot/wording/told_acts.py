"""What somebody did, in the words that the law has for it (`told` of an action)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from folkmoot.core.ballot_display import public_arguments
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.keys import number_key
from folkmoot.core.records import Entry
from folkmoot.core.told_patterns import Named, arguments_in, flaw, parts
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import of_the_law
from folkmoot.wording.markup import Html, escape, join, shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase

GIST = 90
"""How many characters of a text stand in a sentence."""
LONGEST_SUMMARY = 120


class Words(NamedTuple):
    """How a rule tells an action: after which entry and up to which (None: until now), and what it declares."""

    after: int
    until: int | None
    number: str
    rule: str
    told: str
    summary: str
    types: dict[str, str]
    usual: dict[str, Any]

    def held_at(self, seq: int) -> bool:
        """Whether an entry was judged by the law that had these words."""
        return self.after < seq and (self.until is None or seq <= self.until)


@of_the_law
def told_actions(view: GameView) -> dict[str, list[Words]]:
    """Return the words that rules have, or had, for actions, by the name of the action."""
    found: dict[str, list[Words]] = {}
    for uid in (*view.ranked, *view.repealed):
        revisions = view.revisions(uid)
        for place, revision in enumerate(revisions):
            after, later = int(revision.get("seq") or 0), revisions[place + 1 : place + 2]
            until = int(later[0].get("seq") or 0) if later else None
            for name, about in ({} if revision.get("repealed") else revision.get("actions") or {}).items():
                told, summary = (str((about or {}).get(part) or "") for part in ("told", "summary"))
                number, types, usual = str(revision.get("rule") or uid), _types(about or {}), _usual(about or {})
                _add(found.setdefault(name, []), Words(after, until, number, uid, told, summary, types, usual))
    return found


def _types(about: Mapping[str, Any]) -> dict[str, str]:
    """Return the declared types of an action's arguments."""
    return {name: str((each or {}).get("type") or "") for name, each in (about.get("arguments") or {}).items()}


def _usual(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands for the arguments of an action that are left out."""
    declared = (about.get("arguments") or {}).items()
    return {name: each["default"] for name, each in declared if (each or {}).get("default") is not None}


def _add(known: list[Words], words: Words) -> None:
    """Add the words of a rule; where its revision before had the same, they only hold for longer."""
    before = known[-1] if known else None
    if before is not None and before.until == words.after and before[2:] == words[2:]:
        known[-1] = before._replace(until=words.until)
    else:
        known.append(words)


def told_act(here: Here, entry: Entry, *, kept_back: bool = False) -> tuple[str, Html] | None:
    """Return the rule that says how an act of then is told, and its words; None where no rule has any for it.

    So it is too where the words name an argument that was not given. Where what it says is `kept_back`, only
    what is public of its arguments stands there.
    """
    about = None if entry.get("code") else _words(here, entry)
    if about is None or not about.told or flaw(about.told):
        return None
    given = public_arguments(entry) if kept_back else {**about.usual, **(entry.get("with") or {})}
    said = []
    for part in parts(about.told):
        hidden = kept_back and part.may_fail
        usable = [each for each in part.wordings if arguments_in(each) or not hidden]
        wording = next((each for each in usable if all(_holds(piece, given) for piece in each)), None)
        if wording is not None:
            said += [_piece(here, about.types, piece, given) for piece in wording]
        elif not part.may_fail:
            return None
    return about.rule, join(said)


def summary_of_act(here: Here, entry: Entry) -> tuple[str, Html]:
    """Return the rule that declared the action of then, and its summary; no rule for what the engine knows itself.

    Both are empty where there is no summary.
    """
    if (about := _words(here, entry)) is not None:
        return (about.rule, quoted(here, _in_sentence(about.summary))) if about.summary else ("", Html(""))
    return "", escape(_in_sentence(KERNEL_DECLARATIONS.get(str(entry.get("do")), {}).get("summary") or ""))


def _words(here: Here, entry: Entry) -> Words | None:
    """Return the words of then for an action, None where no rule declared it."""
    seq = int(entry.get("seq") or 0)
    known = here.view.index(told_actions).get(str(entry.get("do") or "")) or ()
    # What is tried is numbered as the entry after which it is tried: as the founding, where that was the last.
    words = [each for each in known if each.held_at(seq)] or [each for each in known if each.after == seq]
    return min(words, key=lambda each: number_key(each.number), default=None)


def _in_sentence(summary: str) -> str:
    """Return a summary as it stands in a sentence: "Open the vote." → "open the vote"."""
    words = shortened(summary.rstrip("."), LONGEST_SUMMARY)
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _holds(piece: str | Named, given: Mapping[str, Any]) -> bool:
    """Say whether a piece of a wording can stand there."""
    if isinstance(piece, str):
        return True
    value = given.get(piece.name)
    return value not in (None, "", [], {}) and not (piece.holds and value in (False, 0))


def _piece(here: Here, types: Mapping[str, str], piece: str | Named, given: Mapping[str, Any]) -> Html:
    if isinstance(piece, str):
        return escape(piece)
    if piece.holds:
        return Html("")
    value = given[piece.name]
    if piece.words is None:
        return _shown(here, types, piece.name, value)
    number = len(value) if isinstance(value, (list, tuple, dict)) else value
    return escape(piece.words[str(number) != "1"])


def _shown(here: Here, types: Mapping[str, str], name: str, value: Any) -> Html:
    """Return an argument as it is shown by its declared type."""
    declared = types.get(name, "")
    if declared == "proposal":
        return here.proposal(_votable(here, name, str(value)))
    if declared == "office":
        return here.owner(f"office/{value}")
    if declared == "text" and isinstance(value, str):
        return phrase(shortened(value, GIST))
    return here.value(value, declared)


def _votable(here: Here, name: str, value: str) -> str:
    """Return the id of what is voted on, which may be named by its number where the argument is called as its kind."""
    known = here.view.proposals
    meant = (value, f"{name}/{value}", f"{PROPOSAL}/{value}")
    return next((each for each in meant if each in known), value if "/" in value else f"{PROPOSAL}/{value}")
