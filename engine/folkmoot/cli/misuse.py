"""What somebody may have meant whose words no command takes: the command to type instead, or an example of theirs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence

import click

from folkmoot.cli.completion import hooks
from folkmoot.cli.games import game_folder, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError
from folkmoot.journal.layout import games_in
from folkmoot.kernel.act_declarations import BEYOND_RULES

Forms = Iterable[tuple[str, str]]
OF_GIT = frozenset("add branch checkout clone commit config fetch merge pull push rebase reset stash switch".split())
COMMANDS = {
    "play": "`moot demo --play` sits you down with three players, `moot table` lays a table for friends.",
    "rules": "`moot show rules` shows the law.",
    "scores": "`moot show scores` shows how everybody stands.",
    "board": "`moot show board` draws the boards.",
    "hand": "`moot show hand` shows what you may see, and others may not.",
    "version": "`moot --version` says which one this is.",
    "pr": "`moot status` lists the pull requests, `moot show NUMBER` shows one.",
    "issue": "`moot log --talk` shows what people said.",
    "wait": "`moot status --wait` waits for what you owe, or an answer.",
    "preview": "`moot try` shows what a rule, or a pull request, would do.",
}
"""Words that other programs, or pages, have, with what does it here."""
EXTRA = (
    (r"propose (.*\.ya?ml)", "`moot propose --rule {}`"),
    (r"propose (\d\S*)", "`--repeal {0}`, `--amend {0}`: an option each"),
    (r"propose (.*)", "`moot propose --title {}`"),
    (r"log (#?\d+)", "`moot log --pull-request {}`"),
    (r"log (\w+)", "`moot log --by {}`"),
    (r"status (\d+)", "`moot status --wait --timeout {}`"),
    (r"table .*", "each player has an option of their own, as in `moot table FOLDER -p ann -p bob`"),
    (r"new .*", "each player has an option of their own, as in `moot new NAME -p ann -p bob`"),
)
"""What words may mean that a command does not take, by what they look like behind its name."""
OPTIONS = (
    (r"log --author", "What does it here: `moot log --by …`."),
    (r"log --(?:pr|pull)", "What does it here: `moot log --pull-request …`."),
    (r"log -(\d+)", "So many: `moot log --number {}`."),
    (r"propose (?:--body|--description)", "What does it here: `moot propose --message …`."),
    (r"propose (?:--file|-f)", "What does it here: `moot propose --rule …`."),
    (r"comment (?:-m|-am|--message)", 'A text needs no option before it, as in `moot comment "…"`.'),
    (r"act (?:-m|-am|--message)", 'A text needs no option before it, as in `moot act state "…"`.'),
    (r"vote (?:-m|-am|--message)", 'A text needs no option before it, as in `moot vote 7 for "…"`.'),
    (r"withdraw (?:-m|-am|--message)", 'A text needs no option before it, as in `moot withdraw 7 "…"`.'),
    (r"(\w+) -C", "The folder stands before the command: `moot -C FOLDER {}`."),
    (r"(?:act|comment|join|propose|vote|withdraw) (?:-f|--force)", "`--anyway` sends what would be refused."),
    (r"act --(.+)", "An argument is written without dashes: `moot act ACTION {}=…`."),
)
"""What options of other programs may mean, each behind the name of a command."""
_EXTRA = re.compile(r"^Got unexpected extra arguments? \((.+)\)$")


def command_meant(terminal: Terminal, name: str, rest: Sequence[str], known: Collection[str]) -> str:
    """Return what to type in the place of a command that there is not."""
    if name == "help":
        return f"`moot {rest[0]} --help` tells of it." if rest and rest[0] in known else "`moot --help` lists all."
    if name in OF_GIT:
        return f"It is one of git's: `git {shlex.join([name, *rest])}`."
    action = name.replace("-", "_")
    if action in BEYOND_RULES or action in _actions(terminal):
        return f"It is an action of the game: `{shlex.join(['moot', 'act', action, *rest])}`."
    near = meant_by(name.lower(), known)
    return COMMANDS.get(name) or (f"Did you mean `{near}`?" if near else "`moot --help` lists all of them.")


def _actions(terminal: Terminal) -> list[str]:
    try:
        return hooks(CloneFiles.around(game_folder(terminal, None)), "do")
    except ProblemError:
        return []  # no game is here, or none of several is meant


def with_what_is_meant(error: click.UsageError, terminal: Terminal) -> click.UsageError:
    """Return an error that also says what may be meant, where a command lacks a word or has one too many."""
    context, extra = error.ctx, _EXTRA.match(error.message)
    if context is None or context.parent is None:
        return error
    meant, name = "", str(context.info_name)
    if isinstance(error, click.NoSuchOption):
        meant = _read(OPTIONS, f"{name} {error.option_name}")
    elif isinstance(error, click.MissingParameter):
        meant = _example(context)
    elif extra:
        word = extra[1] if name == "propose" else extra[1].split(maxsplit=1)[0]
        found = f"`moot {name} --game {word}`" if _is_game(context, word, terminal) else _read(EXTRA, f"{name} {word}")
        meant = f"What may be meant: {found}." if found else ""
    return click.UsageError(f"{error.format_message().rstrip('.')}. {meant}", context) if meant else error


def _read(forms: Forms, words: str) -> str:
    """Return the sentence of the first form that some words have, "" where they have none."""
    found = ((re.fullmatch(form, words), said) for form, said in forms)
    return next((said.format(*map(shlex.quote, match.groups())) for match, said in found if match), "")


def _is_game(context: click.Context, word: str, terminal: Terminal) -> bool:
    return word in games_in(root_of(terminal)) and any("--game" in each.opts for each in context.command.params)


def _example(context: click.Context) -> str:
    """Return the first example in the help of a command."""
    lines = (line.strip().removeprefix("Example: ") for line in (context.command.help or "").splitlines())
    return next((f"For instance: `{re.split(r' {2,}', line)[0]}`." for line in lines if line.startswith("moot ")), "")
