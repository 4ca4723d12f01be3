"""What a scenario may expect of a game: each form is a function from game and claim to what is otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.declared_kinds import PROPOSAL, is_votable
from folkmoot.core.documents import Document
from folkmoot.core.keys import DUTIES, GAME, HELD, ROSTER
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Effect, Entry, Failure, Written
from folkmoot.core.sealed_data import holds_sealed
from folkmoot.core.values import told
from folkmoot.files.rewrite import quote_flow
from folkmoot.kernel import clock, registers, rule_changes, sealed_data, things
from folkmoot.kernel.answers import find_proposal
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play, call_library, kind_of
from folkmoot.kernel.roster import is_player
from folkmoot.kernel.step import Kernel, unmarked

Entries = list[Entry]
Form = Callable[..., str]  # (play, entries, claim)


def meets(kernel: Kernel, entries: Entries, claim: Written, now: int, before: Levels | None = None) -> str:
    """Return what is otherwise than a claim says, relative to what was `before`; "" where it holds."""

    def look(play: Play) -> str:
        absolute, lead = absolute_claim(play, claim, before), next(iter(claim), "")
        if isinstance(absolute, str):
            return absolute
        if lead not in FORMS and is_votable(registers.kinds_of(play), lead):
            return _matter(play, entries, absolute, lead)
        form = next((form for key, form in FORMS.items() if key in claim), None)
        if form is None:
            return f"no rule in force declares a votable kind {told(lead)}, and no other expectation begins so"
        return form(play, entries, absolute)

    try:
        return str(kernel.look(look, now))
    except (Fault, Refusal) as error:
        return str(error)


def same(expected: Any, actual: Any) -> bool:
    """Whether a value is the expected one; a stamp equals the seconds it stands for."""
    if isinstance(expected, str) and isinstance(actual, int) and not isinstance(actual, bool):
        try:
            return read_stamp(expected) == actual
        except ProblemError:
            return False
    return bool(expected == actual) and isinstance(expected, bool) == isinstance(actual, bool)


def _registers(play: Play, ref: Any, claim: Written, skip: tuple[str, ...]) -> str:
    viewer = claim.get("seen_by")
    for name, expected in claim.items():
        if name not in skip and name != "seen_by":
            actual = _seen(play, ref, name, viewer)
            if not same(_meant(play, ref, name, expected), actual):
                return f"{name} is {as_yaml(actual)}"
    return ""


def _seen(play: Play, ref: Any, name: str, viewer: str | None) -> Any:
    """Return what a register holds as a player sees it, or as it is where none is named."""
    value = registers.get(play, ref, name)
    return sealed_data.values.seen_by(play, value, viewer) if holds_sealed(value) else value


def _meant(play: Play, ref: Any, name: str, expected: Any) -> Any:
    """Return the name of a square that is claimed by its column and row; anything else as it is."""
    if isinstance(expected, bool | int | None):
        return expected
    declared = registers.declaration(play, registers.find_owner(play, ref).kind, name)
    return registers.read_square(expected) if declared is not None and declared[1]["type"] == "square" else expected


def _player(play: Play, entries: Entries, claim: Written) -> str:
    if claim["player"] not in play.documents[ROSTER]:
        return "" if claim.get("present") is False else f"there is no player {claim['player']}"
    present = is_player(play, claim["player"])
    if "present" in claim and claim["present"] != present:
        return f"present is {as_yaml(present)}"
    return _registers(play, claim["player"], claim, ("player", "present"))


def _settings(play: Play, entries: Entries, claim: Written) -> str:
    for name, expected in claim["settings"].items():
        actual = registers.setting(play, name)
        if str(expected) != str(actual):
            return f"{name} is {as_yaml(actual)}"
    return ""


OF_BALLOTS = {"votes": "choice", "counts": "counts", "weights": "weight"}
"""Claims about the ballots on a proposal by voter, and the field of a ballot that each is about."""


def _matter(play: Play, entries: Entries, claim: Written, kind: str) -> str:
    """Return what is otherwise about something that is voted on, by its kind: {petition: 3, state: open}."""
    try:
        found = find_proposal(play, claim[kind], kind)
    except Fault as fault:
        return fault.message
    viewer = claim.get("seen_by")
    for name, expected in claim.items():
        if name in (kind, "seen_by"):
            continue
        actual = _of_proposal(play, entries, found, name, viewer)
        if name in OF_BALLOTS and any(actual.get(who) != choice for who, choice in expected.items()):
            return f"{name} are {as_yaml(actual)}"
        if name not in OF_BALLOTS and not same(expected, actual):
            return f"{name} is {as_yaml(actual)}"
    return ""


def _of_proposal(play: Play, entries: Entries, found: Document, name: str, viewer: str | None) -> Any:
    """Return what is to be compared: which changes were left out counts from 1, orders are told by their titles."""
    if name == "omitted":
        return sorted(each["change"] + 1 for each in found.get("omitted") or ())
    if name == "orders":
        orders = (each for each in _effects(entries, "order") if each["of"] == found["id"])
        return [each.get("title") or "" for each in orders]
    if name in OF_BALLOTS:
        return {who: ballot[OF_BALLOTS[name]] for who, ballot in found["ballots"].items()}
    is_declared = registers.declaration(play, found["kind"], name) is not None  # what a rule keeps of it goes first
    if name in found and name != "registers" and not is_declared:
        return found[name]
    return _seen(play, {"id": found["id"]}, name, viewer)


def _effects(entries: Entries, kind: str) -> Iterator[Effect]:
    return (effect for entry in entries for effect in entry.get("effects", ()) if effect["effect"] == kind)


def _rule(play: Play, entries: Entries, claim: Written) -> str:
    uid = play.law.resolve(claim["rule"])
    if claim.get("in_force") is False:  # about the number that players use: a renumbered rule is no longer there
        numbers = [document["rule"] for document, _meta in play.law.in_force().values()]
        return "in_force is True" if claim["rule"] in numbers else ""
    if claim.get("in_force", True) != (uid is not None):
        return f"in_force is {as_yaml(uid is not None)}"
    if uid is None:
        return ""
    claimed = _beside(claim, "rule", "in_force", "seen_by")
    wrong = (_of_rule(play, uid, name, expected, claim.get("seen_by")) for name, expected in claimed.items())
    return next(filter(None, wrong), "")


def _of_rule(play: Play, uid: str, name: str, expected: Any, viewer: str | None) -> str:
    """Return what is otherwise about one part, label or register of a rule in force."""
    document, meta = play.law.in_force()[uid]
    labels, text = document.get("labels") or {}, document.get("text") or ""
    shown = {"number": document["rule"], "uid": uid, "revision": meta["revision"], "title": document["title"], **labels}
    if name == "text_contains":
        return "" if str(expected) in text else f"the text is {as_yaml(text)}"
    if name == "labels":
        actual: Any = {label: labels.get(label) for label in expected}
    elif name in ("text", "script"):
        written = text if name == "text" else document.get("script") or ""
        actual, expected = written.strip(), str(expected).strip()
    else:
        actual = shown[name] if name in shown else _seen(play, {"uid": uid}, name, viewer)
    return "" if same(expected, actual) else f"{name} is {as_yaml(actual)}"


def _revisions(play: Play, entries: Entries, claim: Written) -> str:
    """Claim revisions of a rule that is or was: {revisions: "203", cause: founding, count: 1}."""
    fields = _beside(claim, "revisions", "count")
    found: list[Written] = [dict(each) for each in rule_changes.revisions(play, str(claim["revisions"]))]
    bare = [{key: v.strip() if isinstance(v, str) else v for key, v in each.items()} for each in found]
    shown = [{key: each.get(key) for key in ("revision", "title", "cause", *fields)} for each in found]
    met = _matching(bare, fields)
    return "" if _are_as_many(met, claim.get("count")) else f"its revisions are {as_yaml(shown)}"


def _beside(claim: Written, *names: str) -> Written:
    return {key: value for key, value in claim.items() if key not in names}


def _matching(found: Iterable[Document], fields: Written) -> list[Document]:
    return [each for each in found if all(same(value, each.get(key)) for key, value in fields.items())]


def _are_as_many(met: list[Any], wanted: int | None) -> bool:
    return bool(met) if wanted is None else len(met) == wanted


def _ledger(play: Play, entries: Entries, claim: Written) -> str:
    known = {"of": claim["ledger"], **({"name": claim["register"]} if "register" in claim else {})}
    lines = [line for line in _effects(entries, "award") if known.items() <= line.items()]
    met = _matching(lines, _beside(claim, "ledger", "register", "rule", "times"))
    if "rule" in claim:
        wanted = {str(claim["rule"]), play.law.resolve(claim["rule"]) or ""}
        met = [line for line in met if line.get("rule") in wanted]
    if "times" in claim:
        return "" if len(met) == claim["times"] else f"there are {len(met)} such lines"
    shown = [{k: line.get(k) for k in ("name", "rule", "asked", "applied", "why")} for line in lines]
    return "" if met else f"the ledger of {claim['ledger']} has {as_yaml(shown)}"


def _winner(play: Play, entries: Entries, claim: Written) -> str:
    game = play.documents[GAME]
    wins = [game["over"]] if game["over"] else game.get("won") or []
    winners = wins[-1]["winner"] if wins else []
    expected = claim["winner"]
    wanted = [] if expected is None else expected if isinstance(expected, list) else [expected]
    return "" if wanted == winners else f"the winner is {as_yaml(winners or None)}"


def _office(play: Play, entries: Entries, claim: Written) -> str:
    actual = things.holder(play, claim["office"])
    if "holder" in claim and not same(claim["holder"], actual):
        return f"the holder is {as_yaml(actual)}"
    return _registers(play, {"office": claim["office"]}, claim, ("office", "holder"))


def _thing(play: Play, entries: Entries, claim: Written) -> str:
    if "exists" in claim:
        actual = kind_of(play, claim["thing"]) is not None
        return "" if actual == claim["exists"] else f"exists is {as_yaml(actual)}"
    return _registers(play, claim["thing"], claim, ("thing",))


def _kind(play: Play, entries: Entries, claim: Written) -> str:
    ids = things.things(play, claim["kind"])
    met = [identifier for identifier in ids if not _registers(play, identifier, claim, ("kind", "count"))]
    if _are_as_many(met, claim.get("count")):
        return ""
    return f"there are {len(met)}" if "count" in claim else "there is none"


def _event(play: Play, entries: Entries, claim: Written) -> str:
    name = str(claim["event"]).replace("-", "_")
    raised = (each.get("with_") or {} for each in _effects(entries, "event") if each["name"] == name)
    met = _matching(raised, _beside(claim, "event", "times"))
    if _are_as_many(met, claim.get("times")):
        return ""
    return f"it happened {len(met)} times" if "times" in claim else "it did not happen"


def _timer(play: Play, entries: Entries, claim: Written) -> str:
    running = clock.timers(play).get(claim["timer"])
    if claim.get("running") is False:
        return "" if running is None else "it runs"
    if running is None:
        return f"it does not run; running are {', '.join(clock.timers(play)) or 'none'}"
    if "due" in claim and not same(claim["due"], running["due"]):
        return f"it is due at {write_stamp(running['due'])}"
    return ""


def _duty(play: Play, entries: Entries, claim: Written) -> str:
    """Claim a duty: {owes: ann, what: "…", by: stamp} or {owes: ann, do: vote}; `none: true` for nothing."""
    owed = [{"key": key, **duty} for key, duty in play.documents[DUTIES].items() if duty["player"] == claim["owes"]]
    if claim.get("none"):
        return f"{claim['owes']} owes {as_yaml([duty['what'] for duty in owed])}" if owed else ""
    asked = [duty for duty in owed if "do" not in claim or claim["do"] in cast("list[str]", duty.get("do") or [])]
    met = _matching(asked, _beside(claim, "owes", "do"))
    return "" if met else f"{claim['owes']} owes {as_yaml(owed)}"


def _held(play: Play, entries: Entries, claim: Written) -> str:
    """Claim acts that wait: {held: clock, by: ann, do: propose, times: 1}; without `times`, that there is one."""
    waiting: list[Document] = [act for act in play.documents[HELD].values() if act["label"] == claim["held"]]
    met = _matching(waiting, _beside(claim, "held", "times"))
    told = ", ".join(f"{act['do']} of {act['by']}" for act in waiting) or "nothing"
    return "" if _are_as_many(met, claim.get("times")) else f"what waits is {told}"


def _page(play: Play, entries: Entries, claim: Written) -> str:
    """Claim a page: {page: world, contains: "…"} looks through the blocks of a rule's page."""
    hook = f"show_{claim['page']}"
    for uid in play.law.listeners(hook):
        blocks = play.advise(uid, hook, [])
        if play.failures:
            return f"the page fails: {play.failures[-1]['error']}"
        shown = f"the page shows {as_yaml(unmarked(blocks))}"
        return "" if str(claim.get("contains", "")) in repr(blocks) else shown[:400]
    return "no rule shows this page"


