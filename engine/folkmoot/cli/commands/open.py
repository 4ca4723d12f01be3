"""`moot open`: the game, a page of its site, or a pull request in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from folkmoot.cli.clones import looked_at
from folkmoot.cli.options import game_name_option, json_option, remote_option
from folkmoot.cli.repositories import repository_of
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.core.problems import fail

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

PAGES = {
    "rules": "law/index.html",
    "scores": "scores/index.html",
    "players": "players/index.html",
    "registers": "index.html",
    "log": "journal/index.html",
    "journal": "journal/index.html",
    "act": "act.html",
    "offices": "offices.html",
    "settings": "settings.html",
}
"""Where on the site what is shown by these names stands."""

SITE_URL = re.compile(r"^site_url:\s*[\"']?(https?://[^\s\"'#]+)", re.MULTILINE)


@click.command("open")
@click.argument("what", nargs=-1, metavar="[PAGE | PULL | rule NUMBER]")
@click.option("--print", "only_print", is_flag=True, help="Print the address and open nothing.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(terminal: Terminal, what: tuple[str, ...], only_print: bool, game: str | None, remote: str | None) -> int:
    """Open a pull request on the forge, or a page of the game's site; without PAGE, its front page.

    Where the game has no site, its repository on the forge is opened. The address is printed in any case.

    \b
      moot open            the game
      moot open 3          pull request 3
      moot open scores     the page of scores
      moot open rule 301
    """  # noqa: D301 (the mark keeps lines apart in the help)
    with looked_at(terminal, game, remote, offline=True) as (view, session):
        address = address_of_page(terminal, view, session, what)
    terminal.record({"address": address})
    terminal.say(address)
    if not only_print and not terminal.json and click.launch(address):
        terminal.note("No browser could be started here; open the address yourself.")
    return Exit.OK


def address_of_page(terminal: Terminal, view: RemoteView | None, session: Session, what: tuple[str, ...]) -> str:
    """Return the address of what is named; raises E-NO-SUCH where it has none."""
    from folkmoot.core.keys import forge_home

    home = forge_home(session.document("game"))
    match what:
        case [word] if word.removeprefix("#").isdecimal():
            return _pull(view, int(word.removeprefix("#")))
        case []:
            path = ""
        case ["rule", number]:
            path = _rule(session, number)
        case [name]:
            path = PAGES.get(name) or f"boards/{_file(name)}.html"
        case _:
            raise click.UsageError("Open one thing at a time: `moot open 3`, `moot open scores`, `moot open rule 301`.")
    site = site_of(terminal)
    if site:
        return f"{site.rstrip('/')}/{session.record.name}/{path}"
    if home and not path:
        return home
    hint = "`moot serve` shows the site on this machine, `moot show` shows pages in the terminal"
    raise fail("E-NO-SUCH", "this game has no site: `mkdocs.yml` names no `site_url`", None, hint)


def _pull(view: RemoteView | None, number: int) -> str:
    link = view.link(number) if view is not None else ""
    if link:
        return link
    if view is not None and view.web:
        view.wanted(number)
    hint = f"`moot show {number}` shows it in the terminal"
    raise fail("E-NO-SUCH", f"pull request {number} has no address: players meet by git alone here", None, hint)


def _rule(session: Session, number: str) -> str:
    metas = session.document("law").get("rules") or {}
    uid = next((uid for uid, meta in metas.items() if number in (uid, str(meta["number"]))), None)
    if uid is None:
        raise fail("E-NO-SUCH", f"there is no rule {number}", None, "`moot show rules` lists them")
    return f"law/{_file(uid)}.html"


def _file(name: str) -> str:
    from folkmoot.wording.page_links import file_name

    return file_name(name)


def site_of(terminal: Terminal) -> str:
    """Return the address of the site as the clone's configuration names it, "" where it names none."""
    repo = repository_of(terminal)
    file = Path(repo.workdir or repo.path) / "mkdocs.yml"
    found = SITE_URL.search(file.read_text("utf-8")) if file.is_file() else None
    return found[1] if found else ""
