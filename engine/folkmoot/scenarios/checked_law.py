"""A rule checked in its law: its examples, claims and answers; what follows from a law is found once for all rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

from folkmoot.core.documents import RuleDocument
from folkmoot.core.events import Outcome
from folkmoot.core.keys import NEW, ON_TRIAL, number_key
from folkmoot.core.problems import Position, Problem
from folkmoot.core.records import Founding, Shown, Written
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.core.values import is_digits
from folkmoot.files.reader import locate, script_position
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.overruled_answers import Overruled, circle_told, circles_of, overruled_answers, overruled_told
from folkmoot.kernel.play import Play
from folkmoot.kernel.trials import overruled_in
from folkmoot.language.tree import hook_names, scan
from folkmoot.scenarios.check_sealed import sealed_in
from folkmoot.scenarios.known_names import Known, known_in
from folkmoot.scenarios.scenario import MOST_DEBUG, Attend, Failed, Run, begin, in_turn, law_of, run_scenario, start_of


class CheckedLaw:
    """A law, and what follows from it."""

    def __init__(self, law: Founding, attend: Attend = lambda _kernel: None) -> None:
        """`attend` is shown each kernel before it runs a script."""
        self.law, self._attend = law, attend

    def beside(self, rule: RuleDocument) -> CheckedLaw:
        """Return the law with a rule in it."""
        return self if self._stands(rule) else CheckedLaw(with_rule(self.law, rule), self._attend)

    def _stands(self, rule: RuleDocument) -> bool:
        uid = uid_in(self.law, rule)
        return uid is not None and {**rule, "rule": rule.get("rule", ""), "uid": uid} in self.law["rules"]

    @cached_property
    def known(self) -> Known:
        """What is known by name."""
        return known_in(self.law["rules"])

    @cached_property
    def sealed(self) -> frozenset[str]:
        """The names of the registers that are sealed."""
        return sealed_in(self.law["rules"])

    @cached_property
    def run(self) -> Run | None:
        """A game that began with the law; None where none can."""
        return opening_of(self.law, self._attend)[1]

    def look(self, question: Callable[[Play], Any]) -> Any:
        """Ask something of the game that began with the law; an empty list where none can."""
        return self.run.kernel.look(question, self.run.now) if self.run else []

    def overruled(self, rule: RuleDocument) -> list[tuple[Overruled, str]]:
        """Return the answers that are always overruled in the law with a rule in it, each with a sentence about it."""
        if self._stands(rule):
            return [] if self.law.get("on_trial") else self._overruled  # where all that is proposed is tried together
        parts = {part: rule[part] for part in RULE_PARTS if part in rule}  # type: ignore[literal-required]
        uid = uid_in(self.law, rule)
        change = {"amend": uid, **parts} if uid is not None else {"enact": parts}
        try:
            return list(self.look(partial(overruled_in, changes=[change])))
        except (Fault, Refusal):  # it cannot be made law, as others tell
            return []

    @cached_property
    def _overruled(self) -> list[tuple[Overruled, str]]:
        return list(self.look(lambda play: [(each, overruled_told(play, each)) for each in overruled_answers(play)]))

    @cached_property
    def circles(self) -> dict[tuple[str, ...], list[str]]:
        """The rules (uids) that take precedence over one another in a circle, with their numbers."""
        return dict(self.look(circles_of))


def _begin(law: Founding, attend: Attend) -> tuple[Run, Outcome]:
    """Begin a game with a law; return it, and what came of that."""
    whole = law_of({"ruleset": ""}, lambda _name: {"rules": [], **law})
    return begin(whole, start_of({}, whole), lambda _event: open_chance("", "check"), attend)


def _items_of(outcome: Outcome) -> list[Shown]:
    """Return the items of a founding that it could not begin with: `part`, `key`, `code` and `why`."""
    return [item for reason in outcome.reasons for item in reason.get("args", {}).get("items", ())]


# -- examples: small scenarios that a rule brings along, played from where the game began
#
# They stand on the law as it is, for a rule is good or bad beside the others, but on nothing else that play changes:
# who plays, switches, offices and what is given are those of the founding, where the example does not say otherwise.

MOST_NAMED = 8  # people in a hint


def example_problems(rule: RuleDocument, law: Founding, text: str, file: str, attend: Attend) -> Iterator[Problem]:
    """Run a rule's examples on the law with the rule in it; yield those that do not hold."""
    examples = rule.get("examples") or ()
    if not examples:
        return
    changed, _game = opening_of(with_rule(law, rule), attend)
    mine = str(changed["rules"][-1]["uid"])
    for place, example in enumerate(examples):
        name = example.get("scenario") or f"example {place + 1}"
        try:
            run = run_scenario({"ruleset": "", **example}, lambda _name: changed, attend, {mine: (text, file)}, mine)
            for note in run.debug[:MOST_DEBUG] if run else ():
                at = script_position(text, file, note.get("line", 1)) if note["rule"] == mine else Position(file)
                whose = note["hook"] if note["rule"] == mine else f"{note['hook']} of rule {note['rule']}"
                yield Problem("W-SCRIPT", f"{name}: debug, {whose}: {note['error']}", at)
        except Failed as failed:
            where = locate(text, file, ["examples", place])
            yield Problem("E-EXAMPLE", f"{name}: {failed}", where, _hint(example, changed))


