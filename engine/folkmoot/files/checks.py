"""What a rule, action, scenario or ruleset file must hold beyond its types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from folkmoot.core.declared_kinds import PLAYER
from folkmoot.core.event_names import HINT, forged
from folkmoot.core.rule_pasts import OF_A_REPEAL, OF_A_REVISION, Flaw, flaws_of
from folkmoot.core.told_patterns import flaw, named_in
from folkmoot.core.values import is_digits
from folkmoot.files.file_forms import ACT_STEP, KINDS, VOTE_STEP, Form, kind_of_value
from folkmoot.files.form_checker import NAMES, FormChecker, kind_of, nearest
from folkmoot.files.nodes import Node
from folkmoot.files.string_forms import shown

Check = Callable[[FormChecker, Node], None]

_PLAIN_KIND = {
    "integer": ("integer",), "time": ("integer",), "boolean": ("boolean",), "string": ("string",), "text": ("string",),
    "choice": ("string",), "player": ("string",), "rule": ("string",), "thing": ("string",), "office": ("string",),
    "square": ("string",), "proposal": ("integer", "string"),
    "list": ("list",), "map": ("map",), "changes": ("list",), "settings": ("map",),
}  # fmt: skip
_WORDS = {**NAMES, "map": "a map"}


def child(node: Node | None, *path: str) -> Node | None:
    """Return the node at a path of keys, None where there is none."""
    for name in path:
        node = node.child(name) if node is not None else None
    return node


def entries(node: Node | None) -> Iterator[tuple[Node, Node]]:
    """Yield the keys of a map with those values that are maps themselves."""
    if node is not None and node.kind == "map":
        yield from ((key, value) for key, value in node.pairs() if value.kind == "map")


def items_of(node: Node | None) -> list[Node]:
    """Return the maps that are items of a list."""
    return [each for each in node.children if each.kind == "map"] if node is not None and node.kind == "list" else []


def check_rule(checker: FormChecker, root: Node) -> None:
    """Check registers, currencies, arguments, timers and settings of a rule, and its examples."""
    for group in ("game", "player", "rule", "proposal", "office"):
        _check_registers(checker, child(root, "defines", group))
    for _, kind in entries(child(root, "defines", "kinds")):
        _check_registers(checker, child(kind, "registers"))
    for _, currency in entries(child(root, "defines", "currencies")):
        _check_typed(checker, currency, "integer", "initial")
    _check_currency_names(checker, root)
    for _, action in entries(child(root, "actions")):
        _check_told(checker, action)
        for _, argument in entries(child(action, "arguments")):
            _check_typed(checker, argument, _word(argument, "type"), "default")
    for name, timer in entries(child(root, "timers")):
        if flaw := forged(str(name.value)):
            checker.report("E-ARGS", f"a timer cannot be called so: {flaw}", name.position, HINT)
        _check_timer(checker, timer)
    _check_settings(checker, child(root, "settings"))
    examples = child(root, "examples")
    for example in examples.children if examples is not None else ():
        check_scenario_body(checker, example)


def _check_told(checker: FormChecker, action: Node) -> None:
    """Check that the words for what was done can be read, and name arguments of the action alone."""
    told, given = child(action, "told"), child(action, "arguments")
    pattern = told.value if told is not None else None
    if told is None or not isinstance(pattern, str):
        return
    if said := flaw(pattern):
        hint = "write it as in `sold {what}[ for {price} coins]`"
        checker.report("E-FORMAT", f"`told` cannot be read: {said}", told.position, hint)
        return
    known = [str(key.value) for key, _ in given.pairs()] if given is not None and given.kind == "map" else []
    for name in dict.fromkeys(named_in(pattern)):
        if name not in known:
            message = f"`told` names `{name}`, which is no argument of this action"
            checker.report("E-CONFLICT", message, told.position, nearest(name, known))


def _check_registers(checker: FormChecker, node: Node | None) -> None:
    for _, register in entries(node):
        _check_typed(checker, register, _word(register, "type"), "initial")


def _word(node: Node, name: str) -> str:
    value = child(node, name)
    return value.value if value is not None and isinstance(value.value, str) else ""


def _number(node: Node, name: str) -> int | None:
    value = child(node, name)
    return value.value if value is not None and type(value.value) is int else None


def _check_typed(checker: FormChecker, node: Node, kind: str, start: str) -> None:
    """Check bounds, words and first value of a register, currency or argument of a type."""
    _check_bounds(checker, node, kind)
    _check_words(checker, node, kind)
    if kind != "thing" and (of_kind := child(node, "kind")) is not None:
        checker.report("E-CONFLICT", f"`kind` belongs to the type thing, not {kind or 'another'}", of_kind.position)
    value = child(node, start)
    if value is not None and kind in _PLAIN_KIND:
        _check_start(checker, node, kind, start, value)


def _check_bounds(checker: FormChecker, node: Node, kind: str) -> None:
    low, high = _number(node, "minimum"), _number(node, "maximum")
    for name in ("minimum", "maximum"):
        bound = child(node, name)
        if bound is not None and kind not in ("integer", "time", ""):
            checker.report("E-CONFLICT", f"`{name}` belongs to whole numbers, not to the type {kind}", bound.position)
    upper = child(node, "maximum")
    if low is not None and high is not None and upper is not None and low > high:
        checker.report("E-RANGE", f"the maximum {high} lies below the minimum {low}", upper.position, "swap the two")


def _check_words(checker: FormChecker, node: Node, kind: str) -> None:
    words, named = child(node, "of"), child(node, "type")
    none = words is None or (words.kind == "list" and not words.children)
    if kind == "choice" and none and named is not None:
        place = (words or named).position
        checker.report("E-MISSING", "a choice needs the words to choose from", place, "add `of: [one, two]`")
    if kind not in ("choice", "") and words is not None:
        checker.report("E-CONFLICT", f"`of` belongs to the type choice, not to {kind}", words.position, "delete it")


def _check_start(checker: FormChecker, node: Node, kind: str, start: str, value: Node) -> None:
    optional = child(node, "optional")
    if kind_of(value) == "null":
        may_be_null = (optional is not None and optional.value is True) or start == "default"
        if not may_be_null and kind in ("integer", "boolean", "choice"):
            hint = "add `optional: true`, or give it a value"
            checker.report("E-INITIAL", f"`{start}` is null, but the register is not optional", value.position, hint)
        return
    if kind_of(value) not in _PLAIN_KIND[kind]:
        expected = " or ".join(_WORDS[word] for word in _PLAIN_KIND[kind])
        checker.report("E-INITIAL", f"`{start}` of the type {kind} must be {expected}", value.position)
        return
    low, high = _number(node, "minimum"), _number(node, "maximum")
    if kind == "integer" and ((low is not None and value.value < low) or (high is not None and value.value > high)):
        bounds = " and ".join(f"{word} {n}" for word, n in (("at least", low), ("at most", high)) if n is not None)
        checker.report("E-INITIAL", f"`{start}` is {value.value}, but must be {bounds}", value.position)
    words = [item.value for item in (child(node, "of") or Node("list", None, value.position)).children]
    if kind == "choice" and words and value.value not in words:
        message = f"`{start}` is `{value.value}`, which is none of the choices"
        checker.report("E-INITIAL", message, value.position, nearest(value.value, [str(word) for word in words]))


def _check_currency_names(checker: FormChecker, root: Node) -> None:
    """A currency is a register of its owners; both have one name."""
    for key, currency in entries(child(root, "defines", "currencies")):
        named = child(currency, "owners")
        said = named.plain() if named is not None else None
        both = [owner for owner in _owners(said) if child(root, "defines", owner, key.value) is not None]
        for owners in both[:1]:
            message = f"`{key.value}` is a register of every {owners} here, and a currency too"
            checker.report("E-CONFLICT", message, key.position, "a currency is a register already: delete the other")


def _owners(said: Any) -> list[str]:
    """Return the owners that a currency is declared with, as far as that is sound."""
    named = said if isinstance(said, list) else [said or PLAYER]
    return [owner for owner in named if isinstance(owner, str)]


def _check_timer(checker: FormChecker, timer: Node) -> None:
    every = _word(timer, "every")
    for name, needed in (("weekday", "week"), ("day", "month")):
        value = child(timer, name)
        if value is not None and every != needed:
            checker.report("E-CONFLICT", f"`{name}` needs `every: {needed}`", value.position, f"add `every: {needed}`")
    several, starting, named = is_digits(every[:1]), child(timer, "starting"), child(timer, "every")
    if starting is not None and not several:
        hint = "add `every: 10 days`, or as many of which you like"
        checker.report("E-CONFLICT", "`starting` needs `every` with a number", starting.position, hint)
    if several and starting is None and named is not None:
        message = f"a timer of every {every} needs the date of its first firing"
        checker.report("E-MISSING", message, named.position, "add `starting: 2026-05-01`")
    time = child(timer, "time")
    if time is not None and not every:
        checker.report("E-CONFLICT", "`time` needs `every`", time.position, "add `every: day`, or delete the time")
    if named is not None and every == "week" and child(timer, "weekday") is None:
        checker.report("E-MISSING", "a timer of every week needs its weekday", named.position, "add `weekday: sunday`")


def _check_settings(checker: FormChecker, settings: Node | None) -> None:
    names: dict[str, Node] = {}
    for key, setting in entries(settings):
        name = _word(setting, "name") or key.value
        if name in names:
            place = (child(setting, "name") or key).position
            message = f"two settings of this rule are called `{name}`"
            checker.report("E-DUPLICATE", message, place, "give each its own name")
        names[name] = key
        default, alternatives = child(setting, "default"), child(setting, "alternatives")
        if default is None or alternatives is None or alternatives.kind != "map" or not alternatives.children:
            continue
        words = [word.value for word, _ in alternatives.pairs()]
        if default.value not in words:
            message = f"the default `{default.value}` is none of the alternatives"
            checker.report("E-INITIAL", message, default.position, nearest(str(default.value), words))


# -- actions, settings, scenarios, rulesets


def check_action(checker: FormChecker, root: Node, form: Form | None = None) -> None:
    """Check that an action file does one thing."""
    do, vote = child(root, "do"), child(root, "vote")
    if do is None and vote is None and root.kind == "map":
        checker.report("E-MISSING", "the file says neither `do` nor `vote`", root.position, "add `do:` with an action")
    if do is not None and vote is not None:
        checker.report("E-CONFLICT", "`do` and `vote` exclude each other", vote.position, "use two files")
    _check_vote(checker, root, KINDS["action"].form if form is None else form)


def check_acts(checker: FormChecker, root: Node) -> None:
    """Check that each of the acts of a file does one thing."""
    for act in items_of(child(root, "acts")):
        check_action(checker, act, KINDS["acts"].form.properties["acts"].items)


def _check_vote(checker: FormChecker, node: Node, form: Form) -> None:
    vote, known = child(node, "vote"), form.properties
    targets = [(key, value) for key, value in node.pairs() if key.value not in known] if node.kind == "map" else []
    if vote is not None and not targets:
        checker.report("E-MISSING", "a vote needs what it is on", vote.position, "add `proposal:`, or another kind")
    if vote is not None and len(targets) > 1:
        checker.report("E-CONFLICT", "a vote is on one thing", targets[1][1].position, "delete one of the two")
    if vote is None and child(node, "do") is not None:
        if (reason := child(node, "reason")) is not None:
            message = "`reason` belongs to a vote, not to an action"
            checker.report("E-CONFLICT", message, reason.position, "put it below `args`")
        for key, _value in targets if form.others is not None else ():
            message = f"`{shown(str(key.value))}` would be what a vote is on, and this is none"
            checker.report("E-CONFLICT", message, key.position, "put it below `args`")


def check_scenario(checker: FormChecker, root: Node) -> None:
    """Check that a scenario says whose law it plays by, and its steps."""
    if root.kind == "map" and child(root, "ruleset") is None:
        checker.report("E-MISSING", "the scenario has no `ruleset`", root.position, "add `ruleset: suber`")
    check_scenario_body(checker, root)


def check_scenario_body(checker: FormChecker, root: Node) -> None:
    """Check people, dice and steps of a scenario or of a rule's example."""
    _check_people(checker, child(root, "players"))
    chance, dice = child(root, "chance"), child(root, "dice")
    if chance is not None and dice is not None:
        checker.report("E-CONFLICT", "`dice` and `chance` exclude each other", dice.position, "delete one of the two")
    steps = child(root, "steps")
    for step in steps.children if steps is not None and steps.kind == "list" else ():
        _check_vote(checker, step, VOTE_STEP if child(step, "vote") is not None else ACT_STEP)
        stage = child(step, "at_stage")
        if stage is not None and child(step, "refused") is None:
            checker.report("E-CONFLICT", "`at_stage` needs `refused`", stage.position, "add `refused:` with a code")


