"""The check of a rule's script before anything runs: scan, parser, types, shapes of hooks, purity and known names.

What would certainly fail is E-SCRIPT; what is only likely to be a slip is W-SCRIPT, a hint.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby, islice

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core import event_names
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Document
from folkmoot.core.misspelt import did_you_mean, meant_by
from folkmoot.core.problems import Position, Problem
from folkmoot.kernel.host import HOST
from folkmoot.language.binding import DEBUG, ScriptError, diagnose
from folkmoot.language.calls import LOADING, Call, Reading, Text, plain_text, reached, read
from folkmoot.language.declarations import (
    Declaration,
    Parameter,
    catalogue,
    hook_like,
    library_modules,
    library_names,
    starlark_type,
)
from folkmoot.language.tree import (
    MAX_PROBLEMS,
    PURE,
    RULE,
    START,
    Function,
    given_names,
    loaded_rules,
    place_of,
    problem,
    refusal,
    scan,
    shift,
    tree_of,
    walk,
    written,
)
from folkmoot.scenarios.known_names import Known, raised_by

HINT = "W-SCRIPT"
UNREADABLE = frozenset({"size", "depth"})  # the checks would take too long over it, or find nothing of use
UNPARSABLE = frozenset({"size", "depth", "word", "character", "float"})
REFUSING = "require"  # which fails, where it does, while a script loads, and refuses no act in a listener
LIKE = 0.8  # how much alike two questions are of which one may be a slip for the other


def check_script(rule: Document, known: Known | None, place: Position = START) -> list[Problem]:
    """Return what is wrong, or looks so, with a rule's script at a `place`; without `known` names are let pass."""
    script = str(rule.get("script") or "")
    if not script.strip():
        return []
    found = list(scan(script).problems)
    if not any(p.arguments.get("check") in UNREADABLE for p in found):
        found += _found_in(script, rule, known, parsed=not any(p.arguments.get("check") in UNPARSABLE for p in found))
    found.sort(key=lambda p: (p.position or Position(""), p.code, p.message, p.hint))
    return [replace(p, position=shift(p.position, place)) for p, _alike in groupby(found)]


def _found_in(script: str, document: Document, known: Known | None, *, parsed: bool) -> Iterator[Problem]:
    """Yield what the parser and the checks find, of each at most as many as the scan shows."""
    reading = read(script)
    if parsed:
        errors = diagnose(script, HOST.prelude)[:MAX_PROBLEMS]
        yield from (_from_parser(error, reading) for error in errors)
        if reading.scan.unread is not None:
            yield from () if errors else (reading.scan.unread,)
            return
    of_names = () if known is None else (partial(check, known=known) for check in CHECKS_OF_NAMES)
    for check in (*CHECKS, partial(fields, known=known), *of_names):
        yield from islice(check(reading, document), MAX_PROBLEMS)


WAYS = {
    **{f"`{sign}`": 'write straight quotation marks, as in "score"' for sign in "“”„‘’"},
    "tabs are": "write blanks",
    "`print` not found": f"`{DEBUG}` shows values to whoever tries the rule",
    **dict.fromkeys(("`null` not found", "`none` not found"), "write None"),
    **dict.fromkeys(("`random` not found", "`randint` not found"), "draw by roll(6), between(1, 10) or pick(list)"),
    "`players` not found": 'things("player") are all players',
    "`game` not found": 'write "game" in quotation marks',
    "`set` not found": "a map holds each key once; put(owner, name, value) sets a register",
    "`isinstance` not found": 'compare its type: type(value) == "int"',
    "attribute `count`": "count what you pick: len([each for each in values if each == wanted])",
    "attribute `sort`": "write sorted(values)",
    "attribute `copy`": "write list(values), or dict(values)",
    "keyword 'for'": "write square brackets around it: [each for each in values]",
    "symbol '&'": "write `and`",
    "symbol '|'": "write `or`",
    "invalid input `!`": "write `not`",
    "not a valid identifier": 'in braces stands a name alone; else write "%s" % value',
}
UNKNOWN = re.compile("variable `([^`]+)` not found")


