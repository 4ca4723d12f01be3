"""`moot serve`: build the site and serve it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Condition, Event, Thread

import click

from folkmoot.cli.exit_codes import Exit, exit_of
from folkmoot.cli.games import root_with_games
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.site import Files, build_site, open_server, say_where, site_folder
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import CloneFiles, read_whole
from folkmoot.core.packaged import CONFIG, SOURCES
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import Publisher, publish
from folkmoot.site.search import index_site


def run_serve(terminal: Terminal, port: int | None, build: bool, trust: bool) -> int:
    """Build the site and serve it."""
    if build:
        if port is not None:
            raise click.UsageError("--port is for serving: leave it out with --build.")
        return _build(terminal, trust=trust)
    root = root_with_games(terminal)
    publisher = Publisher(root)
    with told_if_stale(terminal):
        site = build_site(terminal, root, publisher, trust=trust, index=False)
    builds = Builds()
    with open_server(site, port, live_handler(site, builds)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        search = Behind(partial(_searchable, terminal, site))
        search.ask()
        try:
            say_where(terminal, site, server)
            follow(root, partial(_again, terminal, publisher, search.ask, trust=trust), builds)
        except KeyboardInterrupt:
            terminal.say()
        server.shutdown()
    return Exit.OK


def _build(terminal: Terminal, *, trust: bool) -> int:
    """Build the site, and say what was written."""
    root = root_with_games(terminal)
    laid = prepare_site(root, trust=trust)
    if laid:
        terminal.say("Laid out the site's configuration and theme: mkdocs.yml, ci/ and site_src/.")
        terminal.say("Commit them where the site is published from this repository; nobody else needs them.")
    with told_if_stale(terminal):
        report = publish(root, site_folder(root))
    terminal.record(
        {
            "written": list(report.written),
            "removed": list(report.removed),
            "unchanged": report.unchanged,
            "laid": bool(laid),
            "failed": [problem.as_record() for problem in report.problems],
        }
    )
    counts = f"{len(report.written)} written, {len(report.removed)} removed, {report.unchanged} as they were"
    terminal.say(f"The site is in {site_folder(root)}: {counts}.")
    if not report.problems:
        return Exit.OK
    if not terminal.json:
        terminal.problems(report.problems)
    return exit_of(report.problems)


def _again(terminal: Terminal, publisher: Publisher, index: Callable[[], object], *, trust: bool = False) -> None:
    """Build the site once more; its search follows, after the pages."""
    try:
        prepare_site(publisher.root, trust=trust)
        report = publisher.publish(site_folder(publisher.root), index=False)
    except ProblemError as error:
        terminal.problems(error.problems)
        return
    terminal.problems(report.problems)
    terminal.say(f"Built again: {counted(len(report.written), 'page')} changed.")
    if report.built:
        index()


def _searchable(terminal: Terminal, site: Path) -> None:
    """Make the index of the site anew."""
    try:
        index_site(site)
    except ProblemError as error:
        terminal.problems(error.problems)
    except (OSError, subprocess.SubprocessError) as error:
        terminal.problems([Problem("E-SITE", f"the search of the site stays as it was: {error}")])


# -- a site that is built again when its game or its words change, and pages in browsers that follow by themselves


CHANGES, SCRIPT = "/moot-changes", "/moot-reload.js"
ASKED = 0.5
"""Seconds between two looks at what a site is made of."""
QUIET = 2.0
"""Seconds without a change after which the search follows."""
HELD = 20.0
"""Seconds that a browser waits for a change before it asks again."""
RELOAD = b"""\
const ask = async () => {
  for (let seen = ""; ; ) {
    try {
      const said = await (await fetch("%s?" + seen)).text();
      if (seen && said !== seen) location.reload();
      seen = said;
    } catch { await new Promise(done => setTimeout(done, 2000)); }
  }
};
ask();
""" % CHANGES.encode()
TAG = f'<script src="{SCRIPT}"></script></body>'.encode()


class Builds:
    """How often a site was built; browsers wait here for the next time."""

    def __init__(self) -> None:
        self.number, self._changed = 1, Condition()

    def built(self) -> None:
        """Tell whoever waits that the site was built again."""
        with self._changed:
            self.number += 1
            self._changed.notify_all()

    def after(self, seen: str) -> int:
        """Return the number of the last build, at once where it is not `seen`, else when the next is done."""
        with self._changed:
            if str(self.number) == seen:
                self._changed.wait(HELD)
            return self.number


class Behind:
    """Work that is done beside all else, once nobody asked for it for a while, and never twice at a time."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work, self._asked = work, Event()
        Thread(target=self._go_on, daemon=True).start()

    def ask(self) -> None:
        """Have the work done soon, from the state of things after now."""
        self._asked.set()

    def _go_on(self) -> None:
        while self._asked.wait():
            self._asked.clear()
            if not self._asked.wait(QUIET):
                self._work()


class LiveFiles(Files):
    """Serves a site's pages with a script that loads them again when the site was built again."""

    def __init__(self, *args: object, builds: Builds, **options: object) -> None:
        self.builds = builds
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def do_GET(self) -> None:  # noqa: N802 (the library's name)
        """Answer with a file, or with the number of the last build."""
        path, _, asked = self.path.partition("?")
        if path == CHANGES:
            self._answer(str(self.builds.after(asked)).encode(), "text/plain")
        elif path == SCRIPT:
            self._answer(RELOAD, "text/javascript")
        elif page := self._page(path):
            self._answer((read_whole(page) or b"").replace(b"</body>", TAG), "text/html; charset=utf-8", alone=True)
        else:
            super().do_GET()

    def _page(self, path: str) -> Path | None:
        page = Path(self.translate_path(path))
        return page if page.suffix == ".html" and page.is_file() else None

    def _answer(self, data: bytes, kind: str, *, alone: bool = False) -> None:
        self.send_response(HTTPStatus.OK)
        if alone:  # a page that stands in no frame of another one
            self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)


def live_handler(site: Path, builds: Builds) -> Callable[..., LiveFiles]:
    """Return what answers a browser's requests for a site that may be built again."""
    return partial(LiveFiles, directory=str(site), builds=builds)


def follow(root: Path, build: Callable[[], object], builds: Builds) -> None:
    """Build the site again whenever what it is made of changes, until interrupted."""
    before = sources(root)
    while True:
        time.sleep(ASKED)
        now = sources(root)
        if now != before:
            before = now
            build()
            builds.built()


def sources(root: Path) -> frozenset[tuple[str, int, int]]:
    """Return the files that a site is made of, with when each was written and its size."""
    files = CloneFiles(root)
    heads = (f"state/{name}/head.yaml" for name, _ in files.listing("state"))
    return frozenset(
        (path, found.st_mtime_ns, found.st_size)
        for path in (CONFIG, *heads, *files.walk(SOURCES))
        if (found := files.stat(path)) is not None
    )
