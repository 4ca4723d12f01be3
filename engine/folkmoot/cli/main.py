"""The command `moot`: finds its subcommand, and turns problems into exit codes."""

from __future__ import annotations

import errno
import gc
import io
import os
import re
import sys
from pathlib import Path
from typing import cast

import click
from click.shell_completion import CompletionItem

from folkmoot import __version__
from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.terminal import Terminal, refuses_colour, speak_plainly
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.game.secret_store import hide_secrets, shield

GROUPS = {
    "Play": {
        "demo": "Play the thirteen proposals of the mail game, then serve the site of it.",
        "join": "Ask to become a player.",
        "status": "Show whose turn it is, what is open and what you owe, or wait for that.",
        "show": "Show a page, a board, a rule, your hand, a pull request.",
        "log": "Show what was done and said, and what came of it.",
        "propose": "Propose rule-changes by a pull request.",
        "vote": "Vote on what a pull request proposes.",
        "act": "Do something in a game: judge, move, transfer, state.",
        "comment": "Say something about a pull request, or about the game.",
        "withdraw": "Take back a pull request of yours.",
        "key": "Name keys that sign, make keys that open what is sealed, and the secret of dice.",
    },
    "Write rules": {
        "check": "Find every mistake in rules and other files, and run scenarios.",
        "try": "Show what a rule, or a pull request, would do, on a copy of a game.",
    },
    "Keep a game": {
        "new": "Found a game from a packaged ruleset.",
        "table": "Lay a table for friends: a repository, a game, a referee.",
        "init": "Prepare a repository for a forge; pin its engine, write its forms.",
        "begin": "Open the game of a repository made from a template.",
        "referee": "Record what players did where they meet; let the clock run.",
        "serve": "Build the site, and serve it on this machine.",
        "doctor": "Find what is wrong with a repository and its forge.",
    },
    "Prove": {
        "explain": "Say why something is as it is, back to entry and rule.",
        "verify": "Prove a game's record, or put right what was changed by hand.",
    },
}
"""What each command does, by what somebody wants who reads the list."""
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}
LOADED = 50_000
"""Objects between two looks of the collector: loading what a command needs makes many, and none that go again."""
EPILOG = """\
Exit codes: 0 done · 1 problems found · 2 wrong usage · 3 refused by the rules of the game · 4 the record is damaged ·
5 the disk, git or the network failed · 6 what was waited for did not come in time · 70 a fault of moot
itself · 130 interrupted.
"""

_GITS = ("_pygit2", "pygit2", "pygit2.errors")  # where its errors come from; it is not imported for every command
_OBJECT = re.compile("[0-9a-f]{40}")
_PUT_RIGHT = "Nothing was half done; put it right and try again."
_FOREIGN = re.compile("repository path '(.+?)/?' is not owned by")
_TRUST = "it is somebody else's; if you trust them: `git config --global --add safe.directory {}`"
_DAMAGED = "nothing was half done; `git fsck` says what is damaged, and a fresh clone has all that was sent"


class Commands(click.Group):
    """A group that reads what commands take only when one of them is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the commands' names as the list has them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click's signature)
        """Return one command; what it does is imported when it is run."""
        if cmd_name not in COMMANDS:
            return None
        from folkmoot.cli import commands

        return cast(click.Command, getattr(commands, {"try": "try_"}.get(cmd_name, cmd_name)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or say which one may be meant."""
        if args and args[0] not in COMMANDS and not (args[0].startswith("-") or ctx.resilient_parsing):
            from folkmoot.cli.misuse import command_meant  # which few need

            here = Terminal(directory=ctx.params.get("directory"))
            meant = command_meant(here, args[0], args[1:], COMMANDS)
            raise click.UsageError(f"There is no command `{args[0]}`. {meant}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command or an option, importing no command."""
        names = [CompletionItem(name, help=about) for name, about in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands with their summaries, importing none."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(group.items()))


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="moot")
@click.option(
    "-C",
    "--directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The repository to work in, instead of the one around the current folder.",
)
@click.pass_context
def moot(context: click.Context, directory: Path | None) -> None:
    """Referee, record and publish games of Nomic kept in a git repository."""
    if refuses_colour():
        context.color = False
    terminal = context.ensure_object(Terminal)
    terminal.directory = directory


OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
              "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_SHALLOW_FILE")  # fmt: skip
"""Variables by which git tells its hooks and aliases of a repository: a game is that of the folder, or of `-C`."""


def main(arguments: list[str] | None = None) -> None:
    """Run `moot` and exit; `arguments` are those of the process unless given."""
    gc.set_threshold(LOADED)
    for name in OF_ANOTHER:
        os.environ.pop(name, None)
    shield()
    hide_secrets()
    speak_plainly()
    terminal = Terminal()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        words = readable(given)
        code = moot.main(words, prog_name="moot", standalone_mode=False, obj=terminal)
    except Exception as error:  # noqa: BLE001 (every error ends here; unknown ones are raised again)
        terminal.json = terminal.json or "--json" in given  # which a wrong word before it hides from the command
        code = report(error, terminal)
    except KeyboardInterrupt:
        code = interrupted(terminal)
    terminal.finish()
    raise SystemExit(int(code or 0) or unheard(terminal))