def _from_parser(error: ScriptError, reading: Reading) -> Problem:
    place = Position("", error.line, error.column)
    if error.word:
        return refusal(error.word, place)
    sentence = (error.message[:1].lower() + error.message[1:]).partition(", expected one of")[0]
    head, _, near = sentence.partition(", did you mean ")
    hint = next((WAYS[sign] for sign in WAYS if sign in head), "") or _meant(head, near.strip("`?"))
    if head.startswith(OF_CALLS) and (found := _call_at(place, reading)):
        word, parameter = found
        given = f" as `{parameter}`" if parameter and head.startswith(TYPE) else ""
        return problem("types", f"{head}{given} in `{word.name}`", place, word.signature)
    return problem("types", head, place, hint)


def _meant(head: str, near: str) -> str:
    """Return where a word that is not found can be loaded from, or whether a word was meant that is like it."""
    word = "".join(UNKNOWN.findall(head))
    lends = next((module for module in library_modules() if word in library_names(module)), "")
    if lends:
        return f'load("{lends}", "{word}") at the top of the script'
    return did_you_mean(word, [near]) if word else f"did you mean `{near}`?" * bool(near)


TYPE = "expected type"
OF_CALLS = (TYPE, "missing required", "too many positional", "unexpected parameter")


def _call_at(place: Position, reading: Reading) -> tuple[Declaration, str] | None:
    """Return the host function that is called wrongly at a place, and which parameter the argument there is."""
    for call in reading.calls:
        word = HOST.words.get(call.name)
        at = [number for number, each in enumerate(call.node.args) if place_of(each) == place]
        named = [str(each.arg) for each in call.node.keywords if place in (place_of(each), place_of(each.value))]
        if word is not None and (at or named or call.place == place):
            takes = word.names
            return word, "".join(named) or "".join(takes[number] for number in at if number < len(takes))
    return None


def _likely(check: str, message: str, place: Position, hint: str = "") -> Problem:
    return replace(problem(check, message, place, hint), code=HINT)


def at_name(function: Function) -> Position:
    """Return the place of a function's name."""
    return Position("", function.line, function.column)


# -- shapes ------------------------------------------------------------------------------------------------------------


