"""Play on a copy: scenarios and what they claim, files checked before use, trials of rules."""
