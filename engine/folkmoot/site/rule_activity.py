"""What bears on a rule beside its text: votes that it decided, rules that yielded, acts that name it, what awaits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.records import Entry
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.citations import numbers_in
from folkmoot.site.script_words import answering
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, of_proposals
from folkmoot.wording.markup import Html, counted, el, escape, join, sentence
from folkmoot.wording.page_links import Here, humane, proposal_path
from folkmoot.wording.prose import phrase
from folkmoot.wording.sentences import act
from folkmoot.wording.translation import _

MOST = 5
"""How many votes and acts are listed one by one, the newest first; the others are counted."""
OVERRULED = "overruled:"
"""Begins the key, a rule's uid behind it, of what is known of its answers that nobody hears."""
Conflict = tuple[str, str, str]
"""The other rule, whether they spoke of a "question" or an "action", and of which."""


def _is_open(proposal: Proposal | Document) -> bool:
    return not proposal.get("outcome") or bool(proposal.get("waits"))


@of_proposals(lambda proposal: (_is_open(proposal), proposal.get("state"), proposal.get("changes")))
def awaited(view: GameView) -> dict[str, list[str]]:
    """Return what is voted on, or adopted without effect yet, and would change the law: by rule, and all as ""."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        changes = (proposal.get("changes") or ()) if _is_open(proposal) else ()
        for uid in dict.fromkeys(["", *(_changed(view, change) for change in changes)] if changes else ()):
            found.setdefault(uid, []).append(name)
    return found


def _changed(view: GameView, change: Document) -> str:
    return view.uids.get(str(change.get("rule")), "")


def awaited_by(here: Here, uid: str) -> tuple[Html, ...]:
    """Return what would change a rule (with "" as its id: the law) and is not in force yet."""
    return tuple(_awaited(here, here.view.proposals[name], uid) for name in here.view.index(awaited).get(uid, []))


def overruled(here: Here, uid: str) -> tuple[Html, ...]:
    """Return which answers of a rule nobody hears, because a rule before it always answers the same."""
    return tuple(
        sentence("This rule and {rule} both {answer}; {rule} goes before it, and always answers.",
                 answer=answering(question), rule=here.rule(by))
        for question, by in here.view.answers.get(f"{OVERRULED}{uid}") or ()
    )  # fmt: skip


def _awaited(here: Here, proposal: Proposal, uid: str) -> Html:
    changes = [each for each in proposal.get("changes") or () if uid in ("", _changed(here.view, each))]
    what = [sentence("{kind} {rule}", kind=_kind(each), rule="" if uid else here.rule(each.get("rule")))
            for each in changes]  # fmt: skip
    link = here.link(phrase(str(proposal.get("title") or _("untitled"))), proposal_path(proposal), "changes")
    state = str(proposal.get("outcome") or proposal.get("state") or "pending")
    return sentence("{proposal}, {title}: {state}. {what}", proposal=here.proposal(proposal.get("id")), title=link,
                    state=state, what=join(what, ", "))  # fmt: skip


def _kind(change: Document) -> str:
    return str(change.get("kind") or next(iter(change), "change"))


@of_proposals(lambda proposal: (proposal.get("verdict") or {}).get("rule"))
def decided_by(view: GameView) -> dict[str, tuple[int, list[str]]]:
    """Return by rule how many votes its verdict decided, and the ids of the newest of them."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        verdict = proposal.get("verdict")
        if verdict and verdict.get("rule"):
            found.setdefault(str(verdict["rule"]), []).append(name)
    return {uid: (len(names), names[:MOST]) for uid, names in found.items()}


def _conflicts(entries: Sequence[Entry]) -> Iterator[tuple[str, Conflict]]:
    """Yield each rule that prevailed, with the one that yielded to it and on what."""
    for entry in entries:
        for reason in entry.get("reasons") or ():
            given: dict[str, Any] = reason.get("args") or {}
            if reason.get("code") == "OVERRULED" and given.get("by"):
                kind = "question" if given.get("question") else "action"
                yield str(given["by"]), (str(reason.get("rule")), kind, str(given.get(kind)))


