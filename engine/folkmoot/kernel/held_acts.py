"""Acts that wait: the law holds them under a label, until it is released or the rule that holds them changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.core.documents import Document, HeldAct, Timer
from folkmoot.core.event_names import REST_RELEASED
from folkmoot.core.keys import GAME, HELD, LAW, TIMERS
from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.values import sealed_number
from folkmoot.kernel.acts import act_within
from folkmoot.kernel.authority import check_deed
from folkmoot.kernel.budget import Budget
from folkmoot.kernel.errors import Fault, Held, Overrun, Refusal
from folkmoot.kernel.event_state import Released, Scope, Sent
from folkmoot.kernel.play import Play
from folkmoot.kernel.roster import maker_of
from folkmoot.kernel.script_records import record
from folkmoot.language.host_functions import host


def keep_held(play: Play, held: Held, do: str, by: str | None, arguments: Arguments, as_: str | None) -> None:
    """Keep an act until its label is released."""
    taken = held.action["args"]  # where a box was taken in already, what stands for it is in its place
    given = {n: taken[n] if sealed_number(taken.get(n)) is not None else value for n, value in arguments.items()}
    kept = {"do": do, "by": by, "as": as_, "with": given, "at": play.now, "via": play.via}
    _keep(play, f"{play.seq}", kept, held)


def _keep(play: Play, key: str, kept: Document, held: Held) -> None:
    """Keep an act under its id, the number of the entry that brought it, and tell those who listen."""
    waiting = play.documents[HELD]
    bound = {"label": held.label, "why": held.why, "rule": held.rule, "version": _version(play, held.rule)}
    play.documents.assign(HELD, waiting, key, {**kept, **bound})
    play.effect("hold", of=key, label=held.label, why=held.why or None, rule=held.rule)
    play.emit("act_held", {"action": held.action, "label": held.label})


@host("flow", "held(label = None) -> list[held]", looks=True)
def listed(play: Play, label: str | None) -> list[ScriptRecord]:
    """The acts that wait, in order of arrival, or only those held under one label.

    | announce("%d acts wait" % len(held("clock")))
    """
    waiting = play.documents.get(HELD) or {}
    found = sorted((key for key, kept in waiting.items() if label in (None, kept["label"])), key=int)
    return [_shown(play, int(key), waiting[key]) for key in found]


def _shown(play: Play, identifier: int, kept: HeldAct) -> ScriptRecord:
    given = {name: value for name, value in kept["with"].items() if name != "requests"}
    uid = kept["rule"]
    holding = play.law.record(uid, play.view) if uid in play.law.in_force(play.view) else None
    known = {"id": identifier, "name": kept["do"], "by": kept["by"], "as_": kept["as"], "args": record(given)}
    bound = {"label": kept["label"], "why": kept.get("why", ""), "rule": holding}
    return record({**known, "at": kept["at"], **bound})


@host("flow", 'drop(id, why: str = "") -> bool', effects={"drop": ""})
def drop(play: Play, identifier: Any, why: str) -> bool:
    """Let an act that waits go without judging it, by its id; False where none of that id waits.

    | for act in held():
    |     if act.by == a.by:
    |         drop(act.id, "whoever sent it thought better of it")
    """
    play.writing("drop acts that wait")
    key, waiting = str(identifier), play.documents[HELD]
    if key not in waiting:
        return False
    label = waiting[key]["label"]
    check_deed(play, "drop", label, "held", [waiting[key]["rule"]])
    play.documents.remove(HELD, waiting, key)
    play.effect("drop", of=key, label=label, why=why or None)
    return True


def _version(play: Play, uid: str | None) -> str:
    """Return what a rule is now, as far as acts that it holds depend on it: another one, and they are judged anew."""
    meta = play.documents[LAW]["rules"].get(uid or "")
    if meta is None or not meta["in_force"]:
        return "repealed"
    return "asleep" if meta["suspended"] is not None else str(meta["revision"])


@host("flow", "release(label: str) -> list", effects={"release": ""})
def release(play: Play, label: str) -> list[ScriptRecord]:
    """Judge anew every act held under the label, in order of arrival; of very many the last of them after this event.

    Returns what came of each that was judged: its id, ok, code and why; one that is held again has the code HELD.

    | release("clock")
    """
    play.writing("release acts")
    check_deed(play, "release", label, "held", [play.documents[HELD][key]["rule"] for key in _under(play, label)])
    came: list[ScriptRecord] = []

    def judge(play: Play, key: str) -> None:
        came.append(_judge_anew(play, key))

    _judge_all(play, label, _under(play, label), judge)
    return came


def release_rest(play: Play, label: str | None, after: int) -> None:
    """Go on behind an act with those held under a label that were released; without one see `release_abandoned`."""
    if label is not None:
        _judge_all(play, label, [key for key in _under(play, label) if int(key) > after], _judge_apart)


def release_abandoned(play: Play) -> None:
    """Judge anew what is held by a rule that is not what it was: repealed, amended, asleep or awake again.

    They have a budget beside that of the event, and the next event where it does not suffice. While the game is paused,
    or no script is heard, they wait.
    """
    waiting = play.documents.get(HELD) or {}
    changed = [key for key, kept in waiting.items() if kept.get("version") != _version(play, kept["rule"])]
    if not changed or play.silenced.silent or play.documents[GAME].get("paused") is not None:
        return
    play.budget = Budget()
    _judge_all(play, None, changed, _judge_apart)


def _under(play: Play, label: str) -> list[str]:
    return [key for key, kept in (play.documents.get(HELD) or {}).items() if kept["label"] == label]


def _judge_all(play: Play, label: str | None, keys: list[str], judge: Callable[[Play, str], None]) -> None:
    """Judge held acts in order of arrival until half of the event's budget is spent; the rest at once in the next."""
    last = -1
    for key in sorted(keys, key=int):
        first = last < 0
        if (play.budget.is_half_spent() and not first) or not _judge_or_wait(play, key, judge, first=first):
            _go_on_at_once(play, label, last)
            return
        last = int(key)


