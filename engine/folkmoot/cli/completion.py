"""What the shell completes: games, players, rules, pull requests, actions and what is shown, as it is on disk.

Nobody is asked; where something is wrong, nothing is completed, as a shell that waits is no place to say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError

if TYPE_CHECKING:
    from folkmoot.core.clone_files import CloneFiles

Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
SHOWN = {
    "rules": "the law in force",
    "rule": "one rule with its text and its script: `moot show rule 301`",
    "scores": "what everybody has, and how it grew",
    "registers": "what the rules keep",
    "players": "who plays",
    "board": "every board that a rule shows",
    "hand": "what you may see, and others may not",
    "season": "who won, and the story in moments; of an earlier one by its number: `moot show season 1`",
}
"""What the engine shows of every game."""
EXPLAINED = ("action", "ballot", "digest", "entry", "limits", "proposal", "rule", "setting", "settings")
"""What is explained by words of its own."""
STANDING = ("refs/moot-remote/moot/forge", "refs/moot/forge")
"""Refs whose trees say what stands where players meet (see `forges/cache/forge_cache.py`)."""
_NUMBER = re.compile(rb"^rule: ['\"]?([^'\"\n]+)", re.MULTILINE)
_PLAYER = re.compile(rb"^([\w-]+):", re.MULTILINE)


def _completing(known: Callable[[click.Context], Iterable[str]]) -> Completing:
    """Return what completes the words that are known."""

    def complete(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        try:
            return [CompletionItem(word) for word in known(context) if word.startswith(typed)]
        except (ProblemError, click.ClickException, OSError, ValueError):
            return []

    return complete


def _root(context: click.Context) -> Path:
    """Return the folder that is worked in: nothing was run that would have told the terminal."""
    from folkmoot.cli.games import root_of

    return root_of(Terminal(directory=context.find_root().params.get("directory")))


def _files(context: click.Context) -> CloneFiles:
    """Return the files of the game that is meant."""
    from folkmoot.cli.games import game_folder
    from folkmoot.core.clone_files import CloneFiles

    return CloneFiles.around(game_folder(Terminal(directory=_root(context)), context.params.get("game")))


def rule_files(files: CloneFiles) -> Iterable[bytes]:
    """Yield the files of the rules in force of a game."""
    return (files.read(f"rules/{name}") or b"" for name, _ in sorted(files.listing("rules")) if name.endswith(".yaml"))


def hooks(files: CloneFiles, kind: str) -> list[str]:
    """Return the names of the hooks of a kind that rules of a game have: `do` for actions, `show` for pages."""
    hook = re.compile(rb"^\s*def %b_(\w+)\(" % kind.encode(), re.MULTILINE)
    return sorted({name.decode() for data in rule_files(files) for name in hook.findall(data)})


def _games(context: click.Context) -> Iterable[str]:
    from folkmoot.journal.layout import games_in

    return games_in(_root(context))


def _players(context: click.Context) -> Iterable[str]:
    return (name.decode() for name in _PLAYER.findall(_files(context).read("roster.yaml") or b""))


def _rules(context: click.Context) -> Iterable[str]:
    found = (_NUMBER.search(data) for data in rule_files(_files(context)))
    return (number[1].decode().strip() for number in found if number)


def _actions(context: click.Context) -> Iterable[str]:
    from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS

    return dict.fromkeys([*hooks(_files(context), "do"), *KERNEL_DECLARATIONS])


def _pulls(context: click.Context) -> Iterable[str]:
    """Return the pull requests that were open when the clone last fetched; git's library takes too long to load."""
    from folkmoot.forges.git_transport import Git

    wanted = "".join(f"{ref}:standing.json\n" for ref in STANDING)
    kept = Git(_root(context)).ask(["cat-file", "--batch"], wanted.encode(), allowed=(0, 128))
    standing = json.JSONDecoder().raw_decode(kept, kept.index("{"))[0] if "{" in kept else {}
    return map(str, standing.get("listed") or ())


def _votes(context: click.Context) -> Iterable[str]:
    from folkmoot.kernel.ballot_words import CHOICES

    return [*CHOICES, *_pulls(context)]


complete_games = _completing(_games)
complete_players = _completing(_players)
complete_rules = _completing(_rules)
complete_actions = _completing(_actions)
complete_pulls = _completing(_pulls)
complete_vote = _completing(_votes)
complete_page = _completing(lambda context: dict.fromkeys([*SHOWN, *hooks(_files(context), "show")]))
complete_explain = _completing(lambda context: [*EXPLAINED, *_players(context)])
