"""The one comment on a pull request, and the check beside its head: plain data in, Markdown out.

It says what the pull request would change, who voted how, what counts, what comes next. It is made anew at every run,
so that the same state gives the same text. Its first line stands for all that it was made from, and tells whom it
called: so whoever runs the referee next knows what was said, and says nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import Problem
from folkmoot.forges.port import Check, CheckState
from folkmoot.kernel.ballot_words import CHOICES, typed_choice
from folkmoot.referee.markdown import Markdown, blocks, drawn, plain
from folkmoot.referee.preview import Preview, Redline
from folkmoot.referee.report import BEWARE, FLAWS, HEADS, Verdict
from folkmoot.wording.law_sentence import because
from folkmoot.wording.markup import visible

# -- the first line


UNFINISHED = "0" * 16
"""The mark of a comment that must be made anew in any case."""
_LINE = re.compile(r"\A<!-- folkmoot (?P<mark>[0-9a-f]{16})(?: said (?P<keys>[a-z0-9 -]*?))? -->\n")


class CommentHeader(Struct, frozen=True):
    """A comment of ours: its mark, the keys of the calls that were made, and what people read of it."""

    mark: str = ""
    keys: tuple[str, ...] = ()
    body: str = ""

    def __str__(self) -> str:
        """Return the comment."""
        said = f" said {' '.join(self.keys)}" if self.keys else ""
        return f"<!-- folkmoot {self.mark}{said} -->\n{self.body}"


def header_of(text: str) -> CommentHeader:
    r"""Return a comment of ours as it was made.

    >>> header_of(str(CommentHeader("0123456789abcdef", ("vote-1", "remind-2"), "Open.\n"))).keys
    ('vote-1', 'remind-2')
    >>> header_of("Open.\n")
    CommentHeader(mark='', keys=(), body='Open.\n')
    """
    found = _LINE.match(text)
    if found is None:
        return CommentHeader(body=text)
    return CommentHeader(found["mark"], tuple((found["keys"] or "").split()), text[found.end() :])


def mark_of(facts: Any) -> str:
    """Return what stands for facts: sixteen digits."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:16]


# -- what a comment is made from


class Happened(Struct, frozen=True, kw_only=True):
    """An entry of the journal that came of a pull request, with sentences of what it changed."""

    entry: int
    what: str
    effects: tuple[str, ...] = ()
    link: str = ""


class CommentModel(Struct, frozen=True, kw_only=True):
    """All that the comment on a pull request is made of; everything is plain words, nothing is escaped yet.

    `votes` are the ballots as they stand, by whose they are; `state` is that of the proposal (`pending`, `open`,
    `closed`, or its outcome), "" where there is none; `until` and `opens` are times in words; `displayed` says whether
    choices and reasons are; `proposal` is its name, as in `proposal 305`; `stopped` says why nothing is judged at
    present; `link` is where the site has it; `judge` decides, in an `office`, where no vote does; `ended` is how the
    pull request is left, `draft` and `paused` say why nothing happens; `place` is what `pull` is the number of, and
    `standing` a sentence of how it stands where it proposes nothing; `effective` that its outcome makes it law;
    `registers` are those that rules show, each with its value; `omission` says what of an adopted proposal was left
    out.

    `problems` say why its content cannot be taken, `acts` what its files ask for in plain words; `redlines` and
    `requests` are what a decided proposal held; `untried` says that what it would do is tried in one of the next runs;
    `choices` are the words by which one votes, `reviewed` which of them an approval and a request for changes are;
    `stands` says in the law's words how an open vote stands; `next` are further things to do, each a purpose and a
    command.
    """

    pull: int
    title: str
    author: str
    forge: str = "local"
    game: str = ""
    state: str = ""
    proposal: str = ""
    stopped: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    preview: Preview | None = None
    untried: bool = False
    acts: tuple[str, ...] = ()
    redlines: tuple[Redline, ...] = ()
    requests: tuple[str, ...] = ()
    choices: tuple[str, ...] = tuple(CHOICES)
    reviewed: tuple[str, ...] = ()
    stands: str = ""
    next: tuple[tuple[str, str], ...] = ()
    votes: Mapping[str, Any] = {}
    pending: tuple[str, ...] = ()
    until: str = ""
    opens: str = ""
    displayed: bool = True
    notices: tuple[Verdict, ...] = ()
    registers: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    effective: bool = False
    why: str = ""
    rule: str = ""
    happened: tuple[Happened, ...] = ()
    link: str = ""
    judge: str = ""
    office: str = ""
    ended: str = "open"
    draft: bool = False
    paused: bool = False
    place: str = "pull request"
    standing: str = ""
    omission: str = ""

    @property
    def refusal(self) -> str:
        """Return why what it asks for was not taken, "" where it was, or may still be."""
        if self.proposal:
            return ""
        if self.problems:
            return self.problems[0].message
        flaw = next((n for n in reversed(self.notices) if n.own and n.state in ("refused", "void") and n.code), None)
        return "" if flaw is None else flaw.why or flaw.code

    @property
    def failed(self) -> bool:
        """Say whether the game stands still because the engine failed over it, not because of what somebody did."""
        return any(problem.code in ("E-FAULT", "E-JUDGE") for problem in self.stopped)


