"""`moot vote`: what a vote is on, by whatever number or none, and the ballot that is sent."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli.game_status import flawed
from folkmoot.cli.options import pull_number
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import played_game, player_here, remote_view_of, title_of, to_thread
from folkmoot.cli.terminal import Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, proposal_key, pull_here
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail
from folkmoot.core.proposal_numbers import called, find_by_name, handle
from folkmoot.core.records import Shown
from folkmoot.core.values import in_a_row
from folkmoot.files.typed_words import read_word
from folkmoot.game.session import Session
from folkmoot.game.status import choices_of, decider_of
from folkmoot.kernel.ballot_words import CHOICES, Typed, plain, read_words
from folkmoot.player.answers import dangers_said, flaws_said
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.sealing import require_open_ballots
from folkmoot.player.voting import REVIEWS, Ballot, ballot_on, game_of, game_of_pull, proposal_of, vote_line

UNSENT = "nothing was sent"


class VoteRequest(How, frozen=True, kw_only=True):
    """What was typed: the `words` of a vote, and what it is `on` where that is named by its kind ({"petition": 3})."""

    words: tuple[str, ...]
    on: Shown
    game: str | None = None
    sealed: bool = False


class Target(Struct, frozen=True, kw_only=True):
    """What a vote is on, in which game ("" for none): a pull request, or a proposal; and the words that are left."""

    game: str
    words: tuple[str, ...]
    pull: PullSeen | None = None
    proposal: Proposal | None = None


def run_vote(
    terminal: Terminal, /, words: tuple[str, ...], proposal: tuple[str, ...], remote: str | None, **given: Any
) -> int:
    """Vote by the words that were typed."""
    if len(proposal) > 1:
        raise click.UsageError("Vote on one thing at a time.")
    on = {kind or PROPOSAL: read_word(number) for kind, _, number in (each.rpartition("/") for each in proposal)}
    if not words:
        example = f"--{next(iter(on))} 34 yes" if on else "7 for"
        raise click.UsageError(f"Say {'CHOICE' if on else 'PULL and CHOICE'}, as in `moot vote {example}`.")
    return vote(terminal, remote, VoteRequest(words=words, on=on, **given))


def vote(terminal: Terminal, remote: str | None, request: VoteRequest) -> int:
    """Vote, unless the vote would not be taken."""
    view = remote_view_of(terminal, remote).look()
    if request.game is not None or not any(map(view.forge_of, view.games())):
        played_game(view, request.game)  # a name that is wrong is told, though a pull request says which game is meant
    target = target_of(terminal, view, request)
    with view.session(target.game) if target.game else nullcontext() as session:
        statement = _statement(terminal, view, session, target, sealed=request.sealed)
        return say(terminal, view, [session] if session else [], statement, request).code


# -- what it is on


def target_of(terminal: Terminal, view: RemoteView, request: VoteRequest) -> Target:
    """Return what a vote is on.

    Raises E-NO-SUCH, E-ORDER or a usage error where there is nothing of that number, or no number and several votes.
    """
    words, first = request.words, request.words[0].removeprefix("#")
    if request.on:
        game, (kind, number) = played_game(view, request.game), next(iter(request.on.items()))
        return Target(game=game, words=words, proposal=_named(view, game, kind, number))
    if not first.isdecimal():
        if len(words) == 2 and words[1].removeprefix("#").isdecimal():
            raise click.UsageError(f"The number stands first: `moot vote {words[1]} {shlex.quote(words[0])}`.")
        return _the_open_one(terminal, view, request)
    if len(words) == 1:
        raise click.UsageError(f"Say PULL and CHOICE, as in `moot vote {pull_number(first)} for`.")
    return _numbered(terminal, view, request, pull_number(first))


def _numbered(terminal: Terminal, view: RemoteView, request: VoteRequest, number: int) -> Target:
    """Return what has a number: an open pull request, else the proposal that came by it, else the one of that number.

    That one is met in its own pull request, where it has one that is open.
    """
    seen, words, own = view.pull(number), request.words[1:], proposal_of(view, number)
    is_open = seen is not None and seen.state == "open"
    found = next((each for each in _undecided(view) if str(handle(each[1])) == str(number)), None)
    if own is not None and not is_open and (game := game_of(view, own["id"], own)):
        found = game, own
    if found is None or is_open or view.moved:
        pull = view.wanted(number)
        if found is not None and found[1] != own:
            other = f"`moot vote --{found[1]['kind']} {number} {shlex.quote(words[0])}`"
            terminal.note(f"Mind: this is on pull request {number}; on {called(found[1])} it is {other}.")
        return Target(game=game_of_pull(view, pull, request.game), words=words, pull=pull)
    target = _met(view, *found, words)
    if target.pull is not None:
        terminal.note(f"{called(found[1]).capitalize()} is pull request {target.pull.number}.")
    return target


def _met(view: RemoteView, game: str, proposal: Proposal, words: tuple[str, ...]) -> Target:
    """Return a vote on a proposal in its open pull request where its game is played, or by its number."""
    via = pull_here(proposal, view.record(game).kept(GAME))
    pull = view.pull(via) if via else None
    if pull is not None and pull.state == "open":
        return Target(game=game, words=words, pull=pull)
    return Target(game=game, words=words, proposal=proposal)


def _undecided(view: RemoteView, game: str | None = None) -> Iterator[tuple[str, Proposal]]:
    """Yield what is not decided in the games that are played here (or in one), with the name of its game."""
    for name in [game] if game else view.games():
        if view.forge_of(name) is not None:
            record = view.record(name)
            proposals = (record.archive(proposal_key(str(each))) for each in record.kept(GAME).get("open") or ())
            yield from ((name, proposal) for proposal in proposals if proposal)


def _the_open_one(terminal: Terminal, view: RemoteView, request: VoteRequest) -> Target:
    """Return the only vote that is open, or the only proposal that awaits somebody's decision, and no vote.

    Raises a usage error that lists them, where there are several, or none.
    """
    undecided = list(_undecided(view, request.game and played_game(view, request.game)))
    found = [(game, each) for game, each in undecided if each["state"] == "open" or _is_for_one(view, game, each)]
    if len(found) == 1:
        terminal.say(f"This is on {called(found[0][1])}, “{found[0][1]['title']}”.")
        return _met(view, *found[0], request.words)
    if not undecided:
        raise click.UsageError("No vote is open. `moot status` shows what there is.")
    commands = []
    for game, each in found or undecided:
        pull = _met(view, game, each, request.words).pull
        on = str(pull.number) if pull else f"--{each['kind']} {handle(each)}"
        commands.append(f"`moot vote {on} {shlex.join(request.words)}` ({each['title']})")
    why = "Say on which you vote" if found else "No vote is open; a vote waits until one opens"
    raise click.UsageError(f"{why}: {'; '.join(commands)}.")


def _is_for_one(view: RemoteView, game: str, proposal: Proposal) -> bool:
    """Say whether a proposal awaits the decision of whoever holds an office, and no votes."""
    with view.session(game) as session:
        return decider_of(session, proposal) is not None


def _named(view: RemoteView, game: str, kind: str, number: Any) -> Proposal:
    """Return a proposal by its kind and number; raises E-NO-SUCH for none, and E-ORDER for one that is decided."""
    found: Proposal | None = find_by_name(view.record(game).archive, f"{kind}/{number}")
    if found and not found["outcome"]:
        return found
    others = [f"`moot vote --{each['kind']} {handle(each)} CHOICE`" for _, each in _undecided(view, game)]
    hint = f"undecided: {in_a_row(others)}" if others else "nothing is voted on; `moot status` shows what is open"
    if found:
        raise fail("E-ORDER", f"{kind} {number} is {found['outcome']} already", None, hint)
    raise fail("E-NO-SUCH", f"there is no {kind} {number} in {game}", None, hint)


# -- the ballot


def checked_choice(words: Sequence[str], choices: list[str], *, by_review: bool = True, on: str = "") -> Typed:
    """Return choice and reason by the choices of a vote; `for` and `against` may be meant as a review of any of it.

    Raises E-ARGS for words that are no choice, or might be two.
    """
    typed = read_words(words, choices)
    if typed.flaw:
        raise fail("E-ARGS", typed.flaw, None, UNSENT)
    if not choices or typed.choice in choices:
        return typed
    if by_review and plain(words[0]) in REVIEWS:  # of which the law makes what it likes
        return Typed(plain(words[0]), " ".join(words[1:]).strip())
    by_letters = {choice.lower(): choice for choice in choices}
    near = by_letters.get(meant_by(typed.choice.lower(), by_letters))
    hint = f"did you mean {near}?" if near else f"{UNSENT}; as in `moot vote {on or 'PULL'} {shlex.quote(choices[0])}`"
    listed = in_a_row(map(shlex.quote, choices), what="more: `moot explain action vote --json`")
    raise fail("E-ARGS", f"{typed.choice!r} is no choice of vote here; choose {listed}", None, hint)


def _statement(
    terminal: Terminal, view: RemoteView, session: Session | None, target: Target, *, sealed: bool
) -> Statement:
    """Return what is sent as a vote: sealed where the law has it so, which may be demanded."""
    pull, proposal, choices, box = target.pull, target.proposal, CHOICES, ""
    if session is not None:
        proposal = proposal_of(view, pull.number) if pull else proposal
        choices = choices_of(session, proposal["id"]) if proposal and not proposal["outcome"] else CHOICES
    is_sealed = session is not None and proposal is not None and bool(proposal.get("sealed"))
    if sealed and not is_sealed:
        hint = f"{UNSENT}; without --sealed it goes in clear, for everybody to read"
        raise fail("E-SEALED", "ballots on this are not sealed", None, hint)
    typed = checked_choice(target.words, choices, by_review=pull is not None, on=str(pull.number) if pull else "")
    if session is not None:
        require_open_ballots(session, proposal)
    if session is not None and proposal is not None and is_sealed:
        from folkmoot.player.hand import keeper_recipient, seal_ballot

        name, key = session.record.name, keeper_recipient(session).fingerprint
        terminal.say(f"Sealed to the keeper of {name}, whose key is {key}; it opens at the count.")
        me = player_here(view, name) or view.person.id
        box = seal_ballot(session, me, proposal, typed.choice, typed.reason)
    said = (box, "", []) if box else (typed.choice, typed.reason, choices)
    if pull is not None:
        return _on_pull(view, pull, typed, ballot_on(view, pull, *said))
    assert proposal is not None
    on = {proposal["kind"]: handle(proposal)}
    line = vote_line(said[0], on, *said[1:])
    return Statement(
        letters=[to_thread(view, target.game, line)],
        record={"game": target.game, "choice": typed.choice, **on, "line": line},
        sentences=[f"Voted {typed.choice} on {called(proposal)}: `{line}` on the thread of {target.game}."],
    )


def _on_pull(view: RemoteView, pull: PullSeen, typed: Typed, ballot: Ballot) -> Statement:
    """Return a ballot on a pull request as it is sent, with what whoever votes on it is to know of it."""
    flaws = flaws_said(view, pull.number)
    said = flawed(flaws) if flaws else ""
    notes = [f"Mind: {said[0].lower()}{said[1:]}"] if said else []
    notes += [f"Mind: once it is law, {danger}" for danger in dangers_said(view, pull.number)]
    if ballot.newer:
        notes.append(
            f"Mind: newer content was pushed to pull request {pull.number} since; your vote is on the older, which is "
            "voted on."
        )
    record = {"pull": pull.number, "title": pull.title, "choice": typed.choice, "head": ballot.head}
    return Statement(
        letters=[ballot.letter],
        record={**record, "newer_content": ballot.newer},
        sentences=[f"Voted {typed.choice} on {title_of(pull)}, as it stands at {ballot.head[:12]}."],
        notes=notes,
    )
