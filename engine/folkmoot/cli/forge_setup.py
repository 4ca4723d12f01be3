"""What founding a game and taking it to a forge share: who players are there, and the files that a repository needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import click

from folkmoot.cli.founding import accepted
from folkmoot.cli.options import pair_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.game_location import KINDS
from folkmoot.core.keys import ROSTER
from folkmoot.core.problems import fail
from folkmoot.forges.web.client import Client, RefusedError
from folkmoot.forges.workflows import LOCK
from folkmoot.game.session import Session
from folkmoot.kernel.names import account_on
from folkmoot.ops.doctor.place import Place, games_below
from folkmoot.ops.doctor.repository_files import (
    uncommitted_sources,
    wanted_files,
    write_git_files,
    write_stale,
)
from folkmoot.site.preparation import lay_site

SITE = re.compile(r"https?://[^\s/@\"'#]+(?:/[^\s\"'#]*)?")
LOGIN = re.compile(r"(?P<login>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63}))(?::(?P<id>[1-9][0-9]{0,18}))?", re.ASCII)
People = Mapping[str, Mapping[str, str]]


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
    """Write the files that a forge needs where they are not as they must be; return their paths."""
    games = [game for game in games_below(place.root) if game.kind == place.kind]
    wanted = wanted_files(place.root, place.kind, place.home, place.branch, games, checked_site(site_url))
    written = [*write_git_files(place.root), *write_stale(place.root, wanted), *lay_site(place.root)]
    return list(dict.fromkeys([*written, *uncommitted_sources(place.root, place.repo)]))


def checked_site(url: str | None) -> str:
    """Return where a site is served, "" for where the forge does; raises a usage error for what is no address."""
    if url and SITE.fullmatch(url) is None:
        raise click.UsageError(f"A site is served at https://HOST/…, and {url!r} is no such address.")
    return url or ""


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
