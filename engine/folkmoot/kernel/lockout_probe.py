"""The lock-out probe: play on with a proposal adopted, in a trial, and see whether a harmless one can still pass.

The trial knows no game. It tries what the law offers: actions that take in rule-changes, those without arguments and
some that need only what it can name, votes of everybody by each of the words that one votes by, and the passing of
time, as long as the budget of an event lasts. Where a guard that fails is in the way, it tries whether that rule can be
mended. Nothing of it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, product
from typing import Any

from folkmoot.core.documents import Change, Document, Proposal
from folkmoot.core.event_names import ADOPTED, DEFEATED
from folkmoot.core.keys import GAME, LAW, rule_key
from folkmoot.core.records import Arguments, ProposedChange
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.kernel import acts, clock, proposals, voting
from folkmoot.kernel.act_declarations import VOTE, argument_for_changes
from folkmoot.kernel.adoption import apply_changes
from folkmoot.kernel.answers import find_proposal
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.budget import PER_EVENT, Budget
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds
from folkmoot.kernel.failed_guards import refuses_acts
from folkmoot.kernel.hook_calls import veil
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import normalise
from folkmoot.kernel.things import canonical_digest, holder, things
from folkmoot.language.host_functions import host

MOST_ROUNDS = 300
MOST_CHOICES = 8
LOCKED = "no way was found to adopt even a harmless rule-change"
HARMLESS = "A harmless trial"
TRIAL = "This sentence changes nothing."
MECHANICS = ("script", "defines", "actions", "timers", "settings", "precedence", "sealed", "about")


@host("proposals", "locks_out(proposal: ref) -> str", looks=True)
def locks_out(play: Play, ref: Any) -> str:
    """Play on with the proposal adopted, in a trial: the reason why no rule-change could be adopted any more, or ''.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | announce(locks_out(p) or "the game could go on with it")
    """
    if play.probing:
        return ""
    proposal = find_proposal(play, ref)
    if not any(has_mechanics(play, change) for change in proposal["changes"]):
        return ""
    why = _tried(play, proposal, _trial)
    return "" if why and _tried(play, proposal, _without) else why


def _tried(play: Play, proposal: Proposal, trial: Callable[[Play, Proposal], str]) -> str:
    """Return what a trial says, which has the budget of one event and leaves nothing."""
    try:
        with apart(play, proposal), veil(play, proposal):
            return trial(play, proposal)
    except Overrun:
        return "the trial needs more than the budget of one event"


@contextmanager
def apart(play: Play, proposal: Proposal) -> Iterator[None]:
    """Try something on a game with a budget, chance and failures of its own, all of which is undone again.

    Nothing that is sealed is at hand meanwhile: what an event opens stands on record for ever.
    """
    kept = (play.now, play.chance, play.budget, play.actor, play.reasons, play.failures, play.queue, play.stashed)
    vault, opening, play.vault, play.open_vault = play.vault, play.open_vault, None, None
    pushed = (play.frames, play.scopes, play.questions, play.view, play.draft, play.law.used)
    mark = play.mark()
    play.budget, play.reasons, play.failures, play.queue = Budget(), [], [], []
    play.chance = open_chance(canonical_digest(proposal["changes"]), "probe")
    play.frames, play.scopes, play.questions, play.view, play.draft, play.law.used = [], [], [], None, None, []
    play.probing = True
    try:
        yield
    finally:
        play.probing = False
        play.now, play.chance, play.budget, play.actor, play.reasons, play.failures, play.queue, play.stashed = kept
        play.frames, play.scopes, play.questions, play.view, play.draft, play.law.used = pushed
        play.vault, play.open_vault = vault, opening
        play.rollback(mark)


def has_mechanics(play: Play, change: Change) -> bool:
    """Whether a change can alter how the game runs; what is only text cannot."""
    if change["kind"] == "transmute":
        return True
    before: Document = (play.documents.get(rule_key(change["rule"])) if change["rule"] else None) or {}
    return any(part.get(name) for part in (before, change.get("parts", {})) for name in MECHANICS)


def _trial(play: Play, proposal: Proposal) -> str:
    try:
        adopt(play, proposal)
        return "" if _passes(play) else f"after it, {LOCKED}"
    except PlayEnds:
        return ""


def _without(play: Play, proposal: Proposal) -> str:
    """Return why no rule-change could be adopted if a proposal were defeated: no change is blamed for what is so."""
    try:
        if not (proposal["id"].endswith("/draft") or proposal["outcome"]):
            proposals.resolve(play, proposal, DEFEATED, "trial")
            play.drain()
        return "" if _passes(play) else LOCKED
    except PlayEnds:
        return ""


def can_still_change(play: Play) -> bool:
    """Whether a harmless rule-change can be adopted as things are; nothing of it stays. Raises Overrun."""
    mark, now = play.mark(), play.now
    try:
        return _passes(play)
    except PlayEnds:
        return True
    finally:
        play.now = now
        play.queue.clear()
        play.rollback(mark)


def _passes(play: Play) -> bool:
    """Whether something harmless becomes law in play, or any other rule; else whether faulty rules can be mended."""
    if _passes_by_some_choice(play, []):
        return True
    failing = {failure["rule"] for failure in play.failures if refuses_acts(failure)}
    failing |= {uid for uid, _hook, _why in play.silenced.missing()}
    mending: list[ProposedChange] = [{"repeal": uid} for uid in play.law.in_force() if uid in failing]
    if mending:
        play.budget = Budget()
    return bool(mending) and _passes_by_some_choice(play, mending)


def _passes_by_some_choice(play: Play, changes: list[ProposedChange]) -> bool:
    """Play on with everybody voting by the first word, then from the start by the next, until something passes.

    The first has what is left of the budget; all others share that of one event.
    """
    mark, now, budget, place, offered = play.mark(), play.now, play.budget, 0, 1
    try:
        while place < min(offered, MOST_CHOICES):
            trial = _Trial(play, place, changes)
            if trial.passes():
                return True
            offered = max(offered, trial.offered)
            play.rollback(mark)
            play.queue.clear()
            play.now, place = now, place + 1
            parts = max(1, min(offered, MOST_CHOICES) - 1)
            play.budget = Budget(spent={what: limit - limit // parts for what, limit in PER_EVENT.items()})
        return False
    finally:
        play.budget = budget


def adopt(play: Play, proposal: Proposal) -> None:
    """Let the proposal be adopted: by its own resolution where it is known already, else by its changes alone."""
    if proposal["id"].endswith("/draft") or proposal["outcome"]:
        number = proposal["number"] if proposal["number"] is not None else 0
        apply_changes(play, {**proposal, "number": number or "probe"})
    else:
        proposals.resolve(play, proposal, ADOPTED, "trial")
    play.drain()


class _Trial:
    """Rounds of play in which everybody votes alike: by the word at a place among those that the law offers."""

    def __init__(self, play: Play, place: int, changes: list[ProposedChange]) -> None:
        """`changes` are to pass together; none: something harmless."""
        self.play, self.place, self.changes = play, place, changes
        self.offered = 1
        self.before = set(play.documents[LAW]["rules"])
        self.own: Proposal | None = None
        self.proposed: list[Change] = []
        self.vain = 0  # of the harmless changes were made, and undone at once

    def passes(self) -> bool:
        """Play rounds until something became law, nothing more happens, or the budget is spent. Raises Overrun."""
        for number in range(MOST_ROUNDS):
            try:
                if self.round() or self.has_new_rule():
                    return True
                if not _pass_time(self.play) or self.has_new_rule():
                    break
            except Overrun:
                if number == self.place == 0 and not self.changes:
                    raise
                break
        return self.has_new_rule()

    def has_new_rule(self) -> bool:
        """Whether any rule became law meanwhile, and is."""
        return any(uid not in self.before for uid in self.play.law.in_force())

    def round(self) -> bool:
        """Propose something and carry it through, then something else if that is undone; True when it became law."""
        while self.attempt():
            if self.is_made():
                return True
            self.vain += 1
        return False

    def attempt(self) -> bool:
        """Propose something and carry it through; True when it was adopted."""
        play, players = self.play, things(self.play, "player")
        mover = play.ask("mover")
        players = sorted(players, key=lambda player: player != mover)
        proposal = self.find() or self.propose(players)
        if proposal is None:
            _do_what_can_be_done(play, players, lambda: self.propose(players) is not None)
            proposal = self.find()
        if proposal is None:
            for identifier in list(play.documents[GAME]["open"]):
                self.vote(players, find_proposal(play, identifier))
            return False
        if proposal["state"] == "pending":
            _do_what_can_be_done(play, players, lambda: proposal["state"] != "pending")
        self.vote(players, proposal)
        return _is_law(play, proposal)

    def find(self) -> Proposal | None:
        """Return the trial's own proposal while it may still become law."""
        found = self.own or _find_harmless(self.play)
        if found is not None and found["outcome"] and not found.get("waits"):
            found = None
        self.own = found
        return found

    def propose(self, players: list[str]) -> Proposal | None:
        """Let somebody propose; the first who can."""
        play = self.play
        for changes in self.ways():
            for do in taking_in(play):
                for player in players:
                    self.proposed = normalise(play, changes)
                    for more in arguments_of(play, do):
                        if _try(play, do, player, {**more, "title": HARMLESS, "changes": changes}):
                            return self.find()
        return None

    def ways(self) -> list[list[ProposedChange]]:
        """Return what may be proposed, in the order in which it is tried."""
        ways = [self.changes] if self.changes else [[change] for change in _harmless_changes(self.play)]
        return ways[self.vain :]

    def is_made(self) -> bool:
        """Whether something of what was proposed is law, and not other changes in its place, or none."""
        assert self.own is not None
        proposal = self.own
        left_out = {omitted["change"] for omitted in proposal.get("omitted", ())}
        made = [change for place, change in enumerate(proposal["changes"]) if place not in left_out]
        wanted = [_essence(change) for change in self.proposed]
        return any((not wanted or _essence(change) in wanted) and self.stands(change) for change in made)

    def stands(self, change: Change) -> bool:
        """Whether a change that was made is still so: another rule may have undone it at once."""
        uid, parts = change["rule"], change.get("parts", {})
        if uid is None:
            return self.has_new_rule()
        rule = self.play.law.in_force().get(uid)
        if change["kind"] == "repeal":
            return rule is None
        return rule is not None and all(rule[0].get(name) == value for name, value in parts.items() if name == "text")

    def vote(self, players: list[str], proposal: Proposal) -> None:
        """Let everybody vote who has not."""
        if proposal["state"] != "open":
            return
        if proposal.get("sealed"):  # what all cast alike need not be sealed
            proposals.set_fields(self.play, proposal, sealed=False)
        choice = self.choice(proposal)
        for player in players:
            if proposal["state"] == "open" and player not in proposal["ballots"]:
                arguments = {"kind": proposal["kind"], "proposal": proposal["id"], "choice": choice}
                acts.attempt(self.play, VOTE, player, arguments, None)
                self.play.drain()

    def choice(self, proposal: Proposal) -> str:
        """Return the word by which everybody votes in this trial."""
        choices = voting.choices_of(self.play, proposal) or CHOICES
        choices = sorted(choices, key=lambda choice: choice != CHOICES[0])
        self.offered = max(self.offered, len(choices))
        return choices[min(self.place, len(choices) - 1)]


