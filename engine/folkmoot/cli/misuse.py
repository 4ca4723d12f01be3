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
    "version": "`moot --version` says which one this is.",
    "pr": "`moot status` lists the pull requests, `moot show NUMBER` shows one.",
    "issue": "`moot log --talk` shows what people said.",
}
"""Words that other programs, or pages, have, with what does it here."""
SUCCESSORS = {
    "digest": "moot explain digest VALUE",
    "forms": "moot init",
    "hand": "moot show hand",
    "move": "moot init --move",
    "open": "moot serve",
    "pages": "moot serve --build",
    "pin": "moot init --pin",
    "preview": "moot try",
    "repair": "moot verify --repair",
    "scenario": "moot check",
    "schema": "moot check --schemas FOLDER",
    "secret": "moot key --dice",
    "tick": "moot referee",
    "wait": "moot status --wait",
}
"""Words that were commands in the version before, with what does it now."""
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
    (r"log (?:-f|--follow)", "It is `moot status --wait` now."),
    (r"log -(\d+)", "So many: `moot log --number {}`."),
    (r"propose (?:--body|--description)", "What does it here: `moot propose --message …`."),
    (r"propose (?:--file|-f)", "What does it here: `moot propose --rule …`."),
    (r"comment (?:-m|-am|--message)", 'A text needs no option before it, as in `moot comment "…"`.'),
    (r"act (?:-m|-am|--message)", 'A text needs no option before it, as in `moot act state "…"`.'),
    (r"vote (?:-m|-am|--message)", 'A text needs no option before it, as in `moot vote 7 for "…"`.'),
    (r"withdraw (?:-m|-am|--message)", 'A text needs no option before it, as in `moot withdraw 7 "…"`.'),
    (r"(\w+) -C", "The folder stands before the command: `moot -C FOLDER {}`."),
    (r"(?:act|comment|join|propose|vote|withdraw) (?:-f|--force)", "`--anyway` sends what would be refused."),
    (r"check (?:--schema|--out|-o)", "It is `moot check --schemas FOLDER` now."),
    (r"init --forms", "It is `moot init` now."),
    (r"init --check", "It is `moot doctor` now."),
    (r"join --comment", "It is `moot act join id=…` now."),
    (r"new --(?:home|login|remote|site)", "It is `moot init --forge FORGE --home URL` now, in the game's folder."),
    (r"propose --then", "It is `moot act ACTION --on PULL` now, after it."),
    (r"referee (?:-v|--verbose)", "It is `moot log` now."),
    (r"show --open", "It is `moot serve` now."),
    (r"status --all", "It is `moot log --mine` now."),
    (r"status (?:-b|--by)", "It is `moot log --by PLAYER` now."),
    (r"try --as-proposal", "It is `moot act propose --dry-run` now."),
    (r"verify --engine-repository", "It is `moot verify --engine PROGRAM` now."),
    (r"act --pull", "It is `moot act ACTION --on PULL` now."),
    (r"act --(.+)", "An argument is written without dashes: `moot act ACTION {}=…`."),
)
"""What options of other programs, and of the version before, may mean, each behind the name of a command."""
_EXTRA = re.compile(r"^Got unexpected extra arguments? \((.+)\)$")


def command_meant(terminal: Terminal, name: str, rest: Sequence[str], known: Collection[str]) -> str:
    """Return what to type in the place of a command that there is not."""
    if name == "help":
        return f"`moot {rest[0]} --help` tells of it." if rest and rest[0] in known else "`moot --help` lists all."
    if name in OF_GIT:
        return f"It is one of git's: `git {shlex.join([name, *rest])}`."
    action = name.replace("-", "_")
    declared = action in _actions(terminal)
    if name in SUCCESSORS and not declared:
        return f"It is `{SUCCESSORS[name]}` now."
    if declared or action in BEYOND_RULES:
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
    meant, name, said = "", str(context.info_name), error.format_message()
    if isinstance(error, click.NoSuchOption):
        meant, said = _read(OPTIONS, f"{name} {error.option_name}"), error.message  # and not what has similar letters
    elif isinstance(error, click.MissingParameter):
        lines = (line.strip().removeprefix("Example: ") for line in (context.command.help or "").splitlines())
        example = next((line for line in lines if line.startswith("moot ")), "")
        meant = f"For instance: `{re.split(r' {2,}', example)[0]}`." if example else ""
    elif extra:
        word = extra[1] if name == "propose" else extra[1].split(maxsplit=1)[0]
        takes_game = any("--game" in each.opts for each in context.command.params)
        is_game = takes_game and word in games_in(root_of(terminal))
        found = f"`moot {name} --game {word}`" if is_game else _read(EXTRA, f"{name} {word}")
        meant = f"What may be meant: {found}." if found else ""
    return click.UsageError(f"{said.rstrip('.')}. {meant}", context) if meant else error


def _read(forms: Forms, words: str) -> str:
    """Return the sentence of the first form that some words have, "" where they have none."""
    found = ((re.fullmatch(form, words), said) for form, said in forms)
    return next((said.format(*map(shlex.quote, match.groups())) for match, said in found if match), "")
