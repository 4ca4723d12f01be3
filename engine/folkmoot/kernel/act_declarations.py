"""How actions are declared: those that exist without any rule, and those of rules by which rule-changes come."""

from __future__ import annotations

from collections.abc import Mapping

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import LONGEST_REMINDER, MENTIONS
from folkmoot.core.limits import LIMITS
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.values import in_a_row

ADMINISTRATIVE = tuple(
    "pause resume set_clock correct suspend wake redact engine open_epoch close_epoch abandon_epoch "
    "open_sealing confirm_sealing_key open_seed admit identify use_forge change_forge rehouse maintain "
    "remind set_limit repair".split()
)
VOTE, STATE, JOIN = "vote", "state", "join"
"""What people do in every game: cast a ballot, say something for the record, and join where no rule says how."""
SET_CLOCK = "set_clock"
"""How administrators take a clock back that ran ahead: the one entry that is earlier than the one before it."""
OPEN_SEALED = "open_sealed"
"""How players open what they sealed to themselves alone."""
WITHDRAW = "withdraw"
"""What closing a pull request is taken as where no action of the rules says that it `takes` that."""
UNSTOPPABLE = ("succeed", "oppose_succession")
"""What players do in person, in a game that is paused or over too, and in whose way no rule stands."""
BEYOND_RULES = (*ADMINISTRATIVE, *UNSTOPPABLE)


def _act(summary: str, arguments: str = "", **more: ArgumentSpec) -> ActionSpec:
    """Return a declaration; of each argument its name and its type are given, with a ? where it may be left out."""
    given = [each.split() for each in arguments.split(", ") if each]
    taken: dict[str, ArgumentSpec] = {n: {"type": kind.rstrip("?"), "optional": "?" in kind} for n, kind in given}
    return {"summary": summary, "arguments": {**taken, **more}}


def _for_anyone(summary: str, arguments: str = "") -> ActionSpec:
    return {"who": "anyone", **_act(summary, arguments)}


def doers(declaration: ActionSpec) -> list[str]:
    """Return who may do an action: `player`, `anyone`, or kinds of things, which rules let act.

    >>> doers({}), doers({"who": "anyone"}), doers({"who": ["player", "bank"]})
    (['player'], ['anyone'], ['player', 'bank'])
    """
    who = declaration.get("who") or "player"
    return [who] if isinstance(who, str) else list(who)


KERNEL_DECLARATIONS: dict[str, ActionSpec] = {
    VOTE: _act("Vote on an open proposal", "choice string, proposal proposal?, kind string?, reason text?"),
    STATE: _act("Say something for the record", "text text"),
    JOIN: _for_anyone("Join the game", "name text?, attributes map?, key string?"),
    "withdraw_application": _for_anyone("Withdraw your request to come in"),
    "add_key": _for_anyone("Sign what you send with an SSH key from now on", "key string, player player?"),
    "revoke_key": _for_anyone("Withdraw an SSH key", "key string, player player?"),
    "admit": _act(
        "Bring somebody into the game",
        "player string, name text?, attributes map?, key string?, forge string?, id string?, login string?",
    ),
    "identify": _act("Say who a player is on a forge", "player player, forge string, id string, login string?"),
    "repair": _act("Change rules without a vote, and say why", "changes changes, why text"),
    "use_forge": _act("Say by which forge acts come, and where the game lies there", "forge string?, home string?"),
    "change_forge": _act(
        "Take the game to another forge, and say who players are there",
        "forge string, home string?, accounts map?",
    ),
    "rehouse": _act("Say in which pull requests of the new forge undecided proposals go on", "places map"),
    "notify": _act("Choose what the forge notifies you of", mentions={"type": "choice", "of": list(MENTIONS)}),
    "maintain": _act("Name who may approve changes of the engine, the workflows and the site", "maintainers any?"),
    "remind": _act(
        "Say how many hours before a deadline those are reminded who still owe something",
        hours={"type": "integer", "minimum": 0, "maximum": LONGEST_REMINDER},
    ),
    "set_limit": _act(
        "Set how much of something rules and people may take; without a value it is the usual one again",
        name={"type": "choice", "of": list(LIMITS)},
        value={"type": "integer", "optional": True},
    ),
    "open_sealing": _act(
        "Name the keeper's key, to which players seal, and commit to the seeds of sealed draws",
        "key string?, seeds string?",
    ),
    "open_seed": _act(
        "Open the seed of a sealed draw, so that everybody can check it; with `insist` while something of it is closed",
        "draw integer, seed string?, proof list?, insist boolean?",
    ),
    OPEN_SEALED: _act(
        "Show everybody what you sealed for yourself alone; `moot` fills in the rest",
        "number integer, value any?, salt string, nonce string",
    ),
    "use_sealing_key": _act("Name the key that opens what only you may read", "key string"),
    "confirm_sealing_key": _act("Confirm that a player has another key for what is sealed to them", "player player"),
    "pause": _act("Stop every timer", "why text?"),
    "resume": _act("Let the timers run again", "why text?"),
    SET_CLOCK: _act(
        "Take the clock of the game back that ran ahead; `moot` fills in by how much", "seconds integer?, why text?"
    ),
    "correct": _act("Put a value right, or a proposal's outcome", "of string, name string, to any?, why text"),
    "suspend": _act("Let a rule's script sleep", "rule rule, why text?"),
    "wake": _act("Wake a suspended rule", "rule rule"),
    "redact": _act(
        "Replace content of an earlier entry by its digest", "seq integer, path string, digest string, why text?"
    ),
    "open_epoch": _act("Commit to a secret for the dice", "commitment string"),
    "close_epoch": _act("Publish the secret, so that everybody can check the dice", "secret string"),
    "abandon_epoch": _act("End a chance epoch whose secret is lost; its dice can never be checked", "why text"),
    "succeed": _act("Ask to become an administrator where they are gone, and become one after the wait"),
    "oppose_succession": _act("Object to who asks to become an administrator"),
    "engine": _act(
        "Let a newer engine judge from now on, which itself says what it takes over", "versions map, state string"
    ),
}


