"""What an action's argument may be chosen from by clicking: the squares of a board, or the cards of one's own hand."""

from __future__ import annotations

import time

from msgspec import Struct

from folkmoot.cli.play.seat import Seat, Standing
from folkmoot.cli.private_view import show_hand
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Shown
from folkmoot.core.sealed_data import depends_on_sealed
from folkmoot.files.typed_words import VERBATIM
from folkmoot.game.actions import Action
from folkmoot.game.session import Session
from folkmoot.kernel.arguments import is_needed
from folkmoot.player import present_time
from folkmoot.player.sealing import seal_arguments
from folkmoot.site.board import MOST_TOLD, Board, board_of, square_name, zone_kinds
from folkmoot.site.page_data import colours

MOST_SQUARES, SECONDS = 64, 1.5
"""Of a board each square of which is tried, and how long that may take."""


class Squares(Struct, frozen=True, kw_only=True):
    """A board on which an argument is chosen: its rows from the top, and where its pieces stand in words."""

    page: str
    caption: str
    rows: list[list[Shown]]
    """Of each square its `name`, its place, counted from 1 (`x`, `y`), its `zone` (colour and name, empty outside of
    all), of its `pieces` mark, colour and name, whether it `may` be chosen, and whether one is `mine`."""
    words: list[str]


def one_word(action: Action) -> str:
    """Return the only argument that an action needs, where that is a word of any kind; "" for any other action."""
    needed = {name: spec or {} for name, spec in action.arguments.items() if is_needed(spec or {})}
    if len(needed) != 1:
        return ""
    name, spec = next(iter(needed.items()))
    plain = str(spec.get("type") or "text") in VERBATIM - {"rule", "player", "office", "thing", "choice"}
    return name if plain and not spec.get("of") else ""


def squares_of(seat: Seat, standing: Standing, action: Action) -> Squares | None:
    """Return the board on which an action is done: one that its own rule shows, with the squares that it would take.

    Each square is tried. None where there is no such board, or no square could be chosen.
    """
    argument = one_word(action)
    uid = next((rule["uid"] for rule in standing.rules if str(rule["rule"]) == action.rule), None)
    if not argument or uid is None or standing.player is None:
        return None
    if action.name not in standing.squares:
        with seat.session(standing.game) as session:
            standing.squares[action.name] = _squares(session, standing, action, argument, uid)
    found: Squares | None = standing.squares[action.name]
    return found


def _squares(session: Session, standing: Standing, action: Action, argument: str, uid: str) -> Squares | None:
    for name, page in session.sandbox.pages(session.at).items() if session.shows() else ():
        for block in page["blocks"] if page["rule"] == uid else ():
            if isinstance(block, dict) and block.get("block") == "board":
                board = board_of(standing.here, block)
                columns, rows = board.size
                if board.is_map or not 0 < columns * rows <= MOST_SQUARES:
                    continue
                may = _possible(session, standing, action, argument, columns, rows)
                if may:
                    return _drawn(standing, board, may, name)
    return None


def _possible(session: Session, standing: Standing, action: Action, argument: str, columns: int, rows: int) -> set[str]:
    """Return the squares for which an act would be done now, as far as there is time to try them."""
    end, found = time.monotonic() + SECONDS, set[str]()
    at = max(int(present_time.present()), session.at)
    for square in (square_name(x, y) for y in range(rows) for x in range(columns)):
        if time.monotonic() > end:
            return set()
        outcome = session.would(standing.player, action.name, {argument: square}, at=at)
        if outcome.accepted or outcome.draws:
            found.add(square)
    return found


def _drawn(standing: Standing, board: Board, may: set[str], page: str) -> Squares:
    columns, rows = board.size
    colour, drawn = colours(standing.here.view), list[list[Shown]]()
    kinds = zone_kinds(board.zones.values())
    for y in range(rows, 0, -1):
        drawn.append([])
        for x in range(1, columns + 1):
            name = square_name(x - 1, y - 1)
            standing_here = board.standing.get(name, [])
            pieces = [(piece.mark, colour.get(piece.owner, 8), piece.name) for piece in standing_here]
            mine = any(piece.owner == standing.player for piece in standing_here)
            zone = (kinds[board.zones[name]], board.zones[name]) if name in board.zones else ("", "")
            square = {"name": name, "x": x, "y": y, "pieces": pieces, "zone": zone}
            drawn[-1].append({**square, "may": name in may, "mine": mine})
    words = [f"{piece.name}: {piece.at}" for piece in board.pieces[:MOST_TOLD]]
    words += [f"{zone}: {at}" for at, zone in [*board.zones.items()][:MOST_TOLD]]
    return Squares(page=page, caption=board.caption, rows=drawn, words=words)


def hand_of(seat: Seat, standing: Standing) -> list[Shown]:
    """Return the registers in which something is sealed as the player sees them, their own first; read here alone."""
    if standing.kept or standing.player is None:
        return []
    terminal, view = seat.terminal(), seat.view
    try:
        with seat.session(standing.game) as session:
            show_hand(terminal, view, session, None)
    except ProblemError:
        return []
    registers: list[Shown] = terminal.records[0]["registers"] if terminal.records else []
    return sorted(registers, key=lambda each: each["owner"] != standing.player)


def cards_of(seat: Seat, standing: Standing, action: Action) -> list[str] | None:
    """Return the cards of the player's own hand, for an action that looks into what is sealed when one is tried.

    None where the player holds no cards, or several hands, of which nobody could tell which is meant.
    """
    argument = one_word(action)
    if not argument or standing.player is None or not standing.you.get("holds_sealed"):
        return None
    own = [each["value"] for each in hand_of(seat, standing) if each["owner"] == standing.player]
    hands = [each for each in own if isinstance(each, list) and each and all(isinstance(card, str) for card in each)]
    if len(hands) != 1:
        return None
    with seat.session(standing.game) as session:
        at = max(int(present_time.present()), session.at)
        given = seal_arguments(session, standing.player, action.name, {argument: hands[0][0]})
        outcome = session.would(standing.player, action.name, given, at=at)
    return hands[0] if depends_on_sealed(outcome.code, outcome.reasons, outcome.sealed) else None