def repeated(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield top-level functions that a later one of the same name replaces."""
    for name, function in reading.scan.repeated:
        message = f"`{name}` is defined again further down, and only the last one counts"
        yield problem("repeated", message, at_name(function), "rename one of them, or make them one")


def loads(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield loads of modules or names that the library does not have."""
    for load in reading.scan.loads:
        place = Position("", load.line, load.column)
        if load.module.startswith(RULE):
            continue  # of which `loads_of_rules` speaks
        if load.module not in library_modules():
            hint = did_you_mean(load.module, library_modules()) or f"there are {', '.join(library_modules())}"
            yield problem("load", f"there is no library module `{load.module}`", place, hint)
            continue
        for name in load.names.values():
            if name not in library_names(load.module):
                message = f"the library module `{load.module}` has no `{name}`"
                yield problem("load", message, place, did_you_mean(name, library_names(load.module)))


def loads_of_rules(reading: Reading, document: Document, known: Known) -> Iterator[Problem]:
    """Yield what is loaded from a rule that does not have it, by the script or from it."""
    for load in reading.scan.loads:
        place, script = Position("", load.line, load.column), known.scripts.get(load.module, "")
        if load.module.startswith(RULE) and not script:
            hint = 'name one that has a script by its number, as "rule/207"'
            yield problem("load", f"there is no {load.module.replace('/', ' ')} with a script", place, hint)
        elif load.module.startswith(RULE):
            names = given_names(script)
            for name in load.names.values():
                if name not in names:
                    message = f"{load.module.replace('/', ' ')} has no `{name}`"
                    yield problem("load", message, place, did_you_mean(name, names))
    own = {f"{RULE}{document[key]}" for key in ("rule", "uid") if document.get(key)}
    names = given_names(str(document.get("script") or ""))
    for script, other in {script: other for other, script in known.scripts.items()}.items():  # by its number alone
        for load in scan(script).loads if own.intersection(loaded_rules(script)) else ():
            if load.module in own and (gone := [name for name in load.names.values() if name not in names]):
                message = f"{other.replace('/', ' ')} loads `{gone[0]}` from this rule, which has no such name"
                yield _likely("load", message, START, did_you_mean(gone[0], names))


def hooks(reading: Reading, document: Document) -> Iterator[Problem]:
    """Yield hooks that take another number of arguments than they get, and actions without a hook."""
    own = called_by_itself(reading)
    for name, function in reading.scan.functions.items():
        if name in HOST.words and name != "permit":  # of which `uncalled` speaks
            message = f"`{name}` hides the host function of this name from the rest of the script"
            yield _likely("hook", message, at_name(function), "give a helper of your own another name")
        called = catalogue("questions").get(name) or (None if name.startswith("decide_") else hook_like(name))
        if called is not None and not takes(function, len(called.names)):
            given = f"{len(called.names)} argument{'' if len(called.names) == 1 else 's'}"
            message = f"`{name}` is called with {given}, but takes {', '.join(function.parameters) or 'none'}"
            if name in own and is_helper(name, document):
                message = f"`{name}` is called like a hook, which the engine calls with {given}"
                yield _likely("hook", message, at_name(function), "give a helper of your own another name")
            else:
                yield problem("hook", message, at_name(function), f"write `def {name}({called.parameters}):`")
    for action, declared in (document.get("actions") or {}).items():
        if f"do_{action}" not in reading.scan.functions and not (declared or {}).get("travels"):
            hint = f"write `def do_{action}(a):`, unless another rule that declares it does"
            yield _likely("hook", f"the action `{action}` does nothing here", START, hint)
        types = [(spec or {}).get("type") for spec in ((declared or {}).get("arguments") or {}).values()]
        if (declared or {}).get("takes") == "pull_requests" and "changes" not in types:
            hint = "give it an argument of type `changes`, or leave `takes` out"
            yield _likely("hook", f"the action `{action}` takes in no rule-changes", START, hint)


def uncalled(reading: Reading, document: Document, known: Known) -> Iterator[Problem]:
    """Yield hooks that nobody calls."""
    own = called_by_itself(reading)
    for name, function in reading.scan.functions.items():
        if not (name in own and is_helper(name, document)):
            yield from _uncalled(name, function, document, known)


def is_helper(name: str, document: Document) -> bool:
    """Return whether a function that its script calls itself need not be the hook that its name may stand for."""
    kind, _, subject = name.partition("_")
    if kind == "do":
        return subject not in (document.get("actions") or {})
    hook = kind in ("forbid", "permit", "adjust", "on") and bool(subject)
    return hook and name not in catalogue("events")


def takes(function: Function, count: int) -> bool:
    """Return whether a function can be called with so many positional arguments."""
    named = [p for p in function.parameters if not p.startswith("*")]
    rest = any(p.startswith("*") and not p.startswith("**") and len(p) > 1 for p in function.parameters)
    return function.required <= count and (rest or count <= len(named))


def _uncalled(name: str, function: Function, document: Document, known: Known) -> Iterator[Problem]:
    kind, _, subject = name.partition("_")
    if name == "on_proposal_adopted" and known.lawmaking != event_names.ADOPTED:
        message = f"by these rules a proposal is {known.lawmaking}, not adopted, so `{name}` never runs"
        yield _likely("hook", message, at_name(function), f"write `on_proposal_{known.lawmaking}`")
    elif kind == "on" and subject and not known.raises(subject):
        hint = did_you_mean(subject, known.events) or "emit it somewhere, or declare a timer of this name"
        yield _likely("hook", f"no rule and no timer raises the event `{subject}`", at_name(function), hint)
    elif kind == "do" and subject and subject not in (document.get("actions") or {}):
        hint = did_you_mean(subject, document.get("actions") or {}) or f"declare `{subject}` under `actions:`"
        yield problem(
            "hook", f"this rule declares no action `{subject}`, so `{name}` never runs", at_name(function), hint
        )
    elif kind in ("forbid", "permit") and subject and subject not in known.actions:
        hint = did_you_mean(subject, known.actions)
        yield _likely("hook", f"no rule offers the action `{subject}`", at_name(function), hint)
    elif kind == "adjust" and subject and subject not in {"award", *known.currencies}:
        yield _likely("hook", f"the engine calls no hook `{name}`", at_name(function), "did you mean `adjust_award`?")
    elif kind == "decide" and subject not in known.asked:
        meant = meant_by(subject, sorted(known.asked), LIKE)
        if meant:
            message = f"nobody asks the question `{subject}`"
            yield _likely("hook", message, at_name(function), f"did you mean `decide_{meant}`?")
    elif name == "permit":
        yield _likely("hook", "the engine calls no hook `permit`", at_name(function), "write `permit_<action>`")


# -- what may be done where --------------------------------------------------------------------------------------------


def purity(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield writes that a hook may reach which may only look."""
    writing: dict[str, list[Call]] = {}
    for call in reading.calls:
        if HOST.writes(call.name):
            writing.setdefault(call.inside, []).append(call)
    for hook in reading.scan.functions if writing else ():
        if hook.startswith(PURE):
            for function in reached(reading.mentions, hook):
                for call in writing.get(function, ()):
                    through = "" if call.inside == hook else f", here by way of `{call.inside}`,"
                    message = f"`{hook}` may only look, and `{call.name}`{through} does more than that"
                    yield problem("pure", message, call.place, "write in on_ and do_ hooks")


def refusing_listeners(reading: Reading, document: Document) -> Iterator[Problem]:
    """Yield what a listener would refuse: it hears what is done already, and nothing is undone but what it does."""
    refusals = [call for call in reading.calls if call.name == REFUSING]
    for hook in reading.scan.functions if refusals and not document.get("once") else ():
        if hook.startswith("on_"):
            inside = set(reached(reading.called, hook))
            for call in refusals:
                if call.inside in inside:
                    message = f"`{hook}` hears what is done already, and `require` in it refuses no act"
                    yield problem("listener", message, call.place, "refuse it before, in do_, forbid_ or a question")


def loading(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield what would read or act while the script loads."""
    for call in reading.calls:
        if call.inside == LOADING and HOST.asks(call.name) and call.name != REFUSING:
            message = f"`{call.name}` cannot be called while the script loads"
            yield problem("loading", message, call.place, "call it in a hook or in a function of its own")


# -- names -------------------------------------------------------------------------------------------------------------


def names(reading: Reading, _document: Document, known: Known) -> Iterator[Problem]:
    """Yield names in quotation marks that the game does not know."""
    for call in reading.calls:
        for place, parameter in enumerate(_takes(call)):
            if parameter.type == "register":
                yield from _register(call, place, known)
            elif parameter.type == "registers":
                yield from _registers(call, known)
            elif parameter.type in NAMED:
                what, of, sure = NAMED[parameter.type]
                choices: frozenset[str] = getattr(known, of)
                for literal in _named_by(call, place, parameter.name):
                    if (name := str(literal.value)) not in choices:
                        make = problem if sure else _likely
                        yield make("name", f"no rule {what} `{name}`", place_of(literal), did_you_mean(name, choices))


def _takes(call: Call) -> tuple[Parameter, ...]:
    declared = HOST.words.get(call.name)
    return declared.takes if declared else ()


def _named_by(call: Call, place: int, name: str) -> list[Text]:
    """Return each name that an argument gives in plain words, by itself or in a list; none where one is not plain."""
    given = call.argument(place, name)
    found = [plain_text(each) for each in (given.elts if isinstance(given, ast.List) else [given])]
    return [each for each in found if each is not None] if None not in found else []


def doing(_reading: Reading, document: Document, known: Known) -> Iterator[Problem]:
    """Yield kinds of things that may do an action, and offices as which one does it, that no rule declares."""
    for action, declared in (document.get("actions") or {}).items():
        office = (declared or {}).get("as")
        if isinstance(office, str) and office not in known.offices:
            message = f"no rule declares the office `{office}`, as which one does `{action}`, so that nobody can"
            hint = did_you_mean(office, known.offices) or f"declare it: `defines: {{offices: {{{office}: {{}}}}}}`"
            yield problem("name", message, START, hint)
        who = (declared or {}).get("who") or ()
        for word in [who] if isinstance(who, str) else who:
            if word not in known.kinds and word != "anyone":
                message = f"no rule declares the kind of thing `{word}`, which may do `{action}`"
                hint = did_you_mean(word, [*known.kinds, "anyone"]) or "`who` is player, anyone, or kinds of things"
                yield problem("name", message, START, hint)


NAMED = {
    "setting": ("has the setting", "settings", True),
    "currency": ("declares the currency", "currencies", False),
    "kind": ("declares the kind of thing", "kinds", False),
    "new_kind": ("declares the kind of thing", "kinds", True),
    "question": ("answers the question", "questions", False),
    "outcome": ("declares the outcome", "outcomes", True),
    "office": ("declares the office", "offices", False),
    **dict.fromkeys(("action", "actions"), ("offers the action", "actions", False)),
    "timer": ("declares the timer", "timers", False),
}
"""What no rule does where a name is not known, by what an argument is declared as; and whether that surely fails."""


def _register(call: Call, place: int, known: Known) -> Iterator[Problem]:
    """Yield the register that a call names at a place, where nobody declares it and no default stands for it."""
    takes = _takes(call)
    literal, names = call.literal(place, takes[place].name), [each.name for each in takes]
    if literal is None or ("default" in names and call.argument(names.index("default"), "default")):
        return
    name, at_literal = str(literal.value), place_of(literal)
    owner = call.literal(0) if takes[0].type == "ref" else None
    if owner and owner.value == "settings":
        if name not in known.settings:
            yield problem("name", f"no rule has the setting `{name}`", at_literal, did_you_mean(name, known.settings))
        return
    whose = "game" if owner and owner.value == "game" else ""
    choices = known.registers.get(whose, frozenset()) if whose else known.every_register()
    if name not in choices:
        of = " of the game" if whose else ""
        yield problem("name", f"no rule declares a register `{name}`{of}", at_literal, did_you_mean(name, choices))


def _registers(call: Call, known: Known) -> Iterator[Problem]:
    """Yield the registers that a call names as arguments, as in create("ball", colour = "red"), and nobody declares."""
    own = HOST.words[call.name].names
    place = own.index("kind")
    kind = call.literal(place, "kind")
    if kind is None and call.argument(place, "kind"):
        choices, of = known.every_register(), ""
    else:
        name = str(kind.value) if kind else PROPOSAL
        choices, of = known.registers.get(name, known.every_register()), f" of {name}"
    for each in call.node.keywords:
        if each.arg and each.arg not in own and each.arg not in choices:
            at = Position("", each.lineno, each.col_offset + 1)
            yield problem("name", f"no rule declares a register `{each.arg}`{of}", at, did_you_mean(each.arg, choices))


def called_by_itself(reading: Reading) -> frozenset[str]:
    """Return the functions that a script calls or names itself: also a hook may be a mere helper."""
    return frozenset(name for mentioned in reading.mentions.values() for name in mentioned)


def raised(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield events and timers that a script would raise under a name of the engine's."""
    for call in reading.calls:
        place = raised_by(call.name)
        literal = call.literal(place) if place is not None else None
        forged = event_names.forged(str(literal.value)) if literal else ""
        if literal and forged:
            yield problem("name", forged, place_of(literal), event_names.HINT)


def debugging(reading: Reading, _document: Document) -> Iterator[Problem]:
    """Yield what is shown to those who try a rule, and to nobody in play."""
    for call in reading.calls:
        if call.name == DEBUG:
            yield _likely("debug", "`debug` is seen by nobody in play", call.place, "take it out of what you propose")


def opinions(reading: Reading, document: Document) -> Iterator[Problem]:
    """Yield what a guard returns that says neither yes nor no, and so would count as its failure."""
    own, script = called_by_itself(reading), str(document.get("script") or "")
    for function in tree_of(script).body:
        name = function.name if isinstance(function, ast.FunctionDef) else ""
        plain = name == "forbid" or name.startswith("forbid_")
        question = catalogue("questions").get(name)
        yes_or_no = question is not None and question.answer == "permission"
        if not (plain or yes_or_no) or (name in own and is_helper(name, document)):
            continue
        nodes = walk(function)
        if any(isinstance(node, ast.FunctionDef) for node in nodes[1:]):
            continue
        for given in [node.value for node in nodes if isinstance(node, ast.Return)]:
            known = given.value if isinstance(given, ast.Constant) else "" if isinstance(given, ast.JoinedStr) else None
            if given is not None and (isinstance(known, str) or type(known) is int or (plain and known is True)):
                text = written(script, given)
                message = f"`{name}` returns {text}, which is no answer: it would count as a failure, and refuse"
                yield problem("opinion", message, place_of(given), OPINION if plain else YES_OR_NO_HINT)


OPINION = "return refuse(code, why), hold(label), permit() or None"
YES_OR_NO_HINT = "return refuse(code, why), True or None"

# -- fields of what the engine shows a script (proposals, rules, ballots, events…) that are not there -----------------
#
# Which record a parameter, a field or the answer of a function is, is read from the catalogue: its meaning begins with
# the record's name ("the proposal as it was", "a rule", "the ballots on it"). What a name of a script means is followed
# as long as it is plain; where a name may mean two things nothing is said of it.


BEGINS = re.compile(r"(?:the|a|an|another) (\w+?)(s?)\b", re.ASCII)
PASSES = 4  # of names that are given the value of other names


class Shape(Struct, frozen=True):
    """What a value is: in words, its fields with what they are (None: not known), `each` for a list of such."""

    called: str
    fields: Mapping[str, Shape | None]
    each: bool = False
    sure: bool = True


Names = dict[str, Shape | None]


@cache
def shape_of(record: str) -> Shape:
    """Return the shape of a record of the catalogue."""
    fields = _fields(catalogue("records")[record])
    called = "act that waits" if record == "held" else record
    return Shape(f"{'an' if called[0] in 'aeiou' else 'a'} {called}", fields)


def _fields(declared: Declaration) -> dict[str, Shape | None]:
    return {name.partition(".")[2]: shape_meant(meaning) for name, meaning in declared.fields.items() if "." in name}


def shape_meant(meaning: str) -> Shape | None:
    """Return what a parameter or field is, by the first words of its meaning; None where that is no record."""
    found = BEGINS.match(meaning)
    if found is None or found[1] not in catalogue("records"):
        return None
    return replace(shape_of(found[1]), each=bool(found[2]))


def fields(reading: Reading, document: Document, known: Known | None) -> Iterator[Problem]:
    """Yield fields that are read of events, proposals, rules and the like, and that those do not have."""
    called = called_by_itself(reading)  # with whatever the script likes
    functions = [node for node in tree_of(str(document.get("script") or "")).body if isinstance(node, ast.FunctionDef)]
    own = frozenset(function.name for function in functions)
    for function in functions:
        name = function.name
        is_hook = name not in called or name in catalogue("events") or name in catalogue("questions")
        given = given_to(name, document, known) if is_hook else ()
        for node, of in _Body(function, given, own).reads():
            if node.attr not in of.fields:
                there_are = f"it has {', '.join(sorted(of.fields)) or 'no fields'}"
                hint = did_you_mean(node.attr, of.fields) or there_are
                make = problem if of.sure else _likely
                yield make("name", f"{of.called} has no `{node.attr}`", place_of(node), hint)


def given_to(hook: str, document: Document, known: Known | None) -> tuple[Shape | None, ...]:
    """Return what the engine calls a hook with."""
    kind, _, subject = hook.partition("_")
    if kind == "on" and subject:
        return (event(subject, known),)
    if kind == "do" and subject:
        return (_action(subject, document),)
    declared = catalogue("questions").get(hook) or hook_like(hook)
    return tuple(shape_meant(declared.fields.get(name, "")) for name in declared.names) if declared else ()


def event(name: str, known: Known | None) -> Shape | None:
    """Return what an event holds; None where that is not known."""
    declared = catalogue("events").get(f"on_{name}")
    if declared is None and name.startswith("changed_"):
        declared = catalogue("events")["on_changed"]
    if declared is None and name.startswith("proposal_"):
        declared = catalogue("events")["on_proposal_adopted"]
    called = f"the event `{name}`"
    if declared is not None:
        return Shape(called, {"name": None, **_fields(declared)})
    raised = known.payloads.get(name) if known is not None else None
    return None if raised is None else Shape(called, dict.fromkeys(("name", *sorted(raised))), sure=False)


def _action(name: str, document: Document) -> Shape:
    """Return the action that a `do_` gets: its arguments are those that its rule declares."""
    declared = (document.get("actions") or {}).get(name)
    if declared is None:
        return shape_of("action")
    named = dict.fromkeys((declared or {}).get("arguments") or {})
    args = Shape(f"what the action `{name}` is given", named, sure=False)
    return replace(shape_of("action"), fields={**shape_of("action").fields, "args": args})


class _Body:
    """A function, and what its names mean."""

    def __init__(self, function: ast.FunctionDef, given: Sequence[Shape | None], own: frozenset[str]) -> None:
        """Learn what each name means, from what the parameters mean; where that may be two things it is not known."""
        self.own = own
        self.nodes = [node for statement in function.body for node in walk(statement)]
        parameters: Names = {each.arg: None for each in walk(function.args) if isinstance(each, ast.arg)}
        called = [each.arg for each in [*function.args.posonlyargs, *function.args.args]]
        self.shapes = parameters = parameters | dict(zip(called, given, strict=False))
        for _ in range(PASSES):
            found = {name: [shape] for name, shape in parameters.items()}
            for name, shape in self._bound():
                found.setdefault(name, []).append(shape)
            fresh = {name: each[0] if all(one == each[0] for one in each) else None for name, each in found.items()}
            if fresh == self.shapes:
                break
            self.shapes = fresh

    def reads(self) -> Iterator[tuple[ast.Attribute, Shape]]:
        """Yield each field that is read, and of what, where that is known."""
        for node in self.nodes:
            of = self._shape(node.value) if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Attribute) and of is not None and not of.each:
                yield node, of

    def _bound(self) -> Iterator[tuple[str, Shape | None]]:
        """Yield the names that the function gives a meaning, with what that is."""
        for node in self.nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    yield name, self._shape(value)
                case (
                    ast.For(target=ast.Name(id=name), iter=things)
                    | ast.comprehension(target=ast.Name(id=name), iter=things)
                ):
                    shape = self._shape(things)
                    yield name, replace(shape, each=False) if shape is not None and shape.each else None
                case ast.Assign(targets=targets):
                    yield from _unknown(*targets)
                case (
                    ast.For(target=target)
                    | ast.comprehension(target=target)
                    | ast.AugAssign(target=target)
                    | ast.AnnAssign(target=target)
                ):
                    yield from _unknown(target)
                case ast.FunctionDef(name=name) | ast.arg(arg=name):
                    yield name, None

    def _shape(self, node: ast.expr) -> Shape | None:
        """Return what an expression is; None where that is no record, and no list of such."""
        match node:
            case ast.Name(id=name):
                return self.shapes.get(name)
            case ast.Call(func=ast.Name(id=name)):
                return answer_of(name) if name not in self.own and name not in self.shapes else None
            case ast.Subscript(value=value):
                shape = self._shape(value)
                return replace(shape, each=False) if shape is not None and shape.each else None
            case ast.Attribute(value=value, attr=attr):
                shape = self._shape(value)
                return shape.fields.get(attr) if shape is not None and not shape.each else None
        return None


def _unknown(*targets: ast.expr) -> Iterator[tuple[str, None]]:
    """Yield the names to which something is assigned of which no more is known."""
    yield from ((node.id, None) for target in targets for node in walk(target) if isinstance(node, ast.Name))


@cache
def answer_of(function: str) -> Shape | None:
    """Return what a function of the language answers; None where that is no record."""
    declared = HOST.words[function].answer if function in HOST.words else ""
    each = starlark_type(declared) == "list"
    answer = declared.removeprefix("list").strip("[]")
    if answer in catalogue("records"):
        return replace(shape_of(answer), each=each)
    if not answer.startswith("{"):
        return None
    fields = {name: shape_of(name) if each and name == "rule" else None for name in answer.strip("{}").split(", ")}
    return Shape(f"what `{function}` answers", fields, each)


CHECKS = (repeated, loads, hooks, purity, refusing_listeners, loading, raised, debugging, opinions)
CHECKS_OF_NAMES = (loads_of_rules, uncalled, names, doing)
