"""`moot show`: what a game shows, one pull request with all that was said of it, and where a browser finds either."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.completion import SHOWN
from folkmoot.cli.games import root_of
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.core.clone_files import read_text
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView
    from folkmoot.wording.game_view import GameView, ShownPage
    from folkmoot.wording.page_links import Here

Record = dict[str, Any]
OF_KINDS = {
    "rules": "moot show rule",
    **dict.fromkeys(("pr", "pull", "pulls", "pull-request"), "moot show"),
    **dict.fromkeys(("proposal", "entry", "setting", "action"), "moot explain"),
}
"""What shows one thing of a kind whose name somebody puts before it."""
COMMANDS = ("status", "log")
HAND = "hand"
MOST_ENTRIES = 1_000  # newest, of which charts are made
ONE_OF = {
    "rule": "`moot show rule 301`; `moot show rules` lists them",
    "player": "`moot show player ann`; `moot show players` lists them",
}


def run_show(
    terminal: Terminal,
    /,
    what: tuple[str, ...],
    by: str | None,
    opens: bool,
    offline: bool,
    game: str | None,
    remote: str | None,
) -> None:
    """Show one thing of a game, or open it."""
    from folkmoot.cli.clones import looked_at

    if by is not None and what != (HAND,):
        raise click.UsageError("--by says whose hand: `moot show hand --by PLAYER`.")
    if opens:
        with looked_at(terminal, game, remote, offline=True, noting=False) as (view, session):
            open_page(terminal, view, session, what)
        return
    with looked_at(terminal, game, remote, offline=offline) as (view, session):
        match what:
            case []:
                _list(terminal, view, session)
            case [word] if word.isdecimal() and _is_rule_alone(view, session, word):
                _engine(terminal, session, "rule", word)
            case [word] if word.removeprefix("#").isdecimal():
                _pull(terminal, view, session, int(word.removeprefix("#")))
            case ["rule" | "player" as name, which]:
                _engine(terminal, session, name, which)
            case ["season", *which] if len(which) < 2 and not session.shows("season"):
                from folkmoot.cli.drawing.season import show_season  # and what tells the record

                show_season(terminal, session, *(which or [""]))
            case ["hand"]:
                _hand(terminal, view, session, by)
            case [name]:
                _named(terminal, session, name)
            case _:
                raise click.UsageError(f"Show one thing at a time: {_meant_by_two(what)}.")


def _meant_by_two(words: tuple[str, ...]) -> str:
    """Return what to type in the place of words that are too many: a kind and a number, or examples."""
    kind, word = words[0].lower(), shlex.quote(words[-1].removeprefix("#"))
    command = OF_KINDS.get(kind) if len(words) == 2 else None
    command = f"{command} {kind}" if command == "moot explain" else command
    return f"`{command} {word}`" if command else "`moot show board`, `moot show 3`, `moot show rule 301`"


def _is_rule_alone(view: RemoteView | None, session: Session, number: str) -> bool:
    """Say whether a number is that of a rule in force, and of no pull request."""
    metas = (session.document("law").get("rules") or {}).values()
    is_rule = any(meta.get("in_force") and str(meta["number"]) == number for meta in metas)
    return is_rule and (view is None or view.pull(int(number)) is None)


def _list(terminal: Terminal, view: RemoteView | None, session: Session) -> None:
    """Print what can be shown."""
    shown = session.shown_by()
    pulls = view.pulls() if view is not None else []
    by_rules = [{"name": name, "title": rule["title"], "rule": rule["uid"]} for name, rule in shown.items()]
    numbered = [{"pull": pull.number, "title": pull.title} for pull in pulls]
    terminal.record({"pages": by_rules, "engine": SHOWN, "pulls": numbered})
    rows = [[name, f"rule {rule['rule']}: {rule['title']}"] for name, rule in shown.items()]
    drawn = any("board" in str(rule.get("script")) for rule in shown.values())
    rows += [[name, what] for name, what in SHOWN.items() if name not in shown and (drawn or name != "board")]
    rows += [[str(pull.number), f"pull request “{pull.title}”"] for pull in pulls]
    if not terminal.json:
        terminal.heading("What `moot show PAGE` shows")
        terminal.table(["PAGE", "Shows"], rows)


def _pages(session: Session, name: str) -> Mapping[str, Any]:
    """Return the page of a name as its rule shows it, all pages where boards are wanted; no other rule is asked."""
    by = session.shown_by()
    if not by or (name not in by and name != "board"):
        return {}
    wanted = {rule["uid"] for page, rule in by.items() if name in (page, "board")}
    return session.sandbox.pages(session.at, [rule["uid"] for rule in by.values() if rule["uid"] not in wanted])


def _named(terminal: Terminal, session: Session, name: str) -> None:
    """Print what goes by a name: pages of rules, then what the engine shows, then players."""
    if name not in SHOWN and name in session.kept(ROSTER) and not session.shows(name):
        _engine(terminal, session, "player", name)
        return
    pages = _pages(session, name).items()
    found = {key: page for key, page in pages if key == name or (name == "board" and _boards(page))}
    if not found and name not in SHOWN:
        near = meant_by(name, [*session.shown_by(), *SHOWN])
        meant = f"did you mean `moot show {near}`? " if near else ""
        meant = f"`moot {name}` shows that; " if name in COMMANDS else meant
        raise fail(
            "E-NO-SUCH",
            f"nothing is shown by the name {shlex.quote(name)}",
            None,
            f"{meant}`moot show` lists what there is",
        )
    if name == "board" and not found:
        raise fail("E-NO-SUCH", "no rule shows a board", None, "`moot show` lists what there is")
    if found:
        shown = {key: _only_boards(page) if key != name else page for key, page in found.items()}
        if terminal.json:
            terminal.record(shown)
            return
        _print(terminal, _view(session, _needs_past(shown), shown), _draw_pages)
    elif name in ONE_OF:
        raise click.UsageError(f"Say which {name}: {ONE_OF[name]}.")
    if name in SHOWN and name != "board" and not (found and terminal.json):
        if found:
            terminal.say()
        _engine(terminal, session, name)


def _hand(terminal: Terminal, view: RemoteView | None, session: Session, by: str | None) -> None:
    """Print what is sealed to somebody, below the page of that name where a rule shows one."""
    from folkmoot.cli.private_view import show_hand

    if session.shows(HAND) and not terminal.json:
        _named(terminal, session, HAND)
    show_hand(terminal, view, session, by)


def _boards(page: Mapping[str, Any]) -> bool:
    return any(isinstance(block, dict) and block.get("block") == "board" for block in page.get("blocks") or ())


def _only_boards(page: Mapping[str, Any]) -> Record:
    blocks = [block for block in page["blocks"] if isinstance(block, dict) and block.get("block") == "board"]
    return {**page, "blocks": blocks}


def _needs_past(pages: Mapping[str, Any]) -> bool:
    return "history" in str([page.get("blocks") for page in pages.values()])


def _view(session: Session, past: bool, pages: Mapping[str, Any] | None = None) -> GameView:
    """Return the game as pages see it, with its newest entries where something is drawn of the past."""
    from folkmoot.wording.game_view import GameView, ShownPage
    from folkmoot.wording.page_links import titled

    def shown(name: str, page: Mapping[str, Any]) -> ShownPage:
        failure = str(page.get("error") or "")
        return ShownPage(
            name=name, title=titled(name), rule=str(page["rule"]), blocks=list(page["blocks"]), failure=failure
        )

    first = max(1, session.head.seq - MOST_ENTRIES + 1)
    return GameView(
        slug=session.record.name,
        documents=session.documents,
        entries=tuple(session.record.entries(first)) if past else (),
        shown=[shown(name, page) for name, page in (pages or {}).items()],
    )


def _engine(terminal: Terminal, session: Session, name: str, which: str = "") -> None:
    """Print what the engine shows by a name; of rules and of players one, by its number or their id."""
    from folkmoot.cli.drawing import game_pages

    view = _view(session, past=name == "scores" and not terminal.json)
    if terminal.json:
        terminal.record(_record_of(session, view, name, which))
        return
    draw = {
        "rules": game_pages.drawn_rules,
        "rule": lambda here, _width: game_pages.drawn_rule(here, which),
        "player": lambda here, _width: game_pages.drawn_player(here, which),
        "scores": game_pages.drawn_scores,
        "registers": game_pages.drawn_registers,
        "players": game_pages.drawn_players,
    }
    _print(terminal, view, draw[name])


def _record_of(session: Session, view: GameView, name: str, which: str) -> Any:
    """Return for programs what the engine shows by a name."""
    from folkmoot.cli.drawing import game_pages
    from folkmoot.wording.page_links import Here

    here = Here(view, "index.md")
    if name == "rule":
        rule = view.rule(view.uids.get(which, ""))
        if not rule:
            raise fail("E-NO-SUCH", f"there is no rule {which} in force", None, "`moot show rules` lists them")
        return rule
    if name == "player":
        return game_pages.player_record(view, which)
    if name == "rules":
        return {"rules": game_pages.rules(here)}
    if name == "scores":
        return {player: {name: view.registers("player", player).get(name) or 0 for name in view.currencies}
                for player in view.present}  # fmt: skip
    return game_pages.registers(view) if name == "registers" else stamped(session.kept(ROSTER))


Drawing = Callable[["Here", int], Iterator[Any]]


def _print(terminal: Terminal, view: GameView, draw: Drawing) -> None:
    from folkmoot.cli.drawing.printing import room, say_drawn
    from folkmoot.wording.page_links import Here

    width = room()
    say_drawn(terminal, draw(Here(view, "index.md"), width), width)


def _draw_pages(here: Here, width: int) -> Iterator[Any]:
    from folkmoot.cli.drawing.blocks import drawn_page

    for place, page in enumerate(here.view.shown):
        if place:
            yield ""
        yield from drawn_page(here, page, width)


def _pull(terminal: Terminal, view: RemoteView | None, session: Session, number: int) -> None:
    """Print a pull request."""
    if view is None:
        hint = f"`moot explain proposal {number}` shows a proposal, `moot show rule {number}` a rule"
        raise fail("E-NO-SUCH", "this game is kept by one person, and has no pull requests", None, hint)
    from folkmoot.cli.drawing.printing import say_drawn
    from folkmoot.cli.drawing.pull_requests import drawn_pull, pull_shown

    pull = view.pull(number)
    if pull is None and (came_by := view.pull_of_proposal(number)):
        terminal.note(f"Proposal {number} is pull request {came_by}.")
        pull = view.pull(came_by)
    if pull is None:
        view.wanted(number)
    assert pull is not None
    shown = pull_shown(view, session, pull)
    terminal.record(stamped(shown))
    if not terminal.json:
        say_drawn(terminal, drawn_pull(session, shown))


# -- where the game or a pull request is found by a browser

SITE_URL = re.compile(r"^site_url:\s*[\"']?(https?://[^\s\"'#]+)", re.MULTILINE)


def open_page(terminal: Terminal, view: RemoteView | None, session: Session, what: tuple[str, ...]) -> None:
    """Print the address of the game or of a pull request, and open it. Raises E-NO-SUCH where it has none."""
    match what:
        case []:
            address = _address_of_game(terminal, session)
        case [word] if word.removeprefix("#").isdecimal():
            address = _address_of_pull(view, int(word.removeprefix("#")))
        case _:
            raise click.UsageError("Open the game or a pull request: `moot show --open`, `moot show --open 3`.")
    terminal.record({"address": address})
    terminal.say(address)
    if terminal.json:
        return
    import webbrowser  # it knows whether there is a screen; without one programs for desktops say so late

    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        terminal.note("No browser could be started here; open the address yourself.")


def _address_of_game(terminal: Terminal, session: Session) -> str:
    """Return the address of the game on the site that the clone's configuration names, else of its repository."""
    from folkmoot.core.keys import forge_home

    site = SITE_URL.search(read_text(root_of(terminal) / "mkdocs.yml", errors="replace") or "")
    if site:
        return f"{site[1].rstrip('/')}/{session.record.name}/"
    if home := forge_home(session.kept(GAME)):
        return home
    hint = "`moot serve` shows the site on this machine, `moot show` shows pages in the terminal"
    raise fail("E-NO-SUCH", "this game has no site: `mkdocs.yml` names no `site_url`", None, hint)


def _address_of_pull(view: RemoteView | None, number: int) -> str:
    link = view.link(number) if view is not None else ""
    if link:
        return link
    if view is not None and (view.web or view.pull(number) is None):
        view.wanted(number)
    hint = f"`moot show {number}` shows it in the terminal"
    raise fail("E-NO-SUCH", f"pull request {number} has no address: players meet by git alone here", None, hint)
