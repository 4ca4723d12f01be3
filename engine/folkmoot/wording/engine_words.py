"""The words that the engine itself has for states, outcomes, kinds, votes and parts of a rule."""

TERMS = frozenset({
    "abstain", "actions", "adopted", "against", "amend", "anyone", "blank", "board", "chart", "closed", "defeated",
    "defines", "enact", "examples", "failed", "for", "frames", "free", "frozen", "history", "labels", "log",
    "motion", "motions", "number", "open", "over", "paused", "pending", "player", "precedence", "present",
    "proposal", "proposals", "repeal", "resolved", "retitle", "settings", "submitted", "table", "timers", "transmute",
    "vetoed", "void", "withdrawn",
})  # fmt: skip
"""Words of the engine that pages show: states, outcomes, kinds, votes, parts of a rule. Rules may have others."""
