"""Examples of rules: small scenarios that a rule brings along, played from where the game began.

They stand on the law as it is, for a rule is good or bad beside the others, but on nothing else that play changes:
who plays, switches, offices and what is given are those of the founding, where the example does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.documents import RuleDocument
from folkmoot.core.problems import Problem
from folkmoot.core.records import Founding, Written
from folkmoot.core.values import is_digits
from folkmoot.files.reader import locate
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import Fault
from folkmoot.scenarios.scenario import Attend, Failed, found, run_scenario

MOST_NAMED = 8  # people in a hint
PARTS = ("settings", "offices", "opening")  # of a founding, beside its people


def example_problems(rule: RuleDocument, law: Founding, text: str, file: str, attend: Attend) -> Iterator[Problem]:
    """Run a rule's examples on the law with the rule in it; yield those that do not hold."""
    examples = rule.get("examples") or ()
    if not examples:
        return
    changed = opening_of(with_rule(law, rule), attend)
    mine = str(changed["rules"][-1]["uid"])
    for place, example in enumerate(examples):
        name = example.get("scenario") or f"example {place + 1}"
        try:
            run_scenario({"ruleset": "", **example}, lambda _name: changed, attend, {mine: (text, file)}, mine)
        except Failed as failed:
            where = locate(text, file, ["examples", place])
            yield Problem("E-EXAMPLE", f"{name}: {failed}", where, _hint(example, changed))


def _hint(example: Written, law: Founding) -> str:
    """Return what may mend an example: to name its people, where somebody acts who is not in it."""
    people = [person["id"] if isinstance(person, dict) else person for person in _people(example, law)]
    acting = [by for step in example.get("steps") or () for by in _actors(step)]
    strangers = [by for by in dict.fromkeys(acting) if by not in people]
    if not strangers or "players" in example:
        return "mend the rule or the example"
    named = f"[{', '.join(dict.fromkeys(acting))}]"
    these = f"those who were there at the founding ({', '.join(people[:MOST_NAMED])})" if people else "nobody"
    return f"{strangers[0]} is not in it: an example is played by {these}, or by whom it names: `players: {named}`"


def _people(example: Written, law: Founding) -> list[Any]:
    return list(example["players"] if "players" in example else law.get("players") or [])


def _actors(step: Written) -> list[str]:
    by = step.get("by")
    return by if isinstance(by, list) else [by] if isinstance(by, str) else []


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


def opening_of(law: Founding, attend: Attend) -> Founding:
    """Return a law with as much of its opening position as its rules can still begin with.

    Rules may have gone since that declared a switch, an office, a register or a kind of thing.
    """
    if _begins(law, attend):
        return law
    people = list(law.get("players") or ())
    bare: Founding = {name: part for name, part in law.items() if name not in ("history", *PARTS)}
    kept = _widest(bare, "players", people, attend)
    if len(kept.get("players") or ()) < len(people):
        kept = _widest(bare, "players", [{"id": person["id"]} for person in people], attend)
    for name in PARTS:
        part = law.get(name) or {}
        kept = _widest(kept, name, list(part.items() if isinstance(part, dict) else part), attend)
    return kept


def _widest(law: Founding, name: str, items: list[Any], attend: Attend) -> Founding:
    """Return a law with as many of a part's items as it can begin with, in their order."""
    if not items:
        return law
    mapping = isinstance(items[0], tuple)
    before: Any = law.get(name) or ({} if mapping else [])
    wider = {**law, name: {**before, **dict(items)} if mapping else [*before, *items]}
    if _begins(wider, attend):
        return wider
    half = len(items) // 2
    if not half:
        return law
    return _widest(_widest(law, name, items[:half], attend), name, items[half:], attend)


def _begins(law: Founding, attend: Attend) -> bool:
    """Whether a game can be founded with a law."""
    try:
        found({"ruleset": ""}, lambda _name: law, lambda _event: open_chance("", "check"), attend)
    except (Failed, Fault):
        return False
    return True
