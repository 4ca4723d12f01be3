"""Checking files before they are used: form, scripts and examples of rules, acts, settings and scenarios."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from keyword import iskeyword
from pathlib import Path
from typing import Any, cast

from folkmoot.core.declared_kinds import PLAYER, PROPOSAL, Register, declared_registers, lineage
from folkmoot.core.documents import RuleDocument
from folkmoot.core.misspelt import did_you_mean, meant_by
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Founding
from folkmoot.core.values import is_digits, told
from folkmoot.files import reader
from folkmoot.files.named_files import read_file
from folkmoot.kernel.act_declarations import QUESTION, default_of, taking_in
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import program
from folkmoot.kernel.step import Kernel
from folkmoot.language.binding import ScriptError, linked
from folkmoot.language.tree import hook_names, loaded_rules
from folkmoot.scenarios.check_sealed import sealed_in, sealed_problems
from folkmoot.scenarios.checked_law import CheckedLaw, example_problems, precedence_problems, with_rule
from folkmoot.scenarios.known_names import Known
from folkmoot.scenarios.scenario import Attend
from folkmoot.scenarios.script_check import check_script

KINDS: dict[str, tuple[tuple[str, ...], Callable[[str, str], Any]]] = {
    "scenario": (("scenario",), reader.read_scenario),
    "action": (("do",), reader.read_action),
    "ruleset": (("ruleset",), reader.read_ruleset),
    "history": (("revisions",), reader.read_history),
    "decided": (("outcome",), reader.read_decided),
    "acts": (("acts",), reader.read_acts),
    "settings": (("settings",), reader.read_settings),
}


_COMMENTED = re.compile(r"^(?P<part>title|text):[ \t]+[^\s\"'|>#][^\n]*?[ \t](?P<sign>#)", re.MULTILINE | re.ASCII)
LIKE = 0.8  # how much alike two words are of which one may be a slip for the other


def kind_of(text: str) -> str:
    """Return what a file is meant to be, from its keys: scenario, action, ruleset, settings, else rule."""
    keys = set(re.findall(r"^([A-Za-z_]+)[ \t]*:", text, re.MULTILINE))
    if keys & {"text", "script", "title"} and not keys & {"scenario", "ruleset", "outcome"}:
        return "rule"
    return next((kind for kind, (marks, _) in KINDS.items() if keys.issuperset(marks)), "rule")


RuleFile = tuple[RuleDocument, str]
"""A rule as a file has it: its document, and the text of the file."""


def read_rules(files: Iterable[Path]) -> tuple[dict[Path, RuleFile], dict[Path, list[Problem]]]:
    """Return the sound rules of files, and what is wrong with the form of each; of scripts see `rule_problems`."""
    rules: dict[Path, RuleFile] = {}
    problems: dict[Path, list[Problem]] = {}
    for file in files:
        problems[file] = []
        try:
            text = read_file(file)
            if (kind := kind_of(text)) == "rule":
                rules[file] = _read_once(text, str(file)), text
            else:
                KINDS[kind][1](text, str(file))
        except ProblemError as error:
            problems[file] = list(error.problems)
    return rules, problems


@lru_cache(maxsize=512)
def _read_once(text: str, file: str) -> RuleDocument:
    """Return the rule in the text of a file, which one command reads several times; raises its problems."""
    return cast(RuleDocument, reader.read_rule(text, file))


def rule_problems(
    rule: RuleDocument,
    law: Founding | CheckedLaw | None,
    text: str,
    file: str,
    kernel: Kernel,
    attend: Attend = lambda _kernel: None,
) -> list[Problem]:
    """Return what is wrong with a rule's script, run in a `kernel` without a game, and with its examples on a law."""
    checked = CheckedLaw(law, attend) if isinstance(law, dict) else law
    whole = None if checked is None else checked.beside(rule)
    within, known = (None, None) if whole is None else (whole.law, whole.known)
    sealed = sealed_in([rule]) if whole is None else whole.sealed
    problems = [
        *check_script(rule, known, reader.script_start(text, file) or Position(file, 1, 1)),
        *_unreachable(rule, text, file),
        *cut_short(text, file),
        *_labels(rule, within, text, file),
        *_likes(rule, within, text, file),
        *_about(rule, within, text, file),
        *_takers(rule, within, text, file),
        *sealed_problems(rule, within, sealed, text, file),
    ]
    if not any(problem.code.startswith("E-") for problem in problems):
        problems += loading_problems(rule, text, file, kernel, known)
    if checked is None or whole is None or checked.law.get("unsound"):  # nothing can be played by it
        return problems
    if not any(problem.code.startswith("E-") for problem in problems):
        problems += example_problems(rule, checked.law, text, file, attend)
        problems += precedence_problems(rule, checked, whole, text, file)
    return problems


