"""`moot try`: what a rule, or a pull request, would do, on a copy of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from folkmoot.cli.completion import complete_players, complete_pulls
from folkmoot.cli.options import FILE, game_name_option, json_option, pull_number, remote_option
from folkmoot.cli.terminal import Terminal


class PullOrFile(click.ParamType[Any]):
    """The number of a pull request, or a file that is there."""

    name = "pull"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number or the path that is meant."""
        try:
            return FILE.convert(value, param, ctx)
        except click.BadParameter:
            if not value.removeprefix("#").isdecimal():
                raise
        return pull_number(value)


@click.command("try")
@click.argument("what", nargs=-1, type=PullOrFile(), metavar="[PULL | RULE-FILE…]", shell_complete=complete_pulls)
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", help="Try a repeal too.")
@click.option(
    "--steps", type=FILE, metavar="FILE",
    help="Then play these steps on the copy: a list in the form of a scenario's `steps`, expectations included.",
)  # fmt: skip
@click.option("--as-proposal", is_flag=True, help="First say what the law says of it as a proposal of now.")
@click.option("-b", "--by", metavar="PLAYER", shell_complete=complete_players,
              help="Who proposes it.  [default: whom git's address stands for]")  # fmt: skip
@click.option("--show", "page", metavar="PAGE", help="Print a page that a rule shows, as it is after that.")
@click.option("--comment", is_flag=True, help="Show what the referee would say of a pull request with these files.")
@click.option("--said", is_flag=True, help="Print the referee's present comment on PULL instead.")
@click.option(
    "--event",
    type=FILE,
    help="Try the pull request of a forge's event, as a job finds it in GITHUB_EVENT_PATH.",
)
@click.option("--clone", metavar="URL", help="With --event: fetch from there, into a bare clone made for this run.")
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), help="Add what is shown to a file, as Markdown."
)
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    what: tuple[int | Path, ...],
    repeals: tuple[str, ...],
    steps: Path | None,
    page: str | None,
    as_proposal: bool,
    by: str | None,
    comment: bool,
    said: bool,
    event: Path | None,
    clone: str | None,
    summary: Path | None,
    game: str | None,
    remote: str | None,
) -> int:
    """Make rules law on a copy of a game, play on there, and show what comes of it; the game itself stays as it is.

    Without --steps its new actions are done and its new timers fire once each. Exits with 1 where a script fails or a
    step goes otherwise than it says, and with --as-proposal where the law would not take it in or adopt it.

    Of a pull request it shows the changes, whether they are proper, and what adoption would bring, as the referee's
    comment does; without anything to try, so of your checked-out branch. Exits with 1 where it would be refused as it
    is, whenever it is proposed: malformed, with scripts or examples that fail, or not proper.

    \b
      moot try tea.yaml --steps steps.yaml
      moot try tea.yaml --comment
      moot try 7
    """  # noqa: D301 (the mark keeps lines apart in the help)
    files = tuple(each for each in what if isinstance(each, Path))
    numbers = [each for each in what if isinstance(each, int)]
    as_law = bool(repeals or steps or page or as_proposal or by)
    if as_law and (numbers or comment or said or event):
        raise click.UsageError("--repeal, --steps, --show, --as-proposal and --by are for rules that are tried as law.")
    if len(numbers) > 1 or (numbers and files):
        raise click.UsageError("Try one pull request at a time, or files: `moot try 7`, `moot try tea.yaml`.")
    if event is not None:
        from folkmoot.cli.pull_request_trial import show_arrival

        return show_arrival(terminal, event, clone, remote, summary)
    if not as_law and (comment or said or not files):
        from folkmoot.cli.pull_request_trial import show_pull

        return show_pull(terminal, game, remote, sum(numbers), files, said=said, summary=summary)
    if not (files or repeals or steps):
        raise click.UsageError("Say what to try: `moot try RULE-FILE`, `--repeal NUMBER` or `--steps FILE`.")
    from folkmoot.cli.games import game_folder
    from folkmoot.cli.rule_trial import try_rules

    return try_rules(terminal, game_folder(terminal, game), files, repeals, steps, page, as_proposal, by)
