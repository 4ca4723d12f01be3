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
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import Problem
from folkmoot.core.values import in_a_row
from folkmoot.forges.port import Check, CheckState
from folkmoot.kernel.ballot_words import CHOICES, typed_choice
from folkmoot.referee.markdown import code, fenced, listed, said, sentence
from folkmoot.referee.preview import Preview, Redline
from folkmoot.referee.report import BEWARE, FLAWS, HEADS, Verdict
from folkmoot.wording.law_sentence import because, quotation
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


class Vote(Struct, frozen=True, kw_only=True):
    """A ballot as it stands: whose, what, why, and whether it counts."""

    voter: str
    choice: str
    reason: str = ""
    counts: bool = True
    why: str = ""
    weight: int = 1
    deemed: bool = False


class Happened(Struct, frozen=True, kw_only=True):
    """An entry of the journal that came of a pull request, with sentences of what it changed."""

    entry: int
    what: str
    effects: tuple[str, ...] = ()
    link: str = ""


class CommentModel(Struct, frozen=True, kw_only=True):
    """All that the comment on a pull request is made of; everything is plain words, nothing is escaped yet.

    `state` is that of the proposal (`pending`, `open`, `closed`, or its outcome), "" where there is none; `until` and
    `opens` are times in words; `stands` says in the law's words how an open vote stands; `displayed` says whether
    choices and reasons are; `proposal` is its name, as in `proposal 305`; `problems` say why the content cannot be
    taken; `stopped` why nothing is judged at present; `next` are further things to do, each a purpose and a command;
    `link` is where the site has it; `judge` decides, in an `office`, where no vote does; `ended` is how the pull
    request is left, `draft` and `paused` say why nothing happens; `place` is what `pull` is the number of, and
    `standing` a sentence of how it stands where it proposes nothing; `untried` says that what it would do is not
    tried yet; `came` is where it was before the game moved; `effective` that its outcome makes it law; `registers` are
    those that rules show, each with its value; `omission` says what of an adopted proposal was left out; `rivals` are
    undecided proposals that change the same passage; `reviewed` are the choices that an approval and a request for
    changes are.
    """

    game: str
    pull: int
    title: str
    author: str
    state: str = ""
    proposal: str = ""
    problems: tuple[Problem, ...] = ()
    stopped: tuple[Problem, ...] = ()
    untried: bool = False
    preview: Preview | None = None
    acts: tuple[str, ...] = ()
    redlines: tuple[Redline, ...] = ()
    requests: tuple[str, ...] = ()
    choices: tuple[str, ...] = tuple(CHOICES)
    reviewed: tuple[str, ...] = ()
    votes: tuple[Vote, ...] = ()
    pending: tuple[str, ...] = ()
    until: str = ""
    stands: str = ""
    opens: str = ""
    displayed: bool = True
    notices: tuple[Verdict, ...] = ()
    registers: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    effective: bool = False
    why: str = ""
    rule: str = ""
    happened: tuple[Happened, ...] = ()
    next: tuple[tuple[str, str], ...] = ()
    link: str = ""
    forge: str = "local"
    judge: str = ""
    office: str = ""
    ended: str = "open"
    draft: bool = False
    paused: bool = False
    place: str = "pull request"
    standing: str = ""
    came: str = ""
    omission: str = ""
    rivals: tuple[str, ...] = ()

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


# -- what would come of adoption, as it was played on a copy


MOST_LISTED = 30
NOTHING_ELSE = "- Nothing but the change itself."


def forecast(model: CommentModel) -> list[str]:
    """Return what adoption of a proposal would do, and its defeat, as far as the law lets it come to that."""
    preview = model.preview
    if preview is None or model.outcome or not preview.changes or preview.died:
        return []
    if not preview.proper.ok:  # the law does not let it come to that
        return []
    passing, failing = ("acceptance", "rejection") if preview.judged else ("adoption", "defeat")
    if not preview.adopted:
        told = _falls(preview)
        return [f"#### What {passing} would do", "", told] if told else []
    assumed = "" if preview.judged else f" (if everybody voted {code(preview.choice, 80)})" if preview.choice else ""
    lines = listed((said(text) for text in preview.effects), MOST_LISTED, "effects")
    for label, names in (("New actions", preview.new_actions), ("Actions no longer offered", preview.lost_actions)):
        if names:
            lines.append(f"- {label}: {', '.join(code(name, 80) for name in names[:MOST_LISTED])}")
    lines += [f"- Page {said(page)}" for page in preview.pages[:MOST_LISTED]]
    lines = [f"#### What {passing} would do{assumed}", "", *_provided(preview), *(lines or [NOTHING_ELSE])]
    if preview.against:
        against = listed((said(text) for text in preview.against), MOST_LISTED, "effects")
        lines += ["", f"#### What {failing} would do", "", *against]
    return lines


def _falls(preview: Preview) -> str:
    """Return why it could not be adopted, "" where nothing is known."""
    if preview.falls:
        return f"Even if everybody voted {code(preview.choice, 80)} now, it would be {said(preview.falls)}."
    return f"It could not be carried out: {said(preview.why)}." if preview.why else ""


def _provided(preview: Preview) -> list[str]:
    """Return what else would have to be otherwise before it could be adopted."""
    asked = preview.proposing
    proposed = asked is None or asked.ok
    lines = [] if proposed else ["As things are it cannot be proposed; this is what it would do if it could."]
    if preview.refused:
        lines.append(f"As things are, votes are refused: {said(preview.refused)}.")
    return [line for each in lines for line in (each, "")]


# -- the text


MOST_CHARACTERS = 60_000
LONGEST_REDLINES = 16_000  # characters of all redlines together
LEFT_OUT = "_Parts of this comment were left out because it grew too long; the site has them._"
BY_ITSELF = ("failed", "lapsed", "passed")  # what something does, and nobody to it
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


REVIEWING = ("by approving this in a review or ", "by requesting changes in a review or ")


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
                by = next((how for how, each in zip(REVIEWING, model.reviewed, strict=False) if each == choice), "")
                yield f"Vote {choice}, {by}in a comment of one line", f"/vote {typed_choice(choice, model.choices)}"
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


# -- the check: one line that says how it stands


LONGEST_SUMMARY = 140  # characters that GitHub takes

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
    line = " ".join(visible(words[: 4 * LONGEST_SUMMARY]).split())
    return line if len(line) <= LONGEST_SUMMARY else line[: LONGEST_SUMMARY - 1].rstrip() + "…"


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
    return "success" if good else "failure", f"{_capitalised(model.outcome)}{because(model.why, model.rule)}"


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


def _change_mark(model: CommentModel) -> Mark | None:
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


def _acts_mark(model: CommentModel) -> Mark | None:
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
    _stopped, _decided, _malformed, _in_progress, _draft, _change_mark, _acts_mark, _nothing,
)  # fmt: skip


def _flaw(model: CommentModel) -> Verdict | None:
    """Return what kept the present content from counting, if anything did: the newest such notice."""
    return next((notice for notice in reversed(model.notices) if notice.own), None)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