def loading_problems(
    rule: RuleDocument, text: str, file: str, kernel: Kernel, known: Known | None
) -> Iterator[Problem]:
    """Load a rule's script, which runs all that stands outside of functions; yield why it does not load."""
    uid, script = str(rule.get("uid") or "new"), str(rule.get("script") or "")
    if not script or (known is None and loaded_rules(script)):
        return
    together = linked(script, lambda module: known.scripts.get(module, "") if known else "")
    try:
        kernel.look(lambda play: program(play, uid, script, together), 0)
    except (ScriptError, Fault) as error:
        line, column = (error.line, error.column) if isinstance(error, ScriptError) else (1, 0)
        place = reader.script_position(text, file, line or 1, column)
        hint = "outside of its functions a script only gives names to values"
        yield Problem("E-SCRIPT", f"the script does not load: {error.message}", place, hint)


def changed_rules(rules: Mapping[Path, RuleFile], law: Founding | None) -> dict[Path, RuleDocument]:
    """Return the rules of files that are new, or other than a law has them; none where there is no law."""
    if law is None:
        return {}
    standing = {_identity(rule) for rule in law["rules"]}
    return {file: rule for file, (rule, _text) in rules.items() if _identity(rule) not in standing}


def beside(law: Founding | None, rules: Mapping[Path, RuleDocument], file: Path) -> Founding | None:
    """Return a law with the rules of all files in it but one: files that are checked together know one another."""
    others = [rule for other, rule in rules.items() if other != file]
    return None if law is None else reduce(with_rule, others, law)


def _identity(rule: RuleDocument) -> str:
    """Return what two rules have in common that say the same, wherever they come from."""
    parts = {part: value for part, value in rule.items() if part != "source" and value not in ("", {}, [], None)}
    return json.dumps(parts, sort_keys=True)


def _unreachable(rule: RuleDocument, text: str, file: str) -> Iterator[Problem]:
    """Yield the arguments of actions whose names are words of the language, which `a.args.` cannot be followed by."""
    for action, declared in (rule.get("actions") or {}).items():
        for name in (declared or {}).get("arguments") or {}:
            if iskeyword(name) or name == "load":
                place = reader.locate(text, file, ["actions", action, "arguments", name])
                message = f"`a.args.{name}` cannot be written, because `{name}` is a word of the language"
                hint = f'call it otherwise, such as `{name}_`, or write `getattr(a.args, "{name}")`'
                yield Problem("W-SCRIPT", message, place, hint)


def cut_short(text: str, file: str) -> Iterator[Problem]:
    """Yield the titles and texts on one line without quotation marks behind which stands a comment."""
    for found in _COMMENTED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        position = Position(file, line, found.start("sign") - found.start() + 1)
        message = f"the {found['part']} ends before `#`: what stands behind it is a comment in YAML, and left out"
        yield Problem("W-TEXT", message, position, "put it into quotation marks, if it is meant to be said")


def _labels(rule: RuleDocument, law: Founding | None, text: str, file: str) -> Iterator[Problem]:
    """Yield the labels of a rule whose values are no words of the other rules', but much like one of those."""
    rules = (law or {}).get("rules") or ()
    others = [
        other for other in rules if any(other.get(part) != rule.get(part) for part in ("title", "text", "labels"))
    ]
    for name, value in (rule.get("labels") or {}).items():
        known = {str(labels[name]) for other in others if name in (labels := other.get("labels") or {})}
        near = meant_by(str(value), sorted(known), LIKE) if str(value) not in known else ""
        if near and not is_digits(str(value)):
            message = f"no rule has the {name} {told(value)}; did you mean {near}?"
            yield Problem("W-LABEL", message, reader.locate(text, file, ["labels", name]), "a label may hold any word")


def _likes(rule: RuleDocument, law: Founding | None, text: str, file: str) -> Iterator[Problem]:
    """Yield the kinds of things that are to be like a kind that no rule of the law with it declares, or in a circle."""
    own = (rule.get("defines") or {}).get("kinds") or {}
    likes = {name: str((kind or {}).get("like") or "") for name, kind in own.items()}
    kinds = _kinds(law["rules"]) if law is not None and any(likes.values()) else {}
    for name, like in likes.items() if kinds else ():
        path = ["defines", "kinds", name, "like"]
        if like and like not in {*kinds, PROPOSAL, PLAYER}:
            hint = did_you_mean(like, {*kinds, PROPOSAL, PLAYER}) or "declare it, or leave `like` out"
            message = f"no rule declares a kind of thing called {told(like)}"
            yield Problem("W-SCRIPT", message, reader.locate(text, file, path), hint)
        elif like and (kinds.get(lineage(kinds, name)[-1]) or {}).get("like") == name:
            hint = "let one of them be like no other"
            yield Problem("W-SCRIPT", f"{name} is like itself, by way of {like}", reader.locate(text, file, path), hint)


