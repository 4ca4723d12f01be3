"""Pages of a game: documents and journal in, Markdown files with finished HTML out; pure, and no page knows MkDocs."""
