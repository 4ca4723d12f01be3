"""Acts: who may do what, the opinions of the law, the rule that carries it out, and what follows.

What becomes of an act that the law holds is in `folkmoot.kernel.held_acts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from folkmoot.core.documents import Request, Revision, RuleDocument, RuleMeta
from folkmoot.core.keys import GAME
from folkmoot.core.misspelt import meant_by
from folkmoot.core.records import Arguments, ScriptRecord
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import in_a_row, is_digits, told
from folkmoot.kernel.act_declarations import BEYOND_RULES, UNSTOPPABLE, VOTE, doers
from folkmoot.kernel.answers import (
    ask_usable,
    check_permission,
    flaw_of_integer,
    flaw_of_opinion,
    instead_of,
)
from folkmoot.kernel.arguments import is_taken, read_arguments
from folkmoot.kernel.authority import check_deed, refusal_of_deed
from folkmoot.kernel.clock import done_by_act
from folkmoot.kernel.errors import WAKING, FailedGuard, Fault, Held, Overrun, PlayEnds, Refusal, TooDeep, shortened
from folkmoot.kernel.event_state import Scope, Sent, kind_of
from folkmoot.kernel.failed_guards import Doubt
from folkmoot.kernel.hook_calls import call
from folkmoot.kernel.kernel_acts import KERNEL_ACTS, declaration_of, name_kind, take_ballot
from folkmoot.kernel.lawbook import View
from folkmoot.kernel.play import Play
from folkmoot.kernel.registers import kinds_voted_on
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.script_records import record, request_record
from folkmoot.kernel.things import acts_for
from folkmoot.language.binding import ScriptError
from folkmoot.language.host_functions import VALUES, host
from folkmoot.language.tree import hook_names

OLDER_REVISIONS_TRIED = 10
INSTEAD = {
    "vote": "; a rule enters a ballot by cast(), and it is shown as deemed",
    "state": "; a rule speaks by announce(), in its own name",
    "join": "; a rule brings somebody in by create()",
}
"""What a rule does instead of an act that is for people."""


FAULT = "fault"
"""What is recorded of an input of a player's over which the engine failed: refused, whatever it was."""


def run(
    play: Play,
    do: str,
    by: str | None,
    arguments: Arguments,
    as_: str | None,
    *,
    for_a_rule: bool = False,
    review: str | None = None,
) -> None:
    """Judge and carry out one act; raises Refusal or Held, and leaves undoing to the caller.

    `for_a_rule` says that a rule does it in somebody's name: what the kernel lets people do, they do in person.
    `review` is the uid of the rule that said that a review stands for it: so then, but it may be a ballot, too.
    """
    for_a_rule = for_a_rule or review is not None
    _require_play(play, do, arguments)
    if review is not None and (
        refused := refusal_of_deed(play, review, "try_act", do, "action", _offering(play, do), by)
    ):
        raise refused
    kernel = KERNEL_ACTS.get(do)
    declared = _declared_by_rule(play, do)
    if declared is None and kernel is None:
        raise Refusal("E-NO-SUCH", unknown_action(play, do))
    if declared is None and for_a_rule and not (do == "vote" and review is not None):
        _refuse_in_person(play, do, review)
    declaration = declared[1] if declared else declaration_of(play, do)
    try:
        if kernel is not None and kernel.administrative:
            if by is not None and by not in play.documents[GAME]["administrators"]:
                raise Refusal("E-NOT-ADMINISTRATOR", f"{by} is no administrator of this game")
        else:
            _require_actor(play, do, declaration, by, as_, for_a_rule=for_a_rule)
        action = _action(play, do, declaration, by, as_, arguments, rule=review or play.cite())
    except Refusal as refusal:
        refusal.rule = refusal.rule or (declared[0] if declared else None)
        raise
    play.actor = by
    types = [argument.get("type") for argument in (declaration.get("arguments") or {}).values()]
    doubt = Doubt(play, proposes="changes" in types)
    opinions(play, do, action, doubt, administrative=do in BEYOND_RULES)
    done_by_act(play, by, do, action["args"])
    try:
        if declared is not None:
            _carry_out(play, do, action)
        elif kernel is not None:
            kernel.run(play, action)
        play.emit("acted", {"action": action})
    except PlayEnds:
        doubt.settle()
        raise
    doubt.settle()


