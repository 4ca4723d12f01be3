"""Votes: opened, ballots cast and weighed, the electorate while the vote is open, closed."""

from __future__ import annotations

from typing import Any

from folkmoot.core.documents import Ballot, Proposal
from folkmoot.core.keys import proposal_key
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import ScriptRecord
from folkmoot.core.values import in_a_row, sealed_number, told
from folkmoot.kernel import sealed_data
from folkmoot.kernel.answers import (
    ask_usable,
    check_permission,
    check_write,
    find_proposal,
    flaw_of_counting,
    flaw_of_switch,
    flaw_of_weights,
    flaw_of_words,
    tell,
    to_record,
)
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.clock import voted
from folkmoot.kernel.errors import Fault, Refusal, refusing
from folkmoot.kernel.play import Play, kind_of
from folkmoot.kernel.proposals import OF_VOTES, check_handling, decide, set_fields
from folkmoot.kernel.roster import is_own_act, is_player
from folkmoot.kernel.script_records import ballot_record
from folkmoot.kernel.things import things
from folkmoot.language.declarations import host

VOTED_ON = ("open", "closed")
LONGEST_REASON = 8_000  # characters of the reason of a sealed ballot


@host("proposals", "open_voting(proposal: ref) -> proposal", asks_first=check_handling, effects={"open": OF_VOTES})
def open_voting(play: Play, ref: Any) -> ScriptRecord:
    """Open the vote; the electorate is asked and kept.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    """
    play.writing("open a vote")
    proposal = find_proposal(play, ref)
    if proposal["state"] != "pending":
        raise Refusal("E-ORDER", f"{called(proposal)} is {proposal['state']}, not pending", play.cite())
    answer = ask_usable(play, "electorate", flaw_of_words, to_record(play, proposal))[1]
    if answer is None:
        play.reason("NO-ANSWER", question="electorate")
        answer = things(play, "player")
    displayed = ask_usable(play, "ballots_displayed", flaw_of_switch, to_record(play, proposal))[1]
    sealed = ask_usable(play, "ballots_sealed", flaw_of_switch, to_record(play, proposal))[1]
    set_fields(play, proposal, state="open", opened_at=play.now, electorate=answer)
    how = {"sealed": True} if sealed else {"displayed": True} if displayed else {}
    for field in how:
        set_fields(play, proposal, **{field: True})
    play.effect("open", of=proposal["id"], electorate=answer, **how)
    tell(play, "voting_opened", proposal)
    return to_record(play, proposal)


def choices_of(play: Play, proposal: Proposal) -> list[str]:
    """Return the words by which one votes on a proposal; none where the law allows any."""
    choices = ask_usable(play, "choices", flaw_of_words, to_record(play, proposal))[1]
    return CHOICES if choices is None else list(choices)


def vote(play: Play, player: str, ref: Any, kind: str, choice: Any, reason: str, *, deemed: bool = False) -> None:
    """Take a ballot that a player casts, sealed where ballots are; raises Refusal with the code that says why not."""
    with refusing(code="E-NO-SUCH"):
        proposal = find_proposal(play, ref, kind)
    if proposal["state"] == "pending":
        raise Refusal("E-ORDER", f"the vote on {called(proposal)} is not open yet")
    if proposal["state"] != "open":
        raise Refusal("E-TIME", f"the vote on {called(proposal)} is over")
    if proposal.get("sealed"):
        if sealed_number(choice) is None or reason:
            why = f"the ballots on {called(proposal)} are sealed until the count: what was said in clear counts for"
            raise Refusal("E-SEALED", f"{why} nothing; moot vote --sealed seals one")
    elif sealed_number(choice) is not None:
        raise Refusal("E-SEALED", f"the ballots on {called(proposal)} are not sealed; say in clear how you vote")
    choices = choices_of(play, proposal)
    if choices and choice not in choices and not proposal.get("sealed"):
        listed = in_a_row(choices, what="more: `moot explain action vote --json`")
        raise Refusal("E-ARGS", f"{told(choice)} is no choice of vote here; choose {listed}")
    if player not in (proposal["electorate"] or ()):
        raise Refusal("E-NOT-PLAYER", f"{player} has no vote on {called(proposal)}", _whose_electorate(play, proposal))
    cast(play, proposal, player, choice, reason, deemed=deemed)


def flaw_of_sealed_ballot(play: Play, proposal: Proposal, content: Any) -> str:
    """Return why what was sealed is no ballot on a proposal (`{choice, reason}`), "" where it is one."""
    if not isinstance(content, dict) or not {"choice"} <= content.keys() <= {"choice", "reason"}:
        return "it is no ballot"
    if not all(isinstance(word, str) and len(word) <= LONGEST_REASON for word in content.values()):
        return "its parts must be text"
    choices = choices_of(play, proposal)
    return "" if not choices or content["choice"] in choices else "it is no choice of this vote"