@growing
def prevailed_over(_view: GameView, entries: Sequence[Entry]) -> dict[str, Counter[Conflict]]:
    """Return how often each rule prevailed over which others, by its id."""
    found: dict[str, Counter[Conflict]] = {}
    for uid, conflict in _conflicts(entries):
        found.setdefault(uid, Counter())[conflict] += 1
    return found


@growing
def yielded_to(_view: GameView, entries: Sequence[Entry]) -> dict[str, Counter[Conflict]]:
    """Return how often each rule yielded to which others, by its id."""
    found: dict[str, Counter[Conflict]] = {}
    for uid, (lower, kind, what) in _conflicts(entries):
        found.setdefault(lower, Counter())[uid, kind, what] += 1
    return found


@growing
def acts_naming(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the acts, but for proposals and ballots, that name a rule, by the number that they say."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        given = entry.get("with") or {}
        own = not entry.get("by") or was_refused(entry) or "changes" in given or entry.get("do") == "vote"
        for number in () if own or voted_on(entry) else dict.fromkeys(_said(given)):
            found.setdefault(number, []).append(entry)
    return found


def _said(given: Document) -> Iterator[str]:
    for name, value in given.items():
        if isinstance(value, str):
            yield from [value] if name == "rule" else numbers_in(value)


def cited_in(here: Here, uid: str) -> Iterator[Html]:
    """Yield the votes that a rule decided, the rules that yielded or prevailed, and the acts that name it."""
    yield from _decided(here, uid)
    yield from _conflicting(here, uid)
    yield from _naming(here, uid)


def _decided(here: Here, uid: str) -> Iterator[Html]:
    count, names = here.view.index(decided_by).get(uid, (0, []))
    if count:
        told = counted(count, "It decided {count} vote", "It decided {count} votes")
        yield join([told, ": ", join((here.proposal(name) for name in names), ", "), ", …" if count > MOST else ""])


def _conflicting(here: Here, uid: str) -> Iterator[Html]:
    for (other, kind, what), count in _ordered(here, here.view.index(prevailed_over).get(uid)):
        yield sentence("It prevailed over {rule} on {what} ({times})",
                       rule=here.rule(other), what=_asked(kind, what), times=_times(count))  # fmt: skip
    for (other, kind, what), count in _ordered(here, here.view.index(yielded_to).get(uid)):
        yield sentence("It yielded to {rule} on {what} ({times})",
                       rule=here.rule(other), what=_asked(kind, what), times=_times(count))  # fmt: skip


def _ordered(here: Here, found: Counter[Conflict] | None) -> list[tuple[Conflict, int]]:
    return sorted((found or {}).items(), key=lambda each: (-each[1], here.view.number(each[0][0]), each[0]))


def _asked(kind: str, what: str) -> Html:
    words = phrase(humane(what))
    return sentence("the question “{question}”", question=words) if kind == "question" else sentence(
        "how to {action}", action=words)  # fmt: skip


def _times(count: int) -> Html:
    return counted(count, "{count} time", "{count} times")


def _naming(here: Here, uid: str) -> Iterator[Html]:
    """Yield the newest acts that name a rule, and how many more do."""
    view = here.view
    numbers = dict.fromkeys((uid, view.number(uid), *view.former_numbers(uid)))
    meant = [number for number in numbers if view.uids.get(number) == uid]
    known = {int(each["seq"]): each for number in meant for each in view.index(acts_naming).get(number, ())}
    newest = [known[seq] for seq in sorted(known, reverse=True)]
    for entry in newest[:MOST]:
        head = join([here.moment(entry.get("at")), ": ", act(here, entry), " ", here.entry(entry.get("seq"))])
        yield join([head, words_of(here, entry) if entry.get("do") != "state" else ""])
    if len(newest) > MOST:
        more = counted(len(newest) - MOST, "{count} earlier act names it, too", "{count} earlier acts name it, too")
        yield el("span", escape(more), class_="soft")


def words_of(here: Here, entry: Document) -> Html:
    """Return what somebody wrote who acted: the texts among the arguments of the act, as quotations."""
    do, given = str(entry.get("do")), entry.get("with") or {}
    declared = here.view.declared("actions").get(do, ("", KERNEL_DECLARATIONS.get(do) or {}))[1]
    texts = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "text"]
    words = [str(given[name]) for name in texts if given.get(name)]
    return join(el("blockquote", phrase(each)) for each in words)
