"""The referee: reads pull requests as data, and turns what it finds into recorded play."""
