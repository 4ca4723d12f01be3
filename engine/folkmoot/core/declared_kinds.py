"""What rules declare; of kinds of things: which other kind each is like, what is voted on, and who has a currency."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import KindSpec, RegisterSpec

PROPOSAL = "proposal"
"""The kind that is voted on without any rule; others are where a rule declares it, or that they are like it."""
PLAYER = "player"
"""The kind of those who play, whose currencies are where their declaration names no owners."""
OWN = frozenset({"game", "settings", PLAYER, "rule", "office", "timer", "duty", "held"})
"""Kinds that are the engine's own, each with a place of its own for what it keeps: nothing of them is voted on."""
OWNERS = ("game", PLAYER, "rule", PROPOSAL, "office")
"""Whose registers a rule declares right below `defines`, beside those of the kinds of things."""
Kinds = Mapping[str, KindSpec | None]  # name → declaration


def declared_in(rules: Iterable[tuple[str, Document]], *path: str) -> dict[str, tuple[str, Any]]:
    """Return what rules declare in a block: name → (what names the rule, declaration), of the first that declares it.

    >>> declared_in([("1", {"timers": {"end": {"every": "day"}}}), ("2", {"timers": {"end": {}}})], "timers")
    {'end': ('1', {'every': 'day'})}
    """
    found: dict[str, tuple[str, Any]] = {}
    for named, rule in rules:
        block: Any = rule
        for step in path:
            block = (block or {}).get(step)
        for name, declaration in (block or {}).items():
            found.setdefault(name, (named, declaration))
    return found


def lineage(kinds: Kinds, kind: str) -> list[str]:
    """Return a kind and those whose declarations are its own too, the nearest first; a circle ends where it began.

    >>> lineage({"petition": {"like": "motion"}, "motion": {"like": "proposal"}}, "petition")
    ['petition', 'motion', 'proposal']
    >>> lineage({"a": {"like": "b"}, "b": {"like": "a"}}, "a"), lineage({}, "stone")
    (['a', 'b'], ['stone'])
    """
    found = [kind]
    while (like := (kinds.get(found[-1]) or {}).get("like")) and like not in found:
        found.append(str(like))
    return found


def is_votable(kinds: Kinds, kind: str) -> bool:
    """Say whether things of a kind are proposed and voted on.

    >>> kinds = {"motion": {"votable": True}, "petition": {"like": "motion"}, "stone": {}}
    >>> [is_votable(kinds, kind) for kind in ("proposal", "motion", "petition", "stone")]
    [True, True, True, False]
    >>> is_votable({"rule": {"votable": True}}, "rule")
    False
    """
    return kind not in OWN and any(
        each == PROPOSAL or (kinds.get(each) or {}).get("votable") for each in lineage(kinds, kind)
    )


def votable_kinds(kinds: Kinds) -> list[str]:
    """Return every kind that is voted on, proposals first."""
    return [PROPOSAL, *(kind for kind in kinds if kind != PROPOSAL and is_votable(kinds, kind))]


def owners_of(currency: RegisterSpec | None) -> list[str]:
    """Return the kinds whose things have a currency: players, unless its declaration names others.

    >>> owners_of({"owners": ["player", "guild"]}), owners_of({"owners": "game"}), owners_of(None)
    (['player', 'guild'], ['game'], ['player'])
    """
    said = (currency or {}).get("owners") or PLAYER
    return [said] if isinstance(said, str) else list(said)


def has_currency(kinds: Kinds, kind: str, currency: RegisterSpec | None) -> bool:
    """Say whether things of a kind have a currency, by its owners or as those that the kind is like."""
    return not set(owners_of(currency)).isdisjoint(lineage(kinds, kind))


def named_in(arguments: Arguments, kinds: list[str]) -> tuple[str, Any] | None:
    """Return kind and number of what a ballot says it is on: `{petition: 3}`, or `{kind: petition, proposal: 3}`.

    >>> named_in({"choice": "yes", "petition": 3}, ["proposal", "petition"])
    ('petition', 3)
    >>> named_in({"kind": "petition", "proposal": 3}, ["proposal"]), named_in({"choice": "yes"}, ["proposal"])
    (('petition', 3), None)
    """
    kind = next((kind for kind in reversed(kinds) if arguments.get(kind) is not None), "")
    if not kind:
        return None
    return str(arguments.get("kind") or kind) if kind == PROPOSAL else kind, arguments[kind]


def the_open_one(open_: list[str], kind: str = "") -> tuple[str, str] | None:
    """Return kind and number of what a ballot is on that names nothing, None where that is unclear.

    `open_` are the ids of all that are undecided. Where no kind is named, a proposal is meant if there is any.

    >>> the_open_one(["proposal/301", "petition/3"]), the_open_one(["petition/3"])
    (('proposal', '301'), ('petition', '3'))
    >>> the_open_one(["petition/3", "motion/1"], "motion"), the_open_one(["petition/3", "motion/1"])
    (('motion', '1'), None)
    """
    found = [id_ for id_ in open_ if id_.startswith(f"{kind or PROPOSAL}/")] or ([] if kind else open_)
    if len(found) != 1:
        return None
    named, _, number = found[0].partition("/")
    return named, number


Register = tuple[str, str]  # owner and name: ("player", "score")
Declared = tuple[list[str], Any]
"""Where in its file a rule declares something, and how."""


def declared_registers(rule: Document) -> dict[Register, Declared]:
    """Return the registers that a rule declares, currencies among them.

    >>> for found in declared_registers({"defines": {"currencies": {"fp": {}}, "game": {"turn": {}}}}).items():
    ...     print(found)
    (('game', 'turn'), (['defines', 'game', 'turn'], {}))
    (('player', 'fp'), (['defines', 'currencies', 'fp'], {}))
    """
    defines = rule.get("defines") or {}
    blocks = [(owner, [owner], defines.get(owner) or {}) for owner in OWNERS]
    for kind, about in (defines.get("kinds") or {}).items():
        blocks.append((kind, ["kinds", kind, "registers"], (about or {}).get("registers") or {}))
    found = {
        (owner, name): (["defines", *path, name], spec) for owner, path, block in blocks for name, spec in block.items()
    }
    for name, currency in (defines.get("currencies") or {}).items():
        found |= {(owner, name): (["defines", "currencies", name], currency) for owner in owners_of(currency)}
    return found
