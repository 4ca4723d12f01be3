"""The kinds of pages of a game: of each the data that it shows, and the function that makes it of a game."""
