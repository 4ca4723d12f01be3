"""`moot table`: lay a table for friends, with a game on it."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
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
    record_keys,
    require_players,
    tell_number,
)
from folkmoot.cli.options import pairs_of
from folkmoot.cli.sending import read_public_key
from folkmoot.cli.terminal import Terminal
from folkmoot.core.game_location import TABLE_LOG as LOG
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.ops.doctor.repository_files import write_git_files
from folkmoot.ops.table import KEPT, REFEREE, lay, refuse_taken

HOST = "table.invalid"
"""The host in the addresses of players who named none: git wants an address, and nobody gets mail by it."""


def run_table(terminal: Terminal, /, folder: Path, address: str | None, shared: bool, **given: Any) -> int:
    """Lay a table."""
    table = folder.absolute()
    refuse_taken(table)
    name = given["name"] or name_of(folder)
    check_name(name)
    ruleset, opening = chosen_ruleset(terminal, given["ruleset"])
    keys, flipped = pairs_of(given["keys"], "A key"), pairs_of(given["settings"], "A setting")
    players = chosen_players(terminal, given["players"])
    law = founding(name, opening, players, title=given["title"], settings=flipped, forge="local")
    law["players"] = [{**who, "email": who.get("email") or f"{who['id'].lower()}@{HOST}"} for who in law["players"]]
    require_players([*given["administrators"], *keys], [who["id"] for who in law["players"]])
    founder = player_at(law["players"], address_in(Path())) or law["players"][0]["id"]
    law["administrators"] = [*given["administrators"]] or [founder]
    tell_number(terminal, ruleset, Path(), law)
    read = {who: [read_public_key(Path(file).expanduser())] for who, file in keys.items()}
    sealing = needs_keeper(law["rules"]) and not shared
    lay(table, lambda work: _found(work, name, law, read, sealing=sealing), shared=shared)
    lines = {who["id"]: line_for(who, address or str(table), keys.get(who["id"], "")) for who in law["players"]}
    kept = str(table / KEPT / f"{name}.sealing") if sealing else None
    told = {"table": str(table), "game": name, "administrators": law["administrators"], "keeper_key": kept}
    terminal.record({**told, "lines": lines})
    _tell(terminal, table, name, law, lines, kept)
    return Exit.OK


def name_of(folder: Path) -> str:
    """Return what a game in a folder is called.

    >>> name_of(Path("games/Our Evening.git")), name_of(Path("..."))
    ('our-evening', 'game')
    """
    return re.sub(r"[^a-z0-9]+", "-", folder.name.removesuffix(".git").lower()).strip("-")[:39].strip("-") or "game"


def _found(work: Path, name: str, law: dict[str, Any], keys: Mapping[str, Sequence[str]], *, sealing: bool) -> None:
    """Found and commit the game in a work tree, with the keeper's key where it seals something."""
    game = found(work, name, law, int(time.time()), lambda session, by: record_keys(session, by, keys, sealing=sealing))
    files = [work / file for file in write_git_files(work)]
    game.commit(f"Found the game {name}", REFEREE, game.head.at, files)


def line_for(person: Mapping[str, Any], address: str, key: str) -> str:
    """Return the command by which a player sits down: a clone that knows who they are, and signs if they have a key."""
    name = str(person.get("name") or str(person["id"]).capitalize())
    settings = [f"user.name={name}", f"user.email={person['email']}"]
    if key:
        settings += ["gpg.format=ssh", f"user.signingkey={key}", "commit.gpgsign=true"]
    words = [word for setting in settings for word in ("-c", setting)]
    return f"git clone -q {shlex.join([*words, '--', address, str(person['id'])])}"


def _tell(
    terminal: Terminal, table: Path, name: str, law: Mapping[str, Any], lines: Mapping[str, str], key: str | None
) -> None:
    terminal.say(f"Laid the table {table}, with the game {name} ({law['ruleset']}).")
    terminal.say(administering(law["administrators"]))
    terminal.say("\nEach sits down by a line of their own:")
    for line in lines.values():
        terminal.say(line, whole=True)
    first = law["players"][0]["id"]
    terminal.say(f"\nThe referee runs after every push, and writes what it does to {LOG} in the table.")
    terminal.say(f"Deadlines pass at a push too; `moot -C {shlex.quote(str(table))} referee --watch 60` keeps them.")
    if key is not None:
        terminal.say("\nThis game seals things, such as what only one may see. The keeper's key for that is kept in")
        terminal.say(key, whole=True)
        terminal.say("Whoever can read that file can read all of it; without it nobody can: keep a copy elsewhere.")
        terminal.say("Each makes a key of their own when they sit down, and names it: `moot key --sealing` says how.\n")
    elif needs_keeper(law["rules"]):
        terminal.note(
            "This game seals things, and no keeper's key was made: with --shared the referee runs as whoever pushes, "
            "so that each of them could read all of it. Lay it without --shared, and let all come in as one account."
        )
    terminal.say(f"Next: sit down, then `cd {first}` and `moot serve` to play in the browser, or `moot status`.")
