"""What a script may call of the law, events, questions, chance, time and word lists; and all that it may call."""

from __future__ import annotations

import re
import sys
from typing import Any, cast

from folkmoot.core import calendar
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import RuleParts
from folkmoot.core.event_names import HINT, forged, is_kernel_event
from folkmoot.core.keys import GAME, LAW, rule_key, things_key
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments, Failure, ScriptRecord
from folkmoot.core.values import told
from folkmoot.core.word_lists import LISTS, WordList, file_of
from folkmoot.kernel import (
    acts,
    answers,
    clock,
    proposals,
    registers,
    rule_changes,
    sealed_data,
    things,
    trials,
    voting,
)
from folkmoot.kernel.answers import again, check_deed
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_changes import check_parts
from folkmoot.kernel.script_records import record
from folkmoot.language.declarations import NOTHING, TEXTS, HostFunctions, host

MOST_DICE = 1_000
EVENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
LONGEST_ANNOUNCEMENT = 16_384
LONGEST_DEBUG = 1_000


@host("reading", "rule(ref: ref) -> rule", law=True)
def rule(play: Play, ref: Any) -> ScriptRecord | None:
    """The rule in force with this uid or number, or None.

    | announce("rule 1 is in force" if rule("1") != None else "rule 1 is gone")
    """
    uid = play.law.resolve(ref, play.view)
    return play.law.record(uid, play.view) if uid else None


@host("reading", "rules(repealed: bool = False) -> list[rule]", law=True)
def rules(play: Play, repealed: bool = False) -> list[ScriptRecord]:
    """All rules in force, by number; or those that are no longer, as they stood last.

    | announce(", ".join([r.title for r in rules()]))
    """
    if repealed:
        return rule_changes.repealed_rules(play)
    return [play.law.record(uid, play.view) for uid in play.law.in_force(play.view)]


@host("reading", "declared_board(name: str) -> dict", law=True)
def declared_board(play: Play, name: str) -> ScriptRecord:
    """What a rule in force declares of a board under `defines.boards`: a map, for instance the measures of a grid.

    | announce("%d columns" % declared_board("field")["columns"])
    """
    found = play.law.declared("defines.boards", play.view).get(name)
    if found is None:
        raise Fault(f"no rule in force declares a board {told(name)}", "E-NO-SUCH")
    return dict(found[1])


@host("reading", "law_version() -> int", looks=True)
def law_version(play: Play) -> int:
    """A number that is another one after every change of the law.

    | announce("this is version %d of the law" % law_version())
    """
    return play.documents[LAW]["version"]


@host("reading", "now() -> int", looks=True)
def now(play: Play) -> int:
    """The time of what is being judged, in Unix seconds.

    | put("game", "last_time", now())
    """
    return play.now


@host("reading", "cause()", looks=True)
def cause(play: Play) -> ScriptRecord | None:
    """The event being handled: a struct of its name and fields; None in a question of the kernel.

    | announce("because of " + cause().name)
    """
    return play.scopes[-1].cause if play.scopes else None


@host("reading", "digest(value) -> str", looks=True)
def digest(_play: Play, value: Any) -> str:
    """The SHA-256 of a value's canonical form, in hexadecimal: how somebody holds to what is only said later.

    The canonical form is JSON in UTF-8 without blanks, its keys in the order of their characters, and no character
    escaped that need not be: `["a",1]`. `moot explain digest VALUE` says the same of what one types.

    | announce(digest(["a", 1]))
    """
    return things.canonical_digest(value)


@host("reading", "me() -> rule", law=True)
def me(play: Play) -> ScriptRecord:
    """The rule this script stands in; what acts once stands in none.

    | announce("as rule %s says" % me().number)
    """
    uid = play.frames[-1].uid
    if uid in play.law.in_force(play.view):
        return play.law.record(uid, play.view)
    if uid not in play.documents[LAW]["rules"]:
        raise Fault("an order is no rule, so that me() has no answer in it; its proposal is e.proposal")
    last = play.law.last_record(uid)
    if last is None:
        raise Fault("this rule is no longer in force")
    return last


@host("reading", "defined(owner: ref, name: str) -> bool", looks=True)
def defined(play: Play, ref: Any, name: str) -> bool:
    """Whether a rule in force declares this register for the owner.

    | announce("scores are kept" if defined(a.by, "score") else "no scores here")
    """
    return registers.declaration(play, registers.find_owner(play, ref).kind, name) is not None


