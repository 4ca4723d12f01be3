"""Which action takes in the rule-changes of a pull request that names none: the law says it, or declares a default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Arguments, Taken
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.values import in_a_row, told
from folkmoot.kernel.act_declarations import BEYOND_RULES, JOIN, WITHDRAW

if TYPE_CHECKING:
    from folkmoot.kernel.play import Play

QUESTION = "taken_as"
PULL_REQUESTS = "pull_requests"
"""What a declared action `takes` by which pull requests are taken in that name no other."""
CLOSING = "closing"
"""What a declared action `takes` that is meant where somebody closes their own pull request."""
JOINING = "joining"
"""What a declared action `takes` that is meant where somebody asks to join."""
NONE = "no rule in force takes in rule-changes"


def argument_for_changes(declared: ActionSpec) -> str:
    """Return the argument by which an action takes rule-changes, "" where it takes none."""
    arguments = (declared.get("arguments") or {}).items()
    return next((name for name, spec in arguments if (spec or {}).get("type") == "changes"), "")


def argument_for_proposal(declared: ActionSpec, kind: str = PROPOSAL) -> str:
    """Return the argument by which an action names the one thing that is voted on which it is about; "" for none.

    Of several it is the one that is called like the kind of that thing.

    >>> argument_for_proposal({"arguments": {"motion": {"type": "proposal"}, "why": {"type": "text"}}})
    'motion'
    >>> argument_for_proposal({"arguments": {"one": {"type": "proposal"}, "other": {"type": "proposal"}}})
    ''
    >>> both = {"proposal": {"type": "proposal"}, "motion": {"type": "proposal"}}
    >>> argument_for_proposal({"arguments": both}, "motion")
    'motion'
    """
    arguments = (declared.get("arguments") or {}).items()
    found = [name for name, spec in arguments if (spec or {}).get("type") == "proposal"]
    return found[0] if len(found) == 1 else kind if kind in found else ""


def unnamed_proposal(declared: ActionSpec, given: Arguments) -> str:
    """Return the first argument by which an act could say what it is about that is voted on, "" where one says it.

    >>> either = {"arguments": {"proposal": {"type": "proposal"}, "motion": {"type": "proposal"}}}
    >>> unnamed_proposal(either, {"motion": 3}), unnamed_proposal(either, {}), unnamed_proposal({}, {})
    ('', 'proposal', '')
    """
    arguments = (declared.get("arguments") or {}).items()
    found = [name for name, spec in arguments if (spec or {}).get("type") == "proposal"]
    return found[0] if found and not {*found} & {*given} else ""


def about(declared: ActionSpec, proposal: Proposal) -> Arguments:
    """Return the argument by which an act is about something that is voted on, as it names that; none where it cannot.

    Numbers are those of proposals; what is of another kind is named by its id.
    """
    name = argument_for_proposal(declared, proposal["kind"])
    return {name: handle(proposal) if proposal["kind"] == PROPOSAL else proposal["id"]} if name else {}


def taking_in(actions: Mapping[str, ActionSpec]) -> list[str]:
    """Return the actions of rules by which rule-changes may come, as they are declared."""
    return [do for do, declared in actions.items() if do not in BEYOND_RULES and argument_for_changes(declared)]


def default_of(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action that takes pull requests in by its declaration, or because no other could; "" for none.

    >>> needs = {"arguments": {"c": {"type": "changes"}}}
    >>> default_of({"sow": needs}), default_of({"sow": needs, "reap": needs})
    ('sow', '')
    >>> default_of({"sow": needs, "reap": {**needs, "takes": "pull_requests"}})
    'reap'
    """
    able = taking_in(actions)
    declared = [do for do in able if actions[do].get("takes") == PULL_REQUESTS]
    return next(iter(declared or (able if len(able) == 1 else ())), "")


def closing_action(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action that is meant where somebody closes their own pull request, "" where the rules know none.

    It is the one that `takes: closing`, else one that is called as our own command is.

    >>> closing_action({"dig_up": {"takes": "closing"}, "withdraw": {}}), closing_action({"withdraw": {}})
    ('dig_up', 'withdraw')
    """
    marked = next((name for name, spec in actions.items() if spec.get("takes") == CLOSING), "")
    return marked or (WITHDRAW if WITHDRAW in actions else "")


def joining_action(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action that is meant where somebody asks to join: the one that `takes: joining`, else `join` itself.

    >>> joining_action({"knock": {"takes": "joining"}, "join": {}}), joining_action({"join": {}})
    ('knock', 'join')
    """
    return next((name for name, spec in actions.items() if spec.get("takes") == JOINING), JOIN)


def taken_as(play: Play, pull: Arguments) -> Taken:
    """Return the action (`do`) that takes a pull request in, or `why` none does; `rule` is the uid of who says so.

    An answer that cannot be used, or none because a rule failed, is no leave to take it as anything else.
    """
    from folkmoot.kernel.script_records import record  # which reads scripts, and who shows a game needs none of that

    actions = {do: declared for do, (_uid, declared) in play.law.declared("actions", play.view).items()}
    able = taking_in(actions)
    found = play.answers("taken_as", [record(dict(pull))])
    failed = next((each for each in play.failures if each["hook"] == f"decide_{QUESTION}"), None)
    if failed is not None:
        return {"rule": failed["rule"], "why": f"the rule that says as what it is taken failed: {failed['error']}"}
    if found:
        uid, answer = found[0]
        if isinstance(answer, str) and answer in able:
            return {"do": answer, "rule": uid}
        return {"rule": uid, "why": f"the law takes it as {told(answer)}, which is no action for rule-changes"}
    do = default_of(actions)
    return {"do": do} if do else {"why": why_none(able)}


def why_none(able: list[str]) -> str:
    """Return what is missing where the law does not say which of some actions takes a pull request in."""
    if not able:
        return NONE
    return f"the law does not say as which of {in_a_row(able)} it is taken; name one, as in `/do {able[0]}`"
