"""Templates of a repository's own below `site_src/overrides/`."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from folkmoot.site.consent import require_consent
from folkmoot.site.own_templates import OwnTemplates
from folkmoot.site.publish import Report
from folkmoot.site.site_cache import SiteCache
from tests.site.game import build, game, render_game, write, write_pages
from tests.untrusted.sinks import hostile


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
    assert not OwnTemplates(tmp_path)
    assert _pages(tmp_path) == render_game(game())


def test_a_template_that_names_the_parts_in_order_changes_nothing(tmp_path: Path) -> None:
    _template(tmp_path, "pages/_each.html", "{% for part in parts %}{{ part }}{% endfor %}")
    assert OwnTemplates(tmp_path)
    assert _pages(tmp_path) == render_game(game())


def test_parts_are_left_out_ordered_anew_and_joined_by_others(tmp_path: Path) -> None:
    _template(tmp_path, "pages/index.html", """
        {{ part.owed }}
        <p class="motto">Motto of {{ game.title }}: {{ "<b>" }}</p>
        {{ section("House rules", "Be kind & brief", "house") }}
        {{ part.votes }} {{ here.rule("202") }}
    """)  # fmt: skip
    front = _pages(tmp_path)["index.md"]
    assert "Latest events" not in front
    assert front.index("{ #owed }") < front.index("motto") < front.index("{ #house }") < front.index("{ #votes }")
    assert "Motto of The mail game: &lt;b&gt;" in front
    assert "## House rules { #house }" in front
    assert "Be kind &amp; brief" in front
    assert 'href="law/202.html"' in front


def test_the_nearest_template_is_taken(tmp_path: Path) -> None:
    for name in ("pages/_each.html", "pages/law/_each.html", "pages/law/202.html", "games/demo/law/202.html",
                 "games/other/law/203.html"):  # fmt: skip
        _template(tmp_path, name, f"<p>by {name}</p>")
    pages = _pages(tmp_path)
    assert game().slug == "demo"
    taken = {
        "index.md": "pages/_each.html",
        "law/203.md": "pages/law/_each.html",
        "law/202.md": "games/demo/law/202.html",
    }
    for path, name in taken.items():
        assert f"<p>by {name}</p>" in pages[path]
    assert "by pages/law/202.html" in render_game(replace(game(), slug="tea"), OwnTemplates(tmp_path))["law/202.md"]


def test_templates_include_and_extend_each_other(tmp_path: Path) -> None:
    _template(tmp_path, "pages/base.html", "<p>above</p>{% block middle %}{% endblock %}<p>below</p>")
    _template(tmp_path, "pages/offices.html", "{% extends 'base.html' %}{% block middle %}{{ parts[0] }}{% endblock %}")
    page = _pages(tmp_path)["offices.md"]
    assert page.index("<p>above</p>") < page.index("<p>below</p>")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("one\n{% if %}", 2, "Expected an expression"),
        ("one\ntwo\n{{ nobody }}", 3, "'nobody' is undefined"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
        ("\n{% include 'gone.html' %}", 2, "gone.html"),
    ],
)
def test_a_template_that_fails_is_named_and_its_pages_are_built_without_it(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    _template(tmp_path, "pages/law/_each.html", text)
    made = OwnTemplates(tmp_path)
    assert render_game(game(), made) == render_game(game())
    (problem,) = made.problems
    assert problem.code == "E-SITE"
    assert said in problem.message
    assert problem.position is not None
    assert (problem.position.file, problem.position.line) == ("site_src/overrides/pages/law/_each.html", line)


def test_what_players_wrote_stays_harmless_in_a_template(tmp_path: Path) -> None:
    _template(
        tmp_path, "pages/_each.html", "<p>{{ game.title }} {{ page.title }} {{ game.players }}</p>{{ parts[-1] }}"
    )
    made = OwnTemplates(tmp_path)
    pages = render_game(hostile(every=3), made)
    assert made.problems == []
    for text in pages.values():
        assert "<script" not in text.lower()
        assert "\ue000" not in text


def test_a_restyled_page_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-settings")
    write(tmp_path)
    _template(
        tmp_path / "site_src", "pages/index.html", "{{ part.votes }}<p>Drawn by hand</p>{{ section('New', 'x') }}"
    )
    require_consent(tmp_path, given=True)
    text = (build(tmp_path, game()) / "demo/index.html").read_text("utf-8")
    assert "Drawn by hand" in text
    assert '<h2 id="new">New' in text


def test_pages_that_were_kept_follow_the_templates(tmp_path: Path) -> None:
    """Also one whose template failed: it is told of at each run until it is mended."""
    memory, page = SiteCache(), tmp_path / "site" / "demo" / "offices.html"

    def written() -> Report:
        return write_pages([game()], tmp_path / "site", memory=memory, sources=tmp_path)

    assert written().problems == []
    plain = page.read_text("utf-8")
    _template(tmp_path, "pages/offices.html", "<p>Tea</p>{{ missing }}")
    assert [len(written().problems) for _ in range(2)] == [1, 1]
    assert page.read_text("utf-8") == plain
    _template(tmp_path, "pages/offices.html", "<p>Tea</p>")
    assert written().written == ["demo/offices.html"]
    assert "<p>Tea</p>" in page.read_text("utf-8")
    (tmp_path / "overrides" / "pages" / "offices.html").unlink()
    assert written().written == ["demo/offices.html"]
    assert page.read_text("utf-8") == plain
