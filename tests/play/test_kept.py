"""A game that one person keeps: whoever keeps it says in each form who acts, and it is recorded at once."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from folkmoot.cli.play.seat import Seat
from folkmoot.cli.play.web import Play
from folkmoot.cli.site import running, site_app
from folkmoot.journal import GameFolder
from tests.play.conftest import KEY, PAGE, PAGES, PLACE, Browser


@contextmanager
def keeping(folder: Path) -> Iterator[Browser]:
    """Yield the browser of whoever keeps the game `fen` in a folder."""
    site = folder / "site"
    for page in PAGES:
        (site / "fen" / page).parent.mkdir(parents=True, exist_ok=True)
        (site / "fen" / page).write_text(PAGE.format(title=page, game="fen"), "utf-8")
    seat = Seat(folder)
    play = Play(seat, site, lambda: None)
    with running(site_app(site, play.routes(), play.dress, KEY, PLACE), None) as (address, _thread):
        yield Browser(address, seat)


def test_what_is_done_is_recorded_at_once_and_what_would_be_refused_is_not(moot: Any, tmp_path: Path) -> None:
    assert moot("new", "fen", "-r", "lanterns", "-p", "ann", "-p", "bob").code == 0
    game = GameFolder(tmp_path / "state" / "fen")
    with keeping(tmp_path) as keeper:
        assert "You keep the record" in keeper.get("/fen/index.html").body
        fields = keeper.fields("/fen/do?action=pass", "act")
        refused = keeper.post("act", {**fields, "by": "bob"})
        assert (refused.status, "it is ann&#x27;s turn" in refused.body) == (422, True)
        assert "It is bob’s turn" in keeper.post("try", {**fields, "by": "ann"}).body
        assert game.head.seq == 1, "nothing was recorded"
        done = keeper.post("act", {**fields, "by": "ann"})
        assert done.status == 303
        assert "Recorded." in keeper.get(done.headers["location"]).body
        assert game.entry(2)["do"] == "pass"


CROWN = """
title: Crown
text: Whoever takes the crown wins.
actions: {crown: {}}
script: |
  def do_crown(a):
      win(a.by, "they took it")
"""


def test_the_next_season_begins_by_a_form_once_the_game_is_over(moot: Any, tmp_path: Path) -> None:
    (tmp_path / "crown.yaml").write_text(CROWN, "utf-8")
    for line in (
        "new fen -r lanterns -p ann -p bob -p cid",
        "act propose --by ann --rule crown.yaml title=Crown",
        "act vote --by ann choice=for",
        "act vote --by bob choice=for",
        "act vote --by cid choice=for",
    ):
        assert moot(*shlex.split(line)).code == 0
    with keeping(tmp_path) as keeper:
        assert "/-/season" not in keeper.get("/fen/index.html").body
        early = {**keeper.fields("/fen/do?action=pass", "act"), "id": "moor"}
        assert keeper.post("season", early).status == 404, "the game goes on"
        assert moot("act", "crown", "--by", "bob").code == 0
        fields = {**keeper.fields("/fen/index.html", "season"), "title": "Fen & moor", "player": ["ann", "cid"]}
        refused = keeper.post("season", {**fields, "id": "no name"})
        assert (refused.status, "E-" in refused.body, "Fen &amp; moor" in refused.body) == (422, True, True)
        assert not (tmp_path / "state" / "moor").exists()
        for _ in range(2):  # pressed twice
            assert keeper.post("season", {**fields, "id": "moor"}).status == 303
        assert keeper.post("season", {**fields, "id": "moor", "once": "another"}).status == 422
    made = GameFolder(tmp_path / "state" / "moor").kept("game")
    assert (made["title"], made["follows"]["game"], made["follows"]["season"]) == ("Fen & moor", "fen", 2)
    assert set(GameFolder(tmp_path / "state" / "moor").kept("roster")) == {"ann", "cid"}
