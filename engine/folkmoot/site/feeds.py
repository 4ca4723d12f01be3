"""What happened in a game as feeds that readers subscribe to: Atom and JSON Feed 1.1, of all events, votes and law."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from feedgenerator import Atom1Feed

from folkmoot.site.journal import TELLING
from folkmoot.wording.effects import effect
from folkmoot.wording.game_view import Entry, GameView, seconds
from folkmoot.wording.markup import el, items, strip
from folkmoot.wording.page_links import Here, journal_path, proposal_path, rule_path
from folkmoot.wording.sentences import act, refused

LONGEST = 50
"""How many items a feed holds, the newest first."""
MOST_EFFECTS = 12
LAW = frozenset({"enact", "amend", "repeal", "transmute", "retitle", "renumber"})
VOTES = frozenset({"propose", "open", "resolve"})
KINDS: dict[str, tuple[str, Callable[[Entry], bool]]] = {}
"""Every feed by its name, with what it holds and which entries that are."""


def _of(*effects: str) -> Callable[[Entry], bool]:
    wanted = frozenset(effects)
    return lambda entry: any(each.get("effect") in wanted for each in entry.get("effects") or ())


KINDS |= {
    "events": ("what happens", lambda entry: bool(entry.get("by")) or _of(*TELLING)(entry)),
    "proposals": ("what is proposed and decided", _of(*VOTES)),
    "law": ("changes of the law", _of(*LAW)),
}


@dataclass(frozen=True)
class Item:
    """Something that happened: a sentence, its lines in plain text, where it is told, and when."""

    id: str
    title: str
    lines: Sequence[str]
    path: str
    at: int


def feed_files(view: GameView) -> dict[str, str]:
    """Return the feeds by their paths below the game's folder; links are relative where the site has no address."""
    files = {}
    for name, (about, wanted) in KINDS.items():
        found = [_item(view, entry) for entry in islice(_newest(view, wanted), LONGEST)]
        title = f"{view.title}: {about}"
        files[f"{name}.atom"] = _atom(view, f"{name}.atom", title, found)
        files[f"{name}.feed.json"] = _json(view, f"{name}.feed.json", title, found)
    return files


def _newest(view: GameView, wanted: Callable[[Entry], bool]) -> Iterator[Entry]:
    return (entry for entry in reversed(view.entries) if not refused(entry) and wanted(entry))


def _item(view: GameView, entry: Entry) -> Item:
    seq = int(entry.get("seq") or 0)
    path = _place(view, entry) or f"{journal_path(seq).removesuffix('.md')}.html#e{seq}"
    here = Here(view, "index.md")
    told = [each for each in entry.get("effects") or () if each.get("effect") in TELLING | VOTES]
    lines = [" ".join(strip(effect(here, entry, each)).split()) for each in told[:MOST_EFFECTS]]
    if len(told) > MOST_EFFECTS:
        lines.append(f"and {len(told) - MOST_EFFECTS} more")
    decided = [line for line, each in zip(lines, told, strict=False) if each.get("effect") == "resolve"]
    title = decided[0] if decided else " ".join(strip(act(here, entry)).split())
    return Item(_id(view, str(seq)), title or f"Entry {seq}", lines, path, seconds(entry.get("at")) or 0)


def _place(view: GameView, entry: Entry) -> str:
    """Return the page that an entry is about, a proposal's before a rule's; "" for none."""
    effects = [each for each in entry.get("effects") or () if each.get("effect") in LAW | VOTES]
    named = [str(each.get("of") or each.get("rule") or "") for each in effects]
    found = [proposal_path(view.proposals[name]) for name in named if name in view.proposals]
    found += [rule_path(name) for name in named if name in view.law]
    return f"{found[0].removesuffix('.md')}.html" if found else ""


def _id(view: GameView, of: str) -> str:
    """Return a lasting id: it depends on the founding and the entry, not on where the site lies."""
    return uuid5(NAMESPACE_OID, f"folkmoot {view.founding} {of}").urn


def _atom(view: GameView, path: str, title: str, found: Sequence[Item]) -> str:
    feed = Atom1Feed(
        title=title,
        link=view.site_address("index.html"),
        description="",
        feed_url=view.site_address(path),
        feed_guid=_id(view, path),
        author_name=view.title,
    )
    for item in found:
        feed.add_item(
            title=item.title,
            link=view.site_address(item.path),
            description=items(item.lines) if item.lines else el("p", item.title),
            pubdate=_time(item.at),
            updateddate=_time(item.at),
            unique_id=item.id,
        )
    text: str = feed.writeString("utf-8")
    return f"{text}\n"


def _json(view: GameView, path: str, title: str, found: Sequence[Item]) -> str:
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "home_page_url": view.site_address("index.html"),
        "feed_url": view.site_address(path),
        "items": [
            {
                "id": item.id,
                "url": view.site_address(item.path),
                "title": item.title,
                "content_text": "\n".join(item.lines) or item.title,
                "date_published": _time(item.at).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
            for item in found
        ],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1) + "\n"


def _time(at: int) -> datetime:
    """Return Unix seconds as a time of UTC; what no calendar holds as its nearest end."""
    try:
        return datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return datetime(9999, 12, 31, tzinfo=UTC) if at > 0 else datetime(1, 1, 1, tzinfo=UTC)
