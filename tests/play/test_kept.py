"""A game that one person keeps: whoever keeps it says in each form who acts, and it is recorded at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.cli.play.seat import Seat
from folkmoot.cli.play.web import Play
from folkmoot.cli.site import running, site_app
from folkmoot.journal import GameFolder
from tests.play.conftest import KEY, PAGE, PAGES, PLACE, Browser


def test_what_is_done_is_recorded_at_once_and_what_would_be_refused_is_not(moot: Any, tmp_path: Path) -> None:
    assert moot("new", "fen", "-r", "lanterns", "-p", "ann", "-p", "bob").code == 0
    site, game = tmp_path / "site", GameFolder(tmp_path / "state" / "fen")
    for page in PAGES:
        (site / "fen" / page).parent.mkdir(parents=True, exist_ok=True)
        (site / "fen" / page).write_text(PAGE.format(title=page, game="fen"), "utf-8")
    seat = Seat(tmp_path)
    play = Play(seat, site, lambda: None)
    with running(site_app(site, play.routes(), play.dress, KEY, PLACE), None) as (address, _thread):
        keeper = Browser(address, seat)
        assert "You keep the record" in keeper.get("/fen/index.html").body
        fields = keeper.fields("/fen/do?action=pass", "act")
        refused = keeper.post("act", {**fields, "by": "bob"})
        assert (refused.status, "it is ann&#x27;s turn" in refused.body) == (422, True)
        assert "mover" in keeper.post("try", {**fields, "by": "ann"}).body.lower()
        assert game.head.seq == 1, "nothing was recorded"
        done = keeper.post("act", {**fields, "by": "ann"})
        assert done.status == 303
        assert "Recorded." in keeper.get(done.headers["location"]).body
        assert game.entry(2)["do"] == "pass"
