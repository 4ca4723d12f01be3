"""`moot comment`: say something about a pull request, or on the game's own thread."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence

import click

from folkmoot.cli.completion import complete_pulls
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.options import game_name_option, json_option, pull_number, remote_option, trying_options
from folkmoot.cli.terminal import Terminal


@click.command("comment")
@click.argument("text", metavar="TEXT…", nargs=-1, required=True)
@click.option("--on", "pull", type=pull_number, metavar="PULL", shell_complete=complete_pulls,
              help="The pull request.  [default: the game itself]")  # fmt: skip
@trying_options
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    text: tuple[str, ...],
    pull: int | None,
    game: str | None,
    remote: str | None,
    anyway: bool,
    dry_run: bool,
) -> int:
    """Say TEXT about a pull request, or about the game.

    Lines that start with a slash are commands of the game (`/vote abstain`, `/do move to=c4`), as if they were written
    by `moot vote` and `moot act`, and like those are tried first; all else is talk, and is not recorded. A pull request
    that is over can be talked about, too.

    Example: moot comment --on 7 "Why so many points?"
    """
    from folkmoot.cli.dry_run import tried_in
    from folkmoot.cli.sending import addressed, played_game, pull_meant, remote_view_of, send, title_of
    from folkmoot.forges.local.messages import Letter
    from folkmoot.player.voting import game_of_pull
    from folkmoot.referee.commands import commands_in, unread_in

    body = " ".join(text).strip()
    if not body:
        raise click.UsageError("Say something.")
    if pull is None and len(text) > 1 and (number := text[0].removeprefix("#")).isdecimal():
        said = f"`moot comment --on {number} {shlex.quote(' '.join(text[1:]))}`"
        raise click.UsageError(f"About pull request {number} that is {said}; else put the text in quotation marks.")
    view = remote_view_of(terminal, remote).look()
    if pull is None:
        name = played_game(view, game)
        letter, where = Letter(pull=0, kind="comment", body=addressed(view, name, body)), f"the thread of {name}"
    else:
        named = played_game(view, game) if game is not None else None
        found = pull_meant(terminal, view, pull, over=True)
        letter, where = Letter(pull=found.number, kind="comment", body=body), title_of(found)
        name = game_of_pull(view, found, named)
    names = [each.name for each in commands_in(body)]
    if unread := unread_in(body):
        terminal.note(f"Mind: {unread}.")
    trial = tried_in(terminal, view, name if names else "", [letter], anyway=anyway, dry_run=dry_run)
    done = {"pull": letter.pull, "commands": names, **trial.record}
    if not trial.sends:
        terminal.record(done)
        return trial.code
    terminal.record({**done, "letter": send(view, letter)})
    terminal.say(f"Said on {where}.{_asks_for(names)}")
    return Exit.OK


def _asks_for(names: Sequence[str]) -> str:
    """Return what a comment asks for, each command once.

    >>> _asks_for(["do", "vote", "do"]), _asks_for([])
    (' It asks for /do (2 times), /vote.', '')
    """
    times = Counter(names)
    each = [f"/{name}" + (f" ({number} times)" if number > 1 else "") for name, number in times.items()]
    return f" It asks for {', '.join(each)}." if each else ""
