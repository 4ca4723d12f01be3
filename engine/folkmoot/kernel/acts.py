"""Acts: who may do what, the opinions of the law, the rule that carries it out; those that wait or are taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from folkmoot.core.documents import Document, HeldAct, Request, Revision, RuleDocument, RuleMeta, Timer
from folkmoot.core.event_names import REST_RELEASED
from folkmoot.core.keys import GAME, HELD, LAW, TIMERS, acts_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.records import Arguments, Effect, KeptAct, ScriptRecord
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import LARGEST_DOCUMENT, in_a_row, is_digits, sealed_number, size, told
from folkmoot.kernel import kernel_acts
from folkmoot.kernel.act_declarations import (
    ADMINISTRATIVE,
    BEYOND_RULES,
    KERNEL_DECLARATIONS,
    VOTE,
    doers,
)
from folkmoot.kernel.answers import (
    ask_usable,
    check_deed,
    check_permission,
    flaw_of_integer,
    flaw_of_opinion,
    flaw_of_words,
    instead_of,
    refusal_of_deed,
)
from folkmoot.kernel.arguments import is_taken, read_arguments
from folkmoot.kernel.budget import Budget
from folkmoot.kernel.clock import done_by_act
from folkmoot.kernel.errors import WAKING, FailedGuard, Fault, Held, Overrun, PlayEnds, Refusal, TooDeep, shortened
from folkmoot.kernel.lawbook import View
from folkmoot.kernel.play import Play, Released, Scope, Sent, call, kind_of, mends, proposal_named
from folkmoot.kernel.registers import kinds_voted_on
from folkmoot.kernel.roster import is_player, maker_of
from folkmoot.kernel.script_records import record, request_record
from folkmoot.kernel.things import acts_for
from folkmoot.language.binding import ScriptError
from folkmoot.language.declarations import VALUES, host
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


class Act(NamedTuple):
    """What somebody would do: an action, who, its arguments and office; `unsaid` ones are shown to no script."""

    do: str
    by: str | None
    args: Arguments
    as_: str | None = None
    unsaid: bool = False


def run(play: Play, act: Act, *, for_a_rule: bool = False, review: str | None = None) -> None:
    """Judge and carry out one act, in person, `for_a_rule`, or as a `review` rule said; raises Refusal or Held."""
    do, by = act.do, act.by
    for_a_rule, rule = for_a_rule or review is not None, review or play.cite()
    _require_play(play, act)
    if review and (refused := refusal_of_deed(play, review, "try_act", do, "action", _offering(play, do), by)):
        raise refused
    declared = _declared_by_rule(play, do)
    if declared is None and do not in KERNEL_DECLARATIONS:
        raise Refusal("E-NO-SUCH", unknown_action(play, do))
    if declared is None and for_a_rule and not (do == "vote" and review is not None):
        code = "E-NOT-ADMINISTRATOR" if do in ADMINISTRATIVE else "E-PERSONAL"
        whose = "administrators to do, not for rules" if do in ADMINISTRATIVE else "people to do in person"
        raise Refusal(code, f"{do} is for {whose}{INSTEAD.get(do, '')}", rule)
    declaration = declared[1] if declared else kernel_acts.declaration_of(play, do)
    try:
        if do in ADMINISTRATIVE:
            if by is not None and by not in play.documents[GAME]["administrators"]:
                raise Refusal("E-NOT-ADMINISTRATOR", f"{by} is no administrator of this game")
        else:
            _require_actor(play, act, declaration, for_a_rule=for_a_rule)
        action = _action(play, act, declaration, rule)
    except Refusal as refusal:
        refusal.rule = refusal.rule or (declared[0] if declared else None)
        raise
    play.actor = by
    types = [argument.get("type") for argument in (declaration.get("arguments") or {}).values()]
    doubt = Doubt(play, proposes="changes" in types)
    opinions(play, action, doubt)
    done_by_act(play, by, do, action.get("args") or {})
    try:
        if declared is not None:
            play.failures = [] if act.unsaid else play.failures
            _carry_out(play, action)
        elif not act.unsaid:
            kernel_acts.carry_out(play, action)
        play.emit("acted", {"action": action})
    except PlayEnds:
        doubt.settle()
        raise
    doubt.settle()


def _declared_by_rule(play: Play, do: str) -> tuple[str, ActionSpec] | None:
    """Return the rule (its uid) that declares an action and how; None where none does, or none stands in its way."""
    found = play.law.declared("actions", play.view).get(do)
    if found is None or do in BEYOND_RULES:
        return None  # no rule stands in the way of a repair
    refused = do in KERNEL_DECLARATIONS and refusal_of_deed(play, found[0], "offer", do, "action") is not None
    return None if refused else found


def _require_play(play: Play, act: Act) -> None:
    """Refuse what the engine failed over before any rule is asked; and where the game rests, but for administrators."""
    if act.do == FAULT and not play.frames:
        raise Refusal(str(act.args.get("code") or "E-FAULT"), str(act.args.get("why") or ""))
    if act.do in BEYOND_RULES:
        return
    if over := play.documents[GAME].get("over"):
        winners = " and ".join(over.get("winner") or ())
        raise Refusal("E-GAME-OVER", f"the game is over{': won by ' if winners else ''}{winners}", over.get("rule"))
    if play.documents[GAME].get("paused") is not None:
        raise Refusal("E-PAUSED", "the game is paused until an administrator resumes it")


def _require_actor(play: Play, act: Act, declaration: ActionSpec, *, for_a_rule: bool) -> None:
    doing = doers(declaration)
    if "anyone" not in doing and not ("player" in doing and is_player(play, act.by)):
        _require_thing(play, act.do, doing, act.by, for_a_rule=for_a_rule)
    for office in dict.fromkeys(filter(None, (declaration.get("as"), act.as_))):
        if office not in play.law.declared("defines.offices", play.view):
            raise Refusal("E-NOT-OFFICE", f"there is no office of {office}")
        if act.by is None or not acts_for(play, act.by, office):
            raise Refusal("E-NOT-OFFICE", f"{act.by} does not hold the office of {office}, which {act.do} needs")


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


def _action(play: Play, act: Act, declaration: ActionSpec, rule: str | None) -> ScriptRecord:
    """Return an act as scripts are shown it; `rule` is the one that does it, or says that a review stands for it."""
    do, rest = act.do, dict(act.args)
    requests = rest.pop("requests", None) or []
    if not isinstance(requests, list):
        raise Refusal("E-ARGS", "requests that travel with a proposal must be a list")
    ballot = rest.get("choice") if do == VOTE else None
    sealed = read_box(ballot) is not None or is_taken(play, ballot)
    if sealed:
        rest["choice"] = ""  # it is taken in when it is known what it is on
    read = read_arguments(play, do, declaration.get("arguments") or {}, rest) if not act.unsaid else {}
    if do == VOTE and "kind" in read:
        kernel_acts.name_kind(play, read)
    if sealed:
        read["choice"] = ballot if is_taken(play, ballot) else kernel_acts.take_ballot(play, read, ballot)
    travelling = [_request(play, request) for request in requests]
    said = {} if act.unsaid else {"args": record(read)}
    sent = {"id": play.sent.entry, "at": play.sent.at, "rule": rule, "despite": list(declaration.get("despite") or ())}
    known = {"name": do, "by": act.by, "as_": act.as_ or declaration.get("as") or None, **said}
    return record({**known, "requests": [request_record(r) for r in travelling], **sent})


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
    if given is None or given is True:  # short forms: {defend: true}, {rotate: right}
        given = {}
    elif len(arguments) == 1 and not isinstance(given, dict):
        given = {next(iter(arguments)): given}
    try:
        return {"name": name, "args": read_arguments(play, name, arguments, given)}
    except Refusal as refusal:
        refusal.rule = declared[0]
        raise


def opinions(play: Play, action: ScriptRecord, doubt: Doubt) -> None:
    """Ask the law for opinions in order of precedence; the first wins. Raises Refusal or Held."""
    do, unheard, play.unheard = action["name"], play.unheard, []
    if do in BEYOND_RULES:
        return
    for uid, guard in unheard:
        doubt.add(guard, uid)
    hooks, unsaid = (f"permit_{do}", f"forbid_{do}", "forbid"), "args" not in action
    for uid in play.law.listeners(*hooks, view=play.view):
        for hook in play.law.hooks_among(uid, hooks, play.view):
            play.failures = [] if unsaid else play.failures
            answer = play.advise(uid, hook, [action])
            if unsaid and isinstance(answer, FailedGuard):
                continue
            why = "" if isinstance(answer, FailedGuard) else flaw_of_opinion(hook, answer)
            answer = instead_of(play, uid, hook, [action], why) if why else answer
            beyond = None
            if answer is not None and not hook.startswith("permit_"):
                beyond = refusal_of_deed(play, uid, "forbid", do, "action", _offering(play, do), action["by"])
            if beyond is not None and beyond.code not in ("E-SCRIPT", "E-BUDGET"):  # if it cannot be told, it stands
                play.reason("OVERRULED", uid, action=do)  # the law lets that rule neither refuse nor hold the act
            elif isinstance(answer, FailedGuard):
                doubt.add(answer, uid)
            elif _settled(play, uid, hook, answer, action):
                return


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


def _carry_out(play: Play, action: ScriptRecord) -> None:
    """Run the highest `do_`; where it fails, the next rule that offers the action, then older revisions."""
    do = action["name"]
    hook = f"do_{do}"
    rules = play.law.in_force(play.view)
    listening = play.law.listeners(hook, view=play.view)
    offering = [uid for uid in listening if do in (rules[uid][0].get("actions") or {})]
    for place, uid in enumerate(offering):
        if _attempt(play, uid, play.law.in_force(play.view)[uid][0], hook, action):
            for lower in offering[place + 1 :]:
                play.reason("OVERRULED", lower, action=do, by=uid)
            return
    declaring = [uid for uid, (d, _) in play.law.in_force(play.view).items() if do in (d.get("actions") or {})]
    for uid in dict.fromkeys([*offering, *declaring]):
        usable = [each for each in play.law.history(uid) if hook in hook_names(each.get("script") or "")]
        for older in reversed(usable[-OLDER_REVISIONS_TRIED:]):
            if not play.silenced.lacks(uid, hook) and _attempt(play, uid, older, hook, action):
                play.reason("OLDER-REVISION", uid, revision=older["revision"])
                return
    uid, declaration = play.law.declared("actions", play.view)[do]
    if declaration.get("travels") and not offering:
        raise Refusal("E-ORDER", f"{do} is a request that travels with a proposal, no act of its own", uid)
    raise Refusal("E-SCRIPT", why_nobody(play, do), uid)


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


HANGS_ON_ARGUMENTS = ("E-SCRIPT", "E-BUDGET", "E-ARGS")
"""Codes of refusals of an act that is judged without arguments: a script asked for one, or none was there."""


def stands_in_way(play: Play, do: str, by: str | None) -> ScriptRecord | None:
    """Return why an act is refused or held whatever is said in it (code, why, rule); None where that hangs on it."""
    declared = _declared_by_rule(play, do)
    takes = (declared[1] if declared else kernel_acts.declaration_of(play, do)).get("arguments")
    act = Act(do, by, {}, unsaid=bool(takes))
    play.person = by
    try:
        play.view = view_for(play, act)
        run(play, act)
    except Held as held:
        return {"code": "HELD", "why": held.why, "rule": held.rule}
    except Refusal as refusal:
        hangs = refusal.code in HANGS_ON_ARGUMENTS or (takes and play.failures)  # of what led to it, for want of one
        return None if hangs else {"code": refusal.code, "why": refusal.why, "rule": refusal.rule}
    except (Fault, Overrun, PlayEnds):
        return None
    return None


def view_for(play: Play, act: Act) -> View:
    """Ask the law which law governs a submission, by name, by, at, args and number; None for that of today."""
    if not play.law.listeners("decide_law_for", view=play.view):
        return None
    kinds = kinds_voted_on(play)
    about = next((act.args[name] for name in (*kinds, "number") if name in act.args), None)
    written = str(about).rpartition("/")[2]
    number = int(written) if not isinstance(about, bool) and is_digits(written) and len(written) < 20 else None
    shown = {"name": act.do, "by": act.by, "number": number, "at": play.sent.at, "args": record(dict(act.args))}
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
    return attempt(play, Act(do, by, arguments, as_), for_a_rule=True)


def attempt(play: Play, act: Act, *, for_a_rule: bool = False) -> ScriptRecord:
    """Do an act under its own savepoint and say what came of it: ok, code and why."""
    try:
        if for_a_rule:
            check_deed(play, "try_act", act.do, "action", _offering(play, act.do), to=act.by)
        act_within(play, act, for_a_rule=for_a_rule)
    except Refusal as refusal:
        return record({"ok": False, "code": refusal.code, "why": refusal.why})
    except Held as held:
        return record({"ok": False, "code": "HELD", "why": held.label})
    return record({"ok": True, "code": "", "why": ""})


def act_within(play: Play, act: Act, *, for_a_rule: bool = False, review: str | None = None) -> None:
    """Do an act within an act, under the law that governs it; undoes it where it is refused or held."""
    mark, play.unheard = play.mark(), []
    sent = Sent(play.seq, play.now) if for_a_rule else play.sent
    with play.having(actor=play.actor, view=play.view, sent=sent):
        try:
            own = view_for(play, act)
            play.view = play.view if own is None else own
            if for_a_rule:
                play.effect("act", of=act.by, name=act.do, **{"as": act.as_})
            run(play, act, for_a_rule=for_a_rule, review=review)
        except (Refusal, Held):
            play.rollback(mark)
            raise


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
    """Return in a sentence that no rule in force offers an action: who did of those repealed last, or what is near."""
    unknown = f"no rule in force offers the action {told(do)}"
    gone = [(meta["seq"], uid) for uid, meta in play.law.metas().items() if not meta["in_force"]]
    for seq, uid in sorted(gone, reverse=True)[:REPEALED_LOOKED_AT]:
        last = play.law.last_wording(uid)
        if last is not None and do in (last.get("actions") or {}):
            return f"{unknown}; rule {last['rule']} did, which was repealed in entry {seq}"
    return unknown + nearest(do, [*play.law.declared("actions", play.view), *KERNEL_DECLARATIONS])


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the question whether a known word was meant, "" where none is close."""
    near = meant_by(word, known)
    return f"; did you mean {told(near)}?" if near else ""


