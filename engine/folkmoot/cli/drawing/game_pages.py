"""What the engine itself shows of a game in the terminal: its law, its scores, its registers and its players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from folkmoot.cli.drawing.blocks import day, drawn_chart, moment
from folkmoot.cli.drawing.printing import code, heading, prose, table_of, words
from folkmoot.cli.outcomes import plain
from folkmoot.cli.terminal import stamped
from folkmoot.core.keys import OFFICES, ROSTER
from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.wording.game_view import GameView, natural, stamp
from folkmoot.wording.page_links import Here, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

LONGEST_VALUE = 300  # characters of a register
MOST_LISTED = 8  # of a list or a map of a register


def rules(here: Here) -> Shown:
    """Return the rules in force as they stand, the lowest number first."""
    view = here.view
    in_force = [(view.number(uid), view.rule(uid), meta) for uid, meta in view.law.items() if meta.get("in_force")]
    found = [{"number": number, "title": str(rule.get("title") or "untitled"),
              "labels": ", ".join(str(value) for value in (rule.get("labels") or {}).values()),
              "script": bool(rule.get("script")), "sleeps": str(meta.get("suspended") or "")}
             for number, rule, meta in in_force]  # fmt: skip
    return {"rules": sorted(found, key=lambda rule: natural(str(rule["number"])))}


def drawn_rules(here: Here, found: Shown) -> Iterator[RenderableType]:
    """Yield the law in force as a table."""
    rows = []
    for each in found["rules"]:
        state = words("sleeps", "red") if each["sleeps"] else "script" if each["script"] else ""
        rows.append([each["number"], each["title"], each["labels"], state])
    yield table_of(["Rule", "Title", "Labels", ""], rows, caption=f"The law of {here.view.title}")
    yield words("One of them: `moot show rule NUMBER`.", "dim")


def rule(here: Here, number: str) -> Mapping[str, Any]:
    """Return a rule in force; raises E-NO-SUCH where there is none of that number."""
    found = here.view.rule(here.view.uids.get(number, ""))
    if not found:
        raise fail("E-NO-SUCH", f"there is no rule {number} in force", None, "`moot show rules` lists them")
    return found


def drawn_rule(here: Here, found: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield a rule with its text and its script."""
    view, uid = here.view, str(found["uid"])
    labels = ", ".join(f"{name}: {value}" for name, value in (found.get("labels") or {}).items())
    yield heading(f"Rule {view.number(uid)}: {found.get('title') or 'untitled'}{f' ({labels})' if labels else ''}")
    sleeps = view.law[uid].get("suspended")
    if sleeps:
        yield words(f"Its script sleeps: {sleeps}", "red")
    yield prose(str(found.get("text") or ""))
    if found.get("script"):
        yield ""
        yield code(str(found["script"]))


def scores(here: Here) -> Shown:
    """Return what everybody has of each currency."""
    view = here.view
    return {player: {name: view.registers("player", player).get(name) or 0 for name in view.currencies}
            for player in view.present}  # fmt: skip


def drawn_scores(here: Here, held: Shown) -> Iterator[RenderableType]:
    """Yield what everybody has of each currency, and how it grew."""
    view = here.view
    if not view.currencies:
        yield words("No rule in force knows of points or any other currency.")
        return
    names = [*view.told_currencies, *view.bookkept_currencies]
    ranked = sorted(held, key=lambda player: [-held[player][name] for name in names])
    rows = [[view.name(player), *(held[player][name] for name in names)] for player in ranked]
    yield table_of(["Player", *map(titled, names)], rows, range(1, len(names) + 1), "How everybody stands")
    for name in names:
        had: dict[str, dict[int, int]] = {player: {} for player in view.present}
        for line in view.ledger:
            if line.currency == name and line.at and line.owner in had:
                had[line.owner][line.at] = line.balance
        grown = {view.name(player): sorted(points.items()) for player, points in had.items() if len(points) > 1}
        if grown:
            yield ""
            yield from drawn_chart(grown, f"{titled(name)} over time (UTC)", moment)


