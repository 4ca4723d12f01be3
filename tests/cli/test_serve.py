"""What `moot serve` serves: files of the built site alone, to who asks for this machine by its own name, and built again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Semaphore
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from folkmoot.cli import serve
from folkmoot.cli.play.web import Builds, common_routes
from folkmoot.cli.serve import Behind, follow, sources
from folkmoot.cli.site import running, site_app
from folkmoot.cli.terminal import Terminal

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
def test_nothing_is_served_but_the_site(port: int) -> None:
    for path in (
        *("/out.html", "/out/", "/out/index.html", "/in/", "/in/index.html", "/404.html", "/none.html", "/pipe.html"),
        *("/.git/config", "/.git/", "/%2egit/config", "/law/../.git/config", "/empty/", "/root/etc/passwd", "/root/"),
        *("/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "//etc/passwd", "/a.css/", "/x%00.html"),
    ):
        for method in ("GET", "HEAD"):
            status, text = asked(port, path, method=method)
            assert (status, SECRET in text) == (404, False), path


def test_the_site_is_served(port: int) -> None:
    for path in ("/", "/index.html", "/law/", "/law/203.html?x=1", "/a.css"):
        status, text = asked(port, path)
        assert (status, "page" in text) == (200, True), path
    assert asked(port, "/law")[0] == 301


HOSTS = {
    200: ("127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]:8000"),
    400: ("",),
    421: (
        *("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "0.0.0.0"),
        *("localhost.evil.example:80", "127.0.0.1:80:evil", "evil@localhost"),
    ),
}


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("status", HOSTS)
def test_a_name_that_is_not_this_machines_is_refused(port: int, status: int) -> None:
    assert [host for host in HOSTS[status] if asked(port, "/law/203.html", host)[0] != status] == []


def test_a_site_is_served_on_the_next_free_port_and_a_missing_page_by_its_own(tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("<p>Gone</p>", "utf-8")
    app = site_app(tmp_path)
    with running(app, None) as (first, _), running(app, None) as (second, _):
        assert first != second
        place = urlsplit(first)
        assert place.hostname == "127.0.0.1"
        assert asked(place.port or 0, "/nowhere/x.html") == (404, "<p>Gone</p>")
        assert asked(place.port or 0, "/nowhere/x.html", method="HEAD") == (404, "")


# -- built again


def test_a_site_is_built_again_when_a_game_or_a_guide_changes(tmp_path: Path) -> None:
    head, page, guide = (
        tmp_path / name for name in ("state/fen/head.yaml", "site/fen/index.html", "site_src/guide.md")
    )
    for path in (head, page, guide):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1", "utf-8")
    steps, seen = [page, head, guide], list[int]()

    class Steps:
        number = 1

        def pause(self) -> None:
            if not steps:
                raise KeyboardInterrupt
            seen.append(self.number)
            steps.pop(0).write_text("22", "utf-8")

        def built(self) -> None:
            self.number += 1

    following = Steps()
    with pytest.raises(KeyboardInterrupt):
        follow(tmp_path, lambda: None, cast(Any, following))
    assert (seen, following.number) == ([1, 1, 2], 3), "what moot wrote itself is no change"
    assert sources(tmp_path)


def test_work_beside_all_else_is_done_once_more_where_it_was_asked_for_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "QUIET", 0.05)
    begun, going_on, done = Semaphore(0), Semaphore(0), list[int]()

    def work() -> None:
        begun.release()
        assert going_on.acquire(timeout=10)
        done.append(len(done))

    behind = Behind(work)
    behind.ask()
    assert begun.acquire(timeout=10)
    behind.ask()
    behind.ask()
    going_on.release(2)
    assert begun.acquire(timeout=10)
    assert not begun.acquire(timeout=0.2), "what was asked for twice meanwhile is done once"
    assert done == [0, 1]
    behind.ask()
    behind.end()
    assert not begun.acquire(timeout=0.2), "who has ended begins nothing"


def test_a_search_that_fails_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve._searchable(Terminal(), tmp_path / "none" / "site")
    assert "E-SITE" in "".join(capsys.readouterr())
