"""`moot serve`: build the site and serve it to whoever plays at this clone, and again whenever the game goes on."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from threading import Event, Lock, Timer

import click

from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.games import root_with_games
from folkmoot.cli.play.seat import Seat
from folkmoot.cli.play.web import Builds, Play, common_routes
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import build_site, running, say_where, site_app, site_folder
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.git_transport import end_running
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import Publisher, publish
from folkmoot.site.search import index_site


def run_serve(terminal: Terminal, port: int | None, build: bool, trust: bool) -> int:
    """Build the site and serve it."""
    if build:
        if port is not None:
            raise click.UsageError("--port is for serving: leave it out with --build.")
        return _build(terminal, trust=trust)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it is stopped as by Ctrl-C
    root = root_with_games(terminal)
    publisher, seat, wake, builds = Publisher(root), Seat(root), Event(), Builds()
    following = Following(seat, builds, wake)
    following.look()
    if seat.note:
        terminal.note(f"Mind: {seat.note}")
    with told_if_stale(terminal):
        site = build_site(terminal, root, publisher, trust=trust, index=False)
    builds.entries = seat.entries()
    play, secret, place = Play(seat, site, wake.set), token_urlsafe(16), seat.place()
    app = site_app(site, [*common_routes(builds), *play.routes()], play.dress, secret, place)
    with running(app, port) as (address, _thread):
        search = Behind(partial(_searchable, terminal, site))
        search.ask()
        try:
            say_where(terminal, site, f"{address}{place}/{seat.begins()}?key={secret}")
            follow(root, partial(_again, terminal, publisher, search.ask), following)
        except KeyboardInterrupt:
            terminal.say()
        finally:
            builds.ending = True
            search.end()
            end_running()
    return Exit.OK


def _build(terminal: Terminal, *, trust: bool) -> int:
    root = root_with_games(terminal)
    laid = prepare_site(root, trust=trust)
    if laid:
        terminal.say("Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/.")
        terminal.say("Commit them where the site is published from this repository; nobody else needs them.")
    with told_if_stale(terminal):
        report = publish(root, site_folder(root))
    told = {"written": list(report.written), "removed": list(report.removed), "unchanged": report.unchanged}
    failed = [problem.as_record() for problem in report.problems]
    terminal.record({**told, "laid": bool(laid), "failed": failed})
    counts = f"{len(report.written)} written, {len(report.removed)} removed, {report.unchanged} as they were"
    terminal.say(f"The site is in {site_folder(root)}: {counts}.")
    if not report.problems:
        return Exit.OK
    if not terminal.json:
        terminal.problems(report.problems)
    return exit_of(report.problems)


def _again(terminal: Terminal, publisher: Publisher, index: Callable[[], object]) -> None:
    """Build the site once more; its search follows, after the pages.

    Nobody has consented to what came meanwhile, if that is code.
    """
    try:
        prepare_site(publisher.root)
        report = publisher.publish(site_folder(publisher.root), index=False)
    except ProblemError as error:
        terminal.problems(error.problems)
        return
    terminal.problems(report.problems)
    terminal.say(f"Built again: {counted(len(report.written), 'page')} changed.")
    if report.built:
        index()


def _searchable(terminal: Terminal, site: Path) -> None:
    try:
        index_site(site)
    except ProblemError as error:
        terminal.problems(error.problems)
    except (OSError, subprocess.SubprocessError) as error:
        terminal.problems([Problem("E-SITE", f"the search of the site stays as it was: {error}")])


# -- a site that is built again when its game or its words change, and pages in browsers that follow by themselves


ASKED = 0.5
"""Seconds between two looks at what a site is made of."""
QUIET = 2.0
"""Seconds without a change after which the search follows."""
OFTEN, EAGER = 1.0, 20.0
"""Seconds between two looks at where the players meet after something was sent, and for how long so often."""
SELDOM, OPEN = 2.0, 60.0
"""Seconds between two such looks while a page is open, and how long after its last question it counts as open."""
FAR = 5
"""How many times as long it is between two looks at a server."""


class Behind:
    """Work that is done beside all else, once nobody asked for it for a while, and never twice at a time."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work, self._working, self._timer = work, Lock(), Timer(0, work)

    def ask(self) -> None:
        """Have the work done soon, from the state of things after now."""
        self._timer.cancel()
        self._timer = Timer(QUIET, self._begin)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Begin nothing any more."""
        self._timer.cancel()

    def _begin(self) -> None:
        with self._working:
            self._work()


class Following:
    """Looks at where the players meet as often as somebody may wait for it, and brings the clone up to that."""

    def __init__(self, seat: Seat, builds: Builds, wake: Event) -> None:
        self.seat, self.builds, self.wake = seat, builds, wake
        self._looked = self._woken = 0.0

    def pause(self) -> None:
        """Wait a moment, less where something was sent; then look, where it is time to."""
        if self.wake.wait(ASKED):
            self.wake.clear()
            self._woken = time.monotonic()
            self._looked = 0.0
        now = time.monotonic()
        every = OFTEN if now - self._woken < EAGER else SELDOM if now - self.builds.asked < OPEN else None
        if every is not None and now - self._looked >= every * (FAR if self.seat.is_far else 1):
            self.look()

    def look(self) -> None:
        """Look, and bring the files of the clone up to what is seen."""
        self._looked = time.monotonic()
        try:
            if any(map(self.seat.is_met, self.seat.games())):
                self.seat.look()
                self.seat.follow()
        except ProblemError as error:  # of a game that is damaged here
            self.seat.note = error.problems[0].message

    def built(self) -> None:
        """Tell the open pages that the site was built again."""
        self.builds.entries = self.seat.entries()
        self.builds.number += 1


def follow(root: Path, build: Callable[[], object], following: Following) -> None:
    """Build the site again whenever what it is made of changes, until interrupted."""
    before = sources(root)
    while True:
        following.pause()
        now = sources(root)
        if now != before:
            before = now
            build()
            following.built()


def sources(root: Path) -> frozenset[tuple[str, int, int]]:
    """Return the files that a site is made of, with when each was written and its size."""
    files = CloneFiles(root)
    heads = (f"state/{name}/head.yaml" for name, _ in files.listing("state"))
    return frozenset(
        (path, found.st_mtime_ns, found.st_size)
        for path in (CONFIG, *heads, *files.walk(SOURCES))
        if (found := files.stat(path)) is not None
    )
