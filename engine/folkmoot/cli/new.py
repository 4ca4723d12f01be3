"""`moot new`: found a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.founding import (
    address_in,
    administering,
    check_name,
    chosen_players,
    chosen_ruleset,
    found,
    founding,
    player_at,
    tell_number,
)
from folkmoot.cli.game_status import SEALS
from folkmoot.cli.games import is_repository, require_work_tree, root_of
from folkmoot.cli.options import moment_of, pairs_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.core.values import in_a_row
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.named_files import read_file
from folkmoot.files.reader import read_settings
from folkmoot.journal.layout import games_in
from folkmoot.ops.doctor.repository_files import make_repository, write_git_files


def run_new(terminal: Terminal, /, name: str, file: Path | None, commit: bool, at: str | None, **given: Any) -> int:
    """Found a game."""
    check_name(name)
    wanted: dict[str, Any] = {}
    if file:
        text = read_file(file)
        read_settings(text, str(file))
        wanted = dict(load_yaml(text, str(file)))
    beside = file.parent if file and not given["ruleset"] else Path()
    for part, what in (("settings", "A setting"), ("limits", "A limit"), ("offices", "An office")):
        given[part] = pairs_of(given[part], what)
    chosen = {key: value or wanted.get(key) or value for key, value in given.items()}
    ruleset, opening = chosen_ruleset(terminal, chosen.pop("ruleset"), beside)
    root = root_of(terminal)
    require_work_tree(root)
    if not opening.get("players"):
        chosen["players"] = chosen_players(terminal, chosen["players"])
    law = founding(name, opening, **chosen)
    mail = address_in(root)
    you = player_at(law["players"], mail)
    if you and not chosen["administrators"]:
        law["administrators"] = [you]
    law |= {key: wanted[key] for key in ("maintainers", "reminders") if wanted.get(key) is not None}
    tell_number(terminal, ruleset, beside, law)
    if commit and not is_repository(root):  # a game lives in one
        make_repository(root)
        terminal.say(f"Made a git repository in {root}.")
    folder = found(root, name, law, moment_of(at or wanted.get("starts"), 0))
    written = write_git_files(root)
    if commit:
        folder.commit(f"Found the game {name}", at=folder.head.at, beside=[root / file for file in written])
    entry = next(iter(folder.entries()))
    terminal.record({"game": name, "path": str(folder.path), "entry": entry["seq"], "digest": folder.head.digest})
    terminal.say(f"Founded {name} in {folder.path}.")
    _tell(terminal, law, sorted({*opening["offices"]} - {*law["offices"]}))
    if law.get("forge"):
        _tell_players(terminal, you, mail, committed=commit)
    named = "" if games_in(root) == [name] else f" --game {name}"
    terminal.say(f"Next: `moot status{named}` shows how it stands.")
    return Exit.OK


def _tell(terminal: Terminal, law: dict[str, Any], vacant: Sequence[str]) -> None:
    """Say who administers a game that was founded, who holds its offices, and what its keeper has to do."""
    terminal.say(administering(law["administrators"]))
    if law["offices"]:
        terminal.say(f"Offices to begin with: {in_a_row(f'{each} {who}' for each, who in law['offices'].items())}.")
    for office in vacant:
        terminal.say(f"Nobody holds the office of {office} yet; `--office {office}=…` would name somebody.")
    if needs_keeper(law["rules"]):
        terminal.say(SEALS)


def _tell_players(terminal: Terminal, you: str, mail: str, *, committed: bool) -> None:
    """Say how the founder is recognised, and how the others come to the table."""
    if you:
        terminal.say(f"You are {you}: git says that you are {mail}.")
    else:
        terminal.note(f"Mind: git says that you are {mail or 'nobody'}, which is no player here. Players are known by")
        terminal.note("their address: give each with --player ID,email=ADDRESS, or let them `moot join`.")
    if committed:
        terminal.say(
            "Share it: `git push` it to a repository that all players can push to, and keep `moot referee` running."
        )