def readable(words: list[str]) -> list[str]:
    """Return the words of the command line; raises E-UTF8 for one that is no text."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="backslashreplace").decode()
            hint = "let the terminal speak UTF-8 (`export LC_ALL=C.UTF-8`), and give files names in UTF-8"
            raise fail("E-UTF8", f"the word '{shown}' of the command line is not UTF-8 text", None, hint) from None
    return words


def was_interrupted(error: BaseException | None) -> bool:
    """Say whether an error is an interruption, or was raised because of one while a module was loaded."""
    return error is not None and (
        isinstance(error, (click.Abort, KeyboardInterrupt)) or was_interrupted(error.__cause__)
    )


def interrupted(terminal: Terminal) -> Exit:
    """Say what an interruption leaves, and return the exit code."""
    shown = "`moot status` shows whether it was done or not, and `moot log --mine` what you said"
    terminal.note(f"Interrupted: nothing is half done. {shown}.")
    return Exit.INTERRUPTED


def unheard(terminal: Terminal) -> Exit:
    """Return the exit code of a command that did its work: whether what it said could be written."""
    if terminal.lost is None:
        return Exit.OK
    why = terminal.lost.strerror or str(terminal.lost)
    hint = "do not do it again unseen: `moot status` shows what was done"
    message = f"the output could not be written ({why}); what the command does, it did"
    terminal.problems([Problem("E-OUTSIDE", message, None, hint)])
    return Exit.OUTSIDE


def report(error: Exception, terminal: Terminal) -> int:
    """Tell what went wrong and return the exit code; with MOOT_DEBUG set, faults of our own are raised again."""
    match error:
        case _ if was_interrupted(error):
            return interrupted(terminal)
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            return _misused(error, terminal)
        case ProblemError():
            terminal.problems(error.problems)
            return exit_of(error.problems)
        case BrokenPipeError():
            return Exit.OK  # of an editor or a pager: what we say ourselves goes by the terminal
        case OSError():
            terminal.problems([outside_problem(error)])
            return Exit.OUTSIDE
    if said := _said_by_git(error):
        message = f"git's own files cannot be read here: {said}"  # its settings, refs, objects
        foreign = _FOREIGN.search(said)
        terminal.problems([Problem("E-GIT", message, hint=_TRUST.format(foreign[1]) if foreign else _DAMAGED)])
        return Exit.OUTSIDE
    if os.environ.get("MOOT_DEBUG"):
        raise error
    hint = "nothing is half done (`moot status` shows whether it was); set MOOT_DEBUG=1 to see where, and report it"
    terminal.problems([Problem("E-FAULT", f"moot met a fault of its own: {type(error).__name__}: {error}", hint=hint)])
    return Exit.FAULT


def _said_by_git(error: BaseException) -> str:
    """Return what git's library says by an error, "" where it is none of its.

    For an object that is gone it raises a KeyError of its name, and where one that is cut is met on the way a
    SystemError of what was raised first; from its own Python it raises whatever comes.
    """
    if isinstance(error, SystemError) and error.__cause__:
        return _said_by_git(error.__cause__)
    if isinstance(error, KeyError) and _OBJECT.fullmatch(str(error.args[0] if error.args else "")):
        return f"the object {error.args[0]} is not there"
    from traceback import walk_tb

    last = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)][-1:]
    ours = type(error).__module__ not in _GITS and not "".join(last).startswith("pygit2")
    return "" if ours else str(error) or type(error).__name__


def _misused(error: click.ClickException, terminal: Terminal) -> int:
    """Tell what is wrong with the words of the command line, and return the exit code."""
    if isinstance(error, click.UsageError):
        from folkmoot.cli.misuse import with_what_is_meant

        error = with_what_is_meant(error, terminal)
    said = io.StringIO()
    error.show(said)
    terminal.note(said.getvalue().rstrip("\n"))
    context = getattr(error, "ctx", None)
    hint = f"`{context.command_path} --help` says what it takes" if context is not None else "`moot --help`"
    terminal.record({"problems": [Problem("E-ARGS", error.format_message(), None, hint).as_record()]})
    return Exit.USAGE if isinstance(error, click.UsageError) else error.exit_code


def outside_problem(error: OSError) -> Problem:
    """Return a failure of the disk or the network as a problem."""
    name = error.filename2 or error.filename  # of two, the one that was to be written
    place = f"{os.fsdecode(name)}: " if isinstance(name, (str, bytes)) else ""
    full = any(os.strerror(number) in str(error) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
    hint = "nothing was half done; make room on the disk, then do it again" if full else _PUT_RIGHT
    return Problem("E-OUTSIDE", f"{place}{error.strerror or error}", hint=hint)


if __name__ == "__main__":  # so older engines are run, and this one by them
    main()
