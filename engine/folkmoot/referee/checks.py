"""The mark that a forge shows beside the head of a pull request: one line that says how it stands."""

from __future__ import annotations

from collections.abc import Callable

from folkmoot.forges.port import Check, CheckState
from folkmoot.referee.comment_model import CommentModel
from folkmoot.referee.report import Verdict
from folkmoot.wording.law_sentence import because
from folkmoot.wording.markup import visible

LONGEST = 140  # characters that GitHub takes

Mark = tuple[CheckState, str]


def check_of(model: CommentModel, commit: str) -> Check:
    """Return the check on the head of a pull request (hex) that says in short what its comment says."""
    state, words = next(mark for read in _READINGS if (mark := read(model)) is not None)
    return Check(commit=commit, state=state, summary=summary(words), link=model.link)


def summary(words: str) -> str:
    r"""Return words as one line of plain text, at most 140 characters, what nobody sees made visible.

    >>> summary("Refused:\n\tby\u202e rule 1"), len(summary("long " * 99))
    ('Refused: by⟦U+202E⟧ rule 1', 140)
    """
    line = " ".join(visible(words[: 4 * LONGEST]).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def _stopped(model: CommentModel) -> Mark | None:
    if not model.stopped:
        return None
    return "failure", f"The game stands still: {'the engine failed' if model.failed else 'somebody changed it by hand'}"


def _malformed(model: CommentModel) -> Mark | None:
    if not model.problems or model.state:
        return None
    first = model.problems[0]
    more = f" (and {len(model.problems) - 1} more)" if len(model.problems) > 1 else ""
    place = f"{first.position}: " if first.position else ""
    return "failure", f"Cannot be taken{more}: {place}{first.message}"


def _decided(model: CommentModel) -> Mark | None:
    if not model.outcome:
        return None
    good = model.effective or model.ended == "merged"
    return "success" if good else "failure", f"{_capital(model.outcome)}{because(model.why, model.rule)}"


def _in_progress(model: CommentModel) -> Mark | None:
    if not model.state:
        return None
    if model.state == "open":
        until = f" until {model.until}" if model.until else ""
        everybody = len(model.votes) + len(model.pending)
        return "pending", f"The vote is open{until}; {len(model.votes)} of {everybody} voted"
    if model.state == "closed":
        return "pending", "The vote is closed; the result is awaited"
    if model.paused:
        return "pending", "The game is paused"
    if model.judge:
        return "pending", f"The decision of {model.judge}{f' ({model.office})' if model.office else ''} is awaited"
    return "pending", f"The vote is not open yet{f'; it opens {model.opens}' if model.opens else ''}"


def _draft(model: CommentModel) -> Mark | None:
    if not model.draft or model.ended != "open":
        return None
    return "pending", "A draft: nothing in it is judged until it is ready for review"


def _changes(model: CommentModel) -> Mark | None:
    preview = model.preview
    if preview is None or not preview.changes:
        return None
    if preview.died:
        return "failure", f"It cannot be tried: {preview.died}"
    if not preview.proper.ok:
        return "failure", f"Not proper{because(preview.proper.why, preview.proper.rule)}"
    if preview.paused:
        return "pending", "Not proposed yet: the game is paused"
    asked = preview.proposing
    if asked is not None and not asked.ok:
        return "pending", f"Not proposed yet{because(asked.why, asked.rule)}"
    before = _flaw(model)
    if before is not None:
        return "success", f"Proper; the comment /propose proposes it now. Before{because(before.why, before.rule)}"
    return "success", "Proper, and it can be proposed"


def _acts(model: CommentModel) -> Mark | None:
    flaw = _flaw(model)
    if flaw is not None:
        state: CheckState = "pending" if flaw.state == "waiting" else "failure"
        word = {"waiting": "Waits", "void": "Has no effect"}.get(flaw.state, "Refused")
        return state, f"{word}: {flaw.what}{because(flaw.why, flaw.rule)}"
    if model.happened:
        entries = ", ".join(str(happened.entry) for happened in model.happened[:5])
        return "success", f"Recorded as entry {entries}"
    return None


def _nothing(model: CommentModel) -> Mark | None:
    return "pending", "Closed; nothing of it was taken" if model.ended == "closed" else "Nothing of it was taken yet"


_READINGS: tuple[Callable[[CommentModel], Mark | None], ...] = (
    _stopped, _decided, _malformed, _in_progress, _draft, _changes, _acts, _nothing,
)  # fmt: skip


def _flaw(model: CommentModel) -> Verdict | None:
    """Return what kept the present content from counting, if anything did: the newest such notice."""
    return next((notice for notice in reversed(model.notices) if notice.own), None)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
