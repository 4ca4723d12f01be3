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

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.documents import Ballot, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import called, omission
from folkmoot.core.records import Entry, ProposedChange, Reason, Shown
from folkmoot.files.issue_forms import QUESTION
from folkmoot.forges.port import Check, CheckState, Issue, Pull, PullState, Remark
from folkmoot.game.status import deadline, held_in, missing_votes
from folkmoot.journal.git_library import pygit2
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.ballot_words import CHOICES, typed_choice
from folkmoot.referee.commands import commands_in, commands_of
from folkmoot.referee.content import GameContent
from folkmoot.referee.forms import read_form
from folkmoot.referee.markdown import Markdown, blocks, drawn, plain
from folkmoot.referee.people import whose
from folkmoot.referee.preview import Preview, Redline, failure_sentence, of_effects, proposed
from folkmoot.referee.report import Verdict
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView, was_refused
from folkmoot.wording.law_sentence import because
from folkmoot.wording.markup import unmarked, visible
from folkmoot.wording.page_links import Here, journal_path, proposal_path

PULL = "pull request"
ISSUE = "issue"

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


# -- where it can be read: the pages of a repository's site, as far as its address is known


CONFIG = "mkdocs.yml"
LARGEST = 256 * 1024  # bytes of the site's configuration that are read
_SITE = re.compile(r"^site_url:[ \t]*[\"']?(?P<address>https?://[^\s\"'<>()\[\]`|\\*]{1,500})", re.MULTILINE)
_PLAIN = re.compile(r"^use_directory_urls:[ \t]*[\"']?(?:false|no|off)\b", re.MULTILINE | re.IGNORECASE)


def page_of(site: str, game: str, path: str) -> str:
    """Return the address of a page of a game on a site, "" where there is none.

    >>> page_of("https://ann.example/*.html", "tea", "proposals/305.md")
    'https://ann.example/tea/proposals/305.html'
    """
    return site.replace("*", f"{game}/{path.removesuffix('.md')}")


def entry_page(site: str, game: str, seq: int) -> str:
    """Return the address of an entry of the journal, "" where there is no site."""
    return page_of(f"{site}#e{seq}", game, journal_path(seq)) if site else ""


def site_of(repo: pygit2.Repository, main: str) -> str:
    """Return the site of the repository at a commit (hex), as its configuration says: an address with `*` for a page.

    Its pages are files (`203.html`) or folders (`203/`). It is "" where nobody says where the site is.
    """
    try:
        blob = repo[main].peel(pygit2.Tree)[CONFIG]
    except (KeyError, ValueError, pygit2.GitError):
        return ""
    config = blob.data[:LARGEST].decode("utf-8", "replace") if isinstance(blob, pygit2.Blob) else ""
    found, ending = _SITE.search(config), "*.html" if _PLAIN.search(config) else "*/"
    return f"{found['address'].rstrip('/')}/{ending}" if found else ""


# -- what a comment is made from


class CommentModel(Struct, frozen=True, kw_only=True):
    """All that the comment on a pull request is made of; everything is plain words, nothing is escaped yet.

    `happened` are entries of the journal that came of it, each with what it changed; `votes` the ballots as they
    stand, by whose they are; `state` is that of the proposal (`pending`, `open`, `closed`, or its outcome), "" where
    there is none; `until` is when its vote ends, or begins, in words; `displayed` says whether choices and reasons
    are; `proposal` is its name, as in `proposal 305`; `stopped` says why nothing is judged at present; `link` is where
    the site has it; `ended` is how the pull request is left, `draft` that it is one; `place` is what `pull` is the
    number of, and `standing` a sentence of how it stands where it proposes nothing; `effective` that its outcome makes
    it law; `omission` says what of an adopted proposal was left out.

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
    votes: Mapping[str, Ballot] = {}
    pending: tuple[str, ...] = ()
    until: str = ""
    displayed: bool = True
    notices: tuple[Verdict, ...] = ()
    outcome: str = ""
    effective: bool = False
    why: str = ""
    rule: str = ""
    happened: tuple[Shown, ...] = ()
    link: str = ""
    ended: str = "open"
    draft: bool = False
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


# -- what a run leaves of a pull request or an issue, in plain words


Record = Mapping[str, Any]
UNREAD = "only what it said at first was read; say anew what it says now"


class CommentInput(Struct, frozen=True, kw_only=True):
    """A pull request, or an issue, as a run leaves it.

    `verdicts` are those of the run (what waits, what does not count and why), `entries` what the journal has of it,
    newest last; `site` where it can be read.
    """

    pull: Pull | Issue
    state: PullState
    forge: str = "local"
    game: str = ""
    proposal: Proposal | None = None
    verdicts: tuple[Verdict, ...] = ()
    remarks: tuple[Remark, ...] = ()
    documents: Mapping[str, Any] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    site: str = ""

    @property
    def place(self) -> str:
        """Return what it is, in words."""
        return PULL if isinstance(self.pull, Pull) else ISSUE

    @property
    def own(self) -> str:
        """Return the id of the fact that is its present content, or an issue's own text."""
        if isinstance(self.pull, Pull):
            return self.pull.head.commit
        return self.remarks[0].id if self.remarks else ""


