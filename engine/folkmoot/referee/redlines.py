"""What changes strike and add, as plain lines with a sign, for a comment that has neither colour nor width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Change, Document, Proposal
from folkmoot.core.records import ProposedChange, Shown
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.files.canonical import write_yaml
from folkmoot.wording.markup import visible
from folkmoot.wording.redline import runs, steps

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.referee.content import GameContent

WIDTH = 110
"""Characters of a line of a comment, after which it goes on in the next."""
_width = ContextVar("width", default=WIDTH)
CONTEXT = 2  # unchanged lines shown around what changed
SAME, STRUCK, ADDED, SKIPPED = "  ", "- ", "+ ", "  …"
_LINE_OF = re.compile(r"^(\s*)(\S|\S.*\S)(\s*)$")
_COMMENT = re.compile(r"(?:^|\s)#")
VERBS = {
    "enact": "enacts",
    "amend": "amends",
    "repeal": "repeals",
    "transmute": "transmutes",
    "retitle": "retitles",
    "order": "orders",
}


@contextmanager
def folded_at(width: int) -> Iterator[None]:
    """Let lines that are made meanwhile go on after so many characters: a terminal knows how wide it is."""
    token = _width.set(max(width, 20))
    try:
        yield
    finally:
        _width.reset(token)


class Redline(Struct, frozen=True, kw_only=True):
    """One change: what it does (`kind`) to which rule, and each of its parts (`text`, `script`, …) with its lines.

    `stale` says that the game has changed the rule since the pull request's branch left it; `gone` that it is no more;
    `omitted` that it was left out when its proposal was adopted.
    """

    kind: str
    number: str
    title: str
    file: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    stale: bool = False
    gone: bool = False
    omitted: bool = False

    @property
    def is_behind(self) -> bool:
        """Whether its file lies on a branch that has not got what the game has made of the rule since."""
        return self.stale and self.file.startswith("state/")

    @property
    def head(self) -> str:
        """Return what the change does, as in `amends rule 203`."""
        return f"{VERBS[self.kind]} {f'rule {self.number}' if self.number else NEW.get(self.kind, 'a new rule')}"


NEW = {"order": "something that is done once and never becomes law"}


def kind_of(change: ProposedChange) -> str:
    """Return which of the five kinds a change as proposed is."""
    return next(kind for kind in VERBS if kind in change)


def proposed(proposal: Proposal) -> list[ProposedChange]:
    """Return the changes of a proposal as an act takes them, each with a text of its own as in a file."""
    return [_proposed(change) for change in proposal["changes"]]


def _proposed(change: Change) -> ProposedChange:
    kind = str(change["kind"])
    parts = {
        name: value for name, value in (change.get("parts") or {}).items() if name in RULE_PARTS and value is not None
    }
    parts["source"] = (change.get("parts") or {}).get("source") or write_yaml(parts)
    if kind == "enact":
        return {"enact": {**parts, **({"once": True} if (change.get("parts") or {}).get("once") else {})}}
    beside = {"to": change["to"]} if kind == "transmute" else {"to": parts["title"]} if kind == "retitle" else parts
    made_on = {"revision": change["revision"]} if change.get("revision") is not None else {}
    return {kind: str(change["rule"]), **made_on, **({} if kind == "repeal" else beside)}


def redline(change: ProposedChange, present: Document | None, file: str = "", stale: bool = False) -> Redline:
    """Return a change as lines.

    Args:
        change: as an act takes it.
        present: the rule's document as it is in force, None for a new rule or one that is gone.
        file: where it was proposed.
        stale: whether the rule changed since.
    """
    kind = kind_of(change)
    before, after = _both(kind, change, present or {})
    parts = [(part, tuple(_part(part, before.get(part), after.get(part)))) for part in RULE_PARTS]
    noted = tuple(_lines(_comments(before.get("source")), _comments(after.get("source"))))
    title = str((present or after).get("title") or "")
    return Redline(
        kind="order" if kind == "enact" and change["enact"].get("once") else kind,
        number="" if kind == "enact" else str((present or {}).get("rule") or change[kind]),
        title=title,
        file=file,
        parts=tuple((part, lines) for part, lines in (*parts, ("comments", noted)) if lines),
        stale=stale,
        gone=kind != "enact" and present is None,
    )


def _both(kind: str, change: ProposedChange, present: Document) -> tuple[Document, Document]:
    """Return a rule's parts before and after a change."""
    if kind == "enact":
        return {}, change["enact"]
    if kind == "repeal":
        return {"title": present.get("title"), "text": present.get("text"), "script": present.get("script")}, {}
    source = {"source": change.get("source", present.get("source"))}
    if kind == "transmute":
        return present, {**present, **source, "labels": {**(present.get("labels") or {}), "status": change["to"]}}
    if kind == "retitle":
        return present, {**present, **source, "title": change["to"]}
    return present, {**present, **source, **{part: value for part, value in change.items() if part in RULE_PARTS}}