# -- the refusals of guards that failed


ON_THE_WAY = ("propose", "revise", "freeze", "open", "enrol", "ballot", "strike", "weigh", "close", "resolve")


class Doubt:
    """The refusals of failed guards in one act, which stand unless the act proves to be on the way of their mending."""

    def __init__(self, play: Play, *, proposes: bool) -> None:
        """`proposes` says that the act may bring a proposal of its own."""
        self._play, self._proposes = play, proposes
        self._start = len(play.effects)
        self._refusals: list[Refusal] = []
        self._mending: dict[str, list[str]] = {}

    def add(self, guard: FailedGuard, uid: str) -> None:
        """Note that a guard failed; raises its Refusal where no proposal is undecided that mends its rule."""
        refusal = Refusal(guard["refused"], guard["why"], uid)
        play = self._play
        undecided = [(each, proposal_named(play, {"id": each})) for each in play.documents[GAME]["open"]]
        self._mending[uid] = [each for each, found in undecided if found is not None and mends(play, found, uid)]
        if not (self._mending[uid] or self._proposes):
            raise refusal
        self._refusals.append(refusal)

    def settle(self) -> None:
        """Raise the first Refusal of which what was done is not on the way of the mending."""
        effects = self._play.effects[self._start :] if self._refusals else []
        of = {str(effect.get("of")) for effect in effects if effect["effect"] != "announce"}
        done = (effect["of"] for effect in effects if effect["effect"] in ON_THE_WAY)
        first = next(done, of.pop() if len(of) == 1 else None)  # else all that was done is of one thing
        proposed = any(effect["effect"] == "propose" and effect["of"] == first for effect in effects)
        new = proposal_named(self._play, {"id": first}) if proposed else None
        for refusal in self._refusals:
            uid = str(refusal.rule)
            if first not in self._mending[uid] and not (new is not None and mends(self._play, new, uid)):
                raise refusal


