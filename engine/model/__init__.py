"""Frozen types that every layer shares; standard library only."""