def _is_law(play: Play, proposal: Proposal) -> bool:
    """Whether a proposal became law, by whatever outcome the law says makes it so."""
    return bool(proposals.outcomes(play).get(proposal["outcome"] or "")) and not proposal.get("waits")


def _essence(change: Change) -> tuple[str, str | None, str | None]:
    """Return what a change is about, whatever the law puts beside it."""
    return change["kind"], change["rule"], change.get("parts", {}).get("text")


def _find_harmless(play: Play) -> Proposal | None:
    found = (find_proposal(play, identifier) for identifier in play.documents[GAME]["open"])
    return next((each for each in found if each["title"] == HARMLESS and each["author"] is not None), None)


def _harmless_changes(play: Play) -> list[ProposedChange]:
    """Return changes to try: a new rule, else another wording of one without mechanics, else its repeal."""
    found: list[ProposedChange] = [{"enact": {"title": HARMLESS, "text": TRIAL}}]
    plain = [uid for uid, (rule, _) in play.law.in_force().items() if not any(rule.get(part) for part in MECHANICS)]
    for uid in plain[-2:]:
        found += [{"amend": uid, "text": TRIAL}, {"repeal": uid}]
    return found


def _do_what_can_be_done(play: Play, players: list[str], done: Callable[[], bool]) -> None:
    """Let everybody do what gives nothing up until something is reached: first what needs no arguments."""
    for do, arguments in ways_to_act(play):
        for player in players[:MOST_VALUES] if arguments else players:
            mark, had = play.mark(), _to_lose(play)
            if _try(play, do, player, arguments):
                lost = had - _to_lose(play)  # all but a proposal that became law was given up
                if any(what != "proposal" or not _is_law(play, find_proposal(play, which)) for what, which in lost):
                    play.rollback(mark)
                elif done():
                    return


