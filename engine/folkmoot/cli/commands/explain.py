"""`moot explain`: why something is as it is."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_explain
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.terminal import Terminal


@click.command("explain")
@click.argument("words", nargs=-1, required=True, metavar="WHAT…", shell_complete=complete_explain)
@click.option("--offline", is_flag=True, help="Do not ask the remote repository; explain what was fetched last.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, words: tuple[str, ...], offline: bool, game: str | None, remote: str | None) -> None:
    """Say why something is as it is, back to entry and rule.

    \b
      moot explain ann score           every change of a register, with its rule
      moot explain game next_number
      moot explain rule 203            every revision of a rule
      moot explain proposal 305        its changes, votes, decision; so any kind
      moot explain ballot 305 ann      why a ballot counts or does not
      moot explain setting G2-Q2       a switch and who flipped it
      moot explain settings            every switch, and how it stands
      moot explain entry 12            one entry of the journal
      moot explain action transfer     what an action takes, and its rule
      moot explain limits              how much rules and people may take
    """  # noqa: D301 (the mark keeps lines apart in the help)
    from folkmoot.cli.clones import looked_at
    from folkmoot.cli.explaining import explain_words

    with looked_at(terminal, game, remote, offline=offline) as (_view, session):
        explain_words(terminal, session, list(words))
