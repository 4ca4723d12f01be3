"""`moot new`: found a game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, cast

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forge_setup import (
    People,
    checked_place,
    identify,
    people_on,
    prepare_files,
    tell_next,
)
from folkmoot.cli.forges import client_of, place_of
from folkmoot.cli.founding import (
    address_in,
    administering,
    check_name,
    chosen_players,
    chosen_ruleset,
    found,
    founder_of,
    founding,
    from_file,
    tell_number,
)
from folkmoot.cli.game_status import SEALS
from folkmoot.cli.games import is_repository, repository_around, require_work_tree, root_of
from folkmoot.cli.options import moment_of, pairs_of
from folkmoot.cli.repositories import ASKED, address_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import take_token
from folkmoot.core.game_location import KINDS
from folkmoot.core.keys import forge_home, forge_kind
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.records import Founding, PlayedAt
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.core.values import in_a_row
from folkmoot.forges.cache.refs import BRANCHES
from folkmoot.forges.git_transport import Git
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import games_in
from folkmoot.ops.doctor.place import Place
from folkmoot.ops.doctor.repository_files import make_repository, write_git_files


def run_new(terminal: Terminal, /, name: str, file: Path | None, commit: bool, at: str | None, **given: Any) -> int:
    """Found a game."""
    check_name(name)
    wanted = from_file(file) if file else {}
    forge = {key: given.pop(key) for key in ("home", "site_url", "logins", "remote")}
    beside = file.parent if file and not given["ruleset"] else Path()
    chosen = _chosen(given, wanted)
    ruleset, opening = chosen_ruleset(terminal, chosen.pop("ruleset"), beside)
    root = root_of(terminal)
    require_work_tree(root)
    _refuse_empty_clone(root)
    if not opening.get("players"):
        chosen["players"] = chosen_players(terminal, chosen["players"])
    law = _law(name, opening, chosen, wanted, root)
    tell_number(terminal, ruleset, beside, law)
    place, people = _place_on_forge(terminal, law, **forge)
    made = _make_repository(root) if commit else False
    kind = forge_kind(cast(PlayedAt, law))
    then = (lambda session, by: identify(session, by, kind, people, session.at)) if people else None
    folder = found(root, name, law, moment_of(at or wanted.get("starts"), 0), then)
    written = prepare_files(place, forge["site_url"]) if place else write_git_files(root)
    if commit:
        folder.commit(f"Found the game {name}", at=folder.head.at, beside=[root / file for file in written])
    entry = next(iter(folder.entries()))
    terminal.record({"game": name, "path": str(folder.path), "entry": entry["seq"], "digest": folder.head.digest})
    _tell(terminal, folder, made, () if chosen["administrators"] else law["administrators"])
    _tell_offices(terminal, law, opening, chosen["offices"])
    if needs_keeper(law["rules"]):
        terminal.say(SEALS)
    if place:
        tell_next(terminal, place)
    elif law.get("forge"):
        _tell_players(terminal, folder, law, committed=commit)
    return Exit.OK


def _chosen(given: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what is chosen for the founding: what options say, else what the settings file wants."""
    for part, what in (("settings", "A setting"), ("limits", "A limit"), ("offices", "An office")):
        given[part] = pairs_of(given[part], what)
    return {key: value or wanted.get(key) or value for key, value in given.items()}


def _law(name: str, opening: Founding, chosen: dict[str, Any], wanted: dict[str, Any], root: Path) -> dict[str, Any]:
    """Return what the game is founded with; where nobody says who administers it, that is who founds it."""
    law = founding(name, opening, **chosen)
    if not chosen["administrators"]:
        law["administrators"] = [founder_of(law["players"], address_in(root))]
    return law | {key: wanted[key] for key in ("maintainers", "reminders") if wanted.get(key) is not None}


