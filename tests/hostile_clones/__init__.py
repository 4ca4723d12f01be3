"""Clones that somebody hostile has made, of every kind that we know, and one test that runs every command in each.

Nothing hostile lies here: each kind is a function that plants it in a sound clone (`links`, `special_files`, …), on a
ground (`ground`) that has a decoy of everything that the person who runs `moot` would not want touched.
"""
