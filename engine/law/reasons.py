"""Sentences of reasons and effects: the record keeps codes and arguments, people read these words.

Every surface that has no words of its own for a code (terminal, pull request, site) takes them from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.calendar import write_stamp
from engine.law.records import Record
from engine.problems import ProblemError
from engine.text.codes import CODES as READING

Names = Callable[[str, str], str]
"""Gives the words for a rule, player or proposal: `names("rule", "203")`."""

DECISIONS = {
    "OVERRULED": "A rule of higher precedence has answered or acted instead of this one.",
    "DROPPED": "A rule set a register that a rule of higher precedence had set otherwise in the same event.",
    "SKIPPED-REPEALED": "A rule was to hear an event, but was repealed while the event was being handled.",
    "SKIPPED-SUSPENDED": "A rule was to hear an event, but was put to sleep while the event was being handled.",
    "NO-ANSWER": "No rule answers a question that the engine asks; it takes the most cautious course.",
    "PERMITTED": "A rule expressly permits the act, so that no lower rule can forbid it.",
    "HELD": "The act waits until its label is released, and is judged then.",
    "PARADOX": "Rules take precedence over one another in a circle; among them the lower number goes first.",
    "OLDER-REVISION": "The rule failed as it stands, so that an earlier revision of it carried out the act.",
    "TIMER-STOPPED": "A timer could not fire and was taken away, so that it does not stop the clock for ever.",
    "CITED": "A rule names another one as what a decision rests on.",
}

REFUSALS = {
    "E-ARGS": "What was given does not fit what is asked for.",
    "E-BOUNDS": "A value is of the wrong type or lies outside its bounds.",
    "E-BUDGET": "A script asked for more work than one rule or one event may take.",
    "E-CIRCLE": "A question asks itself.",
    "E-DIED": "The judge died while this rule was running; the rule sleeps until it is amended or woken.",
    "E-DUP": "There is such a one already, or it was done already.",
    "E-FUNDS": "There is not enough to pay with.",
    "E-GAME-OVER": "The game is over.",
    "E-IMPROPER": "The proposal is not proper.",
    "E-NO-SUCH": "There is no such thing.",
    "E-NOT-ADMINISTRATOR": "Only an administrator of the game may do this.",
    "E-NOT-OFFICE": "Only the holder of an office may do this.",
    "E-NOT-PLAYER": "Only a player, or somebody with a vote on this proposal, may do this.",
    "E-ORDER": "This cannot be done yet, or no more, in the order of things.",
    "E-PAUSED": "The game is paused.",
    "E-PURE": "A hook that may only look tried to change something.",
    "E-SCRIPT": "A rule's script is at fault.",
    "E-STATUS": "The state of the player or of the game does not allow it.",
    "E-TARGET": "The change cannot be made to this rule.",
    "E-TIME": "It is too late, or too early.",
}

OUTSIDE = {
    "E-CHAIN": "The journal's chain of digests is broken.",
    "E-CLOCK": "A time lies before that of the entry before.",
    "E-DERIVED": "A derived file is not what the journal gives.",
    "E-DICE": "The dice laid ready do not fit the draws.",
    "E-DISK": "A file cannot be read or written.",
    "E-DRAW": "A draw cannot be what its source gives.",
    "E-DURATION": "This is no length of time.",
    "E-EXAMPLE": "An example of a rule does not hold.",
    "E-FAULT": "The engine itself is at fault, not the files it was given.",
    "E-GIT": "Git reports an error.",
    "E-JUDGE": "The judge cannot go on.",
    "E-LOCKED": "Somebody else is writing to this game.",
    "E-MOVED": "The game has gone on meanwhile.",
    "E-NO-GAME": "There is no game here.",
    "E-OUTSIDE": "Something outside the engine is not as it must be.",
    "E-PENDING": "A write was cut short.",
    "E-REDACTION": "An entry and its redaction do not fit each other.",
    "E-REFUSED": "An act that had to be accepted was refused.",
    "E-REPLAY": "The journal does not replay as it was recorded.",
    "E-SCENARIO": "A scenario does not hold.",
    "E-SECRET": "The secret of the game's dice is needed here.",
    "E-SITE": "The site cannot be made here.",
    "E-STAMP": "This is no point in time.",
    "E-STRAY": "A file does not belong here.",
    "E-UTF8": "The file is not text in UTF-8.",
    "E-ZONE": "There is no such time zone.",
    "W-SCRIPT": "A script works, but something in it looks like a slip.",
}

CODES: dict[str, str] = {**DECISIONS, **REFUSALS, **OUTSIDE, **READING}
"""Every code of the engine with its meaning; the law of a game may add its own E- codes."""


def plain_names(kind: str, identifier: str) -> str:
    """Return the words for something where nobody knows better: `rule 203`, `proposal 305`, `ann`."""
    if kind == "proposal":
        return identifier.replace("/", " ")
    return f"rule {identifier}" if kind == "rule" else identifier


def sentence(reason: Record, names: Names | None = None) -> str:
    """Return one sentence that says a reason and cites its rule; `names` gives the words for rules and players."""
    say = names or plain_names
    code, args = str(reason["code"]), reason.get("args") or {}
    if code in DECISIONS:
        return SENTENCES[code](say, str(reason.get("rule") or ""), args)
    why = str(args.get("why") or "").strip()
    said = _capital(why) if why else CODES.get(code, f"It was refused with {code}.").rstrip(".")
    concerns = f"{_capital(_of(args, say))}: " if args.get("of") and not why.startswith(str(args["of"])) else ""
    return f"{concerns}{said}{_cited(reason, say)}."


def tree(reason: Record, names: Names | None = None, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a reason and of those below it, indented by two spaces for each level."""
    yield "  " * depth + sentence(reason, names)
    for below in reason.get("of") or ():
        yield from tree(below, names, depth + 1)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