def _whose_electorate(play: Play, proposal: Proposal) -> str | None:
    return ask_usable(play, "electorate", flaw_of_words, to_record(play, proposal))[0]


@host(
    "proposals",
    'cast(proposal: ref, player, choice: str, reason: str = "", deemed: bool = False) -> proposal',
    effects={"ballot": OF_VOTES},
)
def cast_for(play: Play, ref: Any, player: str, choice: str, reason: str, deemed: bool) -> ScriptRecord:
    """Enter a ballot for a player, for instance a deemed abstention.

    It is deemed, whatever is asked, unless the rule carries out an act of the voter's own.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    | cast(p, a.by, "for", reason = "I like waves")
    """
    own = is_own_act(play, player)
    if not own:
        _check_write(play, ref, "ballots", choice)
    cast(play, ref, player, choice, reason, deemed or not own)
    return to_record(play, find_proposal(play, ref))


def _check_write(play: Play, ref: Any, name: str, to: str) -> None:
    proposal = find_proposal(play, ref)
    check_write(play, proposal["id"], proposal["kind"], name, None, to)


def cast(play: Play, ref: Any, player: str, choice: Any, reason: str, deemed: bool) -> None:
    """Enter a ballot, replacing the voter's earlier one; the law says whether it counts."""
    proposal = _voted_on(play, ref, "cast a ballot")
    if player not in (proposal["electorate"] or ()):
        citing = _whose_electorate(play, proposal) or play.cite()
        raise Refusal("E-NOT-PLAYER", f"{player} has no vote on {called(proposal)}", citing)
    weight = weights(play, proposal, [player]).get(player, 1)
    sealed = sealed_number(choice)
    ballot = new_ballot(play, choice if sealed is None else "", reason, weight, deemed=deemed)
    if sealed is not None:  # whether it counts is asked when it is opened
        ballot["sealed"] = sealed
    else:
        ballot = _counted(play, proposal, player, ballot)
    play.documents.assign(proposal_key(proposal["id"]), proposal["ballots"], player, ballot)
    said = {"choice": choice} if sealed is None else {"sealed": sealed}
    noted = {**said, "counts": ballot["counts"], "why": ballot["why"] or None, "deemed": deemed or None}
    play.effect("ballot", of=proposal["id"], voter=player, **noted)
    voted(play, proposal["id"], [player])
    tell(play, "ballot_cast", proposal, ballot=ballot_record(player, ballot))
    _close_if_over(play, proposal)


def _counted(play: Play, proposal: Proposal, player: str, ballot: Ballot) -> Ballot:
    """Return a ballot with whether it counts, as the law says; raises Refusal where the law takes none."""
    asked = to_record(play, proposal), ballot_record(player, ballot)
    uid, answer = ask_usable(play, "ballot_counts", flaw_of_counting, *asked)
    check_permission(answer, "", uid)
    without = isinstance(answer, str) or answer is False
    return {**ballot, "counts": False, "why": answer or "it does not count"} if without else ballot


def _close_if_over(play: Play, proposal: Proposal) -> None:
    if proposal["state"] == "open" and ask_usable(play, "closed", flaw_of_switch, to_record(play, proposal))[1]:
        close_voting(play, proposal)


def new_ballot(play: Play, choice: str, reason: str = "", weight: int = 1, *, deemed: bool) -> Ballot:
    """Return a ballot that is cast now and counts."""
    return Ballot(choice=choice, reason=reason, at=play.now, weight=weight, counts=True, why="", deemed=deemed)


@host("proposals", "close_voting(proposal: ref) -> proposal", asks_first=check_handling, effects={"close": OF_VOTES})
def close_voting(play: Play, ref: Any) -> ScriptRecord:
    """Close the vote; what is decided follows from `adopted`.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    | close_voting(p)
    """
    play.writing("close a vote")
    proposal = find_proposal(play, ref)
    if proposal["state"] != "open":
        raise Refusal("E-ORDER", f"the vote on {called(proposal)} is not open", play.cite())
    set_fields(play, proposal, state="closed", closed_at=play.now)
    play.effect("close", of=proposal["id"])
    voted(play, proposal["id"])
    _open_ballots(play, proposal)
    _weigh(play, proposal)
    tell(play, "voting_closed", proposal)
    if proposal["state"] == "closed":
        decide(play, proposal)
    return to_record(play, proposal)


# -- the count


