"""Feeds and calendars: well formed, lasting ids, nothing hidden in them, and the newest first."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import import_module
from xml.etree import ElementTree as ET

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from folkmoot.site.data_files import KINDS
from folkmoot.site.render import data_files
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.support.site_game import SECRET, game
from tests.untrusted.sinks import hostile

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def view() -> GameView:
    return game()


@pytest.fixture(scope="module")
def files(view: GameView) -> dict[str, str]:
    return data_files(view)


def entries(text: str) -> list[ET.Element]:
    return ET.fromstring(text).findall(f"{ATOM}entry")


def test_nothing_that_is_kept_back_is_in_a_file(files: dict[str, str]) -> None:
    assert SECRET not in "".join(files.values())


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


def test_a_decision_is_the_title_of_its_item_and_leads_to_the_proposal(files: dict[str, str]) -> None:
    titles = {each.findtext(f"{ATOM}title") or "": each for each in entries(files["proposals.atom"])}
    (decided,) = (each for title, each in titles.items() if title.startswith("proposal 310 adopted"))
    assert link(decided) == "proposals/310.html"
    assert "Enacted rule 310" in (decided.findtext(f"{ATOM}summary") or "")


def test_the_law_feed_holds_what_changed_the_law_and_nothing_else(files: dict[str, str], view: GameView) -> None:
    changed = {
        entry["seq"] for entry, _ in view.effects("enact", "amend", "repeal", "transmute", "retitle", "renumber")
    }
    assert len(entries(files["law.atom"])) == len(changed)


def test_ids_last_where_the_site_moves(view: GameView, files: dict[str, str]) -> None:
    moved = data_files(replace(view, address="https://games.example/nomic/"))
    before, after = (entries(each["events.atom"]) for each in (files, moved))
    ids = [[each.findtext(f"{ATOM}id") for each in feed] for feed in (before, after)]
    assert ids[0] == ids[1]
    links = [e.attrib["href"] for e in ET.fromstring(moved["events.atom"]).iter(f"{ATOM}link")]
    assert all(each.startswith("https://games.example/nomic/demo/") for each in links)


def test_deadlines_stand_in_the_calendar_of_the_game_and_of_who_owes(files: dict[str, str], view: GameView) -> None:
    shared = Calendar.from_ical(files["calendar.ics"])
    due = {(str(e["summary"]), e["dtstart"].dt) for e in shared.walk("VEVENT")}
    owed = {d["player"]: d for d in view.document("things/duty").values() if d.get("by")}
    assert owed
    for player, duty in owed.items():
        at = datetime.fromtimestamp(duty["by"], UTC)
        assert (f"{view.name(player)}: “{duty['what']}”", at) in due
        own = Calendar.from_ical(files[f"players/{player}.ics"])
        assert at in {e["dtstart"].dt for e in own.walk("VEVENT")}
    uids = [str(e["uid"]) for e in shared.walk("VEVENT")]
    assert len(set(uids)) == len(uids)


@pytest.mark.parametrize("given", ["game", "hostile"])
def test_a_library_for_feeds_has_no_complaint(given: str) -> None:
    """Of those that were not written with ours in mind, as most readers of feeds use one."""
    feedparser = import_module("feedparser")  # has no types
    files = data_files(game() if given == "game" else hostile(every=1 if FUZZ else 3))
    for path, text in files.items():
        if path.endswith(".atom"):
            read = feedparser.parse(text.encode())
            assert (read.bozo, read.version) == (False, "atom10"), (path, read.get("bozo_exception"))
            assert len(read.entries) == len(entries(text)) > 0
            assert all(each.get("id") and each.get("updated_parsed") for each in read.entries)
            scripts = [each for each in read.entries if "<script" in str(each.get("summary", "")).lower()]
            assert scripts == []


def test_whatever_players_write_the_files_are_well_formed() -> None:
    files = data_files(hostile(every=1 if FUZZ else 3))
    for path, text in files.items():
        if path.endswith(".atom"):
            ET.fromstring(text)
            for summary in ET.fromstring(text).iter(f"{ATOM}summary"):
                assert "<script" not in (summary.text or "").lower(), path
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".ics"):
            Calendar.from_ical(text)
