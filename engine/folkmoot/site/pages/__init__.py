"""The kinds of pages of a game: each a frozen struct, and the function that makes it of a game."""
