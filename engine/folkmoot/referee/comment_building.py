"""A pull request or an issue as a run of the referee leaves it, told in plain words for its comment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.declared_kinds import PROPOSAL, lineage
from folkmoot.core.documents import Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.proposal_numbers import called, omission
from folkmoot.core.records import Entry, ProposedChange, Reason, Via
from folkmoot.forges.port import Issue, Pull, PullState, Remark
from folkmoot.game.status import deadline, held_in, missing_votes
from folkmoot.journal.git_library import pygit2
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.referee.commands import Asked, commands_in, commands_of
from folkmoot.referee.comment import CommentModel, Happened
from folkmoot.referee.content import GameContent
from folkmoot.referee.forms import read_form
from folkmoot.referee.mentions import ISSUE, PULL
from folkmoot.referee.people import whose
from folkmoot.referee.preview import failure_sentence, of_effects, proposed
from folkmoot.referee.recorder import Recorder
from folkmoot.referee.report import Verdict
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView, was_refused
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here, journal_path, proposal_path, titled

# -- where it can be read: the pages of a repository's site, as far as its address is known


CONFIG = "mkdocs.yml"
LARGEST = 256 * 1024  # bytes of the site's configuration that are read
_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]`|\\]{1,500}")
_SITE = re.compile(rf"^site_url:[ \t]*[\"']?(?P<address>{_ADDRESS.pattern})", re.MULTILINE)
_PLAIN = re.compile(r"^use_directory_urls:[ \t]*[\"']?(?:false|no|off)\b", re.MULTILINE | re.IGNORECASE)


class Site(Struct, frozen=True):
    """A site's `address`, "" where nobody says it; its pages are files (`203.html`) or `folders` (`203/`)."""

    address: str = ""
    folders: bool = False

    def proposal(self, game: str, proposal: Proposal) -> str:
        """Return the address of a proposal's page, "" where there is no site."""
        return self._page(game, proposal_path(proposal))

    def entry(self, game: str, seq: int) -> str:
        """Return the address of an entry of the journal."""
        page = self._page(game, journal_path(seq))
        return f"{page}#e{seq}" if page else ""

    def _page(self, game: str, path: str) -> str:
        ending = "/" if self.folders else ".html"
        return f"{self.address.rstrip('/')}/{game}/{path.removesuffix('.md')}{ending}" if self.address else ""


NOWHERE = Site()


def site_of(repo: pygit2.Repository, main: str, said: object = None) -> Site:
    """Return the site of the repository at a commit (hex): as its configuration says, or what a game `said`."""
    config = _config(repo, main)
    if isinstance(said, str) and _ADDRESS.fullmatch(said):
        return Site(said, not _PLAIN.search(config))
    found = _SITE.search(config)
    return Site(found["address"], not _PLAIN.search(config)) if found else NOWHERE


def _config(repo: pygit2.Repository, main: str) -> str:
    try:
        found = repo[main].peel(pygit2.Tree)[CONFIG]
        return found.data[:LARGEST].decode("utf-8", "replace") if isinstance(found, pygit2.Blob) else ""
    except (KeyError, ValueError, pygit2.GitError):
        return ""


# -- what its comment is made from


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
    site: Site = NOWHERE

    @property
    def place(self) -> str:
        """Return what it is, in words."""
        return PULL if isinstance(self.pull, Pull) else ISSUE

    @property
    def key(self) -> Via:
        """Return where it is, as the record names it."""
        return Via(pull=self.pull.number) if isinstance(self.pull, Pull) else Via(issue=self.pull.number)

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
    verdict, preview = proposal.get("verdict") or {}, shown.get("preview")
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
        until=unmarked(here.when(closes)) if closes and proposal.get("state") == "open" else "",
        opens=unmarked(here.when(closes)) if closes and proposal.get("state") == "pending" else "",
        notices=tuple(_notices(view, here)),
        outcome=(outcome := str(proposal.get("outcome") or "")),
        effective=bool(outcome) and makes_law(outcome, here.view.outcomes),
        why=str(verdict.get("why") or proposal.get("why") or ""),
        rule=_number(here, verdict.get("rule")),
        registers=tuple(shown_registers(here, proposal)) if proposal else (),
        happened=tuple(_happened(here, view)),
        omission=omission(view.proposal) if view.proposal else "",
        link=view.site.proposal(view.game, view.proposal) if view.proposal else "",
        judge=preview.judge if preview and not verdict else "",
        office=preview.office if preview else "",
        ended=view.state,
        draft=isinstance(view.pull, Pull) and view.pull.draft,
        paused=(view.documents.get("game") or {}).get("paused") is not None,
    )


def _notices(view: CommentInput, here: Here) -> Iterator[Verdict]:
    """Yield what does not count, or not yet; what is said of the same person in the same words is said once."""
    head = view.own
    said = set()
    for verdict in view.verdicts:
        notice = replace(verdict, rule=_number(here, verdict.rule), own=verdict.fact.partition("/")[0] == head)
        words = replace(notice, fact="", person="", at=0)
        if verdict.seq is None and words not in said:
            said.add(words)
            yield notice
    yield from _held(here, view.entries, view.documents, head)
    yield from _refused(here, view.entries, head)
    yield from _changed_later(view)


