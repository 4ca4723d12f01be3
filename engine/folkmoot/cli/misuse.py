"""What somebody may have meant whose words no command takes: the command to type instead, or an example of theirs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence

import click

from folkmoot.cli.completion import actions_known, pages_known
from folkmoot.cli.games import root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError
from folkmoot.journal.layout import games_in
from folkmoot.kernel.act_declarations import BEYOND_RULES

OF_GIT = frozenset("add branch checkout clone commit config fetch merge pull push rebase reset stash switch".split())
OF_OTHERS = {
    "play": "`moot demo --play` sits you down with three players, `moot table` lays a table for friends.",
    "rules": "`moot show rules` shows the law.",
    "scores": "`moot show scores` shows how everybody stands.",
    "board": "`moot show board` draws the boards.",
    "version": "`moot --version` says which one this is.",
    "pr": "`moot status` lists the pull requests, `moot show NUMBER` shows one.",
    "issue": "`moot log --talk` shows what people said.",
}
"""Words that other programs, or pages, have, with what does it here."""
SUCCESSORS = {
    "digest": "moot explain digest VALUE",
    "forms": "moot init --forms",
    "hand": "moot show hand",
    "move": "moot init --move",
    "open": "moot show --open",
    "pages": "moot serve --build",
    "pin": "moot init --pin",
    "preview": "moot try",
    "repair": "moot verify --repair",
    "scenario": "moot check",
    "schema": "moot check --schema",
    "secret": "moot key --dice",
    "tick": "moot referee",
    "wait": "moot status --wait",
}
"""Words that were commands in the version before, with what does it now."""
PLAYER = "each player has an option of their own, as in `moot {} -p ann -p bob`"
EXTRA = {
    "propose": ((r".*\.ya?ml", "`moot propose --rule {}`"), (r"\d\S*", "`--repeal {}`, `--amend {}`: an option each"),
                (r".*", "`moot propose --title {}`")),
    "log": ((r"#?\d+", "`moot log --pull-request {}`"), (r"\w+", "`moot log --by {}`")),
    "status": ((r"\d+", "`moot status --wait --timeout {}`"), (r"\w+", "`moot status --by {}`")),
    "table": ((r".*", PLAYER.format("table FOLDER")),),
    "new": ((r".*", PLAYER.format("new NAME")),),
}  # fmt: skip
"""What a word may mean that a command does not take, by what it looks like."""
OPTIONS = {
    "log": {"--author": "--by", "--pr": "--pull-request", "--pull": "--pull-request", "--max-count": "--number"},
    "status": {"--player": "--by", "--for": "--wait"},
    "init": {"--engine": "--pin"},
    "propose": {"--body": "--message", "--file": "--rule", "-f": "--rule", "--description": "--message"},
}
"""Options of other programs, or commands, with what does it here."""
TEXTS = {"comment": "", "act": " state", "vote": " 7 for", "withdraw": " 7"}
"""Commands that take a text, with what stands before it."""
CLOSE_OPTION = 0.8
_EXTRA = re.compile(r"^Got unexpected extra arguments? \((.+)\)$")


def command_meant(terminal: Terminal, name: str, rest: Sequence[str], known: Collection[str]) -> str:
    """Return what to type in the place of a command that there is not."""
    if name == "help":
        return f"`moot {rest[0]} --help` tells of it." if rest and rest[0] in known else "`moot --help` lists all."
    if name in OF_GIT:
        return f"It is one of git's: `git {shlex.join([name, *rest])}`."
    game = _in_game(terminal, name, rest)
    if not game and name in SUCCESSORS:
        return f"It is `{SUCCESSORS[name]}` now."
    near = meant_by(name, known) or meant_by(name.lower(), known)
    if game or name in OF_OTHERS or not near:
        return game or OF_OTHERS.get(name, "`moot --help` lists all of them.")
    return f"Did you mean `{near}`?"


def _in_game(terminal: Terminal, name: str, rest: Sequence[str]) -> str:
    """Return how an action or a page of this name is called in the game that is here, "" for neither."""
    try:
        action = name.replace("-", "_")
        if action in actions_known(terminal, None) or action in BEYOND_RULES:
            return f"It is an action of the game: `{shlex.join(['moot', 'act', name.replace('-', '_'), *rest])}`."
        return f"It is a page of the game: `moot show {name}`." if name in pages_known(terminal, None) else ""
    except ProblemError:
        return ""  # no game is here, or none of several is meant


def with_what_is_meant(error: click.UsageError, terminal: Terminal) -> click.UsageError:
    """Return an error that also says what may be meant, where a command lacks a word or has one too many."""
    if isinstance(error, click.NoSuchOption):
        return _other_option(error)
    context, extra = error.ctx, _EXTRA.match(error.message)
    if context is None or context.parent is None:
        return error
    example = _example(context) if isinstance(error, click.MissingParameter) else ""
    meant = _extra_meant(context, extra[1], terminal) if extra else f"For instance: `{example}`." if example else ""
    return click.UsageError(f"{error.format_message().rstrip('.')}. {meant}", context) if meant else error


def _other_option(error: click.NoSuchOption) -> click.UsageError:
    """Return an error for an option that a command does not have, with what does it here."""
    context, option = error.ctx, error.option_name
    if context is None or context.parent is None:
        return error
    name, own = context.info_name or "", [each for option in context.command.params for each in option.opts]
    other = f"moot {name} {OPTIONS.get(name, {}).get(option)} …" if option in OPTIONS.get(name, {}) else ""
    meant = f"What does it here: `{other}`." if other else ""
    if option in ("-m", "-am", "--message") and name in TEXTS:
        meant = f'A text needs no option before it, as in `moot {name}{TEXTS[name]} "…"`.'
    elif option == "-C":
        meant = f"The folder stands before the command: `moot -C FOLDER {name}`."
    elif option in ("-f", "--force") and "--anyway" in own:
        meant = "`--anyway` sends what would be refused."
    elif name == "log" and option[1:].isdecimal():
        meant = f"So many: `moot log --number {option[1:]}`."
    elif name == "act" and not meant_by(option, own, CLOSE_OPTION) and option.startswith("--"):
        meant = f"An argument is written without dashes: `moot act ACTION {option[2:]}=…`."
    return click.UsageError(f"No such option '{option}'. {meant}", context) if meant else error


def _extra_meant(context: click.Context, words: str, terminal: Terminal) -> str:
    """Return what may be meant by words that are too many."""
    word, name = words.split(maxsplit=1)[0], context.info_name or ""
    if word in games_in(root_of(terminal)) and any("--game" in each.opts for each in context.command.params):
        return f"A game is named by an option: `moot {name} --game {word}`."
    found = (text for form, text in EXTRA.get(name, ()) if re.fullmatch(form, words if name == "propose" else word))
    text = next(found, "")
    quoted = shlex.quote(words if name == "propose" else word)
    return f"What may be meant: {text.format(*[quoted] * text.count('{}'))}." if text else ""


def _example(context: click.Context) -> str:
    """Return the first example in the help of a command."""
    lines = (line.strip().removeprefix("Example: ") for line in (context.command.help or "").splitlines())
    return next((re.split(r" {2,}", line)[0] for line in lines if line.startswith("moot ")), "")
