"""What happened in sentences: one set of words and links for the site, the terminal and pull requests."""