def shown_registers(here: Here, proposal: Record) -> Iterator[tuple[str, str]]:
    """Yield the registers of a proposal that rules in force show in its comment: what each is, and its value."""
    kept = proposal.get("registers") or {}
    for kind in lineage(here.view.declared_kinds(), str(proposal["kind"])):
        block = "defines.proposal" if kind == PROPOSAL else f"defines.kinds.{kind}.registers"
        for name, (_uid, about) in here.view.declared(block).items():
            if about.get("shown"):
                value = kept.get(name, about.get("initial"))
                yield (
                    str(about.get("summary") or titled(name)),
                    unmarked(here.value(value, str(about.get("type") or ""))),
                )


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
        elif remark.edited and unrecorded_in(remark, recorded):
            yield Verdict(state="void", who=who, what="a remark was edited", why=UNREAD)


def _fact_of(entry: Mapping[str, Any]) -> str:
    """Return the id of the remark or content that an entry came of."""
    return str((entry.get("via") or {}).get("fact")).partition("/")[0]


def _number(here: Here, uid: str | None) -> str:
    """Return the number of a rule by its uid, "" for none."""
    return here.view.number(uid) if uid else ""


def unrecorded_in(remark: Remark, recorded: Collection[str]) -> bool:
    """Say whether a remark asked for something of which nothing is recorded: its author may want it read anew."""
    return not remark.author.robot and remark.id not in recorded and bool(commands_of(remark.body))


def _held(here: Here, entries: Iterable[Record], documents: Record, head: str) -> Iterator[Verdict]:
    """Yield the acts of a place that the law still holds, and what they wait for."""
    came = {int(entry["seq"]): _fact_of(entry) for entry in entries}
    for act in held_in(documents):
        if act["id"] in came:
            because = f": {act['why']}" if act.get("why") else ""
            why = f"until “{act['label']}” is released{because}"
            rule = _number(here, act.get("rule"))
            own = came[act["id"]] == head
            yield Verdict(state="waiting", who=str(act["by"]), what=str(act["do"]), why=why, rule=rule, own=own)


def _refused(here: Here, entries: Iterable[Entry], head: str) -> Iterator[Verdict]:
    """Yield the acts that were refused, which are recorded: whoever makes the comment, and whenever, says the same."""
    for entry in entries:
        if was_refused(entry):
            code = str(entry.get("code") or "")
            reasons = (each for each in entry.get("reasons") or () if each["code"] == code)
            reason = next(reasons, Reason(code=code))
            why = str((reason.get("args") or {}).get("why") or "") or unmarked(sentences.refusal(here, reason))
            who, what, rule = str(entry["by"]), str(entry["do"]), _number(here, reason.get("rule"))
            own, seq = _fact_of(entry) == head, int(entry["seq"])
            yield Verdict(state="refused", who=who, what=what, why=why, code=code, rule=rule, seq=seq, own=own)


def _happened(here: Here, view: CommentInput) -> Iterator[Happened]:
    """Yield what was done by a pull request; a ballot that led to nothing else is seen among the votes."""
    for entry in view.entries:
        effects = list(entry.get("effects") or ())
        ballot = entry.get("do") == VOTE and effects and all(effect["effect"] == "ballot" for effect in effects)
        if ballot or was_refused(entry):
            continue
        failed = [failure_sentence(failure, here.view.number) for failure in entry.get("failures") or ()]
        said = (*of_effects(here, effects), *failed)
        seq, what = int(entry["seq"]), unmarked(sentences.act(here, entry))
        yield Happened(entry=seq, what=what, effects=said, link=view.site.entry(view.game, seq))


# -- when it is over


ASKING = "?？؟"
"""Marks of which one makes a plain statement a question."""


def is_over(recorder: Recorder, issue: Issue, first: Remark) -> bool:
    """Say whether everything in an issue is settled, so that it can be closed.

    It is not where nothing of it is recorded, while something waits, while what it proposed is undecided, while an act
    is held, and where it asks something: then somebody has to close it.
    """
    if any(verdict.state == "waiting" for verdict in recorder.verdicts.get(issue.number, ())):
        return False
    recorded = recorder.facts_at({"issue": issue.number})
    if not recorded.get("facts") or asks(issue, first):
        return False
    if any(not recorder.session.proposal(each)["outcome"] for each in recorded.get("proposals") or ()):
        return False
    held = recorder.session.document("things/held")
    return not any(str(seq) in held for seq in recorded["facts"].values())


def asks(issue: Issue, first: Remark) -> bool:
    """Say whether an issue is a question: a form that says so, or words of which some ask."""
    form = read_form(first.body)
    if form is not None:
        return form.asks
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


# -- statements


LONGEST_STATEMENT = 60_000  # characters of a statement


def statement_of(title: str, body: str) -> Asked:
    """Return the act of stating what an issue says that is neither a form nor holds commands."""
    told = {command.line for command in commands_in(body)}
    kept = [line for number, line in enumerate(body.splitlines(keepends=True), 1) if number not in told]
    parts = [title.strip(), "".join(kept).strip()]
    return Asked("state", {"text": "\n\n".join(part for part in parts if part)[:LONGEST_STATEMENT]})
