"""`moot init`: prepare a repository and its forge for a game that is played by pull requests: files, pin, settings."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import client_of, place_of
from folkmoot.cli.founding import accepted, require_players
from folkmoot.cli.games import repository_around, require_work_tree, root_of
from folkmoot.cli.options import RUNNING, moment_of, pair_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.tokens import take_token
from folkmoot.core.game_location import KINDS
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.engine_pin import pin
from folkmoot.forges.web.client import Client, RefusedError
from folkmoot.forges.workflows import LOCK, README
from folkmoot.game.session import Session
from folkmoot.journal.commit import commit_folder
from folkmoot.journal.layout import STATE
from folkmoot.kernel.names import account_on
from folkmoot.ops.doctor.examination import steps
from folkmoot.ops.doctor.findings import Step, listed
from folkmoot.ops.doctor.forge import Asking
from folkmoot.ops.doctor.place import Game, Place, administrators, games_below
from folkmoot.ops.doctor.repository_files import (
    uncommitted_sources,
    wanted_files,
    write_git_files,
    write_stale,
    write_template,
)
from folkmoot.player.dry_run import FORGES
from folkmoot.site.preparation import lay_site

MOST_NAMED = 20  # files that are told one by one
SUBJECT = "Prepare the repository for its forge"
SITE = re.compile(r"https?://[^\s/@\"'#]+(?:/[^\s\"'#]*)?")
LOGIN = re.compile(r"(?P<login>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63}))(?::(?P<id>[1-9][0-9]{0,18}))?", re.ASCII)
People = Mapping[str, Mapping[str, str]]


def run_init(
    terminal: Terminal,
    /,
    kind: str | None,
    home: str | None,
    remote: str | None,
    template: Path | None,
    engine: str | None,
    apply: bool,
    yes: bool,
    **given: Any,
) -> int:
    """Prepare a repository for its forge."""
    if template is not None:
        return _lay_template(terminal, template, kind or KINDS[0], None if engine == RUNNING else engine)
    if engine is not None:
        return _pin(terminal, engine)
    if apply and not (yes or sys.stdin.isatty()):
        raise click.UsageError("--apply asks before each step, and nobody is at the terminal; say --yes.")
    require_work_tree(root_of(terminal))
    place = checked_place(place_of(terminal, remote, kind, home))
    token = take_token(place.kind, place.host)
    if place.repo is None:
        raise fail("E-GIT", f"{place.root} is no git repository", None, "`moot new NAME` makes one with a game")
    with client_of(place, token) as client:
        people = people_on(client, given["logins"])
        done = _here(terminal, place, people, given)
        asking = Asking(client, place) if client is not None and token else None
        left = settled_there(terminal, asking, place, apply=apply, yes=yes)
    unseen = list(dict.fromkeys(asking.unseen)) if asking is not None else []
    terminal.record({**done, "settings": left, "unseen": unseen})
    if unseen:
        terminal.note(f"The token may not see {listed(unseen, most=20)}: that is as it was. Use an administrator's.")
    if given["move"]:
        terminal.say("Next: git push origin HEAD, so that the old place says where the game is.")
        terminal.say(f"Next: git remote set-url origin {place.home}.git")
    tell_next(terminal, place)
    undone = (apply and unseen) or any(each["state"] == "failed" for each in left)
    return Exit.PROBLEMS if undone else Exit.OK


def _lay_template(terminal: Terminal, folder: Path, kind: str, engine: str | None) -> int:
    done = write_template(folder, kind, engine)
    terminal.record({"template": str(folder), "forge": kind, "engine": done.version, "source": done.source})
    terminal.say(f"Wrote a template with the engine {done.version}, from {done.source}.")
    terminal.say("Next: push it to an empty repository, and mark that as a template in its settings:")
    terminal.say(f"    git -C {shlex.quote(str(folder))} push URL main", whole=True)
    terminal.say(f"{folder / README} tells those who use it how a game is begun.")
    return Exit.OK


# -- this repository


def _here(terminal: Terminal, place: Place, people: dict[str, dict[str, str]], given: dict[str, Any]) -> dict[str, Any]:
    """Put the game and the files in order, as one commit; return what was done for programs."""
    games = _going(place, given["game"], move=given["move"])
    recorded = [act for game in games for act in _recorded(place, game, people, given["at"])]
    written = prepare_files(place, given["site_url"])
    made = None
    for game in games if given["commit"] else ():
        beside = [place.root / name for name in written]
        made = commit_folder(place.root / STATE / game.name, set(), SUBJECT, None, int(time.time()), beside) or made
    for act in recorded:
        terminal.say(f"Recorded: {act}")
    if written:
        terminal.say(f"Wrote {listed(written, most=MOST_NAMED)}.")
    if not recorded and not written:
        terminal.say("The repository is as it must be.")
    elif made:
        terminal.say(f"Committed: {SUBJECT} ({made[:12]}).")
    return {"forge": place.kind, "home": place.home, "recorded": recorded, "written": written, "commit": made}


def _going(place: Place, name: str | None, *, move: bool) -> list[Game]:
    """Return the games that go to the forge, or are there already; raises E-NO-GAME where that is none."""
    found = [game for game in games_below(place.root, whole=True) if name in (None, game.name)]
    if not found:
        raise fail("E-NO-GAME", "there is no such game here", None, "`moot new NAME` founds one")
    if name is None and not move and len(found) > 1 and not any(game.kind == place.kind for game in found):
        names = ", ".join(game.name for game in found)
        raise fail("E-NO-GAME", f"which game goes to the forge? Here are {names}", None, "name one with --game")
    going = [game for game in found if name or len(found) == 1 or move or game.kind == place.kind]
    for game in going:
        if _is_elsewhere(place, game) and not move:
            where = f"{FORGES.get(game.kind, 'plain git')}{' at ' + game.home if game.home else ''}"
            line = f"/do use_forge forge={place.kind} home={place.home}"
            way = f"`moot init --move --forge {place.kind} --home {place.home}` takes it there"
            hint = f"{way}; if that is the same place, an administrator says: {line}"
            raise fail("E-ORDER", f"{game.name} is played on {where}", None, hint)
    return going


def _is_elsewhere(place: Place, game: Game) -> bool:
    """Say whether a game is played by pull requests of another repository."""
    return bool(game.kind) and (game.kind != place.kind or bool(game.home and game.home != place.home))


def _recorded(place: Place, game: Game, people: dict[str, dict[str, str]], at: str | None) -> list[str]:
    """Put on record where the game is played from now on, and who is who there; return that in words."""
    require_players(people, list(game.roster))
    if _is_elsewhere(place, game):
        _move(place, game, people, at)
    elif game.kind:
        known = {who: account_on(game.roster, who, game.kind) for who in people}
        if any(each is None or each["id"] != people[who]["id"] for who, each in known.items()):
            message = f"{game.name} is played on {game.kind}, so that nothing is recorded by hand"
            raise fail("E-ORDER", message, None, f"say it there: /do identify player=… forge={game.kind} id=… login=…")
        return []
    else:
        with Session.open(place.root / STATE / game.name, writing=True) as session:
            by, moment = administrators(game)[0], moment_of(at, session.at)
            identify(session, by, place.kind, people, moment)
            accepted(session.act(by, "use_forge", {"forge": place.kind, "home": place.home}, at=moment))
    known_there = [f"{who} is {person['login']} ({person['id']}) on {place.kind}" for who, person in people.items()]
    return [*known_there, f"{game.name} is played on {place.kind}, at {place.home}"]


def _move(place: Place, game: Game, people: dict[str, dict[str, str]], at: str | None) -> None:
    """Put on record that a game goes to another forge, and that its open votes go on in its thread there."""
    who = next((each for each in administrators(game) if each in people), "")
    if not who:
        message = f"no administrator of {game.name} would be known at {place.home}"
        hint = f"name at least yourself: --login {(*administrators(game), 'PLAYER')[0]}=LOGIN"
        raise fail("E-ARGS", message, None, hint)
    with Session.open(place.root / STATE / game.name, writing=True) as session:
        moment, given = moment_of(at, session.at), {"forge": place.kind, "home": place.home, "accounts": people}
        accepted(session.act(who, "change_forge", given, at=moment))
        if waiting := session.kept(GAME).get("moving"):
            accepted(session.act(who, "rehouse", {"places": dict.fromkeys(waiting)}, at=moment))


# -- the forge


def settled_there(
    terminal: Terminal, asking: Asking | None, place: Place, *, apply: bool, yes: bool
) -> list[dict[str, str]]:
    """Put the settings of the forge right, or say what is to be checked there; return each with what became of it."""
    if asking is None:
        terminal.say("Without a token the forge's settings are not looked at: `reference/doctor` tells of each.")
        return []
    if not asking.repo:
        hint = "make it on the forge first, and check what the token may see"
        raise fail("E-FORGE", f"the forge does not know {place.repository}", None, hint)
    done = [_settle(terminal, code, step, apply=apply, yes=yes) for code, step in steps(asking)]
    if not done:
        terminal.say("The settings of the forge are as they must be, as far as the token may see them.")
    elif not apply:
        terminal.say("Next: `moot init --apply` does what is named above, asking before each.")
    return done


def _settle(terminal: Terminal, code: str, step: Step, *, apply: bool, yes: bool) -> dict[str, str]:
    told = {"code": code, "what": step.what}
    if not apply:
        terminal.say(f"To do on the forge: {step.what}")
        return {**told, "state": "to do"}
    if not yes and not click.confirm(f"{step.what[0].upper()}{step.what[1:]}?", default=True, err=True):
        return {**told, "state": "left"}
    try:
        step.do()
    except ProblemError as error:
        problem = error.problems[0]
        terminal.note(f"Not done: {step.what}: {problem.message}")
        return {**told, "state": "failed", "why": problem.message}
    terminal.say(f"Done: {step.what}")
    return {**told, "state": "done"}


# -- the engine that the jobs run


def _pin(terminal: Terminal, source: str) -> int:
    if source == "":
        raise click.UsageError("Name a wheel or a version, or nothing for the engine that runs.")
    root = root_of(terminal)
    require_work_tree(root)
    if repository_around(root) is None:
        raise fail("E-GIT", f"{root} is no git repository", None, "run it in the clone of a game")
    beside = terminal.directory / source if terminal.directory is not None and source != RUNNING else None
    named = str(beside) if beside is not None and beside.exists() else source
    done = pin(root, None if named == RUNNING else named)
    told = {"engine": done.version, "sha256": done.digest, "packages": done.packages}
    terminal.record({**told, "changed": list(done.changed), "source": done.source})
    terminal.say(f"Pinned the engine {done.version} and {done.packages - 1} packages that it runs with in {LOCK}.")
    terminal.say(f"It comes from {done.source}.")
    if done.changed:
        terminal.say(f"Changed: {', '.join(done.changed)}.")
        terminal.say(
            "Next: `moot init` brings the jobs in step with it; then commit, in a game that goes on on a branch."
        )
    else:
        terminal.say("It was pinned already; nothing changed.")
    return Exit.OK


# -- people and files, for whatever takes a game to a forge


def people_on(client: Client | None, logins: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return player → id and login from `PLAYER=LOGIN[:ID]`; raises a usage error, or E-FORGE for who is not there."""
    found = {}
    for each in logins:
        player, name = pair_of(each, "A login")
        match = LOGIN.fullmatch(name)
        if match is None:
            raise click.UsageError(f"A login is written PLAYER=LOGIN or PLAYER=LOGIN:NUMBER, and {each!r} is not.")
        found[player] = {"id": match["id"] or _number(client, match["login"]), "login": match["login"]}
    return found


