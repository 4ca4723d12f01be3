"""`moot serve` builds the site again when the game goes on, and tells the pages that are open."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from folkmoot.cli import live_site
from folkmoot.cli.live_site import Builds, follow, live_handler, sources
from folkmoot.cli.site import open_server


def answer(port: int, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        found = connection.getresponse()
        return found.status, found.read()
    finally:
        connection.close()


def test_open_pages_hear_of_the_next_build(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<body>Hello</body>", "utf-8")
    (tmp_path / "law.txt").write_text("</body>", "utf-8")
    builds = Builds()
    with open_server(tmp_path, None, live_handler(tmp_path, builds)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_port
        assert answer(port, "/")[1] == b'<body>Hello<script src="/moot-reload.js"></script></body>'
        assert b"location.reload" in answer(port, "/moot-reload.js")[1]
        assert answer(port, "/law.txt")[1] == b"</body>", "only pages carry the script"
        assert answer(port, "/none.html")[0] == 404
        assert answer(port, "/moot-changes?") == (200, b"1")
        heard: list[bytes] = []
        waiting = Thread(target=lambda: heard.append(answer(port, "/moot-changes?1")[1]))
        waiting.start()
        builds.built()
        waiting.join(10)
        assert heard == [b"2"]
        server.shutdown()


def test_a_site_is_built_again_when_a_game_or_a_guide_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head, page = tmp_path / "state/fen/head.yaml", tmp_path / "site_src/fen/index.md"
    for path in (head, page, tmp_path / "site_src/guide.md"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1", "utf-8")
    (page.parent / ".gitignore").write_text(
        "# Folkmoot writes this folder from the record of the game; git leaves it alone.\n*\n"
    )
    steps = [lambda: page.write_text("22", "utf-8"), lambda: head.write_text("22", "utf-8")]
    steps.append(lambda: (tmp_path / "site_src/guide.md").write_text("22", "utf-8"))
    seen: list[int] = []

    def step(_: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        seen.append(built.number)
        steps.pop(0)()

    monkeypatch.setattr(live_site.time, "sleep", step)
    built = Builds()
    with pytest.raises(KeyboardInterrupt):
        follow(tmp_path, lambda: None, built)
    assert seen == [1, 1, 2], "what moot wrote itself is no change"
    assert built.number == 3
    assert sources(tmp_path)
