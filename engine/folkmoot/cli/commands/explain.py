"""`moot explain`: why something is as it is."""

from __future__ import annotations

import click

from folkmoot.cli.completion import complete_explain
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.terminal import Terminal


@click.command("explain")
@click.argument("words", nargs=-1, required=True, metavar="WHAT…", shell_complete=complete_explain)
@click.option("--text", is_flag=True, help="With `digest`: take VALUE as a text, whatever it looks like.")
@click.option("--offline", is_flag=True, help="Do not ask the remote repository; explain what was fetched last.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, words: tuple[str, ...], text: bool, offline: bool, game: str | None, remote: str | None
) -> None:
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
      moot explain digest '["a", 1]'   what `digest` in scripts says of a value

    By a digest one holds to what one says only later: give the digest now, the value then. What looks like JSON is
    taken as such, as in the arguments of acts: 305 is a number, '["a", 1]' a list, and what else there is a text.
    Whoever guesses the value can compute it too, so put something nobody guesses into it.
    """  # noqa: D301 (the mark keeps lines apart in the help)
    if words[0] == "digest":
        _digest(terminal, words[1:], text=text)
        return
    if text:
        raise click.UsageError("--text goes with `moot explain digest VALUE`.")
    from folkmoot.cli.clones import looked_at
    from folkmoot.cli.explaining import explain_words

    with looked_at(terminal, game, remote, offline=offline) as (_view, session):
        explain_words(terminal, session, list(words))


def _digest(terminal: Terminal, words: tuple[str, ...], *, text: bool) -> None:
    """Print the digest of a value."""
    from folkmoot.files.typed_words import read_word
    from folkmoot.kernel.things import canonical_digest

    if len(words) != 1:
        raise click.UsageError("Give one VALUE, as in `moot explain digest 305`; what has blanks in quotation marks.")
    found = canonical_digest(words[0] if text else read_word(words[0]))
    terminal.record({"digest": found})
    terminal.say(found)
