"""The one comment on a pull request: what it would change, who voted how, what counts, what comes next.

It is made anew from plain data at every run, so that the same state gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from engine.problems import Problem
from engine.referee.markdown import code, fenced, listed, said
from engine.referee.preview import Preview, Ruling
from engine.referee.redlines import Redline

MOST_CHARACTERS = 60_000
MOST_LINES = 400  # of all redlines together
MOST_LISTED = 30
MOST_VOTES = 100
GOOD = ("adopted", "accepted")

NoticeKind = Literal["waiting", "void", "refused", "recorded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A ballot as it stands: whose, what, why, and whether it counts."""

    voter: str
    choice: str
    reason: str = ""
    counts: bool = True
    why: str = ""
    weight: int = 1
    deemed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What became of something that arrived: recorded as an entry, refused, waiting, or without effect, and why."""

    kind: NoticeKind
    who: str
    what: str
    why: str = ""
    code: str = ""
    rule: str = ""
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An entry of the journal that came of a pull request, with sentences of what it changed."""

    entry: int
    what: str
    effects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """All that the comment on a pull request is made of; everything is plain words, nothing is escaped yet.

    `state` is that of the proposal (`pending`, `open`, `closed`, or its outcome), "" where there is none; `until` and
    `opens` are times in words; `secret` keeps choices and reasons back until the count; `proposal` is its name, as in
    `proposal 305`; `problems` say why the content cannot be taken; `stopped` why nothing is judged at present.
    """

    game: str
    pull: int
    title: str
    author: str
    state: str = ""
    proposal: str = ""
    problems: tuple[Problem, ...] = ()
    stopped: tuple[Problem, ...] = ()
    preview: Preview | None = None
    acts: tuple[str, ...] = ()
    choices: tuple[str, ...] = ("for", "against", "abstain")
    votes: tuple[Vote, ...] = ()
    pending: tuple[str, ...] = ()
    until: str = ""
    opens: str = ""
    secret: bool = False
    notices: tuple[Notice, ...] = ()
    outcome: str = ""
    why: str = ""
    rule: str = ""
    overruled: tuple[Ruling, ...] = ()
    happened: tuple[Happened, ...] = ()
    next: tuple[tuple[str, str], ...] = ()
    link: str = ""
    notes: tuple[str, ...] = field(default=())


def comment(view: View) -> str:
    """Return the comment as Markdown, at most 60,000 characters; what was left out is said."""
    sections = [section(view) for section in SECTIONS]
    kept, left = [], MOST_CHARACTERS - 400
    dropped = 0
    for lines in sections:
        text = "\n".join(lines)
        if not text:
            continue
        if len(text) + 2 > left:
            dropped += 1
            continue
        kept.append(text)
        left -= len(text) + 2
    if dropped:
        kept.append(
            "_Parts of this comment were left out because it grew too long; the site and `moot status` have them._"
        )
    return "\n\n".join(kept) + "\n"


Section = Callable[[View], list[str]]


def _head(view: View) -> list[str]:
    named = f"**{_capital(view.proposal)}**" if view.proposal else "**A pull request**"
    title = f" · {said(view.title, 160)}" if view.title else ""
    lines = [f"### {named}{title}", "", f"{_standing(view)} Game {code(view.game)}, by {said(view.author, 80)}."]
    return [*lines, "", f"[On the site]({view.link})"] if view.link else lines


def _standing(view: View) -> str:
    if view.stopped:
        return "Nothing is judged at present."
    if view.problems:
        return "This cannot be taken."
    if view.outcome:
        return f"It was **{said(view.outcome, 40)}**{_because(view.why, view.rule)}."
    if view.state == "open":
        return f"The vote is **open**{f' until {view.until}' if view.until else ''}."
    if view.state == "closed":
        return "The vote is closed; the result is awaited."
    if view.state:
        return f"The vote is **not open yet**{f'; it opens {view.opens}' if view.opens else ''}."
    return "It is no proposal yet." if view.preview is not None and view.preview.changes else "It proposes nothing."


def _because(why: str, rule: str) -> str:
    cited = f" (rule {said(rule, 40)})" if rule else ""
    return f": {said(why)}{cited}" if why else cited


def _problems(view: View) -> list[str]:
    found = [*view.stopped, *view.problems]
    if not found:
        return []
    title = "#### Somebody changed the game by hand" if view.stopped else "#### What is wrong with it"
    return [title, "", *listed((problem_line(problem) for problem in found), MOST_LISTED, "problems")]


def problem_line(problem: Problem) -> str:
    """Return a problem as one line: where, what, and what to do."""
    place = f"{code(problem.position, 300)}: " if problem.position else ""
    hint = f" _{said(problem.hint)}_" if problem.hint else ""
    return f"{place}{said(problem.message)}{hint} ({code(problem.code)})"