def _place_on_forge(
    terminal: Terminal,
    law: dict[str, Any],
    home: str | None,
    site_url: str | None,
    logins: Sequence[str],
    remote: str | None,
) -> tuple[Place | None, People]:
    """Return where a game on a forge lies and who its players are there; its law is told; None for all others."""
    said = cast(PlayedAt, law)
    kind = forge_kind(said)
    if kind not in KINDS:
        if home or site_url or logins:
            raise click.UsageError("--home, --site and --login are for a game on a forge; say --forge github or gitea.")
        return None, {}
    place = checked_place(place_of(terminal, remote, kind, home or forge_home(said)))
    law["forge"] = {"kind": kind, "home": place.home}
    with client_of(place, take_token(place.kind, place.host)) as client:
        people = people_on(client, logins)
    strangers = sorted(set(people) - {person["id"] for person in law["players"]})
    if strangers:
        raise fail("E-ARGS", f"no player of that name: {', '.join(strangers)}", None, "name each with --player")
    return place, people


def _refuse_empty_clone(root: Path) -> None:
    """Raise E-DUP in a clone that holds nothing yet of a repository that holds something: it may be the game."""
    repo = repository_around(root)
    if repo is None or not repo.head_is_unborn:
        return
    try:
        address = address_of(repo, None)
        held = Git(root, ASKED).listing(address).refs if address else {}
    except ProblemError:
        return  # nobody answers, and nobody can say what is there
    branch = next((name for name in held if name.startswith(BRANCHES)), "")
    if branch:
        here = f"this clone is empty, and {repo.remotes[0].name} has the branch {branch.removeprefix(BRANCHES)} already"
        raise fail("E-DUP", here, Position(str(root)), "`git pull` brings what the others have")


def _make_repository(root: Path) -> bool:
    """Make a git repository where there is none; a game lives in one."""
    if is_repository(root):
        return False
    make_repository(root)
    return True


def _tell(terminal: Terminal, folder: GameFolder, made: bool, administrators: Sequence[str]) -> None:
    """Say what was done; `administrators` are those whom nobody named."""
    if made:
        terminal.say(f"Made a git repository in {folder.path.parent.parent}.")
    terminal.say(f"Founded {folder.name} in {folder.path}.")
    if administrators:
        terminal.say(administering(administrators))
    alone = games_in(folder.path.parent.parent) == [folder.name]
    named = "" if alone else f" --game {folder.name}"
    terminal.say(f"Next: `moot status{named}` shows how it stands.")


def _tell_offices(terminal: Terminal, law: dict[str, Any], opening: Founding, chosen: Collection[str]) -> None:
    """Say which offices fell to players whom nobody named for them, and which nobody holds."""
    unnamed = [office for office in opening.get("offices_in_turn") or () if office not in chosen]
    if unnamed:
        held = in_a_row(f"{office} {law['offices'][office]}" for office in unnamed)
        terminal.say(f"Offices to begin with: {held}. `--office {unnamed[-1]}=…` names somebody else.")
    for office in sorted(set(opening["offices"]) - set(law["offices"])):
        terminal.say(f"Nobody holds the office of {office} yet; `--office {office}=…` would name somebody.")


def _tell_players(terminal: Terminal, folder: GameFolder, law: dict[str, Any], *, committed: bool) -> None:
    """Say how the founder is recognised, and how the others come to the table."""
    mail = address_in(folder.path)
    known = {str(player.get("email", "")).lower(): player["id"] for player in law["players"]}
    if mail.lower() in known:
        terminal.say(f"You are {known[mail.lower()]}: git says that you are {mail}.")
    else:
        who = (
            f"git says that you are {mail}, which is" if mail else "git does not know your e-mail address, and you are"
        )
        terminal.note(f"Mind: {who} no player here. Players are known by the address that git has of them.")
        terminal.note(
            "Give each with --player ID,email=ADDRESS, or let them `moot join`; an administrator may also say who "
            "somebody is: `moot act admit …`, `moot act identify player=ID forge=local id=ADDRESS`."
        )
    if committed:
        terminal.say(
            "Share it: `git push` it to a repository that all players can push to, and keep `moot referee` running."
        )