# -- acts that wait: the law holds them under a label, until it is released or the rule that holds them changes


def keep_held(play: Play, held: Held, act: Act) -> None:
    """Keep an act until its label is released."""
    taken = held.action["args"]  # where a box was taken in already, what stands for it is in its place
    given = {n: taken[n] if sealed_number(taken.get(n)) is not None else value for n, value in act.args.items()}
    kept = {"do": act.do, "by": act.by, "as": act.as_, "with": given, "at": play.now, "via": play.via}
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
    shown = []
    for key in found:
        kept, uid = waiting[key], waiting[key]["rule"]
        given = {name: value for name, value in kept["with"].items() if name != "requests"}
        holding = play.law.record(uid, play.view) if uid in play.law.in_force(play.view) else None
        known = {"id": int(key), "name": kept["do"], "by": kept["by"], "as_": kept["as"], "args": record(given)}
        bound = {"label": kept["label"], "why": kept.get("why", ""), "rule": holding}
        shown.append(record({**known, "at": kept["at"], **bound}))
    return shown


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
    """Judge anew, with a budget of its own, what is held by a rule that is not what it was; unless play rests."""
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
            payload = {"label": label, "after": last}  # by a tick of this very instant, before anything that arrives
            rest: Timer = {"name": REST_RELEASED, "due": play.now, "edge": "start", "rule": None, "payload": payload}
            name = REST_RELEASED if label is None else f"{REST_RELEASED}/{label}"
            play.documents.assign(TIMERS, play.documents[TIMERS], name, rest)
            return
        last = int(key)


