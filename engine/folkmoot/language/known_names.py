"""What a game knows by name: registers, kinds, settings, actions, timers, offices, questions and events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from folkmoot.language.declarations import catalogue

Document = Mapping[str, Any]

EMITTED = re.compile(r"\b(?:emit|later|emit_under)\((?:\w+,)?\s*[\"'](\w+)[\"']")
BY_NAME = re.compile(r"\b(?:emit|later|emit_under\(\s*[^,()]+,\s*)\(?\s*[a-z_]\w*\s*[,)]")
WORD = re.compile(r"[\"']([a-z]\w*)[\"']")
ANSWERED = re.compile(r"^def[ \t]+decide_(\w+)", re.MULTILINE)
KERNEL_ACTIONS = frozenset({"vote", "state", "pause", "resume", "correct", "suspend", "wake", "redact", "engine"})
OF_PLAYERS = frozenset({"name", "surname", "handles", "since", "until"})
OF_THINGS = frozenset({"kind", "owner", "at", "state", "created_at"})


@dataclass(frozen=True, slots=True)
class Known:
    """Names by kind; `registers` maps an owner (game, player, rule, proposal or a kind of thing) to its registers."""

    registers: dict[str, frozenset[str]]
    kinds: frozenset[str]
    currencies: frozenset[str]
    settings: frozenset[str]
    actions: frozenset[str]
    timers: frozenset[str]
    offices: frozenset[str]
    questions: frozenset[str]
    events: frozenset[str]

    def every_register(self) -> frozenset[str]:
        """Return the registers of whichever owner."""
        return frozenset().union(*self.registers.values())


def known_in(rules: Iterable[Document]) -> Known:
    """Return what rules declare, use and answer (those in force, those being checked), with what the kernel offers."""
    documents = list(rules)
    scripts = "\n".join(str(d.get("script") or "") for d in documents)
    kinds = _block(documents, "defines", "kinds")
    currencies = _block(documents, "defines", "currencies")
    timers = frozenset(_block(documents, "timers"))
    settings = _block(documents, "settings")
    raised = frozenset(EMITTED.findall(scripts)) | _raised_by_name(documents)
    ended = {f"proposal_{outcome}" for outcome in _block(documents, "defines", "outcomes")}
    hooked = {name.replace("-", "_") for name in timers}
    registers = _registers(documents, kinds, currencies)
    changed = {f"changed_{name}" for names in registers.values() for name in names}
    return Known(
        registers=registers,
        kinds=frozenset({"player", "rule", "office", "proposal", *kinds}),
        currencies=frozenset(currencies),
        settings=frozenset(settings) | {str(s["name"]) for s in settings.values() if (s or {}).get("name")},
        actions=frozenset(_block(documents, "actions")) | KERNEL_ACTIONS,
        timers=timers,
        offices=frozenset(_block(documents, "defines", "offices")),
        questions=frozenset(ANSWERED.findall(scripts)) | {n.removeprefix("decide_") for n in catalogue("questions")},
        events=raised | ended | hooked | changed | {n.removeprefix("on_") for n in catalogue("events")},
    )


def _raised_by_name(documents: list[Document]) -> frozenset[str]:
    """Return the words in quotation marks of scripts that raise events by names they keep, as in lists of steps."""
    scripts = (str(document.get("script") or "") for document in documents)
    by_name = (script for script in scripts if BY_NAME.search(script))
    return frozenset(word for script in by_name for word in WORD.findall(script))


def _block(documents: list[Document], *path: str) -> dict[str, Any]:
    """Return all declarations in a block by name."""
    found: dict[str, Any] = {}
    for document in documents:
        block: Any = document
        for step in path:
            block = (block or {}).get(step) if isinstance(block or {}, Mapping) else None
        found.update(block if isinstance(block, Mapping) else {})
    return found


def _registers(
    documents: list[Document], kinds: dict[str, Any], currencies: dict[str, Any]
) -> dict[str, frozenset[str]]:
    found = {owner: set(_block(documents, "defines", owner)) for owner in ("game", "player", "rule", "proposal")}
    found["player"] |= OF_PLAYERS | OF_THINGS
    found["office"] = {"holder", "since"}
    for kind, declared in kinds.items():
        found[kind] = set((declared or {}).get("registers") or {}) | OF_THINGS
    for name, declared in currencies.items():
        found.setdefault((declared or {}).get("owners") or "player", set()).add(name)
    return {owner: frozenset(names) for owner, names in found.items()}