def _to_lose(play: Play) -> set[tuple[str, str]]:
    """Return what an act may give up: who plays, which offices are held, what is not decided."""
    held = {("office", office) for office in things(play, "office") if holder(play, office)}
    undecided = {("proposal", of) for of in play.documents[GAME]["open"]}
    return {("player", who) for who in things(play, "player")} | held | undecided


def _try(play: Play, do: str, player: str, arguments: Arguments) -> bool:
    """Let somebody do something; what ends the game opens no way to change the law, and is taken back."""
    mark = play.mark()
    declared = play.law.declared("actions")[do][1].get("arguments") or {}
    given = {name: value for name, value in arguments.items() if name in declared}
    try:
        done = acts.attempt(play, do, player, given, play.law.declared("actions")[do][1].get("as") or None)
        play.drain()
        return bool(done["ok"])
    except PlayEnds:
        play.rollback(mark)
        play.queue.clear()
        return False
    except Fault:
        return False


def _pass_time(play: Play) -> bool:
    """Let the next timer fire; False if none runs."""
    due = clock.next_of(play)
    if due is None:
        return False
    play.now = max(play.now, due[0])
    mark = play.mark()
    try:
        clock.fire(play, due[2])
        play.drain()
    except Fault:
        play.rollback(mark)
        return False
    return True