def _hint(example: Written, law: Founding) -> str:
    """Return what may mend an example: to name its people, where somebody acts who is not in it."""
    people = [
        person["id"] if isinstance(person, dict) else person
        for person in (example["players"] if "players" in example else law.get("players") or [])
    ]
    actors = [step.get("by") for step in example.get("steps") or ()]
    acting = [by for each in actors for by in (each if isinstance(each, list) else [each]) if isinstance(by, str)]
    strangers = [by for by in dict.fromkeys(acting) if by not in people]
    if not strangers or "players" in example:
        return "mend the rule or the example"
    named = f"[{', '.join(dict.fromkeys(acting))}]"
    these = f"those who were there at the founding ({', '.join(people[:MOST_NAMED])})" if people else "nobody"
    return f"{strangers[0]} is not in it: an example is played by {these}, or by whom it names: `players: {named}`"


def with_rule(law: Founding, rule: RuleDocument) -> Founding:
    """Return a law with a rule in it: in the place of the one with its uid or number, else under the next number."""
    uid = uid_in(law, rule)
    others = [known for known in law["rules"] if str(known.get("uid") or known["rule"]) != uid]
    highest = max((int(str(known["rule"])) for known in law["rules"] if is_digits(str(known["rule"]))), default=0)
    number = rule.get("rule") or str(highest + 1)
    return {**law, "rules": [*others, {**rule, "rule": str(number), "uid": str(uid or number)}]}


def uid_in(law: Founding, rule: RuleDocument) -> str | None:
    """Return the uid of a rule: its own, else that of the rule of a law that has its number, None where none has."""
    same = (known for known in law["rules"] if str(known["rule"]) == rule.get("rule"))
    return rule.get("uid") or next((str(known.get("uid") or known["rule"]) for known in same), None)


def opening_of(law: Founding, attend: Attend) -> tuple[Founding, Run | None]:
    """Return a law with as much of its opening as its rules can still begin with, and that game, if there can be."""
    while True:
        run, outcome = _begin(law, attend)
        wrong = _items_of(outcome)
        if not wrong:
            return law, run if outcome.accepted else None
        for part in {item["part"] for item in wrong}:
            keys = {item["key"] for item in wrong if item["part"] == part}
            law = {**law, part: _without(part, law[part], keys)}


def _without(part: str, items: Any, keys: set[str | int]) -> Any:
    """Return the items of a part of a founding without some; a player stays at first, and has nothing."""
    if isinstance(items, dict):
        return {name: item for name, item in items.items() if name not in keys}
    if part == "decided":
        return [vote for vote in items if str(vote.get("number")) not in keys]
    kept = [item for place, item in enumerate(items) if place not in keys]
    if part != "players":
        return kept
    bare = {place: {"id": items[place]["id"]} for place in keys if items[place].keys() - {"id", "surname"}}
    return [bare.get(place, item) for place, item in enumerate(items) if place not in keys or place in bare]


# -- circles that a rule closes, claims and answers that have no say

PREVAILS = "decide_prevails"


