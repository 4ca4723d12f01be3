"""Where the game, a page of its site or a pull request is found by a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.repositories import repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import read_text
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail
from folkmoot.core.values import in_a_row

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView

PAGES = {
    "rules": "law/index.html",
    "law": "law/index.html",
    "proposals": "proposals/index.html",
    "scores": "scores/index.html",
    "players": "players/index.html",
    "registers": "index.html",
    "log": "journal/index.html",
    "journal": "journal/index.html",
    "act": "act.html",
    "offices": "offices.html",
    "settings": "settings.html",
    "game": "index.html",
    "site": "index.html",
    "status": "index.html",
}
"""Where on the site what is shown by these names stands."""

SITE_URL = re.compile(r"^site_url:\s*[\"']?(https?://[^\s\"'#]+)", re.MULTILINE)


def open_page(
    terminal: Terminal, view: RemoteView | None, session: Session, what: tuple[str, ...], *, in_browser: bool
) -> None:
    """Print the address of what is named, and open it in a browser where that is wanted."""
    address = address_of_page(terminal, view, session, what)
    terminal.record({"address": address})
    terminal.say(address)
    if in_browser and not terminal.json and not _shown_in_browser(address):
        terminal.note("No browser could be started here; open the address yourself.")


def _shown_in_browser(address: str) -> bool:
    """Open an address in a browser, also one for terminals; return whether there is any here that could be started.

    Python's own module knows whether there is a screen; without one programs for desktops say so on the terminal, late.
    """
    import webbrowser

    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


def address_of_page(terminal: Terminal, view: RemoteView | None, session: Session, what: tuple[str, ...]) -> str:
    """Return the address of what is named; raises E-NO-SUCH where it has none."""
    from folkmoot.core.keys import forge_home

    home = forge_home(session.kept(GAME))
    match what:
        case [word] if word.removeprefix("#").isdecimal():
            return _pull(view, int(word.removeprefix("#")))
        case ["thread"]:
            return _thread(view)
    path = _path(session, what)
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
    if view is not None and (view.web or view.pull(number) is None):
        view.wanted(number)
    hint = f"`moot show {number}` shows it in the terminal"
    raise fail("E-NO-SUCH", f"pull request {number} has no address: players meet by git alone here", None, hint)


def _thread(view: RemoteView | None) -> str:
    link = view.link(0) if view is not None else ""
    if link:
        return link
    message = "the game has no thread with an address: only on a forge on the web has it one"
    raise fail("E-NO-SUCH", message, None, "`moot log` shows what was said")


def _path(session: Session, what: tuple[str, ...]) -> str:
    """Return where on the site of a game something stands, "" for its front page."""
    match what:
        case []:
            return ""
        case ["rule", number]:
            return _rule(session, number)
        case ["player", player]:
            return _player(session, player)
        case ["entry", number]:
            return _entry(session, number)
        case ["board" | "boards"] if not session.shows(what[0]):
            return _boards(session)
        case [kind, number]:
            return _voted_on(session, kind, number)
        case [name]:
            return PAGES.get(name) or _shown(session, name)
    raise click.UsageError("Open one thing at a time: `moot show --open 3`, `moot show --open rule 301`.")


def _shown(session: Session, name: str) -> str:
    """Return where a page of a rule is, or that of a player."""
    if session.shows(name):
        return f"boards/{_file(name)}.html"
    roster = session.kept(ROSTER)
    if name in roster:
        return _player(session, name)
    near = meant_by(name, [*PAGES, *session.shown_by(), *roster])
    meant = f"did you mean `moot show --open {near}`?" if near else "`moot show` lists what there is"
    raise fail("E-NO-SUCH", f"the site has no page called {name}", None, meant)


def _boards(session: Session) -> str:
    """Return where the only page with a board is."""
    pages = session.sandbox.pages(session.at) if session.shows() else {}
    found = [name for name, page in pages.items() if any(_is_board(block) for block in page.get("blocks") or ())]
    if len(found) == 1:
        return f"boards/{_file(found[0])}.html"
    if not found:
        raise fail("E-NO-SUCH", "no rule shows a board", None, "`moot show` lists what there is")
    hint = f"choose one: {in_a_row(f'`moot show --open {name}`' for name in found)}"
    raise fail("E-NO-SUCH", f"{len(found)} pages have boards", None, hint)


def _is_board(block: Any) -> bool:
    return isinstance(block, dict) and block.get("block") == "board"


def _player(session: Session, player: str) -> str:
    from folkmoot.wording.page_links import player_path

    roster = session.kept(ROSTER)
    if player not in roster:
        hint = f"there are {in_a_row(sorted(roster))}" if roster else "nobody plays yet"
        raise fail("E-NO-SUCH", f"there is no player {player}", None, hint)
    return _html(player_path(player))


def _entry(session: Session, number: str) -> str:
    from folkmoot.wording.page_links import journal_path

    last = session.head.seq
    if not number.isdecimal() or not 1 <= int(number) <= last:
        raise fail("E-NO-SUCH", f"there is no entry {number}", None, f"they are numbered 1 to {last}")
    return f"{_html(journal_path(int(number)))}#e{int(number)}"


def _voted_on(session: Session, kind: str, number: str) -> str:
    from folkmoot.core.proposal_numbers import find_by_name
    from folkmoot.wording.page_links import proposal_path

    found = find_by_name(session.record.archive, f"{kind}/{number}")
    if found is None:
        hint = "so are opened a rule, a player, a proposal, an entry: `moot show --open rule 301`; all else by one word"
        raise fail("E-NO-SUCH", f"there is no {kind} {number}", None, hint)
    return _html(proposal_path(found))


def _html(path: str) -> str:
    return f"{path.removesuffix('.md')}.html"


def _rule(session: Session, number: str) -> str:
    metas = session.document("law").get("rules") or {}
    uid = next((uid for uid, meta in metas.items() if number in (uid, str(meta["number"]))), None)
    if uid is None:
        raise fail("E-NO-SUCH", f"there is no rule {number}", None, "`moot show rules` lists them")
    from folkmoot.wording.page_links import rule_path

    return _html(rule_path(uid))


def _file(name: str) -> str:
    from folkmoot.wording.page_links import file_name

    return file_name(name)


def site_of(terminal: Terminal) -> str:
    """Return the address of the site as the clone's configuration names it, "" where it names none."""
    repo = repository_of(terminal)
    file = Path(repo.workdir or repo.path) / "mkdocs.yml"
    found = SITE_URL.search(read_text(file, errors="replace") or "")
    return found[1] if found else ""