def _open_ballots(play: Play, proposal: Proposal) -> None:
    """Open all sealed ballots on a proposal at once; then ask of each whether it counts."""
    ballots, key = proposal["ballots"], proposal_key(proposal["id"])
    sealed = [voter for voter, ballot in ballots.items() if "sealed" in ballot]
    for voter in sealed:
        ballot = ballots[voter]
        values, number = sealed_data.values, ballot["sealed"]
        content = values.open_to_all(play, number, values.find(play, number))
        opened: Ballot = {**ballot, "choice": content["choice"], "reason": content.get("reason") or ""}
        play.documents.assign(key, ballots, voter, opened)
    for voter in sealed:
        try:
            judged = _counted(play, proposal, voter, ballots[voter])
        except Refusal as refusal:  # it was taken when nobody could read it
            judged = {**ballots[voter], "counts": False, "why": refusal.why or refusal.code}
            play.reason(refusal.code, refusal.rule, why=refusal.why, of=proposal["id"], voter=voter)
        if judged is not ballots[voter]:
            play.documents.assign(key, ballots, voter, judged)


def weights(play: Play, proposal: Proposal, players: list[str]) -> dict[str, int]:
    """Return how many votes the ballots of players are, where the law gives somebody other than one."""
    return ask_usable(play, "weights", flaw_of_weights, to_record(play, proposal), players)[1] or {}


def _weigh(play: Play, proposal: Proposal) -> None:
    """Measure the weight of every ballot anew, all by one question."""
    ballots = proposal["ballots"]
    found = weights(play, proposal, list(ballots)) if ballots else {}
    changed = {voter: found.get(voter, 1) for voter in ballots if found.get(voter, 1) != ballots[voter]["weight"]}
    if not changed:
        return
    key = proposal_key(proposal["id"])
    for voter, weight in changed.items():
        play.documents.assign(key, ballots, voter, {**ballots[voter], "weight": weight})
    play.effect("weigh", of=proposal["id"], values=changed)


@host("proposals", "recount(proposal: ref) -> proposal", effects={"weigh": OF_VOTES})
def recount(play: Play, ref: Any) -> ScriptRecord:
    """Measure the weight of every ballot anew, by `weights`, before the close does.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    | cast(p, a.by, "for")
    | recount(p)
    """
    proposal = _voted_on(play, ref, "count ballots anew")
    _weigh(play, proposal)
    _close_if_over(play, proposal)
    return to_record(play, proposal)


# -- the electorate


def _voted_on(play: Play, ref: Any, doing: str) -> Proposal:
    play.writing(doing)
    proposal = find_proposal(play, ref)
    if proposal["state"] not in VOTED_ON:
        raise Refusal("E-ORDER", f"{called(proposal)} is {proposal['state']}, not open", play.cite())
    return proposal


@host("proposals", "enrol(proposal: ref, voter) -> proposal", effects={"enrol": OF_VOTES})
def enrol(play: Play, ref: Any, voter: Any) -> ScriptRecord:
    """Give somebody a vote on a proposal whose vote was opened already: a player, or a thing that votes.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    | enrol(p, create("player", "dan"))
    """
    proposal = _voted_on(play, ref, "enrol a voter")
    if kind_of(play, voter) is None:
        raise Fault(f"there is no player or thing {told(voter)}", "E-NO-SUCH")
    if kind_of(play, voter) == "player" and not is_player(play, voter):
        raise Fault(f"{voter} plays no more", "E-NOT-PLAYER")
    electorate = proposal["electorate"] or []
    if voter not in electorate:
        _check_write(play, proposal, "electorate", voter)
        set_fields(play, proposal, electorate=[*electorate, voter])
        play.effect("enrol", of=proposal["id"], voter=voter)
    return to_record(play, proposal)


@host("proposals", "strike(proposal: ref, voter) -> proposal", effects={"strike": OF_VOTES})
def strike(play: Play, ref: Any, voter: Any) -> ScriptRecord:
    """Take somebody's vote on a proposal, and the ballot with it; the record keeps that it was cast.

    | p = submit("More waves", [{"enact": {"title": "Waves", "text": "There are waves."}}])
    | open_voting(p)
    | strike(p, a.by)
    """
    proposal = _voted_on(play, ref, "strike a voter")
    electorate = proposal["electorate"] or []
    if voter not in electorate:
        return to_record(play, proposal)
    _check_write(play, proposal, "electorate", voter)
    set_fields(play, proposal, electorate=[each for each in electorate if each != voter])
    cast_one = voter in proposal["ballots"]
    if cast_one:
        play.documents.remove(proposal_key(proposal["id"]), proposal["ballots"], voter)
    play.effect("strike", of=proposal["id"], voter=voter, counts=False if cast_one else None)
    voted(play, proposal["id"], [voter])
    _close_if_over(play, proposal)
    return to_record(play, proposal)
