"""What happened in a game as Atom feeds that readers subscribe to: of all events, of votes, and of the law."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from uuid import NAMESPACE_OID, uuid5

from feedgenerator import Atom1Feed

from folkmoot.core.records import Entry
from folkmoot.site.pages.history import LAW, TELLING, VOTES
from folkmoot.wording.game_view import GameView, seconds, was_refused
from folkmoot.wording.markup import el, join, strip
from folkmoot.wording.page_links import Here, journal_path, proposal_path, rule_path
from folkmoot.wording.sentences import act, effect

KINDS = {
    "events": ("what happens", TELLING),
    "proposals": ("what is proposed and decided", VOTES),
    "law": ("changes of the law", LAW),
}
"""Every feed by its name, with what it holds and which effects an entry in it has; what somebody does is an event."""
LONGEST, MOST_EFFECTS = 50, 12
"""How many items a feed holds, the newest first, and how many effects an item tells."""


def feed(name: str, view: GameView) -> dict[str, str]:
    """Return one of the feeds by its path."""
    about, wanted = KINDS[name]
    path = f"{name}.atom"
    made = _Atom(
        title=f"{view.title}: {about}",
        link=view.site_address("index.html"),
        description="",
        feed_url=view.site_address(path),
        feed_guid=_id(view, path),
        author_name=view.title,
    )
    made.game_at = _time(view.now or 0)
    told = (each for each in reversed(view.entries) if not was_refused(each) and _is_told(each, name, wanted))
    for entry in islice(told, LONGEST):
        _add(made, view, entry)
    return {path: f"{made.writeString('utf-8')}\n"}


def _is_told(entry: Entry, name: str, wanted: frozenset[str]) -> bool:
    return (name == "events" and bool(entry.get("by"))) or any(
        each.get("effect") in wanted for each in entry.get("effects") or ()
    )


def _add(made: _Atom, view: GameView, entry: Entry) -> None:
    seq, at, here = int(entry.get("seq") or 0), _time(seconds(entry.get("at")) or 0), Here(view, "index.md")
    told = [each for each in entry.get("effects") or () if each.get("effect") in TELLING | VOTES]
    lines = [_words(effect(here, entry, each)) for each in told[:MOST_EFFECTS]]
    if len(told) > MOST_EFFECTS:
        lines.append(f"and {len(told) - MOST_EFFECTS} more")
    decided = [line for line, each in zip(lines, told, strict=False) if each.get("effect") == "resolve"]
    title = (decided[0] if decided else _words(act(here, entry))) or f"Entry {seq}"
    made.add_item(
        title=title,
        link=view.site_address(_place(view, entry) or f"{journal_path(seq).removesuffix('.md')}.html#e{seq}"),
        description=el("ul", join(el("li", line) for line in lines)) if lines else el("p", title),
        pubdate=at,
        updateddate=at,
        unique_id=_id(view, str(seq)),
    )


def _words(markup: object) -> str:
    return " ".join(strip(markup).split())


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


def _time(at: int) -> datetime:
    """Return Unix seconds as a time of UTC; what no calendar holds as its nearest end."""
    try:
        return datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return datetime(9999, 12, 31, tzinfo=UTC) if at > 0 else datetime(1, 1, 1, tzinfo=UTC)
