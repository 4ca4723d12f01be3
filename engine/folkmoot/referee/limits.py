"""How much of one person is recorded and answered in a day: told before it bites, and never in the way of votes."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from folkmoot.referee.commands import Asked

Record = Mapping[str, Any]
WARNED_AT = (4, 5)  # of a limit


def warning(who: str, what: str, used: int, limit: int, then: str) -> str:
    """Return what somebody is told who has used up most of a limit just now, or all of it; "" for anybody else.

    >>> warning("bob", "refused acts", 40, 50, "more are answered only")
    '40 of the 50 refused acts that bob has a day are used; from then on more are answered only'
    >>> warning("bob", "refused acts", 41, 50, "more are answered only")
    ''
    """
    if used == limit:
        return f"all {limit} {what} that {who} has a day are used; {then} until tomorrow"
    if used == -(-limit * WARNED_AT[0] // WARNED_AT[1]):
        return f"{used} of the {limit} {what} that {who} has a day are used; from then on {then}"
    return ""


def slip_in(wanted: Asked, actions: Record) -> str:
    """Return what is misspelt in an act, "" if nothing is: an unknown argument, no whole number, none of the choices.

    The acts of the kernel that take any argument are left to it.
    """
    declared = (actions.get(wanted.do) or {}).get("arguments") or {}
    if wanted.do in ("vote", "join", "admit") or wanted.do not in actions:
        return ""
    for name, value in wanted.args.items():
        if name not in declared:
            if name == "requests":
                continue
            near = get_close_matches(name, list(declared), 1)
            hint = f", did you mean {near[0]}?" if near else f"; it takes {', '.join(declared) or 'none'}"
            return f"{wanted.do} takes no argument {name[:40]}{hint}"
        flaw = _flaw(name, value, declared[name] or {})
        if flaw:
            return flaw
    return ""


def _flaw(name: str, value: Any, spec: Record) -> str:
    if spec.get("type") == "integer" and type(value) is not int:
        return f"{name} is a whole number, and {str(value)[:40]!r} is none"
    choices = spec.get("of")
    if spec.get("type") == "choice" and isinstance(choices, list) and value not in choices:
        near = get_close_matches(str(value)[:40], [str(choice) for choice in choices], 1)
        return f"{name} is one of ({', '.join(map(str, choices))}){f'; did you mean {near[0]}?' if near else ''}"
    return ""
