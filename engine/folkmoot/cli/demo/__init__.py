"""The demonstration: the thirteen proposals of a mail game of Suber's Nomic, played by six players (test T2-65)."""

from folkmoot.cli.demo.script import START, Turn, correct_and_pause, found, number_of_acts, play, proposals

__all__ = ["START", "Turn", "correct_and_pause", "found", "number_of_acts", "play", "proposals"]
