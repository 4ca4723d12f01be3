"""What happened in a game as feeds that readers subscribe to: Atom and JSON Feed 1.1, of all events, votes and law."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from feedgenerator import Atom1Feed
from msgspec import Struct

from folkmoot.core.records import Entry
from folkmoot.site.indented_json import indented
from folkmoot.site.pages.events import LAW, TELLING, VOTES
from folkmoot.wording.effects import effect
from folkmoot.wording.entries import was_refused
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import indexed
from folkmoot.wording.markup import el, items, strip
from folkmoot.wording.page_links import Here, journal_path, proposal_path, rule_path
from folkmoot.wording.sentences import act
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _

LONGEST = 50
"""How many items a feed holds, the newest first."""
MOST_EFFECTS = 12
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


class Item(Struct, frozen=True):
    """Something that happened: a sentence, its lines in plain text, where it is told, and when."""

    id: str
    title: str
    lines: Sequence[str]
    path: str
    at: int


def feed(name: str, view: GameView) -> dict[str, str]:
    """Return one of the feeds in both forms by their paths."""
    found = [_item(view, entry) for entry in view.index(told_last)[name]]
    title = f"{view.title}: {_(KINDS[name][0])}"
    return {
        f"{name}.atom": _atom(view, f"{name}.atom", title, found),
        f"{name}.feed.json": _json(view, f"{name}.feed.json", title, found),
    }


@indexed
def told_last(view: GameView) -> dict[str, list[Entry]]:
    """Return the entries that each feed tells of, the newest first."""
    return {name: list(islice(_newest(view, wanted), LONGEST)) for name, (_about, wanted) in KINDS.items()}


def _newest(view: GameView, wanted: Callable[[Entry], bool]) -> Iterator[Entry]:
    return (entry for entry in reversed(view.entries) if not was_refused(entry) and wanted(entry))


def _item(view: GameView, entry: Entry) -> Item:
    seq = int(entry.get("seq") or 0)
    path = _place(view, entry) or f"{journal_path(seq).removesuffix('.md')}.html#e{seq}"
    here = Here(view, "index.md")
    told = [each for each in entry.get("effects") or () if each.get("effect") in TELLING | VOTES]
    lines = [" ".join(strip(effect(here, entry, each)).split()) for each in told[:MOST_EFFECTS]]
    if len(told) > MOST_EFFECTS:
        lines.append(_("and {count} more", count=len(told) - MOST_EFFECTS))
    decided = [line for line, each in zip(lines, told, strict=False) if each.get("effect") == "resolve"]
    title = decided[0] if decided else " ".join(strip(act(here, entry)).split())
    return Item(
        _id(view, str(seq)), title or _("Entry {number}", number=seq), lines, path, seconds(entry.get("at")) or 0
    )


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


class _Atom(Atom1Feed):  # type: ignore[misc]
    """A feed that was changed when its newest item was; one without items with the game, not by some clock."""

    game_at = datetime(1970, 1, 1, tzinfo=UTC)

    def latest_post_date(self) -> datetime:
        """Return when the feed changed last."""
        return max((item["pubdate"] for item in self.items), default=self.game_at)


def _atom(view: GameView, path: str, title: str, found: Sequence[Item]) -> str:
    made = _Atom(
        title=title,
        link=view.site_address("index.html"),
        description="",
        feed_url=view.site_address(path),
        feed_guid=_id(view, path),
        author_name=view.title,
    )
    if not found:
        made.game_at = _time(view.now or 0)
    for item in found:
        made.add_item(
            title=item.title,
            link=view.site_address(item.path),
            description=items(item.lines) if item.lines else el("p", item.title),
            pubdate=_time(item.at),
            updateddate=_time(item.at),
            unique_id=item.id,
        )
    text: str = made.writeString("utf-8")
    return f"{text}\n"


def _json(view: GameView, path: str, title: str, found: Sequence[Item]) -> str:
    made: dict[str, Any] = {
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
    return indented(made) + "\n"


def _time(at: int) -> datetime:
    """Return Unix seconds as a time of UTC; what no calendar holds as its nearest end."""
    try:
        return datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return datetime(9999, 12, 31, tzinfo=UTC) if at > 0 else datetime(1, 1, 1, tzinfo=UTC)
