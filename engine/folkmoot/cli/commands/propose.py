"""`moot propose`: open a pull request with rule-changes."""

from __future__ import annotations

from typing import Any

import click

from folkmoot.cli.completion import complete_act, complete_pulls, complete_rules
from folkmoot.cli.options import FILE, game_name_option, json_option, pull_number, remote_option, wait_option
from folkmoot.cli.terminal import Terminal


@click.command("propose")
@click.option("-t", "--title", default="", help="What the pull request is called.  [default: made from its changes]")
@click.option("-m", "--message", default="", metavar="TEXT", help="Why: the pull request's description.")
@click.option("-r", "--rule", "rules", multiple=True, type=FILE, metavar="FILE",
              help="A rule file: a new rule, or a changed copy of one in force.")  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", shell_complete=complete_rules,
              help="A rule to repeal.")  # fmt: skip
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option("--amend", "amends", multiple=True, metavar="NUMBER", shell_complete=complete_rules,
              help="A rule to change in your editor.")  # fmt: skip
@click.option("--new", is_flag=True, help="Write a new rule in your editor.")
@click.option("--with", "withs", multiple=True, type=FILE, metavar="FILE",
              help="An action file with a request that travels with the proposal.")  # fmt: skip
@click.option("--do", "action", default="", metavar="ACTION",
              help="The action that takes it in.  [default: as the law says]")  # fmt: skip
@click.option("--then", multiple=True, metavar="ACTION", shell_complete=complete_act,
              help="Do this next on the pull request: `--then 'ACTION name=value'`.")  # fmt: skip
@click.option("--vote", default="", metavar="CHOICE", help="Vote so on it yourself.")
@click.option("-u", "--update", type=pull_number, metavar="PULL", shell_complete=complete_pulls,
              help="Push it to your pull request PULL instead.")  # fmt: skip
@click.option("--anyway", is_flag=True, help="Send it although scripts or examples fail, or it would be refused.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be sent, and send nothing.")
@wait_option
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, /, game: str | None, remote: str | None, anyway: bool, dry_run: bool, **given: Any,
) -> int:  # fmt: skip
    """Open a pull request with rule-changes, made of rule files, of your branch, or of what you write in an editor.

    Without options that name changes, your checked-out branch is proposed as it is if it has commits that change
    rules; else your editor opens on a new rule. Neither work tree nor index is touched. Scripts, examples and the
    proposal itself are tried on the law first; what would fail, or be refused, is said, and not sent.

    \b
      moot propose                         your branch, or a rule in your editor
      moot propose --rule tea.yaml         a file
      moot propose --amend 206             rule 206 in your editor
      moot propose --repeal 206 --title "No more penalties"
      moot propose --update 7 --rule tea.yaml
      moot propose --rule tea.yaml --vote for
    """  # noqa: D301 (the mark keeps lines apart in the help)
    from folkmoot.cli.drafting import Wanted
    from folkmoot.cli.proposing import Said, propose

    how = {
        name: given.pop(name) for name in ("title", "message", "update", "action", "then", "vote", "wait", "timeout")
    }
    said = Said(anyway=anyway, dry_run=dry_run, **how)
    return propose(terminal, remote, game, Wanted(**given), said)