def _check_people(checker: FormChecker, people: Node | None) -> None:
    seen: set[Any] = set()
    for person in people.children if people is not None and people.kind == "list" else ():
        id_ = child(person, "id") if person.kind == "map" else person
        if id_ is not None and kind_of_value(id_.value) == "string" and id_.kind == "scalar":
            if id_.value in seen:
                checker.report("E-DUPLICATE", f"the player `{id_.value}` stands here twice", id_.position)
            seen.add(id_.value)


def check_history(checker: FormChecker, root: Node) -> None:
    """Check the past of a rule: dates in order, changes that can be, and names that stand once."""
    revisions = child(root, "revisions")
    if revisions is None or revisions.kind != "list":
        return
    if not revisions.children:
        checker.report("E-MISSING", "this past has no revision", revisions.position, "write one, or delete the file")
    _check_past(checker, revisions)


def _check_past(checker: FormChecker, revisions: Node) -> None:
    items = [each.plain() for each in revisions.children if each.kind == "map"]
    if len(items) != len(revisions.children):
        return
    found = [*flaws_of(items)]
    for place, said in enumerate(items[:-1]):
        if "because" in said and not said.get("repealed"):
            found.append(Flaw(place, "because", "`because` is of a repeal, and this is none", "call it `note`"))
    for wrong in found:
        node = revisions.children[wrong.place]
        value = node.child(wrong.key)
        if value is None or wrong.key in OF_A_REPEAL | OF_A_REVISION:  # the form tells of all other keys
            checker.report(wrong.code, wrong.message, (value or node).position, wrong.hint)


def check_ruleset(checker: FormChecker, root: Node) -> None:
    """Check the people of a ruleset, and the past of its rules."""
    _check_people(checker, child(root, "people"))
    history = child(root, "history")
    for _uid, revisions in history.pairs() if history is not None and history.kind == "map" else ():
        if revisions.kind == "list":
            _check_past(checker, revisions)


CHECKS: dict[str, Check] = {
    "rule": check_rule,
    "action": check_action,
    "acts": check_acts,
    "settings": lambda checker, root: _check_people(checker, child(root, "players")),
    "announce": lambda _checker, _root: None,
    "scenario": check_scenario,
    "history": check_history,
    "decided": lambda _checker, _root: None,
    "ruleset": check_ruleset,
}
