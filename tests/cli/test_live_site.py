"""`moot serve` builds the site again when the game goes on, and tells the pages that are open."""

from __future__ import annotations

from pathlib import Path
from threading import Semaphore
from typing import Any, cast

import pytest

from folkmoot.cli import serve
from folkmoot.cli.serve import Behind, follow, sources
from folkmoot.cli.terminal import Terminal
from folkmoot.game.session import Session
from folkmoot.site.publish import Publisher
from tests.large.game import repository


def test_a_site_is_built_again_when_a_game_or_a_guide_changes(tmp_path: Path) -> None:
    head, page = tmp_path / "state/fen/head.yaml", tmp_path / "site/fen/index.html"
    for path in (head, page, tmp_path / "site_src/guide.md"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1", "utf-8")
    steps = [lambda: page.write_text("22", "utf-8"), lambda: head.write_text("22", "utf-8")]
    steps.append(lambda: (tmp_path / "site_src/guide.md").write_text("22", "utf-8"))
    seen: list[int] = []

    class Steps:
        number = 1

        def pause(self) -> None:
            if not steps:
                raise KeyboardInterrupt
            seen.append(self.number)
            steps.pop(0)()

        def built(self) -> None:
            self.number += 1

    following = Steps()
    with pytest.raises(KeyboardInterrupt):
        follow(tmp_path, lambda: None, cast(Any, following))
    assert seen == [1, 1, 2], "what moot wrote itself is no change"
    assert following.number == 3
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
    behind.end()
    behind.ask()
    assert not begun.acquire(timeout=0.2), "who has ended begins nothing"


def test_pages_are_shown_before_their_search_follows(tmp_path: Path) -> None:
    """What an act says is found soon after the page that says it."""
    root, search = repository(tmp_path / "game", 40), list[str]()
    publisher = Publisher(root)
    publisher.publish(root / "site")
    before = _found(root / "site")
    with Session.open(root / "state" / "long", writing=True) as session:
        given = {"title": "Marmalade", "changes": [{"amend": "203", "text": "Marmalade is served."}]}
        assert session.act("ann", "propose", given, at=session.at + 60).accepted
    serve._again(Terminal(), publisher, lambda: search.append("asked"))
    assert search == ["asked"]
    assert _found(root / "site") == before
    serve._searchable(Terminal(), root / "site")
    assert _found(root / "site") != before


def test_a_search_that_fails_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve._searchable(Terminal(), tmp_path / "none" / "site")
    assert "E-SITE" in "".join(capsys.readouterr())


def _found(site: Path) -> set[str]:
    return {path.name for path in (site / "pagefind" / "fragment").iterdir()}