def _call(play: Play, entries: Entries, claim: Written) -> str:
    """Claim the answer of a question or a library function: {call: hand_score, args: [...], gives: 60}."""
    play.chance = open_chance("", "call")
    name, arguments = str(claim["call"]), list(claim.get("args") or [])
    actual = call_library(play, name, arguments) if "." in name else play.ask(name, *arguments)
    given = unmarked(actual)  # a struct is claimed as a map of its fields
    return "" if same(claim.get("gives"), given) else f"it gives {as_yaml(given)}"


def _refusals(play: Play, entries: Entries, claim: Written) -> str:
    """Claim that an entry with a code is recorded: {refusal: E-ORDER, times: 1}."""
    met = [entry for entry in entries if entry.get("code") == claim["refusal"]]
    return "" if len(met) == claim.get("times", len(met) or 1) else f"there are {len(met)}"


def _detail(play: Play, entries: Entries, claim: Written) -> str:
    """Claim what the last refused act of a player told them in secret: {detail: another act, seen_by: bob}."""
    told = play.details.get(str(claim["seen_by"]), "")
    met = str(claim["detail"]) in told if claim["detail"] else not told
    return "" if met else f"{claim['seen_by']} was told {as_yaml(told)}"


def _failure(play: Play, entries: Entries, claim: Written) -> str:
    """Claim that a hook of a rule failed: {failure: "301", hook: on_x, code: E-BUDGET}."""
    noted = [f for entry in entries for f in entry.get("failures", ())]
    return "" if any(is_claimed(failure, claim) for failure in noted) else f"failures are {as_yaml(noted)}"


