"""A game as data, feeds and calendars: of their schemas, well formed, with nothing hidden in them, and what its pages say."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from msgspec.structs import replace

from ci.page_schema import kinds, schema
from folkmoot.site.data_files import KINDS
from folkmoot.site.page_json import encoded, indented, path_of, words
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from tests.conftest import FUZZ, examples
from tests.support.site_game import SECRET, data_files, game, published
from tests.support.sites import plain_site
from tests.untrusted.sinks import hostile

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "site_src" / "assets" / "schemas"
ATOM = "{http://www.w3.org/2005/Atom}"
GAMES = {"game": game, "hostile": partial(hostile, every=1 if FUZZ else 3)}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def files(view: GameView) -> dict[str, str]:
    return data_files(view)


# -- data


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")))


def read(files: dict[str, str]) -> dict[str, Any]:
    """Return the data of a game by file; every one is of the schema that it names."""
    found = {}
    for path, text in files.items():
        if path.endswith(".json") and ".feed" not in path:
            found[path] = data = json.loads(text)
            named = Path("demo", path).parent / data["$schema"]
            place = Path(*[part for part in named.parts if part != ".."][-3:])
            assert place.parent == Path("assets/schemas"), path
            assert [f"{each.instance_path} {each.message}" for each in validator(place.stem).iter_errors(data)] == []
    return found


@pytest.mark.parametrize("path", sorted(SCHEMAS.iterdir()), ids=lambda path: path.stem)
def test_a_schema_is_one_and_says_what_everything_is(path: Path) -> None:
    found = json.loads(path.read_text("utf-8"))
    jsonschema_rs.meta.validate(found)
    pages = path.stem == "page"  # which says of each kind what it is, and has its names from the code
    undescribed = [name for name, about in _properties(found) if not {"description", "items"} & {*about} and not pages]
    assert undescribed == []


def _properties(about: Any) -> list[tuple[str, Any]]:
    inner = [each for value in about.values() if isinstance(value, dict) for each in _properties(value)]
    return [*about["properties"].items(), *inner] if isinstance(about.get("properties"), dict) else inner


def test_data_and_pages_say_the_same_of_a_game(view: GameView, files: dict[str, str]) -> None:
    found = read(files)
    assert set(found) == {"game.json", "law.json"}
    data = found["game.json"]
    scores = {each["player"]: each["registers"]["score"] for each in data["players"]}
    assert scores == {name: view.registers("player", name)["score"] for name in view.players}
    assert [each["proposal"] for each in data["open"]] == list(reversed(view.unresolved))
    things = {(kind, name) for kind, things in data["things"].items() for name in things}
    assert things == {(kind, name) for name, (kind, _registers) in view.things.items()}
    assert data["things"]["poem"]
    assert '"applies_from": 302' in files["law.json"]
    assert '"page": "law/304.html"' in files["law.json"]
    assert SECRET not in "".join(files.values())


def test_a_site_has_the_data_beside_its_pages_and_the_schemas(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    data = json.loads((site / "demo" / "game.json").read_text("utf-8"))
    assert (site / "demo" / data["$schema"]).resolve() == (site / "assets" / "schemas" / "game.json").resolve()
    assert (site / "assets" / "schemas" / "game.json").is_file()
    page = json.loads((site / "demo" / path_of("index.md")).read_text("utf-8"))
    assert (page["kind"], page["path"], page["title"]) == ("now", "index.html", "The mail game")
    assert 'href="data/index.json"' in (site / "demo" / "index.html").read_text("utf-8")
    pages = {path.relative_to(site / "demo").with_suffix("") for path in (site / "demo").rglob("*.html")}
    assert pages == {
        path.relative_to(site / "demo/data").with_suffix("") for path in (site / "demo/data").rglob("*.json")
    }


@pytest.mark.parametrize("name", GAMES)
def test_the_data_of_every_page_is_of_the_schema(name: str) -> None:
    of_pages, met = jsonschema_rs.validator_for(schema()), set()
    for page in published(GAMES[name]()):
        if page.data is not None:
            data = json.loads(encoded(page.data))
            met.add(data["kind"])
            assert [f"{page.path} {each.instance_path} {each.message}" for each in of_pages.iter_errors(data)] == []
    assert {"now", "act"} <= met <= set(kinds())


@pytest.mark.parametrize(("markup", "parts"), [
    ("", ""), ("plain &amp; simple", "plain & simple"), ("<bdi>ann</bdi> won", "ann won"),
    ('by <a href="players/ann.html" class="who"><bdi>a &lt; b</bdi></a>.',
     ["by ", {"text": "a < b", "to": "players/ann.html"}, "."]),
    ('<time datetime="2026-01-05T12:00:00Z" title="x">Mon</time>', [{"text": "Mon", "at": "2026-01-05T12:00:00Z"}]),
    ("<del>72</del> <ins>48</ins>", [{"text": "72", "struck": True}, " ", {"text": "48", "inserted": True}]),
    ('<a href="x"><strong>y</strong></a>', [{"text": "y", "to": "x", "strong": True}]),
    ("<p>a</p>", {"html": "<p>a</p>"}), ("<svg></svg>", {"html": "<svg></svg>"}),
])  # fmt: skip
def test_words_are_parts(markup: str, parts: object) -> None:
    assert words(Html(markup)) == parts


@settings(max_examples=examples(100))
@given(JSON)
def test_json_is_laid_out_as_the_standard_library_does(value: object) -> None:
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=1, default=str)


def test_what_json_has_no_form_for_is_told_as_text() -> None:
    assert indented({"half": "\ud800", "set": frozenset()}) == ('{\n "half": "\ud800",\n "set": "frozenset()"\n}')


# -- feeds and calendars


def entries(text: str) -> list[ET.Element]:
    return ET.fromstring(text).findall(f"{ATOM}entry")


def link(entry: ET.Element) -> str:
    found = entry.find(f"{ATOM}link")
    assert found is not None
    return found.attrib["href"]


@pytest.mark.parametrize("name", KINDS)
def test_a_feed_tells_the_newest_first(files: dict[str, str], name: str) -> None:
    told = entries(files[f"{name}.atom"])
    assert told
    assert all(each.findtext(f"{ATOM}title") and link(each) for each in told)
    assert len({each.findtext(f"{ATOM}id") for each in told}) == len(told)
    times = [each.findtext(f"{ATOM}published") or "" for each in told]
    assert times == sorted(times, reverse=True)


def test_a_decision_is_the_title_of_its_item_and_the_law_feed_holds_what_changed_the_law(
    files: dict[str, str], view: GameView
) -> None:
    titles = {each.findtext(f"{ATOM}title") or "": each for each in entries(files["proposals.atom"])}
    (decided,) = (each for title, each in titles.items() if title.startswith("proposal 310 adopted"))
    assert link(decided) == "proposals/310.html"
    assert "Enacted rule 310" in (decided.findtext(f"{ATOM}summary") or "")
    changed = view.effects("enact", "amend", "repeal", "transmute", "retitle", "renumber")
    assert len(entries(files["law.atom"])) == len({entry["seq"] for entry, _ in changed})


def test_ids_last_where_the_site_moves(view: GameView, files: dict[str, str]) -> None:
    moved = data_files(replace(view, address="https://games.example/nomic/"))
    before, after = ([each.findtext(f"{ATOM}id") for each in entries(of["events.atom"])] for of in (files, moved))
    assert before == after
    links = [each.attrib["href"] for each in ET.fromstring(moved["events.atom"]).iter(f"{ATOM}link")]
    assert all(each.startswith("https://games.example/nomic/demo/") for each in links)


def test_deadlines_stand_in_the_calendar_of_the_game_and_of_who_owes(files: dict[str, str], view: GameView) -> None:
    events = Calendar.from_ical(files["calendar.ics"]).walk("VEVENT")
    due = {(str(each["summary"]), each["dtstart"].dt) for each in events}
    owed = {duty["player"]: duty for duty in view.document("things/duty").values() if duty.get("by")}
    assert owed
    for player, duty in owed.items():
        at = datetime.fromtimestamp(duty["by"], UTC)
        assert (f"{view.name(player)}: “{duty['what']}”", at) in due
        own = Calendar.from_ical(files[f"players/{player}.ics"])
        assert at in {each["dtstart"].dt for each in own.walk("VEVENT")}
    assert len({str(each["uid"]) for each in events}) == len(events)


@pytest.mark.parametrize("name", GAMES)
def test_whatever_players_write_the_files_are_well_formed_and_a_library_for_feeds_has_no_complaint(name: str) -> None:
    feedparser = import_module(
        "feedparser"
    )  # has no types; was not written with ours in mind, as most readers of feeds
    files = data_files(GAMES[name]())
    assert read(files)
    for path, text in files.items():
        if path.endswith(".atom"):
            found = feedparser.parse(text.encode())
            assert (found.bozo, found.version) == (False, "atom10"), (path, found.get("bozo_exception"))
            assert len(found.entries) == len(entries(text)) > 0
            assert all(each.get("id") and each.get("updated_parsed") for each in found.entries)
            assert [each for each in found.entries if "<script" in str(each.get("summary", "")).lower()] == []
            summaries = ET.fromstring(text).iter(f"{ATOM}summary")
            assert not any("<script" in (each.text or "").lower() for each in summaries), path
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".ics"):
            Calendar.from_ical(text)
