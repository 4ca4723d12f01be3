"""`moot vote`: vote on what a pull request proposes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import click
from click.shell_completion import CompletionItem

from folkmoot.cli.options import game_name_option, json_option, pull_number
from folkmoot.cli.person_status import flawed
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import (
    addressed,
    next_step,
    played_game,
    remote_view_of,
    send,
    title_of,
    warn_no_vote,
    warn_stranger,
)
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import find_by_name, handle
from folkmoot.files.typed_words import read_word
from folkmoot.forges.local import Letter
from folkmoot.kernel.ballot_words import Typed, plain, read_words
from folkmoot.player.answers import flaws_said
from folkmoot.player.comment_lines import vote_line
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import REVIEWS, Ballot, ballot_on, choices_there, proposal_of

KIND_OPTION = re.compile(r"--[A-Za-z][A-Za-z0-9_-]*(?:=.*)?", re.DOTALL)


def _completed(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the next words of the choices of the vote that is meant, by what is typed already."""
    try:
        words, on = _target([*(context.params.get("words") or ())], context.params.get(PROPOSAL))
        view = remote_view_of(context.find_root().ensure_object(Terminal), context.params.get("remote"))
        game = played_game(view, context.params.get("game")) if on else ""
        wanted = _on_record(view, game, on) if on else proposal_of(view, pull_number(words.pop(0))) if words else None
        return next_words(choices_there(view, wanted, game), words, typed) if on or wanted else []
    except (ProblemError, click.UsageError):
        return []


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


def next_words(choices: list[str], words: list[str], typed: str) -> list[CompletionItem]:
    """Return how choices go on that begin with some words, and a part of the next one.

    >>> [item.value for item in next_words(["endorse ann", "endorse cid", "no"], ["Endorse"], "")]
    ['ann', 'cid']
    """
    found = [choice.split() for choice in choices if choice]
    begun = [choice[len(words)] for choice in found if len(choice) > len(words) and _alike(choice, words, typed)]
    return [CompletionItem(word) for word in dict.fromkeys(begun)]


def _alike(choice: list[str], words: list[str], typed: str) -> bool:
    begins = [plain(word) for word in choice[: len(words)]] == [plain(word) for word in words]
    return begins and plain(choice[len(words)]).startswith(plain(typed))


@click.command("vote", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[PULL] CHOICE [REASON…]", shell_complete=_completed)
@click.option(
    "--proposal",
    metavar="NUMBER",
    help="Vote on a proposal that came by no pull request; so with any other kind, such as --motion.",
)
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    words: tuple[str, ...],
    proposal: str | None,
    game: str | None,
    remote: str | None,
) -> int:
    """Vote CHOICE on pull request PULL, or on a proposal or whatever else is voted on in the game.

    `for` approves and `against` requests changes, both on the content as it is now: content that is pushed later needs
    a new vote. Other choices (abstain, yes, …) go as the comment `/vote CHOICE`. A choice may be several words, in
    whatever case: the longest that the law knows is meant, and what follows is the reason. Your latest vote counts
    until the vote is closed.

    \b
      moot vote 7 for "It was time."
      moot vote 7 abstain
      moot vote --motion 34 yes
    """  # noqa: D301 (the mark keeps lines apart in the help)
    said, on = _target(words, proposal)
    words = tuple(said)
    need = "CHOICE" if on else "PULL and CHOICE"
    if len(words) < (1 if on else 2):
        example = f"--{next(iter(on))} 34 yes" if on else "7 for"
        raise click.UsageError(f"Say {need}, as in `moot vote {example}`.")
    if on and words[0].removeprefix("#").isdecimal():
        named = " ".join(f"--{name} {number}" for name, number in on.items())
        raise click.UsageError(
            f"{words[0]} is no choice: name a pull request or {named}, not both, as in `moot vote {named} for`."
        )
    view = remote_view_of(terminal, remote)
    if on:
        return _on_thread(terminal, view.look(), game, on, words)
    number = pull_number(words[0])
    pull = _wanted(view.look(), number, words[1])
    if game is not None:
        played_game(view, game)  # a name that is wrong is told, though the pull request says which game is meant
    choices = choices_there(view, proposal_of(view, number))
    typed = checked_choice(words[1:], choices)
    ballot = ballot_on(view, pull, typed.choice, typed.reason, choices)
    sent = send(view, ballot.letter)
    terminal.record(
        {"pull": number, "title": pull.title, "choice": typed.choice, "head": ballot.head, "letter": sent,
         "newer_content": ballot.newer}
    )  # fmt: skip
    terminal.say(f"Voted {typed.choice} on {title_of(pull)}, as it stands at {ballot.head[:12]}.")
    _tell_rest(terminal, view, ballot)
    return Exit.OK