def is_claimed(failure: Failure, claim: Written) -> bool:
    """Whether a claim speaks of a failure; one that names no hook and no code, of every one of the rule."""
    named = all(failure.get(key) == claim[key] for key in ("hook", "code") if key in claim)
    return named and failure["rule"] == str(claim["failure"])


def _reason(play: Play, entries: Entries, claim: Written) -> str:
    """Claim a reason of any entry: {reason: OVERRULED, rule: "305"}."""
    noted = [r for entry in entries for r in entry.get("reasons", ())]
    met = [r for r in noted if r["code"] == claim["reason"] and r.get("rule") == claim.get("rule", r.get("rule"))]
    return "" if met else "it was not among the reasons"


FORMS: dict[str, Form] = {
    "ledger": _ledger,
    "winner": _winner,
    "event": _event,
    "timer": _timer,
    "call": _call,
    "owes": _duty,
    "page": _page,
    "refusal": _refusals,
    "detail": _detail,
    "failure": _failure,
    "reason": _reason,
    "office": _office,
    "thing": _thing,
    "kind": _kind,
    "proposal": partial(_matter, kind=PROPOSAL),
    "settings": _settings,
    "rule": _rule,
    "player": _player,
    "game": lambda play, _entries, claim: _registers(play, "game", claim, ("game",)),
    "held": _held,
    "revisions": _revisions,
}


