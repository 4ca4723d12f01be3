"""Building the site and serving it on this machine."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hmac import compare_digest
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import click
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import read_whole
from folkmoot.core.problems import ProblemError
from folkmoot.site.configuration import OUTPUT
from folkmoot.site.preparation import prepare_site
from folkmoot.site.publish import Publisher

FIRST_PORT, TRIED = 8000, 50
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
MISSING = "404.html"
_PORT = re.compile(r":\d+$")

Dress = Callable[[Request, str, str], Response]
"""What answers with a page of the site, by the request, the path below the site, and the page's HTML."""


def plainly(_request: Request, _path: str, page: str) -> Response:
    """Answer with a page as it is."""
    return HTMLResponse(page)


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


def say_where(terminal: Terminal, site: Path, address: str) -> None:
    """Say at which address a site is served."""
    terminal.say(f"The site is at {click.style(address, bold=True)} (Ctrl-C stops it).", whole=True)
    terminal.record({"site": str(site), "address": address})


# -- what is served, and to whom


def site_app(
    site: Path, routes: Sequence[BaseRoute] = (), dress: Dress = plainly, secret: str = "", place: str = ""
) -> ASGIApp:
    """Return what answers a browser's requests for a site's files, and nothing else but `routes`.

    A page is shown as `dress` makes it. Where there is a `secret`, only who has it is answered, below `place`.
    """
    files = Route("/{path:path}", SiteFiles(site, dress).answer)
    app = Starlette(routes=[*routes, files], exception_handlers={ProblemError: _problem, 500: _fault})
    return Guard(app, secret, place)


def _problem(_request: Request, error: Exception) -> Response:
    """Say what is wrong with the game as it lies here, or with what was asked about it."""
    return PlainTextResponse("\n".join(map(str, getattr(error, "problems", ()))), 503)


def _fault(_request: Request, error: Exception) -> Response:
    """Say that something went wrong here; the server says more on its error stream."""
    said = f"That went wrong, and it is not your doing. Nothing was sent. ({type(error).__name__})"
    return PlainTextResponse(f"{said} The terminal in which moot serve runs says more.", 500)


class SiteFiles:
    """The files of a site that browsers may have: none that lies elsewhere, behind a link or in a hidden folder."""

    def __init__(self, site: Path, dress: Dress = plainly) -> None:
        self.site, self.dress = site.resolve(), dress

    def answer(self, request: Request) -> Response:
        """Answer with a file, with the page of a folder, or with the site's own page where there is no such thing."""
        asked = str(request.path_params["path"])
        found = self.find(f"{asked}index.html" if asked.endswith("/") or not asked else asked)
        if found is not None and found.is_dir():
            return RedirectResponse(request.url.replace(path=f"{request.scope['root_path']}/{asked}/"), 301)
        status = 200 if found is not None else 404
        found = found or self.find(MISSING)
        if found is None:
            return PlainTextResponse("There is no such page.", status)
        if found.suffix != ".html":
            return FileResponse(found, status)
        path = found.relative_to(self.site).as_posix()
        page = (read_whole(found) or b"").decode(errors="replace")
        return self.dress(request, path, page) if status == 200 else HTMLResponse(page, status)

    def find(self, path: str) -> Path | None:
        """Return a file or folder of the site, None where there is none."""
        found = self.site / path
        try:
            inside = found.resolve().relative_to(self.site).parts
            is_there = not path.startswith("/") and (found.is_file() or found.is_dir())
        except (OSError, ValueError):
            return None
        return found if is_there and not any(name.startswith(".") for name in inside) else None


