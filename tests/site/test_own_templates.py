"""Templates of a repository's own below `site_src/overrides/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.site.page_model import OwnTemplates
from folkmoot.site.page_model import made as made_page
from folkmoot.site.publish import Report
from folkmoot.site.render import sheets
from folkmoot.wording.game_view import GameView
from tests.support.site_game import game, render, rendered, write_pages
from tests.untrusted.sinks import hostile


def write(sources: Path, name: str, text: str) -> None:
    path = sources / "overrides" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def page_of(sources: Path, path: str, view: GameView | None = None) -> str:
    """Return a page of a game as templates below some sources draw it."""
    made, shown = OwnTemplates(sources), view or game()
    page = next(render(made_page(shown, sheet, made)) for sheet in sheets(shown) if sheet.path == path)
    assert made.problems == []
    return page


def test_a_template_has_the_data_of_its_page_includes_others_and_what_is_no_markup_is_escaped(tmp_path: Path) -> None:
    write(tmp_path, "pages/motto.html", "Tea for {{ page.title }}")
    write(tmp_path, "pages/now.html", '{% include "motto.html" %}: {{ "<b>" }} {{ page.race.racers[0].who.name }}')
    assert page_of(tmp_path, "index.md").endswith("Tea for The mail game: &lt;b&gt; Cid Castro")
    write(tmp_path, "pages/now.html", "<p title='{{ page.title }}'>{{ page.title }} {{ page.summary }}</p>")
    assert "<script" not in page_of(tmp_path, "index.md", hostile(every=3)).lower()


def test_a_template_of_one_game_is_taken_before_that_of_all(tmp_path: Path) -> None:
    for place in ("pages", "games/demo", "games/other"):
        write(tmp_path, f"{place}/offices.html", f"of {place}")
    assert page_of(tmp_path, "offices.md").endswith("of games/demo")


@pytest.mark.parametrize(("text", "line", "said"), [
    ("<p>\n{{ missing.name }}", 2, "undefined"),
    ("<p>\n\n{% if %}", 3, "expected"),
    ("{% include 'nothing.html' %}", 1, "nothing.html"),
    ("\n{{ page.nothing.at.all }}", 2, "undefined"),
    ("{% for n in range(9000) %}{% for m in range(9000) %}{{ n }}{% endfor %}{% endfor %}", 1, "more steps than"),
])  # fmt: skip
def test_a_template_that_fails_is_named_and_its_pages_are_built_without_it(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    write(tmp_path, "pages/offices.html", text)
    made = OwnTemplates(tmp_path)
    view = game()
    (offices,) = (sheet for sheet in sheets(view) if sheet.path == "offices.md")
    assert render(made_page(view, offices, made)) == rendered()["offices.md"]
    (problem,) = made.problems
    assert (problem.code, said in problem.message) == ("E-SITE", True)
    assert str(problem.position) == f"site_src/overrides/pages/offices.html:{line}"


def test_pages_that_were_kept_follow_the_templates(tmp_path: Path) -> None:
    """Also one whose template failed: it is told of at each run until it is mended."""
    page = tmp_path / "site" / "demo" / "offices.html"

    def written() -> Report:
        return write_pages([game()], tmp_path / "site", sources=tmp_path)

    assert written().problems == []
    plain = page.read_text("utf-8")
    write(tmp_path, "pages/offices.html", "<p>Tea</p>{{ missing }}")
    assert [len(written().problems) for _ in range(2)] == [1, 1]
    assert page.read_text("utf-8") == plain
    write(tmp_path, "pages/offices.html", "<p>Tea</p>")
    assert "demo/offices.html" in written().written
    assert page.read_text("utf-8") != plain
