"""`moot vote`: vote on what a pull request proposes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

import click

from folkmoot.cli.completion import complete_vote
from folkmoot.cli.options import game_name_option, json_option, remote_option, trying_options, wait_option
from folkmoot.cli.terminal import Terminal
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.misspelt import meant_by
from folkmoot.files.typed_words import read_word

WORDS = "folkmoot.vote.words"
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


class Voting(click.Command):
    """A command that takes options of any name, --motion 34, and words with dashes only behind `--`, or quoted."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember what stands behind `--`: those are words, whatever they look like."""
        ctx.meta[WORDS] = args[args.index("--") + 1 :] if "--" in args else []
        return super().parse_args(ctx, args)


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


@click.command("vote", cls=Voting, context_settings={"ignore_unknown_options": True})
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
    how = voting.VoteRequest(words=tuple(said), on=on, game=game, **tried, wait=wait, timeout=timeout)
    return voting.vote(terminal, remote, how)