class Guard:
    """Lets only browsers on this machine through that ask for it by its own name, and know the secret if there is one.

    A page of elsewhere can give its own name the address of this machine, and other users of the machine can reach it.
    The secret stands in the address that is opened first, and from then on in a cookie that no other site can use.
    Browsers send a cookie to all servers of a machine, whatever their port, but only below its path: so all pages lie
    below a `place` that nobody else knows.
    """

    def __init__(self, app: ASGIApp, secret: str, place: str) -> None:
        self.app, self.secret, self.root = app, secret, f"/{place}" if secret and place else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_closed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_closing(message["headers"])]
            await send(message)

        is_below = scope["path"].startswith(f"{self.root}/")
        scope = {**scope, "root_path": self.root if is_below else ""}
        request = Request(scope)
        answer: ASGIApp = self._refusal(request, is_below=is_below) or self.app
        await answer(scope, receive, send_closed)

    def _refusal(self, request: Request, *, is_below: bool) -> Response | None:
        """Return the answer to a request that does not come through, None for one that does."""
        if _PORT.sub("", request.headers.get("host", "")).lower() not in HOSTS:
            return PlainTextResponse("This machine has no such name.", 421)
        if request.method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Pages are read, and forms are sent.", 405)
        if request.method == "POST" and not _is_own(request):
            return PlainTextResponse("Nothing was done: only forms of these pages themselves can do something.", 403)
        return self._key_wanted(request, is_below=is_below) if self.secret else None

    def _key_wanted(self, request: Request, *, is_below: bool) -> Response | None:
        """Return the answer to who does not show the secret, or shows it in the address, from where it is put away."""
        name = f"moot-{request.scope['server'][1]}"
        given = [(key, value) for key, value in request.query_params.multi_items() if key != "key"]
        key = request.query_params.get("key", "")
        if request.method == "GET" and compare_digest(key.encode(), self.secret.encode()):
            path = request.url.path if is_below else f"{self.root}{request.url.path}"
            answer = RedirectResponse(request.url.replace(path=path, query=urlencode(given)), 303)
            answer.set_cookie(name, self.secret, path=f"{self.root}/", httponly=True, samesite="strict")
            return answer
        if is_below and compare_digest(request.cookies.get(name, "").encode(), self.secret.encode()):
            return None
        return HTMLResponse(_CLOSED, 403)


_CLOSED = """\
<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Closed</title><h1>These pages are for who started them</h1>
<p>Open the address that <code>moot serve</code> printed, with all that stands behind <code>?key=</code>.
If you just did, <a href="">go on</a>.</p>
"""


def _is_own(request: Request) -> bool:
    """Say whether a form was sent from a page of this server, as the browser tells."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    own = f"http://{request.headers['host']}"
    return site == "same-origin" and origin in (None, "null", own) if site else origin == own


def _closing(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers that keep an answer to itself, beside those that it has."""
    known = {name.lower(): value for name, value in headers}
    kind = known.get(b"content-type", b"")
    changes = not kind or kind.startswith((b"text/", b"application/json"))
    found = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"same-origin")]
    found.append((b"cache-control", b"no-store" if changes else b"private, max-age=3600"))
    policy = [] if b"content-security-policy" in known else [(b"content-security-policy", b"frame-ancestors 'none'")]
    return [*found, *policy]


# -- the server


@contextmanager
def running(app: ASGIApp, port: int | None) -> Iterator[tuple[str, Thread]]:
    """Serve something on this machine alone meanwhile; yields its address and the thread that serves.

    Without a port it is the first free one from 8000 on.
    """
    with _listening(port) as listener:
        options = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off", ws="none", server_header=False,
            proxy_headers=False, timeout_graceful_shutdown=1, h11_max_incomplete_event_size=16_384,
        )  # fmt: skip
        server = uvicorn.Server(options)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/", thread
        finally:
            server.should_exit = True
            thread.join(5)


def _listening(port: int | None) -> socket.socket:
    """Return a socket on which browsers of this machine are heard."""
    for candidate in [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + TRIED), 0]:
        try:
            return socket.create_server(("127.0.0.1", candidate), backlog=128)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port is not None:
                raise
    raise AssertionError("port 0 is always free")