def precedence_problems(
    rule: RuleDocument, law: CheckedLaw, within: CheckedLaw, text: str, file: str
) -> Iterator[Problem]:
    """Found the law with a rule in it that speaks of precedence; yield where that comes to something else."""
    answers = PREVAILS in hook_names(str(rule.get("script") or ""))
    known = uid_in(law.law, rule)
    mine = known if known is not None else str(within.law["rules"][-1]["uid"])
    others = [each for each in within.law["rules"] if str(each.get("uid") or each["rule"]) != mine]
    answered = {hook for each in others for hook in hook_names(str(each.get("script") or ""))}
    is_new = str(rule.get("rule") or NEW).partition("-")[0] in ON_TRIAL
    functions = scan(str(rule.get("script") or "")).functions
    is_asked = any(hook in answered for hook in functions if hook.startswith("decide_"))
    for answer, sentence in law.overruled(rule) if is_asked else ():  # which a rule before it always answers
        function = functions.get(f"decide_{answer.question}")
        if function is not None and (known is None or answer.rule == mine):
            yield Problem("W-SCRIPT", sentence, script_position(text, file, function.line, function.column))
    if not rule.get("precedence") and not answers:
        return
    for circle, numbers in within.circles.items():
        if mine in circle:
            pairs = zip(circle, numbers, strict=True)
            names = ["the new one" if is_new and uid == mine else number for uid, number in pairs]
            place = locate(text, file, ["precedence"])
            yield Problem("W-SCRIPT", circle_told(names), place, "say in one of them that it defers to the other")
    # those that answer which rule prevails are asked in the order of their numbers: any other would rest on the answers
    for at, other in enumerate((rule.get("precedence") or {}).get("over") or () if answers else ()):
        found: Any = next((each for each in law.law["rules"] if str(each.get("rule")) == str(other)), {})
        is_later = is_new or number_key(str(rule["rule"])) > number_key(str(other))
        if PREVAILS in hook_names(str(found.get("script") or "")) and is_later:
            message = f"rule {other} answers which rule prevails before this one, whatever is claimed here"
            hint = f"amend rule {other}, or let this rule claim precedence and answer nothing"
            yield Problem("W-SCRIPT", message, locate(text, file, ["precedence", "over", at]), hint)


# -- a founding tried: what of a ruleset no game can begin with, and which scripts fail when it begins

KEYS = {
    "history": "history",
    "decided": "proposals",
    "former_players": "former_players",
    "settings": "settings",
    "players": "people",
    "offices": "offices",
    "opening": "given",
}
"""What a founding has beside its rules, and as a `ruleset.yaml` calls it."""
STAND_INS = ("ann", "bob", "cid")
"""Who is there on trial where a ruleset names nobody."""


def try_founding(law: Founding, attend: Attend) -> list[Shown]:
    """Return what is wrong: `code`, `why`, and the `path` of it in `ruleset.yaml`, or the `failure` of a script."""
    _run, outcome = _begin(law, attend)
    items = [{**item, "path": [KEYS[item["part"]], item["key"]]} for item in _items_of(outcome)]
    refused = [] if items or outcome.accepted else [_told(outcome, [])]
    return [*items, *refused, *_failing_scripts(law, attend)]


def _failing_scripts(law: Founding, attend: Attend) -> Iterator[Shown]:
    """Yield each script that fails at the founding, once; with people on trial where the ruleset names nobody."""
    people = law.get("players") or [{"id": each} for each in STAND_INS]
    left = list(law.get("offices_in_turn") or ())
    _run, outcome = _begin(_with_offices(law, people, left), attend)
    if left and not outcome.accepted:
        one_by_one = [_begin(_with_offices(law, people, [office]), attend)[1] for office in left]
        yield from (_told(each, ["offices_in_turn", i]) for i, each in enumerate(one_by_one) if not each.accepted)
    seen = set()
    for failure in outcome.failures if outcome.accepted else ():
        place = failure["rule"], failure["hook"], failure.get("line")
        if place not in seen:
            seen.add(place)
            yield {"code": "E-SCRIPT", "failure": failure}


def _with_offices(law: Founding, people: list[Written], left: list[str]) -> Founding:
    """Return a founding with people, to whom the offices that nobody else holds fall in turn."""
    offices = {**in_turn(left, [each["id"] for each in people]), **(law.get("offices") or {})}
    return {**law, "players": people, "offices": offices}


def _told(outcome: Outcome, path: list[Any]) -> Shown:
    whys = (str((reason.get("args") or {}).get("why", "")) for reason in outcome.reasons)
    why = next(filter(None, whys), "no game can be founded so")
    return {"code": outcome.code or "E-ARGS", "why": why, "path": path}
