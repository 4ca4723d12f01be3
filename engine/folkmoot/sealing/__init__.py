"""Sealed data: boxes for one reader, commitments, keys and the seeds of sealed draws; see reference/sealed-data.md.

Only what opens and makes boxes and keys needs the library behind them, and loads it when it does.
"""
