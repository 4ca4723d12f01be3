"""Parts of rules that an amendment takes away, and a person's own file text in changes."""

from __future__ import annotations

from typing import Any

from folkmoot.files.rewrite import render_rule
from tests.support.table import VOTING, Found, Table, rule

BLOCKS: dict[str, Any] = {
    "labels": {"power": "2"},
    "defines": {"game": {"moons": {"type": "integer", "initial": 2}}},
    "actions": {"howl": {"summary": "Howl"}},
    "timers": {"moonrise": {"every": "day"}},
    "settings": {"X-Q1": {"question": "How?", "default": "so", "alternatives": {"so": "So."}}},
    "precedence": {"over": ["900"]},
    "examples": [{"scenario": "nothing happens", "steps": []}],
}
RICH = rule("5", "def do_howl(a):\n    announce('owoo')\n", **{"text": "Wolves howl.\n", **BLOCKS})
SOURCE = "# mine\ntitle: Rule 5  # so called\nlabels: {status: mutable, power: '2'}\n"


def adopt(table: Table, *changes: dict[str, Any]) -> dict[str, Any]:
    """Let everybody adopt changes and return rule 5 as it is then."""
    number = table.kernel.documents["things/game"]["game"]["next_number"]
    table.ok("ann", "propose", title="T", changes=list(changes))
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", proposal=number, choice="for")
    return dict(table.kernel.documents["rules/5"])


def test_an_amendment_with_empty_parts_takes_every_part_away(found: Found) -> None:
    table = found(VOTING, RICH)
    empty = {
        part: "" if part in ("text", "script") else [] if part == "examples" else {}
        for part in (*BLOCKS, "text", "script")
    }
    assert adopt(table, {"amend": "5", **empty}) == {"rule": "5", "uid": "5", "title": "Rule 5"}
    assert table.refused("ann", "howl") == "E-NO-SUCH"


def test_parts_that_an_amendment_does_not_mention_stay(found: Found) -> None:
    after = adopt(found(VOTING, RICH), {"amend": "5", "labels": {}})
    assert after == {key: value for key, value in {**RICH, "uid": "5"}.items() if key != "labels"}


def test_transmuting_and_retitling_keep_the_comments_of_the_file(found: Found) -> None:
    table = found(VOTING, rule("5", labels={"status": "mutable", "power": "2"}))
    after = adopt(table, {"transmute": "5", "to": "immutable", "source": SOURCE})
    assert after["labels"]["status"] == "immutable"
    written = render_rule(after)
    assert "# mine" in written
    assert "# so called" in written
    after = adopt(table, {"retitle": "5", "to": "Wolves", "source": written})
    assert (after["title"], "# mine" in render_rule(after)) == ("Wolves", True)


def test_a_comment_alone_can_be_amended(found: Found) -> None:
    after = adopt(
        found(VOTING, rule("5", labels={"status": "mutable", "power": "2"})), {"amend": "5", "source": SOURCE}
    )
    assert "# mine" in render_rule(after)