def _cited(reason: Record, say: Names) -> str:
    return f" ({say('rule', str(reason['rule']))})" if reason.get("rule") else ""


def _of(args: Record, say: Names) -> str:
    owner = str(args["of"])
    kind, slash, name = owner.partition("/")
    if slash:
        return say("proposal", owner) if kind != "rule" else say("rule", name)
    if owner.isdecimal():
        return f"the act held since entry {owner}"
    return "the game" if owner == "game" else say("player", owner)


# -- decisions


def _overruled(say: Names, rule: str, args: Record) -> str:
    about = f"how to {args['action']}" if "action" in args else f"the question '{args.get('question')}'"
    return f"{_capital(say('rule', str(args.get('by'))))} overrules {say('rule', rule)} on {about}."


def _dropped(say: Names, rule: str, args: Record) -> str:
    setter = say("rule", str(args.get("by")))
    what = f"{args.get('name')} of {_of(args, say)}"
    return f"{_capital(say('rule', rule))} may not set {what} otherwise than {setter}, which comes first."


def _skipped(word: str) -> Callable[[Names, str, Record], str]:
    def said(say: Names, rule: str, args: Record) -> str:
        event = str(args.get("hook", "")).removeprefix("on_").replace("_", " ")
        return f"{_capital(say('rule', rule))} was {word} before it could hear of '{event}'."

    return said


CAUTIOUS = {
    "adopted": "it stays closed and undecided",
    "electorate": "everybody in the game has a vote",
    "number": "the engine counts by itself",
}


def _no_answer(_say: Names, _rule: str, args: Record) -> str:
    question = str(args.get("question"))
    course = CAUTIOUS.get(question, "the engine takes the most cautious course")
    return f"No rule answers the question '{question}', so {course}."


def _held(say: Names, rule: str, args: Record) -> str:
    why = f": {args['why']}" if args.get("why") else ""
    who = f" ({say('rule', rule)})" if rule else ""
    return f"The act waits until '{args.get('label')}' is released{why}{who}."


def _paradox(say: Names, _rule: str, args: Record) -> str:
    rules = [say("rule", str(uid)) for uid in args.get("rules", ())]
    listed = f"{', '.join(rules[:-1])} and {rules[-1]}" if len(rules) > 1 else "".join(rules)
    return f"{_capital(listed)} take precedence over one another in a circle, so the lower number goes first."


