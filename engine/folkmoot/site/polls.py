"""What a proposal would change, in words, and how the vote on it stands or ended, as far as that is shown by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Document, Proposal
from folkmoot.core.event_names import makes_law
from folkmoot.core.proposal_numbers import handle
from folkmoot.game.status import deadline
from folkmoot.kernel.ballot_words import CHOICES, verdict_of
from folkmoot.language.tree import hook_names
from folkmoot.wording.game_view import GameView, lists_by_key
from folkmoot.wording.markup import Html, counted, el, escape, join, sentence, shortened
from folkmoot.wording.page_links import Here, humane, kind_folder, titled
from folkmoot.wording.prose import phrase

SIDES = {"approve": "y", "request_changes": "n", "": "o"}
"""On which side of a bar a choice stands, by the review that says it."""
OPEN, DECIDED, RULES = "open", "decided", "counted"
"""The anchors of the sections of a list."""
COUNTED, STANDING, CHOOSING = "counted:", "standing:", "choices:"
"""Begin the keys, the id of an open vote behind them, of what the law would say of it if it were counted now, of how it
says that it stands, and of the words by which one votes on it."""


class VoteShare(Struct, frozen=True):
    """How many ballots said something, or are missing: on which side (y, n, o, w) and how wide, of a hundred parts."""

    words: str
    count: int
    side: str
    width: int


class Badge(Struct, frozen=True):
    """A small label: its class (for, against, open, wait), and what it says."""

    kind: str
    words: Html | str


def name_of(proposal: Proposal) -> str:
    """Return how a proposal is called: "Proposal 305", or without a number "Proposal x12"."""
    return f"{titled(kind_of(proposal))} {handle(proposal)}"


def kind_of(proposal: Proposal) -> str:
    """Return of which kind of what is voted on something is."""
    return str(proposal.get("kind") or PROPOSAL)


def index_path(kind: str) -> str:
    """Return the path of the page that lists the newest of a kind of votable things."""
    return f"{kind_folder(kind)}/index.md"


def for_first(pair: tuple[str, int]) -> tuple[int, str]:
    """Return by what choices are sorted: those for it first."""
    return (list(SIDES).index(verdict_of(pair[0])), pair[0])


def weighed(view: GameView, proposal: Proposal) -> dict[str, int]:
    """Return how much the ballots that count weigh by choice, those for it first; one calls for the other side."""
    sums: dict[str, int] = {}
    for ballot in (proposal.get("ballots") or {}).values():
        if ballot.get("counts", True):
            choice, weight = str(ballot.get("choice") or ""), ballot.get("weight")
            sums[choice] = sums.get(choice, 0) + max(0, int(1 if weight is None else weight))
    known = view.answers.get(f"{CHOOSING}{proposal.get('id')}") or (CHOICES if sums.keys() & {*CHOICES[:2]} else ())
    for choice in filter(verdict_of, map(str, known)):
        sums.setdefault(choice, 0)
    return dict(sorted(sums.items(), key=for_first))


def choices(view: GameView, proposal: Proposal) -> tuple[VoteShare, ...]:
    """Return what stands on the bar of a vote; while ballots are not displayed, only how many there are."""
    ballots = proposal.get("ballots") or {}
    missing = [voter for voter in proposal.get("electorate") or () if voter not in ballots]
    unvoted = "not yet" if proposal.get("state") == "open" else "did not vote"
    if view.displays(str(proposal.get("id"))):
        found = [(choice, n, SIDES[verdict_of(choice)]) for choice, n in weighed(view, proposal).items()]
    else:
        found = [("voted", len(ballots), "o")]
    found += [(unvoted, len(missing), "w")] if missing else []
    whole = sum(count for _words, count, _side in found)
    return tuple(VoteShare(words, n, side, round(100 * n / whole)) for words, n, side in found) if whole else ()


def score(view: GameView, proposal: Proposal, between: str = "–") -> str:
    """Return the result in figures, as "6–0", else how many said what; "" while that is not shown or nobody voted."""
    if not proposal.get("ballots") or not view.displays(str(proposal.get("id"))):
        return ""
    found = weighed(view, proposal)
    sides = [verdict_of(choice) for choice, n in found.items() if n or verdict_of(choice)]
    if sides[:2] == [*SIDES][:2] and "approve" not in sides[2:] and "request_changes" not in sides[2:]:
        yes, no, *others = ((n, choice) for choice, n in found.items())
        return ", ".join([f"{yes[0]}{between}{no[0]}", *(f"{n} {choice}" for n, choice in others if n)])
    return ", ".join(f"{n} {choice}" for choice, n in found.items() if n)


def badge(here: Here, proposal: Proposal, *, figures: bool = False) -> Badge:
    """Return what became of a proposal, else how it stands; with `figures` the result, else the day."""
    outcome, state = proposal.get("outcome"), str(proposal.get("state") or "pending")
    if outcome:
        told = score(here.view, proposal) if figures else decided_on(here, proposal)
        kind = "good" if makes_law(outcome, here.view.outcomes) else "bad"
        return Badge(kind, join([phrase(humane(outcome)), *([" ", told] if told else [])]))
    if state == "open":
        due = None if figures else due_of(here.view, proposal)
        when = el("span", here.moment(due), class_="due-time")
        return Badge("open", sentence("open until {when}", when=when) if due else "open")
    if state == "closed":
        return Badge("wait", "result awaited")
    by_vote = kind_of(proposal) == PROPOSAL and here.view.index(rules_that_count)["adopted"]
    return Badge("wait", "not open yet" if by_vote else "not decided yet")


def due_of(view: GameView, proposal: Proposal) -> int | None:
    """Return when an open vote ends; only pages of open votes look at timers and duties, which each act may change."""
    if proposal.get("state") != "open":
        return None
    return deadline({key: view.document(key) for key in ("game", "things/timer", "things/duty")}, proposal)


def decided_on(here: Here, proposal: Proposal) -> Html:
    """Return the day on which something was decided, nothing where nobody knows."""
    return dated(proposal, "decided", here.day(proposal.get("resolved_at")), unknown="")


def dated(proposal: Proposal, part: str, told: Html, *, unknown: str = "time not known") -> Html:
    """Return a time, as exactly as it is known: in words where a vote from before the game is dated so."""
    past = proposal.get("taken_over")
    words = past.get("dated", {}).get(part) if past else None
    return phrase(unknown if words == "unknown" else words) if words else told


def told(view: GameView, proposal: Proposal) -> str:
    """Return what has to be said of a vote beside its figures."""
    if not proposal.get("electorate") and not proposal.get("ballots"):
        return "" if proposal.get("outcome") else "Nobody can vote yet."
    if not view.displays(str(proposal.get("id"))):
        sealed = "The ballots are sealed, and all open at the count."
        return sealed if proposal.get("sealed") else "How is shown after the count, with the reasons."
    return "" if proposal.get("ballots") or not proposal.get("outcome") else "Nobody voted."


# -- what is looked up of all that is voted on


def outcomes_by_kind(view: GameView) -> dict[str, dict[str, int]]:
    """Return how often which outcome came of what was voted on, by its kind; "" is none yet."""
    several = lists_by_key((kind_of(each), str(each.get("outcome") or "")) for each in view.proposals.values())
    return {kind: dict(Counter(outcomes)) for kind, outcomes in several.items()}


def rules_that_count(view: GameView) -> dict[str, list[str]]:
    """Return the rules in force that may say whether a vote adopts something, in order, as `adopted`."""
    scripts = ((uid, str(view.rule(uid).get("script") or "")) for uid in view.ranked)
    return {"adopted": [uid for uid, script in scripts if "decide_adopted" in hook_names(script)]}


# -- what a proposal changes

MOST = 3
"""How many rules are named in a sentence."""
DEEDS = {
    "enact": ("make a new rule", "a new rule"),
    "once": ("have something done once", "something that is done once"),
    "amend": ("amend {rules}", "amends {rules}"),
    "repeal": ("repeal {rules}", "repeals {rules}"),
    "retitle": ("rename {rules}", "renames {rules}"),
    "transmute": ("make {rules} {to}", "makes {rules} {to}"),
}
"""What is done with rules, as what somebody wants to do and as what a proposal does, by the kind of the change."""


def intent(here: Here, proposal: Proposal) -> Html:
    """Return who wants to change what, or wanted where it is decided."""
    author = here.player(proposal.get("author")) or escape("Somebody")
    deeds = listed([*_deeds(here, proposal)])
    if not deeds:
        return sentence("{author} proposed something that changes no rule.", author=author)
    said = "{author} wanted to {deeds}." if proposal.get("outcome") else "{author} wants to {deeds}."
    return sentence(said, author=author, deeds=deeds)


def listed(parts: Sequence[object]) -> Html:
    """Return parts of a sentence with commas, and a word before the last."""
    return join([join(parts[:-1], ", "), " ", "and", " ", parts[-1]]) if len(parts) > 1 else join(parts)


def _deeds(here: Here, proposal: Proposal) -> Iterator[Html]:
    """Yield what a proposal would do, what is done alike with several rules at once."""
    groups = lists_by_key(((_form(each), str(each.get("to"))), each) for each in proposal.get("changes") or ())
    for (form, _to), changes in groups.items():
        if form == "enact" and len(changes) > 1:
            yield counted(len(changes), "make {count} new rule", "make {count} new rules")
            continue
        alone = len(groups) == len(changes) == 1
        rules = [rule_then(here, proposal, each, titled=alone) for each in changes[:MOST]]
        more = len(changes) - MOST
        yield _deed(changes[0], 0, listed([*rules, *([f"{more} more"] if more > 0 else [])]))


def change_told(here: Here, proposal: Proposal, change: Document, *, titled: bool = False) -> Html:
    """Return what a change does, the rule with its number of then, and its title where that is wanted."""
    return _deed(change, 1, rule_then(here, proposal, change, titled=titled))


def _deed(change: Document, person: int, rules: Html) -> Html:
    form = _form(change)
    said = DEEDS.get(form, ("{kind} {rules}", "{kind} {rules}"))[person]
    return sentence(said, rules=rules, kind=phrase(humane(form)), to=phrase(str(change.get("to") or "")))


def _form(change: Document) -> str:
    kind = kind_of_change(change)
    return "once" if kind == "enact" and parts_of(change).get("once") else kind


def kind_of_change(change: Document) -> str:
    """Return what a change does with a rule: enact, amend, repeal, transmute or retitle."""
    return str(change.get("kind") or next(iter(change), "change"))


def parts_of(change: Document) -> Document:
    """Return the new parts of a rule that a change brings."""
    whole = {name: value for name, value in change.items() if name not in ("kind", "rule", "revision", "to")}
    found: Document = change.get("parts") or change.get("enact") or whole
    return found


def before_and_after(view: GameView, proposal: Proposal, change: Document) -> tuple[Document, Document]:
    """Return a rule as it was when a change was made, and as the change would have it; nothing for none."""
    kind = kind_of_change(change)
    if kind == "enact":
        return {}, parts_of(change)
    before = _wording_before(view, proposal, change)
    return before, {**before, "repealed": True} if kind == "repeal" else {**before, **parts_of(change)}


def _wording_before(view: GameView, proposal: Proposal, change: Document) -> Document:
    """Return the rule that a change is about, as it was when the change was made."""
    uid = view.uids.get(str(change.get("rule")), str(change.get("rule")))
    resolved = view.resolved_by.get(str(proposal.get("id")))
    made_on = [each for each in view.wordings(uid) if each.get("revision") == change.get("revision")]
    return made_on[-1] if made_on else view.text_before(uid, resolved["seq"] if resolved else None)


def rule_then(here: Here, proposal: Proposal, change: Document, *, titled: bool = False) -> Html:
    """Return a link to the rule that a change is about, by the number that it had then, and its title of then."""
    if not change.get("rule"):
        return Html("")
    before = _wording_before(here.view, proposal, change)
    uid = here.view.uids.get(str(change["rule"]), str(change["rule"]))
    named = f"rule {before.get('rule') or here.view.number(uid)}"
    if titled and before.get("title"):
        return here.rule(uid, join([named, ", ", phrase(shortened(str(before["title"])))]))
    return here.rule(uid, named)