@host("", "get_all(kind, name, default: sealed)", looks=True)
def get_all(play: Play, kind: str, name: str, default: Any = registers.UNSET) -> list[list[Any]]:
    """Return [id, value] of each thing of a kind: rows, because maps lose their order at the border."""
    declared = registers.declaration(play, kind, name)
    if declared is None or declared[1].get("derived") or declared[1].get("sealed") or name == "kind":
        ids = things.things(play, kind)
        refs: list[Any] = [{"office": office} for office in ids] if kind == "office" else [*ids]
        return [[thing, registers.get(play, ref, name, default)] for thing, ref in zip(ids, refs, strict=True)]
    document, first = play.documents.get(things_key(kind)) or {}, registers.initial(declared[1])
    found = [[thing, document[thing].get(name, first)] for thing in things.things(play, kind)]
    given = default is not registers.UNSET
    return [[thing, default if value is None else value] for thing, value in found] if given else found


def _the_rule(play: Play, ref: Any) -> str:
    uid = play.law.resolve(ref)
    if uid is None:
        raise Fault(f"no rule {ref.get('number') if isinstance(ref, dict) else ref} is in force", "E-NO-SUCH")
    return uid


def _checked(parts: ScriptRecord) -> RuleParts:
    problems = check_parts(parts)
    if problems:
        raise Fault("; ".join(problems), "E-ARGS")
    return cast(RuleParts, parts)


@host("", "enact(parts, number)", effects={"enact": rule_changes.unmake})
def enact(play: Play, parts: ScriptRecord, number: Any) -> ScriptRecord:
    """Enact a new rule and return it."""
    return play.law.record(rule_changes.enact(play, _checked(parts), number))


@host(
    "law",
    "amend(rule: ref, **parts) -> rule",
    effects={**dict.fromkeys(("amend", "transmute", "retitle"), rule_changes.restore)},
)
def amend(play: Play, ref: Any, parts: ScriptRecord) -> ScriptRecord:
    """Change parts of a rule (title, text, script, labels, blocks) and return it.

    | r = enact("Waving", "Everybody waves.")
    | amend(r, text = "Everybody waves twice.")
    """
    uid = _the_rule(play, ref)
    rule_changes.revise_rule(play, uid, _checked(parts), "amend")
    return play.law.record(uid)


@host("law", 'repeal(rule: ref, because: str = "") -> None', grows=False, effects={"repeal": rule_changes.revive})
def repeal(play: Play, ref: Any, because: str) -> None:
    """Repeal a rule.

    | repeal(enact("Waving", "Everybody waves."), because = "nobody waves")
    """
    rule_changes.repeal(play, _the_rule(play, ref), because)


@host("", "renumber(rule, number)", effects={"renumber": rule_changes.renumber_back})
def renumber(play: Play, ref: Any, number: str) -> ScriptRecord:
    """Give a rule another number; its uid stays."""
    uid = _the_rule(play, ref)
    rule_changes.renumber(play, uid, number)
    return play.law.record(uid)


@host("law", "label(rule: ref, **labels) -> rule", effects={"label": rule_changes.restore})
def label(play: Play, ref: Any, labels: ScriptRecord) -> ScriptRecord:
    """Change labels of a rule; None takes a label away.

    | label(enact("Waving", "Everybody waves."), section = "manners")
    """
    uid = _the_rule(play, ref)
    merged = {**(play.documents[rule_key(uid)].get("labels") or {}), **labels}
    kept = {name: value for name, value in merged.items() if value is not None}
    rule_changes.revise_rule(play, uid, {"labels": kept}, "label")
    return play.law.record(uid)


@host("law", 'suspend(rule: ref, why: str = "") -> None', grows=False, effects={"suspend": "a rule is woken by wake()"})
def suspend(play: Play, ref: Any, why: str) -> None:
    """Let a rule's script sleep, for instance because it was found void; its text stays in the law.

    | suspend(enact("Waving", "Everybody waves."), why = "found void")
    """
    play.writing("suspend a rule")
    rule_changes.set_suspended(play, _the_rule(play, ref), why or "suspended")


@host("law", "wake(rule: ref) -> None", grows=False, effects={"wake": "a rule is put to sleep by suspend()"})
def wake(play: Play, ref: Any) -> None:
    """Let the script of a suspended rule work again.

    | r = enact("Waving", "Everybody waves.")
    | suspend(r)
    | wake(r)
    """
    play.writing("wake a rule")
    rule_changes.set_suspended(play, _the_rule(play, ref), None)


@host("flow", "emit(name: event, **payload: handed) -> None", effects={"event": ""})
def emit(play: Play, name: str, payload: Arguments) -> None:
    """Raise an event; its listeners run at once.

    Events may raise others, 24 deep, and scripts call each other, 60 deep: by events, questions and `try_act`. A rule
    that goes deeper fails from where it first ran, an act of its own with E-BUDGET, and nothing of all that stands.

    | emit("waved", player = a.by)
    """
    _check_event(play, name)
    shown = {key: value for key, value in payload.items() if isinstance(value, (str, int, bool))}
    play.effect("event", name=name, of=shown.get("player"), with_=shown or None)
    play.emit(name, {key: again(play, value) for key, value in payload.items()})