def _declared_by_rule(play: Play, do: str) -> tuple[str, ActionSpec] | None:
    """Return the rule (its uid) that declares an action and how; None where none does, or none stands in its way."""
    kernel = KERNEL_ACTS.get(do)
    if do in UNSTOPPABLE or (kernel is not None and kernel.administrative):
        return None  # no rule stands in the way of a repair
    found = play.law.declared("actions", play.view).get(do)
    if kernel is not None and found is not None and refusal_of_deed(play, found[0], "offer", do, "action") is not None:
        return None
    return found


def _refuse_in_person(play: Play, do: str, review: str | None) -> NoReturn:
    """Raise the Refusal of what a rule would do in somebody's name, though only people or administrators do it."""
    citing = review or play.cite()
    if KERNEL_ACTS[do].administrative:
        raise Refusal("E-NOT-ADMINISTRATOR", f"{do} is for administrators to do, not for rules", citing)
    raise Refusal("E-PERSONAL", f"{do} is for people to do in person{INSTEAD.get(do, '')}", citing)


def _require_play(play: Play, do: str, arguments: Arguments) -> None:
    """Refuse what the engine failed over before any rule is asked; and where the game rests, but for administrators."""
    if do == FAULT and not play.frames:
        raise Refusal(str(arguments.get("code") or "E-FAULT"), str(arguments.get("why") or ""))
    if do in BEYOND_RULES:
        return
    if over := play.documents[GAME].get("over"):
        winners = " and ".join(over.get("winner") or ())
        raise Refusal("E-GAME-OVER", f"the game is over{': won by ' if winners else ''}{winners}", over.get("rule"))
    if play.documents[GAME].get("paused") is not None:
        raise Refusal("E-PAUSED", "the game is paused until an administrator resumes it")


def _require_actor(
    play: Play, do: str, declaration: ActionSpec, by: str | None, as_: str | None, *, for_a_rule: bool
) -> None:
    doing = doers(declaration)
    if "anyone" not in doing and not ("player" in doing and is_player(play, by)):
        _require_thing(play, do, doing, by, for_a_rule=for_a_rule)
    for office in dict.fromkeys(filter(None, (declaration.get("as"), as_))):
        if office not in play.law.declared("defines.offices", play.view):
            raise Refusal("E-NOT-OFFICE", f"there is no office of {office}")
        if by is None or not acts_for(play, by, office):
            raise Refusal("E-NOT-OFFICE", f"{by} does not hold the office of {office}, which {do} needs")


def _require_thing(play: Play, do: str, doing: list[str], by: str | None, *, for_a_rule: bool) -> None:
    """Raise Refusal unless a thing of the right kind acts, which a rule lets do so: who may direct it, the law says."""
    kind = kind_of(play, by)
    if kind in (None, "player"):
        strange = "no player of this game" if "player" in doing or not is_player(play, by) else "a player"
        whose = "" if "player" in doing else f", and {do} is done by things: {in_a_row(doing)}"
        raise Refusal("E-NOT-PLAYER", f"{by} is {strange}{whose}")
    if kind not in doing:
        raise Refusal("E-NOT-PLAYER", f"{by} is a thing ({kind}), and {do} is for another to do: {in_a_row(doing)}")
    if not for_a_rule:
        raise Refusal("E-NOT-PLAYER", f"{by} is a thing ({kind}): a rule acts as it, and nobody else")


def _action(
    play: Play,
    do: str,
    declaration: ActionSpec,
    by: str | None,
    as_: str | None,
    arguments: Arguments,
    *,
    rule: str | None,
) -> ScriptRecord:
    rest = dict(arguments)
    requests = rest.pop("requests", None) or []
    if not isinstance(requests, list):
        raise Refusal("E-ARGS", "requests that travel with a proposal must be a list")
    ballot = rest.get("choice") if do == VOTE else None
    sealed = read_box(ballot) is not None or is_taken(play, ballot)
    if sealed:
        rest["choice"] = ""  # it is taken in when it is known what it is on
    read = read_arguments(play, do, declaration.get("arguments") or {}, rest)
    if do == VOTE and "kind" in read:
        name_kind(play, read)
    if sealed:
        read["choice"] = ballot if is_taken(play, ballot) else take_ballot(play, read, ballot)
    travelling = [_request(play, request) for request in requests]
    return record(
        {
            "name": do,
            "by": by,
            "as_": as_ or declaration.get("as") or None,
            "args": record(read),
            "requests": [request_record(r) for r in travelling],
            "id": play.sent.entry,
            "at": play.sent.at,
            "rule": rule,
            "despite": list(declaration.get("despite") or ()),
        }
    )


