"""What the codes mean that the packaged rulesets add to those of the engine (see `engine.law.reasons`)."""

from __future__ import annotations

RULESETS = {
    "E-AREA": "There is no such area on the map.",
    "E-COMPOUND": "One proposal is to be one rule-change, and this one has several.",
    "E-IMMUTABLE": "The rule is immutable; it would have to be transmuted first.",
    "E-LAST-MUTABLE": "At least one rule must be mutable at all times (114).",
    "E-LOCKOUT": "After this change no rule-change could pass any more (114).",
    "E-MUTABLE-LIMIT": "There may be no more mutable rules than the law allows (209).",
    "E-NO-ENTITLEMENT": "The player is not entitled to another position.",
    "E-NO-SCRIBE": "There is no Scribe; the game stands still until one is chosen (303).",
    "E-NOT-ADJ": "The area does not lie next to one of the player's own.",
    "E-NOT-JUDGE": "Only the Judge may do this.",
    "E-NOT-RECEIVER": "Only the one who received it may confirm it.",
    "E-OCCUPIED": "Somebody is there already.",
    "E-TAKEN": "Somebody else has chosen this area first.",
    "E-WATER": "This must be a land area.",
    "E-WINNING": "What counts as winning may not be changed in this way (112).",
}