@host("flow", "emit_under(as_of, name: event, **payload: handed) -> None")
def emit_under(play: Play, number: int | None, name: str, payload: Arguments) -> None:
    """Raise an event under the law as of a submission, or with None under that of today, whatever governs the act.

    | emit_under(None, "waved", player = a.by)
    """
    with play.having(view=acts.view_of(play, number)):
        emit(play, name, payload)


def _check_event(play: Play, name: str) -> None:
    play.writing("raise events")
    if not EVENT.fullmatch(name):
        raise Fault(f"{told(name[:80])} is no name of an event; use letters, digits and _", "E-ARGS")
    if is_kernel_event(name):
        raise Fault(f"{forged(name)}; {HINT}", "E-ARGS")
    check_deed(play, "emit", name, "event", play.law.listeners(f"on_{name}", view=play.view))


@host("flow", "later(name: event, **payload: handed) -> None")
def later(play: Play, name: str, payload: Arguments) -> None:
    """Raise an event at the end of this transaction.

    | later("waved", player = a.by)
    """
    _check_event(play, name)
    handed = {key: again(play, value) for key, value in payload.items()}
    play.queue.append((name, handed))
    play.budget.spend("effects")


@host("flow", "ask(question: question, *arguments: handed)", law=True)
def ask(play: Play, question: str, arguments: list[Any]) -> Any:
    """The answer of whichever rule prevails, or None.

    Questions may ask others, 60 deep; one that asks itself with the same arguments fails with E-CIRCLE.

    | announce("the phase is %s" % ask("phase"))
    """
    asked = [again(play, argument) for argument in arguments]
    answer = play.ask(question, *asked)
    return again(play, answer) if type(answer) is dict or type(answer) is list else answer


@host("flow", "ask_all(question: question, *arguments: handed) -> [{rule, answer}]", law=True)
def ask_all(play: Play, question: str, arguments: list[Any]) -> list[ScriptRecord]:
    """The answers of all rules that have one, each with its `rule` and `answer`, highest precedence first.

    | announce("; ".join(["rule %s says %s" % (said.rule.number, said.answer) for said in ask_all("phase")]))
    """
    asked = [again(play, argument) for argument in arguments]
    found = play.answers(question, asked)
    return [record({"rule": play.law.record(uid, play.view), "answer": again(play, answer)}) for uid, answer in found]


@host("", "require(code, why)", looks=True, keeps=TEXTS, grows=False)
def require(play: Play, code: str, why: str) -> None:
    """Refuse the act that is judged."""
    raise Refusal(code, why, play.cite())


@host("", "overrun(what)", keeps=NOTHING)
def overrun(_play: Play, what: str) -> None:
    """Fail where a script asks for more numbers than a range holds."""
    raise Fault(f"{what} is limited to 100,000 numbers", "E-BUDGET")


@host("", "debug(line: int, text: str) -> None", law=True)
def debug(play: Play, line: int, text: str) -> None:
    """Show a text to whoever tries the rule that runs; the line of its script is 0 where that is not known."""
    frame = play.frames[-1]
    note: Failure = {"rule": frame.uid, "hook": frame.hook, "error": text[:LONGEST_DEBUG]}
    play.debugged({**note, "line": line} if line else note)


@host("flow", "announce(text: str, **fields: sealed) -> None", effects={"announce": ""})
def announce(play: Play, text: str, fields: Arguments) -> None:
    """Put a sentence into the record.

    | announce("%s waves" % a.by)
    """
    play.writing("announce")
    if len(text) > LONGEST_ANNOUNCEMENT:
        raise Fault("an announcement is too long", "E-BUDGET")
    play.effect("announce", text=text, **{k: v for k, v in fields.items() if k not in ("effect", "text", "rule")})


@host("flow", "cite(rule: ref) -> None", law=True)
def cite(play: Play, ref: Any) -> None:
    """Name a rule among the reasons of what is being decided.

    | cite(me())
    """
    play.reason("CITED", play.law.resolve(ref, play.view), by=play.cite())


@host("reading", "date(time: int) -> {year, month, day, hour, minute, second, weekday, ordinal}", looks=True)
def date(play: Play, time: int) -> ScriptRecord:
    """A time as year, month, day, hour, minute, second, weekday (Monday is 0) and ordinal day, in the game's zone.

    | announce("today is day %d of the month" % date(now()).day)
    """
    return record(dict(calendar.civil(time, play.documents[GAME]["zone"])))


