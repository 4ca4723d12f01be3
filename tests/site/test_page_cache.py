"""After any sequence of acts what is published is what a run that knows nothing would publish, byte for byte."""

from __future__ import annotations

import copy
import os
import random
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from folkmoot.site import (
    base_site,
    page_workers,
    process_pool,
    publish,
    tracked_view,
)
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.page_cache import PageCache
from folkmoot.site.pages import chance, history, rules, rules_over_time, scores, votes
from folkmoot.site.pagination import Parts
from folkmoot.site.publish import games_of, publish_games, view_of
from folkmoot.site.render import BUNDLES, sheets
from folkmoot.site.search import index_site
from folkmoot.site.site_cache import CACHE, SiteCache
from folkmoot.site.tracked_view import ALWAYS
from folkmoot.wording import entries, page_links
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.kernel.table import Table
from tests.large.game import LargeGame, repository
from tests.rulesets import test_random_consensus, test_random_imperial, test_random_play
from tests.site.game import game, plain_files, view, write, write_pages
from tests.site.sites import GUIDE

STEPS = 60 if FUZZ else 5
SEEDS = range(4 if FUZZ else 1)
Games = Iterator[GameView]
FORKING = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # the process that tests may have threads


def _seen(run: Run, before: GameView | None = None) -> GameView:
    """Return a game as its pages see it, apart from what is played on; what stayed is the object that it was."""
    prev = lambda: "0" * 64  # noqa: E731
    table = SimpleNamespace(kernel=run.kernel, entries=run.entries, prev=prev, now=run.now)
    now = copy.deepcopy(view(cast(Table, table), "game"))
    if before is None:
        return now
    known, old = {repr(each): each for each in before.entries}, before.documents
    documents = {key: old[key] if repr(old.get(key)) == repr(found) else found for key, found in now.documents.items()}
    return replace(now, documents=documents, entries=[known.get(repr(entry), entry) for entry in now.entries])


def _large(seed: int, folder: Path) -> Games:
    """Yield a long game after some acts each time; law, votes, points, boards, dice, refusals."""
    chance, reading = random.Random(seed), Reading()
    with LargeGame(folder / "long", seed) as playing:
        playing.play(45)
        for _ in range(STEPS):
            for _ in range(chance.choice((0, 1, 1, 4))):
                playing._round()
            playing._aside()
            playing.write()
            with Session.open(folder / "long") as session:
                yield replace(view_of(session, reading), address="https://a.example/")


def _suber(seed: int, _folder: Path) -> Games:
    scenario = {"scenario": "", "ruleset": "suber", "settings": {"mode": "mail"}, "players": test_random_play.PEOPLE}
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    table = test_random_play.Table(run, random.Random(seed))
    now = None
    for place in range(STEPS):
        for _ in range(table.dice.choice((1, 2, 6))):
            table.dice.choice([lambda: table.go_on(f"rule {place}"), table.disturb, table.wait])()  # noqa: B023
        now = _seen(run, now)
        yield now


def _consensus(seed: int, _folder: Path) -> Games:
    dice = random.Random(seed)
    scenario = {"scenario": "", "ruleset": "consensus", "players": test_random_consensus.PEOPLE}
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    now = None
    for _ in range(STEPS):
        for _ in range(dice.choice((1, 2, 8))):
            if dice.random() < 0.25:
                run.advance(run.now + dice.choice([1, 5, 24, 50, 120]) * 3600, after_deadlines=True)
            test_random_consensus.act(run, dice)
        now = _seen(run, now)
        yield now


