"""What a game knows by name: registers, kinds, settings, actions, timers, offices, questions and events."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from folkmoot.core.declared_kinds import OWNERS, PLAYER, declared_in, declared_registers, lineage
from folkmoot.core.documents import Document
from folkmoot.core.event_names import ACCEPTED, ADOPTED, OUTCOMES
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS
from folkmoot.kernel.host import HOST
from folkmoot.language.calls import Call
from folkmoot.language.declarations import catalogue
from folkmoot.language.tree import RULE, hook_names, text_in, texts_of, tree_of

WORD = re.compile("[a-z][A-Za-z0-9_]*")
OF_TIMERS = frozenset({"due", "key"})
OF_PLAYERS = frozenset({"name", "surname", "handles", "since", "until"})
OF_THINGS = frozenset({"kind", "owner", "at", "state", "created_at"})


class Known(Struct, frozen=True):
    """Names by kind; registers by owner (game, player, rule, proposal or a kind of thing)."""

    registers: dict[str, frozenset[str]]
    kinds: frozenset[str]
    currencies: frozenset[str]
    settings: frozenset[str]
    actions: frozenset[str]
    timers: frozenset[str]
    offices: frozenset[str]
    questions: frozenset[str]  # that anybody answers
    asked: frozenset[str]
    outcomes: frozenset[str]
    lawmaking: str  # what a proposal is called that becomes law
    events: frozenset[str]
    payloads: dict[str, frozenset[str] | None]  # what the events of rules hold, None where that cannot be told
    scripts: dict[str, str]  # of rules, by the modules as which others load them: `rule/UID` and `rule/NUMBER`

    def every_register(self) -> frozenset[str]:
        """Return the registers of whichever owner."""
        return frozenset().union(*self.registers.values())

    def raises(self, event: str) -> bool:
        """Whether an event is raised by this name, or by a name put together, as in emit("adopted_" + sort)."""
        return event in self.events or any(event.startswith(begun) for begun in self.events if begun.endswith("_"))


def known_in(rules: Iterable[Document]) -> Known:
    """Return what rules declare, use and answer (those in force, those being checked), with what the kernel offers."""
    documents = list(rules)
    named = [names_in(str(d.get("script") or "")) for d in documents]
    kinds = _block(documents, "defines", "kinds")
    currencies = _block(documents, "defines", "currencies")
    timers = frozenset(_block(documents, "timers"))
    settings = _block(documents, "settings")
    by_name = any(script.by_name for script in named)
    raised = frozenset[str]().union(*(script.raised | (script.words if by_name else set()) for script in named))
    outcomes = frozenset(_block(documents, "defines", "outcomes")) | frozenset(OUTCOMES)
    ended = {f"proposal_{outcome}" for outcome in outcomes}
    hooked = {name.replace("-", "_") for name in timers}
    registers = _registers(documents, kinds)
    kernel_questions = frozenset(n.removeprefix("decide_") for n in catalogue("questions"))
    changed = {f"changed_{name}" for names in registers.values() for name in names}
    payloads: dict[str, frozenset[str] | None] = dict.fromkeys(hooked, OF_TIMERS)
    for name, held in (payload for script in named for payload in script.payloads):  # of all that raise one together
        before = payloads.get(name, frozenset())
        payloads[name] = None if held is None or before is None else before | held
    return Known(
        registers=registers,
        kinds=frozenset({"player", "rule", "office", "proposal", *kinds}),
        currencies=frozenset(currencies),
        settings=frozenset(settings) | {str(s["name"]) for s in settings.values() if (s or {}).get("name")},
        actions=frozenset(_block(documents, "actions")) | (KERNEL_DECLARATIONS.keys() - BEYOND_RULES),
        timers=timers,
        offices=frozenset(_block(documents, "defines", "offices")),
        questions=kernel_questions.union(*(script.answered for script in named)),
        asked=kernel_questions.union(*(script.asked for script in named)),
        outcomes=outcomes,
        lawmaking=lawmaking_outcome(documents),
        events=raised | ended | hooked | changed | {n.removeprefix("on_") for n in catalogue("events")},
        payloads=payloads,
        scripts={
            f"{RULE}{rule[key]}": str(rule.get("script") or "")
            for key in ("uid", "rule")  # a number goes before a uid, as in play
            for rule in documents
            if rule.get(key)
        },
    )


def lawmaking_outcome(rules: Iterable[Document]) -> str:
    """Return what a proposal is called that some rules make law: adopted, unless their scripts know only another word.

    >>> lawmaking_outcome([{"script": 'def on_judged(e): resolve(e.proposal, "accepted")'}])
    'accepted'
    """
    documents = list(rules)
    named = [names_in(str(each.get("script") or "")) for each in documents]
    words = frozenset[str]().union(*(each.words for each in named))
    declared = _block(documents, "defines", "outcomes").items()
    known = (ADOPTED, *(name for name, spec in declared if (spec or {}).get("effective")), ACCEPTED)
    judged = any(ADOPTED in each.answered for each in named)
    return ADOPTED if judged else next(filter(words.__contains__, known), ADOPTED)


class ScriptNames(Struct, frozen=True):
    """What a script says by name: events that it raises (`by_name`: any of the law's `words`), and questions."""

    raised: frozenset[str]
    answered: frozenset[str]
    asked: frozenset[str]
    by_name: bool
    words: frozenset[str]
    payloads: tuple[tuple[str, frozenset[str] | None], ...]


@lru_cache(maxsize=2048)
def names_in(script: str) -> ScriptNames:
    """Return what a script says by name, looked for once: each rule of a law is checked beside all others."""
    tree, words = tree_of(script), [*filter(WORD.fullmatch, texts_of(script))]
    raised, payloads, by_name = set[str](), list[tuple[str, frozenset[str] | None]](), False
    own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    calls = [
        Call(node.func.id, node, "")
        for node in tree.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in own
    ]
    for call in calls:
        place = raised_by(call.name)
        if place is None:
            continue
        literal = call.literal(place)
        if literal is None:
            payloads += [(word, None) for word in words]
        else:
            payloads.append((str(literal.value).replace("-", "_"), _held(call, place)))
        if HOST.words[call.name].takes[place].type == "event":  # which nobody declares
            event = next(iter(call.node.args[place:]), None)  # a text, or how one begins: "adopted_" + sort
            by_name |= isinstance(event, ast.Name | None)
            raised |= {text_in(event.left if isinstance(event, ast.BinOp) else event)} if event else set()
    hooks = (hook.partition("_") for hook in hook_names(script))
    asked = (call.literal(0) for call in calls if raised_by(call.name, "question") == 0)
    return ScriptNames(
        frozenset(filter(None, raised)),
        frozenset(question for kind, _, question in hooks if kind == "decide"),
        frozenset(str(text.value) for text in asked if text),
        by_name,
        frozenset(words),
        tuple(payloads),
    )


def _held(call: Call, place: int) -> frozenset[str] | None:
    rest = call.node.args[place + 1 :]
    if any(isinstance(each, ast.Starred) for each in rest) or any(each.arg is None for each in call.node.keywords):
        return None
    named = frozenset(str(each.arg) for each in call.node.keywords)
    return named | (OF_TIMERS if HOST.words[call.name].takes[place].type == "timer" else frozenset())


def raised_by(function: str, *types: str) -> int | None:
    """Return where a function that raises an event, now or later, takes its name (or what `types` say); else None."""
    declared = HOST.words.get(function)
    return declared.place_of(*(types or ("event", "timer"))) if declared else None


def _block(documents: list[Document], *path: str) -> dict[str, Any]:
    """Return all declarations in a block by name, of the last that declares it."""
    found = declared_in((("", document) for document in reversed(documents)), *path)
    return {name: declared for name, (_, declared) in found.items()}


def _registers(documents: list[Document], kinds: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the registers by owner; those that several rules give to one kind are together its registers."""
    found: dict[str, set[str]] = {owner: set() for owner in OWNERS} | {kind: set(OF_THINGS) for kind in kinds}
    found[PLAYER] |= OF_PLAYERS | OF_THINGS
    found["office"] |= {"holder", "since"}
    for document in documents:
        for owner, name in declared_registers(document):
            found.setdefault(owner, set()).add(name)
    return {owner: frozenset().union(*(found.get(like, ()) for like in lineage(kinds, owner))) for owner in found}
