"""Folkmoot: referees, records and publishes games of Nomic kept in a git repository."""

__version__ = "0.2.0"
