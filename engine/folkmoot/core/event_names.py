"""Which events the engine itself raises: rules hear them, and cannot raise them, so that what they say is so."""

from __future__ import annotations

from collections.abc import Mapping

from folkmoot.core.rule_blocks import OutcomeSpec

ADOPTED, DEFEATED, ACCEPTED = "adopted", "defeated", "accepted"
"""What the law's verdict on a vote makes of a proposal, and what it is where somebody judges it."""
OUTCOMES = {
    ADOPTED: True,
    DEFEATED: False,
    ACCEPTED: True,
    "rejected": False,
    "ignored": False,
    "replaced": False,
    "withdrawn": False,
}
"""What can become of every proposal, and whether that makes its changes law; rules declare further outcomes."""
KERNEL_EVENTS = frozenset(
    "founded joined left acted act_held stated proposal_submitted proposal_revised proposal_corrected voting_opened "
    "ballot_cast voting_closed proposal_adopted proposal_defeated proposal_accepted proposal_rejected proposal_ignored "
    "proposal_replaced proposal_withdrawn proposal_resolved awarded changed enacted rule_enacted rule_amended "
    "rule_transmuted rule_retitled rule_labelled rule_renumbered rule_repealed setting_changed office_changed created "
    "destroyed given revealed unsealed paused resumed duty_overdue won".split()
)
KERNEL_PREFIXES = ("changed_", "proposal_")
"""Before the names of registers, and before those of outcomes, which the law may declare more of."""
REST_RELEASED = "waiting-acts"
"""The timer by which the engine goes on with acts that were released, where one event could not judge all."""
HINT = "choose a name of your own"


def is_kernel_event(name: str) -> bool:
    """Whether an event of this name (a timer's too) can be raised by the engine only.

    >>> is_kernel_event("joined"), is_kernel_event("changed_score"), is_kernel_event("turn_over")
    (True, True, False)
    """
    return name in KERNEL_EVENTS or name.startswith(KERNEL_PREFIXES)


def forged(name: str) -> str:
    """Return what is wrong with an event or timer of this name that a rule would raise, "" where nothing is."""
    if name.startswith(REST_RELEASED):
        return f"the timer {name} is the engine's to start"
    return f"the event {name} is the engine's to raise" if is_kernel_event(name.replace("-", "_")) else ""


def makes_law(outcome: object, declared: Mapping[str, OutcomeSpec]) -> bool:
    """Say whether an outcome makes changes law; `declared` are the further outcomes of the rules in force.

    >>> [makes_law(each, {"ripe": {"effective": True}}) for each in ("adopted", "ripe", "blighted", None)]
    [True, True, False, False]
    """
    return OUTCOMES.get(str(outcome), bool((declared.get(str(outcome)) or {}).get("effective")))
