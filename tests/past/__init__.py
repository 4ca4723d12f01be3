"""The past of a game that was played elsewhere: what a ruleset's folder brings along, and what becomes of it."""
