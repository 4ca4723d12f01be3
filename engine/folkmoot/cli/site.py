"""Building the site and serving it on this machine."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from folkmoot.cli.terminal import Terminal, counted
from folkmoot.site.build import lay_site
from folkmoot.site.fast_publish import publish
from folkmoot.site.site_cache import SiteCache

FIRST_PORT, TRIED = 8000, 50


class Files(SimpleHTTPRequestHandler):
    """Serves the files of a site and keeps quiet about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where there is no such page."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, message, explain)
            return
        data = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def build_site(terminal: Terminal, root: Path, memory: SiteCache | None = None) -> Path:
    """Write the pages of a repository's games, build the site, and return its folder; `memory` is of the last time."""
    lay_site(root)
    terminal.say("\nBuilding the site …")
    site = site_folder(root)
    report = publish(root, site, memory)
    terminal.say(f"{counted(len(report.written), 'page')} written, {report.unchanged} as they were.")
    return site


def site_folder(root: Path) -> Path:
    """Return where the site of a repository is built."""
    return (root / "site").resolve()


def serve_site(terminal: Terminal, site: Path, port: int | None) -> None:
    """Serve a built site until interrupted, saying where; without a port the first free one from 8000 on."""
    with open_server(site, port) as server:
        say_where(terminal, site, server)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            terminal.say()


def say_where(terminal: Terminal, site: Path, server: ThreadingHTTPServer) -> None:
    """Say at which address a site is served."""
    address = f"http://127.0.0.1:{server.server_port}/"
    terminal.say(f"The site is at {click.style(address, bold=True)} (Ctrl-C stops it).")
    terminal.record({"site": str(site), "address": address})


def open_server(site: Path, port: int | None, handler: Callable[..., Files] | None = None) -> ThreadingHTTPServer:
    """Return a server of a folder's files on this machine only."""
    handler = handler or partial(Files, directory=str(site))
    if port is not None:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    for candidate in range(FIRST_PORT, FIRST_PORT + TRIED):
        try:
            return ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)
