"""Doing what is typed after `moot act`: in a game that one person keeps, or where players meet."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from folkmoot.cli import acting, action_help, entering
from folkmoot.cli.terminal import Terminal
from folkmoot.files.named_files import read_file

UNFIT = {
    "by": "Acts come from whoever git says you are, so --by has no place in a game that is played by pull requests.",
    "at": "What arrives is stamped by the referee, so --at has no place in a game that is played by pull requests.",
    "commit": "Nothing is recorded here, so --no-commit has no place in a game that is played by pull requests.",
    "rules": "Rule-changes come by a pull request: `moot propose --rule FILE`.",
    "repeals": "Rule-changes come by a pull request: `moot propose --repeal NUMBER`.",
    "transmutes": "Rule-changes come by a pull request: `moot propose --transmute NUMBER=STATUS`.",
}
"""What belongs to games that one person keeps, and why it has no place elsewhere."""


def run_act(context: click.Context, /, game: str | None, remote: str | None, **given: Any) -> int:
    """Do an action, in the way of the game."""
    terminal = context.ensure_object(Terminal)
    helping, listing = given.pop("helping"), given.pop("listing")
    if helping and given["action"] is None:
        click.echo(context.get_help(), color=context.color)
        return 0
    if helping:
        return action_help.show_action(terminal, given["action"], game, remote)
    if listing:
        return action_help.list_actions(terminal, game, remote, given["by"])
    if given["file"] is not None and entering.holds_acts(text := read_file(given["file"])):
        _only_file(context)
        if remote is not None or acting.is_met(terminal, game):
            raise click.UsageError("Acts of a file are entered in a game that one person keeps, and not sent anywhere.")
        said = {name: given[name] for name in ("by", "at", "commit", "anyway", "dry_run")}
        return entering.enter_acts(terminal, game, text, str(given["file"]), **said)
    wait, timeout = given.pop("wait"), given.pop("timeout")
    on, by_pull, anyway, dry_run = (given.pop(name) for name in ("on", "by_pull", "anyway", "dry_run"))
    sealed, trust_clock = given.pop("sealed"), given.pop("trust_clock")
    if remote is not None or acting.is_met(terminal, game):
        _only(context, tuple(UNFIT))
        kept = {name: given[name] for name in ("action", "words", "as_", "file")}
        doing = {"on": on, "by_pull": by_pull, "anyway": anyway, "dry_run": dry_run, "sealed": sealed}
        how = acting.Sending(**doing, wait=wait, timeout=timeout)
        return acting.send_acts(terminal, remote, game, how, **kept)
    if on or by_pull or wait:
        raise click.UsageError("This game is kept by one person, who records with --by; it knows no pull requests.")
    return acting.record_acts(
        terminal, game, anyway=anyway, dry_run=dry_run, sealed=sealed, trust_clock=trust_clock, **given
    )


def _only(context: click.Context, unfit: tuple[str, ...]) -> None:
    """Refuse options that belong to games which one person keeps."""
    for name in unfit:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(UNFIT[name], context)


def _only_file(context: click.Context) -> None:
    """Refuse what would be another act than those of a file, or another way."""
    for name in ("action", "as_", "rules", "repeals", "transmutes", "on", "by_pull", "sealed", "wait"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            said = "The file says which acts are entered: leave out whatever else names one or how it is sent."
            raise click.UsageError(said, context)