# -- acts that a trial can do of itself


MOST_VALUES = 4  # of one argument that are tried
MOST_WAYS = 8  # to fill all that an action needs
MOST_WITH_ARGUMENTS = 40


def taking_in(play: Play) -> list[str]:
    """Return the actions that take in rule-changes."""
    return [do for do, (_uid, declared) in play.law.declared("actions").items() if argument_for_changes(declared)]


def ways_to_act(play: Play) -> list[tuple[str, Arguments]]:
    """Return what can be tried beside proposing, with arguments: the fewer they need, the earlier."""
    others = [do for do, (_uid, declared) in play.law.declared("actions").items() if not _needs_changes(declared)]
    found = [(do, arguments) for do in others for arguments in arguments_of(play, do)]
    return sorted(found, key=lambda way: len(way[1]))[: len(others) + MOST_WITH_ARGUMENTS]


def _needs_changes(declared: ActionSpec) -> bool:
    """Whether an action cannot be done without rule-changes: one that may bring some, such as a last form, can."""
    arguments = (declared.get("arguments") or {}).values()
    return any(spec.get("type") == "changes" and not spec.get("optional") for spec in arguments)


def arguments_of(
    play: Play, do: str, guess: Callable[[Play, ArgumentSpec], list[Any]] | None = None
) -> list[Arguments]:
    """Return ways to fill what an action needs, beside changes and their title; none where nothing is known to try.

    `guess` gives values of what the law itself names none for.
    """
    declared = play.law.declared("actions")[do][1].get("arguments") or {}
    needed = {
        name: (_values(play, spec) or (guess(play, spec) if guess else []))[:MOST_VALUES]
        for name, spec in declared.items()
        if not spec.get("optional") and "default" not in spec and name != "title" and spec.get("type") != "changes"
    }
    filled = islice(product(*needed.values()), MOST_WAYS)
    return [dict(zip(needed, values, strict=True)) for values in filled]


def _values(play: Play, spec: ArgumentSpec) -> list[Any]:
    """Return values to try for an argument: those that are declared, or that there are."""
    kind = spec.get("type")
    if kind == "choice":
        return list(spec.get("of") or ())
    if kind == "player":
        return list(things(play, "player"))
    if kind == "proposal":
        return [find_proposal(play, each)["number"] for each in play.documents[GAME]["open"]]
    return [True, False] if kind == "boolean" else [max(1, spec.get("minimum", 1))] if kind == "integer" else []
