"""After any sequence of acts what is published is what a run that knows nothing would publish, byte for byte."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios import scenario
from folkmoot.scenarios.scenario import Run, found
from folkmoot.site import base_site, publish
from folkmoot.site.chrome import chrome
from folkmoot.site.configuration import CACHE
from folkmoot.site.game_views import GameReader, view_of
from folkmoot.site.output import LIST, Output, digest_of
from folkmoot.site.page_data import Parts
from folkmoot.site.page_model import PageContext
from folkmoot.site.pages import chance, history, proposal, rules, rules_over_time, scores
from folkmoot.site.publish import Publisher
from folkmoot.site.render import BUNDLES, sheets
from folkmoot.site.search import index_site
from folkmoot.wording import page_links
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, Late
from tests.conftest import FUZZ
from tests.figures import chance_play
from tests.large.game import LargeGame, repository
from tests.rulesets import random_consensus, random_imperial, random_play
from tests.scenarios.conftest import with_lists
from tests.support.site_game import game, plain_files, view, write, write_pages
from tests.support.sites import GUIDE
from tests.support.table import Table

STEPS = 60 if FUZZ else 5
SEEDS = range(4 if FUZZ else 1)
Games = Iterator[GameView]
ROUNDS = 20 if FUZZ else 2
PACKAGED = sorted(each.parent.name for each in Path(rulesets.__file__).parent.glob("*/ruleset.yaml"))
FOLDERS = (Path(__file__).parents[1] / "scenarios").glob("*/")
SCENARIOS = sorted(path for folder in FOLDERS for path in sorted(folder.rglob("*.yaml"))[: None if FUZZ else 1])


def _seen(run: Run) -> GameView:
    """Return a game as its pages see it, apart from what is played on."""
    prev = lambda: "0" * 64  # noqa: E731
    table = SimpleNamespace(kernel=run.kernel, entries=run.entries, prev=prev, now=run.now)
    return copy.deepcopy(view(cast(Table, table), "game"))


def _large(seed: int, folder: Path) -> Games:
    """Yield a long game after some acts each time; law, votes, points, boards, dice, refusals."""
    chance, reader = random.Random(seed), GameReader(folder / "kept")
    with LargeGame(folder / "long", seed) as playing:
        playing.play(45)
        for _ in range(STEPS):
            for _ in range(chance.choice((0, 1, 1, 4))):
                playing._round()
            playing._aside()
            playing.write()
            with Session.open(folder / "long") as session:
                yield replace(view_of(session, reader), address="https://a.example/")


def _suber(seed: int, _folder: Path) -> Games:
    scenario = {"scenario": "", "ruleset": "suber", "settings": {"mode": "mail"}, "players": random_play.PEOPLE}
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    table = random_play.Table(run, random.Random(seed))
    for place in range(STEPS):
        for _ in range(table.dice.choice((1, 2, 6))):
            table.dice.choice([lambda: table.go_on(f"rule {place}"), table.disturb, table.wait])()  # noqa: B023
        yield _seen(run)


def _consensus(seed: int, _folder: Path) -> Games:
    dice = random.Random(seed)
    scenario = {"scenario": "", "ruleset": "consensus", "players": random_consensus.PEOPLE}
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    for _ in range(STEPS):
        for _ in range(dice.choice((1, 2, 8))):
            if dice.random() < 0.25:
                run.advance(run.now + dice.choice([1, 5, 24, 50, 120]) * 3600, after_deadlines=True)
            random_consensus.act(run, dice)
        yield _seen(run)


def _imperial(seed: int, _folder: Path) -> Games:
    dice = random.Random(seed)
    table = random_imperial.table(dice, str(seed), Counter(), endless=True)
    for _ in range(STEPS):
        for _ in range(dice.choice((1, 3, 12))):
            table.act()
        yield _seen(table.run)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few things stand on a page of many, so that a short game has pages of each kind."""
    for module, name, size in (
        (page_links, "ENTRIES_PER_PAGE", 5), (history, "ENTRIES_PER_PAGE", 5), (chance, "PARTS", Parts(2)),
        (scores, "PARTS", Parts(4)),
        (rules, "PART", 4), (rules, "GONE", Parts(2)), (rules_over_time, "PARTS", Parts(3)),
        (proposal, "PARTS", Parts(3)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, size)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("games", [_large, _suber, _consensus, _imperial])
def test_pages_are_those_of_a_fresh_run(games: Callable[[int, Path], Games], seed: int, tmp_path: Path) -> None:
    for now in games(seed, tmp_path):
        write_pages([now], tmp_path / "pages")
        told = _told(tmp_path / "pages")
        assert json.loads(told.pop(LIST))["files"].keys() == told.keys()
        assert {
            path.removeprefix(f"{now.slug}/"): data for path, data in told.items() if path.startswith(f"{now.slug}/")
        } == plain_files(now)


def _agrees(now: GameView, known: dict[tuple[str, str], str]) -> None:
    """Hold each page of which is told what it is made of against all that was `known` of it when that was the same."""
    context = PageContext(now)
    for sheet in sheets(now):
        if sheet.of and (made_of := sheet.of(now)) is not None:
            data = sheet.make(now)
            said = digest_of([data, chrome(now, data), now.title])
            assert known.setdefault((sheet.path, context.digest(made_of)), said) == said, sheet.path


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PACKAGED)
def test_what_a_page_is_made_of_is_all_that_it_shows(name: str, seed: int) -> None:
    table, known = chance_play.Table(name, seed), dict[tuple[str, str], str]()
    for _ in range(ROUNDS):
        table.play(1)
        _agrees(_seen(table.run), known)
    assert known


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_what_a_page_is_made_of_is_all_that_it_shows_in_scenarios(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each step of them."""
    known, step = dict[tuple[str, str], str](), scenario._play
    written = read_scenario(path.read_text("utf-8"), str(path))

    def play(run: Run, given: Any) -> None:
        step(run, given)
        _agrees(_seen(run), known)

    monkeypatch.setattr(scenario, "_play", play)
    scenario.run_scenario(written, founding, with_lists)


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
    yield _with(now, "312", number=None, changes=[{"amend": "304", "rule": "304", "text": "As ever."}])
    yield _with(now, "312", number=400, changes=[{"amend": "304", "rule": "304", "text": "As ever."}])


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("games", [_turns_begin, _a_vote_closes, _a_number_is_given])
def test_a_page_of_the_past_is_made_anew_where_it_shows_what_is_new(
    games: Callable[[GameView], Games], tmp_path: Path
) -> None:
    pages = list[dict[str, bytes]]()
    for now in map(copy.deepcopy, games(game())):
        write_pages([now], tmp_path)
        told = {path.removeprefix(f"{now.slug}/"): data for path, data in _told(tmp_path).items() if path != LIST}
        assert told == plain_files(now)
        pages.append({path: data for path, data in told.items() if path.startswith(("journal/0", "proposals/3"))})
    assert pages[0] != pages[1]


def _told(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_is_that_of_a_fresh_run(tmp_path: Path) -> None:
    """All files of it, while a game goes on and another begins and ends."""
    write(tmp_path)
    (tmp_path / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    publisher, other = Publisher(tmp_path), game("other")
    for number, now in enumerate(_large(5, tmp_path)):
        views = [now, *([other] if number % 3 == 1 else [])]
        publisher.publish_games(views, tmp_path / "site", index=False)
        Publisher(tmp_path).publish_games(views, tmp_path / f"fresh {number}", index=False)
        assert _files(tmp_path / "site") == _files(tmp_path / f"fresh {number}"), number
    assert not Publisher(tmp_path).publish_games(views, tmp_path / "site", index=False).built


def test_a_run_that_was_cut_short_leaves_nothing_to_be_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = game()
    write_pages([now], tmp_path / "pages")
    before = _told(tmp_path / "pages")
    with monkeypatch.context() as patch:
        patch.setattr(Output, "end", lambda _self, **_more: 1 / 0)
        changed = {**now.documents, "game": {**now.document("game"), "title": "Another"}}
        with pytest.raises(ZeroDivisionError):
            write_pages([replace(now, documents=changed)], tmp_path / "pages")
    assert not (tmp_path / "pages" / LIST).exists()
    write_pages([now], tmp_path / "pages")
    assert _told(tmp_path / "pages") == before


def test_files_that_somebody_cut_short_or_laid_beside_are_put_right(tmp_path: Path) -> None:
    now = game()
    write_pages([now], tmp_path / "pages")
    before = _told(tmp_path / "pages")
    (tmp_path / "pages" / "demo" / "law" / "203.html").write_text("short", "utf-8")
    (tmp_path / "pages" / "demo" / "index.html").unlink()
    (tmp_path / "pages" / "stray").mkdir()
    (tmp_path / "pages" / "stray" / "file.html").write_text("stray", "utf-8")
    report = write_pages([now], tmp_path / "pages")
    assert sorted(report.written) == ["demo/index.html", "demo/law/203.html"]
    assert report.removed == ["stray/file.html"]
    assert _told(tmp_path / "pages") == before
    assert not (tmp_path / "pages" / "stray").exists()


def test_the_search_of_a_site_stays_where_nothing_changed(tmp_path: Path) -> None:
    """Also in a process that looks at each file, and knows nothing of who made the search."""
    root = repository(tmp_path / "new", 40)
    for _ in range(2):
        publish.publish(root, root / "site")
        index = _files(root / "site" / "pagefind")
    index_site(root / "site")
    assert _files(root / "site" / "pagefind") == index
    assert len([name for name in index if name.startswith("fragment/")]) > 20


def test_the_search_of_a_site_follows_pages_that_were_built_without_it(tmp_path: Path) -> None:
    """As when who served a site ended that before the search followed."""
    write(tmp_path)
    now, site = game(), tmp_path / "site"
    Publisher(tmp_path).publish_games([now], site)
    before = _files(site / "pagefind")
    later = [_with(now, "303", title="Quadruples")]
    Publisher(tmp_path).publish_games(later, site, index=False)
    assert _files(site / "pagefind") == before
    Publisher(tmp_path).publish_games(later, site)
    assert _files(site / "pagefind").keys() != before.keys()


def _of_another_engine(cache: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(base_site, "engine", lambda: "another")


def _of_another_game(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    other = cache.parent / "another"
    write(other)
    Publisher(other).publish_games([replace(game(), branch="another")], other / "site", index=False)
    shutil.rmtree(cache)
    shutil.copytree(other / CACHE, cache)


def _with_a_page_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    page = next(cache.glob("base/site/fm-frame*/page.html"))
    page.write_bytes(page.read_bytes()[:900])


def _with_notes_cut_short(cache: Path, _patch: pytest.MonkeyPatch) -> None:
    for path in (cache / "base" / "base.json", cache.parent.parent / "site" / LIST):
        path.write_bytes(path.read_bytes()[:-40])


@pytest.mark.parametrize("spoil", [_of_another_engine, _of_another_game, _with_a_page_cut_short, _with_notes_cut_short])
def test_what_was_kept_elsewhere_makes_no_other_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    """A cache may come from another run, machine or game, and may be damaged: the site is that of a run without."""
    write(tmp_path)
    Publisher(tmp_path).publish_games([game()], tmp_path / "site", index=False)
    fresh = _files(tmp_path / "site")
    base_before = (tmp_path / CACHE / "base" / "base.json").read_bytes()
    with monkeypatch.context() as patch:
        spoil(tmp_path / CACHE, patch)
        for folder in ("site", "elsewhere"):
            Publisher(tmp_path).publish_games([game()], tmp_path / folder, index=False)
            assert {**_files(tmp_path / folder), LIST: b""} == {**fresh, LIST: b""}, folder
    anew = (tmp_path / CACHE / "base" / "base.json").read_bytes() != base_before
    assert anew == (spoil is _of_another_engine), "a base of this engine is found again as it was"


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_act_makes_few_pages_anew(tmp_path: Path) -> None:
    """However long the game: what shows the whole of it, and what the act is about."""
    made = []
    with LargeGame(tmp_path / "long") as playing:
        for pages in (60, 240):
            playing.play(pages)
            for text in ("One.", "Two."):
                playing.do("ann", "state", text=text)
                playing.write()
                with Session.open(tmp_path / "long") as session:
                    report = write_pages([view_of(session)], tmp_path / "pages")
            made.append(sorted(name for name in report.written if name.endswith(".html") and "/journal/0" not in name))
    assert made[0] == made[1]
    assert len(made[0]) <= 6


def test_a_page_that_cannot_be_made_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the site is published, and the page is made as soon as it can be."""
    now = game()

    def failing(_here: Any, uid: str) -> Html:
        if uid == "203":
            raise ZeroDivisionError
        return Html("")

    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.pages.rule.decisions", failing)
        report = write_pages([now], tmp_path)
    (problem,) = report.problems
    assert (problem.code, "law/203.md" in problem.message) == ("E-FAULT", True)
    page = (tmp_path / now.slug / "law" / "203.html").read_text("utf-8")
    assert "This page could not be made" in page.replace("&#32;", " ")
    assert "ZeroDivisionError" in page
    assert "ZeroDivisionError" not in (tmp_path / now.slug / "law" / "202.html").read_text("utf-8")
    assert write_pages([now], tmp_path).problems == []
    assert "could not be made" not in (tmp_path / now.slug / "law" / "203.html").read_text("utf-8")


def test_a_page_that_cannot_be_encoded_says_so(tmp_path: Path) -> None:
    now = game()
    report = write_pages([_with(now, "303", title="half \ud800")], tmp_path)
    assert {problem.code for problem in report.problems} == {"E-FAULT"}
    page = (tmp_path / now.slug / "proposals" / "303.html").read_text("utf-8")
    assert "This page could not be made" in page.replace("&#32;", " ")
    assert "could not be made" not in (tmp_path / now.slug / "proposals" / "302.html").read_text("utf-8")


def test_words_that_are_drawn_late_count_by_what_they_are_of() -> None:
    """Also beside numbers of more bits than the usual form of a digest takes."""
    drawn = [digest_of([1 << 70, Late(lambda: Html(""), [text])]) for text in ("one", "one", "two")]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("maker", ["law", "law feed", "calendars"])
def test_files_that_cannot_be_made_keep_no_page_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    now = game()

    def failing(_view: Any) -> dict[str, str]:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("folkmoot.site.render.BUNDLES", {**BUNDLES, maker: failing})
        report = write_pages([now], tmp_path)
    (problem,) = report.problems
    assert (problem.code, f"{maker} (files)" in problem.message) == ("E-FAULT", True)
    assert (tmp_path / now.slug / "index.html").is_file()
    assert write_pages([now], tmp_path).problems == []
    assert _told(tmp_path / now.slug) == _told_fresh(tmp_path / "fresh", now)


def _told_fresh(folder: Path, now: GameView) -> Any:
    write_pages([now], folder)
    return _told(folder / now.slug)


@pytest.mark.parametrize("place", ["folkmoot.site.publish.front_of", "folkmoot.site.publish.sheets"])
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