def _part(part: str, before: Any, after: Any) -> Iterable[str]:
    """Return the lines of one part that differs, none where it stays."""
    if (before or None) == (after or None):
        return ()
    if part in ("title", "text"):
        return _worded(str(before or ""), str(after or ""))
    if part == "script":
        return _lines(str(before or "").splitlines(), str(after or "").splitlines())
    return _lines(*(write_yaml(value).splitlines() if value else [] for value in (before, after)))


def _comments(source: Any) -> list[str]:
    """Return the comments of a person's file; those of a script are seen in the script."""
    found: list[str] = []
    within = ""
    for line in str(source or "").splitlines():
        if line[:1] not in ("", " ", "#", "\t"):
            within = line.partition(":")[0]
        if line.startswith("#") or (within not in ("script", "text", "examples") and _COMMENT.search(line)):
            found.append(line[line.index("#") :])
    return found


def _worded(before: str, after: str) -> list[str]:
    """Return a text's change with what was struck as [-so-] and what was added as {+so+} inside the lines."""
    old, new = [], []
    for kind, struck, added in runs(before, after):
        old.append(struck if kind == "equal" or not after.strip() else _marked(struck, "[-", "-]"))
        new.append(added if kind == "equal" or not before.strip() else _marked(added, "{+", "+}"))
    return _lines("".join(old).splitlines(), "".join(new).splitlines())


def _marked(words: str, begin: str, end: str) -> str:
    return "\n".join(_LINE_OF.sub(rf"\g<1>{begin}\g<2>{end}\g<3>", line) for line in words.split("\n"))


def _lines(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the lines that differ with their signs, and some of those around them."""
    found: list[str] = []
    for operation, a, b, c, d in steps(old, new):
        if operation == "equal":
            found += _around(old[a:b], first=a == 0, last=b == len(old))
            continue
        found += [piece for line in old[a:b] for piece in _folded(STRUCK, line)]
        found += [piece for line in new[c:d] for piece in _folded(ADDED, line)]
    return found if any(line[:2] in (STRUCK, ADDED) for line in found) else []


def _around(lines: Sequence[str], *, first: bool, last: bool) -> list[str]:
    """Return unchanged lines, of many only those next to a change."""
    head, tail = (0 if first else CONTEXT), (0 if last else CONTEXT)
    if len(lines) <= head + tail + 1:
        kept = [*lines]
        return [piece for line in kept for piece in _folded(SAME, line)] if head or tail else []
    shown = [piece for line in lines[:head] for piece in _folded(SAME, line)]
    return [*shown, SKIPPED, *(piece for line in lines[len(lines) - tail :] for piece in _folded(SAME, line))]


def _folded(sign: str, line: str) -> list[str]:
    """Return a line with its sign, hidden characters shown; a long one goes on, so that nothing is beyond the edge."""
    seen = visible(line).replace("\n", " ")
    pieces = textwrap.wrap(
        seen, _width.get(), drop_whitespace=False, replace_whitespace=False, expand_tabs=False, break_on_hyphens=False
    )
    return [sign + piece for piece in pieces or [""]]


# -- of changes


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
