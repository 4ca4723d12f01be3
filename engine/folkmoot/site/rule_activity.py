"""What bears on a rule beside its text: votes that it decided, rules that yielded, acts that name it, what awaits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from folkmoot.core.ballot_display import voted_on
from folkmoot.core.documents import Document
from folkmoot.core.records import Entry
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.site.citations import numbers_in
from folkmoot.site.script_words import answering
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, indexed
from folkmoot.wording.markup import Html, counted, el, join, sentence
from folkmoot.wording.page_links import Here, humane, proposal_path
from folkmoot.wording.prose import phrase
from folkmoot.wording.sentences import act
from folkmoot.wording.translation import _

MOST = 5
"""How many votes and acts are listed one by one, the newest first; the others are counted."""
OVERRULED = "overruled:"
"""Begins the key, a rule's uid behind it, of what is known of its answers that nobody hears."""
Conflict = tuple[str, str, str, str]
"""The rule that prevailed, the other, whether they spoke of a "question" or an "action", and of which."""


@indexed
def awaited(view: GameView) -> dict[str, list[str]]:
    """Return what is voted on, or adopted without effect yet, and would change the law: by rule, and all as ""."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        if not proposal.get("outcome") or proposal.get("waits"):
            uids = [view.uids.get(str(change.get("rule")), "") for change in proposal.get("changes") or ()]
            for uid in dict.fromkeys(["", *uids] if uids else ()):
                found.setdefault(uid, []).append(name)
    return found


def awaited_by(here: Here, uid: str) -> Iterator[Html]:
    """Yield what would change a rule (with "" as its id: the law) and is not in force yet."""
    for proposal in (here.view.proposals[name] for name in here.view.index(awaited).get(uid, ())):
        what = [
            join([each.get("kind") or next(iter(each), "change"), " ", "" if uid else here.rule(each.get("rule"))])
            for each in proposal.get("changes") or ()
            if not uid or here.view.uids.get(str(each.get("rule"))) == uid
        ]
        title = here.link(phrase(str(proposal.get("title") or _("untitled"))), proposal_path(proposal), "changes")
        state = str(proposal.get("outcome") or proposal.get("state") or "pending")
        yield sentence("{proposal}, {title}: {state}. {what}", proposal=here.proposal(proposal.get("id")), title=title,
                       state=state, what=join(what, ", "))  # fmt: skip


def overruled(here: Here, uid: str) -> Iterator[Html]:
    """Yield which answers of a rule nobody hears, because a rule before it always answers the same."""
    for question, by in here.view.answers.get(f"{OVERRULED}{uid}") or ():
        yield sentence("This rule and {rule} both {answer}; {rule} goes before it, and always answers.",
                       answer=answering(question), rule=here.rule(by))  # fmt: skip


# -- what a rule decided, and who spoke of it


@indexed
def decided_by(view: GameView) -> dict[str, list[str]]:
    """Return by rule the ids of the votes that its verdict decided, the newest first."""
    found: dict[str, list[str]] = {}
    for name, proposal in view.proposals.items():
        verdict = proposal.get("verdict")
        if verdict and verdict.get("rule"):
            found.setdefault(str(verdict["rule"]), []).append(name)
    return found


@indexed
def conflicts(view: GameView) -> Mapping[Conflict, int]:
    """Return how often which rule prevailed over which other, and on what."""
    found = Counter[Conflict]()
    for entry in view.entries:
        for reason in entry.get("reasons") or ():
            given: dict[str, Any] = reason.get("args") or {}
            if reason.get("code") == "OVERRULED" and given.get("by"):
                kind = "question" if given.get("question") else "action"
                found[str(given["by"]), str(reason.get("rule")), kind, str(given.get(kind))] += 1
    return found


@growing
def acts_naming(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the acts, but for proposals and ballots, that name a rule, by the number that they say."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        given = entry.get("with") or {}
        if (
            not entry.get("by")
            or was_refused(entry)
            or "changes" in given
            or entry.get("do") == "vote"
            or voted_on(entry)
        ):
            continue
        texts = [(name, value) for name, value in given.items() if isinstance(value, str)]
        numbers = (number for name, value in texts for number in ([value] if name == "rule" else numbers_in(value)))
        for number in dict.fromkeys(numbers):
            found.setdefault(number, []).append(entry)
    return found


def cited_in(here: Here, uid: str) -> Iterator[Html]:
    """Yield the votes that a rule decided, the rules that yielded or prevailed, and the acts that name it."""
    view = here.view
    if names := view.index(decided_by).get(uid):
        told = counted(len(names), "It decided {count} vote", "It decided {count} votes")
        yield join([told, ": ", join(map(here.proposal, names[:MOST]), ", "), ", …" if len(names) > MOST else ""])
    asked = {"question": "the question “{what}”", "action": "how to {what}"}
    ordered = sorted(view.index(conflicts).items(), key=lambda each: (-each[1], each[0]))
    for message, place in (("It prevailed over {rule} on {what} ({times})", 0),
                           ("It yielded to {rule} on {what} ({times})", 1)):  # fmt: skip
        for (*rules, kind, what), count in ordered:
            if rules[place] == uid:
                words = sentence(asked[kind], what=phrase(humane(what)))
                times = counted(count, "{count} time", "{count} times")
                yield sentence(message, rule=here.rule(rules[1 - place]), what=words, times=times)
    yield from _naming(here, uid)


def _naming(here: Here, uid: str) -> Iterator[Html]:
    """Yield the newest acts that name a rule, and how many more do."""
    view = here.view
    numbers = dict.fromkeys((uid, view.number(uid), *view.former_numbers(uid)))
    meant = [number for number in numbers if view.uids.get(number) == uid]
    known = {int(each["seq"]): each for number in meant for each in view.index(acts_naming).get(number, ())}
    newest = [known[seq] for seq in sorted(known, reverse=True)]
    for entry in newest[:MOST]:
        words = words_of(here, entry) if entry.get("do") != "state" else ""
        yield join([here.moment(entry.get("at")), ": ", act(here, entry), " ", here.entry(entry.get("seq")), words])
    if len(newest) > MOST:
        yield counted(len(newest) - MOST, "{count} earlier act names it, too", "{count} earlier acts name it, too")


def words_of(here: Here, entry: Document) -> Html:
    """Return what somebody wrote who acted: the texts among the arguments of the act, as quotations."""
    do, given = str(entry.get("do")), entry.get("with") or {}
    declared = here.view.declared("actions").get(do, ("", KERNEL_DECLARATIONS.get(do) or {}))[1]
    texts = [name for name, spec in (declared.get("arguments") or {}).items() if spec.get("type") == "text"]
    return join(el("blockquote", phrase(str(given[name]))) for name in texts if given.get(name))