def _request(play: Play, request: Any) -> Request:
    """Return one request as {name, args}, from that form or from {retool: {…}}."""
    if isinstance(request, dict) and set(request) == {"name", "args"}:
        name, given = request["name"], request["args"]
    elif isinstance(request, dict) and len(request) == 1:
        name, given = next(iter(request.items()))
    else:
        raise Refusal("E-ARGS", "a request that travels with a proposal is a map from its name to its arguments")
    declared = play.law.declared("actions", play.view).get(name) if isinstance(name, str) else None
    if declared is None or declared[1].get("travels") != "with_proposal":
        actions = play.law.declared("actions", play.view).items()
        near = nearest(str(name), [known for known, (_, spec) in actions if (spec or {}).get("travels")])
        raise Refusal("E-NO-SUCH", f"no rule lets {told(name)} travel with a proposal{near}")
    arguments = declared[1].get("arguments") or {}
    try:
        return {"name": name, "args": read_arguments(play, name, arguments, _spelt_out(arguments, given))}
    except Refusal as refusal:
        refusal.rule = declared[0]
        raise


def _spelt_out(arguments: dict[str, ArgumentSpec], given: Any) -> Any:
    """Return the arguments of a request as a map, from short forms too: {defend: true}, {rotate: right}."""
    if given is None or given is True:
        return {}
    return {next(iter(arguments)): given} if len(arguments) == 1 and not isinstance(given, dict) else given


def opinions(play: Play, do: str, action: ScriptRecord, doubt: Doubt, administrative: bool = False) -> None:
    """Ask the law for opinions in order of precedence; the first one wins. Raises Refusal or Held.

    A guard that fails refuses, too; where the act may be on the way of its mending, `doubt` keeps that for later.
    """
    unheard, play.unheard = play.unheard, []
    if administrative:
        return
    for uid, guard in unheard:
        doubt.add(guard, uid)
    hooks = (f"permit_{do}", f"forbid_{do}", "forbid")
    for uid in play.law.listeners(*hooks, view=play.view):
        for hook in play.law.hooks_among(uid, hooks, play.view):
            answer = play.advise(uid, hook, [action])
            why = "" if isinstance(answer, FailedGuard) else flaw_of_opinion(hook, answer)
            answer = instead_of(play, uid, hook, [action], why) if why else answer
            if answer is not None and not hook.startswith("permit_") and _is_beyond(play, uid, do, action):
                play.reason("OVERRULED", uid, action=do)
            elif isinstance(answer, FailedGuard):
                doubt.add(answer, uid)
            elif _settled(play, uid, hook, answer, action):
                return


def _is_beyond(play: Play, uid: str, do: str, action: ScriptRecord) -> bool:
    """Whether the law lets a rule neither refuse nor hold an act, which is another rule's or the engine's to offer."""
    refused = refusal_of_deed(play, uid, "forbid", do, "action", _offering(play, do), action["by"])
    return refused is not None and refused.code not in ("E-SCRIPT", "E-BUDGET")  # if it cannot be told, it stands


def _offering(play: Play, do: str) -> list[str | None]:
    """Return the rule (its uid) that declares an action, None where that is the engine's; in a list."""
    declared = _declared_by_rule(play, do)
    return [declared[0] if declared else None]


def _settled(play: Play, uid: str, hook: str, answer: Any, action: ScriptRecord) -> bool:
    """Whether an answer permits; raises Refusal or Held where it refuses or holds."""
    if hook.startswith("permit_"):
        if answer is True or (isinstance(answer, dict) and answer.get("permit")):
            play.reason("PERMITTED", uid)
            return True
        return False
    check_permission(answer, "", uid)
    if isinstance(answer, dict) and answer.get("hold"):
        raise Held(str(answer["hold"]), str(answer.get("why", "")), uid, action)
    return isinstance(answer, dict) and bool(answer.get("permit"))


