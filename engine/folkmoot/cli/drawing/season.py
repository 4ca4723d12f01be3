"""How a season went, in the terminal: who won, how players stood, the story in moments, and how to play again."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType

from folkmoot.cli.drawing.printing import hanging, say_drawn, table_of, words
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import fail
from folkmoot.core.values import is_digits
from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from folkmoot.site.page_json import encoded
from folkmoot.site.pages.story import Story, story_pages
from folkmoot.wording.markup import strip


def show_season(terminal: Terminal, session: Session, which: str) -> None:
    """Print the story of a season that has ended, by its number, of the last one where none is named.

    Raises E-NO-SUCH where there is none.
    """
    view = view_of(session)
    known = {sheet.path.partition("season-")[2].removesuffix(".md"): sheet for sheet in story_pages(view)}
    if not known:
        raise fail("E-NO-SUCH", "no season has ended: nobody has won yet", None, "`moot show scores` says who leads")
    number = which or [*known][-1]
    if number not in known or not is_digits(number):
        raise fail("E-NO-SUCH", f"there is no season {number}", None, f"told are {', '.join(known)}")
    story = known[number].make(view)
    assert isinstance(story, Story)
    terminal.record(json.loads(encoded(story)))
    say_drawn(terminal, _drawn(story))


def _drawn(story: Story) -> Iterator[RenderableType]:
    yield words(story.title, "bold")
    over = "the game is over" if story.over else "play goes on"
    yield words(f"{strip(story.when)}, {over}. {strip(story.how)}")
    if story.standing:
        yield ""
        rows = [[each.who.name, each.amount] for each in story.standing.racers]
        yield table_of(["Player", story.standing.currency], rows, [1])
    yield ""
    for place, scene in enumerate(story.scenes, 1):
        when = f" ({strip(scene.day)}, {strip(scene.entry)})"
        told = (words(scene.title, "bold"), words(f": {strip(scene.words)}{when}"))
        yield hanging(words(f"{place:2}. ").append_text(words().join(told)), 4)
    yield ""
    yield table_of(["In figures", ""], [[title, strip(said)] for title, said in story.figures])
    if story.next:
        yield ""
        yield words(f"Next: `{story.next}` begins the next season, with these rules and players.")