def _number(client: Client | None, login: str) -> str:
    """Return the number of an account, which stays when its login is given up."""
    hint = f"give the number yourself: {login}:583231"
    if client is None:
        raise fail("E-FORGE", f"nobody can be asked for the number of {login}", None, hint)
    try:
        return str(int(client.get(f"users/{login}").data["id"]))
    except RefusedError as error:
        if error.status != 404:
            raise
        raise fail("E-FORGE", f"nobody is called {login} on the forge", None, "check the spelling") from None


def identify(session: Session, by: str, kind: str, people: People, at: int) -> None:
    """Record who players are on a forge, those who are not known there yet; raises E-REFUSED where that is refused."""
    for player, person in people.items():
        if account_on(session.kept(ROSTER), player, kind) != person:
            accepted(session.act(by, "identify", {"player": player, "forge": kind, **person}, at=at))


def prepare_files(place: Place, site_url: str | None) -> list[str]:
    """Write the files that a forge needs where they are not as they must be; return their paths.

    Raises a usage error where the site is said to be served at what is no address.
    """
    if site_url and SITE.fullmatch(site_url) is None:
        raise click.UsageError(f"A site is served at https://HOST/…, and {site_url!r} is no such address.")
    games = [game for game in games_below(place.root) if game.kind == place.kind]
    wanted = wanted_files(place.root, place.kind, place.home, place.branch, games, site_url or "")
    written = [*write_git_files(place.root), *write_stale(place.root, wanted), *lay_site(place.root)]
    return list(dict.fromkeys([*written, *uncommitted_sources(place.root, place.repo)]))


def checked_place(place: Place) -> Place:
    """Return a place that has a forge and a home; raises E-ARGS otherwise."""
    if place.kind not in KINDS:
        raise fail("E-ARGS", "which kind of forge is it?", None, "say --forge github or --forge gitea")
    if not place.home:
        hint = "say --home https://HOST/OWNER/NAME, or `git remote add origin URL`"
        raise fail("E-ARGS", "where does the game lie on the forge?", None, hint)
    return place


def tell_next(terminal: Terminal, place: Place) -> None:
    """Say what is to be done after the files are committed."""
    if not (place.root / LOCK).exists():
        terminal.say("Next: `moot init --pin` pins the engine that the jobs run; without it they stop.")
    terminal.say(f"Next: git push -u origin {place.branch}")
    terminal.say("Next: `moot init --apply` puts the settings of the forge right, `moot doctor` says what is missing.")