def _carry_out(play: Play, do: str, action: ScriptRecord) -> None:
    """Run the highest `do_`; where it fails, the next rule that offers the action, then older revisions."""
    hook = f"do_{do}"
    offering = [u for u in play.law.listeners(hook, view=play.view) if _offers(play, u, do)]
    for place, uid in enumerate(offering):
        document = play.law.in_force(play.view)[uid][0]
        if _attempt(play, uid, document, hook, action):
            for lower in offering[place + 1 :]:
                play.reason("OVERRULED", lower, action=do, by=uid)
            return
    for uid, older in _older_revisions(play, do, offering):
        if not play.silenced.lacks(uid, hook) and _attempt(play, uid, older, hook, action):
            play.reason("OLDER-REVISION", uid, revision=older["revision"])
            return
    uid, declaration = play.law.declared("actions", play.view)[do]
    if declaration.get("travels") and not offering:
        raise Refusal("E-ORDER", f"{do} is a request that travels with a proposal, no act of its own", uid)
    raise Refusal("E-SCRIPT", why_nobody(play, do), uid)


def _offers(play: Play, uid: str, do: str) -> bool:
    document = play.law.in_force(play.view)[uid][0]
    return do in (document.get("actions") or {}) and f"do_{do}" in hook_names(document.get("script") or "")


def _older_revisions(play: Play, do: str, offering: list[str]) -> list[tuple[str, Revision]]:
    declaring = [uid for uid, (d, _) in play.law.in_force(play.view).items() if do in (d.get("actions") or {})]
    found: list[tuple[str, Revision]] = []
    for uid in dict.fromkeys([*offering, *declaring]):
        usable = [r for r in play.law.history(uid) if f"do_{do}" in hook_names(r.get("script") or "")]
        found += [(uid, r) for r in reversed(usable[-OLDER_REVISIONS_TRIED:])]
    return found


def _attempt(play: Play, uid: str, document: RuleDocument | Revision, hook: str, action: ScriptRecord) -> bool:
    """Run one rule's `do_` in a scope of its own; False if it failed (and was undone)."""
    mark = play.mark()
    play.scopes.append(Scope(record({"name": hook, **{k: v for k, v in action.items() if k not in ("$", "name")}})))
    try:
        answer = call(play, uid, document.get("script") or "", hook, [action])
    except Overrun:
        raise
    except (ScriptError, Fault) as error:
        if play.is_within(error):
            raise
        if isinstance(error, TooDeep):
            raise Refusal(error.code, error.message, uid) from None
        play.rollback(mark)
        play.failed(uid, hook, error)
        return False
    except Refusal as refusal:
        refusal.rule = refusal.rule or uid
        raise
    finally:
        play.scopes.pop()
    check_permission(answer, "", uid)
    return True


def view_for(play: Play, do: str, by: str | None, arguments: Arguments) -> View:
    """Ask the law which law governs a submission; None for that of today.

    Scripts see name, by, at, args and number: of the proposal or motion that the act is about, None for a new one.
    """
    if not play.law.listeners("decide_law_for", view=play.view):
        return None
    kinds = kinds_voted_on(play)
    about = next((arguments[name] for name in (*kinds, "number") if name in arguments), None)
    written = str(about).rpartition("/")[2]
    number = int(written) if not isinstance(about, bool) and is_digits(written) and len(written) < 20 else None
    shown = {"name": do, "by": by, "number": number, "at": play.sent.at, "args": record(dict(arguments))}
    uid, answer = ask_usable(play, "law_for", flaw_of_integer, record(shown))
    if isinstance(answer, FailedGuard):
        play.unheard.append((str(uid), answer))
        return None
    return view_of(play, answer)


def view_of(play: Play, number: Any) -> View:
    """Return the view of the law as of a submission; None, the law of today, also where no newer law leaves it."""
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if number < play.law.newest() else None


@host(
    "flow",
    "try_act(action: action, by, args: sealed = {}, as_ = None) -> {ok, code, why}",
    keeps=VALUES,
    effects={"act": ""},
)
def try_act(play: Play, do: str, by: Any, arguments: Arguments, as_: str | None) -> ScriptRecord:
    """Do an action of a rule in somebody's name, under a savepoint; returns ok, code and why.

    `by` is a player, or a thing of a kind that may do the action (`who:`): which rule lets it act, and at whose word,
    is the law's to say. It stands on record as the act of the rule that does it. What people do in person no rule does
    for them: to vote, to state something, to join, to name or withdraw a key, to be notified, and all acts of
    administrators (E-PERSONAL, E-NOT-ADMINISTRATOR).

    | tried = try_act("nod", a.by)
    | announce("done" if tried.ok else tried.why)
    """
    play.writing("act")
    return attempt(play, do, by, arguments, as_, for_a_rule=True)


