"""The names that a ruleset offers to those who write scenarios: published as one record."""

from __future__ import annotations

import re

from folkmoot.core.declared_kinds import OWNERS, declared_in
from folkmoot.core.documents import RuleDocument
from folkmoot.core.records import Shown
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from folkmoot.language.tree import hook_names, texts_of
from folkmoot.scenarios.known_names import names_in

CODE = re.compile(r"E-[A-Z][A-Z-]*")


def vocabulary(name: str) -> Shown:
    """Return actions, registers, kinds, offices, settings, timers, events, questions, pages and codes of a ruleset.

    Raises E-NO-SUCH where there is no such ruleset.
    """
    rules = rulesets.founding(name)["rules"]
    scripts = [rule.get("script") or "" for rule in rules]
    hooks = [hook.partition("_") for script in scripts for hook in hook_names(script)]
    repairs = {name: KERNEL_DECLARATIONS[name] for name in ADMINISTRATIVE}
    actions = KERNEL_DECLARATIONS | _declared(rules, "actions") | repairs  # rules prevail but in repairs
    return {
        "ruleset": name,
        "actions": actions,
        "registers": {owner: _declared(rules, "defines", owner) for owner in OWNERS},
        "kinds": _kinds(rules),
        "currencies": _declared(rules, "defines", "currencies"),
        "offices": _declared(rules, "defines", "offices"),
        "settings": _declared(rules, "settings"),
        "timers": _declared(rules, "timers"),
        "events": sorted(frozenset().union(*(names_in(script).raised for script in scripts))),
        "questions": sorted({name for kind, _, name in hooks if kind == "decide"}),
        "pages": sorted({name for kind, _, name in hooks if kind == "show"}),
        "codes": sorted({text for script in scripts for text in texts_of(script) if CODE.fullmatch(text)}),
    }


def _kinds(rules: list[RuleDocument]) -> Shown:
    """Return the kinds of things by name, each with the registers that any rule gives it."""
    found = {}
    for kind, declared in _declared(rules, "defines", "kinds").items():
        given = declared_in(((rule["rule"], rule) for rule in rules), "defines", "kinds", kind, "registers")
        registers = {name: spec for name, (_number, spec) in given.items()}
        found[kind] = {**declared, "registers": registers} if registers else declared
    return found


def _declared(rules: list[RuleDocument], *path: str) -> Shown:
    """Return what rules declare in a block by name, each with the rule that declares it."""
    found = declared_in(((rule["rule"], rule) for rule in rules), *path)
    return {name: {**(declaration or {}), "rule": number} for name, (number, declaration) in found.items()}
