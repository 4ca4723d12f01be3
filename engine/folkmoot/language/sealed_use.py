"""Where a script compares what is sealed: that fails as soon as it is done, and is told before.

Only what is plainly written is found: a register or an argument that is declared as sealed, what a sealed function
answers, a name for one of these.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.language.functions import bodies_of
from folkmoot.language.tokens import Token, after_brackets, unquote

COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">=", "in"})
SEALING = ("sealed", "pick_sealed")
PREFIXES = ("do_", "forbid_", "permit_")


def compared(
    script: str, registers: frozenset[str], actions: Mapping[str, ActionSpec], inside: Container[str]
) -> Iterator[tuple[str, Token]]:
    """Yield what is compared though it is sealed, with its place.

    `registers` are the names of sealed ones; `actions` declares those of the rule, `inside` its sealed functions, which
    see what is sealed as it is.
    """
    may_be = any(map(script.__contains__, (*SEALING, *registers)))
    for function, tokens in bodies_of(script).items():
        if function in inside:
            continue
        action = next((function.removeprefix(p) for p in PREFIXES if function.startswith(p)), "")
        declared = actions.get(action)
        arguments = (declared.get("arguments") if isinstance(declared, dict) else None) or {}
        sealed = {name for name, spec in arguments.items() if isinstance(spec, dict) and spec.get("sealed")}
        if may_be or sealed:
            yield from _compared_in(tokens, registers, sealed)


def sealed_registers(defined: Iterable[Any], owners: Iterable[str]) -> frozenset[str]:
    """Return the names of the sealed registers that `defines:` of some rules declare, in whatever form a draft has."""
    found = [_blocks(defines, [*owners]) for defines in defined]
    pairs = (pair for blocks in found for block in blocks if isinstance(block, dict) for pair in block.items())
    return frozenset(str(name) for name, spec in pairs if _part(spec, "sealed"))


def _blocks(defines: Any, owners: list[str]) -> list[Any]:
    kinds = _part(defines, "kinds")
    of_kinds = [_part(kind, "registers") for kind in (kinds.values() if isinstance(kinds, dict) else ())]
    return [*(_part(defines, owner) for owner in owners), *of_kinds]


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _compared_in(
    tokens: Sequence[Token], registers: frozenset[str], arguments: set[str]
) -> Iterator[tuple[str, Token]]:
    known: dict[str, str] = {}
    place = 0
    while place < len(tokens):
        end, what = _sealed_at(tokens, place, registers, arguments, known)
        if end == place:
            place += 1
            continue
        before, after = _text(tokens, place - 1), _text(tokens, end)
        ends = end == len(tokens) or tokens[end].line > tokens[end - 1].line
        if before == "=" and ends and tokens[place - 2].kind == "name":
            known[tokens[place - 2].text] = what
        elif _compares(tokens, place, end, before, after):
            yield what, tokens[place]
        place = end


def _sealed_at(
    tokens: Sequence[Token], place: int, registers: frozenset[str], arguments: set[str], known: Mapping[str, str]
) -> tuple[int, str]:
    """Return where an expression that is sealed ends, and what it is; the place itself where none begins there."""
    token = tokens[place]
    if token.kind != "name" or _text(tokens, place - 1) in (".", "def"):
        return place, ""
    following = _text(tokens, place + 1)
    if following == "." and _text(tokens, place + 2) == "args" and _text(tokens, place + 4) in arguments:
        return place + 5, f"the argument {_text(tokens, place + 4)}"
    if following == "(" and token.text in SEALING:
        return after_brackets(tokens, place + 1), f"what {token.text}() answers"
    if following == "(" and token.text == "get":
        end = after_brackets(tokens, place + 1)
        names = [unquote(each.text) for each in tokens[place + 2 : end] if each.kind == "string"]
        found = next((name for name in names if name in registers), "")
        return (end, f"the register {found}") if found else (place, "")
    return (place + 1, known[token.text]) if token.text in known and following != "=" else (place, "")


def _compares(tokens: Sequence[Token], place: int, end: int, before: str, after: str) -> bool:
    other = _text(tokens, end + 1) if after in COMPARING else _text(tokens, place - 2)
    iterates = before == "in" and any(each.text == "for" for each in tokens[max(0, place - 6) : place])
    return (after in COMPARING or (before in COMPARING and not iterates)) and other != "None"


def _text(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].text if 0 <= place < len(tokens) else ""
