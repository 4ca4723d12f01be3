"""Files of a game that are no pages: how it stands and its law for programs, feeds of what happened, and calendars.

What pages do not show is not here either. What is sealed stands as the handle that the record holds. What each page
shows stands in `page_json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from feedgenerator import Atom1Feed
from icalendar import Calendar, Event

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.core.rule_pasts import is_taken_over
from folkmoot.game.status import deadline, duties_in, missing_votes, soonest_first
from folkmoot.site.page_json import indented
from folkmoot.site.pages.history import LAW, TELLING, VOTES
from folkmoot.site.pages.status import mover, timers_to_come
from folkmoot.site.revisions import founded_at, moments
from folkmoot.wording.game_view import KERNEL_KINDS, GameView, effects_in, seconds, stamp, was_refused
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import el, join, shortened, strip, visible
from folkmoot.wording.page_links import Here, journal_path, player_path, proposal_path, rule_path, timer_words
from folkmoot.wording.sentences import act, effect


def game_file(view: GameView) -> dict[str, str]:
    """Return how a game stands: players, offices, registers, things, what is open, who owes what, what comes when."""
    game = view.kept(GAME)
    told = {
        "$schema": f"../{SCHEMAS}/game.json",
        "game": view.title,
        "at": stamp(view.now),
        "entry": view.entries[-1]["seq"] if view.entries else None,
        "paused": stamp(game.get("paused")),
        "over": game.get("over") or None,
        "turn": mover(view),
        "players": [
            {"player": name, "name": view.name(name), "since": stamp(entry.get("since")),
             "until": stamp(entry.get("until")), "registers": view.registers("player", name)}
            for name, entry in view.players.items()
        ],
        "offices": [
            {"office": name, "holder": view.answers.get(f"holder:{name}") or kept.get("holder"),
             "deputies": list(view.answers.get(f"acts_for:{name}") or ())}
            for name, kept in view.document("things/office").items()
        ],
        "registers": view.registers("game", "game"),
        "things": {
            kind: dict(view.documents[key]) for key in sorted(view.documents)
            if key.startswith("things/") and (kind := key.removeprefix("things/")) not in KERNEL_KINDS
        },
        "open": [{"proposal": name, "until": stamp(deadline(view.documents, found))}
                 for name, found in reversed([*view.unresolved.items()])],
        "duties": [
            {"player": duty["player"], "as": duty.get("as"), "what": str(duty.get("what") or ""),
             "do": list(duty.get("do") or ()), "of": duty.get("of"), "by": stamp(duty.get("by")),
             "rule": duty.get("rule")}
            for duty in soonest_first(duties_in(view.documents))
        ],
        "coming": [{"timer": name, "due": stamp(timer.get("due")), "rule": timer.get("rule"),
                    "summary": str((timer.get("spec") or {}).get("summary") or "")}
                   for name, timer in timers_to_come(view)],
    }  # fmt: skip
    return {"game.json": indented(told) + "\n"}


# -- the law

SCHEMAS = "assets/schemas"
"""Where the schemas of files for programs lie below a site, each by the name of its file."""


def law_files(view: GameView) -> dict[str, str]:
    """Return the files by their paths below the game's folder."""
    at = stamp(next((moment.at for moment in reversed(moments(view))), None))
    told = {
        "$schema": f"../{SCHEMAS}/law.json",
        "game": view.title,
        "at": at,
        "rules": [_rule(view, uid, rank) for rank, uid in enumerate(view.ranked, 1)],
        "repealed": [_rule(view, uid, None) for uid in view.repealed],
    }
    head = f"The law as of {at or 'its founding'}, those that take precedence first."
    lines = [view.title, head, "", *(line for uid in view.ranked for line in _lines(view, uid))]
    return {"law.txt": visible("\n".join(lines).rstrip()) + "\n", "law.json": indented(told) + "\n"}


def _rule(view: GameView, uid: str, rank: int | None) -> dict[str, Any]:
    """Return what is known of a rule; `revisions` are its wordings up to the present one."""
    rule, meta = view.rule(uid), view.law.get(uid) or {}
    return {
        "id": uid,
        "number": view.number(uid),
        "title": str(rule.get("title") or ""),
        "page": rule_path(uid).removesuffix(".md") + ".html",
        "rank": rank,
        "labels": dict(rule.get("labels") or {}),
        "text": str(rule.get("text") or ""),
        "script": str(rule.get("script") or ""),
        "suspended": str(meta.get("suspended") or ""),
        "former_numbers": view.former_numbers(uid),
        "revisions": [_revision(view, each) for each in view.revisions(uid)],
    }