def _kinds(rules: Iterable[RuleDocument]) -> dict[str, Any]:
    return {name: kind for each in rules for name, kind in ((each.get("defines") or {}).get("kinds") or {}).items()}


def _about(rule: RuleDocument, law: Founding | None, text: str, file: str) -> Iterator[Problem]:
    """Yield that a rule is about a kind of things that no rule of the law with it declares."""
    about = rule.get("about") or ""
    kinds = {PROPOSAL, *_kinds(law["rules"])} if about and law is not None else set()
    if kinds and about not in kinds:
        message = f"no rule declares a kind of thing called {told(about)}, so that this one hears of none of another"
        yield Problem(
            "W-SCRIPT", message, reader.locate(text, file, ["about"]), did_you_mean(about, kinds) or "declare it"
        )


def _takers(rule: RuleDocument, law: Founding | None, text: str, file: str) -> Iterator[Problem]:
    """Yield the actions of a rule that take rule-changes where several do, and nothing says which a pull request is."""
    if not rule.get("actions"):
        return
    rules = [rule] if law is None else law["rules"]
    actions = {do: spec or {} for each in rules for do, spec in (each.get("actions") or {}).items()}
    able = taking_in(actions)
    answered = any(f"decide_{QUESTION}" in hook_names(str(each.get("script") or "")) for each in rules)
    unclear = len(able) > 1 and not default_of(actions) and not answered
    for do in (do for do in rule["actions"] if unclear and do in able):
        message = f"a pull request that changes rules may be {' or '.join(able)}, and no rule says which"
        hint = "mark the one that is meant with `takes: pull_requests`, or answer the question `taken_as`"
        yield Problem("W-SCRIPT", message, reader.locate(text, file, ["actions", do]), hint)


# -- registers of two rules


def shared_registers(rules: Mapping[Path, RuleFile], law: Founding | None = None, home: str = "") -> list[Problem]:
    """Return a hint for each register that two rules declare: they share it silently, whatever each of them meant.

    Files of one folder are one law; beside each stand the rules of `law`, of the folder `home`, of which it has no uid.
    """
    known: dict[tuple[Path | None, Register], list[tuple[str, str]]] = defaultdict(list)  # uids and names, by folder
    for document in (law or {}).get("rules") or ():
        uid = str(document.get("uid") or document["rule"])
        for register in declared_registers(document):
            known[None, register].append((uid, f"{home}/{uid}.yaml" if home else f"rule {document['rule']}"))
    present = {(file.parent, _uid(file, rule)) for file, (rule, _text) in rules.items()}
    problems = []
    for file, (rule, text) in rules.items():
        own, folder = _uid(file, rule), file.parent
        for register, (path, _spec) in declared_registers(rule).items():
            standing = [other for other in known[None, register] if (folder, other[0]) not in present]
            for uid, name in (*standing, *known[folder, register]):
                if uid != own:
                    of = "the game" if register[0] == "game" else f"every {register[0]}"
                    message = f"`{register[1]}` is a register of {of} in {name} too; the two rules share it"
                    hint = "give it another name, unless both rules mean the same thing"
                    problems.append(Problem("W-REGISTER", message, reader.locate(text, str(file), path), hint))
            known[folder, register].append((own, str(file)))
    return problems


def doubled_uids(rules: Mapping[Path, RuleFile]) -> list[Problem]:
    """Return a problem for each file whose `uid` is that of another file of the same folder: a copy that kept it."""
    hint = "leave `rule` and `uid` out of a new rule's file; change a rule in its own file"
    same: dict[tuple[Path, str], list[Path]] = defaultdict(list)
    for file, (rule, _text) in rules.items():
        same[file.parent, _uid(file, rule)].append(file)
    problems = []
    for (_folder, uid), files in same.items():
        first = next((file for file in files if file.stem == uid), files[0])
        for file in files:
            if file is not first:
                place = reader.locate(rules[file][1], str(file), ["uid"])
                problems.append(Problem("E-DUPLICATE", f"{first} has the uid {uid} already", place, hint))
    return problems


def _uid(file: Path, rule: RuleDocument) -> str:
    return str(rule.get("uid") or rule.get("rule") or file)
