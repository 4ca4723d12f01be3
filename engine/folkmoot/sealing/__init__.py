"""Sealed data: boxes for one reader, commitments, keys and the seeds of sealed draws; see reference/sealed-data.md."""
