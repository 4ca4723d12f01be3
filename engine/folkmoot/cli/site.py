"""Building the site and serving it on this machine."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import read_whole
from folkmoot.site.configuration import OUTPUT
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import Publisher

FIRST_PORT, TRIED = 8000, 50
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
NOTHING = "/dev/null/nothing"
_PORT = re.compile(r":\d+$")


class Files(SimpleHTTPRequestHandler):
    """Serves the files of a site, and nothing else, to whoever asks for this machine; keeps quiet about it."""

    def parse_request(self) -> bool:
        """Read a request; refuse one by a page of elsewhere that gave its own name the address of this machine."""
        if not super().parse_request():
            return False
        if (named := self.headers.get("Host")) is None or _PORT.sub("", named).lower() in HOSTS:
            return True
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        return False

    def translate_path(self, path: str) -> str:
        """Return the file or folder of the site that is asked for; what leads out of it, or to `.git`, is not there."""
        is_folder = path.partition("?")[0].endswith("/")
        found = Path(super().translate_path(path), "index.html" if is_folder else "")
        try:
            inside = found.resolve().relative_to(Path(self.directory).resolve()).parts
            is_there = found.is_file() or (found.is_dir() and not is_folder)
        except (OSError, ValueError):
            return NOTHING
        return str(found) if is_there and not any(name.startswith(".") for name in inside) else NOTHING

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where there is no such page."""
        page = Path(self.translate_path("/404.html"))
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        data = read_whole(page) or b""
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def build_site(
    terminal: Terminal, root: Path, publisher: Publisher | None = None, *, trust: bool = False, index: bool = True
) -> Path:
    """Write the pages of a repository's games, build the site, and return its folder.

    With `trust` whoever asks consents to what the repository has the site run; `index` makes it searchable.
    """
    prepare_site(root, trust=trust)
    terminal.say("\nBuilding the site …")
    site = site_folder(root)
    report = (publisher or Publisher(root)).publish(site, index=index)
    terminal.say(f"{counted(len(report.written), 'page')} written, {report.unchanged} as they were.")
    return site


def site_folder(root: Path) -> Path:
    """Return where the site of a repository is built."""
    return root.resolve() / OUTPUT


def serve_site(terminal: Terminal, site: Path, port: int | None) -> None:
    """Serve a built site until interrupted, saying where; without a port the first free one from 8000 on."""
    with open_server(site, port) as server:
        try:
            say_where(terminal, site, server)
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
