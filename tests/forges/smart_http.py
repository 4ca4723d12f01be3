"""Git over smart HTTP on loopback: `git http-backend` behind the standard library's server."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any


class Backend(BaseHTTPRequestHandler):
    """Hands each request to `git http-backend` as a web server would; may ask for a password."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an answer goes out in two parts
    server: Server

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _allowed(self) -> bool:
        wanted = self.server.login
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        return not wanted or base64.b64decode(given or "").decode() == wanted

    def _serve(self, body: bytes) -> None:
        if not self._allowed():
            self._answer(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
            return
        path, _, query = self.path.partition("?")
        variables = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "somebody",
            "REMOTE_ADDR": "127.0.0.1",
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=variables, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self._answer(status, [(name, value) for name, value in headers if name != "Status"], content)

    def _answer(self, status: int, headers: list[Any], content: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """Serves the repositories below a folder, to those who give `login` (`name:password`) if there is one."""

    daemon_threads = True

    def __init__(self, root: Path, login: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Backend)
        self.root = root
        self.login = login

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class WebBackend(Backend):
    """Answers the methods of an API, too, without stamps of this machine's own: an emulator has its clock."""

    def do_PATCH(self) -> None:
        self._serve(self._body())

    def do_PUT(self) -> None:
        self._serve(self._body())

    def do_DELETE(self) -> None:
        self._serve(self._body())

    def send_response(self, code: int, message: str | None = None) -> None:
        self.send_response_only(code, message)


@contextmanager
def serving(root: Path, login: str = "") -> Iterator[Server]:
    with running(Server(root, login)) as server:
        yield server


@contextmanager
def running(server: Any) -> Iterator[Any]:
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
