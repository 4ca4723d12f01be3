"""Templates of a repository's own below `site_src/overrides/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.site.configuration import require_consent
from folkmoot.site.page_model import OwnTemplates
from folkmoot.site.publish import Report
from tests.support.site_game import build, game, render_game, write, write_pages
from tests.untrusted.sinks import hostile

OWN = '{% extends "packaged/now.html" %}{% block main %}<p class="motto">Tea at five.</p>{{ super() }}{% endblock %}'


def _template(sources: Path, name: str, text: str) -> None:
    path = sources / "overrides" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _pages(sources: Path) -> dict[str, str]:
    made = OwnTemplates(sources)
    pages = render_game(game(), made)
    assert made.problems == []
    return pages


def test_without_templates_nothing_changes(tmp_path: Path) -> None:
    assert not OwnTemplates(tmp_path).texts
    assert _pages(tmp_path) == render_game(game())


def test_a_template_may_extend_the_packaged_one_and_changes_no_other_kind(tmp_path: Path) -> None:
    _template(tmp_path, "pages/now.html", OWN)
    pages, plain = _pages(tmp_path), render_game(game())
    assert {path for path in pages if pages[path] != plain[path]} == {"index.md"}
    assert pages["index.md"].replace('<p class="motto">Tea at five.</p>', "") == plain["index.md"]


def test_a_template_has_the_data_of_its_page_and_what_is_no_markup_is_escaped(tmp_path: Path) -> None:
    _template(tmp_path, "pages/now.html", '<p>{{ page.title }}: {{ "<b>" }} {{ page.race.racers[0].who.name }}</p>')
    assert "<p>The mail game: &lt;b&gt; Cid Castro</p>" in _pages(tmp_path)["index.md"]


def test_a_template_of_one_game_is_taken_before_that_of_all(tmp_path: Path) -> None:
    _template(tmp_path, "pages/offices.html", "of all")
    _template(tmp_path, "games/demo/offices.html", "of this one")
    _template(tmp_path, "games/other/offices.html", "of another")
    assert _pages(tmp_path)["offices.md"].endswith("of this one")


def test_templates_include_each_other(tmp_path: Path) -> None:
    _template(tmp_path, "pages/motto.html", "Tea for {{ page.title }}")
    _template(tmp_path, "pages/offices.html", '{% include "motto.html" %}')
    assert _pages(tmp_path)["offices.md"].endswith("Tea for Offices and duties")


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
    _template(tmp_path, "pages/offices.html", text)
    made = OwnTemplates(tmp_path)
    assert render_game(game(), made) == render_game(game())
    (problem,) = made.problems
    assert problem.code == "E-SITE"
    assert said in problem.message
    assert problem.position is not None
    assert (problem.position.file, problem.position.line) == ("site_src/overrides/pages/offices.html", line)


def test_what_players_wrote_stays_harmless_in_a_template(tmp_path: Path) -> None:
    _template(tmp_path, "pages/now.html", "<p title='{{ page.title }}'>{{ page.title }} {{ page.summary }}</p>")
    made = OwnTemplates(tmp_path)
    pages = render_game(hostile(every=3), made)
    assert made.problems == []
    assert "<script" not in pages["index.md"].lower()


def test_a_restyled_page_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-settings")
    write(tmp_path)
    _template(tmp_path / "site_src", "pages/now.html", OWN)
    require_consent(tmp_path, given=True)
    assert "Tea at five." in (build(tmp_path, game()) / "demo/index.html").read_text("utf-8")


def test_pages_that_were_kept_follow_the_templates(tmp_path: Path) -> None:
    """Also one whose template failed: it is told of at each run until it is mended."""
    page = tmp_path / "site" / "demo" / "offices.html"

    def written() -> Report:
        return write_pages([game()], tmp_path / "site", sources=tmp_path)

    assert written().problems == []
    plain = page.read_text("utf-8")
    _template(tmp_path, "pages/offices.html", "<p>Tea</p>{{ missing }}")
    assert [len(written().problems) for _ in range(2)] == [1, 1]
    assert page.read_text("utf-8") == plain
    _template(tmp_path, "pages/offices.html", "<p>Tea</p>")
    assert "demo/offices.html" in written().written
    assert page.read_text("utf-8") != plain
