"""A person's side of a game that is played by pull requests: looking, proposing, voting, acting, and what is owed."""
