"""What a script may call: each host function of the prelude, carried out on the play."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from folkmoot.core import calendar
from folkmoot.core.documents import RuleParts
from folkmoot.core.event_names import HINT, forged, is_kernel_event
from folkmoot.core.keys import GAME, LAW, rule_key, things_key
from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.values import told
from folkmoot.kernel import (
    acts,
    awards,
    clock,
    duties,
    held_acts,
    lockout_probe,
    past_rules,
    proposals,
    registers,
    rule_changes,
    rule_settings,
    sealed_data,
    shown_proposals,
    taking_back,
    things,
    voting,
    word_lists,
)
from folkmoot.kernel.authority import check_deed
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.rule_checks import check_parts
from folkmoot.kernel.script_records import record
from folkmoot.kernel.shown_proposals import again

Function = Callable[..., Any]
MOST_DICE = 1_000
EVENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
LONGEST_ANNOUNCEMENT = 16_384


def _rule(play: Play, ref: Any) -> ScriptRecord | None:
    uid = play.law.resolve(ref, play.view)
    return play.law.record(uid, play.view) if uid else None


def _rules(play: Play, repealed: bool = False) -> list[ScriptRecord]:
    if repealed:
        return past_rules.repealed_rules(play)
    return [play.law.record(uid, play.view) for uid in play.law.in_force(play.view)]


def _declared_board(play: Play, name: str) -> ScriptRecord:
    found = play.law.declared("defines.boards", play.view).get(name)
    if found is None:
        raise Fault(f"no rule in force declares a board {told(name)}", "E-NO-SUCH")
    return dict(found[1])


def _me(play: Play) -> ScriptRecord:
    uid = play.frames[-1].uid
    if uid in play.law.in_force(play.view):
        return play.law.record(uid, play.view)
    if uid not in play.documents[LAW]["rules"]:
        raise Fault("an order is no rule, so that me() has no answer in it; its proposal is e.proposal")
    last = play.law.last_record(uid)
    if last is None:
        raise Fault("this rule is no longer in force")
    return last


def _defined(play: Play, ref: Any, name: str) -> bool:
    return registers.declaration(play, registers.find_owner(play, ref).kind, name) is not None


def _get_all(play: Play, kind: str, name: str, default: Any = registers.UNSET) -> list[list[Any]]:
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


def _enact(play: Play, parts: ScriptRecord, number: Any) -> ScriptRecord:
    return play.law.record(rule_changes.enact(play, _checked(parts), number))


def _amend(play: Play, ref: Any, parts: ScriptRecord) -> ScriptRecord:
    uid = _the_rule(play, ref)
    rule_changes.revise_rule(play, uid, _checked(parts), "amend")
    return play.law.record(uid)


def _repeal(play: Play, ref: Any, because: str) -> None:
    rule_changes.repeal(play, _the_rule(play, ref), because)


def _renumber(play: Play, ref: Any, number: str) -> ScriptRecord:
    uid = _the_rule(play, ref)
    rule_changes.renumber(play, uid, number)
    return play.law.record(uid)


def _label(play: Play, ref: Any, labels: ScriptRecord) -> ScriptRecord:
    uid = _the_rule(play, ref)
    merged = {**(play.documents[rule_key(uid)].get("labels") or {}), **labels}
    kept = {name: value for name, value in merged.items() if value is not None}
    rule_changes.revise_rule(play, uid, {"labels": kept}, "label")
    return play.law.record(uid)


def _suspend(play: Play, ref: Any, why: str) -> None:
    play.writing("suspend a rule")
    rule_changes.set_suspended(play, _the_rule(play, ref), why or "suspended")


def _wake(play: Play, ref: Any) -> None:
    play.writing("wake a rule")
    rule_changes.set_suspended(play, _the_rule(play, ref), None)


def _may_refer(play: Play) -> bool:
    """Whether a rule or proposal may stand in what the script that runs hands over, to be shown as it is now."""
    asked = play.frames[-1].asked if play.frames else ""
    return not asked or '"$"' in asked


def _emit(play: Play, name: str, payload: Arguments) -> None:
    _check_event(play, name)
    refers = _may_refer(play)
    shown_proposals = {key: value for key, value in payload.items() if isinstance(value, (str, int, bool))}
    play.effect("event", name=name, of=shown_proposals.get("player"), with_=shown_proposals or None)
    play.emit(name, {key: again(play, value) for key, value in payload.items()} if refers else payload)


def _emit_under(play: Play, number: int | None, name: str, payload: Arguments) -> None:
    """Raise an event under the law as of a submission (None: that of today), whichever law governs the act."""
    outer, play.view = play.view, acts.view_of(play, number)
    try:
        _emit(play, name, payload)
    finally:
        play.view = outer


def _check_event(play: Play, name: str) -> None:
    """Raise Fault where a rule may raise no event, or none of this name."""
    play.writing("raise events")
    if not EVENT.fullmatch(name):
        raise Fault(f"{told(name[:80])} is no name of an event; use letters, digits and _", "E-ARGS")
    if is_kernel_event(name):
        raise Fault(f"{forged(name)}; {HINT}", "E-ARGS")
    check_deed(play, "emit", name, "event", play.law.listeners(f"on_{name}", view=play.view))


def _later(play: Play, name: str, payload: Arguments) -> None:
    _check_event(play, name)
    handed = {key: again(play, value) for key, value in payload.items()} if _may_refer(play) else payload
    play.queue.append((name, handed))
    play.budget.spend("effects")


def _ask(play: Play, question: str, arguments: list[Any]) -> Any:
    asked = [again(play, argument) for argument in arguments] if _may_refer(play) else arguments
    answer = play.ask(question, *asked)
    return again(play, answer) if type(answer) is dict or type(answer) is list else answer


def _ask_all(play: Play, question: str, arguments: list[Any]) -> list[ScriptRecord]:
    """Return what each rule answers to a question, and which rule, the highest precedence first."""
    asked = [again(play, argument) for argument in arguments] if _may_refer(play) else arguments
    found = play.answers(question, asked)
    return [record({"rule": play.law.record(uid, play.view), "answer": again(play, answer)}) for uid, answer in found]


def _require(play: Play, code: str, why: str) -> None:
    raise Refusal(code, why, play.cite())


def _overrun(_play: Play, what: str) -> None:
    raise Fault(f"{what} is limited to 100,000 numbers", "E-BUDGET")


def _refuse_sealed(_play: Play, name: str) -> None:
    raise Fault(f"{name}() cannot be given here what is sealed", "E-SEALED")


def _announce(play: Play, text: str, fields: Arguments) -> None:
    play.writing("announce")
    if len(text) > LONGEST_ANNOUNCEMENT:
        raise Fault("an announcement is too long", "E-BUDGET")
    play.effect("announce", text=text, **{k: v for k, v in fields.items() if k not in ("effect", "text", "rule")})


def _cite(play: Play, ref: Any) -> None:
    play.reason("CITED", play.law.resolve(ref, play.view), by=play.cite())


def _date(play: Play, time: int) -> ScriptRecord:
    return record(dict(calendar.civil(time, play.documents[GAME]["zone"])))


def _moment(play: Play, *parts: int) -> int:
    year, month, day, *time = parts
    return calendar.moment(year, month, day, time[0], time[1], time[2], play.documents[GAME]["zone"])


def _labelled(play: Play, label: str, draws: int = 1) -> str:
    """Count draws that a script makes, and return their label, which is the name of the hook where it gives none."""
    play.writing("draw")
    play.budget.spend("draws", draws)
    return label or play.frames[-1].hook


def _draw(play: Play, low: int, high: int, label: str) -> int:
    label = _labelled(play, label)
    if high < low:
        raise Fault("there is nothing to draw from", "E-BOUNDS")
    return play.chance.integer(low, high, label)


def _pick(play: Play, items: list[Any], label: str) -> int:
    label = _labelled(play, label)
    if not items:
        raise Fault("there is nothing to draw from", "E-BOUNDS")
    return play.chance.position(items, label)


def _roll(play: Play, sides: int, label: str, count: int | None) -> Any:
    if count is None:
        return _draw(play, 1, sides, label)
    if not 0 <= count <= MOST_DICE:
        raise Fault(f"at most {MOST_DICE} dice at once", "E-BUDGET")
    return [_draw(play, 1, sides, label) for _ in range(count)]


def _chance(play: Play, numerator: int, denominator: int, label: str) -> bool:
    return play.chance.happens(numerator, denominator, _labelled(play, label))


def _permutation(play: Play, count: int, label: str) -> list[int]:
    return play.chance.permutation(count, _labelled(play, label, max(1, count)))


def _draw_sealed(play: Play, kind: str, items: list[Any], label: str) -> Any:
    """Draw one of some items, or an order of all, so that nobody sees what was drawn."""
    label = _labelled(play, label, max(1, len(items)) if kind == "order" else 1)
    draw = sealed_data.values.draw_order if kind == "order" else sealed_data.values.draw_item
    return draw(play, items, label)


def _handling(do: str, function: Function) -> Function:
    """Return a function on something voted on that asks the law first whether the script that runs may do it."""

    def asking(play: Play, ref: Any, *arguments: Any) -> Any:
        proposals.check_handling(play, do, ref, *arguments)
        return function(play, ref, *arguments)

    return asking


HOST: dict[str, Function] = {
    "get": registers.get,
    "get_all": _get_all,
    "get_in": registers.get_in,
    "registers": registers.names_of,
    "defined": _defined,
    "things": things.things,
    "rule": _rule,
    "rules": _rules,
    "revisions": past_rules.revisions,
    "law_version": lambda play: play.documents[LAW]["version"],
    "me": _me,
    "now": lambda play: play.now,
    "cause": lambda play: play.scopes[-1].cause if play.scopes else None,
    "setting": rule_settings.setting,
    "holder": things.holder,
    "proposal": shown_proposals.proposal_of,
    "proposals": proposals.open_proposals,
    "timer": clock.find,
    "date": _date,
    "moment": _moment,
    "declared_board": _declared_board,
    "in_list": word_lists.in_list,
    "sealed": sealed_data.compute,
    "declassify": sealed_data.declassify,
    "is_open": sealed_data.is_open,
    "disclose": sealed_data.disclose,
    "draw_sealed": _draw_sealed,
    "digest": lambda _play, value: things.canonical_digest(value),
    "put": registers.put,
    "put_all": registers.put_all,
    "put_in": registers.put_in,
    "reset": registers.reset,
    "add": registers.add,
    "append": registers.append,
    "award": awards.award,
    "transfer": awards.transfer,
    "create": things.create,
    "destroy": things.destroy,
    "give": things.give,
    "reveal": things.reveal,
    "enact": _enact,
    "amend": _amend,
    "repeal": _repeal,
    "renumber": _renumber,
    "label": _label,
    "suspend": _suspend,
    "wake": _wake,
    "submit": proposals.submit,
    "freeze": _handling("freeze", proposals.freeze),
    "number": _handling("number", proposals.number),
    "revise": proposals.revise,
    "open_voting": _handling("open_voting", voting.open_voting),
    "close_voting": _handling("close_voting", voting.close_voting),
    "cast": voting.cast_for,
    "recount": voting.recount,
    "enrol": voting.enrol,
    "strike": voting.strike,
    "resolve": proposals.resolve_by_rule,
    "take_effect": proposals.take_effect,
    "locks_out": lockout_probe.locks_out,
    "emit": _emit,
    "emit_under": _emit_under,
    "later": _later,
    "ask": _ask,
    "ask_all": _ask_all,
    "require": _require,
    "release": held_acts.release,
    "held": held_acts.listed,
    "drop": held_acts.drop,
    "take_back": taking_back.take_back,
    "try_act": acts.try_act,
    "owe": duties.owe,
    "owe_all": duties.owe_all,
    "duties": duties.duties_of,
    "settle": duties.settle,
    "win": awards.win,
    "announce": _announce,
    "cite": _cite,
    "start_timer": clock.start,
    "cancel": clock.cancel,
    "draw": _draw,
    "pick": _pick,
    "roll": _roll,
    "chance": _chance,
    "permutation": _permutation,
    "overrun": _overrun,
    "refuse_sealed": _refuse_sealed,
}
