"""The language of the tests: games, tables, forges and browsers that test modules play with."""