@host(
    "reading",
    "moment(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> int",
    looks=True,
)
def moment(play: Play, *parts: int) -> int:
    """The Unix time of a civil time in the game's zone.

    A time that a change of the clocks leaves out is the instant of the change, one that comes twice is the first of
    both. What no calendar has, such as 31 April, fails.

    | put("game", "last_time", moment(2026, 5, 1, hour = 12))
    """
    year, month, day, *time = parts
    return calendar.moment(year, month, day, time[0], time[1], time[2], play.documents[GAME]["zone"])


def _labelled(play: Play, label: str, draws: int = 1) -> str:
    """Count draws that a script makes, and return their label, which is the name of the hook where it gives none."""
    play.writing("draw")
    play.budget.spend("draws", draws)
    return label or play.frames[-1].hook


@host("chance", 'between(low: int, high: int, label: str = "") -> int')
def draw(play: Play, low: int, high: int, label: str) -> int:
    """A number from low to high, both included, each as likely as the other.

    | award(a.by, "score", between(-10, 10, "luck"))
    """
    label = _labelled(play, label)
    if high < low:
        raise Fault("there is nothing to draw from", "E-BOUNDS")
    return play.chance.integer(low, high, label)


@host("", "pick(items, label)")
def pick(play: Play, items: list[Any], label: str) -> int:
    """Draw the place of one of some items."""
    label = _labelled(play, label)
    if not items:
        raise Fault("there is nothing to draw from", "E-BOUNDS")
    return play.chance.position(items, label)


@host("chance", 'roll(sides: int, label: str = "", count = None)')
def roll(play: Play, sides: int, label: str, count: int | None) -> Any:
    """Throw a die of so many sides, or several as a list.

    | award(a.by, "score", roll(6, "die"))
    """
    if count is None:
        return draw(play, 1, sides, label)
    if not 0 <= count <= MOST_DICE:
        raise Fault(f"at most {MOST_DICE} dice at once", "E-BUDGET")
    return [draw(play, 1, sides, label) for _ in range(count)]


@host("chance", 'chance(numerator: int, denominator: int, label: str = "") -> bool')
def chance(play: Play, numerator: int, denominator: int, label: str) -> bool:
    """True with the given probability.

    | if chance(1, 4, "tackle"):
    |     announce("caught")
    """
    return play.chance.happens(numerator, denominator, _labelled(play, label))


@host("", "permutation(count, label)")
def permutation(play: Play, count: int, label: str) -> list[int]:
    """Draw an order of so many places."""
    return play.chance.permutation(count, _labelled(play, label, max(1, count)))


@host("what is sealed", 'shuffle_sealed(items: list[sealed], label: str = "") -> list')
def shuffle_sealed(play: Play, items: list[Any], label: str) -> list[Arguments]:
    """The items in an order that nobody sees: sealed values, the first the first of the order.

    | deck = shuffle_sealed(["jack", "queen", "king", "ace"], "deal")
    | put(a.by, "hand", deck[0])
    """
    return sealed_data.values.draw(play, items, _labelled(play, label, max(1, len(items))), order=True)


@host("what is sealed", 'pick_sealed(items: list[sealed], label: str = "")')
def pick_sealed(play: Play, items: list[Any], label: str) -> Arguments:
    """One of the items, which nobody sees: a sealed value.

    | put(a.by, "hand", pick_sealed(["jack", "queen"], "a card for %s" % a.by))
    """
    return sealed_data.values.draw(play, items, _labelled(play, label), order=False)[0]


@host("reading", "in_list(list: str, word: str) -> bool", looks=True)
def in_list(play: Play, name: str, word: str) -> bool:
    """Whether a word is, letter by letter, in a word list that the game was founded with (`lists/NAME.txt`).

    | announce("tea is a word" if in_list("english", "tea") else "tea is none")
    """
    spec = (play.documents[GAME].get("lists") or {}).get(name)
    if spec is None:
        raise Fault(f"this game has no word list {told(name)}", "E-NO-SUCH")
    known = play.word_lists.get(spec["digest"])
    if known is None:
        text = (play.documents.fetch_list(f"{LISTS}{name}/{spec['digest']}") or {}).get("words")
        if not isinstance(text, str) or bytes_digest(text.encode()) != spec["digest"]:  # for which no rule answers
            why = "is not the one that the game was founded with" if isinstance(text, str) else "is missing"
            hint = f"put {file_of(name)} of the game's folder back as it was committed first; nothing was recorded"
            raise fail("E-LIST", f"the word list {name} {why}", None, hint)
        known = play.word_lists[spec["digest"]] = WordList(text)
    return word in known


HOST = HostFunctions(
    registers, things, sys.modules[__name__], rule_changes, answers, proposals, voting, trials, clock,
    sealed_data, acts,
)  # fmt: skip
