"""The one comment on a pull request: what it would change, who voted how, what counts, what comes next.

It is made anew from plain data at every run, so that the same state gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from engine.problems import Problem
from engine.referee.markdown import code, fenced, listed, said
from engine.referee.preview import Preview, Ruling
from engine.referee.redlines import Redline

MOST_CHARACTERS = 60_000
LONGEST_PART = 30_000
LONGEST_REDLINES = 20_000  # characters of all redlines together
LEFT_OUT = "_Parts of this comment were left out because it grew too long; the site has them._"
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
    `proposal 305`; `problems` say why the content cannot be taken; `stopped` why nothing is judged at present; `next`
    are further things to do, each a purpose and a command; `link` is an address of ours.
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
    forge: str = "local"


def comment(view: View) -> str:
    """Return the comment as Markdown, at most 60,000 characters; what was left out is said."""
    written = {section: _clipped(section(view)) for section in SECTIONS}
    kept: list[Section] = []
    left = MOST_CHARACTERS - len(LEFT_OUT) - 10
    for section in BY_WEIGHT:
        length = len(written[section]) + 2
        if written[section] and length <= left:
            kept.append(section)
            left -= length
    texts = [written[section] for section in SECTIONS if section in kept]
    complete = len(texts) == sum(1 for text in written.values() if text)
    return "\n\n".join([*texts, *([] if complete else [LEFT_OUT])]) + "\n"


def _clipped(lines: list[str]) -> str:
    """Return a part of the comment as text, without the lines that make it too long; a block of code is one line."""
    length = 0
    for place, line in enumerate(lines):
        length += len(line) + 1
        if length > LONGEST_PART:
            return "\n".join([*lines[:place], "", f"_… {len(lines) - place} more lines are left out here._"])
    return "\n".join(lines)


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
    left = LONGEST_REDLINES
    for change in view.preview.changes:
        shown, left = _change(change, left)
        lines += ["", *shown]
    if view.preview.requests:
        lines += ["", "With it travels:", *listed(map(said, view.preview.requests), MOST_LISTED, "requests")]
    if view.acts:
        lines += ["", "Apart from that it acts:", *listed(map(said, view.acts), MOST_LISTED, "acts")]
    return lines


def _change(change: Redline, left: int) -> tuple[list[str], int]:
    """Return one change as lines, with as much of its redline as `left` characters hold, and how many are left then."""
    lines = [f"**It {said(change.head, 80)}**" + (f" · {said(change.title, 160)}" if change.title else "")]
    if change.gone:
        lines += ["", "⚠ That rule is not in force any more."]
    elif change.stale:
        lines += ["", "⚠ The game has changed this rule since this branch left it: merge the game's branch to compare."]
    inner = [line for part, each in change.parts for line in (f"@@ {part} @@", *each)]
    shown = _within(inner, left)
    if shown or not inner:
        lines += ["", fenced(shown) or "Nothing but the form of its file."]
    if len(shown) < len(inner):
        missing = f"{len(inner) - len(shown)} more lines are left out here"
        lines += ["", f"{missing}; they stand in {code(change.file, 300)}."]
    return lines, left - sum(len(line) + 1 for line in shown)


def _within(lines: list[str], most: int) -> list[str]:
    """Return the first lines that have together at most so many characters."""
    lengths = accumulate(len(line) + 1 for line in lines)
    return [line for line, length in zip(lines, lengths, strict=True) if length <= most]


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
    spaced = [line for part in lines for line in (("", part) if part[:2] != "- " else (part,))]
    return spaced[1:]


def _effects(view: View) -> list[str]:
    preview = view.preview
    if preview is None or view.outcome or not preview.changes or preview.died:
        return []
    if not preview.adopted:
        told = f"It could not be carried out: {said(preview.why)}."
        return ["#### What adoption would do", "", told] if preview.why else []
    assumed = "" if view.votes else " (if everybody voted for it)"
    lines = listed((said(text) for text in preview.effects), MOST_LISTED, "effects")
    for label, names in (("New actions", preview.new_actions), ("Actions no longer offered", preview.lost_actions)):
        if names:
            lines.append(f"- {label}: {', '.join(code(name, 80) for name in names[:MOST_LISTED])}")
    lines += [f"- Page {said(page)}" for page in preview.pages[:MOST_LISTED]]
    return [f"#### What adoption would do{assumed}", "", *(lines or ["- Nothing but the change itself."])]


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
    most = 600 if len(votes) <= 20 else 160  # characters of each reason
    lines += [
        f"| {said(vote.voter, 80)} | {_choice(vote)} | {said(vote.reason, most)} |" for vote in votes[:MOST_VOTES]
    ]
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
    return ["#### What to do", "", *lines] if lines else []


def _steps(view: View) -> Iterator[tuple[str, str]]:
    if view.stopped:
        yield "An administrator looks into it", "moot repair"
    elif view.problems:
        push = f"git push origin HEAD:refs/pull/{view.pull}/head" if view.forge == "local" else "git push"
        yield "Mend the files, commit them, and push again", push
    elif view.state == "open" and not view.outcome:
        for choice in view.choices[:6]:
            yield f"Vote {choice}", f"moot vote {view.pull} {choice}"
    if view.preview is not None and not view.outcome and any(change.stale for change in view.preview.changes):
        yield "Bring this branch up to date", "git fetch origin && git merge origin/HEAD"


def _capital(text: str) -> str:
    return said(text[:1].upper() + text[1:], 80)


SECTIONS: tuple[Section, ...] = (
    _head, _problems, _warnings, _changes, _law, _effects, _votes, _notices, _happened, _next,
)  # fmt: skip
BY_WEIGHT: tuple[Section, ...] = (
    _head, _problems, _next, _changes, _warnings, _votes, _law, _effects, _notices, _happened,
)  # fmt: skip
