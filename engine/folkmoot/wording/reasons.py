"""Reasons as sentences with links: one set of words for the site, the terminal and pull requests.

What a code means stands in `folkmoot.kernel.reason_codes`; here it is said of the rules, players and proposals at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.kernel.reason_codes import CODES
from folkmoot.wording.game_view import Document
from folkmoot.wording.markup import Html, el, escape, items, join
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase


def reason(here: Here, why: Document) -> Html:
    """Return one reason with those below it: its code, its sentence and the rule it rests on."""
    below = items(reason(here, each) for each in why["of"]) if why.get("of") else ""
    return join([el("code", str(why.get("code", ""))), " ", said(here, why), below])


def said(here: Here, why: Document) -> Html:
    """Return one reason as a sentence without code and full stop, citing its rule."""
    code, given = str(why.get("code") or ""), why.get("args") or {}
    if code in DECISIONS:
        return DECISIONS[code](here, why.get("rule"), given)
    known = next((given[name] for name in ("why", "message", "text") if given.get(name)), None)
    sentence = phrase(str(known).rstrip(".")) if known else _meaning(here, code, given)
    return join([_concerns(here, given, str(known or "")), sentence, _cited(here, why.get("rule"))])


def _meaning(here: Here, code: str, given: Document) -> Html:
    """Return what a code means where nothing more is recorded, else what is recorded."""
    rest = {name: value for name, value in given.items() if name != "of"}
    if rest or not code.startswith("E-"):
        return join((join([humane(name), " ", here.value(value)]) for name, value in rest.items()), ", ")
    return escape(CODES.get(code, f"refused with {code}").rstrip("."))


def _concerns(here: Here, given: Document, known: str) -> Html:
    owner = str(given.get("of") or "")
    return join([_owner(here, owner), ": "]) if owner and not known.startswith(owner) else Html("")


def _owner(here: Here, owner: str) -> Html:
    if owner.isdecimal():
        return join(["the act held since entry ", here.entry(int(owner))])
    if owner == "game" or owner.endswith("/draft"):
        return escape("the game" if owner == "game" else "this proposal")
    named = here.owner(owner)
    return escape(owner.replace("/", " ")) if "/" in owner and "<a" not in named else named


def _cited(here: Here, rule: object) -> Html:
    return join([" (", here.rule(rule), ")"]) if rule else Html("")


# -- decisions

Told = Callable[[Here, Any, Document], Html]


def _overruled(here: Here, rule: Any, given: Document) -> Html:
    act, question = given.get("action"), str(given.get("question"))
    about = join(["how to ", humane(act)]) if act else join(["the question “", humane(question), "”"])
    return join([here.rule(given.get("by")), " overrules ", here.rule(rule), " on ", about])


def _dropped(here: Here, rule: Any, given: Document) -> Html:
    what = join([humane(given.get("name")), " of ", _owner(here, str(given.get("of")))])
    setter = here.rule(given.get("by"))
    return join([here.rule(rule), " may not set ", what, " otherwise than ", setter, ", which comes first"])


def _skipped(word: str) -> Told:
    def told(here: Here, rule: Any, given: Document) -> Html:
        event = humane(str(given.get("hook", "")).removeprefix("on_"))
        return join([here.rule(rule), f" was {word} before it could hear of “", event, "”"])

    return told


CAUTIOUS = {
    "adopted": "it stays closed and undecided",
    "electorate": "everybody in the game has a vote",
    "number": "the engine counts by itself",
}


def _no_answer(_here: Here, _rule: Any, given: Document) -> Html:
    question = str(given.get("question"))
    course = CAUTIOUS.get(question, "the engine takes the most cautious course")
    return join(["no rule answers the question “", humane(question), "”, so ", course])


def _held(here: Here, rule: Any, given: Document) -> Html:
    why = join([": ", phrase(str(given["why"]))]) if given.get("why") else ""
    label = phrase(str(given.get("label") or ""))
    return join(["the act waits until “", label, "” is released", why, _cited(here, rule)])


def _paradox(here: Here, _rule: Any, given: Document) -> Html:
    rules = [here.rule(uid) for uid in given.get("rules") or ()]
    listed = join([join(rules[:-1], ", "), " and ", rules[-1]]) if len(rules) > 1 else join(rules)
    return join([listed, " take precedence over one another in a circle, so the lower number goes first"])


def _older(here: Here, rule: Any, given: Document) -> Html:
    revision = here.value(given.get("revision"))
    return join([here.rule(rule), " failed as it stands, so its revision ", revision, " was used"])


def _stopped(here: Here, rule: Any, given: Document) -> Html:
    whose = join([" of ", here.rule(rule)]) if rule else ""
    return join(["the timer “", humane(given.get("timer")), "”", whose, " could not fire and was stopped"])


def _unheard(_here: Here, _rule: Any, _given: Document) -> Html:
    return join(["too many rules died or spent the budget in this act, so the rest of it went without scripts"])


def _citing(here: Here, rule: Any, given: Document) -> Html:
    cited = here.rule(rule) if rule else "a rule that is not in force"
    return join([here.rule(given.get("by")), " rests on ", cited])


DECISIONS: dict[str, Told] = {
    "OVERRULED": _overruled,
    "DROPPED": _dropped,
    "SKIPPED-REPEALED": _skipped("repealed"),
    "SKIPPED-SUSPENDED": _skipped("put to sleep"),
    "NO-ANSWER": _no_answer,
    "PERMITTED": lambda here, rule, _given: join([here.rule(rule), " permits it"]),
    "HELD": _held,
    "PARADOX": _paradox,
    "OLDER-REVISION": _older,
    "TIMER-STOPPED": _stopped,
    "CITED": _citing,
    "UNHEARD": _unheard,
}
