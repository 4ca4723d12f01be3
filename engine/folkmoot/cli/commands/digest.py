"""`moot digest`: what `digest` in scripts says of a value."""

from __future__ import annotations

import click

from folkmoot.cli.options import json_option
from folkmoot.cli.terminal import Terminal
from folkmoot.files.typed_words import read_word
from folkmoot.kernel.things import canonical_digest


@click.command("digest")
@click.argument("value")
@click.option("--text", is_flag=True, help="Take it as a text, whatever it looks like.")
@json_option
@click.pass_obj
def command(terminal: Terminal, value: str, text: bool) -> None:
    """Print the digest of VALUE, as `digest` says it in scripts.

    By it one holds to what one says only later: give the digest now, the value then. What looks like JSON is taken as
    such, as in the arguments of acts: 305 is a number, '["a", 1]' a list, and what else there is a text. Whoever
    guesses the value can compute it too, so put something nobody guesses into it.

    \b
      moot digest '["a", 1]'
      moot digest --text 305
    """  # noqa: D301 (the mark keeps lines apart in the help)
    found = canonical_digest(value if text else read_word(value))
    terminal.record({"digest": found})
    terminal.say(found)