def _judge_or_wait(play: Play, key: str, judge: Callable[[Play, str], None], *, first: bool) -> bool:
    """Judge a held act, or refuse it where no budget suffices; False where it has to be the first of an event."""
    mark, budget, scope = play.mark(), play.budget, play.scopes[-1] if play.scopes else Scope(None)
    before = replace(budget, spent=budget.spent.copy(), handler=budget.handler.copy())
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


def _judge_apart(play: Play, key: str) -> None:
    """Judge a held act beside all others, with what it puts off to the end of the transaction."""
    play.scopes.append(Scope(None))
    try:
        _judge_anew(play, key)
        play.drain()
    finally:
        play.scopes.pop()


def _take_out(play: Play, key: str) -> HeldAct:
    waiting = play.documents[HELD]
    kept = waiting[key]
    play.documents.remove(HELD, waiting, key)
    play.effect("release", of=key, label=kept["label"])
    return kept


def _judge_anew(play: Play, key: str) -> ScriptRecord:
    """Judge a held act as its author's, sent when and as it came; return what came of it. It may be held again."""
    kept = _take_out(play, key)
    via, code, why = kept.get("via", {}), "", ""
    review, start = maker_of(via), len(play.effects)
    with play.having(person=None if review else kept["by"], via=via, sent=Sent(int(key), kept["at"])):
        try:
            act_within(play, Act(kept["do"], kept["by"], kept["with"], kept["as"]), review=review)
            play.released.append(Released(int(key), start, len(play.effects)))
        except Refusal as refusal:
            code, why = refusal.code, refusal.why
            play.reason(code, refusal.rule, why=why, of=key)
        except Held as held:
            code, why = "HELD", held.why
            _keep(play, key, kept, held)
            play.reason(code, held.rule, label=held.label, why=why, of=key)
    return record({"id": int(key), "ok": not code, "code": code, "why": why})