def registers(here: Here) -> dict[str, Shown]:
    """Return what the rules keep, by owner: of the game, of players, and of everything else."""
    view = here.view
    found: dict[str, Shown] = {"game": dict(view.registers("game", "game"))}
    found |= {player: dict(view.registers("player", player)) for player in view.present}
    found |= {f"office {name}": dict(kept) for name, kept in view.document(OFFICES).items()}
    return found | {f"{kind} {name}": dict(kept) for name, (kind, kept) in view.things.items()}


def _rows(here: Here, owned: Mapping[str, Shown]) -> list[list[Any]]:
    """Return what owners hold as rows of a table: whose, which register, its value."""
    return [[owner, name, _shown(here, name, value)] for owner, kept in owned.items() for name, value in kept.items()]


def drawn_registers(here: Here, found: dict[str, Shown]) -> Iterator[RenderableType]:
    """Yield what the rules keep."""
    yield table_of(["Of", "Register", "Holds"], _rows(here, found), caption="What the rules keep")
    yield words("Why it is so: `moot explain OWNER REGISTER`.", "dim")


def _shown(here: Here, name: str, value: Any) -> str:
    """Return a value for people: of a long list or map how many there are, and the first of them."""
    if isinstance(value, (list, dict)) and len(value) > MOST_LISTED:
        parts = list(value.items() if isinstance(value, dict) else value)[:MOST_LISTED]
        first = dict(parts) if isinstance(value, dict) else parts
        return f"{len(value)}: {_shown(here, name, first)} …"
    text = plain(here.value(value, here.view.register_type(name)))
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def drawn_players(here: Here, _found: Shown) -> Iterator[RenderableType]:
    """Yield who plays, since when, and in which offices."""
    view = here.view
    rows = [[player, view.name(player), _since(view.players[player]), ", ".join(_offices(view, player))]
            for player in view.present]  # fmt: skip
    yield table_of(["Player", "Name", "Since", "Offices"], rows, caption=f"Who plays {view.title}")
    yield words("One of them: `moot show NAME`.", "dim")


def _offices(view: GameView, player: str) -> list[str]:
    return [office for office, about in view.document(OFFICES).items() if about.get("holder") == player]


def player(here: Here, player: str) -> Shown:
    """Return a player, and what they have: their offices, their registers, and the things that they own or hold."""
    view, entry = here.view, here.view.players[player]
    owned = {name: {"kind": kind, "registers": dict(kept)} for name, (kind, kept) in view.things.items()
             if player in (kept.get("owner"), kept.get("holder"))}  # fmt: skip
    times = {name: stamp(entry.get(name)) for name in ("since", "until")}
    return {"player": player, "name": view.name(player), **times, "offices": _offices(view, player),
            "registers": dict(view.registers("player", player)), "things": owned}  # fmt: skip


def drawn_player(here: Here, record: Shown) -> Iterator[RenderableType]:
    """Yield a player with what they have."""
    player = record["player"]
    entry = here.view.players[player]
    known = f" ({player})" if record["name"] != player else ""
    since = f", since {_since(entry)}" if _since(entry) else ""
    until = entry.get("until")
    left = f", left {day(until)}" if isinstance(until, int) else ""
    yield heading(f"{record['name']}{known}{since}{left}")
    if record["offices"]:
        yield words(f"Offices: {', '.join(record['offices'])}")
    rows = [row[1:] for row in _rows(here, {player: record["registers"]})]
    yield table_of(["Register", "Holds"], rows) if rows else words("No rule keeps anything of them.")
    things = {f"{about['kind']} {name}": about["registers"] for name, about in record["things"].items()}
    if things:
        yield ""
        yield table_of(["Thing", "Register", "Holds"], _rows(here, things), caption="What they own or hold")
    yield words(f"Why it is so: `moot explain {player} REGISTER`.", "dim")


def _since(entry: Mapping[str, Any]) -> str:
    return day(entry["since"]) if isinstance(entry.get("since"), int) else ""


PAGES: dict[str, tuple[Callable[[Here], Any], Callable[[Here, Any], Iterator[RenderableType]]]] = {
    "rules": (rules, drawn_rules),
    "scores": (scores, drawn_scores),
    "registers": (registers, drawn_registers),
    "players": (lambda here: stamped(here.view.kept(ROSTER)), drawn_players),
}
"""What the engine shows by which name: what is found, and how it is drawn."""
