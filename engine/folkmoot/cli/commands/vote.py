"""`moot vote`: vote on what a pull request proposes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import click

from folkmoot.cli.completion import complete_vote
from folkmoot.cli.options import game_name_option, json_option, remote_option, trying_options, wait_option
from folkmoot.cli.terminal import Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.files.typed_words import read_word

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


@click.command("vote", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[PULL] CHOICE [REASON…]", shell_complete=complete_vote)
@click.option(
    "--proposal",
    metavar="NUMBER",
    help="Vote on a proposal that came by no pull request; so with any other kind, such as --motion.",
)
@click.option("--sealed", is_flag=True, help="Send it only if ballots on this are sealed until the count.")
@trying_options
@wait_option
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
    sealed: bool,
    anyway: bool,
    dry_run: bool,
    wait: bool,
    timeout: float | None,
) -> int:
    """Vote CHOICE on pull request PULL, or on a proposal or whatever else is voted on in the game.

    `for` approves and `against` requests changes, both on the content as it is now: content that is pushed later needs
    a new vote. Other choices (abstain, yes, …) go as the comment `/vote CHOICE`. A choice may be several words, in
    whatever case: the longest that the law knows is meant, and what follows is the reason. Your latest vote counts
    until the vote is closed. PULL may be left out where one vote is open, and may be the number of a proposal. A vote
    that the referee would refuse is said, and not sent.

    \b
      moot vote for
      moot vote 7 for "It was time."
      moot vote 7 abstain
      moot vote --motion 34 yes
    """  # noqa: D301 (the mark keeps lines apart in the help)
    from folkmoot.cli import voting

    said, on = _target(words, proposal)
    if not said:
        example = f"--{next(iter(on))} 34 yes" if on else "7 for"
        raise click.UsageError(f"Say {'CHOICE' if on else 'PULL and CHOICE'}, as in `moot vote {example}`.")
    tried = {"sealed": sealed, "anyway": anyway, "dry_run": dry_run}
    how = voting.VoteRequest(words=tuple(said), on=on, game=game, **tried, wait=wait, timeout=timeout)
    return voting.vote(terminal, remote, how)
