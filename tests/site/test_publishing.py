"""After any sequence of acts what is published is what a run that knows nothing would publish, byte for byte."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from folkmoot.game import rulesets
from folkmoot.game.session import Session
from folkmoot.scenarios.scenario import Run
from folkmoot.site import base_site, publish
from folkmoot.site.cards import png_of
from folkmoot.site.chrome import chrome
from folkmoot.site.configuration import CACHE
from folkmoot.site.game_views import GameReader, view_of
from folkmoot.site.output import LIST, Output, digest_of
from folkmoot.site.page_data import Parts
from folkmoot.site.page_json import encoded, path_of
from folkmoot.site.page_model import PageContext
from folkmoot.site.pages import chance, history, proposal, rules, rules_over_time, scores
from folkmoot.site.publish import Publisher
from folkmoot.site.render import BUNDLES, cards_of, sheets
from folkmoot.wording import page_links
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from tests.conftest import FUZZ
from tests.large.game import LargeGame
from tests.support import random_play
from tests.support.site_game import PLAIN, data_files, game, published, view, write, write_pages
from tests.support.sites import GUIDE, files_below
from tests.support.table import Table


def plain_files(view: GameView) -> dict[str, bytes]:
    """Return every file of a game as `write_pages` writes it, by its path."""
    known = published(view)
    pages = {page.path.replace(".md", ".html"): PLAIN.filled(page, "") for page in known}
    data = {path_of(page.path): encoded(page.data) for page in known}
    drawings = {path: png_of(card) for path, card in cards_of(view).items()}
    return {path: text.encode() for path, text in (pages | data_files(view)).items()} | data | drawings


STEPS = 60 if FUZZ else 3
ROUNDS = 20 if FUZZ else 2
Games = Iterator[GameView]
PACKAGED = sorted(each.parent.name for each in Path(rulesets.__file__).parent.glob("*/ruleset.yaml"))


def _seen(run: Run) -> GameView:
    """Return a game as its pages see it, apart from what is played on."""
    table = SimpleNamespace(kernel=run.kernel, entries=run.entries, prev=lambda: "0" * 64, now=run.now)
    return copy.deepcopy(view(cast(Table, table), "game"))


def _large(seed: int, folder: Path) -> Games:
    """Yield a long game after some acts each time; law, votes, points, boards, dice, refusals."""
    dice, reader = random.Random(seed), GameReader(folder / "kept")
    with LargeGame(folder / "long", seed) as playing:
        playing.play(40)
        for _ in range(STEPS):
            for _ in range(dice.choice((0, 1, 1, 4))):
                playing._round()
            playing._aside()
            playing.write()
            with Session.open(folder / "long") as session:
                yield replace(view_of(session, reader), address="https://a.example/")


def _imperial(seed: int, _folder: Path) -> Games:
    table = random_play.Table("imperial", seed)
    for acts in (3, 1, 12) * (STEPS // 3):
        table.play(acts)
        yield _seen(table.run)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few things stand on a page of many, so that a short game has pages of each kind."""
    for module, name, size in (
        (page_links, "ENTRIES_PER_PAGE", 5), (history, "ENTRIES_PER_PAGE", 5), (chance, "PARTS", Parts(2)),
        (scores, "PARTS", Parts(4)), (rules, "PART", 4), (rules, "GONE", Parts(2)),
        (rules_over_time, "PARTS", Parts(3)), (proposal, "PARTS", Parts(3)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, size)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", range(4 if FUZZ else 1))
@pytest.mark.parametrize("games", [_large, _imperial])
def test_pages_are_those_of_a_fresh_run(games: Callable[[int, Path], Games], seed: int, tmp_path: Path) -> None:
    for now in games(seed, tmp_path):
        write_pages([now], tmp_path / "pages")
        written = files_below(tmp_path / "pages")
        assert json.loads(written.pop(LIST))["files"].keys() == written.keys()
        assert files_below(tmp_path / "pages" / now.slug) == plain_files(now)


def _agrees(now: GameView, known: dict[tuple[str, str], str]) -> None:
    """Hold each page of which is told what it is made of against all that was `known` of it when that was the same."""
    context = PageContext(now)
    for sheet in sheets(now):
        if sheet.of and (made_of := sheet.of(now)) is not None:
            data = sheet.make(now)
            said = digest_of([data, chrome(now, data), now.title])
            assert known.setdefault((sheet.path, context.digest(made_of)), said) == said, sheet.path


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.sampled(4)
def test_what_a_page_is_made_of_is_all_that_it_shows(name: str) -> None:
    table, known = random_play.Table(name, 0), dict[tuple[str, str], str]()
    for _ in range(ROUNDS):
        table.play(1)
        _agrees(_seen(table.run), known)
    assert known


def _with(now: GameView, name: str, **changed: Any) -> GameView:
    """Return a game in which a proposal is otherwise."""
    key = next(key for key, each in now.documents.items() if each.get("id") == f"proposal/{name}")
    return replace(now, documents={**now.documents, key: {**now.documents[key], **changed}})


def _turns_begin(now: GameView) -> Games:
    """Yield a game before somebody has the first turn, and then."""
    for entry in now.entries:
        entry["effects"] = [each for each in entry.get("effects") or () if each.get("name") not in ("mover", "turn_no")]
    yield now
    cast(Any, now.entries[-1])["effects"] = [{"effect": "put", "of": "game", "name": "mover", "to": "bob"}]
    yield replace(now)


def _a_vote_closes(now: GameView) -> Games:
    """Yield a game while a rule has cast a ballot, and when the vote is over and not counted yet."""
    ballot = {"effect": "ballot", "of": "proposal/311", "voter": "cid", "choice": "against", "deemed": True}
    cast(Any, now.entries[7])["effects"] = [ballot]
    yield now
    yield _with(now, "311", state="closed", closed_at=now.now)


def _a_number_is_given(now: GameView) -> Games:
    """Yield a game with a draft about a rule that a decided proposal changed, and when the draft has its number."""
    for number in (None, 400):
        yield _with(now, "312", number=number, changes=[{"amend": "304", "rule": "304", "text": "As ever."}])


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("games", [_turns_begin, _a_vote_closes, _a_number_is_given])
def test_a_page_of_the_past_is_made_anew_where_it_shows_what_is_new(
    games: Callable[[GameView], Games], tmp_path: Path
) -> None:
    pages = list[dict[str, bytes]]()
    for now in map(copy.deepcopy, games(game())):
        write_pages([now], tmp_path)
        written = files_below(tmp_path / now.slug)
        assert written == plain_files(now)
        pages.append({path: data for path, data in written.items() if path.startswith(("journal/0", "proposals/3"))})
    assert pages[0] != pages[1]


def test_a_site_is_that_of_a_fresh_run_and_its_search_follows(tmp_path: Path) -> None:
    """All files of it, while a game goes on and another begins and ends; also who built it before without the search."""
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    publisher, site, index = Publisher(tmp_path), tmp_path / "site", tmp_path / "site" / "pagefind"
    for number, now in enumerate(_large(5, tmp_path)):
        views = [now, *([game("other")] if number % 3 == 1 else [])]
        publisher.publish_games(views, site, index=False)
        Publisher(tmp_path).publish_games(views, tmp_path / f"fresh {number}", index=False)
        assert files_below(site) == files_below(tmp_path / f"fresh {number}"), number
    found = []
    for title in ("Doubles", "Doubles", "Quadruples"):
        views = [_with(game(), "303", title=title)]
        Publisher(tmp_path).publish_games(views, site, index=False)
        Publisher(tmp_path).publish_games(views, site)
        found.append(files_below(index))
    assert found[0] == found[1]
    assert found[1].keys() != found[2].keys()
    assert not Publisher(tmp_path).publish_games(views, site).built


def test_numbers_of_more_bits_than_the_usual_form_of_a_digest_takes_have_one() -> None:
    assert digest_of([1 << 70, Html("one")]) != digest_of([1 << 70, Html("two")])


# -- what was cut short, spoilt, or fails


def test_what_a_run_cut_short_or_somebody_laid_beside_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, pages = game(), tmp_path / "pages"
    write_pages([now], pages)
    before = files_below(pages)
    with monkeypatch.context() as patch:
        patch.setattr(Output, "end", lambda _self, **_more: 1 / 0)
        changed = {**now.documents, "game": {**now.document("game"), "title": "Another"}}
        with pytest.raises(ZeroDivisionError):
            write_pages([replace(now, documents=changed)], pages)
    assert not (pages / LIST).exists()
    write_pages([now], pages)
    assert files_below(pages) == before
    (pages / "stray").mkdir()
    (pages / "stray" / "file.html").write_text("stray", "utf-8")
    report = write_pages([now], pages)
    assert (report.written, report.removed, (pages / "stray").exists()) == ([], ["stray/file.html"], False)


def _of_another_engine(_cache: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(base_site, "engine", lambda: "another")


def _of_another_game(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    other = cache.parent / "another"
    write(other)
    shutil.copytree(cache / "base", other / CACHE / "base")
    Publisher(other).publish_games([replace(game(), branch="another")], other / "site", index=False)
    shutil.rmtree(cache)
    shutil.copytree(other / CACHE, cache)


def _with_a_page_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    page = next(cache.glob("base/site/fm-frame*/page.html"))
    page.write_bytes(page.read_bytes()[:900])


def _with_notes_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    for path in (cache / "base" / "base.json", cache.parent.parent / "site" / LIST):
        path.write_bytes(path.read_bytes()[:-40])


def test_what_was_kept_elsewhere_makes_no_other_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may come from another run, machine or game, and may be damaged: the site is that of a run without."""
    write(tmp_path)
    Publisher(tmp_path).publish_games([game()], tmp_path / "site", index=False)
    fresh = files_below(tmp_path / "site")
    for spoil in (_with_a_page_cut_short, _with_notes_cut_short, _of_another_game, _of_another_engine):
        base_before = (tmp_path / CACHE / "base" / "base.json").read_bytes()
        with monkeypatch.context() as patch:
            spoil(tmp_path / CACHE, patch)
            for folder in ("site", "elsewhere") if spoil is _with_notes_cut_short else ("site",):
                Publisher(tmp_path).publish_games([game()], tmp_path / folder, index=False)
                assert {**files_below(tmp_path / folder), LIST: b""} == {**fresh, LIST: b""}, (spoil, folder)
        anew = (tmp_path / CACHE / "base" / "base.json").read_bytes() != base_before
        assert anew == (spoil is _of_another_engine), "a base of this engine is found again as it was"


def test_a_page_that_cannot_be_made_or_encoded_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the site is published, and the page is made as soon as it can be."""
    now, law, votes = game(), tmp_path / "demo" / "law", tmp_path / "demo" / "proposals"

    def failing(_here: Any, uid: str, _name: str) -> Html:
        if uid == "203":
            raise ZeroDivisionError
        return Html("")

    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.pages.rule.law_text", failing)
        report = write_pages([now], tmp_path)
    (problem,) = report.problems
    assert (problem.code, "law/203.md" in problem.message) == ("E-FAULT", True)
    page = (law / "203.html").read_text("utf-8")
    assert "This page could not be made" in page.replace("&#32;", " ")
    assert "ZeroDivisionError" in page
    assert "ZeroDivisionError" not in (law / "202.html").read_text("utf-8")
    assert write_pages([now], tmp_path).problems == []
    assert "could not be made" not in (law / "203.html").read_text("utf-8")
    report = write_pages([_with(now, "303", title="half \ud800")], tmp_path)
    assert {problem.code for problem in report.problems} == {"E-FAULT"}
    assert "could not be made" in (votes / "303.html").read_text("utf-8").replace("&#32;", " ")
    assert "could not be made" not in (votes / "302.html").read_text("utf-8")


@pytest.mark.parametrize("maker", ["law", "calendars"])
def test_files_that_cannot_be_made_keep_no_page_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    now = game()
    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.publish.BUNDLES", {**BUNDLES, maker: lambda _view: 1 / 0})
        report = write_pages([now], tmp_path)
    (problem,) = report.problems
    assert (problem.code, f"{maker} (files)" in problem.message) == ("E-FAULT", True)
    assert (tmp_path / now.slug / "index.html").is_file()
    assert write_pages([now], tmp_path).problems == []
    assert files_below(tmp_path / now.slug) == plain_files(now)


@pytest.mark.parametrize("name", ["front_of", "sheets"])
def test_a_game_that_cannot_be_listed_keeps_its_pages_and_no_other_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    odd, other = game(), replace(game(), slug="other")
    write_pages([odd], tmp_path)
    before, known = files_below(tmp_path / odd.slug), getattr(publish, name)

    def failing(given: Any, *more: Any) -> Any:
        if "demo" in [view.slug for view in (given if isinstance(given, list) else [given])]:
            raise ZeroDivisionError
        return known(given, *more)

    monkeypatch.setattr(publish, name, failing)
    report = write_pages([odd, other], tmp_path)
    assert [(problem.code, "demo" in problem.message) for problem in report.problems] == [("E-FAULT", True)]
    assert files_below(tmp_path / odd.slug) == before
    assert (tmp_path / "other" / "index.html").is_file()