def attempt(
    play: Play, do: str, by: Any, arguments: Arguments, as_: str | None, *, for_a_rule: bool = False
) -> ScriptRecord:
    """Do an act under its own savepoint and say what came of it: ok, code and why."""
    try:
        if for_a_rule:
            check_deed(play, "try_act", do, "action", _offering(play, do), to=by)
        act_within(play, do, by, arguments, as_, for_a_rule=for_a_rule)
    except Refusal as refusal:
        return record({"ok": False, "code": refusal.code, "why": refusal.why})
    except Held as held:
        return record({"ok": False, "code": "HELD", "why": held.label})
    return record({"ok": True, "code": "", "why": ""})


def act_within(
    play: Play,
    do: str,
    by: Any,
    arguments: Arguments,
    as_: str | None,
    *,
    for_a_rule: bool = False,
    review: str | None = None,
) -> None:
    """Do an act within an act, under the law that governs it; undoes it where it is refused or held."""
    mark, actor, view, sent = play.mark(), play.actor, play.view, play.sent
    try:
        play.sent, play.unheard = Sent(play.seq, play.now) if for_a_rule else sent, []
        own = view_for(play, do, by, arguments)
        play.view = view if own is None else own
        if for_a_rule:
            play.effect("act", of=by, name=do, **{"as": as_})
        run(play, do, by, arguments, as_, for_a_rule=for_a_rule, review=review)
    except (Refusal, Held):
        play.rollback(mark)
        raise
    finally:
        play.actor, play.view, play.sent = actor, view, sent


# -- why nobody can do what was asked for


RULES_SHOWN = 3
REPEALED_LOOKED_AT = 10


def why_nobody(play: Play, do: str) -> str:
    """Return in a sentence why no rule in force that offers an action carried it out."""
    rules = play.law.in_force(play.view).items()
    said = [
        f"rule {document['rule']} {_why_not(play, do, uid, document, meta)}"
        for uid, (document, meta) in rules
        if do in (document.get("actions") or {})
    ]
    more = [f"and {len(said) - RULES_SHOWN} more rules did not"] if len(said) > RULES_SHOWN else []
    return f"no rule could carry out {told(do)}: {'; '.join([*said[:RULES_SHOWN], *more])}"


def _why_not(play: Play, do: str, uid: str, document: RuleDocument, meta: RuleMeta) -> str:
    hook = f"do_{do}"
    if uid in play.silenced.dead or play.silenced.silent:
        return f"is not heard, because {play.silenced.dead.get(uid, 'no script is in this act')}"
    if meta.get("suspended"):
        since = f" since entry {meta['asleep_since']}" if meta.get("asleep_since") else ""
        return f"sleeps{since} ({shortened(str(meta['suspended']))}): {WAKING}"
    left_out = play.silenced.why_left_out(uid, hook)
    if left_out is not None:
        return f"was left out of this act ({shortened(left_out)}); try again"
    if hook not in hook_names(document.get("script") or ""):
        return f"declares it, but its script has no {hook}: a proposal has to amend it"
    failures = [each for each in play.failures if (each["rule"], each["hook"]) == (uid, hook)]
    if not failures:
        return "did not"
    line = failures[0].get("line")
    at = f" (line {line} of its script)" if line else ""
    return f"failed in its {hook}{at}: {shortened(failures[0]['error'])}"


def unknown_action(play: Play, do: str) -> str:
    """Return in a sentence that no rule in force offers an action: what was meant, or who offered it."""
    before = _offered_before(play, do)
    near = nearest(do, [*play.law.declared("actions", play.view), *KERNEL_ACTS])
    return f"no rule in force offers the action {told(do)}{before or near}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the question whether a known word was meant, "" where none is close."""
    near = meant_by(word, known)
    return f"; did you mean {told(near)}?" if near else ""


def _offered_before(play: Play, do: str) -> str:
    """Return which of the rules repealed last offered an action, "" where none of them did."""
    gone = [(meta["seq"], uid) for uid, meta in play.law.metas().items() if not meta["in_force"]]
    for seq, uid in sorted(gone, reverse=True)[:REPEALED_LOOKED_AT]:
        last = next((each for each in reversed(play.law.history(uid)) if not each.get("repealed")), None)
        if last is not None and do in (last.get("actions") or {}):
            return f"; rule {last['rule']} did, which was repealed in entry {seq}"
    return ""