def build_comment_model(view: CommentInput, **shown: Any) -> CommentModel:
    """Return all that the comment says, in plain words; what is `shown` of its content stands there as it is."""
    proposal: Record = view.proposal or {}
    here = Here(GameView(slug=view.game, documents=view.documents), "index.md")
    closes = deadline(view.documents, view.proposal) if view.proposal else None
    verdict = proposal.get("verdict") or {}
    if isinstance(view.pull, Issue):
        shown |= {"place": ISSUE, "standing": _standing(view, view.pull)}
    return CommentModel(
        **shown,
        pull=view.pull.number,
        forge=view.forge,
        game=view.game,
        title=str(proposal.get("title") or view.pull.title),
        author=str(proposal.get("author") or whose(view.pull.author, view.documents.get("roster") or {}, view.forge)),
        state=str(proposal.get("state") or ""),
        proposal=called(view.proposal) if view.proposal else "",
        votes=proposal.get("ballots") or {},
        displayed=is_displayed(view.proposal),
        pending=tuple(missing_votes(view.proposal)) if view.proposal else (),
        until=unmarked(here.when(closes)) if closes and proposal.get("state") in ("open", "pending") else "",
        notices=tuple(_notices(view, here)),
        outcome=(outcome := str(proposal.get("outcome") or "")),
        effective=bool(outcome) and makes_law(outcome, here.view.outcomes),
        why=str(verdict.get("why") or proposal.get("why") or ""),
        rule=_number(here, verdict.get("rule")),
        happened=tuple(_happened(here, view)),
        omission=omission(view.proposal) if view.proposal else "",
        link=page_of(view.site, view.game, proposal_path(view.proposal)) if view.proposal else "",
        ended=view.state,
        draft=isinstance(view.pull, Pull) and view.pull.draft,
    )


def _notices(view: CommentInput, here: Here) -> Iterator[Verdict]:
    """Yield what does not count, or not yet; what is said of the same person in the same words is said once."""
    said = set()
    for verdict in view.verdicts:
        notice = replace(verdict, rule=_number(here, verdict.rule), own=verdict.fact.partition("/")[0] == view.own)
        words = replace(notice, fact="", person="", at=0)
        if verdict.seq is None and words not in said:
            said.add(words)
            yield notice
    yield from _held(here, view)
    yield from _refused(here, view)
    yield from _changed_later(view)


def _changed_later(view: CommentInput) -> Iterator[Verdict]:
    """Yield what was done to remarks after they had been recorded: the record stays."""
    recorded = set(map(_fact_of, view.entries))
    stays = "what was recorded stands; to change a vote, vote again"
    for remark in view.remarks:
        who = whose(remark.author, view.documents.get("roster") or {}, view.forge)
        states = (("taken back", remark.dismissed_by), ("deleted", remark.deleted), ("edited", remark.edited))
        done = next((word for word, holds in states if holds), "")
        if done and remark.id in recorded:
            yield Verdict(state="void", who=who, what=f"a remark was {done} after it counted", why=stays)
        elif remark.edited and not remark.author.robot and remark.id not in recorded and commands_of(remark.body):
            yield Verdict(state="void", who=who, what="a remark was edited", why=UNREAD)


def _fact_of(entry: Mapping[str, Any]) -> str:
    """Return the id of the remark or content that an entry came of."""
    return str((entry.get("via") or {}).get("fact")).partition("/")[0]


