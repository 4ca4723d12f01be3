"""Setting up a game on a forge, and finding what is wrong with it: checks of one kind each, and how each is mended."""
