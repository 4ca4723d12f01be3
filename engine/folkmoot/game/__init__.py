"""A game being played: its session, its standing, why things are as they are, its proof, its secrets, its openings."""
