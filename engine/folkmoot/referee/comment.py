"""The one comment on a pull request: what it would change, who voted how, what counts, what comes next.

It is made anew from plain data at every run, so that the same state gives the same text.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from folkmoot.core.problems import Problem
from folkmoot.core.values import in_a_row
from folkmoot.kernel.ballot_words import typed_choice
from folkmoot.referee.comment_forecast import forecast
from folkmoot.referee.comment_model import CommentModel, Vote
from folkmoot.referee.markdown import code, fenced, listed, said, sentence
from folkmoot.referee.redlines import Redline
from folkmoot.referee.report import Verdict
from folkmoot.wording.law_sentence import because, quotation

FLAWS = "⚠ Scripts and examples:"
"""Above what is wrong with the scripts and examples of a pull request."""
BEWARE = "⚠ **Beware of later:**"
"""Before what may go wrong once a pull request is law."""
HEADS = {
    "waiting": "Waits",
    "void": "Has no effect",
    "refused": "Was refused",
    "recorded": "Is recorded",
}
"""Above notices, by the state of what they are about."""


MOST_CHARACTERS = 60_000
LONGEST_REDLINES = 16_000  # characters of all redlines together
LEFT_OUT = "_Parts of this comment were left out because it grew too long; the site has them._"
BY_ITSELF = ("failed", "lapsed", "passed")  # what something does, and nobody to it
MOST_LISTED = 30
MOST_VOTES = 100
MOST_TOLD = 5  # of the questions that were asked


def comment(model: CommentModel) -> str:
    """Return the comment as Markdown, at most 60,000 characters; what was left out is said."""
    written = {section: _clipped(section(model), longest) for section, longest in SECTIONS.items()}
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


def _clipped(lines: list[str], longest: int) -> str:
    """Return a part of the comment as text, without the lines that make it too long; a block of code is one line."""
    length = 0
    for place, line in enumerate(lines):
        length += len(line) + 1
        if length > longest:
            return "\n".join([*lines[:place], "", f"_… {len(lines) - place} more lines are left out here._"])
    return "\n".join(lines)


Section = Callable[[CommentModel], list[str]]


def _head(model: CommentModel) -> list[str]:
    named = _capital(model.proposal or f"{model.place} {model.pull}") if model.pull else _unsent(model)
    title = f" · {said(model.title, 160)}" if model.title else ""
    by = f", by {said(model.author, 80)}" if model.author else ""
    of = f" Game {code(model.game)}{by}." if model.game else f" {_capital(by.removeprefix(', '))}." if by else ""
    came = f" It came as {said(model.came, 300)}." if model.came else ""
    lines = [f"### **{named}**{title}", "", f"{_standing(model)}{of}{came}"]
    shown = [f"- {quotation(said(name, 160))}: {said(value, 300)}" for name, value in model.registers[:MOST_LISTED]]
    lines += ["", *shown] if shown else []
    return [*lines, "", f"[Read it on the site]({model.link})"] if model.link else lines


def _unsent(model: CommentModel) -> str:
    """Return what a comment without a pull request is about: a game that was changed, or what might be proposed."""
    return "The game stands still" if model.stopped else "If this were proposed"


def _standing(model: CommentModel) -> str:
    if model.stopped:
        return "Nothing is judged at present."
    if model.problems and not model.state:
        return "This cannot be taken."
    if model.outcome:
        was = "" if model.outcome.partition("_")[0] in BY_ITSELF else "was "
        left = f" But **{said(model.omission)}**." if model.omission else ""
        return f"It {was}**{said(model.outcome.replace('_', ' '), 40)}**{_because(model.why, model.rule)}.{left}"
    return _vote_standing(model) if model.state else model.standing or _standing_of_none(model)


def _vote_standing(model: CommentModel) -> str:
    if model.state == "open":
        until = f" until {said(model.until, 60)}" if model.until else ""
        ended = model.ended == "closed"
        closed = ", although this pull request is closed: no rule took the proposal back" if ended else ""
        return f"The vote is **open**{until}{closed}."
    if model.state == "closed":
        return "The vote is closed; the result is awaited."
    if model.judge:
        return f"The decision of {_judge(model)} is **awaited**."
    return f"The vote is **not open yet**{f'; it opens {said(model.opens, 60)}' if model.opens else ''}."


def _standing_of_none(model: CommentModel) -> str:
    """Return how a pull request stands that made no proposal."""
    if model.draft:
        return "It is a **draft**: nothing in it is judged or proposed until it is ready for review; comments count."
    if model.preview is not None and model.preview.changes:
        closed = model.ended == "closed"
        return "It is **closed**, so nothing in it is proposed." if closed else "It is no proposal yet."
    if any(notice.own and notice.state == "waiting" for notice in model.notices):
        return "What it asks for **waits**."
    if model.happened:
        return "What it asks for is **recorded**."
    if any(notice.own and notice.state == "refused" for notice in model.notices):
        return "What it asks for was **refused**."
    return "It proposes nothing."


def _judge(model: CommentModel) -> str:
    return said(model.judge, 80) + (f" ({said(model.office, 80)})" if model.office else "")


def _because(why: str, rule: str) -> str:
    return because(sentence(why) if why else "", said(rule, 40) if rule else "")


def _problems(model: CommentModel) -> list[str]:
    found = [*model.stopped, *model.problems]
    if not found:
        return []
    wrong = "#### What is wrong with its newest content" if model.state else "#### What is wrong with it"
    title = (
        ("#### The engine failed" if model.failed else "#### Somebody changed the game by hand")
        if model.stopped
        else wrong
    )
    return [title, "", *listed((problem_line(problem) for problem in found), MOST_LISTED, "problems")]


def problem_line(problem: Problem) -> str:
    """Return a problem as one line: where, what, and what to do."""
    place = f"{code(problem.position, 300)}: " if problem.position else ""
    hint = f"; *{sentence(problem.hint)}*" if problem.hint else ""
    return f"{place}{sentence(problem.message)}{hint} ({code(problem.code)})"


def _changes(model: CommentModel) -> list[str]:
    redlines = model.redlines or (model.preview.changes if model.preview is not None else ())
    requests = model.requests or (model.preview.requests if model.preview is not None else ())
    if not redlines and not requests:
        return [] if not model.acts else ["#### Acts", "", *listed(map(said, model.acts), MOST_LISTED, "acts")]
    lines = ["#### What it would change" if not model.outcome else "#### What it proposed"]
    if model.rivals and not model.outcome:
        others = in_a_row((said(each, 80) for each in model.rivals), MOST_LISTED)
        lines += ["", f"⚠ The same passage is changed by {others}. {SAME_PASSAGE}"]
    left = LONGEST_REDLINES
    for change in redlines:
        shown, left = _change(change, left, decided=bool(model.outcome))
        lines += ["", *shown]
    if requests:
        lines += ["", "With it travels:", *listed(map(said, requests), MOST_LISTED, "requests")]
    if model.acts:
        lines += ["", "Apart from that it acts:", *listed(map(said, model.acts), MOST_LISTED, "acts")]
    return lines


SAME_PASSAGE = "What is adopted first stands; the change of the other is left out, unless the law says otherwise."
CHANGED_MEANWHILE = (
    "⚠ The game has changed this rule since this change of it was made, and what you see is that change alone. "
    "Adoption puts both together; where both changed the same passage, it is left out unless the law says otherwise."
)


def _change(change: Redline, left: int, *, decided: bool) -> tuple[list[str], int]:
    """Return one change as lines, with as much of its redline as `left` characters hold, and how many are left then."""
    lines = [f"**It {said(change.head, 80)}**" + (f" · {said(change.title, 160)}" if change.title else "")]
    lines[0] += " · **left out**" if change.omitted else ""
    if change.gone and not decided:
        lines += ["", "⚠ That rule is not in force any more."]
    elif change.stale and not decided:
        lines += ["", CHANGED_MEANWHILE]
    inner = [line for part, each in change.parts for line in (f"@@ {part} @@", *each)]
    shown = _within(inner, left)
    if shown or not inner:
        lines += ["", fenced(shown) or "Nothing but the form of its file."]
    if len(shown) < len(inner):
        missing = f"{len(inner) - len(shown)} more lines are left out here"
        lines += ["", f"{missing}{f'; they stand in {code(change.file, 300)}' if change.file else ''}."]
    return lines, left - sum(len(line) + 1 for line in shown)


def _within(lines: list[str], most: int) -> list[str]:
    """Return the first lines that have together at most so many characters."""
    lengths = accumulate(len(line) + 1 for line in lines)
    return [line for line, length in zip(lines, lengths, strict=True) if length <= most]


def _law(model: CommentModel) -> list[str]:
    """Say what the law has to say of a proposal before it is decided."""
    preview = model.preview
    if preview is None or model.outcome or not preview.changes:
        return []
    lines: list[str] = []
    if not preview.proper.ok:
        no = preview.proper
        lines.append(f"- It is **not proper**{_because(no.why, no.rule)} ({code(no.code)}).")
    elif not preview.died:
        lines.append("- It is proper, as the law stands.")
    asked = preview.proposing
    if asked is not None and not asked.ok and asked.why != preview.proper.why and not model.proposal:
        lines.append(f"- It cannot be proposed now{_because(asked.why, asked.rule)} ({code(asked.code)}).")
    if preview.paused:
        lines.append("- The game is paused; nothing is taken in until it goes on.")
    lines += [f"- {said(text)}" for text in preview.remarks[:MOST_LISTED]]
    return ["#### What the law says of it", "", *lines] if lines else []


def _warnings(model: CommentModel) -> list[str]:
    preview = model.preview
    if model.untried:
        return ["What it would do is **not tried yet**: this run's time for that is spent, and the next ones do it."]
    if preview is None or model.outcome:
        return []
    lines: list[str] = []
    if preview.locked_out:
        lines.append(f"⚠ **This could lock everybody out:** {said(preview.locked_out)}.")
    told = [problem.message for problem in preview.problems]  # with the place
    lines += [f"{BEWARE} {said(danger)}." for danger in preview.later if danger not in told]
    if preview.died:
        lines.append(f"⚠ **It cannot be tried:** {said(preview.died)}.")
    if preview.problems:
        lines += [FLAWS, *listed(map(problem_line, preview.problems), MOST_LISTED, "problems")]
    if preview.failures:
        lines += ["⚠ Scripts that would fail:", *listed(map(said, preview.failures), MOST_LISTED, "failures")]
    spaced = [line for part in lines for line in (("", part) if part[:2] != "- " else (part,))]
    return spaced[1:]


def _votes(model: CommentModel) -> list[str]:
    if not model.votes and not model.pending:
        return []
    lines = ["#### Votes", "", *([f"- {said(model.stands)}.", ""] if model.stands else [])]
    if model.displayed:
        lines += _table(model.votes)
    else:
        lines += _kept_back(model.votes)
    if model.pending and not model.outcome:
        until = f" until {said(model.until, 60)}" if model.until else ""
        lines += ["", f"Awaited{until}: {in_a_row((said(name, 80) for name in model.pending), MOST_VOTES)}."]
    return lines


def _kept_back(votes: tuple[Vote, ...]) -> list[str]:
    """Return who has voted, and whose vote does not count, while choices and reasons are not displayed."""
    if not votes:
        return ["Nobody has voted yet."]
    number = "1 ballot is" if len(votes) == 1 else f"{len(votes)} ballots are"
    names = in_a_row((said(vote.voter, 80) for vote in votes), MOST_VOTES)
    idle = [f"- {said(vote.voter, 80)}'s {_idle(vote)}." for vote in votes if not vote.counts]
    lines = [f"{number} in, from {names}; choices and reasons are displayed after the count."]
    return [*lines, *(["", *idle[:MOST_LISTED]] if idle else [])]


def _table(votes: tuple[Vote, ...]) -> list[str]:
    if not votes:
        return ["Nobody has voted yet."]
    lines = ["| Player | Vote | Reason |", "|---|---|---|"]
    most = 500 if len(votes) <= 20 else 80  # characters of each reason
    lines += [
        f"| {said(vote.voter, 80)} | {_choice(vote)} | {said(vote.reason, most)} |" for vote in votes[:MOST_VOTES]
    ]
    return [*lines, "", f"… and {len(votes) - MOST_VOTES} more."] if len(votes) > MOST_VOTES else lines


def _choice(vote: Vote) -> str:
    remarks = [f"weight {vote.weight}"] if vote.weight != 1 else []
    remarks += ["deemed"] if vote.deemed else []
    remarks += [_idle(vote)] if not vote.counts else []
    choice = f"**{said(vote.choice, 40)}**" if vote.counts else f"~~{said(vote.choice, 40)}~~"
    return f"{choice} ({'; '.join(remarks)})" if remarks else choice


def _idle(vote: Vote) -> str:
    return f"does not count: {quotation(said(vote.why))}"


def _notices(model: CommentModel) -> list[str]:
    lines = grouped(model.notices, ("waiting", "void", "refused"))
    return ["#### What does not count, or not yet", *lines] if lines else []


def grouped(notices: Sequence[Verdict], kinds: Iterable[str], most: int = MOST_LISTED) -> list[str]:
    """Return notices as lines, those of each kind together, and of each at most so many."""
    lines: list[str] = []
    for kind in kinds:
        found = [notice for notice in notices if notice.state == kind]
        if found:
            lines += ["", f"{HEADS[kind]}:", "", *listed(map(notice_line, found), most, "of them")]
    return lines


def notice_line(notice: Verdict) -> str:
    """Return a notice as one line: whose, what, why, under which rule, and where it is recorded."""
    entry = f" [entry {notice.seq}]" if notice.seq is not None else ""
    named = f" ({code(notice.code)})" if notice.code else ""
    return f"{said(notice.who, 80)}, {said(notice.what, 120)}{_because(notice.why, notice.rule)}{named}{entry}"


def _asked(model: CommentModel) -> list[str]:
    return told_lines(model.notices)


def told_lines(notices: Iterable[Verdict]) -> list[str]:
    """Return what was asked, the newest questions, with the answers."""
    lines: list[str] = []
    asked = [notice for notice in notices if notice.state == "told"]
    if len(asked) > MOST_TOLD:
        lines += ["", f"The {MOST_TOLD} newest of {len(asked)} questions are answered here; ask the others again."]
    for notice in asked[-MOST_TOLD:]:
        why = f": {said(notice.why, 300)}" if notice.why else ""
        lines += ["", f"**{said(notice.what, 160)}** (asked by {said(notice.who, 80)}){why}"]
        lines += ["", fenced(notice.lines, "text")] if notice.lines else []
    return ["#### What was asked", *lines] if lines else []


def _happened(model: CommentModel) -> list[str]:
    if not model.happened:
        return []
    lines = ["#### What happened", ""]
    for happened in model.happened[:MOST_LISTED]:
        entry = f"[Entry {happened.entry}]({happened.link})" if happened.link else f"Entry {happened.entry}"
        lines.append(f"- {entry}: {said(happened.what)}")
        lines += [f"  {line}" for line in listed(map(said, happened.effects), MOST_LISTED, "effects")]
    if len(model.happened) > MOST_LISTED:
        lines.append(f"- … and {len(model.happened) - MOST_LISTED} more entries.")
    return lines


def _next(model: CommentModel) -> list[str]:
    """Say what can be done now, with the exact command."""
    lines = [f"- {said(purpose)}: {code(command)}" for purpose, command in (*_steps(model), *model.next)]
    return ["#### What to do", "", *lines] if lines else []


def _steps(model: CommentModel) -> Iterator[tuple[str, str]]:
    if model.stopped:
        yield "An administrator looks into it", "moot verify --repair"
    elif model.problems and not model.outcome:
        push = f"git push origin HEAD:refs/pull/{model.pull}/head" if model.forge == "local" else "git push"
        if model.forge == "local":
            yield "Mend the files, commit them, and push again", push
        else:
            yield "Mend the files in the forge's editor, on your branch, or in your clone, commit them, and push", push
    if model.state == "open" and not model.outcome and not model.stopped:
        number = model.proposal.rpartition(" ")[2]
        for choice in model.choices[:6]:
            if model.forge == "local" and model.ended == "closed":
                yield f"Vote {choice}", f"moot vote --proposal {number} {shlex.quote(choice)}"
            elif model.forge == "local":
                yield f"Vote {choice}", f"moot vote {model.pull} {shlex.quote(choice)}"
            else:
                yield f"Vote {choice}, in a comment of one line", f"/vote {typed_choice(choice, model.choices)}"
    asked = model.preview.proposing if model.preview is not None and model.preview.changes else None
    if asked is not None and not asked.ok and not model.proposal and model.pull and model.ended == "open":
        propose = f"moot comment --on {model.pull} /propose" if model.forge == "local" else "/propose"
        yield "Propose it once that may be done, in a comment of one line", propose
    if model.preview is not None and not model.outcome and any(change.is_behind for change in model.preview.changes):
        yield "Bring this branch up to date", "git fetch origin && git merge origin/HEAD"


def _capital(text: str) -> str:
    return said(text[:1].upper() + text[1:], 80)


SECTIONS: dict[Section, int] = {  # in their order, with how many characters each may have
    _head: 2_000,
    _problems: 6_000,
    _warnings: 6_000,
    _changes: 26_000,
    _law: 6_000,
    forecast: 6_000,
    _votes: 14_000,
    _notices: 6_000,
    _asked: 18_000,
    _happened: 6_000,
    _next: 3_000,
}
BY_WEIGHT: tuple[Section, ...] = (
    _head, _problems, _next, _changes, _warnings, _votes, _law, forecast, _notices, _happened, _asked,
)  # fmt: skip
