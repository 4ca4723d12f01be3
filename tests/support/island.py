"""An island to click on."""

from __future__ import annotations

from typing import Any

ISLAND: dict[str, Any] = {
    "rule": "11",
    "uid": "11",
    "title": "The island",
    "text": "A ship sails to a neighbouring square of an island of three by three.",
    "defines": {"player": {"at": {"type": "string", "initial": "a1"}}},
    "actions": {"sail": {"summary": "Sail", "arguments": {"to": {"type": "string", "summary": "Where"}}}},
    "script": """
load("grid", "square", "neighbours", "contains")

SEA = square(3, 3)

def do_sail(a):
    require(contains(SEA, a.args.to), "E-AREA", "the squares are a1 to c3")
    require(a.args.to in neighbours(SEA, get(a.by, "at")), "E-FAR", "that is not next to your ship")
    put(a.by, "at", a.args.to)

def show_island():
    return [board(SEA, pieces = [{"name": p, "owner": p, "at": get(p, "at")} for p in things("player")], caption = "The island",
        zones = {"c3": "treasure"})]
""",
}
