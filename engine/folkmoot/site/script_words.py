"""What a rule's script does and has done, in plain words made of the names of hooks, calls and effects.

The words stand in `script_words.yaml`; the docstring of a hook says it better than they do, and wins.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.records import Effect, Entry
from folkmoot.files.fast_reader import load_own
from folkmoot.language.calls import Call, function_sources, reached, read
from folkmoot.language.declarations import catalogue
from folkmoot.language.tree import hook_names, text_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import currency_name, humane, in_sentence

MOST, LONGEST = 5, 90
"""How many things that a hook does are said of it, and how many characters of a refusal."""
QUIET = ("put", "add", "emit")
"""Functions that are told only of a hook that does nothing else."""
_FILLED = re.compile(r"%[a-z]")
_NUMBER = re.compile(r"\d+")


class Deed(Struct, frozen=True):
    """What one hook of a script does: when, what, by which name, and the source of it."""

    when: str
    does: str
    hook: str
    source: str


def deeds(rule: Document, currencies: Mapping[str, str]) -> tuple[Deed, ...]:
    """Return what the hooks of a rule's script do, those of which more can be said first; none of one too long to run.

    `currencies` are what pages call them, by name.
    """
    script = str(rule.get("script") or "")
    written = function_sources(script)
    found = [
        Deed(_when(rule, name), written[name].meaning or _does(script, name, currencies), name, written[name].source)
        for name in hook_names(script)
        if name in written
    ]
    return tuple(sorted(found, key=lambda each: not each.does))


def rest_of(script: str, told: Iterable[Deed]) -> str:
    """Return what a script holds beside its hooks."""
    for each in told:
        script = script.replace(each.source, "", 1)
    return re.sub(r"\n{3,}", "\n\n", script).strip()


@cache
def _words() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = load_own(Path(__file__).with_suffix(".yaml"))
    return found


def _when(rule: Document, hook: str) -> str:
    """Return when a hook is called."""
    if hook in _words()["hooks"]:
        return _words()["hooks"][hook]
    kind, _underscore, name = hook.partition("_")
    timers = {str(key).replace("-", "_"): about or {} for key, about in (rule.get("timers") or {}).items()}
    actions: Document = rule.get("actions") or {}
    if kind == "on" and name in timers:
        return _words()["named"]["timer"].format(name=timers[name].get("summary") or humane(name))
    if kind == "on" and name.startswith("changed_"):
        return _words()["named"]["on_changed"].format(name=humane(name.removeprefix("changed_")))
    if kind == "decide" and hook in catalogue("questions"):
        return catalogue("questions")[hook].meaning.partition("?")[0] + "?"
    return _words()["named"][kind].format(name=(actions.get(name) or {}).get("summary") or humane(name))


def answering(question: str) -> str:
    """Return what rules do that answer a question, as "say whether a proposal is adopted"."""
    asked = _words()["hooks"].get(f"decide_{question}", "")
    said = asked.partition(" ")[2]
    return f"say {said}" if said else f"answer “{humane(question)}”"


def _does(script: str, hook: str, currencies: Mapping[str, str]) -> str:
    """Return what a hook does by the functions of the engine that it calls, itself or through others, as a sentence."""
    reading, words_of, found = read(script), _words()["calls"], dict[str, tuple[str, str]]()
    places = {name: place for place, name in enumerate(reached(reading.called, hook))}
    calls = (call for call in reading.calls if call.inside in places and call.name in words_of)
    for call in sorted(calls, key=lambda call: places[call.inside]):
        words = words_of[call.name]
        what = _literal(call) if "{" in words else ""
        why = f" (“{shortened(what, LONGEST)}”)" if what else ""
        name = currencies.get(what) or humane(what) or "something"
        said = words.format(why=why, name=name, what=what or "do something")
        found.setdefault(words if "{why}" in words else words + what, (words, said))
    quiet = {words_of[name] for name in QUIET}
    told = [*dict.fromkeys(said for words, said in found.values() if words not in quiet)]
    told = told or [*dict.fromkeys(said for _words, said in found.values())]
    *first, last = [*told[:MOST], *(["more"] if len(told) > MOST else [])] or [""]
    if not first:
        return f"It {last}." if last else ""
    return f"It {', '.join(first)} and {last}."


def _literal(call: Call) -> str:
    """Return the text that tells what a call does, with a mark in the place of what it is filled with."""
    place = 2 if call.name == "require" else 1
    given = call.node.args[place : place + 1]
    said = given[0].left if given and isinstance(given[0], ast.BinOp) else given[0] if given else None
    return _FILLED.sub("…", text_in(said)) if said else ""


def done(effect: Effect, currencies: Mapping[str, str]) -> str:
    """Return what an effect of a rule did, without to whom and how much; nothing for what is not told."""
    kind = str(effect.get("effect"))
    kind = "fine" if kind == "award" and (effect.get("applied") or 0) < 0 else kind
    words = _words()["effects"].get(kind, "")
    named = effect.get("of") if kind in ("timer", "cancel") else effect.get("name") or effect.get("kind") or ""
    name = currencies.get(str(named)) or humane(named)
    return words.format(name=name, what=_NUMBER.sub("…", str(effect.get("what") or ""))) if words else ""


def deeds_done(view: GameView) -> dict[str, dict[str, tuple[int, Entry]]]:
    """Return what each rule has done, by its id, in words: how often, and in which entry last."""
    currencies, found = currency_names(view), dict[str, dict[str, tuple[int, Entry]]]()
    for entry, what in view.effects():
        if (uid := what.get("rule")) and not view.is_bookkeeping(what) and (words := done(what, currencies)):
            of_rule = found.setdefault(str(uid), {})
            of_rule[words] = of_rule.get(words, (0,))[0] + 1, entry
    return found


def currency_names(view: GameView) -> dict[str, str]:
    """Return what pages call currencies, by name."""
    return {name: in_sentence(currency_name(view, name)) for name in view.currencies}