def _changes(view: View) -> list[str]:
    if view.preview is None or not (view.preview.changes or view.preview.requests):
        return [] if not view.acts else ["#### Acts", "", *listed(map(said, view.acts), MOST_LISTED, "acts")]
    lines = ["#### What it would change" if not view.outcome else "#### What it proposed"]
    left = MOST_LINES
    for change in view.preview.changes:
        shown, left = _change(change, left)
        lines += ["", *shown]
    if view.preview.requests:
        lines += ["", "With it travels:", *listed(map(said, view.preview.requests), MOST_LISTED, "requests")]
    if view.acts:
        lines += ["", "Apart from that it acts:", *listed(map(said, view.acts), MOST_LISTED, "acts")]
    return lines


def _change(change: Redline, left: int) -> tuple[list[str], int]:
    """Return one change as lines, as many of its redline as are left, and how many lines are left then."""
    head = f"**It {said(change.head, 80)}**" + (f" · {said(change.title, 160)}" if change.title else "")
    lines = [head]
    if change.gone:
        lines += ["", "⚠ That rule is not in force any more."]
    elif change.stale:
        lines += ["", "⚠ The game has changed this rule since this branch left it: merge the game's branch to compare."]
    inner: list[str] = []
    for part, each in change.parts:
        inner += [f"@@ {part} @@", *each]
    shown = _within(inner, left)
    lines += ["", fenced(shown)] if shown else ["", "Nothing but the form of its file."]
    if len(shown) < len(inner):
        lines += [
            "",
            f"{len(inner) - len(shown)} more lines are left out here; they stand in {code(change.file, 300)}.",
        ]
    return lines, left - len(shown)


def _within(lines: list[str], most: int) -> list[str]:
    """Return as many lines as may be shown, by number and by length."""
    kept, length = [], 0
    for line in lines[: max(most, 0)]:
        length += len(line) + 1
        if length > MOST_CHARACTERS // 3:
            break
        kept.append(line)
    return kept


def _law(view: View) -> list[str]:
    """Say what the law has to say of a proposal before it is decided."""
    preview = view.preview
    if preview is None or view.outcome or not preview.changes:
        return []
    lines: list[str] = []
    if not preview.proper.ok:
        lines.append(
            f"- It is **not proper**{_because(preview.proper.why, preview.proper.rule)} ({code(preview.proper.code)})."
        )
    elif not preview.died:
        lines.append("- It is proper, as the law stands.")
    asked = preview.proposing
    if asked is not None and not asked.ok and asked.why != preview.proper.why and not view.proposal:
        lines.append(f"- It cannot be proposed now{_because(asked.why, asked.rule)} ({code(asked.code)}).")
    if preview.paused:
        lines.append("- The game is paused; nothing is taken in until it goes on.")
    lines += [f"- {said(text)}" for text in preview.remarks[:MOST_LISTED]]
    return ["#### What the law says of it", "", *lines] if lines else []


def _warnings(view: View) -> list[str]:
    preview = view.preview
    if preview is None or view.outcome:
        return []
    lines: list[str] = []
    if preview.locked_out:
        lines.append(f"⚠ **This could lock everybody out:** {said(preview.locked_out)}.")
    if preview.died:
        lines.append(f"⚠ **It cannot be tried:** {said(preview.died)}.")
    if preview.problems:
        lines += ["⚠ Scripts and examples:", *listed(map(problem_line, preview.problems), MOST_LISTED, "problems")]
    if preview.failures:
        lines += ["⚠ Scripts that would fail:", *listed(map(said, preview.failures), MOST_LISTED, "failures")]
    return (
        [line for part in lines for line in ("", part)][1:]
        if not any(line[:2] == "- " for line in lines)
        else _spaced(lines)
    )


def _spaced(lines: list[str]) -> list[str]:
    """Return lines with an empty one before each that is no item of a list."""
    spaced = [line for part in lines for line in (("", part) if part[:2] != "- " else (part,))]
    return spaced[1:]


def _effects(view: View) -> list[str]:
    preview = view.preview
    if preview is None or view.outcome or not preview.changes or preview.died:
        return []
    if not preview.adopted:
        return (
            ["#### What adoption would do", "", f"It could not be carried out: {said(preview.why)}."]
            if preview.why
            else []
        )
    assumed = "" if view.votes else " (if everybody voted for it)"
    lines = listed((said(text) for text in preview.effects), MOST_LISTED, "effects") or [
        "- Nothing but the change itself."
    ]
    names = (("New actions", preview.new_actions), ("Actions no longer offered", preview.lost_actions))
    lines += [
        f"- {label}: {', '.join(code(name, 80) for name in found[:MOST_LISTED])}" for label, found in names if found
    ]
    lines += [f"- Page {said(page)}" for page in preview.pages[:MOST_LISTED]]
    return [f"#### What adoption would do{assumed}", "", *lines]


