"""Laws that lock themselves out."""

from __future__ import annotations

from typing import Any

from folkmoot.scenarios.trial import try_changes
from tests.support.table import Table

PROPOSING: dict[str, Any] = {
    "actions": {"sow": {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}}}
}
SOWING = "def do_sow(a):\n    open_voting(submit(a.args.title, a.args.changes))\n"
ALL = "def decide_closed(p):\n    return len(p.ballots) == len(p.electorate)\n"
CHANGE: Any = {"enact": {"title": "New", "text": "", "script": "def on_stated(e):\n    announce('x')\n"}}


def locked_out(change: Any, *rules: dict[str, Any]) -> str:
    """Return what the probe says of a change in a game of these rules."""
    table = Table(*rules)
    return try_changes(table.kernel, [change], [], len(table.entries), table.now).locked_out
