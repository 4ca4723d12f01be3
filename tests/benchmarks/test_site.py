"""What it costs to publish one more act in a long game beside a short one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from folkmoot.game.session import Session
from folkmoot.site.game_views import games_of
from folkmoot.site.publish import Publisher
from tests.benchmarks.measure import figure, seconds
from tests.large.game import repository

SIZES = SMALL, LARGE = (100, 300)


class Published:
    """A repository with a game, published once, and all that is remembered of it."""

    def __init__(self, root: Path, pages: int) -> None:
        self.root = repository(root, pages)
        self.publisher = Publisher(self.root)
        self.publish()

    def publish(self) -> float:
        """Publish the game as it is; return what that takes once the game's state is known."""
        views, _ = games_of(self.root, self.publisher.reader)
        return seconds(partial(self.publisher.publish_games, views, self.root / "site", index=False))

    def after(self, do: str, **given: Any) -> float:
        """Let somebody act, and publish it."""
        with Session.open(self.root / "state" / "long", writing=True) as session:
            assert session.act("ann", do, given, at=session.at + 60).accepted
        return self.publish()


def test_an_act_published_in_a_long_game(tmp_path: Path) -> None:
    """What the whole of a game shows is made anew at each act, and what settled pages are made of is looked at."""
    games = [Published(tmp_path / str(pages) / "game", pages) for pages in SIZES]
    less, more = map(min, zip(*([game.after("state", text=text) for game in games] for text in "abc"), strict=True))
    figure(f"a statement published, {LARGE} pages beside {SMALL}", more, less)
    change = {"title": "Tea", "changes": [{"amend": "203", "text": "There is tea in the garden."}]}
    for game in games:
        game.after("propose", **change)
    votes = [game.after("vote", proposal=_newest(game.root), choice="for") for game in games]
    figure(f"a vote published, {LARGE} pages beside {SMALL}", votes[1], votes[0])


def _newest(root: Path) -> int:
    with Session.open(root / "state" / "long") as session:
        return int(session.documents["things/game"]["game"]["next_number"]) - 1
