"""`moot act`: do something in a game."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from folkmoot.cli.completion import complete_act, complete_players, complete_pulls, complete_rules
from folkmoot.cli.options import (
    FILE,
    at_option,
    commit_option,
    game_name_option,
    json_option,
    pull_number,
    remote_option,
    trust_clock_option,
    wait_option,
)
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


@click.command("act", add_help_option=False)
@click.argument("action", required=False, shell_complete=complete_act)
@click.argument("words", nargs=-1, metavar="[ARGUMENT=VALUE]… [+ ACTION …]…", shell_complete=complete_act)
@click.option("-l", "--list", "listing", is_flag=True, help="List what you may do now, and what only some may.")
@click.option("-h", "--help", "helping", is_flag=True, help="Show this message, or what ACTION takes, and exit.")
@click.option("-b", "--by", metavar="PLAYER", shell_complete=complete_players,
              help="Who acts, in a game that one person keeps.")  # fmt: skip
@click.option("--as", "as_", metavar="OFFICE", help="The office that is acted in.")
@click.option(
    "-r", "--rule", "rules", multiple=True, type=FILE,
    metavar="FILE", help="A rule file to propose: a new rule, or a changed copy of one in force.",
)  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", shell_complete=complete_rules,
              help="A rule whose repeal to propose.")  # fmt: skip
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option("-f", "--file", type=FILE, help="Take the act from an action file, or many from a file of `acts`.")
@click.option("--on", type=pull_number, metavar="PULL", shell_complete=complete_pulls,
              help="Act by a comment on this pull request.")  # fmt: skip
@click.option("--pull", "by_pull", is_flag=True, help="Act by a pull request with an action file.")
@click.option("--sealed", is_flag=True, help="Send it only if the law takes it sealed, for nobody else to read.")
@click.option("--anyway", is_flag=True, help="Send or record it although it would be refused, or its scripts fail.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would come of it, and send nothing.")
@trust_clock_option
@wait_option
@game_name_option
@remote_option
@at_option
@commit_option
@json_option
@click.pass_context
def command(context: click.Context, /, game: str | None, remote: str | None, **given: Any) -> int:
    """Do ACTION in a game.

    In a game that is played by pull requests you act yourself, by a comment on the game's own thread (or --on a pull
    request), or by a pull request (--pull). What the referee would refuse is said, and not sent. A `+` that stands
    alone begins another act, which is done after the one before it:

    \b
      moot act state "This rule is paradoxical."
      moot act transfer to=bob amount=3
      moot act move to=b3 + bake goods='{"bread": 2}'

    A game that one person keeps records it at once, accepted or refused; then --by says who acts:

    \b
      moot act propose --by ann title="A dragon" --rule dragon.yaml
      moot act vote --by bob proposal=301 choice=for
      moot act judge --by eve --as judge ruling="It is legal." reasons="Rule 116."

    A file with a list of `acts`, each with `by` and `at`, is entered at once, all of it or nothing:

    \b
      moot act --file acts.yaml --dry-run
    """  # noqa: D301 (the mark keeps lines apart in the help)
    from folkmoot.cli import acting, action_help, entering

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
        if wait and by_pull:
            raise click.UsageError("Wait for what a pull request does by `moot status --wait answer`.")
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
