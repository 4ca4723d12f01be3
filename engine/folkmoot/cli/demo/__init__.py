"""The demonstration: the thirteen proposals of a mail game of Suber's Nomic, and an evening of Lanterns."""
