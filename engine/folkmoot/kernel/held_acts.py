"""Acts that wait: the law holds them under a label, until it is released or the rule that holds them changes."""

from __future__ import annotations

from typing import Any

from folkmoot.core.documents import Document, HeldAct
from folkmoot.core.keys import GAME, HELD, LAW
from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.kernel.acts import act_within
from folkmoot.kernel.budget import Budget
from folkmoot.kernel.errors import Fault, Held, Overrun, Refusal
from folkmoot.kernel.frames import Released, Scope, Sent
from folkmoot.kernel.identity import maker_of
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record


def keep_held(play: Play, held: Held, do: str, by: str | None, arguments: Arguments, as_: str | None) -> None:
    """Keep an act until its label is released."""
    kept = {"do": do, "by": by, "as": as_, "with": arguments, "at": play.now, "via": play.via}
    _keep(play, f"{play.seq}", kept, held)


def _keep(play: Play, key: str, kept: Document, held: Held) -> None:
    """Keep an act under its id, the number of the entry that brought it, and tell those who listen."""
    waiting = play.documents[HELD]
    bound = {"label": held.label, "why": held.why, "rule": held.rule, "version": _version(play, held.rule)}
    play.documents.assign(HELD, waiting, key, {**kept, **bound})
    play.effect("hold", of=key, label=held.label, why=held.why or None, rule=held.rule)
    play.emit("act_held", {"action": held.action, "label": held.label})


def listed(play: Play, label: str | None) -> list[ScriptRecord]:
    """Return the acts that wait (under a label, where one is given) for scripts, in order of arrival."""
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


def drop(play: Play, identifier: Any, why: str) -> bool:
    """Let an act that waits go without judging it; False where none of that id waits."""
    play.writing("drop acts that wait")
    key, waiting = str(identifier), play.documents[HELD]
    if key not in waiting:
        return False
    label = waiting[key]["label"]
    play.documents.remove(HELD, waiting, key)
    play.effect("drop", of=key, label=label, why=why or None)
    return True


def _version(play: Play, uid: str | None) -> str:
    """Return what a rule is now, as far as acts that it holds depend on it: another one, and they are judged anew."""
    meta = play.documents[LAW]["rules"].get(uid or "")
    if meta is None or not meta["in_force"]:
        return "repealed"
    return "asleep" if meta["suspended"] is not None else str(meta["revision"])


def release(play: Play, label: str) -> None:
    """Judge anew every act held under a label, in order of arrival."""
    play.writing("release acts")
    waiting = play.documents[HELD]
    for key in sorted((k for k, kept in waiting.items() if kept["label"] == label), key=int):
        if key in waiting:  # else what one of them led to has released it
            _judge_anew(play, key)


def release_abandoned(play: Play) -> None:
    """Judge anew what is held by a rule that is not what it was: repealed, amended, asleep or awake again.

    All of them have one budget more between them; what it does not suffice for is refused, so that no rule's change
    fails of what the rule held. While the game is paused, or no script is heard, they wait.
    """
    waiting = play.documents.get(HELD) or {}
    changed = [key for key, kept in waiting.items() if kept.get("version") != _version(play, kept["rule"])]
    if not changed or play.absence.silent or play.documents[GAME].get("paused") is not None:
        return
    spent: Overrun | None = None
    play.budget = Budget()
    for key in sorted(changed, key=int):
        if key in waiting:  # else what one of them led to has released it
            spent = _judge_abandoned(play, key, spent)


def _judge_abandoned(play: Play, key: str, spent: Overrun | None) -> Overrun | None:
    """Judge a held act anew, or refuse it where the budget is `spent`; returns how it is spent after it."""
    mark = play.mark()
    play.scopes.append(Scope(None))
    try:
        if spent is not None:
            raise spent
        _judge_anew(play, key)
        play.drain()
    except (Overrun, Fault) as error:
        play.rollback(mark)
        play.budget = Budget()
        _take_out(play, key)
        play.reason(error.code, None, why=f"{error.message}; it can be done again", of=key)
        return error if isinstance(error, Overrun) else spent
    finally:
        play.scopes.pop()
    return spent


def _take_out(play: Play, key: str) -> HeldAct:
    """Take an act from those that are held, and return it."""
    waiting = play.documents[HELD]
    kept = waiting[key]
    play.documents.remove(HELD, waiting, key)
    play.effect("release", of=key, label=kept["label"])
    return kept


def _judge_anew(play: Play, key: str) -> None:
    """Judge a held act as its author's, sent when and by the way it came; it may be held again."""
    kept = _take_out(play, key)
    outer = play.person, play.via, play.sent
    play.via, play.sent = kept.get("via", {}), Sent(int(key), kept["at"])
    review = maker_of(play.via)
    play.person = None if review else kept["by"]
    start = len(play.effects)
    try:
        act_within(play, kept["do"], kept["by"], kept["with"], kept["as"], review=review)
        play.released.append(Released(int(key), start, len(play.effects)))
    except Refusal as refusal:
        play.reason(refusal.code, refusal.rule, why=refusal.why, of=key)
    except Held as held:
        _keep(play, key, kept, held)
        play.reason("HELD", held.rule, label=held.label, why=held.why, of=key)
    finally:
        play.person, play.via, play.sent = outer