# -- the text


MOST_CHARACTERS = 61_000
LONGEST_REDLINES = 16_000  # characters of all redlines together
BY_ITSELF = ("failed", "lapsed", "passed")  # what something does, and nobody to it
SECTIONS = {  # with how many characters each may have: together they are fewer than a forge takes
    "head": 2_000,
    "problems": 4_000,
    "warnings": 4_000,
    "changes": 16_500,
    "law": 2_500,
    "forecast": 4_000,
    "votes": 7_000,
    "notices": 4_000,
    "asked": 12_000,
    "happened": 2_500,
    "next": 1_500,
}
_BETWEEN = "\x1e"  # before the name of a section: nothing that anybody says has this character


def comment(model: CommentModel) -> str:
    """Return the comment as Markdown, at most 61,000 characters; what was left out is said."""
    changes = model.redlines or (model.preview.changes if model.preview else ())
    text = drawn(
        "comment.md",
        m=model,
        section=lambda name: Markdown(f"{_BETWEEN}{name}"),
        beware=BEWARE,
        flaws=FLAWS,
        heads=HEADS,
        by_itself=BY_ITSELF,
        changes=list(_within(changes)),
        quoted=shlex.quote,
        typed=lambda choice: typed_choice(choice, model.choices),
    )
    parts = (part.partition("\n") for part in text.split(_BETWEEN)[1:])
    return "\n\n".join(filter(None, (_clipped(words, SECTIONS[name]) for name, _, words in parts))) + "\n"


def _clipped(text: str, longest: int) -> str:
    """Return a part of the comment without the lines that make it too long, "" where it is but its heading."""
    lines, length = blocks(text), 0
    if all(not line or line.startswith("#### ") for line in lines):
        return ""
    for place, line in enumerate(lines):
        length += len(line) + 1
        if length > longest:
            return "\n".join([*lines[:place], "", f"_… {len(lines) - place} more lines are left out here._"])
    return "\n".join(lines)


def _within(redlines: Iterable[Redline]) -> Iterator[tuple[Redline, list[str], int]]:
    """Yield each change with the lines of its redline that together are not too long, and how many are missing."""
    left = LONGEST_REDLINES
    for change in redlines:
        lines = [line for part, each in change.parts for line in (f"@@ {part} @@", *each)]
        lengths = accumulate(len(line) + 1 for line in lines)
        shown = [line for line, length in zip(lines, lengths, strict=True) if length <= left]
        left -= sum(len(line) + 1 for line in shown)
        yield change, shown, len(lines) - len(shown)


# -- the check: one line that says how it stands


LONGEST_SUMMARY = 140  # characters that GitHub takes


def check_of(model: CommentModel, commit: str) -> Check:
    """Return the check on the head of a pull request (hex): how it stands, as its comment begins, and why."""
    standing = plain(" ".join(drawn("standing.md", m=model, by_itself=BY_ITSELF).split()))
    state, why = _mark(model)
    return Check(commit=commit, state=state, summary=summary(standing.rstrip(".") + why), link=model.link)


def summary(words: str) -> str:
    r"""Return words as one line of plain text, at most 140 characters, what nobody sees made visible.

    >>> summary("Refused:\n\tby\u202e rule 1"), len(summary("long " * 99))
    ('Refused: by⟦U+202E⟧ rule 1', 140)
    """
    line = " ".join(visible(words[: 4 * LONGEST_SUMMARY]).split())
    return line if len(line) <= LONGEST_SUMMARY else line[: LONGEST_SUMMARY - 1].rstrip() + "…"


def _mark(model: CommentModel) -> tuple[CheckState, str]:
    """Return how good it is, and what there is to say of it beside how it stands."""
    flaw = next((notice for notice in reversed(model.notices) if notice.own), None)
    why = because(flaw.why, flaw.rule) if flaw else ""
    preview = model.preview
    if model.stopped or (model.problems and not model.state):
        first = (model.stopped or model.problems)[0]
        return "failure", f": {f'{first.position}: ' if first.position else ''}{first.message}"
    if model.outcome:
        return "success" if model.effective or model.ended == "merged" else "failure", ""
    if model.state or (model.draft and model.ended == "open"):
        return "pending", ""
    if preview is not None and preview.changes:
        asked = preview.proposing
        if not preview.proper.ok:
            return "failure", because(preview.proper.why, preview.proper.rule)
        if preview.paused:
            return "pending", ": the game is paused"
        return ("pending", because(asked.why, asked.rule)) if asked and not asked.ok else ("success", why)
    if flaw is not None:
        return "pending" if flaw.state == "waiting" else "failure", why
    return "success" if model.happened else "pending", ""
