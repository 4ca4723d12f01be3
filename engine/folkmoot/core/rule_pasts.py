"""What the past of a rule may be: revisions with dates and kinds of change, in the order in which they came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.misspelt import meant_by
from folkmoot.core.past_dates import HINT, backward, span_of
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.values import told

ENACTED, AMENDED, REPEALED, ENACTED_ANEW = "enactment", "amendment", "repeal", "re-enactment"
KINDS = (ENACTED, AMENDED, REPEALED, ENACTED_ANEW)
"""The kinds of change that say whether a rule is in force after it; a game's own words may stand for any other."""
OF_THE_PRESENT = frozenset({"at", "cause", "called", "change", "note"})
"""What is said of the revision in force; the rest is in the file of the rule."""
OF_A_REPEAL = OF_THE_PRESENT | {"repealed", "because"}
OF_A_REVISION = OF_THE_PRESENT | {"rule", "unknown", "because", *RULE_PARTS}


class Flaw(Struct, frozen=True):
    """What is wrong with a past: in which revision (from 0), at which key of it ("": none), and what to do."""

    place: int
    key: str
    message: str
    hint: str = ""
    code: str = "E-CONFLICT"


def flaws_of(revisions: Sequence[Document]) -> Iterator[Flaw]:
    """Yield what is wrong with the past of a rule, oldest revision first; the last is in force or its repeal."""
    spans = [span_of(str(each.get("at"))) for each in revisions]
    for place, span in enumerate(spans):
        if span is None:
            yield Flaw(place, "at", f"{told(revisions[place].get('at'))} is no date", HINT)
    dated = [span for span in spans if span is not None]
    if len(dated) == len(spans) and (late := backward(dated)) is not None:
        message = f"a later change stands before {told(revisions[late]['at'])}: the dates run backwards"
        yield Flaw(late, "at", message, "put the changes in the order of their times, the oldest first")
    in_force, names = False, set[str]()
    for place, each in enumerate(revisions):
        yield from _flaws_of_change(place, each, in_force=in_force)
        yield from _flaws_of_parts(place, each, last=place == len(revisions) - 1)
        in_force, name = each.get("repealed") is not True, str(each.get("called") or "")
        if name and name in names:
            message = f"two revisions are called {told(name)}"
            yield Flaw(place, "called", message, "give each a name of its own", "E-DUPLICATE")
        names.add(name)


def _flaws_of_change(place: int, said: Document, *, in_force: bool) -> Iterator[Flaw]:
    change, repealed = str(said.get("change") or ""), said.get("repealed") is True
    near = meant_by(change.lower(), KINDS) if change and change not in KINDS else ""
    if near and near.replace("-", "") == change.lower().replace("-", "").replace(" ", ""):
        yield Flaw(place, "change", f"{told(change)} is written {near} here", f"write `change: {near}`")
    elif repealed and not in_force:
        message = "this repeals a rule that was not in force" if place else "a past cannot begin with a repeal"
        yield Flaw(place, "repealed", message, "say first how it came into force; `at: unknown` may stand there")
    elif (change == REPEALED) != repealed and (repealed or change == REPEALED) and change:
        hint = "add `repealed: true`" if change == REPEALED else f"write `change: {REPEALED}`, or leave it out"
        yield Flaw(place, "change", f"`change: {change}` is {'' if change == REPEALED else 'not '}a repeal", hint)
    elif in_force and change in (ENACTED, ENACTED_ANEW):
        message = f"this is the {change} of a rule that was in force"
        yield Flaw(place, "change", message, "say first when it was repealed")
    elif not in_force and place and change not in ("", ENACTED, ENACTED_ANEW):
        message = f"this is a change ({change}) of a rule that was not in force"
        yield Flaw(place, "change", message, f"say first when it came back, by `change: {ENACTED_ANEW}`")


def _flaws_of_parts(place: int, said: Document, *, last: bool) -> Iterator[Flaw]:
    repealed = said.get("repealed") is True
    known = OF_A_REPEAL if repealed else OF_THE_PRESENT if last else OF_A_REVISION
    for key in sorted(set(said) - known, key=list(said).index):
        if repealed:
            yield Flaw(place, key, f"a repeal has no `{key}`", "delete it")
        elif last and key in OF_A_REVISION:
            hint = "the rest is in the file of the rule in `rules/`; where the rule is no more, its repeal comes last"
            yield Flaw(place, key, f"of the revision in force nothing is said here of its `{key}`", hint)
        elif key not in OF_A_REPEAL:
            yield Flaw(place, key, f"nobody knows {told(key)}", f"choose of {', '.join(sorted(known))}")


def kind_of_change(said: Document, *, in_force: bool, first: bool) -> str:
    """Return the kind of a change: as it is said, else what follows from whether the rule was in force before."""
    if said.get("change"):
        return str(said["change"])
    if said.get("repealed"):
        return REPEALED
    return AMENDED if in_force else ENACTED if first else ENACTED_ANEW


def is_taken_over(revision: Document, founded: int) -> bool:
    """Whether a revision is from before the game, which was founded then: it stands there and was not played."""
    at = revision.get("at")
    return revision.get("seq") == 1 and isinstance(at, int) and at < founded
