"""The demonstration: the thirteen proposals of a mail game of Suber's Nomic, and stretches of two Imperial games."""