def _older(say: Names, rule: str, args: Record) -> str:
    return f"{_capital(say('rule', rule))} failed as it stands, so its revision {args.get('revision')} was used."


def _stopped(say: Names, rule: str, args: Record) -> str:
    whose = f" of {say('rule', rule)}" if rule else ""
    return f"The timer '{args.get('timer')}'{whose} could not fire and was stopped."


def _citing(say: Names, rule: str, args: Record) -> str:
    cited = say("rule", rule) if rule else "a rule that is not in force"
    return f"{_capital(say('rule', str(args.get('by'))))} rests on {cited}."


SENTENCES: dict[str, Callable[[Names, str, Record], str]] = {
    "OVERRULED": _overruled,
    "DROPPED": _dropped,
    "SKIPPED-REPEALED": _skipped("repealed"),
    "SKIPPED-SUSPENDED": _skipped("put to sleep"),
    "NO-ANSWER": _no_answer,
    "PERMITTED": lambda say, rule, _args: f"{_capital(say('rule', rule))} permits it.",
    "HELD": _held,
    "PARADOX": _paradox,
    "OLDER-REVISION": _older,
    "TIMER-STOPPED": _stopped,
    "CITED": _citing,
}


# -- effects


def effect_sentence(effect: Record, names: Names | None = None) -> str:
    """Return one sentence that says what an effect changed, citing the rule behind it."""
    say = names or plain_names
    told = EFFECTS.get(str(effect.get("effect")), _other)(effect, say)
    return f"{_capital(told)}{_cited(effect, say)}."


def _value(value: Any) -> str:
    return "nothing" if value is None else str(value)


def _why(effect: Record) -> str:
    return f": {str(effect['why']).rstrip('.')}" if effect.get("why") else ""


def _when(seconds: Any) -> str:
    try:
        return write_stamp(seconds)
    except (ProblemError, TypeError):
        return str(seconds)


def _put(effect: Record, say: Names) -> str:
    return f"{effect.get('name')} of {_of(effect, say)}: {_value(effect.get('from'))} → {_value(effect.get('to'))}"


def _award(effect: Record, say: Names) -> str:
    applied, asked = effect.get("applied", 0), effect.get("asked")
    turned = f" (asked: {asked:+d})" if isinstance(asked, int) and asked != applied else ""
    credit = f", credited to {say('player', str(effect['credit']))}" if effect.get("credit") else ""
    return f"{_of(effect, say)}: {applied:+d} {effect.get('name')}{turned}{_why(effect)}{credit}"


def _law(verb: str) -> Callable[[Record, Names], str]:
    def said(effect: Record, say: Names) -> str:
        status = f" as {effect['to']}" if effect.get("to") else ""
        title = f" '{effect['title']}'" if effect.get("title") else ""
        return f"{say('rule', str(effect.get('of')))}{title} was {verb}{status}{_why(effect)}"

    return said


def _life(verb: str) -> Callable[[Record, Names], str]:
    return lambda effect, say: f"{say('proposal', str(effect.get('of')))} {verb}{_why(effect)}"


def _ballot(effect: Record, say: Names) -> str:
    idle = f", which does not count{_why(effect)}" if effect.get("counts") is False else ""
    deemed = " (deemed)" if effect.get("deemed") else ""
    voter, on = say("player", str(effect.get("voter"))), say("proposal", str(effect.get("of")))
    return f"{voter} votes {effect.get('choice')} on {on}{deemed}{idle}"


def _win(effect: Record, say: Names) -> str:
    winners = [say("player", str(player)) for player in effect.get("players") or [effect.get("of")]]
    ends = ", and the game is over" if effect.get("ends") else ", and play goes on"
    return f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}{ends}{_why(effect)}"


def _owe(effect: Record, say: Names) -> str:
    due = f" by {_when(effect['by'])}" if effect.get("by") is not None else ""
    return f"{_of(effect, say)} owes{due}: {effect.get('what')}"


