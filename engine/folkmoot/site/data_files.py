"""How a game stands, as JSON for programs; the law as data is in `law_files`, what each page shows in `page_json`.

What pages do not show is not here either. What is sealed stands as the handle that the record holds.
"""

from __future__ import annotations

from folkmoot.core.keys import GAME
from folkmoot.game.status import deadline, duties_in, soonest_first
from folkmoot.site.law_files import SCHEMAS
from folkmoot.site.page_json import indented
from folkmoot.site.pages.status import mover, timers_to_come
from folkmoot.wording.game_view import KERNEL_KINDS, GameView, stamp


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
