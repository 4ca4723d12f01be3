"""Pages of a game: documents and journal in, finished HTML out, in frames that MkDocs drew."""