def _imperial(seed: int, _folder: Path) -> Games:
    dice = random.Random(seed)
    table = test_random_imperial.table(dice, str(seed), Counter(), endless=True)
    now = None
    for _ in range(STEPS):
        for _ in range(dice.choice((1, 3, 12))):
            table.act()
        now = _seen(table.run, now)
        yield now


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few things stand on a page of many, so that a short game has pages of each kind."""
    for module, name, size in (
        (page_links, "ENTRIES_PER_PAGE", 5), (history, "ENTRIES_PER_PAGE", 5), (chance, "PARTS", Parts(2)),
        (scores, "PARTS", Parts(4)), (entries, "SETTLED_IN_A_PART", 5), (tracked_view, "SETTLED_IN_A_PART", 5),
        (rules, "PART", 4), (rules, "GONE", Parts(2)), (rules_over_time, "PARTS", Parts(3)),
        (votes, "PARTS", Parts(3)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, size)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("games", [_large, _suber, _consensus, _imperial])
def test_pages_are_those_of_a_fresh_run(games: Callable[[int, Path], Games], seed: int, tmp_path: Path) -> None:
    """Also where each run is a process of its own, which knows no more than what the last one kept."""
    going_on, kept = SiteCache(), tmp_path / "kept"
    for now in games(seed, tmp_path):
        write_pages([now], tmp_path / "going on", memory=going_on)
        anew = SiteCache(kept)
        write_pages([now], tmp_path / "anew", memory=anew)
        anew.save()
        fresh = plain_files(now)
        for folder in ("going on", "anew"):
            assert _told(tmp_path / folder / now.slug) == fresh, folder


def _told(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@FORKING
@pytest.mark.parametrize("count", [1, 3])
def test_a_site_is_that_of_a_fresh_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """All files of it, while a game goes on and another begins and ends; and in the end the folder of another run.

    So it is where many pages are made in several processes.
    """
    monkeypatch.setattr(page_workers, "SHARED", 10)
    monkeypatch.setattr(process_pool, "processes", lambda: count)
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    memory, other = SiteCache.of(tmp_path), game("other")
    for number, now in enumerate(_large(5, tmp_path)):
        views = [now, *([other] if number % 3 == 1 else [])]
        publish_games(tmp_path, views, tmp_path / "site", memory=memory, index=False)
        monkeypatch.setattr(process_pool, "processes", lambda: 1 if number else count)  # noqa: B023
        publish_games(tmp_path, views, tmp_path / f"fresh {number}", memory=_base_alone(tmp_path), index=False)
        assert _files(tmp_path / "site") == _files(tmp_path / f"fresh {number}"), number
    memory.save()
    assert not publish_games(tmp_path, views, tmp_path / "site", index=False).built


def test_the_search_of_a_site_stays_where_nothing_changed(tmp_path: Path) -> None:
    """Also in a process that looks at each file, and knows nothing of who made the search."""
    root = repository(tmp_path / "new", 40)
    for _ in range(2):
        publish_games(root, games_of(root)[0], root / "site")
        index = _files(root / "site" / "pagefind")
    index_site(root / "site")
    assert _files(root / "site" / "pagefind") == index
    assert len([name for name in index if name.startswith("fragment/")]) > 20


def _of_another_engine(cache: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(base_site, "engine", lambda: b"another")


def _of_another_game(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    other = cache.parent / "another"
    write(other)
    publish_games(other, [replace(game(), branch="another")], other / "site", index=False)
    shutil.rmtree(cache)
    shutil.copytree(other / CACHE, cache)


def _with_a_page_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    page = next(cache.glob("base/site/fm-frame*/page.html"))
    page.write_bytes(page.read_bytes()[:900])


def _with_notes_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    for path in (cache / "base" / "base.json", cache / "site.notes", cache / "demo.kept"):
        path.write_bytes(path.read_bytes()[:-40])


@pytest.mark.parametrize("spoil", [_of_another_engine, _of_another_game, _with_a_page_cut_short, _with_notes_cut_short])
def test_what_was_kept_elsewhere_makes_no_other_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    """A cache may come from another run, machine or game, and may be damaged: the site is that of a run without."""
    write(tmp_path)
    publish_games(tmp_path, [game()], tmp_path / "site", index=False)
    fresh = _files(tmp_path / "site")
    base_before = (tmp_path / CACHE / "base" / "base.json").read_bytes()
    with monkeypatch.context() as patch:
        spoil(tmp_path / CACHE, patch)
        for folder in ("site", "elsewhere"):
            publish_games(tmp_path, [game()], tmp_path / folder, index=False)
            assert _files(tmp_path / folder) == fresh, folder
    anew = (tmp_path / CACHE / "base" / "base.json").read_bytes() != base_before
    assert anew == (spoil is _of_another_engine), "a base of this engine is found again as it was"


@FORKING
def test_what_a_process_fails_at_is_done_in_this_one(tmp_path: Path) -> None:
    """Work is done once, in whatever process; a copy that ends before its time leaves its part."""
    here, told = os.getpid(), list[bytes]()

    def work(items: Sequence[int]) -> None:
        if os.getpid() != here and 2 in items:
            os.kill(os.getpid(), signal.SIGKILL)
        for item in items:
            (tmp_path / f"{item} {os.getpid()}").touch()

    left = process_pool.share(range(30), 3, work, bytes, told.append)
    assert [*left] == [*range(2, 30, 3)]
    assert told == [bytes(range(1, 30, 3))]
    names = [path.name.split() for path in tmp_path.iterdir()]
    assert {item for item, process in names if process == str(here)} == {str(item) for item in range(0, 30, 3)}
    assert len(names) == 20


@FORKING
def test_what_fails_in_this_process_is_raised_and_leaves_no_process(tmp_path: Path) -> None:
    here = os.getpid()

    def work(_items: Sequence[int]) -> None:
        if os.getpid() == here:
            raise ZeroDivisionError
        (tmp_path / str(os.getpid())).touch()

    with pytest.raises(ZeroDivisionError):
        process_pool.share(range(4), 2, work, bytes, lambda _data: None)
    (copy_of_this,) = tmp_path.iterdir()
    with pytest.raises(ProcessLookupError):
        os.kill(int(copy_of_this.name), 0)


def test_a_process_with_threads_makes_pages_alone() -> None:
    ready = threading.Event()
    thread = threading.Thread(target=ready.wait)
    thread.start()
    try:
        assert process_pool.processes() == 1
    finally:
        ready.set()
        thread.join()


def _base_alone(root: Path) -> SiteCache:
    """Return the memory of a repository of which nothing but the base is known."""
    for path in (root / CACHE).iterdir():
        if path.is_file():
            path.unlink()
    return SiteCache.of(root)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_act_makes_few_pages_anew(tmp_path: Path) -> None:
    """However long the game: what shows the whole of it, and what the act is about."""
    memory, made = SiteCache(), []
    with LargeGame(tmp_path / "long") as playing:
        for pages in (60, 240):
            playing.play(pages)
            for text in ("One.", "Two."):
                playing.do("ann", "state", text=text)
                playing.write()
                with Session.open(tmp_path / "long") as session:
                    report = write_pages([view_of(session)], tmp_path / "pages", memory=memory)
            made.append(sorted(name for name in report.written if name.endswith(".html") and "/journal/0" not in name))
    assert made[0] == made[1]
    assert len(made[0]) <= 6


def test_only_pages_of_the_whole_game_are_made_each_time(tmp_path: Path) -> None:
    """Pages of which there are more and more as a game goes on look at nothing that grows with it."""
    kept = PageCache()
    with LargeGame(tmp_path / "long") as playing:
        playing.play(150)
        playing.write()
        with Session.open(tmp_path / "long") as session:
            kept.begin(view_of(session))
    many = ("law/3", "proposals", "scores/ledger", "chance/0", "law-t", "law-r")
    pages = [sheet.path for sheet in sheets(kept._begun()) if kept.leaf(sheet)]
    always = kept._made_of([kept._facts.number(ALWAYS)])
    assert sum(page.startswith(many) for page in pages) > 115
    assert not [page for page in always if page.startswith(many)]


def test_of_a_document_that_changes_with_each_act_a_page_depends_on_the_fields_that_it_shows() -> None:
    """By whichever name it is asked for."""
    for ask in ("document", "kept"):
        seen, facts = tracked_view.watched(game())
        getattr(seen, ask)("game").get("settings")
        assert [*facts] == [("field", "game", "settings")]


def test_what_cannot_be_read_is_as_good_as_nothing(tmp_path: Path) -> None:
    now, memory = game(), SiteCache(tmp_path / "kept")
    write_pages([now], tmp_path / "pages", memory=memory)
    memory.save()
    before = _told(tmp_path / "pages" / now.slug)
    for path in (tmp_path / "kept").iterdir():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert write_pages([now], tmp_path / "pages", memory=SiteCache(tmp_path / "kept")).written == []
    assert _told(tmp_path / "pages" / now.slug) == before


def test_pages_of_another_engine_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, memory, made = game(), SiteCache(tmp_path / "kept"), list[str]()
    write_pages([now], tmp_path / "pages", memory=memory)
    memory.save()
    monkeypatch.setattr("folkmoot.site.page_cache.page_digest", lambda page: made.append(page.path) or b"")
    write_pages([now], tmp_path / "pages", memory=SiteCache(tmp_path / "kept"))
    few = len(made)
    monkeypatch.setattr("folkmoot.site.page_cache.engine", lambda: b"another")
    write_pages([now], tmp_path / "pages", memory=SiteCache(tmp_path / "kept"))
    assert few < 20 < len(made) - few


def test_a_page_that_cannot_be_made_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the site is published, and the page is made as soon as it can be."""
    now, memory = game(), SiteCache()

    def failing(_here: Any, uid: str) -> Any:
        if uid == "203":
            raise ZeroDivisionError
        yield from ()

    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.pages.rule.cited_in", failing)
        report = write_pages([now], tmp_path, memory=memory)
    (problem,) = report.problems
    assert (problem.code, "law/203.md" in problem.message) == ("E-FAULT", True)
    page = (tmp_path / now.slug / "law" / "203.html").read_text("utf-8")
    assert "This page could not be made" in page.replace("&#32;", " ")
    assert "ZeroDivisionError" in page
    assert "ZeroDivisionError" not in (tmp_path / now.slug / "law" / "202.html").read_text("utf-8")
    assert write_pages([now], tmp_path, memory=memory).problems == []
    assert "could not be made" not in (tmp_path / now.slug / "law" / "203.html").read_text("utf-8")