def _votes(view: View) -> list[str]:
    if not view.votes and not view.pending:
        return []
    lines = ["#### Votes", ""]
    if view.secret and not view.outcome:
        lines += [f"{len(view.votes)} ballots are in; choices and reasons are shown after the count."]
    else:
        lines += _table(view.votes)
    if view.pending and not view.outcome:
        until = f" until {view.until}" if view.until else ""
        names = [said(name, 80) for name in view.pending]
        more = f" and {len(names) - MOST_VOTES} more" if len(names) > MOST_VOTES else ""
        lines += ["", f"Awaited{until}: {', '.join(names[:MOST_VOTES])}{more}."]
    return lines


def _table(votes: tuple[Vote, ...]) -> list[str]:
    if not votes:
        return ["Nobody has voted yet."]
    lines = ["| Player | Vote | Reason |", "|---|---|---|"]
    lines += [f"| {said(vote.voter, 80)} | {_choice(vote)} | {said(vote.reason)} |" for vote in votes[:MOST_VOTES]]
    return [*lines, "", f"… and {len(votes) - MOST_VOTES} more."] if len(votes) > MOST_VOTES else lines


def _choice(vote: Vote) -> str:
    remarks = [f"weight {vote.weight}"] if vote.weight != 1 else []
    remarks += ["deemed"] if vote.deemed else []
    remarks += [f"does not count: {said(vote.why)}"] if not vote.counts else []
    choice = f"**{said(vote.choice, 40)}**" if vote.counts else f"~~{said(vote.choice, 40)}~~"
    return f"{choice} ({'; '.join(remarks)})" if remarks else choice


_HEADS = {
    "waiting": "Waits",
    "void": "Has no effect",
    "refused": "Was refused",
    "recorded": "Is recorded",
}


def _notices(view: View) -> list[str]:
    lines: list[str] = []
    for kind in ("waiting", "void", "refused"):
        found = [notice for notice in view.notices if notice.kind == kind]
        if found:
            lines += ["", f"{_HEADS[kind]}:", *listed(map(notice_line, found), MOST_LISTED, "of them")]
    return ["#### What does not count, or not yet", *lines] if lines else []


def notice_line(notice: Notice) -> str:
    """Return a notice as one line: whose, what, why, under which rule, and where it is recorded."""
    entry = f" [entry {notice.entry}]" if notice.entry is not None else ""
    named = f" ({code(notice.code)})" if notice.code else ""
    return f"{said(notice.who, 80)}, {said(notice.what, 120)}{_because(notice.why, notice.rule)}{named}{entry}"


def _happened(view: View) -> list[str]:
    if not view.happened:
        return []
    lines = ["#### What happened", ""]
    for happened in view.happened[:MOST_LISTED]:
        lines.append(f"- Entry {happened.entry}: {said(happened.what)}")
        lines += [f"  {line}" for line in listed(map(said, happened.effects), MOST_LISTED, "effects")]
    if len(view.happened) > MOST_LISTED:
        lines.append(f"- … and {len(view.happened) - MOST_LISTED} more entries.")
    overruled = [f"- {said(ruling.why)} (rule {said(ruling.rule, 40)})" for ruling in view.overruled[:MOST_LISTED]]
    return [*lines, "", "Overruled:", *overruled] if overruled else lines


def _next(view: View) -> list[str]:
    """Say what can be done now, with the exact command."""
    lines = [f"- {said(purpose)}: {code(command)}" for purpose, command in (*_steps(view), *view.next)]
    lines += [f"- {said(note)}" for note in view.notes]
    return ["#### What to do", "", *lines] if lines else []


def _steps(view: View) -> Iterator[tuple[str, str]]:
    if view.stopped:
        yield "An administrator looks into it", "moot repair"
    elif view.problems:
        yield "Mend the files, commit, and push again", f"moot propose --pull {view.pull}"
    elif view.state == "open" and not view.outcome:
        for choice in view.choices[:6]:
            yield f"Vote {choice}", f"moot vote {view.pull} {choice}"
    if view.preview is not None and not view.outcome and any(change.stale for change in view.preview.changes):
        yield "Bring this branch up to date", "git fetch origin && git merge origin/HEAD"


def _capital(text: str) -> str:
    return said(text[:1].upper() + text[1:], 80)


SECTIONS: tuple[Section, ...] = (
    _head, _problems, _warnings, _next, _votes, _notices, _happened, _law, _effects, _changes,
)  # fmt: skip