def vote_declaration(votable: list[str]) -> ActionSpec:
    """Return the declaration of a vote in a game in which these kinds are voted on: any of them says what it is on.

    >>> list(vote_declaration(["proposal", "petition"])["arguments"])
    ['choice', 'proposal', 'petition', 'kind', 'reason']
    """
    declared = KERNEL_DECLARATIONS[VOTE]
    given = declared["arguments"]
    kinds: dict[str, ArgumentSpec] = {kind: {"type": "proposal", "optional": True} for kind in kinds_named(votable)}
    return {**declared, "arguments": {"choice": given["choice"], **kinds, **given}}


def kinds_named(votable: list[str]) -> list[str]:
    """Return the kinds by whose names a ballot says what it is on: all that are no other argument of a vote.

    >>> kinds_named(["proposal", "petition", "reason"])
    ['proposal', 'petition']
    """
    return [kind for kind in votable if kind == PROPOSAL or kind not in KERNEL_DECLARATIONS[VOTE]["arguments"]]


# -- which action takes in the rule-changes of a pull request that names none: the law says it, or declares a default

QUESTION = "taken_as"
PULL_REQUESTS = "pull_requests"
"""What a declared action `takes` by which pull requests are taken in that name no other."""
CLOSING = "closing"
"""What a declared action `takes` that is meant where somebody closes their own pull request."""
JOINING = "joining"
"""What a declared action `takes` that is meant where somebody asks to join."""
NONE = "no rule in force takes in rule-changes"


def _arguments_of(declared: ActionSpec, type_: str) -> list[str]:
    return [name for name, spec in (declared.get("arguments") or {}).items() if (spec or {}).get("type") == type_]


def argument_for_changes(declared: ActionSpec) -> str:
    """Return the argument by which an action takes rule-changes, "" where it takes none."""
    return next(iter(_arguments_of(declared, "changes")), "")


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
    found = _arguments_of(declared, "proposal")
    return found[0] if len(found) == 1 else kind if kind in found else ""


def unnamed_proposal(declared: ActionSpec, given: Arguments) -> str:
    """Return the first argument by which an act could say what it is about that is voted on, "" where one says it.

    >>> either = {"arguments": {"proposal": {"type": "proposal"}, "motion": {"type": "proposal"}}}
    >>> unnamed_proposal(either, {"motion": 3}), unnamed_proposal(either, {}), unnamed_proposal({}, {})
    ('', 'proposal', '')
    """
    found = _arguments_of(declared, "proposal")
    return found[0] if found and not {*found} & {*given} else ""


def about(declared: ActionSpec, proposal: Proposal) -> Arguments:
    """Return the argument that says what an act is about (a proposal by number, else by id); none where it cannot."""
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
    return _taking(actions, CLOSING, WITHDRAW if WITHDRAW in actions else "")


def joining_action(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action that is meant where somebody asks to join: the one that `takes: joining`, else `join` itself.

    >>> joining_action({"knock": {"takes": "joining"}, "join": {}}), joining_action({"join": {}})
    ('knock', 'join')
    """
    return _taking(actions, JOINING, JOIN)


def _taking(actions: Mapping[str, ActionSpec], what: str, fallback: str) -> str:
    return next((name for name, spec in actions.items() if spec.get("takes") == what), fallback)


def why_none(able: list[str]) -> str:
    """Return what is missing where the law does not say which of some actions takes a pull request in."""
    if not able:
        return NONE
    return f"the law does not say as which of {in_a_row(able)} it is taken; name one, as in `/do {able[0]}`"