@pytest.mark.parametrize("maker", ["law", "law feed", "calendars"])
def test_files_that_cannot_be_made_keep_no_page_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    now, memory = game(), SiteCache()

    def failing(_view: Any) -> dict[str, str]:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.render.BUNDLES", {**BUNDLES, maker: failing})
        report = write_pages([now], tmp_path, memory=memory)
    (problem,) = report.problems
    assert (problem.code, f"{maker} (files)" in problem.message) == ("E-FAULT", True)
    assert (tmp_path / now.slug / "index.html").is_file()
    assert write_pages([now], tmp_path, memory=memory).problems == []
    assert _told(tmp_path / now.slug) == _told_fresh(tmp_path / "fresh", now)


def _told_fresh(folder: Path, now: GameView) -> Any:
    write_pages([now], folder)
    return _told(folder / now.slug)


@pytest.mark.parametrize("place", ["folkmoot.site.publish.front_of", "folkmoot.site.publish.sheets_by_path"])
def test_a_game_that_cannot_be_listed_keeps_its_pages_and_no_other_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    odd, other = game(), replace(game(), slug="other")
    write_pages([odd, other], tmp_path)
    before = _told(tmp_path / odd.slug)
    name = place.rpartition(".")[2]
    known = getattr(publish, name)

    def failing(given: Any, *more: Any) -> Any:
        if "demo" in [view.slug for view in (given if isinstance(given, list) else [given])]:
            raise ZeroDivisionError
        return known(given, *more)

    monkeypatch.setattr(place, failing)
    report = write_pages([odd, other], tmp_path)
    assert [(problem.code, "demo" in problem.message) for problem in report.problems] == [("E-FAULT", True)]
    assert _told(tmp_path / odd.slug) == before
    assert [view.slug for view in [other]] == ["other"]
    assert (tmp_path / "other" / "index.html").is_file()
