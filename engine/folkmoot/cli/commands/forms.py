"""`moot forms`: the forms by which people act on a forge without git."""

from __future__ import annotations

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import require_work_tree, root_of
from folkmoot.cli.options import json_option
from folkmoot.cli.terminal import Terminal
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.problems import fail
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import STATE, games_in
from folkmoot.ops.doctor.repository_files import stale_files, wanted_forms
from folkmoot.referee.form_files import FOLDERS, forms_of, write_forms


@click.command("forms")
@click.option("--forge", type=click.Choice(list(FOLDERS)), help="The kind of forge.  [default: that of the games]")
@click.option("--check", is_flag=True, help="Write nothing; end with 1 where a form is not in step with the rules.")
@json_option
@click.pass_obj
def command(terminal: Terminal, forge: str | None, check: bool) -> int:
    """Write the forms of the games of this repository, made from the actions of their rules.

    There are four: to act, to propose a rule-change, to say or ask something, and to join. What somebody fills in
    becomes an issue, which the referee takes as an act. Commit what is written; run it again when rules have brought
    other actions. A form that somebody wrote by hand is left alone.
    """
    root = root_of(terminal)
    require_work_tree(root)
    kinds = {game: forge_kind(GameFolder(root / STATE / game).kept(GAME)) for game in games_in(root)}
    kind = forge or next(iter(sorted({*kinds.values()} & {*FOLDERS})), None)
    games = [game for game, its in kinds.items() if its == kind]
    if kind is None or not games:
        hint = "`moot act use_forge forge=github home=https://HOST/OWNER/NAME` says that one is"
        raise fail("E-STATUS", f"no game here is played on {kind or 'a forge that has forms'}", None, hint)
    if check:
        stale = stale_files(root, wanted_forms(root, kind, games))
        terminal.record({"forge": kind, "stale": stale})
        terminal.say(f"Not in step: {', '.join(stale)}." if stale else "The forms are in step with the rules.")
        return Exit.PROBLEMS if stale else Exit.OK
    written, kept = write_forms(root, forms_of(root, kind, games))
    terminal.record({"forge": kind, "written": written, "kept": kept})
    terminal.say(f"Wrote {', '.join(written)}." if written else "The forms are in step with the rules.")
    for name in kept:
        terminal.note(f"{name} was written by hand, and is left alone.")
    return Exit.OK