# -- taking acts back: what an act changed becomes what it was, as far as nothing else has changed it since
#
# What may be taken back is kept apart from the journal (`acts/…`), an act for itself, so that it costs what the act had
# changed and not the age of the game; and only while a rule in force takes acts back, so that no other game pays for
# it. What was done stays in the record as it was done, and so does what is done against it.


DEEPER = 3  # times as large, at most, as effects are by themselves, they are in the file of their act
MOST_REASONS = 100  # of what stays, in the record; the rule is told of all of it


def keep_effects(play: Play) -> None:
    """Keep what an accepted act, and each that it released, changed; what a timer brought about is nobody's act."""
    if not play.law.takes_back():
        return
    of: dict[int, int] = {}
    for released in play.released:
        of.update((place, released.entry) for place in range(released.start, released.end) if place not in of)
    found: dict[int, list[Effect]] = {}
    for place, effect in enumerate(play.effects):
        if play.host.effects.get(effect["effect"]):
            entry = of.get(place, play.seq)
            if play.ticking and entry == play.seq:
                continue
            found.setdefault(entry, []).append(effect)
    for entry, effects in found.items():
        key = acts_key(entry)
        before = play.documents.get(key)  # an act that waits can have some already
        known, taken = (before["effects"], before["taken"]) if before is not None else ([], [])
        act: KeptAct = {"seq": play.seq, "effects": [*known, *effects], "taken": taken}
        large = size(act["effects"])
        if large < LARGEST_DOCUMENT:
            play.documents.assign(key, play.documents.all(), key, act, at_most=DEEPER * large)