def _person(joined: str, thing: str) -> Callable[[Record, Names], str]:
    def said(effect: Record, say: Names) -> str:
        if effect.get("kind") == "player":
            return f"{say('player', str(effect.get('of')))} {joined}"
        return f"{effect.get('of')} ({effect.get('kind')}) {thing}"

    return said


def _given(effect: Record, say: Names) -> str:
    to = say("player", str(effect["to"])) if effect.get("to") is not None else "nobody"
    return f"{effect.get('of')} goes to {to}{', sealed' if effect.get('seal') else ''}"


def _epoch(effect: Record, _say: Names) -> str:
    end = "closes, and its secret is published" if effect.get("secret") else "opens with a commitment"
    return f"chance epoch {effect.get('of')} {end}"


def _setting(effect: Record, _say: Names) -> str:
    return f"the switch {effect.get('name')} is flipped from {_value(effect.get('from'))} to {_value(effect.get('to'))}"


def _event(effect: Record, _say: Names) -> str:
    told = ", ".join(f"{name} {value}" for name, value in (effect.get("with_") or {}).items())
    return f"event '{str(effect.get('name')).replace('_', ' ')}'{f' ({told})' if told else ''}"


def _other(effect: Record, _say: Names) -> str:
    told = ", ".join(f"{name} {_value(value)}" for name, value in effect.items() if name not in ("effect", "rule"))
    return f"{effect.get('effect')}: {told}"


EFFECTS: dict[str, Callable[[Record, Names], str]] = {
    "put": _put,
    "append": lambda e, say: f"{e.get('name')} grows by {_value(e.get('to'))}",
    "award": _award,
    "create": _person("joins the game", "comes into being"),
    "destroy": _person("leaves the game", "is gone"),
    "enact": _law("enacted"),
    "amend": _law("amended"),
    "transmute": _law("transmuted"),
    "retitle": _law("given another title"),
    "label": _law("given other labels"),
    "repeal": _law("repealed"),
    "renumber": lambda e, say: f"{say('rule', str(e.get('of')))} has number {e.get('to')} instead of {e.get('from')}",
    "suspend": _law("put to sleep"),
    "wake": _law("woken"),
    "propose": _life("was submitted"),
    "revise": _life("was revised"),
    "freeze": _life("has its final wording"),
    "open": _life("is open to votes"),
    "close": _life("is closed to votes"),
    "resolve": lambda e, say: f"{say('proposal', str(e.get('of')))} is {e.get('to')}{_why(e)}",
    "ballot": _ballot,
    "event": _event,
    "announce": lambda e, _say: str(e.get("text", "")),
    "state": lambda e, say: f"{_of(e, say)} states: {e.get('text')}",
    "owe": _owe,
    "settle": lambda e, _say: f"what was owed under '{e.get('of')}' is settled",
    "timer": lambda e, _say: f"the timer '{e.get('of')}' is set to {_when(e.get('due'))}",
    "cancel": lambda e, _say: f"the timer '{e.get('of')}' is stopped",
    "win": _win,
    "setting": _setting,
    "give": _given,
    "reveal": lambda e, _say: f"{e.get('of')} is shown to everybody",
    "hold": lambda e, _say: f"the act of entry {e.get('of')} waits until '{e.get('label')}' is released{_why(e)}",
    "release": lambda e, _say: f"the act held since entry {e.get('of')} is judged",
    "correct": lambda e, say: f"{e.get('name')} of {_of(e, say)} is corrected{_why(e)}",
    "redact": lambda e, _say: f"{e.get('path')} of entry {e.get('of')} is replaced by its digest{_why(e)}",
    "engine": lambda e, _say: f"from now on the game is judged by {_versions(e.get('to'))}",
    "epoch": _epoch,
    "pause": lambda _e, _say: "the game is paused, and every timer stands still",
    "resume": lambda _e, _say: "the game goes on, and every timer with it",
}


def _versions(versions: Any) -> str:
    if not isinstance(versions, dict):
        return str(versions)
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "another engine"
