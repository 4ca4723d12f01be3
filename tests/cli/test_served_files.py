"""What is served are files of the built site alone, to who asks for this machine by its own name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from folkmoot.cli.play.web import Builds, common_routes
from folkmoot.cli.site import running, site_app

SECRET = "SECRET"


@pytest.fixture(params=["built once", "followed"])
def port(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    site = tmp_path / "site"
    for name in ("index.html", "law/index.html", "law/203.html", "a.css", ".git/config", "empty/x.txt"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(f"<body>{SECRET if '.git' in name else 'page'}</body>", "utf-8")
    (tmp_path / "secret.html").write_text(SECRET, "utf-8")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets/index.html").write_text(SECRET, "utf-8")
    (site / "out.html").symlink_to("../secret.html")
    (site / "out").symlink_to("../secrets")
    (site / "in").mkdir()
    (site / "in/index.html").symlink_to("../../secret.html")
    (site / "404.html").symlink_to("../secret.html")
    (site / "root").symlink_to("/")
    os.mkfifo(site / "pipe.html")
    routes = common_routes(Builds()) if request.param == "followed" else []
    with running(site_app(site, routes), None) as (address, _thread):
        yield urlsplit(address).port or 0


def asked(port: int, path: str, host: str | None = None, method: str = "GET") -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True)
        if host != "":
            connection.putheader("Host", host or f"127.0.0.1:{port}")
        connection.endheaders()
        found = connection.getresponse()
        return found.status, found.read().decode("utf-8", "replace")
    finally:
        connection.close()


@pytest.mark.threat("T-78")
@pytest.mark.parametrize(
    "path",
    [
        *("/out.html", "/out/", "/out/index.html", "/in/", "/in/index.html", "/404.html", "/none.html", "/pipe.html"),
        *("/.git/config", "/.git/", "/%2egit/config", "/law/../.git/config", "/empty/", "/root/etc/passwd", "/root/"),
        *("/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "//etc/passwd", "/a.css/", "/x%00.html"),
    ],
)
def test_nothing_is_served_but_the_site(port: int, path: str) -> None:
    for method in ("GET", "HEAD"):
        status, text = asked(port, path, method=method)
        assert status == 404
        assert SECRET not in text


def test_the_site_is_served(port: int) -> None:
    for path in ("/", "/index.html", "/law/", "/law/203.html?x=1", "/a.css"):
        status, text = asked(port, path)
        assert (status, "page" in text) == (200, True), path
    assert asked(port, "/law")[0] == 301


@pytest.mark.threat("T-78")
@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("127.0.0.1", 200), ("localhost:8000", 200), ("LOCALHOST", 200), ("[::1]:8000", 200)),
        *(
            ("", 400),
            ("evil.example", 421),
            ("evil.example:8000", 421),
            ("127.0.0.1.evil.example", 421),
            ("0.0.0.0", 421),
        ),
        *(("localhost.evil.example:80", 421), ("127.0.0.1:80:evil", 421), ("evil@localhost", 421)),
    ],
)
def test_a_name_that_is_not_this_machines_is_refused(port: int, host: str, status: int) -> None:
    assert asked(port, "/law/203.html", host)[0] == status