@host(
    "flow",
    'take_back(act, why: str = "", together: list = [], apart: list = []) -> {whole, left, apart}',
    effects={"take_back": ""},
)
def take_back(play: Play, identifier: Any, why: str, together: Any, apart: Any) -> ScriptRecord:
    """Change back what an act changed, by its id; returns `whole`, and what is `left`: each with effect, of, name, why.

    Registers, awards, things, timers, duties, settings and changes of rules become what they were, each as a change of
    its own that others hear of. What was changed since stays, and so do players who came or left, votes and wins: to
    take back all or nothing, `require` that it is whole. `together` are lists of names of registers: all that the act
    changed of one list is taken back, or none of it. Awards of the currencies `apart` are left to you: the answer names
    them as `apart`, each with of, name, amount, why. What was done before a rule in force used this word is not
    kept (E-NO-SUCH), nor is what a timer brought about; what was taken back is not taken back again (E-DUP).

    | for act in held("clock"):
    |     take_back(act.id, "it was no real attempt")
    """
    play.writing("take acts back")
    together = together if isinstance(together, list) else [together]
    for names in [*together, apart]:
        if flaw := flaw_of_words(names):
            raise Fault(f"what is taken back together or apart are names in lists: {flaw}", "E-ARGS")
    key = acts_key(identifier if type(identifier) is int and 0 < identifier <= play.seq else 0)
    act = play.documents.get(key)
    if act is None:
        kept = "what was done before a rule in force took acts back is not kept, nor is what changed nothing"
        named = told(identifier)[:60]
        raise Refusal("E-NO-SUCH", f"there is no act {named} that could be taken back: {kept}", play.cite())
    if len(act["taken"]) == len(act["effects"]):
        raise Refusal("E-DUP", f"the act of entry {identifier} was taken back already", play.cite())
    check_deed(play, "take_back", str(identifier), "act", [effect.get("rule") for effect in act["effects"]])
    play.effect("take_back", of=str(identifier), why=why or None)
    effects = act["effects"]
    left_alone = [each["effect"] == "award" and each["name"] in apart for each in effects]
    aside = [place for place, is_apart in enumerate(left_alone) if is_apart and place not in act["taken"]]
    units = list(_units(act, together, left_alone))
    taken = {*act["taken"], *aside, *(place for places in units for place in places)}
    _mark(play, key, act, taken)  # first, so that nobody who hears of a change takes the same back once more
    left, stayed = _undo_all(play, act, units)
    if stayed:
        _mark(play, key, act, taken - stayed)
    apart_ = [
        record({"of": each["of"], "name": each["name"], "amount": each["applied"], "why": each.get("why") or ""})
        for each in (effects[place] for place in aside)
    ]
    return record({"whole": not left, "left": left, "apart": apart_})


def _undo_all(play: Play, act: KeptAct, units: list[list[int]]) -> tuple[list[ScriptRecord], set[int]]:
    """Take effects back, unit by unit; returns what a rule is told of those that stay, and their places."""
    left: list[ScriptRecord] = []
    stayed: set[int] = set()
    for places in units:
        stays = _undo(play, [act["effects"][place] for place in places], act["seq"])
        if stays:
            stayed.update(places)
            first = act["effects"][places[-1]]
            known = {"effect": first["effect"], "of": first.get("of"), "name": first.get("name")}
            left.append(record({**known, "why": stays}))
            if len(left) <= MOST_REASONS:
                what = first.get("name") or first["effect"]
                play.reason("STAYS", play.cite(), of=first.get("of"), what=what, why=stays)
    return left, stayed


def _mark(play: Play, key: Any, act: KeptAct, taken: set[int]) -> None:
    marked: KeptAct = {**act, "taken": sorted(taken)}
    play.documents.assign(key, play.documents.all(), key, marked)


def _units(act: KeptAct, together: list[list[str]], left_alone: list[bool]) -> Iterator[list[int]]:
    """Yield the places of what is taken back `together`, the last first: groups, both sides of transfers, all else."""
    effects, place, taken = act["effects"], len(act["effects"]) - 1, set(act["taken"])
    sets = [frozenset(names) for names in together]
    groups = [next((names for names in sets if each.get("name") in names), None) for each in effects]
    grouped: dict[frozenset[str], list[int]] = {}
    for at in range(place, -1, -1):
        group = groups[at]
        if group is not None and at not in taken:
            grouped.setdefault(group, []).append(at)
    while place >= 0:
        pair = place > 0 and all(effects[at].get("kind") == "given" for at in (place - 1, place))
        places = [place, place - 1] if pair else [place]
        group = groups[place]
        if group is not None:
            places = [place]
            if grouped.get(group, [-1])[0] == place:
                yield grouped[group]
        elif place not in taken and not left_alone[place]:
            yield places
        place -= len(places)


def _undo(play: Play, effects: list[Effect], entry: int) -> str:
    """Take effects back, or none of them; returns why they stay, "" where they are taken back."""
    mark = play.mark()
    stays = ""
    try:
        for effect in effects:
            undo = play.host.effects[effect["effect"]]
            stays = stays or (undo if isinstance(undo, str) else undo(play, effect, entry))
    except Overrun:
        raise
    except (Fault, Refusal) as error:
        if play.is_within(error):
            raise
        stays = error.message if isinstance(error, Fault) else error.why
    if stays:
        play.rollback(mark)
    return stays
