"""Voting from a clone: what a vote is on, by whatever number or none, whether it would count, and sending it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.cli.game_status import flawed
from folkmoot.cli.options import WORDS, pull_number
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import (
    addressed,
    no_voter,
    played_game,
    player_here,
    remote_view_of,
    title_of,
)
from folkmoot.cli.terminal import Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, proposal_key, pull_here
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import called, find_by_name, handle
from folkmoot.core.records import Shown
from folkmoot.core.values import in_a_row
from folkmoot.files.typed_words import read_word
from folkmoot.forges.local.letters import Letter
from folkmoot.game.session import Session
from folkmoot.game.status import choices_of, decider_of
from folkmoot.kernel.ballot_words import CHOICES, Typed, plain, read_words
from folkmoot.kernel.ballot_words import REVIEWS as REVIEW_WORDS
from folkmoot.player.answers import dangers_said, flaws_said
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.sealing import require_open_ballots
from folkmoot.player.voting import (
    REVIEWS,
    Ballot,
    ballot_on,
    decisions,
    game_of,
    game_of_pull,
    proposal_of,
    sealed_ballot_on,
    vote_line,
)

UNSENT = "nothing was sent"
SIGNS = {"approve": ("+1", "\N{THUMBS UP SIGN}", "y"), "request_changes": ("-1", "\N{THUMBS DOWN SIGN}", "n")}
"""What people type elsewhere to agree, or not."""


class VoteRequest(How, frozen=True, kw_only=True):
    """What was typed: the `words` of a vote, and what it is `on` where that is named by its kind ({"petition": 3})."""

    words: tuple[str, ...]
    on: Shown
    game: str | None = None
    sealed: bool = False


class Target(Struct, frozen=True, kw_only=True):
    """What a vote is on, in which game: a pull request, or what is named by its kind; and the words that are left."""

    game: str
    words: tuple[str, ...]
    pull: PullSeen | None = None
    on: Shown | None = None


def vote(terminal: Terminal, remote: str | None, request: VoteRequest) -> int:
    """Vote, unless the vote would not be taken."""
    view = remote_view_of(terminal, remote).look()
    if request.game is not None:
        played_game(view, request.game)  # a name that is wrong is told, though a pull request says which game is meant
    target = target_of(terminal, view, request)
    return _on_pull(terminal, view, target, request) if target.pull else _on_thread(terminal, view, target, request)


# -- what it is on


def target_of(terminal: Terminal, view: RemoteView, request: VoteRequest) -> Target:
    """Return what a vote is on.

    Raises E-NO-SUCH, E-ORDER or a usage error where there is nothing of that number, or no number and several votes.
    """
    first = request.words[0].removeprefix("#")
    if request.on and first.isdecimal():
        return _twice_named(view, request, int(first))
    if request.on:
        name = played_game(view, request.game)
        _checked_target(view, name, request.on)
        return Target(game=name, words=request.words, on=request.on)
    if first.isdecimal():
        return _numbered(terminal, view, request, pull_number(first))
    return _the_open_one(terminal, view, request)


def _twice_named(view: RemoteView, request: VoteRequest, number: int) -> Target:
    """Return a pull request that is named beside its proposal; raises a usage error where it is that of another."""
    (kind, name) = next(iter(request.on.items()))
    pull, proposal = view.pull(number), proposal_of(view, number)
    if pull and proposal and proposal["kind"] == kind and str(name) in (str(handle(proposal)), proposal["id"]):
        return _of_pull(view, request, _wanted(view, number, request.words[1:2]), request.words[1:])
    named = f"--{kind} {name}"
    came = f"which is {called(proposal)}" if proposal else "which is no proposal yet" if pull else "of which is none"
    raise click.UsageError(
        f"{number} would be a pull request, {came}, and {named} names something else: name one of them, as in "
        f"`moot vote {named} for`."
    )


def _numbered(terminal: Terminal, view: RemoteView, request: VoteRequest, number: int) -> Target:
    """Return what has a number: a pull request, else the one by which the proposal of that number came."""
    rest = request.words[1:]
    if not rest:
        raise click.UsageError(f"Say PULL and CHOICE, as in `moot vote {number} for`.")
    seen, proposal = view.pull(number), _undecided_numbered(view, number)
    via = _met(view, proposal) if proposal else 0
    if proposal is None or (seen is not None and (seen.state == "open" or via == number)):
        if proposal is not None and via != number:
            other = f"`moot vote --{proposal['kind']} {number} {shlex.quote(rest[0])}`"
            terminal.note(f"Mind: this is on pull request {number}; on {called(proposal)} it is {other}.")
        return _of_pull(view, request, _wanted(view, number, rest), rest)
    pull = view.pull(via) if via else None
    if pull is not None and pull.state == "open":
        terminal.note(f"{called(proposal).capitalize()} is pull request {pull.number}.")
        return _of_pull(view, request, pull, rest)
    return Target(game=game_of(view, proposal["id"], proposal), words=rest, on={proposal["kind"]: handle(proposal)})


def _met(view: RemoteView, proposal: Proposal) -> int:
    """Return in which pull request a proposal is met where its game is played, 0 for none."""
    game = game_of(view, proposal["id"], proposal)
    return pull_here(proposal, view.record(game).kept(GAME)) if game else 0


def _undecided_numbered(view: RemoteView, number: int) -> Proposal | None:
    """Return what is voted on, or will be, under a number, of whichever kind; None where nothing is."""
    found = (proposal for _, proposal in _undecided(view) if str(handle(proposal)) == str(number))
    return next(found, None)


def _undecided(view: RemoteView, game: str | None = None) -> Iterator[tuple[str, Proposal]]:
    """Yield what is not decided in the games that are played here (or in one), with the name of its game."""
    for name in [game] if game else view.games():
        if view.forge_of(name) is not None:
            record = view.record(name)
            for identifier in record.kept(GAME).get("open") or ():
                yield name, record.archive(proposal_key(str(identifier)))


def _the_open_one(terminal: Terminal, view: RemoteView, request: VoteRequest) -> Target:
    """Return the only vote that is open, or the only proposal that awaits somebody's decision, and no vote.

    Raises a usage error that lists them, where there are several, or none.
    """
    all_ = [(game, each) for game, each in _undecided(view, request.game and played_game(view, request.game)) if each]
    found = [(game, each) for game, each in all_ if each.get("state") == "open" or _is_for_one(view, game, each)]
    _refuse_swapped(view, request.words)
    if len(found) == 1:
        game, proposal = found[0]
        named = f"{called(proposal)}, “{proposal['title']}”"
        is_open = proposal.get("state") == "open"
        terminal.say(f"{'The open vote is that on' if is_open else 'What awaits a decision is'} {named}.")
        pull = view.pull(_met(view, proposal))
        if pull is not None and pull.state == "open":
            return Target(game=game, words=request.words, pull=pull)
        return Target(game=game, words=request.words, on={proposal["kind"]: handle(proposal)})
    usual = plain(request.words[0]) in {*CHOICES, *(word for words in REVIEW_WORDS.values() for word in words)}
    left = request.words if usual or len(request.words) == 1 else request.words[1:]  # without what is no number
    words = " ".join(map(shlex.quote, left))
    commands = [f"`{_command(view, game, each, words)}` ({each['title']})" for game, each in found or all_]
    commands = commands or [f"`moot vote {pull.number} {words}` ({pull.title})" for pull in view.pulls()]
    open_ = all(each["state"] == "open" for _, each in found)
    why = f"{len(found)} {'votes are open' if open_ else 'proposals await a decision'}" if found else "no vote is open"
    first = why.capitalize() if usual else f"{request.words[0]!r} is no number of a pull request, and {why}"
    if not commands:
        raise click.UsageError(f"{first}. `moot status` shows what there is.")
    then = "Say on which you vote" if found else "A vote waits until one opens"
    raise click.UsageError(f"{first}. {then}: {'; '.join(commands)}.")


def _is_for_one(view: RemoteView, game: str, proposal: Proposal) -> bool:
    """Say whether a proposal awaits the decision of whoever holds an office, and no votes."""
    with view.session(game) as session:
        return decider_of(session, proposal) is not None


def _refuse_swapped(view: RemoteView, words: Sequence[str]) -> None:
    """Raise a usage error where the number of a pull request or a proposal stands behind the choice."""
    number = words[1].removeprefix("#") if len(words) == 2 else ""
    if number.isdecimal() and (view.pull(int(number)) or _undecided_numbered(view, int(number))):
        raise click.UsageError(f"The number stands first: `moot vote {number} {shlex.quote(words[0])}`.")


def _command(view: RemoteView, game: str, proposal: Proposal, words: str) -> str:
    pull = view.pull(_met(view, proposal))
    open_ = pull is not None and pull.state == "open"
    if not open_ and proposal.get("state") != "open":
        with view.session(game) as session:
            decider = decider_of(session, proposal)
            if decider:
                return decisions(session, proposal, decider["player"])[0]
    on = str(pull.number) if open_ and pull else f"--{proposal['kind']} {handle(proposal)}"
    return f"moot vote {on} {words}"


def _of_pull(view: RemoteView, request: VoteRequest, pull: PullSeen, words: tuple[str, ...]) -> Target:
    """Return a vote on a pull request, in the game that it is of."""
    if not words:
        raise click.UsageError(f"Say a CHOICE, as in `moot vote {pull.number} for`.")
    return Target(game=game_of_pull(view, pull, request.game), words=words, pull=pull)


def _wanted(view: RemoteView, number: int, words: Sequence[str]) -> PullSeen:
    """Return a pull request to vote on; of one that is closed while its vote goes on, say how to vote."""
    try:
        return view.wanted(number)
    except ProblemError as error:
        proposal = proposal_of(view, number)
        if proposal is None or proposal["outcome"] or view.moved:
            raise
        named = f"--{proposal['kind']} {handle(proposal)}"
        choice = shlex.quote(words[0]) if words else "CHOICE"
        problem = replace(error.problems[0], hint=f"its vote goes on: `moot vote {named} {choice}`")
        raise ProblemError(problem) from None


def _checked_target(view: RemoteView, game: str, on: Shown) -> None:
    """Raise E-NO-SUCH where there is no such thing to vote on, and E-ORDER where it is decided."""
    (kind, number) = next(iter(on.items()))
    record = view.record(game)
    found = [each for _, each in _undecided(view, game)]
    if any(
        str(each.get("kind")) == kind and str(number) in (str(each.get("number")), str(handle(each))) for each in found
    ):
        return
    decided = find_by_name(record.archive, f"{kind}/{number}")
    others = [f"`moot vote --{each.get('kind')} {handle(each)} CHOICE`" for each in found if each]
    hint = f"undecided: {in_a_row(others)}" if others else "nothing is voted on; `moot status` shows what is open"
    if decided:
        outcome = decided.get("outcome") or "closed"
        raise fail("E-ORDER", f"{kind} {number} is {outcome} already", None, hint)
    with view.session(game) as session:
        kinds = session.votable()
    if kind not in kinds:
        hint = f"the rules of {game} know votes on {' and '.join(f'--{each}' for each in kinds)}; {hint}"
    raise fail("E-NO-SUCH", f"there is no {kind} {number} in {game}", None, hint)


# -- the choice


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
    near = _alike(typed.choice, choices) or by_letters.get(meant_by(typed.choice.lower(), by_letters), "")
    hint = f"did you mean {near}?" if near else f"{UNSENT}; as in `moot vote {on or 'PULL'} {shlex.quote(choices[0])}`"
    listed = in_a_row(map(shlex.quote, choices), what="more: `moot explain action vote --json`")
    raise fail("E-ARGS", f"{typed.choice!r} is no choice of vote here; choose {listed}", None, hint)


def _alike(typed: str, choices: Sequence[str]) -> str:
    """Return the choice that says what another word says elsewhere, as `yes` does, or a thumb; "" where none does."""
    said = next((verdict for verdict, signs in SIGNS.items() if typed in (*signs, *REVIEW_WORDS[verdict])), "")
    return next((word for word in REVIEW_WORDS.get(said, ()) if word in choices), "")


def _choices(session: Session, proposal: Proposal | None) -> list[str]:
    """Return the choices of a vote on something, the usual ones where nothing is known of it."""
    return choices_of(session, proposal["id"]) if proposal and not proposal.get("outcome") else CHOICES


# -- sending


def _on_pull(terminal: Terminal, view: RemoteView, target: Target, request: VoteRequest) -> int:
    pull = target.pull
    assert pull is not None
    if not target.game:
        _require_sealed(None, request)
        return _cast(terminal, view, None, pull, _ballot(view, pull, target.words, CHOICES), request)
    with view.session(target.game) as session:
        proposal = proposal_of(view, pull.number)
        _require_sealed(proposal, request)
        require_open_ballots(session, proposal)
        typed, ballot = _ballot(view, pull, target.words, _choices(session, proposal))
        if proposal and proposal.get("sealed"):
            ballot = sealed_ballot_on(view, pull, _seal(terminal, view, session, target.game, proposal, typed))
        return _cast(terminal, view, session, pull, (typed, ballot), request)


def _require_sealed(proposal: Proposal | None, request: VoteRequest) -> None:
    if request.sealed and not (proposal and proposal.get("sealed")):
        hint = f"{UNSENT}; without --sealed it goes in clear, for everybody to read"
        raise fail("E-SEALED", "ballots on this are not sealed", None, hint)


def _seal(terminal: Terminal, view: RemoteView, session: Session, game: str, proposal: Proposal, typed: Typed) -> str:
    """Return a ballot that is sealed here to the keeper, and say to whom."""
    from folkmoot.player.hand import keeper_recipient, seal_ballot

    fingerprint = keeper_recipient(session).fingerprint
    terminal.say(f"Sealed to the keeper of {game}, whose key is {fingerprint}; it opens at the count.")
    voter = player_here(view, game) or view.person.id
    return seal_ballot(session, voter, proposal, typed.choice, typed.reason)


def _ballot(view: RemoteView, pull: PullSeen, words: Sequence[str], choices: list[str]) -> tuple[Typed, Ballot]:
    typed = checked_choice(words, choices, on=str(pull.number))
    return typed, ballot_on(view, pull, typed.choice, typed.reason, choices)


def _cast(
    terminal: Terminal, view: RemoteView, session: Session | None, pull: PullSeen, cast: tuple[Typed, Ballot],
    request: VoteRequest,
) -> int:  # fmt: skip
    """Send a ballot on a pull request."""
    typed, ballot = cast
    statement = Statement(
        letters=[ballot.letter],
        record={"pull": pull.number, "title": pull.title, "choice": typed.choice, "head": ballot.head,
                "newer_content": ballot.newer},
        sentences=[f"Voted {typed.choice} on {title_of(pull)}, as it stands at {ballot.head[:12]}."],
        notes=_to_be_minded(view, ballot),
    )  # fmt: skip
    return say(terminal, view, [session] if session else [], statement, request).code


def _to_be_minded(view: RemoteView, ballot: Ballot) -> list[str]:
    """Return what whoever votes on a pull request is to know of it."""
    number = ballot.letter.pull
    found = [flawed(flaws) for flaws in [flaws_said(view, number)] if flaws]
    found = [f"Mind: {said[0].lower()}{said[1:]}" for said in found]
    found += [f"Mind: once it is law, {danger}" for danger in dangers_said(view, number)]
    if ballot.newer:
        newer = (
            f"newer content was pushed to pull request {number} since; your vote is on the older, which is voted on."
        )
        found.append(f"Mind: {newer}")
    for name in view.games():
        if view.forge_of(name):
            found += no_voter(view, name, proposal_of(view, number, game=name))
    return found


def _on_thread(terminal: Terminal, view: RemoteView, target: Target, request: VoteRequest) -> int:
    name, on = target.game, target.on or {}
    proposal = on_record(view, name, on)
    with view.session(name) as session:
        choices = _choices(session, proposal)
        typed = checked_choice(target.words, choices, by_review=False)
        _require_sealed(proposal, request)
        require_open_ballots(session, proposal)
        if proposal and proposal.get("sealed"):
            line = vote_line(_seal(terminal, view, session, name, proposal, typed), on, "", [])
        else:
            line = vote_line(typed.choice, on, typed.reason, choices)
        named = " ".join(str(part) for pair in on.items() for part in pair)
        statement = Statement(
            letters=[Letter(pull=0, kind="comment", body=addressed(view, name, line))],
            record={"game": name, "choice": typed.choice, **on, "line": line},
            sentences=[f"Voted {typed.choice} on {named}: `{line}` on the thread of {name}."],
            notes=no_voter(view, name, proposal),
        )
        return say(terminal, view, [session], statement, request).code


def on_record(view: RemoteView, game: str, on: Shown) -> Proposal | None:
    """Return the proposal of a game that is named by its kind and number, None where there is none."""
    kind, number = next(iter(on.items()))
    found: Proposal | None = find_by_name(view.record(game).archive, f"{kind}/{number}")
    return found


# -- the command


CLOSE_OPTION = 0.8
OPTION = re.compile(r"-{1,2}[A-Za-z][\w-]*(?:=\S*)?")
KIND_OPTION = re.compile(r"--[A-Za-z][A-Za-z0-9_-]*(?:=.*)?", re.DOTALL)


def _target(words: Sequence[str], proposal: str | None) -> tuple[list[str], dict[str, Any]]:
    """Return the words of a vote, and what it is on where that is named by its kind: {"petition": 3}.

    >>> _target(["--petition", "3", "aye"], None), _target(["7", "for"], None)
    ((['aye'], {'petition': 3}), (['7', 'for'], {}))
    >>> _target(["7", "for", "it", "is", "--so", "new"], None)
    (['7', 'for', 'it', 'is', '--so', 'new'], {})
    """
    kept, on = [*words], {PROPOSAL: read_word(proposal)} if proposal else {}
    while (place := next((n for n in range(len(kept)) if _is_kind(kept, n, named=bool(on))), None)) is not None:
        name, equals, number = kept.pop(place).removeprefix("--").partition("=")
        if not equals and place == len(kept):
            raise click.UsageError(f"Say which {name} the vote is on, as in `moot vote --{name} 34 yes`.")
        if on:
            raise click.UsageError(f"Vote on one thing at a time: --{next(iter(on))} or --{name}.")
        on[name] = read_word(number if equals else kept.pop(place))
    return kept, on


def _is_kind(words: list[str], place: int, *, named: bool) -> bool:
    """Say whether a word names a kind: where what the vote is on is named already, only if a number follows."""
    if not KIND_OPTION.fullmatch(words[place]):
        return False
    _, equals, number = words[place].partition("=")
    follows = number if equals else "".join(words[place + 1 : place + 2])
    return follows.isdecimal() or not (named or words[0].removeprefix("#").isdecimal())


def _refuse_options(words: Sequence[str], context: click.Context) -> None:
    """Raise a usage error for a word that looks like an option and is none: nobody means it as a reason."""
    meant = list(words[: len(words) - len(context.meta[WORDS])] if context.meta[WORDS] else words)
    place = next((n for n, word in enumerate(meant) if OPTION.fullmatch(word)), None)
    if place is None:
        return
    word, before, after = meant[place].partition("=")[0], meant[:place], meant[place + 1 :]
    known = [name for option in context.command.params for name in option.opts if name.startswith("--")]
    near = meant_by(word.lower(), known, CLOSE_OPTION) or next((n for n in known if n.startswith(word.lower())), "")
    if near and word.startswith("--"):
        hint = f"did you mean `{near}`?"
    elif word in ("-m", "-am", "--message", "--reason"):
        right = len(before) > 1 or (before and not before[0].removeprefix("#").isdecimal())
        hint = "a reason needs no option before it"
        hint += f": `{shlex.join(['moot', 'vote', *before, *after])}`" if right and after else ""
    else:
        hint = "a reason with such a word stands in quotation marks, or behind ` -- `"
    raise click.UsageError(f"There is no option `{word}`; {hint}")


def run_vote(
    terminal: Terminal,
    words: tuple[str, ...],
    proposal: str | None,
    game: str | None,
    remote: str | None,
    sealed: bool,
    anyway: bool,
    dry_run: bool,
    wait: bool,
    timeout: float | None,
) -> int:
    """Vote by the words that were typed."""
    context = click.get_current_context()
    kinds = [*words]
    if kinds and OPTION.fullmatch(kinds[-1]) and kinds[-1] not in context.meta[WORDS]:
        _refuse_options(kinds, context)  # nothing follows, so that it names no kind
    said, on = _target(words, proposal)
    _refuse_options(said, context)
    if not said:
        example = f"--{next(iter(on))} 34 yes" if on else "7 for"
        raise click.UsageError(f"Say {'CHOICE' if on else 'PULL and CHOICE'}, as in `moot vote {example}`.")
    tried = {"sealed": sealed, "anyway": anyway, "dry_run": dry_run}
    how = VoteRequest(words=tuple(said), on=on, game=game, **tried, wait=wait, timeout=timeout)
    return vote(terminal, remote, how)