def _wanted(view: RemoteView, number: int, choice: str) -> PullSeen:
    """Return a pull request to vote on; of one that is closed while its vote goes on, say how to vote."""
    try:
        return view.wanted(number)
    except ProblemError as error:
        proposal = proposal_of(view, number) or {}
        if not proposal or proposal.get("outcome"):
            raise
        named = f"--{proposal['kind']} {handle(proposal)}"
        problem = replace(error.problems[0], hint=f"its vote goes on: `moot vote {named} {shlex.quote(choice)}`")
        raise ProblemError(problem) from None


def checked_choice(words: Sequence[str], choices: list[str], *, by_review: bool = True) -> Typed:
    """Return choice and reason by the choices of a vote; `for` and `against` may be meant as a review of any of it.

    Raises E-ARGS for words that are no choice, or might be two.
    """
    typed = read_words(words, choices)
    if typed.flaw:
        raise fail("E-ARGS", typed.flaw, None, "your vote was not sent")
    if not choices or typed.choice in choices:
        return typed
    if by_review and plain(words[0]) in REVIEWS:  # of which the law makes what it likes
        return Typed(plain(words[0]), " ".join(words[1:]).strip())
    near = get_close_matches(typed.choice, choices, 1)
    hint = f"did you mean {near[0]}?" if near else "your vote was not sent"
    listed = ", ".join(map(shlex.quote, choices))
    raise fail("E-ARGS", f"{typed.choice!r} is no choice of vote here; choose {listed}", None, hint)


def _checked_target(view: RemoteView, game: str, on: dict[str, Any]) -> None:
    """Raise E-NO-SUCH where there is no such thing to vote on, and E-ORDER where it is decided."""
    (kind, number) = next(iter(on.items()))
    record = view.record(game)
    open_ = [str(name) for name in (record.archive("game") or {}).get("open") or ()]
    found = [record.archive(proposal_key(name)) or {} for name in open_]
    if any(
        str(each.get("kind")) == kind and str(number) in (str(each.get("number")), str(handle(each))) for each in found
    ):
        return
    decided = find_by_name(record.archive, f"{kind}/{number}")
    others = [f"`moot vote --{each.get('kind')} {handle(each)} CHOICE`" for each in found if each]
    hint = f"undecided: {', '.join(others)}" if others else "nothing is voted on; `moot status` shows what is open"
    if decided:
        outcome = decided.get("outcome") or "closed"
        raise fail("E-ORDER", f"{kind} {number} is {outcome} already", None, hint)
    with view.session(game) as session:
        kinds = session.votable()
    if kind not in kinds:
        hint = f"the rules of {game} know votes on {' and '.join(f'--{each}' for each in kinds)}; {hint}"
    raise fail("E-NO-SUCH", f"there is no {kind} {number} in {game}", None, hint)


def _on_record(view: RemoteView, game: str, on: dict[str, Any]) -> dict[str, Any] | None:
    """Return the proposal of a game that is named by its kind and number, None where there is none."""
    kind, number = next(iter(on.items()))
    found: dict[str, Any] | None = find_by_name(view.record(game).archive, f"{kind}/{number}")
    return found


def _tell_rest(terminal: Terminal, view: RemoteView, ballot: Ballot) -> None:
    flaws = flaws_said(view, ballot.letter.pull)
    if flaws:
        said = flawed(flaws)
        terminal.note(f"Mind: {said[0].lower()}{said[1:]}")
    if ballot.newer:
        terminal.note(
            f"Mind: newer content was pushed to pull request {ballot.letter.pull} since; your vote is on the older, "
            "which is voted on."
        )
    for name in view.games():
        if view.forge_of(name):
            warn_stranger(terminal, view, name)
            warn_no_vote(terminal, view, name, proposal_of(view, ballot.letter.pull, game=name))
    terminal.say(next_step(view))


def _on_thread(
    terminal: Terminal, view: RemoteView, game: str | None, on: dict[str, Any], words: tuple[str, ...]
) -> int:
    name = played_game(view, game)
    _checked_target(view, name, on)
    choices = choices_there(view, _on_record(view, name, on), name)
    typed = checked_choice(words, choices, by_review=False)
    line = vote_line(typed.choice, on, typed.reason, choices)
    sent = send(view, Letter(pull=0, kind="comment", body=addressed(view, name, line)))
    terminal.record({"game": name, "choice": typed.choice, **on, "line": line, "letter": sent})
    target = " ".join(str(part) for pair in on.items() for part in pair)
    terminal.say(f"Voted {typed.choice} on {target}: `{line}` on the thread of {name}.")
    warn_stranger(terminal, view, name)
    warn_no_vote(terminal, view, name, _on_record(view, name, on))
    terminal.say(next_step(view))
    return Exit.OK
