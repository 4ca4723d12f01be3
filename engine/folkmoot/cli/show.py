"""`moot show`: what a game shows, and one pull request with all that was said of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from folkmoot.cli.completion import SHOWN
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.core.keys import ROSTER
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail
from folkmoot.core.records import Shown

if TYPE_CHECKING:
    from folkmoot.game.session import Session
    from folkmoot.player.remote_view import RemoteView
    from folkmoot.wording.page_links import Here

HAND = "hand"
MOST_ENTRIES = 1_000  # newest, of which the past is told
ONE = "Show one thing: `moot show board`, `moot show 3`, `moot show rule 301`; `moot explain` tells of others."


def run_show(
    terminal: Terminal,
    /,
    what: tuple[str, ...],
    by: str | None,
    offline: bool,
    game: str | None,
    remote: str | None,
) -> None:
    """Show one thing of a game."""
    from folkmoot.cli.clones import looked_at

    if by is not None and what != (HAND,):
        raise click.UsageError("--by says whose hand: `moot show hand --by PLAYER`.")
    with looked_at(terminal, game, remote, offline=offline) as (view, session):
        match what:
            case []:
                _list(terminal, view, session)
            case [word] if word.removeprefix("#").isdecimal():
                _pull(terminal, view, session, int(word.removeprefix("#")))
            case ["rule", number]:
                from folkmoot.cli.drawing import game_pages

                _print(terminal, session, partial(game_pages.rule, number=number), game_pages.drawn_rule)
            case ["season", *which] if len(which) < 2 and not session.shows("season"):
                from folkmoot.cli.drawing.season import show_season  # and what tells the record

                show_season(terminal, session, *(which or [""]))
            case ["hand"]:
                from folkmoot.cli.private_view import show_hand

                if session.shows(HAND) and not terminal.json:  # the page of that name stands above
                    _named(terminal, session, HAND)
                show_hand(terminal, view, session, by)
            case [name] if name != "rule":
                _named(terminal, session, name)
            case _:
                raise click.UsageError(ONE)


def _list(terminal: Terminal, view: RemoteView | None, session: Session) -> None:
    """Print what can be shown."""
    shown = session.shown_by()
    pulls = view.pulls() if view is not None else []
    by_rules = [{"name": name, "title": rule["title"], "rule": rule["uid"]} for name, rule in shown.items()]
    numbered = [{"pull": pull.number, "title": pull.title} for pull in pulls]
    terminal.record({"pages": by_rules, "engine": SHOWN, "pulls": numbered})
    rows = [[name, f"rule {rule['rule']}: {rule['title']}"] for name, rule in shown.items()]
    rows += [[name, what] for name, what in SHOWN.items() if name not in shown]
    rows += [[str(pull.number), f"pull request “{pull.title}”"] for pull in pulls]
    if not terminal.json:
        terminal.heading("What `moot show PAGE` shows")
        terminal.table(["PAGE", "Shows"], rows)


def _pages(session: Session, name: str) -> Shown:
    """Return the page of a name as its rule shows it, of `board` every page's boards; no other rule is asked."""
    by = session.shown_by()
    wanted = {rule["uid"] for page, rule in by.items() if name in (page, "board")}
    others = [rule["uid"] for rule in by.values() if rule["uid"] not in wanted]
    pages = session.sandbox.pages(session.at, others) if wanted else {}
    found: Shown = {}
    for key, page in pages.items() if name == "board" else ():
        boards = [each for each in page.get("blocks") or () if isinstance(each, dict) and each.get("block") == "board"]
        if boards:
            found[key] = {**page, "blocks": boards}
    return found | ({name: pages[name]} if name in pages else {})


def _named(terminal: Terminal, session: Session, name: str) -> None:
    """Print what goes by a name: the page of a rule, what the engine shows, or a player."""
    from folkmoot.cli.drawing import game_pages

    pages = _pages(session, name)
    if pages:
        _print(terminal, session, lambda _here: pages, _draw_pages, past="history" in str(pages))
    if name in game_pages.PAGES and not (pages and terminal.json):
        if pages:
            terminal.say()
        _print(terminal, session, *game_pages.PAGES[name], past=name == "scores")
    elif name in session.kept(ROSTER) and not pages:
        _print(terminal, session, partial(game_pages.player, player=name), game_pages.drawn_player)
    elif not pages:
        near = meant_by(name, [*session.shown_by(), *SHOWN, *session.kept(ROSTER)])
        meant = f"did you mean `moot show {near}`? " if near not in ("", name) else ""
        message = "no rule shows a board" if name == "board" else f"nothing is shown by the name {shlex.quote(name)}"
        raise fail("E-NO-SUCH", message, None, f"{meant}`moot show` lists what there is")


def _print(
    terminal: Terminal,
    session: Session,
    find: Callable[[Here], Any],
    draw: Callable[[Here, Any], Iterator[Any]],
    *,
    past: bool = False,
) -> None:
    """Print what is found in a game, as a record or drawn, with its newest entries where the `past` is told."""
    from folkmoot.cli.drawing.printing import say_drawn
    from folkmoot.wording.game_view import GameView
    from folkmoot.wording.page_links import Here

    first = max(1, session.head.seq - MOST_ENTRIES + 1)
    entries = tuple(session.record.entries(first)) if past and not terminal.json else ()
    here = Here(GameView(slug=session.record.name, documents=session.documents, entries=entries), "index.md")
    found = find(here)
    terminal.record(found)
    if not terminal.json:
        say_drawn(terminal, draw(here, found))


def _draw_pages(here: Here, pages: Mapping[str, Any]) -> Iterator[Any]:
    from folkmoot.cli.drawing.blocks import drawn_page
    from folkmoot.cli.drawing.printing import room
    from folkmoot.wording.game_view import ShownPage
    from folkmoot.wording.page_links import titled

    for place, (name, page) in enumerate(pages.items()):
        if place:
            yield ""
        known = {"title": titled(name), "rule": str(page["rule"]), "failure": str(page.get("error") or "")}
        yield from drawn_page(here, ShownPage(name=name, blocks=list(page["blocks"]), **known), room())


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
