"""Serves the GitHub of `myworld` on loopback, by a Python that has it installed; prints address and tokens as JSON."""

from __future__ import annotations

import json
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from myworld.api.http import handle, mint  # type: ignore[import-not-found,unused-ignore]
from myworld.host import Host  # type: ignore[import-not-found,unused-ignore]

HOST = Host()
INSTANCE = HOST.create("github", None)


class Bridge(BaseHTTPRequestHandler):
    """Hands each request to what answers for api.github.com."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        split = urllib.parse.urlsplit(self.path)
        answer = handle(HOST, "api.github.com", self.command, split.path, split.query, dict(self.headers), body)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


with ThreadingHTTPServer(("127.0.0.1", 0), Bridge) as server:
    token = mint(HOST.gateway_secret, instance=INSTANCE.id, kind="github")
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_address[1]}", "token": token}), flush=True)
    server.serve_forever()