def _number(here: Here, uid: str | None) -> str:
    """Return the number of a rule by its uid, "" for none."""
    return here.view.number(uid) if uid else ""


def _held(here: Here, view: CommentInput) -> Iterator[Verdict]:
    """Yield the acts of a place that the law still holds, and what they wait for."""
    came = {int(entry["seq"]): _fact_of(entry) for entry in view.entries}
    for act in held_in(view.documents):
        if act["id"] in came:
            because = f": {act['why']}" if act.get("why") else ""
            why = f"until “{act['label']}” is released{because}"
            rule, own = _number(here, act.get("rule")), came[act["id"]] == view.own
            yield Verdict(state="waiting", who=str(act["by"]), what=str(act["do"]), why=why, rule=rule, own=own)


def _refused(here: Here, view: CommentInput) -> Iterator[Verdict]:
    """Yield the acts that were refused, which are recorded: whoever makes the comment, and whenever, says the same."""
    for entry in filter(was_refused, view.entries):
        code = str(entry.get("code") or "")
        reasons = (each for each in entry.get("reasons") or () if each["code"] == code)
        reason = next(reasons, Reason(code=code))
        why = str((reason.get("args") or {}).get("why") or "") or unmarked(sentences.refusal(here, reason))
        who, what, rule = str(entry["by"]), str(entry["do"]), _number(here, reason.get("rule"))
        own, seq = _fact_of(entry) == view.own, int(entry["seq"])
        yield Verdict(state="refused", who=who, what=what, why=why, code=code, rule=rule, seq=seq, own=own)


def _happened(here: Here, view: CommentInput) -> Iterator[Shown]:
    """Yield what was done by a pull request; a ballot that led to nothing else is seen among the votes."""
    for entry in view.entries:
        effects = list(entry.get("effects") or ())
        ballot = entry.get("do") == VOTE and effects and all(effect["effect"] == "ballot" for effect in effects)
        if ballot or was_refused(entry):
            continue
        failed = [failure_sentence(failure, here.view.number) for failure in entry.get("failures") or ()]
        said = (*of_effects(here, effects), *failed)
        seq, what = int(entry["seq"]), unmarked(sentences.act(here, entry))
        yield {"entry": seq, "what": what, "effects": said, "link": entry_page(view.site, view.game, seq)}


# -- when it is over


ASKING = "?？؟"
"""Marks of which one makes a plain statement a question."""


def asks(issue: Issue, first: Remark) -> bool:
    """Say whether an issue is a question: a form that says so, or words of which some ask."""
    form = read_form(first.body)
    if form is not None:
        return form["what"] == QUESTION
    if any(command.name != "game" for command in commands_in(first.body)):
        return False
    return any(mark in f"{issue.title} {first.body}" for mark in ASKING)


# -- what is voted on


def as_voted(content: GameContent, proposal: Proposal | None) -> GameContent:
    """Return what an undecided proposal would do where that is other than the content it came with.

    The law may let its author change it by an act; what a pull request's files say is then not what is voted on.
    """
    if not proposal or proposal.get("outcome"):
        return content
    changes = proposed(proposal)
    if list(map(_gist, changes)) == list(map(_gist, content.changes)):
        return content
    return replace(content, changes=tuple(changes), files=("as it is voted on",) * len(changes), stale=())


def _gist(change: ProposedChange) -> tuple[Any, ...]:
    kind, what = next(iter(change.items()))
    parts, target = (what, "") if isinstance(what, dict) else (change, str(what))
    return (kind, target, *(parts.get(name) for name in ("title", "text", "script", "to")))


def _standing(view: CommentInput, issue: Issue) -> str:
    if view.state == "closed":
        return "Everything in it is settled." if view.entries else "Nothing of it is recorded."
    if not view.entries:
        return "Nothing of it is recorded. A text that is edited is not read again: say it anew in a comment."
    if asks(issue, view.remarks[0]):
        return "It is recorded, and stays open for answers until somebody closes it."
    return "Not everything in it is settled."


# -- the text


MOST_CHARACTERS = 61_000
LONGEST_REDLINES = 16_000  # characters of all redlines together
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
    standing = plain(" ".join(drawn("standing.md", m=model).split()))
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
