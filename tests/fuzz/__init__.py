"""Grammar-based fuzzing: stories of ordinary, mistaken and hostile inputs, told to games by the ways that people use.

`python -m tests.fuzz --minutes 60 --seed 1` goes on for an hour; the tests beside it tell some stories on fixed seeds.
"""