def _judge_or_wait(play: Play, key: str, judge: Callable[[Play, str], None], *, first: bool) -> bool:
    """Judge a held act; False where the event's budget does not suffice, but might if it were the first of an event.

    An act for which no budget suffices is refused: it may be done again.
    """
    mark, before, scope = play.mark(), play.budget.as_now(), play.scopes[-1] if play.scopes else Scope(None)
    puts = scope.puts.copy()
    try:
        if key in play.documents[HELD]:  # else what one of the others led to has released it
            judge(play, key)
    except (Overrun, Fault) as error:
        spent, apart = isinstance(error, Overrun), judge is _judge_apart
        if not spent and not apart:
            raise
        play.rollback(mark)
        scope.puts, play.budget = puts, before if spent else play.budget
        if spent and not (first and apart):
            return False
        _take_out(play, key)
        play.reason(error.code, None, why=f"{error.message}; it can be done again", of=key)
    return True


def _go_on_at_once(play: Play, label: str | None, after: int) -> None:
    """Let the rest be judged by a tick of this very instant, before anything that arrives."""
    payload = {"label": label, "after": after}
    timer: Timer = {"name": REST_RELEASED, "due": play.now, "edge": "start", "rule": None, "payload": payload}
    key = REST_RELEASED if label is None else f"{REST_RELEASED}/{label}"
    play.documents.assign(TIMERS, play.documents[TIMERS], key, timer)


def _judge_apart(play: Play, key: str) -> None:
    """Judge a held act beside all others, with what it puts off to the end of the transaction."""
    play.scopes.append(Scope(None))
    try:
        _judge_anew(play, key)
        play.drain()
    finally:
        play.scopes.pop()


def _take_out(play: Play, key: str) -> HeldAct:
    """Take an act from those that are held, and return it."""
    waiting = play.documents[HELD]
    kept = waiting[key]
    play.documents.remove(HELD, waiting, key)
    play.effect("release", of=key, label=kept["label"])
    return kept


def _judge_anew(play: Play, key: str) -> ScriptRecord:
    """Judge a held act as its author's, sent when and by the way it came, and return what came of it.

    It may be held again.
    """
    kept = _take_out(play, key)
    outer = play.person, play.via, play.sent
    play.via, play.sent = kept.get("via", {}), Sent(int(key), kept["at"])
    review = maker_of(play.via)
    play.person = None if review else kept["by"]
    start = len(play.effects)
    try:
        act_within(play, kept["do"], kept["by"], kept["with"], kept["as"], review=review)
        play.released.append(Released(int(key), start, len(play.effects)))
        return _outcome(key)
    except Refusal as refusal:
        play.reason(refusal.code, refusal.rule, why=refusal.why, of=key)
        return _outcome(key, refusal.code, refusal.why)
    except Held as held:
        _keep(play, key, kept, held)
        play.reason("HELD", held.rule, label=held.label, why=held.why, of=key)
        return _outcome(key, "HELD", held.why)
    finally:
        play.person, play.via, play.sent = outer


def _outcome(key: str, code: str = "", why: str = "") -> ScriptRecord:
    return record({"id": int(key), "ok": not code, "code": code, "why": why})
