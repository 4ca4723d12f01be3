"""The arguments of an act, checked against what the rule declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from folkmoot.core.calendar import FIRST, LAST, seconds_of
from folkmoot.core.keys import sealed_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ArgumentSpec
from folkmoot.core.values import flaw_of, in_a_row, sealed_number, told, within
from folkmoot.kernel import sealed_data
from folkmoot.kernel.errors import Refusal
from folkmoot.kernel.play import Play, kind_of
from folkmoot.kernel.registers import find_setting
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.things import things

LONGEST_TEXT = 65_536

Check = Callable[[Play, ArgumentSpec, Any], bool]


def _integer(_play: Play, _declared: ArgumentSpec, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 256


def _text(_play: Play, _declared: ArgumentSpec, value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _proposal(_play: Play, _declared: ArgumentSpec, value: Any) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool) and len(str(value)) < 80


CHECKS: dict[str, tuple[str, Check]] = {
    "integer": ("a whole number", _integer),
    "boolean": ("true or false", lambda _p, _d, v: isinstance(v, bool)),
    "string": ("text", _text),
    "text": ("text", _text),
    "choice": ("one of the choices", lambda _p, d, v: v in (d.get("of") or ())),
    "player": ("a player", lambda p, _d, v: is_player(p, v)),
    "rule": ("the number of a rule in force", lambda p, _d, v: isinstance(v, str) and p.law.resolve(v) is not None),
    "proposal": ("the number of a proposal", _proposal),
    "thing": ("a thing", lambda p, d, v: (kind := kind_of(p, v)) is not None and kind == (d.get("kind") or kind)),
    "list": ('a list such as ["a2", "b1"]', lambda _p, _d, v: isinstance(v, list) and not flaw_of(v)),
    "map": ('a map such as {"wood": 2}', lambda _p, _d, v: isinstance(v, dict) and not flaw_of(v)),
    "changes": (
        'a list of changes such as [{"repeal": "301"}]',
        lambda _p, _d, v: isinstance(v, list) and all(isinstance(each, dict) for each in v) and not flaw_of(v),
    ),
    "settings": ("a map from switches to values", lambda p, _d, v: _settings(p, v)),
    "time": ("a time such as 2026-01-05T12:00:00Z", lambda p, d, v: _integer(p, d, v) and FIRST <= v <= LAST),
    "any": ("a value", lambda _p, _d, v: not flaw_of(v)),
    "office": ("an office", lambda p, _d, v: isinstance(v, str) and v in p.law.declared("defines.offices")),
}


def _settings(play: Play, value: Any) -> bool:
    known = isinstance(value, dict) and all(isinstance(k, str) and find_setting(play, k) for k in value)
    return known and not flaw_of(value)


def read_arguments(play: Play, do: str, declared: dict[str, ArgumentSpec], given: Any) -> Arguments:
    """Return the arguments of an act, absent ones as None or by default; raises Refusal E-ARGS with every problem."""
    if not isinstance(given, dict):
        raise Refusal("E-ARGS", f"the arguments of {do} must be a map")
    problems = [_surplus(do, name, declared) for name in given if name not in declared]
    read: Arguments = {}
    for name, spec in declared.items():
        value = given.get(name)
        if value is None:
            read[name] = spec.get("default")
            if is_needed(spec):
                problems.append(f"{do} needs {name}")
        elif spec.get("sealed") and is_taken(play, value):
            read[name] = value
        elif spec.get("sealed"):
            accepted, wanted = partial(flaw_of_sealed, play, name, spec), sealed_data.vaults.Wanted(name)
            read[name] = sealed_data.values.take_argument(play, do, wanted, spec, value, accepted)
        else:
            read[name] = value = seconds_of(value) if spec.get("type") == "time" else value
            problems += _problem(play, name, spec, value)
    if problems:
        raise Refusal("E-ARGS", "; ".join(problems))
    return read


def is_needed(spec: ArgumentSpec) -> bool:
    """Say whether an argument must be given."""
    return not spec.get("optional") and spec.get("default") is None


def is_taken(play: Play, given: Any) -> bool:
    """Whether an argument of an act that waited stands for what was taken in when it came; no other stands for it."""
    number = sealed_number(given)
    if number is None or play.sent.entry == play.seq:
        return False
    known = (play.documents.get(sealed_key(number)) or {}).get(str(number))
    return known is not None and known["seq"] == play.sent.entry


def flaw_of_sealed(play: Play, name: str, spec: ArgumentSpec, value: Any) -> str:
    """Return why what was sealed cannot be the value of an argument, "" where it can."""
    return "; ".join(_problem(play, name, spec, seconds_of(value) if spec.get("type") == "time" else value))


def _surplus(do: str, name: str, declared: dict[str, ArgumentSpec]) -> str:
    near = meant_by(str(name), declared)
    hint = f", did you mean {near}?" if near else f"; it takes {in_a_row(declared) or 'none'}"
    return f"{do} takes no argument {name}{hint}"


def _problem(play: Play, name: str, spec: ArgumentSpec, value: Any) -> list[str]:
    expected, fits = CHECKS[spec.get("type", "text")]
    if not fits(play, spec, value):
        of_a_kind = things(play, spec["kind"]) if spec.get("type") == "thing" and spec.get("kind") else []
        choices = f" ({names})" if (names := in_a_row(spec.get("of") or of_a_kind)) else ""
        shown = (value if isinstance(value, str) else told(value))[:60]
        return [f"{name} must be {expected}{choices}, not {told(shown)}"]
    low, high = spec.get("minimum"), spec.get("maximum")
    if isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high)):
        return [f"{name} must {within(low, high, 'lie')}, not {value}"]
    return []


def argument_at_fault(declared: Iterable[str], why: str) -> str:
    """Return which argument a sentence of `read_arguments` is about, "" where it is about none.

    >>> argument_at_fault(["to", "amount"], "pay needs amount; to must be a player, not bo")
    'amount'
    >>> argument_at_fault(["to"], "pay takes no argument too, did you mean to?"), argument_at_fault(["to"], "be brief")
    ('too', '')
    """
    first = why.partition("; ")[0].split()
    if first[:1] and first[0] in declared:
        return first[0]
    if first[1:2] == ["needs"] and first[2:]:
        return first[2]
    return first[4].rstrip(",") if first[1:4] == ["takes", "no", "argument"] and first[4:] else ""
