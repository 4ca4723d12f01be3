"""What the shell completes: games, rules, pull requests, actions with their arguments, choices.

It reads what is on disk and asks nobody, and it says nothing where something is wrong.
"""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def complete_act(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """."""
    return []


def complete_vote(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """."""
    return []


def complete_pulls(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """."""
    return []


def complete_rules(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """."""
    return []