def _revision(view: GameView, revision: Document) -> dict[str, Any]:
    return {
        "revision": revision.get("revision"),
        "called": str(revision.get("called") or ""),
        "number": str(revision.get("rule") or ""),
        "title": str(revision.get("title") or ""),
        "text": None if revision.get("unknown") else str(revision.get("text") or ""),
        "repealed": bool(revision.get("repealed")),
        "since": stamp(revision.get("at")),
        "cause": str(revision.get("cause") or ""),
        "entry": revision.get("seq"),
        "applies_from": revision.get("applies_from") or 0,
        **{name: str(revision[name]) for name in ("dated", "change", "note") if revision.get(name)},
        **({"taken_over": True} if is_taken_over(revision, founded_at(view)) else {}),
    }


def _lines(view: GameView, uid: str) -> Iterator[str]:
    rule = view.rule(uid)
    title = " ".join(str(rule.get("title") or "untitled").split())
    yield from ("-" * 72, f"Rule {view.number(uid)}: {title}")
    labels = ", ".join(f"{name} {value}" for name, value in (rule.get("labels") or {}).items())
    yield from (f"[{labels}]", "") if labels else ("",)
    yield from (str(rule.get("text") or "").rstrip(), "")


# -- feeds

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
    told = (
        entry for entry in reversed(view.entries)
        if not was_refused(entry) and ((name == "events" and entry.get("by")) or any(effects_in([entry], *wanted)))
    )  # fmt: skip
    for entry in islice(told, LONGEST):
        _add(made, view, entry)
    return {path: f"{made.writeString('utf-8')}\n"}


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


# -- calendars

Deadline = tuple[int, str, str, str]
"""When something is due (Unix seconds), its key, what it is, and the page that tells of it."""


def calendar_files(view: GameView) -> dict[str, str]:
    """Return the calendars by their paths below the game's folder."""
    owed = {player: [*_owed(view, player)] for player in view.present}
    everyones = [(at, key, f"{view.name(player)}: {what}", path)
                 for player, duties in owed.items() for at, key, what, path in duties]  # fmt: skip
    files = {"calendar.ics": _calendar(view, view.title, [*_votes(view), *_timers(view), *everyones])}
    for player, duties in owed.items():
        title = f"{view.title}: {view.name(player)}"
        path = f"{player_path(player).removesuffix('.md')}.ics"
        files[path] = _calendar(view, title, [*duties, *_votes(view, player)])
    return files


def _votes(view: GameView, player: str = "") -> Iterator[Deadline]:
    """Yield the ends of open votes, for a player of those in which they have not voted."""
    for identifier, proposal in view.unresolved.items():
        due, title = deadline(view.documents, proposal), proposal.get("title") or identifier
        if due and not player:
            yield due, f"vote {identifier}", f"The vote on “{title}” ends", proposal_path(proposal)
        elif due and player in missing_votes(proposal):
            yield due, f"ballot {identifier}", f"Vote on “{title}”", proposal_path(proposal)


def _timers(view: GameView) -> Iterator[Deadline]:
    for key, timer in timers_to_come(view):
        yield int(timer["due"]), f"timer {key}", quotation(timer_words(view, key, timer)), "index.md"


def _owed(view: GameView, player: str) -> Iterator[Deadline]:
    for duty in duties_in(view.documents, player):
        if duty["by"]:
            yield duty["by"], f"duty {duty['key']}", quotation(duty["what"]), player_path(player)


def _calendar(view: GameView, title: str, deadlines: Iterable[Deadline]) -> str:
    calendar = Calendar()
    calendar.add("prodid", "-//Folkmoot//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", shortened(title))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"value": "DURATION"})
    for at, key, what, path in sorted(set(deadlines)):
        try:
            start, stamp = datetime.fromtimestamp(at, UTC), datetime.fromtimestamp(view.now or 0, UTC)
        except (OverflowError, OSError, ValueError):  # beyond any calendar
            continue
        event = Event()
        event.add("uid", f"{uuid5(NAMESPACE_OID, f'folkmoot {view.founding} {key}')}@folkmoot")
        event.add("dtstamp", stamp)
        event.add("dtstart", start)
        event.add("summary", visible(shortened(what)))
        if view.address:
            event.add("url", view.site_address(f"{path.removesuffix('.md')}.html"))
        calendar.add_component(event)
    return str(calendar.to_ical(), "utf-8")