# -- values as whoever writes a scenario would write them on one line


def as_yaml(value: Any) -> str:
    """Return a value as it is written on one line of YAML, with quotation marks only where it needs them.

    >>> as_yaml({"player": "ann", "score": 3, "in": ["b2", "2"], "out": True, "why": None})
    '{player: ann, score: 3, in: [b2, "2"], out: true, why: null}'
    >>> as_yaml("no"), as_yaml("white hat"), as_yaml("a: b")
    ('"no"', 'white hat', '"a: b"')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_yaml(key)}: {as_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(as_yaml, value)) + "]"
    return json.dumps(value) if value is None or isinstance(value, (bool, int)) else quote_flow(str(value))


# -- how much a number has changed

_SIGNED = re.compile(r"[+-][0-9]+")
Levels = dict[tuple[str, str], Any]
"""What registers hold, by owner and name; None where there is none."""


def changes_in(claim: Written) -> dict[tuple[str, str], str]:
    """Return the changes of numbers of which a claim may speak, by the owner and name of each register.

    >>> changes_in({"player": "ann", "score": "+5", "mood": "glad"}), changes_in({"office": "judge", "holder": "+5"})
    ({('ann', 'score'): '+5'}, {})
    """
    lead = next((lead for lead in ("player", "thing", "game") if lead in claim), "")
    owner = "game" if lead == "game" else str(claim.get(lead))
    said = {name: value for name, value in claim.items() if lead and name != lead and isinstance(value, str)}
    return {(owner, name): value for name, value in said.items() if _SIGNED.fullmatch(value)}


def changes_claimed(scenario: Written) -> list[tuple[str, str]]:
    """Return the registers, by owner and name, of whose change a scenario claims something."""
    places = (*(scenario.get("steps") or ()), scenario)
    return [register for each in places for claim in each.get("expect") or () for register in changes_in(claim)]


def levels(kernel: Kernel, claimed: Sequence[tuple[str, str]], now: int) -> Levels:
    """Return what registers hold now."""
    if not claimed:
        return {}
    found: Levels = kernel.look(lambda play: {register: _level(play, *register) for register in claimed}, now)
    return found


def _level(play: Play, owner: str, name: str) -> Any:
    try:
        return registers.get(play, owner, name, None)
    except (Fault, Refusal):
        return None


def absolute_claim(play: Play, claim: Written, before: Levels | None) -> Written | str:
    """Return a claim with the numbers to which its changes come from the levels `before`, or why they come to none."""
    found = dict(claim)
    for register, change in changes_in(claim).items():
        name = register[1]
        if not _is_number(_level(play, *register)):
            continue
        if before is None:
            return f"{name} {change} is relative to the step above, and there is none; claim the number itself"
        level: Any = before.get(register)
        if not _is_number(level):
            why = f"{name} {change} is relative to what it was before the step above"
            return f"{why}, and there was no {name} then; claim the number itself"
        found[name] = level + int(change)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
