"""The referee: turns what it finds on a forge into recorded play, safely and exactly once."""
